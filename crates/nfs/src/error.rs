//! Errors between a URL and a file of an export, with advice.

use crate::proto::NfsProcedure;
use crate::rpc::{RecordTooLong, RpcRefusal};
use crate::status::NfsStatus;
use crate::xdr::XdrError;
use fathom_vocab::{ErrorNumber, NumberedError};
use std::io;

/// Why a call or a connection failed.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum NfsError {
    /// The server's name has no address.
    #[error("{server}: its address cannot be found: {source}; check the name in the URL")]
    Address {
        /// Its name.
        server: String,
        /// The resolver's answer.
        source: io::Error,
    },
    /// No server answers at a port.
    #[error("cannot connect to {address} ({what}): {source}{}", connect_hint(.source))]
    Connect {
        /// Address and port.
        address: String,
        /// The program expected there.
        what: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// A program is not registered with the port mapper.
    #[error("{server}: its port mapper knows no {what} over TCP; give {argument}=PORT in the URL")]
    NotRegistered {
        /// Name of the server.
        server: String,
        /// The program.
        what: &'static str,
        /// Argument that sets the port.
        argument: &'static str,
    },
    /// The connection was lost, and is not made again.
    #[error("{address}: the connection is lost: {reason}")]
    Lost {
        /// Address and port.
        address: String,
        /// Why, if it is known.
        reason: String,
    },
    /// No answer came.
    #[error(
        "{address} has not answered {what} for {seconds} s; look at the server and the network"
    )]
    Silent {
        /// Address and port.
        address: String,
        /// The call.
        what: &'static str,
        /// The time.
        seconds: u64,
    },
    /// A list of names that does not end in time.
    #[error("{folder}: its {names} names so far took too long; look at the server")]
    WithoutEnd {
        /// The folder that was listed.
        folder: String,
        /// Names that were listed.
        names: usize,
    },
    /// The export may not be mounted.
    #[error(
        "{server} does not export {export} to this machine: {status:#}; showmount -e {server} \
             lists what it exports"
    )]
    Export {
        /// Name of the server.
        server: String,
        /// Path.
        export: String,
        /// Its answer.
        status: NfsStatus,
    },
    /// RPC refused the call.
    #[error("{address}: {what}: {source}")]
    Refused {
        /// Address and port.
        address: String,
        /// The call.
        what: &'static str,
        /// Its answer.
        source: RpcRefusal,
    },
    /// A procedure failed.
    #[error("{what} {name:?}: {status}")]
    Status {
        /// Name of the procedure.
        what: &'static str,
        /// The name.
        name: String,
        /// The answer.
        status: NfsStatus,
    },
    /// An answer breaks the protocol.
    #[error("{address}: its answer is no NFS: {reason}")]
    Malformed {
        /// Address and port.
        address: String,
        /// The reason.
        reason: String,
    },
    /// A name that leads out of the export, or is not a file's.
    #[error("{name:?} {why}")]
    Name {
        /// The name.
        name: String,
        /// The error.
        why: &'static str,
    },
    /// Nothing may be written.
    #[error("{0}")]
    ReadOnly(&'static str),
}

fn connect_hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "; nothing listens there: is the server up?",
        io::ErrorKind::TimedOut => "; nothing answers there: check address and firewall",
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            "; there is no way to it: check address and network"
        }
        io::ErrorKind::AddrInUse | io::ErrorKind::AddrNotAvailable => {
            "; the port to connect from is taken: give another sourceport"
        }
        _ => "",
    }
}

impl NfsError {
    /// The corresponding error number of the system.
    pub fn number(&self) -> ErrorNumber {
        match self {
            Self::Address { .. } => ErrorNumber::new(113),
            Self::Connect { source, .. } => ErrorNumber::of(source).or(ErrorNumber::EIO),
            Self::NotRegistered { .. } => ErrorNumber::new(111),
            Self::Lost { .. } => ErrorNumber::new(104),
            Self::Silent { .. } | Self::WithoutEnd { .. } => ErrorNumber::ETIMEDOUT,
            Self::Export { status, .. } | Self::Status { status, .. } => status.errno(),
            Self::Refused { source: RpcRefusal::Denied(_), .. } => ErrorNumber::new(13),
            Self::Refused { .. } => ErrorNumber::new(95),
            Self::Malformed { .. } => ErrorNumber::new(71),
            Self::Name { .. } => ErrorNumber::EINVAL,
            Self::ReadOnly(_) => ErrorNumber::new(30),
        }
    }

    /// The status that a procedure ended with.
    pub fn status(&self) -> Option<NfsStatus> {
        match self {
            Self::Status { status, .. } | Self::Export { status, .. } => Some(*status),
            _ => None,
        }
    }

    pub(crate) fn of_status(procedure: NfsProcedure, name: &str, status: NfsStatus) -> NfsError {
        NfsError::Status { what: procedure.name(), name: name.to_owned(), status }
    }
}

impl From<NfsError> for io::Error {
    fn from(error: NfsError) -> io::Error {
        NumberedError::new(error.number(), fathom_text::Text::of(&error)).into()
    }
}

/// Why a stream of replies cannot be read on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// A record is too long.
    #[error(transparent)]
    Record(#[from] RecordTooLong),
    /// A record is no reply.
    #[error(transparent)]
    Message(#[from] XdrError),
}
