//! Verdicts against causes that the test itself made: a cache, memory, limits of the kernel's, a
//! burst, a stall. Each on a device of its own, which nobody else uses.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::devices::{DeviceCounters, LoopDevice, Mount, Throttle, need, tool};
use crate::quiet::on_a_quiet_machine;
use crate::sandbox::{HANG, Outcome, Running, Sandbox, parse_document, subject, without_breaks};

/// `fathom LINE`, in a group of processes that `door` leads into.
fn start(sandbox: &Sandbox, door: Option<&str>, line: &str) -> Running {
    let join = door.map(|door| format!("echo $$ > {door}; ")).unwrap_or_default();
    let (home, program) = (sandbox.home(), subject());
    let script =
        format!("{join}export FATHOM_HOME={}; exec {} {line}", home.display(), program.display());
    sandbox.start_program("/bin/sh", &["-c", &script])
}

fn run(sandbox: &Sandbox, line: &str) -> Outcome {
    let outcome = start(sandbox, None, line).finish();
    outcome.assert_ended(0);
    outcome
}

/// The findings on one question, of all groups.
fn findings(document: &Value, question: &str) -> Vec<Value> {
    let groups = document["groups"].as_array().expect("groups").iter();
    let verdicts = groups.flat_map(|group| group["verdicts"].as_array().expect("verdicts"));
    let about = verdicts.filter(|verdict| verdict["question"] == question);
    about.map(|verdict| verdict["finding"].clone()).collect()
}

fn finding(document: &Value, question: &str) -> Value {
    findings(document, question).pop().unwrap_or_else(|| panic!("nothing on {question}"))
}

fn ended(running: Running) -> Value {
    let outcome = running.finish();
    outcome.assert_no_panic();
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("it is to run"));
    parse_document(&outcome.stdout).unwrap()
}

/// Waits until the device has served so many reads.
fn wait_for_reads(name: &str, reads: u64) {
    let before = DeviceCounters::read(name);
    let began = Instant::now();
    while DeviceCounters::read(name).since(before).reads < reads {
        assert!(began.elapsed() < HANG, "{name} serves no reads");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A file of 32 MiB with content on an ext4 of its own.
struct OnDisk {
    file: String,
    _mount: Mount,
    _device: LoopDevice,
}

fn file_on_disk(sandbox: &Sandbox) -> Result<OnDisk, String> {
    let device = LoopDevice::new(sandbox.root(), 128 << 20)?;
    let mount = Mount::format("ext4", &device, &sandbox.root().join("ext4"))?;
    let file = mount.point.join("data");
    fs::write(&file, vec![7; 32 << 20]).map_err(|e| e.to_string())?;
    let file = file.display().to_string();
    tool("sync", &[&file])?;
    Ok(OnDisk { file, _mount: mount, _device: device })
}

#[test]
fn a_file_in_the_page_cache_is_called_cached_and_past_it_is_not() {
    let sandbox = Sandbox::new();
    let Some(disk) = need(file_on_disk(&sandbox)) else { return };
    fs::read(&disk.file).unwrap();
    let line = format!(
        "run --name=x --filename={} --rw=randread --bs=4k --size=32m --invalidate=0",
        disk.file
    );
    let cached = parse_document(&run(&sandbox, &format!("{line} --json")).stdout).unwrap();
    let finding_of = |document: &Value| finding(document, "cached")["verdict"].clone();
    let verdict = finding_of(&cached);
    assert_eq!(verdict["verdict"], "cached", "{verdict}");
    // What others make the kernel drop meanwhile is read back.
    assert!(verdict["share"].as_f64().unwrap() > 0.8, "{verdict}");
    let past = run(&sandbox, &format!("{line} --direct=1 --json"));
    let past = parse_document(&past.stdout).unwrap();
    assert_eq!(finding_of(&past)["verdict"], "not_cached", "{}", finding(&past, "cached"));

    fs::read(&disk.file).unwrap();
    let told = run(&sandbox, &format!("{line} --quiet"));
    let text = without_breaks(&told.stdout);
    assert!(text.contains(" % of the reads came to a cache"), "{}", told.stdout);
    assert_eq!(told.stderr, "");
    let told = run(&sandbox, &format!("{line} --direct=1 --no-record"));
    assert!(!told.stdout.contains("came to a cache"), "{}", told.stdout);
}

#[test]
fn memory_is_called_memory() {
    let sandbox = Sandbox::new();
    let point = sandbox.root().join("memory");
    let Some(mount) = need(Mount::new(&["-t", "tmpfs", "-o", "size=64m", "tmpfs"], &point)) else {
        return;
    };
    let line = format!("run --name=x --directory={} --rw=write --size=8m --json", at(&mount.point));
    let document = parse_document(&run(&sandbox, &line).stdout).unwrap();
    assert_eq!(finding(&document, "cached")["verdict"]["verdict"], "memory");
    let line = format!("measure --quiet --time 1s --size 16m {}", at(&mount.point));
    let told = run(&sandbox, &line).stdout;
    assert_eq!(told.matches("memory").count() - told.matches("/memory").count(), 1, "{told}");
}

fn at(path: &Path) -> String {
    path.display().to_string()
}

/// The cap that a run at QD 32 under a limit is told to have: kind and value.
fn cap_of(sandbox: &Sandbox, device: &LoopDevice, limit: &Throttle, bs: &str) -> (String, f64) {
    let line = format!(
        "run --json --name=x --filename={} --direct=1 --rw=randread --bs={bs} --ioengine=libaio \
         --iodepth=32 --time_based --runtime=14 --ramp_time=1",
        device.text()
    );
    let document = ended(start(sandbox, Some(&limit.door()), &line));
    let cap = finding(&document, "capped");
    assert_eq!(cap["finding"], "capped", "{cap}");
    (cap["kind"].as_str().unwrap().to_owned(), cap["value"].as_f64().unwrap())
}

#[test]
fn a_device_held_to_3000_reads_a_second_is_told_so() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some(device) = need(LoopDevice::new(sandbox.root(), 64 << 20)) else { return };
        let Some(limit) = need(Throttle::read_iops(&device.path, 3000)) else { return };
        let (kind, value) = cap_of(&sandbox, &device, &limit, "4k");
        assert_eq!(kind, "iops");
        assert!((2970.0..=3030.0).contains(&value), "{value} IOPS under a limit of 3,000");
    });
}

