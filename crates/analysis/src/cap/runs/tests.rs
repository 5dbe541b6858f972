//! Caps over the runs of `measure`: one sentence for each, from several block sizes.

use super::*;
use crate::{Burst, Flat, RateUnit};
use proptest::prelude::*;

const KIB: u64 = 1024;
const MIB: f64 = 1048576.0;

/// Block in KiB, depth, I/Os a second.
type Row = (u64, u32, f64);

fn run<'a>(direction: Direction, row: &Row, finding: Option<&'a CapFinding>) -> CapRun<'a> {
    let (block_kib, depth, iops) = *row;
    let mean_latency_ns = f64::from(depth) * 1e9 / iops;
    let block_bytes = block_kib * KIB;
    let is_disturbed = false;
    CapRun {
        direction,
        block_bytes,
        depth,
        run_s: 4.0,
        iops,
        mean_latency_ns,
        finding,
        is_disturbed,
    }
}

fn reads(rows: &[Row]) -> Vec<CapOverRuns> {
    let runs: Vec<CapRun> = rows.iter().map(|row| run(Direction::Read, row, None)).collect();
    caps_over_runs(&runs)
}

#[test]
fn runs_of_half_a_second_show_no_cap() {
    let of_length = |run_s| {
        let rows = GP3.iter().map(|row| CapRun { run_s, ..run(Direction::Read, row, None) });
        caps_over_runs(&rows.collect::<Vec<_>>()).len()
    };
    assert_eq!((of_length(4.0), of_length(0.5)), (2, 0));
}

#[test]
fn two_disturbed_runs_at_one_rate_show_no_cap() {
    let of = |is_disturbed, rows: &[Row]| {
        let runs =
            rows.iter().map(|row| CapRun { is_disturbed, ..run(Direction::Read, row, None) });
        caps_over_runs(&runs.collect::<Vec<_>>()).len()
    };
    let both = |rows: &[Row]| [of(false, rows), of(true, rows)];
    assert_eq!(both(&[(4, 1, 17_420.0), (4, 32, 17_430.0)]), [1, 0]);
    // A rate that limits have, or a third run, is no chance.
    assert_eq!(both(&[(4, 1, 3_000.0), (4, 32, 3_003.0)]), [1, 1]);
    assert_eq!(both(&[(4, 1, 17_420.0), (4, 4, 17_425.0), (4, 32, 17_430.0)]), [1, 1]);
}

fn kinds(found: &[CapOverRuns]) -> Vec<(CapKind, f64, Vec<usize>)> {
    found.iter().map(|one| (one.cap.kind, one.cap.value, one.runs.clone())).collect()
}

#[test]
fn after_a_burst_the_cap_is_what_lasts_and_not_the_mean_of_both() {
    let burst = Burst {
        unit: RateUnit::Ios,
        burst_rate: 5000.0,
        sustained_rate: 2000.0,
        step_at_s: 7.0,
        drain_s: 7.0,
        bucket: 19_229.0,
    };
    let finding = CapFinding::Capped(Cap {
        kind: CapKind::Iops,
        value: 2000.0,
        or: None,
        evidence: vec![Evidence::Burst(burst)],
        confidence: CapConfidence::High,
    });
    let found = caps_over_runs(&[run(Direction::Read, &(4, 32, 2382.0), Some(&finding))]);
    assert_eq!(kinds(&found), [(CapKind::Iops, 2000.0, vec![0])]);
}

/// A gp3 volume: 3,000 IOPS and 125 MiB/s.
const GP3: [Row; 4] = [(4, 1, 3000.0), (4, 32, 3003.0), (64, 16, 2000.0), (256, 32, 500.0)];

#[test]
fn two_caps_of_a_volume_are_two_sentences() {
    let found = reads(&GP3);
    assert_eq!(
        kinds(&found),
        [(CapKind::Iops, 3001.5, vec![0, 1]), (CapKind::Bandwidth, 125.0 * MIB, vec![2, 3]),]
    );
    assert_eq!(
        found[0].cap.to_string(),
        "The rate is probably held at 3,002 IOPS by an IOPS cap. 2 of 4 tests reach this rate: reads \
         of 4 KiB. From QD 1 to 32, latency grows from 333 us to 10.7 ms, and IOPS change by 0.10 % \
         at most. 3,000 IOPS is a round number, as limits often are."
    );
    assert!(found[1].cap.to_string().contains("reads of 64 KiB to 256 KiB"), "{}", found[1].cap);
}

