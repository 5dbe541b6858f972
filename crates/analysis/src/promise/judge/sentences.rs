//! Each verdict as one sentence with its figures.

use super::{
    IntervalShare, JudgedDirections, LatencyFigure, MeanRate, PromiseEvidence, PromiseOutcome,
    PromiseVerdict, Stretch, Unknown,
};
use crate::promise::promised::Bound;
use crate::promise::wording::{block, capacity, count, duration, percent, rate};
use crate::quantity::times;
use crate::quantity::{latency, thousands};
use fathom_message::{Message, Tell, shown_as_told};

shown_as_told!(JudgedDirections, PromiseVerdict, LatencyFigure, Unknown);

impl Tell for JudgedDirections {
    fn tell(&self) -> Message {
        Message::new(match self {
            JudgedDirections::Read => "promise-reads",
            JudgedDirections::Write => "promise-writes",
            JudgedDirections::Both => "promise-both",
        })
    }
}

impl Tell for PromiseVerdict {
    fn tell(&self) -> Message {
        let of_way = |id| Message::new(id).part("way", self.way.tell());
        match &self.evidence {
            PromiseEvidence::Mean(mean) => self.mean(mean),
            PromiseEvidence::Intervals(share) => self.intervals(share),
            PromiseEvidence::Latency { figure, latency_ns, limit_ns, fastest_tenth_ns } => {
                let told = of_way(match (self.outcome, self.is_slow_throughout()) {
                    (PromiseOutcome::Kept, _) => "promise-latency-kept",
                    (_, true) => "promise-latency-missed-throughout",
                    (_, false) => "promise-latency-missed",
                });
                let told = told.with("tenth", latency(fastest_tenth_ns.unwrap_or(f64::NAN)));
                let told = told.with("latency", latency(*latency_ns)).part("figure", figure.tell());
                told.with("limit", latency(*limit_ns))
            }
            PromiseEvidence::Beside { iops, others_iops, size_bytes } => of_way("promise-beside")
                .with("iops", thousands(*iops))
                .with("others", thousands(*others_iops))
                .with("size", capacity(*size_bytes)),
            PromiseEvidence::Unknown { why } => of_way("promise-unknown").part("why", why.tell()),
        }
    }
}

impl PromiseVerdict {
    /// Whether nine in ten I/Os took longer than the limit: no other program explains that.
    pub(crate) fn is_slow_throughout(&self) -> bool {
        match self.evidence {
            PromiseEvidence::Latency { fastest_tenth_ns: Some(tenth_ns), limit_ns, .. } => {
                tenth_ns > limit_ns
            }
            _ => false,
        }
    }

    /// A mean, with the outcome's remark.
    fn mean(&self, mean: &MeanRate) -> Message {
        let told = |id| Message::new(id).part("mean", mean.tell(self.way));
        match (self.outcome, mean.latency_ns) {
            (PromiseOutcome::Missed, _) => {
                told("promise-mean-missed").with("enough", percent(mean.enough))
            }
            (PromiseOutcome::NotReached, Some(latency_ns)) => told("promise-mean-not-reached")
                .with("latency", latency(latency_ns))
                .with("outstanding", count(mean.outstanding(latency_ns))),
            (PromiseOutcome::Exceeded, _) => told("promise-mean-exceeded"),
            // A limit that is met only with a tolerance says so.
            (PromiseOutcome::Kept, _) if mean.is_within_tolerance() => {
                told("promise-mean-within").with("enough", percent(mean.enough))
            }
            _ => told("promise-mean"),
        }
    }

    /// Intervals, with a remark if they do not decide.
    fn intervals(&self, share: &IntervalShare) -> Message {
        let told = Message::new(match self.outcome {
            PromiseOutcome::NotJudged => "promise-intervals-not-judged",
            PromiseOutcome::NotReached => "promise-intervals-not-reached",
            _ => "promise-intervals",
        });
        told.part("intervals", share.tell(self.way))
    }
}

