//! The users of a device: the evidence for refusing a destructive write.

use crate::source::lossy;
use fathom_text::{Text, text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

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
        let text = match self {
            InUse::Mounted { at } => text!("mounted at {}", at.display()),
            InUse::PartitionMounted { partition, at } => {
                text!("its partition {partition} is mounted at {}", at.display())
            }
            InUse::Partitioned { partitions } => {
                text!("it has partitions: {}", partitions.join(", "))
            }
            InUse::HeldBy { holder } => text!("{holder} stands on it"),
            InUse::Swap { device } => text!("{device} is used as swap"),
            InUse::Loop { device, uses } => {
                text!("{device} is set up over it{}", in_brackets(uses))
            }
            InUse::Disk { disk, uses } => text!("its disk {disk} is in use{}", in_brackets(uses)),
            InUse::Claimed => text!("the kernel keeps it for something else (EBUSY)"),
        };
        text.fmt(to)
    }
}

fn in_brackets(uses: &[InUse]) -> Text {
    if uses.is_empty() { Text::default() } else { text!(" ({})", Text::joined(uses, "; ")) }
}

impl InUse {
    /// Whether a file system on it is mounted, directly or indirectly.
    pub fn is_mount(&self) -> bool {
        match self {
            InUse::Mounted { .. } | InUse::PartitionMounted { .. } => true,
            InUse::Loop { uses, .. } | InUse::Disk { uses, .. } => uses.iter().any(InUse::is_mount),
            _ => false,
        }
    }
}
