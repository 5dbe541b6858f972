//! Messages to a machine, as data: calls, replies, events. Jobs are sent as text, parsed by the
//! same table that reads job files, with extra fields for values that an option cannot express.

use super::{DataAccess, MachineError, MachineErrorKind, MachineRun, RunOrder};
use crate::volume::Volume;
use crate::volume_plan::VolumePlan;
use fathom_doctor::{Ceiling, DoctorRequest, HostDiagnosis};
use fathom_host::System;
use fathom_job::{Fallocate, FixedWorld, JobError, JobSpec, Origin, parse_job_text, print_job};
use fathom_monitor::{CounterReading, WatchRequest, Watched};
use fathom_run::{Leftover, NetworkProbe};
use fathom_text::Text;
use fathom_vocab::{IoEngine, Target};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Version of calls and replies; raised when one side would misread the other.
pub const WIRE_VERSION: u32 = 2;

/// A call to a machine, one variant for each method of [`Machine`](super::Machine).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "call", content = "of", rename_all = "snake_case")]
pub enum MachineCall {
    /// The facts about its system.
    System,
    /// Examine a target.
    Examine(Target),
    /// Create the test file of a target, or hold an existing file.
    Claim(Box<WireClaim>),
    /// Remove the test files and release the other targets.
    Release,
    /// How do jobs reach their data?
    DataAccess(Vec<WireJob>),
    /// Can jobs begin?
    CanBegin(Box<WireOrder>),
    /// Run jobs.
    Run(Box<WireOrder>),
    /// Measure the rate that one core can drive.
    Ceilings(Vec<(IoEngine, u32)>),
    /// What can it drive, and what limits it?
    Diagnose(DoctorRequest),
    /// Watch the devices under paths.
    Watch(WatchRequest),
    /// Read the watched counters.
    Counters,
    /// Was a stop requested?
    Stopping,
}

/// A machine's answer to the call of the same name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "reply", content = "of", rename_all = "snake_case")]
pub enum MachineReply {
    /// The facts about its system.
    System(Result<Box<System>, MachineError>),
    /// The facts about a target.
    Examine(Result<Box<WireVolume>, MachineError>),
    /// Whether the target is claimed.
    Claim(Result<(), MachineError>),
    /// Files that are still there.
    Release(Result<Vec<Leftover>, MachineError>),
    /// How jobs reach their data.
    DataAccess(DataAccess),
    /// Whether they can.
    CanBegin(Result<(), MachineError>),
    /// The result of the jobs.
    Run(Result<Box<MachineRun>, MachineError>),
    /// The rates that one core can drive.
    Ceilings(Vec<Ceiling>),
    /// The findings on it.
    Diagnose(Result<Vec<HostDiagnosis>, MachineError>),
    /// The watched subjects.
    Watch(Result<Vec<Watched>, MachineError>),
    /// Its counters.
    Counters(Result<Vec<Option<CounterReading>>, MachineError>),
    /// Whether a stop was requested.
    Stopping(bool),
    /// The call was not understood.
    Unknown(MachineError),
}

/// A volume as it is sent: with its target, which documents leave out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireVolume {
    volume: Volume,
    target: Target,
}

impl WireVolume {
    /// A volume as it crosses.
    pub fn of(volume: &Volume) -> WireVolume {
        WireVolume { volume: volume.clone(), target: volume.target.clone() }
    }

    /// The volume again.
    pub fn volume(self) -> Volume {
        Volume { target: self.target, ..self.volume }
    }
}

/// A planned target as it crosses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WireClaim {
    plan: VolumePlan,
    target: Target,
}

impl WireClaim {
    /// A planned target as it crosses.
    pub fn of(plan: &VolumePlan) -> WireClaim {
        WireClaim { plan: plan.clone(), target: plan.volume.target.clone() }
    }

    /// The plan again.
    pub fn plan(self) -> VolumePlan {
        let volume = Volume { target: self.target, ..self.plan.volume };
        VolumePlan { volume, ..self.plan }
    }
}

/// A [`RunOrder`] as it crosses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WireOrder {
    /// The jobs.
    pub jobs: Vec<WireJob>,
    /// Options of all jobs, stored with the result.
    pub global_options: Vec<(String, Option<String>)>,
    /// A number that differs from run to run.
    pub entropy: u64,
    /// Sentences to store with the result.
    pub notes: Vec<String>,
    /// No file is made or made longer.
    pub readonly: bool,
    /// The volume that they run on.
    pub volume: Option<WireVolume>,
    /// How many machines run them, if the machine is several.
    #[serde(default)]
    pub clients: Option<u32>,
    /// Whether the rates of the jobs are those of all machines together.
    #[serde(default)]
    pub shares_rate: bool,
    /// The round trips that are measured beside the jobs.
    #[serde(default)]
    pub network: NetworkProbe,
    /// Whether live snapshots include latencies.
    pub wants_latency: bool,
}

