//! Warns before a run that a burst bucket will outlast it.

use super::basis::CheckBasis;
use super::load::CheckLoad;
use crate::goal::Goal;
use crate::promise::Reachable;
use crate::quantity::{megabytes_per_s, seconds, thousands};
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// A burst that may last longer than a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BurstNotice {
    /// Whose burst it is.
    pub volume: String,
    /// What bursts.
    pub goal: Goal,
    /// What it may give while it bursts.
    pub burst: Reachable,
    /// What it gives after that.
    pub baseline: Option<Reachable>,
    /// How long a full bucket lasts, in seconds, where that is known.
    pub lasts_s: Option<f64>,
}

/// How much longer than its bucket a run should be: a fifth, and then whole minutes.
const BEYOND: f64 = 1.2;

/// The bursts that outlast runs of `run_us`, one for each kind of run.
pub fn notices(basis: &CheckBasis, loads: &[&CheckLoad], run_us: u64) -> Vec<BurstNotice> {
    let Some(promise) = basis.promise() else { return Vec::new() };
    let lasts_s = promise.burst.as_ref().and_then(|burst| burst.lasts_s);
    if lasts_s.is_some_and(|lasts| lasts * BEYOND <= run_us as f64 / 1e6) {
        return Vec::new();
    }
    let mut notices: Vec<BurstNotice> = Vec::new();
    for load in loads {
        let Some(burst) = load.promised.burst else { continue };
        if notices.iter().all(|notice| notice.goal != load.goal) {
            let (volume, baseline) = (promise.volume.clone(), load.promised.rate);
            notices.push(BurstNotice { volume, goal: load.goal, burst, baseline, lasts_s });
        }
    }
    notices
}

impl BurstNotice {
    /// Microseconds that a run takes to reach the baseline, if known.
    pub fn needed_us(&self) -> Option<u64> {
        let minutes = (self.lasts_s? * BEYOND / 60.0).ceil();
        Some((minutes * 60e6) as u64)
    }

    fn rate(&self, reach: &Reachable) -> String {
        match self.goal {
            Goal::Throughput => format!("{} MB/s", megabytes_per_s(reach.bytes_per_s / 1e6)),
            _ => format!("{} IOPS", thousands(reach.iops)),
        }
    }
}

impl Tell for BurstNotice {
    fn tell(&self) -> Message {
        let known = self.lasts_s.zip(self.needed_us());
        let told = Message::new(match (known, &self.baseline) {
            (Some(_), Some(_)) => "check-burst-baseline",
            (Some(_), None) => "check-burst",
            (None, Some(_)) => "check-burst-endless-baseline",
            (None, None) => "check-burst-endless",
        });
        let told = told.with("volume", &self.volume).with("burst", self.rate(&self.burst));
        let told = match &self.baseline {
            Some(baseline) => told.with("baseline", self.rate(baseline)),
            None => told,
        };
        match known {
            Some((lasts_s, needed_us)) => told
                .with("time", seconds((lasts_s * 1e6) as u64))
                .with("minutes", needed_us / 60_000_000),
            None => told,
        }
    }
}

shown_as_told!(BurstNotice);
