//! The same job by fio 3.33 and by us: the same keys with the same types, the same lines, the same
//! files left behind, and the same figures wherever a figure follows from the job alone.
//!
//! Keys and lines that fio 3.42 has and 3.33 has not are allowed. Latencies, rates and everything
//! else that time decides is not compared here; `cargo xtask truth` measures those.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::devices::{LoopDevice, need, oracle, tool};
use crate::quiet::on_a_quiet_machine;
use crate::sandbox::{Outcome, Sandbox, subject};

/// Which figures follow from the job alone.
#[derive(Clone, Copy, PartialEq)]
enum Fixed {
    /// I/Os and bytes of each direction.
    All,
    /// I/Os and bytes of all directions together; each direction within a tenth.
    Sum,
    /// Bytes, within a fiftieth: the sizes of blocks are drawn.
    Bytes,
    /// Bytes, and I/Os within a twentieth: the sizes of a whole pass are drawn, and cut by it.
    Pass,
    /// I/Os within a tenth: a rate and a time were given.
    Rate,
    /// None: the time was given.
    Nothing,
}

/// Name of the test, what is fixed, and the job; `{dev}` is a loop device of 16 MiB.
macro_rules! jobs {
    ($($test:ident: $fixed:ident, $line:literal;)*) => {
        $(#[test] fn $test() { compare(Fixed::$fixed, $line); })*
    };
}

jobs! {
    sequential_reads: All, "--name=p --rw=read --bs=64k --size=4m";
    sequential_direct_writes: All, "--name=p --rw=write --bs=16k --size=4m --direct=1";
    random_reads_by_libaio:
        All, "--name=p --rw=randread --size=8m --ioengine=libaio --iodepth=16 --direct=1";
    random_reads_one_at_a_time:
        All, "--name=p --rw=randread --size=8m --ioengine=libaio --iodepth=16 --direct=1 \
              --iodepth_batch_submit=1 --iodepth_batch_complete_max=1";
    random_reads_from_the_page_cache:
        All, "--name=p --rw=randread --size=8m --ioengine=libaio --iodepth=16";
    random_reads_from_the_page_cache_by_io_uring:
        All, "--name=p --rw=randread --size=8m --ioengine=io_uring --iodepth=16";
    random_reads_handed_over_in_whole_queues:
        All, "--name=p --rw=randread --size=8m --ioengine=libaio --iodepth=8 --iodepth_batch=0";
    random_reads_waited_for_one_by_one:
        All, "--name=p --rw=randread --size=8m --ioengine=libaio --iodepth=8 --direct=1 \
              --iodepth_batch=4 --iodepth_batch_complete_min=0";
    random_writes_by_io_uring:
        All, "--name=p --rw=randwrite --size=8m --ioengine=io_uring --iodepth=8 --direct=1";
    random_reads_by_posixaio:
        All, "--name=p --rw=randread --size=2m --ioengine=posixaio --iodepth=4";
    random_mix: Sum, "--name=p --rw=randrw --rwmixread=70 --size=16m";
    sequential_mix: Sum, "--name=p --rw=rw --bs=8k --size=16m";
    random_trims: All, "--name=p --rw=randtrim --bs=64k --filename={dev} --direct=1";
    trims_then_writes: All, "--name=p --rw=trimwrite --bs=64k --filename={dev} --direct=1";
    random_reads_of_a_device: All, "--name=p --rw=randread --filename={dev} --direct=1";
    several_jobs: All, "--name=p --rw=read --size=1m --numjobs=3";
    several_jobs_in_one_group: All, "--name=p --rw=write --size=1m --numjobs=3 --group_reporting";
    threads: All, "--name=p --rw=read --size=1m --numjobs=2 --thread";
    two_jobs_of_the_command_line:
        All, "--bs=8k --size=1m --name=one --rw=read --name=two --rw=randwrite --bs=4k";
    two_groups: All, "--size=1m --name=one --rw=write --name=two --stonewall --rw=read";
    several_files: All, "--name=p --rw=randread --size=4m --nrfiles=4";
    few_files_at_a_time: All, "--name=p --rw=write --size=1m --nrfiles=8 --openfiles=2 --end_fsync=1";
    few_random_files_at_a_time:
        All, "--name=p --rw=randread --size=1m --nrfiles=8 --openfiles=3 --file_service_type=random";
    one_file_after_another:
        All, "--name=p --rw=read --size=1m --nrfiles=8 --file_service_type=sequential --loops=2";
    two_named_files: All, "--name=p --rw=write --size=2m --filename=here:there";
    one_file_of_two_jobs:
        All, "--filename=both --size=1m --name=one --rw=read --name=two --rw=read";
    drawn_block_sizes: Bytes, "--name=p --rw=read --bssplit=4k/50:16k/50 --size=8m";
    a_range_of_block_sizes: Bytes, "--name=p --rw=randwrite --bsrange=4k-16k --size=8m";
    a_pass_of_a_range: Pass, "--name=p --rw=randread --bsrange=4k-64k --size=64m --ioengine=null";
    a_pass_of_sectors_and_pages:
        Pass, "--name=p --rw=randread --bssplit=512/5:4k/95 --size=64m --ioengine=null";
    a_pass_of_two_sizes:
        Pass, "--name=p --rw=randread --bssplit=4k/10:16k/90 --size=64m --ioengine=null";
    a_pass_of_three_sizes:
        Pass, "--name=p --rw=randread --bssplit=4k/33:8k/33:16k/34 --size=64m --ioengine=null";
    block_sizes_by_direction: Sum, "--name=p --rw=randrw --bs=4k,4k --size=8m";
    flushed_now_and_then: All, "--name=p --rw=write --fsync=8 --size=1m";
    flushed_each_time:
        All, "--name=p --rw=write --ioengine=sync --fdatasync=1 --bs=2300 --size=256k";
    flushed_at_the_end: All, "--name=p --rw=write --end_fsync=1 --size=1m";
    held_to_a_rate:
        Rate, "--name=p --rw=randread --size=4m --rate_iops=500 --time_based --runtime=1";
    thinking_between: All, "--name=p --rw=read --size=256k --thinktime=500";
    several_loops: All, "--name=p --rw=read --size=1m --loops=3";
    less_than_its_size: All, "--name=p --rw=randread --size=8m --io_size=2m";
    more_than_its_size: All, "--name=p --rw=write --size=2m --io_size=5m";
    a_number_of_ios: All, "--name=p --rw=randread --size=4m --number_ios=100";
    from_an_offset: All, "--name=p --rw=read --size=2m --offset=1m";
    each_job_further_on:
        All, "--name=p --rw=write --filename=shared --size=1m --numjobs=3 --offset_increment=1m";
    repeating_blocks: All, "--name=p --rw=randread --norandommap --size=4m";
    by_zipf: All, "--name=p --rw=randread --random_distribution=zipf:1.2 --size=4m";
    until_a_time: Nothing, "--name=p --rw=randread --size=4m --time_based --runtime=1";
    after_a_ramp:
        Nothing, "--name=p --rw=randread --size=4m --time_based --runtime=1 --ramp_time=300ms";
    done_within_its_ramp: All, "--name=p --rw=randread --size=1m --ramp_time=100";
    a_number_of_ios_within_the_ramp:
        All, "--name=p --rw=randread --size=1m --number_ios=100 --ramp_time=100";
    flushed_within_the_ramp: Sum, "--name=p --rw=write --size=256k --fdatasync=4 --ramp_time=100";
    several_passes_within_the_ramp:
        All, "--name=p --rw=randread --size=1m --loops=2 --ramp_time=100 --ioengine=libaio \
              --iodepth=8 --direct=1";
    a_group_shows_what_its_last_job_does:
        All, "--size=1m --ioengine=libaio --direct=1 --group_reporting --name=a --rw=write \
              --percentile_list=10:20 --slat_percentiles=1 --description=first --iodepth=2 \
              --continue_on_error=all --name=b --rw=read --percentile_list=50:99.9 --iodepth=8";
    a_group_is_laid_out_as_its_first_job:
        All, "--size=1m --group_reporting --name=a --rw=write --unified_rw_reporting=1 --name=b \
              --rw=read --description=last";
    never_steady:
        Nothing, "--name=p --rw=randread --ioengine=null --size=1g --time_based --runtime=1 \
                  --ss_dur=10 --ss=bw_slope:0.1%";
    percentiles_of_the_whole: All, "--name=p --rw=read --size=1m --lat_percentiles=1";
    percentiles_of_submission:
        All, "--name=p --rw=read --size=1m --ioengine=libaio --iodepth=4 --direct=1 \
            --slat_percentiles=1";
    percentiles_as_listed: All, "--name=p --rw=read --size=1m --percentile_list=50:99:99.9";
    directions_as_one: Sum, "--name=p --rw=randrw --size=4m --unified_rw_reporting=1";
    directions_as_one_and_each: Sum, "--name=p --rw=randrw --size=4m --unified_rw_reporting=both";
    errors_passed_over: All, "--name=p --rw=read --size=1m --continue_on_error=all";
    fewer_clocks: All, "--name=p --rw=read --size=1m --gtod_reduce=1";
    no_latencies:
        All, "--name=p --rw=read --size=1m --disable_lat=1 --disable_clat=1 --disable_slat=1";
    a_description: All, "--name=p --rw=read --size=1m --description=words_for_people";
    nowhere: All, "--name=p --rw=randwrite --size=16m --ioengine=null";
    mapped: All, "--name=p --rw=randread --size=2m --ioengine=mmap";
    written_over: All, "--name=p --rw=randwrite --size=1m --overwrite=1 --zero_buffers";
    with_holes: All, "--name=p --rw=write:16k --bs=4k --size=256k";
    with_holes_that_end_with_the_file: All, "--name=p --rw=read:16k --bs=4k --size=84k";
    with_holes_in_several_files: All,
        "--name=p --rw=write:16k --bs=4k --nrfiles=3 --filesize=256k --file_service_type=sequential:3";
    with_holes_in_files_at_random:
        All, "--name=p --rw=read:16k --bs=4k --nrfiles=7 --filesize=88k --file_service_type=random";
    percentiles_of_flushes_alone: All, "--name=p --rw=write --fsync=8 --size=1m --clat_percentiles=0";
    seeking_a_depth_in_a_run_shorter_than_a_window:
        All, "--name=p --rw=randread --size=4m --ioengine=libaio --iodepth=16 --direct=1 \
            --latency_target=50ms --latency_window=60s --latency_percentile=90";
    two_jobs_in_one_group:
        All, "--size=1m --group_reporting --name=one --rw=read --bs=4k --name=two --rw=write --bs=8k";
    aligned_by_either_name: All, "--name=p --rw=randread --size=1m --blockalign=8k --norandommap";
    a_number_with_more_behind_it:
        All, "--name=p --rw=randread --random_distribution=zipf:1.1/0.3 --size=4m";
    with_holes_in_a_part_of_a_device:
        All, "--name=p --rw=read:12k --bs=4k --size=1m --filename={dev}";
    with_holes_in_all_of_a_file_of_more_than_its_size:
        All, "--name=p --rw=write:12k --bs=8k --size=64k --offset=20k --filesize=128k";
    a_mix_in_order_with_a_tail: Bytes, "--name=p --rw=rw --bs=4k --size=66k --unified_rw_reporting=1";
    trims_and_writes_of_more_than_its_size:
        All, "--name=p --rw=trimwrite --bs=4k --size=100k --io_size=300k --ioengine=null";
    loops_of_more_than_its_size:
        All, "--name=p --rw=read --bs=4k --size=100k --io_size=250k --loops=2 --ioengine=null";
    sizes_of_any_bytes:
        Pass, "--name=p --rw=read --bsrange=4k-8k --bs_unaligned=1 --size=64m --ioengine=null";
    disks_of_jobs_that_report_none:
        All, "--size=1m --name=p --disk_util=0 --name=q --ioengine=null";
    not_even: All, "--name=p --rw=write --bs=4k --size=1000k --filesize=1001k";
}

/// Compares both on the job. A busy machine may keep a job from reaching its rate, so such a job is
/// tried again.
fn compare(fixed: Fixed, line: &str) {
    match fixed {
        Fixed::Rate => on_a_quiet_machine(|| compare_once(fixed, line)),
        _ => compare_once(fixed, line),
    }
}

/// Runs the job by both, in JSON and in text, and compares all they left.
fn compare_once(fixed: Fixed, line: &str) {
    let Some(fio) = need(oracle()) else { return };
    let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
    let device = match line.contains("{dev}") {
        true => match need(LoopDevice::new(ours.root(), 16 << 20)) {
            Some(device) => Some(device),
            None => return,
        },
        false => None,
    };
    let line = line.replace("{dev}", &device.as_ref().map(LoopDevice::text).unwrap_or_default());

    let (their, our) = both(&theirs, &ours, &format!("--output-format=json {line}"));
    let mut faults = Vec::new();
    let (their_json, our_json) = (their.json(), our.json());
    same_structure(&their_json, &our_json, "", &mut faults);
    same_figures(fixed, &their_json, &our_json, &mut faults);
    if theirs.files() != ours.files() {
        faults.push(format!("files: fio left {:?}, we left {:?}", theirs.files(), ours.files()));
    }

    let (their, our) = both(&theirs, &ours, &line);
    let (their_lines, our_lines) = (skeleton(&their.stdout), skeleton(&our.stdout));
    if their_lines != our_lines {
        let apart = their_lines.iter().zip(&our_lines).find(|(a, b)| a != b);
        faults.push(format!(
            "text differs first at {apart:?}\nfio:\n{}\nwe:\n{}",
            their.stdout, our.stdout
        ));
    }
    assert!(faults.is_empty(), "{line}\n  {}", faults.join("\n  "));
}

fn both(theirs: &Sandbox, ours: &Sandbox, line: &str) -> (Outcome, Outcome) {
    let (mut their, our) = (theirs.run(line), ours.run(line));
    // fio looks at every disk in /sys and says so where one is gone: other tests remove theirs.
    their.stderr = their.stderr.replace("stat: No such file or directory\n", "");
    their.assert_success();
    our.assert_success();
    (their, our)
}

/// Keys that fio 3.42 writes and fio 3.33 does not.
const LATER_KEYS: &[&str] =
    &["job_start", "read_sectors", "write_sectors", "latency_target_ns", "latency_window_us"];

pub fn same_structure(their: &Value, our: &Value, at: &str, faults: &mut Vec<String>) {
    match (their, our) {
        (Value::Object(their), Value::Object(our)) => {
            // Which percentiles and buckets exist is a question of time where these are empty.
            for (key, value) in their {
                match our.get(key) {
                    Some(our) => same_structure(value, our, &format!("{at}/{key}"), faults),
                    None => faults.push(format!("{at}/{key}: fio has it, we do not")),
                }
            }
            for (key, value) in our {
                let valueless = at.ends_with("options") && value == "";
                if !their.contains_key(key) && !LATER_KEYS.contains(&key.as_str()) && !valueless {
                    faults.push(format!("{at}/{key}: we have it, fio does not"));
                }
            }
        }
        (Value::Array(their), Value::Array(our)) => {
            if their.len() != our.len() {
                faults.push(format!("{at}: fio has {}, we have {}", their.len(), our.len()));
            }
            for (index, (their, our)) in their.iter().zip(our).enumerate() {
                same_structure(their, our, &format!("{at}/{index}"), faults);
            }
        }
        (their, our) if kind(their) != kind(our) => {
            faults.push(format!("{at}: fio writes {their}, we write {our}"));
        }
        _ => {}
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Number(n) if n.is_f64() => "float",
        Value::Number(_) => "integer",
        Value::String(_) => "text",
        Value::Object(_) => "object",
        Value::Array(_) => "array",
        _ => "neither fio writes",
    }
}

/// What follows from the job whatever it measures.
const ALWAYS_EQUAL: &[&str] = &[
    "/jobname",
    "/groupid",
    "/error",
    "/desc",
    "/latency_depth",
    "/latency_target",
    "/latency_percentile",
    "/latency_window",
    "/total_err",
    "/first_error",
];

fn same_figures(fixed: Fixed, their: &Value, our: &Value, faults: &mut Vec<String>) {
    let empty = Vec::new();
    let jobs = |root: &'_ Value| root["jobs"].as_array().unwrap_or(&empty).clone();
    for (index, (their, our)) in jobs(their).iter().zip(&jobs(our)).enumerate() {
        for pointer in ALWAYS_EQUAL {
            if their.pointer(pointer) != our.pointer(pointer) {
                faults.push(format!(
                    "jobs/{index}{pointer}: fio {:?}, we {:?}",
                    their.pointer(pointer),
                    our.pointer(pointer)
                ));
            }
        }
        same_options(their, our, index, faults);
        same_amounts(fixed, their, our, index, faults);
        if fixed == Fixed::All {
            same_flushes(their, our, index, faults);
            same_depths(their, our, index, faults);
        }
    }
}

fn same_options(their: &Value, our: &Value, index: usize, faults: &mut Vec<String>) {
    let set = |job: &Value| -> BTreeSet<(String, String)> {
        let options = job["job options"].as_object().cloned().unwrap_or_default();
        options
            .into_iter()
            .map(|(key, value)| (key, value.as_str().unwrap_or_default().to_owned()))
            .filter(|(_, value)| !value.is_empty())
            .collect()
    };
    let (their, our) = (set(their), set(our));
    if their != our {
        faults.push(format!("jobs/{index}/job options: fio {their:?}, we {our:?}"));
    }
}

fn same_amounts(fixed: Fixed, their: &Value, our: &Value, index: usize, faults: &mut Vec<String>) {
    const DIRECTIONS: [&str; 4] = ["read", "write", "trim", "mixed"];
    let of = |job: &Value, way: &str, key: &str| job[way][key].as_u64().unwrap_or(0);
    let sum = |job: &Value, key: &str| {
        DIRECTIONS.iter().take(3).map(|way| of(job, way, key)).sum::<u64>() + of(job, "mixed", key)
    };
    let mut hold = |what: String, their: u64, our: u64, share: f64| {
        if their.abs_diff(our) as f64 > share * their as f64 {
            faults.push(format!("jobs/{index}/{what}: fio {their}, we {our}"));
        }
    };
    let (sums, each, keys): (Option<f64>, Option<f64>, &[&str]) = match fixed {
        Fixed::All => (None, Some(0.0), &["io_bytes", "io_kbytes", "total_ios", "drop_ios"]),
        Fixed::Sum => (Some(0.0), Some(0.1), &["io_bytes", "total_ios"]),
        Fixed::Bytes => (None, Some(0.02), &["io_bytes"]),
        Fixed::Pass => (None, Some(0.05), &["io_bytes", "total_ios"]),
        Fixed::Rate => (None, Some(0.1), &["io_bytes", "total_ios"]),
        Fixed::Nothing => (None, None, &[]),
    };
    for key in keys {
        // On a busy machine fio falls behind its rate: we need not, and must not exceed it.
        if fixed == Fixed::Rate
            && keeps_its_rate(our)
            && of(our, "read", key) > of(their, "read", key)
        {
            continue;
        }
        if let Some(share) = sums {
            hold(format!("sum of {key}"), sum(their, key), sum(our, key), share);
        }
        for way in DIRECTIONS {
            let share = each.unwrap_or_default();
            hold(format!("{way}/{key}"), of(their, way, key), of(our, way, key), share);
        }
    }
}

/// Whether a job's reads come to what `rate_iops` asked for, and no more.
fn keeps_its_rate(job: &Value) -> bool {
    let rate = job["job options"]["rate_iops"].as_str().and_then(|text| text.parse().ok());
    let ios = job["read"]["total_ios"].as_f64().unwrap_or(0.0);
    let seconds = job["read"]["runtime"].as_f64().unwrap_or(0.0) / 1e3;
    rate.is_some_and(|rate: f64| (ios - rate * seconds).abs() <= 0.02 * rate * seconds)
}

/// Flushes made: fio leaves out the one that is due after the last write.
fn same_flushes(their: &Value, our: &Value, index: usize, faults: &mut Vec<String>) {
    let flushes = |job: &Value| job["sync"]["lat_ns"]["N"].as_u64().unwrap_or(0);
    if flushes(their).abs_diff(flushes(our)) > 1 {
        faults.push(format!("jobs/{index}/sync: fio {}, we {}", flushes(their), flushes(our)));
    }
}

/// Shares of the depths reached, and of the batches submitted and reaped, within five points of a
/// hundred.
fn same_depths(their: &Value, our: &Value, index: usize, faults: &mut Vec<String>) {
    // fio 3.33 counts flushes among them and comes to 200 %; we do not follow it there.
    if their["sync"]["lat_ns"]["N"].as_u64() > Some(0) {
        return;
    }
    let empty = serde_json::Map::new();
    let engine = their.pointer("/job options/ioengine").and_then(Value::as_str);
    for shares in ["iodepth_level", "iodepth_submit", "iodepth_complete"] {
        // How full the queue is hangs on when the C library's threads have their turn.
        if (engine, shares) == (Some("posixaio"), "iodepth_level") {
            continue;
        }
        let steps = their[shares].as_object().unwrap_or(&empty);
        // fio counts no batches for its null engine.
        if steps.values().all(|share| share.as_f64() == Some(0.0)) {
            continue;
        }
        for (step, share) in steps {
            let (their, our) = (share.as_f64(), our[shares][step].as_f64());
            let apart = their.unwrap_or(-100.0) - our.unwrap_or(200.0);
            if apart.abs() > 5.0 {
                faults.push(format!("jobs/{index}/{shares}/{step}: fio {their:?}, we {our:?}"));
            }
        }
    }
}

/// The lines of a report without what time decides: figures, units, and the lines that come and go.
pub fn skeleton(text: &str) -> Vec<String> {
    let passing = |line: &&str| {
        let line = line.trim_start();
        // Rows of percentiles and buckets vary with the figures; the samples want half a second.
        !line.starts_with('|')
            && !line.starts_with("lat (nsec)   :")
            && !line.starts_with("lat (usec)   :")
            && !line.starts_with("lat (msec)   :")
            && !line.starts_with("bw (")
            && !line.starts_with("iops        :")
    };
    text.lines().filter(passing).map(masked).collect()
}

fn masked(line: &str) -> String {
    let line = match line.split_once(": pid=") {
        Some((before, _)) => before,
        None => line,
    };
    // Later forms of the same lines.
    let line = line.replace("; 0 zone resets", "").replace("/syncfs:", ":");
    let line = match line.split_once(" sectors=") {
        Some((before, after)) => {
            format!("{before}{}", after.split_once(',').map_or("", |(_, rest)| rest))
        }
        None => line,
    };
    let mut masked = String::new();
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        if c.is_ascii_digit() {
            while characters.next_if(|c| c.is_ascii_digit() || *c == '.').is_some() {}
            // The unit that scales a figure goes with it.
            while characters.next_if(|c| "kMGTKiB".contains(*c)).is_some() {}
            masked.push('#');
        } else {
            masked.push(c);
        }
    }
    let masked = masked.replace("nsec", "sec").replace("usec", "sec").replace("msec", "sec");
    // A rate, also where fio 3.33 writes a bare 0 for it (of directions taken as one).
    let masked = masked.replace("#/s", "#");
    // Columns that are as wide as their figures.
    let mut single = String::new();
    for (index, word) in masked.trim_start().split(' ').filter(|w| !w.is_empty()).enumerate() {
        single.push_str(if index > 0 { " " } else { "" });
        single.push_str(word);
    }
    let indent = masked.len() - masked.trim_start().len();
    format!("{}{}", " ".repeat(indent), single.replace("= ", "="))
}

