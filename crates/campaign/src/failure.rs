//! Why a trial has no figures, decided and worded in one place, so that all documents agree.

use fathom_document::STOPPED;
use fathom_stats::RunResult;

/// Why an ended run has no figures; none if it has some. A job's error outweighs its partial
/// result.
pub(crate) fn failure_of(result: &RunResult, has_figures: bool, cut_short: bool) -> Option<String> {
    if let Some(job) = result.jobs.iter().find(|job| job.error.is_error()) {
        return Some(job.error_text.clone());
    }
    let why = match (has_figures, cut_short) {
        (true, _) => return None,
        (false, true) => STOPPED,
        (false, false) => "no I/O completed in time: the volume may be stuck, or --time too short",
    };
    Some(why.to_owned())
}
