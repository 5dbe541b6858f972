//! Where a measurement was stopped, in the words of its plan.

use crate::trial::Trial;
use fathom_message::{Message, Tell};
use fathom_text::Text;

/// The run in which, or after which, a measurement was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopPoint {
    /// Runs that were begun.
    pub begun: usize,
    /// Runs that were planned.
    pub planned: usize,
    /// Whether the last of them was not over yet.
    pub is_during: bool,
    /// Whether a test has several runs, so that they are counted instead of tests.
    pub counts_runs: bool,
}

/// Whether a run was stopped before it was over.
pub fn is_unfinished<K, F>(run: &Trial<K, F>) -> bool {
    run.cut_short || run.is_stopped()
}

impl StopPoint {
    /// After the last of these runs of the `planned` ones.
    pub(crate) fn after<K, F>(
        runs: &[Trial<K, F>],
        planned: usize,
        counts_runs: bool,
    ) -> StopPoint {
        let is_during = runs.last().is_some_and(is_unfinished);
        StopPoint { begun: runs.len(), planned, is_during, counts_runs }
    }

    /// As a part of a sentence: `stopped during test 2 of 8`.
    pub fn clause(&self) -> Text {
        let clause = |text: String| text.trim_end_matches('.').replacen('S', "s", 1);
        Text::each(|lang| clause(self.tell().text(lang)))
    }
}

impl Tell for StopPoint {
    fn tell(&self) -> Message {
        let id = match (self.begun, self.is_during) {
            (0, _) => "summary-stopped-before",
            (_, true) => "summary-stopped-during",
            (_, false) => "summary-stopped-after",
        };
        let told = Message::new(id).with("number", self.begun.max(1));
        let told = told.with("planned", self.planned);
        told.with("unit", if self.counts_runs { "run" } else { "test" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

    #[test]
    fn the_words_are_those_of_the_plan() {
        let point = |begun, is_during, counts_runs| {
            let point = StopPoint { begun, planned: 8, is_during, counts_runs };
            assert!(point.tell().text(Lang::Ko).contains("중단"));
            point.tell().to_string()
        };
        assert_eq!(point(2, true, false), "Stopped during test 2 of 8.");
        assert_eq!(point(1, false, false), "Stopped after test 1 of 8.");
        assert_eq!(point(0, false, true), "Stopped before run 1 of 8.");
        let point = StopPoint { begun: 3, planned: 24, is_during: true, counts_runs: true };
        assert_eq!(point.clause(), "stopped during run 3 of 24");
    }
}
