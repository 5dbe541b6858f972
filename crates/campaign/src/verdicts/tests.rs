//! Results made by hand, whose verdicts are known.

use super::*;
use fathom_analysis::{
    BurstFinding, CacheVerdict, CapFinding, CapKind, DirectIo, Medium, OpenLoopFinding, Tone,
};
use fathom_stats::{ClientSpan, CpuUsage, DiskUtil, JobResult, OpenLoop, Series};
use fathom_vocab::Direction;

/// Reads of 4 KiB at `rate(tenth)` I/Os a second in each tenth of a second.
fn reads(tenths: u64, rate: impl Fn(u64) -> u64) -> RunResult {
    let mut job = JobResult { series: Series::new(100), number: 1, ..JobResult::default() };
    let stats = &mut job.dirs.read;
    for tenth in 0..tenths {
        let ios = rate(tenth) / 10;
        (0..ios).for_each(|_| job.series.record(tenth * 100, Direction::Read, 4096, 10_000));
        stats.total_ios += ios;
        stats.io_bytes += ios * 4096;
    }
    // Spread as latencies are, so that rates could vary.
    (0..1000).for_each(|at| stats.clat.record(8_000_000 + at * 4_000));
    stats.runtime_ms = tenths * 100;
    (job.elapsed_ms, job.runtime_ms) = (tenths * 100, tenths * 100);
    job.cpu = CpuUsage { user_us: tenths * 3_000, ..CpuUsage::default() };
    RunResult { jobs: vec![job], ..RunResult::default() }
}

/// With a disk that saw so many percent of the bytes.
fn with_disk(mut result: RunResult, percent: u64) -> RunResult {
    let bytes = result.jobs[0].dirs.read.io_bytes;
    let disk = DiskUtil { sectors: (bytes / 512 * percent / 100, 0), ..DiskUtil::default() };
    result.disks = vec![disk];
    result
}

/// 0 to 999, the same for the same place.
fn noise(at: u64) -> u64 {
    at.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407) >> 33 & 1023
}

fn device(direct: DirectIo) -> Context {
    Context {
        medium: Medium::Device,
        direct,
        block_bytes: Some(4096),
        depth: Some(32),
        ..Context::default()
    }
}

fn loud(verdicts: &[Verdict]) -> Vec<&Verdict> {
    verdicts.iter().filter(|verdict| verdict.weight == Weight::Loud).collect()
}

fn cached(verdicts: &[Verdict]) -> CacheVerdict {
    let found = verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Cached(finding) => Some(finding.verdict),
        _ => None,
    });
    found.expect("reads are asked about")
}

fn cap(verdicts: &[Verdict]) -> Option<&fathom_analysis::Cap> {
    verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Capped(CapFinding::Capped(cap)) => Some(cap),
        _ => None,
    })
}

fn in_short(runs: &[&[Verdict]]) -> String {
    summary(runs).map(|line| line.to_string()).unwrap_or_default()
}

#[test]
fn a_quiet_run_is_one_line() {
    let result = with_disk(reads(300, |at| 20_000 + noise(at) * 4), 100);
    let verdicts = judge(&result, &device(DirectIo::Verified));
    assert!(loud(&verdicts).is_empty(), "{verdicts:#?}");
    let line = in_short(&[&verdicts]);
    assert!(line.starts_with("steady, known to ± "), "{line}");
    assert!(line.ends_with(", page cache bypassed, client threads 3.0 % busy"), "{line}");
}

#[test]
fn what_a_few_seconds_cannot_tell_is_not_told_unasked() {
    let result = with_disk(reads(30, |at| if at < 15 { 8_000 } else { 3_000 }), 100);
    let verdicts = judge(&result, &device(DirectIo::Verified));
    let of_rate = |verdict: &&Verdict| {
        matches!(verdict.answer, Answer::Steady(_) | Answer::Burst(_) | Answer::Capped(_))
    };
    let about: Vec<_> = verdicts.iter().filter(of_rate).collect();
    assert_eq!(about.len(), 3);
    assert!(about.iter().all(|verdict| verdict.weight == Weight::Silent), "{about:#?}");
    let few = judge(&with_disk(reads(5, |_| 3_000), 100), &device(DirectIo::Verified));
    assert!(loud(&few).is_empty(), "{few:#?}");
}

