//! The answer of a check as a sentence, the same in the terminal, in reports and in the history.

use super::document::CheckDocument;
use super::rows::{LimitRow, WithinTolerance};
use fathom_analysis::Goal;
use fathom_analysis::check::Standing;
use fathom_analysis::promise::percent;
use fathom_analysis::quantity::{megabytes_per_s, thousands, times};
use fathom_message::{Message, Tell};

/// `PASS: aws.gp3, 4 of 4 limits kept`; of limits by hand `PASS: 4 of 4 limits kept`; where a rate
/// passed below its limit `PASS: 2,921 of 3,000 IOPS, 90 % is enough (aws.gp3)`. It is a title, so
/// it has no full stop.
impl Tell for CheckDocument {
    fn tell(&self) -> Message {
        if let Some(within) = self.passed_within() {
            return self.with_less(&within);
        }
        let gate = self.gate();
        let by_hand = self.basis.is_by_hand();
        let id = match (self.standing, by_hand) {
            (Standing::Kept, false) => "check-kept",
            (Standing::Kept, true) => "check-kept-by-hand",
            (Standing::Missed, false) => "check-missed",
            (Standing::Missed, true) => "check-missed-by-hand",
            (Standing::CouldNotTell, false) => "check-untold",
            (Standing::CouldNotTell, true) => "check-untold-by-hand",
        };
        let told = Message::new(id).with("missed", gate.failed);
        let told = told.with("untold", gate.of - gate.judged).part("whose", self.basis.tell());
        let told = told.with("limits", gate.of as u64);
        self.but(match (self.times_the_promise(), self.standing) {
            (Some(above), Standing::Kept) => self.above(above),
            (Some(above), Standing::CouldNotTell) => {
                Message::new("check-untold-above").part("told", told).with("times", times(above))
            }
            _ => told,
        })
    }
}

impl CheckDocument {
    /// A rate that passed below its limit, unless another belongs to another kind of volume.
    fn passed_within(&self) -> Option<WithinTolerance<'_>> {
        self.within_tolerance().filter(|_| self.times_the_promise().is_none())
    }

    /// Whether a rate passed below its limit.
    pub(crate) fn has_passed_below(&self) -> bool {
        self.passed_within().is_some()
    }

    fn with_less(&self, within: &WithinTolerance<'_>) -> Message {
        let id = match self.basis.is_by_hand() {
            true => "check-kept-within-by-hand",
            false => "check-kept-within",
        };
        let (measured, promised) = rate_of_limit(&within.row);
        let told = Message::new(id).with("measured", measured).with("promised", promised);
        told.with("enough", percent(within.enough)).part("whose", self.basis.tell())
    }

    /// Why a rate passed below its limit, how many limits were kept and what was not checked; none
    /// if no rate did. It has no full stop.
    pub(crate) fn why_less_is_enough(&self) -> Option<Message> {
        let within = self.passed_within()?;
        let promised = self.basis.promise().and_then(|promise| promise.consistency);
        let told = match (promised, self.basis.is_by_hand()) {
            (Some(of), _) => Message::new("check-less-is-promised")
                .with("limit", percent(of.share_of_limit))
                .with("time", percent(of.share_of_time)),
            (None, false) => Message::new("check-less-is-measured"),
            (None, true) => Message::new("check-less-is-tolerated"),
        };
        let told = told.with("enough", percent(within.enough));
        Some(self.but(told.part("whose", self.basis.tell()).with("limits", self.gate().of as u64)))
    }

    /// `PASS, but not a gp3: 31x the promise`.
    fn above(&self, above: f64) -> Message {
        let name = self.basis.name();
        let name = name.rsplit_once('.').map_or(name, |(_, volume)| volume);
        let id = match name.starts_with(['a', 'e', 'i', 'o', 'u']) {
            true => "check-kept-above-an",
            false => "check-kept-above",
        };
        Message::new(id).with("what", name).with("times", times(above))
    }

    /// Adds the limits that were not checked.
    fn but(&self, mut told: Message) -> Message {
        if self.standing == Standing::Kept && !self.bursts.is_empty() {
            told = Message::new("check-only-burst").part("told", told);
        }
        match self.left_out.len() {
            0 => told,
            left => Message::new("check-left-out").part("told", told).with("left", left as u64),
        }
    }
}

/// `2,921` and `3,000 IOPS`.
fn rate_of_limit(row: &LimitRow<'_>) -> (String, String) {
    let measured = row.measured.unwrap_or(0.0);
    let measured = match row.load.goal {
        Goal::Throughput => megabytes_per_s(measured / 1e6),
        _ => thousands(measured),
    };
    (measured, row.load.goal.in_unit(row.limit.unwrap_or(0.0)))
}
