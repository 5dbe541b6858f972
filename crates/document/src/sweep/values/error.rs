//! Errors in a list of values.

/// The invalid part of a list of values, and the correct form.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValuesError {
    /// Two commas in a row, or nothing.
    #[error("a value is missing; separate values by single commas")]
    Missing,
    /// More than an axis may have.
    #[error("more than {most} values; give a larger step")]
    TooMany {
        /// The maximum.
        most: usize,
    },
    /// A range of one or three ends.
    #[error("{text}: a range has two ends, as 1..256")]
    Ends {
        /// The range.
        text: String,
    },
    /// A range whose ends have different kinds.
    #[error(
        "{text}: a range goes from number to number (1..256, 4k..1m, 1..9/2) or from mix to mix \
         (100:0..0:100/10)"
    )]
    Range {
        /// The range.
        text: String,
    },
    /// A range from 0 without a step.
    #[error("{text}: doubling never leaves 0; give a step, as 0..8/2")]
    FromZero {
        /// The range.
        text: String,
    },
    /// An invalid step of numbers.
    #[error("{text}: the step after / is a number of 1 or more")]
    Step {
        /// The range.
        text: String,
    },
    /// An invalid step of mixes.
    #[error("{text}: the step after / is 1 to 100 percent")]
    MixStep {
        /// The range.
        text: String,
    },
}
