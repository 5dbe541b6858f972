//! The machine that the tests run on: devices and mounts that each test makes and removes.

use crate::parts::{
    LoopDevice, Mounted, MountedElsewhere, Partition, ThrottledGroup, run, sparse_file,
};
use fathom_host::*;
use fathom_skip::skip;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;

/// Takes a part that may be missing here, or ends the test with the reason.
macro_rules! need {
    ($part:expr) => {
        match $part {
            Ok(part) => part,
            Err(reason) => return skip(&reason),
        }
    };
}

#[test]
fn a_loop_device_is_free_then_formatted_then_mounted_then_free() {
    let folder = tempfile::tempdir().unwrap();
    let device = need!(LoopDevice::make(folder.path(), "image", 32 * MIB));
    let host = Host::real();
    assert_eq!(host.in_use(&device.node).unwrap(), []);
    assert_eq!(host.data_on(&device.node).unwrap(), None);

    need!(run("mkfs.ext4", &["-q", device.text()]));
    assert_eq!(host.data_on(&device.node).unwrap(), Some("ext2, ext3 or ext4"));
    assert_eq!(host.in_use(&device.node).unwrap(), []);

    let at = folder.path().join("mount point");
    let mounted = need!(Mounted::new(&[device.text()], &at));
    assert_eq!(host.in_use(&device.node).unwrap(), [InUse::Mounted { at: at.clone() }]);
    check_mounted(&host, &device, &at);

    drop(mounted);
    wait_until_free(&host, &device.node);
}

/// Waits for a device that was unmounted: a mount namespace that another test made meanwhile has a
/// copy of the mount, and with it the device, for as long as it lives.
fn wait_until_free(host: &Host, node: &Path) {
    let begun = Instant::now();
    loop {
        let uses = host.in_use(node).unwrap();
        match uses.as_slice() {
            [] => return,
            [InUse::Claimed] if begun.elapsed() < Duration::from_secs(300) => {
                sleep(Duration::from_millis(10));
            }
            _ => panic!("{}: still in use: {uses:?}", node.display()),
        }
    }
}

/// What is said of a path on the mounted loop device, down to the device under its file.
fn check_mounted(host: &Host, device: &LoopDevice, at: &Path) {
    let path = at.join("not/yet/made");
    let mount = host.mount_of(&path).unwrap();
    assert_eq!((mount.mount_point.as_path(), mount.fstype.as_str()), (at, "ext4"));
    let link = at.with_extension("link");
    symlink(at, &link).unwrap();
    assert_eq!(host.mount_of(&link.join("x")).unwrap(), mount);

    let found = host.device_of(&path).unwrap().unwrap();
    assert_eq!(found.node(), device.node);
    assert_eq!(found, host.device_at(&device.node).unwrap());
    assert_eq!(found.size_bytes, 32 * MIB);
    assert!(found.backing_file.as_ref().unwrap().ends_with("image"));
    let below = host.device_of(at.parent().unwrap()).unwrap();
    let stack = host.stack_of(&found);
    assert_eq!(stack.get(1).map(|d| &d.name), below.as_ref().map(|d| &d.name));

    let space = host.file_system(&path).unwrap();
    assert_eq!(space.fstype, "ext4");
    assert!(space.total_bytes > 16 * MIB && space.total_bytes < 32 * MIB, "{space:?}");
}

#[test]
fn a_mount_in_another_namespace_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let device = need!(LoopDevice::make(folder.path(), "image", 32 * MIB));
    need!(run("mkfs.ext4", &["-q", device.text()]));
    let elsewhere = need!(MountedElsewhere::new(device.text(), &folder.path().join("at")));
    assert_eq!(Host::real().in_use(&device.node).unwrap(), [InUse::Claimed]);
    drop(elsewhere);
}

/// A partition table with one Linux partition.
fn mbr(first: u32, sectors: u32) -> [u8; 512] {
    let mut table = [0u8; 512];
    table[446 + 4] = 0x83;
    table[446 + 8..446 + 12].copy_from_slice(&first.to_le_bytes());
    table[446 + 12..446 + 16].copy_from_slice(&sectors.to_le_bytes());
    table[510..].copy_from_slice(b"\x55\xaa");
    table
}

