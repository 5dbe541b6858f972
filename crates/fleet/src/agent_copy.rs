//! An agent on a host without Fathom: this binary is copied there and becomes the agent.
//!
//! Decided here:
//! - It is sent through the same pipe as the frames: a small script for the host's `sh` checks the
//!   system, takes the bytes, compares their SHA-256, and starts them.
//! - It is in its own folder that only the user can read, and is removed with the agent: the script
//!   outlives the agent and removes both. A copy that is to stay is found again by its hash.
//! - A host of another system is named before anything is sent.

use fathom_vocab::printable;
use std::io::{self, Read};

/// The script for the host's `sh`, line by line.
const SCRIPT: &str = include_str!("copied_agent.sh");
/// The script's name in its messages.
const NAME: &str = "fathom-agent ";
/// The script's exit code for a failure, whose reason is on standard error.
pub(crate) const NOT_COPIED: i32 = 90;
/// The longest line of the script.
const LINE_BYTES: usize = 256;

/// The arguments after those that reach a host: `sh` there, with the script and its parameters.
pub(crate) fn script_words(sha256: &str, size_bytes: u64, stays: bool) -> Vec<String> {
    let lines = SCRIPT.lines().filter(|line| !line.starts_with('#'));
    let script = lines.collect::<Vec<_>>().join(" ");
    let stays = if stays { "keep" } else { "remove" };
    ["sh", "-c", &script, "fathom-agent", sha256, &size_bytes.to_string(), stays]
        .map(str::to_owned)
        .to_vec()
}

/// The next message of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CopyPrompt {
    /// The host is of this system: send the binary.
    Send,
    /// The host has another system, which is named.
    Foreign(String),
    /// The agent starts: frames may follow.
    Ready,
    /// Something else speaks.
    Unknown(String),
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
            (Some("send"), Some(system), Some(machine), None) => match runs_here(system, machine) {
                true => CopyPrompt::Send,
                false => {
                    CopyPrompt::Foreign(printable::line(&format!("{system} {machine}")).into())
                }
            },
            _ => CopyPrompt::Unknown(printable::line(line).into_owned()),
        }
    }
}

/// Whether `uname`'s answer matches this binary's target.
fn runs_here(system: &str, machine: &str) -> bool {
    let machine = if machine == "arm64" { "aarch64" } else { machine };
    let system = if system == "Darwin" { "macos".to_owned() } else { system.to_lowercase() };
    system == std::env::consts::OS && machine == std::env::consts::ARCH
}

/// Why a host of another system gets no copy, with advice.
pub(crate) fn foreign_sentence(host: &str) -> String {
    format!(
        "it is {host} and this binary is for {} {}; install there the Fathom for {host}, and name \
         it by --agent PATH where it is not on the PATH",
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_one_word_for_any_login_shell() {
        let words = script_words("ab", 5, true);
        assert_eq!((words.len(), &words[..2]), (7, &["sh".to_owned(), "-c".to_owned()][..]));
        assert!(!words[2].contains(['\'', '\\', '!', '\n', '#']), "{}", words[2]);
        assert_eq!(words[3..], ["fathom-agent", "ab", "5", "keep"]);
    }

    #[test]
    fn what_the_script_says_is_read_to_its_line_and_not_beyond() {
        let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
        let own = format!("fathom-agent send {system} {machine}\nframes");
        let mut bytes = own.as_bytes();
        assert_eq!(CopyPrompt::read(&mut bytes).unwrap(), Some(CopyPrompt::Send));
        assert_eq!(bytes, b"frames");
        let of = |text: &str| CopyPrompt::read(&mut text.as_bytes()).unwrap();
        assert_eq!(of("fathom-agent ready\n"), Some(CopyPrompt::Ready));
        assert_eq!(
            of("fathom-agent send OpenBSD vax\n"),
            Some(CopyPrompt::Foreign("OpenBSD vax".into()))
        );
        assert_eq!(of("Welcome\n"), Some(CopyPrompt::Unknown("Welcome".into())));
        assert_eq!(of(""), None);
        let long = "x".repeat(5000);
        assert!(matches!(of(&long), Some(CopyPrompt::Unknown(_))));
    }
}
