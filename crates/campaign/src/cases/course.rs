//! Carries cases out on one place: the file under guard, the ways found, turn after turn.
//!
//! A case that fails costs that case and no other; a stop keeps what was measured, also of the
//! case that it cut short. Each run has a seed of its own that follows from the campaign's, so
//! that offsets differ from run to run and yet can be had again.

use super::case::{CachePolicy, Case};
use super::chance::SplitMix;
use super::figures::CaseFigures;
use super::outcome::{CaseOutcome, CaseProgress, CaseWatcher, Ended, Turn, Way};
use crate::demand::Demand;
use crate::execute::{self, Executor, LiveRelay, begin_on, run_options};
use crate::failure::{RunFailure, figures_of};
use crate::fill;
use crate::headroom::ceiling_of;
use crate::jobs::{self, JobText};
use crate::method::{self, Method};
use crate::plan::VolumePlan;
use crate::remark::{self, Remark};
use crate::testfile::{TestFile, TestFiles};
use crate::verdicts::{self, Context, HostWatch};
use fathom_analysis::Offsets;
use fathom_job::JobSpec;
use fathom_stats::{LiveSnapshot, RunResult};
use fathom_vocab::IoEngine;

/// Cases on a place that is there and whose ways are known.
#[derive(Debug)]
pub struct Course {
    /// The place.
    pub volume: VolumePlan,
    /// The cases.
    pub cases: Vec<Case>,
    /// The way of each engine that they ask for, in the order in which they first do.
    pub ways: Vec<Way>,
    seed: u64,
    demand: Demand,
    /// The test file, where there is one; gone at its end.
    file: Option<TestFile>,
}

/// Blocks in which a device is filled where they fit: it takes large ones faster.
const FILL_BLOCK_BYTES: u64 = 1 << 20;

impl Course {
    /// Makes the test file and finds out how the cases' engines reach the volume.
    ///
    /// # Errors
    /// In words, where the file cannot be made or no engine works. What was made is gone again.
    pub fn begin(
        volume: VolumePlan,
        cases: Vec<Case>,
        seed: u64,
        files: &TestFiles,
        executor: &mut dyn Executor,
    ) -> Result<Course, String> {
        let file = begin_on(&volume, files, executor)?;
        let mut demand = Demand::default();
        cases.iter().for_each(|case| case.add_to(&mut demand));
        let mut course = Course { volume, cases, ways: Vec::new(), seed, demand, file };
        for at in 0..course.cases.len() {
            let asked = course.cases[at].reach.engine;
            if !course.ways.iter().any(|way| way.asked == asked) {
                let way = course.find_way(asked, executor);
                course.ways.push(way);
            }
        }
        match course.ways.iter().find_map(|way| way.method.as_ref()) {
            Some(_) => Ok(course),
            None => {
                let why = course.ways.pop().and_then(|way| way.failure).unwrap_or_default();
                Err(format!("cannot measure {}: {why}", course.volume.volume.name))
            }
        }
    }

    fn find_way(&self, asked: Option<IoEngine>, executor: &mut dyn Executor) -> Way {
        let smallest = self.demand.direct_blocks_bytes.iter().min().copied();
        let block = smallest.unwrap_or(self.demand.largest_block_bytes);
        let options = run_options(self.seed);
        match method::find(&self.volume, asked, block, executor, &options) {
            Ok(method) => Way { asked, method: Some(method), failure: None },
            Err(why) => Way { asked, method: None, failure: Some(why) },
        }
    }

    /// Each engine that cases go through, with the I/Os in flight of a job of one of them.
    pub fn engines(&self) -> Vec<(IoEngine, u32)> {
        let of = |case: &Case| {
            let (method, _) = self.way_of(case).ok()?;
            Some((method.engine, method.effective_depth(case.depth())))
        };
        self.cases.iter().filter_map(of).collect()
    }

