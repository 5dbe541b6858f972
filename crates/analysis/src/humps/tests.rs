//! Humps of real throttles and of published results, and how rarely one hump is taken for two.

use super::*;
use crate::noise::{Noise, assert_whole, fixture, histogram};
use fathom_stats::Histogram;
use proptest::prelude::*;

fn two(finding: HumpsFinding) -> Option<Humps> {
    match finding {
        HumpsFinding::Two(humps) => Some(humps),
        _ => None,
    }
}

/// A histogram of what `draw` gives.
fn drawn(ios: usize, mut draw: impl FnMut() -> f64) -> Histogram {
    Histogram::from_bins((0..ios).map(|_| (draw().clamp(1.0, 1e12) as u64, 1)))
}

const MS: f64 = 1e6;

#[test]
fn a_real_throttle_makes_two_humps_at_any_depth() {
    let depth_32 = two(find_humps(&histogram(fixture!("held_to_3000_depth_32.bins")))).unwrap();
    assert!((350e3..550e3).contains(&(depth_32.low_ns as f64)), "{depth_32:?}");
    assert!((90.0 * MS..100.0 * MS).contains(&(depth_32.high_ns as f64)), "{depth_32:?}");
    // 32 of the 300 I/Os of a slice of 100 ms wait for the next.
    assert!((0.09..0.13).contains(&depth_32.share_high), "{depth_32:?}");
    assert!(depth_32.is_narrow() && depth_32.time_share_high > 0.9, "{depth_32:?}");

    let ten_jobs = two(find_humps(&histogram(fixture!("held_to_3000_ten_jobs.bins")))).unwrap();
    assert!((0.025..0.045).contains(&ten_jobs.share_high), "{ten_jobs:?}");
    let alone = two(find_humps(&histogram(fixture!("held_to_3000_depth_1.bins")))).unwrap();
    assert!(alone.share_high < 0.005 && alone.time_share_high > 0.7, "{alone:?}");
}

#[test]
fn the_same_device_without_a_throttle_has_one_hump() {
    for bins in [
        fixture!("free_depth_1.bins"),
        fixture!("free_depth_32.bins"),
        fixture!("free_depth_64.bins"),
    ] {
        assert_eq!(find_humps(&histogram(bins)), HumpsFinding::One);
    }
}

/// A machine whose processors are taken makes I/Os wait for a processor: two humps as well, and
/// nothing that a throttle did.
#[test]
fn waiting_for_a_processor_is_a_second_hump_too() {
    let busy = two(find_humps(&histogram(fixture!("free_depth_1_busy.bins")))).unwrap();
    assert!((1.0 * MS..8.0 * MS).contains(&(busy.high_ns as f64)), "{busy:?}");
    assert!(busy.share_high < 0.05, "{busy:?}");
}

/// Case A: the two percentiles that its author names, milliseconds.
#[test]
fn a_throttled_nas_is_told_from_its_percentiles() {
    for (from, to, iops) in [
        ((70.0, 0.75), (80.0, 9.9), 3007.0),
        ((70.0, 0.64), (80.0, 9.6), 4010.0),
        ((80.0, 0.68), (90.0, 9.8), 6016.0),
    ] {
        let pairs = [from, to].map(|(percent, ms)| (percent, (ms * MS) as u64));
        let humps = two(find_humps_in_percentiles(&pairs)).unwrap();
        assert_eq!((humps.gap_from_ns, humps.gap_to_ns), (pairs[0].1, pairs[1].1));
        // The border lies anywhere between both percentiles, so the share is a guess. Little: ten jobs in flight make the mean, and the humps have to come near it.
        let mean_ms = 10.0 / iops * 1e3;
        let of_humps = humps.share_high * to.1 + (1.0 - humps.share_high) * from.1;
        assert!((0.75..1.25).contains(&(of_humps / mean_ms)), "{of_humps} ms for {mean_ms} ms");
        assert!(humps.is_narrow() && humps.time_share_high > 0.6, "{humps:?}");
    }
}

/// The same in a whole list as fio shows it, and as a histogram.
#[test]
fn a_throttled_nas_is_told_from_a_list_and_from_a_histogram() {
    let mut noise = Noise::new(1);
    let latencies = drawn(100_000, || match noise.uniform() < 0.71 {
        true => 0.66 * MS * (0.08 * noise.normal()).exp(),
        false => 9.8 * MS * (0.03 * noise.normal()).exp(),
    });
    let whole = two(find_humps(&latencies)).unwrap();
    assert!((whole.share_high - 0.29).abs() < 0.01, "{whole:?}");
    let listed = FIO_LIST.map(|percent| (percent, latencies.percentile(percent)));
    let from_list = two(find_humps_in_percentiles(&listed)).unwrap();
    assert!((from_list.share_high - 0.25).abs() < 0.01, "{from_list:?}");
    assert!((from_list.high_ns as f64 / whole.high_ns as f64 - 1.0).abs() < 0.05);
    assert_whole(&HumpsFinding::Two(whole.clone()));
    assert!(from_list.is_narrow() && whole.is_narrow());
    assert_eq!(
        whole.to_string(),
        "Two groups of latencies: 71 % of I/Os take about 659 us, 29 % about 9.76 ms, as behind a \
         throttle that lets I/Os through by time slices. Read p50 and p99, not the mean."
    );
}

/// The percentiles that fio shows unless told otherwise.
const FIO_LIST: [f64; 17] = [
    1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95,
    99.99,
];

