//! One clone's thread: sets up files and engine, waits for the start, drives the loop, cleans up.

use crate::clone_outcome::{CloneOutcome, blank_result, failed_result};
use crate::control::{CloneCounters, Control, Gate, State};
use crate::drive::{Drive, Env, LoopParts};
use crate::error::RunError;
use crate::files::extents_of;
use crate::io_log::IoLog;
use crate::io_trace::IoTrace;
use crate::logs::{self, Logged};
use crate::opening;
use crate::pins::Leftover;
use crate::plan::ClonePlan;
use crate::record::{CountOnly, Full, Latencies, Recorder};
use crate::target_access::FileKind;
use crate::timeline::Timeline;
use crate::wall_clock::unix_ms;
use fathom_engine::shell_command;
use fathom_engine::{Clock, Engine, EngineConfig, PinnedMemory, TargetHandle, Visitor};
use fathom_host::Host;
use fathom_job::{JobSpec, MemoryPolicy};
use fathom_stats::JobResult;
use fathom_vocab::{Direction, ErrorNumber};
use fathom_workload::{BufferFiller, Pacer, Unpaced, Verifier, Workload, paced_for};
use std::fs::File;
use std::io::ErrorKind;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Data shared between a thread and its starter.
pub(crate) struct CloneContext<'a> {
    pub clock: Clock,
    pub control: &'a Control,
    pub live: &'a CloneCounters,
    pub gate: &'a Gate,
    pub host: &'a Host,
    pub interval_ms: u64,
    pub trace: Option<&'a IoTrace<'a>>,
    /// Called once when this clone is set up, or has failed.
    pub ready: &'a dyn Fn(),
}

/// Runs one clone from set-up to clean-up; errors end up in its result.
pub(crate) fn run_clone(plan: &ClonePlan, context: &CloneContext<'_>) -> CloneOutcome {
    let mut outcome = set_up_and_drive(plan, context).unwrap_or_else(|error| {
        (context.ready)();
        let mut blank = blank_result(plan, context.interval_ms);
        blank.pid = fathom_engine::thread_id();
        failed_result(blank, &error)
    });
    context.trace.iter().for_each(|trace| trace.flush());
    outcome.leftovers = clean_up(plan, &mut outcome.result);
    outcome
}

fn set_up_and_drive(
    plan: &ClonePlan,
    context: &CloneContext<'_>,
) -> Result<CloneOutcome, RunError> {
    let job = &plan.job;
    let mut result = blank_result(plan, context.interval_ms);
    result.pid = fathom_engine::thread_id();
    place_on_cpus(plan, context.host)?;
    place_memory(job, context.host)?;
    let _pinned = pin_memory(job)?;
    if let Some(command) = &job.process.exec_prerun {
        result.notes.extend(run_command(job, "exec_prerun", command));
    }
    let latencies = Latencies::of(job, job.completes_at_once());
    latencies.allocate(job, &mut result);
    opening::read_beforehand(plan)?;
    let on_use = opening::is_on_use(plan);
    let files = if on_use { Vec::new() } else { opening::open_files(plan)? };
    context.live.open_files.store(files.len() as u32, Relaxed);
    let names: Vec<String> =
        plan.files.iter().map(|file| file.shown().display().to_string()).collect();
    let mut workload = workload_of(plan)?;
    if on_use {
        workload.open_on_use();
    }
    context.live.expected_bytes.store(workload.pass_bytes(), Relaxed);
    let mut config = engine_config(plan, files);
    config.files_later = if on_use { plan.files.len() } else { 0 };
    let start = Start { plan, context, names: &names, on_use, latencies, workload, result };
    fathom_engine::with_engine(config, start)
        .map_err(|error| RunError::engine(job, ErrorNumber::of(&error.source), error))?
}

fn place_on_cpus(plan: &ClonePlan, host: &Host) -> Result<(), RunError> {
    let process = &plan.job.process;
    let mut cpus = process.cpus_allowed.clone();
    for node in &process.numa_cpu_nodes {
        cpus.extend(host.numa_cpus(*node));
    }
    if !cpus.is_empty() {
        let chosen = match process.cpus_split {
            true => vec![cpus[plan.clone as usize % cpus.len()]],
            false => cpus,
        };
        let numbers: Vec<usize> = chosen.iter().map(|cpu| *cpu as usize).collect();
        fathom_engine::bind_thread(&numbers).map_err(|error| {
            let message = format!(
                "cannot run on CPUs {chosen:?}: {error}; this machine has {:?} (cpus_allowed)",
                host.allowed_cpus()
            );
            RunError::job(&plan.job, message)
        })?;
    }
    if process.nice != 0 {
        fathom_engine::nice_thread(process.nice)
            .map_err(|error| RunError::job(&plan.job, format!("nice={}: {error}", process.nice)))?;
    }
    if let Some(io) = process.io_priority {
        fathom_engine::prioritize_thread(io.class, io.level, io.hint).map_err(|error| {
            let message = format!("prioclass={} prio={}: {error}", io.class, io.level);
            RunError::job(&plan.job, message)
        })?;
    }
    Ok(())
}

