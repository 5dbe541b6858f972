//! The contents of a row: limits, bursts, accounting of I/Os, latency, and commitment.

use super::rule::Rule;
use super::size::{ByteRateUnit, Size};
use serde::{Deserialize, Serialize};

/// The limits of a volume, or what a variant changes in them: what it leaves out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// I/Os a second, for reads and writes alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<Rule>,
    /// Reads a second, where they differ from writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_iops: Option<Rule>,
    /// Writes a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_iops: Option<Rule>,
    /// The unit of all rates here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_unit: Option<ByteRateUnit>,
    /// Bytes a second, for reads and writes alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rule>,
    /// Bytes a second of reads, where they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_rate: Option<Rule>,
    /// Bytes a second of writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_rate: Option<Rule>,
    /// Bytes a second that one client gets at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_rate: Option<f64>,
    /// What it may give for a while.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<BurstRule>,
    /// How long an I/O takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
    /// How much of the limit, how much of the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consistency: Option<Consistency>,
}

impl Limits {
    /// Whether it states neither I/Os nor bytes a second.
    pub fn is_empty(&self) -> bool {
        self.rules().is_empty()
    }

    /// The rules for I/Os and bytes a second, with their field names.
    pub fn rules(&self) -> Vec<(&'static str, &Rule)> {
        let fields = [
            ("iops", &self.iops),
            ("read_iops", &self.read_iops),
            ("write_iops", &self.write_iops),
            ("rate", &self.rate),
            ("read_rate", &self.read_rate),
            ("write_rate", &self.write_rate),
        ];
        fields.into_iter().filter_map(|(name, rule)| Some((name, rule.as_ref()?))).collect()
    }

    /// These limits, overridden by those of `over`.
    pub fn overlaid(&self, over: &Limits) -> Limits {
        let (base, over) = (self.clone(), over.clone());
        // A variant with one number for both directions replaces two numbers, and the reverse.
        let both = |one: &Option<Rule>, each: Option<Rule>| each.filter(|_| one.is_none());
        Limits {
            read_iops: over.read_iops.or(both(&over.iops, base.read_iops)),
            write_iops: over.write_iops.or(both(&over.iops, base.write_iops)),
            iops: over.iops.or(base.iops),
            rate_unit: over.rate_unit.or(base.rate_unit),
            read_rate: over.read_rate.or(both(&over.rate, base.read_rate)),
            write_rate: over.write_rate.or(both(&over.rate, base.write_rate)),
            rate: over.rate.or(base.rate),
            client_rate: over.client_rate.or(base.client_rate),
            burst: over.burst.or(base.burst),
            latency: over.latency.or(base.latency),
            consistency: over.consistency.or(base.consistency),
        }
    }
}

/// What a volume may give beyond its baseline, and for how long.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BurstRule {
    /// I/Os a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops: Option<Rule>,
    /// Bytes a second, in the limits' unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rule>,
    /// Only volumes up to this size burst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upto_size: Option<f64>,
    /// Only volumes above this size burst.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above_size: Option<f64>,
    /// I/Os that a full bucket holds; it refills at the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bucket_ios: Option<f64>,
    /// Bytes that a full bucket holds, in TiB; it refills at the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bucket_tib: Option<Rule>,
    /// Seconds that a full bucket lasts, where that is what is stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasts_s: Option<f64>,
    /// Seconds of rest between two bursts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_s: Option<f64>,
}

/// What is said of latency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// In words.
    pub text: String,
    /// Mean of a read, in microseconds, where a number is stated or follows from the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_mean_us: Option<f64>,
    /// Mean of a write, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_mean_us: Option<f64>,
    /// The block size that it is stated for; without one, it is for small I/Os.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Size>,
}

/// How much of the limit is promised for how much of the time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consistency {
    /// Share of the limit, 0 to 1.
    pub share_of_limit: f64,
    /// Share of the time, 0 to 1, of a year if nothing else is said.
    pub share_of_time: f64,
}

/// How I/Os are counted against the limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Account {
    /// An I/O up to this size counts as one; a larger one as several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Size>,
    /// What a random I/O that is smaller than the unit costs.
    pub charge: Charge,
    /// What becomes of small sequential I/Os.
    pub sequential: Sequential,
    /// The block size that the IOPS are stated for; nothing is known of larger ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iops_at: Option<Size>,
    /// The block size that the bytes a second are stated for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_at: Option<Size>,
}

/// What a random I/O costs of the bytes a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charge {
    /// Its own bytes.
    #[default]
    Bytes,
    /// Whole units, however small it is.
    WholeUnits,
}

/// What becomes of small sequential I/Os before they are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sequential {
    /// They count as any other, as far as is known.
    #[default]
    Counted,
    /// Several may be merged into one.
    Merged,
}
