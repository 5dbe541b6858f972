//! Opening a job's targets, with errors that give advice.
//!
//! Files are shared with everybody, as on Linux: a benchmark that locked others out would measure
//! an unrealistic machine. A device is not claimed: Windows itself refuses writes to sectors of a
//! disk with a mounted volume, and `run` refuses a disk with volumes before.

use crate::file_facts::FileSort;
use crate::open_how::{OpenError, OpenHow};
use crate::windows::folder::{Folder, NameHow, facts_of};
use fathom_vocab::{ErrorNumber, NumberedError, SyncMode};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use windows_sys::Wdk::Storage::FileSystem::{
    FILE_CREATE, FILE_NO_INTERMEDIATE_BUFFERING, FILE_NON_DIRECTORY_FILE, FILE_OPEN, FILE_OPEN_IF,
    FILE_OPEN_REPARSE_POINT, FILE_SYNCHRONOUS_IO_NONALERT, FILE_WRITE_THROUGH,
};
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_FILE_NOT_FOUND, ERROR_INVALID_PARAMETER, ERROR_PATH_NOT_FOUND,
    ERROR_SHARING_VIOLATION, ERROR_USER_MAPPED_FILE, ERROR_WRITE_PROTECT, GENERIC_READ,
    GENERIC_WRITE,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_NO_BUFFERING, FILE_FLAG_OPEN_REPARSE_POINT, FILE_FLAG_OVERLAPPED,
    FILE_FLAG_WRITE_THROUGH, FILE_READ_ATTRIBUTES, GetVolumeInformationW, GetVolumePathNameW,
    SYNCHRONIZE,
};

/// Opens `path` according to `how`.
///
/// # Errors
/// The path, the system's error, and advice if there is any.
pub fn open(path: &Path, how: &OpenHow) -> Result<File, OpenError> {
    let mut options = OpenOptions::new();
    // A file may be created for reading only, which needs no write permission.
    options.read(how.read).write(how.write || how.create).access_mode(access(how));
    let is_device = is_device_name(path);
    if how.create && !is_device {
        options.create(true).create_new(how.exclusive);
    }
    options.custom_flags(flags(how));
    let opened = options.open(path).and_then(|file| checked(file, how));
    opened.map_err(|source| failed(path, how, source))
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
    let disposition = match (how.create, how.exclusive) {
        (true, true) => FILE_CREATE,
        (true, false) => FILE_OPEN_IF,
        (false, _) => FILE_OPEN,
    };
    let more = [
        (!how.overlapped, FILE_SYNCHRONOUS_IO_NONALERT),
        (how.direct, FILE_NO_INTERMEDIATE_BUFFERING),
        (how.sync != SyncMode::None, FILE_WRITE_THROUGH),
        (how.nofollow, FILE_OPEN_REPARSE_POINT),
    ];
    let options = chosen(FILE_NON_DIRECTORY_FILE, more);
    let how_named = NameHow { access: access(how), disposition, options };
    let opened = folder.open_name(name.as_os_str(), &how_named);
    opened.and_then(|file| checked(file, how)).map_err(|source| failed(path, how, source))
}

