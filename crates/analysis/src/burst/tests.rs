//! Real and artificial bursts, and how rarely noise is taken for one.

use super::*;
use crate::noise::{Noise, assert_whole, fixture, series};
use proptest::prelude::*;

fn told(interval_s: f64, rates: &[f64]) -> Option<Burst> {
    match find_burst(RateUnit::Ios, interval_s, rates) {
        BurstFinding::Burst(burst) => Some(burst),
        _ => None,
    }
}

fn steps(levels: &[(f64, usize)]) -> Vec<f64> {
    levels.iter().flat_map(|(level, rounds)| vec![*level; *rounds]).collect()
}

#[test]
fn eight_thousand_and_then_three_thousand() {
    let burst = told(1.0, &steps(&[(8000.0, 12), (3000.0, 48)])).unwrap();
    assert_whole(&BurstFinding::Burst(burst.clone()));
    assert_eq!((burst.burst_rate, burst.sustained_rate), (8000.0, 3000.0));
    assert_eq!((burst.step_at_s, burst.drain_s, burst.bucket), (12.0, 12.0, 60_000.0));
    assert_eq!(
        burst.to_string(),
        "A burst of 8,000 IOPS for 12 s ended 12 s into the run; what lasts is 3,000 IOPS. It let \
         through 60,000 I/Os above that rate, which is what the bucket held."
    );
    assert_eq!(burst.tone(), Tone::Warning);
}

#[test]
fn a_limit_that_was_lowered_on_a_real_device() {
    let burst = told(1.0, &series(fixture!("lowered_from_8000_to_3000.seconds"))).unwrap();
    assert_eq!(burst.burst_rate, 8000.0);
    assert!((2950.0..3050.0).contains(&burst.sustained_rate), "{burst:?}");
    assert_eq!(burst.step_at_s, 12.0);
    assert!((59_000.0..62_000.0).contains(&burst.bucket), "{burst:?}");
}

/// Case D: a gp3 volume of 3,000 IOPS for 120 s: least 1,557, most 8,682, mean 3,024.6.
#[test]
fn the_short_burst_of_a_gp3_volume() {
    // Samples of 500 ms, as the source's tool takes them: two of burst, one of the least.
    let rest = (3024.6 * 240.0 - 2.0 * 8682.0 - 1557.0) / 237.0;
    let mut halves = steps(&[(8682.0, 2), (rest, 238)]);
    halves[100] = 1557.0;
    // Samples of 100 ms: the whole excess over 3,000 is half a second of burst.
    let rest = (3024.6 * 1200.0 - 5.0 * 8682.0 - 1557.0) / 1194.0;
    let mut tenths = steps(&[(8682.0, 5), (rest, 1195)]);
    tenths[700] = 1557.0;
    for (interval_s, rates) in [(0.5, halves), (0.1, tenths)] {
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        assert!((mean - 3024.6).abs() < 1e-6);
        for seed in 0..20 {
            let mut noisy = Noise::new(seed).over(&rates, 0.02);
            noisy[0] = 8682.0;
            let burst = told(interval_s, &noisy).unwrap();
            assert!((burst.sustained_rate - 3000.0).abs() < 30.0, "{burst:?}");
            assert!((burst.burst_rate - 8682.0).abs() < 400.0, "{burst:?}");
            assert!(burst.step_at_s <= 1.0, "{burst:?}");
        }
    }
}

#[test]
fn of_several_steps_the_greatest_drop_is_told() {
    let burst = told(1.0, &steps(&[(16e3, 20), (12e3, 20), (3e3, 30)])).unwrap();
    assert_eq!((burst.burst_rate, burst.sustained_rate), (12e3, 3e3));
    assert_eq!((burst.step_at_s, burst.drain_s), (40.0, 20.0));
    assert_eq!(burst.bucket, 180e3);
}

#[test]
fn the_round_in_which_it_ran_dry_spoils_neither_plateau() {
    for between in [7000.0, 5500.0, 4000.0] {
        for high in [2, 3, 30] {
            let rates = steps(&[(8000.0, high), (between, 1), (3000.0, 30)]);
            let burst = told(1.0, &rates).unwrap();
            assert_eq!(burst.sustained_rate, 3000.0, "{between} after {high}");
        }
    }
}

#[test]
fn a_hiccup_hides_no_burst() {
    let mut rates = steps(&[(8000.0, 15), (3000.0, 15)]);
    rates[7] = 0.0;
    rates[20] = 9000.0;
    let burst = told(1.0, &rates).unwrap();
    assert_eq!((burst.burst_rate, burst.sustained_rate, burst.step_at_s), (8000.0, 3000.0, 15.0));
}