#[test]
fn reads_and_writes_at_one_value_are_one_cap() {
    let mut runs: Vec<CapRun> = GP3.iter().map(|row| run(Direction::Read, row, None)).collect();
    runs.extend(GP3.iter().map(|row| run(Direction::Write, row, None)));
    let found = caps_over_runs(&runs);
    let held: Vec<&[usize]> = found.iter().map(|one| one.runs.as_slice()).collect();
    assert_eq!(held, [&[0, 1, 4, 5][..], &[2, 3, 6, 7]]);
    assert!(
        found[0]
            .cap
            .to_string()
            .contains("4 of 8 tests reach this rate: reads and writes of 4 KiB")
    );
}

#[test]
fn block_sizes_tell_iops_from_bandwidth() {
    // Of 256 KiB alone both 1,000 IOPS and 250 MiB/s are round.
    let either = CapFinding::Capped(Cap {
        kind: CapKind::Bandwidth,
        value: 250.0 * MIB,
        or: Some(1000.0),
        evidence: vec![Evidence::Flat(Flat {
            unit: RateUnit::Ios,
            rate: 1000.0,
            variation: 0.0,
            above: 0.0,
            intervals: 12,
        })],
        confidence: CapConfidence::Medium,
    });
    let of = |small: Row| {
        let small = run(Direction::Read, &small, None);
        let large = run(Direction::Read, &(256, 32, 1000.0), Some(&either));
        let found = caps_over_runs(&[small, large]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].cap.or, None);
        (found[0].cap.kind, found[0].cap.value)
    };
    assert_eq!(of((4, 32, 1000.0)), (CapKind::Iops, 1000.0));
    assert_eq!(of((4, 32, 40_000.0)), (CapKind::Bandwidth, 250.0 * MIB));
    assert_eq!(of((16, 32, 16_000.0)), (CapKind::Bandwidth, 250.0 * MIB));
}

#[test]
fn a_cap_of_bytes_that_even_small_blocks_reach_is_one_of_bandwidth() {
    let found = reads(&[(4, 1, 2441.0), (4, 32, 2441.0), (64, 16, 152.6), (256, 32, 38.15)]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].cap.kind, found[0].runs.len()), (CapKind::Bandwidth, 4));
    assert!((found[0].cap.value / 1e7 - 1.0).abs() < 0.001);
}

#[test]
fn a_volume_without_a_cap_has_none() {
    let free = [(4, 1, 9_400.0), (4, 32, 94_000.0), (64, 16, 21_000.0), (256, 32, 7_900.0)];
    assert_eq!(reads(&free), []);
    // One that has reached its bandwidth at both large blocks, at no value that anybody sets.
    let full = [(4, 1, 9_400.0), (4, 32, 94_000.0), (64, 16, 33_460.0), (256, 32, 8_400.0)];
    assert_eq!(reads(&full), []);
    assert_eq!(reads(&[]), []);
    assert_eq!(reads(&[(4, 1, f64::NAN), (4, 32, 0.0)]), []);
}

proptest! {
    /// Every run is held by one cap at most, and caps are values that runs have.
    #[test]
    fn a_run_has_one_cap(rows in prop::collection::vec((0u32..8, 0u32..7, 1.0f64..1e6), 0..12)) {
        let runs: Vec<CapRun> = rows.iter().enumerate().map(|(at, (block, depth, iops))| {
            let direction = if at % 3 == 0 { Direction::Write } else { Direction::Read };
            run(direction, &(4 << block, 1 << depth, *iops), None)
        }).collect();
        let found = caps_over_runs(&runs);
        let mut held: Vec<usize> = found.iter().flat_map(|one| one.runs.clone()).collect();
        let all = held.len();
        held.sort_unstable();
        held.dedup();
        prop_assert_eq!(held.len(), all);
        for one in &found {
            prop_assert!(one.cap.value > 0.0 && one.cap.confidence > CapConfidence::Low);
            let off = |at: &usize| (value(&runs[*at], one.cap.kind) / one.cap.value - 1.0).abs();
            prop_assert!(one.runs.iter().all(|at| off(at) <= 3.0 * SAME));
        }
    }
}
