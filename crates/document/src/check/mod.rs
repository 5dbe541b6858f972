//! `fathom check` as a document: the promise, the runs, and the outcome.

mod answer;
mod basis;
mod document;
mod finding;
mod load;
mod notice;
mod reason;
mod rows;

pub use basis::{CheckBasis, SMALL_BYTES, SizeFrom};
pub use document::{CHECK_SCHEMA, CheckDocument, CheckKey, CheckTrial};
pub use finding::{Doubt, RunFinding, Standing, after_burst, quiet_host, unstable_mean};
pub use load::{CheckLoad, Promised};
pub use notice::{BurstNotice, notices};
pub use reason::{LimitReason, ReasonKind};
pub use rows::LimitRow;