#[test]
fn a_rate_that_something_holds_is_named() {
    let result = with_disk(reads(120, |_| 3_000), 100);
    let verdicts = judge(&result, &device(DirectIo::Verified));
    let cap = cap(&verdicts).expect("3,000 each second is no accident");
    assert_eq!((cap.kind, cap.nominal()), (CapKind::Iops, Some(3_000.0)));
    let said = loud(&verdicts);
    assert!(said[0].sentence.contains("held at 3,000 IOPS by an IOPS cap"), "{said:#?}");
    let paced = Context { pace: Some(RateLimit::Iops(3_000.0)), ..device(DirectIo::Verified) };
    assert!(super::tests::cap(&judge(&result, &paced)).is_none());
}

#[test]
fn a_burst_is_told_with_what_lasts() {
    let rate = |at: u64| if at < 60 { 8_000 } else { 3_000 } + noise(at) / 50 * 10;
    let verdicts = judge(&with_disk(reads(140, rate), 100), &device(DirectIo::Verified));
    let said = loud(&verdicts);
    let burst = said.iter().find_map(|verdict| match &verdict.answer {
        Answer::Burst(BurstFinding::Burst(burst)) => Some(burst),
        _ => None,
    });
    let burst = burst.expect("a step from 8,000 to 3,000");
    assert!((burst.burst_rate - 8_100.0).abs() < 150.0, "{burst:?}");
    assert!((burst.sustained_rate - 3_100.0).abs() < 150.0, "{burst:?}");
    assert!((burst.step_at_s - 6.0).abs() < 0.6, "{burst:?}");
}

/// A compiler begins in mid-run: what it leaves of the processors is no bucket that ran dry.
#[test]
fn a_step_on_a_busy_machine_is_no_burst() {
    let rate = |at: u64| if at < 50 { 200_000 } else { 73_000 + at / 10 * 7919 % 13 * 700 };
    let result = with_disk(reads(140, rate), 100);
    let burst = |machine_busy: f64| {
        let client =
            ClientFacts { machine_busy: Some(machine_busy), cpus: 2, ..ClientFacts::default() };
        let verdicts = judge(&result, &Context { client, ..device(DirectIo::Verified) });
        verdicts.into_iter().find_map(|verdict| match verdict.answer {
            Answer::Burst(finding) => Some(finding),
            _ => None,
        })
    };
    assert!(matches!(burst(0.2), Some(BurstFinding::Burst(_))), "{:?}", burst(0.2));
    assert_eq!(burst(1.0), Some(BurstFinding::BusyMachine));
}

#[test]
fn a_cache_is_told_by_what_the_device_saw() {
    let result = reads(30, |_| 3_000);
    let verdict =
        |percent, direct| cached(&judge(&with_disk(result.clone(), percent), &device(direct)));
    let CacheVerdict::Cached { share } = verdict(5, DirectIo::Buffered) else { panic!("cached") };
    assert!((share - 0.95).abs() < 0.001, "{share}");
    assert_eq!(verdict(100, DirectIo::Verified), CacheVerdict::NotCached);
    assert!(matches!(verdict(150, DirectIo::Verified), CacheVerdict::SawMore { .. }));
    let holes = Context { unwritten_share: Some(0.9), ..device(DirectIo::Verified) };
    let holey = cached(&judge(&with_disk(result.clone(), 10), &holes));
    assert_eq!(holey, CacheVerdict::Unwritten { share: 0.9 });
    let memory = Context { medium: Medium::Memory, ..device(DirectIo::Asked) };
    assert_eq!(cached(&judge(&result, &memory)), CacheVerdict::Memory);
    let two = RunResult { disks: vec![DiskUtil::default(); 2], ..result };
    assert_eq!(cached(&judge(&two, &device(DirectIo::Asked))), CacheVerdict::NotEnough);
}

