//! Real, artificial and published caps, and how rarely a steady device is taken for one.

use super::*;
use crate::noise::{Noise, assert_whole, columns, fixture, histogram, series};
use crate::{BurstFinding, HumpsFinding, SawToothFinding};
use crate::{Humps, find_burst, find_humps, find_saw_tooth};
use fathom_stats::Histogram;

mod laws;

fn told(inputs: &CapInputs) -> Option<Cap> {
    match find_cap(inputs) {
        CapFinding::Capped(cap) => Some(cap),
        _ => None,
    }
}

fn humps_of(latencies: &Histogram) -> Option<Humps> {
    match find_humps(latencies) {
        HumpsFinding::Two(humps) => Some(humps),
        _ => None,
    }
}

/// Mean and deviation of a histogram's bins.
fn spread_of(latencies: &Histogram) -> LatencySpread {
    let total = latencies.total() as f64;
    let mean = latencies.bins().map(|(ns, n)| ns as f64 * n as f64).sum::<f64>() / total;
    let squares: f64 = latencies.bins().map(|(ns, n)| (ns as f64 - mean).powi(2) * n as f64).sum();
    LatencySpread { mean_ns: mean, deviation_ns: (squares / total).sqrt() }
}

fn depths(text: &str) -> Vec<DepthPoint> {
    let point = |[depth, iops, mean_latency_ns]: [f64; 3]| DepthPoint {
        depth: depth as u32,
        iops,
        mean_latency_ns,
    };
    columns(text).into_iter().map(point).collect()
}

fn sizes(text: &str) -> Vec<SizePoint> {
    let point = |[bytes, iops]: [f64; 2]| SizePoint { block_bytes: bytes as u64, iops };
    columns(text).into_iter().map(point).collect()
}

/// All that one run says, of a series of seconds and its latencies.
fn one_run(rates: &[f64], latencies: &Histogram, depth: u32) -> CapFinding {
    let humps = humps_of(latencies);
    find_cap(&CapInputs {
        interval_s: 1.0,
        rates,
        block_bytes: Some(4096),
        depth: Some(depth),
        latency: Some(spread_of(latencies)),
        humps: humps.as_ref(),
        ..CapInputs::default()
    })
}

/// A limit lets through at once what was saved up before a run: 3,000 a second, and not the mean.
#[test]
fn a_limit_that_is_set_is_named_by_the_level_that_it_holds() {
    let mut rates = [3000.0; 10];
    rates[0] = 3600.0;
    let limit = KnownLimit {
        unit: RateUnit::Ios,
        per_second: 3000.0,
        reached: 3060.0,
        others: 0.0,
        group: "g".to_owned(),
        both_ways: false,
    };
    let limits = [limit];
    let inputs =
        CapInputs { interval_s: 0.5, rates: &rates, limits: &limits, ..CapInputs::default() };
    let CapFinding::Capped(cap) = find_cap(&inputs) else { panic!("a limit that holds") };
    assert_eq!((cap.kind, cap.value), (CapKind::Iops, 3000.0));
}

#[test]
fn one_run_under_a_real_throttle_shows_its_cap() {
    let rates = series(fixture!("held_to_3000.seconds"));
    let latencies = histogram(fixture!("held_to_3000_depth_32.bins"));
    let finding = one_run(&rates, &latencies, 32);
    assert_whole(&finding);
    let CapFinding::Capped(cap) = finding else { panic!("no cap") };
    assert_eq!((cap.kind, cap.value, cap.confidence), (CapKind::Iops, 3000.0, CapConfidence::High));
    assert_eq!(cap.nominal(), Some(3000.0));
    assert_eq!(
        cap.to_string(),
        "The rate is held at 3,000 IOPS by an IOPS cap. In 30 intervals the rate stays near 3,000 \
         IOPS and varies by 0.01 %. Without a cap, latencies such as these would make it vary by \
         5.0 %. 11 % of I/Os take about 95.9 ms, the others about 408 us. 3,000 IOPS is a round \
         number, as limits often are."
    );
}

