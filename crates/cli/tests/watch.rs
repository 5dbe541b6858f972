//! `fathom watch` beside I/O that is known to the last request: its intervals against what was
//! issued and against the kernel's own counters.
//!
//! What it says drives the tests: I/O is made after a line of it, and the next line is waited for.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use rustix::process::Signal;
use serde_json::Value;

use crate::devices::{DeviceCounters, LoopDevice, Mount, Throttle, Zram, need, tool};
use crate::sandbox::{Outcome, Running, Sandbox, subject};

fn start(sandbox: &Sandbox, line: &str) -> Running {
    sandbox.start_fathom(&format!("watch {line}"))
}

fn watch(sandbox: &Sandbox, line: &str) -> Outcome {
    sandbox.fathom(&format!("watch {line}"))
}

/// The documents of `--json`, one a line.
fn documents(text: &str) -> Vec<Value> {
    let whole = text.lines().filter(|line| line.ends_with('}'));
    whole.map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

fn event<'a>(documents: &'a [Value], event: &str) -> Vec<&'a Value> {
    documents.iter().filter(|document| document["event"] == event).collect()
}

/// Waits for `count` whole intervals.
fn wait_for_intervals(running: &mut Running, count: usize) {
    running.wait_for_stdout(|text| {
        text.lines().filter(|line| line.contains("\"whole\":true")).count() >= count
    });
}

/// The lines of one subject in all intervals.
fn lines<'a>(documents: &'a [Value], name: &str) -> Vec<&'a Value> {
    let lines = event(documents, "interval").into_iter().map(|d| d["lines"].as_array().unwrap());
    lines.flatten().filter(|line| line["name"] == name).collect()
}

/// A count of one subject, added up over all intervals.
fn sum(documents: &[Value], name: &str, count: &str) -> u64 {
    lines(documents, name).iter().map(|line| line["counts"][count].as_u64().unwrap()).sum()
}

fn ended_by(running: Running, signal: Signal) -> Outcome {
    running.signal(signal);
    let outcome = running.finish();
    outcome.assert_no_panic();
    outcome
}

/// Direct reads of 4 KiB, each of exactly one request.
fn read_direct(device: &LoopDevice, count: u64) {
    let (from, count) = (format!("if={}", device.text()), format!("count={count}"));
    tool("dd", &[&from, "of=/dev/null", "bs=4k", &count, "iflag=direct"]).unwrap();
}

/// Direct writes of 8 KiB, each of exactly one request.
fn write_direct(device: &LoopDevice, count: u64) {
    let (to, count) = (format!("of={}", device.text()), format!("count={count}"));
    let how = ["if=/dev/zero", &to, "bs=8k", &count, "oflag=direct", "conv=nocreat"];
    tool("dd", &how).unwrap();
}

/// A device that nobody but the test reads: where udev runs, it has had its look.
fn settled(device: Result<LoopDevice, String>) -> Result<LoopDevice, String> {
    if Path::new("/run/udev/control").exists() {
        tool("udevadm", &["settle"])?;
    }
    device
}

#[test]
fn the_intervals_add_up_to_what_was_issued_and_to_the_kernels_counters() {
    let sandbox = Sandbox::new();
    // One to read and one to write, since udev looks at what somebody has written.
    let Some(read) = need(settled(LoopDevice::new(sandbox.root(), 16 << 20))) else { return };
    let Some(written) = need(settled(LoopDevice::new(sandbox.root(), 16 << 20))) else { return };
    let line = format!("{} {} --json --interval 50ms", read.text(), written.name());
    let mut running = start(&sandbox, &line);
    running.wait_for_stdout(|text| text.contains('\n'));
    // Some of it between two lines, some across several, some after the last whole one.
    for (burst, (reads, writes)) in [(123, 45), (7, 1), (1000, 300)].into_iter().enumerate() {
        wait_for_intervals(&mut running, 3 * burst + 1);
        read_direct(&read, reads);
        write_direct(&written, writes);
    }
    let outcome = ended_by(running, Signal::INT);
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("^C is the way to end"));
    assert_eq!(outcome.stderr, "");
    let documents = documents(&outcome.stdout);

    let issued = |device: &LoopDevice, way: &str| {
        let of = |what: &str| sum(&documents, &device.name(), &format!("{way}_{what}"));
        (of("ios"), of("sectors"), of("merges"))
    };
    assert_eq!(issued(&read, "read"), (1130, 1130 * 8, 0));
    assert_eq!(issued(&read, "write"), (0, 0, 0));
    assert_eq!(issued(&written, "write"), (346, 346 * 16, 0));
    for device in [&read, &written] {
        equals_the_kernels(&documents, device);
    }
    let end = event(&documents, "end");
    assert_eq!((end.len(), &end[0]["signal"]), (1, &2.into()));
    assert_eq!(end[0]["summary"][0]["totals"]["read_ios"], 1130);
    assert_eq!(end[0]["summary"][1]["totals"]["write_ios"], 346);
}

