//! One JSON document a line: the beginning with the watched subjects, each interval with its counts
//! and rates, the end with the summary. The field `event` tells them apart.

use super::column::SubjectKind;
use super::format::{Begin, End, EndedBy, WatchFormat, WatchInterval, WatchText, stamp};
use super::limits::reached;
use fathom_monitor::{Delta, IntervalCounts, IntervalExtent, IntervalOutcome, Watched};
use fathom_vocab::printable;
use serde_json::{Map, Value, json};

/// Version of this format; raised when a field is removed or changes its meaning.
const SCHEMA: u32 = 1;

/// The JSON format.
#[derive(Debug)]
pub struct JsonWatch;

impl WatchFormat for JsonWatch {
    fn begin(&mut self, begin: &Begin<'_>) -> WatchText {
        let watched = begin.watched.iter().zip(begin.first).map(|(watched, first)| {
            let mut line = json!(watched);
            line["counters"] = json!(first.counters);
            line
        });
        said(json!({
            "event": "begin",
            "schema": SCHEMA,
            "version": env!("CARGO_PKG_VERSION"),
            "time": stamp(&begin.time),
            "interval_s": begin.interval.as_secs_f64(),
            "watched": watched.collect::<Vec<Value>>(),
        }))
    }

    fn interval(&mut self, interval: &WatchInterval<'_>) -> WatchText {
        let lines = interval.lines().map(|(watched, outcome)| line(watched, outcome));
        said(json!({
            "event": "interval",
            "time": stamp(&interval.time),
            "number": interval.number,
            "whole": interval.extent == IntervalExtent::Whole,
            "lines": lines.collect::<Vec<Value>>(),
        }))
    }

    fn end(&mut self, end: &End<'_>) -> WatchText {
        let told = end.watched.iter().zip(end.summaries);
        let summary = told.filter_map(|(watched, summary)| {
            let mut line = head(watched);
            line.extend(json!(summary.as_ref()?).as_object()?.clone());
            Some(Value::Object(line))
        });
        let signal = match end.by {
            EndedBy::Count => Value::Null,
            EndedBy::Signal(number) => json!(number),
        };
        said(json!({
            "event": "end",
            "time": stamp(&end.time),
            "signal": signal,
            "summary": summary.collect::<Vec<Value>>(),
        }))
    }
}

fn said(document: Value) -> WatchText {
    WatchText::out(format!("{}\n", printable::json(&document.to_string())))
}

fn head(watched: &Watched) -> Map<String, Value> {
    let kind = SubjectKind::of(&watched.subject).name();
    let pairs = [("name", watched.name.as_str()), ("kind", kind)];
    pairs.into_iter().map(|(key, text)| (key.to_owned(), Value::from(text))).collect()
}

fn line(watched: &Watched, outcome: &IntervalOutcome) -> Value {
    let mut line = head(watched);
    match outcome {
        IntervalOutcome::Disk(delta) => {
            fill(&mut line, delta);
            line.insert("at_limit".to_owned(), json!(reached(watched, outcome)));
        }
        IntervalOutcome::Nfs(delta) => fill(&mut line, delta),
        IntervalOutcome::Memory(delta) => fill(&mut line, delta),
        IntervalOutcome::Gone => {
            line.insert("gone".to_owned(), Value::Bool(true));
        }
    }
    Value::Object(line)
}

fn fill<C: IntervalCounts>(line: &mut Map<String, Value>, delta: &Delta<C>) {
    line.insert("elapsed_s".to_owned(), json!(delta.elapsed.as_secs_f64()));
    line.insert("restarted".to_owned(), json!(delta.restarted));
    line.insert("counts".to_owned(), json!(delta.counts));
    line.insert("rates".to_owned(), json!(delta.rates));
}
