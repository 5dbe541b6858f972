//! Numbers in fio's short form: `10.2k`, `324MiB/s`, `8192KiB`.
//!
//! The rule was found by observing fio 3.33 with some hundred values. A number is divided by its
//! base until its integer part has at most the allowed digits; decimals fill the remaining width.
//! Two things differ from plain rounding: only the remainder of the last division counts, and a
//! result without decimals rounds halves up.

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureUnit {
    /// Nothing: `k`, `M` alone.
    None,
    /// Bytes: `KiB`, `MB`.
    Bytes,
    /// Bytes a second.
    BytesPerSecond,
    /// Bits: the number is in bytes and shown times eight.
    BitsPerSecond,
}

impl FigureUnit {
    fn name(self) -> &'static str {
        match self {
            FigureUnit::None => "",
            FigureUnit::Bytes => "B",
            FigureUnit::BytesPerSecond => "B/s",
            FigureUnit::BitsPerSecond => "bit/s",
        }
    }
}

const DECIMAL: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Shortens a number to `figures` digits, in powers of `base` (1000 or 1024).
pub fn short(value: u64, figures: u8, base: u64, unit: FigureUnit) -> String {
    short_from(value, 0, figures, base, unit)
}

/// [`short`] of a number that is already in the `power`-th power of its base.
pub(crate) fn short_from(
    value: u64,
    mut power: usize,
    figures: u8,
    base: u64,
    unit: FigureUnit,
) -> String {
    let figures = usize::from(figures.max(1));
    let mut whole = u128::from(value) * if unit == FigureUnit::BitsPerSecond { 8 } else { 1 };
    let base = u128::from(if base == 1024 { 1024u32 } else { 1000 });
    let mut rest = None;
    while digits(whole) > figures && power + 1 < DECIMAL.len() {
        rest = Some(whole % base);
        whole /= base;
        power += 1;
    }
    let prefix = if base == 1024 { BINARY[power] } else { DECIMAL[power] };
    let number = match rest {
        None => whole.to_string(),
        Some(rest) => with_rest(whole, rest, base, figures),
    };
    format!("{number}{prefix}{}", unit.name())
}

fn with_rest(whole: u128, rest: u128, base: u128, figures: usize) -> String {
    let decimals = figures.saturating_sub(digits(whole) + 1);
    if decimals == 0 {
        return (whole + u128::from(rest * 2 >= base)).to_string();
    }
    // Only the fraction is rounded as a float: 0.55 rounds up and 0.15 down, because neither is
    // exact, with any integer part.
    let fraction = format!("{:.decimals$}", rest as f64 / base as f64);
    let carry = u128::from(fraction.starts_with('1'));
    format!("{}{}", whole + carry, &fraction[1..])
}

/// Decimal digits of a number; 1 for 0.
fn digits(value: u128) -> usize {
    value.checked_ilog10().map_or(1, |log| log as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Block sizes as fio 3.33 printed them (`bs=(R) …`), by `kb_base` and figures.
    #[test]
    fn shortened_as_fio_did() {
        let table: [(u64, u64, [&str; 6]); 16] = [
            (1024, 512, ["1KiB", "1KiB", "512B", "512B", "512B", "512B"]),
            (1024, 1000, ["1KiB", "1KiB", "1.0KiB", "1000B", "1000B", "1000B"]),
            (1024, 10000, ["10KiB", "10KiB", "9.8KiB", "9.77KiB", "10000B", "10000B"]),
            (1024, 10235, ["10KiB", "10KiB", "10.0KiB", "10.00KiB", "10235B", "10235B"]),
            (1024, 10240, ["0MiB", "10KiB", "10KiB", "10.0KiB", "10240B", "10240B"]),
            (1024, 102348, ["0MiB", "100KiB", "100KiB", "99.9KiB", "99.95KiB", "102348B"]),
            (1024, 102399, ["0MiB", "100KiB", "100KiB", "100.0KiB", "100.00KiB", "102399B"]),
            (1024, 1023999, ["1MiB", "1MiB", "1000KiB", "1000KiB", "1000.0KiB", "1000.00KiB"]),
            (1024, 1048064, ["1MiB", "1MiB", "1.0MiB", "1024KiB", "1024KiB", "1023.5KiB"]),
            (1024, 10480518, ["10MiB", "10MiB", "10.0MiB", "9.99MiB", "10235KiB", "10235KiB"]),
            (1024, 12345678, ["0GiB", "12MiB", "12MiB", "11.8MiB", "12056KiB", "12056KiB"]),
            (1024, 1280, ["1KiB", "1KiB", "1.2KiB", "1280B", "1280B", "1280B"]),
            (1024, 2560, ["3KiB", "3KiB", "2.5KiB", "2560B", "2560B", "2560B"]),
            (1000, 9999, ["10kB", "10kB", "10.0kB", "9999B", "9999B", "9999B"]),
            (1000, 511999, ["1MB", "1MB", "512kB", "512kB", "512.0kB", "511999B"]),
            (1000, 10484736, ["0GB", "10MB", "10MB", "10.5MB", "10485kB", "10485kB"]),
        ];
        for (base, value, texts) in table {
            for (figures, text) in (1u8..).zip(texts) {
                assert_eq!(
                    short(value, figures, base, FigureUnit::Bytes),
                    text,
                    "{value} {figures}"
                );
            }
        }
    }

    /// Halves in fio 3.33's output, which a float of the whole number rounds differently.
    #[test]
    fn halves_round_by_their_fraction_alone() {
        assert_eq!(short(88_550_000, 4, 1000, FigureUnit::BytesPerSecond), "88.6MB/s");
        assert_eq!(short(3_083_150, 6, 1000, FigureUnit::None), "3083.1k");
        assert_eq!(short(99_950_000, 4, 1000, FigureUnit::None), "99.9M");
        assert_eq!(short(99_960_000, 4, 1000, FigureUnit::None), "100.0M");
    }

    #[test]
    fn figures_without_a_unit() {
        assert_eq!(short(0, 4, 1000, FigureUnit::None), "0");
        assert_eq!(short(2_048_000, 4, 1000, FigureUnit::None), "2048k");
        assert_eq!(short(11_630_481, 4, 1000, FigureUnit::None), "11.6M");
        assert_eq!(short(1_250_996, 6, 1000, FigureUnit::None), "1251.0k");
        assert_eq!(short(u64::MAX, 4, 1024, FigureUnit::BitsPerSecond), "128Eibit/s");
    }
}
