//! What keeps a run from starting, or a job from going on.

use std::path::PathBuf;

/// Why a run, or one job of it, could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A job says too little or asks for what cannot be.
    #[error("fio: job {job} ({origin}): {message}")]
    Job {
        /// Name of the job.
        job: String,
        /// Where it was begun.
        origin: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// A write target is in use.
    #[error("fio: {path} {why}. Writing to it would destroy that; {remedy}", path = path.display())]
    InUse {
        /// The device.
        path: PathBuf,
        /// What uses it.
        why: String,
        /// What to do.
        remedy: String,
    },
    /// A file would have to be made or to grow, and nothing may be written.
    #[error("fio: refusing {what} of file due to read-only: {path} {why}; drop --readonly, or \
             {remedy}", path = path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// `create` or `extend`.
        what: &'static str,
        /// What it is, and what the job needs.
        why: String,
        /// What to do instead.
        remedy: &'static str,
    },
    /// A file that the command holds is no longer what its path leads to.
    #[error(
        "fio: {path}: {what} is there now instead of the {}; this run has written nothing to it. \
         Somebody replaced it: look at who can write in that folder",
        if *.ours { "test file that was made there" } else { "file or device that was there" },
        path = path.display()
    )]
    Replaced {
        /// Where it was.
        path: PathBuf,
        /// What is there now.
        what: &'static str,
        /// Whether it was a test file of ours.
        ours: bool,
    },
    /// An operation on a file failed.
    #[error("fio: {path}: {what}: {source}{hint}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What the system said.
        source: std::io::Error,
        /// What to do, beginning with a separator; may be empty.
        hint: String,
    },
    /// An engine could not be set up.
    #[error("fio: job {job}: {message}")]
    Engine {
        /// Name of the job.
        job: String,
        /// What failed, why, what to do.
        message: String,
        /// Error number.
        errno: i32,
    },
    /// A signal arrived while setting up.
    #[error("fio: interrupted while {0}")]
    Interrupted(&'static str),
}

impl RunError {
    /// A job that cannot be done as asked.
    pub(crate) fn job(job: &fathom_job::JobSpec, message: impl Into<String>) -> RunError {
        RunError::Job {
            job: job.name.clone(),
            origin: job.origin.to_string(),
            message: message.into(),
        }
    }

    /// A file operation that failed, with a hint where the error number has a usual cause.
    pub(crate) fn file(
        path: &std::path::Path,
        what: &'static str,
        source: std::io::Error,
    ) -> RunError {
        let hint = hint_for(&source);
        RunError::File { path: path.to_owned(), what, source, hint }
    }

    /// The error number that the job's result carries.
    pub fn errno(&self) -> i32 {
        match self {
            RunError::File { source, .. } => source.raw_os_error().unwrap_or(5),
            // A failure without a number of its own still is one.
            RunError::Engine { errno: 0, .. } => 22,
            RunError::Engine { errno, .. } => *errno,
            RunError::InUse { .. } => 16,
            // fio's numbers, from its attempt to go on: ENOENT and EIO.
            RunError::ReadOnly { what: "create", .. } => 2,
            RunError::ReadOnly { .. } => 5,
            RunError::Replaced { .. } => 116,
            RunError::Job { .. } => 22,
            RunError::Interrupted(_) => 4,
        }
    }
}

/// What to do where a file may not become so large (EFBIG).
pub(crate) const FILE_SIZE_LIMIT: &str =
    "; raise the file size limit (ulimit -f), or give a smaller size";

fn hint_for(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    let hint = match error.kind() {
        ErrorKind::NotFound => "; check the path, or make the folder first",
        ErrorKind::PermissionDenied => "; run as a user who may, or choose another target",
        ErrorKind::StorageFull => "; free some space, or give a smaller size=",
        ErrorKind::FileTooLarge => FILE_SIZE_LIMIT,
        ErrorKind::ReadOnlyFilesystem => "; the file system is mounted read-only",
        _ => "",
    };
    hint.to_owned()
}
