//! The machine under test, as a parameter: whatever touches it goes through [`Machine`].
//!
//! [`LocalMachine`] is this process. What crosses the trait is owned and can be written down, so
//! that an agent at the other end of a pipe, or a pod, is another implementation and no special
//! case. A machine holds the test files that it made until [`Machine::release`]; one that goes away
//! removes them.

mod boxed;
mod encoded;
mod envelope;
mod error;
mod local;
mod reply;
mod scratch;
mod wire;

pub use encoded::{CallListener, Encoded, serve};
pub use envelope::event_from_bytes;
pub use error::{MachineError, MachineErrorKind};
pub use local::{HeldTargets, LocalMachine};
pub use scratch::ScratchFolders;
pub use wire::{
    MachineCall, MachineReply, WIRE_VERSION, WireClaim, WireJob, WireOrder, WireOrigin, WireVolume,
};

use crate::doctor::{Ceiling, DoctorRequest, DoctorStep, HostDiagnosis};
use crate::plan::VolumePlan;
use crate::verdicts::Observed;
use crate::volume::Volume;
use crate::watch::{CounterReading, WatchRequest, Watched};
use fathom_analysis::DirectIo;
use fathom_document::MountRecord;
use fathom_host::System;
use fathom_job::JobSpec;
use fathom_run::{Leftover, Observer, RunOutcome};
use fathom_vocab::{IoEngine, Target};
use serde::{Deserialize, Serialize};

/// Jobs to run at once, and what goes with them.
#[derive(Clone, Debug, Default)]
pub struct RunOrder {
    /// The jobs.
    pub jobs: Vec<JobSpec>,
    /// Options given to all jobs, kept with the result.
    pub global_options: Vec<(String, Option<String>)>,
    /// A number that differs from run to run: it decides the offsets.
    pub entropy: u64,
    /// Sentences to keep with the result.
    pub notes: Vec<String>,
    /// No file is made or made longer.
    pub readonly: bool,
    /// The volume that they run on, whose counters are read before and after.
    pub volume: Option<Volume>,
    /// How many machines run them, where the machine is several; none is all of them.
    pub clients: Option<u32>,
    /// Whether the rates of the jobs are those of all machines together; each then has its share.
    pub shares_rate: bool,
}

impl RunOrder {
    /// One job.
    pub fn of(job: JobSpec, entropy: u64) -> RunOrder {
        RunOrder { jobs: vec![job], entropy, ..RunOrder::default() }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineRun {
    /// The result with its logs.
    pub outcome: RunOutcome,
    /// What the machine's counters saw meanwhile; none where they cannot be read, and of several
    /// machines.
    pub observed: Option<Observed>,
    /// The NFS mounts of several machines, under their names.
    pub client_mounts: Vec<MountRecord>,
}

impl MachineRun {
    /// The NFS mounts of the machine or of all machines that ran it.
    pub fn mounts(&self) -> Vec<MountRecord> {
        let own = self.observed.iter().filter_map(|observed| observed.mount.clone());
        let own = own.map(|counted| MountRecord { client: None, counted });
        own.chain(self.client_mounts.iter().cloned()).collect()
    }
}

/// How jobs reach their data, as far as the files and devices tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DataAccess {
    /// What becomes of direct I/O; unknown where the files differ.
    pub direct: DirectIo,
    /// Share of the files that was never written, 0 to 1; none where that is nothing or unknown.
    pub unwritten_share: Option<f64>,
}

/// A machine that can be measured on.
pub trait Machine {
    /// What it says of itself.
    ///
    /// # Errors
    /// Where it cannot be reached.
    fn system(&mut self) -> Result<System, MachineError>;

    /// Looks at a target. Nothing is touched.
    ///
    /// # Errors
    /// Where it cannot be measured.
    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError>;

    /// Makes the test file of a planned target, or holds the file or device that is there, and
    /// claims a device that is to be written to, so that no run works on another one.
    ///
    /// # Errors
    /// Where the file cannot be made, or somebody uses the device.
    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError>;

    /// Removes the test files and lets go of what is held; gives the files that are still there.
    ///
    /// # Errors
    /// Where the machine cannot be reached; its own end then removes them.
    fn release(&mut self) -> Result<Vec<Leftover>, MachineError>;

    /// How `jobs` reach their data.
    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess;

    /// Runs jobs to their end, or to where a stop was asked for.
    ///
    /// # Errors
    /// Where nothing was begun.
    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError>;

    /// Measures what one core can drive by each of `engines`, at so many I/Os in flight. It takes
    /// a third of a second, and is for before the first run: a volume that still writes back what
    /// a run left would be felt in it.
    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling>;

    /// Says what it could drive, and what stands in the way of measuring well; `told` is told what
    /// is done, where that is known here.
    ///
    /// # Errors
    /// Where it cannot look.
    fn diagnose(
        &mut self,
        asked: &DoctorRequest,
        told: &mut dyn FnMut(DoctorStep),
    ) -> Result<Vec<HostDiagnosis>, MachineError> {
        let _ = (asked, told);
        Err(not_offered("be examined"))
    }

    /// Finds what counts the I/O of paths, and watches it from now on.
    ///
    /// # Errors
    /// Where a path leads to no counters.
    fn watch(&mut self, asked: &WatchRequest) -> Result<Vec<Watched>, MachineError> {
        let _ = asked;
        Err(not_offered("be watched"))
    }

    /// Reads the counters of what is watched, in that order; none of what is gone.
    ///
    /// # Errors
    /// Where they cannot be read.
    fn counters(&mut self) -> Result<Vec<Option<CounterReading>>, MachineError> {
        Err(not_offered("be watched"))
    }

    /// Whether a stop was asked for.
    fn stopping(&mut self) -> bool;

    /// How many machines run each order at once: a case's jobs run on each of them.
    fn clients(&self) -> u32 {
        1
    }
}

/// Why a machine that only runs jobs does not do more.
fn not_offered(what: &str) -> MachineError {
    let message = format!("this machine cannot {what}; name another, or leave out --on");
    MachineError::new(MachineErrorKind::Target, message)
}
