//! `fathom limit`: the highest rate at which a volume meets a response time.
//!
//! The steps are those of `measure`: look at the target, plan, print the plan, run it, print the
//! result.

mod args;
mod brief;
mod heading;
mod outcome;
mod table;
#[cfg(test)]
mod tests;

pub use args::LimitArgs;

use crate::cli_error::CliError;
use crate::exit_code;
use crate::fleet;
use crate::history_writer::{self, HistoryWriter, SavedRun};
use crate::output::{OutputError, PlanDocument, after_stop, show};
use crate::session::{Session, ended};
use crate::stale_files;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::{Screen, say};
use crate::terminal::signals::EndSignal;
use crate::terminal::summary;
use crate::terminal::verdicts::VerdictDetail;
use fathom_analysis::RowOutcome;
use fathom_campaign::cases::Runner;
use fathom_campaign::limit::{LimitDocument, LimitError, LimitPlan, SearchVerdict};
use fathom_document::limit::subject;
use fathom_report::{JudgedCase, JudgedSuite};
use fathom_store::{HistoryFigure, HistoryOutcome, Key};
use fathom_vocab::Direction;
use std::process::ExitCode;
use std::time::Instant;

/// Runs `fathom limit` and gives its exit code.
pub fn command(args: &LimitArgs, session: Session) -> ExitCode {
    ended(limit(args, session))
}

fn limit(args: &LimitArgs, mut session: Session) -> Result<u8, CliError> {
    args.report.check()?;
    args.junit.check("a limit", true)?;
    fleet::connect(&args.fleet, std::slice::from_ref(&args.target), &mut session)?;
    let volume = session.examine_one(&args.target)?;
    let asked = args.asked(crate::seed::entropy(), crate::seed::entropy());
    let plan = LimitPlan::new(asked, volume).map_err(refused)?;
    if args.show.dry_run {
        let text = || heading::opening(&session.system, &plan, None, &session.screen);
        say(&args.report.dry_run(|| planned(&plan), text)?);
        return Ok(0);
    }
    if args.fleet.on.is_none() {
        stale_files::tell(std::slice::from_ref(&args.target));
    }
    session.listen()?;
    let done = begin(args, &plan, &mut session);
    session.ended(done)
}

/// The plan for programs: of the most steps that there may be.
fn planned(plan: &LimitPlan) -> PlanDocument {
    let runs = plan.asked.effort.most_steps as u64;
    let total_us = runs * plan.step_us();
    let writes = plan.asked.pattern.direction() != Direction::Read;
    PlanDocument {
        runs,
        total_us: Some(total_us),
        writing_us: if writes { total_us } else { 0 },
        seed: Some(plan.asked.seed),
        ..PlanDocument::new("limit", [&plan.volume])
    }
}

/// Errors of the command line alone are usage errors; others depend on the machine.
fn refused(error: LimitError) -> CliError {
    match error {
        LimitError::NoTarget
        | LimitError::Idle { .. }
        | LimitError::TooShort { .. }
        | LimitError::Contradiction { .. } => CliError::usage(error),
        _ => CliError::campaign(error),
    }
}

/// Makes the test file, and continues from there.
fn begin(args: &LimitArgs, plan: &LimitPlan, session: &mut Session) -> Result<u8, CliError> {
    let began = Instant::now();
    let mut runner = match plan.begin(&mut session.machine) {
        Ok(runner) => runner,
        Err(why) => return session.not_begun(why),
    };
    let mut recorder = args.show.recorder(session);
    let targets = std::slice::from_ref(&args.target);
    runner.find_ceilings(&mut session.machine);
    let feed = recorder.start("limit", &plan.asked.target.to_string(), targets);
    let mut line = ProgressLine::new(session, args.show.quiet, feed);
    let mut document = carry_out(args, plan, &runner, session, &mut line);
    document.head.command = history_writer::command_line();
    session.release();
    say(&shown(args, &document, &session.screen)?);
    keep(&mut recorder, args, &document)?;
    let reported = args.report.write(&target(args), &show::json(&document)?);
    let suite = JudgedSuite {
        name: format!("limit {}", args.target.absolute()),
        cases: vec![case(&document)],
        warnings: table::warnings(&document),
        place: None,
        seconds: began.elapsed().as_secs_f64(),
    };
    let signal = session.stopped.name().filter(|_| document.interrupted);
    let told = args.junit.tell(&after_stop(suite, signal));
    Ok(ending(&document, &session.stopped).max(u8::from(!(reported && told))))
}