#[test]
fn a_full_thread_is_told_before_everything_else() {
    let mut result = with_disk(reads(120, |_| 3_000), 100);
    result.jobs[0].cpu.system_us = 11_500_000;
    let verdicts = judge(&result, &device(DirectIo::Verified));
    assert!(matches!(verdicts[0].answer, Answer::Client(_)), "{:?}", verdicts[0]);
    assert_eq!(verdicts[0].tone, Tone::Bad);
    assert!(
        in_short(&[&verdicts]).contains("page cache bypassed")
            && !in_short(&[&verdicts]).contains("client")
    );
}

/// What was due and never taken up has no latency, so that only the backlog tells of it.
#[test]
fn what_was_left_waiting_is_overload_also_where_the_rate_seems_kept() {
    let mut result = with_disk(reads(100, |_| 1_000), 100);
    let mut felt = OpenLoop::default();
    felt.record_all(Direction::Read, &[0; 10_000], &[100_000; 10_000]);
    let context = Context { pace: Some(RateLimit::Iops(1_000.0)), ..device(DirectIo::Verified) };
    for (read, write, overload) in [(400, 500, false), (600, 500, true)] {
        (felt.overdue_ios.read, felt.overdue_ios.write) = (read, write);
        result.jobs[0].open_loop = Some(Box::new(felt.clone()));
        let verdicts = judge(&result, &context);
        let found = verdicts.iter().find_map(|verdict| match &verdict.answer {
            Answer::OpenLoop(finding) => Some((finding, &verdict.sentence)),
            _ => None,
        });
        let (finding, sentence) = found.expect("it is paced");
        assert_eq!(matches!(finding, OpenLoopFinding::Overload { .. }), overload, "{sentence}");
        assert_eq!(sentence.contains("1,100 I/Os were left waiting"), overload, "{sentence}");
    }
}

#[test]
fn a_planned_rate_is_judged_by_response_time() {
    let mut result = with_disk(reads(100, |_| 1_000), 100);
    let mut felt = OpenLoop::default();
    for at in 0..10_000 {
        // A stall of a second, for which a tenth of all I/Os wait.
        let late_ns = if at < 1_000 { 1_000_000_000 - at * 1_000_000 } else { 0 };
        felt.record_all(Direction::Read, &[late_ns], &[late_ns + 100_000]);
    }
    result.jobs[0].open_loop = Some(Box::new(felt));
    let context = Context { pace: Some(RateLimit::Iops(1_000.0)), ..device(DirectIo::Verified) };
    let answer = |context: &Context| {
        let verdicts = judge(&result, context);
        verdicts.into_iter().find_map(|verdict| match verdict.answer {
            Answer::OpenLoop(finding) => Some((finding, verdict.weight)),
            _ => None,
        })
    };
    let (finding, weight) = answer(&context).expect("it is paced");
    let OpenLoopFinding::Waited { figures, .. } = finding else { panic!("{finding:?}") };
    assert!(figures.response.p99_ns > 8e8 && weight == Weight::Loud, "{figures:?}");
    let more = Context { pace: Some(RateLimit::Iops(2_000.0)), ..context };
    assert!(matches!(answer(&more), Some((OpenLoopFinding::Overload { .. }, Weight::Loud))));
    assert!(
        judge(&reads(100, |_| 1_000), &more)
            .iter()
            .all(|v| !matches!(v.answer, Answer::OpenLoop(_)))
    );
}

#[test]
fn verdicts_read_back_as_they_were_written() {
    let verdicts = judge(&with_disk(reads(120, |_| 3_000), 5), &device(DirectIo::Buffered));
    let text = serde_json::to_string(&verdicts).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Verdict>>(&text).unwrap(), verdicts);
    for verdict in &verdicts {
        let sentence = &verdict.sentence;
        assert!(sentence.ends_with('.') && sentence.starts_with(|c: char| !c.is_lowercase()));
    }
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json[0]["question"], "cached");
}

