//! Many runs as one question. Here is `measure`: what does this volume really give?
//!
//! Every command asks in the same steps: a [`Machine`] examines the targets, a plan decides (pure,
//! refuses what could destroy data), [`cases::Runner`] runs the plan's cases on the machine, and a
//! document keeps each [`Trial`]. Nothing here prints: what happens meanwhile goes to an
//! [`EventSink`]. Of `measure` the plan is [`Plan`], the document [`Document`].
//!
//! [`sweep`] asks how the figures change as options change, [`limit`] how high a rate may be before
//! users wait too long; what questions of many jobs on one place share is in [`cases`]. Beside them
//! stand [`doctor`]: what could this host drive, and what stands in its way? And [`watch`]: what do
//! the devices under a path do, whoever uses them?
#![forbid(unsafe_code)]

pub mod cases;
pub mod check;
pub mod compare;
mod data_access;
mod demand;
pub mod doctor;
pub mod durable;
mod event;
mod export_volume;
mod failure;
mod fill;
mod headroom;
mod jobs;
pub mod limit;
pub mod machine;
mod measure;
mod measuring_time;
mod method;
mod plan;
mod record;
mod refusal;
mod registry;
mod remark;
pub mod run;
mod stale;
mod stale_exported;
pub mod sweep;
mod target_error;
mod target_jobs;
mod testfile;
pub mod verdicts;
mod volume;
pub mod watch;

use fathom_analysis::quantity;

// What documents keep, under the names by which commands know it.
pub use fathom_document::{
    ClusterClaim, ClusterStep, ClusterVolume, DOCUMENT_SCHEMA, Document, DocumentSummary, Figures,
    Goal, Head, Headroom, Identity, LARGE_BYTES, Method, OverRounds, Phase, PhaseKey, PhasePattern,
    PhaseRecord, PhaseSelection, PlanRecord, Remark, RemarkRecord, Setup, Suite, SuiteOptions,
    TargetKind, Trial, TrialId, Volume, VolumeRecord, binary_bytes, decimal_bytes, latency,
    megabytes_per_s, quoted, seconds, summary_of, thousands,
};

pub use event::{CampaignEvent, EventSink, TrialBegin};
pub use headroom::{ceiling_of, measure_ceilings};
pub use jobs::{JobText, RefusedJob};
pub use machine::{LocalMachine, Machine, MachineError, MachineErrorKind, ScratchFolders};
pub use measure::{Measured, Prepared};
pub use measuring_time::MeasuringTime;
pub use plan::{MeasureOptions, Plan, VolumePlan};
pub use refusal::Refusal;
pub use registry::Registry;
pub use stale::{StaleFile, stale_files, stale_files_in};
pub use stale_exported::{stale_files_in_export, stale_files_in_exports};
pub use target_error::TargetError;
pub use testfile::{TestFile, TestFiles};
pub use volume::examine_volume;

#[cfg(test)]
mod tests;
