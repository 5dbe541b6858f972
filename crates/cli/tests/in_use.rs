//! A device in use is no write target, at whatever remove, and none becomes in use while it is one.

use crate::devices::{LoopDevice, Mount, need, root, tool};
use crate::sandbox::{Outcome, Running, Sandbox};
use fathom_host::{FileId, Host};
use fathom_run::Pin;
use std::fs;
use std::path::{Path, PathBuf};

const MIB: u64 = 1 << 20;

/// Every own command that writes to a device or file that is named for it, and the drop-in.
fn writers(target: &str) -> [String; 7] {
    let named = format!("{target} --destroy-data-on {target}");
    [
        format!("measure {named} --time 1s"),
        format!("sweep {named} --rw write --bs 4k,8k --time-per-run 200ms --checkpoint state.json"),
        format!("limit {named} --p99 1s --rw randwrite --time-per-run 1s"),
        format!("check {named} --promise aws.gp3 --volume-size 8GiB --time-per-run 2s"),
        format!("fio --name=x --filename={target} --rw=write --size=1m"),
        format!("fio --name=x --filename={target} --rw=trim --size=1m"),
        format!("run --name=x --filename={target} --rw=write --size=1m"),
    ]
}

/// Each of them is refused with all of `words`, and `image` stays as it is.
fn all_refused(sandbox: &Sandbox, target: &str, words: &[&str], image: &Path) {
    let before = fs::read(image).unwrap();
    for line in writers(target) {
        let outcome = sandbox.fathom(&line);
        outcome.assert_ended(1);
        let said = outcome.stderr.to_lowercase();
        for word in words {
            assert!(said.contains(word), "`{line}` does not say {word}: {said}");
        }
        assert!(fs::read(image).unwrap() == before, "`{line}` wrote to it");
    }
}

#[test]
fn a_device_under_a_mounted_loop_device_is_in_use() {
    let sandbox = Sandbox::new();
    let Some(below) = need(LoopDevice::new(sandbox.root(), 32 * MIB)) else { return };
    let Some(above) = need(over(&below.path)) else { return };
    let point = sandbox.root().join("mounted");
    let name = above.name();
    // Set up and not mounted, it is in use by the loop device over it.
    all_refused(&sandbox, &below.text(), &["in use", &name], &below.backing);
    let Some(_mount) = need(Mount::format("ext4", &above, &point)) else { return };
    need(tool("sync", &[]));
    all_refused(&sandbox, &below.text(), &["mounted", &name], &below.backing);
    let partly = format!("fio --name=x --filename={} --rw=read --size=1m", below.text());
    assert_eq!(sandbox.fathom(&partly).code, Some(0));
}

/// A loop device over a device; the device is not removed with it.
fn over(below: &Path) -> Result<LoopDevice, String> {
    let mut above = LoopDevice::with_options(below, &[])?;
    above.backing = PathBuf::new();
    Ok(above)
}

#[test]
fn a_file_behind_a_loop_device_is_in_use_under_any_name() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 32 * MIB)) else { return };
    let name = device.name();
    let image = device.backing.display().to_string();
    all_refused(&sandbox, &image, &["in use", &name], &device.backing);
    let twin = sandbox.root().join("twin.img");
    fs::hard_link(&device.backing, &twin).unwrap();
    all_refused(&sandbox, &twin.display().to_string(), &["in use", &name], &twin);
    // The kernel still shows the name that is gone; the file is the same.
    fs::remove_file(&device.backing).unwrap();
    all_refused(&sandbox, &twin.display().to_string(), &["in use", &name], &twin);
    let point = sandbox.root().join("mounted");
    let Some(_mount) = need(Mount::format("ext4", &device, &point)) else { return };
    need(tool("sync", &[]));
    let point = point.display().to_string().to_lowercase();
    all_refused(&sandbox, &twin.display().to_string(), &["mounted", &name, &point], &twin);
    // Who says so in a job gets what was asked for, as in fio.
    let anyway = format!(
        "fio --name=x --filename={} --rw=write --size=4k --offset=16m --allow_mounted_write=1",
        twin.display()
    );
    assert_eq!(sandbox.fathom(&anyway).code, Some(0));
}

#[test]
fn a_swap_file_is_in_use() {
    let sandbox = Sandbox::new();
    let Some(()) = need(root()) else { return };
    let file = sandbox.write("swap file", vec![0; 8 << 20]);
    let text = file.display().to_string();
    let swapped = tool("chmod", &["600", &text])
        .and_then(|_| tool("mkswap", &[&text]))
        .and_then(|_| tool("swapon", &[&text]));
    let Some(_) = need(swapped) else { return };
    let id = FileId::of(&fs::metadata(&file).unwrap());
    let host = Host::real();
    let uses = host.file_in_use(id, &host.backing());
    let outcome = sandbox.start_program(
        crate::sandbox::subject(),
        &["fio", "--name=x", &format!("--filename={text}"), "--rw=write", "--size=1m"],
    );
    let outcome = outcome.finish();
    let _ = tool("swapoff", &[&text]);
    assert_eq!(uses.unwrap()[0].to_string(), format!("{text} is used as swap"));
    assert_eq!(outcome.code, Some(1), "{}", outcome.describe("it is in use"));
    assert!(outcome.stderr.contains("is used as swap"), "{}", outcome.stderr);
}

/// A run that writes to a device until it is stopped, and is under way.
fn writing(sandbox: &Sandbox, device: &LoopDevice) -> Running {
    let line = "--eta=always --rw=randwrite --bs=4k --rate_iops=500 --time_based --runtime=80";
    let mut running = sandbox.start(&format!("--name=x --filename={} {line}", device.text()));
    running.wait_for_stdout(|text| text.contains("[w=") && text.contains("IOPS]"));
    running
}

