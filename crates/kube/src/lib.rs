//! What Fathom has to do with a Kubernetes cluster: claims and pods that it makes and removes, why
//! they do not come up, and a pipe into a pod, behind which an agent answers.
//!
//! Decided here:
//!
//! - Objects are JSON, made by pure functions and read by pointers, so that a patch may hold fields
//!   that are newer than this crate.
//! - [`Cluster`] blocks. Nothing outside this crate is asynchronous.
//! - A run is one Job that owns its claims. Whatever becomes of Fathom, the cluster itself removes
//!   them: the pod ends soon after its agent, and a Job that ended is removed with what it owns.
#![forbid(unsafe_code)]

mod access;
mod claims;
mod cleanup;
mod cluster;
mod data;
mod error;
mod exec;
mod fate;
mod hindrance;
mod names;
mod objects;
mod patch;
mod program;
mod promised;
mod resize;
mod rights;
mod snapshots;
mod startup;
mod survey;
mod watch;

pub use access::ClusterAccess;
pub use claims::{ClaimTimes, PodClaim};
pub use cleanup::{RunInventory, RunRemoval};
pub use cluster::Cluster;
pub use data::{DataDifference, check_data, difference};
pub use error::KubeError;
pub use exec::ExecOutput;
pub use hindrance::Hindrance;
pub use names::{RunId, RunIdError};
pub use objects::{
    AGENT_SCRIPT, ClaimOrder, PodOrder, VolumeMode, claim, job, target_path, volume_name,
};
pub use patch::{PatchError, merged, read_patch};
pub use program::{ProgramError, ProgramFile, own_program};
pub use promised::{ClassPromise, class_promise};
pub use snapshots::TakenSnapshot;
pub use startup::{PodPlace, RunPods, StartOptions, StartWatcher};
pub use survey::{ClassSurvey, ClusterSurvey, SurveyFinding};
pub use watch::{VolumeMoments, VolumeSteps, VolumeWatch};
