//! Sweeps of a simulated volume: the charts follow from the axes, and meet the invariants of
//! charts.

use super::*;
use crate::model::{Chart, ChartUnit, Scale, Shape, TableCell};
use crate::read::laws;
use fathom_document::sweep::{
    AxisRecord, CaseKey, CaseRecord, Order, QuestionRecord, SWEEP_SCHEMA, Status, Values, curves,
};
use fathom_document::{CaseFigures, CaseTime, PlaceRecord, Setting, Setup};
use fathom_stats::{ConnectionFigures, Interval, JobResult, RunResult};
use fathom_vocab::Direction;

/// The axes of a sweep, their lists of values read as a person writes them.
fn axes_of(axes: &[(&str, &str)]) -> Vec<AxisRecord> {
    let axis = |(name, list): &(&str, &str)| AxisRecord {
        name: (*name).to_owned(),
        values: Values::read(list).unwrap().expand().iter().map(ToString::to_string).collect(),
    };
    axes.iter().map(axis).collect()
}

fn question(axes: &[(&str, &str)], rounds: u32) -> QuestionRecord {
    QuestionRecord {
        hosts: Vec::new(),
        target: "/mnt/ssd".to_owned(),
        axes: axes_of(axes),
        fixed: Vec::new(),
        size_bytes: None,
        time: CaseTime { run_us: 1_000_000, ramp_us: 125_000 },
        rounds,
        order: Order::Nested,
        read_only: false,
        destroy: Vec::new(),
    }
}

/// The settings of every case: the axes as loops within each other, the last one fastest.
fn cases(axes: &[AxisRecord]) -> Vec<Vec<Setting>> {
    axes.iter().fold(vec![Vec::new()], |cases, axis| {
        let with = |case: Vec<Setting>| {
            axis.values.iter().map(move |value| {
                let setting = Setting { axis: axis.name.clone(), value: value.clone() };
                [case.as_slice(), &[setting]].concat()
            })
        };
        cases.into_iter().flat_map(with).collect()
    })
}

/// A place as a document holds it.
pub(crate) fn place() -> PlaceRecord {
    serde_json::from_value(serde_json::json!({
        "name": "/mnt/ssd", "kind": {"is": "folder"},
        "mount": {"mount_point": "/mnt/ssd", "root": "/", "source": "/dev/vdb", "fstype": "xfs",
            "options": [], "major": 8, "minor": 0},
        "storage": {"kind": "virtual", "fstype": "xfs"},
        "space": null, "io_path": "/mnt/ssd/f", "test_file": true, "size_bytes": 1u64 << 30,
        "fill_bytes": 0, "writes": true
    }))
    .unwrap()
}

/// What a volume of 100 us for each I/O and at most 20,000 I/Os and 400 MB a second does in ten
/// seconds; `series` seconds of it are kept.
pub(crate) fn run(depth: u64, block: u64, reads: u64, speed: f64, series: usize) -> RunResult {
    let most = 20_000f64.min(400e6 / block as f64) * speed;
    let iops = (depth as f64 * 1e4).min(most);
    let mut job = JobResult { elapsed_ms: series as u64 * 1000, ..JobResult::default() };
    job.series.interval_ms = 1000;
    let shares = [(Direction::Read, reads), (Direction::Write, 100 - reads)];
    let mut second = Interval::default();
    for (way, percent) in shares.into_iter().filter(|(_, percent)| *percent > 0) {
        let ios = (iops * percent as f64 / 100.0) as u64;
        let stats = &mut job.dirs[way];
        (stats.total_ios, stats.io_bytes) = (ios * 10, ios * 10 * block);
        stats.runtime_ms = 10_000;
        let ns = (depth as f64 / iops * 1e9) as u64;
        (0..ios.min(3000)).for_each(|n| stats.lat.record(if n % 100 == 0 { ns * 9 } else { ns }));
        (second.ios[way], second.bytes[way]) = (ios, ios * block);
    }
    job.series.intervals = vec![second; series];
    RunResult { jobs: vec![job], ..RunResult::default() }
}

