//! Readers of documents: charts, answers and tables of known data, and errors that name the invalid
//! field.

use super::{Input, ReadError, gathered, laws, parse, read, thinned};
use crate::model::{ChartPoint, ChartUnit, Scale, Shape, TableCell};
use crate::{Report, csv, markdown};
use fathom_analysis::{FlushFigures, RowOutcome, Tone};
use fathom_document::AnyDocument;
use fathom_message::Lang;
use fathom_stats::{
    CoarseHistogram, DiskInterval, DiskUtil, Interval, JobResult, LatencySlice, RunResult, Series,
    SeriesInterval,
};
use fathom_vocab::Direction;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// A run of 20 s after a ramp of 2 s, with about so many random reads a second of 4 KiB, each of
/// so many nanoseconds.
pub(super) fn run(iops: u64, latency_ns: u64) -> Value {
    let mut job = JobResult { name: "job".to_owned(), ..JobResult::default() };
    let scatter = [0, 10, -10, 5, -5, 8, -8, 1, -1, 0];
    let rates: Vec<u64> =
        (0..23).map(|at| iops * (1000 + scatter[at % 10]) as u64 / 1000).collect();
    let total: u64 = rates[2..22].iter().sum();
    let stats = &mut job.dirs[Direction::Read];
    (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (total, total * 4096, 20_000);
    stats.lat.moments.record_times(latency_ns, total);
    stats.lat.moments.max = latency_ns * 20;
    stats.lat.histogram.record_times(latency_ns, total - total / 50);
    stats.lat.histogram.record_times(latency_ns * 20, total / 50);
    (job.runtime_ms, job.elapsed_ms, job.series.interval_ms) = (20_000, 22_000, 1000);
    job.series.ramp_intervals = 2;
    (job.cpu.user_us, job.cpu.system_us) = (total, 3 * total);
    (job.setup.rw, job.setup.iodepth, job.setup.direct) = ("randread".into(), 32, true);
    job.setup.bs.read = (4096, 4096);
    job.setup.ioengine = "io_uring".into();
    for ios in rates {
        let mut interval = Interval { clat_max_ns: latency_ns * 30, ..Interval::default() };
        (interval.ios.read, interval.bytes.read) = (ios, ios * 4096);
        interval.clat_sum_ns.read = ios * latency_ns;
        job.series.intervals.push(interval);
    }
    job.job_start_ms = BEGAN_MS + 2000;
    job.setup.ramp_ms = 2000;
    job.latencies = slices(latency_ns);
    let disks = vec![disk()];
    serde_json::to_value(RunResult { jobs: vec![job], disks, ..RunResult::default() }).unwrap()
}

/// When the jobs began.
const BEGAN_MS: u64 = 1_700_000_000_000;

/// A second with nothing in it, and a hundred times the latency in one.
fn slices(latency_ns: u64) -> Series<LatencySlice> {
    let mut slices = Series::<LatencySlice>::new(1000);
    for second in 0..22 {
        let ns = if second == 9 { latency_ns * 100 } else { latency_ns };
        let mut slice = LatencySlice::default();
        if second != 14 {
            slice.0.read = CoarseHistogram::from(vec![(ns, 500)]);
        }
        slices.at(second * 1000).merge(&slice);
    }
    slices
}

/// Watched from 4 s before the jobs began until after their end, busy for 4 % more each second.
fn disk() -> DiskUtil {
    let mut over_time = Series::<DiskInterval>::new(1000);
    for second in 0..40u64 {
        let busy_ms = (second * 40).min(1000);
        let interval = DiskInterval { elapsed_ms: 1000, busy_ms, ..DiskInterval::default() };
        over_time.at(second * 1000).merge(&interval);
    }
    let began_ms = BEGAN_MS - 4000;
    DiskUtil { name: "vdb".into(), util_percent: 87.5, began_ms, over_time, ..DiskUtil::default() }
}

/// A document of `fathom run`.
fn document(iops: u64) -> Value {
    json!({
        "kind": "fathom-run", "schema": 1, "fathom_version": "0.1.0", "started_ms": BEGAN_MS,
        "host": { "hostname": "worker-7", "kernel": "6.1.0", "cpus_online": 2 },
        "jobs": "[job]\nrw=randread\nname with space=1\n",
        "groups": [{ "jobs": "job", "verdicts": [] }],
        "result": run(iops, 1_000_000_000 * 32 / iops),
    })
}

/// A document of `fathom measure --for` with these runs of one name.
fn rounds(results: [Value; 2]) -> Value {
    let figures = json!(FlushFigures::default());
    let run = |result: Value| {
        json!({
            "title": "a", "method": "fsync", "beside": false, "flush": figures, "write": figures,
            "device_flushes": null, "outcome": null, "too_fast": false, "job": [], "command": "",
            "figures": null, "failure": null, "cut_short": false, "remarks": [], "result": result,
        })
    };
    let mut document: Value =
        serde_json::from_str(include_str!("../../fixtures/limit.json")).unwrap();
    document["kind"] = json!("fathom-durable");
    document["runs"] = results.map(run).into();
    document["outcome"] = json!("undecided");
    document["failure"] = json!(null);
    document["requirement"] = json!({
        "id": "x", "title": "x", "block_bytes": 4096, "flush": "fsync", "limit_ms": null,
        "source": "", "read_on": "",
    });
    document
}

fn input(name: &str, value: &Value) -> Input {
    Input::new(name, value.to_string())
}

fn one(value: &Value) -> Report {
    read(&[input("it.json", value)], Lang::En).unwrap()
}

fn chart<'r>(report: &'r Report, id: &str) -> &'r crate::model::Chart {
    let found = report.charts.iter().find(|chart| chart.id == id);
    found.unwrap_or_else(|| panic!("no chart {id} in {:?}", ids(report)))
}

