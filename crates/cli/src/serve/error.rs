//! Why the page cannot be served: an unusable address, or no token.

use fathom_vocab::shell::quoted_path;
use fathom_web::TokenError;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// An address cannot be listened on.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {source}. Name another address or port by --listen")]
pub struct ListenError {
    /// The address.
    pub address: SocketAddr,
    /// The system's error.
    pub source: io::Error,
}

/// The page's address cannot be printed.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[error("cannot write the address to standard output: {0}")]
pub struct AnnouncementError(#[source] pub io::Error);

/// Why there is no token.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum TokenSourceError {
    /// The variable has no valid token.
    #[error("{name} holds no token: {source}")]
    Variable { name: &'static str, source: TokenError },
    /// The file has no valid token.
    #[error("--token-file {}: {source}", .path.display())]
    File { path: PathBuf, source: TokenFileError },
    /// None can be made.
    #[error(transparent)]
    Random(#[from] TokenError),
}

/// Why a file has no valid token.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    /// It cannot be opened.
    #[error("{0}; name a file that you can read")]
    Closed(#[source] io::Error),
    /// It cannot be looked at.
    #[error(transparent)]
    Unknown(io::Error),
    /// It is a folder, a pipe or a device.
    #[error("is no file; name a file that holds the token")]
    NoFile,
    /// Others can read it.
    #[error("others can read or change it; give `chmod 600 {}`", quoted_path(.0))]
    Public(PathBuf),
    /// It is no text.
    #[error("{0}; a token is text")]
    NoText(#[source] io::Error),
    /// It is longer than a token.
    #[error("it is longer than {most_bytes} bytes; it must hold the token alone")]
    TooLong {
        /// The most that is read.
        most_bytes: u64,
    },
    /// Its content is not a token.
    #[error(transparent)]
    Token(#[from] TokenError),
}
