//! Output formats of `watch`, and the events that they receive: the beginning, each interval and
//! the end.
//!
//! A format only makes text and prints nothing itself, so that tests see the same text as users.

use crate::terminal::paint::Frame;
use chrono::{DateTime, FixedOffset, SecondsFormat};
use fathom_monitor::{CounterReading, IntervalExtent, IntervalOutcome, Summary, Watched};
use std::time::Duration;

/// Text for standard output, and for standard error beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchText {
    /// For standard output, before `out`: redraws the previous frame.
    pub frame: Frame,
    /// For standard output.
    pub out: String,
    /// For standard error.
    pub aside: String,
}

impl WatchText {
    /// Text for standard output alone.
    pub fn out(out: String) -> WatchText {
        WatchText { out, ..WatchText::default() }
    }
}

/// The watching begins.
#[derive(Clone, Copy, Debug)]
pub struct Begin<'a> {
    /// By the clock on the wall.
    pub time: DateTime<FixedOffset>,
    /// From one line to the next.
    pub interval: Duration,
    /// The watched subjects.
    pub watched: &'a [Watched],
    /// The first reading of each.
    pub first: &'a [CounterReading],
}

/// How to treat lines of idle subjects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleLines {
    /// They are shown.
    Shown,
    /// They are left out.
    LeftOut,
}

/// An interval has passed.
#[derive(Clone, Copy, Debug)]
pub struct WatchInterval<'a> {
    /// Its end, by the clock on the wall.
    pub time: DateTime<FixedOffset>,
    /// 1 for the first.
    pub number: u64,
    /// Whether it lasted as long as it should.
    pub extent: IntervalExtent,
    /// The watched subjects.
    pub watched: &'a [Watched],
    /// The outcome of each.
    pub outcomes: &'a [IntervalOutcome],
    /// Whether idle ones are shown.
    pub idle: IdleLines,
}

impl<'a> WatchInterval<'a> {
    /// The lines to show: each subject with its outcome.
    pub fn lines(&self) -> impl Iterator<Item = (&'a Watched, &'a IntervalOutcome)> + use<'a> {
        let idle = self.idle;
        let told = move |(_, outcome): &(&Watched, &IntervalOutcome)| {
            idle == IdleLines::Shown || !outcome.is_idle()
        };
        self.watched.iter().zip(self.outcomes).filter(told)
    }
}

/// Why watching ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// The requested number of intervals has passed.
    Count,
    /// A signal, by its number.
    Signal(i32),
}

/// The watching ends.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// By the clock on the wall.
    pub time: DateTime<FixedOffset>,
    /// The reason.
    pub by: EndedBy,
    /// The watched subjects.
    pub watched: &'a [Watched],
    /// The summary of each subject; none if no interval had figures.
    pub summaries: &'a [Option<Summary>],
}

/// An output format.
pub trait WatchFormat {
    /// At the beginning, after the first reading.
    fn begin(&mut self, begin: &Begin<'_>) -> WatchText;
    /// After each interval.
    fn interval(&mut self, interval: &WatchInterval<'_>) -> WatchText;
    /// At the end.
    fn end(&mut self, end: &End<'_>) -> WatchText;
}

/// A time for machines: RFC 3339 with milliseconds.
pub fn stamp(time: &DateTime<FixedOffset>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, false)
}

/// A time for users, as precise as the interval requires.
pub fn clock(time: &DateTime<FixedOffset>, interval: Duration) -> String {
    let whole = interval.subsec_nanos() == 0;
    time.format(if whole { "%H:%M:%S" } else { "%H:%M:%S%.3f" }).to_string()
}
