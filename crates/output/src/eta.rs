//! The status line of a run.
//!
//! Its head is shown from the start; state letters, rates and time left follow once there is I/O or
//! the time left is known, and a direction shows only while it has I/O, as in fio. An unknown time
//! left (a job waits for another one's end) is `--`.

use crate::figures::{FigureUnit, short};
use fathom_stats::LiveSnapshot;
use fathom_vocab::{Direction, PerDirection};
use std::fmt::Write;

/// `Jobs: 1 (f=1): [r(1)][50.0%][r=400MiB/s][r=102k IOPS][eta 00m:05s]`, without its end.
pub fn eta_line(live: &LiveSnapshot) -> String {
    let mut out = format!("Jobs: {} (f={})", live.jobs_running, live.files_open);
    out.push_str(&target(live));
    let still = live.rate_iops.iter().all(|(_, iops)| *iops == 0);
    if live.eta_s.is_none() && still {
        return out;
    }
    let percent = live.percent.map_or("-.-%".to_owned(), |p| format!("{p:.1}%"));
    let rates = moving(&live.rate_bytes, |bytes| rate(live, bytes));
    let iops = moving(&live.rate_iops, |iops| short(iops, 4, 1000, FigureUnit::None));
    write!(out, ": [{}][{percent}]", states(&live.states))
        .expect("writing to a string does not fail");
    if !rates.is_empty() {
        write!(out, "[{rates}]").expect("writing to a string does not fail");
    }
    if !iops.is_empty() {
        write!(out, "[{iops} IOPS]").expect("writing to a string does not fail");
    }
    write!(out, "[eta {}]", live.eta_s.map_or("--".to_owned(), time_left))
        .expect("writing to a string does not fail");
    out
}

fn target(live: &LiveSnapshot) -> String {
    match (live.target_bytes, live.target_iops) {
        (Some((min, max)), _) => format!(", {}-{}", rate(live, min), rate(live, max)),
        (None, Some((min, max))) => format!(", {min}-{max} IOPS"),
        (None, None) => String::new(),
    }
}

fn rate(live: &LiveSnapshot, bytes: u64) -> String {
    let base = if live.kb_base == 1000 { 1000 } else { 1024 };
    let unit =
        if live.unit_base == 1 { FigureUnit::BitsPerSecond } else { FigureUnit::BytesPerSecond };
    short(bytes, 4, base, unit)
}

fn moving(values: &PerDirection<u64>, show: impl Fn(u64) -> String) -> String {
    let letter = |dir: Direction| &dir.name()[..1];
    let shown = values.iter().filter(|(_, value)| **value > 0);
    shown
        .map(|(dir, value)| format!("{}={}", letter(dir), show(*value)))
        .collect::<Vec<_>>()
        .join(",")
}

/// Runs of equal letters with their length: `m(3),R(1),_(10)`.
fn states(letters: &str) -> String {
    let mut runs: Vec<(char, usize)> = Vec::new();
    for letter in letters.chars() {
        match runs.last_mut() {
            Some((last, count)) if *last == letter => *count += 1,
            _ => runs.push((letter, 1)),
        }
    }
    let text = |(letter, count): (char, usize)| format!("{letter}({count})");
    runs.into_iter().map(text).collect::<Vec<_>>().join(",")
}

/// `00m:05s`, with hours and days only if there are any.
fn time_left(seconds: u64) -> String {
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let rest = format!("{:02}m:{:02}s", seconds / 60 % 60, seconds % 60);
    match (days, hours) {
        (0, 0) => rest,
        (0, hours) => format!("{hours:02}h:{rest}"),
        (days, hours) => format!("{days:02}d:{hours:02}h:{rest}"),
    }
}

/// Puts lines over one another: each is padded to cover the one before and ends in a return.
#[derive(Clone, Debug, Default)]
pub struct EtaWriter {
    last_length: usize,
}

impl EtaWriter {
    /// The text for the next line; with `newline` it stays and the next begins below.
    pub fn next(&mut self, live: &LiveSnapshot, newline: bool) -> String {
        let line = eta_line(live);
        let width = self.last_length;
        self.last_length = if newline { 0 } else { line.len() };
        let end = if newline { '\n' } else { '\r' };
        format!("{line:<width$}{end}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot() -> LiveSnapshot {
        LiveSnapshot {
            jobs_running: 4,
            jobs_total: 5,
            files_open: 4,
            states: "mmmRX".to_owned(),
            rate_bytes: PerDirection { read: 7022 << 10, write: 5995 << 10, trim: 0 },
            rate_iops: PerDirection { read: 1755, write: 102_400, trim: 0 },
            percent: Some(37.5),
            eta_s: Some(5),
            target_bytes: Some((0, 1 << 20)),
            ..LiveSnapshot::default()
        }
    }

    #[test]
    fn a_line_as_fio_prints_it() {
        assert_eq!(
            eta_line(&snapshot()),
            "Jobs: 4 (f=4), 0B/s-1024KiB/s: [m(3),R(1),X(1)][37.5%]\
             [r=7022KiB/s,w=5995KiB/s][r=1755,w=102k IOPS][eta 00m:05s]"
        );
    }

    #[test]
    fn the_head_alone_until_something_moves() {
        let live = LiveSnapshot {
            eta_s: None,
            target_bytes: None,
            target_iops: Some((0, 3000)),
            rate_iops: PerDirection::default(),
            ..snapshot()
        };
        assert_eq!(eta_line(&live), "Jobs: 4 (f=4), 0-3000 IOPS");
    }

    #[test]
    fn rates_are_shown_while_the_end_is_unknown() {
        let live = LiveSnapshot { eta_s: None, percent: None, target_bytes: None, ..snapshot() };
        assert_eq!(
            eta_line(&live),
            "Jobs: 4 (f=4): [m(3),R(1),X(1)][-.-%]\
             [r=7022KiB/s,w=5995KiB/s][r=1755,w=102k IOPS][eta --]"
        );
    }

    #[test]
    fn nothing_moves_and_nothing_is_known_of_the_share() {
        let live = LiveSnapshot {
            jobs_running: 1,
            files_open: 1,
            states: "f".to_owned(),
            eta_s: Some(0),
            ..LiveSnapshot::default()
        };
        assert_eq!(eta_line(&live), "Jobs: 1 (f=1): [f(1)][-.-%][eta 00m:00s]");
    }

    #[test]
    fn time_left_grows_units() {
        assert_eq!(time_left(65), "01m:05s");
        assert_eq!(time_left(3723), "01h:02m:03s");
        assert_eq!(time_left(86_400 + 3723), "01d:01h:02m:03s");
    }

    #[test]
    fn a_shorter_line_covers_a_longer_one() {
        let mut writer = EtaWriter::default();
        let long = writer.next(&snapshot(), false);
        let short = writer.next(&LiveSnapshot::default(), false);
        assert_eq!(long.len(), short.len());
        assert!(short.starts_with("Jobs: 0 (f=0)  ") && short.ends_with(" \r"));
        let last = writer.next(&LiveSnapshot::default(), true);
        assert_eq!(last, "Jobs: 0 (f=0)\n");
    }
}
