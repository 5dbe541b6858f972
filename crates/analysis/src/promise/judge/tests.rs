//! Runs shaped by a throttle, compared with rows of the catalogue and limits by hand.

use super::rates::at_least;
use super::*;
use crate::RowOutcome;
use crate::promise::{Catalogue, Config};
use fathom_message::{Lang, Tell};
use proptest::prelude::*;

fn promise(id: &str, size: &str) -> Promise {
    let catalogue = Catalogue::builtin().unwrap();
    let config = Config { size: Some(size.parse().unwrap()), ..Config::default() };
    catalogue.find(id).unwrap().promise(&config).unwrap()
}

/// Reads of 4 KiB in intervals of a second, with ten outstanding.
fn reads(iops: &[f64]) -> MeasuredRun<'_> {
    let mean = iops.iter().sum::<f64>() / iops.len() as f64;
    run(
        4096,
        MeasuredWay {
            iops,
            mean_iops: None,
            mean_latency_ns: Some(10e9 / mean),
            percentiles_ns: &[],
            fastest_tenth_ns: None,
        },
    )
}

fn run(block_bytes: u64, read: MeasuredWay) -> MeasuredRun {
    MeasuredRun { block_bytes, interval_s: 1.0, depth: Some(10), read: Some(read), write: None }
}

/// Rates around `level` as a token bucket gives them: nearly flat.
fn throttled(level: f64, seconds: usize) -> Vec<f64> {
    (0..seconds).map(|at| level + [0.0, 3.0, -2.0, 1.0][at % 4]).collect()
}

fn outcomes(judgement: &Judgement) -> Vec<PromiseOutcome> {
    judgement.verdicts.iter().map(|verdict| verdict.outcome).collect()
}

fn sentences(judgement: &Judgement) -> Vec<String> {
    judgement.verdicts.iter().map(PromiseVerdict::to_string).collect()
}

#[test]
fn a_throttle_at_three_thousand_keeps_gp3_and_one_at_2500_does_not() {
    let gp3 = promise("aws.gp3", "500GiB");
    let kept = judge(&gp3, &reads(&throttled(3000.0, 60)));
    assert_eq!(outcomes(&kept)[..2], [PromiseOutcome::Kept; 2]);
    assert_eq!((kept.outcome(), kept.outcome().row()), (PromiseOutcome::Kept, RowOutcome::Pass));
    assert_eq!(
        sentences(&kept)[..2],
        [
            "Reads averaged 3,000 IOPS in blocks of 4 KiB, 100 % of the limit of 3,000 IOPS.",
            "Reads reached 2,700 IOPS in 60 of 60 intervals of 1 s (100 %); 99 % of the time are \
         promised.",
        ]
    );
    let missed = judge(&gp3, &reads(&throttled(2500.0, 60)));
    assert_eq!(outcomes(&missed)[..2], [PromiseOutcome::Missed; 2]);
    assert_eq!(
        (missed.outcome(), missed.outcome().row()),
        (PromiseOutcome::Missed, RowOutcome::Fail)
    );
    assert_eq!(
        sentences(&missed)[0],
        "Reads averaged 2,500 IOPS in blocks of 4 KiB, 83.4 % of the limit of 3,000 IOPS; 90 % \
         would be enough."
    );
}

#[test]
fn the_measured_point_of_the_published_gp3_run_is_kept() {
    // 16 writers at QD 16 on a root volume: 3,024.6 IOPS, a burst of 8,682 in the first second.
    let mut iops = throttled(3024.0, 120);
    iops[0] = 8682.0;
    iops[60] = 2750.0;
    assert_eq!(judge(&promise("aws.gp3", "30GiB"), &reads(&iops)).outcome(), PromiseOutcome::Kept);
}

#[test]
fn at_large_blocks_the_bytes_are_judged() {
    let gp3 = promise("aws.gp3", "500GiB");
    let way = |iops| MeasuredWay {
        iops,
        mean_iops: None,
        mean_latency_ns: Some(8e7),
        percentiles_ns: &[],
        fastest_tenth_ns: None,
    };
    let kept = judge(&gp3, &run(1 << 20, way(&[125.0; 30])));
    assert_eq!(
        sentences(&kept)[0],
        "Reads averaged 131 MB/s in blocks of 1 MiB, 100 % of the limit of 131 MB/s."
    );
    assert_eq!(judge(&gp3, &run(1 << 20, way(&[100.0; 30]))).outcome(), PromiseOutcome::Missed);
}