#[test]
fn a_summary_says_only_what_holds_of_every_run() {
    let quiet = judge(
        &with_disk(reads(300, |at| 20_000 + noise(at) * 4), 100),
        &device(DirectIo::Verified),
    );
    let hidden =
        judge(&with_disk(reads(300, |at| 20_000 + noise(at) * 4), 40), &device(DirectIo::Buffered));
    let line = in_short(&[&quiet, &hidden]);
    assert!(line.contains("or better") && !line.contains("cached"), "{line}");
    assert_eq!(summary(&[]), None);
}

/// Larger blocks take a thread longer than what its ceiling was measured with.
#[test]
fn a_summary_tells_of_threads_what_the_ceiling_leaves_open() {
    let line = |core_iops| {
        let result = with_disk(reads(300, |at| 20_000 + noise(at) * 4), 100);
        let context = device(DirectIo::Verified).with_ceiling(Some(core_iops));
        in_short(&[&judge(&result, &context)])
    };
    let (near, far) = (line(100_000.0), line(10_000_000.0));
    assert!(near.ends_with(", page cache bypassed, client at 22 % of its ceiling"), "{near}");
    let both = ", client at 0.2 % of its ceiling, client threads 3.0 % busy";
    assert!(far.ends_with(both), "{far}");
}

#[test]
fn io_that_was_over_in_its_submission_is_no_hump() {
    let mut result = reads(300, |at| 20_000 + noise(at) * 4);
    let stats = &mut result.jobs[0].dirs.read;
    // A third completed before its submission returned: next to nothing of it is completion.
    stats.clat = Default::default();
    for at in 0..3000 {
        let whole = 1_000_000 + noise(at) * 100;
        stats.clat.record(if at % 3 == 0 { 30 } else { whole - 5_000 });
        stats.lat.record(whole);
    }
    let humps = |result: &RunResult| {
        let verdicts = judge(&with_disk(result.clone(), 100), &device(DirectIo::Verified));
        format!("{verdicts:?}").contains("(Humps {")
    };
    assert!(!humps(&result));
    // Where nothing but completion is known, as in fio's JSON, it is gone by.
    result.jobs[0].dirs.read.lat = Default::default();
    assert!(humps(&result));
}

fn with_limit(unit: fathom_host::ThrottleUnit, per_second: u64) -> Context {
    let limit = fathom_host::IoThrottle {
        cgroup: "/pod".to_owned(),
        device: Some("loop0".to_owned()),
        major: 7,
        minor: 0,
        unit,
        per_second,
    };
    Context { limits: vec![LimitUse { limit, count: None }], ..device(DirectIo::Verified) }
}

#[test]
fn a_limit_of_a_control_group_names_the_cap_that_it_makes() {
    use fathom_host::ThrottleUnit;
    // 100 MiB/s in blocks of 4 KiB: 25,600 I/Os a second, uneven.
    let result = with_disk(reads(120, |at| 25_000 + noise(at)), 100);
    let verdicts = judge(&result, &with_limit(ThrottleUnit::ReadBytes, 100 << 20));
    let found = cap(&verdicts).expect("the limit is reached");
    assert_eq!((found.kind, found.or), (CapKind::Bandwidth, None));
    assert!(
        loud(&verdicts)[0].sentence.contains("/pod holds the rate at 100 MiB/s"),
        "{verdicts:#?}"
    );
    // That of the other direction, or one that is far away, is none.
    for limit in [
        with_limit(ThrottleUnit::WriteBytes, 100 << 20),
        with_limit(ThrottleUnit::ReadIops, 90_000),
    ] {
        assert!(cap(&judge(&result, &limit)).is_none());
    }
    // What the kernel split in two counts twice.
    let mut split = with_disk(reads(120, |_| 500), 100);
    split.disks[0].ios = (2 * split.jobs[0].dirs.read.total_ios, 0);
    let found = judge(&split, &with_limit(ThrottleUnit::ReadIops, 1000));
    assert_eq!(cap(&found).map(|cap| (cap.kind, cap.value)), Some((CapKind::Iops, 1000.0)));
}

