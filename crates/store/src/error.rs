//! Errors of a history, in sentences with problem, location and advice.
//!
//! SQLite often only says "unable to open" or "disk I/O error". Then a small test file is written
//! to the folder: the system's own error distinguishes a full disk from a read-only one.

use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType};
use rusqlite::ErrorCode;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::str::Utf8Error;
use std::time::Duration;

/// How long a statement waits for another program that writes.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Why the history could not be used. Its earlier content is intact in every case.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is something else.
    #[error(
        "{path} is no history: it is not an SQLite database. It was left as it is; move it away \
         or keep the history elsewhere"
    )]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is a database of another program.
    #[error(
        "{path} is an SQLite database, but no history of Fathom's. It was left as it is; move it \
         away or keep the history elsewhere"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was made by a newer Fathom.
    #[error(
        "{path} has schema {found} and this Fathom knows up to {known}: a newer one made it. It \
         was left as it is; use that one, or keep the history elsewhere"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The highest that is known here.
        known: u32,
    },
    /// The file or its folder may only be read.
    #[error(
        "{path} cannot be written: {why}. Earlier runs are whole; make it writable, or keep the \
         history elsewhere"
    )]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// The system's error.
        why: String,
    },
    /// No space is left.
    #[error(
        "there is no space left for {path}. Earlier runs are whole; free some space there, or \
         keep the history elsewhere"
    )]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Another program locked it for too long.
    #[error(
        "{path} is in use: another program has been writing to it for more than {waited_s} s. \
         Earlier runs are whole; try again when it has ended"
    )]
    Busy {
        /// The file.
        path: PathBuf,
        /// How long was waited, in seconds.
        waited_s: u64,
    },
    /// The file is damaged.
    #[error(
        "{path} is damaged: {what}. Copy it away before anything else; other runs may still be \
         readable"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Its actual content.
        what: String,
    },
    /// No run has that name.
    #[error("no run is called {prefix:?}; `fathom history` lists them")]
    NoRun {
        /// The requested name.
        prefix: String,
    },
    /// Several go by that name.
    #[error("{prefix:?} could be {}; give more digits", .candidates.join(", "))]
    Ambiguous {
        /// The requested name.
        prefix: String,
        /// Some of those it could be.
        candidates: Vec<String>,
    },
    /// The input of an import is invalid.
    #[error("line {line}: {source}. Nothing was imported")]
    Import {
        /// Which line, from 1.
        line: usize,
        /// The error.
        source: ExportedLineError,
    },
    /// A document is too large to be stored.
    #[error(
        "the document has {bytes} bytes, and {} MiB are kept at most; measure in smaller parts",
        crate::run::LARGEST_DOCUMENT_BYTES >> 20
    )]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// The path of the history is not a file.
    #[error("{path} is {kind}, not a file; move it away or keep the history elsewhere")]
    NoFile {
        /// The path.
        path: PathBuf,
        /// `a folder`, `a pipe`.
        kind: &'static str,
    },
    /// Reading or writing beside the database failed.
    #[error("cannot {doing}: {source}")]
    Io {
        /// The failed action.
        doing: String,
        /// The system's error.
        source: io::Error,
    },
    /// Any other error of SQLite.
    #[error("{path} cannot be used: {source}. Earlier runs are whole")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
}

/// An error in a line of an import.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportedLineError {
    /// The first line is of something else.
    #[error("this is not what `fathom history export` writes")]
    Foreign,
    /// The first line is of another document of ours.
    #[error("this is {found:?}, not the {known:?} that `fathom history export` writes")]
    OtherKind {
        /// Its kind.
        found: String,
        /// The kind of exports.
        known: &'static str,
    },
    /// A newer Fathom wrote it.
    #[error(
        "its schema is {found} and this Fathom knows up to {known}: import it with a newer one"
    )]
    Newer {
        /// Its schema version.
        found: u32,
        /// The highest that is known here.
        known: u32,
    },
    /// The file is empty.
    #[error("there is nothing")]
    Nothing,
    /// It is no text.
    #[error(transparent)]
    NoText(#[from] Utf8Error),
    /// It is longer than any run.
    #[error("a run has {most_mib} MiB at most")]
    TooLong {
        /// The most that a line may have.
        most_mib: u64,
    },
    /// It is no run.
    #[error("no exported run: {0}")]
    NoRun(#[from] serde_json::Error),
    /// Its run has no name that we give.
    #[error("no run is called {0:?}")]
    Name(String),
    /// It has two documents, or none.
    #[error("a run has one document")]
    Documents,
    /// Its document cannot be stored.
    #[error(transparent)]
    Document(Box<StoreError>),
}

impl StoreError {
    /// The meaning of SQLite's error for the history at `path`.
    pub(crate) fn of(path: &Path, source: rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        if matches!(source, FromSqlConversionFailure(..) | InvalidColumnType(..)) {
            return StoreError::Damaged { path, what: source.to_string() };
        }
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::NotADatabase { path },
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::Busy { path, waited_s: BUSY_TIMEOUT.as_secs() }
            }
            Some(ErrorCode::DatabaseCorrupt) => {
                StoreError::Damaged { path, what: source.to_string() }
            }
            Some(ErrorCode::ReadOnly) => StoreError::read_only(&path),
            Some(ErrorCode::CannotOpen | ErrorCode::SystemIoFailure) => match asked(&path) {
                Some(error) => StoreError::of_io(&path, "open", error),
                None => StoreError::Sqlite { path, source },
            },
            _ => StoreError::Sqlite { path, source },
        }
    }

    /// The history at `path` may only be read, for the reason that the system gives.
    pub(crate) fn read_only(path: &Path) -> StoreError {
        match asked(path) {
            Some(error) => StoreError::of_io(path, "write", error),
            None => StoreError::ReadOnly {
                path: path.to_owned(),
                why: "the file may only be read".to_owned(),
            },
        }
    }

    /// The meaning of the system's error for the history at `path`, during `doing`.
    pub(crate) fn of_io(path: &Path, doing: &str, source: io::Error) -> StoreError {
        let path = path.to_owned();
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full { path },
            ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
                StoreError::ReadOnly { path, why: source.to_string() }
            }
            _ => StoreError::Io { doing: format!("{doing} {}", path.display()), source },
        }
    }
}

/// More than a file system stores outside its blocks, so that a full one fails.
const PROBE_BYTES: usize = 64 << 10;

/// Why nothing can be written where `path` is; `None` if something can.
fn asked(path: &Path) -> Option<io::Error> {
    if path.is_dir() {
        return Some(ErrorKind::IsADirectory.into());
    }
    let folder = path.parent()?;
    let probe = folder.join(format!(".fathom-probe-{}", std::process::id()));
    let write = || -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&probe)?;
        file.write_all(&[0; PROBE_BYTES])
    };
    let asked = write();
    if !matches!(&asked, Err(error) if error.kind() == ErrorKind::AlreadyExists) {
        let _ = fs::remove_file(&probe);
    }
    asked.err()
}