/// Takes memory away, so that less is left for the page cache.
fn pin_memory(job: &JobSpec) -> Result<Option<PinnedMemory>, RunError> {
    let bytes = job.process.lockmem;
    if bytes == 0 {
        return Ok(None);
    }
    let pinned = usize::try_from(bytes).map_err(|_| ErrorKind::OutOfMemory.into());
    pinned.and_then(PinnedMemory::new).map(Some).map_err(|error| {
        let text = format!("lockmem={bytes}: {error}; lower it, or raise the limit (ulimit -l)");
        RunError::job(job, text)
    })
}

/// Sets the thread's NUMA nodes, before its buffers are made.
fn place_memory(job: &JobSpec, host: &Host) -> Result<(), RunError> {
    use fathom_engine::NumaPolicy as Of;
    let Some(policy) = &job.process.numa_mem_policy else { return Ok(()) };
    let all_if_empty = |nodes: &[u32]| match nodes {
        [] => host.numa_nodes(),
        _ => nodes.to_vec(),
    };
    let wanted = match policy {
        MemoryPolicy::Default => Of::Default,
        MemoryPolicy::Local => Of::Local,
        MemoryPolicy::Prefer(node) => Of::Prefer(*node),
        MemoryPolicy::Bind(nodes) => Of::Bind(all_if_empty(nodes)),
        MemoryPolicy::Interleave(nodes) => Of::Interleave(all_if_empty(nodes)),
    };
    fathom_engine::set_numa_policy(&wanted).map_err(|error| {
        let message = format!("numa_mem_policy: {error}; leave it out, or name other nodes");
        RunError::job(job, message)
    })
}

/// Runs a command before or after a job. As in fio, its failure does not fail the job: it is noted.
fn run_command(job: &JobSpec, option: &str, command: &str) -> Option<String> {
    let log = File::create(format!("{}.{}.txt", job.name, option.trim_start_matches("exec_")));
    let mut shell = shell_command(command);
    if let Ok((log, twin)) = log.and_then(|log| Ok((log.try_clone()?, log))) {
        shell.stdout(log).stderr(twin);
    }
    match shell.status() {
        Ok(status) if status.success() => None,
        Ok(status) => Some(format!("{option}={command} ended with {status}.")),
        Err(error) => Some(format!("{option}={command}: {error}.")),
    }
}

/// The workload of the clone. Out of line, and before the engine is built, for the same reason as
/// `blank_result`.
#[inline(never)]
fn workload_of(plan: &ClonePlan) -> Result<Box<Workload>, RunError> {
    Workload::new(&plan.job, &extents_of(&plan.files), plan.seed)
        .map(Box::new)
        .map_err(|error| RunError::job(&plan.job, error.to_string()))
}

/// The stamp of a clone's blocks, if it verifies: the moment marks the run.
fn verifier_of(plan: &ClonePlan) -> Option<Verifier> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Verifier::new(&plan.job.verify, plan.number, now.as_nanos() as u64, plan.shares_files)
}

/// Bytes of the job's largest block, for buffers.
fn largest_block(job: &JobSpec) -> usize {
    let largest = Direction::ALL.iter().map(|dir| job.pattern.bs[*dir].max()).max();
    largest.unwrap_or(4096) as usize
}

fn engine_config(plan: &ClonePlan, files: Vec<TargetHandle>) -> EngineConfig {
    let spec = &plan.job.engine;
    let rw = plan.job.pattern.rw;
    let depth = if spec.engine.is_sync() { 1 } else { spec.iodepth };
    let mut config = EngineConfig::over(spec.engine, depth, largest_block(&plan.job), files);
    config.mem_align = spec.iomem_align as usize;
    config.direct = spec.direct;
    config.writable = rw.write || rw.trim;
    config.sizes = plan.files.iter().map(|f| f.extent.start + f.extent.len).collect();
    config.options = spec.private;
    config
}

/// Everything but the engine; meets it in [`Visitor::visit`].
struct Start<'a> {
    plan: &'a ClonePlan,
    context: &'a CloneContext<'a>,
    names: &'a [String],
    /// Whether files are opened when their first I/O is due.
    on_use: bool,
    latencies: Latencies,
    workload: Box<Workload>,
    result: Box<JobResult>,
}

impl Visitor for Start<'_> {
    type Out = Result<CloneOutcome, RunError>;

    #[inline(never)]
    fn visit<E: Engine>(self, engine: E, notes: Vec<String>) -> Self::Out {
        let mut start = self;
        start.result.notes.extend(notes);
        let job = &start.plan.job;
        match paced_for(job, start.plan.seed) {
            Some(pacer) => start.with_pacer(engine, pacer),
            None => start.with_pacer(engine, Unpaced),
        }
    }
}

