//! Frames, from scripted moments.

use super::frame::{beneath, line, lines};
use super::moment::{JobOutlook, LivePhase, Moment};
use crate::terminal::screen::{Screen, columns};
use crate::terminal::spark::History;
use fathom_campaign::FillProgress;
use fathom_message::Lang;
use fathom_stats::{LiveLatency, LiveSnapshot};
use fathom_vocab::PerDirection;
use std::time::Duration;

const WIDE: Screen = Screen { width: 80, colour: false, unicode: true, live: true, lang: Lang::En };

fn live() -> LiveSnapshot {
    LiveSnapshot {
        jobs_running: 2,
        jobs_total: 3,
        states: "rr_".to_owned(),
        rate_iops: PerDirection { read: 12_000, write: 345, trim: 0 },
        rate_bytes: PerDirection { read: 49_152_000, write: 1_413_120, trim: 0 },
        latency: Some(LiveLatency { p50_ns: 512_000, p99_ns: 1_200_000, max_ns: 25_600_000 }),
        ..LiveSnapshot::default()
    }
}

/// The third of four runs of ten seconds, half done: 2.5 of 4.
fn moment() -> Moment {
    let phase = LivePhase::begin("4 KiB random read, QD 32".into(), 2, Some(4), 10_000_000);
    Moment { share: Some(0.625), left_us: Some(14_200_000), ..phase.moment(&live()) }
}

fn history(values: &[f64]) -> History {
    let mut history = History::default();
    values.iter().for_each(|value| history.push(*value));
    history
}

fn drawn(moment: &Moment, screen: &Screen) -> String {
    let history = history(&[0.0, 3500.0, 7000.0]);
    let mut text = String::from("\n");
    for line in lines(moment, Some(("vda", 97.4)), &history, screen) {
        text += &format!("{line}\n");
    }
    text
}

#[test]
fn eighty_columns_hold_all_figures_in_a_line() {
    let expected = "
3/4 4 KiB random read, QD 32
███████████████████████████████▎░░░░░░░░░░░░░░░░░░  62 %, 15 s left
 12,345 IOPS    50.6 MB/s  p50  512 us  p99 1.20 ms  max 25.6 ms  vda  97 %
IOPS ▁▅█
";
    assert_eq!(drawn(&moment(), &WIDE), expected);
}

#[test]
fn forty_columns_hold_them_in_three_lines_and_ascii_does_as_well() {
    let screen = Screen { width: 40, unicode: false, ..WIDE };
    let expected = "
3/4 4 KiB random read, QD 32
#########.....  62 %, 15 s left
 12,345 IOPS    50.6 MB/s  p50  512 us
p99 1.20 ms  max 25.6 ms  vda  97 %
IOPS _=#
";
    assert_eq!(drawn(&moment(), &screen), expected);
}

#[test]
fn a_phase_keeps_the_places_of_latencies_that_are_not_there_yet() {
    let text = drawn(&Moment { latency: None, ..moment() }, &WIDE);
    let blank = " ".repeat(3 * 13);
    let expected = format!(" 12,345 IOPS    50.6 MB/s{blank}  vda  97 %\n");
    assert!(text.contains(&expected), "{text}");
}

#[test]
fn phases_that_are_over_stand_above_as_far_as_there_is_room() {
    let finished: Vec<String> = (1..=8).map(|at| format!("{at}/8 phase: {at},000 IOPS")).collect();
    let below = vec!["9/8".to_owned(), "bar".to_owned()];
    let shown = |height, width| {
        let screen = Screen { width, ..WIDE };
        beneath(&finished, below.clone(), height, &screen)
    };
    assert_eq!(shown(24, 80).len(), 10);
    let folded = |count: &str, from: usize| {
        [&[format!("{count} runs are done")], &finished[from..], &below[..]].concat()
    };
    assert_eq!(shown(7, 80), folded("6", 6));
    assert_eq!(shown(5, 80), folded("8", 8));
    assert_eq!(shown(2, 80), below);
}