#[test]
fn the_same_device_without_a_throttle_has_no_cap() {
    for (rates, latencies, depth) in [
        (fixture!("free_depth_32.seconds"), fixture!("free_depth_32.bins"), 32),
        (fixture!("free_depth_1_a.seconds"), fixture!("free_depth_1_busy.bins"), 1),
        (fixture!("free_depth_1_b.seconds"), fixture!("free_depth_1.bins"), 1),
        (fixture!("free_depth_1_c.seconds"), fixture!("free_depth_1_busy.bins"), 1),
        (fixture!("free_depth_1_d.seconds"), fixture!("free_depth_1.bins"), 1),
    ] {
        let finding = one_run(&series(rates), &histogram(latencies), depth);
        assert_eq!(finding, CapFinding::NoneSeen);
    }
}

#[test]
fn depths_under_a_real_throttle_only_wait() {
    let points = depths(fixture!("held_to_3000.depths"));
    let ceiling = depth_ceiling(&points).unwrap();
    assert_eq!((ceiling.knee_depth, ceiling.to_depth), (1, 64));
    assert!((ceiling.iops / 3000.0 - 1.0).abs() < 0.003, "{ceiling:?}");
    let cap = told(&CapInputs { depths: &points, ..CapInputs::default() }).unwrap();
    assert_whole(&CapFinding::Capped(cap.clone()));
    assert_eq!((cap.kind, cap.confidence), (CapKind::Iops, CapConfidence::Medium));
    assert!(cap.to_string().starts_with(
        "The rate is probably held at 3,002 IOPS by an IOPS cap. From QD 1 to 64, latency grows from \
         331 us to 21.7 ms, and IOPS change by 0."
    ));
    assert_eq!(depth_ceiling(&depths(fixture!("free.depths"))), None);
}

#[test]
fn the_knee_is_where_the_plateau_begins() {
    // 100 us each, up to a cap of 16,000 IOPS: the knee lies between depth 1 and 2.
    let iops = |depth: u32| f64::from(depth * 10_000).min(16_000.0);
    let point = |depth: u32| DepthPoint {
        depth,
        iops: iops(depth),
        mean_latency_ns: f64::from(depth) * 1e9 / iops(depth),
    };
    let points: Vec<DepthPoint> = [64, 1, 2, 32, 4, 8, 16].map(point).to_vec();
    let ceiling = depth_ceiling(&points).unwrap();
    assert_eq!((ceiling.knee_depth, ceiling.to_depth, ceiling.iops), (2, 64, 16_000.0));
    // A plateau that a greater depth surpasses is none; nor is one that breaks Little's law.
    let surpassed: Vec<DepthPoint> = [point(2), point(4), DepthPoint { iops: 32e3, ..point(8) }]
        .map(|p| DepthPoint { mean_latency_ns: f64::from(p.depth) * 1e9 / p.iops, ..p })
        .to_vec();
    assert_eq!(depth_ceiling(&surpassed), None);
    let unbelievable: Vec<DepthPoint> =
        points.iter().map(|p| DepthPoint { mean_latency_ns: 1e5, ..*p }).collect();
    assert_eq!(depth_ceiling(&unbelievable), None);
}

#[test]
fn block_sizes_tell_bandwidth_from_iops() {
    let points = sizes(fixture!("held_to_50_mb.sizes"));
    let cap = told(&CapInputs { sizes: &points, ..CapInputs::default() }).unwrap();
    assert_eq!((cap.kind, cap.confidence), (CapKind::Bandwidth, CapConfidence::Medium));
    assert!((cap.value / 50e6 - 1.0).abs() < 0.01, "{cap:?}");
    assert!(cap.to_string().contains("From blocks of 4 KiB to 1 MiB, the rate changes by 1.7 %"));
    let points = sizes(fixture!("held_to_3000.sizes"));
    let cap = told(&CapInputs { sizes: &points, ..CapInputs::default() }).unwrap();
    assert_eq!(cap.kind, CapKind::Iops);
    assert!((cap.value / 3000.0 - 1.0).abs() < 0.01, "{cap:?}");
    let points = sizes(fixture!("free.sizes"));
    assert_eq!(
        find_cap(&CapInputs { sizes: &points, ..CapInputs::default() }),
        CapFinding::NoneSeen
    );
}

/// gp3: 3,000 IOPS and 125 MiB/s, whichever comes first.
#[test]
fn both_caps_of_a_volume_are_told_apart() {
    let point = |block_bytes: u64| SizePoint {
        block_bytes,
        iops: (125.0 * 1048576.0 / block_bytes as f64).min(3000.0),
    };
    let points = [4096, 16384, 32768, 131072, 262144, 1 << 20].map(point);
    let found = size_ceilings(&points);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].kind, found[0].value, found[0].to_bytes), (CapKind::Iops, 3000.0, 32768));
    assert_eq!((found[1].kind, found[1].from_bytes), (CapKind::Bandwidth, 131072));
    assert_eq!(found[1].value, 125.0 * 1048576.0);
}

