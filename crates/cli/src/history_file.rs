//! The path of the history: one file in the user's data folder.

use crate::history_error::HistoryError;
use crate::home::{self, FolderKind};
use fathom_host::{Host, Storage};
use fathom_store::{Sharing, Store};
use std::fs;
use std::path::{Path, PathBuf};

const FILE: &str = "history.sqlite3";

/// The file of the history, in [`home::folder`].
///
/// # Errors
/// If the environment names no folder.
pub fn file() -> Result<PathBuf, HistoryError> {
    let folder = home::folder(FolderKind::Data).ok_or(HistoryError::NoHome)?;
    Ok(folder.join(FILE))
}

/// The concurrent users of the file: other machines, if it is on a network file system.
pub fn sharing(path: &Path, host: &Host) -> Sharing {
    // The folder may not be there yet.
    let there = path.ancestors().skip(1).find(|folder| folder.is_dir());
    match there.map(|folder| host.storage_of(folder)) {
        Some(Ok(Storage::Network { .. })) => Sharing::ManyHosts,
        _ => Sharing::OneHost,
    }
}

/// The history to read; `None` if there is none yet.
///
/// # Errors
/// If it cannot be opened.
pub fn to_read() -> Result<Option<Store>, HistoryError> {
    Ok(Store::open_to_read(&file()?)?)
}

/// The history to change; `None` if there is none yet.
///
/// # Errors
/// If it cannot be opened.
pub fn to_change(host: &Host) -> Result<Option<Store>, HistoryError> {
    let path = file()?;
    match path.exists() {
        true => Ok(Some(Store::open(&path, sharing(&path, host))?)),
        false => Ok(None),
    }
}

/// A warning if every user of this machine can read the history: it names hosts, folders and
/// commands. A history shared with a group is shared on purpose.
pub fn open_to_others(path: &Path) -> Option<String> {
    let mode = fathom_host::mode_of(&fs::metadata(path).ok()?)? & 0o777;
    let path = path.display();
    (mode & 0o007 != 0).then(|| {
        localized!("fathom: warning: others can read {path} (mode {mode:o}): chmod 600 it\n")
    })
}
