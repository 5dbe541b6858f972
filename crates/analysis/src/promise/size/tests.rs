//! Valid and invalid texts, and that units neither mix nor drift.

use super::unit::UNITS;
use super::*;
use proptest::prelude::*;

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

#[test]
fn decimal_and_binary_stay_apart() {
    assert_eq!(size("500GB").bytes(SizeUnit::GiB), 500e9);
    assert_eq!(size("500GiB").bytes(SizeUnit::GB), 500.0 * 1024f64.powi(3));
    assert_eq!(size("500 gib").in_unit(SizeUnit::GiB), 500.0);
    assert!((size("500GB").in_unit(SizeUnit::GiB) - 465.661_287).abs() < 1e-6);
    assert_eq!(size("1.5TB").in_unit(SizeUnit::GB), 1500.0);
    assert_eq!(size("64TiB").in_unit(SizeUnit::GiB), 65_536.0);
}

#[test]
fn what_is_not_written_is_the_providers() {
    assert_eq!(size("500").in_unit(SizeUnit::GiB), 500.0);
    assert_eq!(size("500g").in_unit(SizeUnit::GiB), 500.0);
    assert_eq!(size("500g").in_unit(SizeUnit::GB), 500.0);
    assert_eq!(size("2T").in_unit(SizeUnit::GiB), 2048.0);
    assert_eq!(size("2T").in_unit(SizeUnit::GB), 2000.0);
    let rate: Rate = "250".parse().unwrap();
    assert_eq!(rate.in_unit(ByteRateUnit(SizeUnit::MiB)), 250.0);
    let rate: Rate = "250MB/s".parse().unwrap();
    assert!((rate.in_unit(ByteRateUnit(SizeUnit::MiB)) - 238.418_579).abs() < 1e-6);
}

#[test]
fn refusals_say_what_would_be_right() {
    for text in ["", "GB", "-5GB", "0", "5XB", "1e3", "5 GB more", "..", "500GB/s"] {
        let error = text.parse::<Size>().unwrap_err().to_string();
        assert!(error.contains("500GiB"), "{error}");
    }
    assert!("5 GB".parse::<Rate>().is_ok() && "5 apples/s".parse::<Rate>().is_err());
    assert!(ByteRateUnit::try_from("MB/h".to_owned()).is_err());
}

fn units() -> impl Strategy<Value = SizeUnit> {
    proptest::sample::select(UNITS.map(|(unit, ..)| unit).to_vec())
}

proptest! {
    #[test]
    fn a_size_is_read_back_as_it_was_written(number in 0.001f64..1e6, unit in units()) {
        let written = Size::new(number, unit);
        prop_assert_eq!(size(&written.to_string()), written);
        let rate = Rate::new(number, ByteRateUnit(unit));
        prop_assert_eq!(rate.to_string().parse::<Rate>().unwrap(), rate);
    }

    #[test]
    fn there_and_back_is_the_same_size(number in 0.001f64..1e6, a in units(), b in units()) {
        let there = Size::new(Size::new(number, a).in_unit(b), b);
        let back = there.in_unit(a);
        prop_assert!((back / number - 1.0).abs() < 1e-12, "{} became {}", number, back);
        prop_assert!((there.bytes(a) / Size::new(number, a).bytes(b) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn no_text_brings_it_down(text in "[0-9a-zA-Z./ +-]{0,12}") {
        if let Ok(size) = text.parse::<Size>() {
            prop_assert!(size.bytes(SizeUnit::GiB) > 0.0);
        }
        let _ = text.parse::<Rate>();
    }
}
