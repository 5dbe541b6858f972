//! The JSON of `--dry-run`: the plan of a command as one document, with the same fields for all
//! commands.

use super::{OutputError, show};
use fathom_campaign::VolumePlan;
use serde::Serialize;
use std::path::PathBuf;

/// Version of the form of the document.
pub const PLAN_SCHEMA: u32 = 1;

/// The plan of a command.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlanDocument {
    /// `fathom-plan`.
    pub kind: &'static str,
    /// Version of its form.
    pub schema: u32,
    /// The version of Fathom.
    pub fathom_version: &'static str,
    pub command: &'static str,
    /// The targets that it would measure.
    pub targets: Vec<PlannedTarget>,
    /// Number of runs; the maximum, if results decide on further runs.
    pub runs: u64,
    /// Time of all runs with ramps, in microseconds, without filling. None if only the device
    /// decides.
    pub total_us: Option<u64>,
    /// Bytes that are written before the first run.
    pub fill_bytes: u64,
    /// Time of runs that write, in microseconds.
    pub writing_us: u64,
    /// The random seed of the offsets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Each run with the command that repeats it, for commands that list them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<PlannedRun>,
}

/// A place that would be measured.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedTarget {
    /// The name as typed.
    pub name: String,
    /// The file or device for I/O.
    pub path: PathBuf,
    /// Bytes that are measured in.
    pub size_bytes: u64,
    /// Bytes that are written first, by all hosts together.
    pub fill_bytes: u64,
    /// Whether runs write to it.
    pub writes: bool,
    /// Whether it is a test file, created and removed again.
    pub test_file: bool,
    /// Warnings before the run.
    pub remarks: Vec<String>,
}

/// A run that would be made.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedRun {
    pub title: String,
    /// The command that repeats it.
    pub command: String,
}

impl PlannedTarget {
    /// A volume as a campaign plans it.
    pub fn of(plan: &VolumePlan) -> PlannedTarget {
        PlannedTarget {
            name: plan.volume.name.clone(),
            path: plan.shown_path(),
            size_bytes: plan.size_bytes,
            fill_bytes: plan.whole_fill_bytes(),
            writes: plan.writes,
            test_file: plan.ours,
            remarks: plan.remarks.iter().map(ToString::to_string).collect(),
        }
    }
}

impl PlanDocument {
    /// The plan of `command` on `volumes`, without further details.
    pub fn new<'v>(
        command: &'static str,
        volumes: impl IntoIterator<Item = &'v VolumePlan>,
    ) -> PlanDocument {
        let targets: Vec<PlannedTarget> = volumes.into_iter().map(PlannedTarget::of).collect();
        PlanDocument {
            kind: "fathom-plan",
            schema: PLAN_SCHEMA,
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
    /// If it cannot be serialised.
    pub fn text(&self) -> Result<String, OutputError> {
        show::json(self)
    }
}
