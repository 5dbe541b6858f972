//! The live feed: the progress of a running run, for other processes.
//!
//! Beside the history is a folder `live` with a file `<run's name>.jsonl` for each running run: the
//! first line is a [`LiveHeader`], every other a [`LivePoint`], about one a second. The run's
//! process appends to the file and removes it at the end; a file without a process belongs to a
//! killed run. Decided here:
//!
//! - A line counts once it ends with a newline: a reader never sees half a point.
//! - A process is identified by number, start time, boot and PID namespace, because numbers are
//!   reused. If another machine or a container wrote, a file that still grows counts as alive.
//! - A file stays under [`MOST_BYTES`]: otherwise it is rewritten with fewer of its older points,
//!   evenly spread, so that the last minutes are complete and the first hours remain. An offset
//!   names the version too, so that a reader knows to start again.
//! - Input is untrusted: it is bounded, and errors name the line.

mod error;
mod point;
mod process;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use error::LiveError;
pub use point::{LIVE_SCHEMA, LiveHeader, LivePoint};
pub use process::RunProcess;
pub use reader::{FeedState, Followed, LiveReader, LiveRun};
pub use writer::{LiveWriter, MOST_BYTES};

use crate::id::Id;
use std::path::{Path, PathBuf};

/// The extension of the files.
const ENDING: &str = "jsonl";

/// The folder of the feeds of the history in the file `history`.
pub fn folder_of(history: &Path) -> PathBuf {
    history.with_file_name("live")
}

fn file_of(folder: &Path, id: &Id) -> PathBuf {
    folder.join(format!("{id}.{ENDING}"))
}
