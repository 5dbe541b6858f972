//! Carries a search out: each step a case on the place, and of its result the reading.

use super::plan::LimitPlan;
use super::search::{Halt, Limit, Load, Probe, search};
use super::target::{Criterion, Finding, HostDelay, Parts, Reading};
use crate::cases::{Case, CaseOutcome, CaseProgress, CaseWatcher, Course, Turn};
use crate::execute::Executor;
use crate::failure::RunFailure;
use crate::verdicts::{Answer, hush};
use fathom_analysis::ClientSign;
use fathom_stats::{DepthCounts, JobResult, LatencyStats, RunResult};
use fathom_vocab::Direction;

/// One step: what ran and what came of it.
#[derive(Clone, Debug)]
pub struct StepOutcome {
    /// What was put on the volume.
    pub load: Load,
    /// What it showed; none where it failed or was cut short.
    pub reading: Option<Reading>,
    /// Whether the target held; none where there was no rate to hold it at.
    pub finding: Option<Finding>,
    /// All of it.
    pub outcome: CaseOutcome,
}

/// Is told how a search goes.
pub trait LimitWatcher {
    /// The place is being filled, or a step shows how it stands.
    fn progress(&mut self, progress: CaseProgress<'_>);

    /// A step begins: its number, from 0, and what it puts on the volume.
    fn begin(&mut self, step: usize, load: Load);

    /// What came of it.
    fn end(&mut self, step: usize, outcome: &StepOutcome);
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The answer.
    pub limit: Limit,
    /// Every step that was begun, in order.
    pub steps: Vec<StepOutcome>,
    /// Whether it was stopped.
    pub stopped: bool,
}

impl LimitPlan {
    /// A place for this search, with the ways to it found.
    ///
    /// # Errors
    /// In words, where the test file cannot be made or no engine works.
    pub fn begin(
        &self,
        files: &crate::TestFiles,
        executor: &mut dyn Executor,
    ) -> Result<Course, String> {
        let cases = vec![self.case(0, Load::Deep)?];
        Course::begin(self.volume.clone(), cases, self.asked.seed, files, executor)
    }

    /// Fills what must be filled, then takes step after step to the answer.
    pub fn run(
        &self,
        course: &Course,
        executor: &mut dyn Executor,
        watcher: &mut dyn LimitWatcher,
    ) -> Searched {
        let filled = course.fill(executor, &mut Relay(watcher));
        // That a fill was cut short is no failure of the volume's.
        let in_the_way = match (executor.stopping(), filled) {
            (true, _) => Some(Halt::Stopped),
            (false, filled) => filled.err().map(Halt::Failed),
        };
        let steps = Vec::new();
        let mut probe = OnCourse { plan: self, course, executor, watcher, steps, in_the_way };
        let limit = search(&self.asked.target, self.asked.effort, &mut probe);
        Searched { limit, stopped: probe.executor.stopping(), steps: probe.steps }
    }
}

/// A step at full speed in which the process was stopped is run again so often at most; one at a
/// rate is for the search to repeat.
const MOST_REPEATS: usize = 3;

/// Puts loads on the place of a course.
struct OnCourse<'a> {
    plan: &'a LimitPlan,
    course: &'a Course,
    executor: &'a mut dyn Executor,
    watcher: &'a mut dyn LimitWatcher,
    steps: Vec<StepOutcome>,
    /// Why there is no point in a first step: the place could not be filled.
    in_the_way: Option<Halt>,
}

impl Probe for OnCourse<'_> {
    fn step(&mut self, load: Load) -> Result<Reading, Halt> {
        if let Some(halt) = self.in_the_way.take() {
            return Err(halt);
        }
        let step = self.steps.len();
        self.watcher.begin(step, load);
        let case = self.plan.case(step, load).map_err(Halt::Failed)?;
        let mut outcome = self.outcome(load, &case);
        let target = &self.plan.asked.target;
        let read = match (&outcome.figures, &outcome.result) {
            _ if outcome.cut_short => Err(Halt::Stopped),
            (Err(RunFailure::Stopped), _) => Err(Halt::Stopped),
            (Err(RunFailure::Failed(why)), _) => Err(Halt::Failed(why.clone())),
            (Ok(_), result) => {
                let delay = host_delay(&outcome);
                self.reading(load, result.as_ref()).map(|reading| Reading { delay, ..reading })
            }
        };
        let finding = match (load, &read) {
            (Load::Rate { rate_iops }, Ok(reading)) => Some(target.judge(rate_iops, reading)),
            _ => None,
        };
        if finding == Some(Finding::Keeps) || finding == Some(Finding::TooSlow) {
            // Between I/Os the client waits by spinning, which holds nothing up.
            outcome.verdicts.retain(|verdict| !matches!(verdict.answer, Answer::Client(_)));
        }
        hush(&mut outcome.verdicts, |answer| is_deliberate(load, finding, answer));
        let done = StepOutcome { load, reading: read.as_ref().ok().cloned(), finding, outcome };
        self.watcher.end(step, &done);
        self.steps.push(done);
        read
    }
}

