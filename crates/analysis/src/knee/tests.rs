//! Curves with a known knee: capped, soft, noisy, falling, and without any.

use super::*;
use proptest::prelude::*;

/// A closed system with nothing between its bounds: each I/O takes `service_ns`, and no more than
/// `cap` are done a second.
fn capped(load: u64, service_ns: f64, cap: f64) -> LoadPoint {
    let iops = (load as f64 * 1e9 / service_ns).min(cap);
    at_little(load, iops)
}

/// The latency that Little's law gives.
fn at_little(load: u64, iops: f64) -> LoadPoint {
    LoadPoint { load, iops, latency_ns: load as f64 * 1e9 / iops }
}

/// One exponential server and a think stage of `ratio` times its service time, in the balanced
/// approximation X(N) = N / (N + ratio) of its capacity.
fn soft(load: u64, ratio: f64, capacity: f64) -> LoadPoint {
    at_little(load, capacity * load as f64 / (load as f64 + ratio))
}

fn doubling(last: u32) -> impl Iterator<Item = u64> {
    (0..=last).map(|power| 1 << power)
}

#[test]
fn the_ssd_of_case_a_is_capped_at_twenty_thousand() {
    // 0.5 ms an I/O, 20,000 a second: ten in flight saturate it, of the depths tried 16.
    let points: Vec<LoadPoint> = doubling(8).map(|n| capped(n, 500_000.0, 20_000.0)).collect();
    let knee = Knee::find(LoadKind::Depth, &points);
    assert_eq!(knee.load(), Some(16));
    assert_eq!(
        knee.to_string(),
        "from QD 16 on IOPS stay at 20,000 while latency doubles with queue depth: 800 us at 16, \
         12.8 ms at 256"
    );
    assert_eq!(knee.tone(), Tone::Note);
}

#[test]
fn jobs_are_counted_in_jobs() {
    let points: Vec<LoadPoint> = doubling(4).map(|n| capped(n, 1e6, 1000.0)).collect();
    let text = Knee::find(LoadKind::Jobs, &points).to_string();
    assert!(text.starts_with("from 1 job on IOPS stay at 1,000 while latency"), "{text}");
}

#[test]
fn a_soft_knee_is_where_the_last_doublings_gain_little() {
    let points: Vec<LoadPoint> = doubling(8).map(|n| soft(n, 3.0, 50_000.0)).collect();
    // 32 / 35 = 0.914 of capacity, 64 / 67 = 0.955; the plateau seen is 0.97 of it.
    assert_eq!(Knee::find(LoadKind::Depth, &points).load(), Some(64));
}

#[test]
fn a_drop_after_the_knee_is_told() {
    let iops = [10e3, 20e3, 40e3, 40e3, 30e3, 20e3];
    let points: Vec<LoadPoint> =
        doubling(5).zip(iops).map(|(load, iops)| at_little(load, iops)).collect();
    let knee = Knee::find(LoadKind::Depth, &points);
    assert!(matches!(knee, Knee::Falling { .. }), "{knee:?}");
    assert_eq!(knee.load(), Some(4));
    assert_eq!(knee.tone(), Tone::Warning);
    let text = knee.to_string();
    assert!(text.contains("fall beyond, to 20,000 at 32"), "{text}");
}

#[test]
fn an_engine_that_does_one_at_a_time_shows_no_knee() {
    let flat = |load| LoadPoint { load, iops: 9000.0, latency_ns: 110_000.0 };
    let points: Vec<LoadPoint> = doubling(6).map(flat).collect();
    let knee = Knee::find(LoadKind::Depth, &points);
    assert!(matches!(knee, Knee::NotInFlight { .. }), "{knee:?}");
    assert_eq!(knee.load(), None);
    assert_eq!(
        knee.to_string(),
        "raising queue depth did not reach the volume: from QD 1 to QD 64 the I/Os in flight (IOPS x \
         latency) went from 1.0 to 1.0"
    );
}

#[test]
fn what_cannot_be_told_is_said() {
    let two = [capped(1, 1e6, 1e3), capped(2, 1e6, 1e3)];
    assert_eq!(Knee::find(LoadKind::Depth, &two), Knee::TooFew { points: 2 });
    let failed = LoadPoint { load: 4, ..LoadPoint::default() };
    let with_failed = [two[0], two[1], failed];
    assert_eq!(Knee::find(LoadKind::Depth, &with_failed), Knee::TooFew { points: 2 });
    assert_eq!(Knee::find(LoadKind::Depth, &[]), Knee::TooFew { points: 0 });
}

