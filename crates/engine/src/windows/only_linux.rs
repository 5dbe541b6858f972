//! Features that only Linux has, refused by name.

use fathom_vocab::{ErrorNumber, NumberedError};
use std::io;

/// The error for a feature that Windows lacks; `instead` is advice.
pub(crate) fn only_linux(what: &str, instead: &str) -> io::Error {
    // "Function not implemented": Linux's error for a missing feature.
    const ENOSYS: ErrorNumber = ErrorNumber::new(38);
    NumberedError::new(ENOSYS, format!("{what} is on Linux only; {instead}")).into()
}
