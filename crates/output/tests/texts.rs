//! Our own texts of one made-up result, whole, for the eye: what parity has no data for
//! (compound disks, sectors, idleness, several clones with unlike windows) is in it.

use fathom_output::{CpuIdleness, OutputOptions, TerseVersion, json_text, normal, terse};
use fathom_stats::{
    CpuUsage, DiskAggregate, DiskUtil, JobResult, JobSetup, LatencyTargetResult, RunResult, Series,
};
use fathom_vocab::{Direction, PerDirection};

fn clone(number: u32, error: i32) -> JobResult {
    let mut job = JobResult {
        name: "volume".to_owned(),
        description: Some("two clones".to_owned()),
        group_reporting: true,
        number,
        pid: 4000 + number,
        error: error.into(),
        error_text: if error == 0 { String::new() } else { "write /mnt/a at 8192".to_owned() },
        setup: setup(),
        options: vec![("rw".to_owned(), Some("randrw".to_owned())), ("time_based".into(), None)],
        elapsed_ms: 3400,
        runtime_ms: 3000,
        job_start_ms: 1_795_202_759_000,
        cpu: CpuUsage {
            user_us: 300_000,
            system_us: 450_000,
            context_switches: 1200,
            major_faults: 1,
            minor_faults: 40,
        },
        total_err: u64::from(error != 0),
        first_error: error.into(),
        latency_target: Some(LatencyTargetResult {
            target_us: 5000,
            window_us: 200_000,
            percentile: 99.0,
            depth: 8,
        }),
        series: Series::new(1000),
        ..JobResult::default()
    };
    fill(&mut job, u64::from(number));
    job
}

fn setup() -> JobSetup {
    JobSetup {
        rw: "randrw".to_owned(),
        bs: PerDirection::splat((4096, 4096)),
        ioengine: "libaio".to_owned(),
        iodepth: 8,
        percentile_list: vec![1.0, 50.0, 99.0, 99.9],
        clat_percentiles: true,
        significant_figures: 4,
        kb_base: 1024,
        continue_on_error: true,
        ..JobSetup::default()
    }
}

fn fill(job: &mut JobResult, scale: u64) {
    for i in 0..3000u64 {
        let dir = if i % 3 == 0 { Direction::Write } else { Direction::Read };
        let (slat, clat) = (2500 + i % 700, (90_000 + (i * 7919) % 400_000) * scale);
        let stats = &mut job.dirs[dir];
        stats.io_bytes += 4096;
        stats.total_ios += 1;
        stats.runtime_ms = 3000 + scale;
        stats.slat.record(slat);
        stats.clat.record(clat);
        stats.lat.record(slat + clat);
        job.lat_buckets.record(clat);
        job.depth.record((i % 8 + 1) as u32, 1);
        job.submit.record(1);
        job.complete.record((i % 6 + 1) as u32);
        if i % 600 == 0 {
            stats.bw.record(2000 * scale + i);
            stats.iops.record(500 * scale + i / 4);
        }
        if i % 100 == 0 {
            job.sync.record(900_000 + i * 1000);
        }
    }
}

fn result() -> RunResult {
    let dm = DiskUtil {
        name: "dm-0".to_owned(),
        ios: (4000, 2000),
        sectors: (32_000, 16_000),
        merges: (1, 2),
        ticks_ms: (300, 400),
        in_queue_ms: 700,
        util_percent: 96.5,
        aggregate: Some(DiskAggregate {
            members: 2,
            ios: (2000, 1000),
            sectors: (16_000, 8000),
            merges: (0, 1),
            ticks_ms: (150, 200),
            in_queue_ms: 350,
            max_util_percent: 97.25,
        }),
        ..DiskUtil::default()
    };
    let member = DiskUtil { name: "sda".to_owned(), aggregate: None, ..dm.clone() };
    RunResult {
        timestamp_ms: 1_795_202_762_123,
        global_options: vec![("direct".to_owned(), Some("1".to_owned()))],
        jobs: vec![clone(1, 0), clone(2, 28)],
        disks: vec![dm, member],
        ..RunResult::default()
    }
}

fn options() -> OutputOptions {
    let idleness = CpuIdleness {
        system: 63.371,
        cpus: vec![56.332, 70.41],
        show_cpus: true,
        unit_mean_us: 6.6695,
        unit_stddev_us: 0.00495,
    };
    OutputOptions { utc_offset_s: 3600, bins: false, idleness: Some(idleness) }
}

#[test]
fn normal_text() {
    insta::assert_snapshot!(normal(&result(), &options()));
}

#[test]
fn json_document() {
    insta::assert_snapshot!(json_text(&result(), &options()));
}

#[test]
fn terse_lines() {
    for number in [2, 3, 4, 5] {
        let version = TerseVersion::from_number(number).expect("a version");
        insta::assert_snapshot!(format!("terse_v{number}"), terse(&result(), version));
    }
    assert_eq!(TerseVersion::from_number(1), None);
}

/// Counts of fields as fio has them, without disks: one line for a plain job.
#[test]
fn terse_lines_have_as_many_fields_as_fio() {
    let mut plain = result();
    plain.jobs.truncate(1);
    plain.jobs[0].description = None;
    plain.jobs[0].setup.continue_on_error = false;
    let fields = |result: &RunResult, version| {
        let line = terse(result, version);
        line.trim_end().split(';').count()
    };
    let counts = [
        (TerseVersion::V2, 161, 161),
        (TerseVersion::V3, 121, 130),
        (TerseVersion::V4, 162, 171),
        (TerseVersion::V5, 180, 189),
    ];
    plain.disks.remove(0);
    for (version, _, with) in counts {
        assert_eq!(fields(&plain, version), with, "{version:?} with a disk");
    }
    plain.disks.clear();
    for (version, without, _) in counts {
        assert_eq!(fields(&plain, version), without, "{version:?}");
    }
}

#[test]
fn a_result_of_nothing_is_still_a_document() {
    let nothing = RunResult::default();
    let text = json_text(&nothing, &OutputOptions::default());
    assert!(text.starts_with("{\n  \"fio version\" : \"fio-3.42\",\n"));
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
    assert_eq!(normal(&nothing, &OutputOptions::default()), "\n");
    assert_eq!(terse(&nothing, TerseVersion::V3), "");
}

/// Whatever a name holds, the document stays one that parses.
#[test]
fn names_are_escaped() {
    let mut odd = result();
    odd.jobs[0].name = "a\"b\\c\nd\té\u{1}".to_owned();
    let text = json_text(&odd, &options());
    let back: serde_json::Value = serde_json::from_str(&text).expect("it parses");
    assert_eq!(back["jobs"][0]["jobname"], odd.jobs[0].name.as_str());
}
