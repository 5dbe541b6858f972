//! Windows has no file modes: access lists, which folders hand down, control access.

use crate::EntryKind;
use std::fs::{self, File, FileType, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;

pub(crate) fn special_kind(_kind: FileType) -> EntryKind {
    EntryKind::Other
}

/// A folder below the user's own inherits its private access list.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

pub(crate) fn with_mode(options: &mut OpenOptions, _mode: u32) -> &mut OpenOptions {
    options
}

pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

pub(crate) fn permissions(_mode: u32) -> Option<Permissions> {
    None
}

pub(crate) fn mode_of(_about: &Metadata) -> Option<u32> {
    None
}

pub(crate) fn is_ours_alone(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| !about.is_symlink())
}

pub(crate) fn may_write(_path: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn allocated_bytes(about: &Metadata) -> u64 {
    about.len()
}

pub(crate) fn link_count(_about: &Metadata) -> u64 {
    1
}

/// A new file has the rights that its folder hands down, as the old one had.
pub(crate) fn take_after(_file: &File, _old: &Metadata) -> io::Result<()> {
    Ok(())
}
