//! The drop-in's words on standard error.

use fathom_vocab::printable;
use std::io::Write;

/// Says on stderr what went wrong.
pub fn complain(message: &str) {
    // Nothing can be said of an stderr that is gone.
    let _ = writeln!(std::io::stderr(), "{}", printable::lines(message));
}
