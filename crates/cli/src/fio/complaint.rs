//! The drop-in's messages on standard error.

use fathom_vocab::printable;
use std::io::Write;

/// Prints an error on stderr.
pub fn complain(message: &str) {
    // A closed stderr leaves no place to report its failure.
    let _ = writeln!(std::io::stderr(), "{}", printable::lines(message));
}
