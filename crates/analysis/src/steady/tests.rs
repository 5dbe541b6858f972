//! Both rules at their edges, the moment of steady state, and the division into rounds.

use super::*;
use crate::Tone;
use proptest::prelude::*;

fn judge(rounds: &[f64]) -> Steadiness {
    Steadiness::of(rounds, 60.0, SteadyRule::default())
}

fn verdict(steadiness: &Steadiness) -> &'static str {
    match steadiness.state {
        SteadyState::Attained { .. } => "attained",
        SteadyState::Left { .. } => "left",
        SteadyState::NotAttained { .. } => "not attained",
        SteadyState::NotEnough { .. } => "not enough",
    }
}

#[test]
fn each_rule_at_its_edge() {
    // The range may be 20 % of the mean …
    assert_eq!(verdict(&judge(&[100.0, 90.0, 100.0, 110.0, 100.0])), "attained");
    assert_eq!(verdict(&judge(&[100.0, 89.5, 100.0, 110.0, 100.5])), "not attained");
    // … and the line may rise by 10 % of it, or fall.
    assert_eq!(verdict(&judge(&[95.0, 97.5, 100.0, 102.5, 105.0])), "attained");
    assert_eq!(verdict(&judge(&[105.0, 102.5, 100.0, 97.5, 95.0])), "attained");
    assert_eq!(verdict(&judge(&[94.0, 97.0, 100.0, 103.0, 106.0])), "not attained");
    assert_eq!(verdict(&judge(&[106.0, 103.0, 100.0, 97.0, 94.0])), "not attained");
}

#[test]
fn the_window_says_what_it_saw() {
    // Least squares by hand: slope (-2 * 98 - 99 + 101 + 2 * 103) / 10 = 1.2, times four rounds.
    let Steadiness { state: SteadyState::Attained { window }, .. } =
        judge(&[98.0, 99.0, 99.0, 101.0, 103.0])
    else {
        panic!("steady by both rules")
    };
    assert_eq!((window.mean, window.range_percent), (100.0, 5.0));
    assert!((window.slope_percent - 4.8).abs() < 1e-9);
    assert_eq!(
        (window.start_s, window.end_s, window.rounds, window.round_s),
        (0.0, 300.0, 5, 60.0)
    );
}

#[test]
fn a_fresh_disk_settles() {
    // Random writes on an SSD out of the box: fast, the cliff, then even.
    let found = judge(&[900.0, 850.0, 400.0, 210.0, 200.0, 190.0, 205.0, 200.0, 195.0, 200.0]);
    assert_eq!(found.attained_at_s(), Some(8.0 * 60.0));
    assert_eq!(
        found.to_string(),
        "steady state was reached after 8 min: 5 rounds of 60 s range over 10 % of their mean \
         (20 % allowed) and drift by -3.0 % (10 % allowed)"
    );
    assert_eq!(found.tone(), Tone::Good);
}

#[test]
fn a_spent_burst_is_no_steady_state() {
    let mut rounds = [3000.0; 12];
    rounds[6..].fill(300.0);
    let found = judge(&rounds);
    assert_eq!(verdict(&found), "left");
    assert_eq!(
        found.to_string(),
        "steady state was reached after 5 min and left again: at the end, 5 rounds of 60 s range \
         over 0 % of their mean (20 % allowed) and drift by 0 % (10 % allowed), and their mean is \
         10 % of that of the steady rounds"
    );
    assert_eq!(found.tone(), Tone::Warning);
}

#[test]
fn what_is_too_short_for_minutes_is_cut_in_five() {
    // Ten seconds in tenths, the first two of them slow: five rounds of two seconds.
    let mut tenths = [500.0; 100];
    tenths[..20].fill(100.0);
    let found = Steadiness::of(&tenths, 0.1, SteadyRule::default());
    let SteadyState::NotAttained { last } = &found.state else { panic!("{found:?}") };
    assert!((last.round_s - 2.0).abs() < 1e-9 && last.mean == 420.0, "{last:?}");
    assert!(found.to_string().contains("5 rounds of 2 s range over 95 % of"), "{found}");
    // Sixteen intervals: rounds of three and four, and none is lost.
    let ramp: Vec<f64> = (1..=16).map(f64::from).collect();
    let (rounds, round_s) = rounds(&ramp, 1.0, &SteadyRule::default());
    assert_eq!(rounds, [2.0, 5.0, 8.0, 11.0, 14.5]);
    assert_eq!(round_s, 3.2);
}

