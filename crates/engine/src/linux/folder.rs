//! A folder that is held open, and what is in it by name: renaming the folder, mounting over it or
//! turning a link elsewhere changes nothing for who holds it. Also what the kernel says of a file.

use crate::file_facts::{FileFacts, FileNumber, FileSort};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// A folder that is held open.
#[derive(Debug)]
pub struct Folder {
    handle: OwnedFd,
}

impl Folder {
    /// Holds the folder at `path`; an empty path is the current one.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Folder { handle: rustix::fs::open(path, flags, Mode::empty())? })
    }

    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    /// Makes a file for reading and writing where nothing is yet, for its owner alone.
    ///
    /// # Errors
    /// What the system says; `AlreadyExists` where something is there, a link included.
    pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let owner_only = Mode::RUSR | Mode::WUSR;
        Ok(File::from(rustix::fs::openat(&self.handle, name, flags, owner_only)?))
    }

    /// What is there by `name`, a link as itself; none where nothing is.
    ///
    /// # Errors
    /// What the system says.
    pub fn look(&self, name: &OsStr) -> io::Result<Option<FileFacts>> {
        match rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => Ok(Some(facts(&found))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Removes the file of that name.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())?)
    }
}

/// Holds what is at `path`, without any right to read it and without touching it.
///
/// # Errors
/// What the system says.
pub fn hold(path: &Path) -> io::Result<File> {
    Ok(File::from(rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?))
}

/// What is known of an open file.
///
/// # Errors
/// Where the system does not say.
pub fn facts_of(file: &File) -> io::Result<FileFacts> {
    Ok(facts(&rustix::fs::fstat(file)?))
}

/// What is known of what `path` leads to.
///
/// # Errors
/// What the system says; `NotFound` where nothing is there.
pub fn facts_at(path: &Path) -> io::Result<FileFacts> {
    Ok(facts(&rustix::fs::statat(CWD, path, AtFlags::empty())?))
}

fn facts(found: &Stat) -> FileFacts {
    let sort = match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile => FileSort::Regular,
        FileType::Directory => FileSort::Folder,
        FileType::Symlink => FileSort::Link,
        FileType::BlockDevice => FileSort::Block,
        FileType::Fifo => FileSort::Pipe,
        FileType::Socket => FileSort::Socket,
        _ => FileSort::Other,
    };
    let number = match sort {
        FileSort::Block => {
            let (major, minor) =
                (rustix::fs::major(found.st_rdev), rustix::fs::minor(found.st_rdev));
            FileNumber::Device { major, minor }
        }
        _ => FileNumber::File { device: found.st_dev, inode: found.st_ino },
    };
    FileFacts {
        sort,
        number,
        len_bytes: found.st_size.unsigned_abs(),
        // st_blocks counts 512 bytes each, whatever the file system's block is (stat(2)).
        used_bytes: found.st_blocks.unsigned_abs().saturating_mul(512),
        links: found.st_nlink,
    }
}
