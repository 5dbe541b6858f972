//! The answer of a check as a sentence, the same in the terminal, in reports and in the history.

use super::document::CheckDocument;
use super::finding::Standing;
use fathom_analysis::quantity::times;
use fathom_message::{Message, Tell};

/// `PASS: aws.gp3, 4 of 4 limits kept`; of limits by hand `PASS: 4 of 4 limits kept`. It is a
/// title, so it has no full stop.
impl Tell for CheckDocument {
    fn tell(&self) -> Message {
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
        let told = told.count("limits", gate.of as u64);
        let above = self.times_the_promise().filter(|_| self.standing == Standing::Kept);
        self.but(above.map_or(told, |above| self.above(above)))
    }
}

impl CheckDocument {
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
            left => Message::new("check-left-out").part("told", told).count("left", left as u64),
        }
    }
}