/// Of 3,000 reads a second the device does 1,000 for another program, all in one control group.
#[test]
fn a_limit_that_is_shared_names_what_others_took() {
    let own = |rate: u64| with_disk(reads(120, |at| rate + noise(at) / 10), 100);
    let beside = |rate: u64, count: Option<u64>| {
        let mut result = own(rate);
        let disk = &mut result.disks[0];
        disk.ios.0 = result.jobs[0].dirs.read.total_ios + 12_000;
        disk.sectors.0 += 12_000 * 8;
        let mut context = with_limit(fathom_host::ThrottleUnit::ReadIops, 3_000);
        context.limits[0].count = count.map(|others| disk.ios.0 - 12_000 + others);
        let verdicts = judge(&result, &context);
        let limit = cap(&verdicts).and_then(|cap| cap.known_limit()).cloned();
        let told: Vec<&str> = loud(&verdicts).iter().map(|one| one.sentence.as_str()).collect();
        limit.map(|limit| (limit.others.round(), told.join(" ")))
    };
    let (others, sentence) = beside(1_950, Some(12_000)).expect("the sum reaches the limit");
    assert_eq!(others, 1_000.0);
    let said = "/pod holds the rate at 3,000 IOPS, of which other I/O took 1,000 IOPS.";
    assert!(sentence.contains(said), "{sentence}");
    // Others of other groups do not count, nor do those beside a sum that stays below.
    assert_eq!(beside(1_950, Some(0)), None);
    assert_eq!(beside(1_950, None), None);
    assert_eq!(beside(1_000, Some(12_000)), None);
}

/// Seven tenths of a second, as a round of a comparison.
#[test]
fn a_short_run_meets_a_limit_within_a_time_slice() {
    let set = |rate: u64| {
        let limit = with_limit(fathom_host::ThrottleUnit::ReadIops, 1000);
        let verdicts = judge(&with_disk(reads(7, |_| rate), 100), &limit);
        cap(&verdicts).filter(|cap| cap.is_set()).map(|cap| cap.value.round())
    };
    assert_eq!([set(1000), set(970)], [Some(1000.0), Some(970.0)]);
    // Eight slices in the time of seven, and eleven in a second.
    assert_eq!(set(1140), Some(1000.0));
    let second = with_limit(fathom_host::ThrottleUnit::ReadIops, 1000);
    let second = judge(&with_disk(reads(13, |at| if at < 10 { 1100 } else { 1000 }), 100), &second);
    assert_eq!(cap(&second).filter(|cap| cap.is_set()).map(|cap| cap.value.round()), Some(1000.0));
    assert_eq!([set(1300), set(500)], [None, None]);
}

/// Half of the time, 3,000 I/Os a second: flat, and a round number.
#[test]
fn a_cpu_quota_is_told_and_not_a_cap() {
    let with_quota = |throttled_us: u64| {
        let quota = fathom_host::CpuQuota {
            cpus: 0.5,
            cgroup: "/pod".to_owned(),
            file: "cpu.max".to_owned(),
            throttled_count: throttled_us / 50_000,
            throttled_us,
        };
        let client = ClientFacts { cpus: 2, quota: Some(quota), ..ClientFacts::default() };
        Context { client, ..device(DirectIo::Verified) }
    };
    let rate = |at: u64| -> u64 { if at < 60 { 8_000 } else { 3_000 } };
    for of in [&rate as &dyn Fn(u64) -> u64, &|_| 3_000] {
        let result = with_disk(reads(120, of), 100);
        let stopped = judge(&result, &with_quota(5_760_000));
        let has = |answer: &Answer| stopped.iter().any(|v| &v.answer == answer);
        assert!(has(&Answer::Capped(CapFinding::CpuQuota)), "{stopped:#?}");
        let burst = |v: &Verdict| matches!(v.answer, Answer::Burst(BurstFinding::Burst(_)));
        assert!(!stopped.iter().any(burst), "{stopped:#?}");
        assert_eq!(
            loud(&stopped)[0].sentence,
            "This host was measured, not the volume: its control group /pod gives it 0.5 of 2 \
             CPUs (cpu.max) and stopped it for 48 % of the run. Measure again with a higher CPU \
             limit, or none."
        );
        // A quota that stops nothing says nothing.
        let free = judge(&result, &with_quota(0));
        assert!(cap(&free).is_some(), "{free:#?}");
    }
    // What the machine says that it is limited to, it is limited to.
    let mut limited = with_limit(fathom_host::ThrottleUnit::ReadIops, 3_000);
    limited.client = with_quota(5_760_000).client;
    assert!(cap(&judge(&with_disk(reads(120, |_| 3_000), 100), &limited)).is_some());
}

