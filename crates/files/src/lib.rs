//! Files that a user names: read up to a limit, and written whole or not at all.
//!
//! Every crate that reads or writes such a file does it through this one, so that no file of the
//! user's is lost on the way: no companion with a name that could be taken, no half document, no
//! input that fills the memory.
#![forbid(unsafe_code)]

mod input;
mod output;

pub use input::{DOCUMENT_BYTES, InputError, PROMISES_BYTES, read, read_from};
pub use output::{can_replace, open_stream, replace, replace_held};