#[test]
fn a_job_that_only_creates_its_files_does_no_io_whatever_others_do() {
    let Some(fio) = need(oracle()) else { return };
    let only = "--name=p --rw=read --size=2m --nrfiles=2 --create_only=1";
    for line in [only.to_owned(), format!("{only} --name=q --rw=read --size=1m --create_only=0")] {
        let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
        let (their, our) = both(&theirs, &ours, &line);
        assert_eq!(skeleton(&their.stdout), skeleton(&our.stdout), "{}", our.describe("text"));
        assert_eq!(theirs.files(), ours.files());
        let (their, our) = both(&theirs, &ours, &format!("--output-format=json {line}"));
        let (their, our) = (their.json(), our.json());
        for (their, our) in [0, 1].map(|index| (&their["jobs"][index], &our["jobs"][index])) {
            assert_eq!(their["read"]["total_ios"], our["read"]["total_ios"], "{line}");
        }
    }
}

#[test]
fn terse_lines_have_the_same_fields() {
    let Some(fio) = need(oracle()) else { return };
    for version in 2..=5 {
        let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
        let line = format!(
            "--name=p --rw=randrw --size=4m --numjobs=2 --description=words --minimal \
             --terse-version={version}"
        );
        let (their, our) = both(&theirs, &ours, &line);
        let fields = |outcome: &Outcome| -> Vec<Vec<String>> {
            let field = |text: &str| masked(text.split("%=").next().unwrap_or_default());
            outcome.stdout.lines().map(|line| line.split(';').map(field).collect()).collect()
        };
        assert_eq!(
            fields(&their),
            fields(&our),
            "version {version}\n{}\n{}",
            their.stdout,
            our.stdout
        );
    }
}