impl Start<'_> {
    /// A constant of the engine's type picks the recorder's: the branch is the compiler's.
    fn with_pacer<E: Engine, P: Pacer>(
        self,
        engine: E,
        pacer: P,
    ) -> Result<CloneOutcome, RunError> {
        match E::SYNC {
            true => self.with_recorder::<E, P, true>(engine, pacer),
            false => self.with_recorder::<E, P, false>(engine, pacer),
        }
    }

    /// Each recorder is one more loop for each engine and pacer, of 25 kB. Whether an I/O is logged
    /// costs little if it waits for its time, so that paced jobs have one recorder.
    fn with_recorder<E: Engine, P: Pacer, const SYNC: bool>(
        self,
        engine: E,
        pacer: P,
    ) -> Result<CloneOutcome, RunError> {
        let job = &self.plan.job;
        let full = Full::<SYNC>::new(self.latencies);
        match P::PACED {
            true => {
                let logged = Logged::new(job, full);
                self.go(engine, pacer, logged)
            }
            false if logs::wanted(&job.measure) || names_files(job, self.context) => {
                let logged = Logged::new(job, full);
                self.go(engine, pacer, logged)
            }
            false if job.measure.is_untimed() && job.pace.latency_target.is_none() => {
                self.go(engine, pacer, CountOnly)
            }
            false => self.go(engine, pacer, full),
        }
    }

    /// Out of line: the frames of unused variants would otherwise be below its loop.
    #[inline(never)]
    fn go<E, P, R>(self, engine: E, pacer: P, recorder: R) -> Result<CloneOutcome, RunError>
    where
        E: Engine,
        P: Pacer,
        R: Recorder,
    {
        let job: &JobSpec = &self.plan.job;
        let mut filler = BufferFiller::new(&job.buffers, largest_block(job), self.plan.seed);
        if let Some(verifier) = verifier_of(self.plan) {
            filler.verify(verifier);
        }
        let log = IoLog::of(self.plan, self.names)?;
        let env = Env {
            clock: self.context.clock,
            control: self.context.control,
            live: self.context.live,
            file_names: self.names,
            opens: self.on_use.then_some(self.plan),
            reads_back: job.reads_back().then_some(self.plan),
            log: log.as_ref(),
            trace: self.context.trace,
        };
        let parts = LoopParts {
            engine,
            pacer,
            recorder,
            workload: *self.workload,
            filler,
            timeline: Timeline::new(job, self.context.interval_ms),
            result: self.result,
        };
        let drive = Drive::new(job, env, parts);
        wait_for_start(self.plan, self.context);
        let started_ms = unix_ms();
        let (mut result, logs) = drive.run();
        self.context.live.ended_ns.store(self.context.clock.now_ns(), Relaxed);
        result.job_start_ms = started_ms + result.setup.ramp_ms;
        Ok(CloneOutcome { result, logs, leftovers: Vec::new() })
    }
}

/// Whether the loop must know the file of each I/O: for a trace, or to name a block that is wrong.
fn names_files(job: &JobSpec, context: &CloneContext<'_>) -> bool {
    context.trace.is_some() || job.verify.method.is_some()
}

fn wait_for_start(plan: &ClonePlan, context: &CloneContext<'_>) {
    context.live.set_state(State::Ready);
    (context.ready)();
    let mut until_ns = context.gate.wait();
    let (low, high) = plan.job.extent.startdelay_us;
    // A range draws a delay for each clone, from its own seed.
    let spread = if high > low { plan.seed % (high - low + 1) } else { 0 };
    until_ns += (low + spread).saturating_mul(1000);
    while context.clock.now_ns() < until_ns && !context.control.stopping() {
        let left = until_ns - context.clock.now_ns().min(until_ns);
        std::thread::sleep(Duration::from_nanos(left.min(50_000_000)));
    }
    let ramp = plan.job.extent.ramp_time_us > 0;
    context.live.started_ns.store(context.clock.now_ns(), Relaxed);
    context.live.set_state(if ramp { State::Ramping } else { State::Running });
}

/// Gives the files that it was to remove and could not.
fn clean_up(plan: &ClonePlan, result: &mut JobResult) -> Vec<Leftover> {
    let job = &plan.job;
    let mut leftovers = Vec::new();
    if job.target.unlink {
        for file in plan.files.iter().filter(|file| file.kind == FileKind::Regular) {
            match file.access.remove(&file.path) {
                // A clone that shares the file may have removed it already.
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    leftovers.push(Leftover::refused(&file.shown(), &error, None));
                }
                _ => {}
            }
        }
    }
    if let Some(command) = job.process.exec_postrun.as_ref().filter(|_| !result.error.is_error()) {
        result.notes.extend(run_command(job, "exec_postrun", command));
    }
    leftovers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every by-value step from the start of the thread to the loop copies these, and each copy
    /// is touched stack, times a thousand clones.
    #[test]
    fn what_goes_down_the_stack_is_small() {
        assert!(size_of::<Start<'_>>() <= 128, "{} bytes", size_of::<Start<'_>>());
        assert!(size_of::<CloneOutcome>() <= 256, "{} bytes", size_of::<CloneOutcome>());
    }
}
