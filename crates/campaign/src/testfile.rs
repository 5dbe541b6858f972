//! Test files that cannot outlive the measurement, and never were anyone else's.
//!
//! A file is ours because we made it: `O_EXCL` refuses one that is there already, so that what
//! the guard removes at its end is never somebody's data. The names are also kept in a list that
//! a signal handler's thread can clear, for the case that an I/O never returns.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The files that are there now; shared with whoever must clear them in an emergency.
#[derive(Clone, Debug, Default)]
pub struct TestFiles {
    paths: Arc<Mutex<Vec<PathBuf>>>,
}

impl TestFiles {
    /// Makes a file that is not there yet; it goes with the guard that is given back.
    ///
    /// # Errors
    /// What the system says; `AlreadyExists` where something is at that path.
    pub fn create(&self, path: &Path) -> io::Result<TestFile> {
        // Before the file is there: whoever clears the list meanwhile must not miss it.
        let mut list = self.list();
        OpenOptions::new().write(true).create_new(true).open(path)?;
        // An absolute path still names the file if the working folder should change.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        list.push(path.clone());
        drop(list);
        Ok(TestFile { path, files: self.clone() })
    }

    /// Removes every file that is still there; gives those that could not be.
    pub fn remove_all(&self) -> Vec<PathBuf> {
        // Held until they are gone: a guard that found the list empty would let the process end
        // before they are.
        let mut list = self.list();
        list.drain(..).filter(|path| !remove(path)).collect()
    }

    fn list(&self) -> std::sync::MutexGuard<'_, Vec<PathBuf>> {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file that is removed when this goes, whether by the end, an error or a panic.
#[derive(Debug)]
pub struct TestFile {
    path: PathBuf,
    files: TestFiles,
}

impl TestFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let mut list = self.files.list();
        // Cleared already in an emergency: what is at that path now is not ours.
        let Some(at) = list.iter().position(|path| *path == self.path) else { return };
        list.swap_remove(at);
        // Under the lock: a file that is off the list and still there would outlive an emergency.
        remove(&self.path);
    }
}

fn remove(path: &Path) -> bool {
    match fs::remove_file(path) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_goes_with_its_guard_also_in_a_panic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let files = TestFiles::default();
        drop(files.create(&path).unwrap());
        assert!(!path.exists());
        let panicked = std::panic::catch_unwind(|| {
            let _file = files.create(&path).unwrap();
            assert!(path.exists());
            panic!("on purpose");
        });
        assert!(panicked.is_err() && !path.exists());
    }

    #[test]
    fn what_was_there_is_neither_taken_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("precious");
        fs::write(&path, "data").unwrap();
        let error = TestFiles::default().create(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"data");
    }

    #[test]
    fn a_file_cleared_in_an_emergency_is_not_removed_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let files = TestFiles::default();
        let guard = files.create(&path).unwrap();
        assert!(files.remove_all().is_empty());
        assert!(!path.exists());
        fs::write(&path, "another program's").unwrap();
        drop(guard);
        assert!(path.exists());
    }
}
