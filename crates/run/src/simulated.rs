//! The loop on simulated time, against an engine that follows a script: a day in a second.
//!
//! For tests and the benchmark, which need known results or long runs. It is the same loop with the
//! same timeline and recorders; only threads, files and signals are left out.

use crate::clone_outcome::CloneLogs;
use crate::control::{CloneCounters, Control};
use crate::drive::{Drive, Env, LoopParts};
use crate::logs::{self, Logged};
use crate::record::{Full, Latencies, Recorder};
use crate::timeline::Timeline;
use fathom_engine::{Clock, Engine, Request, Scripted, ScriptedOutcome};
use fathom_job::JobSpec;
use fathom_stats::{JobResult, Series};
use fathom_vocab::Direction;
use fathom_workload::{BufferFiller, FileExtent, Pacer, Unpaced, Workload, paced_for};

/// The simulated clock at the beginning of a run, in nanoseconds.
pub const BEGIN_NS: u64 = 1_000_000;

/// Of workload, pacing and buffers.
const SEED: u64 = 7;

/// Something that a simulated run lacks.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The buffers could not be allocated.
    #[error("no buffers for the scripted engine: {0}")]
    Buffers(#[from] std::io::Error),
    /// A workload that can be generated.
    #[error("no workload for the simulated run: {0}")]
    Workload(String),
}

/// Runs one clone of `job` over a file of `size_bytes`; its series has intervals of `interval_ms`.
/// `script` defines I/O number n. Jobs that only count run with full statistics.
///
/// # Errors
/// If the buffers or the workload cannot be had.
pub fn simulate(
    job: &JobSpec,
    size_bytes: u64,
    interval_ms: u64,
    script: impl FnMut(u64, &Request) -> ScriptedOutcome + 'static,
) -> Result<(JobResult, CloneLogs), SimulationError> {
    let run = Simulation { job, size_bytes, interval_ms };
    match job.engine.engine.is_sync() {
        true => run.on::<true>(script),
        false => run.on::<false>(script),
    }
}

/// The inputs of a simulation.
pub(crate) struct Simulation<'a> {
    pub job: &'a JobSpec,
    pub size_bytes: u64,
    pub interval_ms: u64,
}

impl Simulation<'_> {
    fn on<const SYNC: bool>(
        &self,
        script: impl FnMut(u64, &Request) -> ScriptedOutcome + 'static,
    ) -> Result<(JobResult, CloneLogs), SimulationError> {
        match logs::wanted(&self.job.measure) {
            true => self.recorded::<_, SYNC>(script, |full| Logged::new(self.job, full)),
            false => self.recorded::<_, SYNC>(script, |full| full),
        }
    }

    /// Runs it with the recorder that `recorder` makes of the usual one.
    pub(crate) fn recorded<R: Recorder, const SYNC: bool>(
        &self,
        script: impl FnMut(u64, &Request) -> ScriptedOutcome + 'static,
        recorder: impl FnOnce(Full<SYNC>) -> R,
    ) -> Result<(JobResult, CloneLogs), SimulationError> {
        let (clock, time) = Clock::simulated(BEGIN_NS);
        let depth = if SYNC { 1 } else { self.job.engine.iodepth };
        let engine = Scripted::<SYNC>::new(time, depth, self.largest_block(), script)?;
        let recorder = recorder(Full::<SYNC>::new(Latencies::of(self.job, SYNC)));
        match paced_for(self.job, SEED) {
            Some(pacer) => self.drive(clock, engine, pacer, recorder),
            None => self.drive(clock, engine, Unpaced, recorder),
        }
    }

    fn largest_block(&self) -> usize {
        let sizes = Direction::ALL.map(|dir| self.job.pattern.bs[dir].max());
        sizes.into_iter().max().unwrap_or(4096) as usize
    }

    /// Runs it on an engine that provides the clock.
    pub(crate) fn drive<E: Engine, P: Pacer, R: Recorder>(
        &self,
        clock: Clock,
        engine: E,
        pacer: P,
        recorder: R,
    ) -> Result<(JobResult, CloneLogs), SimulationError> {
        let (control, live) = (Control::default(), CloneCounters::default());
        let names = ["scripted".to_owned()];
        let env = Env {
            clock,
            control: &control,
            live: &live,
            file_names: &names,
            opens: None,
            reads_back: None,
            log: None,
            trace: None,
        };
        let mut result =
            JobResult { series: Series::new(self.interval_ms), ..JobResult::default() };
        Latencies::of(self.job, E::SYNC).allocate(self.job, &mut result);
        let extent = FileExtent::whole(self.size_bytes);
        let workload = Workload::new(self.job, &[extent], SEED)
            .map_err(|error| SimulationError::Workload(error.to_string()))?;
        let parts = LoopParts {
            engine,
            pacer,
            recorder,
            workload,
            filler: BufferFiller::new(&self.job.buffers, self.largest_block(), SEED),
            timeline: Timeline::new(self.job, self.interval_ms),
            result: Box::new(result),
        };
        let (result, logs) = Drive::new(self.job, env, parts).run();
        Ok((*result, logs))
    }
}
