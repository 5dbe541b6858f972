//! The published cases: each gives its charts in both languages, and states its author's findings.

use super::*;
use crate::model::{Chart, Shape};
use crate::read::laws;
use proptest::prelude::*;

macro_rules! case {
    ($letter:literal) => {
        include_str!(concat!("../../../../../docs/examples/case-", $letter, ".toml"))
    };
}

/// A case in English, after both languages held.
fn drawn(text: &str) -> Report {
    let published = read(text).unwrap();
    let [english, korean] = Lang::ALL.map(|lang| report(&published, lang));
    laws::hold(&english);
    laws::hold(&korean);
    assert_eq!(ids(&english), ids(&korean));
    assert_ne!(english.answers, korean.answers);
    assert!(english.example.as_ref().unwrap().starts_with("Drawn from published figures, not me"));
    english
}

fn ids(report: &Report) -> Vec<&str> {
    report.charts.iter().map(|chart| chart.id.as_str()).collect()
}

fn chart<'r>(report: &'r Report, id: &str) -> &'r Chart {
    report.charts.iter().find(|chart| chart.id == id).unwrap_or_else(|| panic!("{:?}", ids(report)))
}

#[track_caller]
fn says(report: &Report, words: &[&str]) {
    let found = report.answers.iter().any(|answer| words.iter().all(|word| answer.contains(word)));
    assert!(found, "{words:?} in {:#?}", report.answers);
}

#[test]
fn case_a_has_its_four_charts_and_the_promise() {
    let report = drawn(case!("a"));
    let wanted = ["reads-by-volume", "writes-by-volume", "nas-reads-writes", "nas-capacity"];
    assert!(wanted.iter().all(|id| ids(&report).contains(id)), "{:?}", ids(&report));
    assert_eq!(ids(&report)[..2], wanted[..2]);
    let heights = |id: &str, line: usize| -> Vec<f64> {
        chart(&report, id).series[line].points.iter().map(|point| point.y).collect()
    };
    assert_eq!(heights("reads-by-volume", 0), [806.0, 19_800.0, 3007.0, 4010.0]);
    assert_eq!(heights("writes-by-volume", 0), [664.0, 7090.0, 3007.0, 4010.0, 6016.0]);
    assert_eq!(heights("nas-capacity", 1), [3007.0, 4010.0, 6016.0]);
    assert_eq!(heights("promise-naver-block-ssd", 0), [4000.0, 4000.0, 20_000.0, 20_000.0]);
    assert_eq!(heights("promise-naver-block-ssd", 1), [19_800.0]);
    assert_eq!(heights("promise-naver-block-ssd", 2), [7090.0]);
}

#[test]
fn case_a_says_what_its_author_concluded() {
    let report = drawn(case!("a"));
    says(&report, &["SSD 500 GB, reads", "20,000", "is reached"]);
    says(
        &report,
        &["SSD 500 GB, writes", "20,000", "35 %", "not reached", "7,143 IOPS and no more"],
    );
    for (volume, rate) in [("NAS 500 GB", "3,007"), ("NAS 3,000", "4,010"), ("NAS 6,000", "6,016")]
    {
        says(&report, &[volume, "throttled", rate, "two groups"]);
    }
    says(&report, &["HDD 500 GB", "slow and wide", "12 times the median"]);
    assert!(report.answers[0].contains("SSD 500 GB is fastest"));
}

#[test]
fn case_b_has_identity_and_processors() {
    let report = drawn(case!("b"));
    assert_eq!(ids(&report), ["runs", "identity", "cpu"]);
    let computed = chart(&report, "identity").series[1].points[0].y;
    assert!((computed / 614_000.0 - 1.0).abs() < 0.025, "{computed}");
    assert_eq!(chart(&report, "cpu").series[0].shape, Shape::Stacked);
    assert!(chart(&report, "cpu").says.contains("8.7"), "{}", chart(&report, "cpu").says);
}

#[test]
fn case_c_explains_its_two_thousand() {
    let report = drawn(case!("c"));
    says(&report, &["1 in flight of 496 us", "2,016 IOPS", "1,999 IOPS", "8.19 MB/s"]);
    assert!(report.verdicts[0].sentence.contains("1000 / 0.5 = 2,000"));
}

