//! Why a command failed: what went wrong, where, and what to do. The kind decides the exit code.
//!
//! What only one part of the binary meets is an error type of that part, and a variant here.

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
use fathom_kube::KubeError;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// Exit code of a command line that asks for what cannot be, as clap's own.
const USAGE: u8 = 2;

/// Exit code of what was tried and failed.
const FAILED: u8 = 1;

/// Why a library refused or failed, with the sentence that it gives.
type Cause = Box<dyn Error + Send + Sync>;

/// A command that failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command line itself is wrong: nothing was looked at or tried.
    #[error("{0}")]
    Usage(Cause),
    /// What was asked cannot be planned, read or written by the campaign.
    #[error("{0}")]
    Campaign(Cause),
    /// The machine under test refused or failed.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// This host does not say what is needed of it.
    #[error(transparent)]
    Host(#[from] fathom_host::HostError),
    /// Signals cannot be listened for.
    #[error("cannot listen for signals: {0}")]
    Signals(#[source] io::Error),
    /// A file with hosts cannot be read.
    #[error("--on: {0}")]
    HostsFile(#[source] fathom_files::InputError),
    /// A cluster refused or failed.
    #[error(transparent)]
    Kube(#[from] KubeError),
    /// A job file cannot be read.
    #[error("--fiofile: {0}")]
    JobFile(#[source] fathom_files::InputError),
    /// A file with a patch cannot be read.
    #[error("--patch: {0}")]
    PatchFile(#[source] fathom_files::InputError),
    /// A file or folder that is named cannot be used.
    #[error("cannot {action} {}: {source}", .path.display())]
    File {
        /// What was to be done: `read`, `write`, `make`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// As the system says it.
        source: io::Error,
    },
    /// A file that must be new is there.
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
    /// A run is over, and cannot be kept.
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
    /// There is nothing to hold a volume to.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// What was measured before cannot be compared.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// A sweep has no file to be kept in.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// An address cannot be listened on.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// There is no token to ask for.
    #[error(transparent)]
    Token(#[from] TokenSourceError),
    /// The system does not say where the page listens.
    #[error(transparent)]
    ListeningAddress(io::Error),
    /// Nobody can be told where the page is.
    #[error("cannot write the address to standard output: {0}")]
    Announcement(#[source] io::Error),
    /// The page cannot be served.
    #[error(transparent)]
    Serve(#[from] fathom_web::ServeError),
}

impl CliError {
    /// The command line itself is wrong, for the reason that `why` says.
    pub fn usage(why: impl Into<Cause>) -> CliError {
        CliError::Usage(why.into())
    }

    /// The campaign refused or failed, for the reason that `why` says.
    pub fn campaign(why: impl Into<Cause>) -> CliError {
        CliError::Campaign(why.into())
    }

    /// What to say where `action` on the file or folder `path` failed.
    pub fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> CliError {
        let path = path.to_owned();
        move |source| CliError::File { action, path: path.clone(), source }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            CliError::Usage(_) => USAGE,
            _ => FAILED,
        }
    }
}
