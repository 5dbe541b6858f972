//! Schedules in simulated time.

use super::*;

const READ: Direction = Direction::Read;

impl Paced {
    /// When the next I/O is due.
    fn due_ns(&mut self, dir: Direction, len: u32, now_ns: u64) -> u64 {
        let mut due_ns = [0];
        assert_eq!(self.make_due_times(&[dir], &[len], now_ns, &mut due_ns), 1);
        due_ns[0]
    }
}

fn job(set: impl FnOnce(&mut Pace)) -> Paced {
    let mut job = JobSpec::default();
    set(&mut job.pace);
    paced_for(&job, 7).expect("a paced job")
}

/// Starts of `count` I/Os at depth 1 that take `service_ns` each.
fn starts(paced: &mut Paced, count: usize, service_ns: u64) -> Vec<u64> {
    let mut now = 0;
    (0..count)
        .map(|_| {
            assert!(!paced.holds_back());
            let start = now.max(paced.due_ns(READ, 4096, now));
            paced.issued(READ, 4096, start);
            now = start + service_ns;
            paced.completed(READ, 4096, now);
            start
        })
        .collect()
}

#[test]
fn nothing_asked_is_no_pacer() {
    assert!(paced_for(&JobSpec::default(), 1).is_none());
}

#[test]
fn linear_rates_add_up_exactly() {
    for rate in [1, 3, 7, 1000, 999_983, 30_000_001] {
        let mut paced = job(|pace| pace.rate_iops = PerDirection::splat(rate));
        for k in 0..10_000u64 {
            let want = (u128::from(k) * u128::from(NS) / u128::from(rate)) as u64;
            assert_eq!(paced.due_ns(READ, 4096, 5), want, "I/O {k} at {rate}");
        }
    }
    let mut paced = job(|pace| pace.rate_bytes.read = 1_000_003);
    let mut bytes = 0u128;
    for k in 0..10_000u32 {
        let len = 512 * (1 + k % 9);
        assert_eq!(u128::from(paced.due_ns(READ, len, 0)), bytes * u128::from(NS) / 1_000_003);
        bytes += u128::from(len);
    }
    assert_eq!(paced.due_ns(Direction::Write, 512, 77), 77, "writes have no limit");
}

/// Made one by one or many at a time, due times are the same; an I/O without a rate is due when it is
/// its turn, and a pause may change those after it.
#[test]
fn due_times_are_made_ahead_as_far_as_they_are_certain() {
    let rated = |pace: &mut Pace| pace.rate_iops.read = 3;
    let (mut ahead, mut single) = (job(rated), job(rated));
    let mut dues_ns = [0; 8];
    assert_eq!(ahead.make_due_times(&[READ; 8], &[512; 8], 5, &mut dues_ns), 8);
    assert_eq!(dues_ns, [(); 8].map(|()| single.due_ns(READ, 512, 5)));

    let dirs = [READ, READ, Direction::Write, READ];
    assert_eq!(ahead.make_due_times(&dirs, &[512; 4], 77, &mut dues_ns), 2);
    assert_eq!(ahead.make_due_times(&dirs[2..], &[512; 2], 88, &mut dues_ns), 1);
    assert_eq!(dues_ns[0], 88);
    let mut pausing = job(|pace| (rated(pace), pace.thinktime_us = 1).0);
    assert_eq!(pausing.make_due_times(&[READ; 4], &[512; 4], 5, &mut dues_ns), 1);
}

#[test]
fn the_slower_of_two_rates_rules() {
    let mut paced = job(|pace| {
        pace.rate_iops.read = 1000;
        pace.rate_bytes.read = 2048 * 1000;
    });
    let dues: Vec<u64> = (0..4).map(|_| paced.due_ns(READ, 4096, 0)).collect();
    assert_eq!(dues, [0, 2_000_000, 4_000_000, 6_000_000]);
}

#[test]
fn the_schedule_does_not_wait_for_a_stall() {
    let mut paced = job(|pace| pace.rate_iops.read = 1000);
    assert_eq!(paced.due_ns(READ, 4096, 0), 0);
    paced.completed(READ, 4096, 50_000_000);
    assert_eq!(paced.due_ns(READ, 4096, 50_000_000), 1_000_000);
}

