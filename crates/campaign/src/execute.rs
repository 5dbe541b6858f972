//! Carries a plan out: test files under guard, the way found, phase after phase.
//!
//! What runs a job is an [`Executor`]; here it is this process, elsewhere it may be another
//! machine or a script of a test. A phase that fails costs that phase and no other; a stop keeps
//! all that was measured.

use crate::cases::SplitMix;
use crate::doctor::{Ceiling, Scratch};
use crate::failure::{RunFailure, figures_of};
use crate::figures::Figures;
use crate::fill;
use crate::headroom::{ceiling_of, measure_ceilings};
use crate::jobs::{self, JobText};
use crate::method::{self, Method};
use crate::over_rounds::OverRounds;
use crate::plan::{MeasureStep, Plan, VolumePlan};
use crate::remark::{self, Remark};
use crate::suite::Phase;
use crate::testfile::{TestFile, TestFiles};
use crate::verdicts::{self, Context, HostWatch, Verdict};
use crate::volume::Kind;
use fathom_host::Host;
use fathom_job::JobSpec;
use fathom_run::{Control, Event, Observer, RunOptions};
use fathom_stats::{LiveSnapshot, RunResult};
use fathom_vocab::IoEngine;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Runs jobs somewhere.
pub trait Executor {
    /// Runs `jobs` to their end, or to where a stop was asked for.
    ///
    /// # Errors
    /// In words, where nothing was begun.
    fn execute(
        &mut self,
        jobs: &[JobSpec],
        options: &RunOptions,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, String>;

    /// Whether a stop was asked for.
    fn stopping(&self) -> bool;

    /// Holds a file or device that is not ours until the end, and claims a device that is to be
    /// written to, so that no run works on another one.
    ///
    /// # Errors
    /// In words, where somebody uses it.
    fn hold(&mut self, _plan: &VolumePlan) -> Result<(), String> {
        Ok(())
    }

    /// The machine on which jobs run, where it can be looked at.
    fn host(&self) -> Option<Host> {
        None
    }

    /// What one core of that machine can drive by `engine`, where that was measured.
    fn ceiling(&self, _engine: IoEngine) -> Option<&Ceiling> {
        None
    }
}

/// Runs jobs in this process.
#[derive(Debug)]
pub struct LocalExecutor {
    control: Arc<Control>,
    files: TestFiles,
    ceilings: Vec<Ceiling>,
}

impl LocalExecutor {
    /// An executor that stops when `control` says so.
    pub fn new(control: Arc<Control>) -> LocalExecutor {
        LocalExecutor { control, files: TestFiles::default(), ceilings: Vec::new() }
    }

    /// The same, whose runs work on what `files` holds and on nothing that is put in its place.
    pub fn with_files(self, files: &TestFiles) -> LocalExecutor {
        LocalExecutor { files: files.clone(), ..self }
    }

    /// Measures what one core can drive by each of `engines`, at so many I/Os in flight, so that
    /// runs after this are held against it. It takes a third of a second, and is for before the
    /// first run: a volume that still writes back what a run left would be felt in it.
    pub fn measure_ceilings(&mut self, engines: &[(IoEngine, u32)], scratch: &Scratch) {
        self.ceilings = measure_ceilings(engines, scratch, self);
    }
}

impl Executor for LocalExecutor {
    fn execute(
        &mut self,
        jobs: &[JobSpec],
        options: &RunOptions,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, String> {
        let (host, pins) = (fathom_run::local_host(), self.files.pins());
        fathom_run::execute(jobs, options, &host, &pins, &self.control, observer)
            .map(|outcome| outcome.result)
            .map_err(|error| error.to_string())
    }

    fn stopping(&self) -> bool {
        self.control.stopping()
    }

    fn hold(&mut self, plan: &VolumePlan) -> Result<(), String> {
        self.files.hold(plan)
    }

    fn host(&self) -> Option<Host> {
        Some(fathom_run::local_host())
    }

    fn ceiling(&self, engine: IoEngine) -> Option<&Ceiling> {
        self.ceilings.iter().find(|ceiling| ceiling.case.engine == engine)
    }
}

/// What happens while a plan is carried out.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A volume's file is being filled.
    Filling {
        /// The volume.
        volume: &'a VolumePlan,
        /// Bytes done.
        done_bytes: u64,
    },
    /// A phase begins: which step, from 0, of all.
    Begin {
        /// Step, from 0.
        step: usize,
        /// The volume.
        volume: &'a VolumePlan,
        /// The phase.
        phase: &'a Phase,
        /// Number of the round, from 0.
        round: u32,
    },
    /// How it stands.
    Live(&'a LiveSnapshot),
    /// A phase is over.
    End {
        /// Step, from 0.
        step: usize,
        /// What came of it.
        outcome: &'a PhaseOutcome,
    },
}

/// Is told what happens.
pub trait Watcher {
    /// Takes note.
    fn progress(&mut self, progress: Progress<'_>);
}

/// What came of one run of a phase on one volume.
#[derive(Clone, Debug)]
pub struct PhaseOutcome {
    /// The phase.
    pub phase: Phase,
    /// Number of the round, from 0.
    pub round: u32,
    /// Which volume.
    pub volume: usize,
    /// The job as options.
    pub job: JobText,
    /// Its figures, or why there are none.
    pub figures: Result<Figures, RunFailure>,
    /// Whether it was stopped before its time.
    pub cut_short: bool,
    /// What to know about it.
    pub remarks: Vec<Remark>,
    /// What may be said of its figures, the worst first.
    pub verdicts: Vec<Verdict>,
    /// Everything that was measured; none where nothing was begun.
    pub result: Option<RunResult>,
}

/// All that was measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Every run of a phase, in the order in which they went.
    pub phases: Vec<PhaseOutcome>,
    /// What went wrong outside of phases: a volume that could not be filled.
    pub failures: Vec<(usize, String)>,
    /// Whether it was stopped early.
    pub stopped: bool,
}

impl Measured {
    /// Each phase on each volume over all its rounds.
    pub fn over_rounds(&self) -> Vec<OverRounds> {
        OverRounds::of(&self.phases)
    }

