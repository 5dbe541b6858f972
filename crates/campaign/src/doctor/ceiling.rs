//! What one core, or all of them, can drive when no disk is in the way.
//!
//! Every ceiling is a run of the same loop that measures volumes, with every statistic on: on the
//! null engine there is only the loop, on memory there is the way through the kernel too. The file
//! is small on purpose; it fits a processor's cache, so that what is left is the cost of the I/O.

use crate::execute::Executor;
use crate::jobs::Deaf;
use fathom_job::{BlockSize, Fallocate, JobSpec, ReadWrite, Size};
use fathom_run::RunOptions;
use fathom_stats::RunResult;
use fathom_vocab::{IoEngine, PerDirection};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The size of every I/O.
pub const BLOCK_BYTES: u64 = 4096;
/// The size of a scratch file: room for any depth, and less than what a container's /dev/shm has.
pub const SCRATCH_BYTES: u64 = 16 << 20;

/// What a ceiling is measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backing {
    /// Nothing: the engine completes each I/O itself.
    Nothing,
    /// A file in tmpfs.
    Tmpfs,
    /// A file in a file system's page cache.
    PageCache,
}

impl Backing {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Backing::Nothing => "no kernel",
            Backing::Tmpfs => "tmpfs file",
            Backing::PageCache => "cached file",
        }
    }
}

/// A ceiling to be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CeilingCase {
    /// The engine.
    pub engine: IoEngine,
    /// I/Os in flight for each thread.
    pub depth: u32,
    /// Threads, each with its own loop.
    pub threads: u32,
    /// What it runs on.
    pub backing: Backing,
}

/// A ceiling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ceiling {
    /// What was measured.
    #[serde(flatten)]
    pub case: CeilingCase,
    /// I/Os a second of all threads together; none where it could not be measured.
    pub iops: Option<f64>,
    /// How much of a processor each its threads got, in percent: less than 100 where other work
    /// took the rest.
    pub cpu_percent: Option<f64>,
    /// Why it could not be measured.
    pub failure: Option<String>,
}

impl Ceiling {
    /// I/Os a second where each thread has a processor to itself: what was measured, without what
    /// other work took.
    pub fn undisturbed_iops(&self) -> Option<f64> {
        let share = self.cpu_percent.filter(|percent| *percent > 0.0)? / 100.0;
        Some(self.iops? / share)
    }

    /// Processor time that one I/O takes, in nanoseconds.
    pub fn cpu_ns(&self) -> Option<f64> {
        Some(f64::from(self.case.threads) * 1e9 / self.undisturbed_iops()?)
    }
}

/// Files to run on; each is there, is ours, and is removed by whoever made it.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// A file in tmpfs, or why there is none.
    pub tmpfs: Option<PathBuf>,
    /// A file on a file system with a page cache.
    pub page_cache: Option<PathBuf>,
}

impl Scratch {
    fn file(&self, backing: Backing) -> Result<Option<&Path>, String> {
        let found = match backing {
            Backing::Nothing => return Ok(None),
            Backing::Tmpfs => self.tmpfs.as_deref().ok_or("/dev/shm takes no file of ours"),
            Backing::PageCache => {
                self.page_cache.as_deref().ok_or("the folder for temporary files takes no file")
            }
        };
        found.map(Some).map_err(str::to_owned)
    }
}

/// What is measured on a machine with so many usable processors.
pub fn ceiling_cases(cpus: usize) -> Vec<CeilingCase> {
    let case = |engine, depth, backing| CeilingCase { engine, depth, threads: 1, backing };
    let mut cases = vec![
        case(IoEngine::Null, 1, Backing::Nothing),
        case(IoEngine::Null, 32, Backing::Nothing),
        case(IoEngine::Psync, 1, Backing::Tmpfs),
        case(IoEngine::IoUring, 32, Backing::PageCache),
        case(IoEngine::Libaio, 32, Backing::PageCache),
    ];
    let threads = u32::try_from(cpus).unwrap_or(u32::MAX);
    if threads > 1 {
        cases.push(CeilingCase { threads, ..case(IoEngine::Null, 32, Backing::Nothing) });
    }
    cases
}

