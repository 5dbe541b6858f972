//! `fathom sweep`: how do the figures of a volume change with options?
//!
//! The sweep is stored in a file after every run; the file is locked before anything else, so that
//! no two commands use the same file.

mod args;
mod checkpoint;
mod error;
mod heading;
mod history;
mod notes;
mod table;
#[cfg(test)]
mod tests;

pub use args::SweepArgs;
use fathom_text::text;
pub use history::title as saved_title;

use crate::cli_error::CliError;
use crate::course::{Course, CourseContext, HistorySummary, MeasuringCommand};
use crate::output::{PlanDocument, PlannedRun};
use crate::session::Session;
use crate::terminal::heading::PlanStart;
use crate::terminal::screen::{Screen, warn_line};
use crate::terminal::verdicts::VerdictDetail;
use checkpoint::CheckpointFile;
use fathom_campaign::cases::{Case, Runner, StateFile};
use fathom_campaign::sweep::{Question, SweepDocument, SweepError, SweepPlan, resume};
use fathom_document::DocumentRuns;

/// Sweeps on the machines that the options name.
///
/// # Errors
/// If nothing was swept.
pub fn sweep_on_hosts(args: &SweepArgs, session: Session) -> Result<u8, CliError> {
    let hosts = args.course.fleet.hosts()?.unwrap_or_default();
    let question = check(args, hosts.clone()).map_err(CliError::usage)?;
    if let Some(most) = question.most_clients().filter(|most| *most > hosts.len() as u64) {
        return Err(CliError::usage(text!(
            "--clients goes up to {most}, and --on names {} hosts; name more, or end at {}",
            hosts.len(),
            hosts.len()
        )));
    }
    sweep(args, hosts, session)
}

/// The options, once they are valid for a sweep.
///
/// # Errors
/// If they are not.
pub fn check(args: &SweepArgs, hosts: Vec<String>) -> Result<Question, SweepError> {
    Question::new(&args.target, args.asked(hosts))
}

/// Sweeps on the session's machine, whose clients are `hosts`; returns the exit code.
///
/// # Errors
/// If nothing was swept.
pub fn sweep(args: &SweepArgs, hosts: Vec<String>, mut session: Session) -> Result<u8, CliError> {
    let course = Course {
        kind: "sweep",
        name: args.target.to_string(),
        targets: std::slice::from_ref(&args.target),
        args: &args.course,
        junit: None,
    };
    let question = check(args, hosts).map_err(CliError::usage)?;
    course.connect(&mut session)?;
    let plan = decide(args, question, &mut session, None)?;
    let mut command = SweepCommand { args, plan, file: None, not_kept: None };
    course.drive(&mut command, &mut session)
}

/// Examines the target and plans; `settled` are seed and size of an earlier session.
fn decide(
    args: &SweepArgs,
    mut question: Question,
    session: &mut Session,
    settled: Option<(u64, Option<u64>)>,
) -> Result<SweepPlan, CliError> {
    let volume = session.examine_one(&args.target)?;
    let (seed, size_bytes) = settled.unzip();
    let common = &mut question.asked.common;
    common.seed = seed.unwrap_or(common.seed);
    Ok(SweepPlan::new(question, volume, size_bytes.flatten())?)
}

/// A sweep, once its plan is made.
struct SweepCommand<'a> {
    args: &'a SweepArgs,
    plan: SweepPlan,
    /// Its file, once the runs are over.
    file: Option<StateFile>,
    /// Why the file does not have the last state, if so.
    not_kept: Option<String>,
}

/// A sweep that is ready to run or to go on.
struct SweepStart {
    runner: Runner,
    document: SweepDocument,
    file: StateFile,
}

