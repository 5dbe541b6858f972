//! Carries a comparison out: a place on each volume, then run after run in the plan's order.
//!
//! A run that fails costs that run and no other; a stop keeps what was measured.

use super::document::RunRecord;
use super::plan::{ComparePlan, ComparedPhase, Step};
use crate::cases::{Case, CaseOutcome, CaseProgress, CaseWatcher, Course, Turn};
use crate::execute::Executor;
use crate::method::Method;
use crate::plan::VolumePlan;
use crate::testfile::TestFiles;
use fathom_stats::LiveSnapshot;
use fathom_vocab::IoEngine;

/// What happens while volumes are compared.
#[derive(Debug)]
pub enum CompareProgress<'a> {
    /// A volume's file is being filled.
    Filling {
        /// The volume.
        volume: &'a VolumePlan,
        /// Bytes done.
        done_bytes: u64,
    },
    /// A run begins.
    Begin {
        /// Its place among all steps, from 0.
        number: usize,
        /// Which.
        step: Step,
        /// The volume.
        volume: &'a VolumePlan,
        /// The phase.
        phase: &'a ComparedPhase,
    },
    /// How it stands.
    Live(&'a LiveSnapshot),
    /// A run is over.
    End(&'a RunRecord),
}

/// Is told what happens.
pub trait CompareWatcher {
    /// Takes note.
    fn progress(&mut self, progress: CompareProgress<'_>);
}

/// Volumes whose places are there and whose ways are known.
#[derive(Debug)]
pub struct Rounds {
    /// The plan.
    pub plan: ComparePlan,
    /// The way to each volume.
    pub methods: Vec<Method>,
    /// One for each volume.
    pub(super) courses: Vec<Course>,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Ran {
    pub runs: Vec<RunRecord>,
    /// Volumes that could not be filled, and why.
    pub failures: Vec<(usize, String)>,
    pub stopped: bool,
}

impl Rounds {
    /// Makes the test files and finds out how each volume can be reached.
    ///
    /// # Errors
    /// In words, where a file cannot be made or a volume cannot be read at all. What was made is
    /// gone again.
    pub fn begin(
        plan: ComparePlan,
        files: &TestFiles,
        executor: &mut dyn Executor,
    ) -> Result<Rounds, String> {
        let (mut courses, mut methods) = (Vec::new(), Vec::new());
        for (at, volume) in plan.volumes.iter().enumerate() {
            let may = |phase: &&ComparedPhase| plan.runs_on(phase.case.index, at);
            let cases: Vec<Case> = plan.phases.iter().filter(may).map(|p| p.case.clone()).collect();
            let course = Course::begin(volume.clone(), cases, plan.seed, files, executor)?;
            let method = course.ways.iter().find_map(|way| way.method.clone());
            let name = &volume.volume.name;
            methods.push(method.ok_or_else(|| format!("no engine reaches {name}"))?);
            courses.push(course);
        }
        Ok(Rounds { plan, methods, courses })
    }

    /// Each engine that phases go through, with the I/Os in flight of one of them.
    pub fn engines(&self) -> Vec<(IoEngine, u32)> {
        self.courses.iter().flat_map(Course::engines).collect()
    }

    /// What to know about a volume before its figures.
    pub fn remarks_on(&self, volume: usize) -> Vec<crate::Remark> {
        self.courses[volume].remarks()
    }

    /// Fills what must be filled, then takes run after run until the end or a stop.
    pub(super) fn take(
        &self,
        executor: &mut dyn Executor,
        watcher: &mut dyn CompareWatcher,
    ) -> Ran {
        let mut ran = Ran::default();
        for (at, course) in self.courses.iter().enumerate() {
            if let Err(why) = course.fill(executor, &mut Relay { watcher }) {
                ran.failures.push((at, why));
            }
            if executor.stopping() {
                // That a fill was cut short is no failure of the volume's.
                return Ran { stopped: true, ..Ran::default() };
            }
        }
        for (number, step) in self.plan.steps().into_iter().enumerate() {
            if ran.failures.iter().any(|(failed, _)| *failed == step.volume) {
                continue;
            }
            let (volume, phase) = (&self.plan.volumes[step.volume], &self.plan.phases[step.phase]);
            watcher.progress(CompareProgress::Begin { number, step, volume, phase });
            let turn = Turn { round: step.round, case: phase.case.index };
            let course = &self.courses[step.volume];
            let outcome = course.turn(turn, &phase.case, executor, &mut Relay { watcher });
            let record = RunRecord::new(step, &phase.title, outcome);
            watcher.progress(CompareProgress::End(&record));
            ran.runs.push(record);
            if executor.stopping() {
                break;
            }
        }
        ran.stopped = executor.stopping();
        ran
    }
}

/// Passes on what a course tells.
struct Relay<'a> {
    watcher: &'a mut dyn CompareWatcher,
}

impl CaseWatcher for Relay<'_> {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        match progress {
            CaseProgress::Filling { volume, done_bytes } => {
                self.watcher.progress(CompareProgress::Filling { volume, done_bytes });
            }
            CaseProgress::Live(live) => self.watcher.progress(CompareProgress::Live(live)),
            // Steps are told of with their volume, by whoever takes them.
            CaseProgress::Begin { .. } => {}
        }
    }

    // Single turns give their outcome back and do not come here.
    fn done(&mut self, _: CaseOutcome) {}
}
