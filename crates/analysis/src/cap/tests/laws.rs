//! How rarely noise and steady devices are called capped, how caps scale, and odd input.

use super::*;
use crate::noise::assert_whole;
use proptest::prelude::*;

/// One job at QD 1 with independent latencies of any width, counted each second: as flat as
/// averaging makes it, and no flatter.
#[test]
fn steady_devices_are_rarely_called_capped() {
    let (mut capped, mut flat) = (0, 0);
    for seed in 0..120 {
        let mut noise = Noise::new(seed);
        let width = [0.05, 0.2, 0.6][seed as usize % 3];
        let mean_ns = 2e5 * (1.0 + noise.uniform());
        let mut bins = Vec::new();
        let (mut now_ns, mut seconds) = (0.0, vec![0.0; 20]);
        loop {
            let latency_ns = mean_ns * (width * noise.normal()).exp();
            now_ns += latency_ns;
            let Some(second) = seconds.get_mut((now_ns / 1e9) as usize) else { break };
            *second += 1.0;
            bins.push((latency_ns as u64, 1));
        }
        match one_run(&seconds, &Histogram::from_bins(bins), 1) {
            CapFinding::Capped(_) => capped += 1,
            CapFinding::OnlyFlat(_) => flat += 1,
            _ => {}
        }
    }
    assert!(capped <= 1, "{capped} of 120 steady devices called capped; 1 % is allowed");
    assert!(flat > 80, "{flat} of 120 are flat: the reason why flat alone is no cap");
}

/// Four times as long an interval has four times the I/Os, and half the variation to be expected.
#[test]
fn what_latencies_would_make_depends_on_the_interval() {
    let expected = |interval_s: f64| {
        let inputs = CapInputs {
            interval_s,
            rates: &[3000.0; 30],
            latency: Some(LatencySpread { mean_ns: 1e7, deviation_ns: 3e7 }),
            depth: Some(1),
            ..CapInputs::default()
        };
        let cap = told(&inputs).unwrap();
        let regular = cap.evidence.iter().find_map(|sign| match sign {
            Evidence::Regular(regular) => Some(regular.expected),
            _ => None,
        });
        regular.unwrap()
    };
    assert!((expected(1.0) - 3.0 / 3000f64.sqrt()).abs() < 1e-12);
    assert!((expected(4.0) / expected(1.0) - 0.5).abs() < 1e-12);
}

/// A mean of next to nothing makes an expectation that no percentage can hold.
#[test]
fn latencies_without_measure_are_no_sign() {
    let inputs = CapInputs {
        unit: RateUnit::Bytes,
        interval_s: 5.56e-309,
        rates: &[1.27e222; 12],
        block_bytes: Some(153_961_504_828_513_200),
        latency: Some(LatencySpread { mean_ns: 1e-33, deviation_ns: 1.27e222 }),
        depth: Some(1),
        ..CapInputs::default()
    };
    assert_whole(&find_cap(&inputs));
}

#[test]
fn noise_is_rarely_called_capped() {
    let (mut capped, mut flat) = (0, 0);
    for seed in 0..2000 {
        let mut noise = Noise::new(seed);
        let cv = [0.03, 0.1, 0.3][seed as usize % 3];
        let memory = [0.0, 0.8, 0.95][(seed / 3) as usize % 3];
        let rounds = [10, 30, 120][(seed / 9) as usize % 3];
        let level = 1e3 * (1.0 + 9.0 * noise.uniform());
        let rates = noise.wandering(level, cv, memory, rounds);
        let latency = LatencySpread { mean_ns: 1e6, deviation_ns: 5e5 };
        let inputs = CapInputs {
            interval_s: 1.0,
            rates: &rates,
            latency: Some(latency),
            depth: Some(1),
            ..CapInputs::default()
        };
        match find_cap(&inputs) {
            CapFinding::Capped(_) => capped += 1,
            CapFinding::OnlyFlat(_) => flat += 1,
            _ => {}
        }
    }
    assert!(capped <= 2, "{capped} of 2000 called capped; 0.1 % is allowed");
    // Ten rounds that wander slowly lie near each other, and flat is no more than that.
    assert!(flat <= 60, "{flat} of 2000 called flat; 3 % is allowed");
}

#[test]
fn little_input_is_an_answer() {
    assert_eq!(find_cap(&CapInputs::default()), CapFinding::NotEnough);
    let rates = [3000.0; 5];
    let few = CapInputs { interval_s: 1.0, rates: &rates, ..CapInputs::default() };
    assert_eq!(find_cap(&few), CapFinding::NotEnough);
    let dead = [0.0; 50];
    let dead = CapInputs { interval_s: 1.0, rates: &dead, ..CapInputs::default() };
    assert_eq!(find_cap(&dead), CapFinding::NotEnough);
    assert_eq!(CapFinding::NotEnough.tone(), Tone::Note);
    assert_eq!(CapFinding::NoneSeen.tone(), Tone::Good);
}

proptest! {
    /// Rates times k: the cap times k.
    #[test]
    fn caps_scale(k in 1e-3..1e6f64) {
        let scaled: Vec<DepthPoint> = depths(fixture!("held_to_3000.depths"))
            .iter()
            .map(|p| DepthPoint { iops: p.iops * k, mean_latency_ns: p.mean_latency_ns / k, ..*p })
            .collect();
        let cap = told(&CapInputs { depths: &scaled, ..CapInputs::default() }).unwrap();
        prop_assert!((cap.value / k / 3002.3 - 1.0).abs() < 1e-3, "{:?}", cap);
        let scaled: Vec<SizePoint> = sizes(fixture!("held_to_50_mb.sizes"))
            .iter()
            .map(|p| SizePoint { iops: p.iops * k, ..*p })
            .collect();
        let cap = told(&CapInputs { sizes: &scaled, ..CapInputs::default() }).unwrap();
        prop_assert_eq!(cap.kind, CapKind::Bandwidth);
        prop_assert!((cap.value / k / 50.27e6 - 1.0).abs() < 1e-3, "{:?}", cap);
    }

    #[test]
    fn any_input_is_survived(
        rates in proptest::collection::vec(any::<f64>(), 0..30),
        level in any::<f64>(), interval_s in any::<f64>(), mean_ns in any::<f64>(),
        depths in proptest::collection::vec((any::<u32>(), any::<f64>(), any::<f64>()), 0..6),
        sizes in proptest::collection::vec((any::<u64>(), any::<f64>()), 0..6),
        block in any::<u64>(), pace in any::<f64>(),
    ) {
        let depths: Vec<DepthPoint> = depths
            .into_iter()
            .map(|(depth, iops, mean_latency_ns)| DepthPoint { depth, iops, mean_latency_ns })
            .collect();
        let sizes: Vec<SizePoint> =
            sizes.into_iter().map(|(block_bytes, iops)| SizePoint { block_bytes, iops }).collect();
        let flat = vec![level; 12];
        for (rates, unit) in [(&rates, RateUnit::Ios), (&flat, RateUnit::Bytes)] {
            let finding = find_cap(&CapInputs {
                unit,
                rate: level,
                interval_s,
                rates,
                block_bytes: Some(block),
                depth: Some(1),
                latency: Some(LatencySpread { mean_ns, deviation_ns: level }),
                depths: &depths,
                sizes: &sizes,
                paced_to: Some(pace),
                ..CapInputs::default()
            });
            assert_whole(&finding);
        }
    }
}
