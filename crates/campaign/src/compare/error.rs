//! Why a comparison is not begun, and the correct form.

use crate::jobs::RefusedJob;
use crate::refusal::Refusal;

/// Why a comparison is not begun.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// A place cannot be used.
    #[error(transparent)]
    Place(#[from] Refusal),
    /// A job that the job table refuses.
    #[error("{title}: {why}")]
    Job {
        /// The phase.
        title: String,
        /// The job table's error.
        why: RefusedJob,
    },
    /// Only one volume was named.
    #[error("a comparison takes two volumes or more; `fathom measure` tells of one")]
    OneVolume,
    /// Every phase writes, and fewer than two volumes may be written to.
    #[error(
        "no test can run on two of the volumes: all of them write, and data that is not ours is \
         only read. Name folders, compare reads, or name with --destroy-data-on what may be lost"
    )]
    NothingInCommon,
    /// One of several volumes can run no phase.
    #[error(
        "{path} can run no test: all of them write, and data that is not ours is only read. Leave \
         it out, compare reads, or name it with --destroy-data-on if its data may be lost"
    )]
    NothingOn {
        /// The volume.
        path: String,
    },
    /// The runs would be too short to mean anything.
    #[error(
        "{run_ms} ms for each of {runs} runs on a volume are too short; 100 ms each at least \
         (give more --time, fewer tests, or a smaller --repeat)"
    )]
    TooShort {
        /// Milliseconds of a run.
        run_ms: u64,
        /// Runs on one volume.
        runs: u64,
    },
}
