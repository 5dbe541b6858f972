//! Assertions on a run, by which a script decides whether to continue: `p99<1ms`,
//! `read.iops>=3000`, `bw>100MB/s`.
//!
//! Decided here:
//! - A job's name and a colon before an assertion, `logs:p99<1ms`, limit it to that job. Its clones
//!   are added up.
//! - A figure is that of a job group: jobs that ran side by side are added up, jobs that ran in
//!   turn are not, so that an assertion holds if it holds in each group.
//! - Without a direction all I/Os count together. Latencies are from taking up an I/O to its
//!   completion, as in the table.
//! - A figure without I/Os, or a percentile of too few, is undecided and never a pass. A percentile
//!   of too few still fails where so many of them are on the wrong side of the limit that it is no
//!   chance.
//! - Other users of the host's processors make I/Os slower and never faster. What they may have
//!   caused is undecided, unless a cap or the fastest tenth of the I/Os shows that it would be so
//!   without them; one lucky I/O decides nothing. A cap also makes the mean latency: I/Os in flight
//!   over the rate (Little's law).

use crate::job_group::JobGroup;
use crate::latency_goal::CriterionMeasure;
use crate::quantity::{latency, megabytes_per_s, stretch, thousands};
use crate::verdicts::{Answer, Verdict, disturbance};
use crate::{CapFinding, CapKind, GateResult, RowOutcome, binomial_tail};
use fathom_message::{Lang, Message, Tell};
use fathom_stats::{DirectionStats, JobResult, LatencyStats, RunResult};
use fathom_text::{Text, text};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;

/// A figure that an assertion is about.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AssertedFigure {
    /// I/Os a second.
    Iops,
    /// Bytes a second.
    Bandwidth,
    /// The slowest I/O.
    Max,
    /// The mean or a percentile.
    Latency(CriterionMeasure),
}

/// A figure and its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// As it was typed, without the job.
    text: String,
    /// The name of the job; none for all jobs.
    job: Option<String>,
    direction: Option<Direction>,
    figure: AssertedFigure,
    /// Whether the figure must be below the limit.
    below: bool,
    /// Whether it may be the limit.
    or_equal: bool,
    /// I/Os or bytes a second, or nanoseconds.
    limit: f64,
}

/// Why a text is no assertion.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssertionError {
    /// It has no comparison in it.
    #[error("write a figure, <, <=, > or >=, and a limit, as 'p99<1ms' or 'read.iops>=3000'")]
    NoComparison,
    /// A colon without the name of a job before it.
    #[error("a job's name stands before the colon, as 'logs:p99<1ms'")]
    NoJob,
    /// No figure is called so.
    #[error(
        "'{0}' is no figure; use iops, bw, mean, max or a percentile as p99.9, with read., \
             write. or trim. before it for one direction"
    )]
    Figure(String),
    /// The limit cannot be read.
    #[error("'{limit}' is no limit of {figure}; write it as {example}")]
    Limit {
        /// As it was typed.
        limit: String,
        /// The figure.
        figure: String,
        /// One that can be read.
        example: &'static str,
    },
}

/// What became of an assertion in one group of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssertionRow {
    /// As it was typed, without the name of a job.
    pub assertion: String,
    /// The jobs; empty where all ran side by side.
    pub jobs: String,
    /// The figure in words; empty where there is none.
    pub measured: String,
    /// The figure as a number; none without I/Os, and in documents from before it was held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_value: Option<f64>,
    /// The limit as a number; none in documents from before it was held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_value: Option<f64>,
    /// The unit of both numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<AssertionUnit>,
    /// What became of it.
    pub outcome: RowOutcome,
    /// The time that nine in ten I/Os took at least, in nanoseconds, where that alone misses the
    /// limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_tenth_ns: Option<f64>,
    /// Why it cannot be told, if so; in English.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same as data; documents from before it was held have the reason alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<AssertionDoubt>,
}

/// The unit of an assertion's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AssertionUnit {
    /// I/Os a second.
    Iops,
    /// Bytes a second.
    BytesPerS,
    /// Nanoseconds.
    Ns,
}

/// Why an assertion is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum AssertionDoubt {
    /// There is no I/O in its direction.
    NotMeasured,
    /// There are I/Os, but the jobs measure no latency, as with gtod_reduce.
    LatencyNotMeasured,
    /// Its figure rests on too few I/Os.
    TooFew {
        /// I/Os that there were; none in documents from before it was held.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ios: Option<u64>,
        /// I/Os that it takes.
        needed: u64,
    },
    /// Others had so much of the processors that the jobs may have been slower for it.
    Busy,
    /// A CPU quota stopped the jobs.
    Quota,
    /// The run ended before its time.
    Stopped,
    /// The process was stopped while the jobs ran.
    Paused {
        /// For how many milliseconds.
        pause_ms: u64,
    },
}

impl AssertionDoubt {
    /// What disturbed jobs with these verdicts.
    fn of_host(verdicts: &[Verdict]) -> AssertionDoubt {
        let is_stopped =
            |of: &Verdict| matches!(&of.answer, Answer::Client(of) if of.is_stopped_by_quota());
        if verdicts.iter().any(is_stopped) { AssertionDoubt::Quota } else { AssertionDoubt::Busy }
    }
}