/// The humps that two neighbouring percentiles of a published result imply.
fn narrow_humps((from, from_ns): (f64, u64), (to, to_ns): (f64, u64)) -> Humps {
    let share_high = 1.0 - (from + to) / 200.0;
    let slow = share_high * to_ns as f64;
    Humps {
        low_ns: from_ns,
        high_ns: to_ns,
        share_high,
        time_share_high: slow / (slow + (1.0 - share_high) * from_ns as f64),
        gap_from_ns: from_ns,
        gap_to_ns: to_ns,
        high_spread: None,
    }
}

/// Case A: rates and the two percentiles that its author names.
#[test]
fn a_throttled_nas_is_told_from_rate_and_percentiles() {
    for (rate, from, to, nominal) in [
        (3007.0, (70.0, 750_000), (80.0, 9_900_000), 3000.0),
        (4010.0, (70.0, 640_000), (80.0, 9_600_000), 4000.0),
        (6016.0, (80.0, 680_000), (90.0, 9_800_000), 6000.0),
    ] {
        let humps = narrow_humps(from, to);
        let inputs = CapInputs {
            rate,
            block_bytes: Some(4096),
            humps: Some(&humps),
            ..CapInputs::default()
        };
        let cap = told(&inputs).unwrap();
        assert_eq!((cap.kind, cap.value, cap.nominal()), (CapKind::Iops, rate, Some(nominal)));
        assert_eq!(cap.confidence, CapConfidence::Medium);
    }
    // The disk of the same case: no humps, no round number, nothing to hold on to.
    let disk = CapInputs { rate: 806.0, block_bytes: Some(4096), ..CapInputs::default() };
    assert_eq!(find_cap(&disk), CapFinding::NotEnough);
}

/// The rate of a volume that others slow down, 80 I/Os a second on average by chance.
#[test]
fn a_volume_that_stalls_and_has_a_round_mean_is_not_capped() {
    let humps = narrow_humps((80.0, 84_400_000), (90.0, 1_640_000_000));
    let rates = [12.0, 310.0, 3.0, 41.0, 9.0, 160.0, 25.0, 80.0].repeat(5);
    let stalling = CapInputs {
        rate: 80.0,
        interval_s: 1.0,
        rates: &rates,
        block_bytes: Some(4096),
        humps: Some(&humps),
        ..CapInputs::default()
    };
    assert_eq!(told(&stalling), None);
    assert!(told(&CapInputs { rates: &[], ..stalling }).is_some(), "without intervals it is one");
}

/// Case D: a burst, then 3,000 IOPS.
#[test]
fn a_burst_names_the_cap_after_it() {
    let mut rates = vec![3000.0; 1200];
    rates[..5].fill(8682.0);
    let BurstFinding::Burst(burst) = find_burst(RateUnit::Ios, 0.1, &rates) else {
        panic!("no burst")
    };
    let seconds: Vec<f64> =
        rates.chunks(10).map(|tenths| tenths.iter().sum::<f64>() / 10.0).collect();
    let inputs = CapInputs {
        rate: 3024.6,
        interval_s: 1.0,
        rates: &seconds,
        block_bytes: Some(4096),
        burst: Some(&burst),
        ..CapInputs::default()
    };
    let cap = told(&inputs).unwrap();
    assert_eq!((cap.kind, cap.value, cap.confidence), (CapKind::Iops, 3000.0, CapConfidence::High));
}

#[test]
fn a_saw_tooth_is_enough() {
    let tenths: Vec<f64> = (0..200).map(|at| if at % 10 < 3 { 5000.0 } else { 0.0 }).collect();
    let SawToothFinding::SawTooth(tooth) = find_saw_tooth(0.1, &tenths) else { panic!("none") };
    let cap = told(&CapInputs { rate: 1500.0, saw_tooth: Some(&tooth), ..CapInputs::default() });
    let cap = cap.unwrap();
    assert_eq!((cap.value, cap.confidence), (1500.0, CapConfidence::Medium));
}

