//! What fio 3.33 accepts and refuses, and what it says of it: exit codes, streams, names, options
//! and bytes, beside ours.

use std::fs;

use serde_json::Value;

use crate::devices::{LoopDevice, need, oracle, tool};
use crate::sandbox::{Outcome, Sandbox, subject};

/// A sandbox with fio in it, and one with ours.
fn sandboxes() -> Option<(Sandbox, Sandbox)> {
    let fio = need(oracle())?;
    Some((Sandbox::with(&fio), Sandbox::with(&subject())))
}

/// Runs a command line by both, and compares how it ended.
fn both(sandboxes: &(Sandbox, Sandbox), line: &str) -> (Outcome, Outcome) {
    let (their, our) = (sandboxes.0.run(line), sandboxes.1.run(line));
    our.assert_no_panic();
    assert_eq!(our.code, their.code, "{line}\nfio: {}\nwe: {}", their.stderr, our.stderr);
    (their, our)
}

/// Scripts ask so what the program can do.
#[test]
fn probes_end_as_by_fio() {
    let Some(sandboxes) = sandboxes() else { return };
    sandboxes.0.write("global.fio", "[global]\nioengine=null\nsize=4k\n");
    sandboxes.1.write("global.fio", "[global]\nioengine=null\nsize=4k\n");
    for line in [
        "--parse-only",
        "--parse-only --terse-version=4",
        "--parse-only --terse-version=9",
        "--parse-only --rw=nosuch",
        "--parse-only --ioengine=nosuch",
        "--parse-only --section=none global.fio",
        "--parse-only --name=a --rate=1m --rate_iops=3",
        "--parse-only --debug=nosuch,parse",
        "--showcmd",
        "--cmdhelp=loops",
        "--cmdhelp=nosuch",
        "--enghelp=nosuch",
        "--terse-version=4",
        "global.fio",
    ] {
        both(&sandboxes, line);
    }
    let (their, our) = both(&sandboxes, "--showcmd global.fio");
    assert_eq!(our.stdout.trim(), their.stdout.trim());
    let (their, our) = both(&sandboxes, "--debug=help");
    assert_eq!(our.stdout.trim(), their.stdout.trim());
    let (their, our) = both(&sandboxes, "--enghelp");
    for line in our.stdout.lines().filter(|line| *line != "\tnfs") {
        assert!(their.stdout.lines().any(|theirs| theirs == line), "{line}\n{}", their.stdout);
    }
}

/// Each of fio's lines on standard error begins one of ours, in the same order.
fn same_complaints(their: &Outcome, our: &Outcome) {
    let (theirs, ours): (Vec<&str>, Vec<&str>) =
        (their.stderr.lines().collect(), our.stderr.lines().collect());
    let same = theirs.iter().zip(&ours).all(|(their, our)| our.starts_with(their));
    assert!(same && theirs.len() == ours.len(), "fio: {theirs:#?}\nwe: {ours:#?}");
}

#[test]
fn warnings_are_where_fio_prints_them() {
    let Some(sandboxes) = sandboxes() else { return };
    let list = (1..=21).map(|n| n.to_string()).collect::<Vec<_>>().join(":");
    let job = "--name=a --ioengine=null --size=64k";
    for line in [
        format!("{job} --time_based"),
        format!("{job} --time_based --output-format=json"),
        format!("{job} --rw=randread --blockalign=8k"),
        format!("{job} --rw=read --blockalign=8k"),
        format!("{job} --percentile_list={list}"),
        format!("{job} --debug=nosuch"),
        format!("{job} --time_based --warnings-fatal"),
    ] {
        let (their, mut our) = both(&sandboxes, &line);
        if our.code != Some(0) {
            // The second line of an error is ours alone.
            our.stderr = our.stderr.lines().next().unwrap_or_default().to_owned();
        }
        same_complaints(&their, &our);
    }
    let note = |outcome: &Outcome| {
        let notes = outcome.stdout.lines().filter(|line| line.starts_with("note: both iodepth"));
        notes.map(str::to_owned).collect::<Vec<_>>()
    };
    for engine in ["psync", "mmap", "null"] {
        let line = format!("--name=a --size=64k --iodepth=4 --numjobs=2 --ioengine={engine}");
        let (their, our) = both(&sandboxes, &line);
        assert_eq!(note(&our), note(&their), "{engine}");
    }
    // fio prints it in front of the document.
    let json = sandboxes.1.run("--name=a --size=64k --iodepth=4 --output-format=json");
    json.assert_success();
    json.json();
}

/// The global options, and the name and options of each job.
fn named(document: &Value) -> Value {
    let jobs = document["jobs"].as_array().cloned().unwrap_or_default();
    let job = |job: &Value| Value::from(vec![job["jobname"].clone(), listed(&job["job options"])]);
    Value::from(vec![listed(&document["global options"]), jobs.iter().map(job).collect()])
}

/// Options in their order.
fn listed(options: &Value) -> Value {
    let options = options.as_object().cloned().unwrap_or_default();
    options.into_iter().map(|(name, value)| Value::from(vec![Value::from(name), value])).collect()
}

