//! Reading `proc` and `sys`: every query uses these functions, so that the root folder is always
//! respected.

use crate::{Host, HostError};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

impl Host {
    /// A path of the machine as a path that can be opened here.
    pub(crate) fn locate(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.root().join(path.strip_prefix("/").unwrap_or(path))
    }

    /// The bytes of a file that the answer cannot do without.
    pub(crate) fn bytes(&self, path: impl AsRef<Path>) -> Result<Vec<u8>, HostError> {
        let path = self.locate(path);
        fs::read(&path).map_err(|source| HostError::Read { path, source })
    }

    /// A small file's text without the white space around it; `None` if absent or empty.
    pub(crate) fn text(&self, path: impl AsRef<Path>) -> Option<String> {
        let bytes = fs::read(self.locate(path)).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A small file's text as a number.
    pub(crate) fn number<T: FromStr>(&self, path: impl AsRef<Path>) -> Option<T> {
        self.text(path)?.parse().ok()
    }

    /// A small file with 0 or 1; a missing one is `false`.
    pub(crate) fn flag(&self, path: impl AsRef<Path>) -> bool {
        self.number::<u64>(path).is_some_and(|value| value != 0)
    }

    /// The names in a folder, sorted; empty if there is no such folder.
    pub(crate) fn names(&self, path: impl AsRef<Path>) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.locate(path)) else { return Vec::new() };
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.flatten().map(name).collect();
        names.sort();
        names
    }

    /// Whether the file or folder exists.
    pub(crate) fn has(&self, path: impl AsRef<Path>) -> bool {
        self.locate(path).exists()
    }
}
