//! Evidence of a limit, and its value: a cap of a volume at 3,000 IOPS or 125 MB/s.
//!
//! No sign is proof by itself, and a flat series least of all: means over a second of any quiet
//! device at QD 1 vary by a fraction of a percent, because thousands of latencies average out.
//! So each sign has a weight, and a cap is reported if the weights add up, or if depths or block
//! sizes show it. The measurement cannot distinguish a provider's limit from a part of the device
//! that works at a fixed rate.

use crate::quantity::{figures, latency, stretch, thousands};
use crate::shown::{RateUnit, in_percent};
use crate::{Burst, Humps, RateShaper, SawTooth, Tone};
use fathom_message::{Message, Tell, list, shown_as_told};
use serde::{Deserialize, Serialize};

mod ceilings;
mod flat;
mod known;
mod runs;
mod verdict;
mod waits;

pub use ceilings::{
    DepthCeiling, DepthPoint, SizeCeiling, SizePoint, depth_ceiling, size_ceilings,
};
pub use flat::{Flat, LatencySpread, Regular, flat_ceiling, nearest_round};
pub use known::KnownLimit;
pub use runs::{CapOverRuns, CapRun, RunsAtCap, caps_over_runs};
pub use verdict::{CapInputs, PromisedRate, find_cap};
pub use waits::{DeviceTime, WaitBefore, wait_before};

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
pub enum CapConfidence {
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
    /// The value is what the volume is held to: a promise, or a limit by hand.
    Promised {
        /// What it is held to, in I/Os or bytes a second.
        value: f64,
        /// What it counts.
        unit: RateUnit,
        /// Who stated it.
        #[serde(default, skip_serializing_if = "LimitSource::is_provider")]
        by: LimitSource,
    },
    /// Deeper queues only wait longer.
    Depths(DepthCeiling),
    /// Block sizes show what stays the same.
    Sizes(SizeCeiling),
    /// Some I/Os pass at once and the others wait for a slice of time.
    Humps(Humps),
    /// Several runs come to the same value.
    Runs(RunsAtCap),
    /// I/Os wait in this machine while the device is idle.
    WaitBefore(WaitBefore),
    /// Tokens come by the clock.
    SawTooth(SawTooth),
    /// A burst ended at the rate that lasts.
    Burst(Burst),
    /// A limit of that value is set, as the machine says.
    Known(KnownLimit),
}

/// Who states a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitSource {
    /// A provider, who promises it.
    #[default]
    Provider,
    /// The user.
    Hand,
}

impl LimitSource {
    /// Whether it is a promise.
    pub fn is_provider(&self) -> bool {
        *self == LimitSource::Provider
    }
}

/// A cap: what it counts, its value, and what speaks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cap {
    /// What it counts.
    pub kind: CapKind,
    /// The rate it holds to, as measured: I/Os or bytes a second.
    pub value: f64,
    /// The same rate in the other unit, where the cap may as well count that: one block size does
    /// not tell which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub or: Option<f64>,
    /// The signs of it.
    pub evidence: Vec<Evidence>,
    /// How far they carry together.
    pub confidence: CapConfidence,
}

impl Cap {
    /// Whether there is little doubt of it: confidence is medium or more.
    pub fn is_plain(&self) -> bool {
        self.confidence >= CapConfidence::Medium
    }
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
    /// The job's own pauses held it, so that it says nothing of a cap.
    Thinks {
        /// The share of the time that the job paused, 0 to 1.
        share: f64,
    },
    /// Other I/O ran on the device meanwhile, and may have shaped the rate.
    OtherUse,
    /// A CPU quota stopped the jobs meanwhile, and may have shaped the rate.
    CpuQuota,
    /// Some I/O did not reach the device, so that the rate is not the volume's.
    OffDevice,
    /// The process was stopped or its server was away meanwhile: the rate counts that time.
    Interruption,
    /// Some signs speak for a cap and others against it.
    Unclear {
        /// The rate that many intervals are near.
        rate: f64,
        /// What it counts.
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

    /// The burst that the cap's rate followed, if there was one.
    pub fn burst(&self) -> Option<&Burst> {
        self.evidence.iter().find_map(|sign| match sign {
            Evidence::Burst(burst) => Some(burst),
            _ => None,
        })
    }

    /// The limit that is known to be set for what the cap counts.
    pub fn known_limit(&self) -> Option<&KnownLimit> {
        self.evidence.iter().find_map(|sign| match sign {
            Evidence::Known(limit) if limit.unit == self.kind.unit() => Some(limit),
            _ => None,
        })
    }

    /// Whether the machine reports such a limit.
    pub fn is_set(&self) -> bool {
        self.evidence.iter().any(|sign| matches!(sign, Evidence::Known(_)))
    }

    /// The promised or round number close to its value: the probable setting.
    pub fn nominal(&self) -> Option<f64> {
        self.evidence.iter().find_map(|sign| match sign {
            Evidence::RoundNumber { value, .. } | Evidence::Promised { value, .. } => Some(*value),
            _ => None,
        })
    }
}

impl CapFinding {
    /// The finding that remains if something else may have shaped the rate: a limit that is set
    /// still applies, but the shape proves nothing. A throttle holds its rate whatever uses the
    /// processors.
    #[must_use]
    pub fn beside(self, shaper: RateShaper) -> CapFinding {
        match (self, shaper) {
            (finding, RateShaper::BusyMachine) => finding,
            (CapFinding::Capped(cap), _) if cap.is_set() => CapFinding::Capped(cap),
            (CapFinding::Capped(_), RateShaper::OtherUse) => CapFinding::OtherUse,
            (CapFinding::Capped(_) | CapFinding::OnlyFlat(_), RateShaper::CpuQuota) => {
                CapFinding::CpuQuota
            }
            (CapFinding::Capped(_), RateShaper::OffDevice) => CapFinding::OffDevice,
            (CapFinding::Capped(_) | CapFinding::OnlyFlat(_), RateShaper::Interruption) => {
                CapFinding::Interruption
            }
            (finding, _) => finding,
        }
    }

