//! `nfs://server/export?argument=value`, in the syntax of libnfs and fio's engine. A port after the
//! server (RFC 2224) is the same as the argument `nfsport`, as which it is printed.
//!
//! Arguments that this client supports are accepted; others of libnfs are refused by name, and so
//! are unknown ones. Two are Fathom's own: `nconnect`, the number of connections, and `sourceport`,
//! the first of their local ports.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;

/// An export of a server, and how to reach it. It is stored as its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NfsUrl {
    /// Name or address of the server.
    pub server: String,
    /// Path of the export, from the root.
    pub export: String,
    /// The given arguments.
    pub arguments: NfsArguments,
}

/// Arguments of a URL; none means the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NfsArguments {
    /// Port of NFS; none means from the port mapper.
    pub nfsport: Option<u16>,
    /// Port of MOUNT; none means from the port mapper.
    pub mountport: Option<u16>,
    /// User of the calls; none means this process's.
    pub uid: Option<u32>,
    /// Group that calls.
    pub gid: Option<u32>,
    /// Longest READ in bytes; none means the server's maximum.
    pub rsize: Option<u32>,
    /// Longest WRITE in bytes.
    pub wsize: Option<u32>,
    /// Tenths of a second after which a call counts as unanswered; none means no limit.
    pub timeo: Option<u32>,
    /// How many such times pass before it fails; none means one.
    pub retrans: Option<u32>,
    /// How often a lost connection is opened again; none means no limit.
    pub autoreconnect: Option<u32>,
    /// Connections of a job; none means one.
    pub nconnect: Option<u32>,
    /// Port that the first connection is made from; the others take those after it.
    pub sourceport: Option<u16>,
    /// Nothing is written.
    pub readonly: bool,
}

/// Longest READ and WRITE, in bytes.
pub const NFS_TRANSFER_MAX: u32 = 64 << 20;
/// Most connections of a job.
pub const NCONNECT_MAX: u32 = 64;
/// Shortest READ and WRITE.
const TRANSFER_MIN: u32 = 512;

/// Why a text is no URL of an export.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NfsUrlError {
    /// It does not begin with `nfs://`.
    #[error("it is no NFS URL; write nfs://SERVER/EXPORT")]
    Scheme,
    /// There is no server.
    #[error("it names no server; write nfs://SERVER/EXPORT")]
    Server,
    /// The text before the export is not a name or an address.
    #[error(
        "{0:?} is no name or address of a server; write nfs://SERVER/EXPORT, or \
         nfs://SERVER:PORT/EXPORT"
    )]
    ServerName(String),
    /// There is no export.
    #[error("it names no export; write nfs://SERVER/EXPORT (showmount -e SERVER lists them)")]
    Export,
    /// A path leads upwards or has characters that no path has.
    #[error("the export {0:?} is no path from the root without '..'")]
    Path(String),
    /// A character is written as %XX, and that is no character.
    #[error("{0:?} has a '%' that two hexadecimal digits do not follow, or is no text")]
    Escape(String),
    /// An argument that means nothing here.
    #[error("the argument {name} is not taken: {why}")]
    Refused {
        /// Its name.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// An unknown argument.
    #[error("there is no argument {0:?}; those taken are {ARGUMENTS}")]
    Unknown(String),
    /// An argument has an invalid value.
    #[error("{name}={value} is not {wanted}")]
    Value {
        /// Name of the argument.
        name: String,
        /// The value.
        value: String,
        /// The valid values.
        wanted: &'static str,
    },
}

const ARGUMENTS: &str = "nfsport, mountport, version, uid, gid, rsize, wsize, timeo, retrans, \
                         autoreconnect, readonly, nconnect, sourceport";

/// Arguments of libnfs without a meaning here, and why.
const REFUSED: [(&str, &str); 8] = [
    ("if", "connections cannot be bound to an interface; use sourceport"),
    ("tcp-syncnt", "set it for the machine: sysctl net.ipv4.tcp_syn_retries"),
    ("sec", "this client speaks AUTH_SYS only"),
    ("xprtsec", "this client does not encrypt"),
    ("readdir-buffer", "this client lists no folders while it measures"),
    ("auto-traverse-mounts", "a name never leaves the export"),
    ("dircache", "this client has no cache"),
    ("debug", "it says what libnfs does"),
];

