//! The latency limits, and whether a step met them.
//!
//! The limit applies to response time: from the moment at which an I/O was due to its completion,
//! as its requester would have waited. And the rate must have been reached: if a volume falls
//! behind, latencies only depend on the step's length.

use crate::near_end_percent;
use crate::quantity::latency;
use fathom_message::{Message, Tell, list, shown_as_told};
use fathom_stats::LatencyStats;
use serde::{Deserialize, Serialize};

/// Fewer I/Os in a step decide nothing, however slow they were.
const FEWEST_IOS: u64 = 20;

/// A figure of response time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum CriterionMeasure {
    /// The mean.
    Mean,
    /// The response time that so many percent of the I/Os do not exceed.
    Percentile {
        /// More than 0, less than 100.
        percent: f64,
    },
}

impl CriterionMeasure {
    /// Its value in nanoseconds.
    pub fn of(self, stats: &LatencyStats) -> f64 {
        match self {
            CriterionMeasure::Mean => stats.moments.mean(),
            CriterionMeasure::Percentile { percent } => stats.percentile(percent) as f64,
        }
    }

    /// The least that it can be in the population of which `stats` are a sample, in nanoseconds;
    /// none of a mean.
    pub fn least_of(self, stats: &LatencyStats) -> Option<f64> {
        let CriterionMeasure::Percentile { percent } = self else { return None };
        let near = near_end_percent(percent, stats.moments.count);
        Some(stats.percentile(near) as f64)
    }

    /// With fewer I/Os it is uncertain: ten of those beyond a percentile.
    pub fn fewest_ios(self) -> u64 {
        let CriterionMeasure::Percentile { percent } = self else { return FEWEST_IOS };
        FEWEST_IOS.max((1000.0 / (100.0 - percent)).round() as u64)
    }
}

/// `mean`, `p99`, `p99.9`.
impl Tell for CriterionMeasure {
    fn tell(&self) -> Message {
        match self {
            CriterionMeasure::Mean => Message::new("limit-mean"),
            CriterionMeasure::Percentile { percent } => format!("p{percent}").into(),
        }
    }
}

/// A figure and what it must stay under.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    /// The figure.
    #[serde(flatten)]
    pub measure: CriterionMeasure,
    /// Nanoseconds that it must stay under.
    pub under_ns: u64,
}

impl Criterion {
    /// Whether `ios` I/Os are hardly enough for it.
    pub fn is_doubtful(&self, ios: u64) -> bool {
        ios < self.measure.fewest_ios()
    }
}

/// `p99 under 1 ms`.
impl Tell for Criterion {
    fn tell(&self) -> Message {
        Message::new("limit-criterion")
            .part("measure", self.measure.tell())
            .with("time", plain_latency(self.under_ns))
    }
}

/// A time that a user chose, without trailing zeros: `1 ms`, `1.5 ms`.
fn plain_latency(ns: u64) -> String {
    let text = latency(ns as f64);
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// Where the time of an I/O went, each part by the same figure. The parts of a percentile do not
/// add up: the I/Os that waited longest need not be those that were served slowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// From being due to being taken up, in nanoseconds; 0 where no rate said when.
    pub wait_ns: f64,
    /// From being taken up to completion.
    pub service_ns: f64,
    /// From being due to completion: what counts. Without a rate, the same as service.
    pub response_ns: f64,
    /// The least that a percentile of response can be, as far as so few I/Os tell; none of a mean,
    /// and in documents from before it was held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_response_ns: Option<f64>,
}

/// What kept this machine, and not the volume, from going on during a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum HostDelay {
    /// The process was stopped, for so many milliseconds.
    Stopped {
        /// So many.
        pause_ms: u64,
    },
    /// A CPU quota stopped the control group, for this share of the step.
    Quota {
        /// 0 to 1.
        share: f64,
    },
    /// The hypervisor gave the processors to others, for this share of the step.
    Steal {
        /// 0 to 1.
        share: f64,
    },
}

/// What a step showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepReading {
    /// I/Os a second that completed.
    pub iops: f64,
    /// I/Os that completed.
    pub ios: u64,
    /// I/Os that were due and not even taken up when the step ended.
    pub overdue_ios: u64,
    /// I/Os that were in flight when the step ended, beyond those that the latency of its quickest
    /// tenth explains: the part of the backlog that waited at the volume. 0 in documents from
    /// before it was counted.
    #[serde(default)]
    pub waiting_ios: u64,
    /// The share of what was offered that chance alone may keep from completing in the time of the
    /// step, in percent.
    pub chance_percent: f64,
    /// Whether there was a moment at which no more I/Os could be in flight. If not, whatever
    /// waited did so for this machine, which was late to take it up, and not for the volume.
    pub was_full: bool,
    /// What kept this machine from taking I/Os up in time, where something is known to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay: Option<HostDelay>,
    /// The share of the processors that other programs used, 0 to 1, where its I/Os may have been
    /// slower for it; none where a cap held the rate or even the fastest tenth of the
    /// I/Os was too slow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_busy: Option<f64>,
    /// I/Os a second that a control group lets through, if one held the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_iops: Option<f64>,
    /// The figures of each criterion, in the order of the target.
    pub parts: Vec<Parts>,
}

