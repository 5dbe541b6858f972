//! Records which test files are ours, for the case that this process is killed.
//!
//! A killed process cannot clean up. So before a test file is created an entry is written to a
//! folder of this user, and removed after the file. Decided here:
//! - The entry is locked by its process as long as the file is in use. The kernel drops the lock
//!   however the process ends, also in another container with the same folder; a process number
//!   would mean nothing there, and could by now belong to another process.
//! - It names the machine. Not every network file system supports locks between machines, so an
//!   entry of another machine is for that machine to remove.
//! - It has the numbers of the file. A name alone, even a random one, can be given to another file.
//! - The mark is not on the file itself: not every file system has extended attributes, and anyone
//!   with write access to the folder could set them.

use crate::test_file_name::is_test_file_name;
use fathom_host::{
    FileId, Host, is_ours_alone, make_private_folder, open_held, with_mode, without_waiting,
};
use fathom_vocab::NfsUrl;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// A folder with an entry for each existing test file.
#[derive(Clone, Debug)]
pub struct Registry {
    folder: PathBuf,
}

/// The facts about a test file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Registration {
    /// Its path; for a file in an export, its name there.
    pub path: PathBuf,
    /// The export that it is in, if it is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export: Option<NfsUrl>,
    /// Its numbers; none if the process ended before it was made.
    pub id: Option<FileId>,
    /// The machine that made it.
    pub machine: String,
    /// The process that made it.
    pub pid: u32,
}

/// The entry of an existing test file; locked.
#[derive(Debug)]
pub(crate) struct RegistryEntry {
    path: PathBuf,
    file: File,
    /// Boxed, because it is much larger than the other variants.
    registration: Box<Registration>,
}

/// An entry that was found.
#[derive(Debug)]
pub(crate) enum Found {
    /// Its process is running.
    InUse,
    /// Its process has ended; locked now by us.
    Ended(RegistryEntry),
    /// It cannot be read or locked, and why.
    Unreadable(String),
}

impl Registry {
    /// Entries in `folder`, which is created with the first one.
    pub fn in_folder(folder: PathBuf) -> Registry {
        Registry { folder }
    }

    /// Writes the entry of a file that will be created. None if that is impossible: the measurement
    /// does not depend on it.
    pub(crate) fn enter(&self, path: &Path) -> Option<RegistryEntry> {
        self.enter_in(None, path)
    }

    /// The same of a file in an export, by its name there.
    pub(crate) fn enter_in(&self, export: Option<&NfsUrl>, path: &Path) -> Option<RegistryEntry> {
        let registration = Registration {
            path: path.to_owned(),
            export: export.cloned(),
            id: None,
            machine: machine(),
            pid: std::process::id(),
        };
        let path = self.entry_path(path)?;
        let make = || {
            // For this user only, with any umask: an entry permits the removal of a file.
            make_private_folder(&self.folder).map_err(TryLockError::Error)?;
            // Without a lock it would mean that its process has ended.
            let mut options = OpenOptions::new();
            open_held(with_mode(options.write(true).create_new(true), 0o600), &path)
        };
        // A process that ends the last entry at this moment removes the folder.
        let file = make().or_else(|_| make()).ok()?;
        let mut entry = RegistryEntry { path, file, registration: Box::new(registration) };
        if entry.write().is_err() {
            entry.end();
            return None;
        }
        Some(entry)
    }

    /// The entry of the test file at `path`, if there is one.
    pub(crate) fn find(&self, path: &Path) -> Option<Found> {
        let entry = self.entry_path(path)?;
        entry.exists().then(|| open(&entry))
    }

    /// Every entry, with the name of its file.
    pub(crate) fn entries(&self) -> Vec<(PathBuf, Found)> {
        let Ok(listed) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        paths.into_iter().map(|path| (path.clone(), open(&path))).collect()
    }

    /// Test files have names that no other has, so that an entry is found by its file's name.
    fn entry_path(&self, path: &Path) -> Option<PathBuf> {
        let name = path.file_name()?.to_str()?.trim_start_matches('.');
        Some(self.folder.join(format!("{name}.json")))
    }
}

fn open(path: &Path) -> Found {
    let unreadable = |error: io::Error| Found::Unreadable(format!("{}: {error}", path.display()));
    if !is_for_us_alone(path) {
        let why = "others can write it or its folder, so it proves nothing; chmod go-w both";
        return unreadable(io::Error::other(why));
    }
    let mut options = OpenOptions::new();
    let mut file = match open_held(without_waiting(options.read(true).write(true)), path) {
        Ok(file) => file,
        Err(TryLockError::WouldBlock) => return Found::InUse,
        Err(TryLockError::Error(error)) => return unreadable(error),
    };
    match read(&mut file) {
        Ok(registration) => {
            let registration = Box::new(registration);
            Found::Ended(RegistryEntry { path: path.to_owned(), file, registration })
        }
        Err(error) => unreadable(error),
    }
}

