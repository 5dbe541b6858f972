//! From paths to watched subjects, on the machine of `laid_out` and on the real one.

use super::laid_out::Machine;
use crate::{LimitScope, Partitions, WatchSubject, Watched, resolve};
use fathom_host::{Host, ThrottleUnit};
use std::path::PathBuf;

fn paths(paths: &[&str]) -> Vec<PathBuf> {
    paths.iter().map(PathBuf::from).collect()
}

fn found(asked: &[&str], partitions: Partitions) -> Vec<Watched> {
    resolve(&Machine::new().host(), &paths(asked), partitions).unwrap()
}

fn names(watched: &[Watched]) -> Vec<&str> {
    watched.iter().map(|watched| watched.name.as_str()).collect()
}

fn refused(host: &Host, asked: &str) -> String {
    resolve(host, &paths(&[asked]), Partitions::Asked).unwrap_err().to_string()
}

#[test]
fn a_folder_leads_to_its_partition_and_that_to_its_disk() {
    assert_eq!(names(&found(&["/data/x"], Partitions::Asked)), ["nvme0n1p2", "nvme0n1"]);
    assert_eq!(names(&found(&["/dev/nvme0n1"], Partitions::Asked)), ["nvme0n1"]);
    let all = ["nvme0n1", "nvme0n1p1", "nvme0n1p2"];
    assert_eq!(names(&found(&["/dev/nvme0n1"], Partitions::All)), all);
    let all = ["nvme0n1p2", "nvme0n1", "nvme0n1p1"];
    assert_eq!(names(&found(&["/data"], Partitions::All)), all);
    assert_eq!(names(&found(&["/merged/x"], Partitions::Asked)), ["nvme0n1p2", "nvme0n1"]);
}

#[test]
fn a_device_may_be_called_by_its_name_as_iostat_has_it() {
    assert_eq!(names(&found(&["nvme0n1"], Partitions::Asked)), ["nvme0n1"]);
}

#[test]
fn two_paths_on_one_device_are_one_line() {
    let found = found(&["/", "/data", "/data", "nvme0n1"], Partitions::Asked);
    assert_eq!(names(&found), ["nvme0n1p1", "nvme0n1", "nvme0n1p2"]);
    assert_eq!(found[1].asked, ["/", "/data", "nvme0n1"]);
    assert_eq!(found[2].asked, ["/data"]);
}

#[test]
fn limits_on_the_disk_hold_for_its_partitions_and_say_whose_they_are() {
    for watched in found(&["/data"], Partitions::Asked) {
        let WatchSubject::Device { limits, .. } = watched.subject else { panic!("{watched:?}") };
        let said: Vec<_> =
            limits.iter().map(|l| (l.cgroup.as_str(), l.whose, l.unit, l.per_second)).collect();
        let ours = ("/ours", LimitScope::Ours, ThrottleUnit::ReadIops, 3000);
        let theirs = ("/theirs", LimitScope::Others, ThrottleUnit::WriteBytes, 1_000_000);
        assert_eq!(said, [ours, theirs], "{}", watched.name);
    }
}

#[test]
fn nfs_and_memory_are_subjects_of_their_own() {
    let found = found(&["/mnt/nas/dir", "/dev/shm", "/memory/merged"], Partitions::Asked);
    assert_eq!(names(&found), ["/mnt/nas", "/dev/shm", "/memory/merged"]);
    let WatchSubject::Nfs { source, connections, .. } = &found[0].subject else {
        panic!("{found:?}")
    };
    assert_eq!((source.as_str(), *connections), ("nas:/vol", 2));
    assert!(matches!(&found[1].subject, WatchSubject::Memory { fstype, .. } if fstype == "tmpfs"));
    assert!(found[1].notes[0].starts_with("tmpfs is memory: there is no device"));
    assert!(matches!(&found[2].subject, WatchSubject::Memory { .. }));
    let document = serde_json::to_value(&found[0]).unwrap();
    assert_eq!((&document["kind"], &document["name"]), (&"nfs".into(), &"/mnt/nas".into()));
}

#[test]
fn where_nothing_counts_the_error_says_where_something_does() {
    let machine = Machine::new();
    let host = machine.host();
    let share = refused(&host, "/mnt/share/x");
    assert!(share.contains("server files") && share.ends_with("on the server"), "{share}");
    let pool = refused(&host, "/tank");
    assert!(pool.contains("zfs pool tank/data") && pool.contains("pool's devices"), "{pool}");
    let lost = refused(&host, "/mnt/lost");
    assert!(lost.contains("/proc/self/mountstats"), "{lost}");
}

#[test]
fn a_disk_that_is_told_not_to_count_is_watched_with_a_note() {
    let found = found(&["sdx"], Partitions::Asked);
    assert!(found[0].notes[0].contains("echo 1 > /sys/block/sdx/queue/iostats"), "{found:?}");
}

#[test]
fn on_the_real_machine_a_misspelt_path_is_no_folder_of_its_mount() {
    let host = Host::real();
    let missing = refused(&host, "/no/such/folder");
    assert!(missing.contains("/no/such/folder does not exist") && missing.contains("lsblk"));
    let misspelt = refused(&host, "nosuchdisk9");
    assert!(misspelt.contains("nosuchdisk9 does not exist"), "{misspelt}");
    let null = refused(&host, "/dev/null");
    assert!(null.contains("neither a folder"), "{null}");
    let proc = refused(&host, "/proc");
    assert!(proc.contains("proc has no device of its own"), "{proc}");
}
