//! Files without a name (`O_TMPFILE`), which get one through their descriptors.

use rustix::fs::{AtFlags, CWD, OFlags, linkat};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The kernel's list of this process's open files.
const OWN_DESCRIPTORS: &str = "/proc/self/fd";

pub(crate) fn unnamed_file(folder: &Path, mode: u32) -> Option<File> {
    if !Path::new(OWN_DESCRIPTORS).is_dir() {
        return None;
    }
    let unnamed = OFlags::TMPFILE.bits() as i32;
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(mode).custom_flags(unnamed).open(folder).ok()
}

pub(crate) fn name_file(file: &File, path: &Path) -> io::Result<()> {
    let unnamed = format!("{OWN_DESCRIPTORS}/{}", file.as_raw_fd());
    Ok(linkat(CWD, &unnamed, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}
