//! The shapes of a limit, and their values for one volume.
//!
//! Every limit in the catalogue is one of a few shapes, so no expression language is needed and a
//! user's file can be checked field by field. A rule knows neither its unit nor whether it is about
//! IOPS or bytes: the row does.

mod line;

pub use line::Line;

use serde::{Deserialize, Serialize};

/// How a limit follows from a volume's size and from what was bought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// The same for every volume.
    Constant(f64),
    /// A straight line, held between two bounds.
    Linear(Line),
    /// Sizes and values in rising order; a size counts as the next size that is listed.
    Tiers(Vec<[f64; 2]>),
    /// Sizes and values in rising order; a value holds from its size up.
    From(Vec<[f64; 2]>),
    /// What the customer buys, within bounds.
    Provisioned(Box<Provisioned>),
    /// The sum of several.
    Sum(Vec<Rule>),
    /// The smallest of several.
    Least(Vec<Rule>),
    /// The greatest of several.
    Greatest(Vec<Rule>),
    /// As often as the row's knob says.
    TimesKnob(Box<Rule>),
}

/// What a customer may buy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Provisioned {
    /// What a volume has for which nothing was said; without it, it must be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Rule>,
    /// The least that can be bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Rule>,
    /// The most that can be bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Rule>,
    /// The only values that can be bought, where it is a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<f64>,
}

/// The inputs of rules. Sizes and rates are in the row's units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inputs {
    /// The volume's size.
    pub size: Option<f64>,
    /// The value of the knob.
    pub knob: Option<f64>,
    /// The bought amount of the rule's quantity.
    pub bought: Option<f64>,
    /// I/Os a second that were bought, also beside a rule about bytes.
    pub bought_iops: Option<f64>,
    /// Promised I/Os a second, for rules about bytes.
    pub iops: Option<f64>,
    /// Promised bytes a second, for rules about I/Os.
    pub rate: Option<f64>,
}

/// Why a rule has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Gap {
    /// The size must be known.
    Size,
    /// The knob must be known.
    Knob,
    /// The bought quantity is required; `choices` if only some are for sale.
    Bought {
        /// The quantities for sale, if they are a choice.
        choices: Vec<f64>,
    },
    /// The limit depends on the promised IOPS or bandwidth, which is missing.
    Other,
    /// That much cannot be bought.
    OutOfRange {
        /// The requested value.
        asked: f64,
        /// The least.
        min: Option<f64>,
        /// The most.
        max: Option<f64>,
    },
    /// It is not among the choices.
    NotAChoice {
        /// The requested value.
        asked: f64,
        /// The available values.
        choices: Vec<f64>,
    },
}

impl Rule {
    /// The value of the rule.
    pub fn value(&self, inputs: &Inputs) -> Result<f64, Gap> {
        match self {
            Rule::Constant(value) => Ok(*value),
            Rule::Linear(line) => line.value(inputs),
            Rule::Tiers(tiers) => tier(tiers, inputs.size.ok_or(Gap::Size)?),
            Rule::From(steps) => step(steps, inputs.size.ok_or(Gap::Size)?),
            Rule::Provisioned(provisioned) => provisioned.value(inputs),
            Rule::Sum(rules) => rules.iter().map(|rule| rule.value(inputs)).sum(),
            Rule::Least(rules) => folded(rules, inputs, f64::min),
            Rule::Greatest(rules) => folded(rules, inputs, f64::max),
            Rule::TimesKnob(rule) => Ok(rule.value(inputs)? * inputs.knob.ok_or(Gap::Knob)?),
        }
    }

    /// The quantity for sale under this rule, and its bounds, as far as they are known.
    pub fn settable(&self, inputs: &Inputs) -> Option<[Option<f64>; 2]> {
        match self {
            Rule::Provisioned(provisioned) => Some(provisioned.bounds(inputs)),
            Rule::Sum(rules) | Rule::Least(rules) | Rule::Greatest(rules) => {
                rules.iter().find_map(|rule| rule.settable(inputs))
            }
            Rule::TimesKnob(rule) => rule.settable(inputs),
            _ => None,
        }
    }

    /// Whether some part of it is so; parts are looked at from the top down.
    pub fn any(&self, so: &dyn Fn(&Rule) -> bool) -> bool {
        let within = |rule: &Rule| rule.any(so);
        so(self)
            || match self {
                Rule::Sum(rules) | Rule::Least(rules) | Rule::Greatest(rules) => {
                    rules.iter().any(within)
                }
                Rule::TimesKnob(rule) => within(rule),
                Rule::Provisioned(bought) => {
                    [&bought.default, &bought.min, &bought.max].into_iter().flatten().any(within)
                }
                _ => false,
            }
    }

    /// Whether a line in it satisfies `so`.
    pub fn any_line(&self, so: impl Fn(&Line) -> bool) -> bool {
        self.any(&|rule| matches!(rule, Rule::Linear(line) if so(line)))
    }
}

fn folded(rules: &[Rule], inputs: &Inputs, of: fn(f64, f64) -> f64) -> Result<f64, Gap> {
    let mut values = rules.iter().map(|rule| rule.value(inputs));
    let first = values.next().unwrap_or(Ok(0.0))?;
    values.try_fold(first, |so_far, value| Ok(of(so_far, value?)))
}

/// The value of the first tier that includes the size; above the last, the last.
fn tier(tiers: &[[f64; 2]], size: f64) -> Result<f64, Gap> {
    let found = tiers.iter().find(|[upto, _]| size <= *upto).or(tiers.last());
    found.map(|[_, value]| *value).ok_or(Gap::Size)
}

/// The value of the last step that the size has reached; below the first, the first.
fn step(steps: &[[f64; 2]], size: f64) -> Result<f64, Gap> {
    let found = steps.iter().rev().find(|[from, _]| size >= *from).or(steps.first());
    found.map(|[_, value]| *value).ok_or(Gap::Size)
}

impl Provisioned {
    /// Minimum and maximum, as far as they are known.
    fn bounds(&self, inputs: &Inputs) -> [Option<f64>; 2] {
        let bound = |rule: &Option<Rule>| rule.as_ref().and_then(|rule| rule.value(inputs).ok());
        match (self.choices.first(), self.choices.last()) {
            (Some(least), Some(most)) => [Some(*least), Some(*most)],
            _ => [bound(&self.min), bound(&self.max)],
        }
    }

    fn value(&self, inputs: &Inputs) -> Result<f64, Gap> {
        let [min, max] = self.bounds(inputs);
        let Some(asked) = inputs.bought else {
            let rule = self.default.as_ref();
            let value = rule.ok_or_else(|| Gap::Bought { choices: self.choices.clone() })?;
            let least = value.value(inputs)?.max(min.unwrap_or(0.0));
            return Ok(max.map_or(least, |max| least.min(max)));
        };
        if !self.choices.is_empty() && !self.choices.contains(&asked) {
            return Err(Gap::NotAChoice { asked, choices: self.choices.clone() });
        }
        // A bound that needs the size is an error only here, where it is used.
        for rule in [&self.min, &self.max].into_iter().flatten() {
            rule.value(inputs)?;
        }
        match min.is_some_and(|min| asked < min) || max.is_some_and(|max| asked > max) {
            true => Err(Gap::OutOfRange { asked, min, max }),
            false => Ok(asked),
        }
    }
}

#[cfg(test)]
mod tests;
