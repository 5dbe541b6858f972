//! `fathom measure`: how fast is this volume?

mod args;
mod brief;
mod compare;
mod durable;
mod heading;
mod history;
mod phase_words;
mod rounds;
mod table;
#[cfg(test)]
mod tests;

pub use args::MeasureArgs;
pub use durable::saved_flushes;

use crate::cli_error::CliError;
use crate::course::{Course, CourseContext, HistorySummary, MeasuringCommand};
use crate::fleet;
use crate::output::PlanDocument;
use crate::session::Session;
use crate::terminal::heading as common;
use crate::terminal::screen::{Screen, warning, wrapped};
use crate::terminal::verdicts::VerdictDetail;
use fathom_campaign::cases::Runner;
use fathom_campaign::{Document, MeasureOptions, OverRounds, Plan, Refusal, Remark};
use fathom_document::{are_one_disk, usual_latency};
use fathom_vocab::printable;
use table::TableLayout;

/// Measures, on the machine that the session has, and gives the exit code.
///
/// # Errors
/// If nothing was measured.
pub fn measure(args: &MeasureArgs, mut session: Session) -> Result<u8, CliError> {
    args.junit.check("--for", args.program.is_some())?;
    if let Some(program) = &args.program {
        return durable::measure(args, program, session);
    }
    let course = Course {
        kind: "measure",
        name: "measure".to_owned(),
        targets: &args.targets,
        args: &args.course,
        junit: None,
    };
    course.connect(&mut session)?;
    let plan = decide(args, &mut session, &args.options())?;
    course.drive(&mut MeasureCommand { args, plan }, &mut session)
}

/// Refuses a --time that is too short for the phases of a folder, before it connects to pods or
/// hosts. Creates nothing.
///
/// # Errors
/// If it is too short.
#[cfg(feature = "kube")]
pub fn check_time(args: &MeasureArgs, session: &mut Session) -> Result<(), CliError> {
    let folder = session.examine_one(&fathom_vocab::Target::from(std::env::temp_dir().as_path()));
    let (None, Ok(folder)) = (&args.program, folder) else { return Ok(()) };
    // Free space is checked later.
    let mut options = args.options();
    options.common.size_bytes = None;
    match Plan::new(vec![folder], &options) {
        Err(short @ Refusal::TooShort { .. }) => Err(CliError::usage(short)),
        _ => Ok(()),
    }
}

fn decide(
    args: &MeasureArgs,
    session: &mut Session,
    options: &MeasureOptions,
) -> Result<Plan, CliError> {
    Plan::new(session.examine(&args.targets)?, options).map_err(|refusal| match refusal {
        Refusal::NoTarget | Refusal::Twice { .. } | Refusal::TooShort { .. } => {
            CliError::usage(refusal)
        }
        _ => refusal.into(),
    })
}

/// A measurement, once its plan is made.
struct MeasureCommand<'a> {
    args: &'a MeasureArgs,
    plan: Plan,
}

impl MeasuringCommand for MeasureCommand<'_> {
    type Prepared = Runner;
    type Document = Document;

    fn plan(&self) -> PlanDocument {
        let plan = &self.plan;
        PlanDocument {
            runs: plan.steps().len() as u64,
            total_us: Some(plan.total_us()),
            writing_us: (0..plan.volumes.len()).map(|at| plan.writing_us(at)).sum(),
            seed: Some(plan.seed),
            ..PlanDocument::new("measure", &plan.volumes)
        }
    }

    /// The targets with remarks on them, and the plan; all that is known of the host and its
    /// devices, if that is wanted.
    fn opening(&self, runner: Option<&Runner>, session: &Session) -> String {
        let (plan, screen) = (&self.plan, &session.screen);
        let Some(runner) = runner.filter(|_| !self.args.course.show.is_verbose()) else {
            let target = |at: usize| runner.map(|runner| &runner.targets[at]);
            let tried = |at| target(at).map(|target| (&target.method, target.remarks()));
            let volumes = common::volumes(&session.system, &plan.volumes, tried, screen);
            return volumes + &heading::plan(plan, common::PlanStart::of(runner), screen);
        };
        common::brief_volumes(&runner.targets, screen) + &heading::brief(plan, screen)
    }

    fn prepare(&mut self, session: &mut Session) -> Result<Runner, CliError> {
        Ok(self.plan.begin(&mut *session.machine)?)
    }

    fn title(&self) -> String {
        history::title(&self.plan)
    }

    fn run(&mut self, runner: Runner, at: CourseContext<'_>) -> Result<Document, CliError> {
        Ok(self.plan.run(&runner, at.from, &mut *at.session.machine, at.line))
    }

    /// The tables, after them in the verbose output, otherwise before them what is usual.
    fn tables(&self, document: &Document, screen: &Screen) -> String {
        let show = &self.args.course.show;
        let tables = tables(document, show.quiet, show.detail(), screen);
        if show.is_verbose() {
            let usual = wrapped(usual(document, screen), screen.width, "", "  ");
            return format!("\n{tables}\n{usual}");
        }
        // Beside others, each of several volumes shows what is usual.
        let is_measured = document.phases.iter().any(|run| run.figures.is_some());
        let is_alone = document.volumes.len() == 1 && is_measured && !show.quiet;
        match usual_latency(document, true).filter(|_| is_alone) {
            Some(usual) => wrapped(usual.text(screen.lang), screen.width, "", "  ") + &tables,
            None if is_alone => tables + &wrapped(USUAL, screen.width, "  - ", "    "),
            None => tables,
        }
    }

    fn history_summary(&self, document: &Document) -> HistorySummary {
        history::summary(self.title(), &self.args.targets, document)
    }

    /// 0 if all was measured, 1 if not.
    fn exit_code(&self, document: &Document) -> u8 {
        u8::from(!document.is_whole())
    }
}

