//! Numbers weighed: what holds a document's counts against what can be added up, in a walk of its
//! own over the text, before any type is made of it.
//!
//! What was decided here:
//! - All numbers are weighed, also those that nobody asks for, so that it does not depend on the
//!   type whether a document is sound.
//! - A key says what the value after it is: some are never added up, some have bounds of their own.
//! - The walk knows no types and is no reader of serde's. Weighed while a type is read, everything
//!   that reads documents was there once more, and in this crate: more than half of its code.

use super::json_walk::{JsonToken, JsonWalk, plain};

/// All whole numbers of a document together; a thousand jobs at QD 32 for an hour have 2^57 ns.
const MOST_TOGETHER: u64 = 1 << 62;
/// Most of a sum of squares of nanoseconds, which is a string of digits.
const MOST_SQUARES: u128 = 1 << 120;
/// Longest interval of a series in milliseconds: a year.
const LONGEST_INTERVAL_MS: u64 = 366 * 86_400_000;

/// Why a text was not weighed to its end.
#[derive(Debug)]
pub(super) enum Imbalance {
    /// A number of it does not hold.
    Number {
        /// Which.
        field: String,
        /// What is wrong with it.
        why: String,
    },
    /// It is no JSON, or too deep.
    Broken,
}

/// Weighs the first value of a text, and gives its text. Whether it is JSON is for others to say.
pub(super) fn weigh(text: &str) -> Result<&str, Imbalance> {
    let mut walk = JsonWalk::of(text);
    let mut scales = Scales::default();
    while let Some(token) = walk.next() {
        let JsonToken::Plain(token) = token else { continue };
        scales.put(token, &walk).map_err(|why| {
            let field = walk.path().to_string();
            Imbalance::Number { field, why: why.to_string() }
        })?;
    }
    match walk.is_over() {
        true => Ok(&text[..walk.at()]),
        false => Err(Imbalance::Broken),
    }
}

/// What a number is too large for.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
enum Excess {
    #[error("an interval is a year at most")]
    Interval,
    #[error("{0} is more than any run counts")]
    Count(u64),
    #[error("is more than any run adds up to")]
    Squares,
}

/// What was weighed so far.
#[derive(Debug, Default)]
struct Scales {
    total: u64,
}

impl Scales {
    /// What stands at the place of `walk`. What is below zero or no whole number is refused by
    /// whoever asks for a count.
    fn put(&mut self, token: &str, walk: &JsonWalk<'_>) -> Result<(), Excess> {
        match token.as_bytes() {
            [b'0'..=b'9', ..] => match token.parse::<u64>() {
                Ok(number) => self.add(number, Role::at(walk)),
                Err(_) => Ok(()),
            },
            [b'"', ..] if Role::at(walk) == Role::Squares => {
                // Whoever reads it says what is wrong with it where it is no number.
                let sum = plain(token).parse::<u128>();
                match sum.is_ok_and(|sum| sum >= MOST_SQUARES) {
                    true => Err(Excess::Squares),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn add(&mut self, number: u64, role: Role) -> Result<(), Excess> {
        match role {
            Role::Free => return Ok(()),
            Role::Interval if number > LONGEST_INTERVAL_MS => return Err(Excess::Interval),
            _ => {}
        }
        let total = self.total.checked_add(number).filter(|total| *total < MOST_TOGETHER);
        self.total = total.ok_or(Excess::Count(number))?;
        Ok(())
    }
}

/// What stands at a place of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Counted,
    /// A number of any 64 bits that is never added up.
    Free,
    /// Digits of a sum that may be of squares.
    Squares,
    /// The length of an interval in milliseconds.
    Interval,
}

impl Role {
    fn at(walk: &JsonWalk<'_>) -> Role {
        match walk.name().as_deref() {
            Some("seed" | "entropy" | "randseed") => Role::Free,
            Some("sum" | "sum_sq") => Role::Squares,
            Some("interval_ms") => Role::Interval,
            _ => Role::Counted,
        }
    }
}

#[cfg(test)]
mod tests;
