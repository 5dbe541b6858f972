//! The plan of `measure`, decided before anything is touched: volumes, phases, rounds and times.

use crate::cases::{Case, UsualJob};
use crate::demand::Demand;
use crate::export_volume::export_of;
use crate::jobs::RefusedJob;
use crate::measuring_time::MeasuringTime;
use crate::refusal::{Refusal, SHORTEST_PHASE_US};
use crate::volume_plan::{CommonOptions, VolumePlan, plan_volumes};
use fathom_document::{CaseTime, Phase, Suite, SuiteOptions, TrialId, Volume};
use fathom_vocab::{IoEngine, NCONNECT_MAX, SplitMix};

/// The options of a caller.
#[derive(Clone, Debug, Default)]
pub struct MeasureOptions {
    /// The phases.
    pub suite: SuiteOptions,
    /// How often each phase runs on each volume; none is once.
    pub rounds: Option<u32>,
    /// Size, time, data safety, chance.
    pub common: CommonOptions,
}

impl MeasureOptions {
    /// How long each of `runs` runs takes.
    pub(crate) fn run_us(&self, runs: u64) -> u64 {
        self.common.time.unwrap_or(MeasuringTime::PerVolume(30_000_000)).run_us(runs)
    }
}

/// The plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The volumes, in the given order.
    pub volumes: Vec<VolumePlan>,
    /// The phases of a volume that is written to; others leave the writes out.
    pub suite: Suite,
    /// How often each phase runs on each volume.
    pub rounds: u32,
    /// Measured time of one run of a phase, in microseconds.
    pub phase_us: u64,
    /// Time before it that is not counted, in microseconds.
    pub ramp_us: u64,
    /// The requested engine.
    pub engine: Option<IoEngine>,
    /// Block size of the access trial, in bytes.
    pub trial_block_bytes: u64,
    /// As in [`CommonOptions::seed`].
    pub seed: u64,
}

impl Plan {
    /// Plans from the facts about `volumes`, without touching anything.
    ///
    /// # Errors
    /// A [`Refusal`] if the measurement could destroy data or cannot be carried out.
    pub fn new(volumes: Vec<Volume>, options: &MeasureOptions) -> Result<Plan, Refusal> {
        let suite = Suite::new(&options.suite);
        let suite = match more_connections(&volumes) {
            Some(count) => suite.with_connections(count),
            None => suite,
        };
        let plans = plan_volumes(&volumes, &Demand::of_suite(&suite), &options.common)?;
        if let Some(plan) = plans.iter().find(|plan| phases_of(&suite, plan).next().is_none()) {
            let path = plan.volume.name.clone();
            return Err(match options.common.read_only {
                true => Refusal::NoPhaseToRead { path },
                false => Refusal::NoPhase { path },
            });
        }
        let most = plans.iter().map(|plan| phases_of(&suite, plan).count()).max().unwrap_or(0);
        let rounds = options.rounds.unwrap_or(1);
        let phase_us = options.run_us(most as u64 * u64::from(rounds));
        if phase_us < SHORTEST_PHASE_US {
            return Err(Refusal::TooShort { phase_ms: phase_us / 1000, phases: most, rounds });
        }
        let ramp_us = CaseTime::of(phase_us).ramp_us;
        Ok(Plan {
            volumes: plans,
            rounds,
            phase_us,
            ramp_us,
            engine: options.common.engine,
            trial_block_bytes: options.suite.small_block_bytes,
            seed: options.common.seed,
            suite,
        })
    }

    /// Every run, in order: all volumes run a phase before the next phase begins, and every phase
    /// runs in a round before the next round begins, so that changes in time affect all of them
    /// alike. The number of a case is that of its phase in the suite.
    pub fn steps(&self) -> Vec<TrialId> {
        let (phases, volumes) = (&self.suite.phases, &self.volumes);
        in_turns((self.rounds, phases.len(), volumes.len()), self.seed, |case, at| {
            volumes[at].writes || !phases[case].writes()
        })
    }