#[test]
fn a_flat_series_alone_is_only_flat() {
    let rates = Noise::new(1).white(9137.0, 0.001, 60);
    let finding = find_cap(&CapInputs { interval_s: 1.0, rates: &rates, ..CapInputs::default() });
    let CapFinding::OnlyFlat(flat) = &finding else { panic!("{finding:?}") };
    assert!((flat.rate / 9137.0 - 1.0).abs() < 0.001 && flat.variation < 0.002);
    assert!(finding.to_string().contains("a steady device looks the same"), "{finding}");
    // A round number does not make it more than a chance.
    let rates = Noise::new(1).white(9000.0, 0.001, 60);
    let finding = find_cap(&CapInputs { interval_s: 1.0, rates: &rates, ..CapInputs::default() });
    assert!(matches!(finding, CapFinding::OnlyFlat(_)), "{finding:?}");
}

#[test]
fn a_job_that_paced_itself_was_held_by_nobody_else() {
    let rates = [1000.0; 60];
    let mut inputs = CapInputs {
        interval_s: 1.0,
        rates: &rates,
        paced_to: Some(1000.0),
        ..CapInputs::default()
    };
    let finding = find_cap(&inputs);
    assert_eq!(finding, CapFinding::Paced { pace: 1000.0, unit: RateUnit::Ios });
    // Held below its own pace it may have a cap.
    inputs.paced_to = Some(4000.0);
    assert!(matches!(find_cap(&inputs), CapFinding::OnlyFlat(_)));
}

#[test]
fn round_numbers_are_those_that_are_sold() {
    let iops = |rate| nearest_round(RateUnit::Ios, rate);
    assert_eq!(iops(3007.0), Some(3000.0));
    assert_eq!(iops(16_010.0), Some(16_000.0));
    assert_eq!(iops(99_900.0), Some(100_000.0));
    assert_eq!(iops(3024.6), None);
    assert_eq!(iops(806.0), None);
    let bytes = |rate| nearest_round(RateUnit::Bytes, rate);
    assert_eq!(bytes(50.13e6), Some(50e6));
    assert_eq!(bytes(134.2e6), Some(128.0 * 1048576.0));
    assert_eq!(bytes(131.0e6), Some(125.0 * 1048576.0));
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!((iops(odd), bytes(odd)), (None, None));
    }
    // The share of rates that lie near one by chance, which is why it weighs so little.
    let mut noise = Noise::new(7);
    let near = (0..10_000).filter(|_| iops(100.0 * 1000f64.powf(noise.uniform())).is_some());
    let near = near.count();
    assert!((500..1000).contains(&near), "{near} of 10000");
}

/// A throttle whose slices slip between seconds on a busy machine.
#[test]
fn a_second_too_little_and_one_too_much_hide_no_cap() {
    let rates = [
        1001.0, 908.0, 1000.0, 1000.0, 900.0, 1000.0, 1018.0, 900.0, 1000.0, 1100.0, 1000.0, 1000.0,
    ];
    let finding = find_cap(&CapInputs { interval_s: 1.0, rates: &rates, ..CapInputs::default() });
    assert!(matches!(finding, CapFinding::Unclear { .. }), "{finding}");
    // With two more at the value it is flat but for what stands out.
    let rates = [&rates[..], &[1000.0; 4]].concat();
    let finding = find_cap(&CapInputs { interval_s: 1.0, rates: &rates, ..CapInputs::default() });
    assert!(matches!(finding, CapFinding::OnlyFlat(_)), "{finding}");
}

/// 80 IOPS of 64 KiB, and 20 of 4 KiB, as blkio limits that this process could not see gave them.
#[test]
fn a_slow_rate_that_is_even_to_the_io_is_a_cap() {
    let of = |rates: &[f64], block_bytes| {
        let block_bytes = Some(block_bytes);
        find_cap(&CapInputs { interval_s: 1.0, rates, block_bytes, ..CapInputs::default() })
    };
    let eighty = [87.0, 80.0, 80.0, 80.0, 80.0, 80.0, 80.0, 80.0, 80.0, 80.0, 80.0, 80.0];
    let twenty = [23.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 21.0, 20.0, 19.0, 20.0, 20.0];
    for (rates, value) in [(eighty, 80.0), (twenty, 20.0)] {
        let CapFinding::Capped(cap) = of(&rates, 4096) else { panic!("{value}") };
        assert_eq!((cap.kind, cap.value), (CapKind::Iops, value));
        assert_eq!(cap.confidence, CapConfidence::Medium);
        // A disk with a head reads large blocks in a row as evenly.
        assert!(matches!(of(&rates, 1 << 20), CapFinding::OnlyFlat(_)));
    }
    // A head that seeks is not as even, and thousands of I/Os are their average.
    let head = [80.0, 83.0, 76.0, 80.0, 85.0, 79.0, 77.0, 80.0, 82.0, 80.0, 74.0, 81.0];
    assert!(!matches!(of(&head, 4096), CapFinding::Capped(_)));
    let many: Vec<f64> = eighty.iter().map(|rate| rate * 100.0).collect();
    assert!(matches!(of(&many, 4096), CapFinding::OnlyFlat(_)));
}

