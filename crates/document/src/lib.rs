//! Documents: the stored results of commands, and their interpretation without the machine that
//! measured.
//!
//! A document begins with a [`Head`], names its target ([`Scene`], [`VolumeRecord`]), and contains
//! each run as a [`Trial`]. Each command has its own type: [`Document`] of `measure`, [`sweep`],
//! [`compare`], [`check`], [`limit`], [`durable`] and [`run`]. Nothing here measures or plans;
//! readers of documents need only this crate.
#![forbid(unsafe_code)]

pub mod check;
pub mod compare;
pub mod durable;
pub mod limit;
pub mod run;
pub mod sweep;

mod any_document;
mod client_figures;
mod client_record;
mod cluster;
mod document_error;
mod document_runs;
mod headroom;
mod job_figures;
mod measure;
mod method;
mod number_check;
mod over_rounds;
mod record;
mod remark;
mod setting;
mod stop_point;
mod suite;
mod summary;
mod test_title;
mod trial;
mod usual;
mod volume;
mod write_cache;

pub use fathom_analysis::{
    Assertion, AssertionDoubt, AssertionError, AssertionRow, AssertionUnit, CaseFigures, Figures,
    Goal, Identity, Share, gate_of, is_far_above, quantity, verdicts,
};

pub use any_document::{AnyDocument, summary_of};
pub use client_figures::{ClientFigures, ClientsOfJob};
pub use client_record::{ClientRecord, processors};
pub use cluster::{ClusterClaim, ClusterStep, ClusterVolume};
pub use document_error::DocumentError;
pub use document_runs::{DocumentRun, DocumentRuns, GivenOption};
pub use headroom::{BLOCK_BYTES, Backing, Ceiling, CeilingCase, Headroom};
pub use job_figures::JobFigures;
pub use measure::{DOCUMENT_SCHEMA, Document, PlanRecord};
pub use method::{Method, ResolvedAccess};
pub use over_rounds::{OverRounds, spread_percent};
pub use quantity::{binary_bytes, decimal_bytes, latency, megabytes_per_s, seconds, thousands};
pub use record::{
    Head, PlaceRecord, Provenance, RemarkRecord, Setup, VolumeRecord, are_one_disk, records,
};
pub use remark::Remark;
pub use setting::{CaseTime, Setting, title_of};
pub use stop_point::StopPoint;
pub use suite::{
    LARGE_BYTES, Phase, PhaseKey, PhasePattern, PhaseRecord, PhaseSelection, Suite, SuiteOptions,
    short_bytes,
};
pub use summary::{DocumentSummary, is_doubted, is_left_out};
pub use test_title::{direction_name, test_title};
pub use trial::{MountRecord, STOPPED, Trial, TrialId};
pub use usual::{usual_flush, usual_latency};
pub use volume::{ClientFiles, ClientSpace, TargetKind, Volume};
pub use write_cache::writes_ahead;