    /// The phases as cases.
    ///
    /// # Errors
    /// If the job table does not take an option.
    pub(crate) fn cases(&self) -> Result<Vec<Case>, RefusedJob> {
        let time = CaseTime { run_us: self.phase_us, ramp_us: self.ramp_us };
        let case = |(index, phase): (usize, &Phase)| {
            let job = UsualJob {
                rw: phase.rw().to_owned(),
                block_bytes: phase.block_bytes,
                depth: phase.depth,
                jobs: phase.jobs,
            };
            let mut case = job.case(index, self.engine, time)?.named(&phase.name);
            case.nconnect = phase.nconnect;
            Ok(case)
        };
        self.suite.phases.iter().enumerate().map(case).collect()
    }

    /// The phases that run on a volume.
    pub fn phases_on(&self, at: usize) -> impl Iterator<Item = &Phase> {
        phases_of(&self.suite, &self.volumes[at])
    }

    /// Microseconds that all runs take, ramps included, filling not.
    pub fn total_us(&self) -> u64 {
        self.steps().len() as u64 * (self.phase_us + self.ramp_us)
    }

    /// Bytes written to all volumes before measuring.
    pub fn fill_bytes(&self) -> u64 {
        self.volumes.iter().map(VolumePlan::whole_fill_bytes).sum()
    }

    /// Microseconds in which a volume is written to at full speed.
    pub fn writing_us(&self, at: usize) -> u64 {
        let writing = self.phases_on(at).filter(|phase| phase.writes()).count() as u64;
        writing * u64::from(self.rounds) * (self.phase_us + self.ramp_us)
    }
}

/// The runs of so many rounds, cases and volumes, where a case `runs_on` a volume: in a round every
/// case runs on all volumes before the next. Of several rounds the order of volumes is drawn at
/// random for each case, and every other round takes it backwards, so that a steady drift cancels
/// in pairs of rounds; the first round has the cases in their own order, all others in one drawn at
/// random.
pub(crate) fn in_turns(
    (rounds, cases, volumes): (u32, usize, usize),
    seed: u64,
    runs_on: impl Fn(usize, usize) -> bool,
) -> Vec<TrialId> {
    let mut chance = SplitMix::of(seed, &[ORDER_STREAM]);
    let mut case_order: Vec<usize> = (0..cases).collect();
    let mut volume_orders: Vec<Vec<usize>> = vec![(0..volumes).collect(); cases];
    let mut turns = Vec::new();
    for round in 0..rounds {
        if round > 0 {
            chance.shuffle(&mut case_order);
        }
        for case in case_order.iter().copied() {
            let order = &mut volume_orders[case];
            match round % 2 {
                1 => order.reverse(),
                _ if rounds > 1 => chance.shuffle(order),
                _ => {}
            }
            let those = order.iter().copied().filter(|at| runs_on(case, *at));
            turns.extend(those.map(|target| TrialId { round, case, target }));
        }
    }
    turns
}

/// Tells the random order of runs from all else that a seed decides.
const ORDER_STREAM: u64 = 0x6f72_6465_7200;

/// How many times the connections that a target has show whether those are the limit.
const MORE_CONNECTIONS: u32 = 4;

/// Over how many connections a phase is run once more, where all of `volumes` are exports.
fn more_connections(volumes: &[Volume]) -> Option<u32> {
    let count =
        |volume: &Volume| export_of(volume).map(|export| export.arguments.nconnect.unwrap_or(1));
    let counts: Option<Vec<u32>> = volumes.iter().map(count).collect();
    let most = counts?.into_iter().max()?;
    let more = most.saturating_mul(MORE_CONNECTIONS).min(NCONNECT_MAX);
    (more > most).then_some(more)
}

fn phases_of<'s>(suite: &'s Suite, plan: &VolumePlan) -> impl Iterator<Item = &'s Phase> {
    let writes = plan.writes;
    suite.phases.iter().filter(move |phase| writes || !phase.writes())
}

/// Where on its one volume `cases` are carried out.
///
/// # Errors
/// As of [`plan_volumes`].
pub(crate) fn plan_place<'c>(
    volume: Volume,
    cases: impl IntoIterator<Item = &'c Case>,
    options: &CommonOptions,
) -> Result<VolumePlan, Refusal> {
    let mut demand = Demand::default();
    cases.into_iter().for_each(|case| case.add_to(&mut demand));
    let mut places = plan_volumes(&[volume], &demand, options)?;
    Ok(places.pop().expect("a plan for each volume"))
}
