//! This machine, in this process.

use super::ceiling::measure_ceilings;
use super::examination::{Examination, HostProbe};
use super::{
    DataAccess, Machine, MachineError, MachineErrorKind, MachineRun, RunOrder, ScratchFolders,
};
use crate::data_access::data_access;
use crate::testfile::{ExportedFile, TestFile, TestFiles};
use crate::verdicts::{ClientObservation, HostWatch};
use crate::volume::{Volume, examine_volume};
use crate::volume_plan::VolumePlan;
use fathom_doctor::{Ceiling, DoctorRequest, DoctorStep, HostDiagnosis};
use fathom_host::{Host, System};
use fathom_job::JobSpec;
use fathom_monitor::{
    CounterReading, CounterSource, HostCounters, WatchError, WatchRequest, Watched, resolve,
};
use fathom_run::{Control, Leftover, Observer, RunOptions};
use fathom_text::{Text, text};
use fathom_vocab::{IoEngine, PingTarget, Target};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The interval of live snapshots.
const LIVE_INTERVAL: Duration = Duration::from_millis(250);

/// Runs jobs in this process.
#[derive(Debug)]
pub struct LocalMachine {
    host: Host,
    control: Arc<Control>,
    held: HeldTargets,
    scratch: ScratchFolders,
    probe: Option<Box<dyn HostProbe>>,
    watched: Vec<Watched>,
    counters: HostCounters,
    ping: Option<PingTarget>,
}

/// The targets that a machine holds: test files with the guards that remove them, and existing
/// files and devices.
#[derive(Debug, Default)]
pub struct HeldTargets {
    files: TestFiles,
    guards: Vec<TestFile>,
    exported: Vec<ExportedFile>,
    folders: Vec<PathBuf>,
}

impl HeldTargets {
    /// No targets yet; sharers of `files` can remove them in an emergency.
    pub fn new(files: TestFiles) -> HeldTargets {
        HeldTargets { files, ..HeldTargets::default() }
    }

    /// Creates the test file of a planned target, or holds the existing file.
    ///
    /// # Errors
    /// As of [`Machine::claim`].
    pub fn claim(&mut self, plan: &VolumePlan, host: &Host) -> Result<(), MachineError> {
        if let Some(export) = plan.export.as_ref().filter(|_| plan.ours) {
            let made = self.files.create_exported(export, &plan.path);
            self.exported.push(made.map_err(|error| cannot_make(plan, &error))?);
            return Ok(());
        }
        if plan.export.is_some() {
            return Ok(());
        }
        if !plan.ours {
            let held = self.files.hold(plan, host);
            return held.map_err(|why| MachineError::new(MachineErrorKind::InUse, Text::of(why)));
        }
        let guard = self.files.create(&plan.path).map_err(|error| cannot_make(plan, &error))?;
        self.folders.extend(plan.volume.target.path().map(Path::to_owned));
        self.guards.push(guard);
        Ok(())
    }

    /// How `jobs` reach their data; test files are looked at by their handles.
    pub fn data_access(&self, jobs: &[JobSpec]) -> DataAccess {
        data_access(jobs, &self.files.pins())
    }

    /// Removes the test files and releases the other targets; returns the files that could not be
    /// removed.
    pub fn release(&mut self) -> Vec<Leftover> {
        self.guards.clear();
        self.exported.clear();
        self.folders.clear();
        self.files.take_leftovers()
    }
}

fn of_watch(why: WatchError) -> MachineError {
    MachineError::new(MachineErrorKind::Target, Text::of(why))
}

fn cannot_make(plan: &VolumePlan, error: &io::Error) -> MachineError {
    let name = &plan.volume.name;
    let message = match error.kind() {
        io::ErrorKind::PermissionDenied => text!(
            "cannot make a test file on {name}: {error}; run as a user who may write there, or \
             name a file that is there to only read it"
        ),
        io::ErrorKind::ReadOnlyFilesystem => text!(
            "cannot make a test file on {name}: {error}; name a file that is there, which is only \
             read"
        ),
        _ => text!("cannot make a test file on {name}: {error}"),
    };
    MachineError::new(MachineErrorKind::TestFile, message)
}

