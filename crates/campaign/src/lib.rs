//! Many runs as one question. Here is `measure`: what does this volume really give?
//!
//! The way is: [`Volume::examine`] looks at each target, [`Plan::new`] decides (pure, refuses what
//! could destroy data), [`Prepared::begin`] makes the test files and finds out how the volume can
//! be reached, [`Prepared::run`] runs phase after phase through an [`Executor`], and [`Document`]
//! keeps all of it. Nothing here prints: what happens meanwhile goes to a [`Watcher`].
//!
//! [`sweep`] asks how the figures change as options change, [`limit`] how high a rate may be before
//! users wait too long; what questions of many jobs on one place share is in [`cases`]. Beside them
//! stand [`doctor`]: what could this host drive, and what stands in its way? And [`watch`]: what do
//! the devices under a path do, whoever uses them?
#![forbid(unsafe_code)]

pub mod cases;
pub mod check;
pub mod compare;
mod demand;
pub mod doctor;
mod document;
mod execute;
mod failure;
mod figures;
mod fill;
mod headroom;
mod jobs;
pub mod limit;
mod method;
mod over_rounds;
mod plan;
mod record;
mod refusal;
mod registry;
mod remark;
mod stale;
mod suite;
pub mod sweep;
mod testfile;
pub mod verdicts;
mod volume;
pub mod watch;

use fathom_analysis::quantity;
pub use quantity::{binary_bytes, decimal_bytes, latency, megabytes_per_s, seconds, thousands};

pub use document::{DOCUMENT_SCHEMA, Document, PhaseRecord, PlanRecord};
pub use execute::{Executor, LocalExecutor, Measured, PhaseOutcome, Prepared, Progress, Watcher};
pub use failure::RunFailure;
pub use figures::{Figures, Identity};
pub use headroom::{Headroom, ceiling_of, measure_ceilings};
pub use jobs::{JobText, quoted};
pub use method::Method;
pub use over_rounds::OverRounds;
pub use plan::{MeasureOptions, MeasureStep, Plan, VolumePlan};
pub use record::{Head, RemarkRecord, Scene, VolumeRecord};
pub use refusal::Refusal;
pub use registry::Registry;
pub use remark::Remark;
pub use stale::{StaleFile, stale_files, stale_files_in};
pub use suite::{Goal, LARGE_BYTES, Phase, Suite, SuiteOptions};
pub use testfile::{TestFile, TestFiles};
pub use volume::{Kind, Volume};

#[cfg(test)]
mod tests;
