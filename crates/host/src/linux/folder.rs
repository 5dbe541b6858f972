//! Folders by their descriptors.

use crate::file_id::split_number;
use crate::{EntryKind, FileId, FolderEntry};
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

#[derive(Debug)]
pub(crate) struct OpenFolder(OwnedFd);

impl OpenFolder {
    pub(crate) fn open(path: &Path) -> io::Result<OpenFolder> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(OpenFolder(rustix::fs::open(path, flags, Mode::empty())?))
    }

    pub(crate) fn look(&self, name: &OsStr) -> io::Result<FolderEntry> {
        let found = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let (major, minor) = split_number(found.st_rdev);
        let (kind, id) = match FileType::from_raw_mode(found.st_mode) {
            FileType::BlockDevice => (EntryKind::BlockDevice, FileId::Device { major, minor }),
            kind => (kind_of(kind), FileId::File { device: found.st_dev, inode: found.st_ino }),
        };
        let allocated_bytes = u64::try_from(found.st_blocks).unwrap_or(0).saturating_mul(512);
        Ok(FolderEntry { kind, id, allocated_bytes, modified_s: found.st_mtime })
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }
}

fn kind_of(kind: FileType) -> EntryKind {
    match kind {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Folder,
        FileType::CharacterDevice => EntryKind::CharacterDevice,
        FileType::Fifo => EntryKind::Pipe,
        FileType::Socket => EntryKind::Socket,
        _ => EntryKind::Other,
    }
}

pub(crate) fn sync(path: &Path) -> io::Result<()> {
    match File::open(path) {
        Ok(folder) => folder.sync_all(),
        Err(_) => Ok(()),
    }
}
