//! One of each kind of sentence on promises.

use crate::promise::{
    Bound, Caveat, Confidence, IntervalShare, JudgedDirections, LatencyFigure, MeanRate,
    PromiseEvidence, PromiseOutcome, PromiseVerdict, Scope, SizeUnit, Stretch, Unknown,
};
use fathom_message::{Message, Tell};

pub(super) fn everything(x: f64) -> Vec<Message> {
    let mut said: Vec<Message> = verdicts(x).iter().map(Tell::tell).collect();
    said.extend(caveats(x).iter().map(Tell::tell));
    said
}

fn verdicts(x: f64) -> Vec<PromiseVerdict> {
    let mean = |bound, stretch| {
        let (latency_ns, block_bytes) = (Some(x), 4096);
        PromiseEvidence::Mean(MeanRate {
            iops: x,
            limit_iops: x,
            enough: 0.9,
            bound,
            block_bytes,
            stretch,
            latency_ns,
        })
    };
    let share = IntervalShare {
        intervals: 60,
        interval_s: 1.0,
        reached: 59,
        threshold_iops: x,
        share_of_time: 0.99,
    };
    let latency = |figure| PromiseEvidence::Latency {
        figure,
        latency_ns: x,
        limit_ns: x,
        fastest_tenth_ns: Some(2.0 * x),
    };
    let mut evidence = vec![
        mean(Bound::Iops, Stretch::Baseline),
        mean(Bound::Throughput, Stretch::Burst),
        mean(Bound::Client, Stretch::Baseline),
        mean(Bound::Vm, Stretch::Baseline),
        PromiseEvidence::Intervals(share),
        latency(LatencyFigure::Mean),
        latency(LatencyFigure::Percentile(99.9)),
        PromiseEvidence::Beside { iops: x, others_iops: x, size_bytes: x },
    ];
    let unknown = [
        Unknown::NoPromise,
        Unknown::NotMeasured,
        Unknown::StillBursting { seen_s: x, needed_s: Some(x) },
        Unknown::StillBursting { seen_s: x, needed_s: None },
        Unknown::NoBurst,
        Unknown::OtherLoad { at_bytes: x },
    ];
    evidence.extend(unknown.map(|why| PromiseEvidence::Unknown { why }));
    let outcomes = [
        PromiseOutcome::Kept,
        PromiseOutcome::Exceeded,
        PromiseOutcome::Missed,
        PromiseOutcome::NotReached,
        PromiseOutcome::NotJudged,
    ];
    let of = |evidence: &PromiseEvidence| {
        let evidence = evidence.clone();
        outcomes.map(|outcome| PromiseVerdict {
            way: JudgedDirections::Both,
            outcome,
            evidence: evidence.clone(),
        })
    };
    evidence.iter().flat_map(of).collect()
}

fn caveats(x: f64) -> Vec<Caveat> {
    let mut all = vec![
        Caveat::NoPromise,
        Caveat::Target,
        Caveat::Undated,
        Caveat::Superseded { to: "2024-05".to_owned() },
        Caveat::InstanceLimitUnknown,
        Caveat::OtherUnit {
            given: "500 GB".to_owned(),
            counted: x,
            unit: SizeUnit::GiB,
            meant: "500 GiB".to_owned(),
        },
        Caveat::RoundedUp { from: x, to: x, unit: SizeUnit::GB },
        Caveat::IncludedIops { iops: x },
        Caveat::IncludedRate { bytes_per_s: x },
        Caveat::BurstHidesBaseline { lasts_s: Some(x) },
        Caveat::BurstHidesBaseline { lasts_s: None },
        Caveat::ClientLimit { bytes_per_s: x },
        Caveat::StatedAt { block_bytes: x },
        Caveat::SequentialMerged,
    ];
    let levels = [Confidence::Low, Confidence::Medium, Confidence::High];
    all.extend(levels.map(|confidence| Caveat::Confidence { confidence }));
    let scopes = [Scope::Volume, Scope::Vm, Scope::Pool, Scope::FileSystem, Scope::Host];
    all.extend(scopes.map(|scope| Caveat::Shared { scope }));
    all
}
