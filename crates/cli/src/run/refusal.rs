//! Why `fathom run` refuses jobs.

use super::job_place::{line_in, line_of};
use crate::cli_error::CliError;
use fathom_job::{ErrorKind, JobError, Origin};
use fathom_report::FileLine;
use fathom_run::RunError;
use fathom_vocab::{Direction, NfsUrlError};
use std::ffi::OsString;
use std::path::PathBuf;

/// Why `fathom run` does not run jobs.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum RunRefusal {
    /// An argument is no text.
    #[error("the argument {0:?} is not UTF-8; rename what it names")]
    NotUtf8(OsString),
    /// The jobs cannot be read.
    #[error("{}", .0.sentence())]
    Jobs(#[from] JobError),
    #[error("no jobs to run; name a job file, or a job with --name=")]
    NoJobs,
    /// An invalid export URL.
    #[error("{url}: {why}")]
    Export { url: String, why: NfsUrlError },
    /// More than one export.
    #[error("jobs run on one export at a time, and several are named; leave out all but one")]
    SeveralExports,
    /// Something that only the drop-in does.
    #[error("{0} is fio's own: use `fathom fio` for it, or here --json")]
    FioOnly(&'static str),
    /// A run that ends when its figures are steady, and jobs that wait for the end of others.
    #[error(
        "--steady ends the whole run, and here jobs wait for each other (stonewall); run one part \
         at a time with --section"
    )]
    SteadyTurns,
    /// Logs of several machines.
    #[error(
        "job logs are written for one host, and --on names several; leave out one or the other"
    )]
    LogsOfSeveral,
    /// An assertion on a job that does not exist.
    #[error(
        "--assert {job}:… is about no job of this run; its jobs are {}",
        names.join(", ")
    )]
    AssertedJob {
        /// The name as typed.
        job: String,
        /// The names of the jobs.
        names: Vec<String>,
    },
    /// An assertion on I/Os that its jobs do not make.
    #[error(
        "--assert {assertion}: no {} is made by {}; begin the figure with {}, or leave the \
         direction out",
        asserted.name(),
        jobs.join(", "),
        made.join(" or ")
    )]
    AssertedDirection {
        /// As typed, without the name of a job.
        assertion: String,
        asserted: Direction,
        /// The jobs that it is about.
        jobs: Vec<String>,
        /// The beginnings of figures of the I/Os that they make.
        made: Vec<String>,
    },
    /// A job file without a job.
    #[error("{} has no job: begin one with its name in brackets, as [job1]", .0.display())]
    EmptyFile(PathBuf),
    /// The run would destroy data, or could not begin.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl RunRefusal {
    /// The failure of a command with these jobs.
    pub fn failure(self) -> CliError {
        let place = self.place();
        let why = if self.is_usage() { CliError::usage(self) } else { self.into() };
        why.at(place)
    }

    /// The line of a job file that has the mistake.
    fn place(&self) -> Option<FileLine> {
        match self {
            RunRefusal::Jobs(error) => line_of(&error.origin),
            RunRefusal::Run(RunError::Job { origin, .. }) => line_in(origin),
            RunRefusal::EmptyFile(path) => {
                Some(FileLine { file: path.display().to_string(), line: 1 })
            }
            _ => None,
        }
    }

    /// Whether the command line itself is wrong, and not a job file or what the jobs work on.
    fn is_usage(&self) -> bool {
        match self {
            RunRefusal::Jobs(error) => is_mistyped(error),
            RunRefusal::NoJobs
            | RunRefusal::FioOnly(_)
            | RunRefusal::Export { .. }
            | RunRefusal::SeveralExports
            | RunRefusal::SteadyTurns
            | RunRefusal::LogsOfSeveral
            | RunRefusal::AssertedJob { .. }
            | RunRefusal::AssertedDirection { .. } => true,
            RunRefusal::NotUtf8(_) | RunRefusal::EmptyFile(_) | RunRefusal::Run(_) => false,
        }
    }
}

/// Whether a word of the command line is no option, or no value of one.
fn is_mistyped(error: &JobError) -> bool {
    let mistyped = matches!(
        error.kind,
        ErrorKind::UnknownOption | ErrorKind::BadValue | ErrorKind::CommandLine
    );
    mistyped && matches!(error.origin, Origin::CommandLine(_))
}
