//! Reading in one pass gives the same as reading step by step, for valid and invalid documents.

use crate::Report;
use crate::read::parse::{document, open};
use crate::read::sweep::{self, simulated_sweep};
use crate::read::tests::{odd, replace};
use crate::read::{Input, ReadError, read};
use fathom_document::check::{CHECK_SCHEMA, CheckDocument};
use fathom_document::limit::{LIMIT_SCHEMA, LimitDocument};
use fathom_document::sweep::{SWEEP_SCHEMA, SweepDocument};
use fathom_message::Lang;
use proptest::prelude::*;
use serde_json::{Value, json};

fn sweep_value() -> Value {
    serde_json::to_value(simulated_sweep(&[("bs", "4k,64k")], 1, 8)).unwrap()
}

fn sweep_input(change: impl FnOnce(&mut Value)) -> Input {
    let mut value = sweep_value();
    change(&mut value);
    Input::new("x.json", value.to_string())
}

fn is_read_at_once(input: &Input) -> bool {
    open(input).unwrap().at_once::<SweepDocument>(SWEEP_SCHEMA).is_some()
}

#[test]
fn whole_documents_are_read_in_one_go() {
    let check = Input::new("c", include_str!("../../../fixtures/check.json"));
    assert!(open(&check).unwrap().at_once::<CheckDocument>(CHECK_SCHEMA).is_some());
    let limit = Input::new("l", include_str!("../../../fixtures/limit.json"));
    assert!(open(&limit).unwrap().at_once::<LimitDocument>(LIMIT_SCHEMA).is_some());
    let sweep = sweep_input(|_| ());
    assert!(is_read_at_once(&sweep));
    let mut text = b"{ a warning\n".to_vec();
    text.extend(&sweep.bytes);
    let after = Input::new("x.json", text);
    assert!(is_read_at_once(&after));
    assert_eq!(read(&[after], Lang::En), read(&[sweep], Lang::En));
}

#[test]
fn what_is_never_added_up_may_have_any_64_bits() {
    assert!(is_read_at_once(&sweep_input(|of| of["seed"] = json!(u64::MAX))));
}

/// Every bound of the scales, each of which a type alone would let pass.
#[test]
fn what_cannot_be_added_up_is_named_by_its_field() {
    let job = |of: &mut Value, way: &str, with: Value| {
        *of["cases"][1]["result"]["jobs"][0].pointer_mut(way).unwrap() = with;
    };
    let wrong = [
        ("/dirs/read/total_ios", json!(1u64 << 62), "is more than any run counts"),
        ("/dirs/read/lat/moments/sum_sq", json!(u128::MAX.to_string()), "any run adds up to"),
        ("/series/interval_ms", json!(400u64 * 86_400_000), "an interval is a year at most"),
        ("/series/intervals/3/ios/read", json!(u64::MAX), "is more than any run counts"),
    ];
    for (way, with, why) in wrong {
        let input = sweep_input(|of| job(of, way, with));
        assert!(!is_read_at_once(&input), "{way}");
        let said = read(&[input], Lang::En).unwrap_err().to_string();
        let field = way.replace("/intervals/3", ".intervals[3]").replace('/', ".");
        let field = field.replace("..", ".");
        assert!(said.starts_with(&format!("x.json: cases[1].result.jobs[0]{field}: ")), "{said}");
        assert!(said.contains(why), "{said}");
    }
    // Together, though none is too large by itself; and where no type asks for it.
    let halves = sweep_input(|of| of["spare"] = json!([1u64 << 61, 1u64 << 61]));
    let said = read(&[halves], Lang::En).unwrap_err().to_string();
    assert!(said.starts_with("x.json: spare[1]: "), "{said}");
}

#[test]
fn a_later_schema_is_said_wherever_it_stands() {
    let later = sweep_input(|of| {
        let schema = of.as_object_mut().unwrap().shift_remove("schema");
        of["schema"] = json!(schema.unwrap().as_u64().unwrap() + 1);
    });
    assert!(matches!(read(&[later], Lang::En), Err(ReadError::TooNew { .. })));
}

/// As JSON of any form first.
fn step_by_step(input: &Input) -> Result<Report, ReadError> {
    Ok(sweep::report(&document(input)?.typed(SWEEP_SCHEMA)?, Lang::En))
}

proptest! {
    #[test]
    fn what_is_changed_is_read_alike(
        changes in prop::collection::vec((1usize..900, odd()), 0..3),
    ) {
        let input = sweep_input(|value| for (place, with) in changes {
            let mut place = place;
            replace(value, &mut place, &with);
        });
        if open(&input).unwrap().kind() == "fathom-sweep" {
            prop_assert_eq!(read(std::slice::from_ref(&input), Lang::En), step_by_step(&input));
        }
    }
}
