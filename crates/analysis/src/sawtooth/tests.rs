//! Real and artificial saw-teeth, and how rarely noise is taken for one.

use super::*;
use crate::noise::{Noise, assert_whole, fixture, series};
use proptest::prelude::*;

fn told(interval_s: f64, rates: &[f64]) -> Option<SawTooth> {
    match find_saw_tooth(interval_s, rates) {
        SawToothFinding::SawTooth(tooth) => Some(tooth),
        _ => None,
    }
}

/// Seconds in tenths: `fast` of them do all the work, beginning at `phase`.
fn teeth(seconds: usize, fast: usize, phase: usize, rate: f64) -> Vec<f64> {
    let one = |at: usize| if (at + phase) % 10 < fast { rate * 10.0 / fast as f64 } else { 0.0 };
    (0..seconds * 10).map(one).collect()
}

#[test]
fn tokens_spent_at_the_start_of_each_second() {
    let tooth = told(0.1, &teeth(20, 2, 3, 3000.0)).unwrap();
    assert_eq!((tooth.period_s, tooth.busiest_quarter), (1.0, 1.0));
    assert_whole(&SawToothFinding::SawTooth(tooth.clone()));
    assert!(tooth.agreement > 0.99, "{tooth:?}");
    assert_eq!(
        tooth.to_string(),
        "The rate is a saw-tooth of 1 s: a quarter of each period does 100 % of its work and the \
         rest waits, as where a limit hands out its tokens by the clock."
    );
}

#[test]
fn the_slices_of_a_real_throttle() {
    let tooth = told(0.01, &series(fixture!("held_to_3000.ten_ms"))).unwrap();
    assert_eq!(tooth.period_s, 0.1);
    assert!(tooth.busiest_quarter > 0.9, "{tooth:?}");
}

#[test]
fn what_is_no_saw_tooth() {
    let trend: Vec<f64> = (0..300).map(f64::from).collect();
    let slow_wave: Vec<f64> = (0..600).map(|at| 5.0 + (f64::from(at) / 50.0).sin()).collect();
    let gentle: Vec<f64> = (0..600).map(|at| 5.0 + (f64::from(at) * 0.628).sin()).collect();
    for rates in [trend, slow_wave, gentle, vec![3000.0; 300], vec![0.0; 300]] {
        assert_eq!(find_saw_tooth(0.1, &rates), SawToothFinding::NoneSeen);
    }
    for rates in [fixture!("free_depth_32.seconds"), fixture!("free_depth_1_a.seconds")] {
        assert_eq!(told(0.1, &series(rates)), None);
    }
}

#[test]
fn noise_is_rarely_taken_for_a_saw_tooth() {
    let mut alarms = 0;
    for seed in 0..2000 {
        let mut noise = Noise::new(seed);
        let memory = [0.0, 0.5, 0.9, 0.99][seed as usize % 4];
        let cv = [0.1, 0.5, 2.0][seed as usize % 3];
        let rounds = [80, 100, 200, 600][(seed / 4) as usize % 4];
        alarms += u32::from(told(0.1, &noise.wandering(5e3, cv, memory, rounds)).is_some());
    }
    assert!(alarms <= 4, "{alarms} of 2000; 0.2 % is allowed");
}

#[test]
fn little_input_is_an_answer() {
    for (interval_s, rates) in [
        (0.1, vec![]),
        (0.1, vec![1.0; 79]),
        (1.0, vec![1.0; 500]),
        (0.3, vec![1.0; 500]),
        (0.0, vec![1.0; 500]),
        (f64::NAN, vec![1.0; 500]),
    ] {
        assert_eq!(find_saw_tooth(interval_s, &rates), SawToothFinding::NotEnough);
    }
    assert_eq!(SawToothFinding::NotEnough.tone(), Tone::Note);
}

proptest! {
    /// Found through noise and at any phase; rates times k change nothing.
    #[test]
    fn teeth_are_found_and_scale(
        seed in any::<u64>(), fast in 1usize..5, phase in 0usize..10, seconds in 8usize..60,
        cv in 0.0..0.3f64, k in 1e-6..1e9f64,
    ) {
        let rates = Noise::new(seed).over(&teeth(seconds, fast, phase, 3000.0), cv);
        let tooth = told(0.1, &rates);
        prop_assert!(tooth.is_some());
        let scaled: Vec<f64> = rates.iter().map(|rate| rate * k).collect();
        let (tooth, scaled) = (tooth.unwrap(), told(0.1, &scaled).unwrap());
        prop_assert!((tooth.busiest_quarter - scaled.busiest_quarter).abs() < 1e-9);
    }

    #[test]
    fn any_input_is_survived(
        rates in proptest::collection::vec(any::<f64>(), 0..200), interval_s in any::<f64>(),
    ) {
        for interval_s in [interval_s, 0.1] {
            assert_whole(&find_saw_tooth(interval_s, &rates));
        }
    }
}
