//! A run as one JSON document: the jobs as text, everything that was measured, what may be said
//! of it, and the machine.

use super::judged::Judged;
use fathom_host::System;
use fathom_job::{JobSpec, print_jobs};
use fathom_stats::RunResult;
use serde_json::{Value, json};

/// Version of the document; raised when a reader would misread it.
const SCHEMA: u32 = 1;

/// The document.
pub fn of(
    result: &RunResult,
    jobs: &[JobSpec],
    judged: &Judged,
    system: &System,
    started_ms: u64,
) -> Value {
    let groups: Vec<Value> = judged
        .groups
        .iter()
        .map(|(jobs, verdicts)| json!({ "jobs": jobs, "verdicts": verdicts }))
        .collect();
    json!({
        "kind": "fathom-run",
        "schema": SCHEMA,
        "fathom_version": env!("CARGO_PKG_VERSION"),
        "started_ms": started_ms,
        "interrupted": result.interrupted,
        "host": system,
        "jobs": print_jobs(jobs),
        "groups": groups,
        "result": result,
    })
}