fn ids(report: &Report) -> Vec<&str> {
    report.charts.iter().map(|chart| chart.id.as_str()).collect()
}

/// The figure of a column of the first table.
fn figure_of(report: &Report, key: &str) -> f64 {
    let table = &report.tables[0];
    let at = table.columns.iter().position(|column| column.key == key).unwrap();
    match table.rows[0][at] {
        TableCell::Number(number) => number,
        ref other => panic!("{key}: {other:?}"),
    }
}

#[test]
fn no_percentile_lies_above_the_longest_latency() {
    let mut document = document(3000);
    let mut run: RunResult = serde_json::from_value(document["result"].take()).unwrap();
    // The least latency of a bucket of the histogram, whose midpoint lies above it.
    let lat = &mut run.jobs[0].dirs[Direction::Read].lat;
    *lat = Default::default();
    (0..60_000).for_each(|_| lat.record(1 << 20));
    document["result"] = serde_json::to_value(run).unwrap();
    let way = json!({
        "total_ios": 100_000, "iops": 1000.0, "bw_bytes": 4_096_000,
        "lat_ns": { "mean": 900.0 },
        "clat_ns": { "max": 1 << 20, "percentile": { "50.000000": 7000, "99.900000": 1_056_768 } },
    });
    let fio = json!({ "fio version": "fio-3.33", "jobs": [{ "jobname": "t", "read": way }] });
    for report in [one(&document), one(&fio)] {
        assert_eq!(figure_of(&report, "max_ns"), 1_048_580.0, "to six figures");
        assert_eq!(figure_of(&report, "p999_ns"), 1_048_580.0);
    }
}

#[test]
fn the_figure_of_rounds_is_that_of_all_their_ios() {
    // The second round is ten times slower and three times shorter.
    let mut slow: RunResult = serde_json::from_value(run(300, 106_666_666)).unwrap();
    let read = &mut slow.jobs[0].dirs[Direction::Read];
    (read.total_ios, read.io_bytes, read.runtime_ms) = (1500, 1500 * 4096, 5_000);
    let report = one(&rounds([run(3000, 10_666_666), serde_json::to_value(slow).unwrap()]));
    assert_eq!(figure_of(&report, "iops"), 2460.0);
    assert_eq!(chart(&report, "iops").series[0].points[0].y, 2460.0);
}

