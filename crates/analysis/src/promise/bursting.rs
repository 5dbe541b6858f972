//! Derives a burst from its row: level, bucket, and duration.
//!
//! A full bucket that refills at the baseline lasts `bucket / (burst - baseline)` and fills in
//! `bucket / baseline` while idle. If the provider states the time instead, the bucket follows from
//! it.

use super::config::{ConfigLimits, IOPS, RATE};
use super::error::PromiseError;
use super::limits::BurstRule;
use super::promised::{BurstLevels, Level};
use super::rule::Inputs;
use super::size::SizeUnit;

impl ConfigLimits<'_> {
    /// The burst above the baselines of reads and of writes; `None` if there is none, or the
    /// baseline is as high.
    pub(super) fn burst(
        &self,
        read: Level,
        write: Level,
    ) -> Result<Option<BurstLevels>, PromiseError> {
        let Some(rule) = self.limits.burst.as_ref().filter(|rule| self.bursts(rule)) else {
            return Ok(None);
        };
        let inputs = Inputs { bought: None, ..self.inputs };
        let unit = self.rate_unit().bytes_per_s();
        let rate = self.value(rule.rate.as_ref(), &inputs, RATE)?;
        let level = Level {
            iops: self.value(rule.iops.as_ref(), &inputs, IOPS)?,
            bytes_per_s: rate.map(|rate| rate * unit),
        };
        let raised = [read, write].map(|baseline| raised(baseline, level));
        if raised == [read, write] {
            return Ok(None);
        }
        let stated_tib = self.value(rule.bucket_tib.as_ref(), &inputs, RATE)?;
        let bucket_bytes = stated_tib.map(|tib| tib * SizeUnit::TiB.bytes());
        Ok(Some(timed(rule, read, raised, bucket_bytes)))
    }

    fn bursts(&self, rule: &BurstRule) -> bool {
        let size = self.inputs.size;
        let within = |upto: f64| size.is_none_or(|size| size <= upto);
        let beyond = |above: f64| size.is_none_or(|size| size > above);
        rule.upto_size.is_none_or(within) && rule.above_size.is_none_or(beyond)
    }
}

/// A baseline plus the burst's addition.
fn raised(baseline: Level, burst: Level) -> Level {
    let higher = |base: Option<f64>, burst: Option<f64>| match (base, burst) {
        (Some(base), Some(burst)) => Some(base.max(burst)),
        (base, burst) => burst.or(base),
    };
    Level {
        iops: higher(baseline.iops, burst.iops),
        bytes_per_s: higher(baseline.bytes_per_s, burst.bytes_per_s),
    }
}

/// A quantity with a bucket: how much a burst takes beyond the baseline.
struct Flow {
    baseline: f64,
    surplus: f64,
}

impl Flow {
    fn of(baseline: Option<f64>, burst: Option<f64>) -> Option<Flow> {
        let (baseline, burst) = (baseline?, burst?);
        (burst > baseline).then_some(Flow { baseline, surplus: burst - baseline })
    }
}

/// The burst with its bucket and times, from whichever of them the row states.
fn timed(
    rule: &BurstRule,
    baseline: Level,
    [read, write]: [Level; 2],
    bucket_bytes: Option<f64>,
) -> BurstLevels {
    let ios = Flow::of(baseline.iops, read.iops);
    let bytes = Flow::of(baseline.bytes_per_s, read.bytes_per_s);
    let held =
        |bucket: Option<f64>, flow: &Option<Flow>| bucket.zip(flow.as_ref().map(|f| f.surplus));
    let drained = held(rule.bucket_ios, &ios).or(held(bucket_bytes, &bytes));
    let lasts_s = rule.lasts_s.or(drained.map(|(bucket, surplus)| bucket / surplus));
    // A time stated for a pause does not describe a bucket that fills during work.
    let filling = lasts_s.filter(|_| rule.rest_s.is_none());
    let content = |flow: &Option<Flow>| Some(flow.as_ref()?.surplus * filling?);
    let bucket_ios = rule.bucket_ios.or(content(&ios).filter(|_| rule.lasts_s.is_some()));
    let refill = |bucket: Option<f64>, flow: &Option<Flow>| {
        let baseline = flow.as_ref().map(|flow| flow.baseline).filter(|base| *base > 0.0);
        bucket.zip(baseline).map(|(bucket, baseline)| bucket / baseline)
    };
    let refill_s = rule.rest_s.or(refill(bucket_ios, &ios)).or(refill(bucket_bytes, &bytes));
    BurstLevels { read, write, lasts_s, refill_s, bucket_ios, bucket_bytes }
}
