//! Writing a file completely or not at all.
//!
//! New content is written to a file without a name in the same folder, synced, given an
//! unpredictable unused name (so that no link and no other file is hit), and renamed. If a file
//! system has no files without a name, it has that name from the beginning. Decided here:
//!
//! - A link stays; its target file is replaced, or created if it is missing.
//! - The new file has the mode and the owner of the old one.
//! - If a rename would break something, the file is written in place, although that is not atomic:
//!   a file with several hard links, and one whose folder or owner this user may not change.
//! - A process killed between naming and renaming leaves the new file, `.output-*.fathom`.
//! - Special files (a pipe, a device, any target of `/dev/stdout`) receive the bytes directly.

use fathom_host::HeldFolder;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Links that are followed at most, as the kernel does.
const MOST_LINKS: usize = 40;

/// The destination of output, and the method of writing.
enum Destination {
    /// The path does not exist yet.
    New(PathBuf),
    /// A regular file, to be replaced by a rename.
    Rename(PathBuf, Metadata),
    /// A regular file, to be written over.
    Overwrite(PathBuf),
    /// A special file, written directly.
    Stream(PathBuf),
}

impl Destination {
    fn of(path: &Path) -> io::Result<Destination> {
        let (end, is_descriptor) = end_of_links(path)?;
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() || is_descriptor => {
                Ok(Destination::Stream(path.to_owned()))
            }
            Ok(there) if fathom_host::link_count(&there) > 1 => Ok(Destination::Overwrite(end)),
            Ok(there) => Ok(Destination::Rename(end, there)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Destination::New(end)),
            Err(error) => Err(error),
        }
    }
}

/// Puts `bytes` at `path`.
///
/// # Errors
/// The system's error. A file to be replaced is then unchanged; one written in place may be partly
/// new.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, |_| Ok(())).map(drop)
}

/// The same for a file that this process has locked ([`fathom_host::open_held`]); returns the lock
/// from then on. The new file is locked before any process can find it. If the old one must be
/// released first, another process may take the new one, which is an error then.
///
/// # Errors
/// As [`replace`], and if the new file cannot be locked.
pub fn replace_held(path: &Path, bytes: &[u8], held: File) -> io::Result<File> {
    if !fathom_host::lets_go_to_replace() {
        return Ok(write(path, bytes, fathom_host::hold_new)?.unwrap_or(held));
    }
    drop(held);
    replace(path, bytes)?;
    let taken = || io::Error::new(ErrorKind::ResourceBusy, "another process has taken it");
    let opened = fathom_host::open_held(OpenOptions::new().write(true), path);
    opened.map_err(|why| match why {
        TryLockError::WouldBlock => taken(),
        TryLockError::Error(error) => error,
    })
}

/// Whether [`replace`] could write to `path`, tested without leaving anything there.
///
/// # Errors
/// The system's error.
pub fn can_replace(path: &Path) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::New(end) => fresh_beside(&end, 0o600).map(drop),
        Destination::Rename(end, _) | Destination::Overwrite(end) => open_to_write(&end).map(drop),
        // To open a pipe would wait for its reader.
        Destination::Stream(_) => Ok(()),
    }
}

/// The pipe, device or descriptor at `path`, for writing output directly; `None` for a regular file
/// or a missing path, for which [`replace`] is.
///
/// # Errors
/// The system's error.
pub fn open_stream(path: &Path) -> io::Result<Option<File>> {
    match Destination::of(path)? {
        // Appended, because a shell's descriptor may already have content.
        Destination::Stream(path) => OpenOptions::new().append(true).open(path).map(Some),
        _ => Ok(None),
    }
}

