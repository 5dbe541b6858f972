//! `doctor`: what can this host drive, and what limits it?
//!
//! A machine gathers facts ([`HostFacts`], [`TargetFacts`]) and measures ceilings; pure functions
//! derive the findings from both, so that each sentence can be tested without a machine in that
//! state. [`Diagnosis`] stores all three.
#![forbid(unsafe_code)]

mod client;
mod device;
mod diagnosis;
mod facts;
mod finding;
mod machine;
mod request;
mod target;
#[cfg(test)]
mod tests;

pub use fathom_document::{BLOCK_BYTES, Backing, Ceiling, CeilingCase};

pub use diagnosis::{DIAGNOSIS_SCHEMA, Diagnosis, TargetDiagnosis};
pub use facts::{
    ClockFacts, DirectFacts, EngineTrial, HostFacts, HostLoad, TargetFacts, TimerFacts,
    group_limits,
};
pub use finding::{DoctorFinding, FindingTopic, Severity};
pub use request::{DoctorRequest, DoctorStep, HostDiagnosis};