#[test]
fn appended_terse_lines_follow_the_report() {
    let Some(fio) = need(oracle()) else { return };
    let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
    let (their, our) = both(&theirs, &ours, "--append-terse --name=p --rw=read --size=1m");
    let last = |outcome: &Outcome| {
        let text = outcome.stdout.trim_end().to_owned();
        text.lines().last().unwrap_or_default().split(';').count()
    };
    assert_eq!(last(&their), last(&our), "{}", our.describe("fields of the appended line"));
}

#[test]
fn logs_have_the_same_names_and_lines() {
    let Some(fio) = need(oracle()) else { return };
    let common = "--name=p --rw=randread --size=4m --rate_iops=500 --time_based --runtime=1";
    for more in [
        "--write_bw_log=x --write_iops_log=x --write_lat_log=x --log_avg_msec=250",
        "--write_lat_log=each --log_offset=1",
        "--write_bw_log=one --per_job_logs=0 --log_avg_msec=250 --numjobs=2",
        "--write_hist_log=h --log_hist_msec=250",
        "--write_lat_log=x --write_bw_log=x --disable_lat=1 --ioengine=libaio",
        "--write_lat_log=x --write_iops_log=x --disable_clat=1",
        "--write_lat_log=x --write_bw_log=x --disable_slat=1 --ioengine=libaio",
        "--write_lat_log=x --write_bw_log=x --write_iops_log=x --gtod_reduce=1",
    ] {
        let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
        both(&theirs, &ours, &format!("{common} {more}"));
        let names = |s: &Sandbox| s.files().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(&theirs), names(&ours), "{more}");
        for name in names(&theirs).iter().filter(|name| name.ends_with(".log")) {
            let (their, our) = (log(&theirs, name), log(&ours, name));
            let first = |lines: &[String]| lines.first().map(|line| masked(line));
            assert_eq!(first(&their), first(&our), "{more}: {name}");
            // A line an interval; or one an I/O, of which a busy machine loses some to a second.
            // There fio loses intervals as well, which are no fault of ours.
            let jobs = if more.contains("numjobs=2") { 2 } else { 1 };
            let (due, slack) = if more.contains("msec") { (4 * jobs, 2) } else { (500, 250) };
            let (their, our) = (their.len(), our.len());
            let right = our + slack >= their && our <= their.max(due) + slack;
            assert!(right, "{more}: {name}: {their} lines, {our} of ours");
        }
    }
}