#[test]
fn case_d_has_its_promise_as_a_mark_and_the_burst_as_whiskers() {
    let report = drawn(case!("d"));
    let runs = chart(&report, "runs");
    assert_eq!((runs.marks[0].at, runs.marks[0].upright), (3000.0, false));
    let whisker = runs.series[1].points[0];
    assert_eq!((whisker.low, whisker.high), (Some(1557.0), Some(8682.0)));
    says(&report, &["gp3", "3,025 IOPS of the promised 3,000", "8,682", "a burst, then the cap"]);
}

#[test]
fn case_e_has_its_mixes_with_cached_and_not_side_by_side() {
    let report = drawn(case!("e"));
    let pairs: Vec<Option<&str>> = report.charts.iter().map(|c| c.pair.as_deref()).collect();
    let pair = |name| Some(name);
    assert_eq!(
        pairs,
        [pair("mix-4k"), pair("mix-4k"), pair("mix-64k"), pair("mix-64k"), None, None]
    );
    let half = chart(&report, "mix-64-kib-sequential-not-cached");
    let total: Vec<f64> = half.series[2].points.iter().map(|point| point.x).collect();
    assert_eq!(total, [0.0, 50.0, 100.0]);
    says(&report, &["4 KiB random, cached", "460,000", "388,000", "120,000"]);
}

#[test]
fn what_is_wrong_is_named() {
    let error = |text: &str| read(text).unwrap_err().to_string();
    let head = "kind = \"fathom-published\"\ntitle = \"x\"\nsource = \"y\"\n";
    let row = |rest: &str| {
        format!("{head}[[row]]\nvolume = \"v\"\nway = \"read\"\nblock_kib = 4\n{rest}\n")
    };
    assert!(
        error(&row("iops = -1")).contains("row 1 (v): iops is -1"),
        "{}",
        error(&row("iops = -1"))
    );
    assert!(error(&row("iops = nan")).contains("iops is NaN"));
    assert!(error(&row("iops = 1\npercentiles_ms = [[101, 1]]")).contains("at most 100"));
    assert!(error(&row("iops = 1\nipos = 2")).contains("ipos"));
    assert!(error(head).contains("no figures"));
    assert!(error("kind = \"x\"\ntitle = \"\"\nsource = \"\"").contains("kind is 'x'"));
    assert!(error("{\"kind\": 1}").contains("line 1"));
    let json = "{\"kind\":\"fathom-published\",\"title\":\"t\",\"source\":\"s\",\"row\":[{\"volume\":\
                \"<b>\",\"way\":\"write\",\"block_kib\":4,\"iops\":1}]}";
    assert_eq!(report(&read(json).unwrap(), Lang::En).charts.len(), 1);
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), 0.0..1e6, Just(1e15), Just(f64::MIN_POSITIVE)]
}

prop_compose! {
    fn row()(
        volume in "[a-zA-Z가-힣<>&\"]{0,5}",
        family in proptest::option::of("[AB]"),
        (way, size) in (any::<bool>(), proptest::option::of(1u32..10_000)),
        (iops, mean_us) in (number(), proptest::option::of(number())),
        (promised_iops, in_flight) in (proptest::option::of(number()), proptest::option::of(number())),
        (cpu, mib_per_s) in (proptest::option::of(number()), proptest::option::of(number())),
        percentiles_ms in proptest::collection::vec((0.0..=100.0, number()), 0..4),
        block_kib in 1u64..4096,
    ) -> Row {
        let promise = size.map(|_| "naver.block_ssd".to_owned());
        Row {
            volume, family, promise, promised_iops, block_kib, in_flight, iops, mib_per_s, mean_us,
            percentiles_ms,
            size: size.map(|gb| format!("{gb}GB").parse().unwrap()),
            way: if way { PublishedDirection::Read } else { PublishedDirection::Write },
            jobs: in_flight, min_iops: mean_us, max_iops: promised_iops,
            cpu_user_percent: cpu, cpu_system_percent: cpu,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_figures_make_a_report_that_holds(rows in proptest::collection::vec(row(), 1..6)) {
        let published = Published {
            kind: KIND.to_owned(),
            title: Text::Same("t".to_owned()),
            source: Text::Same("s".to_owned()),
            notes: Vec::new(), commands: Vec::new(), mixes: Vec::new(), rows,
        };
        laws::hold(&report(&published, Lang::En));
        laws::hold(&report(&published, Lang::Ko));
    }
}
