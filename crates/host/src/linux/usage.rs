//! Who uses a device: the evidence with which a destructive write is refused.
//!
//! The list in `/proc/self/mountinfo` shows only this process's view: a container does not see
//! the mounts outside. The kernel itself knows, and says so by refusing an exclusive open; that
//! is asked too, for reading only, and harms nothing.

use crate::source::lossy;
use crate::{BlockDevice, FileId, Host, HostBacking, HostError, Mount, SIGNATURE_BYTES, identify};
use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One reason not to write on a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum InUse {
    /// A file system on the device itself is mounted.
    Mounted {
        /// Where.
        #[serde(serialize_with = "lossy")]
        at: PathBuf,
    },
    /// A file system on one of its partitions is mounted.
    PartitionMounted {
        /// The partition's name.
        partition: String,
        /// Where.
        #[serde(serialize_with = "lossy")]
        at: PathBuf,
    },
    /// It carries partitions, mounted or not.
    Partitioned {
        /// Their names.
        partitions: Vec<String>,
    },
    /// Another device stands on it or on one of its partitions.
    HeldBy {
        /// That device: its kernel name, with the mapper's name where it has one.
        holder: String,
    },
    /// It, or one of its partitions, is swapped to.
    Swap {
        /// The device's name.
        device: String,
    },
    /// A loop device is set up over it or over one of its partitions.
    Loop {
        /// Name of the loop device.
        device: String,
        /// Who uses that one.
        uses: Vec<InUse>,
    },
    /// It is a partition, and its whole disk is in use.
    Disk {
        /// Name of the disk.
        disk: String,
        /// Who uses that one.
        uses: Vec<InUse>,
    },
    /// The kernel refuses to open it exclusively: something uses it that is not seen from here.
    Claimed,
}

impl fmt::Display for InUse {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InUse::Mounted { at } => write!(to, "mounted at {}", at.display()),
            InUse::PartitionMounted { partition, at } => {
                write!(to, "its partition {partition} is mounted at {}", at.display())
            }
            InUse::Partitioned { partitions } => {
                write!(to, "it has partitions: {}", partitions.join(", "))
            }
            InUse::HeldBy { holder } => write!(to, "{holder} stands on it"),
            InUse::Swap { device } => write!(to, "{device} is used as swap"),
            InUse::Loop { device, uses } => {
                write!(to, "{device} is set up over it{}", in_brackets(uses))
            }
            InUse::Disk { disk, uses } => {
                write!(to, "its disk {disk} is in use{}", in_brackets(uses))
            }
            InUse::Claimed => write!(to, "the kernel keeps it for something else (EBUSY)"),
        }
    }
}

fn in_brackets(uses: &[InUse]) -> String {
    let words: Vec<String> = uses.iter().map(ToString::to_string).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join("; ")) }
}

impl InUse {
    /// Whether a file system on it is mounted, at whatever remove.
    pub fn is_mount(&self) -> bool {
        match self {
            InUse::Mounted { .. } | InUse::PartitionMounted { .. } => true,
            InUse::Loop { uses, .. } | InUse::Disk { uses, .. } => uses.iter().any(InUse::is_mount),
            _ => false,
        }
    }
}

/// What is read once to find out who uses a device.
struct Tables {
    mounts: Vec<Mount>,
    backing: HostBacking,
}

impl Host {
    /// Who uses the block device whose node or kernel name is given; empty if nobody does.
    ///
    /// Not asked here: whether data lies on it unused. See [`Host::data_on`].
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

    /// As [`Host::in_use`] for whoever has claimed the device: the kernel is not asked for a claim,
    /// since it would only tell of that one.
    ///
    /// # Errors
    /// As of [`Host::in_use`].
    pub fn in_use_beside_claim(&self, device: &Path) -> Result<Vec<InUse>, HostError> {
        let device = self.device_at_or_named(device)?;
        let tables = Tables { mounts: self.mounts()?, backing: self.backing() };
        Ok(self.uses_of(&device, &tables, &mut Vec::new()))
    }

    /// Who uses a file as a device: the loop devices over it, and the kernel that swaps to it.
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

    /// Who uses `device`, one of its partitions, or the disk that it is a partition of. Devices
    /// that were looked at already are in `seen`, so that a circle ends.
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

    /// The loop devices over a file or device, each with who uses it in its turn.
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

    /// What lies on the device or in the file, by its first bytes: a file system, a partition
    /// table, a volume manager's label. `None` if nothing is recognised.
    ///
    /// # Errors
    /// [`HostError::Read`] if it cannot be read, [`HostError::NotReal`] on a fixture.
    pub fn data_on(&self, path: &Path) -> Result<Option<&'static str>, HostError> {
        self.must_be_real("reading a device's first bytes")?;
        let failed = |source| HostError::Read { path: path.to_owned(), source };
        let mut start = Vec::with_capacity(SIGNATURE_BYTES);
        let file = File::open(path).map_err(failed)?;
        file.take(SIGNATURE_BYTES as u64).read_to_end(&mut start).map_err(failed)?;
        Ok(identify(&start))
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
                // btrfs shows a number of its own and names only one of its devices.
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
