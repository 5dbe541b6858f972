//! Figures of the loop where an option decides whether they exist, and what they cover: beside
//! fio 3.33, on the same jobs.

use crate::devices::{LoopDevice, need, oracle};
use crate::sandbox::{Outcome, Sandbox, parse_document, subject};
use serde_json::{Value, json};
use std::fs;

/// Runs a line by fio and by the binary under test, which end with the same code.
fn by_both(line: &str) -> Option<[(Sandbox, Outcome); 2]> {
    let fio = need(oracle())?;
    let [theirs, ours] = [fio, subject()].map(|program| {
        let sandbox = Sandbox::with(&program);
        let outcome = sandbox.run(line);
        (sandbox, outcome)
    });
    assert_eq!(theirs.1.code, ours.1.code, "{}", ours.1.describe("exit code"));
    Some([theirs, ours])
}

/// The jobs of a document, before which fio prints errors on standard output.
fn jobs(outcome: &Outcome) -> Vec<Value> {
    let begin = outcome.stdout.find("{\n").unwrap_or(0);
    let document = parse_document(&outcome.stdout[begin..]);
    let document = document.unwrap_or_else(|why| panic!("{}", outcome.describe(&why)));
    document["jobs"].as_array().expect("jobs").clone()
}

/// Which figures of a job's reads are there.
fn present(job: &Value) -> Value {
    let read = &job["read"];
    let latency = |kind: &str| {
        let of = &read[kind];
        (of["N"].as_u64() > Some(0), of.get("percentile").is_some())
    };
    let some = |key: &str| read[key].as_f64() > Some(0.0);
    json!({
        "bw": [some("bw_samples"), some("bw_min"), some("bw_max"), some("bw_mean")],
        "iops": [some("iops_samples"), some("iops_min"), some("iops_max"), some("iops_mean")],
        "slat": latency("slat_ns"), "clat": latency("clat_ns"), "lat": latency("lat_ns"),
    })
}

/// The logs of a job, and whether each has lines.
fn logs(sandbox: &Sandbox, job: &str) -> Vec<(String, bool)> {
    let files = sandbox.files().into_iter();
    let of_job = files.filter(|(name, _)| name.starts_with(&format!("{job}_")));
    of_job.map(|(name, size)| (name, size > 0)).collect()
}

/// What switches off measurements leaves all others alone, kubestr's `gtod_reduce` too: the jobs of
/// all combinations side by side, each with logs of each I/O, with logs by windows, and without.
#[test]
fn what_is_switched_off_takes_nothing_else_along() {
    let mut line = "--output-format=json --ioengine=libaio --rw=read --size=1m --rate_iops=200 \
                    --time_based --runtime=1 --bwavgtime=100 --iopsavgtime=100"
        .to_owned();
    let off = "disable_lat=1 disable_clat=1 disable_slat=1";
    let mut names = Vec::new();
    for (kind, log) in [("none", ""), ("each", "0"), ("window", "100")] {
        for (at, options) in [
            "gtod_reduce=1".to_owned(),
            "gtod_reduce=1 disable_bw=0".to_owned(),
            "gtod_reduce=1 disable_lat=0".to_owned(),
            "gtod_reduce=1 disable_clat=0".to_owned(),
            "disable_bw=1".to_owned(),
            off.to_owned(),
            format!("{off} disable_bw=1"),
        ]
        .iter()
        .enumerate()
        {
            let name = format!("{kind}{at}");
            line += &format!(" --name={name}");
            line += &options.split(' ').map(|option| format!(" --{option}")).collect::<String>();
            if !log.is_empty() {
                line += &format!(" --write_bw_log={name} --write_iops_log={name}");
                line += &format!(" --write_lat_log={name} --log_avg_msec={log}");
            }
            names.push(name);
        }
    }
    let Some([theirs, ours]) = by_both(&line) else { return };
    let mut faults = Vec::new();
    for ((name, their), our) in names.iter().zip(jobs(&theirs.1)).zip(jobs(&ours.1)) {
        let (their, our) = (present(&their), present(&our));
        if their != our {
            faults.push(format!("{name}: fio {their}, we {our}"));
        }
        let (their, our) = (logs(&theirs.0, name), logs(&ours.0, name));
        if their != our {
            faults.push(format!("{name}: fio's logs {their:?}, ours {our:?}"));
        }
    }
    assert!(faults.is_empty(), "{}\n{line}", faults.join("\n"));
}

/// kubestr's job prints these figures, and people read these lines.
#[test]
fn a_job_shaped_like_kubestrs_has_both_lines_of_samples() {
    let ours = Sandbox::new();
    let outcome = ours.run(
        "--gtod_reduce=1 --name=a --ioengine=libaio --rw=randrw --bs=4k --size=64m --time_based \
         --runtime=2 --direct=1 --filename=ff --output-format=json,normal",
    );
    let text = &outcome.assert_success().stdout;
    for begin in ["   bw (", "   iops        :"] {
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with(begin)).collect();
        assert_eq!(lines.len(), 2, "{text}");
        for figure in ["min=", "max=", "avg="] {
            let value = |line: &str| {
                let (_, rest) = line.split_once(figure)?;
                rest.split(',').next()?.trim().parse::<f64>().ok()
            };
            assert!(lines.iter().all(|line| value(line) > Some(0.0)), "{figure} {lines:?}");
        }
    }
}