#[test]
fn a_cap_of_bandwidth_is_told_from_one_of_iops_by_a_sweep_over_block_sizes() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some(device) = need(LoopDevice::new(sandbox.root(), 64 << 20)) else { return };
        let Some(limit) = need(Throttle::new(&device.path, &[("read_bps", 20_000_000)])) else {
            return;
        };
        let line = format!(
            "sweep {} --bs 4k,16k,64k --rw randread --iodepth 8 --time-per-run 3s --json --quiet",
            device.text()
        );
        let document = ended(start(&sandbox, Some(&limit.door()), &line));
        let cap = &document["curves"][0]["cap"];
        assert_eq!(cap["kind"], "bandwidth", "{cap}");
        let value = cap["value"].as_f64().unwrap();
        assert!((19.5e6..=20.5e6).contains(&value), "{value} bytes/s under a limit of 20 MB/s");
    });
}

#[test]
fn a_burst_is_told_with_what_lasts_after_it() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some(device) = need(LoopDevice::new(sandbox.root(), 64 << 20)) else { return };
        let Some(limit) = need(Throttle::read_iops(&device.path, 8000)) else { return };
        let line = format!(
            "run --json --name=x --filename={} --direct=1 --rw=randread --bs=4k --ioengine=libaio \
             --iodepth=32 --time_based --runtime=14",
            device.text()
        );
        let running = start(&sandbox, Some(&limit.door()), &line);
        wait_for_reads(&device.name(), 48_000);
        limit.set("read_iops", 3000).unwrap();
        let document = ended(running);
        let burst = finding(&document, "burst");
        assert_eq!(burst["finding"], "burst", "{burst}");
        let rate = |name: &str| burst[name].as_f64().unwrap();
        assert!((7_600.0..=8_400.0).contains(&rate("burst_rate")), "{burst}");
        assert!((2_900.0..=3_100.0).contains(&rate("sustained_rate")), "{burst}");
    });
}

#[test]
fn a_stall_of_a_paced_job_shows_in_the_response_time() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 64 << 20)) else { return };
    let line = format!(
        "run --json --name=x --filename={} --direct=1 --rw=randread --bs=4k --rate_iops=500 \
         --time_based --runtime=6",
        device.text()
    );
    let running = start(&sandbox, None, &line);
    wait_for_reads(&device.name(), 1000);
    // The stall itself: for so long nothing is done, and I/Os are due all the same.
    running.signal(Signal::STOP);
    std::thread::sleep(Duration::from_millis(900));
    running.signal(Signal::CONT);
    let document = ended(running);
    let found = finding(&document, "open_loop");
    assert_eq!(found["finding"], "waited", "{found}");
    let p99 = |what: &str| found["figures"][what]["p99_ns"].as_f64().unwrap();
    assert!(p99("response") > 500e6, "{found}");
    assert!(p99("service") * 5.0 < p99("response"), "{found}");
}

#[test]
fn a_run_is_kept_and_its_own_words_stand_anywhere() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.fio",
        "[global]\nioengine=psync\nsize=1m\n[a]\nrw=write\n[b]\nstonewall\nrw=read\n",
    );
    let document = parse_document(&run(&sandbox, "run a.fio --tag mine --json").stdout).unwrap();
    assert_eq!(document["kind"], "fathom-run");
    assert!(document["jobs"].as_str().unwrap().contains("[b]"), "{}", document["jobs"]);
    let names: Vec<&Value> =
        document["groups"].as_array().unwrap().iter().map(|group| &group["jobs"]).collect();
    assert_eq!(names, ["a", "b", "all jobs"]);
    assert_eq!(document["result"]["jobs"][1]["dirs"]["read"]["total_ios"], 256);
    let list = run(&sandbox, "history list --tag mine").stdout;
    assert!(list.contains("run"), "{list}");
}

#[test]
fn what_cannot_run_says_why_and_exits_with_1_or_2() {
    let sandbox = Sandbox::new();
    for (line, code, word) in [
        ("run --name=x --rw=sideways", 2, "sideways"),
        ("run missing.fio", 1, "missing.fio"),
        ("run --name=x --size=4k --output-format=json", 2, "fathom fio"),
        ("run --name=x --filename=/dev/null/x --size=4k --rw=read", 1, "/dev/null"),
    ] {
        let outcome = start(&sandbox, None, line).finish();
        outcome.assert_ended(code);
        assert!(outcome.stderr.contains(word), "{}", outcome.describe(line));
    }
}

#[test]
fn a_run_ends_as_soon_as_it_is_steady() {
    let sandbox = Sandbox::new();
    // Paced, and so as steady as can be.
    let line = "run --steady=1s --json --name=x --size=1m --rw=read --rate_iops=200 --time_based \
                --runtime=60";
    let document = ended(start(&sandbox, None, line));
    let runtime_ms = document["result"]["jobs"][0]["runtime_ms"].as_u64().unwrap();
    assert!(runtime_ms < 59_000, "{runtime_ms}");
    assert_eq!(document["interrupted"], false);
    let notes = document["result"]["notes"].to_string();
    assert!(notes.contains("Ended early, as asked: steady state was reached"), "{notes}");
}
