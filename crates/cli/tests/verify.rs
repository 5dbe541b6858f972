//! Verification, crosswise with fio: what it wrote is verified here, what was written here it
//! verifies; jobs verify what they wrote themselves; and a block that was changed is found.

use crate::devices::{need, oracle};
use crate::sandbox::{Outcome, Sandbox};
use std::fs;
use std::path::Path;

/// All methods that fio 3.33 has, with what else they need.
const METHODS: &[&str] = &[
    "verify=md5",
    "verify=crc64",
    "verify=crc32",
    "verify=crc32c",
    "verify=crc32c-intel",
    "verify=crc16",
    "verify=crc7",
    "verify=sha1",
    "verify=sha256",
    "verify=sha512",
    "verify=sha3-224",
    "verify=sha3-256",
    "verify=sha3-384",
    "verify=sha3-512",
    "verify=xxhash",
    "verify=meta",
    "verify=null",
    "verify=pattern verify_pattern=0xdeadbeef",
    "verify=pattern verify_pattern=%o",
    "verify=pattern verify_pattern=\"abcd\"-120%o0xdeadface",
    "verify=crc32c verify_pattern=\"xyz\"%o",
    // A pattern alone: a header and the pattern.
    "verify_pattern=0x010203",
];

/// How a file is written, and how it is read. Blocks of several sizes have headers of one size.
const LAYOUTS: &[(&str, &str)] = &[
    ("rw=write bs=4k", "rw=read bs=4k"),
    ("rw=randwrite bs=4k", "rw=randread bs=4k"),
    ("rw=randwrite bs=2k", "rw=read bs=2k"),
    ("rw=write bs=8k verify_interval=512", "rw=randread bs=2k verify_interval=512"),
    ("rw=write bs=4k verify_offset=512", "rw=read bs=4k verify_offset=512"),
    ("rw=write bs=1000 verify_interval=512", "rw=read bs=1000 verify_interval=512"),
    ("rw=randwrite bsrange=1k-8k verify_interval=1k", "rw=read bs=1k verify_interval=1k"),
    ("rw=write bssplit=4k/50:8k/50 verify_interval=2k", "rw=read bs=8k verify_interval=2k"),
    ("rw=randwrite bs=4k nrfiles=3", "rw=randread bs=4k nrfiles=3"),
    ("rw=write bs=4k numjobs=2", "rw=read bs=4k numjobs=2"),
    ("rw=randwrite bs=4k iodepth=8 ioengine=libaio", "rw=read bs=4k iodepth=8 ioengine=libaio"),
    ("rw=write bs=4k ioengine=mmap", "rw=read bs=4k ioengine=mmap"),
];

/// Blocks as patterns with offsets are read in the size in which they are written.
fn suits(method: &str, (write, read): (&str, &str)) -> bool {
    let size = |line: &str| line.split(' ').nth(1).map(str::to_owned);
    !method.contains("pattern") || size(write) == size(read)
}

/// Runs a job of some options in the sandbox.
fn job(sandbox: &Sandbox, program: &Path, options: &str) -> Outcome {
    let fixed = ["--name=j", "--size=48k", "--output-format=json"].map(str::to_owned);
    let given = options.split(' ').map(|option| format!("--{option}"));
    let args: Vec<String> = fixed.into_iter().chain(given).collect();
    sandbox.start_program(program, &args).finish()
}

fn clear(sandbox: &Sandbox) {
    for (name, _) in sandbox.files() {
        fs::remove_file(sandbox.work().join(name)).unwrap();
    }
}

/// The data files of the sandbox's jobs.
fn data(sandbox: &Sandbox) -> Vec<String> {
    let names = sandbox.files().into_iter().map(|(name, _)| name);
    names.filter(|name| name.starts_with("j.")).collect()
}

/// Each method with one layout, and each layout with one method.
fn pairs() -> impl Iterator<Item = (&'static str, (&'static str, &'static str))> {
    (0..METHODS.len().max(LAYOUTS.len()) * 2)
        .map(|n| (METHODS[n % METHODS.len()], LAYOUTS[(n + n / METHODS.len()) % LAYOUTS.len()]))
        .filter(|(method, layout)| suits(method, *layout))
}