impl OnCourse<'_> {
    /// Runs a case, again where what waited while the process was stopped says nothing of the
    /// volume.
    fn outcome(&mut self, load: Load, case: &Case) -> CaseOutcome {
        let turn = Turn { round: 0, case: case.index };
        let mut outcome = self.course.turn(turn, case, self.executor, &mut Relay(self.watcher));
        for _ in 0..MOST_REPEATS {
            let pause_ms = outcome.result.as_ref().map_or(0, |result| result.pause_ms);
            if pause_ms == 0 || outcome.cut_short || matches!(load, Load::Rate { .. }) {
                break;
            }
            outcome = self.course.turn(turn, case, self.executor, &mut Relay(self.watcher));
        }
        outcome
    }

    /// What a run shows of its one job and one direction.
    fn reading(&self, load: Load, result: Option<&RunResult>) -> Result<Reading, Halt> {
        let job = result.and_then(|result| result.jobs.first());
        let job = job.ok_or_else(|| Halt::Failed("the run has no job".to_owned()))?;
        let direction = self.plan.asked.pattern.direction();
        let stats = &job.dirs[direction];
        let parts = |criterion: &Criterion| parts(criterion, direction, job);
        Ok(Reading {
            iops: stats.iops_mean(),
            ios: stats.total_ios,
            overdue_ios: job.open_loop.as_ref().map_or(0, |open| open.overdue_ios[direction]),
            chance_percent: self.chance_percent(load),
            was_full: self.was_full(load, job),
            delay: None,
            parts: self.plan.asked.target.criteria.iter().map(parts).collect(),
        })
    }

    fn chance_percent(&self, load: Load) -> f64 {
        let Load::Rate { rate_iops } = load else { return 0.0 };
        let expected_ios = rate_iops as f64 * self.plan.time.run_us as f64 / 1e6;
        self.plan.asked.arrivals.chance_percent(expected_ios)
    }

    /// Depths are counted by powers of two, so that "full" is taken for what may have been it.
    fn was_full(&self, load: Load, job: &JobResult) -> bool {
        let asked = if load == Load::Alone { 1 } else { self.plan.depth };
        let method = self.course.ways.iter().find_map(|way| way.method.as_ref());
        let depth = method.map_or(asked, |method| method.effective_depth(asked));
        let mut full = DepthCounts::default();
        full.record(depth, 1);
        job.depth.0.iter().zip(full.0).any(|(ios, full)| *ios > 0 && full > 0)
    }
}

/// What kept this machine from going on, as far as its counters and the verdicts know.
fn host_delay(outcome: &CaseOutcome) -> Option<HostDelay> {
    let pause_ms = outcome.result.as_ref().map_or(0, |result| result.pause_ms);
    let stopped = (pause_ms > 0).then_some(HostDelay::Stopped { pause_ms });
    let signs = outcome.verdicts.iter().flat_map(|verdict| match &verdict.answer {
        Answer::Client(finding) => finding.signs.as_slice(),
        _ => &[],
    });
    let held_up = |sign: &ClientSign| match *sign {
        ClientSign::Throttled { share, .. } => Some(HostDelay::Quota { share }),
        ClientSign::Stolen { share } => Some(HostDelay::Steal { share }),
        _ => None,
    };
    stopped.or_else(|| signs.filter_map(held_up).next())
}

/// Whether a step's own load explains an answer. A rate that is given says nothing of what the
/// volume's own would be, and above the limit a backlog, with all that it does to latencies, is
/// what the step is for. Caches, the client, and all of the steps at full speed stay as they are:
/// they decide whether the answer is the volume's.
fn is_deliberate(load: Load, finding: Option<Finding>, answer: &Answer) -> bool {
    match answer {
        Answer::Cached(_) | Answer::Client(_) => false,
        // The table tells of waiting and service at each rate.
        Answer::OpenLoop(_) => true,
        Answer::Humps(_) => finding == Some(Finding::Overload),
        _ => matches!(load, Load::Rate { .. }),
    }
}

fn parts(criterion: &Criterion, direction: Direction, job: &JobResult) -> Parts {
    let of = |stats: &LatencyStats| criterion.measure.of(stats);
    let service_ns = of(&job.dirs[direction].lat);
    match &job.open_loop {
        Some(open) => Parts {
            wait_ns: of(&open.wait[direction]),
            service_ns,
            response_ns: of(&open.response[direction]),
        },
        None => Parts { wait_ns: 0.0, service_ns, response_ns: service_ns },
    }
}

/// Passes on what a course has to say; what it came to is given back by it.
struct Relay<'a>(&'a mut dyn LimitWatcher);

impl CaseWatcher for Relay<'_> {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        self.0.progress(progress);
    }

    fn done(&mut self, _: CaseOutcome) {}
}
