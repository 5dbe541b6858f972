//! The user's description of a volume, checked against the choices of its row.
//!
//! Nothing is guessed: a required value that is missing is an error that names the flag, and so is
//! a given value without effect, because the user would rely on it.

use super::error::PromiseError;
use super::limits::Limits;
use super::rule::{Inputs, Rule};
use super::size::{ByteRateUnit, Rate, Size, SizeUnit};
use super::volume::VolumeRow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the user says of his volume.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Its size.
    pub size: Option<Size>,
    /// I/Os a second that were bought for it.
    pub iops: Option<f64>,
    /// Bytes a second that were bought for it.
    pub rate: Option<Rate>,
    /// Its service level or mode.
    pub variant: Option<String>,
    /// Settings beside these, by name.
    pub knobs: BTreeMap<String, f64>,
    /// I/Os a second that the virtual machine allows.
    pub vm_iops: Option<f64>,
    /// Bytes a second that the virtual machine allows; a bare number is MB/s.
    pub vm_rate: Option<Rate>,
}

/// The quantity of a rule, in the wording of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    pub what: &'static str,
    pub flag: &'static str,
}

pub(super) const IOPS: Quantity = Quantity { what: "IOPS", flag: "--iops" };
pub(super) const RATE: Quantity = Quantity { what: "throughput", flag: "--mbps" };

/// A row, with the limits for one configuration of it.
pub(super) struct ConfigLimits<'a> {
    pub volume: &'a VolumeRow,
    pub config: &'a Config,
    /// The row's limits with those of the variant over them.
    pub limits: Limits,
    /// Size and knob, in the provider's units, and the bought quantities.
    pub inputs: Inputs,
    /// The bought bandwidth, in the row's unit.
    pub bought_rate: Option<f64>,
}

impl<'a> ConfigLimits<'a> {
    /// The row for a configuration that it is sold in.
    pub fn new(
        volume: &'a VolumeRow,
        config: &'a Config,
    ) -> Result<ConfigLimits<'a>, PromiseError> {
        let limits = volume.limits_of(config.variant.as_deref())?;
        let inputs = Inputs {
            size: volume.counted_size(config.size)?,
            knob: volume.knob_of(&config.knobs)?,
            bought_iops: config.iops,
            ..Inputs::default()
        };
        let mut case = ConfigLimits { volume, config, limits, inputs, bought_rate: None };
        case.bought_rate = config.rate.map(|rate| rate.in_unit(case.rate_unit()));
        case.nothing_idle()?;
        Ok(case)
    }

    /// The unit of its rates.
    pub fn rate_unit(&self) -> ByteRateUnit {
        self.limits.rate_unit.unwrap_or(ByteRateUnit(SizeUnit::MB))
    }

    /// Refuses bought quantities if the row sells none.
    fn nothing_idle(&self) -> Result<(), PromiseError> {
        let idle = [
            (self.config.iops.is_some() && !self.limits.sells("iops"), IOPS),
            (self.config.rate.is_some() && !self.limits.sells("rate"), RATE),
        ];
        match idle.into_iter().find(|(idle, _)| *idle) {
            Some((_, Quantity { what, flag })) => {
                Err(PromiseError::NothingToBuy { volume: self.volume.id.clone(), what, flag })
            }
            None => Ok(()),
        }
    }
}

impl Limits {
    /// Whether a rule whose name ends with `quantity` has something for sale.
    fn sells(&self, quantity: &str) -> bool {
        let bought = |rule: &Rule| rule.any(&|rule| matches!(rule, Rule::Provisioned(_)));
        self.rules().into_iter().any(|(name, rule)| name.ends_with(quantity) && bought(rule))
    }
}

impl VolumeRow {
    /// The names of its variants.
    pub fn variant_names(&self) -> Vec<String> {
        self.variants.iter().map(|variant| variant.id.clone()).collect()
    }

    fn limits_of(&self, variant: Option<&str>) -> Result<Limits, PromiseError> {
        let (volume, variants) = (self.id.clone(), self.variant_names());
        let Some(asked) = variant else {
            return match variants.is_empty() || !self.limits.is_empty() {
                true => Ok(self.limits.clone()),
                false => Err(PromiseError::VariantNeeded { volume, variants }),
            };
        };
        let named = self.variants.iter().find(|variant| variant.id.eq_ignore_ascii_case(asked));
        match named {
            Some(variant) => Ok(self.limits.overlaid(&variant.limits)),
            None => {
                let asked = asked.to_owned();
                Err(PromiseError::UnknownVariant { volume, asked, variants })
            }
        }
    }

    /// The size in the row's unit and on its grid, if it is one that is sold.
    fn counted_size(&self, size: Option<Size>) -> Result<Option<f64>, PromiseError> {
        let (Some(range), Some(size)) = (&self.size, size) else { return Ok(None) };
        let counted = size.in_unit(range.unit);
        // A converted size may be an ulp off a bound.
        let above = |max: f64| counted > max * (1.0 + 1e-9);
        let below = |min: f64| counted < min * (1.0 - 1e-9);
        if range.min.is_some_and(below) || range.max.is_some_and(above) {
            return Err(PromiseError::SizeOutOfRange {
                volume: self.id.clone(),
                size: size.to_string(),
                min: range.min,
                max: range.max,
                unit: range.unit.to_string(),
            });
        }
        Ok(Some(range.on_grid(counted)))
    }

    /// The value of the knob.
    fn knob_of(&self, knobs: &BTreeMap<String, f64>) -> Result<Option<f64>, PromiseError> {
        let Some(knob) = &self.knob else {
            return match knobs.first_key_value() {
                Some((name, value)) => Err(self.unknown_knob(name, *value, "it has no knob")),
                None => Ok(None),
            };
        };
        let range =
            format!("{} goes from {} to {} by {}", knob.name, knob.min, knob.max, knob.step);
        if let Some((name, value)) = knobs.iter().find(|(name, _)| **name != knob.name) {
            return Err(self.unknown_knob(name, *value, &range));
        }
        let Some(value) = knobs.get(&knob.name).copied() else { return Ok(knob.default) };
        let steps = (value - knob.min) / knob.step;
        match (knob.min..=knob.max).contains(&value) && steps.fract() == 0.0 {
            true => Ok(Some(value)),
            false => Err(self.unknown_knob(&knob.name, value, &range)),
        }
    }

    fn unknown_knob(&self, name: &str, value: f64, known: &str) -> PromiseError {
        let (volume, known) = (self.id.clone(), known.to_owned());
        PromiseError::UnknownKnob { volume, asked: format!("{name}={value}"), known }
    }
}
