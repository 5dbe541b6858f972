//! From jobs to clones: numbers, reporting groups, seeds and files, before anything is touched.

use crate::access_choice::access_of;
use crate::error::RunError;
use crate::files::{FilePlan, extents_of, io_limit, plan_files};
use crate::guard::Claims;
use crate::pins::Pins;
use crate::setup::setup_of;
use fathom_host::Host;
use fathom_job::{Extent, JobSize, JobSpec};
use fathom_stats::JobSetup;
use fathom_workload::{Stream, Workload, subseed};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// One thread's work.
#[derive(Clone, Debug)]
pub(crate) struct ClonePlan {
    /// The job; shared by its clones.
    pub job: Arc<JobSpec>,
    /// Index of the job.
    pub job_index: usize,
    /// Number among the clones of its job, from 0.
    pub clone: u32,
    /// Number in the whole run, from 1.
    pub number: u32,
    pub group_id: u32,
    pub seed: u64,
    pub files: Vec<FilePlan>,
    /// Why its files could not be planned; it then fails before it starts.
    pub refusal: Option<RunError>,
    /// Waits for all clones before it to end.
    pub stonewall: bool,
    /// Whether another clone has a file of this one.
    pub shares_files: bool,
}

impl ClonePlan {
    /// Name of the file of which `tausworthe` cannot reach every block, if there is one.
    pub fn file_beyond_tausworthe(&self) -> Option<String> {
        let at = Workload::file_beyond_tausworthe(&self.job, &extents_of(&self.files))?;
        Some(self.files[at].shown().display().to_string())
    }
}

/// All clones of all jobs, in the order of their numbers, and the claims on devices that they write
/// to: a check for use is valid as long as its claim.
pub(crate) fn plan(
    jobs: &[JobSpec],
    host: &Host,
    entropy: u64,
    pins: &Pins,
    jobs_fail_alone: bool,
) -> Result<(Vec<ClonePlan>, Claims), RunError> {
    let (mut clones, mut claims) = (Vec::new(), Claims::new(host, pins));
    let groups = group_ids(jobs);
    for (job_index, job) in jobs.iter().enumerate() {
        let access = access_of(job)?;
        check_processors(job, host).and_then(|()| check_threads(job, host))?;
        let shared = Arc::new(job.clone());
        for clone in clone_order(job.process.numjobs) {
            let seed = fathom_workload::seed_for(job, clone, entropy);
            let planned =
                plan_files(job, clone, seed, pins, &access).and_then(|files| fitting(job, files));
            let (files, refusal) = files_or_refusal(planned, jobs_fail_alone)?;
            claims.check_targets(job, &files)?;
            clones.push(ClonePlan {
                job: match amount_of(job, &files) {
                    Some(extent) => Arc::new(JobSpec { extent, ..job.clone() }),
                    None => shared.clone(),
                },
                job_index,
                clone,
                number: clones.len() as u32 + 1,
                group_id: groups[job_index],
                seed,
                files,
                refusal,
                stonewall: job.process.stonewall && clone == 0,
                shares_files: false,
            });
        }
    }
    check_waits(jobs)?;
    mark_shared_files(&mut clones);
    Ok((clones, claims))
}

/// Finds the clones that verify and are not alone on their files.
fn mark_shared_files(clones: &mut [ClonePlan]) {
    if !clones.iter().any(|clone| clone.job.verify.method.is_some()) {
        return;
    }
    let mut users: HashMap<PathBuf, usize> = HashMap::new();
    for file in clones.iter().flat_map(|clone| &clone.files) {
        *users.entry(file.path.clone()).or_default() += 1;
    }
    for clone in clones.iter_mut().filter(|clone| clone.job.verify.method.is_some()) {
        clone.shares_files = clone.files.iter().any(|file| users[&file.path] > 1);
    }
}

/// A clone's files; none and the refusal if it is to fail alone.
fn files_or_refusal(
    planned: Result<Vec<FilePlan>, RunError>,
    jobs_fail_alone: bool,
) -> Result<(Vec<FilePlan>, Option<RunError>), RunError> {
    match planned {
        Ok(files) => Ok((files, None)),
        Err(refusal) if jobs_fail_alone => Ok((Vec::new(), Some(refusal))),
        Err(refusal) => Err(refusal),
    }
}

/// The files of a job, if its blocks fit: one that must fail makes no file first.
fn fitting(job: &JobSpec, files: Vec<FilePlan>) -> Result<Vec<FilePlan>, RunError> {
    match Workload::check(job, &extents_of(&files)) {
        Err(error) if !job.target.create_only => Err(RunError::job(job, error.to_string())),
        _ => Ok(files),
    }
}