/// Where a reader finds whether a figure is good, if no latency says it.
const USUAL: &str = "`fathom help latency` says what is usual for disks, SSDs and cloud volumes.";

/// The tables with their notes; `with_remarks` if no remarks on the volumes were printed before.
fn tables(
    document: &Document,
    with_remarks: bool,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    let phases = OverRounds::of(&document.phases);
    let clients = fleet::clients(&document.phases, screen);
    if detail == VerdictDetail::Brief {
        return brief::results(document, &phases, with_remarks, screen) + &clients;
    }
    let ceiling = document.client.as_ref();
    let ceiling = ceiling.map_or(String::new(), |client| table::headroom(client, screen));
    results(document, &phases, (with_remarks, detail), screen) + &clients + &ceiling
}

/// Whether the latency of a volume is usual, or where a reader finds what is.
fn usual(document: &Document, screen: &Screen) -> String {
    usual_latency(document, true).map_or(USUAL.to_owned(), |usual| usual.text(screen.lang))
}

/// The table of a measurement in the history.
pub fn saved_table(document: &Document, detail: VerdictDetail, screen: &Screen) -> String {
    tables(document, true, detail, screen)
}

/// The tables of all volumes, and of several their comparison.
fn results(
    document: &Document,
    phases: &[OverRounds],
    (with_remarks, detail): (bool, VerdictDetail),
    screen: &Screen,
) -> String {
    let volumes = &document.volumes;
    let layout = if volumes.len() > 1 { TableLayout::Others } else { TableLayout::Alone };
    let mut text = String::new();
    for (at, volume) in volumes.iter().enumerate() {
        let runs: Vec<_> = document.phases.iter().filter(|run| run.volume == at).collect();
        let own: Vec<_> = phases.iter().filter(|of| of.volume == at).collect();
        let together = document.over_phases.iter().find(|of| of.volume == at);
        let together = together.map_or(&[][..], |of| &of.verdicts);
        let body = table::volume(&own, (&runs, together), layout, detail, screen);
        if body.is_empty() && volume.failure.is_none() {
            continue;
        }
        let gap = if text.is_empty() { "" } else { "\n" };
        // Without the heading, remarks on the figures must still appear beside them.
        let remarks = volume.remarks.iter().filter(|_| with_remarks);
        let remarks: Vec<Remark> = remarks.map(|of| of.remark.clone()).collect();
        let name = printable::line(&volume.place.volume.name);
        text += &format!("{gap}{name}\n{}{body}", common::remarks(&remarks, screen));
        if let Some(why) = &volume.failure {
            text += &warning(localized!("FAILED: {why}"), screen);
        }
    }
    text + &side_by_side(document, phases, screen)
}

/// All volumes' figures below each other; empty if there is nothing to compare.
fn side_by_side(document: &Document, phases: &[OverRounds], screen: &Screen) -> String {
    let names: Vec<&str> =
        document.volumes.iter().map(|of| of.place.volume.name.as_str()).collect();
    let one_disk = are_one_disk(&document.volumes);
    let comparison = compare::comparison(&names, phases, one_disk, screen);
    match comparison.is_empty() {
        true => String::new(),
        false => format!("\n{}\n{comparison}", localized!("Side by side")),
    }
}
