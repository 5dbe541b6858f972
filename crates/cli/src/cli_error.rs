//! Why a command failed: the problem, its location, and advice. The kind of error decides the exit
//! code.
//!
//! Errors that only one part of the binary can meet are an error type of that part, and a variant
//! here.

use crate::check::BasisError;
use crate::compare::RecordedError;
use crate::history_error::HistoryError;
use crate::log_file_error::LogFileError;
use crate::output::{NamedInputError, OutputError};
use crate::promises::PromiseQuestionError;
use crate::promises_file_error::PromisesFileError;
use crate::run::RunRefusal;
use crate::serve::{ListenError, TokenSourceError};
use crate::sweep::CheckpointError;
use fathom_campaign::machine::MachineError;
#[cfg(feature = "kube")]
use fathom_kube::KubeError;
use fathom_report::FileLine;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// Exit code of wrong usage, the same as clap's.
pub const USAGE: u8 = 2;

/// Exit code of a failure.
const FAILED: u8 = 1;

/// Why a library refused or failed, with the sentence that it gives.
type Cause = Box<dyn Error + Send + Sync>;

/// A command that failed.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command line itself is wrong: nothing was looked at or tried.
    #[error("{0}")]
    Usage(Cause),
    /// The campaign crate refused to plan, read or write.
    #[error("{0}")]
    Campaign(Cause),
    /// The machine under test refused or failed.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A required fact about this host is missing.
    #[error(transparent)]
    Host(#[from] fathom_host::HostError),
    /// Signals cannot be listened for.
    #[error("cannot listen for signals: {0}")]
    Signals(#[source] io::Error),
    /// A file with hosts cannot be read.
    #[error("--on: {0}")]
    HostsFile(#[source] fathom_files::InputError),
    /// A cluster refused or failed.
    #[cfg(feature = "kube")]
    #[error(transparent)]
    Kube(#[from] KubeError),
    /// The binary was built without Kubernetes.
    #[cfg(not(feature = "kube"))]
    #[error(
        "this fathom was built without Kubernetes; a package has it, and so has one built with \
         `cargo install --path crates/cli --features kube`"
    )]
    NoKube,
    /// A job file cannot be read.
    #[cfg(feature = "kube")]
    #[error("--fiofile: {0}")]
    JobFile(#[source] fathom_files::InputError),
    /// A file with a patch cannot be read.
    #[cfg(feature = "kube")]
    #[error("--patch: {0}")]
    PatchFile(#[source] fathom_files::InputError),
    /// A file or folder that is named cannot be used.
    #[error("cannot {action} {}: {source}", .path.display())]
    File {
        /// The action that failed: `read`, `write`, `make`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        source: io::Error,
    },
    /// A file that must be new already exists.
    #[error("{} is there already; name another file, or remove it first", .0.display())]
    FileExists(PathBuf),
    /// Where test files are registered is not known.
    #[error("no home is known; set HOME or FATHOM_HOME, or name a DIR")]
    NoHome,
    /// The history cannot be used, or has no such run.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Something that is named cannot be read.
    #[error(transparent)]
    NamedInput(#[from] NamedInputError),
    /// A result cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The rows of `measure --for` are wrong.
    #[error("the rows of --for cannot be read: {0}")]
    Requirements(Cause),
    /// Logs of jobs cannot be written.
    #[error(transparent)]
    LogFile(#[from] LogFileError),
    /// The document of a finished run cannot be serialised.
    #[error("this run is not kept in the history: {0}")]
    NotKept(#[source] serde_json::Error),
    /// Jobs that `fathom run` does not run.
    #[error(transparent)]
    Jobs(#[from] RunRefusal),
    /// A file with promises cannot be used.
    #[error(transparent)]
    PromisesFile(#[from] PromisesFileError),
    /// No promise is meant.
    #[error(transparent)]
    Promise(#[from] PromiseQuestionError),
    /// No limits were found for the volume.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// Earlier results cannot be compared.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// No file was found for the sweep.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// An address cannot be listened on.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// No token was found.
    #[error(transparent)]
    Token(#[from] TokenSourceError),
    /// The system does not return the address on which the page listens.
    #[error(transparent)]
    ListeningAddress(io::Error),
    /// The page's address cannot be printed.
    #[error("cannot write the address to standard output: {0}")]
    Announcement(#[source] io::Error),
    /// The page cannot be served.
    #[error(transparent)]
    Serve(#[from] fathom_web::ServeError),
}

impl CliError {
    /// A usage error with the reason `why`.
    pub fn usage(why: impl Into<Cause>) -> CliError {
        CliError::Usage(why.into())
    }

    /// A refusal or failure of the campaign crate, with the reason `why`.
    pub fn campaign(why: impl Into<Cause>) -> CliError {
        CliError::Campaign(why.into())
    }

    /// The error for a failed `action` on the file or folder `path`.
    pub fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> CliError {
        let path = path.to_owned();
        move |source| CliError::File { action, path: path.clone(), source }
    }

    /// The line of a job file that has the mistake.
    pub fn place(&self) -> Option<FileLine> {
        match self {
            CliError::Jobs(refusal) => refusal.place(),
            _ => None,
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            CliError::Usage(_)
            | CliError::Promise(
                PromiseQuestionError::Unknown(_)
                | PromiseQuestionError::NoVolume
                | PromiseQuestionError::Ambiguous { .. },
            )
            | CliError::Basis(BasisError::UnknownVolume(_)) => USAGE,
            CliError::Jobs(refusal) if refusal.is_usage() => USAGE,
            _ => FAILED,
        }
    }
}