fn value(settings: &[Setting], axis: &str) -> Option<String> {
    settings.iter().find(|setting| setting.axis == axis).map(|setting| setting.value.clone())
}

fn block_of(settings: &[Setting]) -> u64 {
    let text = value(settings, "bs").unwrap_or_else(|| "4k".to_owned());
    let kib = text.strip_suffix('k').map(|kib| kib.parse::<u64>().unwrap() * 1024);
    kib.unwrap_or_else(|| text.trim_end_matches('m').parse::<u64>().unwrap() << 20)
}

/// A sweep along `axes`; of more rounds than one each is a little faster.
pub(crate) fn document(axes: &[(&str, &str)], rounds: u32, series: usize) -> SweepDocument {
    let question = question(axes, rounds);
    let mut document: SweepDocument = serde_json::from_value(serde_json::json!({
        "kind": "fathom-sweep", "schema": SWEEP_SCHEMA, "fathom_version": "0.1.0",
        "plan_hash": "x", "status": "finished", "started_ms": 1_700_000_000_000u64, "seed": 1,
        "plan": question, "turns": 0, "left_out": [], "sessions": [], "cases": [],
        "curves": [],
    }))
    .unwrap();
    document.sessions.push(SessionRecord {
        started_ms: 1,
        fathom_version: "0.1.0".to_owned(),
        setup: Setup {
            host: Default::default(),
            volume: place(),
            ways: Vec::new(),
            remarks: Vec::new(),
        },
        failure: None,
    });
    for (case, settings) in cases(&document.plan.axes).iter().enumerate() {
        for round in 0..rounds {
            document.cases.push(record(case, settings, round, series));
        }
    }
    document.turns = document.cases.len();
    document.curves = curves(&document);
    document
}

fn record(case: usize, settings: &[Setting], round: u32, series: usize) -> CaseRecord {
    let number = |axis: &str| value(settings, axis).and_then(|text| text.parse::<u64>().ok());
    let depth = number("iodepth").unwrap_or(1) * number("numjobs").unwrap_or(1);
    let depth = depth * number("clients").unwrap_or(1);
    let mix = value(settings, "rwmix").and_then(|mix| mix.split(':').next()?.parse().ok());
    let cached = value(settings, "cache").is_some_and(|cache| cache == "in");
    let block = block_of(settings);
    let speed = (1.0 + f64::from(round) / 50.0) * if cached { 3.0 } else { 1.0 };
    let result = run(depth, block, mix.unwrap_or(100), speed, series);
    CaseRecord {
        key: CaseKey {
            case,
            round,
            settings: settings.to_vec(),
            session: 0,
            depth: depth as u32,
            block_bytes: Some(block),
        },
        job: Vec::new(),
        command: format!("fathom fio --case={case}"),
        figures: CaseFigures::of(&[&result], depth as u32, Some(block)),
        failure: None,
        cut_short: false,
        remarks: Vec::new(),
        verdicts: Vec::new(),
        result: Some(result),
        mounts: Vec::new(),
    }
}

fn ids(report: &Report) -> Vec<&str> {
    report.charts.iter().map(|chart| chart.id.as_str()).collect()
}

fn chart<'r>(report: &'r Report, id: &str) -> &'r Chart {
    report.charts.iter().find(|chart| chart.id == id).unwrap_or_else(|| panic!("{:?}", ids(report)))
}

fn both(document: &SweepDocument) -> Report {
    let [english, korean] = Lang::ALL.map(|lang| report(document, lang));
    laws::hold(&english);
    laws::hold(&korean);
    assert_eq!(ids(&english), ids(&korean));
    english
}

