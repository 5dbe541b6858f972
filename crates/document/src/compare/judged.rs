//! The one figure by which sides are judged: what it is, and which end of it is the better one.

use crate::figures::Figures;
use fathom_analysis::Better;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The figure of a phase that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// I/Os a second.
    Iops,
    /// Bytes a second.
    BytesPerS,
    /// Mean latency in nanoseconds.
    MeanLatencyNs,
}

/// Blocks from which a rate is told in MB/s rather than in IO/s, in bytes.
const LARGE_BLOCK_BYTES: f64 = 65_536.0;

impl Judged {
    /// The rate that people ask for where blocks have so many bytes.
    pub fn rate_of(block_bytes: f64) -> Judged {
        match block_bytes >= LARGE_BLOCK_BYTES {
            true => Judged::BytesPerS,
            false => Judged::Iops,
        }
    }

    /// Which end is the better one.
    pub fn better(self) -> Better {
        match self {
            Judged::Iops | Judged::BytesPerS => Better::Higher,
            Judged::MeanLatencyNs => Better::Lower,
        }
    }

    /// What it is called: `IO/s`, `MB/s`, `mean latency`.
    pub fn name(self) -> &'static str {
        match self {
            Judged::Iops => "IO/s",
            Judged::BytesPerS => "MB/s",
            Judged::MeanLatencyNs => "mean latency",
        }
    }

    /// Its value among `figures`, in its own unit.
    pub fn value(self, figures: &Figures) -> f64 {
        match self {
            Judged::Iops => figures.iops,
            Judged::BytesPerS => figures.mb_per_s * 1e6,
            Judged::MeanLatencyNs => figures.mean_ns,
        }
    }
}
