//! A local page over the history of runs and over those that are under way.
//!
//! [`serve`] answers on a listener that its caller has bound: the list of the history with filters,
//! the report of a run, comparisons of two to twelve, and live charts of a run that goes on.
//!
//! What was decided here:
//! - It changes nothing: it knows GET and HEAD, and opens the history to read. No path of a request
//!   becomes the path of a file: what is served is in the binary, in the history, or in its feeds.
//! - Whoever asks passes the [`gate`] first: the name by which we are called, where the request
//!   comes from, and, where others than this machine's users can reach us, a token.
//! - Whoever reaches the port can hold connections open, before any token is asked for. So heads,
//!   writes and connections have [`ConnectionLimits`]. A connection that only waits makes room for
//!   others.
//! - Nothing in a run is trusted. Templates escape; scripts put it in as text; the pages' policy
//!   lets no script run that is not in the binary.
//! - One thread for all requests and one reader for each live run, however many look at it: what is
//!   measured beside it must not feel that somebody watches. Files are read on other threads.
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