impl Tell for AssertionDoubt {
    fn tell(&self) -> Message {
        match self {
            AssertionDoubt::NotMeasured => Message::new("assertion-not-measured"),
            AssertionDoubt::LatencyNotMeasured => Message::new("assertion-no-latency"),
            AssertionDoubt::TooFew { ios, needed } => {
                let count = |ios: u64| thousands(ios as f64);
                let message = match ios {
                    Some(ios) => Message::new("assertion-too-few-of").with("ios", count(*ios)),
                    None => Message::new("assertion-too-few"),
                };
                message.with("needed", count(*needed))
            }
            AssertionDoubt::Busy => Message::new("assertion-busy"),
            AssertionDoubt::Quota => Message::new("assertion-quota"),
            AssertionDoubt::Stopped => Message::new("assertion-stopped"),
            AssertionDoubt::Paused { pause_ms } => {
                Message::new("assertion-paused").with("time", stretch(*pause_ms as f64 / 1e3))
            }
        }
    }
}

impl AssertionRow {
    /// The figure, or why it is undecided, in English.
    pub fn sentence(&self) -> String {
        self.text().to_string()
    }

    /// The same in each language.
    pub fn text(&self) -> Text {
        match (self.why(), self.measured.as_str()) {
            (None, measured) => match self.slow_tenth_ns {
                Some(tenth_ns) => {
                    text!("measured {measured}, the fastest tenth {}", latency(tenth_ns))
                }
                None => text!("measured {measured}"),
            },
            (Some(why), "") => Text::of(why),
            (Some(why), measured) => text!("measured {measured}, but {why}"),
        }
    }

    /// Why it cannot be told, for any language; a reason without data stays as it is.
    pub fn why(&self) -> Option<Message> {
        let told = self.doubt.as_ref().map(Tell::tell);
        told.or_else(|| self.reason.as_deref().map(Message::verbatim))
    }
}

impl FromStr for Assertion {
    type Err = AssertionError;

    fn from_str(text: &str) -> Result<Assertion, AssertionError> {
        let at = text.find(['<', '>']).ok_or(AssertionError::NoComparison)?;
        let (before, rest) = text.split_at(at);
        // Figures contain no colon, names of jobs may.
        let (job, name) = match before.rsplit_once(':') {
            Some((job, name)) => (Some(job.trim()), name),
            None => (None, before),
        };
        let (sign, rest) = rest.split_at(1);
        let or_equal = rest.starts_with('=');
        let limit = rest.strip_prefix('=').unwrap_or(rest).trim();
        let (direction, figure) = figure_of(name.trim())?;
        if job.is_some_and(str::is_empty) {
            return Err(AssertionError::NoJob);
        }
        Ok(Assertion {
            text: text[before.len() - name.len()..].trim().to_owned(),
            job: job.map(str::to_owned),
            direction,
            figure,
            below: sign == "<",
            or_equal,
            limit: figure.limit_of(name.trim(), limit)?,
        })
    }
}

fn figure_of(name: &str) -> Result<(Option<Direction>, AssertedFigure), AssertionError> {
    let prefixed = |way: &Direction| name.strip_prefix(way.name())?.strip_prefix('.');
    let direction = Direction::ALL.into_iter().find(|way| prefixed(way).is_some());
    let figure = direction.as_ref().and_then(prefixed).unwrap_or(name);
    let percent = |text: &str| text.strip_prefix('p')?.parse().ok();
    let known = match figure {
        "iops" => Some(AssertedFigure::Iops),
        "bw" => Some(AssertedFigure::Bandwidth),
        "max" => Some(AssertedFigure::Max),
        "mean" => Some(AssertedFigure::Latency(CriterionMeasure::Mean)),
        other => percent(other)
            .filter(|percent| *percent > 0.0 && *percent < 100.0)
            .map(|percent| AssertedFigure::Latency(CriterionMeasure::Percentile { percent })),
    };
    known.map(|known| (direction, known)).ok_or_else(|| AssertionError::Figure(name.to_owned()))
}

impl AssertedFigure {
    fn limit_of(self, figure: &str, text: &str) -> Result<f64, AssertionError> {
        let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (number, unit) = (text[..end].trim(), text[end..].trim());
        let (units, example): (&[(&str, f64)], _) = match self {
            AssertedFigure::Iops => (&[("", 1.0), ("k", 1e3), ("M", 1e6)], "3000 or 3k"),
            AssertedFigure::Bandwidth => (BANDWIDTHS, "125MB/s or 120MiB/s"),
            _ => (TIMES, "500us or 1.5ms"),
        };
        let factor = units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
        let number = number.parse::<f64>().ok().filter(|number| number.is_finite());
        match (number, factor) {
            (Some(number), Some(factor)) if number >= 0.0 => Ok(number * factor),
            _ => Err(AssertionError::Limit {
                limit: text.to_owned(),
                figure: figure.to_owned(),
                example,
            }),
        }
    }

