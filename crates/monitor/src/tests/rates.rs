//! Rates of two readings: examples calculated by hand from the kernel's definitions, and laws for
//! any counters.

use crate::{
    CgroupLimit, CounterReading, Counters, Delta, DiskRates, IntervalCounts, IntervalOutcome,
    LimitScope, NfsCounts, between,
};
use fathom_host::{DiskStats, NfsStats, ThrottleUnit, parse_disk_stats, parse_nfs_stats};
use proptest::prelude::*;
use std::time::Duration;

pub(super) fn disk_line(line: &str) -> DiskStats {
    parse_disk_stats(line.as_bytes()).swap_remove(0)
}

pub(super) fn reading(at_ms: u64, stats: DiskStats) -> CounterReading {
    CounterReading { at: Duration::from_millis(at_ms), counters: Counters::Disk(stats) }
}

pub(super) fn disk(outcome: IntervalOutcome) -> Delta<DiskStats> {
    match outcome {
        IntervalOutcome::Disk(delta) => delta,
        other => panic!("{other:?}"),
    }
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * left.abs().max(right.abs()).max(1.0)
}

#[test]
fn each_rate_is_made_of_the_counters_that_the_kernel_documents() {
    let earlier = disk_line(" 7 0 loop0 100 10 800 1000 200 20 1600 2000 0 5000 9000 7 0 70 7 9 9");
    // Two seconds later: 4000 reads of 4 KiB at 0.5 ms, 500 writes of 64 KiB at 8 ms.
    let later = disk_line(
        " 7 0 loop0 4100 50 32800 3000 700 80 65600 6000 3 6500 15000 17 0 20550 17 13 11",
    );
    let delta = disk(between(&reading(500, earlier), &reading(2500, later)));
    assert_eq!((delta.elapsed, delta.restarted), (Duration::from_secs(2), false));
    let expected = DiskRates {
        reads_per_s: 2000.0,
        writes_per_s: 250.0,
        discards_per_s: 5.0,
        flushes_per_s: 2.0,
        // 32,000 sectors of 512 bytes in 2 s, and 64,000.
        read_mb_per_s: 8.192,
        write_mb_per_s: 16.384,
        read_await_ms: Some(0.5),
        write_await_ms: Some(8.0),
        // 116,480 sectors in 4,510 I/Os.
        request_kib: Some(116_480.0 / 2.0 / 4510.0),
        queue_length: 3.0,
        utilisation_percent: 75.0,
        read_merges_per_s: 20.0,
        write_merges_per_s: 30.0,
    };
    assert_eq!(delta.rates, Some(expected));
    assert_eq!(expected.ios_per_s(), 2255.0);
    assert_eq!(delta.counts.in_flight, 3);
}

/// The line that iostats.rst gives as its example, taken as what was counted since zero.
#[test]
fn the_kernel_documentations_own_line_gives_its_means() {
    let line = "3 0 hda 446216 784926 9550688 4382310 424847 312726 5922052 19310380 0 3376340 \
                23705160";
    let counts = disk_line(line);
    let rates = counts.rates(Duration::from_secs(3600)).unwrap();
    assert!(near(rates.read_await_ms.unwrap(), 4_382_310.0 / 446_216.0));
    assert!(near(rates.write_await_ms.unwrap(), 19_310_380.0 / 424_847.0));
    assert!(near(rates.request_kib.unwrap(), 15_472_740.0 / 871_063.0 / 2.0));
    assert!(near(rates.utilisation_percent, 3_376_340.0 / 36_000.0));
    assert!(near(rates.queue_length, 23_705_160.0 / 3_600_000.0));
    // Little: how many are under way is how many come a second, times how long each stays.
    let little = rates.reads_per_s * rates.read_await_ms.unwrap() / 1e3
        + rates.writes_per_s * rates.write_await_ms.unwrap() / 1e3;
    assert!((rates.queue_length - little).abs() < 0.01 * little, "{little} {rates:?}");
}

#[test]
fn where_nothing_completed_there_is_no_mean_and_no_idleness_while_it_hangs() {
    let earlier = disk_line(" 7 0 loop0 1 2 3 4 5 6 7 8 0 10 11");
    let mut later = earlier.clone();
    let rest = disk(between(&reading(0, earlier.clone()), &reading(1000, later.clone())));
    let rates = rest.rates.unwrap();
    assert_eq!((rates.read_await_ms, rates.write_await_ms, rates.request_kib), (None, None, None));
    assert_eq!(rates, DiskRates::default());
    assert!(IntervalOutcome::Disk(rest).is_idle());
    later.in_flight = 1;
    let hung = between(&reading(0, earlier), &reading(1000, later));
    assert!(!hung.is_idle());
}

