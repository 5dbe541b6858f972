//! Numbers in the format of this crate.

use fathom_message::{Message, list};

/// `1,234`; below ten, and if the number is not whole, with its significant decimals.
pub(crate) fn count(value: f64) -> String {
    let decimals = match value.abs() {
        _ if value.fract().abs() < 1e-9 => 0,
        small if small < 10.0 => 2,
        medium if medium < 100.0 => 1,
        _ => 0,
    };
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::with_capacity(text.len() + 4);
    for (at, digit) in whole.chars().enumerate() {
        let follows_digit = at > 0 && !grouped.ends_with('-');
        if follows_digit && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match fraction.trim_end_matches('0') {
        "" => grouped,
        fraction => format!("{grouped}.{fraction}"),
    }
}

/// `465.7 GiB`.
pub(crate) fn amount(value: f64, unit: &str) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    match rounded.fract() == 0.0 {
        true => format!("{} {unit}", count(rounded)),
        false => format!("{rounded} {unit}"),
    }
}

/// Bytes a second, decimal, as everywhere in Fathom: `131 MB/s`, `2,097 MB/s`.
pub(crate) fn rate(bytes_per_s: f64) -> String {
    format!("{} MB/s", count_of_three(bytes_per_s / 1e6))
}

/// At least three figures that matter.
fn count_of_three(value: f64) -> String {
    match value {
        v if v >= 99.95 => count(v.round()),
        v if v >= 9.995 => count((v * 10.0).round() / 10.0),
        v => count((v * 100.0).round() / 100.0),
    }
}

/// A block size, binary where it is one: `4 KiB`, `16 KB`.
pub(crate) fn block(bytes: f64) -> String {
    let unit = |step: f64, names: [&str; 2]| match bytes {
        large if large >= step * step => format!("{} {}", count(large / step / step), names[1]),
        small => format!("{} {}", count(small / step), names[0]),
    };
    match bytes {
        bytes if bytes < 1000.0 => format!("{} bytes", count(bytes)),
        bytes if bytes % 1024.0 == 0.0 => unit(1024.0, ["KiB", "MiB"]),
        _ => unit(1000.0, ["KB", "MB"]),
    }
}

/// A volume's size, in the base with the shorter text: `500 GB`, `4 TiB`.
pub(crate) fn capacity(bytes: f64) -> String {
    use super::size::SizeUnit::{B, GB, GiB, KB, KiB, MB, MiB, PB, PiB, TB, TiB};
    let fitting = |units: &[super::size::SizeUnit]| {
        let unit = units.iter().rev().find(|unit| bytes >= unit.bytes()).unwrap_or(&B);
        amount(bytes / unit.bytes(), unit.name())
    };
    let (decimal, binary) = (fitting(&[KB, MB, GB, TB, PB]), fitting(&[KiB, MiB, GiB, TiB, PiB]));
    match binary.len() < decimal.len() {
        true => binary,
        false => decimal,
    }
}

/// `45 s`, `30 min`, `1 h 59 min`, `15 h`.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        return format!("{} s", count((seconds * 10.0).round() / 10.0));
    }
    let minutes = (seconds / 60.0).round() as u64;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

/// `99 %`, `99.9 %`; never rounded up to a whole that it is not.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let rounded = (percent * 10.0).round() / 10.0;
    let text = match rounded {
        whole if whole >= 100.0 && share < 1.0 => 99.9,
        other => other,
    };
    format!("{text} %")
}

/// `100 to 16,000 IOPS`, `at most 16 IOPS`.
pub(crate) fn bounds(min: Option<f64>, max: Option<f64>, unit: &str) -> String {
    match (min, max) {
        (Some(min), Some(max)) if min == max => format!("{} {unit}", count(min)),
        (Some(min), Some(max)) => format!("{} to {} {unit}", count(min), count(max)),
        (Some(min), None) => format!("at least {} {unit}", count(min)),
        (None, Some(max)) => format!("at most {} {unit}", count(max)),
        (None, None) => format!("any number of {unit}"),
    }
}

/// `a, b or c`.
pub(crate) fn listed(words: &[String]) -> Message {
    list::choices(words.iter().map(Message::verbatim))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_keep_what_matters() {
        let counts = [0.0, 2.5, 33.33, 100.0, 1862.07, 64_000.0, 5_400_000.0].map(count);
        assert_eq!(counts, ["0", "2.5", "33.3", "100", "1,862", "64,000", "5,400,000"]);
        assert_eq!([-512.0, -51_200.0].map(count), ["-512", "-51,200"]);
        assert_eq!(amount(465.661, "GiB"), "465.66 GiB");
        assert_eq!(amount(65_536.0, "GiB"), "65,536 GiB");
    }

    #[test]
    fn rates_blocks_and_times_have_units() {
        assert_eq!(
            [131_072_000.0, 48e6, 1e6, 2.048e9].map(rate),
            ["131 MB/s", "48 MB/s", "1 MB/s", "2,048 MB/s"]
        );
        assert_eq!(
            [512.0, 4096.0, 16_000.0, 262_144.0, 1_048_576.0].map(block),
            ["512 bytes", "4 KiB", "16 KB", "256 KiB", "1 MiB"]
        );
        assert_eq!(
            [45.0, 1800.0, 7140.0, 54_000.0].map(duration),
            ["45 s", "30 min", "1 h 59 min", "15 h"]
        );
        assert_eq!(
            [0.9, 0.999, 0.9999, 1.0, 0.0].map(percent),
            ["90 %", "99.9 %", "99.9 %", "100 %", "0 %"]
        );
    }

    #[test]
    fn sizes_have_the_fitting_unit() {
        let gib = 1024f64.powi(3);
        assert_eq!(
            [500e9, 500.0 * gib, 4096.0 * gib, 6e12, 750.0].map(capacity),
            ["500 GB", "500 GiB", "4 TiB", "6 TB", "750 B"]
        );
    }

    #[test]
    fn bounds_and_lists_read_as_words() {
        assert_eq!(bounds(Some(100.0), Some(16_000.0), "IOPS"), "100 to 16,000 IOPS");
        assert_eq!(bounds(Some(3000.0), Some(3000.0), "IOPS"), "3,000 IOPS");
        assert_eq!(bounds(None, Some(1.0), "IOPS"), "at most 1 IOPS");
        assert_eq!(listed(&["a".into(), "b".into(), "c".into()]).to_string(), "a, b or c");
    }
}
