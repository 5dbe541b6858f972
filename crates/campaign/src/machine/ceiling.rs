//! The rate that one core, or all of them, can drive without a disk.
//!
//! Before the first run one core is measured for about a fifth of a second, with each engine and
//! depth that will be used. A volume's figure is its own only if it is well below this rate. The
//! verdict on the client (`fathom_analysis::client`) judges that, together with other evidence; a
//! second judge here could contradict it.
//!
//! Every ceiling is a run of the same loop that measures volumes, with every statistic on. The null
//! engine measures only the loop, a file in memory adds the path through the kernel. The file is
//! small on purpose: it fits a processor's cache, so that only the cost of the I/O remains.

use super::scratch::Scratch;
use super::{Machine, MachineError, RunOrder};
use crate::jobs::{JobText, NullObserver, RefusedJob, escaped, spec_of, time_text};
use fathom_document::{BLOCK_BYTES, Backing, Ceiling, CeilingCase};
use fathom_job::JobSpec;
use fathom_stats::RunResult;
use fathom_vocab::IoEngine;
use std::path::Path;
use std::time::Duration;

/// The size of a scratch file: enough for any depth, and less than a container's /dev/shm.
pub const SCRATCH_BYTES: u64 = 16 << 20;

/// The measuring time of a ceiling; a tenth of it before that is not counted.
const TIME: Duration = Duration::from_millis(200);
/// How long several take together.
const TOGETHER: Duration = Duration::from_millis(300);