/// An entry is a file of a few hundred bytes; whatever is larger is none, and to read a pipe would
/// wait. It names a test file: no entry permits the removal of anything else.
fn read(file: &mut File) -> io::Result<Registration> {
    let about = file.metadata()?;
    if !about.is_file() || about.len() > 1 << 16 {
        return Err(io::Error::other("it is no entry of a test file; remove it"));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let registration: Registration = serde_json::from_str(&text).map_err(io::Error::other)?;
    let name = registration.path.file_name().and_then(OsStr::to_str);
    match name.is_some_and(is_test_file_name) {
        true => Ok(registration),
        false => {
            let path = registration.path.display();
            Err(io::Error::other(format!("{path} is no name of a test file; remove the entry")))
        }
    }
}

/// Whether only this user can have written an entry.
fn is_for_us_alone(entry: &Path) -> bool {
    is_ours_alone(entry) && entry.parent().is_some_and(is_ours_alone)
}

impl RegistryEntry {
    /// Records that the file now exists.
    pub(crate) fn made(&mut self, id: FileId) {
        self.registration.id = Some(id);
        // Without its numbers the random name still identifies it.
        let _ = self.write();
    }

    /// Its content.
    pub(crate) fn registration(&self) -> &Registration {
        &self.registration
    }

    /// Removes it, because the file is removed. An empty folder is removed too, so that a command
    /// that stores nothing leaves nothing behind.
    pub(crate) fn end(self) {
        let _ = fs::remove_file(&self.path);
        // On Windows the name disappears when the last open handle is closed.
        drop(self.file);
        for folder in self.path.ancestors().skip(1).take(2) {
            let _ = fs::remove_dir(folder);
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let text = serde_json::to_vec(&self.registration)?;
        self.file.rewind()?;
        self.file.write_all(&text)?;
        self.file.set_len(text.len() as u64)
    }
}

/// The identity of this machine, otherwise its name.
pub(crate) fn machine() -> String {
    Host::real().machine_id()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_others_can_write_proves_nothing() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().join("entries"));
        let file = Path::new("/somewhere/.fathom-0123456789abcdef-0");
        drop(registry.enter(file).unwrap());
        assert!(matches!(registry.find(file), Some(Found::Ended(_))));
        let folder = &registry.folder;
        let Some(open) = fathom_host::permissions(0o777) else { return };
        fs::set_permissions(folder, open).unwrap();
        let Some(Found::Unreadable(why)) = registry.find(file) else { panic!("it is trusted") };
        assert!(why.contains("others can write"), "{why}");
    }

    #[test]
    fn an_entry_tells_whether_its_process_goes_on() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().join("a/b"));
        let file = Path::new("/somewhere/.fathom-0123456789abcdef-0");
        assert!(registry.find(file).is_none() && registry.entries().is_empty());
        let mut entry = registry.enter(file).unwrap();
        let id = FileId::File { device: 1, inode: 2 };
        entry.made(id);
        assert!(matches!(registry.find(file), Some(Found::InUse)));
        // As the kernel does when a process ends.
        drop(entry);
        let Some(Found::Ended(found)) = registry.find(file) else { panic!("it has ended") };
        assert_eq!(
            (found.registration().id, found.registration().path.as_path()),
            (Some(id), file)
        );
        assert_eq!(found.registration().machine, machine());
        found.end();
        assert!(registry.find(file).is_none());
    }

    #[test]
    fn a_broken_entry_is_told_and_not_believed() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().to_owned());
        fs::write(top.path().join("fathom-1-0.json"), "{").unwrap();
        let found = registry.find(Path::new("/x/.fathom-1-0"));
        assert!(matches!(found, Some(Found::Unreadable(_))), "{found:?}");
    }

    #[test]
    fn an_entry_of_another_name_than_a_test_file_s_is_not_believed() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().join("entries"));
        let precious = Path::new("/somewhere/precious.db");
        drop(registry.enter(precious).unwrap());
        let Some(Found::Unreadable(why)) = registry.find(precious) else {
            panic!("it is believed")
        };
        assert!(why.contains("/somewhere/precious.db is no name of a test file"), "{why}");
    }

    #[test]
    fn a_pipe_among_the_entries_is_passed_over() {
        let top = tempfile::tempdir().unwrap();
        let registry = Registry::in_folder(top.path().join("entries"));
        let file = Path::new("/somewhere/.fathom-0123456789abcdef-0");
        drop(registry.enter(file).unwrap());
        let mut made = std::process::Command::new("mkfifo");
        // Not every system has pipes with names.
        let Ok(made) = made.arg(registry.folder.join("a.json")).status() else { return };
        assert!(made.success());
        // To open or to read it would wait for ever.
        let found = registry.entries();
        let of = |at: usize| &found[at].1;
        assert!(matches!(of(0), Found::Unreadable(why) if why.contains("no entry")), "{found:?}");
        assert!(matches!(of(1), Found::Ended(_)), "{found:?}");
    }
}
