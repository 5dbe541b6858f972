//! The counters of the kernel's NFS client during a measurement.

use fathom_host::NfsStats;
use serde::{Deserialize, Serialize};

/// The NFS mount that a machine measured on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MountRecord {
    /// The machine, by the name it was given; none for the one that wrote the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The mount, and what each kind of call and each connection did meanwhile.
    #[serde(flatten)]
    pub counted: NfsStats,
}
