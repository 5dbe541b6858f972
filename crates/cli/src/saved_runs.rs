//! Runs of the history, named by the beginning of their name in every command.

use crate::history_error::HistoryError;
use crate::history_file;
use crate::language::word;
use crate::terminal::screen::warn_line;
use fathom_campaign::{latency, megabytes_per_s, thousands};
use fathom_store::live::LiveReader;
use fathom_store::{
    Filter, HistoryEntry, HistoryFigure, HistoryOutcome, Key, Store, StoreError, has_result,
};
use fathom_text::text;
use std::sync::Once;

/// The name of the newest run that was not stopped and has figures or a verdict.
pub const LATEST: &str = "latest";

/// Whether `text`, which is not a file, may name a run: the beginning of a name, `latest`,
/// `latest~1`, `previous`, or a label, also as `tag:LABEL`. A text with `/` or an extension is
/// rather a missing file, unless it is a run's label.
pub fn is_name(text: &str) -> bool {
    let of_name = |letter: char| letter.is_alphanumeric() || "-_~".contains(letter);
    let labelled = || {
        let label = text.strip_prefix("tag:").unwrap_or(text);
        let filter = Filter { tag: Some(label.to_owned()), ..Filter::default() };
        let store = history_file::to_read().ok().flatten();
        store.is_some_and(|store| store.count(&filter).is_ok_and(|count| count > 0))
    };
    !text.is_empty() && (text.chars().all(of_name) || labelled())
}

/// Whether the history has a run with this name.
pub fn is_saved(name: &str) -> bool {
    let store = history_file::to_read().ok().flatten();
    store.is_some_and(|store| found(&store, name).is_ok())
}

/// The run whose name begins with `id`, with its result document.
///
/// # Errors
/// If there is no such run, or it has no result.
pub fn result_of(id: &str) -> Result<(HistoryEntry, String), HistoryError> {
    let nothing_kept = || match id {
        LATEST => HistoryError::NothingKept,
        id => HistoryError::NothingKeptOf(id.to_owned()),
    };
    let store = history_file::to_read()?.ok_or_else(nothing_kept)?;
    let entry = match found(&store, id) {
        Err(HistoryError::Store { source: StoreError::NoRun { .. } }) if id == LATEST => {
            return Err(nothing_kept());
        }
        found => found?,
    };
    warn_of_newer(&store, id, &entry);
    let document = store.document(&entry.id)?;
    if has_result(&document) {
        return Ok((entry, document));
    }
    let killed = LiveReader::new(&history_file::file()?).is_killed(&entry);
    Err(match killed {
        true => HistoryError::Killed(entry.short_id),
        false => HistoryError::Running(entry.short_id),
    })
}

/// The run whose name begins with `id`.
///
/// # Errors
/// If there is no such run. `latest` names none while all go on, were stopped or have no figures.
pub fn found(store: &Store, id: &str) -> Result<HistoryEntry, HistoryError> {
    let any = || store.count(&Filter::default()).is_ok_and(|count| count > 0);
    match store.get(id) {
        Err(StoreError::NoRun { .. }) if id == LATEST && any() => Err(HistoryError::NoneEnded),
        entry => Ok(entry?),
    }
}

/// Says on standard error that a newer run than `latest` exists, which was stopped or has no
/// figures: its reader may have meant that one. A command that reads `latest` several times says it
/// once.
pub fn warn_of_newer(store: &Store, id: &str, latest: &HistoryEntry) {
    let newest = || store.list(&Filter { limit: Some(1), ..Filter::default() }).ok()?.pop();
    if id != LATEST {
        return;
    }
    if let Some(newest) = newest().filter(|newest| newest.id != latest.id) {
        static WARNING: Once = Once::new();
        let (own, other) = (&latest.short_id, &newest.short_id);
        let why = match newest.run.outcome {
            HistoryOutcome::Interrupted => text!("was stopped"),
            HistoryOutcome::Running => text!("has not ended"),
            _ => text!("has no figures"),
        };
        WARNING.call_once(|| {
            warn_line(text!(
                "fathom: latest is {own}; the newer run {other} {why} and is named by its id only"
            ));
        });
    }
}