impl StepReading {
    /// The share of the offered rate `rate_iops` by which the volume fell behind, in percent: the
    /// backlog at the end, or the shortfall of the rate. A backlog in flight that chance may have
    /// gathered is none.
    pub fn behind_percent(&self, rate_iops: u64) -> f64 {
        let due = (self.ios + self.overdue_ios).max(1) as f64;
        let percent = |ios: u64| ios as f64 * 100.0 / due;
        let waiting = Some(percent(self.waiting_ios)).filter(|it| *it > self.chance_percent);
        let left = percent(self.overdue_ios) + waiting.unwrap_or(0.0);
        let missing = 100.0 - self.iops * 100.0 / rate_iops.max(1) as f64 - self.chance_percent;
        left.max(missing).max(0.0)
    }
}

/// When the I/Os of a rate are due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arrivals {
    /// At random, independently of each other, as from many users.
    #[default]
    Poisson,
    /// One after another at even distances.
    Even,
}

impl Arrivals {
    /// All of them, with their names.
    pub const ALL: [(&str, Arrivals); 2] =
        [("poisson", Arrivals::Poisson), ("even", Arrivals::Even)];

    /// By how much fewer than `expected_ios` may arrive in a time, in percent: an I/O at each edge
    /// of it; at random, three standard deviations of their number besides.
    pub fn chance_percent(self, expected_ios: f64) -> f64 {
        let expected_ios = expected_ios.max(1.0);
        let edges = 200.0 / expected_ios;
        match self {
            Arrivals::Even => edges,
            Arrivals::Poisson => edges + 300.0 / expected_ios.sqrt(),
        }
    }
}

/// Whether a step held what is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepFinding {
    /// It did.
    Keeps,
    /// The volume kept up, but a criterion was not met.
    TooSlow,
    /// The volume did not keep up: the backlog grew.
    Overload,
    /// I/Os waited for this machine and not for the volume, so that the step says nothing of it.
    Late,
    /// A criterion was not met by so few I/Os that chance may be the cause.
    TooFew,
}

impl StepFinding {
    /// Whether the rate did not meet the target, surely or not.
    pub fn is_failure(self) -> bool {
        matches!(self, StepFinding::TooSlow | StepFinding::TooFew | StepFinding::Overload)
    }

    /// Whether the volume kept up with the rate, and its own latencies decided.
    pub fn kept_up(self) -> bool {
        matches!(self, StepFinding::Keeps | StepFinding::TooSlow | StepFinding::TooFew)
    }
}

/// In a word or two.
impl Tell for StepFinding {
    fn tell(&self) -> Message {
        Message::new(match self {
            StepFinding::Keeps => "limit-finding-keeps",
            StepFinding::TooSlow => "limit-finding-too-slow",
            StepFinding::Overload => "limit-finding-overload",
            StepFinding::Late => "limit-finding-late",
            StepFinding::TooFew => "limit-finding-too-few",
        })
    }
}

/// A step does not answer for its rate if more than this share of the due I/Os was left behind;
/// diskplorer masks such steps at the same 3 %.
const BEHIND_PERCENT: f64 = 3.0;

/// All that is to hold at once; at least one criterion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyGoal {
    /// The criteria, rising: the mean first, then percentile by percentile.
    pub criteria: Vec<Criterion>,
}

impl LatencyGoal {
    /// Whether every criterion is met by the response times of a reading.
    pub fn is_met(&self, reading: &StepReading) -> bool {
        self.missed(reading).next().is_none()
    }

    /// The criteria that a reading does not meet, with their figures.
    pub fn missed(&self, reading: &StepReading) -> impl Iterator<Item = (&Criterion, Parts)> {
        let all = self.criteria.iter().zip(reading.parts.iter().copied());
        all.filter(|(criterion, parts)| parts.response_ns >= criterion.under_ns as f64)
    }

    /// Whether a criterion is missed by enough I/Os, or by so many of a few that it is no chance.
    fn is_surely_missed(&self, reading: &StepReading) -> bool {
        self.missed(reading).any(|(one, parts)| {
            let least = parts.least_response_ns.is_some_and(|ns| ns >= one.under_ns as f64);
            (least && reading.ios >= FEWEST_IOS) || reading.ios >= one.measure.fewest_ios()
        })
    }

