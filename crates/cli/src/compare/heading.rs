//! The heading: the planned comparison and its duration, printed before the first run.

use crate::language::word;
use crate::terminal::heading::{self, PlanStart, PlannedTime};
use crate::terminal::screen::{Screen, labelled, wrapped};
use fathom_campaign::cases::Runner;
use fathom_campaign::compare::ComparePlan;
use fathom_campaign::test_title;
use fathom_host::System;

/// The heading: the volumes and the plan. If only the plan was requested (`runner` is none, because
/// the volumes were not tried), all facts about volumes and machine.
pub fn opening(
    system: &System,
    plan: &ComparePlan,
    runner: Option<&Runner>,
    screen: &Screen,
) -> String {
    let Some(runner) = runner else {
        let text = heading::volumes(system, &plan.volumes, |_| None, screen);
        return text
            + "\n"
            + &phases(plan, screen)
            + &time(plan, PlanStart::Never, screen)
            + &writes(plan, screen);
    };
    let volumes = heading::brief_volumes(&runner.targets, screen);
    let writing_us = (0..plan.volumes.len()).map(|at| plan.writing_us(at)).sum();
    let about = heading::at_1_gb(writing_us);
    let writes = heading::writes(plan.fill_bytes(), writing_us, &about);
    volumes + &time(plan, PlanStart::Now, screen) + &labelled("Writes ", &writes, screen)
}

/// Phases that no volume runs.
fn left_out(plan: &ComparePlan) -> Vec<usize> {
    let alone = (0..plan.phases.len()).filter(|phase| {
        (0..plan.volumes.len()).filter(|volume| plan.runs_on(*phase, *volume)).count() == 0
    });
    alone.collect()
}

fn phases(plan: &ComparePlan, screen: &Screen) -> String {
    let left_out = left_out(plan);
    let titles = plan.phases.iter().enumerate().filter(|(at, _)| !left_out.contains(at));
    let titles: Vec<String> =
        titles.map(|(_, phase)| test_title(&phase.title).text(screen.lang)).collect();
    let mut text = labelled("Runs   ", titles.join("; "), screen);
    if !left_out.is_empty() {
        let why = "the tests that write are left out: fewer than two volumes may be written to.";
        text += &wrapped(word(why), screen.width, "     ! ", "       ");
    }
    text + &labelled("Order  ", word(heading::ORDER_OF_VOLUMES), screen)
}

fn time(plan: &ComparePlan, start: PlanStart, screen: &Screen) -> String {
    let (tests, volumes) = (plan.phases.len() - left_out(plan).len(), plan.volumes.len());
    let tests = heading::tests(tests, volumes, plan.rounds(), plan.steps().len());
    let runs = heading::each(&tests, plan.time.run_us, plan.time.ramp_us);
    let runs_us = plan.runs_us();
    let runs = match runs_us[0] < runs_us[1] {
        true => localized!("{runs}, fewer where a test is decided before"),
        false => runs,
    };
    let planned = PlannedTime { runs_us, fill_bytes: plan.fill_bytes(), start };
    heading::time(&planned, &runs, screen)
}

fn writes(plan: &ComparePlan, screen: &Screen) -> String {
    let line = |at: usize| {
        let name = &plan.volumes[at].volume.name;
        let writing_us = plan.writing_us(at);
        let about = heading::at_1_gb(writing_us);
        let text = heading::writes(plan.volumes[at].whole_fill_bytes(), writing_us, &about);
        let text = format!("{name}: {text}");
        labelled("Writes ", &text, screen)
    };
    (0..plan.volumes.len()).map(line).collect()
}
