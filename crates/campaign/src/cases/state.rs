//! Stores a campaign's results, so that neither a signal nor a lost machine loses a case.
//!
//! The file is replaced as a whole, so that a reader always finds one whole document. The lock that
//! keeps two processes from using the same file is on the file itself: a new file is locked before
//! it replaces the old one. So no lock file is needed, and the kernel drops the lock when the
//! process ends for any reason.

use fathom_host::{FileId, lets_go_to_replace, open_held, with_mode};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A file that always contains one whole document.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    /// The file at the path, held open; none while it is replaced, and after that has failed.
    held: RefCell<Option<File>>,
    /// Whether it was created here and is still empty.
    blank: Cell<bool>,
}

impl StateFile {
    /// Takes an unused path, for a file of this `mode` (less the umask); creates its folder if
    /// necessary.
    ///
    /// # Errors
    /// If the path exists, another process holds the file, or it cannot be written.
    pub fn create(path: &Path, mode: u32) -> Result<StateFile, StateFileError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| cannot(path, "make its folder", error))?;
        }
        let mut options = OpenOptions::new();
        match open_held(with_mode(options.write(true).create_new(true), mode), path) {
            Ok(file) => Ok(StateFile::holding(path, file, true)),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::AlreadyExists => {
                StateFile::open(path)?;
                Err(StateFileError::Exists { path: path.to_owned() })
            }
            Err(why) => Err(unheld(path, "make it", why)),
        }
    }

    /// Opens an existing file.
    ///
    /// # Errors
    /// If it is not a file, another process holds it, or it cannot be written.
    pub fn open(path: &Path) -> Result<StateFile, StateFileError> {
        loop {
            // A pipe would wait for its other end.
            match fs::metadata(path) {
                Ok(there) if !there.is_file() => {
                    return Err(StateFileError::NotRegular { path: path.to_owned() });
                }
                Ok(_) => {}
                Err(error) => return Err(cannot(path, "open it", error)),
            }
            let file = open_held(OpenOptions::new().write(true), path);
            let file = file.map_err(|why| unheld(path, "open it", why))?;
            let state = StateFile::holding(path, file, false);
            // The previous holder may have replaced it in the meantime: then this lock is on a file
            // without a name.
            if state.is_at_its_path() {
                return Ok(state);
            }
        }
    }

    fn holding(path: &Path, file: File, blank: bool) -> StateFile {
        let (held, blank) = (RefCell::new(Some(file)), Cell::new(blank));
        StateFile { path: path.to_owned(), held, blank }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the stored document with `document`.
    ///
    /// # Errors
    /// If it cannot be written; the previous document is still stored.
    pub fn keep(&self, document: &impl Serialize) -> Result<(), StateFileError> {
        let mut text = serde_json::to_vec(document)
            .map_err(|error| cannot(&self.path, "write it", io::Error::other(error)))?;
        text.push(b'\n');
        let failed = |error| cannot(&self.path, "write it", error);
        let held = self.to_be_replaced().map_err(failed)?;
        let held = fathom_files::replace_held(&self.path, &text, held).map_err(failed)?;
        self.held.replace(Some(held));
        self.blank.set(false);
        Ok(())
    }

    /// Removes the file, if it is not worth keeping.
    pub fn discard(self) {
        self.blank.set(true);
    }

    /// The held file for the replacement. A file that stays held is opened twice, so that nothing
    /// is lost if it cannot be replaced; a released one is opened again if necessary.
    fn to_be_replaced(&self) -> io::Result<File> {
        let mut held = self.held.borrow_mut();
        match held.take() {
            Some(file) if lets_go_to_replace() => Ok(file),
            Some(file) => Ok(held.insert(file).try_clone()?),
            None => Ok(open_held(OpenOptions::new().write(true), &self.path)?),
        }
    }

    /// Whether the file at the path is still the held one.
    fn is_at_its_path(&self) -> bool {
        match (self.held.borrow().as_ref().map(FileId::of_file), FileId::of_path(&self.path)) {
            (Some(Ok(held)), Ok(there)) => held == there,
            _ => false,
        }
    }
}