impl LocalMachine {
    /// This machine; it stops when `control` says so, and sharers of `files` can remove its test
    /// files in an emergency.
    pub fn new(
        host: Host,
        control: Arc<Control>,
        files: &TestFiles,
        scratch: ScratchFolders,
    ) -> LocalMachine {
        LocalMachine {
            counters: HostCounters::begin(host.clone()),
            host,
            control,
            held: HeldTargets::new(files.clone()),
            scratch,
            probe: None,
            watched: Vec::new(),
            ping: None,
        }
    }

    /// The same with a probe for the doctor's trials.
    #[must_use]
    pub fn with_probe(self, probe: Box<dyn HostProbe>) -> LocalMachine {
        LocalMachine { probe: Some(probe), ..self }
    }

    fn options(&self, order: &RunOrder) -> RunOptions {
        RunOptions {
            global_options: order.global_options.clone(),
            live_interval: LIVE_INTERVAL,
            status_interval: None,
            entropy: order.entropy,
            notes: order.notes.clone(),
            readonly: order.readonly,
            jobs_fail_alone: false,
            traces_io: false,
            network: order.network_to(self.ping.as_ref()),
        }
    }
}

impl Machine for LocalMachine {
    fn system(&mut self) -> Result<System, MachineError> {
        Ok(self.host.system())
    }

    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError> {
        examine_volume(&self.host, target)
            .map_err(|why| MachineError::new(MachineErrorKind::Target, Text::of(why)))
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        self.held.claim(plan, &self.host)
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        Ok(self.held.release())
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        self.held.data_access(jobs)
    }

    fn can_begin(&mut self, order: &RunOrder) -> Result<(), MachineError> {
        let (options, pins) = (self.options(order), self.held.files.pins());
        fathom_run::can_begin(&order.jobs, &options, &self.host, &pins)
            .map_err(MachineError::of_run)
    }

    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError> {
        let (options, pins) = (self.options(order), self.held.files.pins());
        let watch = HostWatch::begin(self.host.clone(), order.volume.as_ref());
        let done =
            fathom_run::execute(&order.jobs, &options, &self.host, &pins, &self.control, observer);
        let observations = vec![ClientObservation { client: None, observed: watch.end() }];
        let outcome = done.map_err(MachineError::of_run)?;
        Ok(MachineRun { outcome, observations })
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        let (host, files) = (&self.host, &self.held.files);
        let (scratch, guards) = self.scratch.make(host, files, &self.held.folders);
        let ceilings = measure_ceilings(engines, &scratch, self);
        // This drops their pages from the page cache, so that nothing is written back during a run.
        drop(guards);
        ceilings
    }

    fn diagnose(
        &mut self,
        asked: &DoctorRequest,
        told: &mut dyn FnMut(DoctorStep),
    ) -> Result<Vec<HostDiagnosis>, MachineError> {
        let cannot = |why: Text| MachineError::new(MachineErrorKind::Target, why);
        self.host.mounts().map_err(|why| cannot(Text::of(why)))?;
        let probe = self.probe.take();
        let probe = probe.ok_or_else(|| cannot("nothing here examines machines".into()))?;
        let (host, files) = (self.host.clone(), self.held.files.clone());
        let folders = self.scratch.clone();
        let examination = Examination {
            asked,
            host: &host,
            files: &files,
            folders: &folders,
            probe: probe.as_ref(),
        };
        let checked = examination.check_targets();
        let diagnosed = checked.map(|()| examination.diagnosis(self, told));
        self.probe = Some(probe);
        let diagnosis = diagnosed.map_err(|why| cannot(Text::of(why)))?;
        Ok(vec![HostDiagnosis { host: None, diagnosis }])
    }

    fn watch(&mut self, asked: &WatchRequest) -> Result<Vec<Watched>, MachineError> {
        let watched = resolve(&self.host, &asked.paths, asked.partitions).map_err(of_watch)?;
        self.watched.clone_from(&watched);
        Ok(watched)
    }

    fn counters(&mut self) -> Result<Vec<Option<CounterReading>>, MachineError> {
        self.counters.read(&self.watched).map_err(of_watch)
    }

    fn set_ping(&mut self, target: PingTarget) {
        self.ping = Some(target);
    }

    fn stopping(&mut self) -> bool {
        self.control.stopping()
    }
}