/// A job as it is sent: the user's options as a job file, and values that an option cannot express.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireJob {
    /// The job file.
    pub text: String,
    /// Its source, for error messages.
    pub origin: WireOrigin,
    /// Its options, as they are reported with the result.
    pub given: Vec<(String, Option<String>)>,
    /// Options that were global when it was begun.
    pub inherited: Vec<(String, Option<String>)>,
    /// The files that it works on, as they are.
    pub filenames: Vec<PathBuf>,
    /// Its section, which names its files if nothing else does.
    pub section: Option<String>,
    /// Whether it may make a file that is not there.
    pub makes_files: bool,
    /// Whether it reserves no blocks before it writes.
    pub reserves_nothing: bool,
    /// Whether percentiles are of the whole latency.
    #[serde(default)]
    pub lat_percentiles: bool,
}

/// The source of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireOrigin {
    /// A line (from 1) of a job file.
    File(PathBuf, usize),
    /// The command line; the argument as typed.
    CommandLine(String),
    /// Made by Fathom itself.
    Builtin,
}

impl WireOrigin {
    fn of(origin: &Origin) -> WireOrigin {
        match origin {
            Origin::File { path, line } => WireOrigin::File(path.clone(), *line),
            Origin::CommandLine(word) => WireOrigin::CommandLine(word.clone()),
            Origin::Builtin => WireOrigin::Builtin,
        }
    }

    fn origin(self) -> Origin {
        match self {
            WireOrigin::File(path, line) => Origin::File { path, line },
            WireOrigin::CommandLine(word) => Origin::CommandLine(word),
            WireOrigin::Builtin => Origin::Builtin,
        }
    }
}

impl WireJob {
    /// A job as it crosses.
    pub fn of(job: &JobSpec) -> WireJob {
        WireJob {
            text: print_job(job),
            origin: WireOrigin::of(&job.origin),
            given: job.given.clone(),
            inherited: job.inherited.clone(),
            filenames: job.target.filenames.clone(),
            section: job.target.section.clone(),
            makes_files: job.target.allow_file_create,
            reserves_nothing: job.target.fallocate == Fallocate::None,
            lat_percentiles: job.measure.lat_percentiles,
        }
    }

    /// The job again.
    ///
    /// # Errors
    /// If the text is no job of this version's.
    pub fn job(self) -> Result<JobSpec, MachineError> {
        let unread = |why: Text| MachineError::new(MachineErrorKind::Connection, why);
        let origin = self.origin.origin();
        let jobs = parse_job_text(&self.text, Path::new("-"), &FixedWorld::default());
        // Line numbers refer to the transmitted text, which the user has not seen.
        let refused = |error| unread(JobError { origin: origin.clone(), ..error }.sentence());
        let mut jobs = jobs.map_err(refused)?.into_iter();
        let (Some(mut job), None) = (jobs.next(), jobs.next()) else {
            return Err(unread("a job crossed that is not one job; update both sides".into()));
        };
        job.origin = origin;
        job.given = self.given;
        job.inherited = self.inherited;
        job.target.filenames = self.filenames;
        job.target.section = self.section;
        job.target.allow_file_create = self.makes_files;
        job.measure.lat_percentiles |= self.lat_percentiles;
        if self.reserves_nothing {
            job.target.fallocate = Fallocate::None;
        }
        Ok(job)
    }
}

impl WireOrder {
    /// An order as it is sent; `wants_latency` comes from its observer.
    pub fn of(order: &RunOrder, wants_latency: bool) -> WireOrder {
        WireOrder {
            jobs: order.jobs.iter().map(WireJob::of).collect(),
            global_options: order.global_options.clone(),
            entropy: order.entropy,
            notes: order.notes.clone(),
            readonly: order.readonly,
            volume: order.volume.as_ref().map(WireVolume::of),
            clients: order.clients,
            shares_rate: order.shares_rate,
            network: order.network.clone(),
            wants_latency,
        }
    }

    /// The order again.
    ///
    /// # Errors
    /// If a job is not valid in this version.
    pub fn order(self) -> Result<RunOrder, MachineError> {
        Ok(RunOrder {
            jobs: self.jobs.into_iter().map(WireJob::job).collect::<Result<_, _>>()?,
            global_options: self.global_options,
            entropy: self.entropy,
            notes: self.notes,
            readonly: self.readonly,
            volume: self.volume.map(WireVolume::volume),
            clients: self.clients,
            shares_rate: self.shares_rate,
            network: self.network,
        })
    }
}