#[test]
fn a_partition_table_and_a_mounted_partition_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("image");
    sparse_file(&image, 64 * MIB);
    let (first, sectors) = (2048, 64 * 2048 - 2048);
    File::options().write(true).open(&image).unwrap().write_all(&mbr(first, sectors)).unwrap();

    let device = need!(LoopDevice::attach(&image));
    let _added = need!(Partition::add(&device, first, sectors));
    let host = Host::real();
    let disk = host.device_at(&device.node).unwrap();
    let [partition] = disk.partitions.as_slice() else { panic!("{disk:?}") };
    assert_eq!(host.data_on(&device.node).unwrap(), Some("an MBR partition table"));
    let parts = InUse::Partitioned { partitions: vec![partition.clone()] };
    assert_eq!(host.in_use(&device.node).unwrap(), std::slice::from_ref(&parts));

    let node = host.device_named(partition).unwrap().node();
    need!(run("mkfs.ext4", &["-q", node.to_str().unwrap()]));
    let at = folder.path().join("at");
    let _mounted = need!(Mounted::new(&[node.to_str().unwrap()], &at));
    let mounted = InUse::PartitionMounted { partition: partition.clone(), at: at.clone() };
    assert_eq!(host.in_use(&device.node).unwrap(), [mounted, parts]);
    let found = host.device_of(&at).unwrap().unwrap();
    assert_eq!((&found.name, &found.disk, found.partition), (partition, &disk.name, Some(1)));
    assert_eq!(found.size_bytes, 63 * MIB);
    let below = host.device_of(folder.path()).unwrap().map(|device| device.name);
    assert_eq!(host.stack_of(&found).get(1).map(|device| device.name.clone()), below);
}

#[test]
fn counters_move_by_exactly_the_ios_that_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let device = need!(LoopDevice::make(folder.path(), "image", 16 * MIB));
    let host = Host::real();
    let name = host.device_at(&device.node).unwrap().name;
    let of = |all: &[DiskStats]| all.iter().find(|stats| stats.name == name).unwrap().clone();
    // The kernel counts an I/O a moment after the program that waited for it goes on.
    let since = |before: &[DiskStats], ios: u64| {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            let all = host.disk_stats().unwrap();
            let moved = of(&disk_deltas(before, &all));
            if moved.read_ios + moved.write_ios >= ios || Instant::now() > end {
                return all;
            }
        }
    };

    let before = host.disk_stats().unwrap();
    let (from, to) = (format!("if={}", device.text()), format!("of={}", device.text()));
    need!(run("dd", &[&from, "of=/dev/null", "bs=4k", "count=123", "iflag=direct"]));
    let between = since(&before, 123);
    need!(run("dd", &["if=/dev/zero", &to, "bs=8k", "count=45", "oflag=direct", "conv=nocreat"]));
    let after = since(&between, 45);

    let read = of(&disk_deltas(&before, &between));
    assert_eq!((read.read_ios, read.read_sectors, read.read_merges), (123, 123 * 8, 0));
    assert_eq!((read.write_ios, read.write_sectors), (0, 0));
    let written = of(&disk_deltas(&between, &after));
    assert_eq!((written.write_ios, written.write_sectors), (45, 45 * 16));
    let whole = of(&after).since(&of(&before)).unwrap();
    assert!(whole.read_ios >= 123 && whole.write_ios == 45);
    assert_eq!(host.disk_stats_of(&name).unwrap().write_ios, of(&after).write_ios);
}

/// A group is a process's own, so the question is asked by this same program, started inside.
#[test]
fn the_throttle_of_our_own_group_is_seen() {
    const INSIDE: &str = "FATHOM_TEST_INSIDE_GROUP";
    if std::env::var_os(INSIDE).is_some() {
        let throttles = Host::real().cgroup_throttles();
        return println!("THROTTLES {}", serde_json::to_string(&throttles).unwrap());
    }
    let folder = tempfile::tempdir().unwrap();
    let device = need!(LoopDevice::make(folder.path(), "image", MIB));
    let about = Host::real().device_at(&device.node).unwrap();
    let number = format!("{}:{}", about.major, about.minor);
    let name = format!("fathom-host-test-{}", std::process::id());
    let group = need!(ThrottledGroup::new(&name, &number, 3000));
    let program = std::env::current_exe().unwrap();
    let inside = format!("{INSIDE}=1");
    let this_test = "real::the_throttle_of_our_own_group_is_seen";
    let question = [&inside, program.to_str().unwrap(), "--exact", this_test, "--nocapture"];
    let printed = group.run_inside("env", &question).unwrap();
    let line = printed.lines().find_map(|line| line.split_once("THROTTLES ")).unwrap().1;
    let found: Vec<IoThrottle> = serde_json::from_str(line).unwrap();
    let expected = IoThrottle {
        cgroup: format!("/{name}"),
        device: Some(about.name),
        major: about.major,
        minor: about.minor,
        unit: ThrottleUnit::ReadIops,
        per_second: 3000,
    };
    assert!(found.contains(&expected), "{found:?}");
    assert!(!Host::real().cgroup_throttles().contains(&expected));
}

