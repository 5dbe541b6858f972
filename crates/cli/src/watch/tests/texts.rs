//! Plain lines, CSV, JSON, heading and summary.

use super::scripted::{
    SCREEN, begin, device, filling, interval, memory, nfs, nfs_reads, reads, replaced, time,
};
use crate::terminal::screen::Screen;
use crate::watch::csv::Csv;
use crate::watch::format::{End, EndedBy, IdleLines, WatchFormat};
use crate::watch::json::JsonWatch;
use crate::watch::plain::Plain;
use fathom_monitor::{IntervalExtent, IntervalOutcome, Summary, Tally, Watched};
use serde_json::Value;

fn end<'a>(watched: &'a [Watched], summaries: &'a [Option<Summary>]) -> End<'a> {
    End { time: time(9), by: EndedBy::Signal(2), watched, summaries }
}

fn summary(outcomes: &[IntervalOutcome]) -> Option<Summary> {
    let mut tally = Tally::default();
    outcomes.iter().for_each(|outcome| tally.add(outcome, IntervalExtent::Whole));
    tally.summary()
}

#[test]
fn the_heading_says_what_is_watched_and_what_limits_it() {
    let watched = [device("loop0"), nfs(), memory()];
    let text = Plain::new(SCREEN).begin(&begin(&watched)).out;
    let expected = "\
Watching every 1 s, from 2026-03-01 09:30:00 +02:00.
  loop0         /dev/loop0: 64 MB
                for /mnt/data
  ! loop0 is limited to 3,000 reads/s for control group /ours, ours
  ! loop0 is limited to 105 MB/s written for control group /pod
  ! a note
  /mnt/nas, one nas:/vol, 8 connections, mounted with vers=3, nconnect=8
  /dev/shm      tmpfs
  ! tmpfs is memory
MB = 1,000,000 bytes; await in ms; areq-sz in KiB (1,024 bytes); aqu-sz in I/Os;
rtt and exe in ms; --help says more.

         Device            r/s     w/s     d/s     f/s   rMB/s   wMB/s r_await w_await areq-sz  aqu-sz   %util  rrqm/s  wrqm/s
         NFS mount        op/s     r/s     w/s   rMB/s   wMB/s   r_rtt   w_rtt   r_exe   w_exe  retr/s   tmo/s
         Memory          +MB/s
";
    assert_eq!(text, expected);
}

#[test]
fn each_interval_is_a_line_a_subject() {
    let watched = [device("loop0"), device("loop1"), nfs(), memory()];
    let mut face = Plain::new(SCREEN);
    face.begin(&begin(&watched));
    let outcomes = [reads(2990), replaced(5), nfs_reads(), filling()];
    let text = face.interval(&interval(1, &watched, &outcomes)).out;
    let expected = "\
09:30:01 loop0            2990     0.0     0.0     0.0   12.25    0.00    0.50       -     4.0    1.50    74.7     0.0     0.0  at limit: 3,000 reads/s
09:30:01 loop1             5.0     0.0     0.0     0.0    0.02    0.00    0.40       -     4.0    0.00     0.1     0.0     0.0  made anew in this interval: counted from zero
09:30:01 /mnt/nas, one     100     100     0.0    6.55    0.00    3.00       -    4.00       -     0.0     0.0
09:30:01 /dev/shm         2.00  3 MB of 8 MB used
";
    assert_eq!(text, expected);
    let gone = [IntervalOutcome::Gone, reads(0)];
    let text = face.interval(&interval(2, &watched[..2], &gone)).out;
    assert!(text.starts_with("09:30:02 loop0          gone: its counters"), "{text}");
    let mut cut = interval(3, &watched[..2], &gone);
    cut.extent = IntervalExtent::Cut;
    assert_eq!(face.interval(&cut).out, "");
    let mut busy = interval(4, &watched[..2], &gone);
    busy.idle = IdleLines::LeftOut;
    assert_eq!(face.interval(&busy).out.lines().count(), 1);
}

#[test]
fn the_summary_gives_extremes_and_totals() {
    let watched = [device("loop0"), memory(), device("loop1")];
    let long: Vec<IntervalOutcome> = (0..10).map(|at| reads(1000 + 2000 * (at % 2))).collect();
    let summaries = [summary(&long), summary(&[filling()]), None];
    let text = Plain::new(SCREEN).end(&end(&watched, &summaries)).out;
    let expected = "
loop0          min    mean     max
  r/s         1000    2000    3000
  w/s          0.0     0.0     0.0
  rMB/s       4.10    8.19   12.29
  wMB/s       0.00    0.00    0.00
  r_await     0.50    0.50    0.50
  w_await        -       -       -
  areq-sz      4.0     4.0     4.0
  aqu-sz      0.50    1.00    1.50
  %util       25.0    50.0    75.0
  10 intervals, 10 s; in all 20,000 reads (81.9 MB), 0 writes (0 bytes).

/dev/shm  1 interval, 1 s; in all filled by 2 MB, 3 MB used at the end.
";
    assert_eq!(text, expected);
    let text = Plain::new(SCREEN).end(&end(&watched, &[None, None, None])).out;
    assert_eq!(text, "\nNo interval passed.\n");
}