#[test]
fn each_verifies_what_the_other_wrote() {
    let Some(fio) = need(oracle()) else { return };
    let sandbox = Sandbox::new();
    let ours = sandbox.fio();
    for (method, (write, read)) in pairs() {
        for (writer, reader) in [(&fio, &ours), (&ours, &fio)] {
            clear(&sandbox);
            let written = job(&sandbox, writer, &format!("{write} {method} do_verify=0"));
            written.assert_ended(0);
            let verified = job(&sandbox, reader, &format!("{read} {method}"));
            verified.assert_ended(0);
            assert_eq!(verified.json()["jobs"][0]["error"], 0, "{}", verified.shown);
        }
    }
}

#[test]
fn a_changed_byte_is_found_whoever_wrote_it() {
    let sandbox = Sandbox::new();
    let ours = sandbox.fio();
    let mut writers = vec![ours.clone()];
    writers.extend(need(oracle()));
    for (number, (method, (write, read))) in pairs().enumerate() {
        // These have no sum over all of the data.
        if ["null", "meta", "sha512"].iter().any(|weak| method.ends_with(weak)) {
            continue;
        }
        for writer in &writers {
            clear(&sandbox);
            job(&sandbox, writer, &format!("{write} {method} do_verify=0")).assert_ended(0);
            let name = &data(&sandbox)[0];
            let path = sandbox.work().join(name);
            let mut bytes = fs::read(&path).unwrap();
            let at = (number * 7919 + 1) % (bytes.len() / 4 * 3);
            bytes[at] ^= 0x10;
            fs::write(&path, bytes).unwrap();
            let verified = job(&sandbox, &ours, &format!("{read} {method}"));
            assert_eq!(verified.code, Some(1), "byte {at}: {}", verified.describe("unnoticed"));
            let errors = verified.json()["jobs"].as_array().unwrap().clone();
            assert!(errors.iter().any(|job| job["error"] == 84), "{}", verified.shown);
            assert!(verified.stderr.contains(&format!("file {name}")), "{}", verified.stderr);
        }
    }
}

/// Jobs without a false alarm, also where fio has or had some.
#[test]
fn jobs_verify_what_they_wrote() {
    let sandbox = Sandbox::new();
    for options in [
        "rw=write bs=4k",
        "rw=randwrite bs=4k ioengine=libaio iodepth=16",
        "rw=randwrite bs=1k norandommap ioengine=libaio iodepth=16",
        "rw=randwrite bs=1k norandommap ioengine=io_uring iodepth=16",
        "rw=randwrite bs=1k norandommap ioengine=posixaio iodepth=16",
        "rw=randwrite bsrange=512-8k norandommap ioengine=libaio iodepth=8",
        "rw=randwrite bsrange=1k-4k bs_unaligned",
        "rw=randwrite bssplit=1k/50:4k/50",
        "rw=randwrite:4 bs=1k",
        "rw=write:4k bs=1k",
        "rw=randwrite bs=1k percentage_random=30",
        "rw=randrw bs=1k loops=3 ioengine=libaio iodepth=4",
        "rw=randwrite bs=1k io_size=200k",
        "rw=randwrite bs=1k random_distribution=zipf:1.2 number_ios=100",
        "rw=write bs=4k numjobs=3 nrfiles=2",
        "rw=write bs=4k nrfiles=4 file_service_type=sequential openfiles=1",
        "rw=write bs=4k time_based runtime=300ms",
        "rw=write bs=4k ramp_time=100ms time_based runtime=100ms",
        "rw=write bs=4k rate_iops=200 fsync=3 end_fsync=1",
        "rw=write bs=4k thinktime=1ms",
        "rw=write bs=4k ioengine=mmap",
        "rw=write bs=4k zero_buffers",
        "rw=randwrite bs=4k refill_buffers buffer_compress_percentage=50",
        "rw=randwrite bs=4k verify_pattern=0xff%o gtod_reduce=1",
        "rw=randwrite bs=4k direct=1 ioengine=libaio iodepth=4",
    ] {
        for backlog in ["", " verify_backlog=5", " verify_backlog=6 verify_backlog_batch=2"] {
            clear(&sandbox);
            let options = format!("verify=crc32c {options}{backlog}");
            let outcome = job(&sandbox, &sandbox.fio(), &options);
            outcome.assert_ended(0);
            for job in outcome.json()["jobs"].as_array().unwrap() {
                assert_eq!(job["error"], 0, "{options}");
                let reads = job["read"]["total_ios"].as_u64().unwrap();
                assert!(reads > 0, "{options}: nothing was read back");
            }
        }
    }
}

