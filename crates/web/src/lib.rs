//! A local web page for the history of runs and for running ones.
//!
//! [`serve`] answers on a listener of its caller: the list of the history with filters, the report
//! of a run, comparisons of two to twelve, and live charts of a running run.
//!
//! Decided here:
//! - It is read-only: it supports GET and HEAD, and opens the history for reading. No path of a
//!   request becomes the path of a file: all content is in the binary, in the history, or in its
//!   feeds.
//! - Every request passes the [`gate`] first: it checks the server's name, the origin of the
//!   request, and, if others than this machine's users can reach the server, a token.
//! - Anybody who reaches the port can hold connections open before showing a token. So heads,
//!   writes and connections have [`ConnectionLimits`], and idle connections are closed first.
//! - Nothing in a run is trusted. Templates escape; scripts insert it as text; the pages' policy
//!   runs no script outside the binary.
//! - One thread for all requests and one reader for each live run with any number of viewers:
//!   viewers must not disturb a measurement. Files are read on other threads.
#![forbid(unsafe_code)]

mod app;
mod archive;
mod assets;
mod connections;
mod failure;
mod gate;
mod guard;
mod listener;
mod live;
mod page;
mod refusal;
mod reports;
mod request;
mod routes;
mod serve;
mod settings;
mod stop;
mod summaries;
mod token;
mod view;
mod write_limit;

pub use connections::ConnectionLimits;
pub use serve::serve;
pub use settings::{ServeError, ServeSettings};
pub use stop::Stop;
pub use token::{Token, TokenError};
