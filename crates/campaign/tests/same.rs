//! The law of comparisons, simulated: the same thing measured twice is not called different, and a
//! true difference is.
//!
//! A disk whose level wanders while nobody touches it, as those of clouds do: slowly, from one
//! command to the next, with its rounds and their intervals on top. The real counterpart is
//! `cargo xtask same`. Beside each bound stands what the seed gave.

use fathom_analysis::{GateOutcome, JudgeRule, SharedRounds};
use fathom_document::compare::{
    ContrastVerdict, Judged, Known, Recording, RecordingEntry, RunsDocument,
};
use fathom_vocab::Direction;
use fathom_vocab::SplitMix;

/// Pairs a simulation.
const PAIRS: usize = 1000;
/// Phases of a run, each with a rate and a latency: those of `measure`.
const PHASES: usize = 8;
/// Intervals of a phase in a run.
const INTERVALS: usize = 36;

/// Random numbers, and Box & Muller's normal ones.
struct Random(SplitMix);

impl Random {
    fn unit(&mut self) -> f64 {
        ((self.0.draw() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (self.unit(), self.unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

/// How a disk wanders, as shares of its rate.
#[derive(Clone, Copy)]
struct Disk {
    /// From one command to the next.
    between_runs: f64,
    /// From one round to the next.
    between_rounds: f64,
    /// From one interval to the next, which hang together by [`PHI`].
    intervals: f64,
}

/// A disk of a virtual machine, and a device that a throttle holds.
const WANDERING: Disk = Disk { between_runs: 0.05, between_rounds: 0.04, intervals: 0.1 };
const THROTTLED: Disk = Disk { between_runs: 0.0003, between_rounds: 0.0005, intervals: 0.003 };
/// How much an interval hangs on the one before.
const PHI: f64 = 0.6;

/// The intervals of one round around `mean`.
fn round(disk: Disk, mean: f64, random: &mut Random) -> Vec<f64> {
    let level = mean * (1.0 + disk.between_rounds * random.normal());
    let mut state = random.normal();
    let mut next = || {
        state = PHI * state + (1.0 - PHI * PHI).sqrt() * random.normal();
        level * (1.0 + disk.intervals * state)
    };
    (0..INTERVALS).map(|_| next()).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A phase in a run whose rate is around `rate`, by the means of its rounds.
fn phase(disk: Disk, rounds: usize, rate: f64, random: &mut Random) -> [Known; 2] {
    let means: Vec<f64> = (0..rounds).map(|_| mean(&round(disk, rate, random))).collect();
    let known = |values: Vec<f64>| match values.as_slice() {
        [only] => Known::bare(*only),
        _ => Known::of_rounds(mean(&values), values),
    };
    // Latency follows from the rate, since the depth is fixed.
    let latencies = means.iter().map(|iops| 32e9 / iops).collect();
    [known(means), known(latencies)]
}

fn run(disk: Disk, rounds: usize, factor: f64, random: &mut Random) -> Recording {
    let level = 3000.0 * factor * (1.0 + disk.between_runs * random.normal());
    let entry = |at: usize, random: &mut Random| {
        let [iops, latency_ns] = phase(disk, rounds, level, random);
        let bytes_per_s = Known { mean: iops.mean * 4096.0, ..iops.clone() };
        let (name, direction) = (format!("phase-{at}-read"), Direction::Read);
        RecordingEntry { name, direction, load: None, iops, bytes_per_s, latency_ns, p99_ns: None }
    };
    Recording {
        name: "run".to_owned(),
        kind: "fathom-measure".to_owned(),
        targets: Vec::new(),
        size_bytes: None,
        run_us: None,
        file_systems: Vec::new(),
        entries: (0..PHASES).map(|at| entry(at, random)).collect(),
        notes: Vec::new(),
        caps: Vec::new(),
        is_baseline: false,
    }
}

/// What came of many comparisons of runs, each an alarm or none.
#[derive(Debug, Default)]
struct Alarms {
    /// Some figure was named better or worse.
    named: usize,
    /// The gate with 5 % allowed was red.
    red: usize,
    /// It was green.
    green: usize,
}

fn alarms(seed: u64, mut pair: impl FnMut(&mut Random) -> [Recording; 2]) -> Alarms {
    let (mut random, mut alarms) = (Random(SplitMix::new(seed)), Alarms::default());
    for _ in 0..PAIRS {
        let document = RunsDocument::new(&pair(&mut random)).with_gate(5.0);
        let mut all = document.pairs.iter().flat_map(|pair| &pair.contrasts);
        let named = |verdict| matches!(verdict, ContrastVerdict::Better | ContrastVerdict::Worse);
        alarms.named += usize::from(all.any(|contrast| named(contrast.verdict)));
        let outcome = document.gate.map(|gate| gate.outcome);
        alarms.red += usize::from(outcome == Some(GateOutcome::Fail));
        alarms.green += usize::from(outcome == Some(GateOutcome::Pass));
    }
    alarms
}

#[test]
fn one_run_a_side_never_alarms_and_never_is_green() {
    let of = alarms(2, |random| [1.0, 0.7].map(|factor| run(WANDERING, 1, factor, random)));
    assert_eq!((of.named, of.red, of.green), (0, 0, 0), "{of:?}");
}

#[test]
fn equal_runs_of_several_rounds_are_hardly_ever_called_different() {
    for (seed, disk, rounds) in
        [(3, WANDERING, 3), (4, WANDERING, 5), (5, THROTTLED, 3), (6, THROTTLED, 5)]
    {
        let of = alarms(seed, |random| [(); 2].map(|()| run(disk, rounds, 1.0, random)));
        println!("{rounds} rounds: {of:?}");
        assert!(of.named <= PAIRS / 100 && of.red <= PAIRS / 1000, "{rounds} rounds: {of:?}");
        // Where the disk is quiet, the gate sees enough to be green.
        let quiet = disk.between_runs < 0.01;
        assert!(!quiet || of.green == PAIRS, "{rounds} rounds: {of:?}");
    }
}

#[test]
fn equal_runs_against_a_baseline_are_hardly_ever_called_different() {
    for (seed, disk) in [(7, WANDERING), (8, THROTTLED)] {
        let of = alarms(seed, |random| {
            let earlier: Vec<Recording> = (0..5).map(|_| run(disk, 1, 1.0, random)).collect();
            [Recording::baseline("tag:main", &earlier), run(disk, 1, 1.0, random)]
        });
        println!("baseline: {of:?}");
        let quiet = disk.between_runs < 0.01;
        assert!(!quiet || of.green > PAIRS * 95 / 100, "{of:?}");
        assert!(of.named <= PAIRS / 100 && of.red <= PAIRS / 100, "{of:?}");
    }
}

#[test]
fn true_differences_on_a_throttled_device_are_found() {
    for (seed, factor) in [(9, 0.94), (10, 0.92), (11, 0.9)] {
        let of = alarms(seed, |random| {
            [run(THROTTLED, 3, 1.0, random), run(THROTTLED, 3, factor, random)]
        });
        println!("{factor}: {of:?}");
        assert!(of.named >= PAIRS * 95 / 100, "{factor}: {of:?}");
        // A difference within the margin is none, and of 10 % more than 5 are sure.
        assert!(factor > 0.9 || of.red >= PAIRS * 95 / 100, "{factor}: {of:?}");
    }
}

#[test]
fn all_ratios_of_a_comparison_of_equal_volumes_are_right_together() {
    let mut random = Random(SplitMix::new(12));
    let mut wrong = 0;
    for _ in 0..PAIRS {
        let mut any = false;
        for _ in 0..6 {
            let mut pair = || {
                let level = 1.0 + WANDERING.between_runs * random.normal();
                [(); 2].map(|()| mean(&round(WANDERING, 3000.0 * level, &mut random)))
            };
            let rounds: Vec<[f64; 2]> = (0..5).map(|_| pair()).collect();
            let side = |at: usize| (at.to_string(), rounds.iter().map(|of| Some(of[at])).collect());
            let shared = SharedRounds::new([side(0), side(1)]);
            let better = Judged::Iops.better();
            any |= shared.compare([0, 1], better, JudgeRule::among(6)).difference.is_shown();
        }
        wrong += usize::from(any);
    }
    println!("{wrong} of {PAIRS}");
    assert!(wrong <= PAIRS / 50, "{wrong}");
}
