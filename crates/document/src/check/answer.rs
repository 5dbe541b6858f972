//! The answer of a check as a sentence, the same in the terminal, in reports and in the history.

use super::document::CheckDocument;
use super::finding::Standing;
use fathom_analysis::quantity::times;
use fathom_message::{Message, Tell};

/// `PASS: aws.gp3, all 4 limits kept`; without a full stop, because it is a title.
impl Tell for CheckDocument {
    fn tell(&self) -> Message {
        let gate = self.gate();
        let told = match self.standing {
            Standing::Kept => match self.times_the_promise() {
                None => Message::new("check-kept"),
                Some(above) => self.above(above),
            },
            Standing::Missed => Message::new("check-missed").with("missed", gate.failed),
            Standing::CouldNotTell => {
                Message::new("check-untold").with("untold", gate.of - gate.judged)
            }
        };
        self.but(told.part("whose", self.basis.tell()).count("limits", gate.of as u64))
    }
}

impl CheckDocument {
    /// `PASS, but not a gp3: 31 times the promise; wrong --promise, or a cache`.
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