/// Measures one ceiling for `time`, after a tenth of it that is not counted.
pub fn measure_ceiling(
    case: &CeilingCase,
    scratch: &Scratch,
    time: Duration,
    executor: &mut dyn Executor,
) -> Ceiling {
    let run = |file: Option<&Path>| {
        let mut job = job(case.engine, case.depth, file);
        let time_us = time.as_micros() as u64;
        job.extent.runtime_us = time_us;
        job.extent.ramp_time_us = time_us / 10;
        job.extent.time_based = true;
        job.process.numjobs = case.threads;
        executor.execute(&[job], &options(), &mut Deaf)
    };
    let done = scratch.file(case.backing).and_then(run);
    match done.and_then(|result| figures(&result)) {
        Ok((iops, cpu_percent)) => Ceiling {
            case: case.clone(),
            iops: Some(iops),
            cpu_percent: Some(cpu_percent),
            failure: None,
        },
        Err(why) => {
            Ceiling { case: case.clone(), iops: None, cpu_percent: None, failure: Some(why) }
        }
    }
}

/// Does one I/O through `engine`; why it could not, if so.
pub fn try_engine(
    engine: IoEngine,
    scratch: &Scratch,
    executor: &mut dyn Executor,
) -> Option<String> {
    let file = match scratch.file(Backing::PageCache) {
        Ok(file) => file,
        Err(why) => return Some(why),
    };
    let mut job = job(engine, 1, file);
    job.extent.number_ios = Some(1);
    match executor.execute(&[job], &options(), &mut Deaf) {
        Err(why) => Some(why),
        Ok(result) => figures_of_failure(&result),
    }
}

fn job(engine: IoEngine, depth: u32, file: Option<&Path>) -> JobSpec {
    let mut job = JobSpec { name: "ceiling".to_owned(), ..JobSpec::default() };
    // The null engine opens nothing: its file needs no name.
    job.target.filenames = file.map(Path::to_owned).into_iter().collect();
    job.target.size = Some(Size::Bytes(SCRATCH_BYTES));
    job.target.fallocate = Fallocate::None;
    job.target.allow_file_create = false;
    // Memory is the point here: its pages stay where they are.
    job.target.invalidate = false;
    job.engine.engine = engine;
    job.engine.iodepth = depth;
    job.pattern.rw =
        ReadWrite { read: true, write: false, trim: false, random: true, trimwrite: false };
    job.pattern.bs = PerDirection::splat(BlockSize::Fixed(BLOCK_BYTES));
    job.pattern.randrepeat = true;
    job.measure.lat_percentiles = true;
    job.process.thread = true;
    job
}

fn options() -> RunOptions {
    RunOptions {
        global_options: Vec::new(),
        live_interval: Duration::from_millis(250),
        status_interval: None,
        entropy: 0,
        notes: Vec::new(),
        readonly: false,
    }
}

/// I/Os a second and the share of their processors that the threads got, in percent.
fn figures(result: &RunResult) -> Result<(f64, f64), String> {
    if let Some(why) = figures_of_failure(result) {
        return Err(why);
    }
    let (mut iops, mut busy_us, mut time_us) = (0.0, 0, 0);
    for job in &result.jobs {
        let stats = &job.dirs.read;
        iops += stats.total_ios as f64 * 1e3 / stats.runtime_ms.max(1) as f64;
        busy_us += job.cpu.user_us + job.cpu.system_us;
        // CPU is counted from the start of the ramp, and so is this.
        time_us += job.elapsed_ms.max(job.runtime_ms) * 1000;
    }
    if iops == 0.0 {
        return Err("no I/O completed in time".to_owned());
    }
    Ok((iops, (busy_us as f64 * 100.0 / time_us.max(1) as f64).min(100.0)))
}

fn figures_of_failure(result: &RunResult) -> Option<String> {
    let failed = result.jobs.iter().find(|job| job.error.is_error());
    match (failed, result.jobs.is_empty()) {
        (Some(job), _) => Some(job.error_text.clone()),
        (None, true) => Some("it was never begun".to_owned()),
        (None, false) => None,
    }
}
