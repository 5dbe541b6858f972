//! Why a check is not begun, with advice.

use crate::jobs::RefusedJob;
use crate::refusal::Refusal;

/// Why a check is not begun.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The promise has no limit that can be checked.
    #[error(
        "nothing in numbers is promised of {what}: measure it with `fathom measure`, or give what \
         you expect as --iops, --mbps or --latency without --promise"
    )]
    NothingPromised {
        /// The volume's description.
        what: String,
    },
    /// The promise is only about writes, which are not allowed.
    #[error(
        "only writes are promised, and {path} is only read: leave out --read-only, or name the \
         file or device with --destroy-data-on"
    )]
    NothingToRead {
        /// The target.
        path: String,
    },
    /// Too short for a share of its seconds.
    #[error(
        "runs of {time_ms} ms are too short to judge each second: each takes 2 s or more. Give \
         --time-per-run 2s, or a longer --time"
    )]
    TooShort {
        /// Milliseconds of a run.
        time_ms: u64,
    },
    /// A run that is no job.
    #[error("{load}: {why}")]
    NoJob {
        /// The run.
        load: String,
        /// The job table's error.
        why: RefusedJob,
    },
    /// The place cannot be used.
    #[error(transparent)]
    Place(#[from] Refusal),
}
