//! Phases made by hand: the verdicts over all of them, and those that they no longer report.

use super::*;
use crate::verdicts::Context;
use crate::verdicts::Weight;
use fathom_analysis::{CapKind, Humps};
use fathom_document::{Figures, Goal, Phase, PhaseKey};
use fathom_stats::{JobResult, RunResult};
use fathom_vocab::Direction;

/// A phase that ran for so many seconds at so many I/Os a second.
fn phase(block_bytes: u64, depth: u32, iops: u64, seconds: u64) -> PhaseRecord {
    let goal = if block_bytes > 4096 { Goal::Throughput } else { Goal::Iops };
    let phase = Phase::new(goal, Direction::Read, block_bytes, depth);
    let mut job = JobResult { runtime_ms: seconds * 1000, ..JobResult::default() };
    let stats = &mut job.dirs.read;
    let ios = iops * seconds;
    (stats.total_ios, stats.io_bytes) = (ios, ios * block_bytes);
    stats.runtime_ms = seconds * 1000;
    (0..ios).for_each(|_| stats.lat.record(u64::from(depth) * 1_000_000_000 / iops));
    let figures = Figures::of(stats, depth, block_bytes);
    let result = RunResult { jobs: vec![job], ..RunResult::default() };
    PhaseRecord {
        key: PhaseKey { phase, round: 0, volume: 0 },
        job: Vec::new(),
        command: String::new(),
        figures,
        failure: None,
        cut_short: false,
        remarks: Vec::new(),
        verdicts: super::super::judge(&result, &Context::default()),
        result: Some(result),
        mounts: Vec::new(),
    }
}

/// A volume of 3,000 IOPS and 125 MiB/s.
fn held(seconds: u64) -> Vec<PhaseRecord> {
    let rows = [(4096, 1, 3000), (4096, 32, 3000), (256 << 10, 32, 500), (64 << 10, 16, 2000)];
    rows.map(|(block, depth, iops)| phase(block, depth, iops, seconds)).to_vec()
}

#[test]
fn a_cap_of_several_phases_is_said_once() {
    let mut phases = held(3);
    let humps = HumpsFinding::Two(Humps {
        low_ns: 60_000,
        high_ns: 90_000_000,
        share_high: 0.1,
        time_share_high: 0.9,
        gap_from_ns: 100_000,
        gap_to_ns: 80_000_000,
        high_spread: Some(1.1),
    });
    phases[1].verdicts.push(Verdict::from(Answer::Humps(humps)));
    let [of] = &over_phases(&mut phases, false)[..] else { panic!("one volume") };
    let caps = of.verdicts.iter().filter_map(|verdict| match &verdict.answer {
        Answer::Capped(CapFinding::Capped(cap)) => Some((cap.kind, cap.value.round())),
        _ => None,
    });
    assert_eq!(
        caps.collect::<Vec<_>>(),
        [(CapKind::Iops, 3000.0), (CapKind::Bandwidth, 131_072_000.0)]
    );
    for phase in &phases {
        let loud = phase.verdicts.iter().filter(|verdict| verdict.weight == Weight::Loud);
        assert_eq!(loud.filter(|verdict| is_of_cap(&verdict.answer)).count(), 0, "{phase:#?}");
        let kept = |v: &Verdict| matches!(v.answer, Answer::Capped(CapFinding::Capped(_)));
        assert!(phase.verdicts.iter().any(kept), "a chart draws it");
    }
}

#[test]
fn what_runs_were_too_short_for_is_one_line() {
    let mut phases = held(3);
    let [of] = &over_phases(&mut phases, false)[..] else { panic!("one volume") };
    let short: Vec<&Verdict> =
        of.verdicts.iter().filter(|v| matches!(v.answer, Answer::TooShort(_))).collect();
    let [short] = &short[..] else { panic!("{short:#?}") };
    assert_eq!(short.weight, Weight::Loud);
    assert!(short.sentence.starts_with("Too short to tell bursts"), "{}", short.sentence);
    assert!(short.sentence.ends_with("each test ran for 3 s. Use --time 50s to find out."));
    // What was long enough is told nothing; what failed is not judged.
    let is_short = |of: &VolumeVerdicts| {
        of.verdicts.iter().any(|verdict| matches!(verdict.answer, Answer::TooShort(_)))
    };
    assert!(!over_phases(&mut held(11), false).iter().any(is_short));
    assert!(!over_phases(&mut held(3), true).iter().any(is_short), "it was stopped");
    let mut failed = held(3);
    failed.iter_mut().for_each(|phase| phase.figures = None);
    assert_eq!(over_phases(&mut failed, false), []);
}
