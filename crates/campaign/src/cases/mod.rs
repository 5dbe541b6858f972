//! Cases: jobs that differ in a few named settings, run in turn on one target or several, in one or
//! more rounds. This is the common part of all measuring commands.
//!
//! [`Case::new`] checks settings against the job table; [`Runner::begin`] claims the targets and
//! finds an access to each; [`Runner::run`] runs trials on a machine and passes each to a
//! [`TrialSink`], which stores it; a [`TrialLog`] is enough for most commands. A [`StateFile`]
//! stores results so that they survive any end of the process.

mod case;
mod prepared;
mod runner;
mod state;
mod usual;

pub use case::{CachePolicy, Case, Reach};
pub use fathom_document::{CaseFigures, CaseTime, ResolvedAccess, Setting, Share, title_of};

pub use prepared::PreparedTarget;
pub use runner::{Ended, Runner, TrialLog, TrialSink};
pub use state::{StateFile, StateFileError};
pub(crate) use usual::UsualJob;
