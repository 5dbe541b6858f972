//! From `JobSpec` to `RunResult`: files laid out, threads started, the one I/O loop, stop rules.
//!
//! A run is one call of [`execute`]. It prints nothing and reads no environment: what happens
//! meanwhile goes to an [`Observer`], and what the outside wants comes through a [`Control`].
#![forbid(unsafe_code)]

mod batch;
mod control;
mod disk;
mod drive;
mod error;
mod files;
mod foresee;
mod guard;
mod latency;
mod layout;
mod live;
mod logs;
mod pause;
mod pins;
mod plan;
mod record;
#[doc(hidden)]
pub mod simulated;
mod steady;
mod supervise;
mod target;
mod timeline;
mod worker;

pub use control::{Control, State};
pub use error::RunError;
pub use fathom_engine::{AlignmentSource, DirectAlignment, direct_alignment, written_bytes};
pub use foresee::{Foreseen, ForeseenFile, Span, Written, foresee};
pub use logs::CloneLogs;
pub use pins::{Leftover, Pin, Pins};
pub use plan::{Opening, openings};
pub use supervise::execute;

use fathom_job::JobSpec;
use fathom_stats::{JobResult, LiveSnapshot, RunResult};
use std::time::Duration;

/// How a run is carried out, beyond what its jobs say.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Options given to all jobs, kept with the result.
    pub global_options: Vec<(String, Option<String>)>,
    /// How often the live view is told of.
    pub live_interval: Duration,
    /// How often a full report is given while running.
    pub status_interval: Option<Duration>,
    /// A number that differs from run to run, for `randrepeat=0`.
    pub entropy: u64,
    /// Sentences to keep with the result.
    pub notes: Vec<String>,
    /// No file is made or made longer: a job that needs that fails alone.
    pub readonly: bool,
    /// Files and devices that the caller holds: a job that names one of them works on that very
    /// one, or fails.
    pub pins: Pins,
}

/// What happens during a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// Clones are about to start: so many that asked for processes and for threads.
    Starting {
        /// Clones without `thread`.
        processes: usize,
        /// Clones with `thread`.
        threads: usize,
    },
    /// A clone's files are being made.
    LayingOut {
        /// The job.
        job: &'a JobSpec,
        /// How many files.
        files: usize,
        /// Their size in all.
        bytes: u64,
    },
    /// Bytes were laid out.
    LaidOut {
        /// How many since the last such event.
        bytes: u64,
    },
    /// A job could not be set up.
    Error(&'a RunError),
    /// A clone ended with an error.
    JobFailed(&'a JobResult),
    /// How things stand.
    Live(&'a LiveSnapshot),
    /// A full report, asked for while running.
    Status(&'a RunResult),
}

/// Is told what happens, on the thread that called [`execute`].
pub trait Observer {
    /// Takes note of an event.
    fn event(&mut self, event: Event<'_>);

    /// Whether live views shall tell latencies: each clone then copies its distribution once a
    /// second.
    fn wants_latency(&self) -> bool {
        false
    }
}

/// What a run leaves behind.
#[derive(Debug)]
pub struct Outcome {
    /// What was measured.
    pub result: RunResult,
    /// Logs of each clone, in the order of their numbers.
    pub logs: Vec<CloneLogs>,
    /// Files that could not be removed as asked.
    pub leftovers: Vec<Leftover>,
}
