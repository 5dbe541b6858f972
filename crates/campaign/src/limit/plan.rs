//! The plan: the request, the target, and the maximum time.
//!
//! Decided before anything is touched, by the same guards as `measure`: data that is not ours is
//! only read unless its path was named.

use super::error::LimitError;
use crate::cases::{CachePolicy, Case, Reach};
use crate::jobs::RefusedJob;
use crate::plan::plan_place;
use crate::volume_plan::{CommonOptions, VolumePlan};
use fathom_document::limit::{
    Arrivals, CriterionMeasure, Effort, LatencyGoal, LimitPattern, LoadLevel, long_enough_us,
    short_steps, subject,
};
use fathom_document::{CaseTime, Setting, Volume, short_bytes};
use fathom_message::Message;
use fathom_vocab::Direction;

/// The options of a caller.
#[derive(Clone, Debug)]
pub struct LimitRequest {
    /// The latency limits.
    pub target: LatencyGoal,
    /// The pattern of the I/Os.
    pub pattern: LimitPattern,
    /// Bytes of each.
    pub block_bytes: u64,
    /// I/Os in flight at most; none means chosen by their size.
    pub depth: Option<u32>,
    /// When I/Os are due.
    pub arrivals: Arrivals,
    /// How far to go.
    pub effort: Effort,
    /// For how many microseconds in all steps beyond those may be taken.
    pub until_decided_us: Option<u64>,
    /// The time of a step without any follows from the target.
    pub common: CommonOptions,
}

/// The plan of a search.
#[derive(Clone, Debug)]
pub struct LimitPlan {
    /// The request.
    pub asked: LimitRequest,
    /// The volume.
    pub volume: VolumePlan,
    /// I/Os in flight at most.
    pub depth: u32,
    /// How long a step runs.
    pub time: CaseTime,
}

/// The default time of a step: long enough for caches and queues of most volumes to show.
const USUAL_US: u64 = 10_000_000;
/// Below this a step has too few I/Os for its percentiles.
const SHORTEST_US: u64 = 100_000;
/// Deep enough that a backlog waits at the volume, as it would in service, and not in Fathom; with
/// a rate, only as many slots are used as the volume needs.
const DEEPEST: u32 = 256;
/// The memory limit of all slots together.
const SLOTS_BYTES: u64 = 64 << 20;
/// Lower bound: with fewer slots, Fathom would throttle the largest I/Os.
const SHALLOWEST: u32 = 8;
/// Steps of a search beside bisection, without disturbances: two at full speed, one to get below
/// the ceiling, each end once more, and two where runs disagreed.
const BESIDES_HALVING: usize = 7;
/// How many steps each halving takes: a rate that fails is run again, and one in two does.
const STEPS_IN_TWO_HALVINGS: usize = 3;

impl LimitPlan {
    /// Plans from the facts about `volume`, without touching anything.
    ///
    /// # Errors
    /// A [`LimitError`] for an invalid request, or if data could be destroyed.
    pub fn new(mut asked: LimitRequest, volume: Volume) -> Result<LimitPlan, LimitError> {
        check(&asked)?;
        let by_size = (SLOTS_BYTES / asked.block_bytes.max(1)).min(u64::from(DEEPEST)) as u32;
        let depth = asked.depth.unwrap_or(by_size.max(SHALLOWEST));
        let time = time_of(&asked)?;
        let further = asked.until_decided_us.map_or(0, |us| us / time.total_us().max(1));
        asked.effort.most_steps = asked.effort.most_steps.max(further as usize);
        let deepest = case(&asked, depth, time, 0, LoadLevel::Deep).map_err(LimitError::NoJob)?;
        let volume = plan_place(volume, [&deepest], &asked.common)?;
        if asked.pattern.direction() == Direction::Write && !volume.writes {
            let path = volume.volume.name;
            return Err(LimitError::MayNotWrite { rw: asked.pattern.name(), path });
        }
        Ok(LimitPlan { asked, volume, depth, time })
    }

