//! The heading: the planned measurement and its duration, printed before the first run.

use crate::language::word;
use crate::terminal::heading::{self, PlanStart, PlannedTime};
use crate::terminal::screen::{Screen, labelled};
use fathom_campaign::{Plan, binary_bytes, seconds};
use std::collections::BTreeSet;

/// The duration and the bytes written.
pub fn plan(plan: &Plan, start: PlanStart, screen: &Screen) -> String {
    let runs = heading::each(&tests(plan), plan.phase_us, plan.ramp_us);
    let time = PlannedTime::new(plan.total_us(), plan.fill_bytes(), start);
    let mut text = format!("\n{}", order(plan, screen)) + &heading::time(&time, &runs, screen);
    for at in 0..plan.volumes.len() {
        text += &labelled("Writes ", writing(plan, at), screen);
    }
    let seed = localized!("{} decides the offsets: --seed with it repeats them.", plan.seed);
    text + &labelled("Seed   ", &seed, screen)
}

/// The same in two lines, before the runs.
pub fn brief(plan: &Plan, screen: &Screen) -> String {
    let runs = localized!("{} of {}", tests(plan), seconds(plan.phase_us));
    let time = PlannedTime::new(plan.total_us(), plan.fill_bytes(), PlanStart::Now);
    let writing_us = |at: usize| if plan.volumes[at].writes { plan.writing_us(at) } else { 0 };
    let writing_us: u64 = (0..plan.volumes.len()).map(writing_us).sum();
    let about = heading::at_1_gb(writing_us);
    let size = binary_bytes(plan.fill_bytes());
    let writes = match (plan.fill_bytes(), writing_us) {
        (0, 0) => localized!("nothing."),
        (_, 0) => localized!("{size} once, then nothing."),
        (_, time) => {
            localized!("{size} once; then as much as it takes in {}{about}.", seconds(time))
        }
    };
    heading::time(&time, &runs, screen) + &labelled("Writes ", &writes, screen)
}

/// The tests that run: a volume that is only read has none that write.
fn tests(plan: &Plan) -> String {
    let steps = plan.steps();
    let tests: BTreeSet<usize> = steps.iter().map(|step| step.case).collect();
    heading::tests(tests.len(), plan.volumes.len(), plan.rounds, steps.len())
}

/// The order of several rounds; a single round follows the list of phases.
fn order(plan: &Plan, screen: &Screen) -> String {
    let order = match (plan.rounds, plan.volumes.len()) {
        (1, _) => return String::new(),
        (_, 1) => "in each round every test runs once before the next round begins.",
        _ => heading::ORDER_OF_VOLUMES,
    };
    labelled("Order  ", word(order), screen)
}

fn writing(plan: &Plan, at: usize) -> String {
    let volume = &plan.volumes[at];
    let name = match plan.volumes.len() {
        1 => String::new(),
        _ => format!("{}: ", volume.volume.name),
    };
    let writing_us = if volume.writes { plan.writing_us(at) } else { 0 };
    name + &heading::writes(volume.whole_fill_bytes(), writing_us, &heading::at_1_gb(writing_us))
}
