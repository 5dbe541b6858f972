//! The history entry of a measurement: a title, an outcome, and its figures.

use crate::course::HistorySummary;
use crate::history_writer::{figure, key_of, named, outcome_of};
use fathom_campaign::{Document, Goal, OverRounds, Phase, Plan};
use fathom_store::HistoryFigure;
use fathom_vocab::Target;

/// The title: `latency, IOPS, throughput`.
pub fn title(plan: &Plan) -> String {
    let phases: Vec<&Phase> =
        plan.steps().into_iter().map(|step| &plan.suite.phases[step.case]).collect();
    let asked = |goal: &Goal| phases.iter().any(|phase| phase.goal == *goal);
    let goals = [Goal::Latency, Goal::Iops, Goal::Throughput];
    let names: Vec<&str> = goals.iter().filter(|goal| asked(goal)).map(name).collect();
    let reads = match phases.iter().any(|phase| phase.writes()) {
        true => "",
        false => " of reads",
    };
    names.join(", ") + reads
}

fn name(goal: &Goal) -> &'static str {
    match goal {
        Goal::Iops => "IOPS",
        other => other.name(),
    }
}

pub fn summary(title: String, targets: &[Target], document: &Document) -> HistorySummary {
    HistorySummary {
        title,
        headline: headline(targets, &OverRounds::of(&document.phases)),
        outcome: outcome_of(document.is_whole(), None),
    }
}

/// The figures of all phases over their rounds, in the order of the tables.
pub fn headline(targets: &[Target], phases: &[OverRounds]) -> Vec<HistoryFigure> {
    let target = |volume: usize| match targets {
        [_] => String::new(),
        targets => named(targets, volume),
    };
    let figure = |of: &OverRounds| {
        let figure = figure(of.phase.title(), key_of(of.phase.goal), of.figures.as_ref()?);
        Some(HistoryFigure { target: target(of.volume), ..figure })
    };
    phases.iter().filter_map(figure).collect()
}
