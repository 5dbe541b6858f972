//! The limits of a volume: a provider's promise, or limits that the user states.
//!
//! Both have the same interface: the expected figure of a direction at a block size, and the
//! judgement of a run. A run for IOPS is no test of latency, and one for latency no test of IOPS,
//! so each judgement contains only the lines for the run's goal.

use crate::goal::Goal;
use crate::promise::{
    Bound, HandLimits, Judgement, Level, MeasuredRun, Promise, PromiseEvidence, Reachable, judge,
    judge_by_hand,
};
use crate::quantity::volume_bytes;
use fathom_message::{Message, Tell};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// The block size of a limit of IOPS if its provider states none.
pub const SMALL_BYTES: u64 = 4 << 10;

/// What a volume is held to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum CheckBasis {
    /// What a provider promises.
    Provider {
        /// In numbers, with its source.
        promise: Box<Promise>,
        /// Where the volume's size was taken from.
        size_from: SizeFrom,
    },
    /// What the user states.
    Hand {
        /// In numbers.
        limits: HandLimits,
    },
}

/// Where a volume's size was taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum SizeFrom {
    /// The user gave it.
    Said,
    /// It is the size of the device beneath the target.
    Device {
        /// The device's node.
        node: String,
    },
    /// The user gave it, and the device beneath the target is of quite another size.
    SaidUnlike {
        /// The device's node.
        node: String,
        /// What it has.
        device_bytes: u64,
    },
    /// The promise does not depend on it.
    NotNeeded,
}

/// A size that differs from the device's by more than this share belongs to another volume:
/// providers and file systems use a few percent themselves.
const OTHER_SIZE: f64 = 0.1;

impl SizeFrom {
    /// A size that the user gave, beside the device below: its node and bytes, if known.
    pub fn said(said_bytes: Option<f64>, device: Option<(String, u64)>) -> SizeFrom {
        match (said_bytes, device) {
            (Some(said), Some((node, device_bytes)))
                if (said / device_bytes as f64 - 1.0).abs() > OTHER_SIZE =>
            {
                SizeFrom::SaidUnlike { node, device_bytes }
            }
            _ => SizeFrom::Said,
        }
    }
}

/// The same as [`CheckBasis::name`], in the reader's language.
impl Tell for CheckBasis {
    fn tell(&self) -> Message {
        match self {
            CheckBasis::Provider { promise, .. } => Message::verbatim(promise.volume.as_str()),
            CheckBasis::Hand { .. } => Message::new("check-by-hand"),
        }
    }
}

impl CheckBasis {
    /// The name of the limits: `aws.gp3`, or `limits by hand`.
    pub fn name(&self) -> &str {
        match self {
            CheckBasis::Provider { promise, .. } => &promise.volume,
            CheckBasis::Hand { .. } => "limits by hand",
        }
    }

    /// A warning if the device's size differs from the volume's stated size.
    pub fn other_size(&self) -> Option<Message> {
        let CheckBasis::Provider { promise, size_from } = self else { return None };
        let SizeFrom::SaidUnlike { node, device_bytes } = size_from else { return None };
        let said = Message::new("check-other-size").with("node", node);
        let said = said.with("said", volume_bytes(promise.size_bytes? as u64));
        Some(said.with("size", volume_bytes(*device_bytes)))
    }

    /// The provider's promise, if it is one.
    pub fn promise(&self) -> Option<&Promise> {
        match self {
            CheckBasis::Provider { promise, .. } => Some(promise),
            CheckBasis::Hand { .. } => None,
        }
    }

    /// Whether the user states the limits, so that nothing is promised.
    pub fn is_by_hand(&self) -> bool {
        matches!(self, CheckBasis::Hand { .. })
    }

    /// `promised` if a provider promises it; `by_hand` if the user states it.
    pub fn either<'a>(&self, promised: &'a str, by_hand: &'a str) -> &'a str {
        if self.is_by_hand() { by_hand } else { promised }
    }

    /// Whether there is a limit for that goal and direction.
    pub fn has(&self, goal: Goal, direction: Direction) -> bool {
        let level = self.level(direction);
        match goal {
            Goal::Iops => level.iops.is_some(),
            Goal::Throughput => level.bytes_per_s.is_some(),
            Goal::Latency => self.latency_ns(direction).is_some(),
        }
    }

    /// The limits of a direction.
    fn level(&self, direction: Direction) -> Level {
        match (self, direction) {
            (CheckBasis::Provider { promise, .. }, Direction::Write) => promise.write,
            (CheckBasis::Provider { promise, .. }, _) => promise.read,
            (CheckBasis::Hand { limits }, _) => {
                Level { iops: limits.iops, bytes_per_s: limits.bytes_per_s }
            }
        }
    }