/// 23 IOPS is no number that anybody sells; that I/Os wait before an idle device tells it.
#[test]
fn a_wait_in_this_machine_tells_a_cap_that_nobody_can_see() {
    let rates = [230.0; 12];
    let inputs = CapInputs {
        interval_s: 1.0,
        rates: &rates,
        block_bytes: Some(4096),
        latency: Some(LatencySpread { mean_ns: 3.5e7, deviation_ns: 1e5 }),
        ..CapInputs::default()
    };
    assert!(matches!(find_cap(&inputs), CapFinding::OnlyFlat(_)));
    let idle = DeviceTime { service_ns: 1e5, busy: 0.02, busiest_thread: 0.01 };
    let cap = told(&CapInputs { device: Some(idle), ..inputs }).unwrap();
    assert_eq!(
        (cap.kind, cap.value, cap.confidence),
        (CapKind::Iops, 230.0, CapConfidence::Medium)
    );
    let text = cap.to_string();
    assert!(text.contains("takes 35.0 ms, but only 100 us of it in the device"), "{text}");
    let busy = DeviceTime { busy: 0.9, ..idle };
    assert_eq!(told(&CapInputs { device: Some(busy), ..inputs }), None);
}

/// 230 IOPS of 32 KiB are 7.54 MB/s, and a limit of 7.5 MB/s makes 229.
#[test]
fn a_round_number_that_is_an_io_away_is_one_by_chance() {
    let of = |rate: f64| {
        let idle = DeviceTime { service_ns: 1e5, busy: 0.02, busiest_thread: 0.01 };
        told(&CapInputs {
            interval_s: 1.0,
            rates: &[rate; 12],
            block_bytes: Some(32 << 10),
            latency: Some(LatencySpread { mean_ns: 3.5e7, deviation_ns: 1e5 }),
            device: Some(idle),
            ..CapInputs::default()
        })
        .unwrap()
    };
    let either = of(230.0);
    assert_eq!((either.kind, either.value, either.or), (CapKind::Iops, 230.0, Some(7_536_640.0)));
    let bandwidth = of(229.0);
    assert_eq!((bandwidth.kind, bandwidth.or), (CapKind::Bandwidth, None));
}

/// 125 IOPS of 1 MiB are 125 MiB/s: only what is promised tells which of both is held.
#[test]
fn a_promise_tells_what_a_cap_counts() {
    let of = |promised| {
        let flat = CapInputs {
            interval_s: 1.0,
            rates: &[125.0; 12],
            block_bytes: Some(1 << 20),
            promised,
            ..CapInputs::default()
        };
        find_cap(&flat)
    };
    assert!(matches!(of(None), CapFinding::OnlyFlat(_)));
    let by = LimitSource::Provider;
    let promise = |unit, per_second| Some(PromisedRate { unit, per_second, by });
    let sold = |promised| {
        let CapFinding::Capped(cap) = of(promised) else { panic!("{promised:?}") };
        (cap.kind, cap.value, cap.or, cap.nominal(), cap.confidence)
    };
    let bytes = 131_072_000.0;
    assert_eq!(
        sold(promise(RateUnit::Bytes, bytes)),
        (CapKind::Bandwidth, bytes, None, Some(bytes), CapConfidence::Medium)
    );
    assert_eq!(
        sold(promise(RateUnit::Ios, 125.5)),
        (CapKind::Iops, 125.0, None, Some(125.5), CapConfidence::Medium)
    );
    // Another promise says nothing.
    assert!(matches!(of(promise(RateUnit::Ios, 250.0)), CapFinding::OnlyFlat(_)));
    let cap = of(promise(RateUnit::Bytes, bytes)).to_string();
    assert!(cap.contains("125 MiB/s is the promised rate"), "{cap}");
    let by = LimitSource::Hand;
    let limit = of(Some(PromisedRate { unit: RateUnit::Bytes, per_second: bytes, by })).to_string();
    assert!(limit.contains("125 MiB/s is the limit given by hand"), "{limit}");
    assert!(!limit.contains("promise"), "{limit}");
}

