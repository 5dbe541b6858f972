//! Rates of the measured part of a run, interval by interval: the input of other verdicts.
//!
//! The ramp is left out, and so is an incomplete last interval or group of intervals: half an
//! interval would show as half a rate. For several clones the sum covers the time in which all of
//! them were measured.

use fathom_stats::{Interval, JobResult, Series, SeriesInterval};
use fathom_vocab::{Direction, PerDirection};

/// The rates of a run's intervals; all vectors have one entry an interval, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Length of an interval in seconds; 0 if there is none.
    pub interval_s: f64,
    /// I/Os a second.
    pub iops: Vec<f64>,
    /// Bytes a second.
    pub bytes_per_s: Vec<f64>,
    /// Mean completion latency in nanoseconds; NaN if no I/O completed.
    pub clat_mean_ns: Vec<f64>,
}

impl Rates {
    /// Rates of clones that ran side by side, added up, over the time common to all of them.
    ///
    /// `direction` is one of them, or all together if it is `None`. Intervals are joined to the
    /// whole number of them that is closest to `wanted_s` seconds. Clones without a series do not
    /// count.
    pub fn of_jobs(jobs: &[JobResult], direction: Option<Direction>, wanted_s: f64) -> Rates {
        let recorded = jobs.iter().filter(|job| !job.series.intervals.is_empty());
        let Some(whole_ms) = recorded.clone().map(whole_until_ms).min() else {
            return Rates::default();
        };
        let mut sum = Series::default();
        recorded.for_each(|job| sum.merge(&job.series));
        let whole = whole_ms.checked_div(sum.interval_ms).unwrap_or(0);
        sum.intervals.truncate(usize::try_from(whole).unwrap_or(usize::MAX));
        joined(&sum, direction, wanted_s)
    }

    /// Rates of a series by itself. It does not say whether its last interval is complete, so that
    /// one is always left out.
    pub fn of_series(series: &Series, direction: Option<Direction>, wanted_s: f64) -> Rates {
        let mut whole = series.clone();
        whole.intervals.pop();
        joined(&whole, direction, wanted_s)
    }

    /// How many intervals there are.
    pub fn len(&self) -> usize {
        self.iops.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.iops.is_empty()
    }

    /// The mean latency as it varies from interval to interval, where each I/O counts alike: the
    /// mean of the values is that of all I/Os, and their spread tells how well it is known.
    ///
    /// The means of intervals do not: one with a tenth of the I/Os counts as much as any other, so
    /// that they vary more than the rate of a run that keeps its depth. This is the linearised
    /// ratio of two sums (Cochran, Sampling Techniques, section 6.3).
    pub fn latencies_by_ios(&self) -> Vec<f64> {
        let each = || self.clat_mean_ns.iter().zip(&self.iops).filter(|(_, iops)| **iops > 0.0);
        let all: f64 = self.iops.iter().sum();
        let mean = each().map(|(clat, iops)| clat * iops).sum::<f64>() / all;
        let usual = all / self.len() as f64;
        let value = |(clat, iops): (&f64, &f64)| match *iops > 0.0 {
            true => mean + (clat - mean) * iops / usual,
            false => mean,
        };
        self.clat_mean_ns.iter().zip(&self.iops).map(value).collect()
    }

    /// Seconds that they cover.
    pub fn duration_s(&self) -> f64 {
        self.interval_s * self.len() as f64
    }
}

/// Milliseconds from a clone's start up to which its intervals are complete.
///
/// After a ramp the intervals start again where measuring began, so they may be up to one interval
/// later than their index says. Times are whole milliseconds, hence one of tolerance.
fn whole_until_ms(job: &JobResult) -> u64 {
    let length_ms = job.series.interval_ms.max(1);
    // The clone's own runtime adds up when clones are merged; a direction's does not.
    let measured_ms = job.dirs.iter().map(|(_, stats)| stats.runtime_ms).max().unwrap_or(0);
    let shift_ms = match job.series.ramp_intervals {
        0 => 0,
        _ => job.elapsed_ms.saturating_sub(measured_ms) % length_ms,
    };
    // One millisecond before an edge is the edge.
    let shift_ms = if shift_ms + 1 >= length_ms { 0 } else { shift_ms };
    job.elapsed_ms.saturating_add(1).saturating_sub(shift_ms)
}

/// Joins the measured intervals to groups of about `wanted_s`, the last of which must be complete.
fn joined(series: &Series, direction: Option<Direction>, wanted_s: f64) -> Rates {
    if series.interval_ms == 0 {
        return Rates::default();
    }
    let measured: Vec<Interval> = series.measured().map(|(_, interval)| *interval).collect();
    let length_ms = series.interval_ms as f64;
    // `as` converts NaN and negative values to 0, and too large ones to the largest.
    let group = ((wanted_s * 1e3 / length_ms).round() as usize).max(1);
    let interval_s = length_ms * group as f64 / 1e3;
    let mut rates = Rates { interval_s, ..Rates::default() };
    for intervals in measured.chunks_exact(group) {
        rates.push(&total(intervals), direction);
    }
    match rates.is_empty() {
        true => Rates::default(),
        false => rates,
    }
}

fn total(intervals: &[Interval]) -> Interval {
    let mut total = Interval::default();
    intervals.iter().for_each(|interval| SeriesInterval::merge(&mut total, interval));
    total
}

impl Rates {
    fn push(&mut self, interval: &Interval, direction: Option<Direction>) {
        let all = |counts: &PerDirection<u64>| match direction {
            Some(direction) => counts[direction],
            None => counts.iter().map(|(_, count)| count).sum(),
        } as f64;
        let ios = all(&interval.ios);
        self.iops.push(ios / self.interval_s);
        self.bytes_per_s.push(all(&interval.bytes) / self.interval_s);
        self.clat_mean_ns.push(all(&interval.clat_sum_ns) / ios);
    }
}

#[cfg(test)]
mod tests;
