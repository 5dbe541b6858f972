//! Cases: jobs that differ in a few named settings, run in turn on one target or several, each as
//! often as asked. All that measuring commands have in common.
//!
//! [`Case::new`] holds settings against the job table; [`Runner::begin`] claims the targets and
//! finds how each is reached; [`Runner::run`] runs the trials of a [`Schedule`] on a machine and
//! hands each to a [`TrialSink`], which keeps it. A [`StateFile`] is where it is kept so that no
//! end of the process loses it.

mod case;
mod chance;
mod prepared;
mod runner;
mod state;
mod usual;

pub use case::{CachePolicy, Case, Reach};
pub use fathom_document::{CaseFigures, CaseTime, ResolvedAccess, Setting, Share, title_of};

pub use chance::SplitMix;
pub use prepared::PreparedTarget;
pub use runner::{Ended, Runner, Schedule, TrialSink};
pub use state::{StateFile, StateFileError};
pub(crate) use usual::UsualJob;
