//! The plan: the runs, their target, their time. It is decided before anything is touched, by the
//! same guards as `measure`: data that is not ours is only read unless its path was named.

use super::error::CheckError;
use super::load::{case_of, loads};
use crate::cases::{Case, PreparedTarget, Runner};
use crate::compare::RoundSchedule;
use crate::machine::{Machine, MachineError};
use crate::measuring_time::MeasuringTime;
use crate::plan::plan_place;
use crate::volume_plan::{CommonOptions, VolumePlan};
use fathom_document::CaseTime;
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
    /// For how many microseconds loads that are undecided are run again; by default for as long as
    /// all runs take.
    pub until_decided_us: Option<u64>,
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
    /// For how many microseconds loads that are undecided are run again.
    pub until_decided_us: u64,
    /// Processors that may be used.
    pub cpus: u32,
    /// Decides the offsets of each run.
    pub seed: u64,
}

/// How often loads are judged at most. Each look has its part of the probability of error.
const LOOKS: u32 = 3;

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
        let all_us = steps.len() as u64 * time.total_us();
        Ok(CheckPlan {
            bursts: notices(&asked.basis, &kept.iter().collect::<Vec<_>>(), time.run_us),
            basis: asked.basis.clone(),
            left_out: left_out.into_iter().map(|step| step.load).collect(),
            volume,
            steps,
            time,
            until_decided_us: asked.until_decided_us.unwrap_or(all_us),
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

    /// When its loads are judged: after their first runs, and after those that were made again.
    pub(super) fn schedule() -> RoundSchedule {
        RoundSchedule::of_looks(LOOKS)
    }

    /// A run that takes so long in all; none where it would be shorter than a first run, and tell
    /// less.
    pub(super) fn time_again(&self, total_us: u64) -> Option<CaseTime> {
        Some(CaseTime::within(total_us)).filter(|time| time.run_us >= self.time.run_us)
    }

    /// The cases, of which those with these numbers take another time.
    pub(super) fn cases_again(&self, again: &[usize], time: CaseTime) -> Vec<Case> {
        let case = |step: &CheckStep| match again.contains(&step.case.index) {
            true => {
                case_of(&step.load, step.case.index, time).unwrap_or_else(|_| step.case.clone())
            }
            false => step.case.clone(),
        };
        self.steps.iter().map(case).collect()
    }

    /// Microseconds that all runs take, filling not counted: the least, if each decides its load,
    /// and the most.
    pub fn runs_us(&self) -> [u64; 2] {
        let first_us = self.steps.len() as u64 * self.time.total_us();
        let again_us = match self.time_again(self.until_decided_us) {
            Some(_) => self.until_decided_us,
            None => 0,
        };
        [first_us, first_us + again_us]
    }

    /// Microseconds in which the volume is written to at full speed, at most.
    pub fn writing_us(&self) -> u64 {
        let writing = self.steps.iter().filter(|step| step.case.writes()).count() as u64;
        let [first_us, most_us] = self.runs_us();
        self.time.total_us() * writing + if writing > 0 { most_us - first_us } else { 0 }
    }

    /// The most bytes that are written after filling if the volume gives exactly what is promised:
    /// a faster volume receives more writes.
    pub fn written_bytes(&self) -> u64 {
        let [first_us, most_us] = self.runs_us();
        let writing = self.steps.iter().filter(|step| step.case.writes());
        let rates = writing.filter_map(|step| {
            let promised = step.load.promised;
            promised.burst.or(promised.rate).map(|reach| reach.bytes_per_s)
        });
        let rates: Vec<f64> = rates.collect();
        let first = rates.iter().sum::<f64>() * self.time.total_us() as f64;
        let again = rates.into_iter().fold(0.0, f64::max) * (most_us - first_us) as f64;
        ((first + again) / 1e6) as u64
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
