//! Cases: jobs that differ in a few named settings, run in turn on one place, each as often as
//! asked. What a sweep, a comparison, a check or a search for a limit have in common.
//!
//! The way is: [`Case::new`] holds settings against the job table; [`Course::begin`] makes the
//! test file and finds how the volume is reached; [`Course::run`] takes [`Turn`] after turn
//! through an executor and hands each [`CaseOutcome`] to a [`CaseWatcher`], which keeps it. A
//! [`StateFile`] is where it is kept so that no end of the process loses it.

mod case;
mod chance;
mod course;
mod figures;
mod outcome;
mod state;
mod usual;

pub(crate) use case::in_words;
pub use case::{CachePolicy, Case, CaseTime, Reach, Setting};
pub use chance::SplitMix;
pub use course::Course;
pub use figures::{CaseFigures, Share};
pub use outcome::{CaseOutcome, CaseProgress, CaseWatcher, Ended, Turn, Way};
pub use state::StateFile;
pub(crate) use usual::UsualJob;
