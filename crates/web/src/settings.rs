//! What a server is given, and why it may not serve.

use crate::connections::ConnectionLimits;
use crate::token::{Token, TokenError};
use fathom_message::Lang;
use std::io;
use std::path::PathBuf;

/// What is served, and to whom.
#[derive(Clone, Debug)]
pub struct ServeSettings {
    /// The file of the history; it need not be there yet.
    pub history: PathBuf,
    /// Asked of everybody where it is given; it must be, where others than this machine's users
    /// can reach the listener.
    pub token: Option<Token>,
    /// Names by which it may be called, beside `localhost` and addresses, without port and last
    /// dot. Who owns such a name decides who can read the pages in a visitor's browser.
    pub names: Vec<String>,
    /// The language for whoever chose none; `None` for what the browser asks for.
    pub lang: Option<Lang>,
    /// What connections may take.
    pub limits: ConnectionLimits,
}

/// Why it was not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Others could reach it, and no token was given.
    #[error("a page that others can reach needs a token")]
    Open,
    /// No secret could be made.
    #[error("{0}")]
    Token(#[from] TokenError),
    /// The listener or its thread failed.
    #[error("the page cannot be served: {0}")]
    Io(#[from] io::Error),
}
