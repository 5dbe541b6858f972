//! Ends jobs whose figures are steady (`steadystate`).
//!
//! Judged from outside, over the counters that loops publish, because a reporting group is steady
//! as a whole. Each watched group has a window of intervals; each new interval replaces the oldest,
//! and a full window is judged.

use crate::control::{CloneCounters, State};
use crate::plan::ClonePlan;
use fathom_job::{SteadyMetric, SteadyStateRule};
use fathom_stats::SteadyStateResult;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// All groups that are watched for steadiness.
#[derive(Debug, Default)]
pub(crate) struct SteadyStateWatch {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    spec: SteadyStateRule,
    /// Places of its clones among all, and their numbers.
    members: Vec<(usize, u32)>,
    began: Option<Instant>,
    next: Option<Instant>,
    last: Totals,
    window: VecDeque<Totals>,
    result: SteadyStateResult,
}

/// Counters of a group, or their differences over an interval.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    ios: u64,
    bytes: u64,
    lat_sum_ns: u64,
}

impl SteadyStateWatch {
    /// Watches the clones that request it; those of a reporting group together.
    pub fn new<'p>(plans: impl Iterator<Item = &'p ClonePlan>) -> SteadyStateWatch {
        let mut groups: Vec<(Option<u32>, Group)> = Vec::new();
        for (at, plan) in plans.enumerate() {
            let Some(spec) = &plan.job.extent.steadystate else { continue };
            let shared = plan.job.process.group_reporting.then_some(plan.group_id);
            match groups.iter_mut().find(|(id, _)| shared.is_some() && *id == shared) {
                Some((_, group)) => group.members.push((at, plan.number)),
                None => groups.push((shared, Group::new(spec, at, plan.number))),
            }
        }
        SteadyStateWatch { groups: groups.into_iter().map(|(_, group)| group).collect() }
    }

    /// Checks every group whose interval has ended, and stops steady ones.
    pub fn look(&mut self, now: Instant, live: impl Fn(usize) -> Arc<CloneCounters>) {
        for group in &mut self.groups {
            group.look(now, &live);
        }
    }

    /// The state of a clone, by its number.
    pub fn result(&self, number: u32) -> Option<SteadyStateResult> {
        let has = |group: &&Group| group.members.iter().any(|(_, n)| *n == number);
        self.groups.iter().find(has).map(|group| group.result.clone())
    }
}

impl Group {
    fn new(spec: &SteadyStateRule, at: usize, number: u32) -> Group {
        let intervals = vec![0; window_len(spec)];
        Group {
            members: vec![(at, number)],
            began: None,
            next: None,
            last: Totals::default(),
            window: VecDeque::new(),
            result: SteadyStateResult {
                criterion: criterion(spec),
                slope_judged: spec.slope,
                duration_s: spec.duration_us / 1_000_000,
                limit: spec.limit,
                percent: spec.percent,
                iops: intervals.clone(),
                bw_kib: intervals.clone(),
                lat_ns: intervals,
                ..SteadyStateResult::default()
            },
            spec: spec.clone(),
        }
    }

    fn look(&mut self, now: Instant, live: &impl Fn(usize) -> Arc<CloneCounters>) {
        let lives: Vec<Arc<CloneCounters>> = self.members.iter().map(|(at, _)| live(*at)).collect();
        if self.result.attained || !lives.iter().any(|l| l.state() == State::Running) {
            return;
        }
        let began = *self.began.get_or_insert(now);
        let interval = Duration::from_millis(self.spec.interval_ms.max(1));
        let ramp = Duration::from_micros(self.spec.ramp_us);
        let next = *self.next.get_or_insert(began + ramp);
        if now < next {
            return;
        }
        self.next = Some(next + interval);
        let totals = totals_of(&lives);
        if now >= began + ramp + interval {
            self.push(difference(totals, self.last), interval);
        }
        self.last = totals;
        if self.result.attained {
            lives.iter().for_each(|l| l.stop());
        }
    }