impl NfsUrl {
    /// Reads a URL.
    ///
    /// # Errors
    /// The error, and the correct form.
    pub fn parse(text: &str) -> Result<NfsUrl, NfsUrlError> {
        let rest = text.strip_prefix("nfs://").ok_or(NfsUrlError::Scheme)?;
        let (place, arguments) = rest.split_once('?').unwrap_or((rest, ""));
        let (server, export) = place.split_once('/').ok_or(match place {
            "" => NfsUrlError::Server,
            _ => NfsUrlError::Export,
        })?;
        let (server, nfsport) = server_of(server)?;
        let port_alone = NfsArguments { nfsport, ..NfsArguments::default() };
        let mut url = NfsUrl { server, export: export_of(export)?, arguments: port_alone };
        for argument in arguments.split('&').filter(|argument| !argument.is_empty()) {
            let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
            url.arguments.set(name, value)?;
        }
        Ok(url)
    }

    /// A file of the export, as messages name it: without the arguments.
    pub fn name_of(&self, file: &str) -> String {
        format!("{}/{}", self.bare(), file.trim_start_matches('/'))
    }

    /// The same without the arguments.
    pub fn bare(&self) -> NfsUrl {
        NfsUrl { arguments: NfsArguments::default(), ..self.clone() }
    }

    /// The same with another path.
    pub fn at(&self, export: &str) -> NfsUrl {
        NfsUrl { export: export.to_owned(), ..self.clone() }
    }
}

impl TryFrom<String> for NfsUrl {
    type Error = NfsUrlError;

    fn try_from(text: String) -> Result<NfsUrl, NfsUrlError> {
        NfsUrl::parse(&text)
    }
}

impl From<NfsUrl> for String {
    fn from(url: NfsUrl) -> String {
        url.to_string()
    }
}

/// The server, and the port after it.
fn server_of(text: &str) -> Result<(String, Option<u16>), NfsUrlError> {
    let wrong = || NfsUrlError::ServerName(text.to_owned());
    let named = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let is_address = |(inner, _): &(&str, &str)| inner.parse::<IpAddr>().is_ok();
    let (server, after) = match text.strip_prefix('[') {
        Some(inner) => inner.split_once(']').filter(is_address).ok_or_else(wrong)?,
        None => match text.split_at(text.find(':').unwrap_or(text.len())) {
            ("", _) => return Err(NfsUrlError::Server),
            (server, after) if server.bytes().all(named) => (server, after),
            _ => return Err(wrong()),
        },
    };
    match after.strip_prefix(':') {
        Some("") => Err(wrong()),
        Some(number) => Ok((server.to_owned(), Some(port("port", number)?))),
        None if after.is_empty() => Ok((server.to_owned(), None)),
        None => Err(wrong()),
    }
}

fn export_of(text: &str) -> Result<String, NfsUrlError> {
    let path = format!("/{}", decoded(text)?);
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return Err(NfsUrlError::Export);
    }
    let whole = trimmed.split('/').skip(1).all(is_nfs_name);
    if whole { Ok(trimmed.to_owned()) } else { Err(NfsUrlError::Path(path)) }
}

/// Whether a text can be the name of a file in a folder of an export.
pub fn is_nfs_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['\0', '/'])
}

