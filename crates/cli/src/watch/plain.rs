//! Lines for a file or a pipe: one for each subject and interval, with its time.

use super::column::{LineRates, SubjectKind, figures, kinds, name_width, titles};
use super::format::{Begin, End, WatchFormat, WatchInterval, WatchText, clock};
use super::limits::{amount, reached};
use super::{heading, summary};
use crate::language::word;
use crate::terminal::screen::{Screen, from_left};
use fathom_campaign::decimal_bytes;
use fathom_monitor::{IntervalExtent, IntervalOutcome, Watched};
use std::time::Duration;

/// Speaks in plain lines.
#[derive(Debug)]
pub struct Plain {
    screen: Screen,
    interval: Duration,
    name_width: usize,
}

impl Plain {
    /// Heading and summary are laid out for `screen`; lines are as long as they are.
    pub fn new(screen: Screen) -> Plain {
        Plain { screen, interval: Duration::ZERO, name_width: 0 }
    }

    /// The titles over the lines of one kind; the time's place stays empty.
    fn titles(&self, kind: SubjectKind, time_width: usize) -> String {
        let (name, width) = (kind.title(), self.name_width);
        let head = format!("{:time_width$} {name:<width$}", "");
        head + &titles(kind.columns()) + "\n"
    }

    fn line(
        &self,
        interval: &WatchInterval<'_>,
        watched: &Watched,
        outcome: &IntervalOutcome,
    ) -> String {
        let time = clock(&interval.time, self.interval);
        let head = format!("{time} {}", from_left(&watched.name, self.name_width));
        let columns = SubjectKind::of(&watched.subject).columns();
        let body = match outcome {
            IntervalOutcome::Gone => String::new(),
            _ => figures(columns, LineRates::of(outcome)),
        };
        let remarks: String =
            remarks(watched, outcome).iter().map(|remark| format!("  {remark}")).collect();
        head + &body + &remarks + "\n"
    }
}

impl WatchFormat for Plain {
    fn begin(&mut self, begin: &Begin<'_>) -> WatchText {
        self.interval = begin.interval;
        self.name_width = name_width(begin.watched);
        let mut text = heading::whole(begin, &self.screen);
        let time_width = clock(&begin.time, begin.interval).len();
        for kind in kinds(begin.watched) {
            text += &self.titles(kind, time_width);
        }
        WatchText::out(text)
    }

    /// The incomplete second before ^C gets no line beside whole ones.
    fn interval(&mut self, interval: &WatchInterval<'_>) -> WatchText {
        if interval.extent == IntervalExtent::Cut {
            return WatchText::default();
        }
        let line = |(watched, outcome)| self.line(interval, watched, outcome);
        WatchText::out(interval.lines().map(line).collect())
    }

    fn end(&mut self, end: &End<'_>) -> WatchText {
        WatchText::out(summary::whole(end, &self.screen))
    }
}

/// Remarks on an interval beside its figures.
pub fn remarks(watched: &Watched, outcome: &IntervalOutcome) -> Vec<String> {
    let anew = "made anew in this interval: counted from zero";
    let (restarted, mut remarks) = match outcome {
        IntervalOutcome::Disk(delta) => (delta.restarted, Vec::new()),
        IntervalOutcome::Nfs(delta) => (delta.restarted, Vec::new()),
        IntervalOutcome::Memory(delta) => {
            let used = decimal_bytes(delta.counts.used_bytes);
            (false, vec![localized!("{used} of {} used", decimal_bytes(delta.counts.total_bytes))])
        }
        IntervalOutcome::Gone => {
            (false, vec![localized!("gone: its counters are not there any more")])
        }
    };
    remarks.extend(restarted.then(|| word(anew).to_owned()));
    remarks.extend(reached(watched, outcome).iter().map(|l| localized!("at limit: {}", amount(l))));
    remarks
}
