//! The facts that a caller can give about the source or destination of a job's data, and where to
//! find them.

use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// What is known of where a job's data came from or went; whatever is not known stays empty.
///
/// For reads or for writes, each by itself: a job with both is asked about twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheInputs {
    /// Whether the job read or wrote.
    pub direction: Direction,
    /// Bytes that the job issued in this direction (`DirectionStats::io_bytes`).
    pub issued_bytes: u64,
    /// What a counter below the file system saw of the same time, in this direction.
    pub seen: Option<CounterBytes>,
    /// What the same counter saw in a direction that the job has not.
    pub other: Option<ForeignBytes>,
    /// Whether the page cache lies beneath the device, as with a loop device without direct I/O.
    pub cache_beneath: bool,
    /// What became of direct I/O.
    pub direct: DirectIo,
    /// What the file stands on.
    pub medium: Medium,
    /// File system, such as `ext4`; empty for a device.
    pub filesystem: String,
    /// Bytes that the job went over, each counted once.
    pub working_set_bytes: Option<u64>,
    /// Memory that may hold a cache: of the machine, or of our control group if that is less.
    pub memory_bytes: Option<u64>,
    /// Share of what was read that was never written (holes, unwritten extents), 0 to 1.
    pub unwritten_share: Option<f64>,
    /// Share of the buffers' content that compresses away, 0 to 1.
    pub compressible_share: Option<f64>,
    /// Whether a run before this one used the same offsets.
    pub offsets: Offsets,
    /// How long the counters counted, in seconds; 0 where that is not known.
    pub seconds: f64,
    /// The fastest that the medium or the network to it can be, and how the job compares.
    pub floor: Option<LatencyFloor>,
}

impl CacheInputs {
    /// Only the issued bytes are known.
    pub fn new(direction: Direction, issued_bytes: u64) -> CacheInputs {
        CacheInputs {
            direction,
            issued_bytes,
            seen: None,
            other: None,
            cache_beneath: false,
            direct: DirectIo::Unknown,
            medium: Medium::Unknown,
            filesystem: String::new(),
            working_set_bytes: None,
            memory_bytes: None,
            unwritten_share: None,
            compressible_share: None,
            offsets: Offsets::Fresh,
            seconds: 0.0,
            floor: None,
        }
    }
}

/// What a counter below the file system saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterBytes {
    /// Which counter.
    pub by: ByteCounter,
    /// Bytes in the job's direction: 512 times `DiskUtil::sectors`, or bytes of READ or WRITE
    /// in mountstats. Of a mirror, one member's.
    pub bytes: u64,
    /// I/Os that were merged into others (`DiskUtil::merges`): sequential small ones were.
    pub merges: u64,
}

/// What a counter saw in a direction that the job has not, as shares of what the job issued.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForeignBytes {
    /// That direction.
    pub direction: Direction,
    /// I/Os over the job's.
    pub ios: f64,
    /// Bytes over the job's.
    pub bytes: f64,
}

/// Which counter saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByteCounter {
    /// The block device's, in /proc/diskstats.
    Device,
    /// The NFS client's, in /proc/self/mountstats.
    NfsClient,
}

/// What became of direct I/O.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectIo {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// The job went through the page cache and wanted to.
    Buffered,
    /// It was asked for; whether it was done was not tested.
    Asked,
    /// It was asked for, and statx or the file system's kind says that it is done.
    Verified,
    /// It was asked for and taken, yet the file system buffers all the same (ZFS before 2.3).
    Ignored,
}

/// What a file stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Medium {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// A block device of this machine.
    Device,
    /// Another machine.
    Network,
    /// Memory: tmpfs, ramfs.
    Memory,
}

/// Whether offsets repeat from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offsets {
    /// They are new, or this was the first run.
    #[default]
    Fresh,
    /// A run before this one used the same: fio's `randrepeat`, which is on unless turned off.
    Repeated,
}

/// How latencies compare with the fastest that is possible without a cache.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyFloor {
    /// The fastest possible, in nanoseconds: the network's round trip, or the medium's access.
    pub floor_ns: f64,
    /// What it is the time of.
    pub of: FloorOf,
    /// Share of I/Os that were faster, 0 to 1; at QD 1 it is a cached share at least.
    pub share_below: f64,
}

/// What a latency floor is the time of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloorOf {
    /// The network's round trip.
    RoundTrip,
    /// One access of the medium.
    Medium,
}
