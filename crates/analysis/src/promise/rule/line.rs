//! The most common shape: a straight line between two bounds.

use super::{Gap, Inputs};
use serde::{Deserialize, Serialize};

/// `base + per_size x (size - from) + …`, rounded term by term if `ceil` says so, then clamped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Line {
    /// What there is without anything.
    pub base: f64,
    /// For each unit of size above `from`.
    #[serde(skip_serializing_if = "is_zero")]
    pub per_size: f64,
    /// The size from which `per_size` counts; what lies below counts nothing.
    #[serde(skip_serializing_if = "is_zero")]
    pub from: f64,
    /// What one step of the knob adds to `per_size`.
    #[serde(skip_serializing_if = "is_zero")]
    pub per_size_per_knob: f64,
    /// Rates for each unit of size, each rounded up to a whole before they are added.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ceil_per_size: Vec<f64>,
    /// For each promised I/O a second.
    #[serde(skip_serializing_if = "is_zero")]
    pub per_iops: f64,
    /// For each I/O a second that was bought on top of what is included.
    #[serde(skip_serializing_if = "is_zero")]
    pub per_bought_iops: f64,
    /// For each promised unit of bytes a second.
    #[serde(skip_serializing_if = "is_zero")]
    pub per_rate: f64,
    /// Never less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Never more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// What one step of the knob adds to `max`.
    #[serde(skip_serializing_if = "is_zero")]
    pub max_per_knob: f64,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl Line {
    /// Whether the size matters to it.
    pub fn uses_size(&self) -> bool {
        self.per_size != 0.0 || self.per_size_per_knob != 0.0 || !self.ceil_per_size.is_empty()
    }

    /// Whether all of its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let slopes = [self.per_size, self.from, self.per_size_per_knob, self.max_per_knob];
        let others = [self.base, self.per_iops, self.per_bought_iops, self.per_rate];
        let bounds = [self.min.unwrap_or(0.0), self.max.unwrap_or(0.0)];
        let all = slopes.iter().chain(&others).chain(&bounds).chain(&self.ceil_per_size);
        all.into_iter().all(|number| number.is_finite())
    }

    /// Whether the knob matters to it.
    pub fn uses_knob(&self) -> bool {
        self.per_size_per_knob != 0.0 || self.max_per_knob != 0.0
    }

    pub(super) fn value(&self, inputs: &Inputs) -> Result<f64, Gap> {
        let knob = match self.uses_knob() {
            true => inputs.knob.ok_or(Gap::Knob)?,
            false => 0.0,
        };
        let mut value = self.base;
        if self.uses_size() {
            let size = inputs.size.ok_or(Gap::Size)?;
            value += self.of_size((size - self.from).max(0.0), knob);
        }
        if self.per_iops != 0.0 {
            value += self.per_iops * inputs.iops.ok_or(Gap::Other)?;
        }
        if self.per_rate != 0.0 {
            value += self.per_rate * inputs.rate.ok_or(Gap::Other)?;
        }
        value += self.per_bought_iops * inputs.bought_iops.unwrap_or(0.0);
        let max = self.max.map_or(f64::INFINITY, |max| max + self.max_per_knob * knob);
        Ok(value.min(max).max(self.min.unwrap_or(f64::NEG_INFINITY)))
    }

    fn of_size(&self, size: f64, knob: f64) -> f64 {
        // 0.06 x 102400 is 6144.000000000001 in binary: no reason to round up to 6145.
        let whole = |per: &f64| (per * size - 1e-6).ceil();
        let rounded: f64 = self.ceil_per_size.iter().map(whole).sum();
        (self.per_size + self.per_size_per_knob * knob) * size + rounded
    }
}