/// Times in logs count from the end of the ramp: one job for each ramp and window, side by side.
#[test]
fn times_in_logs_count_from_the_end_of_the_ramp() {
    let Some(fio) = need(oracle()) else { return };
    let mut line =
        "--rw=randread --size=1m --rate_iops=50 --time_based --runtime=2500ms".to_owned();
    let mut jobs = Vec::new();
    for ramp in ["0", "1s", "1500ms"] {
        for avg_ms in [0_u64, 500, 1000] {
            let name = format!("r{ramp}a{avg_ms}");
            line += &format!(
                " --name={name} --ramp_time={ramp} --log_avg_msec={avg_ms} --write_lat_log={name} \
                 --write_bw_log={name} --write_iops_log={name}"
            );
            jobs.push((name, avg_ms));
        }
    }
    on_a_quiet_machine(|| {
        let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
        both(&theirs, &ours, &line);
        for (at, (name, avg_ms)) in jobs.iter().enumerate() {
            for kind in ["lat", "clat", "bw", "iops"] {
                let file = format!("{name}_{kind}.{}.log", at + 1);
                let (their, our) = (first_ms(&theirs, &file), first_ms(&ours, &file));
                // The shortest ramp is a second.
                let near = |ms: u64| ms.abs_diff(*avg_ms) < 500;
                assert!(near(their) && near(our), "{file}: {their} ms, {our} ms of ours");
            }
        }
    });
}

