//! What is going to be compared, and what that will take: said before anything begins.

use crate::measure::heading;
use crate::measure::screen::{Screen, wrapped};
use fathom_campaign::compare::{ComparePlan, Rounds};
use fathom_campaign::{binary_bytes, decimal_bytes, seconds};
use fathom_host::System;

/// All that is said beforehand; `rounds` is none before the volumes have been tried.
pub fn opening(
    system: &System,
    plan: &ComparePlan,
    rounds: Option<&Rounds>,
    screen: &Screen,
) -> String {
    let mut text = heading::host(system, screen);
    for (at, volume) in plan.volumes.iter().enumerate() {
        let method = rounds.map(|rounds| &rounds.methods[at]);
        text += &heading::volume(volume, method, screen);
        let remarks = match rounds {
            Some(rounds) => rounds.remarks_on(at),
            None => volume.remarks.clone(),
        };
        text += &heading::remarks(&remarks, screen);
    }
    text + "\n" + &phases(plan, screen) + &time(plan, screen) + &writes(plan, screen)
}

fn phases(plan: &ComparePlan, screen: &Screen) -> String {
    let alone = (0..plan.phases.len()).filter(|phase| {
        (0..plan.volumes.len()).filter(|volume| plan.runs_on(*phase, *volume)).count() == 0
    });
    let left_out: Vec<usize> = alone.collect();
    let titles = plan.phases.iter().enumerate().filter(|(at, _)| !left_out.contains(at));
    let titles: Vec<&str> = titles.map(|(_, phase)| phase.title.as_str()).collect();
    let mut text = wrapped(&titles.join("; "), screen.width, "Runs   ", "       ");
    if !left_out.is_empty() {
        let why = "the phases that write are left out: fewer than two volumes may be written to.";
        text += &wrapped(why, screen.width, "     ! ", "       ");
    }
    let order = "in each round every phase runs on all volumes before the next begins; every other \
                 round takes them in reverse order.";
    text + &wrapped(order, screen.width, "Order  ", "       ")
}

fn time(plan: &ComparePlan, screen: &Screen) -> String {
    let mut text = format!(
        "{} rounds, {} runs of {} (and {} before each that are not counted): {}",
        plan.rounds,
        plan.steps().len(),
        seconds(plan.time.run_us),
        seconds(plan.time.ramp_us),
        seconds(plan.total_us()),
    );
    let fill = plan.fill_bytes();
    if fill > 0 {
        text += &format!(", and the time to write {}", binary_bytes(fill));
    }
    wrapped(&format!("{text}."), screen.width, "Time   ", "       ")
}

fn writes(plan: &ComparePlan, screen: &Screen) -> String {
    let line = |at: usize| {
        let name = &plan.volumes[at].volume.name;
        let text = match (plan.volumes[at].fill_bytes, plan.writing_us(at)) {
            (0, _) => format!("{name}: nothing."),
            (fill, 0) => format!("{name}: {} once, then nothing.", binary_bytes(fill)),
            (fill, writing_us) => {
                // At 1 GB/s, which few volumes exceed: whoever pays for writes wants a number.
                let at_1_gb = decimal_bytes(writing_us.saturating_mul(1000));
                format!(
                    "{name}: {size} once; then, within the same {size}, as much as it takes in {} \
                     (at 1 GB/s, {at_1_gb}).",
                    seconds(writing_us),
                    size = binary_bytes(fill)
                )
            }
        };
        wrapped(&text, screen.width, "Writes ", "       ")
    };
    (0..plan.volumes.len()).map(line).collect()
}