#[test]
fn bars_of_uncertain_means_are_marked_and_the_mark_is_explained() {
    let of = |others: u64, lang| {
        let document = rounds([run(3000, 10_666_666), run(others, 10_666_666)]);
        read(&[input("it.json", &document)], lang).unwrap()
    };
    for (lang, words) in [(Lang::En, "~ marks an uncertain mean"), (Lang::Ko, "불확실")] {
        let (known, uncertain) = (of(3001, lang), of(4000, lang));
        let bar = |report: &Report| chart(report, "iops").series[0].points[0].tone;
        assert_eq!((bar(&known), bar(&uncertain)), (None, Some(Tone::Warning)));
        let note = &chart(&uncertain, "iops").note;
        assert!(note.contains(words) && note.contains("O_DIRECT"), "{note}");
        assert!(!chart(&known, "iops").note.contains('~'), "{:?}", chart(&known, "iops").note);
    }
}

#[test]
fn runs_judged_by_p99_show_it_first() {
    let inputs = [input("a.json", &document(3000)), input("b.json", &document(2000))];
    let of = |by_p99: bool| {
        let mut gathered = super::side_by_side(&inputs, Lang::En).unwrap();
        if by_p99 {
            gathered.judge_by_p99();
        }
        super::report(gathered, Lang::En)
    };
    let (usual, by_p99) = (of(false), of(true));
    assert_eq!([ids(&usual)[0], ids(&by_p99)[0]], ["iops", "p99"]);
    assert_eq!([usual.tiles[0].unit, by_p99.tiles[0].unit], [ChartUnit::Iops, ChartUnit::Ns]);
    assert!(!ids(&usual).contains(&"p99"));
}

#[test]
fn a_single_run_gives_every_chart_that_its_data_allows() {
    let report = one(&document(3000));
    assert_eq!(
        ids(&report),
        [
            "iops",
            "latency",
            "percentiles",
            "iops-time",
            "latency-time",
            "devices-time",
            "devices",
            "latency-heat",
            "histogram"
        ]
    );
    assert_eq!(report.title, "Job job");
    assert_eq!(report.answers, ["job: 3,000 IOPS, p99 210 ms."]);
    let bar = chart(&report, "iops").series[0].points[0];
    assert!(bar.low.unwrap() < bar.y && bar.y < bar.high.unwrap(), "{bar:?}");
    let nines = chart(&report, "percentiles");
    assert_eq!(nines.x.scale, Scale::Nines);
    assert!(nines.series[0].points.iter().all(|point| point.x >= 50.0 && point.x < 100.0));
    let over_time = chart(&report, "iops-time");
    assert_eq!((over_time.bands[0].from, over_time.bands[0].to), (0.0, 2.0));
    assert_eq!(over_time.series[0].points.len(), 22, "the last, which may be short, is left out");
    // 20 of 50 I/Os are slow: the ends of the latency are the slowest I/O.
    let peak = chart(&report, "latency-time").series[0].points[3].high.unwrap();
    assert!((peak / (1e9 * 32.0 / 3000.0 * 30.0) - 1.0).abs() < 1e-4, "{peak}");
    let histogram = &chart(&report, "histogram").series[0];
    let shares: f64 = histogram.points.iter().map(|point| point.y).sum();
    assert!(histogram.shape == Shape::Step && (shares - 100.0).abs() < 0.01, "{shares}");
    assert_eq!(
        report.repeat[0].command,
        "fathom run --name=job --rw=randread '--name with space=1'"
    );
}

#[test]
fn several_jobs_are_named_with_the_place_of_their_files() {
    let mut document = document(3000);
    document["jobs"] = json!("[global]\ndirectory=/mnt/ssd\n[a]\nrw=read\n[b]\nstonewall\n");
    document["groups"] = json!([{ "jobs": "a", "verdicts": [] }, { "jobs": "b", "verdicts": [] }]);
    let mut second = document["result"]["jobs"][0].clone();
    (document["result"]["jobs"][0]["name"], second["name"]) = (json!("a"), json!("b"));
    document["result"]["jobs"].as_array_mut().unwrap().push(second);
    let report = one(&document);
    assert_eq!(report.title, "Jobs a and b");
    assert_eq!(report.origin, "worker-7, 2023-11-14 22:13 UTC, on /mnt/ssd");
}

