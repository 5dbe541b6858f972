//! A table on a terminal, redrawn after each interval.
//!
//! The frame is fitted to the current window: columns are dropped by their weight, then lines at
//! the bottom, because a line that wraps or scrolls could not be redrawn.

use super::column::{
    CELL, ColumnWeight, LineRates, SubjectKind, WatchColumn, figures, kinds, name_width, titles,
};
use super::format::{Begin, End, WatchFormat, WatchInterval, WatchText, clock};
use super::plain::remarks;
use super::{heading, summary};
use crate::terminal::paint::{Frame, Narrower, Painter, Window};
use crate::terminal::screen::Screen;
use crate::terminal::spark::History;
use fathom_monitor::{IntervalExtent, IntervalOutcome, Watched};
use std::time::Duration;

/// Less than this is no curve.
const CURVE_LEAST: usize = 8;
/// Maximum columns of a name, so that figures stay visible.
const NAME_MOST: usize = 32;

/// Speaks to a terminal.
#[derive(Debug)]
pub struct Live {
    screen: Screen,
    window: fn() -> Window,
    interval: Duration,
    histories: Vec<History>,
    painter: Painter,
}

impl Live {
    /// `window` is called before each frame.
    pub fn new(screen: Screen, window: fn() -> Window) -> Live {
        let histories = Vec::new();
        let painter = Painter::new(Narrower::Clear);
        Live { screen, window, interval: Duration::ZERO, histories, painter }
    }

    fn frame(&self, interval: &WatchInterval<'_>, window: Window) -> Vec<String> {
        let mut lines = vec![clock(&interval.time, self.interval)];
        let names = name_width(interval.watched).min(NAME_MOST);
        let mut hidden = 0;
        for kind in kinds(interval.watched) {
            let layout = Layout::of(kind, names, window.width);
            hidden += kind.columns().len() - layout.columns.len();
            lines.push(self.titles(&layout));
            lines.extend(self.rows(interval, &layout));
        }
        lines.extend(interval.lines().flat_map(|(watched, outcome)| notes(watched, outcome)));
        if hidden > 0 {
            let more = localized!("({hidden} more columns in a wider window)");
            lines.push(more);
        }
        lines
    }

    fn titles(&self, layout: &Layout) -> String {
        let text = format!("{:<width$}", layout.kind.title(), width = layout.names);
        let text = text + &titles(&layout.columns);
        let text = match layout.curve {
            Curve::Beside(_) => text + "  IOPS",
            _ => text,
        };
        match self.screen.colour {
            true => format!("\x1b[1m{text}\x1b[0m"),
            false => text,
        }
    }

    /// The lines of one kind that are to be shown.
    fn rows(&self, interval: &WatchInterval<'_>, layout: &Layout) -> Vec<String> {
        let mut rows = Vec::new();
        for (watched, outcome) in interval.lines() {
            if SubjectKind::of(&watched.subject) != layout.kind {
                continue;
            }
            let name = shortened(&watched.name, layout.names);
            let figures = figures(&layout.columns, LineRates::of(outcome));
            let row = format!("{name:<width$}{figures}", width = layout.names);
            let at = interval.watched.iter().position(|other| other.name == watched.name);
            let history = at.and_then(|at| self.histories.get(at));
            rows.extend(self.with_curve(row, history, layout.curve));
        }
        rows
    }

    fn with_curve(&self, row: String, history: Option<&History>, curve: Curve) -> Vec<String> {
        let bars = |room| history.map(|h| h.bars(room, self.screen.unicode)).unwrap_or_default();
        match curve {
            Curve::None => vec![row],
            Curve::Beside(room) => vec![format!("{row}  {}", bars(room))],
            Curve::Beneath(room) => vec![row, format!("{CURVE_TITLE}{}", bars(room))],
        }
    }
}

/// The title of a curve on its own line.
const CURVE_TITLE: &str = "  IOPS ";

/// The position of the last values, and their number of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Curve {
    /// At the end of the line.
    Beside(usize),
    /// On its own line, if there is no space beside the table.
    Beneath(usize),
    /// Nowhere: memory has no I/Os.
    None,
}

/// How a table is fitted into the window.
#[derive(Clone, Debug)]
struct Layout {
    kind: SubjectKind,
    names: usize,
    columns: Vec<WatchColumn>,
    curve: Curve,
}

impl Layout {
    /// The most columns that fit, and the curve if there is space.
    fn of(kind: SubjectKind, names: usize, width: usize) -> Layout {
        let takes = |columns: &[WatchColumn]| names + columns.len() * CELL;
        let up_to = |weight: ColumnWeight| -> Vec<WatchColumn> {
            kind.columns().iter().filter(|column| column.weight <= weight).copied().collect()
        };
        let wider = [ColumnWeight::Detail, ColumnWeight::Fuller].map(up_to);
        let fitting = wider.into_iter().find(|columns| takes(columns) <= width);
        let columns = fitting.unwrap_or_else(|| up_to(ColumnWeight::Key));
        let beside = width.saturating_sub(takes(&columns) + 2);
        let curve = match beside {
            _ if kind == SubjectKind::Memory => Curve::None,
            room if room >= CURVE_LEAST => Curve::Beside(room),
            _ => Curve::Beneath(width.saturating_sub(CURVE_TITLE.len())),
        };
        Layout { kind, names, columns, curve }
    }
}

impl WatchFormat for Live {
    fn begin(&mut self, begin: &Begin<'_>) -> WatchText {
        self.interval = begin.interval;
        self.histories = vec![History::default(); begin.watched.len()];
        WatchText::out(heading::whole(begin, &self.screen))
    }

    fn interval(&mut self, interval: &WatchInterval<'_>) -> WatchText {
        if interval.extent == IntervalExtent::Cut {
            return WatchText::default();
        }
        for (history, outcome) in self.histories.iter_mut().zip(interval.outcomes) {
            history.push(LineRates::of(outcome).map_or(0.0, LineRates::ios_per_s));
        }
        let window = (self.window)();
        let lines = self.frame(interval, window);
        WatchText { frame: self.painter.draw(lines, window), ..WatchText::default() }
    }

    fn end(&mut self, end: &End<'_>) -> WatchText {
        // The terminal prints ^C at the cursor.
        WatchText {
            frame: Frame::over_line(""),
            ..WatchText::out(summary::whole(end, &self.screen))
        }
    }
}

/// Notes on a line, below the tables.
fn notes(watched: &Watched, outcome: &IntervalOutcome) -> Vec<String> {
    let about = |remark: String| format!("  {}: {remark}", watched.name);
    remarks(watched, outcome).into_iter().map(about).collect()
}

/// A long name keeps its end, which is more telling than its beginning.
fn shortened(name: &str, most: usize) -> String {
    let length = name.chars().count();
    match length > most {
        true => format!("~{}", name.chars().skip(length - most + 1).collect::<String>()),
        false => name.to_owned(),
    }
}
