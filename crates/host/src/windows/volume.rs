//! Volumes: their mount points, file systems, space and storage.

use crate::{BlockDevice, Host, HostError, Mount, Space, Storage};
use std::io;
use std::path::{Component, Path, PathBuf, Prefix};
use winsafe::co::{DRIVE, ERROR, FILE_VOL};

/// The error of a Windows call, as in `std`.
pub(crate) fn io_error(code: ERROR) -> io::Error {
    io::Error::from_raw_os_error(code.raw().cast_signed())
}

impl Host {
    /// The volumes with a drive letter that can be queried.
    ///
    /// # Errors
    /// [`HostError::Read`] if Windows does not list its drives.
    pub fn mounts(&self) -> Result<Vec<Mount>, HostError> {
        let failed = |code| HostError::Read {
            path: PathBuf::from("GetLogicalDriveStrings"),
            source: io_error(code),
        };
        let drives = winsafe::GetLogicalDriveStrings().map_err(failed)?;
        let drives = drives.into_iter().filter(|drive| !drive.is_empty());
        Ok(drives.filter_map(|drive| volume_at(&drive).ok()).collect())
    }

    /// The volume that contains `path`, or will once it is created.
    ///
    /// For a disk (`\\.\PhysicalDrive0`) the answer is the disk itself: `fstype` is `block`.
    ///
    /// # Errors
    /// [`HostError::Read`] if Windows does not report it, for example for a missing drive.
    pub fn mount_of(&self, path: &Path) -> Result<Mount, HostError> {
        if is_device(path) {
            return Ok(Mount {
                mount_point: path.to_owned(),
                root: PathBuf::from(r"\"),
                source: path.display().to_string(),
                fstype: "block".to_owned(),
                ..Mount::default()
            });
        }
        let failed = |source| HostError::Read { path: path.to_owned(), source };
        let absolute = std::path::absolute(path).map_err(failed)?;
        // A folder to be created has no volume yet: its parent has.
        let here = absolute.ancestors().find(|parent| parent.exists()).unwrap_or(&absolute);
        let root = winsafe::GetVolumePathName(&here.to_string_lossy());
        volume_at(&root.map_err(io_error).map_err(failed)?).map_err(failed)
    }

    /// Size and free space of the volume that `path`, or its nearest existing parent, is on.
    ///
    /// # Errors
    /// [`HostError::Read`] if Windows refuses.
    pub fn file_system(&self, path: &Path) -> Result<Space, HostError> {
        let failed = |source| HostError::Read { path: path.to_owned(), source };
        let absolute = std::path::absolute(path).map_err(failed)?;
        let here = absolute.ancestors().find(|parent| parent.is_dir()).unwrap_or(&absolute);
        let mut space = Space::default();
        // A quota applies to "available" and "total"; only the last number is the volume's own.
        winsafe::GetDiskFreeSpaceEx(
            Some(&here.to_string_lossy()),
            Some(&mut space.available_bytes),
            Some(&mut space.total_bytes),
            Some(&mut space.free_bytes),
        )
        .map_err(io_error)
        .map_err(failed)?;
        space.fstype = self.mount_of(here)?.fstype;
        Ok(space)
    }

    /// The storage below `path` (a file, a folder, a disk, or a path to be created).
    ///
    /// # Errors
    /// As [`Host::mount_of`].
    pub fn storage_of(&self, path: &Path) -> Result<Storage, HostError> {
        let mount = self.mount_of(path)?;
        if mount.fstype == "block" {
            return Ok(Storage::Block { device: Box::new(self.device_at(path)?) });
        }
        let root = mount.mount_point.display().to_string();
        Ok(match winsafe::GetDriveType(Some(&root)) {
            DRIVE::REMOTE => share(&mount),
            DRIVE::RAMDISK => Storage::Memory { fstype: mount.fstype },
            DRIVE::NO_ROOT_DIR => Storage::Virtual { fstype: mount.fstype },
            kind => {
                let mut device = self.device_under(&mount.mount_point);
                device.removable |= kind == DRIVE::REMOVABLE || kind == DRIVE::CDROM;
                device.read_only |= mount.is_read_only();
                Storage::Block { device: Box::new(device) }
            }
        })
    }

    /// The one device under `path`; `None` if [`Storage::no_device_because`] gives a reason.
    ///
    /// # Errors
    /// As [`Host::mount_of`].
    pub fn device_of(&self, path: &Path) -> Result<Option<BlockDevice>, HostError> {
        Ok(self.storage_of(path)?.device().cloned())
    }

    /// The device alone: storage below a disk is not visible on Windows.
    pub fn stack_of(&self, device: &BlockDevice) -> Vec<BlockDevice> {
        vec![device.clone()]
    }
}

/// Whether a path names a disk, and not a file or folder (`\\.\` and no folder after it).
pub(crate) fn is_device(path: &Path) -> bool {
    let Some(Component::Prefix(prefix)) = path.components().next() else { return false };
    matches!(prefix.kind(), Prefix::DeviceNS(_)) && path.components().nth(2).is_none()
}

/// The volume with this root: `Z:\` or `\\server\share\`.
fn volume_at(root: &str) -> io::Result<Mount> {
    let (mut flags, mut fstype) = (FILE_VOL::default(), String::new());
    winsafe::GetVolumeInformation(
        Some(root),
        None,
        None,
        None,
        Some(&mut flags),
        Some(&mut fstype),
    )
    .map_err(io_error)?;
    let access = if flags.has(FILE_VOL::READ_ONLY_VOLUME) { "ro" } else { "rw" };
    let mut options = vec![access.to_owned()];
    options.extend(flags.has(FILE_VOL::VOLUME_IS_COMPRESSED).then(|| "compressed".to_owned()));
    Ok(Mount {
        mount_point: PathBuf::from(root),
        root: PathBuf::from(r"\"),
        source: behind(root).unwrap_or_else(|| root.to_owned()),
        fstype,
        options,
        major: 0,
        minor: 0,
    })
}

/// The share behind a drive letter, as `\\server\share`; `None` if it is not a share.
fn behind(root: &str) -> Option<String> {
    if winsafe::GetDriveType(Some(root)) != DRIVE::REMOTE {
        return None;
    }
    let whole = Path::new(root).canonicalize().ok()?;
    let (server, share) = server_and_share(&whole).or_else(|| server_and_share(Path::new(root)))?;
    Some(format!(r"\\{server}\{share}"))
}

/// Server and share of a UNC path.
fn server_and_share(path: &Path) -> Option<(String, String)> {
    let Some(Component::Prefix(prefix)) = path.components().next() else { return None };
    match prefix.kind() {
        Prefix::UNC(server, share) | Prefix::VerbatimUNC(server, share) => {
            Some((server.to_string_lossy().into_owned(), share.to_string_lossy().into_owned()))
        }
        _ => None,
    }
}

/// A share: of NFS if its file system says so, otherwise of SMB, which shows the server's own file
/// system name.
fn share(mount: &Mount) -> Storage {
    let named = server_and_share(Path::new(&mount.source));
    let (server, export) = named.unwrap_or((String::new(), mount.source.clone()));
    let fstype = if mount.fstype.eq_ignore_ascii_case("nfs") { "nfs" } else { "smb" };
    let mut options = mount.options.clone();
    options.push(format!("fstype={}", mount.fstype));
    Storage::Network { fstype: fstype.to_owned(), server, export, version: None, options }
}
