//! Whether the rules of a row reproduce its published examples.

use super::PromiseError;
use super::config::Config;
use super::promised::{Level, Promise};
use super::size::{ByteRateUnit, Rate, Size, SizeUnit};
use super::vector::{Figure, Vector};
use super::volume::VolumeRow;

/// Maximum distance of a published example from the rule: providers round printed numbers.
const ROUNDING: f64 = 5e-4;

/// Why a published figure is not reproduced.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub(super) enum VectorError {
    #[error(transparent)]
    Promise(#[from] PromiseError),
    #[error("{vector} comes to {came}, not {expected}")]
    Figure { vector: String, came: String, expected: f64 },
}

impl Vector {
    /// Checks that the row's rules reproduce it; the error is the first figure that differs.
    pub(super) fn holds_for(&self, row: &VolumeRow) -> Result<(), VectorError> {
        let promise = row.promise(&self.config(row))?;
        let unit = self.rate_unit(row);
        for (figure, expected) in &self.expect {
            let came = figure.of(&promise, unit);
            let near = |value: f64| (value - expected).abs() <= ROUNDING * expected.abs();
            if !came.is_some_and(near) {
                let came = came.map_or("nothing".to_owned(), |value| value.to_string());
                let expected = *expected;
                let vector = format!("{figure:?} of {self:?}");
                return Err(VectorError::Figure { vector, came, expected });
            }
        }
        Ok(())
    }

    /// Its description of the volume, as a user would give it.
    fn config(&self, row: &VolumeRow) -> Config {
        let size_unit = row.size.map_or(SizeUnit::GiB, |range| range.unit);
        let rate_unit = self.rate_unit(row);
        let knob = row.knob.as_ref().zip(self.knob);
        Config {
            size: self.size.map(|size| Size::new(size, size_unit)),
            iops: self.buy_iops,
            rate: self.buy_rate.map(|rate| Rate::new(rate, rate_unit)),
            variant: self.variant.clone(),
            knobs: knob.into_iter().map(|(knob, value)| (knob.name.clone(), value)).collect(),
            ..Config::default()
        }
    }

    fn rate_unit(&self, row: &VolumeRow) -> ByteRateUnit {
        let variant =
            row.variants.iter().find(|variant| Some(&variant.id) == self.variant.as_ref());
        let own = variant.and_then(|variant| variant.limits.rate_unit);
        own.or(row.limits.rate_unit).unwrap_or(ByteRateUnit(SizeUnit::MB))
    }
}

impl Figure {
    /// The promise's value for it; rates in `unit`.
    fn of(self, promise: &Promise, unit: ByteRateUnit) -> Option<f64> {
        let rate = |bytes_per_s: Option<f64>| Some(bytes_per_s? / unit.bytes_per_s());
        let alike = |of: fn(&Level) -> Option<f64>| {
            of(&promise.read).filter(|_| of(&promise.read) == of(&promise.write))
        };
        let burst = promise.burst.as_ref();
        let level = burst.map_or(&promise.read, |burst| &burst.read);
        match self {
            Figure::Iops => alike(|level| level.iops),
            Figure::ReadIops => promise.read.iops,
            Figure::WriteIops => promise.write.iops,
            Figure::Rate => rate(alike(|level| level.bytes_per_s)),
            Figure::ReadRate => rate(promise.read.bytes_per_s),
            Figure::WriteRate => rate(promise.write.bytes_per_s),
            Figure::MostIops => promise.settable_iops.and_then(|[_, most]| most),
            Figure::MostRate => rate(promise.settable_bytes_per_s.and_then(|[_, most]| most)),
            Figure::BurstIops => level.iops,
            Figure::BurstRate => rate(level.bytes_per_s),
            Figure::BucketIos => Some(burst.map_or(0.0, |burst| burst.bucket_ios.unwrap_or(0.0))),
            Figure::BurstS => burst.and_then(|burst| burst.lasts_s),
            Figure::RefillS => burst.and_then(|burst| burst.refill_s),
            Figure::Queue => promise.read.iops.and_then(|iops| promise.queue_for(iops)),
        }
    }
}
