//! Humps of real throttles, and how rarely one hump is taken for two.

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

/// Case A, made from the two percentiles that its author names.
#[test]
fn a_throttled_nas_has_two_narrow_humps() {
    let mut noise = Noise::new(1);
    let latencies = drawn(100_000, || match noise.uniform() < 0.71 {
        true => 0.66 * MS * (0.08 * noise.normal()).exp(),
        false => 9.8 * MS * (0.03 * noise.normal()).exp(),
    });
    let whole = two(find_humps(&latencies)).unwrap();
    assert!((whole.share_high - 0.29).abs() < 0.01, "{whole:?}");
    assert_whole(&HumpsFinding::Two(whole.clone()));
    assert!(whole.is_narrow());
    assert_eq!(
        whole.to_string(),
        "Two groups of latencies: 71 % of I/Os take about 659 us, 29 % about 9.76 ms, as behind a \
         throttle that lets I/Os through by time slices. Read p50 and p99, not the mean."
    );
}

/// Case A: p50 5.1 ms, p99 60 ms, ten in flight; a disk's queue, made lognormal.
#[test]
fn a_hard_disk_has_one_hump() {
    let mut noise = Noise::new(2);
    let width = (60.0f64 / 5.1).ln() / 2.326;
    let disk = drawn(100_000, || 5.1 * MS * (width * noise.normal()).exp());
    assert_eq!(find_humps(&disk), HumpsFinding::One);
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
    let mut alarms = 0;
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
        alarms += u32::from(two(find_humps(&latencies)).is_some());
    }
    assert!(alarms <= 4, "{alarms} of 900 histograms; 0.5 % is allowed");
}

#[test]
fn little_input_is_an_answer() {
    assert_eq!(find_humps(&Histogram::default()), HumpsFinding::NotEnough);
    assert_eq!(find_humps(&drawn(100, || 5.0)), HumpsFinding::NotEnough);
    assert_eq!(find_humps(&drawn(1000, || 5.0)), HumpsFinding::One);
    assert_eq!(find_humps(&Histogram::from_bins([(0, 500)])), HumpsFinding::One);
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
    ) {
        let finding = find_humps(&Histogram::from_bins(bins));
        assert_whole(&finding);
        if let HumpsFinding::Two(humps) = finding {
            let shares = [humps.share_high, humps.time_share_high];
            prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{:?}", humps);
        }
    }
}
