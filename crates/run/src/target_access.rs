//! A job's access to its targets: examining, opening, creating and removing them.
//!
//! A job's engine decides the kind of its targets: paths of the kernel, nothing at all (the null
//! engine), or files of an export. The handles of another system would be a fourth kind: an
//! implementation of [`TargetAccess`] and an arm in `access_choice.rs`. The guard against
//! destroying data uses the number of a file or device ([`FileId`]); a target without one has no
//! other user on this machine.

use crate::error::RunError;
use crate::pins::Pin;
use fathom_engine::{OpenError, OpenHow, TargetHandle};
use fathom_host::{FileId, Host};
use std::fmt::Debug;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The kind of file at a path.
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

/// The state of a target now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetState {
    pub kind: FileKind,
    pub size_bytes: u64,
    /// The number of the file or device on this machine; none if it does not exist or has none.
    pub id: Option<FileId>,
}

impl TargetState {
    /// A file that is to be made.
    pub const ABSENT: TargetState =
        TargetState { kind: FileKind::Regular, size_bytes: 0, id: None };
}

/// Why a path cannot be examined or used.
#[derive(Debug)]
pub(crate) enum LookError {
    /// No job can work on it; the text has advice.
    Unfit(String),
    /// It could not be looked at.
    Failed(RunError),
}

/// One kind of access to targets.
pub(crate) trait TargetAccess: Debug + Send + Sync {
    /// Whether targets are paths of this machine: a job's folders must exist then, and the caller
    /// may hold the file at a path.
    fn has_paths(&self) -> bool;

    /// The name of `path` in messages.
    fn shown(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// The state of `path`, or of the caller's handle on it.
    ///
    /// # Errors
    /// If it cannot be looked at, or is nothing that a job works on.
    fn look(&self, path: &Path, pin: Option<&Pin>) -> Result<TargetState, LookError>;

    /// Opens `path`; none if the engine needs no open file.
    ///
    /// # Errors
    /// The system's error, with advice.
    fn open(&self, path: &Path, how: &OpenHow) -> Result<Option<TargetHandle>, OpenError>;

    /// The number of an open target on this machine, if it has one.
    ///
    /// # Errors
    /// If the system does not return it.
    fn identity(&self, target: &TargetHandle) -> io::Result<Option<FileId>>;

    /// Whether something is at `path`.
    fn exists(&self, path: &Path) -> bool;

    /// Opens a file to be laid out, and creates it if `create` is set and it does not exist. Its
    /// folder must exist: see [`TargetAccess::make_folder_of`].
    ///
    /// # Errors
    /// The system's error.
    fn open_for_layout(&self, path: &Path, create: bool) -> io::Result<TargetHandle>;

    /// Makes the folder that a file shall be in.
    ///
    /// # Errors
    /// If that cannot be done.
    fn make_folder_of(&self, path: &Path) -> Result<(), RunError>;

    /// The NFS server that `path` is on; none if it is on none, or if that is not known.
    fn server(&self, host: &Host, path: &Path) -> Option<SocketAddr> {
        let _ = (host, path);
        None
    }

    /// Removes a file.
    ///
    /// # Errors
    /// The system's error; `NotFound` if it does not exist.
    fn remove(&self, path: &Path) -> io::Result<()>;
}
