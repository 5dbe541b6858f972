//! `fathom check`: does this volume reach its promised limits?
//!
//! The steps are those of `measure`: look at the target, find the promise, plan, print the plan,
//! run it, print the result. The exit code repeats the answer.

mod args;
mod basis;
mod error;
mod heading;
mod judged;
mod reasons;
mod recorded;
mod row;
mod table;
#[cfg(test)]
mod tests;

pub use args::CheckArgs;
pub use error::BasisError;

use crate::cli_error::CliError;
use crate::exit_code;
use crate::fleet;
use crate::history_writer::command_line;
use crate::measuring_time::measuring_time;
use crate::output::{OutputError, PlanDocument, PlannedRun, after_stop, show};
use crate::session::{Session, ended};
use crate::stale_files;
use crate::terminal::screen::{Screen, say};
use crate::terminal::signals::EndSignal;
use crate::terminal::summary;
use crate::terminal::verdicts::VerdictDetail;
use fathom_campaign::MeasuringTime;
use fathom_campaign::cases::Runner;
use fathom_campaign::check::{
    CheckDocument, CheckError, CheckPlan, CheckRequest, CheckStep, Standing, carry_out,
};
use fathom_report::JudgedSuite;
use recorded::CheckLine;
use std::process::ExitCode;
use std::time::Instant;

/// Runs `fathom check` and gives its exit code.
pub fn command(args: &CheckArgs, session: Session) -> ExitCode {
    ended(check(args, session))
}

/// Checks a volume of this machine, or of the machine that took its place.
///
/// # Errors
/// If nothing could be measured.
pub fn check(args: &CheckArgs, mut session: Session) -> Result<u8, CliError> {
    args.report.check()?;
    args.junit.check("a check", true)?;
    fleet::connect(&args.fleet, std::slice::from_ref(&args.target), &mut session)?;
    let plan = decide(args, &mut session)?;
    if args.show.dry_run {
        let text = || {
            heading::opening(&session.system, &plan, None, &session.screen)
                + &heading::commands(&plan)
        };
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

/// The plan for programs.
fn planned(plan: &CheckPlan) -> PlanDocument {
    let runs = plan.steps.len() as u64;
    let command =
        |step: &CheckStep| PlannedRun { title: step.load.title(), command: plan.command_of(step) };
    PlanDocument {
        runs,
        total_us: Some(runs * plan.turn_us()),
        writing_us: plan.writing_us(),
        seed: Some(plan.seed),
        commands: plan.steps.iter().map(command).collect(),
        ..PlanDocument::new("check", [&plan.volume])
    }
}

/// Makes the test file, and continues from there.
fn begin(args: &CheckArgs, plan: &CheckPlan, session: &mut Session) -> Result<u8, CliError> {
    let mut runner = match plan.begin(&mut session.machine) {
        Ok(runner) => runner,
        Err(why) => return session.not_begun(why),
    };
    runner.find_ceilings(&mut session.machine);
    measured(args, plan, &runner, session)
}

/// The time of each run if neither time is given.
const USUAL_TIME: MeasuringTime = MeasuringTime::PerRun(30_000_000);

fn decide(args: &CheckArgs, session: &mut Session) -> Result<CheckPlan, CliError> {
    let volume = session.examine_one(&args.target)?;
    let asked = CheckRequest {
        basis: basis::of(args, &volume)?,
        time: measuring_time(args.time, args.time_per_run).unwrap_or(USUAL_TIME),
        size_bytes: args.size,
        read_only: args.read_only,
        destroy: args.destroy_data_on.clone(),
        cpus: u32::try_from(cpus(args, session)).unwrap_or(u32::MAX).max(1),
        seed: args.seed.unwrap_or_else(crate::seed::entropy),
        entropy: crate::seed::entropy(),
    };
    CheckPlan::new(&asked, volume).map_err(|error| match error {
        CheckError::NothingPromised { .. } | CheckError::TooShort { .. } => CliError::usage(error),
        _ => CliError::campaign(error),
    })
}

/// Processors of the machine that measures, as far as a run may use them.
fn cpus(args: &CheckArgs, session: &Session) -> usize {
    match args.fleet.on {
        Some(_) => session.system.cpus_online,
        None => session.host.allowed_cpus().len(),
    }
}

/// Prints the plan, runs it, and prints the result.
fn measured(
    args: &CheckArgs,
    plan: &CheckPlan,
    runner: &Runner,
    session: &mut Session,
) -> Result<u8, CliError> {
    let began = Instant::now();
    let (screen, system, target) = (session.screen, session.system.clone(), &runner.targets[0]);
    let mut recorder = args.show.recorder(session);
    let for_programs = args.report.for_programs();
    args.show.announce(for_programs, || heading::opening(&system, plan, Some(target), &screen));
    let mut document = plan.document(target, system, recorder.started_ms());
    document.head.command = command_line();
    let mut line = CheckLine::new(plan, &mut recorder, &args.target, session, args.show.quiet);
    let machine = &mut session.machine;
    let document = carry_out(plan, runner, document, machine, &mut line);
    line.wipe();
    session.release();
    say(&shown(args, &document, &screen)?);
    // A command that was stopped before its first run has no result to store.
    if !(document.stopped && document.runs.is_empty()) {
        line.over(&document);
    }
    let reported =
        document.runs.is_empty() || args.report.write(&report_name(args), &show::json(&document)?);
    let suite = JudgedSuite {
        name: format!("check {}", args.target.absolute()),
        cases: judged::cases(plan, &document),
        warnings: table::warnings(&document, &document.runs),
        place: None,
        seconds: began.elapsed().as_secs_f64(),
    };
    let signal = session.stopped.name().filter(|_| document.stopped);
    let told = args.junit.tell(&after_stop(suite, signal));
    Ok(ending(&document, &session.stopped).max(u8::from(!(reported && told))))
}

/// The command's name in a report.
fn report_name(args: &CheckArgs) -> String {
    args.target.to_string()
}

fn shown(
    args: &CheckArgs,
    document: &CheckDocument,
    screen: &Screen,
) -> Result<String, OutputError> {
    let tables = || {
        // The answer names the promise; without the heading, its warning must still appear.
        let warning = match args.show.quiet {
            true => heading::other_size(&document.basis, screen),
            false => String::new(),
        };
        let body = match args.show.detail() {
            VerdictDetail::Brief if args.show.quiet => table::bare(document, screen),
            detail => table::results(document, detail, screen),
        };
        summary::sentences(document, screen) + &warning + &body
    };
    args.report.text(&report_name(args), document, tables)
}

/// The table of a check in the history.
pub fn saved_table(document: &CheckDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let warning = heading::other_size(&document.basis, screen);
    warning + &table::results(document, detail, screen)
}

/// 0 if all limits were met, 3 if one was missed, 5 if undecided, 1 if the check could not run, 128
/// and the signal if it was stopped.
fn ending(document: &CheckDocument, stopped: &EndSignal) -> u8 {
    match (document.stopped, document.standing) {
        (true, _) => stopped.exit_code().unwrap_or(1),
        (false, Standing::Kept) => 0,
        (false, Standing::Missed) => exit_code::MISSED,
        (false, Standing::CouldNotTell) if !document.is_whole() => 1,
        (false, Standing::CouldNotTell) => exit_code::UNDECIDED,
    }
}
