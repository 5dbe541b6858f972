//! Runs in the form of pages: texts to insert.

use chrono::{DateTime, Local, NaiveDate, NaiveTime};
use fathom_message::{Lang, Message};
use fathom_report::quantity::{count, latency, megabytes_per_s, thousands};
use fathom_store::live::LiveRun;
use fathom_store::{HistoryEntry, HistoryFigure, HistoryOutcome, Key};
use serde::Serialize;
use std::collections::BTreeMap;

/// Figures that are shown of a run in a list.
const FIGURES_SHOWN: usize = 4;

/// A run in the list.
#[derive(Debug, Serialize)]
pub(crate) struct ListRow {
    id: String,
    short_id: String,
    /// For programs, and for people.
    started: String,
    when: String,
    kind: String,
    /// What it found, which names its targets, or else what it was about.
    title: String,
    targets: Vec<String>,
    host: String,
    tags: Vec<String>,
    /// How it ended, unless it ended normally.
    outcome: Option<String>,
    tone: &'static str,
    figures: Vec<Shown>,
}

/// A figure in a list.
#[derive(Debug, Serialize)]
struct Shown {
    label: String,
    value: String,
}

/// A running run.
#[derive(Debug, Serialize)]
pub(crate) struct Running {
    id: String,
    kind: String,
    title: String,
    targets: Vec<String>,
    host: String,
    started: String,
    when: String,
}

impl ListRow {
    /// The run of `entry`, which found what `summary` says or was killed; `told` puts titles into
    /// the language of the page, and `words` are those of the page.
    pub(crate) fn of(
        entry: &HistoryEntry,
        summary: Option<&str>,
        killed: bool,
        told: impl Fn(&str) -> String,
        words: &BTreeMap<String, String>,
    ) -> ListRow {
        let run = &entry.run;
        let (outcome, tone) = match killed {
            true => (Some("run_killed"), "bad"),
            false => outcome(run.outcome),
        };
        ListRow {
            id: entry.id.to_string(),
            short_id: entry.short_id.clone(),
            started: started(run.started_ms),
            when: when(run.started_ms),
            kind: run.kind.clone(),
            title: summary.map_or_else(|| told(&run.title), str::to_owned),
            targets: if summary.is_some() { Vec::new() } else { run.targets.clone() },
            host: run.host.clone(),
            tags: run.tags.clone(),
            outcome: outcome.and_then(|name| words.get(name)).cloned(),
            tone,
            figures: run
                .leading()
                .into_iter()
                .filter_map(|figure| shown(figure, &told))
                .take(FIGURES_SHOWN)
                .collect(),
        }
    }
}

impl Running {
    /// The run of a feed.
    pub(crate) fn of(run: &LiveRun, told: impl Fn(&str) -> String) -> Running {
        let header = &run.header;
        Running {
            id: header.id.to_string(),
            kind: header.kind.clone(),
            title: told(&header.title),
            targets: header.targets.clone(),
            host: header.host.clone(),
            started: started(header.started_ms),
            when: when(header.started_ms),
        }
    }
}

/// The word for an important outcome, and its tone.
fn outcome(outcome: HistoryOutcome) -> (Option<&'static str>, &'static str) {
    match outcome {
        HistoryOutcome::Ran => (None, "good"),
        outcome => (Some(outcome_word(outcome)), tone(outcome)),
    }
}

fn tone(outcome: HistoryOutcome) -> &'static str {
    match outcome {
        HistoryOutcome::Running => "note",
        HistoryOutcome::Ran | HistoryOutcome::PromiseKept => "good",
        HistoryOutcome::Interrupted | HistoryOutcome::Undecided => "warning",
        HistoryOutcome::PromiseMissed | HistoryOutcome::Failed => "bad",
    }
}

/// The name of an outcome among the words of the page.
pub(crate) fn outcome_word(outcome: HistoryOutcome) -> &'static str {
    match outcome {
        HistoryOutcome::Running => "running",
        HistoryOutcome::Ran => "ran",
        HistoryOutcome::Interrupted => "interrupted",
        HistoryOutcome::PromiseKept => "promise_kept",
        HistoryOutcome::Undecided => "undecided",
        HistoryOutcome::PromiseMissed => "promise_missed",
        HistoryOutcome::Failed => "failed",
    }
}

/// The figure, with its label as `told` puts it.
fn shown(figure: &HistoryFigure, told: impl Fn(&str) -> String) -> Option<Shown> {
    let value = match figure.key {
        Key::Iops => figure.iops.map(|iops| format!("{} IOPS", thousands(iops)))?,
        Key::BytesPerS => {
            figure.bytes_per_s.map(|rate| format!("{} MB/s", megabytes_per_s(rate / 1e6)))?
        }
        Key::Latency => {
            let (statistic, ns) = figure.latency_ns()?;
            format!("{} {}", told(statistic.name()), latency(ns))
        }
    };
    let label = match figure.target.is_empty() {
        true => told(&figure.label),
        false => format!("{}: {}", figure.target, told(&figure.label)),
    };
    Some(Shown { label, value })
}

/// A time by the clock of this machine.
fn when(ms: u64) -> String {
    time(ms).map_or_else(|| "?".to_owned(), |time| time.format("%Y-%m-%d %H:%M").to_string())
}

/// The same, for programs.
fn started(ms: u64) -> String {
    time(ms).map(|time| time.to_rfc3339()).unwrap_or_default()
}

fn time(ms: u64) -> Option<DateTime<Local>> {
    let utc = DateTime::from_timestamp_millis(i64::try_from(ms).ok()?)?;
    Some(utc.with_timezone(&Local))
}

/// The beginning of a day that is written as 2026-08-01, in milliseconds since 1970.
pub(crate) fn day(text: &str) -> Option<u64> {
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    let begin = day.and_time(NaiveTime::MIN).and_local_timezone(Local).earliest()?;
    u64::try_from(begin.timestamp_millis()).ok()
}

/// The extent of a list: `1–100 of 10,000 runs`.
pub(crate) fn extent(lang: Lang, offset: u64, shown: u64, of: u64) -> String {
    Message::new("web-extent")
        .with("from", count(offset + 1))
        .with("to", count(offset + shown))
        .with("runs", of)
        .with("of", count(of))
        .text(lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_its_extent() {
        assert_eq!(extent(Lang::En, 0, 1, 1), "1–1 of 1 run");
        assert_eq!(extent(Lang::En, 9900, 100, 1_234_567), "9,901–10,000 of 1,234,567 runs");
        assert_eq!(extent(Lang::Ko, 0, 100, 250), "총 250건 중 1~100");
    }
}
