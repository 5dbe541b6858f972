//! A phase of `measure` over all its rounds: one set of figures, and the spread of the rounds.
//!
//! Figures come from the rounds' merged results, so that a percentile is one of all I/Os and never
//! a mean of percentiles. The confidence of the mean follows from the rounds, which are independent
//! tests; the intervals of one run cannot show how the next would differ.

use crate::suite::Phase;
use crate::suite::PhaseRecord;
use fathom_analysis::CaseFigures;
use fathom_analysis::Estimate;
use fathom_analysis::Figures;
use fathom_analysis::Goal;
use fathom_stats::RunResult;
use serde::{Deserialize, Serialize};

/// A phase on a volume, over all its rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverRounds {
    /// What was asked.
    #[serde(flatten)]
    pub phase: Phase,
    /// Which volume, from 0.
    pub volume: usize,
    /// Its figures over all rounds that count: those that had their whole time, or where there is
    /// none, the one that was stopped. None where every round failed.
    pub figures: Option<Figures>,
    /// Of each of these rounds what the goal is about: mean latency in nanoseconds, I/Os a second,
    /// or decimal megabytes a second.
    pub values: Vec<f64>,
    /// How far these lie apart, greatest less least, in percent of their mean; none for fewer
    /// than two.
    pub spread_percent: Option<f64>,
    /// How well their mean is known, with 95 % confidence; none for fewer than two.
    pub estimate: Option<Estimate>,
}

impl OverRounds {
    /// Each phase on each volume: phases in the order of their first runs, each with its volumes in
    /// their own order, whichever ran first.
    pub fn of(outcomes: &[PhaseRecord]) -> Vec<OverRounds> {
        let mut groups: Vec<Vec<&PhaseRecord>> = Vec::new();
        for outcome in outcomes {
            let same = |group: &&mut Vec<&PhaseRecord>| {
                group[0].key.volume == outcome.key.volume && group[0].key.phase == outcome.key.phase
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.push(outcome),
                None => groups.push(vec![outcome]),
            }
        }
        let phases: Vec<Phase> = groups.iter().map(|group| group[0].key.phase.clone()).collect();
        let place = |group: &Vec<&PhaseRecord>| {
            let phase = phases.iter().position(|phase| *phase == group[0].key.phase);
            (phase, group[0].key.volume)
        };
        groups.sort_by_key(place);
        groups.iter().map(|group| over_rounds(group[0], group)).collect()
    }
}

fn over_rounds(first: &PhaseRecord, all: &[&PhaseRecord]) -> OverRounds {
    let known = |outcome: &&&PhaseRecord| outcome.figures.is_some();
    let whole = all.iter().filter(known).filter(|outcome| !outcome.cut_short);
    let mut counted: Vec<&PhaseRecord> = whole.copied().collect();
    if counted.is_empty() {
        counted = all.iter().filter(known).copied().collect();
    }
    let figures: Vec<Figures> = counted.iter().filter_map(|outcome| outcome.figures).collect();
    let values: Vec<f64> = figures.iter().map(|of| goal_value(first.key.phase.goal, of)).collect();
    OverRounds {
        phase: first.key.phase.clone(),
        volume: first.key.volume,
        figures: match figures.as_slice() {
            [] => None,
            [only] => Some(*only),
            [first, ..] => merged(first, &counted),
        },
        spread_percent: spread_percent(&values),
        estimate: Estimate::of_repeats(&values).ok(),
        values,
    }
}

/// The figure of a goal.
fn goal_value(goal: Goal, figures: &Figures) -> f64 {
    match goal {
        Goal::Latency => figures.mean_ns,
        Goal::Iops => figures.iops,
        Goal::Throughput => figures.mb_per_s,
    }
}

fn merged(first: &Figures, rounds: &[&PhaseRecord]) -> Option<Figures> {
    let results: Vec<&RunResult> =
        rounds.iter().filter_map(|outcome| outcome.result.as_ref()).collect();
    let asked = &first.identity;
    CaseFigures::of(&results, asked.depth, Some(asked.block_bytes)).map(|figures| figures.total)
}

/// The spread of values, maximum less minimum, in percent of their mean; none for fewer than two.
pub fn spread_percent(values: &[f64]) -> Option<f64> {
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.len() > 1 && mean > 0.0).then(|| (most - least) / mean * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::PhaseKey;
    use fathom_stats::JobResult;
    use fathom_vocab::Direction;

    /// A second in which this number of I/Os of 4 KiB took `latency_ns` each.
    fn run(round: u32, ios: u64, latency_ns: u64) -> PhaseRecord {
        let phase = Phase::new(Goal::Iops, Direction::Read, 4096, 4);
        let mut job = JobResult::default();
        let stats = &mut job.dirs.read;
        (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (ios, ios * 4096, 1000);
        (0..ios).for_each(|_| stats.lat.record(latency_ns));
        let figures = Figures::of(stats, 4, 4096);
        PhaseRecord {
            key: PhaseKey { phase, round, volume: 0 },
            job: Vec::new(),
            command: String::new(),
            figures,
            failure: None,
            cut_short: false,
            remarks: Vec::new(),
            verdicts: Vec::new(),
            result: Some(RunResult { jobs: vec![job], ..RunResult::default() }),
            mounts: Vec::new(),
        }
    }

    #[test]
    fn percentiles_are_of_all_ios_and_the_spread_is_told() {
        let [of] = &OverRounds::of(&[run(0, 990, 100_000), run(1, 10, 90_000_000)])[..] else {
            panic!("one phase on one volume");
        };
        let figures = of.figures.unwrap();
        assert_eq!((figures.ios, figures.runtime_ms, figures.iops), (1000, 2000, 500.0));
        // Of a thousand I/Os ten were slow; the mean of both rounds' percentiles would be 45 ms.
        assert!(figures.p99_ns < 200_000 && figures.p999_ns > 80_000_000, "{figures:?}");
        assert_eq!((figures.identity.depth, figures.identity.block_bytes), (4, 4096));
        assert_eq!(of.values, [990.0, 10.0]);
        assert_eq!(of.spread_percent, Some(196.0));
        assert_eq!(
            of.estimate.as_ref().map(|estimate| (estimate.n, estimate.mean)),
            Some((2, 500.0))
        );
    }

    #[test]
    fn rounds_that_failed_or_were_cut_short_do_not_count() {
        let mut failed = run(1, 10, 100_000);
        (failed.figures, failed.failure) = (None, Some("EIO".to_owned()));
        let mut cut = run(2, 400, 100_000);
        cut.cut_short = true;
        let all = [run(0, 800, 100_000), failed.clone(), cut.clone()];
        let of = &OverRounds::of(&all)[0];
        assert_eq!((of.values.as_slice(), of.figures.unwrap().ios), (&[800.0][..], 800));
        assert_eq!((of.spread_percent, &of.estimate), (None, &None));
        // A stopped one is better than none.
        assert_eq!(OverRounds::of(&[failed.clone(), cut])[0].values, [400.0]);
        assert_eq!(OverRounds::of(&[failed])[0].figures, None);
    }
}