#[test]
fn no_time_gives_counts_and_no_rates() {
    let earlier = disk_line(" 7 0 loop0 1 2 3 4 5 6 7 8 0 10 11");
    let mut later = earlier.clone();
    later.read_ios += 9;
    // The clock of a reading never goes back; should it, no time has passed.
    for at_ms in [1000, 900] {
        let delta = disk(between(&reading(1000, earlier.clone()), &reading(at_ms, later.clone())));
        assert_eq!((delta.counts.read_ios, delta.rates), (9, None));
    }
}

#[test]
fn more_busy_time_than_time_is_a_whole_and_no_more() {
    let counts = DiskStats { io_ticks_ms: 1004, ..DiskStats::default() };
    let rates = counts.rates(Duration::from_secs(1)).unwrap();
    assert_eq!(rates.utilisation_percent, 100.0);
}

const NFS: &str = "\
device nas:/vol mounted on /mnt/nas with fstype nfs statvers=1.1
\topts:\trw,vers=3,nconnect=2
\tage:\t100
\tbytes:\t0 0 0 0 1000000 0 0 0
\txprt:\ttcp 812 1 1 0 5 500 499 1 900 20 32 100 200
\t     GETATTR: 10 10 0 1000 1000 1 5 6 0
\t        READ: 100 100 0 10000 1000000 10 300 400 0
";

fn nfs(text: &str) -> NfsStats {
    parse_nfs_stats(text.as_bytes()).swap_remove(0)
}

