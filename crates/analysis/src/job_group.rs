//! The verdicts on jobs of the user's own that ran side by side.

use crate::verdicts::Verdict;
use fathom_message::{Lang, words};
use serde::{Deserialize, Serialize};

/// The name of the group that stands for the jobs of all groups.
pub const ALL_JOBS: &str = "all jobs";

/// Jobs that ran side by side, or all jobs ([`ALL_JOBS`]) where groups ran in turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobGroup {
    /// Their names.
    pub jobs: String,
    /// What may be said of them, the worst first.
    pub verdicts: Vec<Verdict>,
}

impl JobGroup {
    /// The names of its jobs, or in `lang` that it holds all of them.
    pub fn name(&self, lang: Lang) -> String {
        match self.jobs.as_str() {
            ALL_JOBS => words(lang, "group-all-jobs"),
            names => names.to_owned(),
        }
    }
}