    /// The lowest latency that is promised, in nanoseconds.
    pub fn latency_ns(&self, direction: Direction) -> Option<f64> {
        match self {
            CheckBasis::Provider { promise, .. } => {
                let latency = promise.latency.as_ref()?;
                match direction {
                    Direction::Write => latency.write_mean_ns,
                    _ => latency.read_mean_ns,
                }
            }
            CheckBasis::Hand { limits } => {
                limits.latency.iter().map(|limit| limit.limit_ns).min_by(f64::total_cmp)
            }
        }
    }

    /// The sustained figure expected of a direction at a block size.
    pub fn expected(&self, direction: Direction, block_bytes: u64) -> Option<Reachable> {
        let CheckBasis::Provider { promise, .. } = self else {
            return by_hand(self.level(direction), block_bytes);
        };
        let reach = promise.at_block_size(block_bytes);
        of_direction(direction, reach.read, reach.write)
    }

    /// Which limit is reached first at a block size, of a volume that has all of them.
    pub fn first_bound(&self, direction: Direction, block_bytes: u64) -> Option<Bound> {
        let first = match self {
            CheckBasis::Provider { .. } => self.expected(direction, block_bytes),
            CheckBasis::Hand { .. } => self.level(direction).reachable(block_bytes),
        };
        first.map(|reach| reach.bound)
    }

    /// The figure expected during a burst, if it is higher.
    pub fn expected_burst(&self, direction: Direction, block_bytes: u64) -> Option<Reachable> {
        let reach = self.promise()?.burst_at_block_size(block_bytes)?;
        let burst = of_direction(direction, reach.read, reach.write)?;
        let baseline = self.expected(direction, block_bytes);
        baseline.is_none_or(|baseline| burst.iops > baseline.iops).then_some(burst)
    }

    /// Compares a run for `goal` with it.
    pub fn judge(&self, goal: Goal, run: &MeasuredRun) -> Judgement {
        let mut judgement = match self {
            CheckBasis::Provider { promise, .. } => judge(promise, run),
            CheckBasis::Hand { limits } => judge_by_hand(&about(goal, limits), run),
        };
        let latency = |evidence: &PromiseEvidence| match evidence {
            PromiseEvidence::Latency { .. } => true,
            PromiseEvidence::Unknown { why } => {
                matches!(why, crate::promise::Unknown::OtherLoad { .. })
            }
            _ => false,
        };
        judgement.verdicts.retain(|line| latency(&line.evidence) == (goal == Goal::Latency));
        judgement
    }
}

fn of_direction(
    direction: Direction,
    read: Option<Reachable>,
    write: Option<Reachable>,
) -> Option<Reachable> {
    match direction {
        Direction::Write => write,
        _ => read,
    }
}

/// The user's limit of IOPS for small blocks, and that of bytes for larger ones. Each holds by
/// itself: the lower of both would leave the other one unchecked.
fn by_hand(level: Level, block_bytes: u64) -> Option<Reachable> {
    let own = match block_bytes <= SMALL_BYTES {
        true => Level { bytes_per_s: None, ..level },
        false => Level { iops: None, ..level },
    };
    own.reachable(block_bytes).or_else(|| level.reachable(block_bytes))
}

/// The user's limits that apply to a run for `goal`.
fn about(goal: Goal, limits: &HandLimits) -> HandLimits {
    match goal {
        Goal::Latency => HandLimits { latency: limits.latency.clone(), ..HandLimits::default() },
        Goal::Iops => HandLimits { latency: Vec::new(), bytes_per_s: None, ..limits.clone() },
        Goal::Throughput => HandLimits { latency: Vec::new(), iops: None, ..limits.clone() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_by_hand_stands_for_itself() {
        let limits =
            HandLimits { iops: Some(200_000.0), bytes_per_s: Some(1e8), ..HandLimits::default() };
        assert_eq!(about(Goal::Iops, &limits).bytes_per_s, None);
        assert_eq!(about(Goal::Throughput, &limits).iops, None);
        let basis = CheckBasis::Hand { limits };
        let expected = |block| basis.expected(Direction::Read, block).map(|of| of.iops);
        assert_eq!(expected(4096), Some(200_000.0));
        assert_eq!(expected(100_000), Some(1_000.0));
        let only_bytes = HandLimits { bytes_per_s: Some(1e8), ..HandLimits::default() };
        let basis = CheckBasis::Hand { limits: only_bytes };
        let small = basis.expected(Direction::Read, 4096).map(|of| of.bytes_per_s);
        assert_eq!(small, Some(1e8));
    }
}