#[test]
fn depth_shows_the_knee_the_hockey_stick_and_the_cap() {
    let report = both(&document(&[("iodepth", "1..64")], 3, 30));
    assert_eq!(
        ids(&report),
        ["rate-iodepth", "wait-iodepth", "latency-iodepth", "percentiles", "time"]
    );
    let rates = chart(&report, "rate-iodepth");
    assert_eq!(rates.x.scale, Scale::Log2);
    assert_eq!(rates.series.len(), 1);
    assert_eq!(chart(&report, "wait-iodepth").marks, rates.marks[..1]);
    assert_eq!((rates.marks[0].at, rates.marks[0].upright), (2.0, true), "{:?}", rates.marks);
    assert_eq!(rates.marks[0].name, "knee: 2");
    let first = rates.series[0].points[0];
    let ends = (first.low.unwrap(), first.high.unwrap());
    assert_eq!(ends, (10_000.0, 10_000.0), "one I/O at a time is bound by its latency alone");
    let last = rates.series[0].points[6];
    assert_eq!((last.low.unwrap(), last.high.unwrap()), (20_000.0, 20_800.0));
    assert!(rates.says.starts_with("From QD 2 on IOPS stay at"), "{}", rates.says);
    let sticks: Vec<&str> =
        chart(&report, "latency-iodepth").series.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(sticks, ["p50", "p99", "p99.9"]);
    assert!(report.answers.iter().any(|answer| answer.contains("QD 2")), "{report:?}");
    assert_eq!(report.tables[0].rows.len(), 7);
    assert_eq!(report.repeat.len(), 7);
}

#[test]
fn two_scales_make_maps_whose_rows_are_whole() {
    let axes = [("bs", "4k..1m"), ("iodepth", "1..32")];
    let mut document = document(&axes, 1, 0);
    // A case that failed leaves an empty cell and no hole.
    document.cases[3].figures = None;
    document.cases[3].failure = Some("EIO".to_owned());
    document.curves.clear();
    let report = both(&document);
    let map = chart(&report, "map-iops");
    assert_eq!(map.series[0].points.len(), 9 * 6);
    let empty = map.series[0].points.iter().filter(|point| point.value.is_none()).count();
    assert_eq!(empty, 1);
    assert!(ids(&report).contains(&"map-bytes") && ids(&report).contains(&"map-p99"));
    let blocks = chart(&report, "blocks-iodepth-1");
    assert_eq!(blocks.y[0].unit, ChartUnit::Iops);
    assert_eq!(chart(&report, "blocks-bytes-iodepth-1").y[0].unit, ChartUnit::BytesPerS);
    assert!(report.answers.iter().any(|answer| answer.contains("One run failed")));
    assert_eq!(report.tables[0].rows.len(), 9 * 6);
}

#[test]
fn a_mix_goes_from_pure_reads_to_pure_writes_and_the_cache_makes_pairs() {
    let axes = [("cache", "in,out"), ("rwmix", "100:0..0:100/25")];
    let mixes = |report: &Report| -> Vec<Chart> {
        let all = report.charts.iter().filter(|chart| chart.id.starts_with("mix"));
        all.cloned().collect()
    };
    // In one chart, so that the cache is seen beside the disk on the first screen.
    let together = both(&document(&axes, 1, 0));
    let names: Vec<&str> =
        together.charts[0].series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(together.charts[0].id, "mix");
    assert_eq!((names.len(), names[0], names[3]), (6, "cached: Total", "not cached: Total"));
    let shapes = [0, 3].map(|at| together.charts[0].series[at].shape);
    assert_eq!(shapes, [Shape::Line, Shape::Dashed]);
    // Side by side where more than the cache varies.
    let axes = [("cache", "in,out"), ("bs", "4k,8k"), ("rwmix", "100:0..0:100/25")];
    let report = both(&document(&axes, 1, 0));
    let mixes = mixes(&report);
    let titles: Vec<&str> =
        mixes.iter().filter_map(|chart| Some(chart.title.split_once(": ")?.1)).collect();
    assert_eq!(titles, ["cached", "not cached"]);
    assert!(mixes[0].pair.is_some() && mixes[0].pair == mixes[1].pair);
    let xs: Vec<f64> = mixes[0].series[0].points.iter().map(|point| point.x).collect();
    assert_eq!(xs, [0.0, 25.0, 50.0, 75.0, 100.0]);
    let heights = |line: usize, at: usize| mixes[0].series[line].points[at].y;
    assert_eq!(heights(0, 1), heights(1, 1) + heights(2, 1), "reads and writes make the total");
}

