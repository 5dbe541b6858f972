//! The two machines of `fixtures`: what every question answers there.

use crate::machine::Machine;
use fathom_host::*;
use std::path::{Path, PathBuf};

fn cloud() -> (Machine, Host) {
    let machine = Machine::new("cloud_vm");
    let host = machine.host();
    (machine, host)
}

fn raid() -> (Machine, Host) {
    let machine = Machine::new("raid_server");
    let host = machine.host();
    (machine, host)
}

fn names(devices: &[BlockDevice]) -> Vec<&str> {
    devices.iter().map(|device| device.name.as_str()).collect()
}

#[test]
fn a_partition_comes_with_its_disks_identity_and_queue() {
    let (_machine, host) = cloud();
    let device = host.device_of(Path::new("/mnt/big disk/data/x")).unwrap().unwrap();
    let expected = BlockDevice {
        name: "nvme1n1p1".into(),
        disk: "nvme1n1".into(),
        partition: Some(1),
        major: 259,
        minor: 3,
        size_bytes: 97_654_202 * 512,
        model: Some("Amazon EC2 NVMe Instance Storage".into()),
        transport: Some("pcie".into()),
        scheduler: Some("mq-deadline".into()),
        logical_block_bytes: 512,
        physical_block_bytes: 4096,
        write_cache: Some(WriteCache::WriteBack),
        queue_depth: Some(1023),
        max_request_bytes: Some(256 << 10),
        read_ahead_bytes: Some(128 << 10),
        discard: true,
        ..Default::default()
    };
    assert_eq!(device, expected);
    assert_eq!(host.device_named("nvme1n1").unwrap().partitions, ["nvme1n1p1"]);
}

#[test]
fn the_root_is_found_by_number_though_its_source_is_made_up() {
    let (_machine, host) = cloud();
    let device = host.device_of(Path::new("/home/me")).unwrap().unwrap();
    assert_eq!(device.name, "nvme0n1p1");
    assert_eq!(device.serial.as_deref(), Some("vol0123456789abcdef0"));
    assert_eq!(device.firmware.as_deref(), Some("1.0"));
    assert_eq!(device.transport.as_deref(), Some("pcie"));
}

#[test]
fn mounts_are_found_with_their_options_and_bind_roots() {
    let (_machine, host) = cloud();
    let mount = host.mount_of(Path::new("/mnt/big disk/new/file")).unwrap();
    assert_eq!(mount.mount_point, Path::new("/mnt/big disk"));
    assert_eq!((mount.fstype.as_str(), mount.option("logbufs")), ("xfs", Some("8")));
    let bind = host.mount_of(Path::new("/mnt/bind")).unwrap();
    assert_eq!(bind.root, Path::new("/sub/folder"));
    assert!(!bind.is_read_only());
    assert!(host.mount_of(Path::new("/var/lib/readonly/x")).unwrap().is_read_only());
    let device = host.mount_of(Path::new("/dev/nvme1n1")).unwrap();
    assert_eq!((device.fstype.as_str(), device.minor), ("block", 2));
    assert_eq!(host.mount_of(Path::new("/dev/null")).unwrap().fstype, "devtmpfs");
}

#[test]
fn nfs_says_server_export_version_and_options() {
    let (_machine, host) = cloud();
    let storage = host.storage_of(Path::new("/mnt/nas/dir")).unwrap();
    assert_eq!(storage.device(), None);
    assert!(storage.no_device_because().unwrap().contains("10.0.0.5"));
    let Storage::Network { fstype, server, export, version, options } = storage else {
        panic!("{storage:?}");
    };
    assert_eq!((fstype.as_str(), server.as_str(), export.as_str()), ("nfs", "10.0.0.5", "/vol1"));
    assert_eq!(version.as_deref(), Some("3"));
    assert!(options.contains(&"nconnect=8".to_owned()));
    let four = host.storage_of(Path::new("/mnt/four")).unwrap();
    assert!(matches!(four, Storage::Network { version: Some(v), .. } if v == "4.1"));
}

#[test]
fn what_has_no_device_says_why() {
    let (_machine, host) = cloud();
    let why = |path: &str| {
        let storage = host.storage_of(Path::new(path)).unwrap();
        assert_eq!(storage.device(), None, "{path}");
        storage.no_device_because().unwrap()
    };
    assert_eq!(why("/dev/shm"), "tmpfs is memory, not a device");
    assert_eq!(why("/var/lib/readonly"), "an overlay that takes no writes");
    assert_eq!(why("/mnt/fuse"), "fuse.odd has no device of its own");
    assert_eq!(why("/tank/x"), "zfs pool tank/data does not say which devices it has");
    assert!(why("/mnt/s3").starts_with("fuse.s3fs: the device is at the server"));
}