/// Mean and variance of an exponential gap are 1/rate and its square; over N gaps their
/// standard errors are mean/sqrt(N) and, the fourth moment being 9, variance * sqrt(8/N).
/// Bound: 6.5 of each.
#[test]
fn poisson_gaps_are_exponential() {
    const N: f64 = 200_000.0;
    for rate in [100.0f64, 40_000_000.0] {
        let mut paced = job(|pace| {
            pace.rate_iops.read = rate as u64;
            pace.poisson = true;
        });
        let mut last = 0;
        let gaps: Vec<f64> = (0..N as usize)
            .map(|_| {
                let due = paced.due_ns(READ, 4096, 0);
                let gap = (due - last) as f64;
                last = due;
                gap
            })
            .collect();
        let mean = gaps.iter().sum::<f64>() / N;
        let want = 1e9 / rate;
        assert!((mean / want - 1.0).abs() < 6.5 / N.sqrt(), "mean {mean}");
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / N;
        // Whole nanoseconds add their own spread, at most a quarter.
        let excess = variance / (want * want) - 1.0;
        assert!(excess.abs() < 6.5 * (8.0 / N).sqrt() + 0.25 / (want * want), "{excess}");
    }
}

const MS: u64 = 1_000_000;

/// Times as fio 3.33 has them for the same options.
#[test]
fn thinktime_pauses_after_blocks() {
    let think = |pace: &mut Pace| {
        pace.thinktime_us = 10_000;
        pace.thinktime_blocks = 4;
    };
    let ms = |starts: Vec<u64>| starts.into_iter().map(|ns| ns / MS).collect::<Vec<_>>();
    let got = ms(starts(&mut job(think), 12, 0));
    assert_eq!(got, [0, 0, 0, 0, 10, 10, 10, 10, 20, 20, 20, 20]);
    let rated = |pace: &mut Pace| {
        think(pace);
        pace.rate_iops.read = 1000;
    };
    let got = ms(starts(&mut job(rated), 12, 0));
    assert_eq!(got, [0, 1, 2, 3, 13, 13, 13, 13, 23, 23, 23, 23], "catches up");
    let ignoring = |pace: &mut Pace| {
        rated(pace);
        pace.ignore_thinktime = true;
    };
    let got = ms(starts(&mut job(ignoring), 12, 0));
    assert_eq!(got, [0, 1, 2, 3, 13, 14, 15, 16, 26, 27, 28, 29], "stands still");
}

#[test]
fn thinktime_by_time() {
    let mut paced = job(|pace| {
        pace.thinktime_us = 1000;
        pace.thinktime_iotime_us = 9000;
    });
    let got = starts(&mut paced, 20, 3 * MS);
    let want: Vec<u64> = (0..20).map(|k| (k / 3 * 10 + k % 3 * 3) * MS).collect();
    assert_eq!(got, want);
}

#[test]
fn thinktime_holds_back_what_would_be_queued() {
    let mut paced = job(|pace| {
        pace.thinktime_us = 10;
        pace.thinktime_blocks = 2;
        pace.thinktime_spin_us = 4;
    });
    for _ in 0..2 {
        assert!(!paced.holds_back());
        assert_eq!(paced.due_ns(READ, 512, 5), 5);
        paced.issued(READ, 512, 5);
    }
    assert!(paced.holds_back());
    paced.completed(READ, 512, 100);
    assert!(paced.holds_back());
    paced.completed(READ, 512, 200);
    assert!(!paced.holds_back());
    assert_eq!((paced.due_ns(READ, 512, 200), paced.spin_until_ns()), (10_200, 4_200));
    let mut paced = job(|pace| {
        pace.thinktime_us = 10;
        pace.thinktime_blocks_issue = true;
    });
    paced.issued(READ, 512, 7);
    assert_eq!((paced.holds_back(), paced.due_ns(READ, 512, 8)), (false, 10_007));
}
