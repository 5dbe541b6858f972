//! Why a promise is unknown; each error names the value to give.

use super::wording::{bounds, listed};
use fathom_text::{Text, text};

/// Why a volume's promise is unknown for this configuration.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PromiseError {
    /// The limits follow from the size.
    #[error("what {volume} gives depends on its size: give --volume-size, such as {example}")]
    SizeNeeded {
        /// The row.
        volume: String,
        /// A size that is sold.
        example: String,
    },
    /// No such size is sold.
    #[error(
        "{volume} has volumes of {}, not of {size}: give another --volume-size",
        bounds(*min, *max, unit)
    )]
    SizeOutOfRange {
        /// The row.
        volume: String,
        /// The requested size.
        size: String,
        /// The smallest.
        min: Option<f64>,
        /// The largest.
        max: Option<f64>,
        /// The unit of both.
        unit: String,
    },
    /// The bought quantity is required.
    #[error(
        "what {volume} gives depends on the {what} bought for it: give {}",
        asked_for(flag, choices, unit)
    )]
    ProvisionedNeeded {
        /// The row.
        volume: String,
        /// `IOPS` or `throughput`.
        what: &'static str,
        /// The flag to give.
        flag: &'static str,
        /// The quantities for sale, if they are a choice.
        choices: Vec<f64>,
        /// Its unit.
        unit: String,
    },
    /// That much cannot be bought.
    #[error(
        "{asked} {unit} cannot be bought for {volume} as described, only {}: give another {flag}",
        bounds(*min, *max, unit)
    )]
    ProvisionedOutOfRange {
        /// The row.
        volume: String,
        /// The requested value.
        asked: f64,
        /// The least.
        min: Option<f64>,
        /// The most.
        max: Option<f64>,
        /// The unit of all three.
        unit: String,
        /// The flag to change.
        flag: &'static str,
    },
    /// It is not among the choices.
    #[error(
        "{asked} {unit} cannot be bought for {volume}: give {}",
        asked_for(flag, choices, unit)
    )]
    NotAChoice {
        /// The row.
        volume: String,
        /// The requested value.
        asked: f64,
        /// The available values.
        choices: Vec<f64>,
        /// The unit of all.
        unit: String,
        /// The flag to change.
        flag: &'static str,
    },
    /// Something was bought that is not for sale.
    #[error("{what} cannot be bought for {volume}: leave out {flag}")]
    NothingToBuy {
        /// The row.
        volume: String,
        /// `IOPS` or `throughput`.
        what: &'static str,
        /// The flag to leave out.
        flag: &'static str,
    },
    /// A service level must be chosen.
    #[error("{volume} is sold in several ways: give --variant as {}", listed(variants))]
    VariantNeeded {
        /// The row.
        volume: String,
        /// The available variants.
        variants: Vec<String>,
    },
    /// There is no such service level.
    #[error("{volume} has no variant '{asked}'; {}", there_are(variants))]
    UnknownVariant {
        /// The row.
        volume: String,
        /// The requested variant.
        asked: String,
        /// The available variants.
        variants: Vec<String>,
    },
    /// The knob must be set.
    #[error("what {volume} gives depends on its {title}: give --knob {knob}={min} to {max}")]
    KnobNeeded {
        /// The row.
        volume: String,
        /// Its name.
        knob: String,
        /// Its title.
        title: Text,
        /// Its lowest value.
        min: f64,
        /// Its highest value.
        max: f64,
    },
    /// There is no such knob, or it has no such value.
    #[error("--knob {asked} is nothing that {volume} has; {known}")]
    UnknownKnob {
        /// The row.
        volume: String,
        /// The requested knob or value.
        asked: String,
        /// The available ones, as a sentence's end.
        known: String,
    },
}

/// A flag, with the values for sale if they are a choice.
fn asked_for(flag: &str, choices: &[f64], unit: &str) -> Text {
    match choices {
        [] => Text::from(flag.to_owned()),
        choices => {
            let words: Vec<String> = choices.iter().map(f64::to_string).collect();
            text!("{flag} as {} ({unit})", listed(&words))
        }
    }
}

fn there_are(variants: &[String]) -> Text {
    match variants {
        [] => text!("it has none: leave out --variant"),
        some => text!("there are {}", listed(some)),
    }
}
