//! The grammar: valid and invalid texts, and that printing is its inverse.

use super::*;
use proptest::prelude::*;

fn expanded(text: &str) -> Vec<String> {
    Values::read(text).unwrap().expand().iter().map(ToString::to_string).collect()
}

#[test]
fn lists_and_ranges_give_their_values() {
    for (text, values) in [
        ("4k,8k", "4k 8k"),
        ("1..16", "1 2 4 8 16"),
        ("1..20", "1 2 4 8 16 20"),
        ("16..1", "16 8 4 2 1"),
        ("1..9/2", "1 3 5 7 9"),
        ("1..10/4", "1 5 9 10"),
        ("9..1/4", "9 5 1"),
        ("0..4/2", "0 2 4"),
        ("7..7", "7"),
        ("512..4k", "512 1k 2k 4k"),
        ("512k..2m", "512k 1m 2m"),
        ("4k..12k/4k", "4k 8k 12k"),
        ("1..4,8,8,2", "1 2 4 8"),
        ("4k,4096,8K", "4k 8k"),
        ("100:0..0:100/25", "100:0 75:25 50:50 25:75 0:100"),
        ("0:100..100:0/50", "0:100 50:50 100:0"),
        ("70:30", "70:30"),
        ("randread,randwrite", "randread randwrite"),
        (" in , out ", "in out"),
        (r"4k\,64k,8k", "4k,64k 8k"),
        (r"a.\.b", "a..b"),
        (r"C\:\x", r"C\:\x"),
        ("zipf:1.2,zoned:50/5:50/95", "zipf:1.2 zoned:50/5:50/95"),
        ("007,60:41,99999999999999999999", "007 60:41 99999999999999999999"),
    ] {
        assert_eq!(expanded(text).join(" "), values, "{text}");
    }
    let mixes = expanded("100:0..0:100");
    assert_eq!((mixes.len(), mixes[3].as_str()), (11, "70:30"));
}

#[test]
fn what_is_no_list_is_refused_with_what_to_write() {
    for (text, words) in [
        ("", "a value is missing"),
        ("1,,2", "a value is missing"),
        ("1..", "from number to number"),
        ("read..write", "from number to number"),
        ("1..50:50", "from number to number"),
        ("1..2..3", "two ends"),
        ("0..8", "doubling never leaves 0"),
        ("1..8/0", "the step after / is a number"),
        ("1..8/x", "the step after / is a number"),
        ("100:0..0:100/0", "1 to 100 percent"),
        ("1..9223372036854775807/1", "more than 1000 values"),
    ] {
        let why = Values::read(text).unwrap_err().to_string();
        assert!(why.contains(words), "{text}: {why}");
    }
}

fn number() -> impl Strategy<Value = Number> {
    let unit = prop::sample::select(Unit::ALL.to_vec());
    (1u64..1 << 20, unit).prop_map(|(count, unit)| Number { count, unit })
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        number().prop_map(Value::Number),
        (0u8..=100).prop_map(Value::Mix),
        r"[a-z][a-z0-9:,./\\_-]{0,12}".prop_map(Value::Word),
    ]
}

fn term() -> impl Strategy<Value = Term> {
    let by = (number(), number(), 1u64..100).prop_map(|(first, last, parts)| {
        let step = (first.amount().abs_diff(last.amount()) / parts).max(1);
        Term::Numbers(first, last, RangeStep::By(Number::in_units(step)))
    });
    prop_oneof![
        value().prop_map(Term::One),
        (number(), number()).prop_map(|(a, b)| Term::Numbers(a, b, RangeStep::Doubling)),
        by,
        (0u8..=100, 0u8..=100, 1u8..=100).prop_map(|(a, b, step)| Term::Mixes(a, b, step)),
    ]
}

proptest! {
    #[test]
    fn printing_is_the_inverse_of_reading(terms in prop::collection::vec(term(), 1..5)) {
        let values = Values(terms);
        let text = values.to_string();
        prop_assert_eq!(Values::read(&text), Ok(values), "{}", text);
    }

    #[test]
    fn what_was_read_prints_canonically(text in r"[0-9a-z:,./\\]{0,16}") {
        if let Ok(values) = Values::read(&text) {
            prop_assert_eq!(Values::read(&values.to_string()), Ok(values));
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,40}") {
        if let Ok(values) = Values::read(&text) {
            prop_assert!(values.expand().len() <= MOST_VALUES);
        }
    }

    #[test]
    fn a_range_has_its_ends_and_goes_one_way(range in term()) {
        prop_assume!(!matches!(range, Term::One(_)));
        let values = range.expand();
        prop_assert!(values.len() <= range.most());
        let at: Vec<u64> = values.iter().filter_map(Value::position).collect();
        let (first, last) = match &range {
            Term::Numbers(first, last, _) => (first.amount(), last.amount()),
            Term::Mixes(first, last, _) => (u64::from(*first), u64::from(*last)),
            Term::One(_) => unreachable!(),
        };
        prop_assert_eq!((at.first(), at.last()), (Some(&first), Some(&last)));
        let up = at.windows(2).all(|pair| pair[0] < pair[1]);
        let down = at.windows(2).all(|pair| pair[0] > pair[1]);
        prop_assert!(up || down, "{:?}", at);
    }

    #[test]
    fn doubling_doubles_until_the_end(first in 1u64..1000, last in 1u64..1_000_000) {
        prop_assume!(first < last);
        let range = Term::Numbers(Number::plain(first), Number::plain(last), RangeStep::Doubling);
        let at: Vec<u64> = range.expand().iter().filter_map(Value::position).collect();
        prop_assert!(at[..at.len() - 1].windows(2).all(|pair| pair[1] == pair[0] * 2));
        prop_assert!(last <= at[at.len() - 2] * 2);
    }
}
