//! The verdicts on jobs of the user's own that ran side by side.

use crate::verdicts::Verdict;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of the group that stands for the jobs of all groups.
pub const ALL_JOBS: &str = "all jobs";

/// Jobs that ran side by side, or all jobs ([`ALL_JOBS`]) where groups ran in turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct JobGroup {
    /// Their names.
    pub jobs: String,
    /// What may be said of them, the worst first.
    pub verdicts: Vec<Verdict>,
}
