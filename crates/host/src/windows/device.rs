//! Disks: their facts and counters from the reader functions.
//!
//! A volume whose disk cannot be queried (no rights, Wine) is a device by itself: its name is its
//! drive letter, and it has no counters.

use crate::source::{DiskCounters, DiskFacts};
use crate::windows::volume::is_device;
use crate::{BlockDevice, DiskStats, Host, HostError, NfsStats, QueueTuning, WriteCache};
use std::io;
use std::path::{Path, PathBuf};

/// The disks that are looked for; Windows numbers them from 0 without large gaps.
const DISK_LIMIT: u32 = 64;

/// The path that opens the device with that name.
pub(crate) fn node_of(name: &str) -> PathBuf {
    PathBuf::from(format!(r"\\.\{}", name.trim_end_matches('\\')))
}

impl Host {
    /// The disk of that name, such as `PhysicalDrive0`, or a volume's, such as `C:`.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if it cannot be queried.
    pub fn device_named(&self, name: &str) -> Result<BlockDevice, HostError> {
        let facts =
            self.disk_facts(name).map_err(|_| HostError::NoDevice { what: name.to_owned() })?;
        Ok(block_device(name, facts))
    }

    /// The disk with that number as `minor`.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if there is none.
    pub fn device_numbered(&self, _major: u32, minor: u32) -> Result<BlockDevice, HostError> {
        self.device_named(&disk_name(minor))
    }

    /// The disk that `path` is, such as `\\.\PhysicalDrive0`.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if it is not one.
    pub fn device_at(&self, path: &Path) -> Result<BlockDevice, HostError> {
        let text = path.to_string_lossy();
        // A disk's name alone is valid as well; its number leads to it.
        let bare = || text.starts_with("PhysicalDrive").then_some(&*text);
        match text.strip_prefix(r"\\.\").or_else(|| text.strip_prefix("//./")).or_else(bare) {
            Some(name) => self.device_named(name),
            None => Err(HostError::NoDevice { what: text.into_owned() }),
        }
    }

    /// Whether the path alone names a disk or a whole volume, such as `\\.\PhysicalDrive0`.
    pub fn names_device(&self, path: &Path) -> bool {
        is_device(path)
    }

    /// Every disk that can be queried.
    pub fn devices(&self) -> Vec<BlockDevice> {
        (0..DISK_LIMIT).filter_map(|number| self.device_numbered(0, number).ok()).collect()
    }

    /// Lower devices are not visible here.
    pub fn slaves_of(&self, _name: &str) -> Vec<String> {
        Vec::new()
    }

    /// Settings of a disk's queue are not available here.
    pub fn queue_tuning(&self, _device: &BlockDevice) -> QueueTuning {
        QueueTuning::default()
    }

    /// Counters of every disk that has some.
    ///
    /// # Errors
    /// None: a disk that cannot be queried is left out.
    pub fn disk_stats(&self) -> Result<Vec<DiskStats>, HostError> {
        let names = (0..DISK_LIMIT).map(disk_name);
        Ok(names.filter_map(|name| self.disk_stats_of(&name).ok()).collect())
    }

    /// Counters of one disk.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if it cannot be queried.
    pub fn disk_stats_of(&self, name: &str) -> Result<DiskStats, HostError> {
        let missing = || HostError::NoDevice { what: name.to_owned() };
        let readers = self.disk_readers().ok_or_else(missing)?;
        let counters = (readers.counters)(&node_of(name)).map_err(|_| missing())?;
        Ok(disk_stats(name, counters))
    }

    /// The counters of the Windows NFS client are not available.
    ///
    /// # Errors
    /// None.
    pub fn nfs_stats(&self, _mount_point: &Path) -> Result<Option<NfsStats>, HostError> {
        Ok(None)
    }

    /// The disk under the volume with that root, or the volume itself.
    pub(crate) fn device_under(&self, root: &Path) -> BlockDevice {
        let text = root.display().to_string();
        let letter = text.trim_end_matches('\\').to_owned();
        let facts = self.disk_facts(&letter).unwrap_or_default();
        let size_bytes = self.file_system(root).map_or(0, |space| space.total_bytes);
        let name = facts.number.map_or_else(|| letter.clone(), disk_name);
        let mut device = block_device(&name, facts);
        // The disk's own size and blocks come from the disk, which may need rights that a volume
        // does not.
        if device.size_bytes == 0 {
            device.size_bytes = size_bytes;
        }
        device
    }

    fn disk_facts(&self, name: &str) -> io::Result<DiskFacts> {
        let unasked = || io::Error::from(io::ErrorKind::Unsupported);
        let readers = self.disk_readers().ok_or_else(unasked)?;
        (readers.facts)(&node_of(name))
    }
}

fn disk_name(number: u32) -> String {
    format!("PhysicalDrive{number}")
}

fn block_device(name: &str, facts: DiskFacts) -> BlockDevice {
    let logical = facts.logical_block_bytes.unwrap_or(512);
    let cache = facts.volatile_cache.map(|volatile| match volatile {
        true => WriteCache::WriteBack,
        false => WriteCache::WriteThrough,
    });
    BlockDevice {
        name: name.to_owned(),
        disk: name.to_owned(),
        minor: facts.number.unwrap_or(0),
        size_bytes: facts.size_bytes.unwrap_or(0),
        model: facts.model,
        vendor: facts.vendor,
        serial: facts.serial,
        firmware: facts.firmware,
        transport: facts.bus,
        rotational: facts.seeks.unwrap_or(false),
        removable: facts.removable,
        logical_block_bytes: logical,
        physical_block_bytes: facts.physical_block_bytes.unwrap_or(logical),
        write_cache: cache,
        discard: facts.trims.unwrap_or(false),
        ..BlockDevice::default()
    }
}

fn disk_stats(name: &str, counters: DiskCounters) -> DiskStats {
    let milliseconds = |time_100ns: u64| time_100ns / 10_000;
    DiskStats {
        name: name.to_owned(),
        read_ios: counters.reads,
        read_sectors: counters.read_bytes / 512,
        read_ticks_ms: milliseconds(counters.read_time_100ns),
        write_ios: counters.writes,
        write_sectors: counters.written_bytes / 512,
        write_ticks_ms: milliseconds(counters.write_time_100ns),
        in_flight: counters.queue_depth,
        io_ticks_ms: milliseconds(counters.now_100ns.saturating_sub(counters.idle_time_100ns)),
        queue_ms: milliseconds(counters.read_time_100ns + counters.write_time_100ns),
        ..DiskStats::default()
    }
}
