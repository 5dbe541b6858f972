//! Paced jobs that kept up, that waited, and that could not.

use super::*;
use crate::noise::assert_whole;
use proptest::prelude::*;

fn times(mean_us: f64, p99_us: f64) -> TimeFigures {
    TimeFigures { mean_ns: mean_us * 1e3, p99_ns: p99_us * 1e3 }
}

fn kept_up() -> OpenLoopInputs {
    OpenLoopInputs {
        target_iops: 1000.0,
        achieved_iops: 999.0,
        wait: times(5.0, 20.0),
        service: times(300.0, 900.0),
        response: times(305.0, 910.0),
        backlog_ios: 0,
    }
}

#[test]
fn a_rate_that_is_kept_has_a_response_time() {
    let finding = find_open_loop(&kept_up());
    assert!(matches!(finding, OpenLoopFinding::KeptUp { .. }), "{finding}");
    assert_eq!(finding.tone(), Tone::Good);
    assert_eq!(
        finding.to_string(),
        "At 1,000 IOPS users wait 305 us on average and 910 us at p99, nearly all of it service: \
         the planned rate was kept."
    );
}

#[test]
fn a_rate_that_is_missed_is_overload() {
    let finding =
        find_open_loop(&OpenLoopInputs { achieved_iops: 700.0, backlog_ios: 9000, ..kept_up() });
    assert_eq!(finding.tone(), Tone::Bad);
    assert_eq!(
        finding.to_string(),
        "Overload: 700 IOPS of the planned 1,000 IOPS were done (70 %), so response times grow for \
         as long as one measures; 9,000 I/Os were left waiting."
    );
    let at = |share: f64| {
        let inputs = OpenLoopInputs { achieved_iops: 1000.0 * share, ..kept_up() };
        matches!(find_open_loop(&inputs), OpenLoopFinding::Overload { .. })
    };
    assert_eq!([at(0.96), at(0.969), at(0.971), at(1.05)], [true, true, false, false]);
    // The rate over the whole run may hide that it fell behind at the end.
    let behind = OpenLoopInputs { backlog_ios: 1000, ..kept_up() };
    assert!(matches!(find_open_loop(&behind), OpenLoopFinding::Overload { .. }));
    let burst = OpenLoopInputs { backlog_ios: 30, ..kept_up() };
    assert!(matches!(find_open_loop(&burst), OpenLoopFinding::KeptUp { .. }));
}

/// One stall of a second in a minute at 1,000 IOPS: 1,000 I/Os of 60,000 wait half a second.
#[test]
fn a_stall_shows_in_the_response_and_not_in_the_service() {
    let finding = find_open_loop(&OpenLoopInputs {
        wait: times(8300.0, 400_000.0),
        service: times(320.0, 900.0),
        response: times(8620.0, 400_300.0),
        ..kept_up()
    });
    let OpenLoopFinding::Waited { wait_share, .. } = finding else { panic!("{finding}") };
    assert!((wait_share - 0.963).abs() < 0.001);
    assert_eq!(finding.tone(), Tone::Warning);
    assert_eq!(
        finding.to_string(),
        "At 1,000 IOPS users wait 8.62 ms on average and 400 ms at p99, 96 % of the mean before \
         the I/O is even submitted; service alone is 320 us and 900 us."
    );
    let tail_only =
        OpenLoopInputs { wait: times(20.0, 5000.0), response: times(320.0, 5400.0), ..kept_up() };
    assert!(matches!(find_open_loop(&tail_only), OpenLoopFinding::Waited { .. }));
}

#[test]
fn little_input_is_an_answer() {
    let finding = find_open_loop(&OpenLoopInputs::default());
    assert_eq!((&finding, finding.tone()), (&OpenLoopFinding::NotEnough, Tone::Note));
    for odd in [f64::NAN, -1.0, f64::INFINITY] {
        let target = OpenLoopInputs { target_iops: odd, ..kept_up() };
        let achieved = OpenLoopInputs { achieved_iops: odd, ..kept_up() };
        assert_eq!(find_open_loop(&target), OpenLoopFinding::NotEnough);
        assert_eq!(find_open_loop(&achieved), OpenLoopFinding::NotEnough);
    }
    let nothing_done = OpenLoopInputs { achieved_iops: 0.0, ..kept_up() };
    assert!(matches!(find_open_loop(&nothing_done), OpenLoopFinding::Overload { .. }));
}

proptest! {
    /// Rates times k and times over k: the same verdict.
    #[test]
    fn verdicts_do_not_depend_on_the_scale(
        share in 0.0..1.2f64, wait in 0.0..1e6f64, service in 1.0..1e6f64, k in 1e-3..1e3f64,
    ) {
        let of = |k: f64| find_open_loop(&OpenLoopInputs {
            target_iops: 1000.0 * k,
            achieved_iops: 1000.0 * share * k,
            wait: times(wait / k, 3.0 * wait / k),
            service: times(service / k, 3.0 * service / k),
            response: times((wait + service) / k, 3.0 * (wait + service) / k),
            backlog_ios: 0,
        });
        prop_assume!((share - REACHED).abs() > 1e-6 && (wait / (wait + service) - WAITS).abs() > 1e-6);
        prop_assert_eq!(of(1.0).tone(), of(k).tone());
    }

    #[test]
    fn any_input_is_survived(rates in any::<[f64; 2]>(), ns in any::<[f64; 6]>(), backlog in any::<u64>()) {
        let time = |at: usize| TimeFigures { mean_ns: ns[at], p99_ns: ns[at + 1] };
        let finding = find_open_loop(&OpenLoopInputs {
            target_iops: rates[0],
            achieved_iops: rates[1],
            wait: time(0),
            service: time(2),
            response: time(4),
            backlog_ios: backlog,
        });
        assert_whole(&finding);
        if let OpenLoopFinding::Waited { wait_share: share, .. }
            | OpenLoopFinding::Overload { achieved_share: share, .. } = finding
        {
            prop_assert!((0.0..=1.0).contains(&share));
        }
    }
}