#[test]
fn an_overlay_is_followed_to_the_folder_that_takes_the_writes() {
    let (_machine, host) = cloud();
    let storage = host.storage_of(Path::new("/var/lib/merged/x")).unwrap();
    assert_eq!(storage.device().unwrap().name, "nvme1n1p1");
    let Storage::Overlay { upper, lower, .. } = storage else { panic!("{storage:?}") };
    assert_eq!(upper, Some(PathBuf::from("/mnt/big disk/docker/diff")));
    assert_eq!(lower, [Path::new("/l:1"), Path::new("/l2")]);
}

#[test]
fn an_overlay_over_itself_ends() {
    let (_machine, host) = raid();
    let storage = host.storage_of(Path::new("/mnt/circle")).unwrap();
    assert!(matches!(storage, Storage::Overlay { beneath: None, .. }), "{storage:?}");
}

#[test]
fn a_stack_is_followed_through_mapper_md_and_loop() {
    let (_machine, host) = raid();
    let device = host.device_of(Path::new("/mnt/loop/file")).unwrap().unwrap();
    assert_eq!(device.backing_file.as_deref(), Some(Path::new("/data/image one.img")));
    let stack = host.stack_of(&device);
    assert_eq!(names(&stack), ["loop0", "dm-0", "md0", "sda1", "sdb1"]);
    assert_eq!(stack[1].mapper_name.as_deref(), Some("vg0-data"));
    assert_eq!(stack[2].raid_level.as_deref(), Some("raid1"));
    assert_eq!(host.slaves_of("md0"), ["sda1", "sdb1"]);
    assert_eq!(host.slaves_of("sda1"), Vec::<String>::new());
}

#[test]
fn a_sata_disk_gives_its_identity() {
    let (_machine, host) = raid();
    let disk = host.device_at(Path::new("/dev/sda")).unwrap();
    assert_eq!(disk.vendor.as_deref(), Some("ATA"));
    assert_eq!(disk.serial.as_deref(), Some("ZC1AB2CD"));
    assert_eq!(disk.firmware.as_deref(), Some("TN03"));
    assert_eq!(disk.transport.as_deref(), Some("sata"));
    assert!(disk.rotational);
    assert_eq!(disk.write_cache, Some(WriteCache::WriteThrough));
    let transport = |name: &str| host.device_named(name).unwrap().transport;
    assert_eq!(transport("sdc").as_deref(), Some("usb"));
    assert_eq!(transport("sdd").as_deref(), Some("iscsi"));
    assert!(host.device_named("zram0").unwrap().is_memory());
}

#[test]
fn a_virtio_disk_gives_its_serial_and_no_vendor() {
    let (_machine, host) = cloud();
    let disk = host.device_named("vdb").unwrap();
    assert_eq!((disk.vendor, disk.serial.as_deref()), (None, Some("volume-7")));
    assert_eq!(disk.transport.as_deref(), Some("virtio"));
}

#[test]
fn devices_are_found_by_mapper_name_and_refused_by_wrong_ones() {
    let (_machine, host) = raid();
    assert_eq!(host.device_at(Path::new("/dev/mapper/vg0-data")).unwrap().name, "dm-0");
    for wrong in ["/dev/nothing", "/dev/mapper/none", "/etc/passwd"] {
        let error = host.device_at(Path::new(wrong)).unwrap_err().to_string();
        assert!(error.contains(wrong) && error.contains("lsblk"), "{error}");
    }
    assert!(host.device_named("../sda").is_err());
    assert!(host.device_named("").is_err());
}

#[test]
fn a_file_system_over_several_devices_is_a_pool() {
    let (_machine, host) = raid();
    let storage = host.storage_of(Path::new("/mnt/pool/x")).unwrap();
    assert_eq!(storage.device(), None);
    let found: Vec<&str> = storage.devices().iter().map(|d| d.name.as_str()).collect();
    assert_eq!(found, ["sdd", "sde"]);
    assert_eq!(storage.no_device_because().unwrap(), "btrfs /dev/sdd spreads over 2 devices");
}

#[test]
fn every_use_of_a_device_is_evidence() {
    let (_machine, host) = raid();
    let uses = |device: &str| host.in_use(Path::new(device)).unwrap();
    let at = |path: &str| InUse::Mounted { at: path.into() };
    let held = |holder: &str| InUse::HeldBy { holder: holder.into() };
    let parts = |name: &str| InUse::Partitioned { partitions: vec![name.into()] };
    assert_eq!(uses("/dev/loop0"), [at("/mnt/loop")]);
    assert_eq!(uses("/dev/mapper/vg0-data"), [at("/")]);
    assert_eq!(uses("md0"), [held("dm-0 (vg0-data)")]);
    assert_eq!(uses("/dev/sda1"), [held("md0")]);
    assert_eq!(uses("/dev/sda"), [parts("sda1"), held("md0")]);
    assert_eq!(uses("/dev/sdc"), [parts("sdc1"), InUse::Swap { device: "sdc1".into() }]);
    assert_eq!(uses("/dev/sdd"), [at("/mnt/pool")]);
    assert_eq!(uses("/dev/sde"), [at("/mnt/pool")]);
    assert_eq!(uses("/dev/zram0"), []);
    assert!(host.in_use(Path::new("/dev/absent")).is_err());
}

