//! `fathom check` as a document: the promise, the runs, and the outcome.

mod answer;
mod document;
mod reason;
mod rows;

pub use document::{CHECK_SCHEMA, CheckDocument, CheckKey, CheckTrial};
pub use fathom_analysis::check::{
    BurstNotice, CheckBasis, CheckLoad, Doubt, Promised, RunFinding, SMALL_BYTES, SizeFrom,
    Standing, after_burst, notices, quiet_host,
};
pub use reason::{LimitReason, ReasonKind};
pub use rows::LimitRow;
