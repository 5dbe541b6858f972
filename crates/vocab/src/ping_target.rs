//! The host of `--ping HOST[:PORT]`, whose round trips are the network's share of a latency.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A host, and the TCP port on which it answers or refuses a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PingTarget {
    /// Its name or address.
    pub host: String,
    /// The port; none means that those of common services are tried.
    pub port: Option<u16>,
}

/// A text names no host.
#[fathom_text::translated]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("name a host, or HOST:PORT with a port from 1 to 65535; an IPv6 address as [ADDRESS]:PORT")]
pub struct PingTargetError;

impl FromStr for PingTarget {
    type Err = PingTargetError;

    fn from_str(text: &str) -> Result<PingTarget, PingTargetError> {
        let (host, port) = match (text.strip_prefix('['), text.rsplit_once(':')) {
            (Some(rest), _) => {
                let (host, port) = rest.split_once(']').ok_or(PingTargetError)?;
                (host, if port.is_empty() { None } else { port.strip_prefix(':').or(Some("")) })
            }
            (None, Some((host, port))) if !host.contains(':') => (host, Some(port)),
            (None, _) => (text, None),
        };
        let port = port.map(|port| port.parse().map_err(|_| PingTargetError)).transpose()?;
        let is_name = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c == '/');
        match is_name && port != Some(0) {
            true => Ok(PingTarget { host: host.to_owned(), port }),
            false => Err(PingTargetError),
        }
    }
}

impl fmt::Display for PingTarget {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.port, self.host.contains(':')) {
            (None, _) => write!(to, "{}", self.host),
            (Some(port), true) => write!(to, "[{}]:{port}", self.host),
            (Some(port), false) => write!(to, "{}:{port}", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_with_their_ports_and_printed_again() {
        let read = |text: &str| text.parse::<PingTarget>().map(|of| (of.host.clone(), of.port));
        assert_eq!(read("nas"), Ok(("nas".into(), None)));
        assert_eq!(read("nas:445"), Ok(("nas".into(), Some(445))));
        assert_eq!(read("fe80::1"), Ok(("fe80::1".into(), None)));
        assert_eq!(read("[fe80::1]:22"), Ok(("fe80::1".into(), Some(22))));
        for wrong in ["", ":22", "nas:", "nas:0", "nas:65536", "[::1", "[::1]x", "a b", "nfs://a"] {
            assert_eq!(read(wrong), Err(PingTargetError), "{wrong}");
        }
        for text in ["nas", "nas:445", "[fe80::1]:22"] {
            assert_eq!(text.parse::<PingTarget>().map(|of| of.to_string()), Ok(text.to_owned()));
        }
    }
}
