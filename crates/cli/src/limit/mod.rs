//! `fathom limit`: how many I/Os a second does a volume take before users wait too long?
//!
//! The order of things is that of `measure`: look at the target, decide, say what will be done, do
//! it, show what came of it.

mod args;
mod heading;
mod progress;
mod table;
#[cfg(test)]
mod tests;

pub use args::LimitArgs;

use crate::exit_code;
use crate::measure::screen::{Screen, say};
use crate::record::{self, Kept, Recorder};
use crate::scene::{Scene, Stage, ended};
use crate::show;
use crate::signals::EndSignal;
use crate::verdicts::Detail;
use fathom_campaign::cases::Course;
use fathom_campaign::limit::{LimitDocument, LimitPlan, Verdict};
use fathom_campaign::{LocalExecutor, Volume};
use fathom_store::{Figure, Key, Outcome};
use progress::ProgressLine;
use std::process::ExitCode;

/// Runs `fathom limit` and gives its exit code.
pub fn command(args: &LimitArgs) -> ExitCode {
    ended(limit(args))
}

fn limit(args: &LimitArgs) -> Result<u8, String> {
    args.report.check(args.show.json)?;
    let scene = Scene::look();
    let volume = Volume::examine(&scene.host, &args.target)?;
    let asked = args.asked(crate::entropy(), crate::entropy());
    let plan = LimitPlan::new(asked, volume).map_err(|refusal| refusal.to_string())?;
    if args.show.dry_run {
        say(&heading::opening(&scene.system, &plan, None, &scene.screen));
        return Ok(0);
    }
    let mut stage = Stage::set()?;
    let done = begin(args, &plan, &mut stage, &scene);
    stage.ended(done)
}

/// Makes the test file, and goes on from there.
fn begin(
    args: &LimitArgs,
    plan: &LimitPlan,
    stage: &mut Stage,
    scene: &Scene,
) -> Result<u8, String> {
    let course = match plan.begin(&stage.files, &mut stage.executor) {
        Ok(course) => course,
        Err(why) => return stage.not_begun(why),
    };
    let mut recorder = args.show.recorder(&scene.system);
    let targets = std::slice::from_ref(&args.target);
    stage.find_ceilings(&course.engines(), targets);
    let feed = recorder.start("limit", &plan.asked.target.to_string(), targets);
    let mut line = ProgressLine::new(plan, scene.screen, args.show.quiet, feed);
    let document = carry_out(args, plan, course, &mut stage.executor, scene, &mut line);
    say(&shown(args, &document, &scene.screen)?);
    keep(&mut recorder, args, &document)?;
    let reported = args.report.write(&target(args), &show::json(&document)?);
    Ok(ending(&document, &stage.stopped).max(u8::from(!reported)))
}

/// What it is called in a report.
fn target(args: &LimitArgs) -> String {
    args.target.display().to_string()
}

/// Says what will be done, and does it.
fn carry_out(
    args: &LimitArgs,
    plan: &LimitPlan,
    course: Course,
    executor: &mut LocalExecutor,
    scene: &Scene,
    line: &mut ProgressLine,
) -> LimitDocument {
    let for_programs = args.report.for_programs(args.show.json);
    args.show.announce(for_programs, || {
        heading::opening(&scene.system, plan, Some(&course), &scene.screen)
    });
    let started_ms = record::now_ms();
    let searched = plan.run(&course, executor, line);
    line.wipe();
    LimitDocument::new(plan, &course, &searched, scene.system.clone(), started_ms)
}

/// Keeps the search in the history: its answer is the figure that stands for it.
fn keep(recorder: &mut Recorder, args: &LimitArgs, document: &LimitDocument) -> Result<(), String> {
    let text = serde_json::to_string(document)
        .map_err(|error| format!("this run is not kept in the history: {error}"))?;
    let answer = &document.answer;
    let title = document.question.target.to_string();
    let figure = answer.rate_iops.map(|rate_iops| Figure {
        label: title.clone(),
        key: Key::Iops,
        iops: Some(rate_iops as f64),
        ..Figure::default()
    });
    recorder.keep(&Kept {
        kind: "limit",
        title,
        targets: std::slice::from_ref(&args.target),
        document: &text,
        headline: figure.into_iter().collect(),
        outcome: match answer.verdict {
            _ if document.interrupted => Outcome::Interrupted,
            Verdict::Halted => Outcome::Failed,
            Verdict::Never => Outcome::PromiseMissed,
            Verdict::Found | Verdict::Ceiling | Verdict::Unsettled | Verdict::Unclear => {
                Outcome::Ran
            }
        },
    });
    Ok(())
}

fn shown(args: &LimitArgs, document: &LimitDocument, screen: &Screen) -> Result<String, String> {
    let show = &args.show;
    let tables = || table::results(document, show.quiet, Detail::of(show.verdicts), screen);
    args.report.text(show.json, &target(args), document, tables)
}

/// 0 where a rate holds, 3 where none does, 5 where it could not be told, 1 where the search
/// failed, 128 and the signal where it was stopped.
fn ending(document: &LimitDocument, stopped: &EndSignal) -> u8 {
    match (document.answer.verdict, &document.gate) {
        (Verdict::Halted, _) if document.interrupted => stopped.exit_code().unwrap_or(1),
        (Verdict::Halted, _) | (_, None) => 1,
        (_, Some(gate)) => exit_code::of_gate(gate, exit_code::MISSED),
    }
}