#[test]
fn the_whole_can_be_repeated_and_no_step_on_a_file_that_is_gone() {
    let step =
        |path: &str| super::place::repeat("a".into(), &format!("fathom fio --filename={path}"));
    let parts = || vec![step("/mnt/.fathom-1-0"), step("/dev/vdb")];
    let commands = |whole: &str| -> Vec<String> {
        let all = super::place::with_whole(whole, parts(), Lang::En);
        all.into_iter().map(|repeat| repeat.command).collect()
    };
    assert_eq!(
        commands("fathom measure /mnt"),
        ["fathom measure /mnt", "fathom fio --filename=/dev/vdb"]
    );
    assert_eq!(commands("").len(), 2);
}

#[test]
fn what_was_asserted_is_a_tile_and_an_outcome() {
    let mut document = document(3000);
    document["assertions"] = json!([
        { "assertion": "iops>1k", "jobs": "", "measured": "3,000", "outcome": "pass" },
        { "assertion": "p99<1ms", "jobs": "", "measured": "213 ms", "outcome": "fail" },
    ]);
    let report = one(&document);
    let tile = &report.tiles[0];
    assert_eq!(tile.value, crate::model::TableCell::Text("1 / 2".into()));
    assert_eq!((tile.detail.as_str(), tile.outcome), ("FAIL", Some(RowOutcome::Fail)));
    assert!(report.answers[0].starts_with("FAIL: "), "{:?}", report.answers);
    let first = &report.verdicts[0];
    assert_eq!((first.outcome, first.about.as_str()), (Some(RowOutcome::Fail), "p99<1ms"));
    assert!(markdown(&report).contains("- FAIL p99&lt;1ms: Measured 213 ms."));
    let korean = read(&[input("it.json", &document)], Lang::Ko).unwrap();
    let page = crate::html(&korean).unwrap();
    assert!(page.contains("FAIL(미달) 1건") && page.contains("<strong>FAIL(미달)</strong>"));
}

/// Small and large blocks, random and sequential, at low and at high queue depths.
fn several_works() -> Value {
    let mut document = document(3000);
    let small = document["result"]["jobs"][0].clone();
    let mut other = |name: &str, rw: &str, bytes: u64, depth: u64, factor: f64| {
        let mut job = small.clone();
        job["name"] = json!(name);
        job["setup"]["rw"] = json!(rw);
        job["setup"]["iodepth"] = json!(depth);
        job["setup"]["bs"]["read"] = json!([bytes, bytes]);
        let read = &mut job["dirs"]["read"];
        read["total_ios"] = json!((read["total_ios"].as_f64().unwrap() * factor) as u64);
        read["io_bytes"] = json!(read["total_ios"].as_u64().unwrap() * bytes);
        read["lat"]["moments"] = small["dirs"]["read"]["lat"]["moments"].clone();
        document["result"]["jobs"].as_array_mut().unwrap().push(job);
    };
    other("seq-small", "read", 4096, 32, 9.0);
    other("single", "randread", 4096, 1, 0.5);
    other("seq", "read", 262_144, 8, 0.2);
    other("rand-large", "randread", 262_144, 8, 0.9);
    other("seq-64k", "read", 65_536, 16, 0.4);
    document
}

#[test]
fn tiles_are_of_the_work_that_the_first_sentence_tells() {
    let document = several_works();
    let report = one(&document);
    let tile = |name: &str| report.tiles.iter().find(|tile| tile.name == name).unwrap();
    assert_eq!(tile("Median latency").detail, "single, read");
    assert_eq!(tile("Peak reads").detail, "job, read");
    assert_eq!(tile("Throughput").detail, "seq, read");
    // What may be a cache's is in no tile, as in no first sentence.
    let input = input("it.json", &document);
    let parsed = parse::document(&input).unwrap();
    let mut gathered = gathered::of(&parsed, Lang::En).unwrap();
    for label in ["seq, read", "job, read"] {
        let seen = &mut gathered.subjects[0].seen;
        seen.iter_mut().find(|of| of.label == label).unwrap().detail.is_left_out = true;
    }
    let tiles = super::tiles::of(&gathered, Lang::En);
    let detail = |name: &str| tiles.iter().find(|of| of.name == name).unwrap().detail.clone();
    assert_eq!(detail("Throughput"), "seq-64k, read");
    // The chart beside it shows a higher rate, so the tile says which tests it takes.
    assert_eq!(detail("Peak reads, valid tests"), "single, read");
}

