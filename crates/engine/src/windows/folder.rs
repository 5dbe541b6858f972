//! An open folder, and its entries by name: renaming the folder or changing a link has no effect on
//! the holder. Also the system's facts about a file.
//!
//! Names are opened relative to the folder's handle (`NtCreateFile`), which corresponds to
//! `openat`. A file is removed through a handle too. If the file system supports it, its name
//! disappears at once; otherwise when its last handle is closed.

use crate::file_facts::{FileFacts, FileNumber, FileSort};
use crate::windows::handle::{error_of, succeeded};
use crate::windows::storage::device_number;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle};
use std::path::Path;
use std::ptr;
use windows_sys::Wdk::Foundation::OBJECT_ATTRIBUTES;
use windows_sys::Wdk::Storage::FileSystem::{
    FILE_CREATE, FILE_NON_DIRECTORY_FILE, FILE_OPEN, FILE_OPEN_FOR_BACKUP_INTENT,
    FILE_OPEN_REPARSE_POINT, FILE_SYNCHRONOUS_IO_NONALERT, NtCreateFile,
};
use windows_sys::Win32::Foundation::{
    RtlNtStatusToDosError, STATUS_DELETE_PENDING, UNICODE_STRING,
};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, DELETE, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_NORMAL,
    FILE_ATTRIBUTE_REPARSE_POINT, FILE_ATTRIBUTE_TAG_INFO, FILE_DISPOSITION_FLAG_DELETE,
    FILE_DISPOSITION_FLAG_IGNORE_READONLY_ATTRIBUTE, FILE_DISPOSITION_FLAG_POSIX_SEMANTICS,
    FILE_DISPOSITION_INFO, FILE_DISPOSITION_INFO_EX, FILE_FLAG_BACKUP_SEMANTICS, FILE_GENERIC_READ,
    FILE_GENERIC_WRITE, FILE_LIST_DIRECTORY, FILE_READ_ATTRIBUTES, FILE_SHARE_DELETE,
    FILE_SHARE_READ, FILE_SHARE_WRITE, FILE_STANDARD_INFO, FILE_TRAVERSE, FILE_TYPE_CHAR,
    FILE_TYPE_DISK, FILE_TYPE_PIPE, FileAttributeTagInfo, FileDispositionInfo,
    FileDispositionInfoEx, FileStandardInfo, GetFileInformationByHandle,
    GetFileInformationByHandleEx, GetFileType, SYNCHRONIZE, SetFileInformationByHandle,
};
use windows_sys::Win32::System::IO::IO_STATUS_BLOCK;

/// Everybody may read, write and remove our open files, as on Linux.
const SHARE_ALL: u32 = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// An open folder.
#[derive(Debug)]
pub struct Folder {
    handle: File,
}

/// How a name in a folder is opened, in the words of the kernel.
pub(crate) struct NameHow {
    pub access: u32,
    pub disposition: u32,
    pub options: u32,
}

