//! Frames on a terminal: redrawing, and what is dropped on small screens.

use super::scripted::{
    SCREEN, begin, device, filling, interval, memory, nfs, nfs_reads, reads, replaced,
};
use crate::terminal::paint::Window;
use crate::terminal::screen::Screen;
use crate::watch::format::{IdleLines, WatchFormat};
use crate::watch::live::Live;
use fathom_monitor::{IntervalOutcome, Watched};

const WIDE: fn() -> Window = || Window { width: 130, height: 40 };
const USUAL: fn() -> Window = || Window { width: 80, height: 24 };
const NARROW: fn() -> Window = || Window { width: 40, height: 24 };
const LOW: fn() -> Window = || Window { width: 130, height: 4 };

/// The frames of these intervals.
fn frames(
    window: fn() -> Window,
    screen: Screen,
    watched: &[Watched],
    intervals: &[Vec<IntervalOutcome>],
) -> Vec<String> {
    let mut face = Live::new(screen, window);
    face.begin(&begin(watched));
    let frame = |(at, outcomes): (usize, &Vec<IntervalOutcome>)| {
        face.interval(&interval(at as u64 + 1, watched, outcomes)).frame.to_string()
    };
    intervals.iter().enumerate().map(frame).collect()
}

/// The lines of a frame as they are seen.
fn seen(frame: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut letters = frame.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\x1b' => drop(letters.by_ref().find(|letter| letter.is_alphabetic())),
            '\r' => {}
            other => plain.push(other),
        }
    }
    plain.lines().map(str::to_owned).collect()
}

#[test]
fn a_wide_window_has_all_columns_and_the_curve_beside() {
    let watched = [device("loop0")];
    let intervals = [vec![reads(0)], vec![reads(1400)], vec![reads(2800)]];
    let frames = frames(WIDE, SCREEN, &watched, &intervals);
    let expected = "\
09:30:03
Device     r/s     w/s     d/s     f/s   rMB/s   wMB/s r_await w_await areq-sz  aqu-sz   %util  rrqm/s  wrqm/s  IOPS
loop0     2800     0.0     0.0     0.0   11.47    0.00    0.50       -     4.0    1.40    70.0     0.0     0.0  ▁▅█";
    assert_eq!(seen(&frames[2]).join("\n"), expected);
}

#[test]
fn eighty_columns_keep_queue_and_utilisation_and_give_the_curve_what_is_left() {
    let frames = |name: &str| {
        let watched = [device(name)];
        let frames = frames(USUAL, SCREEN, &watched, &[vec![reads(0)], vec![reads(1400)]]);
        seen(&frames[1]).join("\n")
    };
    let expected = "\
09:30:02
Device     r/s     w/s   rMB/s   wMB/s r_await w_await  aqu-sz   %util  IOPS
loop0     1400     0.0    5.73    0.00    0.50       -    0.70    35.0  ▁█
(5 more columns in a wider window)";
    assert_eq!(frames("loop0"), expected);
    let expected = "\
09:30:02
Device        r/s     w/s   rMB/s   wMB/s r_await w_await  aqu-sz   %util
nvme1n1p1    1400     0.0    5.73    0.00    0.50       -    0.70    35.0
  IOPS ▁█
(5 more columns in a wider window)";
    assert_eq!(frames("nvme1n1p1"), expected);
}

#[test]
fn no_line_is_wider_than_the_window_nor_a_frame_higher() {
    let watched = [device("loop0"), nfs(), memory()];
    let intervals = [vec![reads(2990), nfs_reads(), filling()]];
    for window in [WIDE, USUAL, NARROW, LOW] {
        let colour = Screen { colour: true, unicode: false, ..SCREEN };
        let frames = frames(window, colour, &watched, &intervals);
        let lines = seen(&frames[0]);
        let Window { width, height } = window();
        assert!(lines.len() < height, "{lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= width), "{lines:?}");
        assert!(frames[0].contains("\x1b[1mDevice"));
        assert!(frames[0].is_ascii());
    }
    let low = frames(LOW, SCREEN, &watched, &intervals);
    assert_eq!(seen(&low[0])[2], "(7 more lines in a higher window)");
}

#[test]
fn what_is_remarkable_stands_under_the_tables() {
    let watched = [device("loop0"), device("loop1"), device("loop2"), memory()];
    let outcomes = vec![reads(2990), IntervalOutcome::Gone, replaced(5), filling()];
    let lines = seen(&frames(WIDE, SCREEN, &watched, &[outcomes])[0]);
    let expected = [
        "  loop0: at limit: 3,000 reads/s",
        "  loop1: gone: its counters are not there any more",
        "  loop2: made anew in this interval: counted from zero",
        "  /dev/shm: 3 MB of 8 MB used",
    ];
    assert_eq!(lines[lines.len() - 4..], expected);
}

#[test]
fn a_frame_is_drawn_over_the_last_and_begins_anew_in_a_narrower_window() {
    let watched = [device("loop0"), device("loop1")];
    let both = || vec![reads(1), reads(0)];
    let drawn = frames(WIDE, SCREEN, &watched, &[both(), both()]);
    assert!(!drawn[0].contains('A'), "{:?}", drawn[0]);
    let lines = seen(&drawn[0]).len();
    assert!(drawn[1].starts_with(&format!("\x1b[{lines}A\r")), "{:?}", drawn[1]);
    assert!(drawn[1].ends_with("\x1b[J"));

    let window = || {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        Window { width: 130 - 10 * ASKED.fetch_add(1, SeqCst), height: 24 }
    };
    let drawn = frames(window, SCREEN, &watched, &[both(), both()]);
    assert!(drawn[1].starts_with("\x1b[2J\x1b[H\r"), "{:?}", drawn[1]);
}

#[test]
fn an_idle_line_that_is_left_out_keeps_its_curve() {
    let watched = [device("loop0"), device("loop1")];
    let mut face = Live::new(SCREEN, WIDE);
    face.begin(&begin(&watched));
    let mut last = String::new();
    for (number, busy) in [(1, [70, 1]), (2, [0, 1]), (3, [35, 0])] {
        let outcomes = busy.map(reads);
        let mut interval = interval(number, &watched, &outcomes);
        interval.idle = IdleLines::LeftOut;
        last = face.interval(&interval).frame.to_string();
    }
    let lines = seen(&last);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[2].starts_with("loop0") && lines[2].ends_with("█▁▅"), "{lines:?}");
}
