//! `fathom sweep`: how do the figures of a volume change with options?
//!
//! The steps are those of `measure`: look at the target, plan, print the plan, run it, print the
//! result. In addition, the sweep is stored in a file after every run; the file is locked before
//! anything else, so that no two commands use the same file.

mod args;
mod checkpoint;
mod error;
mod heading;
mod notes;
mod recorded;
mod table;
#[cfg(test)]
mod tests;

pub use args::SweepArgs;
pub use error::CheckpointError;
use fathom_text::text;
pub use recorded::title as saved_title;

use crate::cli_error::CliError;
use crate::fleet;
use crate::history_writer;
use crate::output::{OutputError, PlanDocument, PlannedRun};
use crate::session::{Session, ended};
use crate::terminal::heading::PlanStart;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::{Screen, say, warn_line};
use crate::terminal::signals::EndSignal;
use crate::terminal::summary;
use crate::terminal::verdicts::VerdictDetail;
use checkpoint::CheckpointFile;
use fathom_campaign::cases::{Case, PreparedTarget, StateFile};
use fathom_campaign::sweep::{
    Chosen, Keeper, Question, SweepDocument, SweepError, SweepOutcome, SweepPlan, resume,
};
use std::path::Path;
use std::process::ExitCode;

/// Runs `fathom sweep` and gives its exit code.
pub fn command(args: &SweepArgs, session: Session) -> ExitCode {
    ended(on_hosts(args, session))
}

/// Sweeps on the machines that were named.
fn on_hosts(args: &SweepArgs, mut session: Session) -> Result<u8, CliError> {
    args.report.check()?;
    let hosts = args.fleet.hosts()?.unwrap_or_default();
    let question = check(args, hosts.clone()).map_err(CliError::usage)?;
    if let Some(most) = question.most_clients().filter(|most| *most > hosts.len() as u64) {
        return Err(CliError::usage(text!(
            "--clients goes up to {most}, and --on names {} hosts; name more, or end at {}",
            hosts.len(),
            hosts.len()
        )));
    }
    fleet::connect(&args.fleet, std::slice::from_ref(&args.target), &mut session)?;
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
    args.report.check()?;
    let question = check(args, hosts).map_err(CliError::usage)?;
    if args.show.dry_run {
        let plan = decide(args, question, &mut session, None)?;
        let text = || {
            heading::opening(&session.system, &plan, None, &session.screen)
                + &heading::cost(&plan, 0, PlanStart::Never, &session.screen)
                + &heading::commands(&plan)
        };
        say(&args.report.dry_run(|| planned(&plan), text)?);
        return Ok(0);
    }
    let file = checkpoint::find(args, &question)?;
    let state = match &file {
        CheckpointFile::New { path, mode } => StateFile::create(path, *mode),
        CheckpointFile::Old(path) => StateFile::open(path),
    };
    let state = state.map_err(CliError::campaign)?;
    let (plan, document) = begin(args, question, &file, &mut session)?;
    session.listen()?;
    let done = measured(args, &plan, document, state, &mut session);
    session.ended(done)
}

/// The plan for programs.
fn planned(plan: &SweepPlan) -> PlanDocument {
    let runs = plan.trials().len() as u64;
    let command = |case: &Case| PlannedRun { title: case.title(), command: plan.command_of(case) };
    PlanDocument {
        runs,
        total_us: Some(runs * plan.turn_us()),
        writing_us: plan.writing_us(),
        seed: Some(plan.seed),
        commands: plan.cases.iter().map(command).collect(),
        ..PlanDocument::new("sweep", [&plan.volume])
    }
}

/// The plan, and the document of an earlier session or a new one.
fn begin(
    args: &SweepArgs,
    question: Question,
    file: &CheckpointFile,
    session: &mut Session,
) -> Result<(SweepPlan, SweepDocument), CliError> {
    let resumed = match file {
        CheckpointFile::New { .. } => None,
        CheckpointFile::Old(path) => {
            Some(resume(path, &question, args.seed).map_err(CliError::campaign)?)
        }
    };
    let settled = resumed.as_ref().map(|old| (old.document.seed, old.size_bytes));
    let plan = decide(args, question, session, settled)?;
    let started_ms = history_writer::now_ms();
    let mut document = match resumed {
        Some(resumed) => resumed.document,
        None => plan.document(started_ms),
    };
    document.head.command = history_writer::command_line();
    plan.begin_session(&mut document, session.system.clone(), started_ms);
    Ok((plan, document))
}

