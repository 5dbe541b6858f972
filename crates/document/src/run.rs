//! `run` as one JSON document: the user's own jobs, and the verdicts on each group of jobs that ran
//! side by side.

use crate::assertion::AssertionRow;
use crate::mount_record::MountRecord;
use crate::record::Head;
use crate::verdicts::Verdict;
use fathom_host::System;
use fathom_message::{Lang, words};
use fathom_stats::RunResult;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the document; raised when a reader would misread it.
pub const RUN_SCHEMA: u32 = 1;

/// A run of jobs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct RunDocument {
    /// It is a `fathom-run` of [`RUN_SCHEMA`].
    #[serde(flatten)]
    pub head: Head,
    /// Whether it was stopped before its end.
    #[serde(default)]
    pub interrupted: bool,
    /// The machine that measured.
    pub host: System,
    /// The jobs, as a job file.
    pub jobs: String,
    /// What may be said of each group of jobs.
    pub groups: Vec<JobGroup>,
    /// What was asserted, and what became of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<AssertionRow>,
    /// Everything that was measured.
    pub result: RunResult,
    /// What the kernel's NFS client counted meanwhile on each machine whose files lie on an NFS
    /// mount.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<MountRecord>,
}

/// Jobs that ran side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct JobGroup {
    /// Their names.
    pub jobs: String,
    /// What may be said of them, the worst first.
    pub verdicts: Vec<Verdict>,
}

/// The name of the group that holds every job of a run.
pub const ALL_JOBS: &str = "all jobs";

impl JobGroup {
    /// The names of its jobs, or in `lang` that it holds all of them.
    pub fn name(&self, lang: Lang) -> String {
        match self.jobs.as_str() {
            ALL_JOBS => words(lang, "group-all-jobs"),
            names => names.to_owned(),
        }
    }
}

impl RunDocument {
    /// Each group's name in `lang`, and its verdicts; a single group needs no name.
    pub fn named_groups(&self, lang: Lang) -> Vec<(String, &[Verdict])> {
        let several = self.groups.len() > 1;
        let name = |group: &JobGroup| if several { group.name(lang) } else { String::new() };
        self.groups.iter().map(|group| (name(group), group.verdicts.as_slice())).collect()
    }
}