#[test]
fn two_axes_beside_the_bottom_are_split_into_lines_and_pairs() {
    let axes = [("cache", "in,out"), ("bs", "4k..32k"), ("iodepth", "1..16")];
    let report = both(&document(&axes, 1, 0));
    let rates: Vec<&Chart> =
        report.charts.iter().filter(|chart| chart.id.starts_with("rate-")).collect();
    assert_eq!(rates.len(), 2);
    assert_eq!(rates[0].series.len(), 4);
    assert_eq!(rates[0].series[0].name, "4 KiB");
    assert!(rates[0].pair.is_some() && rates[0].pair == rates[1].pair);
}

#[test]
fn block_sizes_are_lines_and_the_best_case_is_in_the_first_chart() {
    let axes = [("rw", "randread,randwrite"), ("bs", "4k..64k"), ("iodepth", "1..16")];
    let mut document = document(&axes, 1, 0);
    for record in &mut document.cases {
        let writes = value(&record.settings, "rw").as_deref() == Some("randwrite");
        if let Some(figures) = record.figures.as_mut().filter(|_| writes) {
            figures.total.iops *= 2.0;
        }
    }
    document.curves.clear();
    let report = both(&document);
    let rates: Vec<&Chart> =
        report.charts.iter().filter(|chart| chart.id.starts_with("rate-")).collect();
    assert_eq!(rates.len(), 2, "{:?}", ids(&report));
    assert_eq!((rates[0].id.as_str(), rates[0].series.len()), ("rate-iodepth-rw-randwrite", 5));
    assert_eq!(report.charts[0].id, rates[0].id);
    assert_eq!(rates[0].title, "IOPS by queue depth: randwrite");
    let curves = report.answers.iter().filter(|said| said.contains("iB: ")).count();
    assert_eq!(curves, 10, "{:?}", report.answers);
}

#[test]
fn clients_show_how_they_add_up_and_the_knee() {
    let report = both(&document(&[("clients", "1..6/1")], 1, 0));
    assert_eq!(ids(&report)[..2], ["scale-clients", "share-clients"], "and no rate-clients");
    assert!(!ids(&report).contains(&"rate-clients"), "{:?}", ids(&report));
    let answer = report.answers.iter().find(|said| said.contains("each client keeps 33 %"));
    assert!(answer.is_some_and(|said| said.contains("From 2 clients on")), "{:?}", report.answers);
    let mixed = both(&document(&[("clients", "1,2,4"), ("rwmix", "100:0..0:100/25")], 1, 0));
    assert!(ids(&mixed)[0].starts_with("scale-clients"), "{:?}", ids(&mixed));
    let scale = chart(&report, "scale-clients");
    assert_eq!(scale.title, "How clients add up");
    assert_eq!((scale.marks[0].at, scale.marks[0].upright), (2.0, true), "{:?}", scale.marks);
    let rates: Vec<f64> = scale.series[0].points.iter().map(|point| point.y).collect();
    assert_eq!(rates, [10_000.0, 20_000.0, 20_000.0, 20_000.0, 20_000.0, 20_000.0]);
    let share = chart(&report, "share-clients");
    let shares: Vec<f64> = share.series[0].points.iter().map(|point| point.y.round()).collect();
    assert_eq!(shares, [100.0, 100.0, 67.0, 50.0, 40.0, 33.0]);
    assert!(scale.says.contains("2.0 times as high: each client keeps 33 %"), "{}", scale.says);
    let axes = [("clients", "1,2,4"), ("numjobs", "1,2")];
    let both_ways = both(&document(&axes, 1, 0));
    let scales = ids(&both_ways).into_iter().filter(|id| id.starts_with("scale")).count();
    assert!(scales >= 2, "{:?}", ids(&both_ways));
}

