//! The text output, from scripted figures: wide and narrow, with colour and without.

use super::{brief, compare, history, table};
use crate::terminal::screen::{Screen, widest};
use crate::terminal::summary;
use crate::terminal::verdicts::VerdictDetail;
use fathom_analysis::{CacheFinding, CacheVerdict};
use fathom_campaign::verdicts::{Answer, Verdict};
use fathom_campaign::{
    Document, Figures, Goal, OverRounds, Phase, PhaseKey, PhaseRecord, Remark, RemarkRecord,
};
use fathom_message::Lang;
use fathom_stats::{DirectionStats, JobResult, RunResult};
use fathom_store::HistoryFigure;
use fathom_vocab::{Direction, Target};

const WIDE: Screen =
    Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };

/// A phase in which `ios` I/Os of `latency_ns` completed in a second.
fn outcome(volume: usize, phase: Phase, ios: u64, latency_ns: u64) -> PhaseRecord {
    let mut stats = DirectionStats {
        total_ios: ios,
        io_bytes: ios * phase.block_bytes,
        runtime_ms: 1000,
        ..DirectionStats::default()
    };
    stats.lat.record(latency_ns);
    let figures = Figures::of(&stats, phase.depth, phase.block_bytes).expect("I/Os completed");
    PhaseRecord {
        key: PhaseKey { phase, round: 0, volume },
        job: Vec::new(),
        command: String::new(),
        figures: Some(figures),
        failure: None,
        cut_short: false,
        remarks: Vec::new(),
        verdicts: Vec::new(),
        result: None,
        mounts: Vec::new(),
    }
}

fn latency(volume: usize, ns: u64) -> PhaseRecord {
    let phase = Phase::new(Goal::Latency, Direction::Read, 4096, 1);
    outcome(volume, phase, 1_000_000_000 / ns, ns)
}

fn iops(volume: usize, ios: u64) -> PhaseRecord {
    let phase = Phase::new(Goal::Iops, Direction::Write, 4096, 32);
    outcome(volume, phase, ios, 32_000_000_000 / ios)
}

fn throughput(volume: usize, ios: u64) -> PhaseRecord {
    let phase = Phase::new(Goal::Throughput, Direction::Read, 1 << 20, 8);
    outcome(volume, phase, ios, 8_000_000_000 / ios)
}

fn shown(outcomes: &[PhaseRecord], screen: &Screen) -> String {
    let (phases, runs) = (OverRounds::of(outcomes), outcomes.iter().collect::<Vec<_>>());
    table::volume(
        &phases.iter().collect::<Vec<_>>(),
        (&runs, &[]),
        table::TableLayout::Alone,
        VerdictDetail::Telling,
        screen,
    )
}

fn comparison(names: &[&str], outcomes: &[PhaseRecord], screen: &Screen) -> String {
    compare::comparison(names, &OverRounds::of(outcomes), false, screen)
}

fn headline(targets: &[Target], outcomes: &[PhaseRecord]) -> Vec<HistoryFigure> {
    history::headline(targets, &OverRounds::of(outcomes))
}

