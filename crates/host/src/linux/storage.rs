//! The storage below a path: a device, memory, a server, another folder.
//!
//! Overlays are followed to the upper folder, loop devices to their backing file, both with a
//! maximum depth, because a machine can be set up in a circle.

use crate::{BlockDevice, Host, HostError, Mount, Storage};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// No sane machine stacks more than this; a circle ends here.
const DEPTH_LIMIT: usize = 16;

impl Host {
    /// The storage below `path` (a file, a folder, a device, or a path to be created).
    ///
    /// # Errors
    /// As [`Host::mount_of`].
    pub fn storage_of(&self, path: &Path) -> Result<Storage, HostError> {
        Ok(self.storage_under(&self.mount_of(path)?, 0))
    }

    /// The one device under `path`; `None` if [`Storage::no_device_because`] gives a reason.
    ///
    /// # Errors
    /// As [`Host::mount_of`].
    pub fn device_of(&self, path: &Path) -> Result<Option<BlockDevice>, HostError> {
        Ok(self.storage_of(path)?.device().cloned())
    }

    /// `device` and all devices below it, from the top down, each once: the parts of a device
    /// mapper or md device, and the device under a loop device's file.
    pub fn stack_of(&self, device: &BlockDevice) -> Vec<BlockDevice> {
        let mut stack = Vec::new();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![device.clone()];
        while let Some(next) = waiting.pop() {
            if stack.len() >= DEPTH_LIMIT * DEPTH_LIMIT || !seen.insert(next.name.clone()) {
                continue;
            }
            let mut below = self.directly_under(&next);
            below.reverse();
            waiting.append(&mut below);
            stack.push(next);
        }
        stack
    }

    /// The devices one level below `device`.
    fn directly_under(&self, device: &BlockDevice) -> Vec<BlockDevice> {
        // A partition has no slaves itself: its disk has (md and loop can be partitioned).
        if device.partition.is_some() && device.slaves.is_empty() {
            let disk = self.device_named(&device.disk);
            return disk.map(|disk| self.directly_under(&disk)).unwrap_or_default();
        }
        let slaves = device.slaves.iter().filter_map(|name| self.device_named(name).ok());
        let mut below: Vec<BlockDevice> = slaves.collect();
        if let Some(file) = &device.backing_file
            && let Ok(storage) = self.storage_of(file)
        {
            below.extend(storage.devices().into_iter().cloned());
        }
        below
    }

    fn storage_under(&self, mount: &Mount, depth: usize) -> Storage {
        let fstype = mount.fstype.clone();
        match fstype.as_str() {
            "tmpfs" | "ramfs" | "devtmpfs" | "hugetlbfs" | "rootfs" => Storage::Memory { fstype },
            "overlay" => self.overlay(mount, depth),
            "btrfs" | "bcachefs" | "zfs" => self.pool(mount),
            _ if is_network(&fstype) => network(mount),
            _ => match self.device_under(mount) {
                Some(device) => Storage::Block { device: Box::new(device) },
                None => Storage::Virtual { fstype },
            },
        }
    }

    /// The device that a mount names by number, or by its source if the number is artificial.
    fn device_under(&self, mount: &Mount) -> Option<BlockDevice> {
        let by_number = (mount.major != 0).then(|| self.device_numbered(mount.major, mount.minor));
        by_number.and_then(Result::ok).or_else(|| self.device_at(Path::new(&mount.source)).ok())
    }

    fn overlay(&self, mount: &Mount, depth: usize) -> Storage {
        let upper = mount.option("upperdir").map(unescape_path);
        let lower = mount.option("lowerdir").unwrap_or_default();
        let beneath = upper.as_ref().and_then(|upper| {
            // In a container the folder's name belongs to the machine outside, where we are not.
            if depth >= DEPTH_LIMIT || (self.is_real() && !upper.exists()) {
                return None;
            }
            let under = self.mount_of(upper).ok()?;
            (under != *mount).then(|| Box::new(self.storage_under(&under, depth + 1)))
        });
        Storage::Overlay { upper, lower: split_colons(lower), beneath }
    }

