//! The greeting, which identifies the other end of a pipe.

use crate::agent_binaries::own_sha256;
use fathom_host::ProcessSpace;
use serde::{Deserialize, Serialize};

/// The identity of a side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hello {
    /// Its version, with the commit that it was built from.
    pub fathom_version: String,
    /// SHA-256 of its binary, in hexadecimal digits; empty if it cannot be read.
    pub binary_sha256: String,
    /// Its architecture, as `x86_64`.
    pub architecture: String,
    /// Its system, `linux` or `windows`; empty if unknown.
    pub system: String,
    /// How long it continues without a sign of the other side, in milliseconds. An agent uses the
    /// coordinator's value for both.
    pub patience_ms: u64,
    /// Number of machines that measure behind it: more than one for a relay; 0 means unknown.
    pub clients: u32,
    /// The boot of its kernel, by which hosts on one kernel are known; empty if unknown.
    pub boot_id: String,
}

impl Hello {
    /// Of this process.
    pub fn own(fathom_version: &str, patience_ms: u64) -> Hello {
        Hello {
            fathom_version: fathom_version.to_owned(),
            binary_sha256: own_sha256().unwrap_or_default(),
            architecture: std::env::consts::ARCH.to_owned(),
            system: std::env::consts::OS.to_owned(),
            patience_ms,
            clients: 1,
            boot_id: ProcessSpace::own().boot_id,
        }
    }

    /// Whether it is another binary than `own`, for the same architecture and system.
    pub fn is_other_build(&self, own: &Hello) -> bool {
        self.is_alike(own)
            && self.binary_sha256 != own.binary_sha256
            && !self.binary_sha256.is_empty()
            && !own.binary_sha256.is_empty()
    }

    /// Whether it has the architecture and system of `own`.
    fn is_alike(&self, own: &Hello) -> bool {
        let is_same_system = self.system == own.system || self.system.is_empty();
        self.architecture == own.architecture && is_same_system
    }

    /// The difference of an agent's build from `own` that may affect figures, in a sentence. Builds
    /// for different machines are compared by their versions, which contain the commit.
    pub fn difference(&self, own: &Hello) -> Option<String> {
        let differs = match self.is_alike(own) {
            true => self.is_other_build(own),
            false => self.fathom_version != own.fathom_version,
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_build_is_named_and_another_architecture_or_system_must_be_another_build() {
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
        let silent = Hello { system: String::new(), ..other.clone() };
        assert!(silent.difference(&own).is_some());
        let arm = Hello { architecture: "vax".to_owned(), ..other.clone() };
        let elsewhere = Hello { system: "vms".to_owned(), ..other };
        for foreign in [arm, elsewhere] {
            assert!(!foreign.is_other_build(&own) && foreign.difference(&own).is_some());
            let same = Hello { fathom_version: own.fathom_version.clone(), ..foreign };
            assert_eq!(same.difference(&own), None);
        }
    }
}