/// The directions of a job's I/Os in the order in which they completed, such as `wwr`.
fn order(sandbox: &Sandbox, options: &str) -> String {
    clear(sandbox);
    let outcome = job(sandbox, &sandbox.fio(), &format!("{options} debug=io"));
    outcome.assert_ended(0);
    let lines = outcome.stdout.lines().chain(outcome.stderr.lines());
    let dirs = lines.filter_map(|line| match line.split("ddir=").nth(1)?.as_bytes().first()? {
        b'0' => Some('r'),
        _ => Some('w'),
    });
    dirs.collect()
}

/// As fio 3.33 does it: after so many writes the oldest are read, and the rest at the end.
#[test]
fn a_backlog_is_read_back_while_the_job_writes() {
    let sandbox = Sandbox::new();
    let job = "rw=randwrite bs=4k verify=crc32c";
    assert_eq!(order(&sandbox, job), "wwwwwwwwwwwwrrrrrrrrrrrr");
    assert_eq!(order(&sandbox, &format!("{job} verify_backlog=5")), "wwwwwrrrrrwwwwwrrrrrwwrr");
    let few = format!("{job} verify_backlog=4 verify_backlog_batch=2");
    assert_eq!(order(&sandbox, &few), "wwwwrrwwrrwwrrwwrrwwrrrr");
    let paced = format!("{job} verify_backlog=6 rate_iops=1000");
    assert_eq!(order(&sandbox, &paced), "wwwwwwrrrrrrwwwwwwrrrrrr");
}

/// What is read back has no due time, though the rate is one of reads too.
#[test]
fn what_is_read_back_counts_in_no_response_time() {
    let sandbox = Sandbox::new();
    let job = "--name=j --rw=write --bs=4k --size=200k --rate_iops=1000 --verify=crc32c";
    for backlog in ["", " --verify_backlog=9"] {
        let outcome = sandbox.fathom(&format!("run {job}{backlog} --json"));
        outcome.assert_ended(0);
        let result = &outcome.json()["result"]["jobs"][0];
        assert_eq!(result["dirs"]["read"]["total_ios"], 50, "{}", outcome.shown);
        let response = &result["open_loop"]["response"];
        let counts = ["read", "write"].map(|dir| response[dir]["moments"]["count"].as_u64());
        assert_eq!(counts, [Some(0), Some(50)], "{}", outcome.shown);
    }
}

/// What an earlier run wrote is read and not written, whoever wrote it.
#[test]
fn an_earlier_run_is_verified_without_writing() {
    let sandbox = Sandbox::new();
    let ours = sandbox.fio();
    let mut writers = vec![ours.clone()];
    writers.extend(need(oracle()));
    for options in ["rw=write bs=4k verify=crc32c", "rw=randwrite bs=2k verify=md5 loops=2"] {
        for writer in &writers {
            clear(&sandbox);
            job(&sandbox, writer, options).assert_ended(0);
            let path = sandbox.work().join("j.0.0");
            let written = fs::read(&path).unwrap();
            let verified = job(&sandbox, &ours, &format!("{options} verify_only"));
            verified.assert_ended(0);
            let figures = &verified.json()["jobs"][0];
            assert_eq!(figures["write"]["total_ios"], 0, "{options}");
            assert!(figures["read"]["total_ios"].as_u64().unwrap() >= 12, "{options}");
            assert_eq!(fs::read(&path).unwrap(), written, "{options}");
            let mut changed = written;
            changed[5000] ^= 1;
            fs::write(&path, changed).unwrap();
            let verified = job(&sandbox, &ours, &format!("{options} verify_only"));
            assert_eq!(verified.json()["jobs"][0]["error"], 84, "{}", verified.shown);
        }
    }
    // With nothing to verify by, nothing is done.
    let idle = job(&sandbox, &ours, "rw=write bs=4k verify_only");
    idle.assert_ended(0);
    assert_eq!(idle.json()["jobs"][0]["write"]["total_ios"], 0, "{}", idle.shown);
}

