//! Progress without a terminal of a command that makes many short runs in rounds: a line for each
//! round instead of one for each run, and at most a dozen in all.

use fathom_campaign::seconds;

/// Most lines of a command.
const MOST_LINES: usize = 12;

/// Says which rounds are over, as runs end.
#[derive(Clone, Debug)]
pub struct RoundLines {
    /// After how many runs each round is over, rising.
    ends: Vec<u64>,
    /// Microseconds of each run.
    run_us: u64,
    /// Rounds that were over before.
    over: usize,
}

impl RoundLines {
    /// For runs of `run_us` each, of which `rounds` has the round of each, in order.
    pub fn new(rounds: impl IntoIterator<Item = u32>, run_us: u64) -> RoundLines {
        let mut ends: Vec<(u32, u64)> = Vec::new();
        for (round, runs) in rounds.into_iter().zip(1..) {
            match ends.last_mut() {
                Some((last, end)) if *last == round => *end = runs,
                _ => ends.push((round, runs)),
            }
        }
        RoundLines { ends: ends.into_iter().map(|(_, end)| end).collect(), run_us, over: 0 }
    }

    /// The line after `runs` runs, if a round ended with them and is told of:
    /// `round 2 of 5 is over: 24 of 60 runs, 3 min 0 s left`.
    pub fn after(&mut self, runs: u64) -> Option<String> {
        let rounds = self.ends.len();
        let over = self.ends.iter().filter(|end| **end <= runs).count();
        let before = std::mem::replace(&mut self.over, over);
        let every = rounds.div_ceil(MOST_LINES).max(1);
        if over == before || (over / every == before / every && over < rounds) {
            return None;
        }
        let all = *self.ends.last()?;
        let left = match all.saturating_sub(runs).saturating_mul(self.run_us) {
            0 => String::new(),
            left_us => localized!(", {} left", seconds(left_us)),
        };
        Some(localized!("round {over} of {rounds} is over: {runs} of {all} runs{left}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of `rounds` rounds of `each` runs of five seconds.
    fn lines(rounds: u32, each: u64) -> Vec<String> {
        let runs = (0..rounds).flat_map(|round| (0..each).map(move |_| round));
        let mut lines = RoundLines::new(runs, 5_000_000);
        (1..=u64::from(rounds) * each).filter_map(|runs| lines.after(runs)).collect()
    }

    #[test]
    fn a_round_is_a_line_with_what_is_left() {
        let told = lines(5, 12);
        assert_eq!(told.len(), 5, "{told:?}");
        assert_eq!(told[1], "round 2 of 5 is over: 24 of 60 runs, 3 min 0 s left");
        assert_eq!(told[4], "round 5 of 5 is over: 60 of 60 runs");
    }

    #[test]
    fn many_rounds_are_a_dozen_lines_and_the_last_is_one_of_them() {
        for rounds in [12, 13, 25, 100] {
            let told = lines(rounds, 3);
            assert!((7..=MOST_LINES).contains(&told.len()), "{rounds}: {told:?}");
            assert!(told.last().unwrap().starts_with(&format!("round {rounds} of {rounds} ")));
        }
    }

    #[test]
    fn a_round_whose_last_runs_were_left_out_is_over_with_the_next() {
        let mut lines = RoundLines::new([0, 0, 1, 1], 1_000_000);
        assert_eq!(lines.after(1), None);
        assert_eq!(lines.after(3).unwrap(), "round 1 of 2 is over: 3 of 4 runs, 1 s left");
        assert_eq!(lines.after(3), None);
        assert_eq!(RoundLines::new([], 1).after(1), None);
    }
}
