//! The size of a file system and its free space.

use serde::{Deserialize, Serialize};

/// What `statfs` says of the file system under a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    /// Size of the file system.
    pub total_bytes: u64,
    /// Free, including what is kept for root.
    pub free_bytes: u64,
    /// Free for a user without privileges: what a test may count on.
    pub available_bytes: u64,
    /// The file system's name by its magic number; `0x…` if it is not one that we know.
    pub fstype: String,
}
