//! Numbers of a report as text, by their units.
//!
//! `assets/numbers.js` gives the same texts; `tests/vectors.json` tests both.

use crate::model::{ChartAxis, ChartUnit, Scale};
use chrono::DateTime;
use fathom_analysis::quantity;

/// The text for a missing number.
pub const NONE: &str = "–";

/// A number with its unit: `85,300 IOPS`, `1.06 ms`, `4 KiB`.
pub fn value(unit: ChartUnit, number: f64) -> String {
    if !number.is_finite() {
        return NONE.to_owned();
    }
    // A zero has no sign.
    let number = if number == 0.0 { 0.0 } else { number };
    match unit {
        ChartUnit::Iops => format!("{} IOPS", quantity::thousands(number)),
        ChartUnit::BytesPerS => format!("{} MB/s", quantity::megabytes_per_s(number / 1e6)),
        ChartUnit::Ns => quantity::latency(number),
        ChartUnit::Seconds => quantity::seconds((number * 1e6).round() as u64),
        ChartUnit::BlockBytes => quantity::binary_bytes(number as u64),
        ChartUnit::VolumeBytes => quantity::decimal_bytes(number as u64),
        // The sign is the same in all languages of a page.
        ChartUnit::Percent => quantity::percent(number).replace(quantity::UNDER, "< "),
        ChartUnit::UnixMs => moment(number),
        ChartUnit::Plain => plain(number),
    }
}

/// A place on an axis: a name, a percentile, or a number with its unit.
pub fn place(axis: &ChartAxis, at: f64) -> String {
    match &axis.scale {
        Scale::Names(names) => named(names, at),
        Scale::Nines => percentile(at),
        _ => value(axis.unit, at),
    }
}

/// A number under a heading from [`heading`]: without the unit in the heading.
pub fn cell(unit: ChartUnit, number: f64) -> String {
    let text = value(unit, number);
    match heading_unit(unit).and_then(|unit| text.strip_suffix(unit)) {
        Some(bare) => bare.trim_end().to_owned(),
        None => text,
    }
}

/// A heading with the common unit of all numbers under it, unless it already names it.
pub fn heading(name: &str, unit: Option<ChartUnit>) -> String {
    match unit.and_then(heading_unit) {
        Some(unit) if !name.contains(unit) && !name.contains("IOPS") => format!("{name} ({unit})"),
        _ => name.to_owned(),
    }
}

fn heading_unit(unit: ChartUnit) -> Option<&'static str> {
    match unit {
        ChartUnit::Iops => Some("IOPS"),
        ChartUnit::BytesPerS => Some("MB/s"),
        _ => None,
    }
}

fn named(names: &[String], at: f64) -> String {
    let found = (at >= 0.0).then(|| names.get(at.round() as usize)).flatten();
    found.cloned().unwrap_or_else(|| plain(at))
}

fn plain(number: f64) -> String {
    match number {
        number if !number.is_finite() => NONE.to_owned(),
        number if number.fract() != 0.0 => quantity::figures(number),
        number if number.abs() < 10.0 => format!("{number:.0}"),
        number => quantity::thousands(number),
    }
}

/// `p99.9`; the hundredth is the most of all.
fn percentile(at: f64) -> String {
    if at >= 100.0 {
        return "max".to_owned();
    }
    let text = format!("{at:.6}");
    format!("p{}", text.trim_end_matches('0').trim_end_matches('.'))
}

/// In UTC, as a report is read in other zones than it was made in.
fn moment(ms: f64) -> String {
    // Up to the year 9999.
    let known = (0.0..253_402_300_800_000.0).contains(&ms);
    let moment = known.then(|| DateTime::from_timestamp_millis(ms as i64)).flatten();
    moment.map_or_else(|| NONE.to_owned(), |at| at.format("%Y-%m-%d %H:%M UTC").to_string())
}
