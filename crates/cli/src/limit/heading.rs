//! The heading: the plan of the search and its duration, printed before the first run.

use crate::language::word;
use crate::terminal::heading::{self, PlanStart, PlannedTime};
use crate::terminal::screen::{Screen, labelled, warning};
use fathom_campaign::cases::PreparedTarget;
use fathom_campaign::limit::{Arrivals, LimitPlan};
use fathom_campaign::{binary_bytes, seconds};
use fathom_host::System;
use fathom_vocab::Direction;

/// The whole heading; `target` is none before the target was tried.
pub fn opening(
    system: &System,
    plan: &LimitPlan,
    target: Option<&PreparedTarget>,
    screen: &Screen,
) -> String {
    let mut text = heading::target(system, &plan.volume, target, &heading::usual_reach(), screen);
    if let Some(caution) = plan.caution() {
        text += &warning(caution.text(screen.lang), screen);
    }
    text += &labelled("Asks   ", asks(plan), screen);
    text += &time(plan, PlanStart::of(target), screen);
    text + &labelled("Writes ", writes(plan), screen)
}

fn asks(plan: &LimitPlan) -> String {
    let arrivals = match plan.asked.arrivals {
        Arrivals::Poisson => word("due at random (Poisson)"),
        Arrivals::Even => word("due at even distances"),
    };
    localized!(
        "the highest {} rate that keeps {}, in steps of {:.3} %; {arrivals}, up to {} in \
         flight.",
        plan.subject(),
        plan.asked.target,
        plan.asked.effort.precision * 100.0,
        plan.depth
    )
    .replace(".000 %", " %")
}

fn time(plan: &LimitPlan, start: PlanStart, screen: &Screen) -> String {
    let (usual, most) = (plan.usual_steps() as u64, plan.asked.effort.most_steps as u64);
    let steps = match usual < most {
        true => localized!("about {usual} steps (at most {most})"),
        false => localized!("at most {most} steps"),
    };
    let steps = heading::each(&steps, plan.time.run_us, plan.time.ramp_us);
    let runs_us = [usual.min(most), most].map(|steps| steps * plan.step_us());
    let planned = PlannedTime { runs_us, fill_bytes: plan.volume.whole_fill_bytes(), start };
    heading::time(&planned, &steps, screen)
}

fn writes(plan: &LimitPlan) -> String {
    let size = binary_bytes(plan.volume.whole_fill_bytes());
    match (plan.volume.whole_fill_bytes(), plan.asked.pattern.direction()) {
        (0, _) => localized!("nothing."),
        (_, Direction::Read) => localized!("{size} once, then nothing."),
        _ => {
            let writing_us = plan.asked.effort.most_steps as u64 * plan.step_us();
            let (time, about) = (seconds(writing_us), heading::at_1_gb(writing_us));
            localized!(
                "{size} once; then, within the same {size}, at most as much as it takes in \
                 {time}{about}."
            )
        }
    }
}