#[test]
fn a_short_queue_is_not_held_against_the_volume() {
    let gp3 = promise("aws.gp3", "500GiB");
    let iops = throttled(1800.0, 30);
    let way = MeasuredWay {
        iops: &iops,
        mean_iops: None,
        mean_latency_ns: Some(550_000.0),
        percentiles_ns: &[],
        fastest_tenth_ns: None,
    };
    let judgement = judge(&gp3, &MeasuredRun { depth: Some(1), ..run(4096, way) });
    assert_eq!(outcomes(&judgement)[..2], [PromiseOutcome::NotReached; 2]);
    assert_eq!(
        judgement.verdicts[2].outcome,
        PromiseOutcome::Kept,
        "its latency is what one I/O shows"
    );
    let first = &sentences(&judgement)[0];
    assert!(first.contains("only 550 us with about 1 outstanding"), "{first}");
    let unknown = MeasuredWay { mean_latency_ns: None, ..way };
    assert_eq!(judge(&gp3, &run(4096, unknown)).outcome(), PromiseOutcome::Missed);
}

#[test]
fn more_than_promised_asks_for_an_explanation() {
    let judgement = judge(&promise("aws.gp3", "500GiB"), &reads(&throttled(9000.0, 30)));
    assert_eq!(
        (judgement.outcome(), judgement.outcome().row()),
        (PromiseOutcome::Exceeded, RowOutcome::Pass)
    );
    let said = &sentences(&judgement)[0];
    assert!(said.contains("3.0 times the limit of 3,000 IOPS") && said.contains("cache"), "{said}");
}

#[test]
fn a_few_bad_seconds_of_a_short_run_prove_nothing() {
    let gp3 = promise("aws.gp3", "500GiB");
    let with_bad = |bad: usize, seconds| {
        let mut iops = throttled(3000.0, seconds);
        iops[..bad].fill(2000.0);
        outcomes(&judge(&gp3, &reads(&iops)))[1]
    };
    assert_eq!(with_bad(1, 30), PromiseOutcome::NotJudged);
    assert_eq!(with_bad(1, 100), PromiseOutcome::Kept, "99 of 100");
    assert_eq!(with_bad(3, 30), PromiseOutcome::Missed);
    assert_eq!(with_bad(20, 600), PromiseOutcome::Missed);
}

#[test]
fn burst_and_baseline_are_judged_apart() {
    let gp2 = promise("aws.gp2", "100GiB");
    let bursting = judge(&gp2, &reads(&throttled(3000.0, 60)));
    assert_eq!(outcomes(&bursting)[..2], [PromiseOutcome::Kept, PromiseOutcome::NotJudged]);
    let texts = sentences(&bursting);
    assert!(texts[0].contains("promised for a burst"), "{}", texts[0]);
    assert!(texts[1].contains("runs of 40 min or more"), "{}", texts[1]);

    let mut whole = throttled(3000.0, 40);
    whole.extend(throttled(300.0, 40));
    assert_eq!(outcomes(&judge(&gp2, &reads(&whole)))[..3], [PromiseOutcome::Kept; 3]);
    whole.truncate(40);
    whole.extend(throttled(200.0, 40));
    let low = judge(&gp2, &reads(&whole));
    assert_eq!(
        outcomes(&low)[..3],
        [PromiseOutcome::Kept, PromiseOutcome::Missed, PromiseOutcome::Missed]
    );

    let spent = judge(&gp2, &reads(&throttled(300.0, 60)));
    assert_eq!(
        outcomes(&spent)[..3],
        [PromiseOutcome::NotJudged, PromiseOutcome::Kept, PromiseOutcome::Kept]
    );
    assert!(sentences(&spent)[0].contains("spent before"));
}

#[test]
fn reads_and_writes_share_a_limit_or_have_one_each() {
    let (read, write) = (throttled(2100.0, 30), throttled(900.0, 30));
    let way = |iops| MeasuredWay {
        iops,
        mean_iops: None,
        mean_latency_ns: Some(4e6),
        percentiles_ns: &[],
        fastest_tenth_ns: None,
    };
    let mixed = MeasuredRun { write: Some(way(&write)), ..run(4096, way(&read)) };
    let shared = judge(&promise("aws.gp3", "500GiB"), &mixed);
    assert_eq!(shared.verdicts[0].way, JudgedDirections::Both);
    assert_eq!(shared.outcome(), PromiseOutcome::Kept);
    let each = judge(&promise("google.pd_standard", "1000GiB"), &mixed);
    let ways: Vec<JudgedDirections> = each.verdicts.iter().map(|verdict| verdict.way).collect();
    assert_eq!(ways, [JudgedDirections::Read, JudgedDirections::Write]);
    assert_eq!(outcomes(&each), [PromiseOutcome::Exceeded, PromiseOutcome::Missed]);
}

