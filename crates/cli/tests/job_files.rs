//! What jobs leave of their files, by fio 3.33 and by us: nothing is written, made longer or punched
//! that fio leaves alone, and no more files are open than a job says.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::devices::{need, oracle};
use crate::sandbox::{Sandbox, subject};

const KIB: usize = 1024;

/// Jobs over a file that has so many KiB before (0: that is not there).
const JOBS: &[(usize, &str)] = &[
    (64, "rw=read size=100% offset=32k"),
    (64, "rw=write size=75% offset=50%"),
    (64, "rw=write size=33% offset=33%"),
    (64, "rw=read size=50% offset_increment=50% numjobs=2"),
    (64, "rw=write size=100% offset=32k offset_increment=16k numjobs=2"),
    (64, "rw=read size=100% offset=32k io_size=75%"),
    (64, "rw=write size=50% io_size=128k"),
    (64, "rw=read offset=32k"),
    (64, "rw=read filesize=96k size=50%"),
    (64, "rw=read filesize=96k size=75% offset=50%"),
    (64, "rw=read filesize=96k offset=50%"),
    (64, "rw=write filesize=32k size=96k"),
    (64, "rw=read size=96k offset=10%"),
    (64, "rw=read size=32k offset=60k"),
    (64, "rw=trim size=64k"),
    (64, "rw=randtrim ioengine=libaio iodepth=4"),
    (64, "rw=trimwrite ioengine=io_uring iodepth=4"),
    (64, "rw=trim ioengine=mmap"),
    (0, "rw=trim size=64k fallocate=none"),
    (0, "rw=write size=50% filesize=64k"),
    (0, "rw=read size=32k filesize=64k offset=48k"),
    (0, "rw=write size=64k io_size=16k fallocate=none"),
    (0, "rw=write size=64k io_size=16k fallocate=keep"),
    (0, "rw=write size=64k io_size=16k"),
    (0, "rw=write size=64k io_size=16k create_on_open=1"),
    (0, "rw=write size=64k io_size=16k ioengine=mmap fallocate=none"),
    (0, "rw=read size=64k create_only=1"),
    (0, "rw=write size=64k unlink=1"),
    (16, "rw=write size=64k io_size=16k fallocate=none ioengine=mmap"),
    (16, "rw=write size=64k io_size=8k fallocate=truncate"),
];

/// Command lines over a file of 64 KiB that no program runs as a whole.
const REFUSED: &[&str] = &[
    "--rw=write --size=100% --offset=100%",
    "--rw=read --size=50% --offset_increment=50% --numjobs=3",
    "--rw=write --size=100% --offset=70k",
    "--rw=read --size=1%",
];

/// Bytes that are no zeros.
fn content(kib: usize) -> Vec<u8> {
    (0..kib * KIB).map(|at| (at % 251 + 1) as u8).collect()
}

/// What a job left.
#[derive(Debug, PartialEq)]
struct Left {
    error: u64,
    /// Reads, writes and trims, of all clones.
    bytes: [u64; 3],
    /// None if there is no file.
    len: Option<u64>,
    /// Whether bytes that were there before are no longer the same.
    is_changed: bool,
}

impl Left {
    fn of(work: &Path, number: usize, before: usize, jobs: &Value) -> Left {
        let name = number.to_string();
        let (mut error, mut bytes) = (0, [0; 3]);
        let jobs = jobs["jobs"].as_array().expect("jobs");
        for job in jobs.iter().filter(|job| job["jobname"] == name.as_str()) {
            error = job["error"].as_u64().unwrap_or(0).max(error);
            for (sum, direction) in bytes.iter_mut().zip(["read", "write", "trim"]) {
                *sum += job[direction]["io_bytes"].as_u64().unwrap_or(0);
            }
        }
        let now = fs::read(work.join(name).join("f")).ok();
        let is_changed = now.as_ref().is_none_or(|now| !now.starts_with(&content(before)));
        Left { error, bytes, len: now.map(|now| now.len() as u64), is_changed }
    }
}

