//! The users of a disk: mounted volumes on it.
//!
//! Windows itself refuses writes to sectors of a mounted volume, unless that volume is locked
//! first, which is not done here.

use crate::{FileId, Host, HostError, InUse, Mount};
use std::path::Path;

/// Users of files as devices: on Windows none can be queried.
#[derive(Clone, Debug, Default)]
pub struct HostBacking;

impl Host {
    /// Loop devices and swap files are Linux's.
    pub fn backing(&self) -> HostBacking {
        HostBacking
    }

    /// The volumes on the disk; empty if there are none with a drive letter.
    ///
    /// # Errors
    /// [`HostError::NoDevice`] if the disk cannot be queried: unknown is not "not in use".
    pub fn in_use(&self, device: &Path) -> Result<Vec<InUse>, HostError> {
        let device = self.device_at(device)?;
        let on_it = |mount: &Mount| {
            let under = self.device_under(&mount.mount_point);
            (under.disk == device.disk).then(|| InUse::Mounted { at: mount.mount_point.clone() })
        };
        Ok(self.mounts()?.iter().filter_map(on_it).collect())
    }

    /// As [`Host::in_use`].
    ///
    /// # Errors
    /// As of [`Host::in_use`].
    pub fn in_use_beside_claim(&self, device: &Path) -> Result<Vec<InUse>, HostError> {
        self.in_use(device)
    }

    /// Files are not used as devices here.
    ///
    /// # Errors
    /// None.
    pub fn file_in_use(
        &self,
        _file: FileId,
        _backing: &HostBacking,
    ) -> Result<Vec<InUse>, HostError> {
        Ok(Vec::new())
    }
}
