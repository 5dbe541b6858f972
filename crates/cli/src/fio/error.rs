//! Why the drop-in could not begin. Programs search for messages that begin with `fio:`.

use crate::job_logs::LogFileError;
use fathom_campaign::machine::MachineError;
use std::io;
use std::path::PathBuf;

/// Why the drop-in could not begin.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum DropInError {
    /// There are no jobs.
    #[error("fio: no jobs to run; name a job file, or a job with --name=")]
    NoJobs,
    /// Logs of other hosts.
    #[error(
        "fio: job logs are written where the jobs run, and with --client that is elsewhere; leave \
         out write_*_log, or run `fio` on that host"
    )]
    ClientLogs,
    /// A host could not be measured on.
    #[error("fio: {0}")]
    Machine(#[from] MachineError),
    /// A log could not be written.
    #[error("fio: {0}")]
    LogFile(#[from] LogFileError),
    /// The output could not be written.
    #[error("fio: --output={}: {source}; the folder must be there and take files", .path.display())]
    Output { path: PathBuf, source: io::Error },
    /// Signals cannot be listened for.
    #[error("fio: cannot listen for signals: {0}")]
    Signals(#[source] io::Error),
}