impl Folder {
    /// Opens the folder at `path`; an empty path is the current one.
    ///
    /// # Errors
    /// The system's error.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let handle = OpenOptions::new()
            .access_mode(FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES | SYNCHRONIZE)
            .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
            .open(path)?;
        match handle.metadata()?.is_dir() {
            true => Ok(Folder { handle }),
            false => Err(ErrorKind::NotADirectory.into()),
        }
    }

    /// Creates a new file for reading and writing; the folder decides who may use it.
    ///
    /// # Errors
    /// The system's error; `AlreadyExists` if the name exists, also as a link.
    pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
        self.open_name(
            name,
            &NameHow {
                access: FILE_GENERIC_READ | FILE_GENERIC_WRITE,
                disposition: FILE_CREATE,
                options: FILE_NON_DIRECTORY_FILE | FILE_SYNCHRONOUS_IO_NONALERT,
            },
        )
    }

    /// The entry `name`, a link as itself; none if it does not exist.
    ///
    /// # Errors
    /// The system's error.
    pub fn look(&self, name: &OsStr) -> io::Result<Option<FileFacts>> {
        match self.open_itself(name, FILE_READ_ATTRIBUTES | SYNCHRONIZE) {
            Ok(file) => facts_of(&file).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes the file of that name.
    ///
    /// # Errors
    /// The system's error.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        let file = self.open_itself(name, DELETE | FILE_READ_ATTRIBUTES | SYNCHRONIZE)?;
        let at_once = FILE_DISPOSITION_INFO_EX {
            Flags: FILE_DISPOSITION_FLAG_DELETE
                | FILE_DISPOSITION_FLAG_POSIX_SEMANTICS
                | FILE_DISPOSITION_FLAG_IGNORE_READONLY_ATTRIBUTE,
        };
        if set(&file, FileDispositionInfoEx, &at_once).is_ok() {
            return Ok(());
        }
        // Before Windows 10, and on file systems that do not know it.
        set(&file, FileDispositionInfo, &FILE_DISPOSITION_INFO { DeleteFile: true })
    }

    /// Opens the entry with that name, not the target of a link.
    fn open_itself(&self, name: &OsStr, access: u32) -> io::Result<File> {
        let options =
            FILE_OPEN_REPARSE_POINT | FILE_OPEN_FOR_BACKUP_INTENT | FILE_SYNCHRONOUS_IO_NONALERT;
        self.open_name(name, &NameHow { access, disposition: FILE_OPEN, options })
    }

    /// Opens a name in this folder.
    pub(crate) fn open_name(&self, name: &OsStr, how: &NameHow) -> io::Result<File> {
        let mut letters: Vec<u16> = name.encode_wide().collect();
        let bytes = u16::try_from(letters.len() * 2).map_err(|_| ErrorKind::InvalidFilename)?;
        let text =
            UNICODE_STRING { Length: bytes, MaximumLength: bytes, Buffer: letters.as_mut_ptr() };
        /// Names that differ in case alone are one.
        const CASE_INSENSITIVE: u32 = 0x40;
        let object = OBJECT_ATTRIBUTES {
            Length: size_of::<OBJECT_ATTRIBUTES>() as u32,
            RootDirectory: self.handle.as_raw_handle(),
            ObjectName: &raw const text,
            Attributes: CASE_INSENSITIVE,
            SecurityDescriptor: ptr::null(),
            SecurityQualityOfService: ptr::null(),
        };
        let (mut handle, mut state) = (ptr::null_mut(), IO_STATUS_BLOCK::default());
        // SAFETY: name, attributes and folder outlive the call, which writes a handle and a state.
        let status = unsafe {
            NtCreateFile(
                &raw mut handle,
                how.access,
                &raw const object,
                &raw mut state,
                ptr::null(),
                FILE_ATTRIBUTE_NORMAL,
                SHARE_ALL,
                how.disposition,
                how.options,
                ptr::null(),
                0,
            )
        };
        check(status, how.disposition)?;
        // SAFETY: the handle is new, and belongs to nobody else.
        Ok(unsafe { File::from_raw_handle(handle) })
    }
}

/// Whether the kernel opened a name.
fn check(status: i32, disposition: u32) -> io::Result<()> {
    // It was removed, and disappears once its last handle is closed.
    if status == STATUS_DELETE_PENDING && disposition == FILE_OPEN {
        return Err(ErrorKind::NotFound.into());
    }
    if status < 0 {
        // SAFETY: no memory is passed.
        return Err(error_of(unsafe { RtlNtStatusToDosError(status) }));
    }
    Ok(())
}

/// Opens the entry at `path`, without permission to read it and without touching it.
///
/// # Errors
/// The system's error.
pub fn hold(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .access_mode(FILE_READ_ATTRIBUTES)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        .open(path)
        // A device does not take the flag that a folder needs.
        .or_else(|_| OpenOptions::new().access_mode(FILE_READ_ATTRIBUTES).open(path))
}