/// Neither what a stopped process leaves nor what a server that was away leaves is the volume's.
#[test]
fn an_interruption_makes_no_cap_and_no_burst() {
    let levels = |at: u64| -> u64 { if at < 60 { 8_000 } else { 3_000 } };
    let gap = |at: u64| -> u64 { if (40..100).contains(&at) { 0 } else { 3_000 } };
    let stopped = RunResult { pause_ms: 4_000, ..reads(120, levels) };
    let mut away = reads(120, gap);
    let lost = fathom_stats::ConnectionFigures { reconnects: 1, ..Default::default() };
    away.jobs[0].connections = vec![lost];
    let mut waits_to_the_end = reads(120, |at| if at < 75 { 2_180 } else { 0 });
    waits_to_the_end.jobs[0].series.advance(119 * 100);
    waits_to_the_end.jobs[0].connections = away.jobs[0].connections.clone();
    for result in [stopped, away, waits_to_the_end] {
        let verdicts = judge(&with_disk(result, 100), &device(DirectIo::Verified));
        let of_rate = |of: &&Verdict| !matches!(of.answer, Answer::Cached(_) | Answer::Client(_));
        let of_rate = verdicts.iter().filter(of_rate).filter(|of| of.weight == Weight::Loud);
        let is_lost = |of: &Verdict| matches!(of.answer, Answer::ConnectionWork(_));
        assert!(of_rate.clone().all(is_lost), "{verdicts:#?}");
    }
    // A connection that is made anew without a wait hides no burst.
    let mut renewed = reads(120, levels);
    renewed.jobs[0].connections =
        vec![fathom_stats::ConnectionFigures { reconnects: 1, ..Default::default() }];
    let verdicts = judge(&with_disk(renewed, 100), &device(DirectIo::Verified));
    let is_burst = |of: &Verdict| matches!(of.answer, Answer::Burst(BurstFinding::Burst(_)));
    assert!(verdicts.iter().any(is_burst), "{verdicts:#?}");
}

/// Of a sparse file the device sees nothing: neither a level nor a step is the volume's.
#[test]
fn reads_that_did_not_come_from_the_device_make_no_cap_and_no_burst() {
    let unwritten = Context { unwritten_share: Some(1.0), ..device(DirectIo::Verified) };
    let rate = |at: u64| -> u64 { if at < 60 { 8_000 } else { 3_000 } };
    for of in [&rate as &dyn Fn(u64) -> u64, &|_| 3_000] {
        for (context, percent) in [(&unwritten, 0), (&device(DirectIo::Buffered), 70)] {
            let verdicts = judge(&with_disk(reads(120, of), percent), context);
            let has = |answer: &Answer| verdicts.iter().any(|v| &v.answer == answer);
            assert!(has(&Answer::Capped(CapFinding::OffDevice)), "{verdicts:#?}");
            let burst = |v: &Verdict| matches!(v.answer, Answer::Burst(BurstFinding::Burst(_)));
            assert!(!verdicts.iter().any(burst), "{verdicts:#?}");
        }
    }
    // Memory may be a disk, whose throttle holds all the same.
    let zram = Context { medium: Medium::Memory, ..device(DirectIo::Verified) };
    assert!(cap(&judge(&with_disk(reads(120, |_| 3_000), 100), &zram)).is_some());
    assert!(cap(&judge(&reads(120, |_| 3_000), &zram)).is_none());
}

