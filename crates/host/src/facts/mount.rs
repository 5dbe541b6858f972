//! A mount: a file system and where it appears.

use crate::source::lossy;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::PathBuf;

/// One line of `/proc/self/mountinfo`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount {
    /// Where it is mounted.
    #[serde(serialize_with = "lossy")]
    pub mount_point: PathBuf,
    /// The folder of the file system that appears there: `/` unless it is a bind mount or a
    /// subvolume.
    #[serde(serialize_with = "lossy")]
    pub root: PathBuf,
    /// What is mounted: a device node, `server:/export`, or a word of the file system's own.
    pub source: String,
    /// The file system's name as the kernel gives it; `block` where the path is a device itself.
    pub fstype: String,
    /// Options of this mount and then of the file system, each once, in the kernel's order.
    pub options: Vec<String>,
    /// Major number of the device; 0 where the file system has no device of its own.
    pub major: u32,
    /// Minor number of the device.
    pub minor: u32,
}

impl Mount {
    /// Where it is mounted; the source, if it is reached without a mount.
    pub fn place(&self) -> Cow<'_, str> {
        match self.is_mounted() {
            true => self.mount_point.to_string_lossy(),
            false => Cow::Borrowed(&self.source),
        }
    }

    /// Whether it is mounted on this host, as an export that Fathom reaches itself is not.
    pub fn is_mounted(&self) -> bool {
        !self.mount_point.as_os_str().is_empty()
    }

    /// The value of option `name`: `Some("")` for one without a value.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find_map(|option| match option.split_once('=') {
            Some((key, value)) => (key == name).then_some(value),
            None => (option == name).then_some(""),
        })
    }

    /// Whether writing is refused by the mount or the file system.
    pub fn is_read_only(&self) -> bool {
        self.options.iter().any(|option| option == "ro")
    }
}
