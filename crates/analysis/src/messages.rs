//! Tests of the findings' sentences: every kind of them, in every language, with any numbers.

mod promises;

use crate::*;
use fathom_message::{Lang, Message, Tell};
use fathom_vocab::Direction;
use proptest::prelude::*;

/// Letters that a Korean sentence may have: units and names that are the same in all languages.
const NAMES: &[&str] = &[
    "A",
    "B",
    "B/s",
    "nconnect",
    "COMMIT",
    "READ",
    "WRITE",
    "rsize",
    "wsize",
    "fsync",
    "O",
    "DIRECT",
    "fathom",
    "sweep",
    "nfs",
    "C",
    "CPU",
    "I/O",
    "IOPS",
    "KiB",
    "MiB",
    "MB",
    "MB/s",
    "GB",
    "GiB",
    "MiB/s",
    "NFS",
    "VM",
    "bytes",
    "cpu",
    "max",
    "ext",
    "h",
    "inf",
    "iops",
    "kB",
    "KB",
    "mbps",
    "min",
    "ms",
    "p",
    "NaN",
    "randrepeat",
    "thinktime",
    "time",
    "s",
    "us",
    "x",
    "TB",
    "PB",
    "TiB",
];

/// Runs of Latin letters, with the slash of a unit.
fn latin(text: &str) -> impl Iterator<Item = &str> {
    let inside = |c: char| c.is_ascii_alphabetic() || c == '/';
    text.split(move |c| !inside(c)).filter(|word| word.contains(|c: char| c.is_ascii_alphabetic()))
}

/// That a message exists in each language, and in Korean without English.
fn check(told: &Message) {
    for text in Lang::ALL.map(|lang| told.text(lang)) {
        assert!(!text.contains(['{', '}']), "{told:?}: {text}");
        assert!(text.contains(' ') || text.contains("하지"), "a bare name? {text}");
    }
    let korean = told.text(Lang::Ko);
    assert!(korean.contains(|c| ('가'..='힣').contains(&c)), "{korean}");
    for word in latin(&korean) {
        let named = NAMES.contains(&word) || NAMES.contains(&word.trim_matches('/'));
        assert!(named, "{word:?} is English: {korean}");
    }
}

fn mounts(x: f64) -> Vec<Message> {
    let waits = |connections| MountFinding::Waits { share: x, wait_ns: x, backlog: x, connections };
    let mut found = vec![
        MountFinding::Repeated { repeats: 1, timeouts: 2, reconnects: 3, calls: 4 },
        waits(1),
        waits(4),
        MountFinding::Uneven { least_share: x, connections: 4 },
        MountFinding::Commits { commits: 1, mean_ns: x },
        MountFinding::Commits { commits: 2, mean_ns: x },
    ];
    for direction in [Direction::Read, Direction::Write] {
        found.extend([
            MountFinding::Saved { direction, calls: 1, ios: 2 },
            MountFinding::Others { direction, calls: 2, ios: 1 },
            MountFinding::Split { direction, per_io: x },
            MountFinding::Beyond { direction, rtt_ns: x, share: x },
        ]);
    }
    found.iter().map(Tell::tell).collect()
}

fn rates(x: f64) -> Vec<Message> {
    let unit = RateUnit::Ios;
    let flat = Flat { unit, rate: x, variation: x, above: x, intervals: 30 };
    let humps = humps_of(x, None);
    let tooth = SawTooth { period_s: x, busiest_quarter: x, agreement: x };
    let burst =
        Burst { unit, burst_rate: x, sustained_rate: x, step_at_s: x, drain_s: x, bucket: x };
    let found = [
        BurstFinding::Burst(burst.clone()),
        BurstFinding::NoneSeen { seconds: x },
        BurstFinding::TooShort { seconds: x, needed_s: 8.0 },
        BurstFinding::OtherUse,
        BurstFinding::BusyMachine,
        BurstFinding::CpuQuota,
        BurstFinding::OffDevice,
        BurstFinding::Interruption,
        BurstFinding::NotEnough { intervals: 3 },
    ];
    let mut said: Vec<Message> = found.iter().map(Tell::tell).collect();
    let teeth = [
        SawToothFinding::SawTooth(tooth.clone()),
        SawToothFinding::NoneSeen,
        SawToothFinding::NotEnough,
    ];
    said.extend(teeth.iter().map(Tell::tell));
    let shapes = [
        HumpsFinding::Two(humps.clone()),
        HumpsFinding::Two(humps_of(x, Some(9.0))),
        HumpsFinding::One,
        HumpsFinding::NotEnough,
    ];
    said.extend(shapes.iter().map(Tell::tell));
    said.extend(caps(
        x,
        flat,
        [Evidence::Humps(humps), Evidence::SawTooth(tooth), Evidence::Burst(burst)],
    ));
    said
}

