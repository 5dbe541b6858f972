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

use crate::exit_code;
use crate::measure::screen::{Screen, say};
use crate::scene::{Scene, Stage, ended};
use crate::show;
use crate::signals::EndSignal;
use crate::verdicts::Detail;
use fathom_campaign::Volume;
use fathom_campaign::cases::Course;
use fathom_campaign::check::{
    CheckAsked, CheckDocument, CheckPlan, MachineReading, Standing, carry_out,
};
use fathom_host::Host;
use progress::ProgressLine;
use std::process::ExitCode;

/// Runs `fathom check` and gives its exit code.
pub fn command(args: &CheckArgs) -> ExitCode {
    ended(check(args))
}

fn check(args: &CheckArgs) -> Result<u8, String> {
    args.report.check(args.show.json)?;
    let scene = Scene::look();
    let plan = decide(args, &scene.host)?;
    if args.show.dry_run {
        say(&heading::opening(&scene.system, &plan, None, &scene.screen));
        say(&heading::commands(&plan));
        return Ok(0);
    }
    let mut stage = Stage::set()?;
    let done = begin(args, &plan, &mut stage, scene);
    stage.ended(done)
}

/// Makes the test file, and goes on from there.
fn begin(
    args: &CheckArgs,
    plan: &CheckPlan,
    stage: &mut Stage,
    scene: Scene,
) -> Result<u8, String> {
    let (volume, cases) = (plan.volume.clone(), plan.cases());
    let begun = Course::begin(volume, cases, plan.seed, &stage.files, &mut stage.executor);
    let course = match begun {
        Ok(course) => course,
        Err(why) => return stage.not_begun(why),
    };
    stage.find_ceilings(&course.engines(), std::slice::from_ref(&args.target));
    measured(args, plan, course, stage, scene)
}

fn decide(args: &CheckArgs, host: &Host) -> Result<CheckPlan, String> {
    let volume = Volume::examine(host, &args.target)?;
    let asked = CheckAsked {
        basis: basis::of(args, &volume)?,
        time_us: u64::try_from(args.time.as_micros()).unwrap_or(u64::MAX),
        size_bytes: args.size,
        read_only: args.read_only,
        destroy: args.destroy_data_on.clone(),
        cpus: u32::try_from(host.allowed_cpus().len()).unwrap_or(u32::MAX).max(1),
        seed: args.seed.unwrap_or_else(crate::entropy),
        entropy: crate::entropy(),
    };
    CheckPlan::new(&asked, volume).map_err(|refusal| refusal.to_string())
}

/// Says what will be done, does it, and shows what came of it.
fn measured(
    args: &CheckArgs,
    plan: &CheckPlan,
    course: Course,
    stage: &mut Stage,
    scene: Scene,
) -> Result<u8, String> {
    let Scene { screen, host, system } = scene;
    let mut recorder = args.show.recorder(&system);
    let for_programs = args.report.for_programs(args.show.json);
    args.show.announce(for_programs, || heading::opening(&system, plan, Some(&course), &screen));
    let document = CheckDocument::new(plan, &course, system, recorder.started_ms());
    let mut meter = || reading(&host);
    let mut line = ProgressLine::new(plan, &mut recorder, &args.target, screen, args.show.quiet);
    let document = carry_out(plan, &course, document, &mut stage.executor, &mut meter, &mut line);
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
    Ok(ending(&document, &stage.stopped).max(u8::from(!reported)))
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
    args.report.text(args.show.json, &target(args), document, tables)
}

/// 0 where all was kept, 3 where something was missed, 5 where it could not be told, 1 where it
/// could not be run, 128 and the signal where it was stopped.
fn ending(document: &CheckDocument, stopped: &EndSignal) -> u8 {
    match (document.stopped, document.standing) {
        (true, _) => stopped.exit_code().unwrap_or(1),
        (false, Standing::Kept) => 0,
        (false, Standing::Missed) => exit_code::MISSED,
        (false, Standing::CouldNotTell) if !document.is_whole() => 1,
        (false, Standing::CouldNotTell) => exit_code::UNDECIDED,
    }
}
