//! The steps of a search for a limit, and the answer as data.

use fathom_analysis::GateOutcome;
use fathom_analysis::quantity::{binary_bytes, seconds, thousands};
use fathom_analysis::{CriterionMeasure, LatencyGoal, StepFinding, StepReading};
use fathom_message::Message;
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// A step must be this many times as long as the longest target: a backlog that responds within the
/// target at its end is then an overload of 2 %, below the precision of any answer here.
const TARGETS_IN_STEP: u64 = 50;

/// What a step puts on the volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "load", rename_all = "snake_case")]
pub enum LoadLevel {
    /// As fast as it goes with many I/Os in flight.
    Deep,
    /// As fast as it goes with one at a time.
    Alone,
    /// So many I/Os a second, each due at a moment of its own.
    Rate {
        /// I/Os a second.
        rate_iops: u64,
    },
}

/// Why a step has no reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// An error, as text.
    Failed(String),
    /// It was stopped.
    Stopped,
}

impl LoadLevel {
    /// In words: `max, QD 64`, `1,000 IOPS`.
    pub fn title(self, depth: u32) -> String {
        match self {
            LoadLevel::Deep => format!("max, QD {depth}"),
            LoadLevel::Alone => "max, QD 1".to_owned(),
            // Whole numbers are offered, also below ten.
            LoadLevel::Rate { rate_iops: rate @ 0..=9 } => format!("{rate} IOPS"),
            LoadLevel::Rate { rate_iops } => format!("{} IOPS", thousands(rate_iops as f64)),
        }
    }
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// The share by which the lowest rate that fails may lie above the highest that holds.
    pub precision: f64,
    /// Steps at most.
    pub most_steps: usize,
}

/// A step that was had.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStep {
    /// The load on the volume.
    pub load: LoadLevel,
    /// Its measurement.
    pub reading: StepReading,
    /// Whether the target was met; none if there was no rate.
    pub finding: Option<StepFinding>,
}

impl SearchStep {
    /// The share of the processors that other programs used, if its rate failed and they may be the
    /// cause.
    fn failed_beside_others(&self) -> Option<f64> {
        let failed = self.finding.is_some_and(StepFinding::is_failure);
        self.reading.others_busy.filter(|_| failed)
    }
}

/// The most that other programs used of the processors, 0 to 1, while runs at a rate failed for
/// which they may be the cause; none if there is no such run.
pub fn failed_beside_others(steps: &[SearchStep], rate_iops: u64) -> Option<f64> {
    let own = steps.iter().filter(|step| step.load == LoadLevel::Rate { rate_iops });
    own.filter_map(SearchStep::failed_beside_others).max_by(f64::total_cmp)
}

/// A rate whose runs together have too few I/Os for a percentile that decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FewIos {
    /// The rate, in I/Os a second.
    pub rate_iops: u64,
    /// I/Os of all its runs.
    pub ios: u64,
    /// The figure that they are too few for.
    pub measure: CriterionMeasure,
}

impl FewIos {
    /// Whether the runs at a rate decide nothing for `target`: they kept it, or missed it by
    /// chance, and their I/Os together are too few.
    pub fn at(target: &LatencyGoal, steps: &[SearchStep], rate_iops: u64) -> Option<FewIos> {
        let load = LoadLevel::Rate { rate_iops };
        let own = steps.iter().filter(|step| step.load == load);
        let (mut ios, mut most, mut kept, mut missed, mut few) = (0, 0, 0, 0, 0);
        for step in own {
            match step.finding {
                Some(StepFinding::Late) | None => continue,
                Some(StepFinding::Keeps) => kept += 1,
                Some(StepFinding::TooSlow | StepFinding::Overload) => missed += 1,
                Some(StepFinding::TooFew) => few += 1,
            }
            ios += step.reading.ios;
            most = step.reading.ios.max(most);
        }
        // Misses that are no chance decide, unless more runs kept it.
        if kept + missed + few == 0 || (missed > 0 && missed >= kept) {
            return None;
        }
        // Where each run has too few, that they are many together does not help.
        let is_doubted = target.doubtful(ios).next().is_some();
        let all_few = kept + missed == 0 && !is_doubted;
        let ios = if all_few { most } else { ios };
        let doubtful = target.criteria.iter().filter(|one| all_few || one.is_doubtful(ios));
        let measure = doubtful.max_by_key(|one| one.measure.fewest_ios())?.measure;
        Some(FewIos { rate_iops, ios, measure })
    }

