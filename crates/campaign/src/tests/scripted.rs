//! Volumes that are not there, and an executor that follows a script.

use crate::doctor::{Backing, Ceiling, CeilingCase};
use crate::{Executor, Kind, MeasureStep, Plan, Progress, Volume, Watcher};
use fathom_host::{Mount, Space, Storage};
use fathom_job::JobSpec;
use fathom_run::{Observer, RunOptions};
use fathom_stats::{DiskUtil, Interval, JobResult, RunResult};
use fathom_vocab::{Direction, IoEngine};
use std::path::{Path, PathBuf};

/// The fields of a document, in their order.
pub fn fields(document: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(document).unwrap();
    json.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
}

/// A folder on an xfs of its own with so many bytes free.
pub fn folder(path: &Path, available_bytes: u64) -> Volume {
    let minor = path.as_os_str().len() as u32;
    Volume {
        name: path.display().to_string(),
        path: path.to_owned(),
        kind: Kind::Folder,
        mount: Mount {
            mount_point: path.to_owned(),
            source: format!("/dev/sd{minor}"),
            fstype: "xfs".to_owned(),
            options: vec!["rw".to_owned()],
            major: 8,
            minor,
            ..Mount::default()
        },
        storage: Storage::Virtual { fstype: "xfs".to_owned() },
        space: Some(Space {
            total_bytes: available_bytes * 2,
            available_bytes,
            ..Space::default()
        }),
    }
}

/// A device of so many bytes, used by nobody.
pub fn device(path: &str, size_bytes: u64) -> Volume {
    let mut volume = folder(Path::new(path), 0);
    volume.kind = Kind::Device { size_bytes, in_use: Vec::new(), in_use_unknown: None, data: None };
    volume.space = None;
    volume
}

/// An executor that is given one job at a time, as every run of a plan and of a course is.
pub trait OneJob {
    /// Runs it.
    fn run_one(&mut self, job: &JobSpec, options: &RunOptions) -> Result<RunResult, String>;

    /// Whether a stop was asked for.
    fn stops(&self) -> bool;

    /// What one core can drive by `engine`.
    fn ceiling_by(&self, _engine: IoEngine) -> Option<&Ceiling> {
        None
    }
}

impl<T: OneJob> Executor for T {
    fn execute(
        &mut self,
        jobs: &[JobSpec],
        options: &RunOptions,
        _: &mut dyn Observer,
    ) -> Result<RunResult, String> {
        let [job] = jobs else { panic!("one job at a time") };
        self.run_one(job, options)
    }

    fn stopping(&self) -> bool {
        self.stops()
    }

    fn ceiling(&self, engine: IoEngine) -> Option<&Ceiling> {
        self.ceiling_by(engine)
    }
}

