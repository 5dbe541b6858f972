//! `fathom limit`: the highest rate at which a volume meets a response time.

mod args;
mod brief;
mod heading;
mod outcome;
mod table;
#[cfg(test)]
mod tests;

pub use args::LimitArgs;

use crate::cli_error::CliError;
use crate::course::{Course, CourseContext, HistorySummary, MeasuringCommand};
use crate::exit_code;
use crate::output::PlanDocument;
use crate::session::Session;
use crate::terminal::screen::Screen;
use crate::terminal::verdicts::VerdictDetail;
use fathom_analysis::RowOutcome;
use fathom_campaign::cases::Runner;
use fathom_campaign::limit::{LimitDocument, LimitError, LimitPlan, SearchVerdict};
use fathom_document::limit::subject;
use fathom_report::{JudgedCase, JudgedSuite};
use fathom_store::{HistoryFigure, HistoryOutcome, Key};
use fathom_vocab::Direction;

/// Searches, and gives the exit code.
///
/// # Errors
/// If nothing was measured.
pub fn limit(args: &LimitArgs, mut session: Session) -> Result<u8, CliError> {
    let course = Course {
        kind: "limit",
        name: args.target.to_string(),
        targets: std::slice::from_ref(&args.target),
        args: &args.course,
        junit: Some(&args.junit),
    };
    args.junit.check("a limit", true)?;
    course.connect(&mut session)?;
    let volume = session.examine_one(&args.target)?;
    let plan = LimitPlan::new(args.asked(), volume).map_err(refused)?;
    course.drive(&mut LimitCommand { args, plan }, &mut session)
}

/// Errors of the command line alone are usage errors; others depend on the machine.
fn refused(error: LimitError) -> CliError {
    match error {
        LimitError::NoTarget
        | LimitError::Idle { .. }
        | LimitError::TooShort { .. }
        | LimitError::Contradiction { .. } => CliError::usage(error),
        _ => error.into(),
    }
}

/// A search, once its plan is made.
struct LimitCommand<'a> {
    args: &'a LimitArgs,
    plan: LimitPlan,
}

impl MeasuringCommand for LimitCommand<'_> {
    type Prepared = Runner;
    type Document = LimitDocument;

    /// Of the most steps that there may be.
    fn plan(&self) -> PlanDocument {
        let plan = &self.plan;
        let runs = plan.asked.effort.most_steps as u64;
        let total_us = runs * plan.step_us();
        let writes = plan.asked.pattern.direction() != Direction::Read;
        PlanDocument {
            runs,
            total_us: Some(total_us),
            writing_us: if writes { total_us } else { 0 },
            seed: Some(plan.asked.common.seed),
            ..PlanDocument::new("limit", [&plan.volume])
        }
    }

    fn opening(&self, runner: Option<&Runner>, session: &Session) -> String {
        let target = runner.map(|runner| &runner.targets[0]);
        heading::opening(&session.system, &self.plan, target, &session.screen)
    }

    fn prepare(&mut self, session: &mut Session) -> Result<Runner, CliError> {
        Ok(self.plan.begin(&mut *session.machine)?)
    }

    fn title(&self) -> String {
        self.plan.asked.target.to_string()
    }

    fn run(&mut self, runner: Runner, at: CourseContext<'_>) -> Result<LimitDocument, CliError> {
        let searched = self.plan.run(&runner, &mut *at.session.machine, at.line);
        Ok(self.plan.document(&runner.targets[0], &searched, at.from))
    }

    fn tables(&self, document: &LimitDocument, screen: &Screen) -> String {
        let show = &self.args.course.show;
        table::results(document, show.quiet, show.detail(), screen)
    }

    /// Its figure is the answer.
    fn history_summary(&self, document: &LimitDocument) -> HistorySummary {
        let answer = &document.answer;
        let figure = answer.rate_iops.map(|rate_iops| HistoryFigure {
            label: self.title(),
            key: Key::Iops,
            iops: Some(rate_iops as f64),
            ..HistoryFigure::default()
        });
        HistorySummary {
            title: self.title(),
            headline: figure.into_iter().collect(),
            outcome: match answer.verdict {
                SearchVerdict::Halted => HistoryOutcome::Failed,
                SearchVerdict::Never => HistoryOutcome::PromiseMissed,
                SearchVerdict::Unsettled | SearchVerdict::Unclear | SearchVerdict::HostLate => {
                    HistoryOutcome::Undecided
                }
                SearchVerdict::Found | SearchVerdict::Ceiling => HistoryOutcome::Ran,
            },
        }
    }

    fn suite(&self, document: &LimitDocument) -> Option<JudgedSuite> {
        Some(JudgedSuite {
            name: format!("limit {}", self.args.target.absolute()),
            cases: vec![case(document)],
            warnings: table::warnings(document),
            ..JudgedSuite::default()
        })
    }

    /// 0 if a rate meets the limit, 3 if none does, 5 if undecided, 1 if the search failed.
    fn exit_code(&self, document: &LimitDocument) -> u8 {
        let is_whole = document.answer.verdict != SearchVerdict::Halted;
        exit_code::of(is_whole, document.gate.as_ref(), exit_code::MISSED)
    }
}

/// The one limit that was searched for, as a case for CI systems.
fn case(document: &LimitDocument) -> JudgedCase {
    let question = &document.question;
    let subject = subject(question.rw, question.block_bytes);
    JudgedCase {
        name: format!("{subject}: {}", question.target),
        outcome: document.gate.as_ref().map_or(RowOutcome::Undecided, |gate| gate.outcome.row()),
        sentence: document.answer.text.clone(),
        ..JudgedCase::default()
    }
}

/// The table of a search in the history.
pub fn saved_table(document: &LimitDocument, detail: VerdictDetail, screen: &Screen) -> String {
    table::results(document, true, detail, screen)
}
