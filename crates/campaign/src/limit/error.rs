//! Why a search is not begun: the invalid option, and the correct form.

use crate::jobs::RefusedJob;
use crate::refusal::Refusal;

/// Why a search for a limit is not begun.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// No latency limit is given.
    #[error("say what is to hold, as --p99 1ms (or --p50, --p95, --p999, --mean)")]
    NoTarget,
    /// Criteria that cannot both decide.
    #[error(
        "{tighter} leaves nothing to decide for {looser}, which is always met with it; leave out \
         the latter"
    )]
    Idle {
        /// The criterion that decides alone.
        tighter: String,
        /// The one that cannot fail.
        looser: String,
    },
    /// Steps that are too short for useful figures.
    #[error(
        "{time_ms} ms are too short for a step: give --time-per-run 100ms at least, better 10s"
    )]
    TooShort {
        /// Milliseconds of a step.
        time_ms: u64,
    },
    /// The workload would write to a read-only target.
    #[error(
        "{rw} writes, but {path} is only read: give --rw randread, or, to lose its data, \
         --destroy-data-on {path}"
    )]
    MayNotWrite {
        /// The pattern.
        rw: &'static str,
        /// The target.
        path: String,
    },
    /// The workload writes although nothing shall.
    #[error("{rw} and --read-only contradict each other; leave one out")]
    Contradiction {
        /// The pattern.
        rw: &'static str,
    },
    /// The job table does not take it.
    #[error(transparent)]
    NoJob(RefusedJob),
    /// The place cannot be used.
    #[error(transparent)]
    Place(#[from] Refusal),
}
