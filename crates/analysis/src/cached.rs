//! Whether the measurement was of the storage, or of a memory before it.
//!
//! The evidence is the device's counters (or an NFS mount's), compared with the job's I/O. Bytes
//! are compared and not I/Os, because merging and splitting do not change bytes. Without counters
//! there are only signs, and a sign is reported as a suspicion. No counter here can see a cache
//! inside the storage itself, and the sentence says so.

use crate::Tone;
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

mod inputs;
mod sentence;
mod signs;

pub use inputs::{
    ByteCounter, CacheInputs, CounterBytes, DirectIo, FloorOf, ForeignBytes, LatencyFloor, Medium,
    Offsets,
};
pub use sentence::direction_noun;
pub use signs::find_cached;

/// Where the data came from or went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheFinding {
    /// Whether the job read or wrote.
    pub direction: Direction,
    /// The verdict.
    pub verdict: CacheVerdict,
    /// What it rests on.
    pub signs: Vec<CacheSign>,
}

/// Whether it was the storage that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum CacheVerdict {
    /// The file is in memory: no storage was measured.
    Memory,
    /// A share of the I/O never reached the device.
    Cached {
        /// That share of the bytes, 0 to 1.
        share: f64,
    },
    /// A share of what was read was never written, and costs the device nothing.
    Unwritten {
        /// That share of the bytes, 0 to 1.
        share: f64,
    },
    /// Signs speak for it, and no counter says how much.
    Suspected,
    /// The device did more than the job asked for.
    SawMore {
        /// So many times what was issued.
        times: f64,
    },
    /// The device did what the job issued.
    NotCached,
    /// The device did something else as well: I/O in the other direction, which the job has none
    /// of.
    Foreign {
        /// Bytes in the other direction over those that were issued.
        times: f64,
    },
    /// Nothing is known that would tell.
    NotEnough,
}

/// One thing that speaks for a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "sign", rename_all = "snake_case")]
pub enum CacheSign {
    /// What a counter saw of what was issued.
    Counter {
        /// Which counter.
        by: ByteCounter,
        /// Bytes seen over bytes issued.
        times: f64,
    },
    /// The file system is memory.
    MemoryFilesystem {
        /// Its name.
        filesystem: String,
    },
    /// The page cache was in play.
    PageCache,
    /// The device is a file to the kernel, which reads and writes it by its page cache.
    CacheBeneath,
    /// The device moved bytes in a direction that the job has not.
    OtherDirection {
        /// That direction.
        direction: Direction,
        /// Its I/Os over those that were issued.
        ios: f64,
        /// Its bytes over those that were issued.
        bytes: f64,
    },
    /// Direct I/O was asked for, and the file system ignores it.
    DirectIgnored {
        /// Its name.
        filesystem: String,
    },
    /// Direct I/O was verified.
    DirectVerified,
    /// The working set fits into memory.
    FitsMemory {
        /// Working set over memory.
        times: f64,
    },
    /// Some of it was never written.
    Unwritten {
        /// That share, 0 to 1.
        share: f64,
    },
    /// The content compresses away, which storage may do.
    Compressible {
        /// That share, 0 to 1.
        share: f64,
    },
    /// Offsets repeat those of a run before.
    RepeatedOffsets,
    /// I/Os were faster than is possible without a cache.
    BelowFloor(LatencyFloor),
    /// I/Os were merged on the way.
    Merged {
        /// How many.
        ios: u64,
    },
}

/// Bytes of the other direction for each of the test's, from which the figures are of both.
const OTHER_DIRECTION: f64 = 0.01;
/// Times the test's bytes that the device did in the test's direction, from which others must have
/// added them: a journal writes no more than a few times as much.
const OTHER_SAME: f64 = 8.0;
/// From as much other I/O as the test's own on, a latency is not the volume's usual one.
const HEAVY: f64 = 1.0;

impl CacheFinding {
    /// Whether others did so much I/O on the device that the figures are of both.
    pub fn is_other_use(&self) -> bool {
        match self.verdict {
            CacheVerdict::Foreign { times } => times >= OTHER_DIRECTION,
            // Read-ahead of a page cache reads much more than the test asks for.
            CacheVerdict::SawMore { times } => {
                times >= OTHER_SAME && !self.signs.contains(&CacheSign::PageCache)
            }
            _ => false,
        }
    }

    /// Whether some of the I/O did not reach the device, so that its rate is not the volume's.
    /// What is memory may be a device all the same, which then counted the I/O.
    pub fn is_off_device(&self) -> bool {
        match self.verdict {
            CacheVerdict::Cached { .. } | CacheVerdict::Unwritten { .. } => true,
            CacheVerdict::Memory => {
                !self.signs.iter().any(|sign| matches!(sign, CacheSign::Counter { .. }))
            }
            _ => false,
        }
    }

    /// Whether others did at least as much I/O on the device as the test's own.
    pub fn is_heavy_other_use(&self) -> bool {
        let is_light = matches!(self.verdict, CacheVerdict::Foreign { times } if times < HEAVY);
        self.is_other_use() && !is_light
    }

    /// How it bears on the figures.
    pub fn tone(&self) -> Tone {
        match self.verdict {
            CacheVerdict::Memory => Tone::Bad,
            CacheVerdict::Cached { share } | CacheVerdict::Unwritten { share } if share >= 0.5 => {
                Tone::Bad
            }
            CacheVerdict::Cached { .. }
            | CacheVerdict::Unwritten { .. }
            | CacheVerdict::Suspected
            | CacheVerdict::SawMore { .. }
            | CacheVerdict::Foreign { .. } => Tone::Warning,
            CacheVerdict::NotCached => Tone::Good,
            CacheVerdict::NotEnough => Tone::Note,
        }
    }
}

#[cfg(test)]
mod tests;
