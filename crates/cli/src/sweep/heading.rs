//! The heading: the planned sweep and its duration, printed before the first run.

use crate::terminal::heading;
use crate::terminal::screen::{Screen, wrapped};
use fathom_campaign::cases::PreparedTarget;
use fathom_campaign::seconds;
use fathom_campaign::sweep::{Order, SweepDocument, SweepPlan};
use fathom_host::System;
use fathom_vocab::printable;
use std::path::Path;

/// The whole heading; `target` is none before the target was tried.
pub fn opening(
    system: &System,
    plan: &SweepPlan,
    target: Option<&PreparedTarget>,
    screen: &Screen,
) -> String {
    let mut text = heading::target(system, &plan.volume, target, screen);
    if !plan.left_out.is_empty() {
        let why = format!("{} cases that write are left out.", plan.left_out.len());
        text += &wrapped(&why, screen.width, "  ! ", "    ");
    }
    text + &axes(plan, screen) + &time(plan, screen) + &writes(plan, screen)
}

fn axes(plan: &SweepPlan, screen: &Screen) -> String {
    let axis = |axis: &fathom_campaign::sweep::Axis| {
        let values: Vec<String> = axis.values.iter().map(ToString::to_string).collect();
        format!("{} {}", axis.name, values.join(" "))
    };
    let axes: Vec<String> = plan.question.axes.iter().map(axis).collect();
    let mut text = wrapped(&axes.join("; "), screen.width, "Varies ", "       ");
    let option = |(name, value): &(String, Option<String>)| match value {
        Some(value) => format!("{name}={value}"),
        None => name.clone(),
    };
    let mut always = plan.question.record().constants();
    for fixed in plan.question.asked.fixed.iter().map(option) {
        if !always.contains(&fixed) {
            always.push(fixed);
        }
    }
    if !always.is_empty() {
        text += &wrapped(&always.join(", "), screen.width, "Always ", "       ");
    }
    text
}

fn time(plan: &SweepPlan, screen: &Screen) -> String {
    let asked = &plan.question.asked;
    let (cases, runs) = (plan.cases.len() as u64, plan.trials().len() as u64);
    let rounds = match (asked.rounds, asked.order) {
        (1, Order::Nested) => String::new(),
        (1, Order::Shuffled) => " in an order by chance".to_owned(),
        (rounds, Order::Nested) => format!(" in {rounds} rounds"),
        (rounds, Order::Shuffled) => format!(" in {rounds} rounds, each in an order by chance"),
    };
    let text = format!(
        "{cases} cases{rounds}: {runs} runs {}: {}",
        heading::each(plan.question.time.run_us, plan.question.time.ramp_us),
        seconds(runs * plan.turn_us()),
    );
    heading::time(&text, plan.volume.fill_bytes, screen)
}

fn writes(plan: &SweepPlan, screen: &Screen) -> String {
    let writing_us = plan.writing_us();
    let about = heading::at_1_gb(writing_us);
    let text = heading::writes(plan.volume.fill_bytes, writing_us, &about);
    wrapped(&text, screen.width, "Writes ", "       ")
}

/// The path of the document, and its runs so far.
pub fn kept_in(path: &Path, document: &SweepDocument, screen: &Screen) -> String {
    let done = document.over().len();
    let text = match done {
        0 => format!("{}, after each run.", path.display()),
        _ => {
            format!("{}, where {done} of {} runs are already.", path.display(), document.turns)
        }
    };
    wrapped(&text, screen.width, "Kept   ", "       ")
}

/// Every case with the command that repeats it. Lines are as long as they are, to be copied.
pub fn commands(plan: &SweepPlan) -> String {
    let case = |case: &fathom_campaign::cases::Case| {
        let title = case.title();
        let (title, command) = (printable::line(&title), plan.command_of(case));
        format!("\n{:>4} {title}\n     {command}\n", case.index + 1)
    };
    plan.cases.iter().map(case).collect()
}