/// Why a ceiling could not be measured.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
enum CeilingError {
    #[error("{place} takes no file of ours")]
    NoFile { place: &'static str },
    #[error("no I/O completed in time")]
    NoIo,
    /// A job's error message.
    #[error("{0}")]
    Failed(String),
    #[error(transparent)]
    NoJob(#[from] RefusedJob),
    #[error(transparent)]
    Machine(#[from] MachineError),
}

impl Scratch {
    fn file(&self, backing: Backing) -> Result<Option<&Path>, CeilingError> {
        let (file, place) = match backing {
            Backing::Nothing => return Ok(None),
            Backing::Tmpfs => (&self.tmpfs, "/dev/shm"),
            Backing::PageCache => (&self.page_cache, "the folder for temporary files"),
        };
        file.as_deref().map(Some).ok_or(CeilingError::NoFile { place })
    }
}

/// The cases for a machine with this number of usable processors.
pub fn ceiling_cases(cpus: usize) -> Vec<CeilingCase> {
    let case = |engine, depth, backing| CeilingCase { engine, depth, threads: 1, backing };
    let mut cases = vec![
        case(IoEngine::Null, 1, Backing::Nothing),
        case(IoEngine::Null, 32, Backing::Nothing),
        case(IoEngine::Psync, 1, Backing::Tmpfs),
    ];
    let deep = IoEngine::deep().into_iter().filter(|engine| !engine.is_sync());
    cases.extend(deep.map(|engine| case(engine, 32, Backing::PageCache)));
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
    machine: &mut dyn Machine,
) -> Ceiling {
    let done = scratch.file(case.backing).and_then(|file| {
        let mut text = text(case.engine, case.depth, file);
        let time_us = time.as_micros() as u64;
        text.set("time_based", 1);
        text.set("runtime", time_text(time_us));
        text.set("ramp_time", time_text(time_us / 10));
        text.set("numjobs", case.threads);
        run(&text, file, machine)
    });
    match done.and_then(|result| figures(&result)) {
        Ok((iops, cpu_percent)) => Ceiling {
            case: case.clone(),
            iops: Some(iops),
            cpu_percent: Some(cpu_percent),
            failure: None,
        },
        Err(why) => Ceiling {
            case: case.clone(),
            iops: None,
            cpu_percent: None,
            failure: Some(why.to_string()),
        },
    }
}

/// Measures the rate that one core can drive with each of `engines`, at most at the given depth. A
/// failed measurement is listed with its reason.
pub fn measure_ceilings(
    engines: &[(IoEngine, u32)],
    scratch: &Scratch,
    machine: &mut dyn Machine,
) -> Vec<Ceiling> {
    let cases = cases(engines);
    let each = TIME.min(TOGETHER / u32::try_from(cases.len().max(1)).unwrap_or(u32::MAX));
    cases.iter().map(|case| measure_ceiling(case, scratch, each, machine)).collect()
}

fn cases(engines: &[(IoEngine, u32)]) -> Vec<CeilingCase> {
    let mut cases: Vec<CeilingCase> = Vec::new();
    // The network limits an export: a file in memory is no comparison.
    for (engine, depth) in engines.iter().filter(|(engine, _)| *engine != IoEngine::Nfs) {
        match cases.iter_mut().find(|case| case.engine == *engine) {
            Some(case) => case.depth = case.depth.max(*depth),
            None => cases.push(CeilingCase {
                engine: *engine,
                depth: *depth,
                threads: 1,
                backing: match engine {
                    IoEngine::Null => Backing::Nothing,
                    engine if engine.is_sync() => Backing::Tmpfs,
                    _ => Backing::PageCache,
                },
            }),
        }
    }
    cases
}

/// The IOPS that one core can drive for `jobs` side by side; none if that was not measured, if
/// their engines differ, or if a kernel thread submits for them.
pub fn ceiling_of(jobs: &[JobSpec], ceilings: &[Ceiling]) -> Option<f64> {
    let engine = jobs.first()?.engine.engine;
    let own = |job: &JobSpec| job.engine.engine == engine && !job.engine.private.sqthread_poll;
    by_engine(ceilings, engine).filter(|_| jobs.iter().all(own))?.undisturbed_iops()
}

/// The ceiling of an engine.
pub(crate) fn by_engine(ceilings: &[Ceiling], engine: IoEngine) -> Option<&Ceiling> {
    ceilings.iter().find(|ceiling| ceiling.case.engine == engine)
}

/// Does one I/O through `engine`; why it could not, if so.
pub fn try_engine(
    engine: IoEngine,
    scratch: &Scratch,
    machine: &mut dyn Machine,
) -> Option<String> {
    let file = match scratch.file(Backing::PageCache) {
        Ok(file) => file,
        Err(why) => return Some(why.to_string()),
    };
    let mut text = text(engine, 1, file);
    text.set("number_ios", 1);
    match run(&text, file, machine) {
        Ok(result) => figures_of_failure(&result),
        Err(why) => Some(why.to_string()),
    }
}

/// The options of a job of 4 KiB random reads. They use memory on purpose: its pages stay in place.
fn text(engine: IoEngine, depth: u32, file: Option<&Path>) -> JobText {
    let mut text = JobText::default();
    text.set("name", "ceiling");
    // The null engine opens nothing: its file needs no name.
    if let Some(file) = file {
        text.set("filename", escaped(file));
    }
    text.set("size", SCRATCH_BYTES);
    text.set("ioengine", engine.name());
    text.set("iodepth", depth);
    text.set("rw", "randread");
    text.set("bs", BLOCK_BYTES);
    text.set("invalidate", 0);
    text.set("randrepeat", 1);
    text.set("lat_percentiles", 1);
    text.set("thread", 1);
    text
}

/// Runs the job described by `text`; returns its result.
fn run(
    text: &JobText,
    file: Option<&Path>,
    machine: &mut dyn Machine,
) -> Result<RunResult, CeilingError> {
    let order = RunOrder::of(spec_of(text, file)?, 0);
    let run = machine.run(&order, &mut NullObserver)?;
    Ok(run.outcome.result)
}

/// I/Os a second and the share of their processors that the threads got, in percent.
fn figures(result: &RunResult) -> Result<(f64, f64), CeilingError> {
    if let Some(why) = figures_of_failure(result) {
        return Err(CeilingError::Failed(why));
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
        return Err(CeilingError::NoIo);
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