#[test]
fn devices_stand_on_the_time_of_their_jobs() {
    let report = one(&document(3000));
    let chart = chart(&report, "devices-time");
    assert_eq!((chart.x.ends, chart.y[0].ends), (Some([0.0, 23.0]), Some([0.0, 100.0])));
    let points = &chart.series[0].points;
    assert_eq!(chart.series[0].name, "vdb");
    // It was watched from four seconds before: its fifth interval is the jobs' first.
    assert_eq!((points[0].x, points[0].y), (0.0, 16.0));
    assert_eq!(points.last().map(|point| (point.x, point.y)), Some((23.0, 100.0)));
    assert_eq!(points.len(), 24, "23 and the end of the last");
    // Of the 21 seconds after the ramp, the last two of which were wholly busy.
    assert_eq!(chart.says, "vdb was busy 64 % of the time after the ramp, 100 % at most.");
    assert_eq!(chart.pair.as_deref(), Some("over-time-0"));
}

#[test]
fn entries_of_one_run_share_its_disks() {
    let mut ours = document(3000);
    let dirs = &mut ours["result"]["jobs"][0]["dirs"];
    dirs["write"] = dirs["read"].clone();
    let mut other = ours["result"]["jobs"][0].clone();
    other["name"] = json!("other");
    ours["result"]["jobs"].as_array_mut().unwrap().push(other);
    let way = json!({ "total_ios": 9, "iops": 9.0, "bw_bytes": 9.0 });
    let fios = json!({
        "fio version": "fio-3.33", "jobs": [{ "jobname": "t", "read": way, "write": way }],
        "disk_util": [{ "name": "vdb", "util": 87.5 }],
    });
    for (value, entries) in [(ours, 4), (fios, 2)] {
        let input = input("it.json", &value);
        let parsed = parse::document(&input).unwrap();
        let gathered = gathered::of(&parsed, Lang::En).unwrap();
        let disks: Vec<_> = gathered.all().map(|(_, seen)| &seen.detail.disks).collect();
        assert_eq!((disks.len(), disks[0].len()), (entries, 1));
        assert!(disks.iter().all(|other| Arc::ptr_eq(disks[0], other)));
    }
}

#[test]
fn a_map_of_latency_keeps_a_stall_and_the_rows_between() {
    let report = one(&document(3200));
    let chart = chart(&report, "latency-heat");
    let points = &chart.series[0].points;
    // 10 ms and 1 s are 27 quarters of a power of two apart; there is nothing in between.
    let mut rows: Vec<u64> = points.iter().map(|point| point.y as u64).collect();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), 28, "{rows:?}");
    let value = |x: f64| -> Vec<f64> {
        points.iter().filter(|point| point.x == x).filter_map(|point| point.value).collect()
    };
    assert_eq!((value(3.0), value(9.0), value(14.0)), (vec![500.0], vec![500.0], vec![0.0]));
    let slow = points.iter().find(|point| point.x == 9.0).unwrap().y;
    assert!((0.8e9..=1e9).contains(&slow), "{slow}");
    assert!(chart.says.ends_with("(95 % of what is shown)"), "{}", chart.says);
}

