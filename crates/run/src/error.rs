//! Errors that prevent a run from starting, or a job from continuing.
//!
//! An error is its kind and its fields, owned and serialisable, so that it is the same on any
//! machine. Its text names no program: the printing code adds the name.

use fathom_text::Text;
use fathom_vocab::ErrorNumber;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Why a run, or one job of it, could not be set up.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunError {
    /// A job is incomplete or requests something impossible.
    #[error("job {job} ({origin}): {message}")]
    Job {
        /// Name of the job.
        job: String,
        /// Its source.
        origin: String,
        /// The problem, and advice.
        message: String,
    },
    /// A write target is in use.
    #[error("{path} {why}. Writing to it would destroy that; {remedy}", path = path.display())]
    InUse {
        /// The device.
        #[serde(with = "crate::path_text")]
        path: PathBuf,
        /// Its user.
        why: Text,
        /// Advice.
        remedy: Text,
    },
    /// A file would have to be made or to grow, and nothing may be written.
    #[error("refusing {} of file due to read-only: {path} {why}; drop --readonly, or {remedy}",
            .change.verb(), path = path.display())]
    ReadOnly {
        /// The file.
        #[serde(with = "crate::path_text")]
        path: PathBuf,
        /// The change that it would need.
        change: FileChange,
        /// Its type, and the type that the job needs.
        why: String,
        /// Advice.
        remedy: String,
    },
    /// The path of a held file now leads to another file.
    #[error(
        "{path}: {what} is there now instead of the {}; this run has written nothing to it. \
         Somebody replaced it: look at who can write in that folder",
        if *.ours { "test file that was made there" } else { "file or device that was there" },
        path = path.display()
    )]
    Replaced {
        /// Its path.
        #[serde(with = "crate::path_text")]
        path: PathBuf,
        /// The file there now.
        what: String,
        /// Whether it was a test file of ours.
        ours: bool,
    },
    /// An operation on a file failed.
    #[error("{path}: {what}: {reason}{hint}", path = path.display())]
    File {
        /// The file.
        #[serde(with = "crate::path_text")]
        path: PathBuf,
        /// The failed action.
        what: Text,
        /// The system's error.
        reason: String,
        /// Its number of that.
        number: ErrorNumber,
        /// Advice, beginning with a separator; may be empty.
        hint: Text,
    },
    /// An engine could not be set up.
    #[error("job {job}: {message}")]
    Engine {
        /// Name of the job.
        job: String,
        /// The failure, its reason, and advice.
        message: String,
        /// The error's number; none if the failure has no number.
        number: ErrorNumber,
    },
    /// A signal arrived while setting up.
    #[error("interrupted while {during}")]
    Interrupted {
        /// The operation that failed.
        during: String,
    },
}

/// A change to a file that a run may not make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// Create it.
    Create,
    /// Make it longer.
    Extend,
}

impl FileChange {
    /// The word of fio's message.
    fn verb(self) -> &'static str {
        match self {
            FileChange::Create => "create",
            FileChange::Extend => "extend",
        }
    }
}

impl RunError {
    /// A job that cannot be done as requested.
    pub(crate) fn job(job: &fathom_job::JobSpec, message: impl Into<String>) -> RunError {
        RunError::Job {
            job: job.name.clone(),
            origin: job.origin.to_string(),
            message: message.into(),
        }
    }

    /// A file operation that failed, with a hint if the error number has a usual cause.
    pub(crate) fn file(path: &Path, what: &'static str, error: &std::io::Error) -> RunError {
        RunError::File {
            path: path.to_owned(),
            what: what.into(),
            reason: error.to_string(),
            number: ErrorNumber::of(error).or(ErrorNumber::EIO),
            hint: hint_for(error),
        }
    }

    /// A job whose target, engine or thread the system refused.
    pub(crate) fn engine(
        job: &fathom_job::JobSpec,
        number: ErrorNumber,
        message: impl ToString,
    ) -> RunError {
        RunError::Engine { job: job.name.clone(), number, message: message.to_string() }
    }

    /// A path that leads to something else by now.
    pub(crate) fn replaced(path: &Path, what: &str, ours: bool) -> RunError {
        RunError::Replaced { path: path.to_owned(), what: what.to_owned(), ours }
    }

    /// The error number that the job's result carries.
    pub fn number(&self) -> ErrorNumber {
        match self {
            RunError::File { number, .. } => *number,
            // A failure without a number is still a failure.
            RunError::Engine { number, .. } => number.or(ErrorNumber::EINVAL),
            RunError::InUse { .. } => ErrorNumber::EBUSY,
            // fio's numbers, from its attempt to go on.
            RunError::ReadOnly { change: FileChange::Create, .. } => ErrorNumber::ENOENT,
            RunError::ReadOnly { change: FileChange::Extend, .. } => ErrorNumber::EIO,
            RunError::Replaced { .. } => ErrorNumber::ESTALE,
            RunError::Job { .. } => ErrorNumber::EINVAL,
            RunError::Interrupted { .. } => ErrorNumber::EINTR,
        }
    }
}

/// Advice if a file may not become so large (EFBIG).
pub(crate) const FILE_SIZE_LIMIT: &str =
    "; raise the file size limit (ulimit -f), or give a smaller size";

fn hint_for(error: &std::io::Error) -> Text {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "; check the path, or make the folder first".into(),
        ErrorKind::PermissionDenied => "; run as a user who may, or choose another target".into(),
        ErrorKind::StorageFull => "; free some space, or give a smaller size=".into(),
        ErrorKind::FileTooLarge => FILE_SIZE_LIMIT.into(),
        ErrorKind::ReadOnlyFilesystem => "; the file system is mounted read-only".into(),
        _ => Text::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_vocab::NumberedError;

    fn every_kind() -> Vec<RunError> {
        let full = NumberedError::new(ErrorNumber::new(28), "no room".to_owned());
        let (path, text) = (PathBuf::from("/mnt/a"), || "x".to_owned());
        vec![
            RunError::Job { job: text(), origin: text(), message: text() },
            RunError::InUse { path: path.clone(), why: text().into(), remedy: text().into() },
            RunError::ReadOnly {
                path: path.clone(),
                change: FileChange::Extend,
                why: text(),
                remedy: text(),
            },
            RunError::replaced(&path, "a device", true),
            RunError::file(&path, "opening the file", &full.into()),
            RunError::Engine { job: text(), message: text(), number: ErrorNumber::NONE },
            RunError::Interrupted { during: text() },
        ]
    }

    #[test]
    fn an_error_is_the_same_on_the_other_side_of_a_wire() {
        for error in every_kind() {
            let sent = serde_json::to_string(&error).unwrap();
            let back: RunError = serde_json::from_str(&sent).unwrap();
            assert_eq!(back, error, "{sent}");
            assert_eq!((back.to_string(), back.number()), (error.to_string(), error.number()));
            assert!(sent.contains("\"kind\":"), "{sent}");
        }
    }

    #[test]
    fn no_text_names_a_program() {
        assert!(every_kind().iter().all(|error| !error.to_string().contains("fio")));
    }

    #[test]
    fn numbers_are_those_that_fio_ends_with() {
        let numbers: Vec<i32> = every_kind().iter().map(|error| error.number().get()).collect();
        assert_eq!(numbers, [22, 16, 5, 116, 28, 22, 4]);
    }
}
