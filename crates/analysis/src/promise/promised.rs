//! The promise for one volume, in numbers, and its meaning at a block size.

use super::caveat::Caveat;
use super::citation::{Confidence, Source};
use super::limits::{Charge, Consistency, Sequential};
use super::volume::{Directions, PromiseKind, Scope};
use fathom_message::Message;
use serde::{Deserialize, Serialize};

/// I/Os and bytes a second; what is not stated is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// I/Os a second.
    pub iops: Option<f64>,
    /// Bytes a second.
    pub bytes_per_s: Option<f64>,
}

/// What is promised of one volume. All sizes are in bytes, all rates in bytes a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Promise {
    /// The row's id.
    pub volume: String,
    /// What the provider calls it.
    pub name: String,
    /// Who sells it.
    pub provider: String,
    /// The service level or mode.
    pub variant: Option<String>,
    /// The volume's size in bytes, where it was given.
    pub size_bytes: Option<f64>,
    /// How firm it is.
    pub kind: PromiseKind,
    /// What the limits are shared by.
    pub scope: Scope,
    /// Whether reads and writes share the limits, which are then the same in `read` and `write`.
    pub directions: Directions,
    /// Limits of reads.
    pub read: Level,
    /// Limits of writes.
    pub write: Level,
    /// What one client gets at most, in bytes a second.
    pub client_bytes_per_s: Option<f64>,
    /// What the virtual machine allows, as far as the user said.
    pub vm: Level,
    /// Which IOPS can be bought for it, where they can: least and most, as far as known.
    pub settable_iops: Option<[Option<f64>; 2]>,
    /// Which bytes a second can be bought for it.
    pub settable_bytes_per_s: Option<[Option<f64>; 2]>,
    /// What it gives for a while.
    pub burst: Option<BurstLevels>,
    /// What is said of latency.
    pub latency: Option<LatencyPromise>,
    /// How much of the limit is promised, and how much of the time.
    pub consistency: Option<Consistency>,
    /// How I/Os are counted.
    pub accounting: Accounting,
    /// Time for an I/O with which the provider reckons the queue, in nanoseconds.
    pub queue_ns: Option<f64>,
    /// What others measured, where nothing is promised.
    pub measured: Vec<MeasuredAt>,
    /// Where the numbers stand.
    pub sources: Vec<Source>,
    /// Of when they are.
    pub as_of: String,
    /// How surely they were read.
    pub confidence: Confidence,
    /// What is to be known beside it.
    pub caveats: Vec<Caveat>,
}

/// What a volume gives for a while.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BurstLevels {
    /// Reads while it bursts; what does not burst is the baseline's.
    pub read: Level,
    /// Writes while it bursts.
    pub write: Level,
    /// How long a full bucket lasts at that level, in seconds.
    pub lasts_s: Option<f64>,
    /// How long an empty bucket fills while nothing is done, in seconds.
    pub refill_s: Option<f64>,
    /// I/Os in a full bucket.
    pub bucket_ios: Option<f64>,
    /// Bytes in a full bucket.
    pub bucket_bytes: Option<f64>,
}

/// What is said of latency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyPromise {
    /// In words.
    pub text: String,
    /// Mean of a read, in nanoseconds.
    pub read_mean_ns: Option<f64>,
    /// Mean of a write, in nanoseconds.
    pub write_mean_ns: Option<f64>,
    /// The block size that it is stated for, in bytes.
    pub at_bytes: Option<f64>,
}

/// How I/Os are counted against the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accounting {
    /// An I/O up to this size, in bytes, counts as one; a larger one as several.
    pub unit_bytes: Option<f64>,
    /// What a small random I/O costs of the bytes a second.
    pub charge: Charge,
    /// What becomes of small sequential ones.
    pub sequential: Sequential,
    /// The block size that the IOPS are stated for.
    pub iops_at_bytes: Option<f64>,
    /// The block size that the bytes a second are stated for.
    pub rate_at_bytes: Option<f64>,
}

/// What others measured on a volume of some size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredAt {
    /// The size, in bytes.
    pub size_bytes: f64,
    /// Reads.
    pub read: Level,
    /// Writes.
    pub write: Level,
}

/// Which limit is met first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The volume's I/Os a second.
    Iops,
    /// The volume's bytes a second.
    Throughput,
    /// What one client gets.
    Client,
    /// What the virtual machine allows.
    Vm,
}

