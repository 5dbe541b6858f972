//! `fathom check`: does this volume keep what was promised of it?
//!
//! The order of things is that of `measure`: look at the target, find the promise, decide, say
//! what will be done, do it, show what came of it. The answer is the exit code, too.

mod args;
mod basis;
mod heading;
mod progress;
mod recorded;
mod table;
#[cfg(test)]
mod tests;

pub use args::CheckArgs;

use crate::cli_error::CliError;
use crate::output::{PlanDocument, PlannedRun, show};
use crate::session::{RunContext, Session, ended};
use crate::terminal::screen::{Screen, say};
use crate::terminal::signals::EndSignal;
use crate::terminal::verdicts::Detail;
use fathom_campaign::Volume;
use fathom_campaign::cases::Course;
use fathom_campaign::check::{
    CheckAsked, CheckDocument, CheckError, CheckPlan, MachineReading, Standing, Step, carry_out,
};
use fathom_host::Host;
use progress::ProgressLine;
use std::process::ExitCode;

/// The exit code of a promise that was missed: neither that of a failure nor of wrong usage.
const MISSED: u8 = 3;

/// Runs `fathom check` and gives its exit code.
pub fn command(args: &CheckArgs) -> ExitCode {
    ended(check(args))
}

fn check(args: &CheckArgs) -> Result<u8, CliError> {
    args.report.check()?;
    let session = Session::look();
    let plan = decide(args, &session.host)?;
    if args.show.dry_run {
        let text = || {
            heading::opening(&session.system, &plan, None, &session.screen)
                + &heading::commands(&plan)
        };
        say(&args.report.dry_run(|| planned(&plan), text)?);
        return Ok(0);
    }
    let mut context = RunContext::set()?;
    let done = begin(args, &plan, &mut context, session);
    context.ended(done)
}

/// The plan for programs.
fn planned(plan: &CheckPlan) -> PlanDocument {
    let runs = plan.steps.len() as u64;
    let command =
        |step: &Step| PlannedRun { title: step.load.title(), command: plan.command_of(step) };
    PlanDocument {
        runs,
        total_us: Some(runs * plan.turn_us()),
        writing_us: plan.writing_us(),
        seed: Some(plan.seed),
        commands: plan.steps.iter().map(command).collect(),
        ..PlanDocument::new("check", [&plan.volume])
    }
}

/// Makes the test file, and goes on from there.
fn begin(
    args: &CheckArgs,
    plan: &CheckPlan,
    context: &mut RunContext,
    session: Session,
) -> Result<u8, String> {
    let (volume, cases) = (plan.volume.clone(), plan.cases());
    let begun = Course::begin(volume, cases, plan.seed, &context.files, &mut context.executor);
    let course = match begun {
        Ok(course) => course,
        Err(why) => return context.not_begun(why),
    };
    context.find_ceilings(&course.engines(), std::slice::from_ref(&args.target));
    measured(args, plan, course, context, session)
}

fn decide(args: &CheckArgs, host: &Host) -> Result<CheckPlan, CliError> {
    let volume = Volume::examine(host, &args.target)?;
    let asked = CheckAsked {
        basis: basis::of(args, &volume)?,
        time_us: u64::try_from(args.time.as_micros()).unwrap_or(u64::MAX),
        size_bytes: args.size,
        read_only: args.read_only,
        destroy: args.destroy_data_on.clone(),
        cpus: u32::try_from(host.allowed_cpus().len()).unwrap_or(u32::MAX).max(1),
        seed: args.seed.unwrap_or_else(crate::seed::entropy),
        entropy: crate::seed::entropy(),
    };
    CheckPlan::new(&asked, volume).map_err(|error| match &error {
        CheckError::TooShort { .. } => CliError::usage(error.to_string()),
        _ => error.to_string().into(),
    })
}

/// Says what will be done, does it, and shows what came of it.
fn measured(
    args: &CheckArgs,
    plan: &CheckPlan,
    course: Course,
    context: &mut RunContext,
    session: Session,
) -> Result<u8, String> {
    let Session { screen, host, system } = session;
    let mut recorder = args.show.recorder(&system);
    let for_programs = args.report.for_programs();
    args.show.announce(for_programs, || heading::opening(&system, plan, Some(&course), &screen));
    let document = CheckDocument::new(plan, &course, system, recorder.started_ms());
    let mut meter = || reading(&host);
    let mut line = ProgressLine::new(plan, &mut recorder, &args.target, screen, args.show.quiet);
    let document = carry_out(plan, &course, document, &mut context.executor, &mut meter, &mut line);
    line.wipe();
    // Before anything is printed: a closed pipe must not be what leaves a file behind.
    drop(course);
    say(&shown(args, &document, &screen)?);
    // What was stopped before its first run has nothing to be kept for.
    if !(document.stopped && document.runs.is_empty()) {
        line.over(&document);
    }
    let reported =
        document.runs.is_empty() || args.report.write(&target(args), &show::json(&document)?);
    Ok(ending(&document, &context.stopped).max(u8::from(!reported)))
}

/// What it is called in a report.
fn target(args: &CheckArgs) -> String {
    args.target.display().to_string()
}

/// What the machine is busy with, now.
fn reading(host: &Host) -> Option<MachineReading> {
    let cpus = host.cpu_times().ok()?;
    Some(MachineReading { cpus, throttled_us: host.cgroup_cpu().throttled_us })
}

fn shown(args: &CheckArgs, document: &CheckDocument, screen: &Screen) -> Result<String, String> {
    let tables = || {
        // With the heading gone, the promise must still stand beside its verdicts.
        let promise = match args.show.quiet {
            true => heading::promise(&document.basis, screen) + "\n",
            false => String::new(),
        };
        promise + &table::results(document, Detail::of(args.show.verdicts), screen)
    };
    args.report.text(&target(args), document, tables)
}

/// 0 where all was kept, 3 where something was missed, 1 where it could not be told or run, 128
/// and the signal where it was stopped.
fn ending(document: &CheckDocument, stopped: &EndSignal) -> u8 {
    let answer = match document.standing {
        Standing::Kept => 0,
        Standing::CouldNotTell => 1,
        Standing::Missed => MISSED,
    };
    match document.stopped {
        true => stopped.exit_code().unwrap_or(1),
        false => answer,
    }
}