/// The results are those of the depth that was found, unless the job goes on. The search takes three
/// windows or more, so its results lack more than a second of the runtime, even if a busy machine
/// ends the job late.
#[test]
fn a_latency_target_reports_the_depth_it_found() {
    for (more, reports_search) in [("", false), (" --latency_run=1", true)] {
        let line = format!(
            "--output-format=json --name=a --rw=randread --bs=4k --size=16m --ioengine=libaio \
             --direct=1 --iodepth=8 --latency_target=20s --latency_window=400ms --runtime=4 \
             --time_based{more}"
        );
        let Some(both) = by_both(&line) else { return };
        for (who, (_, outcome)) in ["fio", "we"].iter().zip(&both) {
            let job = &jobs(outcome)[0];
            assert_eq!((&job["latency_depth"], &job["error"]), (&json!(8), &json!(0)), "{who}");
            let runtime = job["read"]["runtime"].as_u64().unwrap();
            assert_eq!(runtime >= 3900, reports_search, "{who}: {runtime} ms");
        }
    }
}

/// A job that meets its minimum with less than one I/O in each second.
#[test]
fn a_slow_job_may_meet_its_minimum_rate() {
    let ours = Sandbox::new();
    let outcome = ours.run(
        "--name=a --ioengine=null --rw=read --bs=64k --size=1m --rate=40k --rate_min=20k \
         --time_based --runtime=6",
    );
    outcome.assert_success();
}

fn errors(job: &Value) -> Value {
    let figures = |dir: &str| {
        let of = &job[dir];
        [&of["total_ios"], &of["io_bytes"], &of["clat_ns"]["N"], &of["lat_ns"]["N"]]
            .map(Value::clone)
    };
    json!({
        "error": job["error"], "total_err": job["total_err"], "first_error": job["first_error"],
        "read": figures("read"), "write": figures("write"),
        "no time": [job["read"]["runtime"] == 0, job["write"]["runtime"] == 0],
    })
}

/// Which errors end a job, which are counted, and what its results and its exit code say.
#[test]
fn errors_count_and_end_a_job_as_in_fio() {
    let folder = Sandbox::new();
    let Some(device) = need(LoopDevice::new(folder.root(), 1 << 20)) else { return };
    fs::File::options().write(true).open(&device.backing).unwrap().set_len(512 << 10).unwrap();
    let full = "--filename=/dev/full --rw=write --size=64k".to_owned();
    let broken = format!("--filename={} --rw=read --bs=64k --size=1m", device.text());
    let mut faults = Vec::new();
    for (job, more) in [
        (&full, ""),
        (&full, "--continue_on_error=all"),
        (&full, "--ignore_error=,ENOSPC"),
        (&full, "--ignore_error=,EIO"),
        (&full, "--ignore_error=ENOSPC"),
        (&full, "--ignore_error=,ENOSPC --continue_on_error=none"),
        (&full, "--continue_on_error=all --ioengine=libaio"),
        (&broken, ""),
        (&broken, "--continue_on_error=all"),
        (&broken, "--continue_on_error=write"),
        (&broken, "--continue_on_error=all --direct=1 --ioengine=libaio --iodepth=8"),
        (&broken, "--continue_on_error=all --thinktime=1"),
        (&broken, "--continue_on_error=all --ignore_error=ENOSPC"),
        (&broken, "--ignore_error=EIO"),
    ] {
        let line = format!("--output-format=json --name=a {job} {more}");
        let Some([theirs, ours]) = by_both(&line) else { return };
        let (their, our) = (errors(&jobs(&theirs.1)[0]), errors(&jobs(&ours.1)[0]));
        if their != our {
            faults.push(format!("{more}: fio {their}, we {our}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Progress would be inside of the document.
#[test]
fn progress_is_shown_beside_documents_only_where_it_is_apart() {
    let job = "--eta=always --name=a --ioengine=null --size=1g --rate_iops=100 --time_based \
               --runtime=3";
    for (form, is_shown) in [
        ("--output-format=json", false),
        ("--minimal", false),
        ("--output-format=json --output=out", true),
        ("--output-format=json,normal", true),
        ("--append-terse", true),
    ] {
        let Some(both) = by_both(&format!("{job} {form}")) else { return };
        for (who, (_, outcome)) in ["fio", "we"].iter().zip(&both) {
            assert_eq!(outcome.stdout.contains("Jobs: 1 (f="), is_shown, "{who}: {form}");
        }
    }
}