fn stopped(running: Running) -> Outcome {
    running.signal(rustix::process::Signal::INT);
    running.finish()
}

#[test]
fn while_a_device_is_written_to_nothing_else_gets_it() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 32 * MIB)) else { return };
    let Some(_) = need(tool("mkfs.ext4", &["-q", &device.text()])) else { return };
    let point = sandbox.root().join("point");
    fs::create_dir(&point).unwrap();
    let point = point.display().to_string();
    let running = writing(&sandbox, &device);
    for _ in 0..50 {
        let mounted = tool("mount", &["-o", "ro", &device.text(), &point]);
        let why = mounted.expect_err("a device that is being destroyed was mounted");
        assert!(why.contains("already mounted") || why.contains("busy"), "{why}");
    }
    for line in writers(&device.text()) {
        let outcome = sandbox.fathom(&line);
        outcome.assert_ended(1);
        assert!(outcome.stderr.contains("in use"), "`{line}`: {}", outcome.stderr);
    }
    // To read beside it is no harm.
    let reading = format!("--name=r --filename={} --rw=read --size=1m", device.text());
    sandbox.run(&reading).assert_success();
    assert_eq!(stopped(running).code, Some(128));
    // And it is free again after.
    let again = format!("--name=x --filename={} --rw=write --size=1m", device.text());
    sandbox.run(&again).assert_success();
}

#[test]
fn an_own_command_keeps_its_device_from_its_first_run_to_its_last() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 32 * MIB)) else { return };
    let text = device.text();
    let line = format!("measure {text} --destroy-data-on {text} --time 60s --json");
    let mut running = sandbox.start_fathom(&line);
    running.wait_for_stderr(|text| text.contains("latency-read") || text.contains("4 KiB"));
    for _ in 0..100 {
        let busy = Pin::hold(&device.path, true).expect_err("claimed by the measurement");
        assert_eq!(busy.kind(), std::io::ErrorKind::ResourceBusy, "{busy}");
    }
    let outcome = stopped(running);
    assert_eq!(outcome.code, Some(130), "{}", outcome.describe("stopped"));
    assert!(Pin::hold(&device.path, true).is_ok());
}

#[test]
fn partitions_of_one_disk_can_be_written_by_one_run() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 32 * MIB)) else { return };
    let add = |number, start| tool("addpart", &[&device.text(), number, start, "16384"]);
    let Some(_) = need(add("1", "2048").and_then(|_| add("2", "20480"))) else { return };
    let parts = [1, 2].map(|number| format!("{}p{number}", device.text()));
    let [first, second] = &parts;
    let line = format!("--name=x --filename={first}:{second} --rw=write --size=2m --numjobs=2");
    let both = sandbox.run(&line);
    let whole = format!("--name=x --filename={}:{first} --rw=write --size=2m", device.text());
    let whole = sandbox.run(&whole);
    for number in ["1", "2"] {
        let _ = tool("delpart", &[&device.text(), number]);
    }
    both.assert_success();
    whole.assert_refused(&["partitions", &device.text()]);
}

#[test]
fn a_claim_and_a_mount_exclude_each_other() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 32 * MIB)) else { return };
    let Some(_) = need(tool("mkfs.ext4", &["-q", &device.text()])) else { return };
    let point = sandbox.root().join("point");
    let over = std::sync::atomic::AtomicBool::new(false);
    let (mut claimed, mut busy) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                drop(Mount::new(&["-o", "ro", &device.text()], &point));
            }
        });
        let host = Host::real();
        while claimed < 200 || busy == 0 {
            match Pin::hold(&device.path, true) {
                Ok(_claim) => {
                    claimed += 1;
                    // Mounted before, it could not have been claimed; now it cannot be mounted.
                    for _ in 0..3 {
                        assert_eq!(host.in_use_beside_claim(&device.path).unwrap(), []);
                    }
                }
                Err(error) => {
                    assert_eq!(error.kind(), std::io::ErrorKind::ResourceBusy, "{error}");
                    busy += 1;
                }
            }
        }
        over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn a_partition_table_is_found_before_the_plan_is_told() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 32 * MIB)) else { return };
    let mut start = vec![0; 512];
    start[446..462].copy_from_slice(&[0, 0, 2, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 64, 0, 0]);
    (start[510], start[511]) = (0x55, 0xaa);
    let text = device.text();
    let node = fs::OpenOptions::new().write(true).open(&device.path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&node, &start, 0).unwrap();
    node.sync_all().unwrap();
    drop(node);
    for line in &writers(&text)[..4] {
        for more in ["", " --dry-run"] {
            let outcome = sandbox.fathom(&format!("{line}{more}"));
            outcome.assert_ended(1);
            let all = format!("{}{}", outcome.stdout, outcome.stderr);
            assert!(all.contains("an MBR partition table"), "`{line}`: {all}");
            assert!(all.contains(&format!("wipefs -a {text}")), "`{line}`: {all}");
            assert!(!all.contains("allow_mounted_write"), "`{line}`: {all}");
            assert!(!all.to_uppercase().contains("WRITTEN OVER"), "`{line}`: {all}");
        }
    }
    let Some(_) = need(tool("wipefs", &["-a", &text])) else { return };
    let line = format!("measure {text} --destroy-data-on {text} --time 1s --size 16m");
    sandbox.fathom(&line).assert_ended(0);
}
