//! The address on which `fathom serve` listens.

use super::error::ListenError;
use crate::invalid_value::InvalidValue;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};

/// The default port.
const PORT: u16 = 7979;

/// Ports that are tried after it if it is taken.
const NEXT: u16 = 20;

/// An address, and the port if one was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listen {
    ip: IpAddr,
    port: Option<u16>,
}

impl Default for Listen {
    fn default() -> Listen {
        Listen { ip: Ipv4Addr::LOCALHOST.into(), port: None }
    }
}

impl Listen {
    /// Parses `127.0.0.1`, `0.0.0.0:8080`, `[::1]:8080` or `::`.
    ///
    /// # Errors
    /// If it is no address.
    pub fn parse(text: &str) -> Result<Listen, InvalidValue> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Listen { ip: address.ip(), port: Some(address.port()) });
        }
        let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        match bare.parse() {
            Ok(ip) => Ok(Listen { ip, port: None }),
            Err(_) => Err(InvalidValue::Form(
                "give an address of this machine with or without a port: 127.0.0.1, \
                 0.0.0.0:8080, [::1]:8080",
            )),
        }
    }

    /// Listens there: on the named port, or else on the first that is free from [`PORT`] on.
    ///
    /// # Errors
    /// If the address is taken or none of this machine's.
    pub fn bind(self) -> Result<TcpListener, ListenError> {
        if let Some(port) = self.port {
            return bound(SocketAddr::new(self.ip, port));
        }
        for port in PORT..PORT + NEXT {
            match TcpListener::bind(SocketAddr::new(self.ip, port)) {
                Err(error) if error.kind() == ErrorKind::AddrInUse => {}
                Ok(listener) => return Ok(listener),
                Err(_) => break,
            }
        }
        bound(SocketAddr::new(self.ip, PORT))
    }
}

/// A host's name as a browser sends it, without port.
///
/// # Errors
/// If it is invalid.
pub fn parse_name(text: &str) -> Result<String, InvalidValue> {
    let name = text.strip_suffix('.').unwrap_or(text);
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let whole = |part: &str| (1..=63).contains(&part.len()) && part.chars().all(plain);
    match name.len() <= 253 && name.split('.').all(whole) {
        true => Ok(name.to_owned()),
        false => Err(InvalidValue::Form(
            "give a host's name alone, without http:// and port: disks.example.com; letters \
             beyond ASCII as xn--…",
        )),
    }
}

/// Binds `address`; the error says what to do.
fn bound(address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).map_err(|source| ListenError { address, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_comes_without_port_and_scheme() {
        assert_eq!(parse_name("Disks.example.com."), Ok("Disks.example.com".to_owned()));
        assert_eq!(parse_name("worker_7"), Ok("worker_7".to_owned()));
        for text in ["", ".", "a..b", "http://a/", "a:80", "*", "디스크", &"a".repeat(64)] {
            assert!(
                parse_name(text).unwrap_err().to_string().contains("disks.example.com"),
                "{text}"
            );
        }
    }

    #[test]
    fn addresses_come_with_a_port_or_without() {
        for (text, address, port) in [
            ("127.0.0.1", "127.0.0.1", None),
            ("0.0.0.0:80", "0.0.0.0", Some(80)),
            ("[::1]:8080", "::1", Some(8080)),
            ("[::]", "::", None),
            ("::1", "::1", None),
        ] {
            let expected = Listen { ip: address.parse().unwrap(), port };
            assert_eq!(Listen::parse(text), Ok(expected), "{text}");
        }
        for text in ["", "localhost", "8080", ":8080", "1.2.3.4:x", "1.2.3.4:99999"] {
            assert!(Listen::parse(text).unwrap_err().to_string().contains("[::1]:8080"), "{text}");
        }
    }

    #[test]
    fn the_next_free_port_is_taken_unless_one_was_named() {
        let first = Listen::default().bind().unwrap();
        let second = Listen::default().bind().unwrap();
        let (first, second) = (first.local_addr().unwrap(), second.local_addr().unwrap());
        assert!(second.port() > first.port(), "{first} {second}");
        let taken = Listen { port: Some(first.port()), ..Listen::default() };
        assert!(taken.bind().is_err() || first.port() >= PORT + NEXT);
    }
}
