//! Each verdict as one sentence with its figures.

use super::{
    Evidence, IntervalShare, LatencyFigure, MeanRate, Outcome, Stretch, Unknown, Verdict, Way,
};
use crate::promise::promised::Bound;
use crate::promise::wording::{block, capacity, count, duration, latency, percent, rate};
use std::fmt;

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Way::Read => "Reads",
            Way::Write => "Writes",
            Way::Both => "Reads and writes",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let way = self.way;
        match &self.evidence {
            Evidence::Mean(mean) => write!(f, "{way} {}{}.", mean.sentence(), self.bearing(mean)),
            Evidence::Intervals(share) => write!(f, "{way} {share}{}.", self.doubt()),
            Evidence::Latency { figure, latency_ns, limit_ns } => write!(
                f,
                "{way} took {} ({figure}); {} {} promised.",
                latency(*latency_ns),
                latency(*limit_ns),
                if self.outcome == Outcome::Kept { "or less were" } else { "were" }
            ),
            Evidence::Beside { iops, others_iops, size_bytes } => write!(
                f,
                "{way} averaged {} IO/s; nothing is promised, and {} were measured on {} before.",
                count(iops.round()),
                count(*others_iops),
                capacity(*size_bytes)
            ),
            Evidence::Unknown { why } => write!(f, "{way}: {why}."),
        }
    }
}

impl MeanRate {
    /// The mean against its limit, in the terms of the limit.
    fn sentence(&self) -> String {
        let bytes = self.block_bytes as f64;
        let shown = |iops: f64| match self.bound {
            Bound::Throughput | Bound::Client => rate(iops * bytes),
            Bound::Iops | Bound::Vm => format!("{} IO/s", count(iops.round())),
        };
        let what = match (self.stretch, self.bound) {
            (Stretch::Burst, _) => "promised for a burst",
            (_, Bound::Client) => "that one client gets",
            (_, Bound::Vm) => "that the VM allows",
            _ => "promised",
        };
        format!(
            "averaged {} in blocks of {}, {} of the {} {what}",
            shown(self.iops),
            block(bytes),
            percent(self.iops / self.limit_iops),
            shown(self.limit_iops)
        )
    }

    /// How many I/Os were outstanding on average (Little's law).
    fn outstanding(&self, latency_ns: f64) -> f64 {
        (self.iops * latency_ns / 1e9).max(1.0).round()
    }
}

impl fmt::Display for IntervalShare {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "reached {} IO/s in {} of {} intervals of {} ({}); {} of the time are promised",
            count(self.threshold_iops.round()),
            count(self.reached as f64),
            count(self.intervals as f64),
            duration(self.interval_s),
            percent(self.reached as f64 / self.intervals.max(1) as f64),
            percent(self.share_of_time)
        )
    }
}

const EXPLAIN: &str =
    "; ask whether a cache, merging, a burst or another kind of volume explains it";

impl Verdict {
    /// What the outcome adds to a mean.
    fn bearing(&self, mean: &MeanRate) -> String {
        match (self.outcome, mean.latency_ns) {
            (Outcome::Missed, _) => format!("; {} would be enough", percent(mean.enough)),
            (Outcome::NotReached, Some(latency_ns)) => format!(
                ", but each took only {} with about {} outstanding: with more the volume may give \
                 more",
                latency(latency_ns),
                count(mean.outstanding(latency_ns))
            ),
            (Outcome::Exceeded, _) => EXPLAIN.to_owned(),
            _ => String::new(),
        }
    }

    /// What is to be added where the intervals do not decide.
    fn doubt(&self) -> &'static str {
        match self.outcome {
            Outcome::NotJudged => ", which a run of this length can neither show nor disprove",
            Outcome::NotReached => ", but the load did not ask for more",
            _ => "",
        }
    }
}

impl fmt::Display for LatencyFigure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LatencyFigure::Mean => f.write_str("mean"),
            LatencyFigure::Percentile(percent) => write!(f, "p{percent}"),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unknown::NoPromise => f.write_str("nothing is promised of them"),
            Unknown::NotMeasured => f.write_str("not measured"),
            Unknown::StillBursting { seen_s, needed_s: Some(needed_s) } => write!(
                f,
                "the burst lasted through the {} of the run; the baseline shows in runs of {} or \
                 more",
                duration(*seen_s),
                duration(*needed_s)
            ),
            Unknown::StillBursting { seen_s, needed_s: None } => {
                write!(f, "the burst lasted through the {} of the run", duration(*seen_s))
            }
            Unknown::NoBurst => {
                f.write_str("no burst was seen; its credits may have been spent before")
            }
            Unknown::OtherLoad { at_bytes } => write!(
                f,
                "latency is promised for one I/O at a time of up to {}, which was not measured \
                 here",
                block(*at_bytes)
            ),
        }
    }
}