#[test]
fn a_target_is_missed_later_than_a_guarantee() {
    let target = promise("google.hyperdisk_balanced", "100GiB");
    assert_eq!(judge(&target, &reads(&throttled(2600.0, 30))).outcome(), PromiseOutcome::Kept);
    assert_eq!(judge(&target, &reads(&throttled(2500.0, 30))).outcome(), PromiseOutcome::Missed);
    let firm = promise("ibm.vpc_general_purpose", "100GB");
    assert_eq!(judge(&firm, &reads(&throttled(2800.0, 30))).outcome(), PromiseOutcome::Missed);
    assert_eq!(judge(&firm, &reads(&throttled(2900.0, 30))).outcome(), PromiseOutcome::Kept);
}

#[test]
fn the_whole_limit_may_miss_by_what_measuring_does() {
    let premium = promise("azure.premium_ssd", "1024GiB");
    assert_eq!(judge(&premium, &reads(&throttled(4990.0, 60))).outcome(), PromiseOutcome::Kept);
    assert_eq!(judge(&premium, &reads(&throttled(4700.0, 60))).outcome(), PromiseOutcome::Missed);
}

#[test]
fn latency_is_judged_one_io_at_a_time() {
    let mut config = Config { size: Some("500GiB".parse().unwrap()), ..Config::default() };
    config.iops = Some(10_000.0);
    let io2 = Catalogue::builtin().unwrap().find("aws.io2").unwrap().promise(&config).unwrap();
    let at = |block_bytes, depth, us: f64| {
        let iops = [1e6 / us; 20];
        let way = MeasuredWay {
            iops: &iops,
            mean_iops: None,
            mean_latency_ns: Some(us * 1e3),
            percentiles_ns: &[],
            fastest_tenth_ns: None,
        };
        let run = MeasuredRun { depth: Some(depth), ..run(block_bytes, way) };
        judge(&io2, &run).verdicts.last().unwrap().clone()
    };
    let kept = at(16_384, 1, 450.0);
    assert_eq!(kept.outcome, PromiseOutcome::Kept);
    assert_eq!(kept.to_string(), "Reads took 450 us (mean); the limit is 500 us.");
    assert_eq!(at(4096, 1, 700.0).outcome, PromiseOutcome::Missed);
    assert_eq!(at(4096, 32, 450.0).outcome, PromiseOutcome::NotJudged);
    let large = at(65_536, 1, 450.0);
    assert!(large.to_string().contains("up to 16 KiB, which was not measured"), "{large}");
}

#[test]
fn without_a_promise_there_is_a_comparison_and_no_verdict() {
    let iops = throttled(3990.0, 60);
    let judgement = judge(&promise("naver.nas", "3000GB"), &reads(&iops));
    assert_eq!((judgement.outcome(), judgement.verdicts.len()), (PromiseOutcome::NotJudged, 1));
    assert_eq!(
        sentences(&judgement)[0],
        "Reads averaged 3,990 IOPS; nothing is promised, and 4,010 were measured on 3 TB before."
    );
    let way = MeasuredWay { iops: &iops, ..MeasuredWay::default() };
    let other = judge(&promise("naver.nas", "3000GB"), &run(65_536, way));
    assert_eq!(sentences(&other), ["Reads: nothing is promised of them."]);
    // Reads were not measured on the largest volume, so the next one stands in.
    let largest = judge(&promise("naver.nas", "6000GB"), &reads(&iops));
    assert!(sentences(&largest)[0].contains("on 3 TB before"), "{:?}", sentences(&largest));
}