#[test]
fn a_partitions_mount_speaks_for_the_disk() {
    let (_machine, host) = cloud();
    let uses = host.in_use(Path::new("/dev/nvme1n1")).unwrap();
    let mounted =
        |at: &str| InUse::PartitionMounted { partition: "nvme1n1p1".into(), at: at.into() };
    let parts = InUse::Partitioned { partitions: vec!["nvme1n1p1".into()] };
    assert_eq!(uses, [mounted("/mnt/big disk"), mounted("/mnt/bind"), parts]);
    assert_eq!(uses[0].to_string(), "its partition nvme1n1p1 is mounted at /mnt/big disk");
}

#[test]
fn without_the_mount_table_use_is_unknown_and_not_none() {
    let folder = tempfile::tempdir().unwrap();
    let machine = Machine::new("raid_server");
    let copy = machine.host();
    assert!(copy.in_use(Path::new("/dev/zram0")).is_ok());
    let empty = Host::at(folder.path());
    assert!(matches!(empty.mount_of(Path::new("/")), Err(HostError::Read { .. })));
}

#[test]
fn limits_are_those_of_the_files() {
    let (_machine, host) = cloud();
    let limits = host.limits();
    assert_eq!((limits.aio_max_nr, limits.aio_nr), (Some(65536), Some(2048)));
    assert_eq!(limits.nofile, Some(Ulimit { soft: Some(1024), hard: Some(1_048_576) }));
    assert_eq!(limits.io_uring_disabled, Some(2));
    assert_eq!(limits.file_max, Some(i64::MAX as u64));
    assert_eq!(raid().1.limits(), HostLimits::default());
}

