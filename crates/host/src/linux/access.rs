//! Owners, modes and blocks of files.

use crate::EntryKind;
use std::fs::{self, DirBuilder, File, FileType, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{
    DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown,
};
use std::path::Path;

pub(crate) fn special_kind(kind: FileType) -> EntryKind {
    match () {
        () if kind.is_block_device() => EntryKind::BlockDevice,
        () if kind.is_char_device() => EntryKind::CharacterDevice,
        () if kind.is_fifo() => EntryKind::Pipe,
        () if kind.is_socket() => EntryKind::Socket,
        () => EntryKind::Other,
    }
}

pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

pub(crate) fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

pub(crate) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
}

pub(crate) fn permissions(mode: u32) -> Option<Permissions> {
    Some(Permissions::from_mode(mode))
}

pub(crate) fn mode_of(about: &Metadata) -> Option<u32> {
    Some(about.mode() & 0o7777)
}

pub(crate) fn is_ours_alone(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| {
        about.uid() == rustix::process::geteuid().as_raw() && about.mode() & 0o022 == 0
    })
}

pub(crate) fn may_write(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(path, rustix::fs::Access::WRITE_OK)?)
}

/// `st_blocks` counts units of 512 bytes, for any block size of the file system (stat(2)).
pub(crate) fn allocated_bytes(about: &Metadata) -> u64 {
    about.blocks().saturating_mul(512)
}

pub(crate) fn link_count(about: &Metadata) -> u64 {
    about.nlink()
}

pub(crate) fn take_after(file: &File, old: &Metadata) -> io::Result<()> {
    let made = file.metadata()?;
    if (made.uid(), made.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))?;
    }
    // After the owner: a change of owner takes bits of the mode away.
    file.set_permissions(Permissions::from_mode(old.mode() & 0o7777))
}