#[test]
fn a_verdict_reads_back_from_json() {
    let points: Vec<LoadPoint> = doubling(8).map(|n| capped(n, 500_000.0, 20_000.0)).collect();
    let knee = Knee::find(LoadKind::Depth, &points);
    let text = serde_json::to_string(&knee).unwrap();
    assert!(text.starts_with(r#"{"verdict":"found","load":"depth""#), "{text}");
    assert_eq!(serde_json::from_str::<Knee>(&text).unwrap(), knee);
}

proptest! {
    /// Of a hard cap the knee is the first load at or beyond 95 % of it, whatever the order.
    #[test]
    fn a_hard_cap_is_found_exactly(
        service_us in 10.0f64..10_000.0, saturating in 1.0f64..60.0, reverse: bool
    ) {
        let cap = saturating * 1e6 / service_us;
        let mut points: Vec<LoadPoint> =
            doubling(8).map(|n| capped(n, service_us * 1e3, cap)).collect();
        let expected = doubling(8).find(|n| *n as f64 >= 0.95 * saturating);
        if reverse {
            points.reverse();
        }
        prop_assert_eq!(Knee::find(LoadKind::Depth, &points).load(), expected);
    }

    /// Noise of 2 % either way moves the knee by no doubling, where no load falls near the bend.
    #[test]
    fn noise_does_not_move_it(
        power in 1u32..6, noise in prop::collection::vec(-0.02f64..0.02, 9)
    ) {
        // Saturated at three quarters of the knee's load: half of that load gives 0.67 of the cap.
        let saturating = 0.75 * f64::from(1 << power);
        let noisy = |(n, noise): (u64, &f64)| {
            let clean = capped(n, 1e6, saturating * 1e3);
            at_little(n, clean.iops * (1.0 + noise))
        };
        let points: Vec<LoadPoint> = doubling(8).zip(&noise).map(noisy).collect();
        prop_assert_eq!(Knee::find(LoadKind::Depth, &points).load(), Some(1 << power));
    }

    /// A curve that grows all the way has no knee, however finely it was cut.
    #[test]
    fn growth_has_no_knee(exponent in 0.5f64..1.0, steps in 3u64..100, fine: bool) {
        let loads: Vec<u64> =
            if fine { (1..=steps).collect() } else { doubling((steps % 9 + 2) as u32).collect() };
        let points: Vec<LoadPoint> =
            loads.iter().map(|n| at_little(*n, 1e3 * (*n as f64).powf(exponent))).collect();
        let knee = Knee::find(LoadKind::Depth, &points);
        prop_assert!(matches!(knee, Knee::Growing { .. }), "{:?}", knee);
    }

    /// A soft curve's knee keeps its promise: at least 95 % of everything after it.
    #[test]
    fn beyond_a_knee_little_is_gained(ratio in 0.1f64..20.0) {
        let points: Vec<LoadPoint> = doubling(10).map(|n| soft(n, ratio, 1e5)).collect();
        let knee = Knee::find(LoadKind::Depth, &points);
        let at = knee.load().expect("1024 is far beyond it");
        let of = |load: u64| points.iter().find(|p| p.load == load).map_or(0.0, |p| p.iops);
        prop_assert!(of(at) >= 0.90 * of(1024));
        prop_assert!(at == 1 || of(at / 2) < 0.95 * of(1024));
    }

    /// Nothing makes it panic, and a knee is one of the loads that were tried.
    #[test]
    fn any_points_have_a_verdict(
        points in prop::collection::vec((0u64..1000, -1.0f64..1e6, -1.0f64..1e9), 0..20)
    ) {
        let points: Vec<LoadPoint> = points
            .into_iter()
            .map(|(load, iops, latency_ns)| LoadPoint { load, iops, latency_ns })
            .collect();
        let knee = Knee::find(LoadKind::Depth, &points);
        prop_assert!(knee.to_string().len() > 20);
        prop_assert!(knee.load().is_none_or(|at| points.iter().any(|p| p.load == at)));
    }
}