impl Drop for StateFile {
    /// An empty file is useless; another process's file is not ours to remove.
    fn drop(&mut self) {
        if self.blank.get() && self.is_at_its_path() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn unheld(path: &Path, action: &'static str, why: TryLockError) -> StateFileError {
    match why {
        TryLockError::WouldBlock => StateFileError::InUse { path: path.to_owned() },
        TryLockError::Error(error) => cannot(path, action, error),
    }
}

fn cannot(path: &Path, action: &'static str, source: io::Error) -> StateFileError {
    StateFileError::Io { path: path.to_owned(), action, source }
}

/// Why results cannot be stored in a file.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum StateFileError {
    /// The file exists.
    #[error("{} is there already; continue it with --resume, or give another name", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// The path is a folder, a pipe or a device.
    #[error("{} is no regular file; name another", path.display())]
    NotRegular {
        /// The path.
        path: PathBuf,
    },
    /// Another process holds it.
    #[error("{} is kept by a process that still runs", path.display())]
    InUse {
        /// The path.
        path: PathBuf,
    },
    /// The system refuses.
    #[error("results cannot be kept in {}: cannot {action}: {source}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// The failed action.
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn files(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_kept_replaces_what_was_and_leaves_nothing_else() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("a/b/state.json");
        let state = StateFile::create(&path, 0o666).unwrap();
        for text in ["one", "two"] {
            state.keep(&text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("\"{text}\"\n"));
        }
        drop(state);
        assert_eq!(files(path.parent().unwrap()), ["state.json"]);
    }

    #[test]
    fn a_document_that_cannot_be_written_leaves_the_last_one() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("state.json");
        let state = StateFile::create(&path, 0o666).unwrap();
        state.keep(&"one").unwrap();
        // JSON has no keys that are lists.
        let why = state.keep(&HashMap::from([(vec![1], 2)])).unwrap_err().to_string();
        assert!(why.contains("state.json") && why.contains("cannot write it"), "{why}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "\"one\"\n");
    }

    #[test]
    fn two_cannot_keep_the_same_and_one_after_the_other_can() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("state.json");
        let first = StateFile::create(&path, 0o666).unwrap();
        let why = StateFile::open(&path).unwrap_err().to_string();
        assert!(why.contains("a process that still runs"), "{why}");
        first.keep(&1).unwrap();
        drop(first);
        let why = StateFile::create(&path, 0o666).unwrap_err().to_string();
        assert!(why.contains("--resume"), "{why}");
        StateFile::open(&path).unwrap().discard();
        assert_eq!(files(top.path()), Vec::<String>::new());
    }

    #[test]
    fn what_stands_beside_it_is_not_touched() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("Cargo");
        for companion in ["Cargo.lock", "Cargo.new"] {
            fs::write(top.path().join(companion), companion).unwrap();
        }
        let state = StateFile::create(&path, 0o600).unwrap();
        state.keep(&1).unwrap();
        state.keep(&2).unwrap();
        let mode = fathom_host::mode_of(&fs::metadata(&path).unwrap());
        assert!(mode.is_none_or(|mode| mode == 0o600), "{mode:?}");
        drop(state);
        assert_eq!(files(top.path()), ["Cargo", "Cargo.lock", "Cargo.new"]);
        assert_eq!(fs::read(top.path().join("Cargo.lock")).unwrap(), b"Cargo.lock");
    }

    #[test]
    fn the_lock_stays_while_documents_follow_each_other() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("state.json");
        let state = StateFile::create(&path, 0o666).unwrap();
        for document in 0..3 {
            assert!(StateFile::open(&path).unwrap_err().to_string().contains("still runs"));
            assert!(
                StateFile::create(&path, 0o666).unwrap_err().to_string().contains("still runs")
            );
            state.keep(&document).unwrap();
        }
    }

    #[test]
    fn a_file_that_was_made_for_nothing_goes_and_anothers_stays() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("state.json");
        drop(StateFile::create(&path, 0o666).unwrap());
        assert_eq!(files(top.path()), Vec::<String>::new());
        let state = StateFile::create(&path, 0o666).unwrap();
        fs::remove_file(&path).unwrap();
        fs::write(&path, "another's").unwrap();
        drop(state);
        assert_eq!(fs::read(&path).unwrap(), b"another's");
        let why = StateFile::open(top.path()).unwrap_err().to_string();
        assert!(why.contains("no regular file"), "{why}");
    }
}