#[test]
fn jobs_and_their_options_are_named_as_by_fio() {
    let Some(sandboxes) = sandboxes() else { return };
    let files = [
        ("names.fio", "[global]\nname=all\nsize=4k\nioengine=null\n[one]\n[two]\nname=own\n"),
        ("global.fio", "[global]\nsize=2m\n[a]\nioengine=null\nrw=read\n"),
        ("plain.fio", "[a]\nioengine=null\nsize=1m\n"),
        (
            "units.fio",
            "[global]\nbs=4k\nunit_base=8\n[a]\nioengine=null\nfilename=f\nsize=8k\nkb_base=1000\n",
        ),
    ];
    for (name, text) in files {
        sandboxes.0.write(name, text);
        sandboxes.1.write(name, text);
    }
    for line in [
        "names.fio",
        "global.fio --bs=64k",
        "plain.fio --bs=8k",
        "global.fio plain.fio",
        "units.fio",
        "--bs=8k --name=x --ioengine=null --size=1m global.fio",
        "--kb_base=1000 --bs=8k --name=x --ioengine=null --size=64k --unit_base=1",
    ] {
        let (their, our) = both(&sandboxes, &format!("--output-format=json {line}"));
        assert_eq!(named(&our.json()), named(&their.json()), "{line}");
    }
    // fio repeats the key, so that a reader sees the last name only.
    let line = "--name=a --size=12k --filename=x --filename=y --filename=z --output-format=json";
    let files = &sandboxes.1.run(line).json()["jobs"][0]["job options"]["filename"];
    assert_eq!(files, "x:y:z");
}

/// Reads of the first job.
fn reads(outcome: &Outcome) -> Value {
    outcome.assert_success().json()["jobs"][0]["read"]["total_ios"].clone()
}

#[test]
fn values_are_read_as_by_fio() {
    let Some(sandboxes) = sandboxes() else { return };
    if need(tool("bc", &["--version"])).is_none() {
        return;
    }
    for option in [
        "size=8*$mb_memory\nbs=512",
        "size=$mb_memory-3\nbs=4",
        "size=4m\nbs=4*$pagesize",
        "size=64k,",
        "size=1m\nbs=4k-512k",
        "size=64k\nioengine=linuxaio\nfilename=here",
        "size=64k\nthreads=1",
    ] {
        let text = format!("[a]\nioengine=null\n{option}\n");
        sandboxes.0.write("job.fio", &text);
        sandboxes.1.write("job.fio", &text);
        let (their, our) = both(&sandboxes, "--output-format=json job.fio");
        assert_eq!(reads(&our), reads(&their), "{option}");
    }
}

#[test]
fn all_of_a_device_and_of_a_file() {
    let Some(sandboxes) = sandboxes() else { return };
    let Some(device) = need(LoopDevice::new(sandboxes.1.root(), 1 << 20)) else { return };
    let job =
        format!("--name=a --rw=read --bs=64k --output-format=json --filename={}", device.text());
    for size in ["0", "0%", "0k", "125%", "100%"] {
        let (their, our) = both(&sandboxes, &format!("{job} --size={size}"));
        assert_eq!(reads(&our), reads(&their), "size={size}");
        assert_eq!(reads(&our), 16, "size={size}");
    }
    // fio 3.33 would empty the file.
    sandboxes.1.write("file", vec![0; 1 << 20]);
    let our = sandboxes.1.run("--name=a --bs=64k --output-format=json --filename=file --size=125%");
    assert_eq!(reads(&our), 16);
    assert_eq!(sandboxes.1.files(), [("file".to_owned(), 1 << 20)]);
    both(&sandboxes, "--name=a --filename=missing --size=0");
}

#[test]
fn logs_without_a_prefix_are_named_after_the_job() {
    let Some(sandboxes) = sandboxes() else { return };
    let text =
        "[global]\nioengine=null\nsize=64k\nwrite_bw_log\nwrite_lat_log\n[a]\n[b]\nname=own\n";
    sandboxes.0.write("job.fio", text);
    sandboxes.1.write("job.fio", text);
    both(&sandboxes, "job.fio");
    let names = |sandbox: &Sandbox| -> Vec<String> {
        sandbox.files().into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(&sandboxes.1), names(&sandboxes.0));
}

/// The bytes that both write.
#[test]
fn patterns_are_read_as_by_fio() {
    let Some(sandboxes) = sandboxes() else { return };
    sandboxes.0.write("text", "abcdef");
    sandboxes.1.write("text", "abcdef");
    for pattern in
        ["\"abcd\"-120xdeadface", "'text'", "0xff'text'\"x\"", "1-1", "'none'", "'text", ""]
    {
        let line = format!(
            "--name=a --filename=f --rw=write --bs=64 --size=64 --buffer_pattern={pattern}"
        );
        both(&sandboxes, &line);
        let bytes = |sandbox: &Sandbox| fs::read(sandbox.work().join("f")).ok();
        assert_eq!(bytes(&sandboxes.1), bytes(&sandboxes.0), "{pattern}");
    }
}
