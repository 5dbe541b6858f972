//! The offset of an agent's clock from the coordinator's, by round trips: a fast pong fixes the
//! agent's clock at the middle of its trip, plus or minus half of the trip.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Number of stored trips: old ones are useless for a clock that drifts.
const TRIPS: usize = 16;

/// The offset of a clock with its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockOffset {
    /// Nanoseconds by which the agent's clock is ahead.
    pub ahead_ns: i64,
    /// Uncertainty of that, in nanoseconds.
    pub error_ns: u64,
}

impl ClockOffset {
    /// A moment of the coordinator's clock by the agent's.
    pub fn to_agent_ns(self, coordinator_ns: u64) -> u64 {
        clamp(i128::from(coordinator_ns) + i128::from(self.ahead_ns))
    }

    /// A moment of the agent's clock by the coordinator's.
    pub fn to_coordinator_ns(self, agent_ns: u64) -> u64 {
        clamp(i128::from(agent_ns) - i128::from(self.ahead_ns))
    }
}

fn clamp(ns: i128) -> u64 {
    u64::try_from(ns.max(0)).unwrap_or(u64::MAX)
}

/// Round trips to one agent.
#[derive(Clone, Debug, Default)]
pub struct ClockTrips(VecDeque<ClockOffset>);

impl ClockTrips {
    /// Adds a trip: sent and returned by the coordinator's clock, with the agent's clock in
    /// between.
    pub fn add(&mut self, sent_ns: u64, back_ns: u64, agent_ns: u64) {
        let trip_ns = back_ns.saturating_sub(sent_ns);
        let middle_ns = sent_ns + trip_ns / 2;
        let ahead_ns = i128::from(agent_ns) - i128::from(middle_ns);
        let bound = |ns: i128| ns.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
        let ahead_ns = i64::try_from(bound(ahead_ns)).unwrap_or(i64::MAX);
        if self.0.len() == TRIPS {
            self.0.pop_front();
        }
        // Half a trip, rounded up: the middle of an odd one is between two nanoseconds.
        self.0.push_back(ClockOffset { ahead_ns, error_ns: trip_ns.div_ceil(2) });
    }

    /// The offset by the fastest trip; none before the first.
    pub fn offset(&self) -> Option<ClockOffset> {
        self.0.iter().min_by_key(|trip| trip.error_ns).copied()
    }

    /// How many trips there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no trip yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_true_offset_is_within_the_stated_error(
            ahead in -1_000_000_000_000i64..1_000_000_000_000,
            trips in prop::collection::vec((0u64..10_000_000, 0u64..10_000_000), 1..40),
        ) {
            let (mut clock, mut now) = (ClockTrips::default(), 2_000_000_000_000u64);
            for (there, back) in trips {
                let agent = (i128::from(now + there) + i128::from(ahead)) as u64;
                clock.add(now, now + there + back, agent);
                now += there + back + 1000;
            }
            let offset = clock.offset().unwrap();
            prop_assert!(offset.ahead_ns.abs_diff(ahead) <= offset.error_ns);
            prop_assert_eq!(offset.to_coordinator_ns(offset.to_agent_ns(now)), now);
        }
    }

    #[test]
    fn a_lie_overflows_nothing() {
        let mut clock = ClockTrips::default();
        clock.add(5, 3, u64::MAX);
        let offset = clock.offset().unwrap();
        assert_eq!(offset.to_agent_ns(u64::MAX), u64::MAX);
        assert_eq!(offset.to_coordinator_ns(0), 0);
    }
}
