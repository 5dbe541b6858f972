//! An open folder, and its entries by name: renaming the folder, mounting over it or changing a
//! link has no effect on the holder. Also the kernel's facts about a file.

use crate::file_facts::{FileFacts, FileNumber, FileSort};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// An open folder.
#[derive(Debug)]
pub struct Folder {
    handle: OwnedFd,
}

impl Folder {
    /// Opens the folder at `path`; an empty path is the current one.
    ///
    /// # Errors
    /// The system's error.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Folder { handle: rustix::fs::open(path, flags, Mode::empty())? })
    }

    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    /// Creates a new file for reading and writing, for its owner only.
    ///
    /// # Errors
    /// The system's error; `AlreadyExists` if the name exists, also as a link.
    pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let owner_only = Mode::RUSR | Mode::WUSR;
        Ok(File::from(rustix::fs::openat(&self.handle, name, flags, owner_only)?))
    }

    /// The entry `name`, a link as itself; none if it does not exist.
    ///
    /// # Errors
    /// The system's error.
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
    /// The system's error.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())?)
    }
}

/// Opens the entry at `path`, without permission to read it and without touching it.
///
/// # Errors
/// The system's error.
pub fn hold(path: &Path) -> io::Result<File> {
    Ok(File::from(rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?))
}

/// The facts about an open file.
///
/// # Errors
/// If the system does not report them.
pub fn facts_of(file: &File) -> io::Result<FileFacts> {
    Ok(facts(&rustix::fs::fstat(file)?))
}

/// The facts about the file that `path` leads to.
///
/// # Errors
/// The system's error; `NotFound` if it does not exist.
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
        // st_blocks counts units of 512 bytes, for any block size of the file system (stat(2)).
        used_bytes: found.st_blocks.unsigned_abs().saturating_mul(512),
        // Of 32 bits on arm64.
        #[allow(clippy::useless_conversion)]
        links: found.st_nlink.into(),
    }
}