#[test]
fn a_narrow_screen_breaks_sentences_and_not_figures() {
    let narrow = Screen { width: 40, ..SCREEN };
    let watched = [device("loop0")];
    let text = Plain::new(narrow).end(&end(&watched, &[summary(&[reads(1000)])])).out;
    assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
    assert!(text.contains("1,000 reads\n") || text.contains("1,000 reads ("), "{text}");
}

#[test]
fn csv_is_a_table_and_the_rest_goes_beside() {
    let watched = [device("loop0"), nfs()];
    let mut face = Csv::new(SCREEN);
    let begun = face.begin(&begin(&watched));
    assert!(begun.aside.starts_with("Watching every 1 s"));
    let expected = "time,elapsed_s,kind,name,reads_per_s,writes_per_s,discards_per_s,\
                    flushes_per_s,read_mb_per_s,write_mb_per_s,read_await_ms,write_await_ms,\
                    request_kib,queue_length,utilisation_percent,read_merges_per_s,\
                    write_merges_per_s,operations_per_s,read_rtt_ms,write_rtt_ms,read_execute_ms,\
                    write_execute_ms,retransmits_per_s,timeouts_per_s\n";
    assert_eq!(begun.out, expected);
    let outcomes = [reads(2000), nfs_reads()];
    let rows = face.interval(&interval(1, &watched, &outcomes)).out;
    let expected = "\
2026-03-01T09:30:01.250+02:00,1,device,loop0,2000,0,0,0,8.192,0,0.5,,4,1,50,0,0,,,,,,,
2026-03-01T09:30:01.250+02:00,1,nfs,\"/mnt/nas, one\",100,0,,,6.5536,0,,,,,,,,100,3,,4,,0,0
";
    assert_eq!(rows, expected);
    let gone = face.interval(&interval(2, &watched[..1], &[IntervalOutcome::Gone])).out;
    assert_eq!(gone.matches(',').count(), begun.out.matches(',').count());
    let ended = face.end(&end(&watched, &[summary(&outcomes[..1]), None]));
    assert!(ended.out.is_empty() && ended.aside.contains("2,000 reads"));
}

#[test]
fn json_tells_counts_rates_and_limits_that_are_reached() {
    let watched = [device("loop0"), memory()];
    let document = |text: String| -> Value {
        assert!(text.ends_with('\n') && text.lines().count() == 1);
        serde_json::from_str(&text).unwrap()
    };
    let outcomes = [reads(2990), IntervalOutcome::Gone];
    let mut cut = interval(7, &watched, &outcomes);
    cut.extent = IntervalExtent::Cut;
    let told = document(JsonWatch.interval(&cut).out);
    assert_eq!((&told["event"], &told["number"]), (&"interval".into(), &7.into()));
    assert_eq!((&told["whole"], &told["time"]), (&false.into(), &time(7).to_rfc3339().into()));
    let line = &told["lines"][0];
    assert_eq!((&line["name"], &line["kind"]), (&"loop0".into(), &"device".into()));
    assert_eq!(line["counts"]["read_ios"], 2990);
    assert_eq!(line["rates"]["reads_per_s"], 2990.0);
    assert_eq!(line["rates"]["write_await_ms"], Value::Null);
    assert_eq!(line["at_limit"].as_array().unwrap().len(), 1);
    assert_eq!(line["at_limit"][0]["cgroup"], "/ours");
    assert_eq!(
        (&told["lines"][1]["gone"], &told["lines"][1]["counts"]),
        (&true.into(), &Value::Null)
    );
    let summaries = [summary(&outcomes[..1]), None];
    let told = document(JsonWatch.end(&end(&watched, &summaries)).out);
    assert_eq!((&told["event"], &told["signal"]), (&"end".into(), &2.into()));
    assert_eq!(told["summary"].as_array().unwrap().len(), 1);
    assert_eq!(told["summary"][0]["totals"]["read_ios"], 2990);
    assert_eq!(told["summary"][0]["mean"]["reads_per_s"], 2990.0);
}
