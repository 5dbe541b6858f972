//! From `JobSpec` to `RunResult`: files laid out, threads started, the one I/O loop, stop rules.
//!
//! A run is one call of [`execute`]. It prints nothing and reads no environment: what happens
//! meanwhile goes to an [`Observer`], and what the outside wants comes through a [`Control`].
//!
//! Decided here: what a run is told and what it tells ([`RunOptions`], [`Event`], [`RunError`],
//! [`RunOutcome`]) is data that owns itself and can be serialised, so that a run may be asked for
//! from another machine. What belongs to one machine (its [`Host`](fathom_host::Host), the files
//! that are held as [`Pins`]) is passed beside it.
#![forbid(unsafe_code)]

mod access_choice;
mod alike;
mod batch;
mod clone_outcome;
mod control;
mod disk;
mod drive;
mod due_times;
mod ending;
mod error;
mod export_access;
mod export_file;
mod file_id;
mod files;
mod flush_policy;
mod foresee;
mod guard;
mod kernel_paths;
mod latency;
mod latency_so_far;
mod layout;
mod live;
mod local_host;
mod log_samples;
mod logs;
mod no_targets;
mod path_text;
mod pause;
mod pins;
mod plan;
mod record;
mod setup;
#[doc(hidden)]
pub mod simulated;
mod slot_table;
mod steady;
mod supervise;
mod target;
mod target_access;
mod timeline;
mod wall_clock;
mod worker;

pub use control::{Control, State};
pub use error::{FileChange, RunError};
pub use export_file::{
    ExportEntry, ExportFile, ExportListing, ExportReport, find_exported, list_export, report_export,
};
pub use fathom_engine::{AlignmentSource, DirectAlignment, direct_alignment, written_bytes};
pub use fathom_engine::{FileFacts, FileNumber, FileSort, Folder, facts_at, facts_of};
pub use foresee::{Foreseen, ForeseenFile, Span, Written, foresee};
pub use local_host::local_host;
pub use log_samples::CloneLogs;
pub use pins::{Leftover, Pin, Pins};
pub use plan::{Opening, openings};
pub use supervise::execute;

use fathom_stats::{JobResult, LiveSnapshot, RunResult};
use fathom_vocab::ErrorNumber;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How a run is carried out, beyond what its jobs say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// What happens during a run. It owns what it says, so that it can cross to another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Clones are about to start: so many that asked for processes and for threads.
    Starting {
        /// Clones without `thread`.
        processes: usize,
        /// Clones with `thread`.
        threads: usize,
    },
    /// A clone's files are being made.
    LayingOut {
        /// Name of the job.
        job: String,
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
    Error(RunError),
    /// A clone ended with an error.
    JobFailed(JobFailure),
    /// How things stand.
    Live(LiveSnapshot),
    /// A full report, asked for while running.
    Status(Box<RunResult>),
}

/// How a clone failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFailure {
    /// Name of its job.
    pub job: String,
    /// Thread id.
    pub pid: u32,
    /// The error's number.
    pub error: ErrorNumber,
    /// What failed, in words: the operation, the file, the offset.
    pub error_text: String,
}

impl JobFailure {
    /// The failure that a result tells of; none where the clone did not fail.
    pub fn of(result: &JobResult) -> Option<JobFailure> {
        result.error.is_error().then(|| JobFailure {
            job: result.name.clone(),
            pid: result.pid,
            error: result.error,
            error_text: result.error_text.clone(),
        })
    }
}

/// Hears what happens, on the thread that called [`execute`].
pub trait Observer {
    /// Takes note of an event.
    fn event(&mut self, event: &Event);

    /// Whether live views shall tell latencies: each clone then copies its distribution once a
    /// second.
    fn wants_latency(&self) -> bool {
        false
    }

    /// Says when jobs begin that are ready for I/O: their files are open, their buffers made, and
    /// their threads wait. It may wait until that moment is agreed on, and gives up once `control`
    /// is to stop. It is asked where no other jobs run meanwhile.
    fn start(&mut self, control: &Control) -> Instant {
        let _ = control;
        Instant::now()
    }
}

/// From when to when jobs did I/O, counted from the moment at which the first of them were to
/// begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoSpan {
    /// Nanoseconds until the first one began.
    pub begun_ns: u64,
    /// Nanoseconds until the last one ended.
    pub ended_ns: u64,
}

/// What a run leaves behind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// What was measured.
    pub result: RunResult,
    /// Logs of each clone, in the order of their numbers.
    pub logs: Vec<CloneLogs>,
    /// Files that could not be removed as asked.
    pub leftovers: Vec<Leftover>,
    /// When I/O was done; none where there was none.
    pub io_span: Option<IoSpan>,
}
