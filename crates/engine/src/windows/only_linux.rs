//! What Linux alone has, refused by name.

use fathom_vocab::{ErrorNumber, NumberedError};
use std::io;

/// The error for something that Windows does not have; `instead` says what to do.
pub(crate) fn only_linux(what: &str, instead: &str) -> io::Error {
    // "Function not implemented": what Linux says where it lacks something.
    const ENOSYS: ErrorNumber = ErrorNumber::new(38);
    NumberedError::new(ENOSYS, format!("{what} is on Linux only; {instead}")).into()
}
