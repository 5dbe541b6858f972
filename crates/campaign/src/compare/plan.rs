//! The plan, decided before anything is touched, by the same guards as `measure`.
//!
//! In a round every phase runs on every volume before the next phase begins, in an order drawn at
//! random (`in_turns`). Slow drift, and a burst credit that runs out, then affect the first volume
//! as often early as late; a disturbance of a whole round cancels in its ratio. Rounds are
//! outermost, so that an interrupted comparison has whole rounds of all phases and not all rounds
//! of some.

use super::error::CompareError;
use super::request::{CompareRequest, ComparedPhase};
use super::schedule::RoundSchedule;
use crate::demand::Demand;
use crate::plan::in_turns;
use crate::volume_plan::{VolumePlan, plan_volumes};
use fathom_document::CaseTime;
use fathom_document::TrialId;
use fathom_document::Volume;

/// The plan of a comparison.
#[derive(Clone, Debug)]
pub struct ComparePlan {
    /// The volumes in the given order; the first is the reference.
    pub volumes: Vec<VolumePlan>,
    /// The phases, in order. On a volume that is only read those that write are left out.
    pub phases: Vec<ComparedPhase>,
    /// How often each phase runs on each volume, and when it is judged.
    pub schedule: RoundSchedule,
    /// The volumes that stand together on each side; empty where each stands for itself.
    pub sides: Vec<Vec<usize>>,
    /// Volumes are equal within so many percent.
    pub margin_percent: f64,
    /// No volume may be worse than the first by more than so many percent; none without a gate.
    pub fail_if_worse_percent: Option<f64>,
    /// How long each run takes.
    pub time: CaseTime,
    /// Decides the offsets.
    pub seed: u64,
}

impl ComparePlan {
    /// Plans from the facts about `volumes`, without touching anything.
    ///
    /// # Errors
    /// A [`CompareError`] if data could be destroyed or nothing can be compared.
    pub fn new(volumes: Vec<Volume>, asked: &CompareRequest) -> Result<ComparePlan, CompareError> {
        if volumes.len() < 2 {
            return Err(CompareError::OneVolume);
        }
        let (phases, schedule) = asked.phases()?;
        let mut demand = Demand::default();
        phases.iter().for_each(|phase| phase.case.add_to(&mut demand));
        let volumes = plan_volumes(&volumes, &demand, &asked.common)?;
        let writable = volumes.iter().filter(|volume| volume.writes).count();
        let Some(time) = phases.first().map(|phase| phase.case.time) else {
            return Err(CompareError::NothingInCommon);
        };
        if writable < 2 && phases.iter().all(|phase| phase.case.writes()) {
            return Err(CompareError::NothingInCommon);
        }
        let plan = ComparePlan {
            volumes,
            phases,
            schedule,
            sides: asked.sides.clone(),
            margin_percent: asked.margin_percent,
            fail_if_worse_percent: asked.fail_if_worse_percent,
            time,
            seed: asked.common.seed,
        };
        let idle = |at: &usize| !(0..plan.phases.len()).any(|phase| plan.runs_on(phase, *at));
        match (0..plan.volumes.len()).find(idle) {
            Some(at) => Err(CompareError::NothingOn { path: plan.volumes[at].volume.name.clone() }),
            None => Ok(plan),
        }
    }

    /// Whether a phase runs on a volume. One that could run on a single volume runs nowhere.
    pub fn runs_on(&self, phase: usize, volume: usize) -> bool {
        let writes = self.phases[phase].case.writes();
        let writable = self.volumes.iter().filter(|volume| volume.writes).count();
        !writes || (self.volumes[volume].writes && writable > 1)
    }

    /// Most rounds.
    pub fn rounds(&self) -> u32 {
        self.schedule.rounds()
    }

    /// Every run, in order, if none is decided early.
    pub fn steps(&self) -> Vec<TrialId> {
        let counts = (self.rounds(), self.phases.len(), self.volumes.len());
        in_turns(counts, self.seed, |phase, volume| self.runs_on(phase, volume))
    }

    /// Microseconds of one run, its ramp included.
    pub fn run_us(&self) -> u64 {
        self.time.total_us()
    }

    /// Microseconds that all runs take, filling not counted: the least if all is decided at the
    /// first look, and the most.
    pub fn runs_us(&self) -> [u64; 2] {
        let steps = self.steps();
        let first = steps.iter().filter(|step| step.round < self.schedule.least()).count();
        [first, steps.len()].map(|runs| runs as u64 * self.run_us())
    }

    /// Bytes written to all volumes before measuring.
    pub fn fill_bytes(&self) -> u64 {
        self.volumes.iter().map(VolumePlan::whole_fill_bytes).sum()
    }

    /// Microseconds in which a volume is written to at full speed; for a mix, its share of writes.
    pub fn writing_us(&self, volume: usize) -> u64 {
        let phases = (0..self.phases.len()).filter(|phase| self.runs_on(*phase, volume));
        let percent: u64 = phases.map(|phase| self.phases[phase].case.write_percent()).sum();
        self.run_us().saturating_mul(percent * u64::from(self.rounds())) / 100
    }
}
