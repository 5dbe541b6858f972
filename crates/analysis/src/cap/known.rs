//! A limit known from elsewhere, such as a control group's, and the rate below it.

use crate::shown::RateUnit;
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// A rate of this share of a limit is limited by it. Throttles on a busy machine lose up to 5 % of
/// their rate.
const HELD: f64 = 0.93;
/// Apparent excess over a limit: credit saved up before a short run.
const EXCEEDED: f64 = 1.05;

/// A limit that holds for a run's I/O, with what the run reached of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownLimit {
    /// What it counts.
    pub unit: RateUnit,
    /// How many a second it lets through.
    pub per_second: f64,
    /// What the run's I/O came to as the limit counts it: an I/O that the kernel splits counts
    /// as its parts; with the other I/O of its group.
    pub reached: f64,
    /// What of that other I/O of its group came to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub others: f64,
    /// The control group that has it.
    pub group: String,
    /// Whether it sets the same for reads and for writes; not in documents from before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both_ways: bool,
}

fn is_zero(others: &f64) -> bool {
    *others == 0.0
}

impl KnownLimit {
    /// Whether other I/O of its group took a part of it.
    pub fn is_shared(&self) -> bool {
        self.others > 0.0
    }

    /// Whether it limits the rate.
    pub fn holds(&self) -> bool {
        let share = self.reached / self.per_second;
        (HELD..=EXCEEDED).contains(&share)
    }

    /// That it is the cap of a rate.
    pub(super) fn tell_of_cap(&self) -> Message {
        let set = |id| {
            Message::new(id)
                .with("rate", super::round_text(self.per_second, self.unit))
                .with("group", &self.group)
        };
        match self.is_shared() {
            true => set("cap-set-shared").with("others", self.unit.rate(self.others)),
            false => set("cap-set"),
        }
    }
}

impl Tell for KnownLimit {
    fn tell(&self) -> Message {
        Message::new("cap-sign-known")
            .with("rate", super::round_text(self.per_second, self.unit))
            .with("group", &self.group)
    }
}

shown_as_told!(KnownLimit);
