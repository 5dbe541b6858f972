//! How to reach a host: a command whose standard input and output are a pipe to an agent there.
//!
//! The default is OpenSSH, with its own names, keys, ports and jump hosts. No shell is used here;
//! ssh's command passes the shell of the host.

use std::borrow::Cow;
use thiserror::Error;

/// Timeout of a TCP connection in seconds.
const CONNECT_S: u32 = 10;

/// Begins files of some editors.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How hosts are reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Via {
    /// By ssh.
    #[default]
    Ssh,
    /// By another command, as arguments; `{}` is replaced by the host.
    Command(Vec<String>),
}

/// Why hosts or the command to reach them cannot be.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ViaError {
    /// No host at all.
    #[error("no host is named; give them as host1,host2")]
    NoHost,
    /// A host that a command would take for an option.
    #[error("'{0}' is no host: it begins with a dash")]
    Dash(String),
    /// The same host twice.
    #[error("{0} is named twice; name each host once")]
    Twice(String),
    /// A quote that is not closed, or nothing.
    #[error("'{0}' is no command; give one as 'docker exec -i {{}}'")]
    Command(String),
    /// Every host would be the same one.
    #[error("'{0}' has no {{}} for the host, and there are several")]
    NoPlace(String),
}

impl Via {
    /// A command as typed.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn command(text: &str) -> Result<Via, ViaError> {
        let words = shlex::split(text).filter(|words| !words.is_empty());
        words.map(Via::Command).ok_or_else(|| ViaError::Command(text.to_owned()))
    }

    /// Whether it can reach this number of hosts.
    ///
    /// # Errors
    /// If a command reaches one alone.
    pub fn check(&self, hosts: usize) -> Result<(), ViaError> {
        match self {
            Via::Command(words) if hosts > 1 && !words.iter().any(|word| word.contains("{}")) => {
                Err(ViaError::NoPlace(words.join(" ")))
            }
            _ => Ok(()),
        }
    }

    /// The words of the command that is an agent on `host`, of the binary `agent` there.
    pub fn words(&self, host: &str, agent: &str) -> Vec<String> {
        self.words_of(host, agent, "agent")
    }

    /// The arguments of the command that removes files of killed agents from `host`.
    pub fn clean_words(&self, host: &str, agent: &str) -> Vec<String> {
        self.words_of(host, agent, "clean")
    }

    /// The arguments of a command on `host`.
    pub(crate) fn command_words(&self, host: &str, command: &[String]) -> Vec<String> {
        match self {
            Via::Ssh => {
                let connect = format!("ConnectTimeout={CONNECT_S}");
                let ssh = ["ssh", "-T", "-o", "BatchMode=yes", "-o", &connect, "--", host];
                // The host's shell takes it apart again.
                let quoted = |word: &String| {
                    shlex::try_quote(word).map_or_else(|_| word.clone(), Cow::into_owned)
                };
                ssh.map(str::to_owned).into_iter().chain(command.iter().map(quoted)).collect()
            }
            Via::Command(words) => {
                let words = words.iter().map(|word| word.replace("{}", host));
                words.chain(command.iter().cloned()).collect()
            }
        }
    }

    fn words_of(&self, host: &str, agent: &str, command: &str) -> Vec<String> {
        self.command_words(host, &[agent.to_owned(), command.to_owned()])
    }
}

/// Hosts as typed, or of a file: separated by commas or white space. What follows a `#` is a
/// comment, to the end of its line.
///
/// # Errors
/// If there is none, a duplicate, or one that looks like an option.
pub fn parse_hosts(text: &str) -> Result<Vec<String>, ViaError> {
    let mut hosts: Vec<String> = Vec::new();
    let lines = text.trim_start_matches(BYTE_ORDER_MARK).lines();
    let lines = lines.map(|line| line.split_once('#').map_or(line, |(hosts, _)| hosts));
    let words = lines.flat_map(|line| line.split(|c: char| c == ',' || c.is_whitespace()));
    for host in words.filter(|word| !word.is_empty()) {
        if host.starts_with('-') {
            return Err(ViaError::Dash(host.to_owned()));
        }
        if hosts.iter().any(|other| other == host) {
            return Err(ViaError::Twice(host.to_owned()));
        }
        hosts.push(host.to_owned());
    }
    if hosts.is_empty() { Err(ViaError::NoHost) } else { Ok(hosts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_as_typed_and_never_as_options() {
        assert_eq!(parse_hosts("a,b  c,\n").unwrap(), ["a", "b", "c"]);
        let file = "\u{feff}a\n# rack 1\nb # spare\n\n# rack 2, cold\nc,d\n";
        assert_eq!(parse_hosts(file).unwrap(), ["a", "b", "c", "d"]);
        assert_eq!(parse_hosts(" , "), Err(ViaError::NoHost));
        assert_eq!(parse_hosts("# none"), Err(ViaError::NoHost));
        assert_eq!(
            parse_hosts("a,-oProxyCommand=x"),
            Err(ViaError::Dash("-oProxyCommand=x".into()))
        );
        assert_eq!(parse_hosts("a b,a"), Err(ViaError::Twice("a".into())));
    }

    #[test]
    fn ssh_asks_for_nothing_and_the_host_is_one_word() {
        let words = Via::Ssh.words("me@host", "/opt/my tools/fathom");
        assert_eq!(words[..4], ["ssh", "-T", "-o", "BatchMode=yes"]);
        assert_eq!(words[6..], ["--", "me@host", "'/opt/my tools/fathom'", "agent"]);
        assert_eq!(Via::Ssh.clean_words("me@host", "fathom")[7..], ["me@host", "fathom", "clean"]);
    }

    #[test]
    fn a_command_is_taken_apart_here_and_not_by_a_shell() {
        let via = Via::command("docker exec -i 'x {}' $(y)").unwrap();
        let words = via.words("c1;z", "fathom");
        assert_eq!(words, ["docker", "exec", "-i", "x c1;z", "$(y)", "fathom", "agent"]);
        assert!(Via::command("  ").is_err() && Via::command("a 'b").is_err());
        assert!(via.check(2).is_ok());
        assert!(Via::command("env").unwrap().check(2).unwrap_err().to_string().contains("{}"));
        assert!(Via::command("env").unwrap().check(1).is_ok());
    }
}
