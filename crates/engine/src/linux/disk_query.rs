//! Disks on Linux are read from sysfs, by the crate `host`.

use crate::disk_query::{DiskPerformance, DiskReply};
use std::io::{self, ErrorKind};
use std::path::Path;

fn in_sysfs() -> io::Error {
    io::Error::new(ErrorKind::Unsupported, "a disk of Linux says this in sysfs")
}

/// Not supported here.
///
/// # Errors
/// Always.
pub fn disk_reply(_device: &Path) -> io::Result<DiskReply> {
    Err(in_sysfs())
}

/// Not supported here.
///
/// # Errors
/// Always.
pub fn disk_performance(_device: &Path) -> io::Result<DiskPerformance> {
    Err(in_sysfs())
}
