//! From measurements to verdicts: eight questions, each with an answer and its evidence in a
//! sentence.
//!
//! Is it steady? How certain is the mean? Is it capped? Was it a burst? Was it a cache? Was it the
//! client? Did its connections, or those of a network mount, behave alike? What would users have
//! felt at that rate? `fathom-analysis` makes the findings; this module decides which questions a
//! run can answer, over which intervals, and how prominent an answer may be. Runs too short for a
//! question are not judged: "not enough to tell" is stored with the other answers and shown only in
//! the full output.

mod client;
mod connections;
mod context;
mod data;
mod device;
mod level;
mod limits;
mod mount;
mod mount_counts;
mod observe;
mod pace;
mod volume;

pub(crate) use connections::is_interrupted;
pub use context::{ClientFacts, Context, RateLimit};
pub use fathom_document::verdicts::{Answer, Verdict, Weight, summary};
pub(crate) use level::{CapQuestion, cap};
pub use mount_counts::MountCounts;
pub use observe::{ClientObservation, HostWatch, LimitUse, Observed};
pub(crate) use volume::over_phases;

use fathom_document::verdicts::ordered;
use fathom_stats::RunResult;

/// All verdicts on a run whose jobs ran side by side, the worst first.
pub fn judge(result: &RunResult, context: &Context) -> Vec<Verdict> {
    let caches = data::answers(result, context);
    let client = client::answer(result, context);
    let mut answers =
        level::answers(result, context, level::shaper(result, &caches, &client, context));
    answers.extend(caches.into_iter().map(Answer::Cached));
    answers.push(Answer::Client(client));
    answers.extend(connections::answers(result).into_iter().map(Answer::ConnectionWork));
    answers.extend(mount::answers(result, context).into_iter().map(Answer::Mount));
    answers.extend(pace::answer(result, context).map(Answer::OpenLoop));
    ordered(answers)
}

/// Data-path verdict only, for job groups that ran one after another in one run: their device
/// counters cannot be separated.
pub fn judge_data(result: &RunResult, context: &Context) -> Vec<Verdict> {
    ordered(data::answers(result, context).into_iter().map(Answer::Cached).collect())
}

#[cfg(test)]
mod tests;
