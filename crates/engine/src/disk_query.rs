//! The facts and counters of a Windows disk. On Linux both are in sysfs, and nothing uses this.

/// The facts that a disk or a volume reports; `None` and empty if unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskReply {
    /// The number of the disk.
    pub number: Option<u32>,
    /// Capacity.
    pub size_bytes: Option<u64>,
    /// Vendor.
    pub vendor: Option<String>,
    /// Model.
    pub model: Option<String>,
    /// Firmware revision.
    pub revision: Option<String>,
    /// Serial number.
    pub serial: Option<String>,
    /// The bus, in the words that Linux has for it.
    pub bus: Option<&'static str>,
    /// Whether its medium can be taken out.
    pub removable: bool,
    /// Bytes of a logical and of a physical sector.
    pub sector_bytes: Option<(u32, u32)>,
    /// Whether a seek costs time.
    pub seeks: Option<bool>,
    /// Whether it takes trims.
    pub trims: Option<bool>,
    /// Whether it has a write cache that is lost with the power.
    pub volatile_cache: Option<bool>,
}

/// The counters of a disk since they were switched on; times are in units of 100 ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskPerformance {
    /// Reads completed.
    pub reads: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Time that reads took, added up.
    pub read_time: u64,
    /// Writes completed.
    pub writes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Time that writes took, added up.
    pub write_time: u64,
    /// Idle time.
    pub idle_time: u64,
    /// The moment of the reading.
    pub query_time: u64,
    /// I/Os in flight.
    pub queue_depth: u64,
}