/// The time of the first line of a log.
fn first_ms(sandbox: &Sandbox, name: &str) -> u64 {
    let lines = log(sandbox, name);
    let time = lines.first().and_then(|line| line.split(',').next()?.parse().ok());
    time.unwrap_or_else(|| panic!("{name}: {lines:?}"))
}

fn log(sandbox: &Sandbox, name: &str) -> Vec<String> {
    fs::read_to_string(sandbox.work().join(name)).unwrap().lines().map(str::to_owned).collect()
}

/// Each name of an option that fio 3.33 knows is repeated in the results under the same name.
#[test]
fn options_are_repeated_under_fio_s_names() {
    let Some(fio) = need(oracle()) else { return };
    let options = [
        "ba=4k",
        "blockalign=4k",
        "nr_files=2",
        "nrfiles=2",
        "fileoffset=4k",
        "readwrite=read",
        "iodepth_batch_submit=1",
        "iodepth_batch_complete=1",
        "blocksize=4k",
        "blocksize_range=4k-8k",
        "mem_align=4k",
        "io_limit=32k",
        "timeout=1",
        "ratemin=1k",
        "ratecycle=500",
        "disable_bw=1",
    ];
    for option in options {
        let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
        let line =
            format!("--output-format=json --name=p --filesize=64k --ioengine=null --{option}");
        let (their, our) = both(&theirs, &ours, &line);
        let (their, our) = (their.json(), our.json());
        let mut faults = Vec::new();
        same_options(&their["jobs"][0], &our["jobs"][0], 0, &mut faults);
        assert!(faults.is_empty(), "{option}: {faults:?}");
    }
}