    /// The figure of `total`, as a number and as text.
    fn of(self, total: &GroupTotal) -> (f64, String) {
        let time = |ns: f64| (ns, latency(ns));
        match self {
            AssertedFigure::Iops => (total.iops, format!("{} IOPS", thousands(total.iops))),
            AssertedFigure::Bandwidth => {
                let rate = total.bytes_per_s;
                (rate, format!("{} MB/s", megabytes_per_s(rate / 1e6)))
            }
            AssertedFigure::Max => time(total.latency.moments.max as f64),
            AssertedFigure::Latency(measure) => time(measure.of(&total.latency)),
        }
    }

    fn unit(self) -> AssertionUnit {
        match self {
            AssertedFigure::Iops => AssertionUnit::Iops,
            AssertedFigure::Bandwidth => AssertionUnit::BytesPerS,
            AssertedFigure::Max | AssertedFigure::Latency(_) => AssertionUnit::Ns,
        }
    }

    fn is_latency(self) -> bool {
        self.unit() == AssertionUnit::Ns
    }

    /// With fewer I/Os it is undecided.
    fn fewest_ios(self) -> u64 {
        match self {
            AssertedFigure::Latency(measure) => measure.fewest_ios(),
            _ => 1,
        }
    }

    /// The share of the I/Os that a percentile is not below.
    fn share(self) -> Option<f64> {
        match self {
            AssertedFigure::Latency(CriterionMeasure::Percentile { percent }) => {
                Some(percent / 100.0)
            }
            _ => None,
        }
    }
}

/// The percentile that nine in ten I/Os exceed.
const FASTEST_TENTH_PERCENT: f64 = 10.0;

/// The time that nine in ten I/Os took at least, in nanoseconds; none without percentiles. A
/// program beside them may slow some of them down, and not nearly all.
pub fn fastest_tenth_ns(latency: &LatencyStats) -> Option<f64> {
    (latency.histogram.total() > 0).then(|| latency.percentile(FASTEST_TENTH_PERCENT) as f64)
}

/// Where a limit would hold with less than this probability, it is surely missed.
const SURE_MISS: f64 = 0.01;