fn decoded(text: &str) -> Result<String, NfsUrlError> {
    let wrong = || NfsUrlError::Escape(text.to_owned());
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
        let (high, low) = digit().zip(digit()).ok_or_else(wrong)?;
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

impl NfsArguments {
    fn set(&mut self, name: &str, value: &str) -> Result<(), NfsUrlError> {
        match name {
            "nfsport" if self.nfsport.is_some() => {
                let why = "the port is given already; give it once";
                return Err(NfsUrlError::Refused { name: name.to_owned(), why });
            }
            "nfsport" => self.nfsport = Some(port(name, value)?),
            "mountport" => self.mountport = Some(port(name, value)?),
            "sourceport" => self.sourceport = Some(port(name, value)?),
            "uid" => self.uid = Some(number(name, value, 0, u32::MAX)?),
            "gid" => self.gid = Some(number(name, value, 0, u32::MAX)?),
            "rsize" => self.rsize = Some(transfer(name, value)?),
            "wsize" => self.wsize = Some(transfer(name, value)?),
            "timeo" => self.timeo = Some(number(name, value, 1, 36_000)?),
            "retrans" => self.retrans = Some(number(name, value, 0, 1000)?),
            "nconnect" => self.nconnect = Some(number(name, value, 1, NCONNECT_MAX)?),
            "autoreconnect" if value == "-1" => self.autoreconnect = None,
            "autoreconnect" => self.autoreconnect = Some(number(name, value, 0, u32::MAX)?),
            "readonly" => self.readonly = !matches!(value, "0"),
            "version" if value == "3" => {}
            "version" => {
                let (name, why) = (format!("version={value}"), "this client speaks version 3 only");
                return Err(NfsUrlError::Refused { name, why });
            }
            _ => {
                let known = REFUSED.iter().find(|(known, _)| *known == name);
                return Err(match known {
                    Some((_, why)) => NfsUrlError::Refused { name: name.to_owned(), why },
                    None => NfsUrlError::Unknown(name.to_owned()),
                });
            }
        }
        Ok(())
    }

    /// Name and value of each given one.
    fn given(&self) -> Vec<(&'static str, u32)> {
        let all = [
            ("nfsport", self.nfsport.map(u32::from)),
            ("mountport", self.mountport.map(u32::from)),
            ("uid", self.uid),
            ("gid", self.gid),
            ("rsize", self.rsize),
            ("wsize", self.wsize),
            ("timeo", self.timeo),
            ("retrans", self.retrans),
            ("autoreconnect", self.autoreconnect),
            ("nconnect", self.nconnect),
            ("sourceport", self.sourceport.map(u32::from)),
            ("readonly", self.readonly.then_some(1)),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

fn number(name: &str, value: &str, low: u32, high: u32) -> Result<u32, NfsUrlError> {
    let wanted = match (low, high) {
        (1, NCONNECT_MAX) => "a number from 1 to 64",
        (1, _) => "a number from 1 to 36000",
        (TRANSFER_MIN, _) => "a number of bytes from 512 to 64 MiB",
        (_, 1000) => "a number from 0 to 1000",
        _ => "a number",
    };
    let wrong = || NfsUrlError::Value { name: name.to_owned(), value: value.to_owned(), wanted };
    let found = value.parse().map_err(|_| wrong())?;
    if (low..=high).contains(&found) { Ok(found) } else { Err(wrong()) }
}

fn transfer(name: &str, value: &str) -> Result<u32, NfsUrlError> {
    number(name, value, TRANSFER_MIN, NFS_TRANSFER_MAX)
}

fn port(name: &str, value: &str) -> Result<u16, NfsUrlError> {
    let wrong = || NfsUrlError::Value {
        name: name.to_owned(),
        value: value.to_owned(),
        wanted: "a port from 1 to 65535",
    };
    value.parse().ok().filter(|port| *port > 0).ok_or_else(wrong)
}

/// Prints the URL so that it parses to the same.
impl fmt::Display for NfsUrl {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.server.contains(':') {
            true => write!(to, "nfs://[{}]", self.server)?,
            false => write!(to, "nfs://{}", self.server)?,
        }
        for byte in self.export.bytes() {
            match byte {
                b'%' | b'?' | b'#' | b' ' | 0..0x20 | 0x7f.. => write!(to, "%{byte:02X}")?,
                _ => write!(to, "{}", char::from(byte))?,
            }
        }
        for (at, (name, value)) in self.arguments.given().into_iter().enumerate() {
            write!(to, "{}{name}={value}", if at == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(text: &str) -> String {
        NfsUrl::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn fios_url_is_read() {
        let url = NfsUrl::parse("nfs://10.77.0.2/vfs?nfsport=20490&mountport=20491").unwrap();
        assert_eq!((url.server.as_str(), url.export.as_str()), ("10.77.0.2", "/vfs"));
        assert_eq!(url.arguments.nfsport.zip(url.arguments.mountport), Some((20490, 20491)));
        let url = NfsUrl::parse("nfs://[fe80::1]/a/b%20c/?version=3&autoreconnect=-1").unwrap();
        assert_eq!((url.server.as_str(), url.export.as_str()), ("fe80::1", "/a/b c"));
        assert_eq!(url.to_string(), "nfs://[fe80::1]/a/b%20c");
    }

    #[test]
    fn a_port_may_stand_after_the_server() {
        for (text, server) in [
            ("nfs://nas:20490/vfs?uid=1", "nas"),
            ("nfs://10.77.0.2:20490/vfs?uid=1", "10.77.0.2"),
            ("nfs://[fe80::1]:20490/vfs?uid=1", "fe80::1"),
        ] {
            let url = NfsUrl::parse(text).unwrap();
            assert_eq!((url.server.as_str(), url.arguments.nfsport), (server, Some(20490)));
            assert!(url.to_string().ends_with("/vfs?nfsport=20490&uid=1"), "{url}");
            assert_eq!(NfsUrl::parse(&url.to_string()), Ok(url));
        }
        assert!(told("nfs://nas:0/vfs").contains("port=0 is not a port from 1 to 65535"));
        assert!(told("nfs://nas:1/vfs?nfsport=2").contains("the port is given already"));
        for server in ["a b", "nas:", "[fe80::1", "[fe80::1]x", "[nas]:1", "user@nas"] {
            let name = NfsUrlError::ServerName(server.to_owned());
            assert_eq!(NfsUrl::parse(&format!("nfs://{server}/x")), Err(name));
        }
    }

    #[test]
    fn what_has_no_meaning_is_refused_by_name() {
        for (name, _) in REFUSED {
            assert!(told(&format!("nfs://s/e?{name}=1")).contains(name), "{name}");
        }
        assert!(told("nfs://s/e?version=4").contains("version=4"));
        assert!(told("nfs://s/e?colour=red").contains("\"colour\"; those taken are nfsport"));
        assert!(told("nfs://s/e?nconnect=0").contains("nconnect=0 is not a number from 1 to 64"));
        assert!(told("nfs://s/e?nfsport=70000").contains("a port from 1 to 65535"));
        assert!(told("nfs://s/e?rsize=1").contains("512 to 64 MiB"));
    }

    #[test]
    fn what_is_missing_is_said() {
        assert_eq!(NfsUrl::parse("/mnt/x"), Err(NfsUrlError::Scheme));
        assert_eq!(NfsUrl::parse("nfs://"), Err(NfsUrlError::Server));
        assert_eq!(NfsUrl::parse("nfs:///x"), Err(NfsUrlError::Server));
        assert_eq!(NfsUrl::parse("nfs://server"), Err(NfsUrlError::Export));
        assert_eq!(NfsUrl::parse("nfs://server/"), Err(NfsUrlError::Export));
        assert!(matches!(NfsUrl::parse("nfs://s/a/../b"), Err(NfsUrlError::Path(_))));
        assert!(matches!(NfsUrl::parse("nfs://s/a%2"), Err(NfsUrlError::Escape(_))));
        assert!(matches!(NfsUrl::parse("nfs://s/a%2f..%2fb"), Err(NfsUrlError::Path(_))));
    }

    proptest! {
        #[test]
        fn what_is_printed_parses_to_the_same(
            server in "[a-z0-9.-]{1,12}|::1", path in prop::collection::vec("[^/\0]{1,9}", 1..4),
            nfsport: Option<u16>, uid: Option<u32>, nconnect in prop::option::of(1..=NCONNECT_MAX),
            rsize in prop::option::of(512..=NFS_TRANSFER_MAX), readonly: bool,
        ) {
            prop_assume!(path.iter().all(|name| is_nfs_name(name)));
            let export = path.iter().map(|name| format!("/{name}")).collect();
            let nfsport = nfsport.filter(|port| *port > 0);
            let arguments = NfsArguments {
                nfsport, uid, nconnect, rsize, readonly, ..NfsArguments::default()
            };
            let url = NfsUrl { server, export, arguments };
            prop_assert_eq!(NfsUrl::parse(&url.to_string()), Ok(url));
        }

        #[test]
        fn any_text_is_no_panic(text in "\\PC*", after in "\\PC*") {
            let _ = NfsUrl::parse(&text);
            let _ = NfsUrl::parse(&format!("nfs://{text}/{after}"));
        }
    }
}
