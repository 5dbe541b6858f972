//! Which of several volumes is ahead in latency, IOPS and throughput, in one sentence.
//!
//! Rounds alone prove a difference (`fathom compare`), so the sentence says "ahead" and never
//! "faster", and after fewer rounds than a proof takes it says that chance may be the reason.

use super::quantities::{brief_bandwidth, brief_iops, brief_latency};
use crate::suite::Phase;
use fathom_analysis::Figures;
use fathom_analysis::Goal;
use fathom_analysis::LEAST_ROUNDS;
use fathom_message::{Message, list};

/// A volume with its tests that say something about it.
pub(super) struct Contender<'d> {
    pub(super) target: &'d str,
    pub(super) tests: Vec<(&'d Phase, &'d Figures)>,
    /// The tests that stand for their goals.
    pub(super) best: Vec<&'d Phase>,
}

/// The goals, in the order of the sentence.
pub(super) const GOALS: [Goal; 3] = [Goal::Latency, Goal::Iops, Goal::Throughput];

/// The sentence; none if no test has sound figures of two volumes.
pub(super) fn ahead(contenders: &[Contender<'_>], rounds: usize) -> Option<Message> {
    let mut leaders: Vec<(usize, Vec<Message>)> = Vec::new();
    for (volume, goal) in GOALS.iter().filter_map(|goal| leader(contenders, *goal)) {
        match leaders.iter_mut().find(|(at, _)| *at == volume) {
            Some((_, goals)) => goals.push(goal),
            None => leaders.push((volume, vec![goal])),
        }
    }
    let each = leaders.iter().map(|(at, goals)| {
        Message::new("summary-ahead-in")
            .with("target", contenders[*at].target)
            .part("goals", list::names(goals.iter().cloned()))
    });
    let claim = Message::new("summary-ahead").part("volumes", list::semicolons(each));
    let chance = (rounds < LEAST_ROUNDS)
        .then(|| Message::new("summary-ahead-by-chance").with("needed", LEAST_ROUNDS));
    let sentence = Message::new("summary-sentence").part("claim", claim);
    (!leaders.is_empty()).then(|| list::sentences(std::iter::once(sentence).chain(chance)))
}

/// The volume with the best figure in the test that stands for a goal, and that figure.
fn leader(contenders: &[Contender<'_>], goal: Goal) -> Option<(usize, Message)> {
    let bests = contenders.iter().flat_map(|volume| &volume.best);
    let phase = *bests.into_iter().find(|phase| phase.goal == goal)?;
    let own = |(at, volume): (usize, &Contender<'_>)| {
        let (_, figures) = volume.tests.iter().find(|(test, _)| *test == phase)?;
        Some((at, height(goal, figures), figure(goal, figures)))
    };
    let mut all: Vec<_> = contenders.iter().enumerate().filter_map(own).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let several = all.len() > 1;
    all.into_iter().next().filter(|_| several).map(|(at, _, figure)| (at, figure))
}

/// What is greater where a volume is better.
fn height(goal: Goal, figures: &Figures) -> f64 {
    match goal {
        Goal::Latency => -figures.mean_ns,
        Goal::Iops => figures.iops,
        Goal::Throughput => figures.mb_per_s,
    }
}

fn figure(goal: Goal, figures: &Figures) -> Message {
    let (id, text) = match goal {
        Goal::Latency => ("summary-ahead-latency", brief_latency(figures.mean_ns)),
        // The claim names the unit.
        Goal::Iops => {
            let rate = brief_iops(figures.iops);
            ("summary-ahead-iops", rate.trim_end_matches(" IOPS").to_owned())
        }
        Goal::Throughput => ("summary-ahead-throughput", brief_bandwidth(figures.mb_per_s)),
    };
    Message::new(id).with("figure", text)
}
