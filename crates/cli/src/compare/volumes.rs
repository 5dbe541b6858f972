//! Compares volumes by measuring them now.

use super::{CompareArgs, brief, heading, history, judged, table};
use crate::cli_error::CliError;
use crate::course::{Course, CourseContext, HistorySummary, MeasuringCommand};
use crate::exit_code;
use crate::output::PlanDocument;
use crate::session::Session;
use crate::terminal::live::RoundLines;
use crate::terminal::screen::{self, Screen};
use crate::terminal::verdicts::VerdictDetail;
use fathom_campaign::Refusal;
use fathom_campaign::cases::Runner;
use fathom_campaign::compare::{CompareDocument, CompareError, ComparePlan};
use fathom_report::JudgedSuite;

/// Compares volumes and gives the exit code.
pub fn compare(args: &CompareArgs, mut session: Session) -> Result<u8, CliError> {
    let course = Course {
        kind: "compare",
        name: "compare".to_owned(),
        targets: &args.targets,
        args: &args.course,
        junit: Some(&args.junit),
    };
    course.connect(&mut session)?;
    let plan = decide(args, &mut session)?;
    course.drive(&mut VolumeComparison { args, plan }, &mut session)
}

fn decide(args: &CompareArgs, session: &mut Session) -> Result<ComparePlan, CliError> {
    let volumes = session.examine(&args.targets)?;
    let asked = args.asked();
    ComparePlan::new(volumes, &asked).map_err(|error| match error {
        CompareError::OneVolume
        | CompareError::TooShort { .. }
        | CompareError::Place(Refusal::Twice { .. }) => CliError::usage(error),
        _ => error.into(),
    })
}

/// A comparison of volumes, once its plan is made.
struct VolumeComparison<'a> {
    args: &'a CompareArgs,
    plan: ComparePlan,
}

impl MeasuringCommand for VolumeComparison<'_> {
    type Prepared = Runner;
    type Document = CompareDocument;

    fn plan(&self) -> PlanDocument {
        let plan = &self.plan;
        PlanDocument {
            runs: plan.steps().len() as u64,
            total_us: Some(plan.runs_us()[1]),
            writing_us: (0..plan.volumes.len()).map(|at| plan.writing_us(at)).sum(),
            seed: Some(plan.seed),
            ..PlanDocument::new("compare", &plan.volumes)
        }
    }

    fn opening(&self, runner: Option<&Runner>, session: &Session) -> String {
        heading::opening(&session.system, &self.plan, runner, &session.screen)
    }

    fn prepare(&mut self, session: &mut Session) -> Result<Runner, CliError> {
        Ok(self.plan.begin(&mut *session.machine)?)
    }

    fn title(&self) -> String {
        format!("{} volumes", self.args.targets.len())
    }

    fn run(&mut self, runner: Runner, at: CourseContext<'_>) -> Result<CompareDocument, CliError> {
        if !self.args.course.show.is_verbose() {
            let order = self.plan.steps().into_iter().map(|step| step.round);
            at.line.by_rounds(RoundLines::new(order, self.plan.run_us()));
        }
        Ok(self.plan.run(&runner, at.from, &mut *at.session.machine, at.line))
    }

    fn tables(&self, document: &CompareDocument, screen: &Screen) -> String {
        let show = &self.args.course.show;
        body(document, show.quiet, show.detail(), screen)
    }

    fn history_summary(&self, document: &CompareDocument) -> HistorySummary {
        history::summary(&self.args.targets, document)
    }

    fn gate_line(&self, document: &CompareDocument) -> Option<String> {
        document.gate_line().map(|line| line.text(screen::lang()))
    }

    fn suite(&self, document: &CompareDocument) -> Option<JudgedSuite> {
        let percent = self.args.fail_if_worse?;
        Some(judged::suite_of_volumes(document, percent))
    }

    fn exit_code(&self, document: &CompareDocument) -> u8 {
        exit_code::of(document.is_whole(), document.gate.as_ref(), exit_code::WORSE)
    }
}

/// The table and its notes; `with_remarks` if no remarks on the volumes were printed before.
fn body(
    document: &CompareDocument,
    with_remarks: bool,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    let brief = || brief::results(document, with_remarks, screen);
    let is_brief = detail == VerdictDetail::Brief;
    let all = || table::results(document, with_remarks, detail, screen);
    is_brief.then(brief).flatten().unwrap_or_else(all)
}

/// The table of a comparison in the history.
pub fn saved_table(document: &CompareDocument, detail: VerdictDetail, screen: &Screen) -> String {
    body(document, true, detail, screen)
}
