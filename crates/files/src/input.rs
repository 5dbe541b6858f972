//! Reading up to a limit. The limit applies while bytes arrive, so that an endless input
//! (`/dev/zero`, a pipe) costs its limit and no more. A pipe is read, so that `<(command)` works; a
//! folder and a disk are refused by name.

use fathom_host::EntryKind;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Limit for a document of results: a sweep of 500 cases with series has 40 MiB.
pub const DOCUMENT_BYTES: u64 = 256 << 20;

/// Limit for a file of promises: ours have some KiB.
pub const PROMISES_BYTES: u64 = 4 << 20;

/// Why an input could not be read.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is a folder or a disk.
    #[error("{name} is {kind}; name a file")]
    NoFile {
        /// The input.
        name: String,
        /// `a folder`, `a block device`.
        kind: &'static str,
    },
    /// It has more bytes than the limit.
    #[error("{name} has more than {} MiB; name a smaller file", limit_bytes >> 20)]
    TooLarge {
        /// The input.
        name: String,
        /// The limit.
        limit_bytes: u64,
    },
    /// The system refused.
    #[error("cannot read {name}: {source}")]
    Io {
        /// The input.
        name: String,
        /// The system's error.
        source: io::Error,
    },
}

/// All bytes of the file at `path`, at most `limit_bytes`.
///
/// # Errors
/// If it is no file, has more bytes, or cannot be read.
pub fn read(path: &Path, limit_bytes: u64) -> Result<Vec<u8>, InputError> {
    let name = path.display().to_string();
    let failed = |source| InputError::Io { name: name.clone(), source };
    // Before it is opened: to open a disk may wake it, and a folder gives a poor error.
    match EntryKind::of(&fs::metadata(path).map_err(failed)?) {
        EntryKind::Folder => return Err(InputError::NoFile { name, kind: "a folder" }),
        EntryKind::BlockDevice => return Err(InputError::NoFile { name, kind: "a block device" }),
        _ => {}
    }
    read_from(File::open(path).map_err(failed)?, &name, limit_bytes)
}

/// All bytes of `from`, which errors call `name`, at most `limit_bytes`.
///
/// # Errors
/// If there are more bytes, or they cannot be read.
pub fn read_from(from: impl Read, name: &str, limit_bytes: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = from.take(limit_bytes.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| InputError::Io { name: name.to_owned(), source })?;
    match bytes.len() as u64 > limit_bytes {
        true => Err(InputError::TooLarge { name: name.to_owned(), limit_bytes }),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_input_ends_at_its_limit_and_one_byte_less_is_read() {
        let why = read(Path::new("/dev/zero"), 3 << 20).unwrap_err();
        assert_eq!(why.to_string(), "/dev/zero has more than 3 MiB; name a smaller file");
        let limit_bytes = 1 << 20;
        let exact = read_from(io::repeat(7).take(limit_bytes), "x", limit_bytes).unwrap();
        assert_eq!(exact.len() as u64, limit_bytes);
        assert!(read_from(io::repeat(7).take(limit_bytes + 1), "x", limit_bytes).is_err());
    }

    #[test]
    fn a_folder_and_a_missing_file_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let why = read(folder.path(), 9).unwrap_err().to_string();
        assert!(why.contains("is a folder; name a file"), "{why}");
        let why = read(&folder.path().join("none"), 9).unwrap_err().to_string();
        assert!(why.starts_with("cannot read ") && why.contains("No such file"), "{why}");
    }
}
