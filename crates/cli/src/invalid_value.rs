//! Why a value of an option is refused, and a valid one. clap names the value and the option.

use fathom_job::nearest;

/// Why a value of an option is refused.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidValue {
    /// A quantity that is no whole number with a unit.
    #[error("write {quantity} as {example}: a whole number and its unit")]
    NoQuantity {
        /// `a size` or `a time`.
        quantity: &'static str,
        /// One that can be read.
        example: &'static str,
    },
    /// A unit that the quantity does not have.
    #[error("{unit:?} is no unit of {quantity}; use {known}")]
    Unit {
        unit: String,
        /// `size` or `time`.
        quantity: &'static str,
        /// The units that there are.
        known: &'static str,
    },
    /// Nothing at all.
    #[error("must be more than 0")]
    Zero,
    #[error("is more than {0}")]
    TooLarge(&'static str),
    /// Beyond a range.
    #[error("must lie between {least} and {most}")]
    OutOfRange {
        /// The least that may be.
        least: &'static str,
        most: &'static str,
    },
    /// Below the resolution of the kernel's counters.
    #[error("is too short for the kernel's counters; use {0} or more")]
    TooShort(&'static str),
    /// None of the names that there are.
    #[error("use one of {0}")]
    UnknownName(String),
    /// None of the names that there are, but near one of them.
    #[error("did you mean {near}? Use one of {names}")]
    NearName {
        /// The name that was meant.
        near: String,
        /// All that there are.
        names: String,
    },
    /// Of another form: a sentence that gives the form and an example.
    #[error("{0}")]
    Form(&'static str),
    /// No figure of latency.
    #[error("{0} is no figure of latency: write 1ms, mean=1ms or p99=2ms")]
    LatencyFigure(String),
    #[error("'{0}' is no load; give it as 'write 300/s 4k' or 'read 50/s 4k'")]
    Load(String),
    /// An axis without values.
    #[error("give its values, as {0}=1..8")]
    NoValues(String),
    /// An option that is refused by name, with the options to use instead.
    #[error("write {0}")]
    OtherOption(String),
}

impl InvalidValue {
    /// `typed` is none of `names`, which are all that there are.
    pub fn unknown_name(typed: &str, names: &[&str]) -> InvalidValue {
        let all = names.join(", ");
        match nearest(typed, names.iter().copied()) {
            Some(near) => InvalidValue::NearName { near: near.to_owned(), names: all },
            None => InvalidValue::UnknownName(all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_answered_with_the_one_that_was_meant() {
        let said = |typed| InvalidValue::unknown_name(typed, &["randread", "read"]).to_string();
        assert_eq!(said("randrea"), "did you mean randread? Use one of randread, read");
        assert_eq!(said("trim"), "use one of randread, read");
    }
}
