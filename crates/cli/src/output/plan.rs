//! What `--dry-run` gives to programs: the plan of a command as one JSON document, in the same
//! words for each of them.

use super::{OutputError, show};
use fathom_campaign::VolumePlan;
use serde::Serialize;
use std::path::PathBuf;

/// Version of the form of the document.
const SCHEMA: u32 = 1;

/// What a command would do.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlanDocument {
    /// `fathom-plan`.
    pub kind: &'static str,
    /// Version of its form.
    pub schema: u32,
    /// Who planned it.
    pub fathom_version: &'static str,
    /// Which command.
    pub command: &'static str,
    /// What it would measure.
    pub targets: Vec<PlannedTarget>,
    /// Runs in all; at most, where what comes of one decides on the next.
    pub runs: u64,
    /// Time of all runs with what is not counted, in microseconds; without filling. None where
    /// only the device decides.
    pub total_us: Option<u64>,
    /// Bytes that are written before the first run.
    pub fill_bytes: u64,
    /// Time in which runs write, in microseconds.
    pub writing_us: u64,
    /// What decides the offsets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Each run with the command that repeats it, where commands tell it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<PlannedRun>,
}

/// A place that would be measured.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedTarget {
    /// As it was given.
    pub name: String,
    /// The file or device that I/O goes to.
    pub path: PathBuf,
    /// Bytes that are measured in.
    pub size_bytes: u64,
    /// Bytes of them that are written first.
    pub fill_bytes: u64,
    /// Whether runs write to it.
    pub writes: bool,
    /// Whether it is a test file, made and removed again.
    pub test_file: bool,
    /// What should be known beforehand.
    pub remarks: Vec<String>,
}

/// A run that would be made.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedRun {
    /// What it measures.
    pub title: String,
    /// What repeats it.
    pub command: String,
}

impl PlannedTarget {
    /// A volume as a campaign plans it.
    pub fn of(plan: &VolumePlan) -> PlannedTarget {
        PlannedTarget {
            name: plan.volume.name.clone(),
            path: plan.shown_path(),
            size_bytes: plan.size_bytes,
            fill_bytes: plan.fill_bytes,
            writes: plan.writes,
            test_file: plan.ours,
            remarks: plan.remarks.iter().map(ToString::to_string).collect(),
        }
    }
}

impl PlanDocument {
    /// The plan of `command` on `volumes`, with nothing else said yet.
    pub fn new<'v>(
        command: &'static str,
        volumes: impl IntoIterator<Item = &'v VolumePlan>,
    ) -> PlanDocument {
        let targets: Vec<PlannedTarget> = volumes.into_iter().map(PlannedTarget::of).collect();
        PlanDocument {
            kind: "fathom-plan",
            schema: SCHEMA,
            fathom_version: env!("CARGO_PKG_VERSION"),
            command,
            fill_bytes: targets.iter().map(|target| target.fill_bytes).sum(),
            targets,
            ..PlanDocument::default()
        }
    }

    /// The document as it is printed.
    ///
    /// # Errors
    /// Says why it cannot be written.
    pub fn text(&self) -> Result<String, OutputError> {
        show::json(self)
    }
}
