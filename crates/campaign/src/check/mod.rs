//! `fathom check`: does a volume reach its promised limits?
//!
//! The runs follow from the promise: IOPS by small random I/Os with a deep enough queue, bandwidth
//! by large sequential ones, latency one I/O at a time in a separate run, because waiting in a
//! queue is not the volume's. Nothing else is run. `fathom_analysis::promise` compares each run
//! with its limit; this module decides whether the figure counts: a figure that the client or a
//! cache limits says nothing about the volume.

mod error;
mod finding;
mod load;
mod plan;
mod session;

pub use fathom_document::check::{
    BurstNotice, CHECK_SCHEMA, CheckBasis, CheckDocument, CheckKey, CheckLoad, CheckTrial, Doubt,
    LimitReason, LimitRow, Promised, RunFinding, SizeFrom, Standing, quiet_host,
};

pub use error::CheckError;
pub use plan::{CheckPlan, CheckRequest, CheckStep};
pub use session::CheckSink;
