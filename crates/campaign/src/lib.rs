//! Commands that make many runs. `measure` is at the top level: how fast is this volume?
//!
//! Every command has the same steps: a [`Machine`] examines the targets, a plan decides (pure,
//! refuses to destroy data), [`cases::Runner`] runs the plan's cases on the machine, and a document
//! stores each [`Trial`]. Nothing here prints: events go to an [`EventSink`]. The plan of `measure`
//! is [`Plan`], its document [`Document`].
//!
//! [`sweep`] shows how figures change with options, [`limit`] finds the highest rate that meets a
//! response time; [`cases`] has the common part of commands with many jobs on one target.
#![forbid(unsafe_code)]

pub mod cases;
pub mod check;
pub mod compare;
mod data_access;
mod demand;
pub mod durable;
mod event;
mod export_volume;
mod fill;
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
mod test_file_name;
mod testfile;
pub mod verdicts;
mod volume;
mod volume_plan;

// The types of documents, under the names that commands use.
pub use fathom_document::{
    ClientFiles, ClientRecord, ClientSpace, ClusterClaim, ClusterStep, ClusterVolume,
    DOCUMENT_SCHEMA, Document, DocumentSummary, Figures, Goal, Head, Headroom, Identity,
    LARGE_BYTES, Method, OverRounds, Phase, PhaseKey, PhasePattern, PhaseRecord, PhaseSelection,
    PlanRecord, Provenance, Remark, RemarkRecord, Setup, Suite, SuiteOptions, TargetKind, Trial,
    TrialId, Volume, VolumeRecord, binary_bytes, decimal_bytes, latency, megabytes_per_s, seconds,
    summary_of, test_title, thousands,
};

pub use event::{CampaignEvent, EventSink, FillProgress, TrialBegin};
pub use jobs::{JobText, RefusedJob};
pub use machine::{LocalMachine, Machine, MachineError, MachineErrorKind, ScratchFolders};
pub use measuring_time::MeasuringTime;
pub use plan::{MeasureOptions, Plan};
pub use refusal::Refusal;
pub use registry::Registry;
pub use stale::{StaleFile, stale_files, stale_files_in};
pub use stale_exported::{stale_files_in_export, stale_files_in_exports};
pub use target_error::TargetError;
pub use testfile::{TestFile, TestFiles};
pub use volume::examine_volume;
pub use volume_plan::{CommonOptions, DEFAULT_SIZE_BYTES, VolumePlan};

#[cfg(test)]
mod tests;
