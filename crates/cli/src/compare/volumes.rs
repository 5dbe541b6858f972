//! Volumes side by side, measured now: look, decide, say what will be done, do it, show it, keep
//! it.

use super::{CompareArgs, heading, kept, progress::ProgressLine, table};
use crate::cli_error::CliError;
use crate::history_writer::{HistoryWriter, SavedRun};
use crate::output::PlanDocument;
use crate::session::{RunContext, Session};
use crate::terminal::screen::{Screen, say, warn, warn_line};
use crate::terminal::verdicts::Detail;
use fathom_campaign::compare::{CompareDocument, CompareError, ComparePlan, Rounds};
use fathom_campaign::{Refusal, Volume};
use fathom_host::Host;

/// Compares volumes and gives the exit code.
pub fn compare(args: &CompareArgs) -> Result<u8, CliError> {
    let session = Session::look();
    let plan = decide(args, &session.host)?;
    if args.show.dry_run {
        let text = || heading::opening(&session.system, &plan, None, &session.screen);
        say(&args.report.dry_run(|| planned(&plan), text)?);
        return Ok(0);
    }
    let mut context = RunContext::set()?;
    let done = begin(args, plan, &mut context, session);
    context.ended(done)
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

/// Makes the test files, and goes on from there.
fn begin(
    args: &CompareArgs,
    plan: ComparePlan,
    context: &mut RunContext,
    session: Session,
) -> Result<u8, String> {
    let rounds = match Rounds::begin(plan, &context.files, &mut context.executor) {
        Ok(rounds) => rounds,
        Err(why) => return context.not_begun(why),
    };
    context.find_ceilings(&rounds.engines(), &args.targets);
    carry_out(args, rounds, context, session)
}

fn decide(args: &CompareArgs, host: &Host) -> Result<ComparePlan, CliError> {
    let volumes: Result<Vec<Volume>, String> =
        args.targets.iter().map(|path| Volume::examine(host, path)).collect();
    let asked = args.asked(crate::seed::entropy());
    ComparePlan::new(volumes?, &asked).map_err(|error| match &error {
        CompareError::OneVolume
        | CompareError::TooShort { .. }
        | CompareError::Place(Refusal::Twice { .. }) => CliError::usage(error.to_string()),
        _ => error.to_string().into(),
    })
}

fn carry_out(
    args: &CompareArgs,
    rounds: Rounds,
    context: &mut RunContext,
    session: Session,
) -> Result<u8, String> {
    let Session { screen, system, .. } = session;
    let mut recorder = args.show.recorder(&system);
    let for_programs = args.report.for_programs();
    args.show
        .announce(for_programs, || heading::opening(&system, &rounds.plan, Some(&rounds), &screen));
    let about = format!("{} volumes", args.targets.len());
    let feed = recorder.start("compare", &about, &args.targets);
    let mut line = ProgressLine::new(&rounds.plan, screen, args.show.quiet, feed);
    let document = rounds.run(&mut context.executor, &mut line, system, recorder.started_ms());
    line.wipe();
    // Before anything is printed: a closed pipe must not be what leaves a file behind.
    drop(rounds);
    say(&shown(args, &document, &screen)?);
    if document.interrupted {
        warn(&farewell(&document));
    }
    // What was stopped before its first run has nothing to be kept for.
    let reported = document.runs.is_empty() || keep(&mut recorder, args, &document);
    Ok(match document.interrupted {
        true => context.stopped.exit_code().unwrap_or(1),
        false => u8::from(!document.is_whole() || !reported),
    })
}

fn shown(
    args: &CompareArgs,
    document: &CompareDocument,
    screen: &Screen,
) -> Result<String, String> {
    let tables =
        || table::results(document, args.show.quiet, Detail::of(args.show.verdicts), screen);
    args.report.text("compare", document, tables)
}

fn farewell(document: &CompareDocument) -> String {
    format!(
        "fathom: stopped after {} of {} runs; test files are removed\n",
        document.whole_runs().count(),
        document.plan.steps
    )
}

/// Keeps the comparison in the history, and writes the report that was asked for; gives whether
/// that is written.
fn keep(recorder: &mut HistoryWriter, args: &CompareArgs, document: &CompareDocument) -> bool {
    match serde_json::to_string(document) {
        Ok(text) => {
            recorder.keep(&SavedRun {
                kind: "compare",
                title: kept::title(document),
                targets: &args.targets,
                document: &text,
                headline: kept::headline(&args.targets, document),
                outcome: kept::outcome(document),
            });
            args.report.write("compare", &text)
        }
        Err(why) => {
            warn_line(&format!("fathom: warning: this run is not kept: {why}"));
            true
        }
    }
}
