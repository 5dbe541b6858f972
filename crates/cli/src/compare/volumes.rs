//! Compares volumes by measuring them now: look, plan, print the plan, run it, show and store the
//! result.

use super::{CompareArgs, brief, heading, history, judged, table};
use crate::cli_error::CliError;
use crate::exit_code;
use crate::fleet;
use crate::history_writer::{HistoryWriter, SavedRun, command_line};
use crate::output::{OutputError, PlanDocument, after_stop};
use crate::session::Session;
use crate::stale_files;
use crate::terminal::live::RoundLines;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::{self, Screen, say, warn_line};
use crate::terminal::summary;
use crate::terminal::verdicts::VerdictDetail;
use fathom_campaign::compare::{CompareDocument, CompareError, ComparePlan, Rounds};
use fathom_campaign::{DocumentSummary, Refusal};
use fathom_text::{Text, text};

/// Compares volumes and gives the exit code.
pub fn compare(args: &CompareArgs, mut session: Session) -> Result<u8, CliError> {
    fleet::connect(&args.fleet, &args.targets, &mut session)?;
    let plan = decide(args, &mut session)?;
    if args.show.dry_run {
        let text = || heading::opening(&session.system, &plan, None, &session.screen);
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

/// The plan for programs.
fn planned(plan: &ComparePlan) -> PlanDocument {
    PlanDocument {
        runs: plan.steps().len() as u64,
        total_us: Some(plan.total_us()),
        writing_us: (0..plan.volumes.len()).map(|at| plan.writing_us(at)).sum(),
        seed: Some(plan.seed),
        ..PlanDocument::new("compare", &plan.volumes)
    }
}

/// Makes the test files, and continues from there.
fn begin(args: &CompareArgs, plan: ComparePlan, session: &mut Session) -> Result<u8, CliError> {
    let mut rounds = match Rounds::begin(plan, &mut session.machine) {
        Ok(rounds) => rounds,
        Err(why) => return session.not_begun(why),
    };
    rounds.runner.find_ceilings(&mut session.machine);
    carry_out(args, &rounds, session)
}

fn decide(args: &CompareArgs, session: &mut Session) -> Result<ComparePlan, CliError> {
    let volumes = session.examine(&args.targets)?;
    let asked = args.asked(crate::seed::entropy());
    ComparePlan::new(volumes, &asked).map_err(|error| match error {
        CompareError::OneVolume
        | CompareError::TooShort { .. }
        | CompareError::Place(Refusal::Twice { .. }) => CliError::usage(error),
        _ => CliError::campaign(error),
    })
}

fn carry_out(args: &CompareArgs, rounds: &Rounds, session: &mut Session) -> Result<u8, CliError> {
    let (screen, system) = (session.screen, session.system.clone());
    let mut recorder = args.show.recorder(session);
    let for_programs = args.report.for_programs();
    args.show
        .announce(for_programs, || heading::opening(&system, &rounds.plan, Some(rounds), &screen));
    let about = format!("{} volumes", args.targets.len());
    let feed = recorder.start("compare", &about, &args.targets);
    let mut line = ProgressLine::new(session, args.show.quiet, feed);
    if !args.show.is_verbose() {
        let order = rounds.plan.steps().into_iter().map(|step| step.round);
        line = line.by_rounds(RoundLines::new(order, rounds.plan.run_us()));
    }
    let machine = &mut session.machine;
    let mut document = rounds.run(machine, &mut line, system, recorder.started_ms());
    document.head.command = command_line();
    if let Some(percent) = args.fail_if_worse {
        document = document.with_gate(percent).with_summary();
    }
    line.wipe();
    session.release();
    say(&shown(args, &document, &screen)?);
    if document.interrupted {
        warn_line(farewell(&document));
    }
    // A command that was stopped before its first run has no result to store.
    let reported = document.runs.is_empty() || keep(&mut recorder, args, &document);
    let outcome = gate(args, &document, session.stopped.name());
    Ok(match document.interrupted {
        true => session.stopped.exit_code().unwrap_or(1),
        false if !document.is_whole() || !reported => 1,
        false => outcome,
    })
}

/// Prints the gate's outcome, writes the requested file, and returns the exit code.
fn gate(args: &CompareArgs, document: &CompareDocument, signal: Option<&str>) -> u8 {
    let (Some(gate), Some(percent)) = (&document.gate, args.fail_if_worse) else { return 0 };
    if let Some(line) = document.gate_line() {
        args.report.say_outcome(&line.text(screen::lang()));
    }
    let signal = signal.filter(|_| document.interrupted);
    let suite = after_stop(judged::suite_of_volumes(document, percent), signal);
    let written = args.junit.tell(&suite);
    exit_code::of_gate(gate, exit_code::WORSE).max(u8::from(!written))
}

fn shown(
    args: &CompareArgs,
    document: &CompareDocument,
    screen: &Screen,
) -> Result<String, OutputError> {
    let detail = args.show.detail();
    let tables = || {
        let body = body(document, args.show.quiet, detail, screen);
        summary::sentences(document, screen) + &body
    };
    args.report.text("compare", document, tables)
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

fn farewell(document: &CompareDocument) -> Text {
    let clause = document.stop_point().clause();
    text!("fathom: {clause}; test files are removed")
}

/// Stores the comparison in the history, and writes the requested report; returns whether it is
/// written.
fn keep(recorder: &mut HistoryWriter, args: &CompareArgs, document: &CompareDocument) -> bool {
    match serde_json::to_string(document) {
        Ok(text) => {
            recorder.keep(&SavedRun {
                kind: "compare",
                title: history::title(document).to_string(),
                targets: &args.targets,
                document: &text,
                headline: history::headline(&args.targets, document),
                outcome: history::outcome(document),
            });
            args.report.write("compare", &text)
        }
        Err(why) => {
            warn_line(text!("fathom: warning: this run is not kept: {why}"));
            true
        }
    }
}