#[test]
fn what_is_no_burst() {
    let step_up = steps(&[(3000.0, 20), (8000.0, 20)]);
    let dip = steps(&[(8000.0, 20), (3000.0, 20), (8000.0, 20)]);
    let spike = steps(&[(8000.0, 1), (3000.0, 50)]);
    let torn_end = steps(&[(3000.0, 30), (390.0, 1)]);
    let drift: Vec<f64> = (0..100).map(|at| 8000.0 - 50.0 * f64::from(at)).collect();
    for rates in [step_up, dip, spike, torn_end, drift, vec![0.0; 20], vec![3000.0; 20]] {
        assert_eq!(told(1.0, &rates), None, "{rates:?}");
    }
    let nothing = find_burst(RateUnit::Ios, 1.0, &[3000.0; 60]);
    assert_eq!(nothing.tone(), Tone::Good);
    assert!(nothing.to_string().starts_with("No burst ended within 60 s"));
}

#[test]
fn noise_of_real_devices_is_no_burst() {
    for rates in [
        fixture!("held_to_3000.seconds"),
        fixture!("free_depth_32.seconds"),
        fixture!("free_depth_1_a.seconds"),
        fixture!("free_depth_1_b.seconds"),
        fixture!("free_depth_1_c.seconds"),
        fixture!("free_depth_1_d.seconds"),
    ] {
        assert_eq!(told(1.0, &series(rates)), None);
    }
}

/// A fresh SSD that fills up: full speed, then a decay to a noisy level.
fn write_cliff(noise: &mut Noise, fast: usize, fade: f64, rounds: usize) -> Vec<f64> {
    let level = |at: usize| match at.checked_sub(fast) {
        None => 80e3,
        Some(since) => 20e3 + 60e3 * (-(since as f64) / fade).exp(),
    };
    let shape: Vec<f64> = (0..rounds).map(level).collect();
    noise.over(&shape, 0.15)
}

#[test]
fn an_ssd_that_fades_is_no_burst() {
    let mut alarms = 0;
    for seed in 0..500 {
        let mut noise = Noise::new(seed);
        let (fast, fade) = ((seed % 40) as usize, 5.0 + (seed % 7) as f64 * 10.0);
        alarms += u32::from(told(1.0, &write_cliff(&mut noise, fast, fade, 180)).is_some());
    }
    assert!(alarms <= 5, "{alarms} of 500 fading SSDs taken for a burst; 1 % is allowed");
}

/// Alarms in a thousand series of each kind.
fn alarms_in_1000(make: impl Fn(&mut Noise, usize) -> Vec<f64>) -> usize {
    let lengths = [4, 5, 6, 8, 12, 20, 60, 120, 180, 600];
    let series = (0..1000).map(|seed| make(&mut Noise::new(seed), lengths[seed as usize % 10]));
    series.filter(|rates| told(1.0, rates).is_some()).count()
}

#[test]
fn noise_is_rarely_taken_for_a_burst() {
    for cv in [0.01, 0.05, 0.1, 0.2, 0.5, 1.0] {
        let alarms = alarms_in_1000(|noise, rounds| noise.white(5000.0, cv, rounds));
        assert!(alarms <= 5, "{alarms} of 1000 white series, deviation {cv}; 0.5 % is allowed");
        for memory in [0.5, 0.8, 0.95] {
            let alarms =
                alarms_in_1000(|noise, rounds| noise.wandering(5000.0, cv, memory, rounds));
            assert!(
                alarms <= 10,
                "{alarms} of 1000 wandering series, deviation {cv}, memory {memory}; 1 % is allowed"
            );
        }
    }
    for fall in [0.2, 0.5, 0.9] {
        let alarms = alarms_in_1000(|noise, rounds| {
            let line: Vec<f64> =
                (0..rounds).map(|at| 5e3 * (1.0 - fall * at as f64 / rounds as f64)).collect();
            noise.over(&line, 0.05)
        });
        assert!(alarms <= 5, "{alarms} of 1000 drifts by {fall}; 0.5 % is allowed");
    }
}

#[test]
fn little_input_is_an_answer() {
    for rates in [vec![], vec![3000.0], vec![8e3, 8e3, 3e3], vec![f64::NAN; 9]] {
        let finding = find_burst(RateUnit::Ios, 1.0, &rates);
        assert!(matches!(finding, BurstFinding::NotEnough { .. }), "{finding:?}");
        assert_eq!(finding.tone(), Tone::Note);
    }
    for interval_s in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let finding = find_burst(RateUnit::Ios, interval_s, &[5.0; 9]);
        assert!(matches!(finding, BurstFinding::NotEnough { .. }), "{finding:?}");
    }
}

