//! `run`: the user's own jobs, as one document. Each group of jobs that ran side by side is judged
//! by itself.
//!
//! Devices are counted over the whole run, so if groups ran one after another, caches are judged
//! once, over all of them.

use crate::data_access::paths_of;
use crate::machine::Machine;
use crate::machine::ceiling_of;
use crate::verdicts::{ClientObservation, Context, judge, judge_data};
use fathom_document::run::{ALL_JOBS, RUN_SCHEMA};
use fathom_document::verdicts::Answer;
use fathom_document::{Ceiling, Head, JobFigures, Provenance, Volume};
use fathom_job::{JobSize, JobSpec, print_jobs};
use fathom_stats::{JobResult, RunResult};
use fathom_vocab::{IoEngine, Target};

pub use fathom_document::run::{JobGroup, RunDocument};

/// The document of a result, its jobs, and its verdicts.
pub fn run_document(
    result: RunResult,
    jobs: &[JobSpec],
    groups: Vec<JobGroup>,
    from: Provenance,
) -> RunDocument {
    RunDocument {
        head: Head::new("fathom-run", RUN_SCHEMA, &from),
        interrupted: result.interrupted,
        stopped_by: None,
        host: from.host,
        jobs: print_jobs(jobs),
        groups,
        assertions: Vec::new(),
        gate: None,
        figures: JobFigures::of(&result),
        result,
        mounts: Vec::new(),
    }
}

/// The files of a run, and the volume that they are on.
#[derive(Clone, Debug, Default)]
pub struct RunTarget {
    /// Files, devices and folders that jobs name, each once.
    pub targets: Vec<Target>,
    /// The volume, where all are on the same one.
    pub volume: Option<Volume>,
}

impl RunTarget {
    /// Files, devices and folders that `jobs` name, each once.
    pub fn targets_of(jobs: &[JobSpec]) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        let paths = |job| paths_of(job).into_iter().map(Target::Path);
        let exports = |job: &JobSpec| job.engine.nfs_url.clone().map(Box::new).map(Target::Export);
        for target in jobs.iter().flat_map(|job| paths(job).chain(exports(job))) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        targets
    }

    /// Where `jobs` go.
    pub fn of(jobs: &[JobSpec], machine: &mut dyn Machine) -> RunTarget {
        let targets = RunTarget::targets_of(jobs);
        let volumes: Result<Vec<Volume>, _> =
            targets.iter().map(|target| machine.examine(target)).collect();
        let mut volumes = volumes.unwrap_or_default().into_iter();
        let first = volumes.next();
        let volume = first.filter(|first| volumes.all(|other| other.same_place_as(first)));
        RunTarget { targets, volume }
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

/// Judges `result`, from `jobs` at `target`, group by group.
pub fn judge_groups(
    result: &RunResult,
    jobs: &[JobSpec],
    target: &RunTarget,
    (seen, ceilings): (&[ClientObservation], &[Ceiling]),
    machine: &mut dyn Machine,
) -> Vec<JobGroup> {
    let clients = machine.clients();
    let mut context = |jobs: &[JobSpec]| {
        let context = known_of(jobs, target, machine).with_ceiling(ceiling_of(jobs, ceilings));
        context.with_observations(seen).with_clients(clients, false)
    };
    let mut ids: Vec<u32> = result.jobs.iter().map(|job| job.group_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut groups = Vec::new();
    for id in &ids {
        let members: Vec<JobResult> =
            result.jobs.iter().filter(|job| job.group_id == *id).cloned().collect();
        let specs = specs_of(&members, jobs, clients);
        let disks = if ids.len() == 1 { result.disks.clone() } else { Vec::new() };
        let clients = result.clients.clone();
        let part = RunResult { jobs: members, disks, clients, ..RunResult::default() };
        let mut verdicts = judge(&part, &context(&specs));
        if ids.len() > 1 {
            verdicts.retain(|verdict| !matches!(verdict.answer, Answer::Cached(_)));
        }
        groups.push(JobGroup { jobs: names(&specs), verdicts });
    }
    if ids.len() > 1 {
        let verdicts = judge_data(result, &context(jobs));
        groups.push(JobGroup { jobs: ALL_JOBS.to_owned(), verdicts });
    }
    groups
}

/// The facts about jobs that ran side by side.
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

/// Bytes that jobs work on; unknown if a size is a percentage or missing.
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

/// The jobs of these clones, each once; every one of `clients` machines ran all clones.
fn specs_of(members: &[JobResult], jobs: &[JobSpec], clients: u32) -> Vec<JobSpec> {
    let mut specs = Vec::new();
    let mut next = 1;
    for job in jobs {
        let numbers = next..next + job.process.numjobs.max(1) * clients;
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
