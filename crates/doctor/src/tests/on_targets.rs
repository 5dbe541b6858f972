//! Findings on targets.

use super::machine::Machine;
use super::*;
use fathom_document::{TargetKind, Volume};
use fathom_host::{Host, InUse, Space};
use std::path::Path;

/// A folder of a fixture, whose files say everything but what only a kernel can.
fn volume(host: &Host, path: &str) -> Volume {
    let at = Path::new(path);
    Volume {
        name: path.to_owned(),
        target: at.into(),
        kind: TargetKind::Folder,
        cluster: None,
        clients: None,
        mount: host.mount_of(at).unwrap(),
        storage: host.storage_of(at).unwrap(),
        space: Some(Space { total_bytes: 1 << 40, available_bytes: 1 << 39, ..Space::default() }),
    }
}

fn taken() -> DirectFacts {
    DirectFacts {
        offset_alignment_bytes: 512,
        memory_alignment_bytes: 4,
        known_from: "as the kernel reports".into(),
        ..DirectFacts::default()
    }
}

fn examine(host: &Host, volume: Volume, direct: DirectFacts) -> Vec<DoctorFinding> {
    let facts = TargetFacts::gather(host, volume, Some(direct));
    TargetDiagnosis::new("x", Ok::<_, String>(facts)).findings
}

fn found(host: &Host, path: &str) -> Vec<DoctorFinding> {
    examine(host, volume(host, path), taken())
}

fn says(findings: &[DoctorFinding], topic: FindingTopic) -> String {
    let finding = one(findings, topic);
    format!("{}: {}", finding.severity.name(), finding.evidence)
}

#[test]
fn a_cloud_volume_shows_its_cap_queue_and_cache() {
    let machine = Machine::new("cloud_vm");
    let found = found(&machine.host(), "/mnt/big disk/data");
    // The limit is on the disk, the file system on its partition.
    assert_eq!(
        says(&found, FindingTopic::Throttle),
        "warning: Our control group is held to 105 MB/s written on nvme1n1 (by \
         /kubepods/pod1/c1) and to 3,000 reads/s on nvme1n1 (by /kubepods/pod1/c1)."
    );
    let queue = one(&found, FindingTopic::Queue);
    assert_eq!(queue.severity, Severity::Warning);
    assert!(queue.evidence.starts_with("1023 requests, of at most 256 KiB, nothing merged; its"));
    assert_eq!(queue.advice.unwrap(), "As root: `echo 1 > /sys/block/nvme1n1/queue/iostats`");
    assert!(says(&found, FindingTopic::Scheduler).starts_with("note: mq-deadline"));
    assert!(says(&found, FindingTopic::WriteCache).starts_with("note: Write-back"));
    assert_eq!(
        says(&found, FindingTopic::MountOptions),
        "ok: None that changes figures (noatime)."
    );
    assert_eq!(says(&found, FindingTopic::FileSystem), "ok: xfs at /mnt/big disk.");
    assert!(
        says(&found, FindingTopic::DirectIo).contains("multiples of 512 bytes, buffers of 4 bytes")
    );
    assert!(says(&found, FindingTopic::Device).ends_with("50 GB, pcie, not rotational."));
    assert!(found.iter().all(|finding| finding.topic != FindingTopic::Stack));
}

#[test]
fn connections_of_nfs_are_counted() {
    let machine = Machine::new("cloud_vm");
    let many = found(&machine.host(), "/mnt/nas");
    assert!(
        says(&many, FindingTopic::Network)
            .starts_with("ok: nfs 3, /vol1 of 10.0.0.5, 8 connections")
    );
    let single = one(&found(&machine.host(), "/mnt/four"), FindingTopic::Network);
    assert_eq!(single.severity, Severity::Note);
    assert!(single.advice.unwrap().contains("nconnect=8"));
    assert!(many.iter().all(|finding| finding.topic != FindingTopic::Device));
}

#[test]
fn what_is_no_plain_disk_is_named() {
    let machine = Machine::new("cloud_vm");
    let host = machine.host();
    let system = |path: &str| says(&found(&host, path), FindingTopic::FileSystem);
    assert!(system("/dev/shm").starts_with("warning: tmpfs at /dev/shm: memory."));
    assert!(system("/var/lib/merged").starts_with("note: overlay at /var/lib/merged: a container"));
    assert!(system("/tank").starts_with("note: zfs at /tank: copy on write."));
    assert!(system("/mnt/fuse").contains("a program serves it"));
    assert!(system("/var/lib/readonly").contains("mounted read-only"));
    assert!(
        says(&found(&host, "/tank"), FindingTopic::Device).contains("does not say which devices")
    );
    let options = found(&host, "/");
    assert!(says(&options, FindingTopic::MountOptions).starts_with("note: discard: freed blocks"));
}

