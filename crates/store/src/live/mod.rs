//! The live feed: what a run shows while it goes on, for other processes.
//!
//! Beside the history lies a folder `live` with a file `<run's name>.jsonl` for each run that is
//! under way: the first line is a [`LiveHeader`], every other a [`LivePoint`], about one a second.
//! The run's process appends and removes the file at its end; what is left without its process was
//! killed. Decided here:
//!
//! - A line counts once its end is there: a reader never sees half a point.
//! - A process is known by number, time of start, boot and PID namespace, since numbers are used
//!   again. Where another machine or a container wrote, a file that still grows is taken for alive.
//! - A file stays under [`MOST_BYTES`]: it is then written anew with fewer of its older points,
//!   evenly spread, so that the last minutes are whole and the first hours are still there. An
//!   offset names the writing too, so that a reader is told to begin again.
//! - What is read may be anybody's: it is bounded, and what is wrong with it names the line.

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

/// What the files' names end with.
const ENDING: &str = "jsonl";

/// The folder of the feed of the history that is kept in the file `history`.
pub fn folder_of(history: &Path) -> PathBuf {
    history.with_file_name("live")
}

fn file_of(folder: &Path, id: &Id) -> PathBuf {
    folder.join(format!("{id}.{ENDING}"))
}
