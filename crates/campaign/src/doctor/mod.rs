//! `doctor`: what can this host drive, and what limits it?
//!
//! First facts are gathered ([`HostFacts`], [`TargetFacts`]) and ceilings measured
//! ([`measure_ceiling`]); pure functions then derive the findings from both, so that each sentence
//! can be tested without a machine in that state. [`Diagnosis`] stores all three: a result with a
//! diagnosis shows how far its client was from its own ceiling.

mod ceiling;
mod client;
mod device;
mod diagnosis;
mod examination;
mod facts;
mod finding;
mod machine;
mod request;
mod target;
#[cfg(test)]
mod tests;

pub use fathom_document::{BLOCK_BYTES, Backing, Ceiling, CeilingCase};

pub(crate) use examination::Examination;

pub use ceiling::{SCRATCH_BYTES, Scratch, ceiling_cases, measure_ceiling, try_engine};
pub use diagnosis::{DIAGNOSIS_SCHEMA, Diagnosis, TargetDiagnosis};
pub use facts::{
    ClockFacts, DirectFacts, EngineTrial, HostFacts, HostLoad, TargetFacts, TimerFacts,
};
pub use finding::{DoctorFinding, FindingTopic, Severity};
pub use request::{DoctorRequest, DoctorStep, HostDiagnosis, HostProbe};
