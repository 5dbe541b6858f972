//! Errors of the history, or of a run in it.

use fathom_store::StoreError;
use std::path::PathBuf;

/// Why the history cannot be used, or a run of it.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The environment names no folder.
    #[error("there is no place for it, since HOME is not set: set FATHOM_HOME to a folder")]
    NoHome,
    /// The history cannot be read or written, or has no such run.
    #[error("{source}{}", advice(source))]
    Store {
        #[from]
        source: StoreError,
    },
    /// No history exists yet.
    #[error("no run is kept in {} yet", .0.display())]
    Empty(PathBuf),
    /// The newest run was requested, and the history is empty.
    #[error("no run is kept in the history yet; measure first, or name a file of results")]
    NothingKept,
    /// A run was named, and no history exists yet.
    #[error("no run is called {0:?}, and no history is kept yet")]
    NothingKeptOf(String),
    /// The newest run is meant, and all go on, were stopped or have no figures.
    #[error("no run of the history has ended with figures yet; `fathom history` lists them")]
    NoneEnded,
    /// A run was killed.
    #[error("the run {0} was killed before it had a result; measure again")]
    Killed(String),
    /// The run has not ended.
    #[error("the run {0} still runs and has no result yet; wait for its end")]
    Running(String),
    /// A document was written by something else.
    #[error("the run's document is no JSON: {0}")]
    Document(#[source] serde_json::Error),
    /// Runs are written to a new file.
    #[error("{} is there already; name another file, or remove it first", .0.display())]
    FileExists(PathBuf),
    /// Runs could not be written to a file.
    #[error("{}: {source}{}; nothing is left of it", .path.display(), advice(source))]
    Export { path: PathBuf, source: StoreError },
    /// Runs could not be read from a file.
    #[error("{}: {source}{}", .path.display(), advice(source))]
    Import { path: PathBuf, source: StoreError },
}

impl HistoryError {
    /// No run has that name.
    pub fn no_run(id: &str) -> HistoryError {
        StoreError::NoRun { prefix: id.to_owned() }.into()
    }
}

/// Advice on another folder, if the history may need one.
fn advice(error: &StoreError) -> &'static str {
    match error {
        StoreError::NotADatabase { .. }
        | StoreError::Foreign { .. }
        | StoreError::Newer { .. }
        | StoreError::ReadOnly { .. }
        | StoreError::Full { .. }
        | StoreError::NoFile { .. } => " (FATHOM_HOME names its folder)",
        _ => "",
    }
}
