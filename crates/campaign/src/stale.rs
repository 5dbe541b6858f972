//! Test files that killed processes left, and their removal.
//!
//! Only files that are proved ours are removed: a regular file whose entry in the [`Registry`]
//! names it by path and by number, on this machine, by a process that has ended. Other files with
//! such a name are listed with the reason why they stay. Files in exports are in
//! `stale_exported.rs`.

use crate::registry::{Found, Registration, Registry, RegistryEntry, machine};
use crate::test_file_name::is_test_file_name;
use fathom_host::{EntryKind, FileId, FolderEntry, HeldFolder};
use fathom_run::{ExportFile, Leftover};
use fathom_vocab::NfsUrl;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file with a test file's name, whose process is not known to be running.
#[derive(Debug)]
pub struct StaleFile {
    /// Where; of a file in an export its URL without arguments.
    pub path: PathBuf,
    /// Its export, and its name there; none for a file of this machine.
    export: Option<(NfsUrl, String)>,
    /// Bytes that it uses.
    pub bytes: u64,
    /// When it was written last, in seconds since 1970.
    pub modified_s: i64,
    owner: Owner,
}

/// The owner of a file.
#[derive(Debug)]
pub(crate) enum Owner {
    /// Ours: a process of ours that has ended made it.
    Ended(RegistryEntry),
    /// Not proved, and why.
    Unknown(String),
    /// Its entry is ours, but its server cannot be asked, and why.
    Unreachable(RegistryEntry, String),
}

/// Why a file in an export is not proved ours though an entry names it.
pub(crate) const NO_NUMBERS: &str =
    "its entry does not have its number; if no run uses it, remove it by hand";
/// Why a file without an entry is not.
pub(crate) const NO_ENTRY: &str =
    "no entry of this user says that Fathom made it; if no run uses it, remove it by hand";

/// The entry found under a test file's name.
enum Look {
    /// It exists.
    There(Box<StaleFile>),
    /// A process uses it.
    InUse,
    /// The name does not exist, or is not a regular file.
    Nothing,
}

impl StaleFile {
    /// Why it is not proved ours; none if it is.
    pub fn doubt(&self) -> Option<&str> {
        match &self.owner {
            Owner::Ended(_) => None,
            Owner::Unknown(why) | Owner::Unreachable(_, why) => Some(why),
        }
    }

    /// Whether its server cannot be asked, so that nothing is known of it but its name.
    pub fn is_unreachable(&self) -> bool {
        matches!(self.owner, Owner::Unreachable(..))
    }

    /// Removes the entry of a file whose server is gone; the file, if there is one, stays.
    pub fn forget(self) {
        if let Owner::Unreachable(entry, _) = self.owner {
            entry.end();
        }
    }

    /// A file in an export.
    pub(crate) fn exported(
        export: NfsUrl,
        name: String,
        (bytes, modified_s): (u64, i64),
        owner: Owner,
    ) -> StaleFile {
        let path = PathBuf::from(export.name_of(&name));
        StaleFile { path, export: Some((export, name)), bytes, modified_s, owner }
    }

    /// Removes it, if it is proved ours.
    ///
    /// # Errors
    /// If it is still there after.
    pub fn remove(self) -> Result<(), Leftover> {
        let path = self.path;
        let refused = |error: io::Error| Leftover::refused(&path, &error, None);
        let entry = match self.owner {
            Owner::Ended(entry) => entry,
            Owner::Unknown(why) | Owner::Unreachable(_, why) => {
                return Err(refused(io::Error::other(why)));
            }
        };
        if let Some((export, name)) = &self.export {
            let id = entry.registration().id;
            let id = id.ok_or_else(|| refused(io::Error::other(NO_NUMBERS)))?;
            ExportFile::made_before(export, name, id).map_err(refused)?.remove()?;
            entry.end();
            return Ok(());
        }
        let (folder, name) = HeldFolder::of(&path).map_err(refused)?;
        match folder.look(name).map(|found| doubt_of(entry.registration(), &found)) {
            Ok(None) => folder.remove(name).map_err(refused)?,
            Ok(Some(why)) => return Err(refused(io::Error::other(why))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(refused(error)),
        }
        entry.end();
        Ok(())
    }
}

/// The stale test files in `folder`, by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn stale_files_in(folder: &Path, registry: Option<&Registry>) -> io::Result<Vec<StaleFile>> {
    let folder = std::path::absolute(folder)?;
    let mut names: Vec<_> = fs::read_dir(&folder)?.flatten().map(|e| e.file_name()).collect();
    names.sort();
    let ours = names.iter().filter(|name| name.to_str().is_some_and(is_test_file_name));
    let look = |name| {
        let path = folder.join(name);
        let found = registry.and_then(|registry| registry.find(&path));
        match look_at(&path, found) {
            Look::There(file) => Some(*file),
            Look::InUse | Look::Nothing => None,
        }
    };
    Ok(ours.filter_map(look).collect())
}