#[test]
fn a_round_that_is_cut_short_is_left_out() {
    let mut seconds = vec![100.0; 330];
    seconds[300..].fill(0.0);
    assert_eq!(verdict(&Steadiness::of(&seconds, 1.0, SteadyRule::default())), "attained");
}

#[test]
fn too_little_is_its_own_answer() {
    let found = judge(&[100.0; 4]);
    assert_eq!(
        found.to_string(),
        "whether the run is steady cannot be told: it takes 5 rounds, not 4"
    );
    assert_eq!(found.tone(), Tone::Note);
    for interval_s in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = Steadiness::of(&[100.0; 50], interval_s, SteadyRule::default());
        assert_eq!(verdict(&found), "not enough");
    }
}

#[test]
fn standing_still_is_not_steady() {
    let found = judge(&[0.0; 8]);
    assert_eq!(found.to_string(), "steady state was not reached: nothing was done at the end");
    let mut stalls = [100.0; 12];
    stalls[6..].fill(0.0);
    assert_eq!(verdict(&judge(&stalls)), "left");
}

#[test]
fn a_watch_ends_a_run_at_the_first_window() {
    let mut watch = SteadyWatch::new(SteadyRule { round_s: 1.0, ..SteadyRule::default() });
    let rounds = [900.0, 400.0, 210.0, 200.0, f64::NAN, 190.0, 205.0, 200.0, 195.0];
    let at = rounds.iter().position(|round| watch.push(*round).is_some());
    assert_eq!(at, Some(7));
    // The round that was no figure took no time.
    assert_eq!(watch.finding().attained_at_s(), Some(7.0));
}

#[test]
fn the_whole_run_can_be_the_window() {
    let rule = SteadyRule { round_s: f64::INFINITY, ..SteadyRule::default() };
    let found = Steadiness::of(&[100.0; 1000], 1.0, rule);
    assert_eq!(found.attained_at_s(), Some(1000.0));
    assert_eq!(found.rule.round_s, 200.0, "what JSON cannot hold is in no finding");
}

/// Any number that a double can be.
fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), Just(0.0), 0.0..1e6_f64]
}

fn is_sound(window: &SteadyWindow) -> bool {
    let numbers = [
        window.round_s,
        window.start_s,
        window.end_s,
        window.mean,
        window.range_percent,
        window.slope_percent,
    ];
    numbers.iter().all(|value| value.is_finite())
}

proptest! {
    #[test]
    fn odd_values_give_sound_findings(
        values in prop::collection::vec(odd(), 0..40), interval_s in 0.001..100.0_f64
    ) {
        let found = Steadiness::of(&values, interval_s, SteadyRule::default());
        let sound = match &found.state {
            SteadyState::Attained { window } => is_sound(window),
            SteadyState::Left { window, last } => is_sound(window) && is_sound(last),
            SteadyState::NotAttained { last } => is_sound(last),
            SteadyState::NotEnough { rounds, needed } => rounds < needed,
        };
        prop_assert!(sound, "{found:?}");
        let text = serde_json::to_string(&found).unwrap();
        prop_assert!(serde_json::from_str::<Steadiness>(&text).is_ok(), "{text}");
    }

    #[test]
    fn a_watch_says_what_the_whole_says(
        rounds in prop::collection::vec(80.0..120.0_f64, 5..30)
    ) {
        let rule = SteadyRule::default();
        let mut watch = SteadyWatch::new(rule);
        for round in &rounds {
            watch.push(*round);
        }
        prop_assert_eq!(watch.finding(), Steadiness::of(&rounds, rule.round_s, rule));
    }

    #[test]
    fn the_first_window_is_the_first(rounds in prop::collection::vec(80.0..120.0_f64, 5..30)) {
        let holds = |window: &[f64]| verdict(&judge(window)) == "attained";
        let first = rounds.windows(5).position(holds);
        let expected = first.map(|first| (first + 5) as f64 * 60.0);
        prop_assert_eq!(judge(&rounds).attained_at_s(), expected);
    }

    #[test]
    fn units_do_not_matter(
        rounds in prop::collection::vec(80.0..120.0_f64, 5..30), power in -20i32..20
    ) {
        let scaled: Vec<f64> = rounds.iter().map(|round| round * 2.0_f64.powi(power)).collect();
        prop_assert_eq!(verdict(&judge(&rounds)), verdict(&judge(&scaled)));
    }
}
