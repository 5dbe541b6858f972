//! The greeting: who is at the other end of a pipe.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// Who a side is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hello {
    /// Its version, with the commit that it was built from.
    pub fathom_version: String,
    /// SHA-256 of its binary, in hexadecimal digits; empty where it cannot be read.
    pub binary_sha256: String,
    /// Its architecture, as `x86_64`.
    pub architecture: String,
    /// How long it goes on without a sign of the other side, in milliseconds. An agent takes the
    /// coordinator's word for both.
    pub patience_ms: u64,
}

impl Hello {
    /// Of this process.
    pub fn own(fathom_version: &str, patience_ms: u64) -> Hello {
        Hello {
            fathom_version: fathom_version.to_owned(),
            binary_sha256: own_sha256().unwrap_or_default(),
            architecture: std::env::consts::ARCH.to_owned(),
            patience_ms,
        }
    }

    /// How an agent's build differs from `own` in a way that may show in figures, in a sentence.
    pub fn difference(&self, own: &Hello) -> Option<String> {
        if self.architecture != own.architecture {
            return None;
        }
        let differs = self.binary_sha256 != own.binary_sha256
            && !self.binary_sha256.is_empty()
            && !own.binary_sha256.is_empty();
        differs.then(|| {
            format!(
                "it runs another build, {}, and this is {}; install the same Fathom on both to be \
                 sure of the figures",
                fathom_vocab::printable::line(&self.fathom_version),
                own.fathom_version
            )
        })
    }
}

/// The binary of this process. Where a loader was started to load it, as in a pod whose image has
/// none, the kernel names the loader.
fn own_binary() -> io::Result<PathBuf> {
    let started = std::env::current_exe()?;
    let is_loader =
        started.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"ld"));
    let loaded = std::env::args_os().next().filter(|_| is_loader);
    Ok(loaded.map_or(started, PathBuf::from))
}

fn own_sha256() -> io::Result<String> {
    let mut binary = File::open(own_binary()?)?;
    let (mut hash, mut chunk) = (Sha256::new(), vec![0; 256 << 10]);
    loop {
        match binary.read(&mut chunk)? {
            0 => break,
            count => hash.update(&chunk[..count]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_build_is_named_and_another_architecture_must_be_another_build() {
        let own = Hello::own("0.1.0 (abc)", 4000);
        assert_eq!((own.binary_sha256.len(), own.difference(&own)), (64, None));
        let other = Hello {
            fathom_version: "0.1.0 (def)\x1b[31m".to_owned(),
            binary_sha256: "0".repeat(64),
            ..own.clone()
        };
        let text = other.difference(&own).unwrap();
        assert!(
            text.contains("(def)") && text.contains("(abc)") && !text.contains('\x1b'),
            "{text}"
        );
        let arm = Hello { architecture: "aarch64".to_owned(), ..other };
        assert_eq!(arm.difference(&own), None);
    }
}