#[test]
fn single_runs_are_set_side_by_side_and_none_is_called_faster() {
    let of = |a, b| {
        let inputs = [input("a.json", &document(a)), input("b.json", &document(b))];
        read(&inputs, Lang::En).unwrap()
    };
    let twice = of(3000, 6000);
    let overall = "job (a.json) and job (b.json): no winner is known; one run a side.";
    assert_eq!((twice.answers.len(), twice.answers[0].as_str()), (2, overall));
    assert_eq!(twice.origin, "worker-7, 2023-11-14 22:13 UTC");
    let names: Vec<&str> =
        chart(&twice, "iops").series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(names, ["job (a.json)", "job (b.json)"]);
    let untold = "It cannot be told yet whether job (b.json) or job (a.json) is faster: job, read";
    assert!(twice.answers[1].starts_with(untold), "{:?}", twice.answers);
    assert!(ids(&twice).contains(&"cpu"));
    let turned = of(6000, 3000);
    assert!(!turned.answers[0].contains("faster"), "{:?}", turned.answers);
}

#[test]
fn korean_says_the_same_in_korean() {
    let report = read(&[input("it.json", &document(3000))], Lang::Ko).unwrap();
    laws::is_korean(&report);
    assert_eq!(report.title, "작업 job");
    assert!(
        report.charts.iter().all(|chart| !chart.says.is_empty() && !chart.says.contains("report-"))
    );
    let text = markdown(&report);
    assert!(text.contains("## 다시 측정하는 방법") && !text.contains("report-"), "{text}");
}

#[test]
fn markdown_and_csv_of_a_fixed_document() {
    let report = one(&document(3000));
    insta::assert_snapshot!("markdown", markdown(&report));
    insta::assert_snapshot!("csv", csv(&report).unwrap());
}

#[test]
fn what_is_wrong_is_named_with_its_file_and_place() {
    let wrong = |value: &Value| read(&[input("x.json", value)], Lang::En).unwrap_err().to_string();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut value = document(3000);
        change(&mut value);
        wrong(&value)
    };
    let negative = with(&|of| of["result"]["jobs"][0]["dirs"]["read"]["total_ios"] = json!(-1));
    assert!(negative.starts_with("x.json: invalid value: integer `-1`"), "{negative}");
    assert!(negative.contains(" at line 1 column "), "{negative}");
    let kind = with(&|of| of["groups"][0]["jobs"] = json!(7));
    assert!(kind.starts_with("x.json: invalid type: integer `7`, expected a string"), "{kind}");
    let huge = with(&|of| {
        of["result"]["jobs"][0]["dirs"]["read"]["lat"]["histogram"] =
            json!([[5, u64::MAX], [6, 1]]);
    });
    assert!(huge.contains("is more than any run counts at line 1 column"), "{huge}");
    let later = with(&|of| of["schema"] = json!(99));
    assert!(later.starts_with("x.json: it has schema 99"), "{later}");
    let measure = json!({ "kind": "fathom-measure", "schema": 1 });
    assert!(wrong(&measure).starts_with("x.json: "), "{}", wrong(&measure));
    let apart = [input("a", &document(1000)), input("b", &json!({"a": 1}))];
    assert!(matches!(read(&apart, Lang::En), Err(ReadError::Foreign { name, .. }) if name == "b"));
}

#[test]
fn bytes_that_are_no_document_are_an_error() {
    let wrong = |bytes: &[u8]| read(&[Input::new("x", bytes)], Lang::En).unwrap_err().to_string();
    assert!(wrong(b"{\"kind\": \"\xff\"}").contains("not UTF-8 from byte 10"));
    assert!(wrong("[".repeat(100_000).as_bytes()).contains("x is neither"));
    let deep = "{\"a\":".repeat(100_000);
    assert!(wrong(deep.as_bytes()).contains("x is neither"), "{}", wrong(deep.as_bytes()));
    let whole = deep + "1" + &"}".repeat(100_000);
    assert!(wrong(whole.as_bytes()).contains("recursion limit"), "{}", wrong(whole.as_bytes()));
    assert!(wrong(b"{\"a\": NaN}").contains("x is neither"));
    assert_eq!(read(&[], Lang::En), Err(ReadError::NoInput));
}

