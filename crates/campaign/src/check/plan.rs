//! The plan: the runs, their target, their time. It is decided before anything is touched, by the
//! same guards as `measure`: data that is not ours is only read unless its path was named.

use super::error::CheckError;
use super::load::{case_of, loads};
use crate::cases::{Case, PreparedTarget, Runner};
use crate::machine::{Machine, MachineError};
use crate::measuring_time::MeasuringTime;
use crate::plan::plan_place;
use crate::volume_plan::{CommonOptions, VolumePlan};
use fathom_document::CaseTime;
use fathom_document::TrialId;
use fathom_document::Volume;
use fathom_document::check::CheckBasis;
use fathom_document::check::CheckLoad;
use fathom_document::check::{BurstNotice, notices};
use fathom_document::check::{CHECK_SCHEMA, CheckDocument, Standing};
use fathom_document::{Head, Provenance};

/// The options of a caller.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The limits of the volume.
    pub basis: CheckBasis,
    /// Processors that may be used.
    pub cpus: u32,
    /// Size, time, data safety, chance.
    pub common: CommonOptions,
}

/// The time of the runs if none is given.
const USUAL_TIME: MeasuringTime = MeasuringTime::PerRun(30_000_000);

/// A run that will be made.
#[derive(Clone, Debug)]
pub struct CheckStep {
    /// Its load.
    pub load: CheckLoad,
    /// Its job.
    pub case: Case,
}

/// The plan of a check.
#[derive(Clone, Debug)]
pub struct CheckPlan {
    /// The limits of the volume.
    pub basis: CheckBasis,
    /// The volume.
    pub volume: VolumePlan,
    /// The runs, in their order.
    pub steps: Vec<CheckStep>,
    /// Runs that are left out because they would write to a read-only target.
    pub left_out: Vec<CheckLoad>,
    /// Bursts that outlast a run.
    pub bursts: Vec<BurstNotice>,
    /// How long each run takes.
    pub time: CaseTime,
    /// Processors that may be used.
    pub cpus: u32,
    /// Decides the offsets of each run.
    pub seed: u64,
}

/// Two whole seconds: less has no share of seconds.
const SHORTEST_US: u64 = 2_000_000;

impl CheckPlan {
    /// Plans from the facts about `volume`, without touching anything.
    ///
    /// # Errors
    /// A [`CheckError`] if nothing is promised, or the target cannot be used.
    pub fn new(asked: &CheckRequest, volume: Volume) -> Result<CheckPlan, CheckError> {
        let loads = loads(&asked.basis, asked.cpus);
        if loads.is_empty() {
            return Err(CheckError::NothingPromised { what: asked.basis.name().to_owned() });
        }
        let cases = steps(&loads, CaseTime::of(SHORTEST_US))?;
        let volume = plan_place(volume, cases.iter().map(|step| &step.case), &asked.common)?;
        let may = |step: &CheckStep| volume.writes || !step.case.writes();
        let (run, left_out): (Vec<CheckStep>, Vec<CheckStep>) = cases.into_iter().partition(may);
        if run.is_empty() {
            return Err(CheckError::NothingToRead { path: volume.volume.name });
        }
        let time = time_of(asked.common.time.unwrap_or(USUAL_TIME), run.len())?;
        let kept: Vec<CheckLoad> = run.into_iter().map(|step| step.load).collect();
        let steps = steps(&kept, time)?;
        Ok(CheckPlan {
            bursts: notices(&asked.basis, &kept.iter().collect::<Vec<_>>(), time.run_us),
            basis: asked.basis.clone(),
            left_out: left_out.into_iter().map(|step| step.load).collect(),
            volume,
            steps,
            time,
            cpus: asked.cpus,
            seed: asked.common.seed,
        })
    }

    /// Its document on a `target` that is ready, before anything has run.
    pub(super) fn document(&self, target: &PreparedTarget, from: Provenance) -> CheckDocument {
        let caveats = self.basis.promise().map(|promise| promise.caveats.as_slice());
        CheckDocument {
            head: Head::new("fathom-check", CHECK_SCHEMA, &from),
            seed: self.seed,
            setup: target.setup(from.host),
            basis: self.basis.clone(),
            caveats: self
                .basis
                .other_size()
                .into_iter()
                .map(|said| said.to_string())
                .chain(caveats.unwrap_or_default().iter().map(ToString::to_string))
                .collect(),
            bursts: self.bursts.clone(),
            time: self.time,
            planned: self.steps.len(),
            left_out: self.left_out.clone(),
            runs: Vec::new(),
            standing: Standing::CouldNotTell,
            gate: None,
            stopped: false,
            failure: None,
        }
    }

    /// Makes the target ready.
    ///
    /// # Errors
    /// If the test file cannot be made or no engine works.
    pub fn begin(&self, machine: &mut dyn Machine) -> Result<Runner, MachineError> {
        Runner::begin_one(&self.volume, self.cases(), self.seed, machine)
    }

    /// The cases of its runs.
    pub fn cases(&self) -> Vec<Case> {
        self.steps.iter().map(|step| step.case.clone()).collect()
    }

    /// Every run once.
    pub fn trials(&self) -> Vec<TrialId> {
        let trial = |step: &CheckStep| TrialId { round: 0, case: step.case.index, target: 0 };
        self.steps.iter().map(trial).collect()
    }

    /// Microseconds of one run, its ramp included.
    pub fn turn_us(&self) -> u64 {
        self.time.total_us()
    }

    /// Microseconds in which the volume is written to at full speed.
    pub fn writing_us(&self) -> u64 {
        self.turn_us() * self.steps.iter().filter(|step| step.case.writes()).count() as u64
    }

    /// The most bytes that are written after filling if the volume gives exactly what is promised:
    /// a faster volume receives more writes.
    pub fn written_bytes(&self) -> u64 {
        let seconds = self.turn_us() as f64 / 1e6;
        let writing = self.steps.iter().filter(|step| step.case.writes());
        let rates = writing.filter_map(|step| {
            let promised = step.load.promised;
            promised.burst.or(promised.rate).map(|reach| reach.bytes_per_s)
        });
        (rates.sum::<f64>() * seconds) as u64
    }

    /// The command that repeats a run; the engine is the first choice.
    pub fn command_of(&self, step: &CheckStep) -> String {
        PreparedTarget::command_of(&step.case, &self.volume)
    }
}

fn steps(loads: &[CheckLoad], time: CaseTime) -> Result<Vec<CheckStep>, CheckError> {
    let step = |(index, load): (usize, &CheckLoad)| {
        let case = case_of(load, index, time);
        let case = case.map_err(|why| CheckError::NoJob { load: load.title(), why })?;
        Ok(CheckStep { load: load.clone(), case })
    };
    loads.iter().enumerate().map(step).collect()
}

/// How long each of `runs` runs takes.
fn time_of(time: MeasuringTime, runs: usize) -> Result<CaseTime, CheckError> {
    match time.run_us(runs as u64) {
        short if short < SHORTEST_US => Err(CheckError::TooShort { time_ms: short / 1000 }),
        run_us => Ok(CaseTime::of(run_us)),
    }
}
