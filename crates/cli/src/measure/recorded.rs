//! The history entry of a measurement: a title, an outcome, and its figures.

use crate::history_writer::named;
use fathom_campaign::{Figures, Goal, Measured, OverRounds, Phase, Plan};
use fathom_store::{HistoryFigure, HistoryOutcome, Key};
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

/// How it ended.
pub fn outcome(measured: &Measured) -> HistoryOutcome {
    match (measured.stopped, measured.is_whole()) {
        (true, _) => HistoryOutcome::Interrupted,
        (false, true) => HistoryOutcome::Ran,
        (false, false) => HistoryOutcome::Failed,
    }
}

/// The figures of all phases over their rounds, in the order of the tables.
pub fn headline(targets: &[Target], phases: &[OverRounds]) -> Vec<HistoryFigure> {
    let target = |volume: usize| match targets {
        [_] => String::new(),
        targets => named(targets, volume),
    };
    let figure = |of: &OverRounds| Some(figure(&of.phase, of.figures.as_ref()?, target(of.volume)));
    phases.iter().filter_map(figure).collect()
}

fn figure(phase: &Phase, figures: &Figures, target: String) -> HistoryFigure {
    HistoryFigure {
        label: phase.title(),
        target,
        key: match phase.goal {
            Goal::Latency => Key::Latency,
            Goal::Iops => Key::Iops,
            Goal::Throughput => Key::BytesPerS,
        },
        iops: Some(figures.iops),
        bytes_per_s: Some(figures.mb_per_s * 1e6),
        mean_ns: Some(figures.mean_ns),
        p50_ns: Some(figures.p50_ns as f64),
        p99_ns: Some(figures.p99_ns as f64),
        p999_ns: Some(figures.p999_ns as f64),
    }
}