/// Of several objects a report and a comparison see the same: the first that is JSON.
#[test]
fn of_several_objects_the_first_that_is_json_is_the_document() {
    let way = json!({ "total_ios": 9, "iops": 9.0, "bw_bytes": 9.0 });
    let jobs = json!([{ "jobname": "t", "read": way }]);
    let fios = json!({ "fio version": "fio-3.33", "jobs": jobs }).to_string();
    let ours = document(3000).to_string();
    // Whole, so that it would be read if it were taken for the document.
    let check: Value = serde_json::from_str(include_str!("../../fixtures/check.json")).unwrap();
    let odd = json!({ "kind": 7, "schema": "x", "fio version": "fio-3.33", "jobs": jobs });
    let mixed = [
        (format!("{fios}\n{check}\n"), fios.clone()),
        (format!("{{ no JSON\n{fios}\n{check}\n"), fios.clone()),
        (format!("{odd}\n{check}\n"), fios.clone()),
        (format!("{ours}\n{check}\n"), ours.clone()),
        (format!("{{\"kind\": \"fathom-check\", \"schema\": 1, cut\n{ours}\n"), ours.clone()),
    ];
    for (text, alone) in mixed {
        let of = |text: &str| read(&[Input::new("it.json", text)], Lang::En);
        assert_eq!(of(&text).map_err(|why| format!("{why} in {text}")), Ok(of(&alone).unwrap()));
        let input = Input::new("it.json", text);
        let compared = parse::document(&input).unwrap();
        assert_eq!(matches!(compared.document, AnyDocument::Fio(_)), alone == fios);
    }
    let broken = r#"{"kind":"fathom-check","schema":1,"measured":7}"#;
    let why = read(&[Input::new("it.json", format!("{broken}\n{fios}\n"))], Lang::En).unwrap_err();
    assert!(matches!(why, ReadError::Invalid { .. }), "{why}");
}

#[test]
fn thinning_keeps_every_peak() {
    let mut points: Vec<ChartPoint> = (0..10_000)
        .map(|x| ChartPoint { x: f64::from(x), y: 100.0, ..ChartPoint::default() })
        .collect();
    (points[1234].y, points[7777].y) = (900.0, 1.0);
    let thin = thinned(&points, 600);
    assert!(thin.len() <= 600, "{}", thin.len());
    assert_eq!(thin.iter().filter_map(|point| point.high).fold(0.0, f64::max), 900.0);
    assert_eq!(thin.iter().filter_map(|point| point.low).fold(1e9, f64::min), 1.0);
    assert_eq!(thinned(&points[..10], 600), points[..10]);
}

/// A number, a text or nothing in the place of what was there.
pub(super) fn odd() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        Just(json!(-1)),
        Just(json!(u64::MAX)),
        Just(json!(i64::MIN)),
        Just(json!(1e308)),
        Just(json!(-1e-308)),
        Just(json!(0)),
        Just(json!(4_000_000_000u64)),
        Just(json!("340282366920938463463374607431768211455")),
        Just(json!("=cmd|' /C calc'!A0\n<img src=x onerror=alert(1)>")),
        Just(json!([])),
        Just(json!({})),
        Just(json!([[1, 2], [3, 4]])),
        any::<u64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
    ]
}

/// Replaces the value at `place` of all that are below.
pub(super) fn replace(value: &mut Value, place: &mut usize, with: &Value) {
    if *place == 0 {
        value.clone_from(with);
    }
    *place = place.wrapping_sub(1);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, place, with)),
        Value::Object(map) => map.values_mut().for_each(|item| replace(item, place, with)),
        _ => {}
    }
}

fn holds(report: &Report) {
    let text = serde_json::to_string(report).unwrap();
    assert_eq!(&serde_json::from_str::<Report>(&text).unwrap(), report, "every number is one");
    let _shown = (markdown(report), csv(report).unwrap());
}

