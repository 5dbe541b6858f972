//! A block device in sysfs.
//!
//! A partition has few attributes of its own: model, scheduler and queue are its disk's, and are
//! returned with it, so that a caller need not distinguish the two.

use crate::{BlockDevice, Host, HostError, WriteCache};
use std::fs;
use std::path::{Path, PathBuf};

/// The usual node of the device with that name.
pub(crate) fn node_of(name: &str) -> PathBuf {
    Path::new("/dev").join(name.replace('!', "/"))
}

impl Host {
    /// The device of that kernel name.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if sysfs knows none.
    pub fn device_named(&self, name: &str) -> Result<BlockDevice, HostError> {
        let missing = || HostError::NoDevice { what: name.to_owned() };
        if name.is_empty() || name.contains('/') || name.starts_with('.') {
            return Err(missing());
        }
        let (major, minor) = self.number_of(name).ok_or_else(missing)?;
        let own = Path::new("/sys/class/block").join(name);
        let mut device = BlockDevice { name: name.to_owned(), major, minor, ..Default::default() };
        device.partition = self.number(own.join("partition"));
        device.disk = match device.partition {
            Some(_) => self.parent_of(name).unwrap_or_else(|| name.to_owned()),
            None => name.to_owned(),
        };
        self.read_own(&own, &mut device);
        let disk = Path::new("/sys/class/block").join(&device.disk);
        self.read_identity(&disk, &mut device);
        self.read_queue(&disk.join("queue"), &mut device);
        Ok(device)
    }

    /// The device of that number.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if sysfs knows none.
    pub fn device_numbered(&self, major: u32, minor: u32) -> Result<BlockDevice, HostError> {
        self.device_named(&self.name_of(major, minor)?)
    }

    /// The device with the node `path`, such as `/dev/disk/by-id/…`.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if it is not a block device's node.
    pub fn device_at(&self, path: &Path) -> Result<BlockDevice, HostError> {
        let missing = || HostError::NoDevice { what: path.display().to_string() };
        let (major, minor) = self.block_number(path).ok_or_else(missing)?;
        self.device_numbered(major, minor)
    }

    /// Whether the path alone names a device: on Linux the node's type shows it.
    pub fn names_device(&self, _path: &Path) -> bool {
        false
    }

    /// Every block device that has a size, partitions included, by name.
    pub fn devices(&self) -> Vec<BlockDevice> {
        let names = self.names("/sys/class/block");
        let found = names.iter().filter_map(|name| self.device_named(name).ok());
        found.filter(|device| device.size_bytes > 0).collect()
    }

    /// Names of the devices below `name`: those that fio adds up as `aggr_…`.
    pub fn slaves_of(&self, name: &str) -> Vec<String> {
        self.names(Path::new("/sys/class/block").join(name).join("slaves"))
    }

    /// The kernel's name for a device number.
    pub(crate) fn name_of(&self, major: u32, minor: u32) -> Result<String, HostError> {
        let link = self.locate(format!("/sys/dev/block/{major}:{minor}"));
        let missing = || HostError::NoDevice { what: format!("device {major}:{minor}") };
        let folder = fs::canonicalize(link).map_err(|_| missing())?;
        Ok(folder.file_name().ok_or_else(missing)?.to_string_lossy().into_owned())
    }

    /// The device number of a kernel name.
    pub(crate) fn number_of(&self, name: &str) -> Option<(u32, u32)> {
        let text = self.text(Path::new("/sys/class/block").join(name).join("dev"))?;
        let (major, minor) = text.split_once(':')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    }

    /// The kernel's name for a device mapper name.
    pub(crate) fn mapped_name(&self, mapped: &str) -> Option<String> {
        let names = self.names("/sys/class/block");
        let file = |name: &str| Path::new("/sys/class/block").join(name).join("dm/name");
        names.into_iter().find(|name| self.text(file(name)).as_deref() == Some(mapped))
    }

    /// The disk that a partition is on: the folder around its own in sysfs.
    fn parent_of(&self, name: &str) -> Option<String> {
        let folder = fs::canonicalize(self.locate(Path::new("/sys/class/block").join(name)));
        let parent = folder.ok()?.parent()?.file_name()?.to_string_lossy().into_owned();
        self.number_of(&parent).map(|_| parent)
    }

