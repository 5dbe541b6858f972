//! `doctor`: what could this host drive, and what stands in its way?
//!
//! The way is: facts are gathered ([`HostFacts`], [`TargetFacts`]), ceilings are measured
//! ([`measure_ceiling`]), and from both findings follow by pure functions, so that each sentence
//! has a test without the machine having to be in that state. [`Diagnosis`] keeps all three: a
//! result that carries one can say how far its client was from its own ceiling.

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