proptest! {
    #[test]
    fn nothing_that_is_changed_in_a_document_makes_a_panic(
        changes in prop::collection::vec((0usize..700, odd()), 1..4), two in any::<bool>(),
    ) {
        let mut value = document(3000);
        for (place, with) in changes {
            let mut place = place;
            replace(&mut value, &mut place, &with);
        }
        let mut inputs = vec![input("a", &value)];
        if two {
            inputs.push(input("b", &document(3000)));
        }
        if let Ok(report) = read(&inputs, Lang::Ko) {
            holds(&report);
        }
    }

    #[test]
    fn no_text_makes_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _either = read(&[Input::new("x", bytes.clone())], Lang::En);
        let mut text = document(3000).to_string().into_bytes();
        text.splice(100..110, bytes);
        let _either = read(&[Input::new("x", text)], Lang::En);
    }
}

#[test]
fn runs_of_several_kinds_have_an_answer_each_and_are_not_compared() {
    let one = |name: &str, kind: &str, summary: &str| gathered::Gathered {
        name: name.to_owned(),
        kind: kind.to_owned(),
        summary: Some(summary.to_owned()),
        ..gathered::Gathered::default()
    };
    let measured =
        || gathered::of(&parse::document(&input("m", &document(3000))).unwrap(), Lang::En);
    let side_by_side = |all: Vec<gathered::Gathered>| {
        super::report(gathered::Gathered::side_by_side(all, Lang::En).unwrap(), Lang::En)
    };
    let checked = one("c", "fathom-check", "v: FAIL.");
    let report = side_by_side(vec![measured().unwrap(), checked]);
    assert_eq!(report.answers, ["2 runs with an answer each"]);
    let rows = report.changes.expect("a table").rows;
    let names: Vec<&TableCell> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(names, [&TableCell::Text("m".into()), &TableCell::Text("c".into())]);
    assert_eq!(rows[1][1], TableCell::Text("v: FAIL.".into()));
    // Of one kind they are compared.
    assert!(side_by_side(vec![measured().unwrap(), measured().unwrap()]).changes.is_none());
}

/// A run of `document` on four clients, of which the last is slow.
fn on_clients() -> Value {
    let mut value = document(1000);
    let job = value["result"]["jobs"][0].clone();
    let name = job["name"].as_str().unwrap();
    let hosts = ["h1", "h2", "h3", "h4"];
    let of_host = |host: &&str| {
        let mut own = job.clone();
        own["name"] = format!("{name}@{host}").into();
        if *host == "h4" {
            own["dirs"]["read"]["total_ios"] = 2000.into();
        }
        own
    };
    value["result"]["jobs"] = hosts.iter().map(of_host).collect();
    let span =
        |host: &&str| json!({"host": host, "begun_ns": 5, "ended_ns": 9, "clock_error_ns": 1});
    value["result"]["clients"] = hosts.iter().map(span).collect();
    let client = |host: &&str| {
        json!({ "name": host, "volumes": [],
                "system": { "hostname": format!("machine-{host}"), "cpus_online": 2 } })
    };
    value["clients"] = hosts.iter().map(client).collect();
    value
}

#[test]
fn clients_are_one_job_with_a_table_of_each_and_what_each_is() {
    let report = one(&on_clients());
    let table = |id: &str| report.tables.iter().find(|table| table.id == id).unwrap();
    assert_eq!(report.tables[0].rows.len(), 1, "one rate for all");
    let clients = table("clients");
    let cell = |row: usize, key: &str| {
        let at = clients.columns.iter().position(|column| column.key == key).unwrap();
        clients.rows[row][at].clone()
    };
    assert_eq!(clients.rows.len(), 5);
    assert_eq!(cell(3, "client"), TableCell::Text("h4".to_owned()));
    assert_eq!(cell(3, "begun_ns"), TableCell::Number(5.0));
    let of_all = figure_of(&report, "iops");
    assert!(
        matches!(cell(4, "iops"), TableCell::Number(iops) if (iops / of_all - 1.0).abs() < 1e-5)
    );
    assert_eq!(table("hosts").rows.len(), 4);
    let lag = report.verdicts.iter().find(|said| said.sentence.starts_with("h4 lags: "));
    assert!(lag.is_some_and(|said| said.about == "job"), "{:?}", report.verdicts);
    assert!(report.title.contains("job") && !report.title.contains('@'), "{}", report.title);
    assert!(report.origin.starts_with("h1; h2; h3; h4"), "{}", report.origin);
}
