//! Whether the figures are true, against what the kernel knows: the I/Os that a block device
//! counted, and a rate that a control group held a device to.
//!
//! The comparison of speeds with fio takes minutes and a quiet machine: `cargo xtask truth`.

use std::fs;

use crate::devices::{DeviceCounters, LoopDevice, Throttle, Zram, forbid_merges, need};
use crate::quiet::on_a_quiet_machine;
use crate::sandbox::{Outcome, Sandbox, subject};
use serde_json::Value;

/// Every engine that can pass the page cache by, with its options.
const ENGINES: [&str; 7] = [
    "psync",
    "sync",
    "pvsync",
    "pvsync2",
    "libaio --iodepth=8",
    "io_uring --iodepth=8",
    "posixaio --iodepth=8",
];

/// Runs the line and wants the device to have counted what we say we did, to the I/O.
fn same_as_counted(name: &str, line: &str, expected_ios: u64) {
    let (said, counted) = said_and_counted(name, line);
    assert_eq!(said.reads + said.writes, expected_ios, "{line}");
    assert_eq!(said, counted, "we said, the device counted: {line}");
}

/// Runs the line: what we say we did, and what the device counted meanwhile.
fn said_and_counted(name: &str, line: &str) -> (DeviceCounters, DeviceCounters) {
    let sandbox = Sandbox::new();
    let before = DeviceCounters::read(name);
    // Told that the device may be written, we do not look for data on it, and read nothing else.
    let told = "--output-format=json --allow_mounted_write=1";
    let outcome = sandbox.run(&format!("{told} {line}"));
    let counted = DeviceCounters::read(name).since(before);
    outcome.assert_success();
    let document = outcome.json();
    let sum = |way: &str, key: &str| -> u64 {
        let jobs = document["jobs"].as_array().unwrap();
        jobs.iter().map(|job| job[way][key].as_u64().unwrap()).sum()
    };
    let said = DeviceCounters {
        reads: sum("read", "total_ios"),
        read_sectors: sum("read", "io_bytes") / 512,
        writes: sum("write", "total_ios"),
        written_sectors: sum("write", "io_bytes") / 512,
        merges: 0,
    };
    if let Some(disk) = document["disk_util"].as_array().and_then(|disks| disks.first()) {
        assert_eq!(disk["name"], name, "{line}");
    }
    (said, counted)
}

#[test]
fn a_loop_device_counts_what_we_say_by_every_engine() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 16 << 20)) else { return };
    forbid_merges(&device.name());
    for engine in ENGINES {
        for (rw, bs, ios) in
            [("randread", "4k", 4096), ("write", "64k", 256), ("randrw", "16k", 1024)]
        {
            let line = format!(
                "--name=t --filename={} --direct=1 --rw={rw} --bs={bs} --ioengine={engine}",
                device.text()
            );
            same_as_counted(&device.name(), &line, ios);
        }
    }
}

#[test]
fn a_loop_device_counts_what_several_jobs_say() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 16 << 20)) else { return };
    forbid_merges(&device.name());
    let base = format!("--filename={} --direct=1 --ioengine=libaio", device.text());
    let mixed = "--name=a --rw=randread --iodepth=32 --name=b --rw=randwrite --bs=8k --numjobs=2";
    same_as_counted(&device.name(), &format!("{base} {mixed}"), 4096 + 2 * 2048);
    let loops = "--name=a --rw=randread --loops=3 --size=1m --offset=2m --numjobs=3";
    same_as_counted(&device.name(), &format!("{base} {loops}"), 3 * 3 * 256);
}

#[test]
fn a_ram_disk_counts_what_we_say() {
    let Some(zram) = need(Zram::new(32 << 20)) else { return };
    for engine in ["psync", "libaio --iodepth=16", "io_uring --iodepth=16"] {
        let line = format!(
            "--name=t --filename={} --direct=1 --rw=randwrite --bs=4k --ioengine={engine}",
            zram.text()
        );
        same_as_counted(&zram.name(), &line, 8192);
    }
}

/// At full rate and with the queue full when time is up: what was in flight then is counted, once.
/// `fathom-bench --count` does the same for longer, on two devices and at more depths.
#[test]
fn nothing_is_lost_where_time_is_up_in_mid_flight() {
    let Some(zram) = need(Zram::new(32 << 20)) else { return };
    for engine in ENGINES {
        let engine = engine.replace("--iodepth=8", "--iodepth=64");
        for rw in ["randread", "randrw"] {
            let line = format!(
                "--name=t --filename={} --direct=1 --rw={rw} --bs=4k --ioengine={engine} \
                 --numjobs=2 --time_based --runtime=100ms",
                zram.text()
            );
            let (said, counted) = said_and_counted(&zram.name(), &line);
            assert!(said.reads + said.writes > 0, "{line}: {said:?}");
            assert_eq!(said, counted, "we said, the device counted: {line}");
        }
    }
}

