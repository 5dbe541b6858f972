//! `fathom check`: does this volume reach its promised limits? The exit code repeats the answer.

mod args;
mod basis;
mod heading;
mod judged;
mod reasons;
mod row;
mod table;
#[cfg(test)]
mod tests;

pub use args::CheckArgs;

use crate::cli_error::CliError;
use crate::course::{Course, CourseContext, HistorySummary, InterimHistory, MeasuringCommand};
use crate::exit_code;
use crate::history_writer::{figure, key_of};
use crate::output::{PlanDocument, PlannedRun};
use crate::plan_args::micros;
use crate::session::Session;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::Screen;
use crate::terminal::verdicts::VerdictDetail;
use fathom_campaign::cases::Runner;
use fathom_campaign::check::{
    CheckDocument, CheckError, CheckPlan, CheckRequest, CheckSink, CheckStep, CheckTrial, Standing,
};
use fathom_campaign::{CampaignEvent, EventSink};
use fathom_message::Tell;
use fathom_report::JudgedSuite;
use fathom_store::HistoryOutcome;

/// Checks a volume of this machine, or of the machine that took its place.
///
/// # Errors
/// If nothing could be measured.
pub fn check(args: &CheckArgs, mut session: Session) -> Result<u8, CliError> {
    let course = Course {
        kind: "check",
        name: args.target.to_string(),
        targets: std::slice::from_ref(&args.target),
        args: &args.course,
        junit: Some(&args.junit),
    };
    args.junit.check("a check", true)?;
    course.connect(&mut session)?;
    let plan = decide(args, &mut session)?;
    course.drive(&mut CheckCommand { args, plan }, &mut session)
}

fn decide(args: &CheckArgs, session: &mut Session) -> Result<CheckPlan, CliError> {
    let volume = session.examine_one(&args.target)?;
    let asked = CheckRequest {
        basis: basis::of(args, &volume)?,
        cpus: u32::try_from(cpus(args, session)).unwrap_or(u32::MAX).max(1),
        until_decided_us: args.until.until_decided.map(micros),
        common: args.plan.options(None),
    };
    CheckPlan::new(&asked, volume).map_err(|error| match error {
        CheckError::NothingPromised { .. } | CheckError::TooShort { .. } => CliError::usage(error),
        _ => error.into(),
    })
}

/// Processors of the machine that measures, as far as a run may use them.
fn cpus(args: &CheckArgs, session: &Session) -> usize {
    match args.course.fleet.on {
        Some(_) => session.system.cpus_online,
        None => session.host.allowed_cpus().len(),
    }
}

/// A check, once its plan is made.
struct CheckCommand<'a> {
    args: &'a CheckArgs,
    plan: CheckPlan,
}

impl MeasuringCommand for CheckCommand<'_> {
    type Prepared = Runner;
    type Document = CheckDocument;

    fn plan(&self) -> PlanDocument {
        let plan = &self.plan;
        let runs = plan.steps.len() as u64;
        let command = |step: &CheckStep| PlannedRun {
            title: step.load.title(),
            command: plan.command_of(step),
        };
        PlanDocument {
            runs,
            total_us: Some(plan.runs_us()[1]),
            writing_us: plan.writing_us(),
            seed: Some(plan.seed),
            commands: plan.steps.iter().map(command).collect(),
            ..PlanDocument::new("check", [&plan.volume])
        }
    }

    fn opening(&self, runner: Option<&Runner>, session: &Session) -> String {
        let target = runner.map(|runner| &runner.targets[0]);
        let text = heading::opening(&session.system, &self.plan, target, &session.screen);
        let commands = runner.is_none().then(|| heading::commands(&self.plan));
        text + &commands.unwrap_or_default()
    }

    fn prepare(&mut self, session: &mut Session) -> Result<Runner, CliError> {
        Ok(self.plan.begin(&mut *session.machine)?)
    }

    fn title(&self) -> String {
        format!("whether {} is kept", self.plan.basis.name())
    }

    fn run(
        &mut self,
        mut runner: Runner,
        at: CourseContext<'_>,
    ) -> Result<CheckDocument, CliError> {
        let mut sink = CheckProgress { line: at.line, history: at.history };
        Ok(self.plan.run(&mut runner, at.from, &mut *at.session.machine, &mut sink))
    }

    fn tables(&self, document: &CheckDocument, screen: &Screen) -> String {
        let show = &self.args.course.show;
        // The answer names the promise; without the heading, its warning must still appear.
        let warning = match show.quiet {
            true => heading::other_size(&document.basis, screen),
            false => String::new(),
        };
        warning
            + &match show.detail() {
                VerdictDetail::Brief if show.quiet => table::bare(document, screen),
                detail => table::results(document, detail, screen),
            }
    }

    fn history_summary(&self, document: &CheckDocument) -> HistorySummary {
        history_summary(document)
    }

    fn suite(&self, document: &CheckDocument) -> Option<JudgedSuite> {
        Some(JudgedSuite {
            name: format!("check {}", self.args.target.absolute()),
            cases: judged::cases(&self.plan, document),
            warnings: table::warnings(document, &document.runs),
            ..JudgedSuite::default()
        })
    }

    /// 0 if all limits were met, 3 if one was missed, 5 if undecided, 1 if the check could not run.
    fn exit_code(&self, document: &CheckDocument) -> u8 {
        match document.standing {
            Standing::Kept => 0,
            Standing::Missed => exit_code::MISSED,
            Standing::CouldNotTell if !document.is_whole() => 1,
            Standing::CouldNotTell => exit_code::UNDECIDED,
        }
    }
}

/// Shows the progress of a check, and stores its document after each run.
struct CheckProgress<'a> {
    line: &'a mut ProgressLine,
    history: InterimHistory<'a>,
}

impl EventSink for CheckProgress<'_> {
    fn event(&mut self, event: CampaignEvent) {
        self.line.event(event);
    }
}

impl CheckSink for CheckProgress<'_> {
    fn keep(&mut self, document: &CheckDocument) {
        // A failed write prints a warning.
        self.line.wipe();
        self.history.keep(history_summary(document), document);
    }
}

/// The figures are those of all runs, those that missed their limit first: a list has room for few.
fn history_summary(document: &CheckDocument) -> HistorySummary {
    let mut runs: Vec<&CheckTrial> = document.runs.iter().collect();
    runs.sort_by_key(|run| run.standing() != Standing::Missed);
    let figure = |run: &CheckTrial| {
        let total = &run.figures.as_ref()?.total;
        Some(figure(run.load.title(), key_of(run.load.goal), total))
    };
    HistorySummary {
        title: document.tell().to_string(),
        headline: runs.into_iter().filter_map(figure).collect(),
        outcome: match document.standing {
            Standing::Missed => HistoryOutcome::PromiseMissed,
            _ if !document.is_whole() => HistoryOutcome::Failed,
            Standing::Kept => HistoryOutcome::PromiseKept,
            Standing::CouldNotTell => HistoryOutcome::Undecided,
        },
    }
}

/// The table of a check in the history.
pub fn saved_table(document: &CheckDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let warning = heading::other_size(&document.basis, screen);
    warning + &table::results(document, detail, screen)
}