/// The order in which fio numbers the clones of a job, and so its logs and reports: the first, then
/// from the last back to the second.
fn clone_order(numjobs: u32) -> impl Iterator<Item = u32> {
    (0..numjobs.min(1)).chain((1..numjobs).rev())
}

/// Refuses CPUs and NUMA nodes that the machine does not have, rather than leaving them out.
fn check_processors(job: &JobSpec, host: &Host) -> Result<(), RunError> {
    let process = &job.process;
    let memory = process.numa_mem_policy.as_ref().map_or(&[][..], |policy| policy.nodes());
    let nodes = host.numa_nodes();
    let asked = [
        ("CPU", "cpus_allowed", &process.cpus_allowed[..], &host.online_cpus()),
        ("NUMA node", "numa_cpu_nodes", &process.numa_cpu_nodes[..], &nodes),
        ("NUMA node", "numa_mem_policy", memory, &nodes),
    ];
    for (what, option, wanted, there) in asked {
        let Some(number) = wanted.iter().find(|number| !there.contains(number)) else { continue };
        let message = match there.last() {
            Some(last) => format!("{what} {number} too large (max={last}); lower {option}="),
            None => format!("this machine has no {what} {number}; leave out {option}="),
        };
        return Err(RunError::job(job, message));
    }
    Ok(())
}

/// Refuses a job whose clones are more threads than the system takes, before each has a plan.
fn check_threads(job: &JobSpec, host: &Host) -> Result<(), RunError> {
    let (clones, most) = (u64::from(job.process.numjobs), host.limits().threads_max);
    match most.filter(|most| clones > *most) {
        Some(most) => Err(RunError::job(
            job,
            format!("{clones} threads are more than this system takes ({most}); lower numjobs="),
        )),
        None => Ok(()),
    }
}

/// How much a clone does, where its files decide that.
fn amount_of(job: &JobSpec, files: &[FilePlan]) -> Option<Extent> {
    let mut extent = job.extent.clone();
    if let Some(limit_bytes) = io_limit(job, files) {
        extent.io_size = Some(JobSize::Bytes(limit_bytes));
        return Some(extent);
    }
    let loops = (extent.loops > 1).then(|| Workload::rounds(job, &extents_of(files)))??;
    (extent.loops, extent.io_size) = (loops, None);
    Some(extent)
}

/// The reporting group of each job: `stonewall` and `new_group` begin one.
fn group_ids(jobs: &[JobSpec]) -> Vec<u32> {
    let mut group_id = 0;
    let number = |(at, job): (usize, &JobSpec)| {
        if at > 0 && (job.process.stonewall || job.process.new_group) {
            group_id += 1;
        }
        group_id
    };
    jobs.iter().enumerate().map(number).collect()
}

/// The description of a job before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Name of the job.
    pub name: String,
    /// Its reporting group.
    pub group_id: u32,
    /// Its settings.
    pub setup: JobSetup,
    /// How many clones of it run.
    pub clones: u32,
}

/// The description of each job, in order.
pub fn openings(jobs: &[JobSpec]) -> Vec<Opening> {
    let groups = group_ids(jobs);
    let opening = |(job, group_id): (&JobSpec, u32)| Opening {
        name: job.name.clone(),
        group_id,
        setup: setup_of(job, 0),
        clones: job.process.numjobs,
    };
    jobs.iter().zip(groups).map(opening).collect()
}

/// The seeds of one clone, for `--debug=random`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloneSeeds {
    /// They are the same in every run.
    pub repeat: bool,
    /// The seed of each stream of random numbers.
    pub seeds: Vec<u64>,
}

/// The seeds of all clones, in the order of their numbers.
pub fn clone_seeds(jobs: &[JobSpec], entropy: u64) -> Vec<CloneSeeds> {
    let of_clone = |job: &JobSpec, clone| {
        let seed = fathom_workload::seed_for(job, clone, entropy);
        CloneSeeds {
            repeat: job.pattern.randrepeat || job.pattern.randseed.is_some(),
            seeds: Stream::ALL.iter().map(|stream| subseed(seed, *stream as u64)).collect(),
        }
    };
    let clones =
        jobs.iter().flat_map(|job| clone_order(job.process.numjobs).map(move |clone| (job, clone)));
    clones.map(|(job, clone)| of_clone(job, clone)).collect()
}

/// `wait_for` must name an earlier job.
fn check_waits(jobs: &[JobSpec]) -> Result<(), RunError> {
    for (at, job) in jobs.iter().enumerate() {
        let Some(name) = &job.process.wait_for else { continue };
        if !jobs[..at].iter().any(|earlier| earlier.name == *name) {
            let message = format!("wait_for={name} names no job before this one");
            return Err(RunError::job(job, message));
        }
    }
    Ok(())
}
