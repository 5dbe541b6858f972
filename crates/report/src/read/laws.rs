//! What holds for every report, whatever it was made from; for tests.

use crate::model::{Chart, Report, Scale, Shape};
use std::collections::BTreeSet;

/// Asserts all of it.
pub(crate) fn hold(report: &Report) {
    assert!(!report.title.is_empty());
    assert!(!report.answers.is_empty() && report.answers.iter().all(|a| !a.is_empty()));
    let ids: BTreeSet<&str> = report.charts.iter().map(|chart| chart.id.as_str()).collect();
    assert_eq!(ids.len(), report.charts.len(), "each id once");
    report.charts.iter().for_each(chart_holds);
    pairs_hold(&report.charts);
    for table in &report.tables {
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.id);
    }
    let text = serde_json::to_string(report).unwrap();
    assert!(!text.contains("charts-"), "a sentence is missing: {}", around(&text, "charts-"));
    assert!(!text.contains("{ $") && !text.contains("{$"), "{}", around(&text, "{"));
    for odd in [" NaN", " inf "] {
        assert!(!text.contains(odd), "{}", around(&text, odd));
    }
}

fn around<'t>(text: &'t str, what: &'t str) -> &'t str {
    text.find(what).and_then(|at| text.get(at.saturating_sub(60)..at + 20)).unwrap_or(what)
}

fn chart_holds(chart: &Chart) {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    assert!(!chart.id.is_empty() && chart.id.chars().all(plain), "{}", chart.id);
    assert!(!chart.title.is_empty() && !chart.says.is_empty(), "{chart:?}");
    assert!(!chart.series.is_empty(), "{}", chart.id);
    for series in &chart.series {
        assert!(!series.points.is_empty(), "{}: {}", chart.id, series.name);
        assert!(series.axis < chart.y.len(), "{}: {}", chart.id, series.name);
        assert!(series.points.iter().all(|p| p.x.is_finite() && p.y.is_finite()), "{}", chart.id);
        if series.shape == Shape::Heat {
            rows_are_whole(chart);
        }
    }
    assert!(chart.marks.iter().all(|mark| mark.at.is_finite() && mark.axis < chart.y.len()));
}

fn rows_are_whole(chart: &Chart) {
    let (Scale::Names(columns), Scale::Names(rows)) = (&chart.x.scale, &chart.y[0].scale) else {
        panic!("{}: a map has names on both axes", chart.id);
    };
    let places = chart.series[0].points.iter().map(|point| (point.y as usize, point.x as usize));
    let wanted =
        (0..rows.len()).flat_map(|row| (0..columns.len()).map(move |column| (row, column)));
    assert_eq!(places.collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{}", chart.id);
}

fn pairs_hold(charts: &[Chart]) {
    for (at, chart) in charts.iter().enumerate() {
        let Some(pair) = &chart.pair else { continue };
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let mut partners = beside.filter_map(|at| charts.get(at)?.pair.as_ref());
        assert!(partners.any(|other| other == pair), "{} stands alone", chart.id);
    }
}