    fn pool(&self, mount: &Mount) -> Storage {
        let first = self.device_under(mount);
        let mut devices: Vec<BlockDevice> = match &first {
            Some(device) if mount.fstype == "btrfs" => {
                let names = self.btrfs_members(&device.name);
                names.iter().filter_map(|name| self.device_named(name).ok()).collect()
            }
            _ => Vec::new(),
        };
        if devices.is_empty() {
            devices.extend(first);
        }
        if devices.len() == 1 {
            return Storage::Block { device: Box::new(devices.swap_remove(0)) };
        }
        Storage::Pool { fstype: mount.fstype.clone(), name: mount.source.clone(), devices }
    }

    /// All devices of the btrfs that `device` is part of.
    pub(crate) fn btrfs_members(&self, device: &str) -> Vec<String> {
        let folders = self.names("/sys/fs/btrfs").into_iter();
        let members = folders.map(|id| self.names(format!("/sys/fs/btrfs/{id}/devices")));
        members
            .into_iter()
            .find(|names| names.iter().any(|name| name == device))
            .unwrap_or_default()
    }
}

/// File systems with data on another machine.
fn is_network(fstype: &str) -> bool {
    matches!(
        fstype,
        "nfs"
            | "nfs4"
            | "cifs"
            | "smb3"
            | "smbfs"
            | "ceph"
            | "lustre"
            | "beegfs"
            | "gpfs"
            | "afs"
            | "9p"
            | "virtiofs"
            | "fuse.glusterfs"
            | "fuse.sshfs"
            | "fuse.s3fs"
            | "fuse.ceph"
            | "fuse.ceph-fuse"
            | "fuse.rclone"
            | "fuse.gcsfuse"
            | "fuse.juicefs"
            | "orangefs"
    )
}

fn network(mount: &Mount) -> Storage {
    let (server, export) = split_source(&mount.source);
    Storage::Network {
        fstype: mount.fstype.clone(),
        server,
        export,
        version: mount.option("vers").or_else(|| mount.option("version")).map(str::to_owned),
        options: mount.options.clone(),
    }
}

/// `server:/export`, `[v6]:/export` or `//server/share`; a source of another shape (9p's tag) is
/// all export.
fn split_source(source: &str) -> (String, String) {
    if let Some(rest) = source.strip_prefix("//") {
        let (server, share) = rest.split_once('/').unwrap_or((rest, ""));
        return (server.to_owned(), share.to_owned());
    }
    match source.split_once(":/") {
        Some((server, path)) => (server.trim_matches(['[', ']']).to_owned(), format!("/{path}")),
        None => (String::new(), source.to_owned()),
    }
}

/// Overlayfs puts a backslash before commas and colons inside a folder's name.
fn unescape_path(text: &str) -> PathBuf {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    PathBuf::from(plain)
}

fn split_colons(list: &str) -> Vec<PathBuf> {
    let mut parts = vec![String::new()];
    let mut escaped = false;
    for letter in list.chars() {
        match letter {
            ':' if !escaped => parts.push(String::new()),
            _ => parts.last_mut().expect("starts with one and only grows").push(letter),
        }
        escaped = letter == '\\' && !escaped;
    }
    parts.iter().filter(|part| !part.is_empty()).map(|part| unescape_path(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_split_into_server_and_export() {
        let of = |text| split_source(text);
        assert_eq!(of("nas:/vol/a"), ("nas".into(), "/vol/a".into()));
        assert_eq!(of("[fe80::1]:/vol"), ("fe80::1".into(), "/vol".into()));
        assert_eq!(of("//files/share/x"), ("files".into(), "share/x".into()));
        assert_eq!(of("hostshare"), ("".into(), "hostshare".into()));
    }

    #[test]
    fn overlay_folders_keep_their_colons_and_commas() {
        let lower = split_colons(r"/a:/b\:c:/d\,e");
        assert_eq!(lower, [Path::new("/a"), Path::new("/b:c"), Path::new("/d,e")]);
    }
}
