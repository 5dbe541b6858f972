//! The storage below a path: a device, memory, a server, another folder.

use crate::BlockDevice;
use fathom_text::{Text, text};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is under a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Storage {
    /// A block device, by itself or under a file system.
    Block {
        /// The device.
        device: Box<BlockDevice>,
    },
    /// Several devices under one file system (btrfs, ZFS, bcachefs).
    Pool {
        /// The file system.
        fstype: String,
        /// The pool's name: what is mounted.
        name: String,
        /// Its devices, where the kernel lists them.
        devices: Vec<BlockDevice>,
    },
    /// Memory: what is measured is not storage.
    Memory {
        /// The file system.
        fstype: String,
    },
    /// Another machine.
    Network {
        /// The file system, such as `nfs` or `cifs`.
        fstype: String,
        /// The server's name or address.
        server: String,
        /// What it exports.
        export: String,
        /// The protocol's version, where the mount says it.
        version: Option<String>,
        /// The mount's options.
        options: Vec<String>,
    },
    /// A folder laid over others.
    Overlay {
        /// The folder that takes the writes; none if it is read-only.
        upper: Option<PathBuf>,
        /// The folders beneath, uppermost first.
        lower: Vec<PathBuf>,
        /// What the upper folder stands on; none if it cannot be seen from here, as in a
        /// container.
        beneath: Option<Box<Storage>>,
    },
    /// Made up by the kernel or by a program (procfs, FUSE): no device is known.
    Virtual {
        /// The file system.
        fstype: String,
    },
}

impl Storage {
    /// The one device under the path, through overlays; `None` if there is none or several.
    pub fn device(&self) -> Option<&BlockDevice> {
        match self {
            Storage::Block { device } => Some(device),
            Storage::Pool { devices, .. } if devices.len() == 1 => devices.first(),
            Storage::Overlay { beneath: Some(beneath), .. } => beneath.device(),
            _ => None,
        }
    }

    /// Every device whose counters see the I/O on this path.
    pub fn devices(&self) -> Vec<&BlockDevice> {
        match self {
            Storage::Pool { devices, .. } => devices.iter().collect(),
            Storage::Overlay { beneath: Some(beneath), .. } => beneath.devices(),
            other => other.device().into_iter().collect(),
        }
    }

    /// In one sentence, why [`Storage::device`] has none to give; `None` when it has.
    pub fn no_device_because(&self) -> Option<Text> {
        if self.device().is_some() {
            return None;
        }
        Some(match self {
            Storage::Block { .. } => return None,
            Storage::Pool { fstype, name, devices } if devices.is_empty() => {
                text!("{fstype} pool {name} does not say which devices it has")
            }
            Storage::Pool { fstype, name, devices } => {
                text!("{fstype} {name} spreads over {} devices", devices.len())
            }
            Storage::Memory { fstype } => text!("{fstype} is memory, not a device"),
            Storage::Network { fstype, server, .. } => {
                text!("{fstype}: the device is at the server {server}")
            }
            Storage::Overlay { upper: None, .. } => "an overlay that takes no writes".into(),
            Storage::Overlay { beneath: None, .. } => {
                "the overlay's upper folder cannot be seen from here".into()
            }
            Storage::Overlay { beneath: Some(beneath), .. } => {
                return beneath.no_device_because().map(|why| text!("overlay on: {why}"));
            }
            Storage::Virtual { fstype } => text!("{fstype} has no device of its own"),
        })
    }
}