/// The stale test files on this machine of all entries in the registry. The entry of a removed file
/// is removed, too.
pub fn stale_files(registry: &Registry) -> Vec<StaleFile> {
    let mut files = Vec::new();
    for (_, found) in registry.entries() {
        let Found::Ended(entry) = found else { continue };
        if entry.registration().export.is_some() {
            continue;
        }
        let path = entry.registration().path.clone();
        let here = entry.registration().machine == machine();
        // A folder that is not there may be a volume that is not mounted now.
        let reachable = path.parent().is_some_and(Path::is_dir);
        match look_at(&path, Some(Found::Ended(entry))) {
            Look::There(file) => files.push(*file),
            Look::InUse => {}
            Look::Nothing if here && reachable => {
                if let Some(Found::Ended(entry)) = registry.find(&path) {
                    entry.end();
                }
            }
            Look::Nothing => {}
        }
    }
    files
}

fn look_at(path: &Path, found: Option<Found>) -> Look {
    let looked = HeldFolder::of(path).and_then(|(folder, name)| folder.look(name));
    let Ok(there) = looked else { return Look::Nothing };
    if there.kind != EntryKind::File {
        return Look::Nothing;
    }
    let owner = match found {
        Some(Found::InUse) => return Look::InUse,
        Some(Found::Unreadable(why)) => Owner::Unknown(format!("its entry cannot be read: {why}")),
        None => Owner::Unknown(NO_ENTRY.to_owned()),
        Some(Found::Ended(entry)) if entry.registration().path != path => {
            let made = entry.registration().path.display().to_string();
            Owner::Unknown(format!("the file of that name was made at {made}"))
        }
        Some(Found::Ended(entry)) => match doubt_of(entry.registration(), &there) {
            None => Owner::Ended(entry),
            Some(why) => Owner::Unknown(why),
        },
    };
    Look::There(Box::new(StaleFile {
        path: path.to_owned(),
        export: None,
        bytes: there.allocated_bytes,
        modified_s: there.modified_s,
        owner,
    }))
}

/// Why the file is not the one that was created; none if it is. The number of a file system changes
/// with a new mount; the number of a file on it does not.
fn doubt_of(registration: &Registration, found: &FolderEntry) -> Option<String> {
    if registration.machine != machine() {
        return Some("another machine made it: run `fathom clean` there".to_owned());
    }
    if found.kind != EntryKind::File {
        return Some("it is no regular file".to_owned());
    }
    match (registration.id, found.id) {
        (Some(FileId::File { inode, .. }), FileId::File { inode: there, .. }) if inode != there => {
            Some("it is another file than the one that was made there".to_owned())
        }
        (Some(FileId::Device { .. }), _) => Some("its entry names a device".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestFiles;

    const NAME: &str = ".fathom-0123456789abcdef-0";

    /// Makes a test file as a process does that is then killed.
    fn killed(registry: &Registry, path: &Path) {
        let mut entry = registry.enter(path).unwrap();
        fs::write(path, vec![7; 8192]).unwrap();
        entry.made(FileId::of_path(path).unwrap());
    }

    #[test]
    fn what_a_killed_process_left_is_found_and_removed() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().join("entries"));
        let path = top.path().join(NAME);
        killed(&registry, &path);
        let found = stale_files(&registry).pop().unwrap();
        assert_eq!((found.doubt(), found.bytes), (None, 8192));
        drop(found);
        let found = stale_files_in(top.path(), Some(&registry)).unwrap().pop().unwrap();
        found.remove().unwrap();
        assert!(!path.exists() && registry.entries().is_empty());
    }

    #[test]
    fn a_file_in_use_is_not_stale() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().join("entries"));
        let files = TestFiles::registered(Some(registry.clone()));
        let guard = files.create(&top.path().join(NAME)).unwrap();
        assert!(stale_files(&registry).is_empty());
        assert!(stale_files_in(top.path(), Some(&registry)).unwrap().is_empty());
        drop(guard);
        assert!(registry.entries().is_empty());
    }

    #[test]
    fn what_is_not_proved_ours_is_told_and_left() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().join("entries"));
        let path = top.path().join(NAME);
        let doubt = || {
            let found = stale_files_in(top.path(), Some(&registry)).unwrap().pop().unwrap();
            let why = found.doubt().unwrap().to_owned();
            assert!(found.remove().is_err() && path.exists());
            why
        };
        fs::write(&path, "somebody's").unwrap();
        assert!(doubt().contains("no entry"));
        // A file of ours with another in its place.
        fs::remove_file(&path).unwrap();
        killed(&registry, &path);
        let other = top.path().join("other");
        fs::write(&other, "somebody's").unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(doubt().contains("another file"));
        assert_eq!(fs::read(&path).unwrap(), b"somebody's");
        // A link to somebody's file is not a test file.
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        assert!(stale_files_in(top.path(), Some(&registry)).unwrap().is_empty());
        assert!(stale_files(&registry).is_empty() && path.is_symlink());
    }

    #[test]
    fn what_another_machine_made_is_left_to_it() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().join("entries"));
        let path = top.path().join(NAME);
        killed(&registry, &path);
        let entry = top.path().join("entries").join("fathom-0123456789abcdef-0.json");
        let text = fs::read_to_string(&entry).unwrap().replace(&machine(), "another");
        fs::write(&entry, text).unwrap();
        let found = stale_files(&registry).pop().unwrap();
        assert!(found.doubt().unwrap().contains("another machine"), "{found:?}");
        // Its file was removed there, and the entry is that machine's to remove.
        fs::remove_file(&path).unwrap();
        assert!(stale_files(&registry).is_empty() && entry.exists());
    }
}
