//! `run`: jobs of the user's own, as one document. Each group of jobs that ran side by side is
//! judged by itself.
//!
//! Devices are counted over the whole run, so where groups had their turns one after another,
//! caches are judged once, over all of them.

use crate::data_access::paths_of;
use crate::doctor::Ceiling;
use crate::headroom::ceiling_of;
use crate::machine::Machine;
use crate::record::Head;
use crate::verdicts::{Answer, Context, Observed, Verdict, judge, judge_data};
use crate::volume::Volume;
use fathom_host::System;
use fathom_job::{JobSize, JobSpec, print_jobs};
use fathom_stats::{JobResult, RunResult};
use fathom_vocab::IoEngine;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

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
    /// The machine that measured.
    pub host: System,
    /// The jobs, as a job file.
    pub jobs: String,
    /// What may be said of each group of jobs.
    pub groups: Vec<JobGroup>,
    /// Everything that was measured.
    pub result: RunResult,
}

/// Jobs that ran side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobGroup {
    /// Their names.
    pub jobs: String,
    /// What may be said of them, the worst first.
    pub verdicts: Vec<Verdict>,
}

impl RunDocument {
    /// Of a result, its jobs, and what may be said of them.
    pub fn new(
        result: RunResult,
        jobs: &[JobSpec],
        groups: Vec<JobGroup>,
        host: System,
        started_ms: u64,
    ) -> RunDocument {
        RunDocument {
            head: Head::new("fathom-run", RUN_SCHEMA, started_ms),
            interrupted: result.interrupted,
            host,
            jobs: print_jobs(jobs),
            groups,
            result,
        }
    }

    /// Each group's name and verdicts; a single group needs no name.
    pub fn named_groups(&self) -> Vec<(String, &[Verdict])> {
        let several = self.groups.len() > 1;
        let name = |group: &JobGroup| if several { group.jobs.clone() } else { String::new() };
        self.groups.iter().map(|group| (name(group), group.verdicts.as_slice())).collect()
    }
}

/// The files of a run, and the volume that they are on.
#[derive(Clone, Debug, Default)]
pub struct RunTarget {
    /// Files, devices and folders that jobs name, each once.
    pub paths: Vec<PathBuf>,
    /// The volume, where all are on the same one.
    pub volume: Option<Volume>,
}

impl RunTarget {
    /// Where `jobs` go.
    pub fn of(jobs: &[JobSpec], machine: &mut dyn Machine) -> RunTarget {
        let mut paths: Vec<PathBuf> = Vec::new();
        for path in jobs.iter().flat_map(paths_of) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let volumes: Result<Vec<Volume>, _> =
            paths.iter().map(|path| machine.examine(path)).collect();
        let mut volumes = volumes.unwrap_or_default().into_iter();
        let first = volumes.next();
        let volume = first.filter(|first| volumes.all(|other| other.same_place_as(first)));
        RunTarget { paths, volume }
    }
}

/// Each engine of `jobs`, with the I/Os in flight of one of them.
pub fn engines_of(jobs: &[JobSpec]) -> Vec<(IoEngine, u32)> {
    let depth = |job: &JobSpec| match job.engine.engine.is_sync() {
        true => 1,
        false => job.engine.iodepth,
    };
    jobs.iter().map(|job| (job.engine.engine, depth(job))).collect()
}

/// Judges `result`, which `jobs` gave at `target`: group by group.
pub fn judge_groups(
    result: &RunResult,
    jobs: &[JobSpec],
    target: &RunTarget,
    (observed, ceilings): (Option<&Observed>, &[Ceiling]),
    machine: &mut dyn Machine,
) -> Vec<JobGroup> {
    let mut context = |jobs: &[JobSpec]| {
        let context = known_of(jobs, target, machine).with_ceiling(ceiling_of(jobs, ceilings));
        observed.into_iter().fold(context, Context::with_observed)
    };
    let mut ids: Vec<u32> = result.jobs.iter().map(|job| job.group_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut groups = Vec::new();
    for id in &ids {
        let members: Vec<JobResult> =
            result.jobs.iter().filter(|job| job.group_id == *id).cloned().collect();
        let specs = specs_of(&members, jobs);
        let disks = if ids.len() == 1 { result.disks.clone() } else { Vec::new() };
        let part = RunResult { jobs: members, disks, ..RunResult::default() };
        let mut verdicts = judge(&part, &context(&specs));
        if ids.len() > 1 {
            verdicts.retain(|verdict| !matches!(verdict.answer, Answer::Cached(_)));
        }
        groups.push(JobGroup { jobs: names(&specs), verdicts });
    }
    if ids.len() > 1 {
        let verdicts = judge_data(result, &context(jobs));
        groups.push(JobGroup { jobs: "all jobs".to_owned(), verdicts });
    }
    groups
}

/// What is known of jobs that ran side by side.
fn known_of(jobs: &[JobSpec], target: &RunTarget, machine: &mut dyn Machine) -> Context {
    let access = machine.data_access(jobs);
    let context = target.volume.as_ref().map(Context::of_volume).unwrap_or_default();
    let context = Context {
        direct: access.direct,
        working_set_bytes: working_set(jobs),
        unwritten_share: access.unwritten_share,
        ..context
    };
    context.with_jobs(jobs)
}

/// Bytes that jobs go over; not known where a size is a share of something or left out.
fn working_set(jobs: &[JobSpec]) -> Option<u64> {
    let bytes = |job: &JobSpec| match job.target.size {
        Some(JobSize::Bytes(bytes)) if job.target.filenames.is_empty() => {
            Some(bytes.saturating_mul(u64::from(job.process.numjobs)))
        }
        Some(JobSize::Bytes(bytes)) => Some(bytes),
        _ => None,
    };
    jobs.iter().map(bytes).sum()
}

/// The jobs whose clones these are, each once.
fn specs_of(members: &[JobResult], jobs: &[JobSpec]) -> Vec<JobSpec> {
    let mut specs = Vec::new();
    let mut next = 1;
    for job in jobs {
        let numbers = next..next + job.process.numjobs.max(1);
        next = numbers.end;
        if members.iter().any(|member| numbers.contains(&member.number)) {
            specs.push(job.clone());
        }
    }
    specs
}

fn names(jobs: &[JobSpec]) -> String {
    let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    names.join(", ")
}