/// Runs all jobs at once, each in a folder of its own.
fn run_all(program: &Path) -> Vec<Left> {
    let sandbox = Sandbox::with(program);
    let mut text = "[global]\nbs=4k\n".to_owned();
    for (number, (before, options)) in JOBS.iter().enumerate() {
        let folder = sandbox.work().join(number.to_string());
        fs::create_dir(&folder).unwrap();
        if *before > 0 {
            fs::write(folder.join("f"), content(*before)).unwrap();
        }
        let options = options.replace(' ', "\n");
        text.push_str(&format!("[{number}]\nfilename={number}/f\n{options}\n"));
    }
    sandbox.write("jobs.fio", text);
    // On its standard output fio writes errors before the document.
    let run = sandbox.run("--output-format=json --output=out.json jobs.fio");
    let text = fs::read_to_string(sandbox.work().join("out.json")).unwrap_or_default();
    let document = text.find('{').map(|at| &text[at..]).unwrap_or_default();
    let json = serde_json::from_str(document);
    let json = json.unwrap_or_else(|why| panic!("{}", run.describe(&format!("{why}: {text}"))));
    let left = |(number, (before, _)): (usize, &(usize, &str))| {
        Left::of(&sandbox.work(), number, *before, &json)
    };
    JOBS.iter().enumerate().map(left).collect()
}

#[test]
fn files_are_left_as_by_fio() {
    let Some(fio) = need(oracle()) else { return };
    let (theirs, ours) = (run_all(&fio), run_all(&subject()));
    let mut faults = Vec::new();
    for ((their, our), (before, options)) in theirs.into_iter().zip(ours).zip(JOBS) {
        // fio writes a file that it makes longer anew; we keep what is there.
        let kept = their.is_changed && our.bytes[1] == 0;
        let expected = Left { is_changed: their.is_changed && !kept, ..their };
        if our != expected && !(kept && *before == 0) {
            faults.push(format!("{before} KiB, {options}: fio {expected:?}, we {our:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_has_no_room_is_refused_and_the_file_stays() {
    let Some(fio) = need(oracle()) else { return };
    for line in REFUSED {
        for program in [&fio, &subject()] {
            let sandbox = Sandbox::with(program);
            let file = sandbox.write("f", content(64));
            let run = sandbox.run(&format!("--name=t --filename=f --bs=4k {line}"));
            assert_eq!(run.code, Some(1), "{}", run.describe(line));
            assert!(fs::read(&file).unwrap() == content(64), "{}", run.describe(line));
        }
    }
}

#[test]
fn a_part_of_a_file_is_read_without_permission_to_write() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("f", content(64));
    let line = "--readonly --name=t --filename=f --rw=read --size=100% --offset=32k";
    let run = sandbox.run(line);
    run.assert_success();
    assert!(run.stdout.contains("issued rwts: total=8,0,0,0"), "{}", run.describe(line));
    assert!(fs::read(&file).unwrap() == content(64));
}

#[test]
fn a_trim_of_a_file_says_what_can_be_trimmed() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("f", content(64));
    let run = sandbox.run("--output-format=json --name=t --filename=f --rw=trim");
    assert_eq!(run.code, Some(1));
    assert_eq!(run.json()["jobs"][0]["error"], 25, "{}", run.describe("ENOTTY"));
    assert!(run.stderr.contains("only devices can be trimmed"), "{}", run.describe("advice"));
    assert!(fs::read(&file).unwrap() == content(64));
}

/// With 64 descriptors; `fio` is the program.
#[test]
fn hundreds_of_files_need_few_descriptors() {
    let sandbox = Sandbox::new();
    for engine in ["psync", "sync", "libaio", "io_uring", "posixaio", "mmap"] {
        let run = sandbox.shell(&format!(
            "ulimit -n 64; fio --name={engine} --ioengine={engine} --iodepth=4 --rw=randwrite --bs=4k \
             --filesize=8k --nrfiles=200 --openfiles=5 --fsync_on_close=1 --end_fsync=1"
        ));
        run.assert_success();
        assert!(run.stdout.contains("issued rwts: total=0,400,0,0"), "{}", run.describe(engine));
    }
    let files = sandbox.files();
    assert_eq!(files.len(), 6 * 200);
    assert!(files.iter().all(|(_, len)| *len == 8192), "{files:?}");
    // One file after another needs no openfiles, and time goes on over several passes.
    let run = sandbox.shell(
        "ulimit -n 64; fio --name=psync --rw=read --bs=4k --filesize=8k --nrfiles=200 --loops=2 \
         --file_service_type=sequential",
    );
    run.assert_success();
    assert!(run.stdout.contains("issued rwts: total=800,0,0,0"), "{}", run.describe("loops"));
    let run = sandbox.shell(
        "ulimit -n 64; fio --name=psync --rw=read --bs=4k --filesize=8k --nrfiles=200 || echo $?",
    );
    assert!(run.stdout.ends_with("1\n"), "{}", run.describe("too many"));
    assert!(run.stderr.contains("openfiles="), "{}", run.describe("advice"));
}