/// A mapping goes through the page cache: each I/O of a page faults it in once, and each page that
/// was written is written back once.
#[test]
fn a_mapping_moves_the_pages_that_we_say() {
    let Some(zram) = need(Zram::new(32 << 20)) else { return };
    let ahead = format!("/sys/block/{}/queue/read_ahead_kb", zram.name());
    fs::write(&ahead, "0").expect("a block device's setting");
    for (rw, write) in [("randread", false), ("randwrite", true), ("randrw", true)] {
        let line = format!(
            "--name=t --filename={} --rw={rw} --bs=4k --ioengine=mmap --numjobs=2 --size=50% \
             --offset_increment=50%",
            zram.text()
        );
        let (said, counted) = said_and_counted(&zram.name(), &line);
        assert_eq!(said.reads + said.writes, 8192, "{line}");
        assert_eq!(said.writes > 0, write, "{line}");
        assert_eq!(counted.read_sectors, said.read_sectors + said.written_sectors, "{line}");
        assert_eq!(counted.written_sectors, said.written_sectors, "{line}");
    }
}

/// The report's disk figures are the kernel's: a job that ends at its size did all of them.
#[test]
fn disk_utilisation_is_the_devices_own_count() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 16 << 20)) else { return };
    forbid_merges(&device.name());
    let outcome = sandbox.run(&format!(
        "--name=t --filename={} --direct=1 --rw=randread --bs=4k --rate_iops=4000 \
         --output-format=json",
        device.text()
    ));
    let document = outcome.assert_success().json();
    let disk = &document["disk_util"][0];
    assert_eq!(disk["name"].as_str(), Some(device.name().as_str()));
    assert_eq!(disk["write_ios"], 0);
    assert_eq!(disk["read_ios"], 4096, "{disk}");
}

#[test]
fn what_a_device_did_by_time_adds_up_to_what_it_did() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 16 << 20)) else { return };
    forbid_merges(&device.name());
    let options = "--direct=1 --rw=randread --bs=4k --rate_iops=4000 --time_based --runtime=2";
    let line = format!("run --name=t --filename={} {options} --json --quiet", device.text());
    let args: Vec<&str> = line.split_whitespace().collect();
    let outcome = sandbox.start_program(subject(), &args).finish();
    let document = outcome.assert_success().json();
    let disk = &document["result"]["disks"][0];
    assert_eq!(disk["name"].as_str(), Some(device.name().as_str()));
    let intervals = disk["over_time"]["intervals"].as_array().unwrap();
    assert!(intervals.len() >= 4, "{disk}");
    let sum = |of: &dyn Fn(&Value) -> &Value| -> u64 {
        intervals.iter().map(|interval| of(interval).as_u64().unwrap()).sum()
    };
    assert_eq!(sum(&|of| &of["ios"][0]), disk["ios"][0].as_u64().unwrap());
    assert_eq!(sum(&|of| &of["sectors"][0]), disk["sectors"][0].as_u64().unwrap());
    assert_eq!(sum(&|of| &of["in_queue_ms"]), disk["in_queue_ms"].as_u64().unwrap());
    // And what the job says of each half second adds up to its I/Os.
    let job = &document["result"]["jobs"][0];
    let slices = job["latencies"]["intervals"].as_array().unwrap();
    let steps = slices.iter().flat_map(|slice| slice["read"].as_array().unwrap());
    let ios: u64 = steps.map(|step| step[1].as_u64().unwrap()).sum();
    assert_eq!(ios, job["dirs"]["read"]["total_ios"].as_u64().unwrap());
}

#[test]
fn a_device_held_to_3000_reads_a_second_reads_3000() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some(device) = need(LoopDevice::new(sandbox.root(), 64 << 20)) else { return };
        let Some(throttle) = need(Throttle::read_iops(&device.path, 3000)) else { return };
        let script = format!(
            "echo $$ > {}; exec fio --name=t --filename={} --direct=1 --rw=randread --bs=4k \
             --ioengine=libaio --iodepth=32 --time_based --runtime=4 --ramp_time=1 \
             --output-format=json",
            throttle.door(),
            device.text()
        );
        let outcome: Outcome = sandbox.shell(&script);
        let read = &outcome.assert_success().json()["jobs"][0]["read"];
        let iops = read["iops"].as_f64().unwrap();
        assert!((2970.0..=3030.0).contains(&iops), "{iops} reads a second under a limit of 3,000");
        let mean_us = read["clat_ns"]["mean"].as_f64().unwrap() / 1000.0;
        // 32 outstanding at 3,000 a second: each waits 10.67 ms. The identity holds for any device.
        let depth = iops * mean_us / 1e6;
        assert!((30.5..=33.5).contains(&depth), "IOPS x latency is {depth}, the depth is 32");
    });
}