    /// How it bears on the rate.
    pub fn tone(&self) -> Tone {
        match self {
            CapFinding::NoneSeen => Tone::Good,
            _ => Tone::Note,
        }
    }
}

impl Evidence {
    /// Whether it says at which rate the cap is, and not what else the cap does.
    fn is_of_rate(&self) -> bool {
        matches!(
            self,
            Evidence::Known(_)
                | Evidence::Flat(_)
                | Evidence::Regular(_)
                | Evidence::RoundNumber { .. }
                | Evidence::Promised { .. }
                | Evidence::Runs(_)
        )
    }
}

impl Tell for Evidence {
    fn tell(&self) -> Message {
        match self {
            Evidence::Flat(flat) => flat.tell(),
            Evidence::Regular(regular) => regular.tell(),
            Evidence::RoundNumber { value, unit } => {
                Message::new("cap-sign-round").with("rate", round_text(*value, *unit))
            }
            Evidence::Promised { value, unit, by } => Message::new(match by {
                LimitSource::Provider => "cap-sign-promised",
                LimitSource::Hand => "cap-sign-by-hand",
            })
            .with("rate", round_text(*value, *unit)),
            Evidence::Depths(depths) => depths.tell(),
            Evidence::Sizes(sizes) => sizes.tell(),
            Evidence::Humps(humps) => Message::new("cap-sign-humps")
                .part("share", in_percent(humps.share_high))
                .with("high", latency(humps.high_ns as f64))
                .with("low", latency(humps.low_ns as f64)),
            Evidence::SawTooth(tooth) => Message::new("cap-sign-saw-tooth")
                .with("period", stretch(tooth.period_s))
                .part("share", in_percent(tooth.busiest_quarter)),
            Evidence::Burst(burst) => {
                Message::new("cap-sign-burst").with("rate", burst.unit.rate(burst.burst_rate))
            }
            Evidence::Known(limit) => limit.tell(),
            Evidence::Runs(runs) => runs.tell(),
            Evidence::WaitBefore(wait) => wait.tell(),
        }
    }
}

/// A round number in the unit in which it is round.
pub fn round_text(value: f64, unit: RateUnit) -> String {
    const MIB: f64 = 1048576.0;
    match unit {
        RateUnit::Bytes if value % MIB == 0.0 && value % 1e6 != 0.0 => {
            let mib = figures(value / MIB);
            match mib.contains('.') {
                true => format!("{} MiB/s", mib.trim_end_matches('0').trim_end_matches('.')),
                false => format!("{} MiB/s", thousands(value / MIB)),
            }
        }
        RateUnit::Bytes => {
            format!("{} MB/s", thousands(value / 1e6))
        }
        RateUnit::Ios => unit.rate(value),
    }
}

/// A limit that is known to be set is the cap: what the rate came to beside it, and the evidence
/// for it, would only be another figure for the same.
impl Tell for Cap {
    fn tell(&self) -> Message {
        if let Some(limit) = self.known_limit() {
            let signs = self.evidence.iter().filter(|sign| !sign.is_of_rate());
            let signs = signs.map(Evidence::tell);
            return list::sentences(std::iter::once(limit.tell_of_cap()).chain(signs));
        }
        let held = match self.confidence {
            CapConfidence::Low => "cap-held-low",
            CapConfidence::Medium => "cap-held-medium",
            CapConfidence::High => "cap-held-high",
        };
        let kind = match self.kind {
            CapKind::Iops => "cap-kind-iops",
            CapKind::Bandwidth => "cap-kind-bandwidth",
        };
        let kind = match (self.or, self.kind) {
            (None, _) => Message::new(kind),
            (Some(bytes_per_s), CapKind::Iops) => either(self.value, bytes_per_s),
            (Some(iops), CapKind::Bandwidth) => either(iops, self.value),
        };
        Message::new(held)
            .with("rate", self.kind.unit().rate(self.value))
            .part("kind", kind)
            .part("signs", list::sentences(self.evidence.iter().map(Evidence::tell)))
    }
}

/// Both candidates, if one block size cannot distinguish them.
fn either(iops: f64, bytes_per_s: f64) -> Message {
    Message::new("cap-kind-either")
        .with("iops", RateUnit::Ios.rate(iops))
        .with("bytes", RateUnit::Bytes.rate(bytes_per_s))
}

impl Tell for CapFinding {
    fn tell(&self) -> Message {
        match self {
            CapFinding::Capped(cap) => cap.tell(),
            CapFinding::OnlyFlat(flat) => Message::new("cap-only-flat").part("flat", flat.tell()),
            CapFinding::Paced { pace, unit } => {
                Message::new("cap-paced").with("rate", unit.rate(*pace))
            }
            CapFinding::Thinks { share } => {
                Message::new("cap-thinks").part("share", in_percent(*share))
            }
            CapFinding::Unclear { rate, unit } => {
                Message::new("cap-unclear").with("rate", unit.rate(*rate))
            }
            CapFinding::OtherUse => Message::new("cap-other-use"),
            CapFinding::CpuQuota => Message::new("cap-cpu-quota"),
            CapFinding::OffDevice => Message::new("cap-off-device"),
            CapFinding::Interruption => Message::new("cap-interruption"),
            CapFinding::NoneSeen => Message::new("cap-none-seen"),
            CapFinding::NotEnough => Message::new("cap-not-enough"),
        }
    }
}

shown_as_told!(Evidence, Cap, CapFinding);

#[cfg(test)]
mod tests;
