//! The doctor's work on one machine, and its order.
//!
//! Decided here: if none of the targets can be examined, nothing is measured: whoever misspelt a
//! path should not wait to read so. Else other load is measured first, while Fathom itself is idle.
//! Then engines are tried and ceilings measured on scratch files that are removed at once, and
//! finally each target is examined.

use super::Machine;
use super::ceiling::{ceiling_cases, measure_ceiling, try_engine};
use super::scratch::{Scratch, ScratchFolders};
use crate::target_error::TargetError;
use crate::testfile::TestFiles;
use crate::volume::{TargetKind, Volume, examine_volume};
use crate::volume_plan::folder_of;
use fathom_doctor::{
    Ceiling, ClockFacts, Diagnosis, DirectFacts, DoctorRequest, DoctorStep, EngineTrial, HostFacts,
    HostLoad, TargetDiagnosis, TargetFacts, TimerFacts,
};
use fathom_host::Host;
use fathom_text::Text;
use fathom_vocab::{IoEngine, Target};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time for measuring other load, and a shorter one for a quick look.
const LISTEN: Duration = Duration::from_secs(1);
const LISTEN_QUICK: Duration = Duration::from_millis(250);
/// How long a ceiling is measured.
const CEILING: Duration = Duration::from_secs(1);

/// Facts that need a trial on the machine itself.
pub trait HostProbe: fmt::Debug + Send {
    /// The clock used for measuring, and the cost of a reading.
    fn clock(&self) -> ClockFacts;

    /// How long short waits take.
    fn timer(&self) -> TimerFacts;

    /// Other load on the processors `allowed`, over `span`.
    fn load(&self, host: &Host, allowed: &[u32], span: Duration) -> HostLoad;

    /// Whether a target takes direct I/O.
    fn direct(&self, volume: &Volume, files: &TestFiles) -> DirectFacts;

    /// A sentence on files that earlier runs left under a path.
    fn stale_files(&self, path: &Path) -> Option<Text>;
}

/// The doctor's sources of facts.
#[derive(Debug)]
pub(crate) struct Examination<'a> {
    pub(crate) asked: &'a DoctorRequest,
    pub(crate) host: &'a Host,
    pub(crate) files: &'a TestFiles,
    pub(crate) folders: &'a ScratchFolders,
    pub(crate) probe: &'a dyn HostProbe,
}

impl Examination<'_> {
    /// # Errors
    /// If there are targets, and none of them can be examined: why the first cannot.
    pub(crate) fn check_targets(&self) -> Result<(), TargetError> {
        let mut why = Ok(());
        for target in &self.asked.paths {
            match self.volume(target) {
                Ok(_) => return Ok(()),
                Err(error) => why = why.and(Err(error)),
            }
        }
        why
    }

    fn volume(&self, target: &Target) -> Result<Volume, TargetError> {
        examine_volume(self.host, target).and_then(existing)
    }

    /// Examines `machine`, the local one, and reports its steps.
    pub(crate) fn diagnosis(
        &self,
        machine: &mut dyn Machine,
        told: &mut dyn FnMut(DoctorStep),
    ) -> Diagnosis {
        let mut facts = HostFacts::gather(self.host);
        told(DoctorStep::Listening);
        let span = if self.asked.is_quick { LISTEN_QUICK } else { LISTEN };
        facts.load = self.probe.load(self.host, &facts.allowed_cpus, span);
        facts.clock = self.probe.clock();
        facts.timer = Some(self.probe.timer());
        let paths = self.asked.paths.iter().filter_map(Target::path).map(Path::to_owned);
        let paths: Vec<PathBuf> = paths.collect();
        let (scratch, guards) = self.folders.make(self.host, self.files, &paths);
        match IoEngine::Windowsaio.is_here() {
            true => facts.windowsaio = Some(trial(IoEngine::Windowsaio, &scratch, machine)),
            false => {
                facts.io_uring = trial(IoEngine::IoUring, &scratch, machine);
                facts.libaio = trial(IoEngine::Libaio, &scratch, machine);
            }
        }
        let ceilings = match self.asked.is_quick {
            true => Vec::new(),
            false => ceilings(&facts, &scratch, machine, told),
        };
        drop(guards);
        let targets = if machine.stopping() { &[] } else { self.asked.paths.as_slice() };
        let targets = targets.iter().map(|of| self.target(of)).collect();
        Diagnosis::new(facts, ceilings, targets, self.asked.taken_ms)
    }

    fn target(&self, target: &Target) -> TargetDiagnosis {
        let facts = self.volume(target).map(|volume| {
            let direct = self.probe.direct(&volume, self.files);
            TargetFacts::gather(self.host, volume, Some(direct))
        });
        let stale = target.path().and_then(|path| self.probe.stale_files(path));
        TargetDiagnosis::new(&target.to_string(), facts).with_stale_files(stale)
    }
}

/// A misspelt path must not pass for a volume that was examined.
fn existing(volume: Volume) -> Result<Volume, TargetError> {
    match volume.kind {
        TargetKind::NewFile => Err(TargetError::Absent {
            folder: volume.target.path().map(folder_of).unwrap_or_default(),
            path: volume.name,
        }),
        _ => Ok(volume),
    }
}

fn trial(engine: IoEngine, scratch: &Scratch, machine: &mut dyn Machine) -> EngineTrial {
    EngineTrial {
        tried: scratch.page_cache.is_some(),
        refused: scratch.page_cache.as_ref().and_then(|_| try_engine(engine, scratch, machine)),
    }
}

fn ceilings(
    facts: &HostFacts,
    scratch: &Scratch,
    machine: &mut dyn Machine,
    told: &mut dyn FnMut(DoctorStep),
) -> Vec<Ceiling> {
    let mut ceilings = Vec::new();
    for case in ceiling_cases(facts.usable_cpus()) {
        if machine.stopping() {
            break;
        }
        told(DoctorStep::Measuring(case.clone()));
        ceilings.push(measure_ceiling(&case, scratch, CEILING, machine));
    }
    ceilings
}