    /// Whether an I/O of `latency_ns` is too slow for one of the criteria.
    pub fn is_missed_by(&self, latency_ns: u64) -> bool {
        self.criteria.iter().any(|criterion| latency_ns >= criterion.under_ns)
    }

    /// The outcome of a reading at a rate.
    pub fn judge(&self, rate_iops: u64, reading: &StepReading) -> StepFinding {
        let finding = match reading.behind_percent(rate_iops) > BEHIND_PERCENT {
            true => StepFinding::Overload,
            false if self.is_met(reading) => StepFinding::Keeps,
            false if self.is_surely_missed(reading) => StepFinding::TooSlow,
            false => StepFinding::TooFew,
        };
        match finding {
            StepFinding::Keeps => finding,
            _ if self.waited_for_host(finding, reading) => StepFinding::Late,
            _ => finding,
        }
    }

    /// Whether a step failed because of this machine: it was delayed, or took up I/Os late with
    /// free slots. If the volume's own service time is too long, waiting decided nothing.
    pub fn waited_for_host(&self, finding: StepFinding, reading: &StepReading) -> bool {
        let missed: Vec<(&Criterion, Parts)> = self.missed(reading).collect();
        let slow = missed.iter().any(|(one, parts)| parts.service_ns >= one.under_ns as f64);
        let late = missed.iter().any(|(one, parts)| parts.wait_ns * 2.0 >= one.under_ns as f64);
        // An I/O in flight waits for the volume, even if free slots remain.
        let due_ios = (reading.ios + reading.overdue_ios).max(1) as f64;
        let untaken = reading.overdue_ios as f64 * 100.0 / due_ios > BEHIND_PERCENT;
        let left_behind = finding == StepFinding::Overload && untaken;
        reading.delay.is_some() || (!reading.was_full && !slow && (late || left_behind))
    }

    /// The ratio of a reading to its closest criterion: 1 is at the limit, more is beyond it.
    pub fn strain(&self, reading: &StepReading) -> f64 {
        let all = self.criteria.iter().zip(&reading.parts);
        let strains = all.map(|(one, parts)| parts.response_ns / one.under_ns.max(1) as f64);
        strains.fold(0.0, f64::max)
    }

    /// The criteria for which `ios` I/Os are hardly enough.
    pub fn doubtful(&self, ios: u64) -> impl Iterator<Item = &Criterion> {
        self.criteria.iter().filter(move |one| one.is_doubtful(ios))
    }
}

/// `p50 under 200 us and p99 under 1 ms`.
impl Tell for LatencyGoal {
    fn tell(&self) -> Message {
        list::all_of(self.criteria.iter().map(Criterion::tell))
    }
}

shown_as_told!(CriterionMeasure, Criterion, LatencyGoal);

#[cfg(test)]
mod tests {
    use super::*;

    fn percentile(percent: f64, under_ns: u64) -> Criterion {
        Criterion { measure: CriterionMeasure::Percentile { percent }, under_ns }
    }

    fn reading(ios: u64, overdue_ios: u64, responses_ns: &[f64]) -> StepReading {
        let parts = |response_ns: &f64| Parts { response_ns: *response_ns, ..Parts::default() };
        let parts = responses_ns.iter().map(parts).collect();
        let (iops, was_full) = (ios as f64, true);
        StepReading { iops, ios, overdue_ios, was_full, parts, ..StepReading::default() }
    }

