//! The machine under test, as a parameter: all access to it goes through [`Machine`].
//!
//! [`LocalMachine`] is this process. Arguments and results of the trait are owned and serialisable,
//! so that an agent at the other end of a pipe, or a pod, is another implementation and no special
//! case. A machine holds its test files until [`Machine::release`], and removes them when it is
//! dropped.

mod ceiling;
mod encoded;
mod envelope;
mod error;
mod examination;
mod local;
mod reply;
mod scratch;
mod wire;

pub use crate::data_access::DataAccess;
pub(crate) use ceiling::by_engine;
pub use ceiling::{
    SCRATCH_BYTES, ceiling_cases, ceiling_of, measure_ceiling, measure_ceilings, try_engine,
};
pub use encoded::{CallListener, Encoded, serve};
pub use envelope::event_from_bytes;
pub use error::{MachineError, MachineErrorKind};
pub use examination::HostProbe;
use fathom_text::text;
pub use local::{HeldTargets, LocalMachine};
pub use scratch::{Scratch, ScratchFolders};
pub use wire::{
    MachineCall, MachineReply, WIRE_VERSION, WireClaim, WireJob, WireOrder, WireOrigin, WireVolume,
};

use crate::verdicts::ClientObservation;
use crate::volume::Volume;
use crate::volume_plan::VolumePlan;
use fathom_doctor::{Ceiling, DoctorRequest, DoctorStep, HostDiagnosis};
use fathom_document::{ClientRecord, MountRecord};
use fathom_host::System;
use fathom_job::JobSpec;
use fathom_monitor::{CounterReading, CounterSource, WatchError, WatchRequest, Watched};
use fathom_run::{Leftover, NetworkProbe, Observer, RunOutcome};
use fathom_vocab::{IoEngine, PingTarget, Target};
use serde::{Deserialize, Serialize};

/// Jobs to run at once, with their options.
#[derive(Clone, Debug, Default)]
pub struct RunOrder {
    /// The jobs.
    pub jobs: Vec<JobSpec>,
    /// Options of all jobs, stored with the result.
    pub global_options: Vec<(String, Option<String>)>,
    /// A number that differs from run to run: it decides the offsets.
    pub entropy: u64,
    /// Sentences to store with the result.
    pub notes: Vec<String>,
    /// No file is made or made longer.
    pub readonly: bool,
    /// Their volume, whose counters are read before and after.
    pub volume: Option<Volume>,
    /// How many machines run them, if the machine is several; none means all of them.
    pub clients: Option<u32>,
    /// Whether the rates of the jobs are those of all machines together; each then has its share.
    pub shares_rate: bool,
    /// The round trips that are measured beside the jobs.
    pub network: NetworkProbe,
}

impl RunOrder {
    /// The round trips to measure: those to `target`, if one is named and any are measured.
    pub fn network_to(&self, target: Option<&PingTarget>) -> NetworkProbe {
        match target.filter(|_| self.network == NetworkProbe::Server) {
            Some(target) => NetworkProbe::Host(target.clone()),
            None => self.network.clone(),
        }
    }

    /// One job.
    pub fn of(job: JobSpec, entropy: u64) -> RunOrder {
        RunOrder { jobs: vec![job], entropy, ..RunOrder::default() }
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineRun {
    /// The result with its logs.
    pub outcome: RunOutcome,
    /// The counters of each machine during the run, as far as they can be read.
    pub observations: Vec<ClientObservation>,
}

impl MachineRun {
    /// The NFS mounts of the machine or of all machines that ran it.
    pub fn mounts(&self) -> Vec<MountRecord> {
        let of = |seen: &ClientObservation| {
            let counted = seen.observed.mount.clone()?;
            Some(MountRecord { client: seen.client.clone(), counted })
        };
        self.observations.iter().filter_map(of).collect()
    }
}

/// A machine that can be measured on.
pub trait Machine {
    /// The facts about its system.
    ///
    /// # Errors
    /// If it cannot be reached.
    fn system(&mut self) -> Result<System, MachineError>;

    /// Examines a target, without touching anything.
    ///
    /// # Errors
    /// If it cannot be measured.
    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError>;

    /// Creates the test file of a planned target, or holds the existing file or device, and claims
    /// a device to be written, so that all runs use the same one.
    ///
    /// # Errors
    /// If the file cannot be created, or the device is in use.
    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError>;

    /// Removes the test files and releases the other targets; returns the files that could not be
    /// removed.
    ///
    /// # Errors
    /// If the machine cannot be reached; its own end then removes them.
    fn release(&mut self) -> Result<Vec<Leftover>, MachineError>;

    /// How `jobs` reach their data.
    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess;

    /// Whether a run of `order` can begin, without touching anything. The next run of several
    /// machines then begins on all of them, or on none.
    ///
    /// # Errors
    /// Why it cannot.
    fn can_begin(&mut self, order: &RunOrder) -> Result<(), MachineError> {
        let _ = order;
        Ok(())
    }

    /// Runs jobs to their end, or until a requested stop.
    ///
    /// # Errors
    /// If nothing was started.
    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError>;

    /// Measures the rate that one core can drive with each of `engines`, at the given depth. It
    /// takes a third of a second, and must precede the first run: a volume that still writes back a
    /// run's data would disturb it.
    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling>;

    /// Returns what it can drive and what limits measuring; `told` receives the steps, if they are
    /// known here.
    ///
    /// # Errors
    /// If it cannot be examined.
    fn diagnose(
        &mut self,
        asked: &DoctorRequest,
        told: &mut dyn FnMut(DoctorStep),
    ) -> Result<Vec<HostDiagnosis>, MachineError> {
        let _ = (asked, told);
        Err(not_offered("be examined"))
    }

    /// Finds the counters for the I/O of paths, and watches them from now on.
    ///
    /// # Errors
    /// If a path leads to no counters.
    fn watch(&mut self, asked: &WatchRequest) -> Result<Vec<Watched>, MachineError> {
        let _ = asked;
        Err(not_offered("be watched"))
    }

    /// Reads the watched counters, in that order; none for a subject that is gone.
    ///
    /// # Errors
    /// If they cannot be read.
    fn counters(&mut self) -> Result<Vec<Option<CounterReading>>, MachineError> {
        Err(not_offered("be watched"))
    }

    /// Has the round trips that runs measure be those to this host.
    fn set_ping(&mut self, target: PingTarget) {
        let _ = target;
    }

    /// Whether a stop was requested.
    fn stopping(&mut self) -> bool;

    /// Whether fewer of several machines are left than must be.
    fn is_short(&self) -> bool {
        false
    }

    /// How many machines run each order at once: a case's jobs run on each of them.
    fn clients(&self) -> u32 {
        1
    }

    /// What is known so far of each of several machines.
    fn client_records(&self) -> Vec<ClientRecord> {
        Vec::new()
    }
}

/// Why a machine that only runs jobs does not do more.
fn not_offered(what: &'static str) -> MachineError {
    let message = text!("this machine cannot {what}; name another, or leave out --on");
    MachineError::new(MachineErrorKind::Target, message)
}

/// The counters of a machine that watches them.
impl CounterSource for Box<dyn Machine> {
    fn read(&mut self, _: &[Watched]) -> Result<Vec<Option<CounterReading>>, WatchError> {
        self.counters().map_err(|why| WatchError::Elsewhere(why.into()))
    }
}