fn write(
    path: &Path,
    bytes: &[u8],
    prepare: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<Option<File>> {
    match Destination::of(path)? {
        Destination::New(end) => {
            let fresh = fresh_beside(&end, 0o666)?;
            rename(fresh, &end, bytes, prepare).map(Some)
        }
        Destination::Rename(end, old) => {
            // A file that this user may not write is not replaced behind its back.
            open_to_write(&end)?;
            match fresh_like(&end, &old) {
                Ok(fresh) => rename(fresh, &end, bytes, prepare).map(Some),
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    overwrite(&end, bytes).map(|()| None)
                }
                Err(error) => Err(error),
            }
        }
        Destination::Overwrite(end) => overwrite(&end, bytes).map(|()| None),
        Destination::Stream(path) => {
            OpenOptions::new().append(true).open(path)?.write_all(bytes)?;
            Ok(None)
        }
    }
}

fn open_to_write(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// A new file that is not in its place yet.
enum FreshFile {
    /// Without a name: nothing is left of it if the process ends.
    Unnamed(File),
    /// With the name that it has until it is renamed.
    Named(NamedTempFile),
}

impl FreshFile {
    fn as_file(&self) -> &File {
        match self {
            FreshFile::Unnamed(file) => file,
            FreshFile::Named(file) => file.as_file(),
        }
    }

    /// Puts it in the place of `end`.
    fn persist(self, end: &Path) -> io::Result<File> {
        match self {
            FreshFile::Named(file) => file.persist(end).map_err(|error| error.error),
            FreshFile::Unnamed(file) => {
                let name = |path: &Path| fathom_host::name_file(&file, path);
                let named = builder().make_in(folder_of(end), name)?;
                named.persist(end).map_err(|error| error.error)?;
                Ok(file)
            }
        }
    }
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".output-").suffix(".fathom");
    builder
}

/// A new file in the folder of `end`.
fn fresh_beside(end: &Path, mode: u32) -> io::Result<FreshFile> {
    if let Some(file) = fathom_host::unnamed_file(folder_of(end), mode) {
        return Ok(FreshFile::Unnamed(file));
    }
    let mut builder = builder();
    if let Some(permissions) = fathom_host::permissions(mode) {
        builder.permissions(permissions);
    }
    // Its error names the new file, which nobody asked for.
    let named = builder.tempfile_in(folder_of(end)).map(FreshFile::Named);
    named.map_err(|error| bare(&error))
}

/// The error of the system alone.
fn bare(error: &io::Error) -> io::Error {
    let cause = error.get_ref().and_then(|cause| cause.source()?.downcast_ref::<io::Error>());
    match cause.and_then(io::Error::raw_os_error) {
        Some(number) => io::Error::from_raw_os_error(number),
        // Both on Unix and on Windows, 2 is what the system says of a missing file or folder.
        None if error.kind() == ErrorKind::NotFound => io::Error::from_raw_os_error(2),
        None => io::Error::from(error.kind()),
    }
}

/// The same, with the owner and the mode of the `old` one.
fn fresh_like(end: &Path, old: &Metadata) -> io::Result<FreshFile> {
    let fresh = fresh_beside(end, 0o600)?;
    fathom_host::take_after(fresh.as_file(), old)?;
    Ok(fresh)
}

fn rename(
    fresh: FreshFile,
    end: &Path,
    bytes: &[u8],
    prepare: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<File> {
    let mut file = fresh.as_file();
    file.write_all(bytes)?;
    file.sync_all()?;
    prepare(file)?;
    let file = fresh.persist(end)?;
    // The rename is on the disk only with its folder.
    HeldFolder::sync(folder_of(end))?;
    Ok(file)
}

fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_to_write(path)?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The final target of the links at `path`, and whether they pass a descriptor of a process, as
/// `/dev/stdout` does: the target of such a descriptor belongs to its opener.
fn end_of_links(path: &Path) -> io::Result<(PathBuf, bool)> {
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&end) {
            Ok(there) if there.is_symlink() => {}
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            // It is no link, or is not there.
            _ => return Ok((end, false)),
        }
        let link = fs::read_link(&end)?;
        let folder = fs::canonicalize(folder_of(&end))?;
        if folder.starts_with("/proc") {
            return Ok((end, true));
        }
        end = folder.join(link);
    }
    Err(io::Error::other("links lead in a circle"))
}

#[cfg(test)]
mod tests;
