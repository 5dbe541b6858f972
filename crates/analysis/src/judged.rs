//! The figure by which sides are judged, and whether higher or lower is better.

use crate::Better;
use crate::figures::Figures;
use fathom_message::Message;
use serde::{Deserialize, Serialize};

/// The figure of a phase that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// I/Os a second.
    Iops,
    /// Bytes a second.
    BytesPerS,
    /// Mean latency in nanoseconds.
    MeanLatencyNs,
}

/// From this block size on, in bytes, a rate is shown in MB/s rather than in IOPS.
const LARGE_BLOCK_BYTES: f64 = 65_536.0;

impl Judged {
    /// The usual rate for blocks of this size.
    pub fn rate_of(block_bytes: f64) -> Judged {
        match block_bytes >= LARGE_BLOCK_BYTES {
            true => Judged::BytesPerS,
            false => Judged::Iops,
        }
    }

    /// Whether higher or lower is better.
    pub fn better(self) -> Better {
        match self {
            Judged::Iops | Judged::BytesPerS => Better::Higher,
            Judged::MeanLatencyNs => Better::Lower,
        }
    }

    /// Its name: `IOPS`, `MB/s`, `mean latency`.
    pub fn name(self) -> &'static str {
        match self {
            Judged::Iops => "IOPS",
            Judged::BytesPerS => "MB/s",
            Judged::MeanLatencyNs => "mean latency",
        }
    }

    /// The same in the language of the reader.
    pub fn title(self) -> Message {
        Message::new(match self {
            Judged::Iops => "judged-iops",
            Judged::BytesPerS => "judged-bytes",
            Judged::MeanLatencyNs => "judged-latency",
        })
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
