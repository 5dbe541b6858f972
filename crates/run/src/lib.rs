//! From `JobSpec` to `RunResult`: layout, threads, the one I/O loop, stop rules.
//!
//! A run is one call of [`execute`]. It prints nothing and reads no environment: events go to an
//! [`Observer`], and requests arrive through a [`Control`].
//!
//! Decided here: inputs and outputs of a run ([`RunOptions`], [`Event`], [`RunError`],
//! [`RunOutcome`]) are owned data and serialisable, so that another machine can request a run.
//! Objects of one machine (its [`Host`](fathom_host::Host), its open files as [`Pins`]) are
//! separate arguments.
#![forbid(unsafe_code)]

mod access_choice;
mod alike;
mod batch;
mod can_begin;
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
mod io_log;
mod io_trace;
mod kernel_paths;
mod latency;
mod latency_so_far;
mod layout;
mod live;
mod local_host;
mod logs;
mod network;
mod no_targets;
mod opening;
mod path_text;
mod pause;
mod pins;
mod plan;
mod read_checks;
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

pub use can_begin::can_begin;
pub use clone_outcome::CloneLogs;
pub use control::{Control, State};
pub use error::{FileChange, RunError};
pub use export_file::{
    ExportEntry, ExportFile, ExportListing, ExportReport, find_exported, list_export, report_export,
};
pub use fathom_engine::{AlignmentSource, DirectAlignment, direct_alignment, written_bytes};
pub use fathom_engine::{FileFacts, FileNumber, FileSort, Folder, facts_at, facts_of};
pub use foresee::{
    Foreseen, ForeseenFile, Span, Written, filled_bytes_of_all, foresee, missing_bytes_by_file,
};
pub use local_host::local_host;
pub use network::NetworkProbe;
pub use pins::{Leftover, Pin, Pins};
pub use plan::{CloneSeeds, Opening, clone_seeds, openings};
pub use supervise::execute;

use fathom_stats::{JobResult, LiveSnapshot, RunResult};
use fathom_vocab::ErrorNumber;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The options of a run beyond its jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOptions {
    /// Options of all jobs, stored with the result.
    pub global_options: Vec<(String, Option<String>)>,
    /// The interval of live snapshots.
    pub live_interval: Duration,
    /// The interval of full reports during a run.
    pub status_interval: Option<Duration>,
    /// A number that differs from run to run, for `randrepeat=0`.
    pub entropy: u64,
    /// Sentences to store with the result.
    pub notes: Vec<String>,
    /// No file is made or made longer: a job that needs that fails alone.
    pub readonly: bool,
    /// A job whose files cannot be planned fails alone, as in fio, and the others run. Otherwise it
    /// keeps all of them from starting.
    pub jobs_fail_alone: bool,
    /// Whether each I/O is an [`Event::Debug`].
    pub traces_io: bool,
    /// The round trips that are measured beside the jobs.
    pub network: NetworkProbe,
}

/// An event during a run. It owns its data, so that it can be sent to another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Clones are about to start: the numbers that requested processes and threads.
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
    /// A file has more blocks than the 32 bits of `tausworthe` reach.
    BeyondTausworthe {
        /// Its name.
        file: String,
        /// The job uses `tausworthe64` instead, as it names no generator.
        switches: bool,
    },
    /// Lines about I/Os, in fio's form, each with a line feed.
    Debug {
        /// The lines.
        lines: String,
    },
    /// A job could not be set up.
    Error(RunError),
    /// A clone ended with an error.
    JobFailed(JobFailure),
    /// A live snapshot.
    Live(LiveSnapshot),
    /// A full report, requested during the run.
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
    /// The failure as text: the operation, the file, the offset.
    pub error_text: String,
}

impl JobFailure {
    /// The failure in a result; none if the clone did not fail.
    pub fn of(result: &JobResult) -> Option<JobFailure> {
        result.error.is_error().then(|| JobFailure {
            job: result.name.clone(),
            pid: result.pid,
            error: result.error,
            error_text: result.error_text.clone(),
        })
    }
}

/// Receives events, on the thread that called [`execute`].
pub trait Observer {
    /// Takes note of an event.
    fn event(&mut self, event: &Event);

    /// Whether live snapshots include latencies: each clone then copies its distribution once a
    /// second.
    fn wants_latency(&self) -> bool {
        false
    }

    /// Decides when ready jobs begin: their files are open, their buffers exist, and their threads
    /// wait. It may wait until that moment is agreed on, and gives up once `control` is to stop. It
    /// is called only while no other jobs run.
    fn start(&mut self, control: &Control) -> Instant {
        let _ = control;
        Instant::now()
    }
}

/// The start and end of the jobs' I/O, counted from the moment at which the first of them were to
/// begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoSpan {
    /// Nanoseconds until the first one began.
    pub begun_ns: u64,
    /// Nanoseconds until the last one ended.
    pub ended_ns: u64,
}

/// The results of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// The measurement.
    pub result: RunResult,
    /// Logs of each clone, in the order of their numbers.
    pub logs: Vec<CloneLogs>,
    /// Files that could not be removed as requested.
    pub leftovers: Vec<Leftover>,
    /// The span of I/O; none if there was no I/O.
    pub io_span: Option<IoSpan>,
}