/// A run that ends with a window of its histogram log, read by fio's own tool.
#[test]
fn histogram_logs_are_read_by_fio_s_tool() {
    let ours = Sandbox::with(&subject());
    ours.run(
        "--name=p --rw=randrw --size=4m --rate_iops=2000 --runtime=1500ms --time_based \
         --write_hist_log=h --log_hist_msec=500 --output-format=json",
    )
    .assert_success();
    let lines = log(&ours, "h_clat_hist.1.log");
    let heads: BTreeSet<Vec<&str>> =
        lines.iter().map(|line| line.split(", ").take(2).collect()).collect();
    assert_eq!(heads.len(), lines.len(), "each time and direction has one line");
    // No package of Debian's has it, so no machine is asked to.
    if let Err(why) = tool("fio-histo-log-pctiles.py", &["--help"]) {
        println!("SKIP: fio's tool is not on the PATH (tools/hist of its sources): {why}");
        return;
    }
    let path = ours.work().join("h_clat_hist.1.log");
    let table = tool("fio-histo-log-pctiles.py", &[&path.display().to_string()]).unwrap();
    assert!(table.lines().last().is_some_and(|line| line.split(',').count() > 5), "{table}");
}

#[test]
fn refusals_have_the_same_exit_code() {
    let Some(fio) = need(oracle()) else { return };
    for line in [
        "absent.fio",
        "--name=a --size=1m --nonsense=1",
        "--name=a --size=1m --iodepth=0",
        "--name=a --size=1m --ioengine=bogus",
        "--name=a --size=1m --rw=write --readonly",
        "--name=a --size=1m --output=nowhere/x",
        "--name=a --size=1m --directory=nowhere",
    ] {
        let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
        let (their, our) = (theirs.run(line), ours.run(line));
        assert_eq!(their.code, our.code, "{}", our.describe("exit code"));
    }
    let ours = Sandbox::new();
    let version = ours.run("--version");
    assert!(version.assert_success().stdout.starts_with("fio-3."), "{}", version.stdout);
    assert!(ours.run("--help").assert_success().stdout.contains("json+"));
}

