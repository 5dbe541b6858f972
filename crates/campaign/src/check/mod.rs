//! `fathom check`: does a volume keep what was promised of it?
//!
//! What is measured follows from the promise: IOPS by small random I/Os with a queue that is deep
//! enough, bytes a second by large sequential ones, latency one I/O at a time in a run of its own,
//! since a queue's waiting is not the volume's. What was not promised is not run. Each run is held
//! against its limit by `fathom_analysis::promise`; here it is only decided what that is worth: a
//! figure of the client's, or of a cache's, is nothing that a volume could have kept or missed.

mod error;
mod finding;
mod load;
mod plan;
mod session;

pub use fathom_document::check::{
    BurstNotice, CHECK_SCHEMA, CheckBasis, CheckDocument, CheckKey, CheckLoad, CheckTrial, Doubt,
    LimitRow, Promised, RunFinding, SizeFrom, Standing,
};

pub use error::CheckError;
pub use plan::{CheckPlan, CheckRequest, CheckStep};
pub use session::{CheckSink, carry_out};
