//! The history: every run with the data to repeat it, in one SQLite file.
//!
//! A [`HistoryRun`] has the data of lists and searches; its document, the whole JSON of the
//! command, is text to this crate and is stored compressed. [`Store::record`] stores a run,
//! [`Store::update`] replaces the data of a running campaign, and [`live`] shows its progress to
//! other processes.
//!
//! Decided here:
//! - A stored run is never lost by later events: every change is one transaction, synced to the
//!   disk before it counts as done, and other programs may write at the same time.
//! - A history that cannot be opened or written gives a value ([`StoreError`]) with problem,
//!   location and advice; a measurement does not depend on it.
//! - A file of another program, or of a newer Fathom, is refused before anything is written.
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
    LatencyStatistic,
};

#[cfg(test)]
mod tests;
