//! A moment as a few lines of a terminal, made only from the moment and a [`Screen`], so that tests
//! see the same text as users. Numbers keep their columns while they change.

use super::moment::{Moment, whole_seconds};
use crate::language::{lang, word};
use crate::terminal::bars::{self, bar};
use crate::terminal::screen::{Screen, columns, wrapped};
use crate::terminal::spark::History;
use fathom_campaign::{latency, megabytes_per_s, thousands};

const BOLD: &str = "1";
const GREEN: &str = "32";
const CYAN: &str = "36";

/// Columns for the text after the bar: `100 %, 59 min 59 s left`.
const AFTER_BAR: usize = 26;

/// The title of the curve.
const CURVE: &str = "IOPS ";
/// As many seconds are in the curve.
const SECONDS: usize = 60;

/// The current phase, its progress, its figures, and the curve of the last seconds.
pub fn lines(
    moment: &Moment,
    busiest: Option<(&str, f64)>,
    history: &History,
    screen: &Screen,
) -> Vec<String> {
    let title = unbroken(&moment.label, screen.width);
    let mut lines: Vec<String> = title.iter().map(|line| painted(line, BOLD, screen)).collect();
    lines.extend(progress(moment, screen));
    lines.extend(flowing(&cells(moment, busiest), screen.width));
    let curve = history.bars(SECONDS.min(screen.width.saturating_sub(CURVE.len())), screen.unicode);
    if !curve.is_empty() {
        lines.push(format!("{CURVE}{}", painted(&curve, CYAN, screen)));
    }
    lines
}

/// Lines of finished phases that stay in view: all of a usual measurement.
const MOST_FINISHED: usize = 8;

/// `lines` below the last finished phases, as far as the window has lines for them. Older ones are
/// counted in a line of their own.
pub fn beneath(
    finished: &[String],
    lines: Vec<String>,
    height: usize,
    screen: &Screen,
) -> Vec<String> {
    // A line for the cursor, and one for the command that was typed.
    let room = height.saturating_sub(lines.len() + 2).min(MOST_FINISHED);
    let each: Vec<Vec<String>> = finished.iter().map(|line| unbroken(line, screen.width)).collect();
    let shown_in = |room: usize| {
        let mut taken = 0;
        let fits = |own: &&Vec<String>| {
            taken += own.len();
            taken <= room
        };
        each.iter().rev().take_while(fits).count()
    };
    let shown = match shown_in(room) {
        all if all == each.len() => all,
        // A line is for the number of the others.
        _ => shown_in(room.saturating_sub(1)),
    };
    let older = each.len() - shown;
    let folded = (older > 0 && room > 0).then(|| done(older));
    let last = each.into_iter().skip(older).flatten();
    folded.into_iter().chain(last).chain(lines).collect()
}

/// `12 runs are done`: a test has a run in each round on each volume.
fn done(runs: usize) -> String {
    localized!("{runs|1=one run is|{runs} runs are} done")
}

/// `text` in as many lines as it takes, so that none of it is lost.
fn unbroken(text: &str, width: usize) -> Vec<String> {
    wrapped(text, width, "", "    ").lines().map(str::to_owned).collect()
}

/// A moment of jobs as one line that stays: `reads: 40 %, 12,300 IOPS, 50.4 MB/s, 36 s left`.
pub fn line(moment: &Moment) -> String {
    let percent = moment.share.map(|share| format!("{:.0} %", (share * 100.0).floor().min(99.0)));
    let cells = cells(moment, None);
    let figures = cells.iter().map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" "));
    let left = moment.left_us.filter(|us| *us > 0);
    let left = left.map(|us| localized!("{} left", whole_seconds(us)));
    let parts: Vec<String> = percent.into_iter().chain(figures).chain(left).collect();
    format!("{}: {}", moment.label, parts.join(", "))
}

/// A bar with its percentage, and the time left; none if neither is known.
fn progress(moment: &Moment, screen: &Screen) -> Option<String> {
    let left = moment.left_us.map(|us| {
        let is_of_step = moment.left_of_phase && moment.rate_iops.read + moment.rate_iops.write > 0;
        match us {
            0 => localized!("almost done"),
            us if is_of_step => localized!("{} left of this step", whole_seconds(us)),
            us => localized!("{} left", whole_seconds(us)),
        }
    });
    let Some(share) = moment.share else { return left };
    let room = bars::room(screen, AFTER_BAR.max(left.as_ref().map_or(0, String::len) + 8));
    // What is still going on is not all done.
    let percent = format!("{:>3.0} %", (share * 100.0).floor().min(99.0));
    let after = left.map_or(percent.clone(), |left| format!("{percent}, {left}"));
    match room {
        0 => Some(after),
        room => {
            let done = bar(share, room, screen.unicode);
            let rest = if screen.unicode { "░" } else { "." };
            let rest = rest.repeat(room.saturating_sub(done.chars().count()));
            Some(format!("{}{rest} {after}", painted(&done, GREEN, screen)))
        }
    }
}

/// The figures, each as wide as it hardly ever is wider.
fn cells(moment: &Moment, busiest: Option<(&str, f64)>) -> Vec<String> {
    let mut cells = Vec::new();
    if moment.iops() > 0 {
        cells.push(format!("{:>7} IOPS", thousands(moment.iops() as f64)));
    }
    let bytes = moment.rate_bytes.read + moment.rate_bytes.write;
    if bytes > 0 {
        cells.push(format!("{:>6} MB/s", megabytes_per_s(bytes as f64 / 1e6)));
    }
    let latencies = moment.latency.map(|of| [of.p50_ns, of.p99_ns, of.max_ns].map(Some));
    // A phase keeps the columns of its latencies if there are none to show.
    let is_phase = moment.label != moment.title.text(lang()) && moment.iops() > 0;
    if let Some(latencies) = latencies.or(is_phase.then_some([None; 3])) {
        let cell = |(name, ns): (_, Option<u64>)| {
            let name = word(name);
            let blank = || " ".repeat(columns(name) + 8);
            ns.map_or_else(blank, |ns| format!("{name} {:>7}", latency(ns as f64)))
        };
        cells.extend(["p50", "p99", "max"].into_iter().zip(latencies).map(cell));
    }
    cells.extend(busiest.map(|(name, percent)| format!("{name} {percent:>3.0} %")));
    cells
}

/// As many cells in a line as fit.
fn flowing(cells: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for cell in cells {
        let length = cell.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + length <= width => {
                line.push_str("  ");
                line.push_str(cell);
            }
            _ => lines.push(cell.clone()),
        }
    }
    lines
}

fn painted(text: &str, code: &str, screen: &Screen) -> String {
    match screen.colour && !text.is_empty() {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_owned(),
    }
}