/// Examines the target and plans; `settled` are seed and size of an earlier session.
fn decide(
    args: &SweepArgs,
    question: Question,
    session: &mut Session,
    settled: Option<(u64, Option<u64>)>,
) -> Result<SweepPlan, CliError> {
    let volume = session.examine_one(&args.target)?;
    let (seed, size_bytes) = settled.unzip();
    let chosen = Chosen {
        size_bytes: size_bytes.flatten(),
        seed: seed.or(args.seed).unwrap_or_else(crate::seed::entropy),
        entropy: crate::seed::entropy(),
    };
    SweepPlan::new(question, volume, chosen).map_err(CliError::campaign)
}

/// Prepares the target, prints the plan, runs it, and prints the result.
fn measured(
    args: &SweepArgs,
    plan: &SweepPlan,
    document: SweepDocument,
    state: StateFile,
    session: &mut Session,
) -> Result<u8, CliError> {
    // Before the test file is created: a resumed sweep must know its name.
    state.keep(&document).map_err(CliError::campaign)?;
    let mut runner = match plan.begin(&mut session.machine) {
        Ok(runner) => runner,
        Err(why) if document.cases.is_empty() => {
            state.discard();
            return session.not_begun(why);
        }
        Err(why) => return session.not_begun(why),
    };
    runner.find_ceilings(&mut session.machine);
    let done = document.over().len() as u64;
    open(args, plan, &runner.targets[0], (state.path(), done), session);
    let mut recorder = args.show.recorder(session);
    let feed = recorded::begin(&mut recorder, &args.target, &document);
    let mut line = ProgressLine::new(session, args.show.quiet, feed);
    let kept = Keeper::new(document, &state, &mut line).run(plan, &runner, &mut session.machine);
    line.wipe();
    session.release();
    say(&shown(args, &kept.document, &session.screen)?);
    let stopped = session.stopped.exit_code().is_some();
    recorded::keep(&mut recorder, &args.target, &kept.document, stopped)?;
    let code = ending(args, &kept, &state, &session.stopped);
    if recorder.has_kept() && is_finished(&kept) && !is_named(args) {
        // The history has all of it, and nothing is left to resume.
        state.discard();
    }
    Ok(code.max(u8::from(!reported(args, &kept.document)?)))
}

/// Whether every run went well, and is in the sweep's file.
fn is_finished(kept: &SweepOutcome) -> bool {
    kept.document.is_whole() && kept.not_kept.is_none()
}

/// Whether an option names the sweep's file.
fn is_named(args: &SweepArgs) -> bool {
    args.checkpoint.is_some() || matches!(args.resume, Some(Some(_)))
}

/// Prints the plan, of which `done` runs are already in the file at `path`.
fn open(
    args: &SweepArgs,
    plan: &SweepPlan,
    target: &PreparedTarget,
    (path, done): (&Path, u64),
    session: &Session,
) {
    let screen = &session.screen;
    args.show.announce(args.report.for_programs(), || {
        let file = match args.show.is_verbose() || done > 0 {
            true => heading::resume_file(path, screen),
            false => String::new(),
        };
        heading::opening(&session.system, plan, Some(target), screen)
            + &heading::cost(plan, done, PlanStart::Now, screen)
            + &file
    });
}

/// Writes the requested report; returns whether it is written.
fn reported(args: &SweepArgs, document: &SweepDocument) -> Result<bool, OutputError> {
    let text = serde_json::to_string(document).map_err(OutputError::Json)?;
    Ok(document.cases.is_empty() || args.report.write(&target(args), &text))
}

/// The command's name in a report.
fn target(args: &SweepArgs) -> String {
    args.target.to_string()
}

fn shown(
    args: &SweepArgs,
    document: &SweepDocument,
    screen: &Screen,
) -> Result<String, OutputError> {
    let detail = args.show.detail();
    let tables = || {
        summary::sentences(document, screen)
            + &table::results(document, args.show.quiet, detail, screen)
    };
    args.report.text(&target(args), document, tables)
}

/// The table of a sweep in the history.
pub fn saved_table(document: &SweepDocument, detail: VerdictDetail, screen: &Screen) -> String {
    table::results(document, true, detail, screen)
}

/// Prints the paths, and returns the exit code: 0 if all cases were measured, 1 if not, 128 and the
/// signal if the sweep was stopped.
fn ending(args: &SweepArgs, kept: &SweepOutcome, state: &StateFile, stopped: &EndSignal) -> u8 {
    let document = &kept.document;
    let path = state.path().display();
    let code = stopped.exit_code();
    match (&kept.not_kept, code) {
        (Some(why), _) => warn_line(format_args!("fathom: {why}")),
        (None, Some(_)) => warn_line(text!(
            "fathom: {}; finished runs are kept in {path}, and the same command with --resume \
             goes on",
            document.stop_point().clause()
        )),
        (None, None) if args.checkpoint.is_some() && !args.show.quiet => {
            warn_line(text!("kept in {path}"));
        }
        (None, None) => {}
    }
    code.filter(|_| !document.is_whole()).unwrap_or(u8::from(!is_finished(kept)))
}