/// A neighbour's noise ends in a step as a bucket does; what lasts after it is not as even.
#[test]
fn a_burst_alone_names_no_cap_where_the_rest_is_uneven() {
    let told_with = |noise: f64| {
        let mut rates = Noise::new(3).white(3000.0, noise, 24);
        rates[..8].fill(9100.0);
        let burst = Burst {
            unit: RateUnit::Ios,
            burst_rate: 9100.0,
            sustained_rate: 3127.0,
            step_at_s: 8.0,
            drain_s: 8.0,
            bucket: 48_000.0,
        };
        told(&CapInputs {
            interval_s: 1.0,
            rates: &rates,
            block_bytes: Some(4096),
            burst: Some(&burst),
            ..CapInputs::default()
        })
    };
    assert!(told_with(0.002).is_some());
    assert_eq!(told_with(0.08), None);
}

/// 20 MB/s in blocks of 256 KiB: 76 I/Os a second, and one more or less is more than 1 %.
#[test]
fn a_slow_cap_is_flat_within_one_io() {
    let rates = [77.0, 76.0, 76.0, 83.0, 70.0, 76.0, 77.0, 76.0, 76.0, 77.0, 76.0, 76.0];
    let flat = flat_ceiling(RateUnit::Ios, &rates, 1.0).unwrap();
    assert_eq!(flat.rate, 76.0);
    assert_eq!(flat_ceiling(RateUnit::Ios, &rates, 0.0), None);
}

#[test]
fn a_limit_that_is_set_and_reached_needs_no_other_sign() {
    let limit = |reached: f64| KnownLimit {
        unit: RateUnit::Bytes,
        per_second: 20e6,
        reached,
        others: 0.0,
        group: "/pod".to_owned(),
        both_ways: false,
    };
    let inputs = CapInputs { rate: 76.0, block_bytes: Some(262_144), ..CapInputs::default() };
    let held = [limit(19.9e6)];
    let cap = told(&CapInputs { limits: &held, ..inputs }).unwrap();
    assert_eq!(
        (cap.kind, cap.confidence, cap.value),
        (CapKind::Bandwidth, CapConfidence::High, 19.9e6)
    );
    assert_eq!(
        cap.to_string(),
        "The control group /pod holds the rate at 20 MB/s.",
        "one figure: what is set"
    );
    // Neither far below it nor beyond it is it what holds.
    for reached in [10e6, 30e6] {
        let free = [limit(reached)];
        assert_eq!(told(&CapInputs { limits: &free, ..inputs }), None);
    }
}

#[test]
fn one_block_size_does_not_tell_iops_from_bandwidth_where_both_are_round() {
    let rates = [1000.0; 12];
    let tooth = SawTooth { period_s: 1.0, busiest_quarter: 0.9, agreement: 0.9 };
    let inputs = CapInputs {
        interval_s: 1.0,
        rates: &rates,
        block_bytes: Some(256 << 10),
        saw_tooth: Some(&tooth),
        ..CapInputs::default()
    };
    let cap = told(&inputs).unwrap();
    assert_eq!((cap.kind, cap.value, cap.or), (CapKind::Iops, 1000.0, Some(262_144_000.0)));
    assert!(cap.to_string().contains("another block size would tell which"), "{cap}");
    let small = told(&CapInputs { block_bytes: Some(4096), ..inputs }).unwrap();
    assert_eq!((small.kind, small.or), (CapKind::Iops, None));
}

#[test]
fn what_the_job_pauses_is_no_cap() {
    let rates = [952.0; 12];
    let inputs = CapInputs {
        interval_s: 1.0,
        rates: &rates,
        think_share: Some(0.95),
        ..CapInputs::default()
    };
    assert_eq!(find_cap(&inputs), CapFinding::Thinks { share: 0.95 });
}

#[test]
fn round_values_are_told_whole() {
    let mib = |value: f64| round_text(value * 1048576.0, RateUnit::Bytes);
    let texts = [125.0, 200.0, 250.0, 750.0, 1000.0].map(mib);
    assert_eq!(texts, ["125 MiB/s", "200 MiB/s", "250 MiB/s", "750 MiB/s", "1,000 MiB/s"]);
}