proptest! {
    /// Told where the plateaus are, whatever the noise up to a tenth.
    #[test]
    fn a_step_is_found_through_noise(
        seed in any::<u64>(), high in 5usize..60, low in 5usize..120,
        times in 1.6..20.0f64, cv in 0.0..0.06f64,
    ) {
        let shape = steps(&[(3000.0 * times, high), (3000.0, low)]);
        let burst = told(1.0, &Noise::new(seed).over(&shape, cv));
        prop_assert!(burst.is_some() || cv > 0.03, "deviation {} hides it", cv);
        if let Some(burst) = burst {
            prop_assert!((burst.step_at_s - high as f64).abs() <= 1.0, "{burst:?}");
            prop_assert!((burst.burst_rate / (3000.0 * times) - 1.0).abs() < 3.0 * cv + 1e-9);
            prop_assert!((burst.sustained_rate / 3000.0 - 1.0).abs() < 3.0 * cv + 1e-9);
        }
    }

    /// Rates times k: rates and bucket times k, times unchanged. Intervals times k: times too.
    #[test]
    fn it_scales(seed in any::<u64>(), k in 1e-6..1e9f64, high in 3usize..20) {
        let shape = steps(&[(8000.0, high), (3000.0, 30)]);
        let rates = Noise::new(seed).over(&shape, 0.03);
        let Some(burst) = told(1.0, &rates) else { return Ok(()) };
        let scaled: Vec<f64> = rates.iter().map(|rate| rate * k).collect();
        let larger = told(2.0, &scaled).unwrap();
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        prop_assert!(close(larger.burst_rate, burst.burst_rate * k));
        prop_assert!(close(larger.sustained_rate, burst.sustained_rate * k));
        prop_assert!(close(larger.bucket, burst.bucket * k * 2.0));
        prop_assert_eq!(larger.step_at_s, burst.step_at_s * 2.0);
        prop_assert_eq!(larger.drain_s, burst.drain_s * 2.0);
    }

    #[test]
    fn any_input_is_survived(rates in proptest::collection::vec(any::<f64>(), 0..60), s in any::<f64>()) {
        let finding = find_burst(RateUnit::Bytes, s, &rates);
        assert_whole(&finding);
        if let BurstFinding::Burst(burst) = &finding {
            let figures = [burst.burst_rate, burst.sustained_rate, burst.bucket, burst.drain_s];
            prop_assert!(figures.iter().all(|figure| figure.is_finite()), "{:?}", burst);
        }
    }
}

#[test]
fn a_burst_that_the_device_limits_may_be_uneven() {
    let halves = |seconds: &[f64]| -> Vec<f64> {
        seconds.iter().flat_map(|rate| [rate * 1.02, rate * 0.98]).collect()
    };
    let lasts = [1000.0; 9];
    let first = [2379.0, 3104.0, 2679.0, 2529.0, 2581.0, 2460.0];
    let burst = told(0.5, &halves(&[&first[..], &lasts].concat())).unwrap();
    assert!((burst.sustained_rate - 1000.0).abs() < 30.0, "{burst:?}");
    assert!((burst.burst_rate - 2555.0).abs() < 150.0, "{burst:?}");
    assert!((burst.step_at_s - 6.0).abs() <= 0.5, "{burst:?}");
    // One that varies fivefold.
    let first = [105e3, 509e3, 320e3, 180e3, 450e3, 260e3];
    let burst = told(0.5, &halves(&[&first[..], &[3000.0; 9]].concat())).unwrap();
    assert!((burst.sustained_rate - 3000.0).abs() < 90.0, "{burst:?}");
    // What decays to where it stays has no edge.
    let decay: Vec<f64> = (0..40).map(|at| 1000.0 + 4000.0 * 0.93f64.powi(at)).collect();
    assert_eq!(told(0.5, &decay), None);
}

/// Levels of 8,000 and 3,000 whose second half of a second varies by so much.
#[test]
fn what_lasts_after_a_burst_is_as_even_as_a_throttle() {
    let told_with = |noise: f64| {
        let after = Noise::new(5).white(3000.0, noise, 24);
        told(0.5, &[Noise::new(6).white(8000.0, 0.02, 12), after].concat())
    };
    assert!(told_with(0.03).is_some());
    assert_eq!(told_with(0.09), None);
}

