//! Where a campaign keeps what it has, so that neither a signal nor a lost machine costs a case.
//!
//! The file is written anew beside itself, flushed and renamed, so that at every moment a reader
//! finds one whole document: the last one kept. A lock beside it keeps two processes from keeping
//! different things in the same place; the kernel drops it when a process ends, however it ends.

use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file that always holds one whole document.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    lock: PathBuf,
    _held: File,
}

impl StateFile {
    /// Takes a path where nothing is yet; its folder is made if need be.
    ///
    /// # Errors
    /// In words, where something is there already, another process holds it, or it cannot be
    /// written.
    pub fn create(path: &Path) -> Result<StateFile, String> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| cannot(path, "make its folder", &error))?;
        }
        let state = StateFile::open(path)?;
        match path.try_exists() {
            Ok(false) => Ok(state),
            Ok(true) => Err(format!(
                "{} is there already; continue it with --resume, or give another name",
                path.display()
            )),
            Err(error) => Err(cannot(path, "look at it", &error)),
        }
    }

    /// Takes a path whether or not something is there.
    ///
    /// # Errors
    /// As [`StateFile::create`], but for what is there.
    pub fn open(path: &Path) -> Result<StateFile, String> {
        let lock = beside(path, "lock");
        loop {
            let held = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .open(&lock)
                .map_err(|error| cannot(path, "lock it", &error))?;
            match held.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(format!("{} is kept by a process that still runs", path.display()));
                }
                Err(TryLockError::Error(error)) => return Err(cannot(path, "lock it", &error)),
            }
            // Whoever held it before may have removed it in between: then this lock is on a
            // file that nobody else can find.
            if same_file(&held, &lock) {
                return Ok(StateFile { path: path.to_owned(), lock, _held: held });
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps `document` in place of what was kept before.
    ///
    /// # Errors
    /// In words; what was kept before is still there.
    pub fn keep(&self, document: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_vec(document)
            .map_err(|error| cannot(&self.path, "write it", &io::Error::other(error)))?;
        let next = beside(&self.path, "new");
        replace(&self.path, &next, &text).map_err(|error| {
            // A half-written file is of no use to anybody.
            let _ = fs::remove_file(&next);
            cannot(&self.path, "write it", &error)
        })
    }

    /// Removes what was kept, where it is not worth keeping.
    pub fn discard(self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock);
    }
}

fn replace(path: &Path, next: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = File::create(next)?;
    file.write_all(text)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    fs::rename(next, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // The rename itself is on the disk only with its folder.
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The name of a companion of `path`.
fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

fn same_file(held: &File, path: &Path) -> bool {
    match (held.metadata(), fs::metadata(path)) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

fn cannot(path: &Path, what: &str, error: &io::Error) -> String {
    format!("results cannot be kept in {}: cannot {what}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let state = StateFile::create(&path).unwrap();
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
        let state = StateFile::create(&path).unwrap();
        state.keep(&"one").unwrap();
        // What would be written first is a folder: nothing can be put there.
        fs::create_dir(top.path().join("state.json.new")).unwrap();
        let why = state.keep(&"two").unwrap_err();
        assert!(why.contains("state.json") && why.contains("cannot write it"), "{why}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "\"one\"\n");
    }

    #[test]
    fn two_cannot_keep_the_same_and_one_after_the_other_can() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("state.json");
        let first = StateFile::create(&path).unwrap();
        let why = StateFile::open(&path).unwrap_err();
        assert!(why.contains("a process that still runs"), "{why}");
        first.keep(&1).unwrap();
        drop(first);
        let why = StateFile::create(&path).unwrap_err();
        assert!(why.contains("--resume"), "{why}");
        StateFile::open(&path).unwrap().discard();
        assert_eq!(files(top.path()), Vec::<String>::new());
    }
}
