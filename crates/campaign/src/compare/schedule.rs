//! After which rounds a comparison is judged. It ends at the first of these looks that decides all
//! tests; a test that is decided runs no more.
//!
//! Looks are few, because each has its part of the probabilities of error.

/// The rounds of the first look.
pub(super) const FIRST_LOOK: u32 = 5;

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
    }
}