/// The one limit that was searched for, as a case for CI systems.
fn case(document: &LimitDocument) -> JudgedCase {
    let question = &document.question;
    let subject = subject(question.rw, question.block_bytes);
    JudgedCase {
        subject: String::new(),
        name: format!("{subject}: {}", question.target),
        outcome: document.gate.as_ref().map_or(RowOutcome::Undecided, |gate| gate.outcome.row()),
        is_error: false,
        sentence: document.answer.text.clone(),
        warnings: None,
        place: None,
    }
}

/// The command's name in a report.
fn target(args: &LimitArgs) -> String {
    args.target.to_string()
}

/// Prints the plan, and runs it.
fn carry_out(
    args: &LimitArgs,
    plan: &LimitPlan,
    runner: &Runner,
    session: &mut Session,
    line: &mut ProgressLine,
) -> LimitDocument {
    let target = &runner.targets[0];
    let for_programs = args.report.for_programs();
    args.show.announce(for_programs, || {
        heading::opening(&session.system, plan, Some(target), &session.screen)
    });
    let started_ms = history_writer::now_ms();
    let searched = plan.run(runner, &mut session.machine, line);
    line.wipe();
    plan.document(target, &searched, session.system.clone(), started_ms)
}

/// Stores the search in the history; its figure there is the answer.
fn keep(
    recorder: &mut HistoryWriter,
    args: &LimitArgs,
    document: &LimitDocument,
) -> Result<(), CliError> {
    let text = serde_json::to_string(document).map_err(CliError::NotKept)?;
    let answer = &document.answer;
    let title = document.question.target.to_string();
    let figure = answer.rate_iops.map(|rate_iops| HistoryFigure {
        label: title.clone(),
        key: Key::Iops,
        iops: Some(rate_iops as f64),
        ..HistoryFigure::default()
    });
    recorder.keep(&SavedRun {
        kind: "limit",
        title,
        targets: std::slice::from_ref(&args.target),
        document: &text,
        headline: figure.into_iter().collect(),
        outcome: match answer.verdict {
            _ if document.interrupted => HistoryOutcome::Interrupted,
            SearchVerdict::Halted => HistoryOutcome::Failed,
            SearchVerdict::Never => HistoryOutcome::PromiseMissed,
            SearchVerdict::Unsettled | SearchVerdict::Unclear | SearchVerdict::HostLate => {
                HistoryOutcome::Undecided
            }
            SearchVerdict::Found | SearchVerdict::Ceiling => HistoryOutcome::Ran,
        },
    });
    Ok(())
}

fn shown(
    args: &LimitArgs,
    document: &LimitDocument,
    screen: &Screen,
) -> Result<String, OutputError> {
    let show = &args.show;
    let detail = show.detail();
    let tables = || {
        summary::sentences(document, screen) + &table::results(document, show.quiet, detail, screen)
    };
    args.report.text(&target(args), document, tables)
}

/// The table of a search in the history.
pub fn saved_table(document: &LimitDocument, detail: VerdictDetail, screen: &Screen) -> String {
    table::results(document, true, detail, screen)
}

/// 0 if a rate meets the limit, 3 if none does, 5 if undecided, 1 if the search failed, 128 and the
/// signal if it was stopped.
fn ending(document: &LimitDocument, stopped: &EndSignal) -> u8 {
    match (document.answer.verdict, &document.gate) {
        (SearchVerdict::Halted, _) if document.interrupted => stopped.exit_code().unwrap_or(1),
        (SearchVerdict::Halted, _) | (_, None) => 1,
        (_, Some(gate)) => exit_code::of_gate(gate, exit_code::MISSED),
    }
}