fn nfs_delta(earlier: &NfsStats, later: &NfsStats) -> Delta<NfsCounts> {
    let at = |at_s, stats: &NfsStats| CounterReading {
        at: Duration::from_secs(at_s),
        counters: Counters::Nfs(Box::new(stats.clone())),
    };
    match between(&at(5, earlier), &at(9, later)) {
        IntervalOutcome::Nfs(delta) => delta,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nfs_requests_give_their_times_and_repeats() {
    let later = NFS
        .replace(
            "READ: 100 100 0 10000 1000000 10 300 400",
            "READ: 300 306 1 30000 3000000 30 900 1200",
        )
        .replace("0 0 0 0 1000000 0", "0 0 0 0 53428800 8000000")
        .replace("age:\t100", "age:\t104")
        + "\t       WRITE: 40 40 0 500000 12000 10 400 420 0\n";
    let delta = nfs_delta(&nfs(NFS), &nfs(&later));
    assert!(!delta.restarted);
    let rates = delta.rates.unwrap();
    assert_eq!((rates.operations_per_s, rates.reads_per_s, rates.writes_per_s), (60.0, 50.0, 10.0));
    assert_eq!((rates.read_mb_per_s, rates.write_mb_per_s), (13.1072, 2.0));
    assert_eq!((rates.read_rtt_ms, rates.write_rtt_ms), (Some(3.0), Some(10.0)));
    assert_eq!((rates.read_execute_ms, rates.write_execute_ms), (Some(4.0), Some(10.5)));
    assert_eq!((rates.rtt_ms, rates.execute_ms), (Some(1000.0 / 240.0), Some(1220.0 / 240.0)));
    assert_eq!((rates.retransmits_per_s, rates.timeouts_per_s), (1.5, 0.25));
    // GETATTR was not used.
    let names: Vec<&str> = delta.counts.operations.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["READ", "WRITE"]);
}

#[test]
fn an_nfs_mount_made_anew_counts_from_zero() {
    let younger = NFS.replace("age:\t100", "age:\t2");
    let fewer = NFS.replace("READ: 100 100", "READ: 99 99");
    let less = NFS.replace("1000000 0 0 0", "999999 0 0 0");
    let unused = NFS.replace("\t     GETATTR: 10", "\t     GETATTR: 0");
    let faster = NFS.replace("10 300 400", "10 299 400");
    for text in [younger, fewer, less, unused, faster] {
        let later = nfs(&text);
        let delta = nfs_delta(&nfs(NFS), &later);
        assert!(delta.restarted, "{text}");
        assert_eq!(delta.counts.bytes, later.bytes);
        assert_eq!(delta.counts.operations, later.operations);
    }
    assert!(IntervalOutcome::Nfs(nfs_delta(&nfs(NFS), &nfs(NFS))).is_idle());
}

#[test]
fn a_limit_is_reached_a_little_below_it() {
    let limit = |unit, per_second| CgroupLimit {
        cgroup: "/slow".to_owned(),
        whose: LimitScope::Others,
        unit,
        per_second,
    };
    let rates = DiskRates {
        reads_per_s: 2_851.0,
        writes_per_s: 100.0,
        read_mb_per_s: 11.7,
        write_mb_per_s: 0.4,
        ..DiskRates::default()
    };
    assert!(limit(ThrottleUnit::ReadIops, 3000).is_reached_by(&rates));
    assert!(!limit(ThrottleUnit::ReadIops, 3010).is_reached_by(&rates));
    assert!(!limit(ThrottleUnit::WriteIops, 3000).is_reached_by(&rates));
    assert!(limit(ThrottleUnit::WriteIops, 100).is_reached_by(&rates));
    // Far beyond it, others made the I/O.
    assert!(!limit(ThrottleUnit::ReadIops, 2000).is_reached_by(&rates));
    assert!(limit(ThrottleUnit::ReadBytes, 12_000_000).is_reached_by(&rates));
    assert!(!limit(ThrottleUnit::WriteBytes, 12_000_000).is_reached_by(&rates));
    assert!(!limit(ThrottleUnit::WriteBytes, 0).is_reached_by(&DiskRates::default()));
}

/// The columns of a line of diskstats, in the kernel's order.
type Columns = [u64; 17];

fn stats(columns: &Columns) -> DiskStats {
    let words: Vec<String> = columns.iter().map(u64::to_string).collect();
    disk_line(&format!(" 7 0 loop0 {}", words.join(" ")))
}

/// The columns that hold milliseconds, which the kernel writes as 32 bits.
const TIMES: [usize; 6] = [3, 7, 9, 10, 14, 16];

proptest! {
    #[test]
    fn counts_come_back_from_rates_and_time(
        steps in proptest::array::uniform17(0u64..1 << 31),
        start in proptest::array::uniform17(any::<u32>()),
        elapsed_ms in 1u64..100_000_000,
    ) {
        let before: Columns = start.map(u64::from);
        let mut after = before;
        for (at, step) in steps.iter().enumerate() {
            after[at] += step;
            if TIMES.contains(&at) {
                // As the kernel has it after 49 days of busy time.
                after[at] &= u64::from(u32::MAX);
            }
        }
        let delta =
            disk(between(&reading(0, stats(&before)), &reading(elapsed_ms, stats(&after))));
        prop_assert!(!delta.restarted);
        let rates = delta.rates.unwrap();
        let seconds = elapsed_ms as f64 / 1e3;
        prop_assert!(near(rates.reads_per_s * seconds, steps[0] as f64));
        prop_assert!(near(rates.writes_per_s * seconds, steps[4] as f64));
        prop_assert!(near(rates.read_mb_per_s * seconds * 1e6, steps[2] as f64 * 512.0));
        prop_assert!(near(rates.write_mb_per_s * seconds * 1e6, steps[6] as f64 * 512.0));
        prop_assert!(near(rates.queue_length * seconds * 1e3, steps[10] as f64));
        prop_assert!((0.0..=100.0).contains(&rates.utilisation_percent));
        if steps[0] > 0 {
            let ticks = rates.read_await_ms.unwrap() * steps[0] as f64;
            prop_assert!(near(ticks, steps[3] as f64));
        }
    }

    #[test]
    fn any_two_readings_give_figures_that_are_numbers(
        before in proptest::array::uniform17(any::<u64>()),
        after in proptest::array::uniform17(any::<u64>()),
        at in any::<(u64, u64)>(),
    ) {
        let delta = disk(between(&reading(at.0, stats(&before)), &reading(at.1, stats(&after))));
        let counts = [0, 1, 2, 4, 5, 6, 11, 12, 13, 15];
        let back = counts.iter().any(|&at| after[at] < before[at]);
        prop_assert_eq!(delta.restarted, back);
        if back {
            prop_assert_eq!(&delta.counts, &stats(&after));
        }
        let Some(rates) = delta.rates else {
            prop_assert!(at.1 <= at.0);
            return Ok(());
        };
        // What is no number becomes null in JSON, as an absent mean does: no more than three.
        let values = serde_json::to_value(rates).unwrap();
        let values: Vec<Option<f64>> =
            values.as_object().unwrap().values().map(|value| value.as_f64()).collect();
        prop_assert!(values.iter().flatten().all(|value| *value >= 0.0), "{:?}", rates);
        let absent = [rates.read_await_ms, rates.write_await_ms, rates.request_kib];
        let absent = absent.iter().filter(|value| value.is_none()).count();
        prop_assert_eq!(values.iter().filter(|value| value.is_none()).count(), absent);
    }
}
