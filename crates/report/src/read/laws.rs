//! Invariants of every report, for tests.

use crate::model::{Chart, Report, Scale, Shape, TableCell};
use fathom_message::Lang;
use std::collections::BTreeSet;

/// Asserts all of them.
pub(crate) fn hold(report: &Report) {
    assert!(!report.title.is_empty());
    assert!(!report.answers.is_empty() && report.answers.iter().all(|a| !a.is_empty()));
    let ids: BTreeSet<&str> = report.charts.iter().map(|chart| chart.id.as_str()).collect();
    assert_eq!(ids.len(), report.charts.len(), "each id once");
    report.charts.iter().for_each(chart_holds);
    assert!(report.tiles.len() <= 4, "{:?}", report.tiles);
    pairs_hold(&report.charts);
    for table in &report.tables {
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.id);
    }
    if report.lang == Lang::Ko {
        is_korean(report);
    }
    let text = serde_json::to_string(report).unwrap();
    assert!(!text.contains("charts-"), "a sentence is missing: {}", around(&text, "charts-"));
    assert!(!text.contains("{ $") && !text.contains("{$"), "{}", around(&text, "{"));
    for odd in [" NaN", " inf "] {
        assert!(!text.contains(odd), "{}", around(&text, odd));
    }
}

/// Asserts that no text of a Korean report is English, except names, units and commands.
pub(crate) fn is_korean(report: &Report) {
    let english: Vec<&str> = texts(report).into_iter().filter(|text| is_english(text)).collect();
    assert!(english.is_empty(), "{english:#?}");
}

/// Three lower-case words or more in a row, which no name, unit or option has.
fn is_english(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_matches([',', '.', ';', ':', '(', ')']);
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '\'')
    };
    let words: Vec<bool> = text.split(' ').map(is_word).collect();
    words.windows(3).any(|three| three.iter().all(|word| *word))
}

fn texts(report: &Report) -> Vec<&str> {
    let mut texts = vec![report.title.as_str()];
    texts.push(&report.origin);
    texts.extend(report.tiles.iter().flat_map(|tile| [tile.name.as_str(), &tile.detail]));
    texts.extend(report.answers.iter().map(String::as_str));
    texts.extend(report.verdicts.iter().flat_map(|said| [said.about.as_str(), &said.sentence]));
    texts.extend(report.facts.iter().map(|fact| fact.name.as_str()));
    texts.extend(report.repeat.iter().map(|repeat| repeat.what.as_str()));
    for chart in &report.charts {
        texts.extend([chart.title.as_str(), &chart.says, &chart.note]);
        for axis in std::iter::once(&chart.x).chain(&chart.y) {
            texts.push(&axis.name);
            if let Scale::Names(names) = &axis.scale {
                texts.extend(names.iter().map(String::as_str));
            }
        }
        texts.extend(chart.series.iter().map(|series| series.name.as_str()));
        texts.extend(chart.bands.iter().map(|band| band.name.as_str()));
        texts.extend(chart.marks.iter().map(|mark| mark.name.as_str()));
    }
    for table in &report.tables {
        texts.push(&table.title);
        texts.extend(table.columns.iter().map(|column| column.name.as_str()));
        texts.extend(table.rows.iter().flatten().filter_map(|cell| match cell {
            TableCell::Text(text) => Some(text.as_str()),
            _ => None,
        }));
    }
    texts
}

fn around<'t>(text: &'t str, what: &'t str) -> &'t str {
    text.find(what).and_then(|at| text.get(at.saturating_sub(60)..at + 20)).unwrap_or(what)
}

fn chart_holds(chart: &Chart) {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    assert!(!chart.id.is_empty() && chart.id.chars().all(plain), "{}", chart.id);
    assert!(!chart.title.is_empty() && !chart.says.is_empty(), "{chart:?}");
    assert!(!chart.series.is_empty(), "{}", chart.id);
    let heat = chart.series.iter().any(|series| series.shape == Shape::Heat);
    assert!(heat || chart.y.len() == 1, "{}: one unit a chart", chart.id);
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