    /// Whether everything asked for was measured.
    pub fn is_whole(&self) -> bool {
        !self.stopped
            && self.failures.is_empty()
            && self.phases.iter().all(|phase| phase.figures.is_ok())
    }
}

/// A plan whose test files are there and whose ways are known.
#[derive(Debug)]
pub struct Prepared {
    /// The plan.
    pub plan: Plan,
    /// The way to each volume.
    pub methods: Vec<Method>,
    /// The test file of each volume that has one; gone at their end.
    files: Vec<Option<TestFile>>,
}

/// How often the live view is told of.
const LIVE_INTERVAL: Duration = Duration::from_millis(250);

impl Prepared {
    /// Makes the test files and finds out how each volume can be reached.
    ///
    /// # Errors
    /// In words, where a file cannot be made or a volume cannot be read at all. What was made is
    /// gone again.
    pub fn begin(
        plan: Plan,
        files: &TestFiles,
        executor: &mut dyn Executor,
    ) -> Result<Prepared, String> {
        let mut guards = Vec::new();
        let mut methods = Vec::with_capacity(plan.volumes.len());
        for volume in &plan.volumes {
            guards.push(begin_on(volume, files, executor)?);
            let (asked, block) = (plan.engine, plan.trial_block_bytes);
            let options = run_options(plan.seed);
            let found = method::find(volume, asked, block, executor, &options)
                .map_err(|why| format!("cannot measure {}: {why}", volume.volume.name))?;
            methods.push(found);
        }
        Ok(Prepared { plan, methods, files: guards })
    }

    /// Each engine that phases go through, with the I/Os in flight of one of them.
    pub fn engines(&self) -> Vec<(IoEngine, u32)> {
        let phases = &self.plan.suite.phases;
        let of = |method: &Method| {
            let depths = phases.iter().map(|phase| method.effective_depth(phase.depth));
            depths.map(|depth| (method.engine, depth)).collect::<Vec<_>>()
        };
        self.methods.iter().flat_map(of).collect()
    }

    /// What to know about a volume before its figures.
    pub fn remarks_on(&self, at: usize) -> Vec<Remark> {
        let mut remarks = self.plan.volumes[at].remarks.clone();
        remarks.extend(remark::on_method(&self.methods[at]));
        remarks
    }

    /// Fills what must be filled, then runs every step.
    pub fn run(&self, executor: &mut dyn Executor, watcher: &mut dyn Watcher) -> Measured {
        let mut measured = Measured { phases: Vec::new(), failures: Vec::new(), stopped: false };
        for at in 0..self.plan.volumes.len() {
            if let Err(why) = self.fill(at, executor, watcher) {
                measured.failures.push((at, why));
            }
        }
        for (step, of) in self.plan.steps().into_iter().enumerate() {
            if executor.stopping() {
                break;
            }
            if measured.failures.iter().any(|(failed, _)| *failed == of.volume) {
                continue;
            }
            let (volume, phase, round) = (&self.plan.volumes[of.volume], of.phase, of.round);
            watcher.progress(Progress::Begin { step, volume, phase, round });
            let outcome = self.phase(of, executor, watcher);
            watcher.progress(Progress::End { step, outcome: &outcome });
            measured.phases.push(outcome);
        }
        measured.stopped = executor.stopping();
        if measured.stopped {
            // That a fill was cut short is no failure of the volume's.
            measured.failures.clear();
        }
        measured
    }

    fn fill(
        &self,
        at: usize,
        executor: &mut dyn Executor,
        watcher: &mut dyn Watcher,
    ) -> Result<(), String> {
        let volume = &self.plan.volumes[at];
        if volume.fill_bytes == 0 || executor.stopping() {
            return Ok(());
        }
        let block = self.plan.suite.largest_block_bytes();
        let job = jobs::fill(volume, &self.methods[at], block);
        let mut told = |done_bytes| watcher.progress(Progress::Filling { volume, done_bytes });
        fill::fill(volume, job, executor, &run_options(self.plan.seed), &mut told)
    }