#[test]
fn a_stack_is_taken_apart() {
    let machine = Machine::new("raid_server");
    let root = found(&machine.host(), "/");
    let text = says(&root, FindingTopic::Stack);
    let expected = "note: From the top down: dm-0 (vg0-data), md0 (raid1), sda1, sdb1. Each part";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("thin pool"));
    let image = found(&machine.host(), "/mnt/loop");
    let text = says(&image, FindingTopic::Device);
    assert!(text.starts_with("ok: ") && text.contains("a file as a device"), "{text}");
    let text = says(&image, FindingTopic::Stack);
    assert!(text.contains("loop0 (file /data/image one.img), dm-0"), "{text}");
    assert!(one(&image, FindingTopic::Stack).advice.unwrap().contains("--direct-io=on"));
    let pool = found(&machine.host(), "/mnt/pool");
    assert!(says(&pool, FindingTopic::Device).contains("btrfs"), "{pool:?}");
}

#[test]
fn a_device_says_who_uses_it_and_memory_is_memory() {
    let machine = Machine::new("raid_server");
    let host = machine.host();
    let device = |path: &str, in_use: Vec<InUse>, data: Option<&str>| {
        let data = data.map(str::to_owned);
        let kind = TargetKind::Device { size_bytes: 1, in_use, in_use_unknown: None, data };
        let volume = Volume { kind, space: None, ..volume(&host, path) };
        examine(&host, volume, taken())
    };
    let held = device("/dev/sda", vec![InUse::HeldBy { holder: "md0".into() }], None);
    assert!(
        says(&held, FindingTopic::InUse)
            .starts_with("note: md0 stands on it: writing on the device")
    );
    assert!(says(&held, FindingTopic::Device).contains("rotational: a seek costs"));
    assert!(held.iter().all(|finding| finding.topic != FindingTopic::FileSystem));
    let unused = device("/dev/sdb", Vec::new(), Some("xfs"));
    assert_eq!(says(&unused, FindingTopic::InUse), "note: Nobody uses it, but it holds xfs.");
    let memory = device("/dev/zram0", Vec::new(), None);
    assert!(says(&memory, FindingTopic::Device).starts_with("warning: /dev/zram0"));
    assert!(memory.iter().all(|finding| finding.topic != FindingTopic::Scheduler));
}

#[test]
fn options_that_change_the_meaning_are_told_by_name_and_value() {
    let machine = Machine::new("cloud_vm");
    let host = machine.host();
    let with = |options: &[&str]| {
        let mut volume = volume(&host, "/mnt/big disk");
        volume.mount.options = options.iter().map(|option| (*option).to_owned()).collect();
        let found = examine(&host, volume, taken());
        let ours = found.into_iter().filter(|finding| finding.topic == FindingTopic::MountOptions);
        ours.map(|f| (f.severity, f.evidence.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(with(&["rw", "data=ordered", "barrier=1", "dax=never"])[0].0, Severity::Ok);
    let sync = with(&["rw", "sync", "data=journal", "noatime"]);
    assert_eq!((sync.len(), sync[0].0, sync[1].0), (2, Severity::Warning, Severity::Note));
    assert!(sync[1].1.starts_with("data=journal: "));
    assert_eq!(with(&["barrier=0"])[0].0, Severity::Warning);
    assert!(with(&["compress=zstd:3"])[0].1.starts_with("compress=zstd:3: what compresses"));
}

#[test]
fn direct_io_is_refused_untried_or_coarse() {
    let machine = Machine::new("cloud_vm");
    let host = machine.host();
    let direct = |facts: DirectFacts| {
        says(&examine(&host, volume(&host, "/mnt/big disk"), facts), FindingTopic::DirectIo)
    };
    let refused = DirectFacts { refused: Some("Invalid argument".into()), ..taken() };
    assert!(direct(refused).starts_with("warning: O_DIRECT could not be had: Invalid argument."));
    let untried = DirectFacts { untried: Some("Permission denied".into()), ..taken() };
    assert!(direct(untried).starts_with("note: O_DIRECT could not be tried: Permission denied."));
    let coarse = DirectFacts { offset_alignment_bytes: 65_536, ..taken() };
    assert!(direct(coarse).starts_with("note: O_DIRECT is taken; offsets and sizes in multiples"));
}

#[test]
fn a_full_volume_and_one_that_cannot_be_looked_at() {
    let machine = Machine::new("cloud_vm");
    let host = machine.host();
    let space = |available_bytes: u64| {
        let space = Space { total_bytes: 1 << 40, available_bytes, ..Space::default() };
        let volume = Volume { space: Some(space), ..volume(&host, "/mnt/big disk") };
        one(&examine(&host, volume, taken()), FindingTopic::Space).severity
    };
    let found = [1 << 39, 1 << 36, 1 << 29].map(space);
    assert_eq!(found, [Severity::Ok, Severity::Note, Severity::Warning]);
    let failed = TargetDiagnosis::new("/x", Err("gone"));
    assert_eq!((failed.failure.as_deref(), failed.findings.len()), (Some("gone"), 0));
}