#[test]
fn jobs_show_how_they_add_up() {
    let report = both(&document(&[("numjobs", "1,2,4,8")], 1, 0));
    let scale = chart(&report, "scale");
    let share = chart(&report, "share");
    let shares: Vec<f64> = share.series[0].points.iter().map(|point| point.y).collect();
    assert_eq!(shares, [100.0, 100.0, 50.0, 25.0]);
    assert!(scale.says.contains("2.0 times") && scale.says.contains("25 %"), "{}", scale.says);
}

#[test]
fn words_alone_make_bars() {
    let report = both(&document(&[("ioengine", "psync,libaio,io_uring")], 2, 0));
    let bars = chart(&report, "bars-ioengine");
    assert_eq!(bars.series[0].shape, Shape::Bar);
    assert!(bars.series[0].points.iter().all(|bar| bar.low.is_some() && bar.high.is_some()));
}

#[test]
fn a_sweep_that_has_not_begun_has_no_charts_and_says_so() {
    let mut document = document(&[("iodepth", "1..4")], 1, 0);
    document.cases.clear();
    document.curves.clear();
    document.status = Status::Interrupted;
    let report = both(&document);
    assert!(report.charts.is_empty());
    assert!(report.answers[0].starts_with("/mnt/ssd: nothing was measured."));
    assert!(report.answers[1].contains("0 of 3 runs"), "{:?}", report.answers);
    assert_eq!(report.answers.len(), 2, "{:?}", report.answers);
}

#[test]
fn five_hundred_cases_with_their_series_stay_small() {
    let axes = [
        ("cache", "in,out"),
        ("bs", "4k..64k"),
        ("iodepth", "1..64"),
        ("numjobs", "1,2,3,4,5,6,7"),
    ];
    let document = document(&axes, 1, 3600);
    assert_eq!(document.cases.len(), 490);
    let began = std::time::Instant::now();
    let report = both(&document);
    println!("both reports of {} cases in {:?}", document.cases.len(), began.elapsed());
    let bytes = serde_json::to_string(&report).unwrap().len();
    println!("{} charts, {bytes} bytes", report.charts.len());
    assert!(bytes < 3 << 20, "{bytes} bytes for {} charts", report.charts.len());
}

#[test]
fn connections_and_flushes_have_tables_where_there_were_several_or_any() {
    let mut document = document(&[("nconnect", "1,2")], 2, 0);
    let ids = |report: &Report| -> Vec<String> {
        report.tables.iter().map(|table| table.id.clone()).collect()
    };
    assert_eq!(ids(&both(&document)), ["cases"]);
    let finding = document.curves[0].connection_sentence().expect("a finding on connections");
    let told = finding.text(Lang::En);
    assert!(both(&document).answers.contains(&told), "{:?}", both(&document).answers);
    for record in &mut document.cases {
        let count = if record.case == 0 { 1 } else { 2 };
        let job = &mut record.result.as_mut().unwrap().jobs[0];
        job.connections = (0..count)
            .map(|at| ConnectionFigures { source_port: 700 + at, ios: 30, ..Default::default() })
            .collect();
        job.sync.record(5_000);
    }
    let report = both(&document);
    assert_eq!(ids(&report), ["cases", "flushes", "connections"]);
    let (flushes, connections) = (&report.tables[1], &report.tables[2]);
    assert_eq!(flushes.rows.len(), 2, "one for each case, of its first round");
    assert_eq!(flushes.columns[0].name, "nconnect");
    let text = |text: &str| TableCell::Text(text.to_owned());
    assert_eq!(connections.rows.len(), 2, "a single connection has no row");
    assert_eq!(connections.rows[1][..2], [text("2"), text("701")]);
    assert_eq!(connections.rows[1][3], TableCell::Number(50.0), "its share");
}