fn humps_of(x: f64, high_spread: Option<f64>) -> Humps {
    Humps {
        low_ns: 100_000,
        high_ns: 10_000_000,
        gap_from_ns: 200_000,
        gap_to_ns: 5_000_000,
        share_high: x,
        time_share_high: x,
        high_spread,
    }
}

fn caps(x: f64, flat: Flat, others: [Evidence; 3]) -> Vec<Message> {
    let depths = DepthCeiling {
        knee_depth: 4,
        to_depth: 16,
        iops: x,
        knee_latency_ns: x,
        to_latency_ns: x,
        spread: x,
    };
    let kind = CapKind::Iops;
    let sizes = SizeCeiling { kind, value: x, from_bytes: 4096, to_bytes: 16_384, spread: x };
    let mut evidence = vec![
        Evidence::Flat(flat.clone()),
        Evidence::Regular(Regular { expected: x, variation: x, depth: Some(1) }),
        Evidence::RoundNumber { value: x, unit: RateUnit::Bytes },
        Evidence::Promised { value: x, unit: RateUnit::Ios, by: LimitSource::Provider },
        Evidence::Promised { value: x, unit: RateUnit::Ios, by: LimitSource::Hand },
        Evidence::Depths(depths),
        Evidence::Sizes(sizes),
        Evidence::Runs(RunsAtCap {
            runs: 4,
            of: 8,
            reads: true,
            writes: true,
            from_bytes: 4096,
            to_bytes: if x > 1.0 { 4096 } else { 65_536 },
        }),
        Evidence::WaitBefore(WaitBefore { latency_ns: x, service_ns: x, busy: x }),
        Evidence::Known(KnownLimit {
            unit: RateUnit::Ios,
            per_second: x,
            reached: x,
            others: if x > 1.0 { x } else { 0.0 },
            both_ways: false,
            group: "/x".to_owned(),
        }),
    ];
    evidence.extend(others);
    let cap = |kind, confidence| {
        let or = (confidence == CapConfidence::Low).then_some(x);
        CapFinding::Capped(Cap { kind, value: x, or, evidence: evidence.clone(), confidence })
    };
    let found = [
        cap(CapKind::Iops, CapConfidence::Low),
        cap(CapKind::Bandwidth, CapConfidence::Medium),
        cap(CapKind::Iops, CapConfidence::High),
        CapFinding::OnlyFlat(flat),
        CapFinding::Paced { pace: x, unit: RateUnit::Bytes },
        CapFinding::Thinks { share: x },
        CapFinding::Unclear { rate: x, unit: RateUnit::Bytes },
        CapFinding::OtherUse,
        CapFinding::CpuQuota,
        CapFinding::OffDevice,
        CapFinding::Interruption,
        CapFinding::NoneSeen,
        CapFinding::NotEnough,
    ];
    found.iter().map(Tell::tell).collect()
}

fn clients(x: f64) -> Vec<Message> {
    let inputs = |busy: f64, own_busy| ClientInputs {
        iops: 1000.0,
        threads: 1,
        cpus: 2,
        core_ceiling_iops: Some(x),
        busiest_thread: Some(busy),
        machine_busy: Some(busy),
        own_busy,
        quota: (x > 1.0).then(|| CpuLimit {
            cpus: x,
            of: 2,
            group: "/x".to_owned(),
            file: "cpu.max".to_owned(),
        }),
        throttled_us: 500_000,
        stolen_share: Some(0.2),
        elapsed_us: 1_000_000,
        ..ClientInputs::default()
    };
    let unthrottled = |busy| ClientInputs { throttled_us: 0, ..inputs(busy, Some(0.0)) };
    let all = [inputs(0.95, None), unthrottled(0.7), unthrottled(0.1), ClientInputs::default()];
    all.iter().map(|inputs| find_client(inputs).tell()).collect()
}