/// First reading and intervals together are what the kernel has now; rates are counts over time.
fn equals_the_kernels(documents: &[Value], device: &LoopDevice) {
    let name = device.name();
    let watched = event(documents, "begin")[0]["watched"].as_array().unwrap();
    let begin = watched.iter().find(|watched| watched["name"] == name.as_str()).unwrap();
    assert_eq!(begin["kind"], "device");
    let of =
        |count: &str| begin["counters"][count].as_u64().unwrap() + sum(documents, &name, count);
    let told = DeviceCounters {
        reads: of("read_ios"),
        read_sectors: of("read_sectors"),
        writes: of("write_ios"),
        written_sectors: of("write_sectors"),
        merges: of("read_merges") + of("write_merges"),
    };
    assert_eq!(told, DeviceCounters::read(&name));
    for line in lines(documents, &name) {
        let elapsed_s = line["elapsed_s"].as_f64().unwrap();
        let rate = line["rates"]["reads_per_s"].as_f64().unwrap();
        let reads = line["counts"]["read_ios"].as_f64().unwrap();
        assert!((rate * elapsed_s - reads).abs() < 1e-6, "{line}");
        assert_eq!(line["restarted"], false);
    }
}

#[test]
fn a_folder_leads_to_the_device_under_it_and_is_left_as_it_is() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 16 << 20)) else { return };
    let at = sandbox.root().join("mounted");
    let Some(mount) = need(Mount::format("ext4", &device, &at)) else { return };
    tool("sync", &["-f", &at.display().to_string()]).unwrap();
    // What the file system does by itself is not ours to count: read only, it does nothing.
    tool("mount", &["-o", "remount,ro", &at.display().to_string()]).unwrap();
    let before = DeviceCounters::read(&device.name());
    let line = format!("{} {} -c 2 -i 20ms --json", mount.point.display(), device.name());
    let outcome = watch(&sandbox, &line);
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    let documents = documents(&outcome.stdout);
    let watched = event(&documents, "begin")[0]["watched"].as_array().unwrap();
    assert_eq!(watched.len(), 1, "{watched:?}");
    assert_eq!(watched[0]["asked"], serde_json::json!([mount.point, device.name()]));
    let after = DeviceCounters::read(&device.name()).since(before);
    assert_eq!((after.writes, after.written_sectors), (0, 0));
}

#[test]
fn three_intervals_of_memory_show_how_it_fills() {
    let sandbox = Sandbox::new();
    let at = sandbox.root().join("memory");
    let tmpfs = ["-t", "tmpfs", "-o", "size=64m", "none"];
    let Some(mount) = need(Mount::new(&tmpfs, &at)) else { return };
    let point = mount.point.display().to_string();
    let mut running = start(&sandbox, &format!("{point} --count 3 --json --interval 300ms"));
    running.wait_for_stdout(|text| text.contains('\n'));
    fs::write(at.join("data"), vec![7; 5 << 20]).unwrap();
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    let documents = documents(&outcome.stdout);
    let lines = lines(&documents, &point);
    assert_eq!(lines.len(), 3);
    let grown: i64 = lines.iter().map(|l| l["counts"]["grown_bytes"].as_i64().unwrap()).sum();
    assert_eq!((grown, &lines[2]["counts"]["used_bytes"]), (5 << 20, &(5 << 20).into()));
    let watched = &event(&documents, "begin")[0]["watched"][0];
    assert!(watched["notes"][0].as_str().unwrap().starts_with("tmpfs is memory"), "{watched}");

    let plain = watch(&sandbox, &format!("{point} --count 3 --interval 20ms"));
    plain.assert_success();
    assert!(plain.stdout.contains("tmpfs is memory: there is no device"), "{}", plain.stdout);
    assert_eq!(plain.stdout.matches("5.24 MB of 67.1 MB used").count(), 3, "{}", plain.stdout);
    assert!(plain.stdout.contains("3 intervals, "), "{}", plain.stdout);
}

