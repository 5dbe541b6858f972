//! A latency's lines: its moments in a suitable unit, and its percentiles in rows.

use super::line;
use crate::figures::{FigureUnit, short};
use fathom_stats::{JobSetup, LatencyStats, Moments};
use std::fmt::Write;

const UNITS: [&str; 3] = ["nsec", "usec", "msec"];

/// `clat (usec): min=…, max=…, avg=…, stdev=…`; empty without values.
pub(super) fn moments(out: &mut String, name: &str, moments: &Moments) {
    if moments.count == 0 {
        return;
    }
    let (mut min, mut max) = (moments.min, moments.max);
    let (mut mean, mut deviation) = (moments.mean(), moments.stddev());
    let mut unit = 0;
    // A larger unit only if no figure loses significant digits.
    while unit + 1 < UNITS.len() && min > 2000 && max > 99_999 && deviation > 1000.0 {
        (min, max) = (min / 1000, max / 1000);
        (mean, deviation) = (mean / 1000.0, deviation / 1000.0);
        unit += 1;
    }
    let (min, max) = (short(min, 6, 1000, FigureUnit::None), short(max, 6, 1000, FigureUnit::None));
    line!(
        out,
        "    {name:>4} ({}): min={min}, max={max}, avg={mean:5.2}, stdev={deviation:5.2}",
        UNITS[unit],
    );
}

/// The rows of `clat percentiles (usec):`; empty without values or without requested percentiles.
pub(super) fn percentiles(
    out: &mut String,
    name: &str,
    stats: &LatencyStats,
    setup: &JobSetup,
    wanted: bool,
) {
    let list = &setup.percentile_list;
    if !wanted || stats.moments.count == 0 || list.is_empty() {
        return;
    }
    let mut values = stats.histogram.percentiles(list);
    let unit = scale(&mut values);
    line!(out, "    {name} percentiles ({}):", UNITS[unit]);
    let precision = precision(list);
    let width = values.iter().max().map_or(1, |v| v.to_string().len()).max(5);
    let per_row = ((80 - 7) / (precision + 10 + width)).max(1);
    let share_width = precision + 3;
    let cells: Vec<String> = list
        .iter()
        .zip(&values)
        .map(|(p, v)| format!(" {p:share_width$.precision$}th=[{v:width$}]"))
        .collect();
    let rows: Vec<String> =
        cells.chunks(per_row).map(|row| format!("     |{}", row.join(","))).collect();
    line!(out, "{}", rows.join(",\n"));
}

/// Divides values, rounding up, while both ends are large; returns the unit.
fn scale(values: &mut [u64]) -> usize {
    let mut unit = 0;
    while unit + 1 < UNITS.len() {
        let min = values.iter().min().copied().unwrap_or(0);
        let max = values.iter().max().copied().unwrap_or(0);
        if min <= 2000 || max <= 99_999 {
            break;
        }
        for value in values.iter_mut() {
            *value = value.div_ceil(1000);
        }
        unit += 1;
    }
    unit
}

/// Decimals that the finest share of a list needs.
fn precision(list: &[f64]) -> usize {
    let decimals = |p: &f64| {
        let text = format!("{p:.6}");
        let text = text.trim_end_matches('0');
        text.len() - text.find('.').map_or(text.len(), |dot| dot + 1)
    };
    list.iter().map(decimals).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(values: &[u64]) -> String {
        let mut all = Moments::default();
        values.iter().for_each(|value| all.record(*value));
        let mut out = String::new();
        moments(&mut out, "clat", &all);
        out
    }

    #[test]
    fn a_unit_that_loses_nothing() {
        // A single I/O has no deviation, and fio 3.33 showed 261796 of them in nanoseconds.
        let one = "    clat (nsec): min=261796, max=261796, avg=261796.00, stdev= 0.00\n";
        assert_eq!(shown(&[261_796]), one);
        assert!(shown(&[2000, 200_000]).contains("(nsec)"));
        assert!(shown(&[2001, 99_999]).contains("(nsec)"));
        let micro = "    clat (usec): min=2, max=200, avg=101.00, stdev=140.01\n";
        assert_eq!(shown(&[2001, 200_000]), micro);
        let milli = "    clat (msec): min=3, max=200, avg=101.50, stdev=139.30\n";
        assert_eq!(shown(&[3_000_000, 200_000_000]), milli);
        assert_eq!(shown(&[]), "");
    }

    #[test]
    fn shares_with_the_decimals_that_the_finest_needs() {
        assert_eq!(precision(&[50.0, 100.0]), 0);
        assert_eq!(precision(&[0.5, 5.0]), 1);
        assert_eq!(precision(&[1.0, 99.95]), 2);
        assert_eq!(precision(&[99.9999]), 4);
    }
}
