//! From a typed name to counters: path, mount, device.
//!
//! A partition is shown with its disk, because limits and queues are the disk's and other
//! partitions share them. Two paths on one device are one line. A path without counters is an error
//! that says where they are, not a line of zeros.

use super::error::WatchError;
use super::limit::{CgroupLimit, limits_on};
use fathom_host::{BlockDevice, EntryKind, Host, IoThrottle, Storage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The partitions of a watched disk that get a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Partitions {
    /// Only those that were requested, or that contain a requested path.
    Asked,
    /// All of them.
    All,
}

/// The request to watch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchRequest {
    /// The paths.
    pub paths: Vec<PathBuf>,
    /// The partitions to show.
    pub partitions: Partitions,
}

/// The subject of a line of figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WatchSubject {
    /// A block device.
    Device {
        /// The device.
        device: Box<BlockDevice>,
        /// Its limits by control groups, as far as visible.
        limits: Vec<CgroupLimit>,
    },
    /// An NFS mount.
    Nfs {
        /// Its mount point; a document has it as the name, where it need not be UTF-8.
        #[serde(skip)]
        mount_point: PathBuf,
        /// `server:/export`.
        source: String,
        /// How many connections it has.
        connections: usize,
        /// The effective mount options.
        options: Vec<String>,
    },
    /// A file system in memory.
    Memory {
        /// Its mount point; a document has it as the name, where it need not be UTF-8.
        #[serde(skip)]
        mount_point: PathBuf,
        /// Its name, such as `tmpfs`.
        fstype: String,
    },
}

/// A subject, and why it is watched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// The kernel's name of a device, the mount point of the others.
    pub name: String,
    /// The names that led here, as typed.
    pub asked: Vec<String>,
    /// The subject.
    #[serde(flatten)]
    pub subject: WatchSubject,
    /// Remarks on its figures, a sentence each.
    pub notes: Vec<String>,
}

/// Finds the storage below each of `paths`, each subject once, in the given order.
///
/// A path may also be a device's name without a folder, as `iostat` has it.
///
/// # Errors
/// [`WatchError`] for the first path that leads to no counters.
pub fn resolve(
    host: &Host,
    paths: &[PathBuf],
    partitions: Partitions,
) -> Result<Vec<Watched>, WatchError> {
    let mut found: Vec<Watched> = Vec::new();
    let limits = (host.cgroup_throttles(), host.visible_throttles());
    for path in paths {
        let asked = path.display().to_string();
        for subject in subjects_of(host, path, &asked, partitions, &limits)? {
            add(&mut found, host, &asked, subject);
        }
    }
    Ok(found)
}

/// Adds a subject, or another name for it.
fn add(found: &mut Vec<Watched>, host: &Host, asked: &str, subject: WatchSubject) {
    let name = name_of(&subject);
    if let Some(known) = found.iter_mut().find(|watched| watched.name == name) {
        if !known.asked.iter().any(|known| known == asked) {
            known.asked.push(asked.to_owned());
        }
        return;
    }
    let notes = notes_on(host, &subject);
    found.push(Watched { name, asked: vec![asked.to_owned()], subject, notes });
}

fn name_of(subject: &WatchSubject) -> String {
    match subject {
        WatchSubject::Device { device, .. } => device.name.clone(),
        WatchSubject::Nfs { mount_point, .. } | WatchSubject::Memory { mount_point, .. } => {
            mount_point.display().to_string()
        }
    }
}

fn notes_on(host: &Host, subject: &WatchSubject) -> Vec<String> {
    match subject {
        WatchSubject::Device { device, .. } => {
            // Some drivers count although the setting is off, so this is no error.
            let off = host.queue_tuning(device).counted == Some(false);
            let disk = &device.disk;
            let text = format!(
                "the kernel is told not to count its I/O, so zeros may mean nothing; as root, \
                 `echo 1 > /sys/block/{disk}/queue/iostats` turns counting on"
            );
            off.then_some(text).into_iter().collect()
        }
        WatchSubject::Memory { fstype, .. } => vec![format!(
            "{fstype} is memory: there is no device and nobody counts its I/O; shown is how full \
             it is"
        )],
        WatchSubject::Nfs { .. } => Vec::new(),
    }
}

