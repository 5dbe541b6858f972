//! Files that a user names: read up to a limit, and written completely or not at all.
//!
//! Every crate reads and writes such files through this one, so that no user's file is lost: no
//! temporary file with a name that could be taken, no half document, no input that fills the
//! memory.
#![forbid(unsafe_code)]

mod input;
mod output;

pub use input::{DOCUMENT_BYTES, InputError, PROMISES_BYTES, read, read_from};
pub use output::{can_replace, open_stream, replace, replace_held};
