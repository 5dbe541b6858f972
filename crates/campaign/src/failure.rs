//! Why a run has no figures, decided and worded in one place: every document keeps the same words.

use fathom_stats::RunResult;
use thiserror::Error;

/// Why a run of a phase or a case has no figures.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunFailure {
    /// Something went wrong; in words.
    #[error("{0}")]
    Failed(String),
    /// It was stopped before anything was measured.
    #[error("stopped before anything was measured")]
    Stopped,
}

impl RunFailure {
    /// Why there are no figures, as documents keep it.
    pub(crate) fn text<F>(figures: &Result<F, RunFailure>) -> Option<String> {
        figures.as_ref().err().map(ToString::to_string)
    }
}

/// The figures of a run that has ended, or why it has none: an error of a job counts more than
/// what was measured until then.
pub(crate) fn figures_of<F>(
    result: &RunResult,
    figures: Option<F>,
    cut_short: bool,
) -> Result<F, RunFailure> {
    if let Some(job) = result.jobs.iter().find(|job| job.error.is_error()) {
        return Err(RunFailure::Failed(job.error_text.clone()));
    }
    figures.ok_or_else(|| match cut_short {
        true => RunFailure::Stopped,
        false => {
            let why = "no I/O completed in time: the volume may be stuck, or --time too short";
            RunFailure::Failed(why.to_owned())
        }
    })
}