/// The runs that match `filter`, newest first; none if there is no history.
///
/// # Errors
/// If the history cannot be read.
pub fn listed(filter: &Filter) -> Result<Vec<HistoryEntry>, HistoryError> {
    match history_file::to_read()? {
        Some(store) => Ok(store.list(filter)?),
        None => Ok(Vec::new()),
    }
}

/// The runs of those names, each once.
pub fn all_found(store: &Store, ids: &[String]) -> Result<Vec<HistoryEntry>, HistoryError> {
    let mut entries: Vec<HistoryEntry> = Vec::new();
    for id in ids {
        let entry = found(store, id)?;
        if entries.iter().all(|other| other.id != entry.id) {
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// The name of a figure, with its unit.
pub fn key(figure: &HistoryFigure) -> Option<String> {
    match figure.key {
        Key::Iops => figure.iops.map(|iops| format!("{} IOPS", short_count(iops))),
        Key::BytesPerS => {
            figure.bytes_per_s.map(|rate| format!("{} MB/s", megabytes_per_s(rate / 1e6)))
        }
        Key::Latency => figure
            .latency_ns()
            .map(|(statistic, ns)| format!("{} {}", word(statistic.name()), latency(ns))),
    }
}

/// `7,090`, `10.6k`, `106k`, `1.06M`: three digits are enough for a list.
fn short_count(count: f64) -> String {
    let three_digits = |number: f64| match number {
        number if number < 9.995 => format!("{number:.2}"),
        number if number < 99.95 => format!("{number:.1}"),
        number => format!("{number:.0}"),
    };
    match count {
        count if count < 9_999.5 => thousands(count),
        count if count < 999_500.0 => format!("{}k", three_digits(count / 1e3)),
        count => format!("{}M", three_digits(count / 1e6)),
    }
}

/// A figure's label in a list: `randread 4k` for `4 KiB random read, QD 32`, in fio's words; any
/// other label as it is.
pub fn short_label(label: &str) -> String {
    let work = label.split(", ").next().unwrap_or_default();
    let words: Vec<&str> = work.split(' ').collect();
    let [size, unit, order, direction] = words[..] else { return label.to_owned() };
    let order = match order {
        "random" => "rand",
        "sequential" => "",
        _ => return label.to_owned(),
    };
    let unit = match unit {
        "B" => "",
        "KiB" => "k",
        "MiB" => "m",
        "GiB" => "g",
        _ => return label.to_owned(),
    };
    format!("{order}{direction} {size}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_three_digits() {
        for (count, text) in [
            (7090.4, "7,090"),
            (9999.0, "9,999"),
            (10_000.0, "10.0k"),
            (105_640.0, "106k"),
            (999_499.0, "999k"),
            (999_500.0, "1.00M"),
            (12_345_678.0, "12.3M"),
        ] {
            assert_eq!(short_count(count), text);
        }
    }

    #[test]
    fn a_latency_is_the_mean_and_says_so() {
        let figure = |mean_ns, p50_ns| HistoryFigure {
            key: Key::Latency,
            mean_ns,
            p50_ns,
            ..HistoryFigure::default()
        };
        for (figure, text) in [
            (figure(Some(60_200.0), Some(36_000.0)), "mean 60.2 us"),
            (figure(Some(60_200.0), None), "mean 60.2 us"),
            // Of flushes only percentiles are stored.
            (figure(None, Some(36_000.0)), "median 36.0 us"),
        ] {
            assert_eq!(key(&figure).as_deref(), Some(text));
        }
        // Of a test that was judged by its p99, that alone.
        let p99 = HistoryFigure { p99_ns: Some(2.1e6), ..figure(None, None) };
        assert_eq!(key(&p99).as_deref(), Some("p99 2.10 ms"));
    }

    #[test]
    fn labels_of_tests_are_short_and_others_stay() {
        for (label, short) in [
            ("4 KiB random read, QD 32", "randread 4k"),
            ("1 MiB sequential write, QD 8, 2 jobs", "write 1m"),
            ("512 B random write, depth 1", "randwrite 512"),
            ("nightly read", "nightly read"),
            ("p99 under 1 ms", "p99 under 1 ms"),
            ("a big random job", "a big random job"),
            ("", ""),
        ] {
            assert_eq!(short_label(label), short, "{label}");
        }
    }
}
