//! Disks of Linux are asked in sysfs, by the room `host`.

use crate::disk_query::{DiskPerformance, DiskReply};
use std::io::{self, ErrorKind};
use std::path::Path;

fn in_sysfs() -> io::Error {
    io::Error::new(ErrorKind::Unsupported, "a disk of Linux says this in sysfs")
}

/// Not asked here.
///
/// # Errors
/// Always.
pub fn disk_reply(_device: &Path) -> io::Result<DiskReply> {
    Err(in_sysfs())
}

/// Not asked here.
///
/// # Errors
/// Always.
pub fn disk_performance(_device: &Path) -> io::Result<DiskPerformance> {
    Err(in_sysfs())
}
