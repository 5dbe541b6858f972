//! Mixes with rates in simulated time.

use super::*;
use crate::{FileExtent, paced_for};
use fathom_job::{BlockSize, JobSpec};
use fathom_vocab::PerDirection;
use proptest::prelude::*;
use std::collections::HashSet;

const SECOND: u64 = 1_000_000_000;
const FILE: FileExtent = FileExtent::whole(64 << 20);

fn mix(read_percent: u8, set: impl FnOnce(&mut JobSpec)) -> JobSpec {
    let mut job = JobSpec::default();
    (job.pattern.rw.read, job.pattern.rw.write, job.pattern.rw.random) = (true, true, true);
    job.pattern.rwmixread = read_percent;
    set(&mut job);
    job
}

fn rate_iops(read: u64, write: u64) -> impl FnOnce(&mut JobSpec) {
    move |job| job.pace.rate_iops = PerDirection { read, write, trim: 0 }
}

/// The I/Os of `job`, one at a time of `service_ns` each, until the pass or `end_ns` is over.
fn run(job: &JobSpec, service_ns: u64, end_ns: u64) -> Vec<(Io, u64)> {
    passes(job, 1, FILE, service_ns, end_ns)
}

fn passes(
    job: &JobSpec,
    count: u64,
    file: FileExtent,
    service_ns: u64,
    end_ns: u64,
) -> Vec<(Io, u64)> {
    let mut workload = Workload::new(job, &[file], 5).unwrap();
    let mut passes_left = count;
    let mut pacer = paced_for(job, 5).unwrap();
    assert!(workload.is_mixed());
    let (mut paced_mix, mut now_ns, mut ios) = (PacedMix::default(), 0, Vec::new());
    while now_ns < end_ns {
        let next = paced_mix.next_io(&mut workload, &mut pacer, now_ns, |workload| {
            passes_left -= 1;
            workload.restart();
            passes_left > 0
        });
        match next {
            NextIo::Due(io, due_ns) => {
                assert!(due_ns <= now_ns);
                ios.push((io, due_ns));
                now_ns += service_ns;
            }
            NextIo::NotBefore(due_ns) => {
                assert!(due_ns > now_ns);
                now_ns = due_ns;
            }
            NextIo::Over => break,
        }
    }
    ios
}

fn counts(ios: &[(Io, u64)]) -> (usize, usize) {
    let reads = ios.iter().filter(|(io, _)| io.dir == Direction::Read).count();
    (reads, ios.len() - reads)
}

/// The table of what fio 3.33 does: each direction keeps its rate.
#[test]
fn each_direction_keeps_its_rate() {
    for (share, read, write) in
        [(90, 100, 100), (70, 300, 100), (50, 100, 100), (50, 3, 2), (1, 100, 100)]
    {
        let ios = run(&mix(share, rate_iops(read, write)), 1_000, 4 * SECOND);
        assert_eq!(counts(&ios), (read as usize * 4, write as usize * 4), "mix {share}");
    }
    let by_bytes = mix(70, |job| {
        job.pace.rate_bytes = PerDirection { read: 400 << 10, write: 1200 << 10, trim: 0 };
    });
    assert_eq!(counts(&run(&by_bytes, 1_000, 4 * SECOND)), (400, 1200));
}

/// The first I/O of each direction is due at 0 and the k-th at k / rate: never skipped or moved
/// by what the other direction does.
#[test]
fn schedules_are_the_directions_own() {
    let ios = run(&mix(70, rate_iops(300, 100)), 1_000, SECOND);
    for (dir, rate) in [(Direction::Read, 300), (Direction::Write, 100)] {
        let dues = ios.iter().filter(|(io, _)| io.dir == dir).map(|(_, due_ns)| *due_ns);
        for (k, due_ns) in dues.enumerate() {
            assert_eq!(due_ns, k as u64 * SECOND / rate, "{dir:?} {k}");
        }
    }
}

