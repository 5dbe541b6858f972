//! After which rounds a measurement is judged, and the one loop that goes on until it is decided:
//! of rounds of volumes, of the loads of a check, of runs that a comparison repeats. It ends at
//! the first look that decides all tests; a test that is decided runs no more.
//!
//! Looks are few, because each has its part of the probabilities of error
//! ([`fathom_analysis::JudgeRule::looks`]).

/// The rounds of the first look.
pub(super) const FIRST_LOOK: u32 = 5;

/// Runs of a side that show how runs differ.
const FEWEST_RUNS: u32 = 3;

/// The rounds of the next looks.
const LOOKS: [u32; 10] = [10, 15, 25, 40, 65, 100, 160, 250, 400, 650];

/// After which rounds the findings are judged, rising; the last is the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundSchedule {
    looks: Vec<u32>,
}

impl RoundSchedule {
    /// So many rounds, judged at their end.
    pub fn exactly(rounds: u32) -> RoundSchedule {
        RoundSchedule { looks: vec![rounds] }
    }

    /// At most so many rounds, with looks on the way.
    pub fn until(most: u32) -> RoundSchedule {
        let earlier = std::iter::once(FIRST_LOOK).chain(LOOKS);
        RoundSchedule { looks: earlier.take_while(|look| *look < most).chain([most]).collect() }
    }

    /// Judged after each of so many rounds.
    pub fn of_looks(looks: u32) -> RoundSchedule {
        RoundSchedule { looks: (1..=looks).collect() }
    }

    /// At most so many runs a side, of which one is there: judged as it is, and then from the
    /// fewest on that show how runs differ.
    pub fn of_runs(most: u32) -> RoundSchedule {
        let earlier = [1, FEWEST_RUNS, FIRST_LOOK].into_iter().chain(LOOKS);
        RoundSchedule { looks: earlier.take_while(|look| *look < most).chain([most]).collect() }
    }

    /// Makes the rounds up to each look with what is open, until nothing is. `look` makes them,
    /// judges, and gives what is open then; nothing where it was stopped.
    pub fn until_decided<T>(&self, mut open: Vec<T>, mut look: impl FnMut(u32, Vec<T>) -> Vec<T>) {
        for rounds in &self.looks {
            if open.is_empty() {
                break;
            }
            open = look(*rounds, open);
        }
    }

    /// The rounds after which the findings are judged.
    pub fn looks(&self) -> &[u32] {
        &self.looks
    }

    /// Most rounds.
    pub fn rounds(&self) -> u32 {
        self.looks.last().copied().unwrap_or(0)
    }

    /// Fewest rounds.
    pub fn least(&self) -> u32 {
        self.looks.first().copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_look_is_the_end() {
        assert_eq!(RoundSchedule::until(15).looks(), [5, 10, 15]);
        assert_eq!(RoundSchedule::until(12).looks(), [5, 10, 12]);
        assert_eq!(RoundSchedule::until(5).looks(), [5]);
        assert_eq!(RoundSchedule::until(1000).rounds(), 1000);
        assert_eq!(
            (RoundSchedule::exactly(3).looks(), RoundSchedule::until(30).least()),
            (&[3][..], 5)
        );
        assert_eq!(RoundSchedule::of_runs(12).looks(), [1, 3, 5, 10, 12]);
        assert_eq!(RoundSchedule::of_runs(1).looks(), [1]);
    }

    #[test]
    fn only_what_is_open_goes_on_and_nothing_does_at_the_end() {
        let mut made = Vec::new();
        RoundSchedule::until(12).until_decided(vec!["a", "b"], |rounds, open| {
            made.push((rounds, open.clone()));
            open.into_iter().filter(|test| rounds < 10 || *test == "b").collect()
        });
        assert_eq!(made, [(5, vec!["a", "b"]), (10, vec!["a", "b"]), (12, vec!["b"])]);
        let mut looks = 0;
        RoundSchedule::until(100).until_decided(vec![()], |_, _| {
            looks += 1;
            Vec::new()
        });
        assert_eq!(looks, 1);
    }
}
