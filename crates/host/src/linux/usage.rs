//! The users of a device: the evidence for refusing a destructive write.
//!
//! `/proc/self/mountinfo` shows only this process's view: a container does not see mounts outside.
//! The kernel knows them and refuses an exclusive open; so that is tried too, for reading only,
//! which is harmless.

use crate::{BlockDevice, FileId, Host, HostBacking, HostError, InUse, Mount};
use rustix::fs::{Mode, OFlags};
use std::path::{Path, PathBuf};

/// The tables read once to find the users of a device.
struct Tables {
    mounts: Vec<Mount>,
    backing: HostBacking,
}

impl Host {
    /// The users of the block device with this node or kernel name; empty if there are none.
    ///
    /// This does not check for data on an unused device. See [`Host::data_on`].
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if it is no block device, [`HostError::Read`] without
    /// `/proc/self/mountinfo`: not knowing is not the same as not in use.
    pub fn in_use(&self, device: &Path) -> Result<Vec<InUse>, HostError> {
        let mut uses = self.in_use_beside_claim(device)?;
        if !uses.iter().any(|u| !matches!(u, InUse::Partitioned { .. })) {
            let node = match device.is_absolute() {
                true => device.to_owned(),
                false => self.device_at_or_named(device)?.node(),
            };
            uses.extend(self.claimed(&node).then_some(InUse::Claimed));
        }
        Ok(uses)
    }

    /// As [`Host::in_use`] for a caller that has claimed the device: no exclusive open is tried,
    /// because it would only find that claim.
    ///
    /// # Errors
    /// As of [`Host::in_use`].
    pub fn in_use_beside_claim(&self, device: &Path) -> Result<Vec<InUse>, HostError> {
        let device = self.device_at_or_named(device)?;
        let tables = Tables { mounts: self.mounts()?, backing: self.backing() };
        Ok(self.uses_of(&device, &tables, &mut Vec::new()))
    }

    /// The users of a file as a device: the loop devices over it, and the kernel if it swaps to it.
    ///
    /// # Errors
    /// As of [`Host::in_use`].
    pub fn file_in_use(
        &self,
        file: FileId,
        backing: &HostBacking,
    ) -> Result<Vec<InUse>, HostError> {
        let swap = backing.swap_file(file);
        let swap = swap.map(|path| InUse::Swap { device: path.display().to_string() });
        let mut uses: Vec<InUse> = swap.into_iter().collect();
        if backing.loops_over(file).next().is_some() {
            let tables = Tables { mounts: self.mounts()?, backing: backing.clone() };
            uses.extend(self.loops_over(file, &tables, &mut Vec::new()));
        }
        Ok(uses)
    }

    /// The users of `device`, of its partitions, or of its disk. Devices already examined are in
    /// `seen`, so that a circle ends.
    fn uses_of(&self, device: &BlockDevice, tables: &Tables, seen: &mut Vec<String>) -> Vec<InUse> {
        let mut uses = self.own_uses(device, tables, seen);
        if device.partition.is_some()
            && let Ok(disk) = self.device_named(&device.disk)
        {
            // Its other partitions are no use of this one.
            let whole = BlockDevice { partitions: Vec::new(), ..disk };
            let of_disk = self.own_uses(&whole, tables, seen);
            if !of_disk.is_empty() {
                uses.push(InUse::Disk { disk: whole.name, uses: of_disk });
            }
        }
        uses
    }

    fn own_uses(
        &self,
        device: &BlockDevice,
        tables: &Tables,
        seen: &mut Vec<String>,
    ) -> Vec<InUse> {
        seen.push(device.name.clone());
        let parts: Vec<BlockDevice> =
            device.partitions.iter().filter_map(|name| self.device_named(name).ok()).collect();
        let mounted = self.mounted_at(device, &tables.mounts).into_iter();
        let mut uses: Vec<InUse> = mounted.map(|at| InUse::Mounted { at }).collect();
        for part in &parts {
            let places = self.mounted_at(part, &tables.mounts).into_iter();
            uses.extend(
                places.map(|at| InUse::PartitionMounted { partition: part.name.clone(), at }),
            );
        }
        if !device.partitions.is_empty() {
            uses.push(InUse::Partitioned { partitions: device.partitions.clone() });
        }
        let holders = device.holders.iter().chain(parts.iter().flat_map(|part| &part.holders));
        uses.extend(holders.map(|name| InUse::HeldBy { holder: self.full_name(name) }));
        uses.extend(self.swapped_to(device, &parts));
        for part in std::iter::once(device).chain(&parts) {
            let id = FileId::Device { major: part.major, minor: part.minor };
            uses.extend(self.loops_over(id, tables, seen));
        }
        uses
    }

    /// The loop devices over a file or device, each with its own users.
    fn loops_over(&self, id: FileId, tables: &Tables, seen: &mut Vec<String>) -> Vec<InUse> {
        let names: Vec<&str> = tables.backing.loops_over(id).collect();
        let mut found = Vec::new();
        for name in names {
            let known = seen.iter().any(|before| before == name);
            let device = (!known).then(|| self.device_named(name).ok()).flatten();
            let uses = device.map_or(Vec::new(), |device| self.uses_of(&device, tables, seen));
            found.push(InUse::Loop { device: name.to_owned(), uses });
        }
        found
    }

    fn device_at_or_named(&self, device: &Path) -> Result<BlockDevice, HostError> {
        match device.to_str() {
            Some(name) if !name.contains('/') => self.device_named(name),
            _ => self.device_at(device),
        }
    }

    /// Every mount point of a file system on `device`.
    fn mounted_at(&self, device: &BlockDevice, mounts: &[Mount]) -> Vec<PathBuf> {
        let number = (device.major, device.minor);
        let family = self.btrfs_members(&device.name);
        let on_it = |mount: &&Mount| {
            (mount.major, mount.minor) == number
                // btrfs reports its own number and names only one of its devices.
                || (mount.major == 0
                    && self.block_number(Path::new(&mount.source)).is_some_and(|found| {
                        found == number
                            || family.iter().any(|name| self.number_of(name) == Some(found))
                    }))
        };
        mounts.iter().filter(on_it).map(|mount| mount.mount_point.clone()).collect()
    }

    fn full_name(&self, name: &str) -> String {
        match self.text(format!("/sys/class/block/{name}/dm/name")) {
            Some(mapped) => format!("{name} ({mapped})"),
            None => name.to_owned(),
        }
    }

    fn swapped_to(&self, device: &BlockDevice, parts: &[BlockDevice]) -> Vec<InUse> {
        let swaps = self.text("/proc/swaps").unwrap_or_default();
        let node = |line: &str| line.split_whitespace().next().map(PathBuf::from);
        let numbers: Vec<(u32, u32)> =
            swaps.lines().filter_map(node).filter_map(|node| self.block_number(&node)).collect();
        let used = std::iter::once(device).chain(parts);
        let used = used.filter(|device| numbers.contains(&(device.major, device.minor)));
        used.map(|device| InUse::Swap { device: device.name.clone() }).collect()
    }

    /// Whether the kernel refuses an exclusive open (open(2): O_EXCL on a block device).
    fn claimed(&self, node: &Path) -> bool {
        let flags = OFlags::RDONLY | OFlags::EXCL | OFlags::CLOEXEC;
        self.is_real()
            && rustix::fs::open(node, flags, Mode::empty())
                .is_err_and(|error| error == rustix::io::Errno::BUSY)
    }
}