/// At the end of a pass a direction does not wait for the other's last I/O.
#[test]
fn a_pass_ends_without_a_wait() {
    let file = FileExtent::whole(50 * 4096);
    let ios = passes(&mix(70, rate_iops(300, 1)), u64::MAX, file, 1_000, 4 * SECOND);
    assert_eq!(counts(&ios), (1_200, 4));
    let three = passes(&mix(70, rate_iops(300, 1)), 3, file, 1_000, u64::MAX);
    assert_eq!(three.len(), 150);
}

/// Poisson: counts of 100 s vary by the root of their mean; 6.5 of it.
#[test]
fn random_gaps_keep_the_rates_too() {
    let job = mix(90, |job| {
        rate_iops(100, 30)(job);
        job.pace.poisson = true;
    });
    let (reads, writes) = counts(&run(&job, 1_000, 100 * SECOND));
    for (count, mean) in [(reads, 10_000f64), (writes, 3_000.0)] {
        assert!((count as f64 - mean).abs() < 6.5 * mean.sqrt(), "{count} for {mean}");
    }
}

#[test]
fn a_direction_without_a_rate_goes_as_fast_as_it_can() {
    let (reads, writes) = counts(&run(&mix(50, rate_iops(100, 0)), 1_000_000, 4 * SECOND));
    assert_eq!((reads, reads + writes), (400, 4_000));
}

/// 6.5 standard deviations of a share over 4,000 draws are below 0.052.
#[test]
fn the_mix_rules_where_both_are_behind() {
    let (reads, writes) = counts(&run(&mix(70, rate_iops(20_000, 20_000)), 1_000_000, 4 * SECOND));
    let share = reads as f64 / (reads + writes) as f64;
    assert!((share - 0.7).abs() < 0.052, "{share}");
}

#[test]
fn a_pause_holds_both_back() {
    let job = mix(50, |job| {
        rate_iops(1000, 1000)(job);
        job.pace.thinktime_us = 10_000;
        job.pace.thinktime_blocks_issue = true;
    });
    let mut workload = Workload::new(&job, &[FILE], 5).unwrap();
    let mut pacer = paced_for(&job, 5).unwrap();
    let mut paced_mix = PacedMix::default();
    let mut next = |now_ns| match paced_mix.next_io(&mut workload, &mut pacer, now_ns, |_| false) {
        NextIo::Due(io, _) => {
            pacer.issued(io.dir, io.len, now_ns);
            None
        }
        NextIo::NotBefore(due_ns) => Some(due_ns),
        NextIo::Over => panic!("16,384 blocks"),
    };
    assert_eq!((next(5), next(6), next(10_000_005)), (None, Some(10_000_005), None));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]
    /// Whatever the rates choose, a pass has its blocks: each once where a map says so.
    #[test]
    fn a_pass_is_whole(share in 1u8..100, read in 0u64..50, write in 1u64..50, random: bool,
                       sizes in prop_oneof![Just(vec![4096]), Just(vec![4096, 16_384])]) {
        let job = mix(share, |job| {
            job.pattern.rw.random = random;
            let split = sizes.iter().map(|&size| (size, 50)).collect();
            let sizes = if sizes.len() > 1 { BlockSize::Split(split) } else { BlockSize::Fixed(4096) };
            job.pattern.bs = PerDirection::splat(sizes);
            job.extent.io_size = Some(fathom_job::JobSize::Bytes(64 << 20));
            rate_iops(read * 1000, write * 1000)(job);
        });
        let ios = run(&job, 10, u64::MAX);
        let bytes: u64 = ios.iter().map(|(io, _)| u64::from(io.len)).sum();
        prop_assert!((64 << 20..(64 << 20) + 16_384).contains(&bytes), "{}", bytes);
        if random {
            let blocks = ios.iter().flat_map(|(io, _)| {
                (0..u64::from(io.len) / 4096).map(move |k| io.offset / 4096 + k)
            });
            prop_assert_eq!(blocks.collect::<HashSet<_>>().len(), 16_384);
        }
    }
}