/// Case A: p50 5.1 ms, p99 60 ms, ten in flight; a disk's queue, made lognormal.
#[test]
fn a_hard_disk_has_one_hump() {
    let ms = |ms: f64| (ms * MS) as u64;
    let known = find_humps_in_percentiles(&[(50.0, ms(5.1)), (99.0, ms(60.0))]);
    assert_eq!(known, HumpsFinding::One);
    let mut noise = Noise::new(2);
    let width = (60.0f64 / 5.1).ln() / 2.326;
    let disk = drawn(100_000, || 5.1 * MS * (width * noise.normal()).exp());
    assert_eq!(find_humps(&disk), HumpsFinding::One);
    let listed = FIO_LIST.map(|percent| (percent, disk.percentile(percent)));
    assert_eq!(find_humps_in_percentiles(&listed), HumpsFinding::One);
}

/// A disk with a cache: hits apart from misses, which are anything but narrow.
#[test]
fn a_disks_cache_makes_two_humps_but_no_narrow_one() {
    let mut noise = Noise::new(3);
    let disk = drawn(50_000, || match noise.uniform() < 0.3 {
        true => 0.1 * MS * (0.2 * noise.normal()).exp(),
        false => 8.0 * MS * (0.4 * noise.normal()).exp(),
    });
    let humps = two(find_humps(&disk)).unwrap();
    assert!(!humps.is_narrow(), "{humps:?}");
    assert!(humps.to_string().contains("as with a cache and its misses"));
}

/// Lognormal, gamma-like and Pareto tails of every width, few and many I/Os.
#[test]
fn one_hump_is_rarely_taken_for_two() {
    let mut alarms = [0; 2];
    for seed in 0..900 {
        let mut noise = Noise::new(seed);
        let width = [0.1, 0.3, 0.6, 1.0, 1.5][seed as usize % 5];
        let ios = [200, 500, 2000, 20_000][seed as usize % 4];
        let latencies = drawn(ios, || {
            let chance = 1.0 - noise.uniform();
            1e5 * match seed % 3 {
                0 => (width * noise.normal()).exp(),
                1 => -chance.ln() - width * (1.0 - noise.uniform()).ln(),
                _ => chance.powf(-width / 1.5),
            }
        });
        alarms[0] += u32::from(two(find_humps(&latencies)).is_some());
        let listed = FIO_LIST.map(|percent| (percent, latencies.percentile(percent)));
        alarms[1] += u32::from(two(find_humps_in_percentiles(&listed)).is_some());
    }
    assert!(alarms[0] <= 4, "{alarms:?} of 900 histograms; 0.5 % is allowed");
    assert!(alarms[1] <= 9, "{alarms:?} of 900 lists of percentiles; 1 % is allowed");
}

#[test]
fn little_input_is_an_answer() {
    assert_eq!(find_humps(&Histogram::default()), HumpsFinding::NotEnough);
    assert_eq!(find_humps(&drawn(100, || 5.0)), HumpsFinding::NotEnough);
    assert_eq!(find_humps(&drawn(1000, || 5.0)), HumpsFinding::One);
    assert_eq!(find_humps(&Histogram::from_bins([(0, 500)])), HumpsFinding::One);
    assert_eq!(find_humps_in_percentiles(&[]), HumpsFinding::NotEnough);
    assert_eq!(find_humps_in_percentiles(&[(50.0, 1000)]), HumpsFinding::NotEnough);
    let falling = [(50.0, 1000), (60.0, 900)];
    assert_eq!(find_humps_in_percentiles(&falling), HumpsFinding::NotEnough);
    assert_eq!(HumpsFinding::NotEnough.tone(), Tone::Note);
    assert_eq!(HumpsFinding::One.tone(), Tone::Good);
}

proptest! {
    /// Two humps are found wherever they lie: latencies times k, humps times k.
    #[test]
    fn humps_scale(
        seed in any::<u64>(), low in 1e3..1e6f64, apart in 6.0..1000.0f64, slow in 0.05..0.9f64,
    ) {
        let mut noise = Noise::new(seed);
        let latencies = drawn(5000, || match noise.uniform() < slow {
            true => low * apart * (0.05 * noise.normal()).exp(),
            false => low * (0.1 * noise.normal()).exp(),
        });
        let humps = two(find_humps(&latencies));
        prop_assert!(humps.is_some());
        let humps = humps.unwrap();
        prop_assert!((humps.low_ns as f64 / low - 1.0).abs() < 0.05, "{:?}", humps);
        prop_assert!((humps.high_ns as f64 / (low * apart) - 1.0).abs() < 0.05, "{:?}", humps);
        // Seven deviations of 5,000 draws: each test run tries 256 of them.
        prop_assert!((humps.share_high - slow).abs() < 0.05, "{:?}", humps);
    }

    #[test]
    fn any_input_is_survived(
        bins in proptest::collection::vec((any::<u64>(), 0u64..1_000_000), 0..60),
        percentiles in proptest::collection::vec((any::<f64>(), any::<u64>()), 0..20),
        sane in proptest::collection::vec((0.0..100.0f64, 0u64..1_000_000_000), 0..20),
    ) {
        for finding in [
            find_humps(&Histogram::from_bins(bins)),
            find_humps_in_percentiles(&percentiles),
            find_humps_in_percentiles(&sane),
        ] {
            assert_whole(&finding);
            if let HumpsFinding::Two(humps) = finding {
                let shares = [humps.share_high, humps.time_share_high];
                prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{:?}", humps);
            }
        }
    }
}