const TIMES: &[(&str, f64)] = &[("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
const BANDWIDTHS: &[(&str, f64)] = &[
    ("kB/s", 1e3),
    ("MB/s", 1e6),
    ("GB/s", 1e9),
    ("KiB/s", 1024.0),
    ("MiB/s", 1_048_576.0),
    ("GiB/s", 1_073_741_824.0),
];

/// The sums of a group's jobs, in one direction or in all: those of the rows of a table, where the
/// clones of a job and its clients are one job, with all I/Os over the longest time.
#[derive(Default)]
pub struct GroupTotal {
    /// I/Os that completed.
    pub ios: u64,
    /// I/Os a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// From taking an I/O up to its completion.
    pub latency: LatencyStats,
    /// Whether jobs with I/Os measured no latency.
    lacks_latency: bool,
    /// I/Os that the jobs had in flight at most: one stall delays as many.
    in_flight: u64,
}

impl GroupTotal {
    /// The sums of `jobs` of `result`, in one direction or in all.
    pub fn of(result: &RunResult, jobs: &[&JobResult], direction: Option<Direction>) -> GroupTotal {
        let mut total = GroupTotal::default();
        let ways = Direction::ALL.into_iter().filter(|way| direction.is_none_or(|one| one == *way));
        for way in ways {
            let mut whole: BTreeMap<&str, DirectionStats> = BTreeMap::new();
            for job in jobs {
                let own = &job.dirs[way];
                total.lacks_latency |= own.total_ios > 0 && own.lat_or_clat().moments.count == 0;
                whole.entry(result.plain_name(job)).or_default().merge(own);
            }
            whole.values().for_each(|stats| total.add(stats));
        }
        total.in_flight = jobs.iter().map(|job| u64::from(job.setup.iodepth.max(1))).sum();
        total
    }

    fn add(&mut self, stats: &DirectionStats) {
        let seconds = stats.runtime_ms as f64 / 1e3;
        if stats.total_ios == 0 || seconds <= 0.0 {
            return;
        }
        self.ios += stats.total_ios;
        self.iops += stats.total_ios as f64 / seconds;
        self.bytes_per_s += stats.io_bytes as f64 / seconds;
        self.latency.merge(stats.lat_or_clat());
    }
}

impl Assertion {
    /// As it was typed, without the name of a job.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The direction whose I/Os count; none if all do.
    pub fn direction(&self) -> Option<Direction> {
        self.direction
    }

    /// The job that it is about; none for all jobs.
    pub fn job(&self) -> Option<&str> {
        self.job.as_deref()
    }

    /// Its outcome in each group of its jobs that ran side by side. `groups` are the verdicts of
    /// all groups, in the order of their numbers.
    pub fn judge(&self, result: &RunResult, groups: &[JobGroup]) -> Vec<AssertionRow> {
        let mut jobs: BTreeMap<u32, Vec<&JobResult>> = BTreeMap::new();
        for job in &result.jobs {
            jobs.entry(job.group_id).or_default().push(job);
        }
        let verdicts = groups.iter().map(|group| group.verdicts.as_slice());
        let verdicts = verdicts.chain(std::iter::repeat(&[][..]));
        let is_meant =
            |job: &&JobResult| self.job.as_ref().is_none_or(|name| name == result.plain_name(job));
        let meant = jobs.into_values().zip(verdicts).map(|(mut jobs, verdicts)| {
            jobs.retain(is_meant);
            (jobs, verdicts)
        });
        let mut meant: Vec<(Vec<&JobResult>, &[Verdict])> =
            meant.filter(|(jobs, _)| !jobs.is_empty()).collect();
        // A limit of reads is none of groups that only write, unless no group reads.
        if let Some(way) = self.direction {
            let makes = |(jobs, _): &(Vec<&JobResult>, _)| jobs.iter().any(|job| makes(job, way));
            if meant.iter().any(makes) {
                meant.retain(makes);
            }
        }
        let named = meant.len() > 1 || self.job.is_some();
        let row = |(jobs, verdicts): &(Vec<&JobResult>, &[Verdict])| {
            let mut names: Vec<&str> = jobs.iter().map(|job| result.plain_name(job)).collect();
            names.dedup();
            let total = GroupTotal::of(result, jobs, self.direction);
            let row = self.row(&total, result, verdicts);
            let jobs = if named { names.join(", ") } else { String::new() };
            AssertionRow { jobs, ..row }
        };
        meant.iter().map(row).collect()
    }

    fn row(&self, total: &GroupTotal, run: &RunResult, verdicts: &[Verdict]) -> AssertionRow {
        let (value, measured) = self.figure.of(total);
        let holds = (self.or_equal && value == self.limit)
            || if self.below { value < self.limit } else { value > self.limit };
        let doubt = match self.lack(total, holds) {
            None if run.interrupted && holds => Some(AssertionDoubt::Stopped),
            None if run.pause_ms > 0 && !holds => {
                Some(AssertionDoubt::Paused { pause_ms: run.pause_ms })
            }
            None if self.may_be_of_others(value, total, verdicts) => {
                disturbance(verdicts).map(|_| AssertionDoubt::of_host(verdicts))
            }
            lack => lack,
        };
        let is_measured = self.ios(total) > 0;
        AssertionRow {
            assertion: self.text.clone(),
            jobs: String::new(),
            measured: if is_measured { measured } else { String::new() },
            measured_value: is_measured.then_some(value),
            limit_value: Some(self.limit),
            unit: Some(self.figure.unit()),
            slow_tenth_ns: self.slow_tenth_ns(total).filter(|_| doubt.is_none() && !holds),
            outcome: match (doubt, holds) {
                (Some(_), _) => RowOutcome::Undecided,
                (None, true) => RowOutcome::Pass,
                (None, false) => RowOutcome::Fail,
            },
            reason: doubt.map(|doubt| doubt.tell().text(Lang::En)),
            doubt,
        }
    }

    /// I/Os that the figure rests on.
    fn ios(&self, total: &GroupTotal) -> u64 {
        match self.figure {
            AssertedFigure::Iops | AssertedFigure::Bandwidth => total.ios,
            AssertedFigure::Max | AssertedFigure::Latency(CriterionMeasure::Mean) => {
                total.latency.moments.count
            }
            // Means can be measured without percentiles.
            AssertedFigure::Latency(CriterionMeasure::Percentile { .. }) => {
                total.latency.histogram.total()
            }
        }
    }

    /// What the figure lacks to be judged by.
    fn lack(&self, total: &GroupTotal, holds: bool) -> Option<AssertionDoubt> {
        let (ios, needed) = (self.ios(total), self.figure.fewest_ios());
        match ios {
            0 if total.ios > 0 => Some(AssertionDoubt::LatencyNotMeasured),
            0 => Some(AssertionDoubt::NotMeasured),
            _ if holds && self.figure.is_latency() && total.lacks_latency => {
                Some(AssertionDoubt::LatencyNotMeasured)
            }
            _ if ios >= needed || (!holds && self.is_surely_missed(total)) => None,
            _ => Some(AssertionDoubt::TooFew { ios: Some(ios), needed }),
        }
    }

    /// Whether so many I/Os are on the wrong side of a percentile's limit that it is no chance: if
    /// the limit held, each would be there with the share beyond the percentile at most. I/Os in
    /// flight together are delayed together, so that they count as one.
    fn is_surely_missed(&self, total: &GroupTotal) -> bool {
        let Some(share) = self.figure.share() else { return false };
        let (limit_ns, histogram) = (self.limit as u64, &total.latency.histogram);
        let (wrong, chance) = match self.below {
            true => (histogram.count_above(limit_ns), 1.0 - share),
            false => (histogram.count_below(limit_ns), share),
        };
        let in_flight = total.in_flight.max(1);
        let (all, wrong) = (histogram.total() / in_flight, wrong / in_flight);
        binomial_tail(all, chance, wrong) < SURE_MISS
    }

    /// The time that nine in ten I/Os took at least, if that alone is above the limit of a latency.
    fn slow_tenth_ns(&self, total: &GroupTotal) -> Option<f64> {
        let tenth_ns = fastest_tenth_ns(&total.latency).filter(|_| self.figure.is_latency());
        tenth_ns.filter(|tenth_ns| *tenth_ns > self.limit)
    }

    /// Whether `value` is on the side of the limit to which other users of the processors move it,
    /// and nothing shows that it would be there without them.
    fn may_be_of_others(&self, value: f64, total: &GroupTotal, verdicts: &[Verdict]) -> bool {
        match self.figure {
            AssertedFigure::Iops | AssertedFigure::Bandwidth => {
                value < self.limit && !verdicts.iter().any(|verdict| self.is_out_of_reach(verdict))
            }
            AssertedFigure::Max | AssertedFigure::Latency(_) => {
                let is_capped = verdicts.iter().any(|verdict| verdict.answer.is_plain_cap());
                let moments = &total.latency.moments;
                // What is below the mean is quick in spite of the cap.
                let cap_makes_it =
                    is_capped && moments.mean() > self.limit && value >= moments.mean();
                value > self.limit && self.slow_tenth_ns(total).is_none() && !cap_makes_it
            }
        }
    }
}

impl Assertion {
    /// Whether a verdict is a cap below the asserted rate, which nothing could reach then. A cap of
    /// the other unit, whose value in this one is not known, is taken for such.
    fn is_out_of_reach(&self, verdict: &Verdict) -> bool {
        let own = match self.figure {
            AssertedFigure::Bandwidth => CapKind::Bandwidth,
            _ => CapKind::Iops,
        };
        let Answer::Capped(CapFinding::Capped(cap)) = &verdict.answer else { return false };
        let value = if cap.kind == own { Some(cap.value) } else { cap.or };
        cap.is_plain() && value.is_none_or(|value| value < self.limit)
    }
}

/// The common outcome of assertions.
pub fn gate_of(rows: &[AssertionRow]) -> GateResult {
    let reason = || rows.iter().find_map(|row| row.reason.clone());
    GateResult::of(rows.iter().map(|row| row.outcome), reason)
}

/// Whether a job makes I/Os of a direction, as its `rw` says.
fn makes(job: &JobResult, way: Direction) -> bool {
    let rw = job.setup.rw.as_str();
    let rw = rw.strip_prefix("rand").unwrap_or(rw);
    match way {
        Direction::Read => matches!(rw, "read" | "rw"),
        Direction::Write => matches!(rw, "write" | "rw" | "trimwrite"),
        Direction::Trim => matches!(rw, "trim" | "trimwrite"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cap, CapConfidence, ClientFinding, ClientSign, ClientVerdict};
    use fathom_stats::{ClientSpan, JobSetup};
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Assertion, AssertionError> {
        text.parse()
    }

    /// A job with this number of reads of 4 KiB in a second, each of `ns`.
    fn reads(group_id: u32, ios: u64, ns: u64) -> JobResult {
        let mut job =
            JobResult { name: format!("job{group_id}"), group_id, ..JobResult::default() };
        let read = &mut job.dirs.read;
        (read.total_ios, read.io_bytes, read.runtime_ms) = (ios, ios * 4096, 1000);
        (0..ios).for_each(|_| read.lat.record(ns));
        job
    }

    fn outcomes(text: &str, jobs: Vec<JobResult>) -> Vec<RowOutcome> {
        let result = RunResult { jobs, ..RunResult::default() };
        parse(text).unwrap().judge(&result, &[]).iter().map(|row| row.outcome).collect()
    }

    #[test]
    fn a_limit_of_reads_is_none_of_groups_that_only_write() {
        let with_rw = |rw: &str, job: JobResult| {
            let setup = JobSetup { rw: rw.to_owned(), ..JobSetup::default() };
            JobResult { setup, ..job }
        };
        let reading = || with_rw("randread", reads(0, 2000, 500_000));
        let writing = || with_rw("write", JobResult { group_id: 1, ..JobResult::default() });
        let both = || vec![reading(), writing()];
        assert_eq!(outcomes("read.p99<1ms", both()), [RowOutcome::Pass]);
        assert_eq!(outcomes("p99<1ms", both()), [RowOutcome::Pass, RowOutcome::Undecided]);
        // Where no group reads, the limit is not dropped without a word.
        assert_eq!(outcomes("read.p99<1ms", vec![writing()]), [RowOutcome::Undecided]);
    }

    #[test]
    fn figures_are_held_against_their_limits() {
        use RowOutcome::{Fail, Pass, Undecided};
        let one = || vec![reads(0, 2000, 500_000)];
        for (text, outcome) in [
            ("p99<1ms", Pass),
            ("p99 < 400us", Fail),
            ("read.mean<=0.5ms", Pass),
            ("mean<500us", Fail),
            ("max>=500us", Pass),
            ("iops>1.9k", Pass),
            ("iops>2000", Fail),
            ("iops>=2000", Pass),
            ("bw>8MB/s", Pass),
            ("bw>8MiB/s", Fail),
            ("write.iops>0", Undecided),
            ("p99.999<1ms", Undecided),
        ] {
            assert_eq!(outcomes(text, one()), [outcome], "{text}");
        }
    }

    #[test]
    fn a_row_has_its_figure_and_limit_as_numbers_of_one_unit() {
        let result = RunResult { jobs: vec![reads(0, 2000, 500_000)], ..RunResult::default() };
        for (text, measured, limit, unit) in [
            ("iops>1.9k", Some(2000.0), 1900.0, AssertionUnit::Iops),
            ("bw>8MiB/s", Some(8_192_000.0), 8_388_608.0, AssertionUnit::BytesPerS),
            ("mean<1ms", Some(500_000.0), 1_000_000.0, AssertionUnit::Ns),
            ("write.max<1s", None, 1e9, AssertionUnit::Ns),
        ] {
            let row = parse(text).unwrap().judge(&result, &[]).remove(0);
            let numbers = (row.measured_value, row.limit_value, row.unit);
            assert_eq!(numbers, (measured, Some(limit), Some(unit)), "{text}");
        }
    }

    #[test]
    fn jobs_side_by_side_are_added_up_and_jobs_in_turn_are_not() {
        use RowOutcome::{Fail, Pass};
        let both = |second| vec![reads(0, 1500, 1000), reads(second, 1500, 1000)];
        assert_eq!(outcomes("iops>2000", both(0)), [Pass]);
        assert_eq!(outcomes("iops>2000", both(1)), [Fail, Fail]);
        let stopped = RunResult { jobs: both(0), interrupted: true, ..RunResult::default() };
        let row = &parse("iops>2000").unwrap().judge(&stopped, &[])[0];
        assert_eq!(
            (row.outcome, row.reason.as_deref()),
            (RowOutcome::Undecided, Some("the run was stopped"))
        );
        let paused = RunResult { jobs: both(0), pause_ms: 9100, ..RunResult::default() };
        let outcomes = ["iops>2000", "iops>4000"].map(|text| {
            let row = parse(text).unwrap().judge(&paused, &[]).remove(0);
            (row.outcome, row.reason)
        });
        let why = "the process was stopped for 9.1 s meanwhile".to_owned();
        assert_eq!(outcomes, [(Pass, None), (RowOutcome::Undecided, Some(why))]);
    }

    /// The groups of a run beside other programs that kept the processors this busy.
    fn beside(busy: f64, more: Option<Answer>) -> Vec<JobGroup> {
        let client = ClientFinding {
            verdict: ClientVerdict::Tight,
            host: None,
            headroom: None,
            signs: vec![ClientSign::Others { busy }],
            is_capped: false,
        };
        let answers = std::iter::once(Answer::Client(client)).chain(more);
        let verdicts = answers.map(Verdict::from).collect();
        vec![JobGroup { jobs: "job0".to_owned(), verdicts }]
    }

    #[test]
    fn what_a_busy_host_may_have_caused_is_undecided() {
        use RowOutcome::{Fail, Pass, Undecided};
        let mut job = reads(0, 2000, 500_000);
        job.dirs.read.lat.record(1_000);
        (0..400).for_each(|_| job.dirs.read.lat.record(50_000));
        let result = RunResult { jobs: vec![job], ..RunResult::default() };
        let capped = Answer::Capped(CapFinding::Capped(Cap {
            kind: CapKind::Iops,
            value: 2000.0,
            or: None,
            evidence: Vec::new(),
            confidence: CapConfidence::High,
        }));
        let judged = |text: &str, groups: &[JobGroup]| parse(text).unwrap().judge(&result, groups);
        for (text, busy, outcome) in [
            ("p99<100us", 0.9, Undecided),
            ("p99<100us", 0.3, Fail),
            // Even the fastest tenth takes longer; a single I/O of 1 us is no evidence.
            ("p99<40us", 0.9, Fail),
            ("p99<1ms", 0.9, Pass),
            ("iops>3000", 0.9, Undecided),
            ("iops>1000", 0.9, Pass),
            // Others make nothing faster.
            ("iops<1000", 0.9, Fail),
            ("p99>1us", 0.9, Pass),
        ] {
            let row = &judged(text, &beside(busy, None))[0];
            assert_eq!(row.outcome, outcome, "{text} beside {busy}");
        }
        for (text, outcome) in [
            // A cap holds the rate whatever others do,
            ("iops>3000", Fail),
            // and with it the mean latency, which here is nearly 500 us,
            ("p99<100us", Fail),
            ("mean<400us", Fail),
            ("max<400us", Fail),
            // but not what is slower than most.
            ("max<499.9us", Undecided),
        ] {
            let row = &judged(text, &beside(0.9, Some(capped.clone())))[0];
            assert_eq!(row.outcome, outcome, "{text} beside a cap");
        }
        // One above the limit does not keep the rate below it.
        let mut above = capped.clone();
        if let Answer::Capped(CapFinding::Capped(cap)) = &mut above {
            cap.value = 2500.0;
        }
        let row = &judged("iops>2100", &beside(0.9, Some(above)))[0];
        assert_eq!(row.outcome, Undecided, "a cap above the limit");
        // Nor does it make what is quicker than the mean: half of these wait for the cap.
        let mut job = reads(0, 1000, 70_000);
        (0..300).for_each(|_| job.dirs.read.lat.record(50_000));
        (0..1000).for_each(|_| job.dirs.read.lat.record(900_000));
        let halves = RunResult { jobs: vec![job], ..RunResult::default() };
        for (text, outcome) in [("p40<60us", Undecided), ("p99<60us", Fail)] {
            let rows = parse(text).unwrap().judge(&halves, &beside(0.9, Some(capped.clone())));
            assert_eq!(rows[0].outcome, outcome, "{text} beside a cap");
        }
        let told = judged("iops>3000", &beside(0.9, None)).remove(0).sentence();
        assert_eq!(told, "measured 2,000 IOPS, but the host was busy with other programs");
        let row = judged("iops>3000", &beside(0.9, None)).remove(0);
        assert_eq!(row.doubt, Some(AssertionDoubt::Busy));
        let mut stopped = beside(0.9, None);
        if let Answer::Client(client) = &mut stopped[0].verdicts[0].answer {
            let (seconds, share) = (5.0, 0.5);
            client.signs.push(ClientSign::Throttled { seconds, share, quota: None });
        }
        let row = judged("iops>3000", &stopped).remove(0);
        assert_eq!((row.outcome, row.doubt), (Undecided, Some(AssertionDoubt::Quota)));
    }

    #[test]
    fn a_percentile_of_too_few_ios_fails_where_the_miss_is_no_chance() {
        use RowOutcome::{Fail, Undecided};
        // Of 40 I/Os five are slow.
        let few = || {
            let mut job = reads(0, 35, 500_000);
            job.dirs.read.total_ios = 40;
            (0..5).for_each(|_| job.dirs.read.lat.record(50_000_000));
            vec![job]
        };
        for (text, outcome) in [
            ("p99<1us", Fail),
            ("p99<1ms", Fail),
            // Five of forty may well be chance for a percentile that allows four.
            ("p90<1ms", Undecided),
            ("p99<60ms", Undecided),
            // All of them lie in the bucket of the limit: no side is sure.
            ("p99.9<50ms", Undecided),
            ("p99.9>60ms", Undecided),
            ("p75>400us", RowOutcome::Pass),
            ("p95<=40ms", Undecided),
        ] {
            assert_eq!(outcomes(text, few()), [outcome], "{text}");
        }
        // Without a single slow one of 500, the slowest hundredth is surely no slower.
        assert_eq!(outcomes("p99>1ms", vec![reads(0, 500, 500_000)]), [Fail]);
        assert_eq!(outcomes("p99>1ms", vec![reads(0, 300, 500_000)]), [Undecided]);
        assert_eq!(outcomes("mean<1us", vec![reads(0, 10, 500_000)]), [Undecided]);
        // Ten in flight together may all be late by one stall.
        let mut job = reads(0, 490, 500_000);
        job.dirs.read.total_ios = 500;
        (0..10).for_each(|_| job.dirs.read.lat.record(50_000_000));
        assert_eq!(outcomes("p99<1ms", vec![job.clone()]), [Undecided]);
        (0..10).for_each(|_| job.dirs.read.lat.record(50_000_000));
        assert_eq!(outcomes("p99<1ms", vec![job.clone()]), [Fail]);
        job.setup.iodepth = 10;
        assert_eq!(outcomes("p99<1ms", vec![job]), [Undecided]);
    }

    #[test]
    fn a_sure_miss_of_few_ios_may_still_be_of_a_busy_host() {
        let mut job = reads(0, 100, 500_000);
        job.dirs.read.lat.record(1_000);
        (0..400).for_each(|_| job.dirs.read.lat.record(50_000));
        let result = RunResult { jobs: vec![job], ..RunResult::default() };
        let doubt = |groups: &[JobGroup]| {
            parse("p99<100us").unwrap().judge(&result, groups).remove(0).doubt
        };
        assert_eq!(doubt(&beside(0.9, None)), Some(AssertionDoubt::Busy));
        assert_eq!(doubt(&beside(0.3, None)), None);
    }

    #[test]
    fn jobs_that_measure_no_latency_keep_no_limit_of_it() {
        let mut job = reads(0, 2000, 500_000);
        job.dirs.read.lat = LatencyStats::default();
        let result = RunResult { jobs: vec![job], ..RunResult::default() };
        for text in ["p99<1ms", "mean<1ms", "max<1ms"] {
            let row = parse(text).unwrap().judge(&result, &[]).remove(0);
            assert_eq!(row.outcome, RowOutcome::Undecided, "{text}");
            assert_eq!(
                (row.sentence().as_str(), row.measured_value),
                ("the jobs measure no latency", None)
            );
        }
        assert_eq!(parse("iops>1").unwrap().judge(&result, &[])[0].outcome, RowOutcome::Pass);
        // Another job's latencies do not stand for it.
        let both = || vec![reads(0, 2000, 500_000), result.jobs[0].clone()];
        assert_eq!(outcomes("p99<1ms", both()), [RowOutcome::Undecided]);
        assert_eq!(outcomes("p99<1us", both()), [RowOutcome::Fail]);
    }

    #[test]
    fn a_percentile_without_a_histogram_meets_no_limit() {
        let mut job = reads(0, 2000, 500_000);
        // As with `disable_lat=1` and `clat_percentiles=0`.
        job.dirs.read.clat = std::mem::take(&mut job.dirs.read.lat);
        job.dirs.read.clat.histogram = Default::default();
        assert_eq!(outcomes("p99<1ms", vec![job.clone()]), [RowOutcome::Undecided]);
        assert_eq!(outcomes("mean<1ms", vec![job]), [RowOutcome::Pass]);
    }

    #[test]
    fn a_doubt_is_said_in_each_language() {
        for (doubt, english, korean) in [
            (
                AssertionDoubt::TooFew { ios: None, needed: 1_000_000 },
                "it takes 1,000,000 I/Os",
                "I/O가 1,000,000건 필요합니다",
            ),
            (
                AssertionDoubt::TooFew { ios: Some(537), needed: 1000 },
                "there were only 537 I/Os; it takes 1,000",
                "I/O가 537건뿐이며 1,000건이 필요합니다",
            ),
            (
                AssertionDoubt::LatencyNotMeasured,
                "the jobs measure no latency",
                "작업이 지연 시간을 측정하지 않습니다",
            ),
            (
                AssertionDoubt::NotMeasured,
                "no such I/O was measured",
                "해당하는 I/O를 측정하지 않았습니다",
            ),
            (AssertionDoubt::Stopped, "the run was stopped", "실행이 중단되었습니다"),
            (
                AssertionDoubt::Quota,
                "a CPU limit of this host stopped the jobs",
                "이 호스트의 CPU 제한 때문에 작업이 멈춘 시간이 있습니다",
            ),
            (
                AssertionDoubt::Busy,
                "the host was busy with other programs",
                "다른 프로그램이 호스트의 CPU를 많이 사용했습니다",
            ),
        ] {
            assert_eq!(doubt.tell().text(Lang::En), english);
            assert_eq!(doubt.tell().text(Lang::Ko), korean);
        }
    }

    #[test]
    fn a_document_keeps_the_doubt_as_data_and_an_older_one_its_words() {
        let result = RunResult { jobs: vec![reads(0, 500, 1000)], ..RunResult::default() };
        let row = parse("p99.999<1ms").unwrap().judge(&result, &[]).remove(0);
        let text = serde_json::to_string(&row).unwrap();
        let doubt = r#""doubt":{"is":"too_few","ios":500,"needed":1000000}"#;
        assert!(text.contains(doubt), "{text}");
        assert_eq!(serde_json::from_str::<AssertionRow>(&text).unwrap(), row);
        let renamed = AssertionRow { reason: Some("said otherwise".to_owned()), ..row };
        let korean = renamed.why().unwrap().text(Lang::Ko);
        let words = "I/O가 500건뿐이며 1,000,000건이 필요합니다";
        assert_eq!(korean, words, "the words are no data");
        let without_ios = text.replace(r#""ios":500,"#, "");
        let without_ios: AssertionRow = serde_json::from_str(&without_ios).unwrap();
        assert_eq!(without_ios.why().unwrap().text(Lang::En), "it takes 1,000,000 I/Os");
        let older = r#"{"assertion": "p99<1ms", "jobs": "", "measured": "", "outcome": "unclear",
                        "reason": "no such I/O was measured"}"#;
        let older: AssertionRow = serde_json::from_str(older).unwrap();
        assert_eq!(older.why().unwrap().text(Lang::Ko), "no such I/O was measured");
    }

    #[test]
    fn a_job_s_name_limits_an_assertion_to_it() {
        use RowOutcome::{Fail, Pass};
        let jobs = || vec![reads(0, 2000, 500_000), reads(1, 2000, 2_000_000), reads(1, 1, 1)];
        assert_eq!(outcomes("job0:p99<1ms", jobs()), [Pass]);
        assert_eq!(outcomes("job1 : p99<1ms", jobs()), [Fail]);
        let result = RunResult { jobs: jobs(), ..RunResult::default() };
        let row = parse("job1:iops>2000").unwrap().judge(&result, &[]).remove(0);
        // Both clones count.
        assert_eq!((row.outcome, row.jobs.as_str()), (Pass, "job1"));
        assert_eq!(row.assertion, "iops>2000");
        assert_eq!(parse("a:b:p99<1ms").unwrap().job(), Some("a:b"));
        assert_eq!(parse(":p99<1ms"), Err(AssertionError::NoJob));
    }

    #[test]
    fn parts_of_a_job_on_several_machines_are_that_job() {
        let on = |host: &str| JobResult { name: format!("one@{host}"), ..reads(0, 2000, 500_000) };
        let clients =
            ["h1", "h2"].map(|host| ClientSpan { host: host.to_owned(), ..ClientSpan::default() });
        let result = RunResult {
            jobs: vec![on("h1"), on("h2")],
            clients: clients.to_vec(),
            ..RunResult::default()
        };
        let rows = parse("one:iops>3k").unwrap().judge(&result, &[]);
        let outcomes: Vec<_> = rows.iter().map(|row| (row.jobs.as_str(), row.outcome)).collect();
        assert_eq!(outcomes, [("one", RowOutcome::Pass)]);
    }

    #[test]
    fn what_is_no_assertion_says_what_to_write() {
        assert_eq!(parse("p99"), Err(AssertionError::NoComparison));
        for text in ["p100<1ms", "p0<1ms", "latency<1ms", "both.iops>1", "pNaN<1ms"] {
            assert!(matches!(parse(text), Err(AssertionError::Figure(_))), "{text}");
        }
        for text in
            ["p99<1", "p99<", "iops>3000ms", "bw>100", "iops>-1", "mean<NaNms", "iops>1e999"]
        {
            assert!(matches!(parse(text), Err(AssertionError::Limit { .. })), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            let _ = parse(&text);
        }
    }
}
