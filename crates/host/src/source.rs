//! [`Host`]: the sources of its answers, and the reader functions passed to it.
//!
//! Each system's folder adds the queries to `Host`, with the same types.

use crate::{FileId, HostError};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Queries an open loop device for its backing file or device. It needs a call for which this crate
/// has no safe wrapper: the caller passes one in ([`Host::with_loops`]).
pub type LoopReader = fn(&File) -> io::Result<FileId>;

/// The facts of a Windows disk or volume, as far as it reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskFacts {
    /// The number of the disk, as in `PhysicalDrive0`.
    pub number: Option<u32>,
    /// Capacity.
    pub size_bytes: Option<u64>,
    /// Model.
    pub model: Option<String>,
    /// Vendor.
    pub vendor: Option<String>,
    /// Serial number.
    pub serial: Option<String>,
    /// Firmware revision.
    pub firmware: Option<String>,
    /// How it is attached, in the words of [`BlockDevice::transport`](crate::BlockDevice).
    pub bus: Option<String>,
    /// Whether it can be pulled out.
    pub removable: bool,
    /// The smallest addressable unit.
    pub logical_block_bytes: Option<u32>,
    /// The smallest unit written without reading first.
    pub physical_block_bytes: Option<u32>,
    /// Whether it spins: a seek costs time.
    pub seeks: Option<bool>,
    /// Whether ranges can be trimmed.
    pub trims: Option<bool>,
    /// Whether it has a write cache that a power failure empties.
    pub volatile_cache: Option<bool>,
}

/// The counters of a disk of Windows; times are in units of 100 ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskCounters {
    /// Reads completed.
    pub reads: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Time that reads took, added up.
    pub read_time_100ns: u64,
    /// Writes completed.
    pub writes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Time that writes took, added up.
    pub write_time_100ns: u64,
    /// Idle time.
    pub idle_time_100ns: u64,
    /// The moment of the reading, on the same clock.
    pub now_100ns: u64,
    /// I/Os in flight.
    pub queue_depth: u64,
}

/// Queries a disk or volume by its device path (`\\.\PhysicalDrive0`, `\\.\C:`). It needs calls for
/// which this crate has no safe wrappers: the caller passes them in ([`Host::with_disks`]).
#[derive(Clone, Copy, Debug)]
pub struct DiskReaders {
    /// Reads its facts.
    pub facts: fn(&Path) -> io::Result<DiskFacts>,
    /// Reads its counters.
    pub counters: fn(&Path) -> io::Result<DiskCounters>,
}

/// A machine to query: the real one, or a fixture in a folder.
#[derive(Clone, Debug)]
pub struct Host {
    root: PathBuf,
    real: bool,
    loops: Option<LoopReader>,
    disks: Option<DiskReaders>,
}

impl Default for Host {
    fn default() -> Self {
        Host::real()
    }
}

impl Host {
    /// The machine that the program runs on.
    pub fn real() -> Self {
        Host { root: PathBuf::from("/"), real: true, loops: None, disks: None }
    }

    /// A machine whose `proc`, `sys` and `etc` are under `root`.
    ///
    /// Paths are compared as text there: nothing is looked up in the real file system.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Host { root: root.into(), real: false, loops: None, disks: None }
    }

    /// The same, with `reader` for the backing files of loop devices: by number, which neither a
    /// new name nor a removal changes. Without it the names in sysfs are used.
    #[must_use]
    pub fn with_loops(self, reader: LoopReader) -> Self {
        Host { loops: Some(reader), ..self }
    }

    /// The same, with `readers` for Windows disks; without them only volumes are visible.
    #[must_use]
    pub fn with_disks(self, readers: DiskReaders) -> Self {
        Host { disks: Some(readers), ..self }
    }

    /// The readers of Windows disks, if available.
    pub fn disk_readers(&self) -> Option<DiskReaders> {
        self.disks.filter(|_| self.real)
    }

    /// The reader of loop devices, if available.
    pub fn loop_reader(&self) -> Option<LoopReader> {
        self.loops.filter(|_| self.real)
    }

    /// Whether system calls may be used, not only files.
    pub fn is_real(&self) -> bool {
        self.real
    }

    /// Refuses a question that only the running kernel answers.
    pub(crate) fn must_be_real(&self, what: &'static str) -> Result<(), HostError> {
        if self.real {
            return Ok(());
        }
        Err(HostError::NotReal { what, root: self.root.clone() })
    }

    /// The folder that `proc`, `sys` and `etc` of the machine are read under.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// Serialises a path with its undecodable bytes replaced: a report must not fail because a mount
/// point is not UTF-8.
pub(crate) fn lossy<S: serde::Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

/// As [`lossy`], for a path that may be missing.
pub(crate) fn lossy_option<S: serde::Serializer>(
    path: &Option<PathBuf>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => lossy(path, to),
        None => to.serialize_none(),
    }
}
