//! Whether the whole numbers of a JSON text can be added up, checked before any type is read.
//!
//! What was decided here:
//! - Readers of documents merge counts by addition, as they do with their own. If all whole numbers
//!   of a document come to less than 2^62 together, then so does every sum of some of them.
//! - All numbers count, also those that no type asks for, so that the check needs no types.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// All whole numbers of a document together; a thousand jobs at QD 32 for an hour have 2^57 ns.
const LARGEST_SUM: u64 = 1 << 62;
/// Most of a sum of squares of nanoseconds, which is a string of digits.
const LARGEST_SQUARES: u128 = 1 << 120;
/// Longest interval of a series in milliseconds: a year.
const LONGEST_INTERVAL_MS: u64 = 366 * 86_400_000;

/// Checks the numbers of a whole text.
///
/// # Errors
/// Where a number is too large, or the text is no JSON.
pub(crate) fn check_numbers(text: &str) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    NumberCheck { sum: &mut 0, role: NumberRole::Count }.deserialize(&mut json)?;
    json.end()
}

/// What a number is, by the name of its field.
#[derive(Clone, Copy)]
enum NumberRole {
    Count,
    /// A number of any 64 bits that is never added up.
    Seed,
    /// Digits of a sum that may be of squares.
    Squares,
    /// The length of an interval in milliseconds.
    Interval,
}

impl NumberRole {
    fn of_field(name: &str) -> NumberRole {
        match name {
            "seed" | "entropy" | "randseed" => NumberRole::Seed,
            "sum" | "sum_sq" => NumberRole::Squares,
            "interval_ms" => NumberRole::Interval,
            _ => NumberRole::Count,
        }
    }
}

/// A value to check, and the sum of the numbers before it.
struct NumberCheck<'s> {
    sum: &'s mut u64,
    role: NumberRole,
}

impl<'de> DeserializeSeed<'de> for NumberCheck<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NumberCheck<'_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    /// A negative number: the type refuses it if it is a count.
    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        match self.role {
            NumberRole::Seed => return Ok(()),
            NumberRole::Interval if number > LONGEST_INTERVAL_MS => {
                return Err(E::custom("an interval is a year at most"));
            }
            _ => {}
        }
        let sum = self.sum.checked_add(number).filter(|sum| *sum < LARGEST_SUM);
        *self.sum =
            sum.ok_or_else(|| E::custom(format!("{number} is more than any run counts")))?;
        Ok(())
    }

    /// The type says what is wrong with a sum that is no number.
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let is_squares = matches!(self.role, NumberRole::Squares);
        match is_squares && text.parse::<u128>().is_ok_and(|sum| sum >= LARGEST_SQUARES) {
            true => Err(E::custom("is more than any run adds up to")),
            false => Ok(()),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut item =
            || items.next_element_seed(NumberCheck { sum: self.sum, role: NumberRole::Count });
        while item()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<Cow<'de, str>>()? {
            let role = NumberRole::of_field(&name);
            members.next_value_seed(NumberCheck { sum: self.sum, role })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::check_numbers;

    fn why(text: &str) -> String {
        check_numbers(text).unwrap_err().to_string()
    }

    #[test]
    fn no_sum_of_numbers_can_overflow() {
        let most = u64::MAX;
        let count = format!("{most} is more than any run counts at line 1 column");
        assert!(why(&format!("[ {most} ]")).starts_with(&count));
        assert!(why(&format!(r#"{{"a\\": "\"", "b":{{"c": [[], {most}]}}}}"#)).starts_with(&count));
        // Together, though none is too large by itself.
        assert!(why(&format!(r#"{{"spare": [{0}, {0}]}}"#, 1u64 << 61)).contains("any run counts"));
        assert!(why(r#"{"interval\u005fms": 99999999999}"#).starts_with("an interval is a year"));
        let digits = u128::MAX.to_string().replacen('3', "\\u0033", 1);
        assert!(why(&format!(r#"{{"s\u0075m": "{digits}"}}"#)).contains("any run adds up to"));
    }

    #[test]
    fn a_seed_may_have_any_64_bits_and_a_float_is_no_count() {
        let most = u64::MAX;
        assert!(check_numbers(&format!(r#"{{"se\u0065d": {most}}}"#)).is_ok());
        assert!(check_numbers(&format!(r#"{{"seed": [{most}]}}"#)).is_err());
        assert!(check_numbers("[18446744073709551616, -9, 1e300, true, null]").is_ok());
    }

    #[test]
    fn deep_and_broken_texts_are_errors() {
        assert!(why(&"[".repeat(1 << 20)).contains("recursion limit"));
        for broken in ["", "[", "{\"a", "]", "[1]x"] {
            assert!(check_numbers(broken).is_err(), "{broken}");
        }
    }
}
