//! The rows of a check, one for each limit with the figure that it limits.

use super::document::{CheckDocument, CheckTrial};
use fathom_analysis::Goal;
use fathom_analysis::check::CheckLoad;
use fathom_analysis::check::{Doubt, Standing};
use fathom_analysis::promise::{LatencyFigure, PromiseEvidence};
use fathom_analysis::{GateOutcome, GateResult, RowOutcome};
use fathom_message::{Message, Tell};
use std::cmp::Ordering;

/// One limit.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitRow<'r> {
    /// The load of its run.
    pub load: &'r CheckLoad,
    /// For a latency its statistic; none if only the mean is limited.
    pub figure: Option<LatencyFigure>,
    /// The limit, in the unit of the run's goal: I/Os a second, bytes a second, nanoseconds.
    pub limit: Option<f64>,
    /// The limited figure, in the same unit; none if it was not measured.
    pub measured: Option<f64>,
    /// The outcome.
    pub standing: Standing,
}

impl LimitRow<'_> {
    /// PASS, UNDECIDED or FAIL.
    pub fn outcome(&self) -> RowOutcome {
        self.standing.outcome()
    }

    /// The figure as a share of its limit, where both are known.
    pub fn share(&self) -> Option<f64> {
        Some(self.measured? / self.limit?).filter(|share| share.is_finite())
    }

    /// `4 KiB random read, 1 in flight: p99`, where `load` is the load's title.
    pub fn title(&self, load: String) -> Message {
        match self.figure {
            None => Message::verbatim(load),
            Some(figure) => {
                Message::new("check-row").with("load", load).part("figure", figure.tell())
            }
        }
    }
}

impl CheckTrial {
    /// Its limits, at least one.
    pub fn rows(&self) -> Vec<LimitRow<'_>> {
        let load = &self.load;
        match load.goal {
            Goal::Iops | Goal::Throughput => vec![self.rate_row()],
            Goal::Latency => match self.latency_rows() {
                rows if rows.is_empty() => vec![LimitRow {
                    load,
                    figure: None,
                    limit: load.promised.latency_ns,
                    measured: None,
                    standing: self.standing(),
                }],
                rows => rows,
            },
        }
    }

    fn rate_row(&self) -> LimitRow<'_> {
        let (load, iops) = (&self.load, self.figures.as_ref().map(|figures| figures.total.iops));
        let rate = load.promised.rate;
        let (limit, measured) = match load.goal {
            Goal::Throughput => {
                (rate.map(|rate| rate.bytes_per_s), iops.map(|iops| iops * load.block_bytes as f64))
            }
            _ => (rate.map(|rate| rate.iops), iops),
        };
        LimitRow { load, figure: None, limit, measured, standing: self.standing() }
    }

    /// A row for each latency that was held against a limit. What makes a run untold makes all of
    /// its figures so, but what was kept beside a busy host, and without a
    /// cache, is kept; else each has its own outcome.
    fn latency_rows(&self) -> Vec<LimitRow<'_>> {
        let Some(finding) = &self.finding else { return Vec::new() };
        let beside_host = finding.doubt == Some(Doubt::Client) && !finding.is_flattered();
        let lines = finding.judgement.verdicts.iter().filter_map(|line| match line.evidence {
            PromiseEvidence::Latency { figure, latency_ns, limit_ns, .. } => {
                Some((figure, latency_ns, limit_ns, line.outcome))
            }
            _ => None,
        });
        let rows = lines.map(|(figure, latency_ns, limit_ns, outcome)| LimitRow {
            load: &self.load,
            figure: Some(figure),
            limit: Some(limit_ns),
            measured: Some(latency_ns),
            standing: match outcome {
                outcome if outcome.row() == RowOutcome::Pass && beside_host => Standing::Kept,
                _ if finding.doubt.is_some() => Standing::CouldNotTell,
                outcome => outcome.row().into(),
            },
        });
        let mut rows: Vec<LimitRow<'_>> = rows.collect();
        if let [LimitRow { figure: figure @ Some(LatencyFigure::Mean), .. }] = rows.as_mut_slice() {
            *figure = None;
        }
        rows
    }
}

/// A rate that passed below its limit.
pub(super) struct WithinTolerance<'d> {
    /// Its limit.
    pub row: LimitRow<'d>,
    /// The share of the limit that is enough.
    pub enough: f64,
}

/// A rate from this share of its limit on is as good as the limit: a throttle is no more exact.
const AS_GOOD: f64 = 0.995;

/// A rate this many times the promise belongs to another kind of volume.
const OTHER_VOLUME: f64 = 1.5;

impl CheckDocument {
    /// All limits together. A run that was not made leaves its limit unclear.
    pub fn gate(&self) -> GateResult {
        let rows = self.runs.iter().flat_map(CheckTrial::rows).map(|row| row.outcome());
        let missing = self.planned.saturating_sub(self.runs.len());
        let rows = rows.chain(std::iter::repeat_n(RowOutcome::Undecided, missing));
        let untold = || self.failure.clone().or_else(|| self.first_reason(Standing::CouldNotTell));
        let gate = GateResult::of(rows, untold);
        match gate.outcome {
            GateOutcome::Fail => GateResult { reason: self.first_reason(Standing::Missed), ..gate },
            _ => gate,
        }
    }

    /// The first reason of limits with this outcome.
    fn first_reason(&self, standing: Standing) -> Option<String> {
        let runs = self.by_need().into_iter();
        let rows = runs.flat_map(|run| run.rows().into_iter().map(move |row| (run, row)));
        let mut such = rows.filter(|(_, row)| row.standing == standing);
        let reason = such.find_map(|(run, row)| {
            let reason = run.reason(&row).map(|why| why.sentence.to_string());
            reason.or_else(|| run.failure.clone())
        });
        reason.map(|text| text.trim_end_matches('.').to_owned())
    }

    /// Of a check that passed the lowest rate, beside its limit, that only a tolerance made enough.
    pub(super) fn within_tolerance(&self) -> Option<WithinTolerance<'_>> {
        let kept = self.runs.iter().filter(|_| self.standing == Standing::Kept);
        let within = kept.filter(|run| run.load.goal != Goal::Latency).filter_map(|run| {
            let mut means = run.finding.as_ref()?.judgement.means();
            let enough = means.find(|mean| mean.is_within_tolerance())?.enough;
            let row = run.rows().into_iter().next()?;
            row.share().filter(|share| *share < AS_GOOD)?;
            Some(WithinTolerance { row, enough })
        });
        within.min_by(|a, b| a.row.share().partial_cmp(&b.row.share()).unwrap_or(Ordering::Equal))
    }

    /// The ratio of a run's rate to the promise, if it is so high that the volume must be of
    /// another kind, or no volume at all.
    pub fn times_the_promise(&self) -> Option<f64> {
        self.basis.promise()?;
        let findings = self.runs.iter().filter_map(|run| run.finding.as_ref());
        let means = findings.flat_map(|finding| finding.judgement.means());
        means
            .map(|mean| mean.iops / mean.limit_iops)
            .filter(|times| times.is_finite() && *times > OTHER_VOLUME)
            .reduce(f64::max)
    }
}
