//! How a job reaches what it names: what is there, and how it is opened, made and removed.
//!
//! A job's engine decides which kind of target it has. Paths of the kernel are one, nothing at all
//! (the null engine) is another, files of an export that an engine speaks to by itself a third; the
//! handles of another system would be a fourth: an implementation of [`TargetAccess`] and an arm in
//! `access_choice.rs`. What guards a target from being destroyed goes by the number of a file or
//! device ([`FileId`]); a target without one is nobody else's on this machine.

use crate::error::RunError;
use crate::pins::Pin;
use fathom_engine::{OpenError, OpenHow, TargetHandle};
use fathom_host::FileId;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

/// What stands behind a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// A regular file, there or to be made.
    Regular,
    /// A block device.
    Block,
    /// Some other special file, such as `/dev/null`.
    Special,
    /// Nothing: the engine has no files.
    Imaginary,
}

/// What is there now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetState {
    pub kind: FileKind,
    pub size_bytes: u64,
    /// Which file or device of this machine it is; none where it is not there, or is none.
    pub id: Option<FileId>,
}

impl TargetState {
    /// A file that is to be made.
    pub const ABSENT: TargetState =
        TargetState { kind: FileKind::Regular, size_bytes: 0, id: None };
}

/// Why nothing can be said of a path, or nothing be done with it.
#[derive(Debug)]
pub(crate) enum LookError {
    /// It is something that no job works on; in words, with what to do.
    Unfit(String),
    /// It could not be looked at.
    Failed(RunError),
}

/// One way to targets.
pub(crate) trait TargetAccess: Debug + Send + Sync {
    /// Whether targets are paths of this machine: a job's folders have to be there then, and the
    /// caller may hold what is at a path.
    fn has_paths(&self) -> bool;

    /// What is at `path`, as messages name it.
    fn shown(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// What is at `path`, or behind the hold that the caller has on it.
    ///
    /// # Errors
    /// Where it cannot be looked at, or is nothing that a job works on.
    fn look(&self, path: &Path, pin: Option<&Pin>) -> Result<TargetState, LookError>;

    /// Opens what is at `path`; none where the engine needs nothing open.
    ///
    /// # Errors
    /// With what the system says and what to do.
    fn open(&self, path: &Path, how: &OpenHow) -> Result<Option<TargetHandle>, OpenError>;

    /// Which file or device of this machine an open target is, if it is one.
    ///
    /// # Errors
    /// Where the system does not say.
    fn identity(&self, target: &TargetHandle) -> io::Result<Option<FileId>>;

    /// Whether something is at `path`.
    fn exists(&self, path: &Path) -> bool;

    /// Opens a file to be laid out, and makes it where `create` says so and it is not there. Its
    /// folder has to be there: see [`TargetAccess::make_folder_of`].
    ///
    /// # Errors
    /// What the system says.
    fn open_for_layout(&self, path: &Path, create: bool) -> io::Result<TargetHandle>;

    /// Makes the folder that a file shall be in.
    ///
    /// # Errors
    /// Where that cannot be done.
    fn make_folder_of(&self, path: &Path) -> Result<(), RunError>;

    /// Removes a file.
    ///
    /// # Errors
    /// What the system says; `NotFound` where none is there.
    fn remove(&self, path: &Path) -> io::Result<()>;
}
