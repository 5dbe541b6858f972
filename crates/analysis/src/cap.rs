//! Evidence of a limit, and its value: what holds a volume to 3,000 IO/s or 125 MB/s.
//!
//! No sign is proof by itself. A flat series least of all: means over a second of any quiet
//! device at depth 1 vary by a fraction of a percent, since thousands of latencies average out.
//! So each sign has a weight, and a cap is told when they add up, or when depths or block sizes
//! show it. It cannot be told from outside whether a provider's limit or a part of the device
//! that works at a fixed rate is what holds.

use crate::quantity::{figures, latency, stretch, thousands};
use crate::shown::{RateUnit, in_percent, listed};
use crate::{Burst, Humps, SawTooth, Tone};
use serde::{Deserialize, Serialize};
use std::fmt;

mod ceilings;
mod flat;
mod verdict;

pub use ceilings::{
    DepthCeiling, DepthPoint, SizeCeiling, SizePoint, depth_ceiling, size_ceilings,
};
pub use flat::{Flat, LatencySpread, Regular, flat_ceiling, nearest_round};
pub use verdict::{CapInputs, find_cap};

/// What a cap counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapKind {
    /// I/Os a second, whatever their size.
    Iops,
    /// Bytes a second, whatever the I/Os that carry them.
    Bandwidth,
}

impl CapKind {
    /// The unit of its value.
    pub fn unit(self) -> RateUnit {
        match self {
            CapKind::Iops => RateUnit::Ios,
            CapKind::Bandwidth => RateUnit::Bytes,
        }
    }
}

/// How far the evidence carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// One weak sign or two.
    Low,
    /// A strong sign and another, or a very strong one.
    Medium,
    /// Several that agree.
    High,
}

/// A sign of a cap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "sign", rename_all = "snake_case")]
pub enum Evidence {
    /// The rate hugs one value from below.
    Flat(Flat),
    /// The rate varies less than its own latencies would make it.
    Regular(Regular),
    /// The value is what somebody would have set.
    RoundNumber {
        /// The round number, in I/Os or bytes a second.
        value: f64,
        /// What it counts.
        unit: RateUnit,
    },
    /// Deeper queues only wait longer.
    Depths(DepthCeiling),
    /// Block sizes show what stays the same.
    Sizes(SizeCeiling),
    /// Some I/Os pass at once and the others wait for a slice of time.
    Humps(Humps),
    /// Tokens come by the clock.
    SawTooth(SawTooth),
    /// A burst ended at the rate that lasts.
    Burst(Burst),
}

/// A cap: what it counts, its value, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cap {
    /// What it counts.
    pub kind: CapKind,
    /// The rate it holds to, as measured: I/Os or bytes a second.
    pub value: f64,
    /// The signs of it.
    pub evidence: Vec<Evidence>,
    /// How far they carry together.
    pub confidence: Confidence,
}

/// Whether something holds the rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum CapFinding {
    /// Something does.
    Capped(Cap),
    /// The rate is flat, and nothing else speaks for a cap: a steady device looks so too.
    OnlyFlat(Flat),
    /// The job's own pace held it, so that it says nothing of a cap.
    Paced {
        /// What the job was asked to do, in the unit of its rate.
        pace: f64,
        /// That unit.
        unit: RateUnit,
    },
    /// No sign of one: the volume gave what it had.
    NoneSeen,
    /// There is too little to judge.
    NotEnough,
}

impl Cap {
    /// It explains the rate, and that more clients or depth would not raise it.
    pub fn tone(&self) -> Tone {
        Tone::Note
    }

    /// The round number next to its value: what was probably set.
    pub fn nominal(&self) -> Option<f64> {
        self.evidence.iter().find_map(|sign| match sign {
            Evidence::RoundNumber { value, .. } => Some(*value),
            _ => None,
        })
    }
}

impl CapFinding {
    /// How it bears on the rate.
    pub fn tone(&self) -> Tone {
        match self {
            CapFinding::NoneSeen => Tone::Good,
            _ => Tone::Note,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Flat(flat) => flat.fmt(f),
            Evidence::Regular(regular) => regular.fmt(f),
            Evidence::RoundNumber { value, unit } => {
                write!(f, "it is a round number, {}", round_text(*value, *unit))
            }
            Evidence::Depths(depths) => depths.fmt(f),
            Evidence::Sizes(sizes) => sizes.fmt(f),
            Evidence::Humps(humps) => write!(
                f,
                "{} of I/Os wait about {} where the rest take {}",
                in_percent(humps.share_high),
                latency(humps.high_ns as f64),
                latency(humps.low_ns as f64),
            ),
            Evidence::SawTooth(tooth) => write!(
                f,
                "a quarter of each {} does {} of the work",
                stretch(tooth.period_s),
                in_percent(tooth.busiest_quarter),
            ),
            Evidence::Burst(burst) => {
                write!(f, "a burst of {} ended there", burst.unit.rate(burst.burst_rate))
            }
        }
    }
}

/// A round number in the unit in which it is round.
fn round_text(value: f64, unit: RateUnit) -> String {
    const MIB: f64 = 1048576.0;
    match unit {
        RateUnit::Bytes if value % MIB == 0.0 && value % 1e6 != 0.0 => {
            format!("{} MiB/s", figures(value / MIB).trim_end_matches('0').trim_end_matches('.'))
        }
        RateUnit::Bytes => {
            format!("{} MB/s", thousands(value / 1e6))
        }
        RateUnit::Ios => unit.rate(value),
    }
}

impl fmt::Display for Cap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sure = match self.confidence {
            Confidence::Low => "Perhaps held",
            Confidence::Medium => "Probably held",
            Confidence::High => "Held",
        };
        let kind = match self.kind {
            CapKind::Iops => "an IOPS cap",
            CapKind::Bandwidth => "a bandwidth cap",
        };
        let signs: Vec<String> = self.evidence.iter().map(Evidence::to_string).collect();
        let rate = self.kind.unit().rate(self.value);
        write!(f, "{sure} to {rate} ({kind}): {}.", listed(&signs))
    }
}

impl fmt::Display for CapFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CapFinding::Capped(cap) => cap.fmt(f),
            CapFinding::OnlyFlat(flat) => write!(
                f,
                "Flat, but no cap to be told: {flat}; a steady device looks the same, and other \
                 depths or block sizes would tell."
            ),
            CapFinding::Paced { pace, unit } => write!(
                f,
                "The job's own pace of {} was reached, so no cap shows.",
                unit.rate(*pace)
            ),
            CapFinding::NoneSeen => {
                f.write_str("No sign of a cap: nothing holds the rate to one value.")
            }
            CapFinding::NotEnough => f.write_str(
                "Not enough to tell a cap: it takes ten intervals, or several depths or sizes.",
            ),
        }
    }
}

#[cfg(test)]
mod tests;
