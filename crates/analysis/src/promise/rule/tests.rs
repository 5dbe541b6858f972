//! Each shape by itself; the rows' own vectors are tested with the catalogue.

use super::*;
use proptest::prelude::*;

fn at(size: f64) -> Inputs {
    Inputs { size: Some(size), ..Inputs::default() }
}

#[test]
fn a_line_is_held_between_its_bounds() {
    let line = Line { base: 4000.0, per_size: 40.0, from: 100.0, ..Line::default() };
    let rule = Rule::Linear(Line { max: Some(20_000.0), ..line });
    let values = [10.0, 100.0, 250.0, 500.0, 900.0].map(|size| rule.value(&at(size)).unwrap());
    assert_eq!(values, [4000.0, 4000.0, 10_000.0, 20_000.0, 20_000.0]);
    assert_eq!(rule.value(&Inputs::default()), Err(Gap::Size));
}

#[test]
fn tiers_round_the_size_up_and_steps_down() {
    let rows = vec![[32.0, 120.0], [64.0, 240.0]];
    let values = |rule: Rule| [4.0, 32.0, 33.0, 64.0, 99.0].map(|s| rule.value(&at(s)).unwrap());
    assert_eq!(values(Rule::Tiers(rows.clone())), [120.0, 120.0, 240.0, 240.0, 240.0]);
    assert_eq!(values(Rule::From(rows)), [120.0, 120.0, 120.0, 240.0, 240.0]);
}

#[test]
fn rounded_terms_are_rounded_one_by_one() {
    let line = Line { base: 100.0, ceil_per_size: vec![0.04, 0.06], ..Line::default() };
    let values = [100.0, 1024.0, 102_400.0].map(|size| Rule::Linear(line.clone()).value(&at(size)));
    assert_eq!(values, [Ok(110.0), Ok(203.0), Ok(10_340.0)]);
}

fn bought(default: Option<f64>) -> Rule {
    let per_size = Line { per_size: 500.0, max: Some(16_000.0), ..Line::default() };
    Rule::Provisioned(Box::new(Provisioned {
        default: default.map(Rule::Constant),
        min: Some(Rule::Constant(1000.0)),
        max: Some(Rule::Linear(per_size)),
        choices: Vec::new(),
    }))
}

#[test]
fn what_is_bought_lies_between_its_bounds() {
    let rule = bought(Some(3000.0));
    let buy = |size, iops| rule.value(&Inputs { bought: Some(iops), ..at(size) });
    assert_eq!(rule.value(&Inputs::default()), Ok(3000.0));
    assert_eq!(rule.value(&at(4.0)), Ok(2000.0), "no more than the size allows");
    assert_eq!(buy(10.0, 5000.0), Ok(5000.0));
    let (min, max) = (Some(1000.0), Some(5000.0));
    assert_eq!(buy(10.0, 5001.0), Err(Gap::OutOfRange { asked: 5001.0, min, max }));
    assert_eq!(buy(10.0, 999.0), Err(Gap::OutOfRange { asked: 999.0, min, max }));
    let unsized_inputs = Inputs { bought: Some(5000.0), ..Inputs::default() };
    assert_eq!(rule.value(&unsized_inputs), Err(Gap::Size));
    assert_eq!(bought(None).value(&at(10.0)), Err(Gap::Bought { choices: Vec::new() }));
    assert_eq!(rule.settable(&at(10.0)), Some([min, max]));
    assert_eq!(Rule::Constant(1.0).settable(&at(10.0)), None);
}

#[test]
fn a_choice_is_one_of_its_values() {
    let choices = vec![128.0, 256.0];
    let chosen = Provisioned { choices: choices.clone(), ..Provisioned::default() };
    let rule = Rule::TimesKnob(Box::new(Rule::Provisioned(Box::new(chosen))));
    let buy = |asked| rule.value(&Inputs { bought: asked, knob: Some(2.0), ..Inputs::default() });
    assert_eq!(buy(Some(256.0)), Ok(512.0));
    assert_eq!(buy(Some(200.0)), Err(Gap::NotAChoice { asked: 200.0, choices: choices.clone() }));
    assert_eq!(buy(None), Err(Gap::Bought { choices }));
}

#[test]
fn parts_are_combined() {
    let parts = vec![Rule::Constant(3.0), Rule::Linear(Line { per_size: 1.0, ..Line::default() })];
    assert_eq!(Rule::Sum(parts.clone()).value(&at(5.0)), Ok(8.0));
    assert_eq!(Rule::Least(parts.clone()).value(&at(5.0)), Ok(3.0));
    assert_eq!(Rule::Greatest(parts.clone()).value(&at(5.0)), Ok(5.0));
    let missing = Rule::Sum(parts).value(&Inputs::default());
    assert_eq!(missing, Err(Gap::Size), "what a part lacks the whole lacks");
}

#[test]
fn a_knob_moves_slope_and_bound() {
    let line = Line { per_size: 45.0, per_size_per_knob: 1.5, ..Line::default() };
    let rule = Rule::Linear(Line { max: Some(0.0), max_per_knob: 2500.0, ..line });
    let value = |size, knob| rule.value(&Inputs { knob: Some(knob), ..at(size) }).unwrap();
    assert_eq!(value(50.0, 120.0), 11_250.0);
    assert_eq!(value(10_000.0, 120.0), 300_000.0);
    assert_eq!(rule.value(&at(50.0)), Err(Gap::Knob));
}

proptest! {
    #[test]
    fn more_size_is_never_less(
        base in 0.0f64..1e4, per in 0.0f64..100.0, from in 0.0f64..100.0,
        bounds in proptest::option::of((0.0f64..1e3, 1e3f64..1e5)), a in 0.0f64..1e4, b in 0.0f64..1e4,
    ) {
        let (min, max) = bounds.unzip();
        let rule = Rule::Linear(Line { base, per_size: per, from, min, max, ..Line::default() });
        let (small, large) = (rule.value(&at(a.min(b))).unwrap(), rule.value(&at(a.max(b))).unwrap());
        prop_assert!(small <= large, "{} at {}, {} at {}", small, a.min(b), large, a.max(b));
        prop_assert!(min.is_none_or(|min| small >= min) && max.is_none_or(|max| large <= max));
    }
}
