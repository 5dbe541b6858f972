//! `fathom measure`: how fast is this volume?
//!
//! The steps: look at the targets, plan, print the plan, run it, print the result. The campaign
//! crate decides and runs; this module reads arguments and prints answers.

mod args;
mod brief;
mod compare;
mod durable;
mod heading;
mod phase_words;
mod recorded;
mod rounds;
mod table;
#[cfg(test)]
mod tests;

pub use args::MeasureArgs;
pub use durable::saved_flushes;
use fathom_text::{Text, text};

use crate::cli_error::CliError;
use crate::fleet;
use crate::history_writer::{HistoryWriter, SavedRun, command_line};
use crate::output::PlanDocument;
use crate::session::{Session, ended};
use crate::stale_files;
use crate::terminal::heading as common;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::{Screen, say, warn_line, warning, wrapped};
use crate::terminal::signals::EndSignal;
use crate::terminal::summary;
use crate::terminal::verdicts::VerdictDetail;
use fathom_campaign::{
    Document, MeasureOptions, Measured, OverRounds, Plan, Prepared, Refusal, Remark,
};
use fathom_document::{are_one_disk, usual_latency};
use fathom_host::System;
use fathom_vocab::printable;
use std::process::ExitCode;
use table::TableLayout;

/// Runs `fathom measure` and gives its exit code.
pub fn command(args: &MeasureArgs, session: Session) -> ExitCode {
    ended(measure(args, session))
}

/// Measures, on the machine that the session has, and gives the exit code.
///
/// # Errors
/// If nothing was measured.
pub fn measure(args: &MeasureArgs, mut session: Session) -> Result<u8, CliError> {
    args.report.check()?;
    args.junit.check("--for", args.program.is_some())?;
    fleet::connect(&args.fleet, &args.targets, &mut session)?;
    if let Some(program) = &args.program {
        return durable::measure(args, program, session);
    }
    let plan = decide(args, &mut session, &args.options(crate::seed::entropy()))?;
    if args.show.dry_run {
        let text = || full_opening(&session.system, &plan, None, &session.screen);
        say(&args.report.dry_run(|| planned(&plan), text)?);
        return Ok(0);
    }
    if args.fleet.on.is_none() {
        stale_files::tell(&args.targets);
    }
    session.listen()?;
    let done = begin(args, plan, &mut session);
    session.ended(done)
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
    let options = MeasureOptions { size_bytes: None, ..args.options(1) };
    match Plan::new(vec![folder], &options) {
        Err(short @ Refusal::TooShort { .. }) => Err(CliError::usage(short)),
        _ => Ok(()),
    }
}

/// The plan for programs.
fn planned(plan: &Plan) -> PlanDocument {
    PlanDocument {
        runs: plan.steps().len() as u64,
        total_us: Some(plan.total_us()),
        writing_us: (0..plan.volumes.len()).map(|at| plan.writing_us(at)).sum(),
        seed: Some(plan.seed),
        ..PlanDocument::new("measure", &plan.volumes)
    }
}

/// Makes the test files, and continues from there.
fn begin(args: &MeasureArgs, plan: Plan, session: &mut Session) -> Result<u8, CliError> {
    let mut prepared = match Prepared::begin(plan, &mut session.machine) {
        Ok(prepared) => prepared,
        Err(why) => return session.not_begun(why),
    };
    prepared.runner.find_ceilings(&mut session.machine);
    carry_out(args, &prepared, session)
}

/// Prints the plan, runs it, and prints the result.
fn carry_out(
    args: &MeasureArgs,
    prepared: &Prepared,
    session: &mut Session,
) -> Result<u8, CliError> {
    let (screen, system) = (session.screen, session.system.clone());
    let mut recorder = args.show.recorder(session);
    let for_programs = args.report.for_programs();
    args.show.announce(for_programs, || match args.show.is_verbose() {
        true => full_opening(&system, &prepared.plan, Some(prepared), &screen),
        false => opening(prepared, &screen),
    });
    let title = recorded::title(&prepared.plan);
    let feed = recorder.start("measure", &title, &args.targets);
    let mut line = ProgressLine::new(session, args.show.quiet, feed);
    let measured = prepared.run(&mut session.machine, &mut line);
    line.wipe();
    // An interrupted measurement does not show the busiest phase.
    let whole = (!measured.stopped).then_some(&measured);
    let client = whole.and_then(|measured| prepared.headroom(measured));
    let document = prepared.document(&measured, system, recorder.started_ms());
    let mut document = Document { client, ..document };
    document.head.command = command_line();
    let tables = || figures(args, &document, &screen);
    let shown = args.report.text("measure", &document, tables)?;
    let farewell = farewell(&document, &prepared.plan);
    session.release();
    say(&shown);
    if measured.stopped {
        warn_line(&farewell);
    }
    // A command that was stopped before its first phase has no result to store.
    let empty = measured.stopped && measured.phases.is_empty();
    let reported = empty || keep(&mut recorder, args, &measured, &document, title);
    Ok(ending(&measured, &session.stopped).max(u8::from(!reported)))
}

