//! An agent on a host without Fathom: a binary is copied there and becomes the agent.
//!
//! Decided here:
//! - It is sent through the same pipe as the frames: a small script for the host's `sh` checks the
//!   system, takes the bytes, compares their SHA-256, and starts them.
//! - It is in its own folder that only the user can read, and is removed with the agent: the script
//!   outlives the agent and removes both. A copy that is to stay is found again by its hash.
//! - The script names the host's system before anything is sent. If another binary fits there, the
//!   script is started again for that one: it takes one hash and one size.

use crate::agent_binaries::{AgentBinaries, BinaryIdentity};
use crate::via::Via;
use fathom_vocab::{Architecture, printable};
use std::io::{self, Read};

/// The script for the host's `sh`, line by line.
const SCRIPT: &str = include_str!("copied_agent.sh");
/// The script's name in its messages.
const NAME: &str = "fathom-agent ";
/// The script's exit code for a failure, whose reason is on standard error.
pub(crate) const NOT_COPIED: i32 = 90;
/// The longest line of the script.
const LINE_BYTES: usize = 256;

/// The command that copies a binary to a host and runs it there as an agent.
#[derive(Clone, Debug)]
pub(crate) struct CopyCommand {
    pub(crate) via: Via,
    pub(crate) host: String,
    /// Whether the copy stays.
    pub(crate) stays: bool,
    /// Arguments of the agent.
    pub(crate) arguments: Vec<String>,
}

impl CopyCommand {
    /// Its words for this binary.
    pub(crate) fn words(&self, binary: &BinaryIdentity) -> Vec<String> {
        let script = script_words(binary, self.stays);
        self.via.command_words(&self.host, &[script, self.arguments.clone()].concat())
    }
}

/// The arguments after those that reach a host: `sh` there, with the script and its parameters.
fn script_words(binary: &BinaryIdentity, stays: bool) -> Vec<String> {
    let lines = SCRIPT.lines().filter(|line| !line.starts_with('#'));
    let script = lines.collect::<Vec<_>>().join(" ");
    let stays = if stays { "keep" } else { "remove" };
    let BinaryIdentity { sha256, size_bytes } = binary;
    ["sh", "-c", &script, "fathom-agent", sha256, &size_bytes.to_string(), stays]
        .map(str::to_owned)
        .to_vec()
}

/// The next message of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CopyPrompt {
    /// The host is of this system and architecture: send its binary.
    Send(HostSystem),
    /// The agent starts: frames may follow.
    Ready,
    /// Something else speaks.
    Unknown(String),
}

/// A host's answers to `uname`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostSystem {
    pub(crate) system: String,
    pub(crate) architecture: Architecture,
}

impl HostSystem {
    fn new(system: &str, machine: &str) -> HostSystem {
        let printed = |text| printable::line(text).into_owned();
        HostSystem { system: printed(system), architecture: Architecture::named(&printed(machine)) }
    }

    /// Why it gets no copy, with advice.
    pub(crate) fn no_binary(&self) -> String {
        let HostSystem { system, architecture } = self;
        let own = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        let install = format!("install the Fathom for {system} {architecture} on the host");
        if system != "Linux" || !architecture.is_known() {
            return format!(
                "it is {system} {architecture} and this binary is for {own}; {install}, and name \
                 it by --agent PATH if it is not on the PATH"
            );
        }
        let remedy = AgentBinaries::remedy(architecture);
        format!(
            "it is {system} {architecture} and this binary is for {own}; {remedy}; or {install}"
        )
    }
}

impl CopyPrompt {
    /// Reads a line, and nothing beyond it; none if it ends before.
    pub(crate) fn read(from: &mut impl Read) -> io::Result<Option<CopyPrompt>> {
        let (mut line, mut byte) = (Vec::new(), [0]);
        while from.read(&mut byte)? == 1 && byte != *b"\n" && line.len() < LINE_BYTES {
            line.push(byte[0]);
        }
        let text = String::from_utf8_lossy(&line);
        Ok((byte == *b"\n" || !line.is_empty()).then(|| CopyPrompt::of(&text)))
    }

    fn of(line: &str) -> CopyPrompt {
        let mut words = line.strip_prefix(NAME).unwrap_or_default().split(' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("ready"), None, ..) => CopyPrompt::Ready,
            (Some("send"), Some(system), Some(machine), None) => {
                CopyPrompt::Send(HostSystem::new(system, machine))
            }
            _ => CopyPrompt::Unknown(printable::line(line).into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_one_word_for_any_login_shell() {
        let binary = BinaryIdentity { sha256: "ab".to_owned(), size_bytes: 5 };
        let words = script_words(&binary, true);
        assert_eq!((words.len(), &words[..2]), (7, &["sh".to_owned(), "-c".to_owned()][..]));
        assert!(!words[2].contains(['\'', '\\', '!', '\n', '#']), "{}", words[2]);
        assert_eq!(words[3..], ["fathom-agent", "ab", "5", "keep"]);
    }

    #[test]
    fn what_the_script_says_is_read_to_its_line_and_not_beyond() {
        let send = |system, machine| Some(CopyPrompt::Send(HostSystem::new(system, machine)));
        let mut bytes = &b"fathom-agent send Linux aarch64\nframes"[..];
        assert_eq!(CopyPrompt::read(&mut bytes).unwrap(), send("Linux", "arm64"));
        assert_eq!(bytes, b"frames");
        let of = |text: &str| CopyPrompt::read(&mut text.as_bytes()).unwrap();
        assert_eq!(of("fathom-agent ready\n"), Some(CopyPrompt::Ready));
        assert_eq!(of("fathom-agent send OpenBSD vax\n"), send("OpenBSD", "vax"));
        assert_eq!(of("Welcome\n"), Some(CopyPrompt::Unknown("Welcome".into())));
        assert_eq!(of(""), None);
        let long = "x".repeat(5000);
        assert!(matches!(of(&long), Some(CopyPrompt::Unknown(_))));
    }

    #[test]
    fn a_host_without_a_binary_is_told_what_brings_one() {
        let arm = HostSystem::new("Linux", "aarch64").no_binary();
        assert!(arm.starts_with("it is Linux aarch64 and this binary is for "), "{arm}");
        assert!(arm.contains("fathom-aarch64, or name it by --agent-binary arm64=FILE"), "{arm}");
        let vax = HostSystem::new("OpenBSD", "vax").no_binary();
        assert!(vax.contains("install the Fathom for OpenBSD vax on the host"), "{vax}");
        assert!(!vax.contains("--agent-binary") && vax.contains("--agent PATH"), "{vax}");
    }
}