#[test]
fn the_system_says_what_it_is_and_whose() {
    let (_machine, host) = cloud();
    let system = host.system();
    assert_eq!(system.hostname.as_deref(), Some("worker-7"));
    assert_eq!(system.os_release.as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
    assert!(system.cpu_model.unwrap().contains("8275CL"));
    assert_eq!((system.cpus_online, system.numa_nodes), (4, 2));
    assert_eq!(system.memory_bytes, Some(32_000_000 * 1024));
    assert_eq!(system.clocksource.as_deref(), Some("kvm-clock"));
    assert_eq!(system.governor.as_deref(), Some("performance"));
    let guest = system.virtualisation.unwrap();
    assert_eq!(guest.provider.as_deref(), Some("AWS"));
    assert_eq!(guest.product.as_deref(), Some("c5d.large"));
    let metal = raid().1.system();
    assert_eq!((metal.virtualisation, metal.cpus_online), (None, 32));
}

#[test]
fn processors_are_listed_by_node_and_by_permission() {
    let (_machine, host) = cloud();
    assert_eq!(host.allowed_cpus(), [0, 1, 3]);
    assert_eq!(host.numa_cpus(1), [2, 3]);
    assert!(host.numa_cpus(9).is_empty());
    assert_eq!(host.online_cpus(), [0, 1, 2, 3]);
}

fn quota(file: &str, cgroup: &str, cpus: f64, throttled: (u64, u64)) -> CpuQuota {
    let (throttled_count, throttled_us) = throttled;
    let (cgroup, file) = (cgroup.to_owned(), file.to_owned());
    CpuQuota { cpus, cgroup, file, throttled_count, throttled_us }
}

#[test]
fn throttles_of_our_group_and_those_above_hold() {
    let (_machine, host) = cloud();
    let found: Vec<_> = host
        .cgroup_throttles()
        .into_iter()
        .map(|t| (t.cgroup, t.device.unwrap_or_default(), t.unit, t.per_second))
        .collect();
    let ours = "/kubepods/pod1/c1".to_owned();
    let device = "nvme1n1".to_owned();
    let expected = [
        (ours.clone(), device.clone(), ThrottleUnit::WriteBytes, 104_857_600),
        (ours, device, ThrottleUnit::ReadIops, 3000),
        ("/kubepods".to_owned(), "nvme0n1".to_owned(), ThrottleUnit::ReadBytes, 1000),
    ];
    assert_eq!(found, expected);
    let quotas = [
        quota("cpu.max", "/kubepods/pod1/c1", 2.0, (4, 12_345)),
        quota("cpu.max", "/kubepods/pod1", 1.5, (7, 90_000)),
    ];
    assert_eq!(host.cpu_quotas(), quotas);
    assert_eq!(host.cgroup_memory_bytes(), Some(1 << 30));
}

#[test]
fn what_a_group_used_of_a_limit_is_counted_with_the_groups_below() {
    let (machine, host) = cloud();
    let limits = host.cgroup_throttles();
    let counts = || limits.iter().map(|limit| host.throttle_count(limit)).collect::<Vec<_>>();
    assert_eq!(counts(), [None, None, None]);
    let stat = "259:2 rbytes=4096 wbytes=512 rios=1 wios=3 dbytes=0 dios=0\n";
    machine.write("/sys/fs/cgroup/kubepods/pod1/c1/io.stat", stat);
    assert_eq!(counts(), [Some(512), Some(1), None]);
    let (machine, host) = raid();
    let own = "/sys/fs/cgroup/blkio/slow/slower/blkio.throttle.io_serviced_recursive";
    machine.write(own, "8:32 Read 77\n8:32 Write 5\n");
    assert_eq!(host.throttle_count(&host.cgroup_throttles()[0]), Some(77));
}

#[test]
fn throttles_of_other_groups_are_visible_too() {
    let (machine, host) = cloud();
    let other = "/sys/fs/cgroup/kubepods/pod2/io.max";
    machine.write(other, "259:2 rbps=max wbps=max riops=max wiops=500\n");
    let found: Vec<_> =
        host.visible_throttles().into_iter().map(|t| (t.cgroup, t.per_second)).collect();
    let at = |group: &str, limit| (group.to_owned(), limit);
    let expected = [
        at("/kubepods", 1000),
        at("/kubepods/pod1/c1", 104_857_600),
        at("/kubepods/pod1/c1", 3000),
        at("/kubepods/pod2", 500),
    ];
    assert_eq!(found, expected);
    let (_machine, old) = raid();
    let old: Vec<_> = old.visible_throttles().into_iter().map(|t| t.cgroup).collect();
    assert_eq!(old, ["/slow", "/slow/slower"]);
}

#[test]
fn version_1_groups_are_read_through_a_containers_view() {
    let (_machine, host) = raid();
    let throttles = host.cgroup_throttles();
    assert_eq!(throttles.len(), 2);
    assert_eq!((throttles[0].cgroup.as_str(), throttles[0].per_second), ("/slow/slower", 3000));
    assert_eq!(throttles[0].device.as_deref(), Some("sdc"));
    assert_eq!((throttles[1].cgroup.as_str(), &throttles[1].device), ("/slow", &None));
    assert_eq!(throttles[1].unit, ThrottleUnit::WriteBytes);
    assert_eq!(host.cpu_quotas(), [quota("cpu.cfs_quota_us", "/inner", 0.5, (2, 7000))]);
    assert_eq!(host.cgroup_memory_bytes(), None);
}

#[test]
fn counters_are_read_from_both_files() {
    let (_machine, host) = cloud();
    let all = host.disk_stats().unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(host.disk_stats_of("nvme1n1").unwrap(), all[1]);
    assert!(host.disk_stats_of("nvme9n1").is_err());
}

#[test]
fn calls_to_the_kernel_are_refused() {
    let (_machine, host) = cloud();
    assert!(matches!(host.file_system(Path::new("/")), Err(HostError::NotReal { .. })));
    assert!(matches!(host.data_on(Path::new("/dev/nvme0n1")), Err(HostError::NotReal { .. })));
}

#[test]
fn everything_goes_through_json_and_back() {
    let (_machine, host) = cloud();
    for path in ["/mnt/big disk", "/mnt/nas", "/var/lib/merged", "/dev/shm", "/mnt/fuse"] {
        let storage = host.storage_of(Path::new(path)).unwrap();
        let text = serde_json::to_string(&storage).unwrap();
        assert_eq!(serde_json::from_str::<Storage>(&text).unwrap(), storage);
    }
    let system = host.system();
    let text = serde_json::to_string(&system).unwrap();
    assert_eq!(serde_json::from_str::<System>(&text).unwrap(), system);
}

#[test]
fn what_colours_a_measurement_is_read() {
    let (_machine, host) = cloud();
    assert_eq!(host.swap(), Swap { total_bytes: 2_000_000 << 10, used_bytes: 500_000 << 10 });
    assert_eq!(host.seccomp_mode(), Some(2));
    let partition = host.device_named("nvme1n1p1").unwrap();
    let expected =
        QueueTuning { counted: Some(false), nomerges: Some(2), writeback_target_us: Some(2000) };
    assert_eq!(host.queue_tuning(&partition), expected);
    let (_machine, other) = raid();
    assert_eq!(other.swap(), Swap::default());
}
