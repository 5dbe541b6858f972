//! The settings of a server, and why it may not serve.

use crate::connections::ConnectionLimits;
use crate::token::{Token, TokenError};
use fathom_message::Lang;
use std::io;
use std::path::PathBuf;

/// The content to serve, and its readers.
#[derive(Clone, Debug)]
pub struct ServeSettings {
    /// The file of the history; it need not be there yet.
    pub history: PathBuf,
    /// Required of everybody if it is set; it must be set if others than this machine's users can
    /// reach the listener.
    pub token: Option<Token>,
    /// Its host names, beside `localhost` and addresses, without port and final dot. The owner of
    /// such a name decides who can read the pages in a visitor's browser.
    pub names: Vec<String>,
    /// The default language; `None` for the browser's.
    pub lang: Option<Lang>,
    /// A title, which a history has in English, in the language of a reader.
    pub told: fn(Lang, &str) -> String,
    /// The limits of connections.
    pub limits: ConnectionLimits,
}

/// Why it was not served.
#[fathom_text::translated]
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