impl Bound {
    /// In a word or three, for a column "limited by".
    pub fn words(self) -> Message {
        Message::new(match self {
            Bound::Iops => "bound-iops",
            Bound::Throughput => "bound-throughput",
            Bound::Client => "bound-client",
            Bound::Vm => "bound-vm",
        })
    }
}

/// Blocks up to this size are those that IOPS are stated for.
const SMALL_BLOCK_BYTES: f64 = 16_384.0;

/// The most that may be expected at a block size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reachable {
    /// I/Os a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// Which limit is met first.
    pub bound: Bound,
}

/// What may be expected of each direction at a block size; `None` where no limit is stated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtBlockSize {
    /// The block size.
    pub block_bytes: u64,
    /// Reads alone.
    pub read: Option<Reachable>,
    /// Writes alone.
    pub write: Option<Reachable>,
}

impl Level {
    /// The most that may be expected at a block size under these two limits alone.
    pub fn reachable(&self, block_bytes: u64) -> Option<Reachable> {
        let block = block_bytes.max(1) as f64;
        let by_rate = self.bytes_per_s.map(|rate| rate / block);
        least(block, [(self.iops, Bound::Iops), (by_rate, Bound::Throughput)])
    }
}

/// The lowest of the limits that are stated.
fn least(block: f64, limits: impl IntoIterator<Item = (Option<f64>, Bound)>) -> Option<Reachable> {
    let stated = limits.into_iter().filter_map(|(limit, bound)| Some((limit?, bound)));
    let (iops, bound) = stated.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Reachable { iops, bytes_per_s: iops * block, bound })
}

impl Promise {
    /// The figures that one client may expect at `block_bytes`: random I/O, direct, at sufficient
    /// depth. The smaller of the IOPS limit, with its unit of accounting, and of the bandwidth;
    /// bursts are left out.
    pub fn at_block_size(&self, block_bytes: u64) -> AtBlockSize {
        let reach = |level: &Level| self.reachable(level, block_bytes);
        AtBlockSize { block_bytes, read: reach(&self.read), write: reach(&self.write) }
    }

    /// The same while it bursts; `None` if it does not.
    pub fn burst_at_block_size(&self, block_bytes: u64) -> Option<AtBlockSize> {
        let burst = self.burst.as_ref()?;
        let reach = |level: &Level| self.reachable(level, block_bytes);
        Some(AtBlockSize { block_bytes, read: reach(&burst.read), write: reach(&burst.write) })
    }

    /// The number of I/Os to keep outstanding for `iops`, by the provider's rule.
    pub fn queue_for(&self, iops: f64) -> Option<f64> {
        self.queue_ns.map(|queue_ns| (iops * queue_ns / 1e9).ceil().max(1.0))
    }

    /// Whether it states any limit.
    pub fn is_empty(&self) -> bool {
        self.read == Level::default() && self.write == Level::default()
    }

    fn reachable(&self, level: &Level, block_bytes: u64) -> Option<Reachable> {
        let block = block_bytes.max(1) as f64;
        let unit = self.accounting.unit_bytes;
        let units = unit.map_or(1.0, |unit| (block / unit).ceil());
        let charged = match (self.accounting.charge, unit) {
            (Charge::WholeUnits, Some(unit)) => units * unit,
            _ => block,
        };
        let of_volume = [
            (level.iops.map(|iops| iops / units), Bound::Iops),
            (level.bytes_per_s.map(|rate| rate / charged), Bound::Throughput),
        ];
        // IOPS that are stated for small blocks say nothing of large ones, unless it is stated how
        // those count, or how many bytes a second there are.
        let stated_for = self.accounting.iops_at_bytes.unwrap_or(0.0).max(SMALL_BLOCK_BYTES);
        if level.bytes_per_s.is_none() && unit.is_none() && block > stated_for {
            return None;
        }
        // What a client or a VM allows is no promise of the volume's by itself.
        if of_volume.iter().all(|(limit, _)| limit.is_none()) {
            return None;
        }
        let around = [
            (self.client_bytes_per_s.map(|rate| rate / block), Bound::Client),
            (self.vm.iops, Bound::Vm),
            (self.vm.bytes_per_s.map(|rate| rate / block), Bound::Vm),
        ];
        least(block, of_volume.into_iter().chain(around))
    }
}
