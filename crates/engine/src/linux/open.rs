//! Opening a job's targets, with errors that give advice.
//!
//! Only EINVAL for O_DIRECT needs an explanation: the file system does not support it; the message
//! names the file system.

use crate::linux::folder::Folder;
use crate::open_how::{OpenError, OpenHow};
use fathom_vocab::SyncMode;
use rustix::fs::{CWD, Mode, OFlags};
use std::fs::File;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;

/// Opens `path` according to `how`.
///
/// # Errors
/// The path, the kernel's error, and advice if there is any.
pub fn open(path: &Path, how: &OpenHow) -> Result<File, OpenError> {
    open_at(CWD, path, path, how)
}

/// Opens `name` in an open `folder` according to `how`; errors name the file as `path`.
///
/// # Errors
/// As of [`open`].
pub fn open_in(
    folder: &Folder,
    name: &Path,
    path: &Path,
    how: &OpenHow,
) -> Result<File, OpenError> {
    open_at(folder.handle(), name, path, how)
}

fn open_at(
    folder: BorrowedFd<'_>,
    name: &Path,
    path: &Path,
    how: &OpenHow,
) -> Result<File, OpenError> {
    // The umask decides the permissions of other users.
    let mode = Mode::from_raw_mode(0o666);
    let opened = loop {
        match rustix::fs::openat(folder, name, flags(how), mode) {
            Err(rustix::io::Errno::INTR) => {}
            other => break other,
        }
    };
    let blocking = |file: File| {
        if how.nonblock {
            let flags = rustix::fs::fcntl_getfl(&file)?;
            rustix::fs::fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
        }
        Ok(file)
    };
    opened.map(File::from).and_then(blocking).map_err(|errno| {
        let source = io::Error::from(errno);
        let advice = advice(path, how, &source);
        OpenError { path: path.into(), source, advice }
    })
}

fn flags(how: &OpenHow) -> OFlags {
    let access = match (how.read, how.write) {
        (true, true) => OFlags::RDWR,
        (false, true) => OFlags::WRONLY,
        (_, false) => OFlags::RDONLY,
    };
    let sync = match how.sync {
        SyncMode::None => OFlags::empty(),
        SyncMode::Sync => OFlags::SYNC,
        SyncMode::Dsync => OFlags::DSYNC,
    };
    let more = [
        (how.create, OFlags::CREATE),
        (how.direct, OFlags::DIRECT),
        (how.exclusive, OFlags::EXCL),
        (how.nofollow, OFlags::NOFOLLOW),
        (how.nonblock, OFlags::NONBLOCK),
    ];
    let more = more.into_iter().filter(|(wanted, _)| *wanted).map(|(_, flag)| flag);
    more.fold(OFlags::CLOEXEC | access | sync, |all, flag| all | flag)
}

fn advice(path: &Path, how: &OpenHow, error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EINVAL) if how.direct => {
            let name = filesystem(path).unwrap_or("this file system");
            format!("{name} does not take O_DIRECT; use direct=0, or another file system")
        }
        Some(libc::ENOENT) if how.create => "the folder is not there; make it first".into(),
        Some(libc::EMFILE) => {
            "too many open files; raise `ulimit -n`, or give a smaller openfiles=".into()
        }
        Some(libc::ENFILE) => "the system's file table is full; raise fs.file-max".into(),
        Some(libc::EISDIR) => "it is a folder; name a file, or give it as directory".into(),
        Some(libc::EBUSY) => "the device is in use, mounted or part of another volume".into(),
        Some(libc::ETXTBSY) => "it is a program that is running".into(),
        _ => String::new(),
    }
}

/// Name of the file system of `path`, or of its folder if it does not exist yet; `None` if it
/// cannot be queried or has an unknown number.
pub fn filesystem(path: &Path) -> Option<&'static str> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let stat = rustix::fs::statfs(path)
        .or_else(|_| rustix::fs::statfs(parent.unwrap_or(Path::new("."))))
        .ok()?;
    let magic = stat.f_type as u32;
    MAGIC.iter().find(|known| known.0 == magic).map(|known| known.1)
}

/// Numbers of file systems in `statfs(2)`.
const MAGIC: [(u32, &str); 24] = [
    (0xef53, "ext4"),
    (0x5846_5342, "xfs"),
    (0x9123_683e, "btrfs"),
    (0x0102_1994, "tmpfs"),
    (0x8584_58f6, "ramfs"),
    (0x6969, "NFS"),
    (0x794c_7630, "overlayfs"),
    (0x2fc1_2fc1, "ZFS"),
    (0x6573_5546, "FUSE"),
    (0xf2f5_2010, "f2fs"),
    (0x0102_1997, "9p"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
    (0x00c3_6400, "Ceph"),
    (0x4d44, "FAT"),
    (0x2011_bab0, "exFAT"),
    (0x7366_746e, "NTFS"),
    (0xca45_1a4e, "bcachefs"),
    (0x4244, "HFS"),
    (0x9660, "ISO 9660"),
    (0x7371_7368, "squashfs"),
    (0x0bd0_0bd0, "Lustre"),
    (0x4750_4653, "GPFS"),
    (0x9fa0, "procfs"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_path_and_a_way_out() {
        let how = OpenHow { read: true, write: true, create: true, ..OpenHow::default() };
        let error = open(Path::new("/nowhere/at/all"), &how).expect_err("no such folder");
        assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
        assert!(error.advice.contains("make it first"), "{error}");
        let error = open(Path::new("/"), &how).expect_err("a folder");
        assert!(error.advice.contains("folder"), "{error}");
    }

    #[test]
    fn direct_where_there_is_none_names_the_file_system() {
        let how = OpenHow { read: true, direct: true, ..OpenHow::default() };
        let error = open(Path::new("/proc/self/status"), &how).expect_err("no O_DIRECT in proc");
        assert!(error.to_string().contains("procfs does not take O_DIRECT"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_there_yet_is_on_its_folders_file_system() {
        assert_eq!(filesystem(Path::new("/proc/nothing.here")), Some("procfs"));
        assert!(filesystem(Path::new("nothing.here")).is_some());
    }
}