#[test]
fn images_really_made_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[&str], &str); 4] = [
        ("mkfs.ext4", &["-q"], "ext2, ext3 or ext4"),
        ("mkfs.xfs", &["-q"], "xfs"),
        ("mkfs.btrfs", &["-q"], "btrfs"),
        ("mkswap", &[], "swap"),
    ];
    for (program, arguments, expected) in cases {
        let image = folder.path().join(program);
        sparse_file(&image, 320 * MIB);
        let mut arguments = arguments.to_vec();
        arguments.push(image.to_str().unwrap());
        need!(run(program, &arguments));
        assert_eq!(Host::real().data_on(&image).unwrap(), Some(expected), "{program}");
    }
}

#[test]
fn memory_and_overlays_are_told_from_devices() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::real();
    let memory = need!(Mounted::new(&["-t", "tmpfs", "none"], &folder.path().join("memory")));
    let storage = host.storage_of(&memory.at.join("x")).unwrap();
    assert_eq!(storage, Storage::Memory { fstype: "tmpfs".into() });
    assert_eq!(host.file_system(&memory.at).unwrap().fstype, "tmpfs");

    let part = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (lower, upper, work) = (part("lower"), part("up,per"), part("work"));
    let escaped = upper.replace(',', r"\,");
    let options = format!("lowerdir={lower},upperdir={escaped},workdir={work}");
    let at = folder.path().join("merged");
    let overlay = need!(Mounted::new(&["-t", "overlay", "none", "-o", &options], &at));
    let storage = host.storage_of(&overlay.at.join("x")).unwrap();
    let Storage::Overlay { upper: found, beneath, .. } = storage else { panic!("{storage:?}") };
    assert_eq!(found.unwrap(), Path::new(&upper));
    assert_eq!(*beneath.unwrap(), host.storage_of(folder.path()).unwrap());
}

#[test]
fn both_devices_of_a_btrfs_are_found_and_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let first = need!(LoopDevice::make(folder.path(), "one", 128 * MIB));
    let second = need!(LoopDevice::make(folder.path(), "two", 128 * MIB));
    need!(run("mkfs.btrfs", &["-q", first.text(), second.text()]));
    need!(run("btrfs", &["device", "scan", first.text(), second.text()]));
    let mounted = need!(Mounted::new(&[first.text()], &folder.path().join("at")));
    let host = Host::real();
    let storage = host.storage_of(&mounted.at).unwrap();
    let mut nodes: Vec<_> = storage.devices().iter().map(|device| device.node()).collect();
    nodes.sort();
    let mut expected = vec![first.node.clone(), second.node.clone()];
    expected.sort();
    assert_eq!(nodes, expected);
    for device in [&first, &second] {
        let at = mounted.at.clone();
        assert_eq!(host.in_use(&device.node).unwrap(), [InUse::Mounted { at }]);
    }
}

#[test]
fn this_machine_answers_every_question() {
    let host = Host::real();
    let system = host.system();
    assert!(system.hostname.is_some() && system.kernel.is_some());
    assert!(system.memory_bytes > system.memory_available_bytes);
    assert_eq!(system.cpus_online, host.online_cpus().len());
    let allowed = host.allowed_cpus();
    assert!(!allowed.is_empty() && allowed.iter().all(|cpu| host.online_cpus().contains(cpu)));
    assert_eq!(host.cpu_times().unwrap().len(), system.cpus_online);
    let printed = run("sh", &["-c", "ulimit -Sn; ulimit -Hn"]).unwrap();
    let text = |limit: Option<u64>| limit.map_or("unlimited".to_owned(), |n| n.to_string());
    let nofile = host.limits().nofile.unwrap();
    assert_eq!(printed, format!("{}\n{}\n", text(nofile.soft), text(nofile.hard)));
    assert!(host.mounts().unwrap().iter().any(|mount| mount.mount_point == Path::new("/")));
    assert!(host.devices().iter().all(|device| device.size_bytes > 0));
    assert!(host.nfs_stats(Path::new("/")).map_or(true, |found| found.is_none()));
}
