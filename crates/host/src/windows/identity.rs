//! The identity of a file: the serial number of its volume and its index there.

use crate::FileId;
use std::fs::File;
use std::io;
use std::path::Path;
use winapi_util::Handle;
use winapi_util::file::information;

pub(crate) fn of_file(file: &File) -> io::Result<FileId> {
    information(file).map(|about| FileId::File {
        device: about.volume_serial_number(),
        inode: about.file_index(),
    })
}

pub(crate) fn of_path(path: &Path) -> io::Result<FileId> {
    of_file(Handle::from_path_any(path)?.as_file())
}