/// What a scripted run does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Every I/O takes so many nanoseconds, at the depth asked for.
    Latency(u64),
    /// Every I/O takes so many nanoseconds unless that would make more than so many a second.
    Capped(u64, u64),
    /// The job ends with this error.
    Fail(&'static str),
    /// A stop arrives, but something was measured.
    Stop(u64),
    /// The run is refused as a whole.
    Refuse(&'static str),
    /// A defect.
    Panic,
}

/// Follows a script by job name; trials and fills go well unless the script says otherwise.
#[derive(Debug, Default)]
pub struct Scripted {
    /// What jobs of these names do.
    pub acts: Vec<(&'static str, Act)>,
    /// What all others do, if not I/Os of 100 us.
    pub usual: Option<Act>,
    /// The number that each run was given for its seeds, trials left out.
    pub entropies: Vec<u64>,
    /// Ways that trials find closed: engine name and directness, and why.
    pub closed: Vec<(&'static str, bool, &'static str)>,
    /// Jobs that were run, trials left out: name and file.
    pub ran: Vec<(String, PathBuf)>,
    /// Sizes of files that were there while jobs ran.
    pub saw_files: Vec<bool>,
    /// Whether a stop was asked for.
    pub stop: bool,
    /// Sectors of 512 bytes that a disk counts for each that is moved, in percent.
    pub disk_percent: Option<u64>,
    /// What one core can drive.
    pub ceilings: Vec<Ceiling>,
}

impl Scripted {
    /// With one job that does not go well.
    pub fn with(name: &'static str, act: Act) -> Scripted {
        Scripted { acts: vec![(name, act)], ..Scripted::default() }
    }
}

impl OneJob for Scripted {
    fn run_one(&mut self, job: &JobSpec, options: &RunOptions) -> Result<RunResult, String> {
        if job.name == "trial" {
            return Ok(self.trial(job));
        }
        let path = job.target.filenames[0].clone();
        self.saw_files.push(path.exists());
        self.ran.push((job.name.clone(), path));
        self.entropies.push(options.entropy);
        let act = self.acts.iter().find(|(name, _)| *name == job.name);
        let usual = self.usual.clone().unwrap_or(Act::Latency(100_000));
        match act.map_or(usual, |(_, act)| act.clone()) {
            Act::Capped(ns, iops) => {
                let in_flight = u64::from(job.engine.iodepth * job.process.numjobs);
                Ok(result_of(job, ns.max(in_flight * 1_000_000_000 / iops), self.disk_percent))
            }
            Act::Latency(ns) => Ok(result_of(job, ns, self.disk_percent)),
            Act::Fail(why) => Ok(failed(why)),
            Act::Refuse(why) => Err(why.to_owned()),
            Act::Panic => panic!("on purpose"),
            Act::Stop(ns) => {
                self.stop = true;
                Ok(result_of(job, ns, self.disk_percent))
            }
        }
    }

    fn stops(&self) -> bool {
        self.stop
    }

    fn ceiling_by(&self, engine: IoEngine) -> Option<&Ceiling> {
        self.ceilings.iter().find(|ceiling| ceiling.case.engine == engine)
    }
}

/// What one core can drive through io_uring, with a core to itself.
pub fn ceiling(iops: f64) -> Ceiling {
    let case = CeilingCase {
        engine: IoEngine::IoUring,
        depth: 32,
        threads: 1,
        backing: Backing::PageCache,
    };
    Ceiling { case, iops: Some(iops), cpu_percent: Some(100.0), failure: None }
}

impl Scripted {
    fn trial(&self, job: &JobSpec) -> RunResult {
        let way = (job.engine.engine.name(), job.engine.direct);
        match self.closed.iter().find(|(engine, direct, _)| (*engine, *direct) == way) {
            Some((.., why)) => failed(why),
            None => result_of(job, 1000, None),
        }
    }
}

fn failed(why: &str) -> RunResult {
    let job = JobResult { error: 5.into(), error_text: why.to_owned(), ..JobResult::default() };
    RunResult { jobs: vec![job], ..RunResult::default() }
}

/// A second in which every I/O took `ns`; an eighth of it more was ramp. Of a mix each direction
/// has its share, and the jobs of a run share its I/Os evenly. Each thread had a tenth of a
/// processor.
fn result_of(job: &JobSpec, ns: u64, disk_percent: Option<u64>) -> RunResult {
    let rw = job.pattern.rw;
    let clones = u64::from(job.process.numjobs);
    let reads = match (rw.read, rw.write) {
        (true, true) => u64::from(job.pattern.rwmixread),
        (read, _) => u64::from(read) * 100,
    };
    let ios = u64::from(job.engine.iodepth) * 1_000_000_000 / ns;
    let mut result = JobResult { runtime_ms: 1000, ..JobResult::default() };
    result.cpu.user_us = 100_000;
    let mut interval = Interval::default();
    let mut sectors = [0, 0];
    let shares = [(Direction::Read, reads), (Direction::Write, 100 - reads)];
    for (at, (direction, percent)) in shares.into_iter().enumerate().filter(|(_, s)| s.1 > 0) {
        let (ios, block) = (ios * percent / 100, job.pattern.bs[direction].max());
        let stats = &mut result.dirs[direction];
        (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (ios, ios * block, 1000);
        stats.lat.record(ns);
        interval.bytes[direction] = ios * block / 8 * 9;
        sectors[at] = clones * interval.bytes[direction] / 512 * disk_percent.unwrap_or(100) / 100;
    }
    result.series.intervals.push(interval);
    let sectors = (sectors[0], sectors[1]);
    let disk = DiskUtil { name: "sda".to_owned(), sectors, ..DiskUtil::default() };
    let disks = disk_percent.map(|_| disk).into_iter().collect();
    RunResult { jobs: vec![result; clones as usize], disks, ..RunResult::default() }
}

/// Remembers what it was told, in words.
#[derive(Debug, Default)]
pub struct Diary(pub Vec<String>);

impl Watcher for Diary {
    fn progress(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Filling { volume, .. } => self.0.push(format!("fill {}", volume.volume.name)),
            Progress::Begin { step, volume, phase, .. } => {
                self.0.push(format!("{step} {} on {}", phase.name, volume.volume.name));
            }
            Progress::End { .. } | Progress::Live(_) => {}
        }
    }
}

/// The names of all phases of a plan with their volumes, in order.
pub fn steps(plan: &Plan) -> Vec<String> {
    let name = |step: MeasureStep<'_>| format!("{} {}", step.volume, step.phase.name);
    plan.steps().into_iter().map(name).collect()
}