impl MeasuringCommand for SweepCommand<'_> {
    type Prepared = SweepStart;
    type Document = SweepDocument;

    fn plan(&self) -> PlanDocument {
        let plan = &self.plan;
        let runs = plan.trials().len() as u64;
        let command =
            |case: &Case| PlannedRun { title: case.title(), command: plan.command_of(case) };
        PlanDocument {
            runs,
            total_us: Some(runs * plan.turn_us()),
            writing_us: plan.writing_us(),
            seed: Some(plan.seed),
            commands: plan.cases.iter().map(command).collect(),
            ..PlanDocument::new("sweep", [&plan.volume])
        }
    }

    fn opening(&self, start: Option<&SweepStart>, session: &Session) -> String {
        let (plan, screen) = (&self.plan, &session.screen);
        let target = start.map(|start| &start.runner.targets[0]);
        let text = heading::opening(&session.system, plan, target, screen);
        let Some(SweepStart { document, file, .. }) = start else {
            let cost = heading::cost(plan, 0, PlanStart::Never, screen);
            return text + &cost + &heading::commands(plan);
        };
        let done = document.over().len() as u64;
        let file = match self.args.course.show.is_verbose() || done > 0 {
            true => heading::resume_file(file.path(), screen),
            false => String::new(),
        };
        text + &heading::cost(plan, done, PlanStart::Now, screen) + &file
    }

    fn prepare(&mut self, session: &mut Session) -> Result<SweepStart, CliError> {
        let question = &self.plan.question;
        let (file, resumed) = match checkpoint::find(self.args, question)? {
            CheckpointFile::New { path, mode } => (StateFile::create(&path, mode), None),
            CheckpointFile::Old(path) => {
                let file = StateFile::open(&path);
                (file, Some(path))
            }
        };
        let file = file?;
        let resumed = resumed.map(|path| resume(&path, question, self.args.plan.seed)).transpose();
        let resumed = resumed?;
        if let Some(old) = &resumed {
            let settled = Some((old.document.seed, old.size_bytes));
            self.plan = decide(self.args, question.clone(), session, settled)?;
        }
        let from = session.provenance();
        let document = resumed.map(|old| old.document);
        let mut document = document.unwrap_or_else(|| self.plan.document(&from));
        self.plan.begin_session(&mut document, from);
        // Before the test file is created: a resumed sweep must know its name.
        file.keep(&document)?;
        match self.plan.begin(&mut *session.machine) {
            Ok(runner) => Ok(SweepStart { runner, document, file }),
            Err(why) => {
                if document.cases.is_empty() {
                    file.discard();
                }
                Err(why.into())
            }
        }
    }

    fn title(&self) -> String {
        self.plan.question.record().subject(None).to_string()
    }

    fn run(&mut self, start: SweepStart, at: CourseContext<'_>) -> Result<SweepDocument, CliError> {
        let SweepStart { runner, document, file } = start;
        let machine = &mut *at.session.machine;
        let kept = self.plan.run(&runner, document, &file, machine, at.line);
        (self.file, self.not_kept) = (Some(file), kept.not_kept);
        Ok(kept.document)
    }

    fn tables(&self, document: &SweepDocument, screen: &Screen) -> String {
        let show = &self.args.course.show;
        table::results(document, show.quiet, show.detail(), screen)
    }

    fn farewell(&self, _: &SweepDocument) -> Option<fathom_text::Text> {
        None
    }

    fn history_summary(&self, document: &SweepDocument) -> HistorySummary {
        history::summary(document)
    }

    /// Says where the results are, and removes a file that nobody needs.
    fn conclude(&mut self, document: &SweepDocument, has_kept: bool) {
        let Some(file) = self.file.take() else { return };
        let path = file.path().display();
        let point = document.stop_point().filter(|_| document.is_interrupted());
        match (&self.not_kept, point) {
            (Some(why), _) => warn_line(format_args!("fathom: {why}")),
            (None, Some(point)) => warn_line(text!(
                "fathom: {}; finished runs are kept in {path}, and the same command with --resume \
                 goes on",
                point.clause()
            )),
            (None, None) if self.args.checkpoint.is_some() && !self.args.course.show.quiet => {
                warn_line(text!("kept in {path}"));
            }
            (None, None) => {}
        }
        let is_named = self.args.checkpoint.is_some() || matches!(self.args.resume, Some(Some(_)));
        if has_kept && self.exit_code(document) == 0 && !is_named {
            // The history has all of it, and nothing is left to resume.
            file.discard();
        }
    }

    /// 0 if all cases were measured and are in the sweep's file, 1 if not.
    fn exit_code(&self, document: &SweepDocument) -> u8 {
        u8::from(!document.is_whole() || self.not_kept.is_some())
    }
}

/// The table of a sweep in the history.
pub fn saved_table(document: &SweepDocument, detail: VerdictDetail, screen: &Screen) -> String {
    table::results(document, true, detail, screen)
}