#[test]
fn many_finished_phases_are_a_count_and_the_last_ones() {
    let finished: Vec<String> = (1..=60).map(|at| format!("{at}. step: {at},000 IOPS")).collect();
    let shown = |lang: Lang| {
        let screen = Screen { lang, ..WIDE };
        lang.within(|| beneath(&finished, vec!["61.".to_owned(), "bar".to_owned()], 40, &screen))
    };
    let english = shown(Lang::En);
    assert_eq!((english.len(), english[0].as_str()), (10, "53 runs are done"));
    assert_eq!(english[1], finished[53]);
    assert_eq!(shown(Lang::Ko)[0], "실행 53회 완료");
}

#[test]
fn what_is_going_on_is_never_all_done() {
    let ending = Moment { share: Some(1.0), left_us: Some(0), done: 3, ..moment() };
    let text = drawn(&ending, &WIDE);
    assert!(text.contains(" 99 %, almost done\n"), "{text}");
}

#[test]
fn a_line_that_is_over_loses_nothing_on_a_narrow_screen() {
    let finished = [
        "1/2 4 KiB random read, QD 1: 9,000 IOPS, 36.9 MB/s, mean 110 us".to_owned(),
        "2/2 4 KiB 임의 읽기, QD 1, 라운드 1: 9,000 IOPS, 36.9 MB/s, 평균 110 us".to_owned(),
    ];
    let screen = Screen { width: 40, ..WIDE };
    let shown = beneath(&finished, vec!["bar".to_owned()], 24, &screen);
    assert_eq!(shown.len(), 5, "{shown:?}");
    assert!(shown.iter().all(|line| columns(line) <= 40), "{shown:?}");
    let flat = shown.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    assert_eq!(flat, format!("{} {} bar", finished[0], finished[1]));
    // A line that has no room whole is counted.
    let short = beneath(&finished, vec!["bar".to_owned()], 6, &screen);
    assert_eq!((short.len(), short[0].as_str()), (4, "one run is done"), "{short:?}");
}

#[test]
fn nothing_is_wider_than_the_screen() {
    let columns = |text: &str| text.chars().count();
    for width in [1, 8, 20, 40, 60, 80, 200] {
        let screen = Screen { width, ..WIDE };
        for line in drawn(&moment(), &screen).lines() {
            // A figure is never broken; the painter cuts what no line has room for.
            assert!(columns(line) <= width.max(20), "{width}: {line:?}");
        }
    }
}

#[test]
fn colour_is_only_where_it_is_wanted() {
    assert!(!drawn(&moment(), &WIDE).contains('\x1b'));
    let coloured = drawn(&moment(), &Screen { colour: true, ..WIDE });
    let mut plain = coloured.clone();
    for code in ["\x1b[1m", "\x1b[32m", "\x1b[36m", "\x1b[0m"] {
        assert!(coloured.contains(code), "{code:?}");
        plain = plain.replace(code, "");
    }
    assert_eq!(plain, drawn(&moment(), &WIDE));
}

#[test]
fn a_step_of_a_search_tells_its_own_time_and_other_processes_no_end() {
    let step = LivePhase::begin("1,030 IOPS".into(), 4, None, 5_000_000);
    let moment = Moment { left_us: Some(2_000_000), share: Some(0.6), ..step.moment(&live()) };
    let text = drawn(&moment, &WIDE);
    assert!(text.contains("5. 1,030 IOPS\n"), "{text}");
    assert!(text.contains(" 60 %, 2 s left of this step\n"), "{text}");
    let point = moment.point(Some(33.333));
    assert_eq!((point.left_s, point.all, point.util_percent), (None, None, Some(33.3)));
    assert_eq!((point.done, point.phase.as_str()), (4, "1,030 IOPS"));
}

#[test]
fn filling_and_runs_move_along_one_scale() {
    let spent = Duration::from_secs(2);
    let progress = FillProgress {
        done_bytes: 900_000_000,
        total_bytes: 1_000_000_000,
        trials_us: 16_000_000,
        ..FillProgress::default()
    };
    let filling = Moment::filling("filling 1 GiB".into(), spent, &progress);
    let text = drawn(&filling.of_whole(spent), &WIDE);
    assert!(text.contains(" 10 %, 17 s left\n"), "{text}");
    // The third of four runs, after 6 s of filling and 25 s of runs.
    let text = drawn(&moment().of_whole(Duration::from_secs(31)), &WIDE);
    assert!(text.contains("3/4 ") && text.contains(" 68 %, 15 s left\n"), "{text}");
    let step = LivePhase::begin("1,030 IOPS".into(), 4, None, 5_000_000);
    let step = Moment { share: Some(0.6), ..step.moment(&live()) };
    assert_eq!(step.of_whole(spent).share, Some(0.6));
}