    /// What to know about the place and the ways to it before any figure.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut remarks = self.volume.remarks.clone();
        for way in &self.ways {
            let Some(method) = &way.method else { continue };
            let reaches = |case: &&Case| case.reach.engine == way.asked;
            let wants_past = |case: &Case| case.reach.cache == CachePolicy::PastIfPossible;
            let past = self.cases.iter().filter(reaches).any(wants_past);
            let meant = |remark: &Remark| past || !matches!(remark, Remark::PageCache { .. });
            remarks.extend(remark::on_method(method).into_iter().filter(meant));
        }
        remarks
    }

    /// Fills what must be filled, then takes turn after turn until the end or a stop.
    pub fn run(
        &self,
        turns: &[Turn],
        executor: &mut dyn Executor,
        watcher: &mut dyn CaseWatcher,
    ) -> Ended {
        let filled = self.fill(executor, watcher);
        if executor.stopping() {
            // That a fill was cut short is no failure of the volume's.
            return Ended { stopped: true, failure: None };
        }
        if let Err(why) = filled {
            return Ended { stopped: false, failure: Some(why) };
        }
        for (step, turn) in turns.iter().enumerate() {
            let Some(case) = self.cases.iter().find(|case| case.index == turn.case) else {
                continue;
            };
            watcher.progress(CaseProgress::Begin { step, turn: *turn, case });
            let outcome = self.turn(*turn, case, executor, watcher);
            watcher.done(outcome);
            if executor.stopping() {
                break;
            }
        }
        Ended { stopped: executor.stopping(), failure: None }
    }

    /// Fills the place if its plan says so.
    ///
    /// # Errors
    /// In words, where writing failed.
    pub fn fill(
        &self,
        executor: &mut dyn Executor,
        watcher: &mut dyn CaseWatcher,
    ) -> Result<(), String> {
        let volume = &self.volume;
        let method = self.ways.iter().find_map(|way| way.method.as_ref());
        let (true, Some(method)) = (volume.fill_bytes > 0, method) else { return Ok(()) };
        let block = match volume.size_bytes.is_multiple_of(FILL_BLOCK_BYTES) {
            true => FILL_BLOCK_BYTES.max(self.demand.largest_block_bytes),
            false => self.demand.largest_block_bytes,
        };
        let job = jobs::fill(volume, method, block);
        let mut told = |done_bytes| watcher.progress(CaseProgress::Filling { volume, done_bytes });
        fill::fill(volume, job, executor, &run_options(self.seed), &mut told)
    }

    /// Runs one case once.
    pub fn turn(
        &self,
        turn: Turn,
        case: &Case,
        executor: &mut dyn Executor,
        watcher: &mut dyn CaseWatcher,
    ) -> CaseOutcome {
        let mut outcome = CaseOutcome {
            turn,
            job: JobText::default(),
            figures: Err(RunFailure::Stopped),
            cut_short: false,
            remarks: Vec::new(),
            verdicts: Vec::new(),
            result: None,
        };
        let (method, direct) = match self.way_of(case) {
            Ok(way) => way,
            Err(why) => {
                outcome.figures = Err(RunFailure::Failed(why));
                return outcome;
            }
        };
        let (path, size_bytes) = (&self.volume.path, self.volume.size_bytes);
        outcome.job = case.text(path, size_bytes, method.engine, direct);
        let job = case.job(path, size_bytes, method.engine, direct);
        let done = job.map(|job| self.execute(turn, case, &job, executor, watcher));
        outcome.cut_short = executor.stopping();
        match done.and_then(|(context, done)| Ok((context, done?))) {
            Ok((context, result)) => take(&mut outcome, case, method, &context, result),
            Err(why) if !outcome.cut_short => outcome.figures = Err(RunFailure::Failed(why)),
            Err(_) => {}
        }
        outcome
    }

    /// Runs a case's job; what is known of the run beside its result, and the result.
    fn execute(
        &self,
        turn: Turn,
        case: &Case,
        job: &JobSpec,
        executor: &mut dyn Executor,
        watcher: &mut dyn CaseWatcher,
    ) -> (Context, Result<RunResult, String>) {
        let core_iops = ceiling_of(std::slice::from_ref(job), executor);
        let context = execute::context(&self.volume, self.file.as_ref(), job.engine.direct);
        let context = context.with_job(job);
        let mut context = context.with_ceiling(core_iops);
        // The first round of a case brings into a cache what the next ones find there.
        if case.reach.cache == CachePolicy::Through && turn.round > 0 {
            context.offsets = Offsets::Repeated;
        }
        let entropy = SplitMix::of(self.seed, &[turn.case as u64, u64::from(turn.round)]);
        let options = run_options(entropy.clone().draw());
        let mut told = |live: &LiveSnapshot| watcher.progress(CaseProgress::Live(live));
        let mut relay = LiveRelay { told: &mut told };
        let volume = Some(&self.volume.volume);
        let watch = executor.host().map(|host| HostWatch::begin(host, volume));
        let done = executor.execute(std::slice::from_ref(job), &options, &mut relay);
        let context = match watch.map(HostWatch::end) {
            Some(observed) => context.with_observed(&observed),
            None => context,
        };
        (context, done)
    }

    /// How a case reaches the volume: by what engine, and whether past the page cache.
    ///
    /// # Errors
    /// In words, where its engine does not work or what it asks of the cache cannot be had.
    fn way_of(&self, case: &Case) -> Result<(&Method, bool), String> {
        let way = self.ways.iter().find(|way| way.asked == case.reach.engine);
        let way = way.ok_or("its engine was never tried")?;
        let failure = || way.failure.clone().unwrap_or_default();
        let method = way.method.as_ref().ok_or_else(failure)?;
        match case.reach.cache {
            CachePolicy::Past if !method.direct => {
                let why = method.why_not_direct.as_deref().unwrap_or("it was refused");
                Err(format!("direct I/O is not possible here ({why}), and the case asks for it"))
            }
            CachePolicy::Through => Ok((method, false)),
            _ => Ok((method, method.direct)),
        }
    }

    /// The command that repeats a case here; the first choice of engine where none was asked for.
    pub fn command_of(case: &Case, volume: &VolumePlan) -> String {
        let engine = case.reach.engine.unwrap_or(IoEngine::IoUring);
        let direct = case.reach.cache != CachePolicy::Through;
        case.text(&volume.path, volume.size_bytes, engine, direct).command()
    }
}

/// Reads a case's figures off its result.
fn take(
    outcome: &mut CaseOutcome,
    case: &Case,
    method: &Method,
    context: &Context,
    result: RunResult,
) {
    let depth = method.effective_depth(case.depth()).saturating_mul(case.jobs());
    let figures = CaseFigures::of(&[&result], depth, case.block_bytes());
    outcome.figures = figures_of(&result, figures, outcome.cut_short);
    if let Ok(figures) = &outcome.figures {
        let all = remark::on_run(&figures.total);
        // With a pace of its own a case is not meant to keep its queue full.
        let meant = |r: &Remark| !(case.is_paced() && matches!(r, Remark::QueueNotFull { .. }));
        outcome.remarks = all.into_iter().filter(meant).collect();
        outcome.remarks.extend(remark::on_pause(&result));
        outcome.verdicts = verdicts::judge(&result, context);
    }
    outcome.result = Some(result);
}
