//! A CSV table: one row for each subject and interval, the same columns for all, empty if a subject
//! has no such figure. Columns have the names of the JSON fields.

use super::column::{LineRates, SubjectKind, WatchColumn};
use super::format::{Begin, End, WatchFormat, WatchInterval, WatchText, stamp};
use super::{heading, summary};
use crate::terminal::screen::Screen;
use fathom_monitor::{IntervalOutcome, Watched};
use fathom_report::csv_rows;

/// Speaks CSV (RFC 4180, lines ended as on Unix).
#[derive(Debug)]
pub struct Csv {
    screen: Screen,
    columns: Vec<&'static str>,
}

impl Csv {
    /// Heading and summary are laid out for `screen`.
    pub fn new(screen: Screen) -> Csv {
        Csv { screen, columns: Vec::new() }
    }

    fn row(
        &self,
        interval: &WatchInterval<'_>,
        watched: &Watched,
        outcome: &IntervalOutcome,
    ) -> Vec<String> {
        let kind = SubjectKind::of(&watched.subject);
        let elapsed = elapsed_s(outcome).map(number).unwrap_or_default();
        let mut row =
            vec![stamp(&interval.time), elapsed, kind.name().to_owned(), watched.name.clone()];
        let value = |name: &&str| value(kind, name, outcome).map(number).unwrap_or_default();
        row.extend(self.columns.iter().map(value));
        row
    }
}

impl WatchFormat for Csv {
    fn begin(&mut self, begin: &Begin<'_>) -> WatchText {
        for kind in SubjectKind::ALL {
            if begin.watched.iter().any(|watched| SubjectKind::of(&watched.subject) == kind) {
                let new = kind.columns().iter().map(|column| column.name);
                let new: Vec<&str> = new.filter(|name| !self.columns.contains(name)).collect();
                self.columns.extend(new);
            }
        }
        let fixed = ["time", "elapsed_s", "kind", "name"];
        let titles: Vec<&str> = fixed.into_iter().chain(self.columns.iter().copied()).collect();
        let titles = titles.iter().map(|title| (*title).to_owned());
        let aside = heading::whole(begin, &self.screen);
        WatchText { aside, ..WatchText::out(csv_rows([titles])) }
    }

    fn interval(&mut self, interval: &WatchInterval<'_>) -> WatchText {
        let row = |(watched, outcome)| self.row(interval, watched, outcome);
        WatchText::out(csv_rows(interval.lines().map(row)))
    }

    fn end(&mut self, end: &End<'_>) -> WatchText {
        WatchText { aside: summary::whole(end, &self.screen), ..WatchText::default() }
    }
}

fn value(kind: SubjectKind, name: &str, outcome: &IntervalOutcome) -> Option<f64> {
    let is_it = |column: &&WatchColumn| column.name == name;
    let column = kind.columns().iter().find(is_it)?;
    (column.value)(LineRates::of(outcome)?)
}

fn elapsed_s(outcome: &IntervalOutcome) -> Option<f64> {
    let elapsed = match outcome {
        IntervalOutcome::Disk(delta) => delta.elapsed,
        IntervalOutcome::Nfs(delta) => delta.elapsed,
        IntervalOutcome::Memory(delta) => delta.elapsed,
        IntervalOutcome::Gone => return None,
    };
    Some(elapsed.as_secs_f64())
}

/// To a millionth, which is finer than any of the clocks.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
