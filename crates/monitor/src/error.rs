//! Why a subject cannot be watched, and what to give instead.

use fathom_host::HostError;
use std::error::Error;
use std::io;

/// Why something cannot be watched.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// There is no such path, and no device with that name.
    #[error("{asked} does not exist; give a folder, a file or a block device (`lsblk` lists them)")]
    NotThere {
        /// The name as typed.
        asked: String,
    },
    /// The path cannot be looked at.
    #[error("{asked}: {source}")]
    Unreachable {
        /// The name as typed.
        asked: String,
        /// The kernel's error.
        #[source]
        source: io::Error,
    },
    /// A character device, a socket, a pipe.
    #[error(
        "{asked} is neither a folder, nor a file, nor a block device, and only those lead to \
         counters; `lsblk` lists the devices"
    )]
    NotStorage {
        /// The name as typed.
        asked: String,
    },
    /// Nothing here counts the path's I/O.
    #[error("nothing here counts the I/O of {asked}: {why}; {advice}")]
    NoCounters {
        /// The name as typed.
        asked: String,
        /// The storage below it.
        why: fathom_text::Text,
        /// The place of the counters.
        advice: &'static str,
    },
    /// The machine gave no answer.
    #[error(transparent)]
    Host(#[from] HostError),
    /// Another machine gave none.
    #[error("{0}")]
    Elsewhere(Box<dyn Error + Send + Sync>),
}
