//! The plan, decided before anything is touched, by the same guards as `measure`.
//!
//! The order is ABBA: in a round every phase runs on every volume before the next phase begins, and
//! every other round takes the volumes backwards. Slow drift, and a burst credit that runs out,
//! then affect the first volume as often early as late; a disturbance of a whole round cancels in
//! its ratio. Rounds are outermost, so that an interrupted comparison has whole rounds of all
//! phases and not all rounds of some.

use super::error::CompareError;
use super::request::{CompareRequest, ComparedPhase};
use crate::demand::Demand;
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
    /// How often each phase runs on each volume.
    pub rounds: u32,
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
        let phases = asked.phases()?;
        let mut demand = Demand::default();
        phases.iter().for_each(|phase| phase.case.add_to(&mut demand));
        let volumes = plan_volumes(&volumes, &demand, &asked.common)?;
        let writable = volumes.iter().filter(|volume| volume.writes).count();
        let (rounds, seed) = (asked.rounds, asked.common.seed);
        let Some(time) = phases.first().map(|phase| phase.case.time) else {
            return Err(CompareError::NothingInCommon);
        };
        if writable < 2 && phases.iter().all(|phase| phase.case.writes()) {
            return Err(CompareError::NothingInCommon);
        }
        let plan = ComparePlan { volumes, phases, rounds, time, seed };
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

    /// Every run, in order.
    pub fn steps(&self) -> Vec<TrialId> {
        let mut steps = Vec::new();
        for round in 0..self.rounds {
            for phase in 0..self.phases.len() {
                let mut order: Vec<usize> = (0..self.volumes.len()).collect();
                if round % 2 == 1 {
                    order.reverse();
                }
                let those = order.into_iter().filter(|volume| self.runs_on(phase, *volume));
                steps.extend(those.map(|target| TrialId { round, case: phase, target }));
            }
        }
        steps
    }

    /// Microseconds of one run, its ramp included.
    pub fn run_us(&self) -> u64 {
        self.time.total_us()
    }

    /// Microseconds that all runs take, filling not counted.
    pub fn total_us(&self) -> u64 {
        self.steps().len() as u64 * self.run_us()
    }

    /// Bytes written to all volumes before measuring.
    pub fn fill_bytes(&self) -> u64 {
        self.volumes.iter().map(|volume| volume.fill_bytes).sum()
    }

    /// Microseconds in which a volume is written to at full speed; for a mix, its share of writes.
    pub fn writing_us(&self, volume: usize) -> u64 {
        let phases = (0..self.phases.len()).filter(|phase| self.runs_on(*phase, volume));
        let percent: u64 = phases.map(|phase| self.phases[phase].case.write_percent()).sum();
        self.run_us().saturating_mul(percent * u64::from(self.rounds)) / 100
    }
}