#[test]
fn what_is_not_there_or_not_counted_is_refused_with_what_to_do() {
    let sandbox = Sandbox::new();
    for path in ["/dev/nosuch9", "nosuch9", "./no/such"] {
        let outcome = watch(&sandbox, path);
        outcome.assert_refused(&[path, "does not exist", "lsblk"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    }
    watch(&sandbox, "/dev/null").assert_refused(&["nor a block device"]);
    watch(&sandbox, "/proc").assert_refused(&["proc has no device of its own", "lsblk"]);
    let usage = watch(&sandbox, "/ --interval 1ms");
    assert_eq!(usage.code, Some(2), "{}", usage.describe("exit code"));
}

#[test]
fn an_interrupt_ends_in_a_summary_and_says_whether_the_count_was_reached() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 1 << 20)) else { return };
    for (more, signal, code) in [
        ("", Signal::INT, 0),
        ("", Signal::TERM, 0),
        ("--count 100000", Signal::INT, 130),
        ("--count 100000", Signal::TERM, 143),
    ] {
        let line = format!("{} --interval 20ms {more}", device.text());
        let mut running = start(&sandbox, &line);
        // In the heading, then in each line.
        let row = format!(" {} ", device.name());
        running.wait_for_stdout(|text| text.matches(&row).count() >= 12);
        let outcome = ended_by(running, signal);
        assert_eq!(outcome.code, Some(code), "{}", outcome.describe("exit code"));
        for word in ["  r_await", "     min    mean     max\n", " intervals, ", "0 reads (0 bytes)"]
        {
            assert!(outcome.stdout.contains(word), "{}", outcome.describe(word));
        }
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn idle_devices_may_be_left_out_and_csv_is_a_table() {
    let sandbox = Sandbox::new();
    let Some(busy) = need(LoopDevice::new(sandbox.root(), 1 << 20)) else { return };
    let Some(idle) = need(LoopDevice::new(sandbox.root(), 1 << 20)) else { return };
    let both = format!("{} {} --csv --interval 50ms", busy.text(), idle.text());
    let mut running = start(&sandbox, &format!("{both} --no-idle"));
    running.wait_for_stderr(|text| text.contains("--help says more"));
    running.wait_for_stdout(|text| text.contains('\n'));
    read_direct(&busy, 9);
    write_direct(&busy, 1);
    running.wait_for_stdout(|text| text.lines().count() > 1);
    let outcome = ended_by(running, Signal::INT);
    let rows: Vec<Vec<&str>> =
        outcome.stdout.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{}", outcome.stdout);
    assert_eq!(rows[0][..5], ["time", "elapsed_s", "kind", "name", "reads_per_s"]);
    assert!(rows[1..].iter().all(|row| row[3] == busy.name()), "{}", outcome.stdout);
    let figure = |row: &[&str], at: usize| row[at].parse::<f64>().unwrap();
    let reads: f64 = rows[1..].iter().map(|row| figure(row, 1) * figure(row, 4)).sum();
    assert!((reads - 9.0).abs() < 1e-3, "{}", outcome.stdout);
    assert!(outcome.stderr.contains("9 reads (36.9 kB), 1 write (8.19 kB)"), "{}", outcome.stderr);

    let shown = watch(&sandbox, &format!("{both} --count 1"));
    assert_eq!(shown.stdout.lines().count(), 3, "{}", shown.describe("rows"));
}

#[test]
fn limits_of_control_groups_are_told_and_whose_they_are() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 1 << 20)) else { return };
    let Some(throttle) = need(Throttle::read_iops(&device.path, 3000)) else { return };
    let limits = |outcome: &Outcome| {
        assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
        documents(&outcome.stdout)[0]["watched"][0]["limits"].clone()
    };
    let line = format!("{} --count 1 --interval 20ms", device.text());
    let outside = limits(&watch(&sandbox, &format!("{line} --json")));
    let is = |limits: &Value, whose: &str| {
        assert_eq!(limits.as_array().map(Vec::len), Some(1), "{limits}");
        assert_eq!(limits[0]["whose"], whose);
        assert_eq!(
            (&limits[0]["unit"], &limits[0]["per_second"]),
            (&"read_iops".into(), &3000.into())
        );
    };
    is(&outside, "others");
    let inside =
        format!("echo $$ > {}; exec {} watch {line}", throttle.door(), subject().display());
    is(&limits(&sandbox.shell(&format!("{inside} --json"))), "ours");
    let plain = sandbox.shell(&inside);
    let sentence = format!("{} is limited to 3,000 reads/s for\n", device.name());
    let flat = plain.stdout.replace("\n    ", " ");
    assert!(
        flat.contains(sentence.trim_end()) && flat.contains(", ours"),
        "{}",
        plain.describe("the limit")
    );
}