    /// The case of a step: its number, from 0, and its load on the volume.
    ///
    /// # Errors
    /// If the job table does not take it.
    pub fn case(&self, index: usize, load: LoadLevel) -> Result<Case, RefusedJob> {
        case(&self.asked, self.depth, self.time, index, load)
    }

    /// `4 KiB random read`.
    pub fn subject(&self) -> Message {
        subject(self.asked.pattern, self.asked.block_bytes)
    }

    /// A warning about steps that are too short for their purpose.
    pub fn caution(&self) -> Option<Message> {
        short_steps(self.time.run_us, &self.asked.target)
    }

    /// Microseconds of one step, its ramp included.
    pub fn step_us(&self) -> u64 {
        self.time.run_us + self.time.ramp_us
    }

    /// Steps that a search takes where runs agree.
    pub fn usual_steps(&self) -> usize {
        let halvings = (2f64.ln() / self.asked.effort.precision.ln_1p()).log2().ceil().max(0.0);
        let halving = (halvings as usize * STEPS_IN_TWO_HALVINGS).div_ceil(2);
        (BESIDES_HALVING + halving).min(self.asked.effort.most_steps)
    }

    /// Microseconds of these steps together.
    pub fn usual_us(&self) -> u64 {
        self.usual_steps() as u64 * self.step_us()
    }
}

/// How long each step runs. A search may take fewer steps than the most, and so less time in all.
fn time_of(asked: &LimitRequest) -> Result<CaseTime, LimitError> {
    let usual_us = USUAL_US.max(long_enough_us(&asked.target));
    let most = asked.effort.most_steps as u64;
    match asked.common.time.map_or(usual_us, |time| time.run_us(most)) {
        short if short < SHORTEST_US => Err(LimitError::TooShort { time_ms: short / 1000 }),
        run_us => Ok(CaseTime::of(run_us)),
    }
}

fn check(asked: &LimitRequest) -> Result<(), LimitError> {
    if asked.target.criteria.is_empty() {
        return Err(LimitError::NoTarget);
    }
    if asked.common.read_only && asked.pattern.direction() == Direction::Write {
        return Err(LimitError::Contradiction { rw: asked.pattern.name() });
    }
    let percentiles =
        asked.target.criteria.iter().filter(|one| one.measure != CriterionMeasure::Mean);
    let rising: Vec<_> = percentiles.collect();
    match rising.windows(2).find(|pair| pair[0].under_ns >= pair[1].under_ns) {
        Some(pair) => {
            Err(LimitError::Idle { tighter: pair[1].to_string(), looser: pair[0].to_string() })
        }
        None => Ok(()),
    }
}

fn case(
    asked: &LimitRequest,
    depth: u32,
    time: CaseTime,
    index: usize,
    load: LoadLevel,
) -> Result<Case, RefusedJob> {
    let option = |name: &str, value: String| (name.to_owned(), value);
    let mut options = vec![
        option("rw", asked.pattern.name().to_owned()),
        option("bs", short_bytes(asked.block_bytes)),
    ];
    let (axis, value) = match load {
        LoadLevel::Deep => ("iodepth", depth.to_string()),
        LoadLevel::Alone => ("iodepth", "1".to_owned()),
        LoadLevel::Rate { rate_iops } => ("rate_iops", rate_iops.to_string()),
    };
    if let LoadLevel::Rate { .. } = load {
        options.push(option("iodepth", depth.to_string()));
    }
    options.push(option(axis, value.clone()));
    if matches!(load, LoadLevel::Rate { .. }) && asked.arrivals == Arrivals::Poisson {
        options.push(option("rate_process", "poisson".to_owned()));
    }
    let reach = Reach { engine: asked.common.engine, cache: CachePolicy::PastIfPossible };
    let setting = |axis: &str, value: String| Setting { axis: axis.to_owned(), value };
    let settings = vec![setting("rw", asked.pattern.name().to_owned()), setting(axis, value)];
    let mut case = Case::new(index, settings, reach, time, options)?;
    case.shares_rate = true;
    Ok(case)
}