    #[test]
    fn every_criterion_must_hold_and_the_volume_keep_up() {
        let target =
            LatencyGoal { criteria: vec![percentile(50.0, 200_000), percentile(99.0, 1_000_000)] };
        let judge = |ios, overdue, ns: &[f64]| target.judge(1000, &reading(ios, overdue, ns));
        assert_eq!(judge(1000, 0, &[199_999.0, 999_999.0]), StepFinding::Keeps);
        assert_eq!(judge(1000, 0, &[200_000.0, 999_999.0]), StepFinding::TooSlow);
        assert_eq!(judge(1000, 0, &[1.0, 1_000_000.0]), StepFinding::TooSlow);
        assert_eq!(judge(1200, 37, &[1.0, 1.0]), StepFinding::Keeps);
        assert_eq!(judge(1200, 38, &[1.0, 1.0]), StepFinding::Overload);
        assert_eq!(judge(970, 0, &[1.0, 1.0]), StepFinding::Keeps);
        assert_eq!(judge(969, 0, &[1.0, 1.0]), StepFinding::Overload);
        let excused = StepReading { chance_percent: 1.0, ..reading(961, 0, &[1.0, 1.0]) };
        assert_eq!(target.judge(1000, &excused), StepFinding::Keeps);
        assert_eq!(target.strain(&reading(1000, 0, &[300_000.0, 1_000_000.0])), 1.5);
        // Delays by this machine are not the volume's failure.
        let late = StepReading { was_full: false, ..reading(1200, 38, &[1.0, 1.0]) };
        assert_eq!(target.judge(1000, &late), StepFinding::Late);
        // I/Os that complete after the end were not kept up with, however fast they seem.
        let waiting = |waiting_ios| StepReading { waiting_ios, ..reading(1000, 0, &[1.0, 1.0]) };
        assert_eq!(target.judge(1000, &waiting(30)), StepFinding::Keeps);
        assert_eq!(target.judge(1000, &waiting(31)), StepFinding::Overload);
        let by_chance = StepReading { chance_percent: 3.1, ..waiting(31) };
        assert_eq!(target.judge(1000, &by_chance), StepFinding::Keeps);
        let early = StepReading { was_full: false, ..waiting(31) };
        assert_eq!(target.judge(1000, &early), StepFinding::Overload, "they wait at the volume");
        // A backlog that is in flight is the volume's, though the queue is not full yet.
        let in_flight = StepReading { was_full: false, ..reading(969, 0, &[1.0, 1.0]) };
        assert_eq!(target.judge(1000, &in_flight), StepFinding::Overload);
        let slow =
            Parts { service_ns: 2e6, response_ns: 9e6, wait_ns: 7e6, least_response_ns: None };
        let volume = StepReading { parts: vec![slow, slow], ..late };
        assert_eq!(target.judge(1000, &volume), StepFinding::Overload, "too long by itself");
        for delay in [
            HostDelay::Stopped { pause_ms: 40 },
            HostDelay::Quota { share: 0.2 },
            HostDelay::Steal { share: 0.2 },
        ] {
            let delay = Some(delay);
            let slow = StepReading { delay, ..reading(1000, 0, &[1.0, 1_000_000.0]) };
            assert_eq!(target.judge(1000, &slow), StepFinding::Late);
            let kept = StepReading { delay, ..reading(1000, 0, &[1.0, 1.0]) };
            assert_eq!(target.judge(1000, &kept), StepFinding::Keeps);
        }
        assert_eq!(target.to_string(), "p50 under 200 us and p99 under 1 ms");
    }

    #[test]
    fn few_ios_miss_a_percentile_only_where_chance_cannot() {
        let target = LatencyGoal { criteria: vec![percentile(99.0, 1_000_000)] };
        let judge = |slow: u64, of: u64| {
            let mut stats = LatencyStats::default();
            (0..of - slow).for_each(|_| stats.record(100_000));
            (0..slow).for_each(|_| stats.record(20_000_000));
            let measure = target.criteria[0].measure;
            let (response_ns, least) = (measure.of(&stats), measure.least_of(&stats));
            let mut reading = reading(of, 0, &[response_ns]);
            reading.parts[0].least_response_ns = least;
            target.judge(of, &reading)
        };
        assert_eq!(judge(0, 57), StepFinding::Keeps);
        assert_eq!(judge(1, 57), StepFinding::TooFew);
        assert_eq!(judge(10, 57), StepFinding::TooSlow);
        assert_eq!(judge(57, 57), StepFinding::TooSlow);
        assert_eq!((judge(19, 19), judge(20, 20)), (StepFinding::TooFew, StepFinding::TooSlow));
        assert_eq!(judge(11, 1000), StepFinding::TooSlow);
    }

    #[test]
    fn chance_weighs_less_the_more_there_is() {
        assert_eq!(Arrivals::Even.chance_percent(10.0), 20.0);
        assert_eq!(Arrivals::Poisson.chance_percent(10_000.0), 3.02);
    }

    #[test]
    fn figures_come_from_the_whole_distribution() {
        let mut stats = LatencyStats::default();
        (0..99).for_each(|_| stats.record(100));
        stats.record(10_000);
        assert_eq!(CriterionMeasure::Mean.of(&stats), 199.0);
        assert_eq!(CriterionMeasure::Percentile { percent: 99.0 }.of(&stats), 100.0);
        assert!(CriterionMeasure::Percentile { percent: 99.9 }.of(&stats) > 9_900.0);
    }

    #[test]
    fn a_percentile_needs_ios_beyond_it() {
        let fewest = |percent| CriterionMeasure::Percentile { percent }.fewest_ios();
        assert_eq!([fewest(50.0), fewest(99.0), fewest(99.9)], [20, 1000, 10_000]);
        let target = LatencyGoal { criteria: vec![percentile(99.0, 1), percentile(99.9, 1)] };
        let doubted: Vec<String> =
            target.doubtful(1000).map(|one| one.measure.to_string()).collect();
        assert_eq!(doubted, ["p99.9"]);
        assert_eq!(percentile(99.0, 1_500_000).to_string(), "p99 under 1.5 ms");
        assert_eq!(percentile(99.0, 100_000_000).to_string(), "p99 under 100 ms");
    }
}