    /// The attributes that a partition has, too.
    fn read_own(&self, own: &Path, device: &mut BlockDevice) {
        // sysfs counts in sectors of 512 bytes for any block size of the device.
        device.size_bytes = self.number::<u64>(own.join("size")).unwrap_or(0).saturating_mul(512);
        device.read_only = self.flag(own.join("ro"));
        device.holders = self.names(own.join("holders"));
        device.slaves = self.names(own.join("slaves"));
        device.backing_file = self.text(own.join("loop/backing_file")).map(PathBuf::from);
        device.direct_backing = self.number::<u8>(own.join("loop/dio")).map(|dio| dio != 0);
        device.mapper_name = self.text(own.join("dm/name"));
        device.raid_level = self.text(own.join("md/level"));
        let is_partition = |name: &String| self.has(own.join(name).join("partition"));
        device.partitions = self.names(own).into_iter().filter(is_partition).collect();
    }

    /// Its vendor and its bus. SCSI, NVMe and virtio differ, so each form is tried.
    fn read_identity(&self, disk: &Path, device: &mut BlockDevice) {
        let at = |name: &str| self.text(disk.join(name));
        device.model = at("device/model");
        device.vendor = at("device/vendor").filter(|vendor| !vendor.starts_with("0x"));
        device.serial =
            at("device/serial").or_else(|| at("serial")).or_else(|| self.scsi_serial(disk));
        device.firmware = at("device/firmware_rev").or_else(|| at("device/rev"));
        device.removable = self.flag(disk.join("removable"));
        device.transport = at("device/transport").or_else(|| self.guess_transport(disk));
    }

    /// SCSI's serial number page: four bytes of header, then text.
    fn scsi_serial(&self, disk: &Path) -> Option<String> {
        let page = self.bytes(disk.join("device/vpd_pg80")).ok()?;
        let text = String::from_utf8_lossy(page.get(4..)?).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The bus, from the names on the device's path in sysfs.
    fn guess_transport(&self, disk: &Path) -> Option<String> {
        let folder = fs::canonicalize(self.locate(disk)).ok()?;
        let name = folder.file_name()?.to_string_lossy().into_owned();
        if name.starts_with("zram") || name.starts_with("ram") {
            return Some("memory".into());
        }
        let buses = [
            ("virtio", "virtio"),
            ("usb", "usb"),
            ("ata", "sata"),
            ("session", "iscsi"),
            ("vbd-", "xen"),
            ("nvme", "pcie"),
            ("host", "scsi"),
        ];
        // The device's own name is not a bus: an NVMe disk behind multipath hangs on none.
        let parts: Vec<String> = folder
            .parent()?
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into())
            .collect();
        let on_path = |bus: &str| {
            parts.iter().any(|part| {
                part.strip_prefix(bus)
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_numeric()))
            })
        };
        buses.iter().find(|(bus, _)| on_path(bus)).map(|(_, name)| (*name).to_owned())
    }

    fn read_queue(&self, queue: &Path, device: &mut BlockDevice) {
        device.scheduler = self.text(queue.join("scheduler")).map(|list| chosen(&list));
        device.rotational = self.flag(queue.join("rotational"));
        device.logical_block_bytes = self.number(queue.join("logical_block_size")).unwrap_or(512);
        device.physical_block_bytes =
            self.number(queue.join("physical_block_size")).unwrap_or(device.logical_block_bytes);
        device.write_cache = match self.text(queue.join("write_cache")).as_deref() {
            Some("write back") => Some(WriteCache::WriteBack),
            Some("write through") => Some(WriteCache::WriteThrough),
            _ => None,
        };
        device.queue_depth = self.number(queue.join("nr_requests"));
        let kib = |name: &str| self.number::<u64>(queue.join(name)).map(|n| n.saturating_mul(1024));
        device.max_request_bytes = kib("max_sectors_kb");
        device.read_ahead_bytes = kib("read_ahead_kb");
        device.discard = self.flag(queue.join("discard_max_bytes"));
        device.zoned = self.text(queue.join("zoned")).filter(|zoned| zoned != "none");
    }
}

/// The choice that the kernel marks with brackets, or the only one.
fn chosen(list: &str) -> String {
    let marked = list.split_whitespace().find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
    marked.unwrap_or(list).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheduler_in_brackets_is_the_one_in_use() {
        assert_eq!(chosen("none [mq-deadline] kyber"), "mq-deadline");
        assert_eq!(chosen("none"), "none");
        assert_eq!(chosen("[none]"), "none");
    }
}
