//! What is going to be looked for, and what that will take: said before anything begins.

use crate::measure::heading;
use crate::measure::screen::{Screen, wrapped};
use fathom_campaign::cases::Course;
use fathom_campaign::limit::{Arrivals, LimitPlan};
use fathom_campaign::{binary_bytes, decimal_bytes, seconds};
use fathom_host::System;
use fathom_vocab::Direction;

/// All that is said before anything begins; `course` is none before the way has been tried.
pub fn opening(
    system: &System,
    plan: &LimitPlan,
    course: Option<&Course>,
    screen: &Screen,
) -> String {
    let mut text = heading::host(system, screen);
    let method = course.and_then(|course| course.ways.iter().find_map(|way| way.method.as_ref()));
    text += &heading::volume(&plan.volume, method, screen);
    let remarks = course.map_or_else(|| plan.volume.remarks.clone(), Course::remarks);
    text += &heading::remarks(&remarks, screen);
    if let Some(caution) = plan.caution() {
        text += &wrapped(&caution.text(screen.lang), screen.width, "  ! ", "    ");
    }
    let labelled = |label: &str, words: &str| wrapped(words, screen.width, label, "       ");
    text += "\n";
    text += &labelled("Asks   ", &asks(plan));
    text += &labelled("Time   ", &time(plan));
    text + &labelled("Writes ", &writes(plan))
}

fn asks(plan: &LimitPlan) -> String {
    let arrivals = match plan.asked.arrivals {
        Arrivals::Poisson => "due at random (Poisson)",
        Arrivals::Even => "due at even distances",
    };
    format!(
        "the highest rate of {} that keeps {}, within {:.3} %; {arrivals}, up to {} in flight.",
        plan.subject(),
        plan.asked.target,
        plan.asked.effort.precision * 100.0,
        plan.depth
    )
    .replace(".000 %", " %")
}

fn time(plan: &LimitPlan) -> String {
    let (usual, most) = (plan.usual_steps() as u64, plan.asked.effort.most_steps as u64);
    let each = format!(
        "of {} (and {} before each that are not counted)",
        seconds(plan.time.run_us),
        seconds(plan.time.ramp_us)
    );
    let most_time = seconds(most * plan.step_us());
    let mut text = match usual < most {
        true => format!(
            "about {usual} steps (at most {most}) {each}: {} to {most_time}",
            seconds(usual * plan.step_us())
        ),
        false => format!("at most {most} steps {each}: {most_time}"),
    };
    if plan.volume.fill_bytes > 0 {
        text += &format!(", and the time to write {}", binary_bytes(plan.volume.fill_bytes));
    }
    text + "."
}

fn writes(plan: &LimitPlan) -> String {
    let size = binary_bytes(plan.volume.fill_bytes);
    match (plan.volume.fill_bytes, plan.asked.pattern.direction()) {
        (0, _) => "nothing.".to_owned(),
        (_, Direction::Read) => format!("{size} once, then nothing."),
        _ => {
            let writing_us = plan.asked.effort.most_steps as u64 * plan.step_us();
            // At 1 GB/s, which few volumes exceed: whoever pays for writes wants a number.
            let at_1_gb = decimal_bytes(writing_us.saturating_mul(1000));
            format!(
                "{size} once; then, within the same {size}, at most as much as it takes in {} (at \
                 1 GB/s, {at_1_gb}).",
                seconds(writing_us)
            )
        }
    }
}
