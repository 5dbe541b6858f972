//! `run` as one JSON document: the user's own jobs, and the verdicts on each group of jobs that ran
//! side by side.

use crate::document_runs::{DocumentRun, DocumentRuns, with_head};
use crate::job_figures::JobFigures;
use crate::record::Head;
use crate::trial::MountRecord;
use fathom_analysis::verdicts::Verdict;
use fathom_analysis::{AssertionRow, gate_of};
use fathom_analysis::{GateOutcome, GateResult};
use fathom_host::System;
use fathom_stats::{JobResult, RunResult};
use serde::{Deserialize, Serialize};

pub use fathom_analysis::{ALL_JOBS, JobGroup};

/// Version of the document; raised when a reader would misread it.
pub const RUN_SCHEMA: u32 = 1;

/// A run of jobs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunDocument {
    /// It is a `fathom-run` of [`RUN_SCHEMA`].
    #[serde(flatten)]
    pub head: Head,
    /// Whether it was stopped before its end.
    #[serde(default)]
    pub interrupted: bool,
    /// The signal that stopped it, as `SIGTERM`, if one did and its name is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<String>,
    /// The machine that measured.
    pub host: System,
    /// The jobs, as a job file.
    pub jobs: String,
    /// What may be said of each group of jobs.
    pub groups: Vec<JobGroup>,
    /// What was asserted, and what became of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<AssertionRow>,
    /// What they come to together, which decides the exit code; none without assertions, and in
    /// documents from before it was held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateResult>,
    /// The plain figures of each job in each direction; empty in documents from before they were
    /// held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<JobFigures>,
    /// Everything that was measured.
    pub result: RunResult,
    /// What the kernel's NFS client counted meanwhile on each machine whose files lie on an NFS
    /// mount.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<MountRecord>,
}

impl RunDocument {
    /// The same with what became of assertions, and what they come to together.
    pub fn with_assertions(self, rows: Vec<AssertionRow>) -> RunDocument {
        let gate = (!rows.is_empty()).then(|| self.unless_a_job_failed(gate_of(&rows)));
        RunDocument { assertions: rows, gate, ..self }
    }

    /// The gate, undecided in place of passed if a job failed, which is then the reason.
    fn unless_a_job_failed(&self, gate: GateResult) -> GateResult {
        match self.job_failures().into_iter().next() {
            Some((_, why)) if gate.outcome != GateOutcome::Fail => {
                GateResult { outcome: GateOutcome::Undecided, reason: Some(why), ..gate }
            }
            _ => gate,
        }
    }

    /// The name of each job that failed with the failure in a sentence; of clones that failed
    /// alike, one.
    pub fn job_failures(&self) -> Vec<(String, String)> {
        let failed = self.result.jobs.iter().filter(|job| !job.error_text.is_empty());
        let sentence = |job: &JobResult| format!("job {} failed: {}", job.name, job.error_text);
        let mut failures: Vec<(String, String)> =
            failed.map(|job| (job.name.clone(), sentence(job))).collect();
        failures.dedup();
        failures
    }

    /// Each group's name and verdicts. A single group needs no name, and neither do all jobs.
    pub fn named_groups(&self) -> Vec<(String, &[Verdict])> {
        let several = self.groups.len() > 1;
        let name = |group: &JobGroup| match several && group.jobs != ALL_JOBS {
            true => group.jobs.clone(),
            false => String::new(),
        };
        self.groups.iter().map(|group| (name(group), group.verdicts.as_slice())).collect()
    }
}

impl DocumentRuns for RunDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let global_options = Some(self.result.global_options.as_slice());
        let run = DocumentRun::of_result(&self.result);
        vec![DocumentRun { global_options, mounts: &self.mounts, ..run }]
    }

    with_head!(interrupted);

    fn host(&self) -> Option<&System> {
        Some(&self.host)
    }

    fn cap_verdicts(&self) -> Vec<&Verdict> {
        self.groups.iter().flat_map(|group| &group.verdicts).collect()
    }
}