#[test]
fn a_job_that_pauses_has_no_cap() {
    let context = Context { pause_us: 1_000.0, ..device(DirectIo::Verified) };
    let verdicts = judge(&with_disk(reads(120, |_| 950), 100), &context);
    let thinks = verdicts.iter().any(|verdict| {
        matches!(verdict.answer, Answer::Capped(CapFinding::Thinks { share }) if share > 0.9)
    });
    assert!(thinks && cap(&verdicts).is_none(), "{verdicts:#?}");
}

#[test]
fn what_others_write_while_a_job_reads_is_told() {
    let shared = |writes_per_s: u64| {
        let mut result = with_disk(reads(120, |_| 2_000), 100);
        let writes = writes_per_s * 12;
        result.disks[0].ios = (result.jobs[0].dirs.read.total_ios, writes);
        result.disks[0].sectors.1 = writes * 8;
        judge(&result, &device(DirectIo::Verified))
    };
    assert!(matches!(cached(&shared(1_000)), CacheVerdict::Foreign { .. }));
    assert_eq!(cached(&shared(5)), CacheVerdict::NotCached);
}

/// 3,000 IOPS for 12 s, and somebody else's writes beside them.
#[test]
fn what_others_shape_is_no_cap_and_no_burst_of_the_volume() {
    let rate = |at: u64| -> u64 { if at < 60 { 8_000 } else { 3_000 } };
    for of in [&rate as &dyn Fn(u64) -> u64, &|_| 3_000] {
        let alone = with_disk(reads(120, of), 100);
        assert!(cap(&judge(&alone, &device(DirectIo::Verified))).is_some());
        let mut beside = alone.clone();
        let ios = beside.jobs[0].dirs.read.total_ios;
        beside.disks[0].ios = (ios, ios / 4);
        beside.disks[0].sectors.1 = ios / 4 * 8;
        let verdicts = judge(&beside, &device(DirectIo::Verified));
        let is_foreign = |v: &Verdict| match &v.answer {
            Answer::Cached(of) => matches!(of.verdict, CacheVerdict::Foreign { .. }),
            _ => false,
        };
        assert!(verdicts.iter().any(is_foreign), "{verdicts:#?}");
        let has = |answer: &Answer| verdicts.iter().any(|v| &v.answer == answer);
        assert!(has(&Answer::Capped(CapFinding::OtherUse)), "{verdicts:#?}");
        let burst = |v: &Verdict| matches!(v.answer, Answer::Burst(BurstFinding::Burst(_)));
        assert!(!verdicts.iter().any(burst), "{verdicts:#?}");
    }
}

