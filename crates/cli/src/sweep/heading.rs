//! The heading: what is measured, the planned sweep and its duration, printed before the first run.

use crate::language::lang;
use crate::terminal::heading::{self, PlanStart, PlannedTime};
use crate::terminal::screen::{Screen, labelled, warning, wrapped};
use fathom_campaign::cases::PreparedTarget;
use fathom_campaign::sweep::{Order, SweepPlan};
use fathom_campaign::test_title;
use fathom_document::sweep::option_name;
use fathom_host::System;
use fathom_vocab::printable;
use std::path::Path;

/// The target and what varies; `target` is none before the target was tried.
pub fn opening(
    system: &System,
    plan: &SweepPlan,
    target: Option<&PreparedTarget>,
    screen: &Screen,
) -> String {
    let mut subject =
        plan.question.record().subject(bypasses_cache(plan, target)).text(screen.lang);
    if !screen.unicode {
        subject = subject.replace('…', "..");
    }
    let mut text = wrapped(&subject, screen.width, "", "  ");
    let reach = heading::planned_reach(&plan.cases);
    text += &heading::target(system, &plan.volume, target, &reach, screen);
    if !plan.left_out.is_empty() {
        let why = localized!("{} cases that write are left out.", plan.left_out.len());
        text += &warning(&why, screen);
    }
    text + &axes(plan, screen)
}

/// Whether cases can bypass the page cache; none if the target has none. Before it was tried a
/// target is assumed to let them.
fn bypasses_cache(plan: &SweepPlan, target: Option<&PreparedTarget>) -> Option<bool> {
    match target {
        Some(target) => target.method.bypasses_cache(),
        None => plan.volume.export.is_none().then_some(true),
    }
}

/// The duration and the bytes written; `done` runs are those of an earlier session.
pub fn cost(plan: &SweepPlan, done: u64, start: PlanStart, screen: &Screen) -> String {
    time(plan, done, start, screen) + &writes(plan, screen)
}

fn axes(plan: &SweepPlan, screen: &Screen) -> String {
    let axis = |axis: &fathom_campaign::sweep::Axis| {
        let values: Vec<String> = axis.values.iter().map(ToString::to_string).collect();
        let name = option_name(&axis.name).text(screen.lang);
        format!("{name} {}", values.join(" "))
    };
    let axes: Vec<String> = plan.question.axes.iter().map(axis).collect();
    let mut text = labelled("Varies ", axes.join("; "), screen);
    let option = |(name, value): &(String, Option<String>)| match value {
        Some(value) => format!("{name}={value}"),
        None => name.clone(),
    };
    // The first line has what every sweep has.
    let always: Vec<String> = plan.question.asked.fixed.iter().map(option).collect();
    if !always.is_empty() {
        text += &labelled("Always ", always.join(", "), screen);
    }
    text
}

fn time(plan: &SweepPlan, done: u64, start: PlanStart, screen: &Screen) -> String {
    let asked = &plan.question.asked;
    let (cases, runs) = (plan.cases.len() as u64, plan.trials().len() as u64);
    let left = runs.saturating_sub(done);
    let all = match (asked.rounds, asked.order) {
        (1, Order::Nested) => localized!("{cases} cases"),
        (1, Order::Shuffled) => localized!("{cases} cases in an order by chance"),
        (rounds, Order::Nested) => localized!("{cases} cases in {rounds} rounds"),
        (rounds, Order::Shuffled) => {
            localized!("{cases} cases in {rounds} rounds, each in an order by chance")
        }
    };
    let text = match done {
        0 => localized!("{all}: {runs} runs"),
        _ => localized!("{left} of {runs} runs are left,"),
    };
    let time = &plan.question.time;
    let text = heading::each(&text, time.run_us, time.ramp_us);
    let planned = PlannedTime::new(left * plan.turn_us(), plan.volume.whole_fill_bytes(), start);
    heading::time(&planned, &text, screen)
}

fn writes(plan: &SweepPlan, screen: &Screen) -> String {
    let writing_us = plan.writing_us();
    let about = heading::at_1_gb(writing_us);
    let text = heading::writes(plan.volume.whole_fill_bytes(), writing_us, &about);
    labelled("Writes ", &text, screen)
}

/// The path of the file with which an interrupted sweep goes on.
pub fn resume_file(path: &Path, screen: &Screen) -> String {
    labelled("Resume file ", path.display().to_string(), screen)
}

/// Every case with the command that repeats it. Lines are as long as they are, to be copied.
pub fn commands(plan: &SweepPlan) -> String {
    let case = |case: &fathom_campaign::cases::Case| {
        let title = test_title(&case.title()).text(lang());
        let (title, command) = (printable::line(&title), plan.command_of(case));
        format!("\n{:>4} {title}\n     {command}\n", case.index + 1)
    };
    plan.cases.iter().map(case).collect()
}
