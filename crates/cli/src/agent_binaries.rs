//! `--agent-binary`: Fathom's binaries for machines of other architectures, as a user names them.

use crate::cli_error::CliError;
use crate::invalid_value::InvalidValue;
use fathom_fleet::AgentBinaries;
use fathom_text::text;
use fathom_vocab::Architecture;
use std::path::PathBuf;

/// Its value in `--help`.
pub const BINARY_FORM: &str = "ARCH=FILE";

/// A binary for Linux on an architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedBinary {
    architecture: Architecture,
    path: PathBuf,
}

/// Reads `arm64=FILE`.
pub fn named_binary(text: &str) -> Result<NamedBinary, InvalidValue> {
    let pair = text.split_once('=').map(|(name, path)| (Architecture::named(name), path));
    match pair.filter(|(architecture, path)| architecture.is_known() && !path.is_empty()) {
        Some((architecture, path)) => Ok(NamedBinary { architecture, path: path.into() }),
        None => Err(InvalidValue::Form(
            "give an architecture and Fathom's binary for it, as arm64=fathom-aarch64 or \
             amd64=FILE",
        )),
    }
}

/// The binaries that can be brought to hosts and pods.
///
/// # Errors
/// If one of `named` is not what it is said to be.
pub fn agent_binaries(named: &[NamedBinary]) -> Result<AgentBinaries, CliError> {
    named.iter().try_fold(AgentBinaries::default(), |all, NamedBinary { architecture, path }| {
        let all = all.with(architecture.clone(), path.clone());
        all.map_err(|why| CliError::usage(text!("--agent-binary: {why}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_architecture_has_both_of_its_names() {
        let arm = NamedBinary { architecture: Architecture::named("aarch64"), path: "a=b".into() };
        assert_eq!(named_binary("arm64=a=b"), Ok(arm.clone()));
        assert_eq!(named_binary("aarch64=a=b"), Ok(arm));
        for text in ["", "arm64", "arm64=", "fathom", "vax=fathom"] {
            assert!(named_binary(text).is_err(), "{text}");
        }
    }
}