/// A mean from this share of its limit on is displayed as all of it.
const WHOLE: f64 = 0.9995;
/// From this multiple of the limit on, the text uses multiples rather than percent.
const IN_TIMES: f64 = 2.0;

/// `83.4 % of`, `31 times`.
fn share(share: f64) -> Message {
    match share >= IN_TIMES {
        true => Message::new("promise-share-times").with("times", times(share)),
        false => Message::new("promise-share-percent").with("percent", percent(share)),
    }
}

impl MeanRate {
    /// Whether a tolerance made it enough: it is shown as less than its limit.
    pub fn is_within_tolerance(&self) -> bool {
        self.iops < self.limit_iops * WHOLE && self.iops >= self.limit_iops * self.enough
    }

    /// The mean against its limit, in the terms of the limit.
    fn tell(&self, way: JudgedDirections) -> Message {
        let bytes = self.block_bytes as f64;
        let shown = |iops: f64| match self.bound {
            Bound::Throughput | Bound::Client => rate(iops * bytes),
            Bound::Iops | Bound::Vm => format!("{} IOPS", thousands(iops)),
        };
        let told = Message::new(match (self.stretch, self.bound) {
            (Stretch::Burst, _) => "promise-mean-of-burst",
            (_, Bound::Client) => "promise-mean-of-client",
            (_, Bound::Vm) => "promise-mean-of-vm",
            _ => "promise-mean-of",
        });
        told.part("way", way.tell())
            .with("rate", shown(self.iops))
            .with("block", block(bytes))
            .part("share", share(self.iops / self.limit_iops))
            .with("limit", shown(self.limit_iops))
    }

    /// How many I/Os were outstanding on average (Little's law).
    fn outstanding(&self, latency_ns: f64) -> f64 {
        (self.iops * latency_ns / 1e9).max(1.0).round()
    }
}

impl IntervalShare {
    /// `93.3 % of the seconds reached the promise; 99 % are promised.`
    pub fn in_short(&self) -> Message {
        let intervals = match self.interval_s {
            1.0 => Message::new("promise-seconds"),
            interval_s => Message::new("promise-stretches").with("interval", duration(interval_s)),
        };
        Message::new("promise-intervals-short")
            .with("share", percent(self.reached as f64 / self.intervals.max(1) as f64))
            .part("intervals", intervals)
            .with("promised", percent(self.share_of_time))
    }

    fn tell(&self, way: JudgedDirections) -> Message {
        Message::new("promise-intervals-of")
            .part("way", way.tell())
            .with("threshold", thousands(self.threshold_iops))
            .with("reached", count(self.reached as f64))
            .with("all", count(self.intervals as f64))
            .with("interval", duration(self.interval_s))
            .with("share", percent(self.reached as f64 / self.intervals.max(1) as f64))
            .with("promised", percent(self.share_of_time))
    }
}

impl Tell for LatencyFigure {
    fn tell(&self) -> Message {
        match self {
            LatencyFigure::Mean => Message::new("promise-figure-mean"),
            LatencyFigure::Percentile(percent) => format!("p{percent}").into(),
        }
    }
}

impl Tell for Unknown {
    fn tell(&self) -> Message {
        match self {
            Unknown::NoPromise => Message::new("promise-unknown-no-promise"),
            Unknown::NotMeasured => Message::new("promise-unknown-not-measured"),
            Unknown::StillBursting { seen_s, needed_s: Some(needed_s) } => {
                Message::new("promise-unknown-still-bursting-needed")
                    .with("seen", duration(*seen_s))
                    .with("needed", duration(*needed_s))
            }
            Unknown::StillBursting { seen_s, needed_s: None } => {
                Message::new("promise-unknown-still-bursting").with("seen", duration(*seen_s))
            }
            Unknown::NoBurst => Message::new("promise-unknown-no-burst"),
            Unknown::OtherLoad { at_bytes } => {
                Message::new("promise-unknown-other-load").with("block", block(*at_bytes))
            }
        }
    }
}
