//! Published examples: a provider's stated figures for a volume, which a row must reproduce.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A published example: a volume, and what the provider says that it gives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Vector {
    /// Size in the row's unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// I/Os a second that are bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buy_iops: Option<f64>,
    /// Bytes a second that are bought, in the limits' unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buy_rate: Option<f64>,
    /// The service level or mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Where the knob stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knob: Option<f64>,
    /// What it gives; rates in the limits' unit, rounded as the provider rounds.
    pub expect: BTreeMap<Figure, f64>,
}

/// A figure that a published example states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// I/Os a second, reads and writes alike.
    Iops,
    /// Reads a second.
    ReadIops,
    /// Writes a second.
    WriteIops,
    /// Bytes a second, reads and writes alike.
    Rate,
    /// Bytes a second of reads.
    ReadRate,
    /// Bytes a second of writes.
    WriteRate,
    /// The most I/Os a second that can be bought.
    MostIops,
    /// The most bytes a second that can be bought.
    MostRate,
    /// I/Os a second while it bursts; the baseline where it does not.
    BurstIops,
    /// Bytes a second while it bursts; the baseline where it does not.
    BurstRate,
    /// I/Os in a full bucket.
    BucketIos,
    /// Seconds that a full bucket lasts.
    BurstS,
    /// Seconds in which an empty bucket fills.
    RefillS,
    /// I/Os to keep outstanding.
    Queue,
}
