//! Names of runs: short, unique, and in the order of time.
//!
//! Nine digits are the start in milliseconds since 1970, three are random, so that two programs
//! that begin in the same millisecond hardly ever collide; if they do, the store draws again. The
//! digits are Crockford's base 32 in lower case, in which no two look alike and whose order as text
//! is their order as numbers. Users type the first few, as with git.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Digits of the time: 45 bits, enough until the year 3084.
const TIME_DIGITS: u32 = 9;
const CHANCE_DIGITS: u32 = 3;

/// The name of a run in the history.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(String);

impl Id {
    /// A new name for a run that began at `started_ms`.
    pub(crate) fn new(started_ms: u64) -> Id {
        // Seeded in each process and advanced in each call.
        Id::of(started_ms, RandomState::new().build_hasher().finish())
    }

    fn of(started_ms: u64, chance: u64) -> Id {
        let digits = |number: u64, count: u32| {
            (0..count).rev().map(move |at| DIGITS[(number >> (5 * at)) as usize & 31] as char)
        };
        Id(digits(started_ms, TIME_DIGITS).chain(digits(chance, CHANCE_DIGITS)).collect())
    }

    /// A name that came from outside; `None` if it cannot be one of ours.
    pub fn parse(text: &str) -> Option<Id> {
        let whole = text.len() == (TIME_DIGITS + CHANCE_DIGITS) as usize;
        (whole && text.bytes().all(|byte| DIGITS.contains(&byte))).then(|| Id(text.to_owned()))
    }

    /// A name from the store, which contains only valid names.
    pub(crate) fn kept(text: String) -> Id {
        Id(text)
    }

    /// All of its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_twelve_digits_that_begin_with_the_time() {
        // 2026-08-01 00:00:00 UTC.
        assert_eq!(Id::of(1_785_542_400_000, 0).as_str(), "1kyx9xp00000");
        assert_eq!(Id::of(0, 32_767).as_str(), "000000000zzz");
        let again: Vec<Id> = (0..20).map(|_| Id::new(5)).collect();
        assert!(again.iter().any(|id| *id != again[0]), "{again:?}");
    }

    #[test]
    fn only_whole_names_are_names() {
        let id = Id::new(1_785_542_400_000);
        assert_eq!(Id::parse(id.as_str()), Some(id));
        for text in ["", "1kz", "1KZ8PVM00000", "1kz8pvm0000o", "1kz8pvm000000", "ä00000000000"] {
            assert_eq!(Id::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn later_runs_sort_later(a in 0u64..1 << 45, b in 0u64..1 << 45, chance: [u64; 2]) {
            prop_assume!(a != b);
            prop_assert_eq!(a < b, Id::of(a, chance[0]) < Id::of(b, chance[1]));
        }
    }
}