/// Whether a path names a whole device, which can be opened but not created.
fn is_device_name(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    name.starts_with(br"\\.\") || name.starts_with(b"//./")
}

/// The requested rights, by their generic names: the explicit list would include the right to
/// append, which the kernel refuses for unbuffered I/O.
fn access(how: &OpenHow) -> u32 {
    let wanted = match (how.read, how.write) {
        (true, true) => GENERIC_READ | GENERIC_WRITE,
        (false, true) => GENERIC_WRITE,
        (_, false) => GENERIC_READ,
    };
    wanted | FILE_READ_ATTRIBUTES | SYNCHRONIZE
}

fn flags(how: &OpenHow) -> u32 {
    let more = [
        (how.overlapped, FILE_FLAG_OVERLAPPED),
        (how.direct, FILE_FLAG_NO_BUFFERING),
        (how.sync != SyncMode::None, FILE_FLAG_WRITE_THROUGH),
        (how.nofollow, FILE_FLAG_OPEN_REPARSE_POINT),
    ];
    chosen(0, more)
}

fn chosen(always: u32, more: [(bool, u32); 4]) -> u32 {
    more.into_iter().filter(|(wanted, _)| *wanted).fold(always, |all, (_, flag)| all | flag)
}

/// Refuses a link where none may be, as Linux does.
fn checked(file: File, how: &OpenHow) -> io::Result<File> {
    if how.nofollow && facts_of(&file)?.sort == FileSort::Link {
        let text = "it is a symbolic link".to_owned();
        return Err(NumberedError::new(ErrorNumber::ELOOP, text).into());
    }
    Ok(file)
}

fn failed(path: &Path, how: &OpenHow, source: io::Error) -> OpenError {
    let advice = advice(path, how, &source);
    OpenError { path: path.into(), source, advice }
}

fn advice(path: &Path, how: &OpenHow, error: &io::Error) -> String {
    match error.raw_os_error().map_or(0, i32::cast_unsigned) {
        ERROR_INVALID_PARAMETER if how.direct => {
            let name = filesystem(path).unwrap_or("this file system");
            format!("{name} does not take unbuffered I/O; use direct=0, or another volume")
        }
        ERROR_FILE_NOT_FOUND | ERROR_PATH_NOT_FOUND if how.create => {
            "the folder is not there; make it first".into()
        }
        ERROR_ACCESS_DENIED if path.is_dir() => {
            "it is a folder; name a file, or give it as directory".into()
        }
        ERROR_ACCESS_DENIED if is_device_name(path) => {
            "run as administrator; a disk with mounted volumes cannot be written to".into()
        }
        ERROR_SHARING_VIOLATION => {
            "another program has it open and shares it with nobody; close that program".into()
        }
        ERROR_WRITE_PROTECT => "it is write-protected".into(),
        ERROR_USER_MAPPED_FILE => "another program has it mapped; close that program".into(),
        _ => String::new(),
    }
}

/// Name of the file system of `path`; `None` if it cannot be queried or is unknown.
pub fn filesystem(path: &Path) -> Option<&'static str> {
    let path = std::path::absolute(path).ok()?;
    let path: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    let mut root = vec![0u16; path.len() + 2];
    // SAFETY: a text that ends in zero, and room for as many letters as is said.
    let found = unsafe { GetVolumePathNameW(path.as_ptr(), root.as_mut_ptr(), root.len() as u32) };
    if found == 0 {
        return None;
    }
    let mut name = [0u16; 64];
    let (none, null) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: a text that ends in zero, and room for as many letters as is said; the rest is not
    // asked for.
    let asked = unsafe {
        let (room, letters) = (name.as_mut_ptr(), name.len() as u32);
        GetVolumeInformationW(root.as_ptr(), null, 0, none, none, none, room, letters)
    };
    if asked == 0 {
        return None;
    }
    let end = name.iter().position(|letter| *letter == 0).unwrap_or(name.len());
    let name = String::from_utf16_lossy(&name[..end]);
    KNOWN.iter().copied().find(|known| known.eq_ignore_ascii_case(&name))
}

/// File systems that Windows names.
const KNOWN: [&str; 9] = ["NTFS", "ReFS", "CSVFS", "exFAT", "FAT32", "FAT", "UDF", "CDFS", "NFS"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_path_and_a_way_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let how = OpenHow { read: true, write: true, create: true, ..OpenHow::default() };
        let nowhere = folder.path().join("nowhere").join("file");
        let error = open(&nowhere, &how).expect_err("no such folder");
        assert!(error.to_string().contains("nowhere"), "{error}");
        assert!(error.advice.contains("make it first"), "{error}");
        let error = open(folder.path(), &how).expect_err("a folder");
        assert!(error.advice.contains("folder"), "{error}");
    }

    #[test]
    fn a_file_is_made_to_be_read_alone_and_opened_in_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("made");
        let how = OpenHow { read: true, create: true, ..OpenHow::default() };
        let file = open(&path, &how).expect("opens");
        assert!(std::io::Write::write(&mut &file, b"x").is_err());
        let held = Folder::open(folder.path()).expect("a folder");
        let how = OpenHow { read: true, write: true, nofollow: true, ..OpenHow::default() };
        let again = open_in(&held, Path::new("made"), &path, &how).expect("opens");
        assert_eq!(facts_of(&again).unwrap().number, facts_of(&file).unwrap().number);
        let exclusive = OpenHow { create: true, exclusive: true, ..how };
        let error = open_in(&held, Path::new("made"), &path, &exclusive).expect_err("is there");
        assert_eq!(error.source.kind(), io::ErrorKind::AlreadyExists);
        held.remove_file("made".as_ref()).expect("removes");
        drop((file, again));
        assert_eq!(held.look("made".as_ref()).expect("looks"), None);
    }
}
