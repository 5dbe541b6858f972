//! The answer of a check as a sentence: the same in the terminal, in reports and in the history.

use super::document::{CheckDocument, RunRecord};
use super::finding::Standing;
use fathom_message::{Message, Tell};

/// `Kept: aws.gp3, in all 4 runs`; without the stop at its end, since a title has none.
impl Tell for CheckDocument {
    fn tell(&self) -> Message {
        let whose = self.basis.tell();
        let told = match self.standing {
            Standing::Kept => Message::new("check-kept"),
            Standing::Missed => {
                Message::new("check-missed").with("missed", self.count(Standing::Missed))
            }
            Standing::CouldNotTell => {
                // A run that was not made cannot be told either.
                let told = self.count(Standing::Missed) + self.count(Standing::Kept);
                let untold = self.planned.saturating_sub(told);
                Message::new("check-untold").with("untold", untold)
            }
        };
        self.but(told.part("whose", whose).count("runs", self.planned as u64))
    }
}

impl CheckDocument {
    fn count(&self, standing: Standing) -> usize {
        self.runs.iter().map(RunRecord::standing).filter(|one| *one == standing).count()
    }

    /// With what was not checked.
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