fn caches(x: f64) -> Vec<Message> {
    let floor = |of| CacheSign::BelowFloor(LatencyFloor { of, floor_ns: x, share_below: x });
    let signs = vec![
        CacheSign::Counter { by: ByteCounter::Device, times: 0.5 },
        CacheSign::Counter { by: ByteCounter::NfsClient, times: 0.5 },
        CacheSign::Counter { by: ByteCounter::Device, times: x },
        CacheSign::Counter { by: ByteCounter::NfsClient, times: 2.0 },
        CacheSign::MemoryFilesystem { filesystem: "ext".to_owned() },
        CacheSign::PageCache,
        CacheSign::DirectIgnored { filesystem: String::new() },
        CacheSign::DirectVerified,
        CacheSign::FitsMemory { times: x },
        CacheSign::Unwritten { share: x },
        CacheSign::Compressible { share: x },
        CacheSign::RepeatedOffsets,
        floor(FloorOf::RoundTrip),
        floor(FloorOf::Medium),
        CacheSign::Merged { ios: 12 },
    ];
    let verdicts = [
        CacheVerdict::Memory,
        CacheVerdict::Cached { share: x },
        CacheVerdict::Unwritten { share: x },
        CacheVerdict::Suspected,
        CacheVerdict::SawMore { times: x },
        CacheVerdict::Foreign { times: x },
        CacheVerdict::NotCached,
        CacheVerdict::NotEnough,
    ];
    let finding = |verdict, direction, signs| CacheFinding { direction, verdict, signs };
    let whole = verdicts.map(|verdict| finding(verdict, Direction::Read, signs.clone()));
    let bare = [Direction::Write, Direction::Trim]
        .map(|way| finding(CacheVerdict::NotEnough, way, Vec::new()));
    whole.iter().chain(&bare).map(Tell::tell).collect()
}

fn courses(x: f64) -> Vec<Message> {
    let point = |load| LoadPoint { load, iops: x, latency_ns: x };
    let knees = [LoadKind::Depth, LoadKind::Jobs, LoadKind::Clients].map(|load| {
        [
            Knee::Found { load, at: point(16), plateau_iops: x, last: point(64) },
            Knee::Falling { load, at: point(1), plateau_iops: x, last: point(64) },
            Knee::Growing { load, last: point(64) },
            Knee::NotInFlight { load, at: point(16), last: point(64) },
            Knee::TooFew { points: 2 },
        ]
    });
    let window = |mean| SteadyWindow {
        round_s: x,
        rounds: 5,
        start_s: 0.0,
        end_s: x,
        mean,
        range_percent: x,
        slope_percent: x,
    };
    let states = [
        SteadyState::Attained { window: window(x) },
        SteadyState::Left { window: window(x), last: window(1.0) },
        SteadyState::NotAttained { last: window(1.0) },
        SteadyState::NotAttained { last: window(0.0) },
        SteadyState::NotEnough { rounds: 2, needed: 5 },
    ];
    let time = TimeFigures { mean_ns: x, p99_ns: x };
    let figures = OpenLoopInputs {
        target_iops: x,
        achieved_iops: x,
        wait: time,
        service: time,
        response: time,
        backlog_ios: 7,
    };
    let none_left = OpenLoopInputs { backlog_ios: 0, ..figures };
    let paced = [
        OpenLoopFinding::Overload { achieved_share: x, figures },
        OpenLoopFinding::Overload { achieved_share: x, figures: none_left },
        OpenLoopFinding::Waited { wait_share: x, figures },
        OpenLoopFinding::KeptUp { figures },
        OpenLoopFinding::NotEnough,
    ];
    let rule = SteadyRule::default();
    let mut said: Vec<Message> = knees.iter().flatten().map(Tell::tell).collect();
    let rate = |connections| ConnectionRate { connections, mb_per_s: x };
    let (first, at, last) = (rate(1), rate(4), rate(8));
    said.extend([at, last].map(|at| ConnectionFinding::FewAreTheLimit { first, at, last }.tell()));
    said.push(ConnectionFinding::NoGain { first, last }.tell());
    let slowest = ConnectionWork { source_port: 700, calls: 300, mean_ns: x, ..Default::default() };
    let (others_ns, share, connections) = (x, x, 4);
    let uneven = ConnectionWorkFinding::Uneven { slowest, others_ns, share, connections };
    said.push(uneven.tell());
    said.extend(
        [1, 2].map(|reconnects| ConnectionWorkFinding::Lost { reconnects, resends: 17 }.tell()),
    );
    let first = rate(2);
    said.push(ConnectionFinding::NoGain { first, last }.tell());
    said.push(ConnectionFinding::FewAreTheLimit { first, at, last }.tell());
    let questions = vec![ShortQuestion::Burst, ShortQuestion::Steady, ShortQuestion::Cap];
    said.push(ShortRuns { run_s: x, total_s: x, questions }.tell());
    said.extend(states.map(|state| Steadiness { rule, state }.tell()));
    said.extend(paced.iter().map(Tell::tell));
    said
}