fn subjects_of(
    host: &Host,
    path: &Path,
    asked: &str,
    partitions: Partitions,
    limits: &(Vec<IoThrottle>, Vec<IoThrottle>),
) -> Result<Vec<WatchSubject>, WatchError> {
    let device = |device: &BlockDevice| devices_with(host, device, partitions, limits);
    if let Some(named) = named_device(host, path) {
        return Ok(device(&named));
    }
    must_be_storage(host, path, asked)?;
    let mount = host.mount_of(path)?;
    let storage = host.storage_of(path)?;
    match beneath(&storage) {
        Storage::Memory { fstype } => Ok(vec![WatchSubject::Memory {
            mount_point: mount.mount_point,
            fstype: fstype.clone(),
        }]),
        Storage::Network { fstype, .. } if matches!(fstype.as_str(), "nfs" | "nfs4") => {
            nfs(host, &mount.mount_point, asked).map(|subject| vec![subject])
        }
        other => {
            let found = other.devices();
            match found.is_empty() {
                true => Err(no_counters(&storage, asked)),
                false => Ok(found.into_iter().flat_map(device).collect()),
            }
        }
    }
}

/// A device given by the kernel's name alone; a file with that name has priority.
fn named_device(host: &Host, path: &Path) -> Option<BlockDevice> {
    let name = path.to_str().filter(|name| !name.contains('/'))?;
    if host.is_real() && path.exists() {
        return None;
    }
    host.device_named(name).ok()
}

/// The storage below an overlay, or the storage itself.
fn beneath(storage: &Storage) -> &Storage {
    match storage {
        Storage::Overlay { beneath: Some(inner), .. } => beneath(inner),
        other => other,
    }
}

/// A misspelt path must not be replaced by the mount that contains it.
fn must_be_storage(host: &Host, path: &Path, asked: &str) -> Result<(), WatchError> {
    if !host.is_real() {
        return Ok(());
    }
    let asked = asked.to_owned();
    let kind = match fs::metadata(path) {
        Ok(about) => EntryKind::of(&about),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(WatchError::NotThere { asked });
        }
        Err(source) => return Err(WatchError::Unreachable { asked, source }),
    };
    match matches!(kind, EntryKind::Folder | EntryKind::File | EntryKind::BlockDevice) {
        true => Ok(()),
        false => Err(WatchError::NotStorage { asked }),
    }
}

/// The device, a partition's disk, and the other partitions if all are wanted.
fn devices_with(
    host: &Host,
    device: &BlockDevice,
    partitions: Partitions,
    (own, visible): &(Vec<IoThrottle>, Vec<IoThrottle>),
) -> Vec<WatchSubject> {
    let named = |name: &String| host.device_named(name).ok();
    let disk = named(&device.disk).unwrap_or_else(|| device.clone());
    let number = (disk.major, disk.minor);
    let mut all = vec![device.clone()];
    if partitions == Partitions::All {
        all.extend(disk.partitions.iter().filter_map(named));
    }
    // A partition is followed by its disk, a disk by its partitions.
    all.insert(1, disk);
    let mut seen = BTreeSet::new();
    all.retain(|device| seen.insert(device.name.clone()));
    let subject = |device: BlockDevice| WatchSubject::Device {
        limits: limits_on(&device, number, own, visible),
        device: Box::new(device),
    };
    all.into_iter().map(subject).collect()
}

fn nfs(host: &Host, mount_point: &Path, asked: &str) -> Result<WatchSubject, WatchError> {
    let Some(stats) = host.nfs_stats(mount_point)? else {
        return Err(WatchError::NoCounters {
            asked: asked.to_owned(),
            why: "its NFS mount is not listed in /proc/self/mountstats".into(),
            advice: "give the mount point as it is in this mount namespace",
        });
    };
    Ok(WatchSubject::Nfs {
        mount_point: mount_point.to_owned(),
        source: stats.source,
        connections: stats.transports.len(),
        options: stats.options,
    })
}

fn no_counters(storage: &Storage, asked: &str) -> WatchError {
    let advice = match beneath(storage) {
        Storage::Network { .. } => "watch the device on the server",
        Storage::Pool { .. } => "name the pool's devices instead",
        Storage::Overlay { .. } => {
            "outside the container, or as a device, it can be watched: `lsblk` lists the devices"
        }
        _ => "name the device under it, if there is one: `lsblk` lists the devices",
    };
    let why = storage.no_device_because().unwrap_or_else(|| "no device is known".into());
    WatchError::NoCounters { asked: asked.to_owned(), why, advice }
}