#[test]
fn limits_by_hand_are_held_as_stated() {
    let limit = |of, ms: f64| LatencyLimit { of, limit_ns: ms * 1e6 };
    let limits = HandLimits {
        iops: Some(3000.0),
        latency: vec![
            limit(LatencyFigure::Percentile(99.0), 10.0),
            limit(LatencyFigure::Percentile(99.9), 10.0),
            limit(LatencyFigure::Percentile(50.0), 10.0),
        ],
        ..HandLimits::default()
    };
    let (iops, percentiles_ns) = (throttled(3000.0, 20), [(99.0, 9e6), (99.9, 11e6)]);
    let way = MeasuredWay {
        iops: &iops,
        mean_iops: None,
        mean_latency_ns: Some(3.3e6),
        percentiles_ns: &percentiles_ns,
        fastest_tenth_ns: None,
    };
    let judgement = judge_by_hand(&limits, &run(4096, way));
    let expected = [
        PromiseOutcome::Kept,
        PromiseOutcome::Kept,
        PromiseOutcome::Missed,
        PromiseOutcome::NotJudged,
    ];
    assert_eq!(outcomes(&judgement), expected, "{:?}", sentences(&judgement));
    assert_eq!(sentences(&judgement)[2], "Reads took 11.0 ms (p99.9); the limit is 10.0 ms.");
    let rate = HandLimits { bytes_per_s: Some(12e6), ..HandLimits::default() };
    assert_eq!(judge_by_hand(&rate, &run(4096, way)).outcome(), PromiseOutcome::Kept);
    let far_less = HandLimits { iops: Some(6.0), ..HandLimits::default() };
    let judgement = judge_by_hand(&far_less, &run(4096, way));
    assert_eq!(judgement.outcome(), PromiseOutcome::Kept, "it is the least that is needed");
    let more = HandLimits { bytes_per_s: Some(13.5e6), ..HandLimits::default() };
    assert_eq!(judge_by_hand(&more, &run(4096, way)).outcome(), PromiseOutcome::Missed);
    let near = |tolerance| {
        let near = HandLimits { iops: Some(3100.0), tolerance, ..HandLimits::default() };
        judge_by_hand(&near, &run(4096, way)).outcome()
    };
    assert_eq!(near(None), PromiseOutcome::Kept, "95 % is enough");
    assert_eq!(near(Some(0.0)), PromiseOutcome::Missed, "all of it is asked for");
    let steady = Consistency { share_of_limit: 0.9, share_of_time: 0.99 };
    let steady = HandLimits { consistency: Some(steady), ..limits };
    assert_eq!(judge_by_hand(&steady, &run(4096, way)).verdicts.len(), 5);
}

#[test]
fn nothing_measured_is_nothing_judged() {
    let none =
        MeasuredRun { block_bytes: 4096, interval_s: 1.0, depth: None, read: None, write: None };
    let gp3 = promise("aws.gp3", "500GiB");
    assert_eq!(outcomes(&judge(&gp3, &none)), [PromiseOutcome::NotJudged]);
    let empty = run(4096, MeasuredWay::default());
    assert_eq!(judge(&gp3, &empty).outcome(), PromiseOutcome::NotJudged);
    assert_eq!(judge_by_hand(&HandLimits::default(), &empty).verdicts, []);
}

#[test]
fn a_judgement_survives_json() {
    let judgement = judge(&promise("aws.gp2", "100GiB"), &reads(&throttled(3000.0, 60)));
    let text = serde_json::to_string(&judgement).unwrap();
    assert_eq!(serde_json::from_str::<Judgement>(&text).unwrap(), judgement);
    assert!(text.contains(r#""outcome":"kept""#) && text.contains(r#""of":"mean""#), "{text}");
}

#[test]
fn the_tail_of_the_binomial_distribution_is_as_in_tables() {
    assert!((at_least(1, 30, 0.01) - 0.260_300).abs() < 1e-5, "1 - 0.99^30");
    assert!((at_least(5, 10, 0.5) - 0.623_047).abs() < 1e-5);
    assert!((at_least(3, 30, 0.01) - 0.003_318).abs() < 1e-5);
    assert_eq!((at_least(0, 30, 0.0), at_least(1, 30, 0.0)), (1.0, 0.0));
    assert!(at_least(4000, 86_400, 0.01) < 1e-9, "also for a day");
}

proptest! {
    #[test]
    fn more_is_never_judged_worse(level in 100.0f64..6000.0, more in 0.0f64..3000.0) {
        let rank = |level: f64| {
            let judgement = judge_by_hand(
                &HandLimits { iops: Some(3000.0), ..HandLimits::default() },
                &reads(&throttled(level, 30)),
            );
            match judgement.outcome() {
                PromiseOutcome::Missed => 0,
                PromiseOutcome::Kept => 1,
                PromiseOutcome::Exceeded => 2,
                other => panic!("{other:?}"),
            }
        };
        prop_assert!(rank(level) <= rank(level + more));
    }
}

#[test]
fn the_rate_of_the_whole_run_is_judged_and_shown() {
    // A last part of a second is in the whole, and in no interval.
    let way = MeasuredWay { iops: &[990.0; 10], mean_iops: Some(1000.4), ..MeasuredWay::default() };
    let limits = HandLimits { iops: Some(1000.0), ..HandLimits::default() };
    let judgement = judge_by_hand(&limits, &run(4096, way));
    let [PromiseVerdict { evidence: PromiseEvidence::Mean(mean), .. }] = &judgement.verdicts[..]
    else {
        panic!("{judgement:?}")
    };
    assert_eq!(mean.iops, 1000.4);
    let line = judgement.verdicts[0].tell().text(Lang::En);
    assert!(line.contains("1,000 IOPS"), "{line}");
    let both = MeasuredRun { write: Some(way), ..run(4096, way) };
    let sum = judge_by_hand(&limits, &both);
    let line = sum.verdicts[0].tell().text(Lang::En);
    assert!(line.contains("2,001 IOPS"), "{line}");
}