#[test]
fn a_device_that_goes_away_is_told_and_the_watching_goes_on() {
    let sandbox = Sandbox::new();
    let Some(device) = need(Zram::new(1 << 20)) else { return };
    let name = device.name();
    let mut running = start(&sandbox, &format!("{name} --json --interval 20ms"));
    wait_for_intervals(&mut running, 1);
    drop(device);
    running.wait_for_stdout(|text| text.contains("\"gone\":true"));
    let seen = running.stdout().len();
    running.wait_for_stdout(|text| text[seen..].matches("\"gone\":true").count() >= 2);
    let outcome = ended_by(running, Signal::INT);
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
}

#[test]
fn a_reader_that_has_enough_ends_it() {
    let sandbox = Sandbox::new();
    let program = subject().display().to_string();
    let folder = sandbox.work();
    let Some(folder) = need(on_device(&folder)) else { return };
    // With a shell that tells the exit code of the left side once `head` is gone.
    let script = format!(
        "{{ {program} watch {folder} --json --interval 20ms; echo \"code $?\" >&2; }} | head -n 2"
    );
    let outcome = sandbox.shell(&script);
    assert_eq!(outcome.stdout.lines().count(), 2, "{}", outcome.describe("lines"));
    assert_eq!(outcome.stderr, "code 0\n");
}

/// The folder as text, if the sandbox lies on something that can be watched.
fn on_device(folder: &Path) -> Result<String, String> {
    let text = folder.display().to_string();
    let found = tool("findmnt", &["-n", "-o", "SOURCE", "-T", &text])?;
    match found.starts_with("/dev/") {
        true => Ok(text),
        false => Err(format!("needs a target folder on a device, this is {found}")),
    }
}

#[test]
fn what_the_page_cache_makes_of_writes_is_counted_as_the_kernel_counts_it() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 16 << 20)) else { return };
    let mut running = start(&sandbox, &format!("{} --json --interval 50ms", device.name()));
    wait_for_intervals(&mut running, 1);
    let mut file = File::options().write(true).open(&device.path).unwrap();
    // The kernel makes larger requests of it, and may merge them.
    file.write_all(&vec![7; 4 << 20]).unwrap();
    file.sync_all().unwrap();
    let outcome = ended_by(running, Signal::INT);
    let documents = documents(&outcome.stdout);
    assert_eq!(sum(&documents, &device.name(), "write_sectors"), 8192);
    assert!(sum(&documents, &device.name(), "flush_ios") >= 1, "{documents:?}");
    equals_the_kernels(&documents, &device);
    // Open until here: udev comes when it is closed.
    drop(file);
}