fn comparisons(x: f64) -> Vec<Message> {
    let side = |name: &str, values: &[f64]| Side::of_repeats(name, values);
    let a = side("A", &[100.0, 101.0, 102.0]);
    let b = side("B", &[3.0; 40]);
    let c = side("C", &[1.0]);
    let bounds = RatioBounds { ratio: x, low: x, high: x, likely: Some([x, x]) };
    let why = NoEstimate::FewRepeats { n: 1, needed: 3 };
    let lacks = [
        Lack::Estimate { side: "C".to_owned(), why: why.clone() },
        Lack::NearZero { side: "C".to_owned() },
        Lack::Rounds { rounds: 1, needed: 3 },
        Lack::OneDisk,
    ];
    let shown = Difference::Shown(bounds);
    let mut differences = vec![shown.clone(), Difference::Equal(bounds), Difference::Open(bounds)];
    differences.extend(lacks.map(|lack| Difference::NotEnough { lack }));
    let mut said = Vec::new();
    for difference in differences {
        for (b, better, design) in [
            (&b, Better::Higher, Design::Apart),
            (&c, Better::Lower, Design::Apart),
            (&a, Better::Lower, Design::Paired { rounds: 1, log_std_err: x }),
        ] {
            for together in [1, 6] {
                let (a, b, difference) = (a.clone(), b.clone(), difference.clone());
                let rule = JudgeRule::among(together);
                said.push(Comparison { a, b, better, design, rule, difference }.tell());
            }
        }
    }
    let place = |side: &Side, over_best| Place { side: side.clone(), over_best };
    let equal = Some(Difference::Equal(bounds));
    let open = Some(Difference::Open(bounds));
    let places = vec![place(&a, None), place(&b, equal), place(&c, open), place(&c, Some(shown))];
    for better in [Better::Higher, Better::Lower] {
        for together in [None, Some(1), Some(6)] {
            said.push(Ranking { better, places: places.clone(), together }.tell());
        }
        said.push(Ranking { better, places: Vec::new(), together: None }.tell());
    }
    let unknown = [
        why,
        NoEstimate::FewIntervals { n: 1, needed: 10 },
        NoEstimate::FewRounds { n: 1, needed: 3 },
        NoEstimate::TooSlow { n: 300, effective_n: x },
    ];
    said.extend(unknown.iter().map(Tell::tell));
    said.extend(a.estimate.iter().chain(&b.estimate).map(Tell::tell));
    let rounds = Side::of_rounds("D", &[100.0, 101.0, 102.0]);
    let one = Side::of_one_among("E", 100.0, None, &[100.0, 101.0, 102.0]);
    said.extend(rounds.estimate.iter().chain(&one.estimate).map(Tell::tell));
    said
}

fn everything(x: f64) -> Vec<Message> {
    let mut said = rates(x);
    said.extend(clients(x));
    said.extend(mounts(x));
    said.extend(caches(x));
    said.extend(courses(x));
    said.extend(comparisons(x));
    said.extend(promises::everything(x));
    said
}

#[test]
fn every_kind_of_finding_is_told_in_every_language() {
    for x in [0.5, 1.0, 3000.0, 1e-9] {
        everything(x).iter().for_each(check);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn odd_numbers_are_told_as_well(x in proptest::num::f64::ANY) {
        for odd in [x, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MAX, -x] {
            for told in everything(odd) {
                for text in Lang::ALL.map(|lang| told.text(lang)) {
                    prop_assert!(!text.is_empty() && !text.contains(['{', '}']), "{}", text);
                }
            }
        }
    }
}