/// Reads of 1 MiB, of which the kernel cuts some in two and some not: 45 a second are 80 for it.
#[test]
fn a_limit_counts_uneven_parts() {
    let mut result = reads(120, |_| 50);
    let stats = &mut result.jobs[0].dirs.read;
    stats.io_bytes = stats.total_ios << 20;
    for interval in &mut result.jobs[0].series.intervals {
        interval.bytes.read = interval.ios.read << 20;
    }
    let ios = result.jobs[0].dirs.read.total_ios;
    let disk = DiskUtil { ios: (ios * 8 / 5, 0), sectors: (ios << 11, 0), ..DiskUtil::default() };
    result.disks = vec![disk];
    let limits = |per_second| {
        let limit = fathom_host::IoThrottle {
            cgroup: "/pod".to_owned(),
            unit: fathom_host::ThrottleUnit::ReadIops,
            per_second,
            device: None,
            major: 7,
            minor: 0,
        };
        vec![LimitUse { limit, count: None }]
    };
    let of = |per_second| {
        let limits = limits(per_second);
        let context = Context { limits, block_bytes: Some(1 << 20), ..device(DirectIo::Verified) };
        cap(&judge(&result, &context)).filter(|cap| cap.is_set()).map(|cap| cap.value.round())
    };
    assert_eq!(of(80), Some(80.0));
    assert_eq!(of(100), None, "what is not reached holds nothing");
    // The disk counts the ramp as well, and the job does not.
    let mut ramped = with_disk(reads(120, |_| 3_000), 100);
    let ios = ramped.jobs[0].dirs.read.total_ios;
    ramped.disks[0].ios = (ios, 0);
    ramped.jobs[0].series.ramp_intervals = 20;
    let stats = &mut ramped.jobs[0].dirs.read;
    (stats.total_ios, stats.io_bytes) = (ios / 6 * 5, ios / 6 * 5 * 4096);
    let context = Context { limits: limits(3_000), ..device(DirectIo::Verified) };
    assert!(cap(&judge(&ramped, &context)).is_some_and(fathom_analysis::Cap::is_set));
}

/// The same run on each of several clients.
fn on_clients(hosts: &[&str], of: &RunResult) -> RunResult {
    let job = |host: &&str| JobResult { name: format!("a@{host}"), ..of.jobs[0].clone() };
    let span = |host: &&str| ClientSpan { host: (*host).to_owned(), ..ClientSpan::default() };
    RunResult {
        jobs: hosts.iter().map(job).collect(),
        clients: hosts.iter().map(span).collect(),
        ..RunResult::default()
    }
}

#[test]
fn a_rate_on_each_of_many_clients_is_no_overload() {
    let mut paced = reads(100, |_| 20);
    paced.jobs[0].open_loop = Some(Box::new(OpenLoop::default()));
    for count in [1, 3, 20, 200] {
        let names: Vec<String> = (0..count).map(|at| format!("h{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let plan = Context { pace: Some(RateLimit::Iops(20.0)), ..device(DirectIo::Verified) };
        let context = plan.clone().with_clients(count, false);
        assert_eq!(context.depth, Some(32 * count));
        let planned = |context: &Context| {
            let verdicts = judge(&on_clients(&names, &paced), context);
            let found = verdicts.into_iter().find_map(|verdict| match verdict.answer {
                Answer::OpenLoop(OpenLoopFinding::Overload { figures, .. }) => Some(Err(figures)),
                Answer::OpenLoop(
                    OpenLoopFinding::Waited { figures, .. } | OpenLoopFinding::KeptUp { figures },
                ) => Some(Ok(figures)),
                Answer::OpenLoop(OpenLoopFinding::NotEnough) => Some(Ok(Default::default())),
                _ => None,
            });
            found.expect("a paced job is judged")
        };
        assert!(planned(&context).is_ok(), "{count} clients");
        // Where all share one rate, it is planned once.
        let shared = plan.with_clients(count, true);
        assert_eq!(shared.pace, Some(RateLimit::Iops(20.0)));
    }
}

#[test]
fn of_several_hosts_the_busiest_is_named_and_excuses_what_is_missed() {
    let seen = |host: &str, machine_busy| ClientObservation {
        client: Some(host.to_owned()),
        observed: Observed { cpus: 2, machine_busy: Some(machine_busy), ..Observed::default() },
    };
    let result = on_clients(&["h1", "h2", "h3"], &reads(100, |_| 2000));
    let judged = |busy: f64| {
        let all = [seen("h1", 0.2), seen("h2", busy), seen("h3", 0.1)];
        judge(&result, &device(DirectIo::Verified).with_observations(&all))
    };
    let verdicts = judged(1.0);
    let why = fathom_document::verdicts::disturbance(&verdicts).expect("a busy host").to_string();
    assert_eq!(
        why,
        "The host was busy: on h2, other programs used 100 % of its CPUs; measure again on a quiet \
         host."
    );
    assert_eq!(fathom_document::verdicts::disturbance(&judged(0.3)), None);
}
