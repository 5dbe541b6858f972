//! The history: every run with all that is needed to repeat it, in one SQLite file.
//!
//! A [`HistoryRun`] is what lists show and searches find; beside it lies its document, the whole
//! JSON of the command, which is text to this crate and is kept compressed. [`Store::record`] keeps
//! a run, [`Store::update`] lets a campaign that is under way save what it has so far, and [`live`]
//! shows other processes how it goes.
//!
//! What was decided here:
//! - A run that was kept is never lost by what comes later: every change is one transaction,
//!   synced to the disk before it counts as done, and other programs may write at the same time.
//! - A history that cannot be opened or written is a value ([`StoreError`]), which says what is
//!   wrong, where, and what to do; a measurement does not depend on it.
//! - A file that is not ours, or is of a newer Fathom, is refused before anything is written.
#![forbid(unsafe_code)]

mod begun;
mod content;
mod error;
mod exchange;
mod id;
pub mod live;
mod open;
mod query;
mod read;
mod run;
mod schema;
mod write;

pub use begun::{begun_document, has_result};
pub use error::{ExportedLineError, StoreError};
pub use exchange::{EXPORT_SCHEMA, Imported};
pub use id::Id;
pub use open::{Sharing, Store};
pub use query::Filter;
pub use read::Choices;
pub use run::{
    HistoryEntry, HistoryFigure, HistoryOutcome, HistoryRun, Key, LARGEST_DOCUMENT_BYTES,
};

#[cfg(test)]
mod tests;
