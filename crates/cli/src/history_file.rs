//! Where the history is: one file in the user's data folder.

use crate::home::{self, FolderKind};
use fathom_host::{Host, Storage};
use fathom_store::{Sharing, Store, StoreError};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const FILE: &str = "history.sqlite3";

/// The file of the history, in [`home::folder`].
///
/// # Errors
/// In words, where the environment names no folder.
pub fn file() -> Result<PathBuf, String> {
    let no_place = "there is no place for it, since HOME is not set: set FATHOM_HOME to a folder";
    home::folder(FolderKind::Data)
        .map(|folder| folder.join(FILE))
        .ok_or_else(|| no_place.to_owned())
}

/// Who may use the file at the same time: where it is on a network file system, other machines.
pub fn sharing(path: &Path) -> Sharing {
    // The folder may not be there yet.
    let there = path.ancestors().skip(1).find(|folder| folder.is_dir());
    match there.map(|folder| Host::real().storage_of(folder)) {
        Some(Ok(Storage::Network { .. })) => Sharing::ManyHosts,
        _ => Sharing::OneHost,
    }
}

/// The history to read; `None` where there is none yet.
///
/// # Errors
/// In words.
pub fn to_read() -> Result<Option<Store>, String> {
    Store::open_to_read(&file()?).map_err(|error| advised(&error))
}

/// The history to change; `None` where there is none yet.
///
/// # Errors
/// In words.
pub fn to_change() -> Result<Option<Store>, String> {
    let path = file()?;
    match path.exists() {
        true => Store::open(&path, sharing(&path)).map(Some).map_err(|error| advised(&error)),
        false => Ok(None),
    }
}

/// What to say of a history that every user of this machine can read: it names hosts, folders and
/// commands. One that is shared with a group is shared on purpose.
pub fn open_to_others(path: &Path) -> Option<String> {
    let mode = fs::metadata(path).ok()?.permissions().mode() & 0o777;
    let path = path.display();
    (mode & 0o007 != 0)
        .then(|| format!("fathom: warning: others can read {path} (mode {mode:o}): chmod 600 it\n"))
}

/// The error with what can be done about it here.
pub fn advised(error: &StoreError) -> String {
    match error.to_string() {
        text if text.contains("elsewhere") => format!("{text} (FATHOM_HOME names its folder)"),
        text => text,
    }
}
