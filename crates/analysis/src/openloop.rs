//! The response time that users would have had at a planned rate: waiting, service, response, and
//! overload.
//!
//! Each I/O of a paced job has a due time. From there to its submission it waits, from there to its
//! completion it is served, and the sum is its response: the latency of an open-loop client, with
//! stalls (coordinated omission). A rate that is not reached has no response time: the backlog
//! grows as long as the run. The border is 97 % of the planned rate, as in ScyllaDB's diskplorer.

use crate::Tone;
use crate::quantity::{latency, thousands};
use crate::shown::{RateUnit, in_percent};
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// Less than this share of the planned rate is overload.
const REACHED: f64 = 0.97;
/// A backlog at the end worth this much time is no burst of arrivals.
const BACKLOG_S: f64 = 1.0;
/// Waiting that makes this share of the response time is worth naming.
const WAITS: f64 = 0.2;

/// Mean and 99th percentile of a time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeFigures {
    /// Mean.
    pub mean_ns: f64,
    /// 99th percentile.
    pub p99_ns: f64,
}

/// What a paced job did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenLoopInputs {
    /// Planned I/Os a second.
    pub target_iops: f64,
    /// I/Os a second that were done.
    pub achieved_iops: f64,
    /// From when an I/O was due to its submission.
    pub wait: TimeFigures,
    /// From its submission to its completion.
    pub service: TimeFigures,
    /// From when it was due to its completion.
    pub response: TimeFigures,
    /// I/Os that were due and not submitted when the run ended.
    pub backlog_ios: u64,
}

/// Whether the planned rate was reached, and what it felt like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum OpenLoopFinding {
    /// It was not: what waits only grows.
    Overload {
        /// What was done over what was planned, 0 to 1.
        achieved_share: f64,
        /// The figures.
        figures: OpenLoopInputs,
    },
    /// It was, and I/Os waited for each other.
    Waited {
        /// Share of the mean response that was waiting, 0 to 1.
        wait_share: f64,
        /// The figures.
        figures: OpenLoopInputs,
    },
    /// It was, and response is service.
    KeptUp {
        /// The figures.
        figures: OpenLoopInputs,
    },
    /// The planned rate or the response time is not known.
    NotEnough,
}

/// Judges a paced job.
pub fn find_open_loop(inputs: &OpenLoopInputs) -> OpenLoopFinding {
    let figures = OpenLoopInputs {
        wait: inputs.wait.known(),
        service: inputs.service.known(),
        response: inputs.response.known(),
        ..*inputs
    };
    let achieved_share = inputs.achieved_iops / inputs.target_iops;
    let real = |value: f64| value.is_finite() && value > 0.0;
    let rates_known = achieved_share.is_finite() && inputs.achieved_iops >= 0.0;
    if !real(inputs.target_iops) || !rates_known {
        return OpenLoopFinding::NotEnough;
    }
    let behind_s = inputs.backlog_ios as f64 / inputs.target_iops;
    if achieved_share < REACHED || behind_s >= BACKLOG_S {
        return OpenLoopFinding::Overload { achieved_share: achieved_share.min(1.0), figures };
    }
    if !real(figures.response.mean_ns) || !real(figures.response.p99_ns) {
        return OpenLoopFinding::NotEnough;
    }
    // A stall makes few I/Os wait, so that only the tail shows it.
    let wait_share = (figures.wait.mean_ns / figures.response.mean_ns).min(1.0);
    let in_tail = figures.wait.p99_ns / figures.response.p99_ns;
    match wait_share >= WAITS || in_tail >= WAITS {
        true => OpenLoopFinding::Waited { wait_share, figures },
        false => OpenLoopFinding::KeptUp { figures },
    }
}

impl TimeFigures {
    /// The same with 0 for invalid times.
    fn known(self) -> TimeFigures {
        let known = |ns: f64| if ns.is_finite() { ns.max(0.0) } else { 0.0 };
        TimeFigures { mean_ns: known(self.mean_ns), p99_ns: known(self.p99_ns) }
    }
}

impl OpenLoopFinding {
    /// How it bears on the latencies.
    pub fn tone(&self) -> Tone {
        match self {
            OpenLoopFinding::Overload { .. } => Tone::Bad,
            OpenLoopFinding::Waited { .. } => Tone::Warning,
            OpenLoopFinding::KeptUp { .. } => Tone::Good,
            OpenLoopFinding::NotEnough => Tone::Note,
        }
    }
}

impl Tell for OpenLoopFinding {
    fn tell(&self) -> Message {
        match self {
            OpenLoopFinding::Overload { achieved_share, figures } => {
                overloaded(*achieved_share, figures)
            }
            OpenLoopFinding::Waited { wait_share, figures } => felt("open-loop-waited", figures)
                .part("share", in_percent(*wait_share))
                .with("service-mean", latency(figures.service.mean_ns))
                .with("service-p99", latency(figures.service.p99_ns)),
            OpenLoopFinding::KeptUp { figures } => felt("open-loop-kept-up", figures),
            OpenLoopFinding::NotEnough => Message::new("open-loop-not-enough"),
        }
    }
}

shown_as_told!(OpenLoopFinding);

fn felt(id: &'static str, figures: &OpenLoopInputs) -> Message {
    Message::new(id)
        .with("rate", RateUnit::Ios.rate(figures.target_iops))
        .with("mean", latency(figures.response.mean_ns))
        .with("p99", latency(figures.response.p99_ns))
}

fn overloaded(share: f64, figures: &OpenLoopInputs) -> Message {
    let overload = |id| {
        Message::new(id)
            .with("done", RateUnit::Ios.rate(figures.achieved_iops))
            .with("planned", RateUnit::Ios.rate(figures.target_iops))
            .part("share", in_percent(share))
    };
    match figures.backlog_ios {
        0 => overload("open-loop-overload"),
        left => overload("open-loop-overload-left").with("left", thousands(left as f64)),
    }
}

#[cfg(test)]
mod tests;
