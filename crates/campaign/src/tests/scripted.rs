//! Volumes that are not there, and an executor that follows a script.

use crate::{Executor, Kind, Plan, Progress, Volume, Watcher};
use fathom_host::{Mount, Space, Storage};
use fathom_job::JobSpec;
use fathom_run::{Observer, RunOptions};
use fathom_stats::{DiskUtil, Interval, JobResult, RunResult};
use fathom_vocab::Direction;
use std::path::{Path, PathBuf};

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

/// What a scripted run does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Every I/O takes so many nanoseconds, at the depth asked for.
    Latency(u64),
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
}

impl Scripted {
    /// With one job that does not go well.
    pub fn with(name: &'static str, act: Act) -> Scripted {
        Scripted { acts: vec![(name, act)], ..Scripted::default() }
    }
}

impl Executor for Scripted {
    fn execute(
        &mut self,
        jobs: &[JobSpec],
        _: &RunOptions,
        _: &mut dyn Observer,
    ) -> Result<RunResult, String> {
        let [job] = jobs else { panic!("one job at a time") };
        if job.name == "trial" {
            return Ok(self.trial(job));
        }
        let path = job.target.filenames[0].clone();
        self.saw_files.push(path.exists());
        self.ran.push((job.name.clone(), path));
        let act = self.acts.iter().find(|(name, _)| *name == job.name);
        match act.map_or(Act::Latency(100_000), |(_, act)| act.clone()) {
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

    fn stopping(&self) -> bool {
        self.stop
    }
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
    let job = JobResult { error: 5, error_text: format!("fio: {why}"), ..JobResult::default() };
    RunResult { jobs: vec![job], ..RunResult::default() }
}

/// A second in which every I/O took `ns`; an eighth of it more was ramp.
fn result_of(job: &JobSpec, ns: u64, disk_percent: Option<u64>) -> RunResult {
    let direction = if job.pattern.rw.read { Direction::Read } else { Direction::Write };
    let block = job.pattern.bs[direction].max();
    let ios = u64::from(job.engine.iodepth) * 1_000_000_000 / ns;
    let mut result = JobResult { runtime_ms: 1000, ..JobResult::default() };
    let stats = &mut result.dirs[direction];
    stats.total_ios = ios;
    stats.io_bytes = ios * block;
    stats.runtime_ms = 1000;
    stats.lat.record(ns);
    let mut interval = Interval::default();
    interval.bytes[direction] = ios * block / 8 * 9;
    result.series.intervals.push(interval);
    let moved = interval.bytes[direction] / 512 * disk_percent.unwrap_or(100) / 100;
    let sectors = match direction {
        Direction::Read => (moved, 0),
        _ => (0, moved),
    };
    let disk = DiskUtil { name: "sda".to_owned(), sectors, ..DiskUtil::default() };
    let disks = disk_percent.map(|_| disk).into_iter().collect();
    RunResult { jobs: vec![result], disks, ..RunResult::default() }
}

/// Remembers what it was told, in words.
#[derive(Debug, Default)]
pub struct Diary(pub Vec<String>);

impl Watcher for Diary {
    fn progress(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Filling { volume, .. } => self.0.push(format!("fill {}", volume.volume.name)),
            Progress::Begin { step, volume, phase } => {
                self.0.push(format!("{step} {} on {}", phase.name, volume.volume.name));
            }
            Progress::End { .. } | Progress::Live(_) => {}
        }
    }
}

/// The names of all phases of a plan with their volumes, in order.
pub fn steps(plan: &Plan) -> Vec<String> {
    plan.steps().into_iter().map(|(at, phase)| format!("{at} {}", phase.name)).collect()
}