#[test]
fn a_job_whose_blocks_fit_no_file_makes_none() {
    let Some(fio) = need(oracle()) else { return };
    let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
    let line = "--name=p --rw=randwrite --filesize=64k --size=50% --bs=64k";
    let (their, our) = (theirs.run(line), ours.run(line));
    assert_eq!((their.code, our.code), (Some(1), Some(1)), "{}", our.describe("exit code"));
    assert_eq!((theirs.files(), ours.files()), (vec![], vec![]));
}

#[test]
fn failing_jobs_are_counted_in_the_exit_code() {
    let Some(fio) = need(oracle()) else { return };
    let (theirs, ours) = (Sandbox::with(&fio), Sandbox::with(&subject()));
    let Some(device) = need(LoopDevice::new(ours.root(), 4 << 20)) else { return };
    fs::File::options().write(true).open(&device.backing).unwrap().set_len(1 << 20).unwrap();
    let dev = device.text();
    let line =
        format!("--filename={dev} --rw=read --direct=1 --name=a --name=b --name=c --size=512k");
    let (their, our) = (theirs.run(&line), ours.run(&line));
    assert_eq!(their.code, our.code, "{}", our.describe("exit code"));
    assert_eq!(our.code, Some(2), "two of three jobs ran into the end");
}

#[test]
fn a_file_that_jobs_share_is_laid_out_once() {
    let Some(fio) = need(oracle()) else { return };
    let line = "--filename=shared --size=1m --rw=randread --numjobs=3 --name=a --name=b --name=c \
                --size=2m";
    let laid_out = |program: &std::path::Path| -> Vec<String> {
        let outcome = Sandbox::with(program).run(line);
        outcome.assert_ended(0);
        let lines = outcome.stdout.lines().filter(|line| line.contains("Laying out"));
        lines.map(str::to_owned).collect()
    };
    let theirs = laid_out(&fio);
    assert_eq!(theirs.len(), 2, "{theirs:?}");
    assert_eq!(laid_out(&subject()), theirs);
}