    fn push(&mut self, totals: Totals, interval: Duration) {
        let full = window_len(&self.spec);
        if self.window.len() == full {
            self.window.pop_front();
        }
        self.window.push_back(totals);
        let seconds = interval.as_secs_f64();
        let rate = |count: u64| (count as f64 / seconds) as u64;
        let result = &mut self.result;
        for (at, totals) in self.window.iter().enumerate() {
            result.iops[at] = rate(totals.ios);
            result.bw_kib[at] = rate(totals.bytes) / 1024;
            result.lat_ns[at] = totals.lat_sum_ns / totals.ios.max(1);
        }
        if self.window.len() == full {
            self.judge();
        }
    }

    fn judge(&mut self) {
        let result = &mut self.result;
        let values: Vec<f64> = match self.spec.metric {
            SteadyMetric::Iops => result.iops.iter().map(|v| *v as f64).collect(),
            SteadyMetric::Bandwidth => result.bw_kib.iter().map(|v| *v as f64 * 1024.0).collect(),
            SteadyMetric::Latency => result.lat_ns.iter().map(|v| *v as f64).collect(),
        };
        result.slope = slope(&values);
        let mean = mean(&values);
        let deviation = values.iter().map(|v| (v - mean).abs()).fold(0.0, f64::max);
        let raw = if self.spec.slope { result.slope.abs() } else { deviation };
        result.value = match self.spec.percent {
            true if mean > 0.0 => raw / mean * 100.0,
            true => f64::INFINITY,
            false => raw,
        };
        result.attained = result.value < self.spec.limit;
    }
}

/// The number of intervals of a window.
fn window_len(spec: &SteadyStateRule) -> usize {
    usize::try_from(spec.duration_us / 1000 / spec.interval_ms.max(1)).map_or(1, |len| len.max(1))
}

fn criterion(spec: &SteadyStateRule) -> String {
    let metric = match spec.metric {
        SteadyMetric::Iops => "iops",
        SteadyMetric::Bandwidth => "bw",
        SteadyMetric::Latency => "lat",
    };
    let slope = if spec.slope { "_slope" } else { "" };
    let percent = if spec.percent { "%" } else { "" };
    format!("{metric}{slope}:{:.6}{percent}", spec.limit)
}

fn totals_of(lives: &[Arc<CloneCounters>]) -> Totals {
    let mut totals = Totals::default();
    for live in lives {
        totals.ios += live.ios.iter().map(|c| c.load(Relaxed)).sum::<u64>();
        totals.bytes += live.bytes.iter().map(|c| c.load(Relaxed)).sum::<u64>();
        totals.lat_sum_ns += live.lat_sum_ns.load(Relaxed);
    }
    totals
}

fn difference(now: Totals, before: Totals) -> Totals {
    Totals {
        ios: now.ios.saturating_sub(before.ios),
        bytes: now.bytes.saturating_sub(before.bytes),
        lat_sum_ns: now.lat_sum_ns.saturating_sub(before.lat_sum_ns),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Slope of the least-squares line through values one interval apart.
fn slope(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean_x = (n - 1.0) / 2.0;
    let mean_y = mean(values);
    let (mut over, mut under) = (0.0, 0.0);
    for (x, y) in values.iter().enumerate() {
        over += (x as f64 - mean_x) * (y - mean_y);
        under += (x as f64 - mean_x).powi(2);
    }
    if under == 0.0 { 0.0 } else { over / under }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_of_a_line_is_its_slope() {
        let line: Vec<f64> = (0..10).map(|x| 5.0 + 3.0 * f64::from(x)).collect();
        assert!((slope(&line) - 3.0).abs() < 1e-12);
        assert_eq!(slope(&[7.0; 6]), 0.0);
        assert_eq!(slope(&[7.0]), 0.0);
    }
}