/// The facts about the file that `path` leads to.
///
/// # Errors
/// The system's error; `NotFound` if it does not exist.
pub fn facts_at(path: &Path) -> io::Result<FileFacts> {
    facts_of(&hold(path)?)
}

/// The facts about an open file.
///
/// # Errors
/// If the system does not report them.
pub fn facts_of(file: &File) -> io::Result<FileFacts> {
    let handle = file.as_raw_handle();
    // SAFETY: no memory is passed.
    let kind = unsafe { GetFileType(handle) };
    let special = |sort| {
        let number = FileNumber::File { device: 0, inode: 0 };
        Ok(FileFacts { sort, number, len_bytes: 0, used_bytes: 0, links: 1 })
    };
    if kind == FILE_TYPE_PIPE {
        return special(FileSort::Pipe);
    }
    if kind == FILE_TYPE_CHAR {
        return special(FileSort::Other);
    }
    let mut about = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the call fills one record.
    let known = succeeded(unsafe { GetFileInformationByHandle(handle, &raw mut about) });
    match known {
        Ok(()) => Ok(facts(file, &about)),
        Err(error) => match device_number(handle) {
            Some((major, minor)) if kind == FILE_TYPE_DISK => {
                let number = FileNumber::Device { major, minor };
                let sort = FileSort::Block;
                Ok(FileFacts { sort, number, len_bytes: 0, used_bytes: 0, links: 1 })
            }
            _ => Err(error),
        },
    }
}

fn facts(file: &File, about: &BY_HANDLE_FILE_INFORMATION) -> FileFacts {
    let wide = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let number = FileNumber::File {
        device: about.dwVolumeSerialNumber.into(),
        inode: wide(about.nFileIndexHigh, about.nFileIndexLow),
    };
    let len_bytes = wide(about.nFileSizeHigh, about.nFileSizeLow);
    let more = ask::<FILE_STANDARD_INFO>(file, FileStandardInfo);
    let is_going = more.is_some_and(|more| more.DeletePending);
    FileFacts {
        sort: sort_of(file, about.dwFileAttributes),
        number,
        len_bytes,
        used_bytes: more.map_or(len_bytes, |more| more.AllocationSize.unsigned_abs()),
        links: if is_going { 0 } else { about.nNumberOfLinks.into() },
    }
}

fn sort_of(file: &File, attributes: u32) -> FileSort {
    // Of reparse points, only name surrogates are links: a file whose data is stored elsewhere, or
    // compressed, is a file.
    const STANDS_FOR_A_NAME: u32 = 0x2000_0000;
    let links = || {
        ask::<FILE_ATTRIBUTE_TAG_INFO>(file, FileAttributeTagInfo)
            .is_some_and(|tag| tag.ReparseTag & STANDS_FOR_A_NAME != 0)
    };
    match () {
        () if attributes & FILE_ATTRIBUTE_REPARSE_POINT != 0 && links() => FileSort::Link,
        () if attributes & FILE_ATTRIBUTE_DIRECTORY != 0 => FileSort::Folder,
        () => FileSort::Regular,
    }
}

/// One of the system's records about a file; none if it has none.
pub(crate) fn ask<T: Default>(file: &File, which: i32) -> Option<T> {
    let mut record = T::default();
    let bytes = size_of::<T>() as u32;
    // SAFETY: the call writes no more than the record has room for.
    let asked = unsafe {
        let record = (&raw mut record).cast();
        GetFileInformationByHandleEx(file.as_raw_handle(), which, record, bytes)
    };
    (asked != 0).then_some(record)
}

fn set<T>(file: &File, which: i32, record: &T) -> io::Result<()> {
    let bytes = size_of::<T>() as u32;
    let record = ptr::from_ref(record).cast();
    // SAFETY: the call reads no more than the record has.
    succeeded(unsafe { SetFileInformationByHandle(file.as_raw_handle(), which, record, bytes) })
}