/// Real ones, in halves of a second: limits that were lowered while other programs used the
/// processors, so that slips of the throttle are larger than the step.
#[test]
fn a_step_of_a_tenth_between_exact_levels_is_told() {
    let slips: &[f64] = &[
        4002.0, 4000.0, 4000.0, 4000.0, 3498.0, 4502.0, 4000.0, 3916.0, 3444.0, 4640.0, 4000.0,
        4000.0, 4000.0, 3664.0, 3174.0, 4026.0, 3600.0, 3600.0, 3600.0, 3600.0, 3600.0, 3600.0,
        3600.0, 3600.0, 3600.0, 3254.0, 3946.0, 3600.0, 3594.0, 3600.0, 3600.0, 3600.0, 3600.0,
        3600.0, 3600.0, 3600.0,
    ];
    let third: &[f64] = &[
        1502.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0, 1500.0,
        1500.0, 1500.0, 1024.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 982.0,
        1018.0, 1000.0, 1000.0, 912.0, 1088.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 902.0,
        1098.0, 1000.0, 1000.0,
    ];
    for (rates, from, to) in [(slips, 4000.0, 3600.0), (third, 1500.0, 1000.0)] {
        let burst = told(0.5, rates).expect("a step");
        assert!((burst.burst_rate / from - 1.0).abs() < 0.01, "{burst:?}");
        assert!((burst.sustained_rate / to - 1.0).abs() < 0.01, "{burst:?}");
        assert!((burst.step_at_s - 6.5).abs() <= 1.0, "{burst:?}");
    }
}

/// A throttle that lets through in one half of a second what it held up in the one before.
fn slipping(noise: &mut Noise, rates: &[f64], often: f64) -> Vec<f64> {
    let mut rates = rates.to_vec();
    for at in 1..rates.len() {
        if noise.uniform() < often {
            let late = rates[at - 1] * (0.05 + 0.2 * noise.uniform());
            (rates[at - 1], rates[at]) = (rates[at - 1] - late, rates[at] + late);
        }
    }
    rates
}

#[test]
fn steps_between_levels_that_slip_are_told() {
    for (from, to, often) in [(4000.0, 3600.0, 0.1), (1500.0, 1000.0, 0.25), (3000.0, 2000.0, 0.25)]
    {
        let told = |seed: u64| {
            let rates = steps(&[(from, 12), (to, 18)]);
            let rates = slipping(&mut Noise::new(seed), &rates, often);
            let burst = told(0.5, &rates)?;
            Some((burst.sustained_rate / to - 1.0).abs() < 0.03 && burst.step_at_s >= 5.0)
        };
        let found: Vec<bool> = (0..200).filter_map(told).collect();
        let right = found.iter().filter(|right| **right).count();
        assert!(right >= 170, "{from} to {to}: {right} of 200");
        assert!(found.len() - right <= 10, "{from} to {to}: {} wrong", found.len() - right);
    }
}

#[test]
fn a_small_step_of_few_ios_is_not_told() {
    // Two I/Os of 40 in each half of a second are chance.
    assert_eq!(told(0.5, &steps(&[(80.0, 15), (74.0, 15)])), None);
}

/// Noise of which single intervals are many times the deviation off.
fn heavy_tailed(noise: &mut Noise, cv: f64, rounds: usize) -> Vec<f64> {
    let state = |noise: &mut Noise| {
        // Student's t with two degrees of freedom: its variance is infinite.
        let u = 2.0 * noise.uniform() - 1.0;
        u * (2.0 / (1.0 - u * u).max(1e-9)).sqrt()
    };
    (0..rounds).map(|_| (5000.0 * (1.0 + cv * state(noise))).max(0.0)).collect()
}

#[test]
fn neither_exact_noise_nor_tails_nor_drifts_are_taken_for_a_step() {
    let falls = |fall: f64, power: i32| {
        move |at: usize, rounds: usize| 1.0 - fall * (at as f64 / rounds as f64).powi(power)
    };
    for cv in [0.001, 0.005, 0.02] {
        let tails = alarms_in_1000(|noise, rounds| heavy_tailed(noise, cv, rounds));
        assert!(tails <= 10, "{tails} of 1000 heavy-tailed series, {cv}; 1 % is allowed");
        for memory in [0.5, 0.8, 0.95] {
            let alarms =
                alarms_in_1000(|noise, rounds| noise.wandering(5000.0, cv, memory, rounds));
            assert!(alarms <= 10, "{alarms} of 1000 series, {cv}, memory {memory}; 1 % is allowed");
        }
        for (fall, power) in [(0.1, 1), (0.4, 1), (0.3, 3)] {
            let level = falls(fall, power);
            let alarms = alarms_in_1000(|noise, rounds| {
                let line: Vec<f64> = (0..rounds).map(|at| 5e3 * level(at, rounds)).collect();
                noise.over(&line, cv)
            });
            assert!(
                alarms <= 10,
                "{alarms} of 1000 drifts by {fall}, {power}, {cv}; 1 % is allowed"
            );
        }
    }
}