/// Where a reader finds whether a figure is good, if no latency says it.
const USUAL: &str = "`fathom help latency` says what is usual for disks, SSDs and cloud volumes.";

/// The sentence, the tables, and in the verbose output the rate that one core could drive.
fn figures(args: &MeasureArgs, document: &Document, screen: &Screen) -> String {
    let sentences = summary::sentences(document, screen);
    let (quiet, detail) = (args.show.quiet, args.show.detail());
    let tables = tables(document, quiet, detail, screen);
    if args.show.is_verbose() {
        let usual = wrapped(&usual(document, screen), screen.width, "", "  ");
        return format!("{sentences}\n{tables}\n{usual}");
    }
    // Beside others, each of several volumes shows what is usual.
    let is_measured = document.phases.iter().any(|run| run.figures.is_some());
    let is_alone = document.volumes.len() == 1 && is_measured && !quiet;
    let usual = usual_latency(document, true).filter(|_| is_alone);
    match usual {
        Some(usual) => {
            sentences + &wrapped(&usual.text(screen.lang), screen.width, "", "  ") + &tables
        }
        None if is_alone => sentences + &tables + &wrapped(USUAL, screen.width, "  - ", "    "),
        None => sentences + &tables,
    }
}

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

/// Stores the measurement in the history, and writes the requested reports; returns whether all are
/// written.
fn keep(
    recorder: &mut HistoryWriter,
    args: &MeasureArgs,
    measured: &Measured,
    document: &Document,
    title: String,
) -> bool {
    match serde_json::to_string(document) {
        Ok(document) => {
            recorder.keep(&SavedRun {
                kind: "measure",
                title,
                targets: &args.targets,
                document: &document,
                headline: recorded::headline(&args.targets, &measured.over_rounds()),
                outcome: recorded::outcome(measured),
            });
            args.report.write("measure", &document)
        }
        Err(why) => {
            warn_line(text!("fathom: warning: this run is not kept: {why}"));
            true
        }
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
        _ => CliError::campaign(refusal),
    })
}

/// The heading: the targets with remarks on them, and the plan.
fn opening(prepared: &Prepared, screen: &Screen) -> String {
    let plan = &prepared.plan;
    let volume = |(at, volume)| {
        let line = common::brief_volume(volume, Some(prepared.method(at)), screen);
        line + &common::remarks(&prepared.remarks_on(at), screen)
    };
    let volumes: String = plan.volumes.iter().enumerate().map(volume).collect();
    volumes + &heading::brief(plan, screen)
}

/// The same with all that is known of the host and its devices.
fn full_opening(
    system: &System,
    plan: &Plan,
    prepared: Option<&Prepared>,
    screen: &Screen,
) -> String {
    let tried = |at| prepared.map(|tried| (tried.method(at), tried.remarks_on(at)));
    let volumes = common::volumes(system, &plan.volumes, tried, screen);
    volumes + &heading::plan(plan, common::PlanStart::of(prepared), screen)
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
            text += &warning(&localized!("FAILED: {why}"), screen);
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

/// 0 if all was measured, 1 if not, 128 and the signal if it was stopped.
fn ending(measured: &Measured, stopped: &EndSignal) -> u8 {
    match measured.stopped {
        true => stopped.exit_code().unwrap_or(1),
        false => u8::from(!measured.is_whole()),
    }
}

/// The text for a measurement that was stopped.
fn farewell(document: &Document, plan: &Plan) -> Text {
    let clause = document.stop_point().clause();
    match plan.volumes.iter().any(|volume| volume.ours) {
        true => text!("fathom: {clause}; test files are removed"),
        false => text!("fathom: {clause}"),
    }
}