    /// Seconds of a step in which enough I/Os complete; above a minute in tens.
    pub fn enough_s(&self) -> u64 {
        match self.measure.fewest_ios().div_ceil(self.rate_iops.max(1)) {
            short @ 0..=60 => short,
            long => long.div_ceil(10) * 10,
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchVerdict {
    /// The highest rate is known.
    Found,
    /// It is all that the volume gives.
    Ceiling,
    /// No rate holds.
    Never,
    /// The steps were over before the range was as narrow as asked for, and both its ends sure.
    Unsettled,
    /// The steps do not tell: the lowest rate failed while other programs used the processors, the
    /// I/Os at the deciding rate are too few for a percentile, the answer would lie far below
    /// what one I/O at a time gave within the target, or no rate met it and one I/O at a time did
    /// later.
    Unclear,
    /// This machine was late at all rates above the highest that passes, so that the volume may
    /// give more; or at all rates.
    HostLate,
    /// It ended early.
    Halted,
}

impl SearchVerdict {
    /// The outcome of "some rate meets the target".
    pub fn outcome(self) -> GateOutcome {
        match self {
            SearchVerdict::Found | SearchVerdict::Ceiling => GateOutcome::Pass,
            SearchVerdict::Never => GateOutcome::Fail,
            SearchVerdict::Unsettled
            | SearchVerdict::Unclear
            | SearchVerdict::HostLate
            | SearchVerdict::Halted => GateOutcome::Undecided,
        }
    }

    /// Whether the highest passing rate is an answer, though the volume may give more.
    pub(super) fn has_rate(self) -> bool {
        match self {
            SearchVerdict::Found
            | SearchVerdict::Ceiling
            | SearchVerdict::Unsettled
            | SearchVerdict::HostLate => true,
            SearchVerdict::Never | SearchVerdict::Unclear | SearchVerdict::Halted => false,
        }
    }
}

/// The answer, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The latency limits.
    pub target: LatencyGoal,
    /// How it ended.
    pub verdict: SearchVerdict,
    /// The highest passing rate, in I/Os a second: the answer. If the search ended early, as far as
    /// it is known.
    pub low: Option<u64>,
    /// The lowest failing rate that was run.
    pub high: Option<u64>,
    /// The lowest rate at which this machine was late in all attempts.
    pub late_iops: Option<u64>,
    /// Rates above `high`, or above `late_iops` where that is lower, that passed nevertheless.
    pub odd: Vec<u64>,
    /// Why it ended early, where something went wrong.
    pub halted_by: Option<Halt>,
    /// Every step, in order.
    pub steps: Vec<SearchStep>,
}

/// What the I/Os are. One direction: in a mix each direction would have a schedule of its own, and
/// an I/O that is due would wait for one of the other direction that is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitPattern {
    /// Reads in order.
    Read,
    /// Reads at random.
    RandRead,
    /// Writes in order.
    Write,
    /// Writes at random.
    RandWrite,
}

impl LimitPattern {
    /// All of them.
    pub const ALL: [LimitPattern; 4] =
        [LimitPattern::Read, LimitPattern::RandRead, LimitPattern::Write, LimitPattern::RandWrite];

    /// As `rw` has it.
    pub fn name(self) -> &'static str {
        match self {
            LimitPattern::Read => "read",
            LimitPattern::RandRead => "randread",
            LimitPattern::Write => "write",
            LimitPattern::RandWrite => "randwrite",
        }
    }

    /// Read or write.
    pub fn direction(self) -> Direction {
        match self {
            LimitPattern::Read | LimitPattern::RandRead => Direction::Read,
            LimitPattern::Write | LimitPattern::RandWrite => Direction::Write,
        }
    }
}

/// The I/Os in a word or two: `4 KiB random read`.
pub fn subject(pattern: LimitPattern, block_bytes: u64) -> Message {
    let id = match pattern {
        LimitPattern::Read => "limit-subject-read",
        LimitPattern::RandRead => "limit-subject-randread",
        LimitPattern::Write => "limit-subject-write",
        LimitPattern::RandWrite => "limit-subject-randwrite",
    };
    Message::new(id).with("block", binary_bytes(block_bytes))
}

/// Warnings if steps of `run_us` are short for `target`.
pub fn short_steps(run_us: u64, target: &LatencyGoal) -> Option<Message> {
    let enough_us = long_enough_us(target);
    (run_us < enough_us).then(|| {
        Message::new("limit-short-steps")
            .with("time", seconds(run_us))
            .with("needed", enough_us.div_ceil(1_000_000))
    })
}

/// Microseconds that a step needs for an overload to show at the longest of the targets.
pub fn long_enough_us(target: &LatencyGoal) -> u64 {
    let longest_ns = target.criteria.iter().map(|one| one.under_ns).max().unwrap_or(0);
    longest_ns.div_ceil(1000).saturating_mul(TARGETS_IN_STEP)
}