    fn phase(
        &self,
        step: MeasureStep<'_>,
        executor: &mut dyn Executor,
        watcher: &mut dyn Watcher,
    ) -> PhaseOutcome {
        let MeasureStep { volume: at, phase, round } = step;
        let method = &self.methods[at];
        let job = jobs::phase_job(&self.plan, at, phase, method);
        let text = JobText { options: job.given.clone() };
        let mut told = |live: &LiveSnapshot| watcher.progress(Progress::Live(live));
        let mut relay = LiveRelay { told: &mut told };
        let volume = &self.plan.volumes[at];
        let core_iops = ceiling_of(std::slice::from_ref(&job), executor);
        let context = context(volume, self.files[at].as_ref(), method.direct);
        let context = context.with_job(&job).with_ceiling(core_iops);
        let watch = executor.host().map(|host| HostWatch::begin(host, Some(&volume.volume)));
        let done = executor.execute(&[job], &run_options(self.offsets_of(step)), &mut relay);
        let context = match watch.map(HostWatch::end) {
            Some(observed) => context.with_observed(&observed),
            None => context,
        };
        let mut outcome = PhaseOutcome {
            phase: phase.clone(),
            round,
            volume: at,
            job: text,
            figures: Err(RunFailure::Stopped),
            cut_short: executor.stopping(),
            remarks: Vec::new(),
            verdicts: Vec::new(),
            result: None,
        };
        match done {
            Ok(result) => take(&mut outcome, method, &context, result),
            Err(why) if !outcome.cut_short => outcome.figures = Err(RunFailure::Failed(why)),
            Err(_) => {}
        }
        outcome
    }

    /// What decides a run's offsets: another for each phase and round, and the same on every
    /// volume.
    fn offsets_of(&self, step: MeasureStep<'_>) -> u64 {
        let phases = &self.plan.suite.phases;
        let phase = phases.iter().position(|phase| phase == step.phase).unwrap_or(0);
        SplitMix::of(self.plan.seed, &[phase as u64, u64::from(step.round)]).draw()
    }
}

/// Reads a phase's figures off its result.
fn take(outcome: &mut PhaseOutcome, method: &Method, context: &Context, result: RunResult) {
    let phase = &outcome.phase;
    let depth = method.effective_depth(phase.depth);
    let stats = result.jobs.first().map(|job| &job.dirs[phase.direction]);
    let figures = stats.and_then(|stats| Figures::of(stats, depth, phase.block_bytes));
    outcome.figures = figures_of(&result, figures, outcome.cut_short);
    if let Ok(figures) = &outcome.figures {
        outcome.remarks = remark::on_run(figures);
        outcome.remarks.extend(remark::on_pause(&result));
        outcome.verdicts = verdicts::judge(&result, context);
    }
    outcome.result = Some(result);
}

/// What is known of where a job goes and how, before it runs.
pub(crate) fn context(plan: &VolumePlan, file: Option<&TestFile>, direct: bool) -> Context {
    let holes = match plan.volume.kind {
        Kind::ExistingFile { size_bytes, allocated_bytes, .. }
            if !plan.writes && size_bytes > 0 =>
        {
            Some(1.0 - (allocated_bytes as f64 / size_bytes as f64).min(1.0))
        }
        _ => None,
    };
    Context {
        direct: verdicts::direct_io(&plan.path, file.map(TestFile::handle), direct),
        working_set_bytes: Some(plan.size_bytes),
        unwritten_share: holes.filter(|share| *share > 0.0),
        ..Context::of_volume(&plan.volume)
    }
}

pub(crate) fn run_options(entropy: u64) -> RunOptions {
    RunOptions {
        global_options: Vec::new(),
        live_interval: LIVE_INTERVAL,
        status_interval: None,
        entropy,
        notes: Vec::new(),
        readonly: false,
    }
}

/// Makes the test file of a volume, or holds what is there.
pub(crate) fn begin_on(
    volume: &VolumePlan,
    files: &TestFiles,
    executor: &mut dyn Executor,
) -> Result<Option<TestFile>, String> {
    match volume.ours {
        true => files.create(&volume.path).map(Some).map_err(|e| cannot_make(volume, &e)),
        false => executor.hold(volume).map(|()| None),
    }
}

fn cannot_make(volume: &VolumePlan, error: &io::Error) -> String {
    let what = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "; run as a user who may write there, or name a file that is there to only read it"
        }
        io::ErrorKind::ReadOnlyFilesystem => "; name a file that is there, which is only read",
        _ => "",
    };
    format!("cannot make a test file on {}: {error}{what}", volume.volume.name)
}

/// Passes on live figures.
pub(crate) struct LiveRelay<'a> {
    /// Who hears them.
    pub told: &'a mut dyn FnMut(&LiveSnapshot),
}

impl Observer for LiveRelay<'_> {
    fn event(&mut self, event: &Event) {
        if let Event::Live(live) = event {
            (self.told)(live);
        }
    }

    fn wants_latency(&self) -> bool {
        true
    }
}
