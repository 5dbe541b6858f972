//! [`Host`]: where the answers are read from, and the three ways of reading.
//!
//! Every other file of this crate adds questions to `Host` and asks through these functions, so
//! that the root folder is honoured everywhere.

use crate::{FileId, HostError};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Asks an open loop device which file or device stands behind it. It takes a call for which this
/// crate has no safe way: who has one passes it in ([`Host::with_loops`]).
pub type LoopReader = fn(&File) -> io::Result<FileId>;

/// A machine to ask: the real one, or one laid out under a folder.
#[derive(Clone, Debug)]
pub struct Host {
    root: PathBuf,
    real: bool,
    loops: Option<LoopReader>,
}

impl Default for Host {
    fn default() -> Self {
        Host::real()
    }
}

impl Host {
    /// The machine that the program runs on.
    pub fn real() -> Self {
        Host { root: PathBuf::from("/"), real: true, loops: None }
    }

    /// A machine whose `proc`, `sys` and `etc` lie under `root`.
    ///
    /// Paths are compared as text there: nothing is looked up in the real file system.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Host { root: root.into(), real: false, loops: None }
    }

    /// The same, with what stands behind loop devices asked of them by `reader`: by number, which
    /// neither a new name nor a removal changes. Without it the names in sysfs have to do.
    #[must_use]
    pub fn with_loops(self, reader: LoopReader) -> Self {
        Host { loops: Some(reader), ..self }
    }

    /// What reads loop devices, where they may be asked.
    pub(crate) fn loop_reader(&self) -> Option<LoopReader> {
        self.loops.filter(|_| self.real)
    }

    /// Whether the kernel may be asked by calls, not only by files.
    pub fn is_real(&self) -> bool {
        self.real
    }

    /// Refuses a question that only the running kernel answers.
    pub(crate) fn must_be_real(&self, what: &'static str) -> Result<(), HostError> {
        if self.real {
            return Ok(());
        }
        Err(HostError::NotReal { what, root: self.root.clone() })
    }

    /// A path of the machine as a path that can be opened here.
    pub(crate) fn locate(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.root.join(path.strip_prefix("/").unwrap_or(path))
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

    /// A small file that holds 0 or 1; absent is `false`.
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

    /// Whether the file or folder is there.
    pub(crate) fn has(&self, path: impl AsRef<Path>) -> bool {
        self.locate(path).exists()
    }
}

/// Serialises a path with its undecodable bytes replaced: a report must not fail because a mount
/// point is not UTF-8.
pub(crate) fn lossy<S: serde::Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&String::from_utf8_lossy(path.as_os_str().as_bytes()))
}

/// As [`lossy`], for a path that may be missing.
pub(crate) fn lossy_option<S: serde::Serializer>(
    path: &Option<PathBuf>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => lossy(path, to),
        None => to.serialize_none(),
    }
}