#[test]
fn filling_has_a_rate_and_no_latency() {
    let spent = Duration::from_secs(2);
    let progress = FillProgress {
        done_bytes: 200_000_000,
        total_bytes: 1_000_000_000,
        ..FillProgress::default()
    };
    let moment = Moment::filling("filling 1 GiB".into(), spent, &progress);
    let text = drawn(&moment, &WIDE);
    assert!(text.contains(" 20 %, 8 s left\n"), "{text}");
    assert!(text.contains("100 MB/s") && !text.contains("p99"), "{text}");
    let none = Moment::filling("filling".into(), Duration::ZERO, &FillProgress::default());
    assert!(drawn(&none, &WIDE).contains("  0 %\n"), "{}", drawn(&none, &WIDE));
}

/// A plan assumes a rate for the fill; here it is the one that was reached.
#[test]
fn the_time_left_while_filling_is_that_of_other_fills_and_the_runs_too() {
    let progress = FillProgress {
        done_bytes: 200_000_000,
        total_bytes: 1_000_000_000,
        later_bytes: 500_000_000,
        trials_us: 40_000_000,
        ..FillProgress::default()
    };
    let moment = Moment::filling("filling 1 GiB".into(), Duration::from_secs(2), &progress);
    let text = drawn(&moment, &WIDE);
    assert!(text.contains(" 20 %, 53 s left\n"), "{text}");
    assert_eq!(moment.point(None).left_s, Some(53));
}

#[test]
fn jobs_that_are_no_phases_tell_how_many_run() {
    let snapshot = LiveSnapshot { percent: Some(25.0), eta_s: Some(90), ..live() };
    let moment = Moment::jobs(&snapshot, &JobOutlook::default());
    let text = drawn(&moment, &WIDE);
    assert!(text.contains("2 of 3 jobs running\n") && text.contains(" 25 %, "), "{text}");
    let point = moment.point(None);
    assert_eq!((point.done, point.all, point.percent), (1, Some(3), Some(25.0)));
    assert_eq!((point.left_s, point.max_ns), (Some(90), Some(25_600_000)));
    let unknown = Moment::jobs(&live(), &JobOutlook::default());
    assert!(!drawn(&unknown, &WIDE).contains('%') || unknown.share.is_none());
}

#[test]
fn jobs_with_a_plan_tell_their_names_and_the_time_of_all_groups() {
    let names = ["reads", "writes", "later"].map(str::to_owned).to_vec();
    let jobs = JobOutlook { names, total_us: Some(9_000_000) };
    let group = LiveSnapshot {
        percent: Some(90.0),
        eta_s: Some(1),
        elapsed_ms: 2000,
        states: "_rP".to_owned(),
        jobs_running: 1,
        ..live()
    };
    let text = drawn(&Moment::jobs(&group, &jobs), &WIDE);
    assert!(
        text.contains("#2 of 3 jobs: writes\n") && text.contains(" 22 %, 7 s left\n"),
        "{text}"
    );
    // Layout takes time that no plan has.
    let late = LiveSnapshot { elapsed_ms: 9_500, eta_s: Some(3), ..group };
    assert!(drawn(&Moment::jobs(&late, &jobs), &WIDE).contains("3 s left\n"));
}

#[test]
fn without_a_terminal_a_moment_of_jobs_is_one_line() {
    let names = ["reads", "writes", "last"].map(str::to_owned).to_vec();
    let outlook = JobOutlook { names, total_us: Some(60_000_000) };
    let snapshot = LiveSnapshot { elapsed_ms: 24_000, ..live() };
    assert_eq!(
        line(&Moment::jobs(&snapshot, &outlook)),
        "2 of 3 jobs running: reads, writes: 40 %, 12,345 IOPS, 50.6 MB/s, p50 512 us, p99 1.20 ms, max \
         25.6 ms, 36 s left"
    );
    let unknown = JobOutlook { total_us: None, ..outlook };
    let early = LiveSnapshot { latency: None, ..snapshot };
    assert_eq!(
        line(&Moment::jobs(&early, &unknown)),
        "2 of 3 jobs running: reads, writes: 12,345 IOPS, 50.6 MB/s"
    );
}
