//! Fathom's Kubernetes client: claims and pods that it creates and removes, why they do not start,
//! and a pipe into a pod to an agent.
//!
//! Decided here:
//!
//! - Objects are JSON, made by pure functions and read by pointers, so that a patch may contain
//!   fields that are newer than this crate.
//! - What comes from elsewhere (files, plugins, answers, output of commands) is read up to a limit,
//!   and a value of another type is an error.
//! - [`Cluster`] blocks. Nothing outside this crate is asynchronous.
//! - A run is one Job that owns its claims. Even if Fathom is killed the cluster removes them: the
//!   pod ends soon after its agent, and an ended Job is removed with its dependents.
#![forbid(unsafe_code)]

mod access;
mod access_error;
mod answer;
mod bearer;
mod claims;
mod cleanup;
mod client;
mod cluster;
mod data;
mod error;
mod exec;
mod fate;
mod hindrance;
#[cfg(test)]
mod hostile;
mod kubeconfig;
mod names;
mod objects;
mod patch;
mod plugin;
mod program;
mod promised;
mod quantity;
mod resize;
mod rights;
mod snapshots;
mod startup;
mod survey;
mod transfer;
mod watch;

pub use access::ClusterAccess;
pub use access_error::{AccessError, PluginError};
pub use claims::{ClaimTimes, PodClaim};
pub use cleanup::{RunInventory, RunRemoval};
pub use cluster::Cluster;
pub use data::{DataDifference, check_data, difference};
pub use error::KubeError;
pub use hindrance::Hindrance;
pub use names::{RunId, RunIdError};
pub use objects::{
    AGENT_SCRIPT, ARCHITECTURE_LABEL, ClaimOrder, PodOrder, VolumeMode, claim, job, target_path,
    volume_name,
};
pub use patch::{PatchError, merged, read_patch};
pub use program::{PodProgram, ProgramError, ProgramFile};
pub use promised::{ClassPromise, class_promise};
pub use quantity::quantity_bytes;
pub use snapshots::TakenSnapshot;
pub use startup::{PodPlace, RunPods, StartOptions, StartWatcher};
pub use survey::{ClassSurvey, ClusterSurvey, SurveyFinding};
pub use watch::{VolumeMoments, VolumeSteps, VolumeWatch};