#[test]
fn a_volume_s_figures_fit_into_eighty_columns() {
    let outcomes = [latency(0, 500_000), iops(0, 7090), throughput(0, 120)];
    let text = shown(&outcomes, &WIDE);
    let expected = "
                      QD     mean      p50      p99    p99.9   IOPS  MB/s
 Latency
  4 KiB random read    1   500 us   500 us   500 us   500 us  2,000  8.19
 IOPS
  4 KiB random write  32  4.51 ms  4.49 ms  4.49 ms  4.49 ms  7,090  29.0
 Throughput
  1 MiB seq. read      8  66.7 ms  66.7 ms  66.7 ms  66.7 ms    120   126

How they hang together: depth / mean latency = IOPS; IOPS x block size = MB/s
                     depth / mean  = IOPS  measured  x block = MB/s  measured
 4 KiB random read     1 / 500 us   2,000     2,000            8.19      8.19
 4 KiB random write  32 / 4.51 ms   7,090     7,090            29.0      29.0
 1 MiB seq. read      8 / 66.7 ms     120       120             126       126

One 4 KiB random read at a time takes 0.500 ms: 1000 / 0.500 = 2,000 IOPS, and
  2,000 x 4 KiB = 8,000 KiB/s = 8.19 MB/s.
";
    assert_eq!(format!("\n{text}"), expected);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn tests_during_which_others_used_the_device_have_a_mark() {
    let foreign = CacheFinding {
        direction: Direction::Read,
        verdict: CacheVerdict::Foreign { times: 2.0 },
        signs: Vec::new(),
    };
    let mut outcomes = [latency(0, 500_000), iops(0, 7090)];
    outcomes[1].verdicts.push(Verdict::from(Answer::Cached(foreign)));
    let phases = OverRounds::of(&outcomes);
    let own: Vec<&OverRounds> = phases.iter().collect();
    let marked = brief::shared(&outcomes);
    let text = table::brief(&own, &marked, &WIDE);
    assert!(text.contains("\n !4 KiB random write ") && text.contains("\n  4 KiB random read "));
    let screen = Screen { lang: Lang::Ko, ..WIDE };
    let korean = Lang::Ko.within(|| table::brief(&own, &marked, &screen));
    assert!(korean.contains("\n !4 KiB 랜덤 쓰기 "), "{korean}");
    let narrow = table::brief(&own, &marked, &Screen { width: 40, ..WIDE });
    assert!(narrow.contains("\n !4 KiB random write, QD 32\n"), "{narrow}");
    // Where all are such, no mark tells them apart.
    assert_eq!(brief::shared(&outcomes[1..]), Vec::<&Phase>::new());
}

#[test]
fn a_wide_screen_has_bars_of_what_can_be_compared() {
    let reads = Phase::new(Goal::Iops, Direction::Read, 4096, 32);
    let slow = Phase::new(Goal::Latency, Direction::Write, 4096, 1);
    let outcomes = [
        latency(0, 500_000),
        outcome(0, slow, 1000, 1_000_000),
        outcome(0, reads, 14_180, 2_256_000),
        iops(0, 7090),
        throughput(0, 120),
    ];
    let text = shown(&outcomes, &Screen { width: 120, ..WIDE });
    let bars = |line: &str| line.matches('█').count();
    let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    let lengths: Vec<usize> = table.iter().map(|line| bars(line)).collect();
    let whole = lengths[3];
    assert!(whole >= 30 && table[1].ends_with("less is better"), "{text}");
    // Half as long is half as slow; and half as many, in a unit of its own.
    assert_eq!(lengths, [0, 0, whole / 2, whole, 0, whole, whole / 2, 0, 0], "{text}");
    assert!(table.iter().all(|line| widest(line) <= 120), "{text}");
    let eighty = shown(&outcomes, &WIDE);
    assert!(!eighty.contains('█') && !eighty.contains("less is better"), "{eighty}");
    let plain = shown(&outcomes, &Screen { width: 120, unicode: false, ..WIDE });
    assert!(plain.contains(&"#".repeat(whole)) && plain.is_ascii(), "{plain}");
}

#[test]
fn of_several_volumes_only_their_comparison_has_bars() {
    let outcomes = [latency(0, 500_000), latency(0, 400_000)];
    let (phases, runs) = (OverRounds::of(&outcomes), outcomes.iter().collect::<Vec<_>>());
    let phases: Vec<_> = phases.iter().collect();
    let wide = Screen { width: 120, ..WIDE };
    let layout = table::TableLayout::Others;
    let text = table::volume(&phases, (&runs, &[]), layout, VerdictDetail::Telling, &wide);
    assert!(!text.contains('█'), "{text}");
}

#[test]
fn korean_names_of_volumes_take_two_columns_a_letter() {
    let outcomes = [iops(0, 20_000), iops(1, 3000)];
    let screen = Screen { lang: Lang::Ko, ..WIDE };
    let text = comparison(&["/mnt/자료", "/mnt/b"], &outcomes, &screen);
    let widths: Vec<usize> = text.lines().skip(1).map(widest).collect();
    assert!(widths.len() == 2 && widths[0] == widths[1] && widths[0] <= 80, "{text}");
    assert!(text.contains("     -  p99"), "{text}");
}

#[test]
fn a_narrow_screen_gets_the_same_figures_under_each_other() {
    let narrow = Screen { width: 45, ..WIDE };
    let text = shown(&[latency(0, 500_000), iops(0, 7090)], &narrow);
    let expected = "
  4 KiB random read, QD 1
    mean 500 us, p50 500 us, p99 500 us
    p99.9 500 us, 2,000 IOPS, 8.19 MB/s
  4 KiB random write, QD 32
    7,090 IOPS, 29.0 MB/s, mean 4.51 ms
    p50 4.49 ms, p99 4.49 ms, p99.9 4.49 ms

One 4 KiB random read at a time takes
  0.500 ms: 1000 / 0.500 = 2,000 IOPS, and
  2,000 x 4 KiB = 8,000 KiB/s = 8.19 MB/s.
";
    assert_eq!(format!("\n{text}"), expected);
}

fn noted(remark: Remark) -> RemarkRecord {
    RemarkRecord { text: remark.to_string(), remark }
}

/// Rounds with results, from which their figures can be merged.
fn in_rounds(latencies_ns: &[u64]) -> Vec<PhaseRecord> {
    let round = |(round, ns): (usize, &u64)| {
        let mut one = latency(0, *ns);
        one.key.round = round as u32;
        let mut job = JobResult::default();
        let stats = &mut job.dirs.read;
        let ios = 1_000_000_000 / ns;
        (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (ios, ios * 4096, 1000);
        (0..ios).for_each(|_| stats.lat.record(*ns));
        one.result = Some(RunResult { jobs: vec![job], ..RunResult::default() });
        one
    };
    latencies_ns.iter().enumerate().map(round).collect()
}

#[test]
fn rounds_give_one_row_and_how_far_they_lie_apart() {
    let mut outcomes = in_rounds(&[400_000, 500_000, 400_000]);
    let remark = |in_flight| noted(Remark::QueueNotFull { depth: 1, in_flight });
    outcomes.iter_mut().for_each(|round| round.remarks.push(remark(0.5)));
    outcomes[2].cut_short = true;
    let text = shown(&outcomes, &WIDE);
    let expected = "
                     QD    mean     p50     p99   p99.9   IOPS  MB/s
 Latency
  4 KiB random read   1  444 us  399 us  500 us  500 us  2,250  9.22

How far 2 rounds lie apart (spread: most less least, over the mean; the mean is
  known with 95 % confidence)
                     least    most  spread  mean known to
 4 KiB random read  400 us  500 us    22 %      uncertain
";
    assert!(format!("\n{text}").starts_with(expected), "{text}");
    assert!(text.contains("QD 1, round 3: stopped early"), "{text}");
    assert_eq!(text.matches("no I/O was in flight").count(), 1, "{text}");
    let narrow = shown(&outcomes, &Screen { width: 40, ..WIDE });
    assert!(narrow.contains("4 KiB random read: 400 us to 500 us,"), "{narrow}");
    assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
    assert!(!shown(&[latency(0, 500_000)], &WIDE).contains("How far"));
}

#[test]
fn what_does_not_hang_together_is_marked() {
    let mut half = iops(0, 7090);
    let figures = half.figures.as_mut().unwrap();
    figures.identity.iops_off_percent = -50.0;
    half.remarks.push(noted(Remark::QueueNotFull { depth: 32, in_flight: 16.0 }));
    let text = shown(&[half], &WIDE);
    assert!(text.contains("29.0  !\n"), "{text}");
    let note = "  ! 4 KiB random write, QD 32: Only 16.0 of 32 I/Os were in flight";
    assert!(text.contains(note), "{text}");
}

#[test]
fn failures_and_stops_stand_beside_what_was_measured() {
    let mut failed = iops(0, 100);
    (failed.figures, failed.failure) = (None, Some("No space left on device".to_owned()));
    assert_eq!(failed.total_summary(), "failed: No space left on device");
    let mut cut = latency(0, 500_000);
    cut.cut_short = true;
    let mut stopped = throughput(0, 100);
    (stopped.figures, stopped.failure) =
        (None, Some("stopped before anything was measured".to_owned()));
    assert_eq!(stopped.total_summary(), "stopped");
    let text = shown(&[cut, failed, stopped], &WIDE);
    assert!(text.contains("4 KiB random read   1"), "{text}");
    assert!(text.contains("QD 1: stopped early; its figures cover less time."), "{text}");
    assert!(text.contains("QD 32: FAILED: No space left on device"), "{text}");
    assert!(!text.contains("MiB"), "{text}");
}

#[test]
fn colour_only_where_it_is_wanted() {
    let coloured = Screen { colour: true, ..WIDE };
    let mut outcomes = in_rounds(&[500_000, 501_000, 502_000]);
    let mut others = in_rounds(&[250_000, 251_000, 252_000]);
    others.iter_mut().for_each(|other| other.key.volume = 1);
    outcomes.extend(others);
    assert!(shown(&outcomes[..1], &coloured).contains("\x1b[1m"));
    assert!(!shown(&outcomes[..1], &WIDE).contains('\x1b'));
    assert!(comparison(&["a", "b"], &outcomes, &coloured).contains("\x1b[32m"));
    assert!(!comparison(&["a", "b"], &outcomes, &WIDE).contains('\x1b'));
    let of = |outcomes: &[PhaseRecord], one_disk| {
        compare::comparison(&["a", "b"], &OverRounds::of(outcomes), one_disk, &coloured)
    };
    assert!(of(&outcomes, false).contains(" best "), "{}", of(&outcomes, false));
    // One round may be chance, and on one disk there is no best.
    let single = [outcomes[0].clone(), outcomes[3].clone()];
    for (unnamed, change) in
        [(of(&single, false), "2.0x slower"), (of(&outcomes, true), "same disk")]
    {
        assert!(!unnamed.contains("best") && !unnamed.contains("\x1b["), "{unnamed}");
        assert!(unnamed.contains("    -  ") && unnamed.contains(change), "{unnamed}");
        assert_eq!(unnamed.contains("slower"), change.contains("slower"), "{unnamed}");
    }
}

fn three() -> Vec<PhaseRecord> {
    let latencies = [12_390_000, 500_000, 3_320_000];
    let ios = [664, 7090, 3007];
    let mut outcomes: Vec<PhaseRecord> =
        latencies.iter().enumerate().map(|(at, ns)| latency(at, *ns)).collect();
    outcomes.extend(ios.iter().enumerate().map(|(at, ios)| iops(at, *ios)));
    outcomes
}

#[test]
fn volumes_stand_side_by_side_with_bars_and_changes() {
    let names = ["/mnt/hdd", "/mnt/ssd", "/mnt/nas"];
    let text = comparison(&names, &three(), &WIDE);
    let expected = "
4 KiB random read, QD 1: mean latency (less is better)
  /mnt/hdd     12.4 ms  ██████████████████████████████   25x slower  p99 12.4 ms
  /mnt/ssd      500 us  █▎                                        -   p99 500 us
  /mnt/nas     3.32 ms  ████████                        6.6x slower  p99 3.32 ms
4 KiB random write, QD 32
  /mnt/hdd    664 IOPS  ██▊                              11x slower  p99 48.0 ms
  /mnt/ssd  7,090 IOPS  ██████████████████████████████            -  p99 4.49 ms
  /mnt/nas  3,007 IOPS  ████████████▊                   2.4x slower  p99 10.6 ms
";
    assert_eq!(format!("\n{text}"), expected);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn bars_are_ascii_or_left_out_where_they_must_be() {
    let names = ["/mnt/hdd", "/mnt/ssd", "/mnt/nas"];
    let ascii = comparison(&names, &three(), &Screen { unicode: false, ..WIDE });
    assert!(ascii.is_ascii() && ascii.contains("  #####"), "{ascii}");
    let narrow = comparison(&names, &three(), &Screen { width: 48, ..WIDE });
    assert!(!narrow.contains('█') && narrow.contains("25x"), "{narrow}");
}

#[test]
fn one_volume_has_nothing_to_stand_beside() {
    assert_eq!(comparison(&["a"], &[latency(0, 500_000)], &WIDE), "");
    // Only the reads of both were measured: writes of one alone compare nothing.
    let text = comparison(&["a", "b"], &[latency(0, 500_000), iops(0, 10)], &WIDE);
    assert_eq!(text, "");
}

#[test]
fn the_history_has_the_figures_in_the_order_of_the_table() {
    let targets = ["/mnt/a", "/mnt/b"].map(Target::from);
    let mut again = iops(0, 5000);
    again.key.phase.block_bytes = 8192;
    let outcomes = [latency(0, 500_000), iops(0, 7090), again, throughput(0, 120)];
    let numbers = |figures: &[HistoryFigure]| -> Vec<String> {
        figures.iter().filter_map(crate::saved_runs::key).collect()
    };
    let one = headline(&targets[..1], &outcomes);
    assert_eq!(numbers(&one), ["mean 500 us", "7,090 IOPS", "5,000 IOPS", "126 MB/s"]);
    assert_eq!((one[1].label.as_str(), one[1].target.as_str()), ("4 KiB random write, QD 32", ""));
    // A list shows one figure of each kind first.
    let run = fathom_store::HistoryRun { headline: one, ..Default::default() };
    let leading = run.leading().into_iter().filter_map(crate::saved_runs::key);
    assert_eq!(
        leading.collect::<Vec<_>>(),
        ["mean 500 us", "7,090 IOPS", "126 MB/s", "5,000 IOPS"]
    );
    // In turn at each phase, as they ran.
    let turns = [latency(0, 500_000), latency(1, 900_000), iops(0, 7090), iops(1, 10)];
    let two = headline(&targets, &turns);
    assert_eq!(numbers(&two), ["mean 500 us", "mean 900 us", "7,090 IOPS", "10 IOPS"]);
    assert_eq!((two[1].target.as_str(), two[2].target.as_str()), ("/mnt/b", "/mnt/a"));
}

/// A document of volumes on disks of their own with these runs.
fn document(names: &[&str], phases: Vec<PhaseRecord>) -> Document {
    let volume = |name: &&str| {
        serde_json::json!({
            "name": name, "kind": {"is": "folder"},
            "mount": {"mount_point": name, "root": "/", "source": name, "fstype": "xfs",
                "options": [], "major": 8, "minor": 0},
            "storage": {"kind": "virtual", "fstype": "xfs"},
            "space": null, "io_path": format!("{name}/f"), "test_file": true,
            "size_bytes": 1, "fill_bytes": 0, "writes": true, "remarks": [], "failure": null,
            "method": {"engine": "io_uring", "direct": true, "why_not_direct": null,
                "why_not_first_engine": null},
        })
    };
    serde_json::from_value(serde_json::json!({
        "kind": "fathom-measure", "schema": 1, "fathom_version": "0", "started_ms": 1,
        "interrupted": false, "host": fathom_host::System::default(),
        "volumes": names.iter().map(volume).collect::<Vec<_>>(),
        "plan": {"phase_us": 1, "ramp_us": 0, "phases": phases.len(), "fill_bytes": 0},
        "phases": phases,
    }))
    .unwrap()
}

fn brief_of(names: &[&str], phases: Vec<PhaseRecord>, screen: &Screen) -> String {
    let document = document(names, phases);
    let phases = OverRounds::of(&document.phases);
    summary::sentences(&document, screen) + &brief::results(&document, &phases, false, screen)
}

#[test]
fn the_brief_form_is_the_sentence_the_table_and_what_matters_most() {
    let outcomes = vec![latency(0, 500_000), iops(0, 7090), throughput(0, 120)];
    let expected = "\
/mnt/a: median 500 us reads; 7,090 IOPS (4 KiB writes); 126 MB/s seq. reads.
                      QD     mean      p50      p99    p99.9   IOPS  MB/s
  4 KiB random read    1   500 us   500 us   500 us   500 us  2,000  8.19
  4 KiB random write  32  4.51 ms  4.49 ms  4.49 ms  4.49 ms  7,090  29.0
  1 MiB seq. read      8  66.7 ms  66.7 ms  66.7 ms  66.7 ms    120   126
";
    assert_eq!(brief_of(&["/mnt/a"], outcomes, &WIDE), expected);
}

#[test]
fn three_notes_at_most_are_shown_each_whole_and_failures_come_first() {
    let mut outcomes = vec![latency(0, 500_000), iops(0, 7090), throughput(0, 120)];
    let long = "nothing ".repeat(15);
    for (at, remark) in [
        Remark::QueueNotFull { depth: 32, in_flight: 16.0 },
        Remark::Pause { pause_ms: 1000 },
        Remark::PageCache { why: long },
    ]
    .into_iter()
    .enumerate()
    {
        outcomes[at].remarks.push(noted(remark));
    }
    (outcomes[2].figures, outcomes[2].failure) = (None, Some("EIO".to_owned()));
    let text = brief_of(&["/mnt/a"], outcomes, &WIDE);
    let notes: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("  ! ")).collect();
    assert!(notes[0].contains("QD 8: FAILED: EIO"), "{text}");
    assert_eq!(notes.iter().filter(|line| line.starts_with("  ! ")).count(), 3, "{text}");
    assert!(
        notes.len() <= 8 && text.lines().next().unwrap().contains("1 of 3 tests FAILED."),
        "{text}"
    );
    assert!(notes.last().unwrap().contains("One more note stands in `fathom report`"), "{text}");
    let mut alone = vec![latency(0, 500_000)];
    alone[0].remarks.push(noted(Remark::PageCache { why: "nothing ".repeat(60) }));
    let text = brief_of(&["/mnt/a"], alone, &WIDE);
    assert_eq!(text.matches("nothing").count(), 60, "a note is never cut: {text}");
}

#[test]
fn volumes_side_by_side_take_a_line_each() {
    let text = brief_of(&["/mnt/hdd", "/mnt/ssd", "/mnt/nas"], three(), &WIDE);
    let (phases, volumes) = (OverRounds::of(&three()).len() / 3, 3);
    // A sentence of two lines for all, one heading, and a line for each in each phase.
    assert_eq!(text.lines().count(), 2 + 1 + phases * volumes, "{text}");
    assert!(text.contains("4 KiB random read (less is better)  /mnt/hdd"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