#[test]
fn errors_of_verification_are_counted_where_they_end_no_job() {
    let sandbox = Sandbox::new();
    let ours = sandbox.fio();
    job(&sandbox, &ours, "rw=write bs=4k verify=crc32c do_verify=0").assert_ended(0);
    let path = sandbox.work().join("j.0.0");
    let mut bytes = fs::read(&path).unwrap();
    bytes[5000] ^= 1;
    bytes[9000] ^= 1;
    fs::write(&path, bytes).unwrap();
    let read = |more: &str| {
        job(&sandbox, &ours, &format!("rw=read bs=4k verify=crc32c{more}")).json()["jobs"][0]
            .clone()
    };
    let first = read("");
    assert_eq!((&first["error"], &first["read"]["total_ios"]), (&84.into(), &2.into()));
    let all = read(" continue_on_error=verify");
    assert_eq!((&all["error"], &all["read"]["total_ios"]), (&84.into(), &12.into()));
    assert_eq!((&all["total_err"], &all["first_error"]), (&2.into(), &84.into()));
    let fatal = read(" continue_on_error=verify verify_fatal=1");
    assert_eq!((&fatal["total_err"], &fatal["read"]["total_ios"]), (&1.into(), &2.into()));
}

/// A trace without its times.
fn trace(sandbox: &Sandbox, name: &str) -> Vec<String> {
    let text = fs::read_to_string(sandbox.work().join(name)).unwrap();
    let untimed = |line: &str| match line.split_once(' ') {
        Some((time, rest)) if time.parse::<u64>().is_ok() => rest.to_owned(),
        _ => line.to_owned(),
    };
    text.lines().map(untimed).collect()
}

#[test]
fn a_trace_has_each_io_and_fio_replays_it() {
    let sandbox = Sandbox::new();
    let ours = sandbox.fio();
    job(&sandbox, &ours, "rw=write bs=16k fsync=2 write_iolog=short").assert_ended(0);
    let lines = [
        "fio version 3 iolog",
        "j.0.0 add",
        "j.0.0 open",
        "j.0.0 write 0 16384",
        "j.0.0 write 16384 16384",
        "j.0.0 sync 0 0",
        "j.0.0 write 32768 16384",
        "j.0.0 close",
    ];
    assert_eq!(trace(&sandbox, "short"), lines);

    let mixed = "rw=randrw bs=1k-4k ioengine=libaio iodepth=4 nrfiles=2 numjobs=2 write_iolog=long";
    let outcome = job(&sandbox, &ours, mixed);
    outcome.assert_ended(0);
    let json = outcome.json();
    let jobs = json["jobs"].as_array().unwrap();
    let count =
        |dir: &str| -> u64 { jobs.iter().map(|job| job[dir]["total_ios"].as_u64().unwrap()).sum() };
    let lines = trace(&sandbox, "long");
    for dir in ["read", "write"] {
        let of_dir = lines.iter().filter(|line| line.contains(&format!(" {dir} "))).count();
        assert_eq!(of_dir as u64, count(dir), "{dir}");
    }
    assert_eq!(lines.iter().filter(|line| line.starts_with("fio version")).count(), 1);
    let Some(fio) = need(oracle()) else { return };
    let replay = ["--name=r", "--read_iolog=long", "--replay_no_stall=1", "--output-format=json"];
    let replayed = sandbox.start_program(&fio, &replay.map(str::to_owned)).finish();
    replayed.assert_ended(0);
    for dir in ["read", "write"] {
        assert_eq!(replayed.json()["jobs"][0][dir]["total_ios"], count(dir), "{dir}");
    }
}
