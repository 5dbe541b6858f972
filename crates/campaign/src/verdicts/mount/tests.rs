//! Runs on an NFS mount of a simulated machine, whose `mountstats` change meanwhile, because the
//! kernels that run these tests need no NFS client.

use crate::verdicts::{Answer, Context, HostWatch, Observed, Weight, judge};
use crate::volume::{TargetKind, Volume};
use fathom_analysis::MountFinding;
use fathom_host::Host;
use fathom_stats::{JobResult, RunResult};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const MOUNTS: &str = "\
25 1 259:1 / / rw - ext4 /dev/sda rw
28 25 0:60 / /mnt/nas rw - nfs nas:/vol rw,vers=3,rsize=65536,addr=10.0.0.1
";

/// What is counted of READ (calls, sent, timeouts, queue, RTT, execution) and of the connections
/// (port, connects, sends, backlog).
fn mountstats(read: [u64; 6], transports: &[[u64; 4]]) -> String {
    let [calls, sent, timeouts, queue, rtt, execute] = read;
    let line = |[port, connects, sends, backlog]: &[u64; 4]| {
        format!("\txprt:\ttcp {port} 1 {connects} 0 5 {sends} {sends} 0 900 {backlog} 32 100 200\n")
    };
    let lines: String = transports.iter().map(line).collect();
    format!(
        "device nas:/vol mounted on /mnt/nas with fstype nfs statvers=1.1\n\
         \topts:\trw,vers=3,rsize=65536\n\tage:\t100\n\
         \tbytes:\t0 0 0 0 {bytes} 0 0 0\n{lines}\
         \t        READ: {calls} {sent} {timeouts} 1 1 {queue} {rtt} {execute} 0\n",
        bytes = calls * 4096,
    )
}

struct Machine(TempDir);

impl Machine {
    fn new() -> Machine {
        let machine = Machine(tempfile::tempdir().unwrap());
        machine.write("mountinfo", MOUNTS);
        machine
    }

    fn write(&self, name: &str, text: &str) {
        let folder = self.0.path().join("proc/self");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }

    /// What was observed between two readings of the counters, and where.
    fn observed(&self, before: &str, after: &str) -> (Observed, Volume) {
        let host = Host::at(self.0.path());
        let path = Path::new("/mnt/nas");
        let volume = Volume {
            name: "/mnt/nas".to_owned(),
            target: path.into(),
            kind: TargetKind::Folder,
            mount: host.mount_of(path).unwrap(),
            storage: host.storage_of(path).unwrap(),
            space: None,
            cluster: None,
            clients: None,
        };
        self.write("mountstats", before);
        let watch = HostWatch::begin(host, Some(&volume));
        self.write("mountstats", after);
        (watch.end(), volume)
    }

    /// What is said of a run of so many reads of 10 ms between two readings of the counters.
    fn judged(&self, ios: u64, before: &str, after: &str) -> Vec<(MountFinding, String)> {
        let (observed, volume) = self.observed(before, after);
        let mut job = JobResult { number: 1, runtime_ms: 2000, ..JobResult::default() };
        let stats = &mut job.dirs.read;
        (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (ios, ios * 4096, 2000);
        (0..ios).for_each(|_| stats.clat.record(10_000_000));
        let result = RunResult { jobs: vec![job], ..RunResult::default() };
        let verdicts = judge(&result, &Context::of_volume(&volume).with_observed(&observed));
        let of_mount = verdicts.into_iter().filter_map(|verdict| match verdict.answer {
            Answer::Mount(finding) => {
                assert_eq!(verdict.weight, Weight::Loud);
                Some((finding, verdict.sentence))
            }
            _ => None,
        });
        of_mount.collect()
    }
}

const ONE: [[u64; 4]; 1] = [[812, 1, 5000, 100]];

#[test]
fn only_what_was_counted_during_the_run_is_judged() {
    let before = mountstats([5000, 5009, 7, 90_000, 1000, 99_000], &ONE);
    let after = mountstats([6000, 6009, 7, 90_100, 10_000, 109_000], &[[812, 1, 6000, 100]]);
    let found = Machine::new().judged(1000, &before, &after);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.contains("a READ call takes 9.00 ms on the way, 90 %"), "{found:?}");
}

#[test]
fn a_cache_repeats_a_queue_and_one_connection_are_each_told() {
    let before = mountstats([5000, 5000, 0, 0, 0, 0], &ONE);
    let cached = mountstats([5100, 5100, 0, 1, 100, 200], &[[812, 1, 5100, 100]]);
    let found = Machine::new().judged(1000, &before, &cached);
    assert!(found[0].1.contains("1,000 reads made 100 READ calls"), "{found:?}");
    let repeated = mountstats([6000, 6004, 1, 0, 100, 2000], &[[812, 2, 6004, 100]]);
    let found = Machine::new().judged(1000, &before, &repeated);
    assert!(found[0].1.contains("of 1,000 calls 4 were sent again, 1 major timeouts"), "{found:?}");
    assert!(found[0].1.contains("1 connections made anew"), "{found:?}");
    let waited = mountstats([6000, 6000, 0, 6000, 3000, 9000], &[[812, 1, 6000, 20_100]]);
    let found = Machine::new().judged(1000, &before, &waited);
    assert!(found[0].1.contains("waited 6.00 ms"), "{found:?}");
    assert!(found[0].1.contains("with 20 waiting for a slot"), "{found:?}");
    assert!(found[0].1.contains("one connection, which may be the limit"), "{found:?}");
}

#[test]
fn connections_of_one_mount_are_held_against_each_other() {
    let four = |sends: [u64; 4]| {
        let lines = [0, 1, 2, 3].map(|at| [812 + at as u64, 1, sends[at], 0]);
        mountstats([sends.iter().sum(), sends.iter().sum(), 0, 0, 0, 0], &lines)
    };
    let before = four([100, 100, 100, 100]);
    let found = Machine::new().judged(1000, &before, &four([400, 400, 400, 200]));
    assert!(found[0].1.contains("one sent 40 % of an equal share"), "{found:?}");
    assert_eq!(Machine::new().judged(1000, &before, &four([350, 350, 350, 350])), []);
}

#[test]
fn what_is_no_network_mount_is_asked_nothing() {
    let machine = Machine::new();
    let local = MOUNTS.replace("nfs nas:/vol", "tmpfs tmpfs");
    machine.write("mountinfo", &local);
    let text = mountstats([1, 1, 0, 0, 0, 0], &ONE);
    assert_eq!(machine.judged(1000, &text, &text), []);
}

#[test]
fn each_kind_of_call_and_each_connection_is_kept_with_what_it_did_meanwhile() {
    let before = mountstats([1000, 1000, 0, 5, 700, 900], &[[700, 1, 500, 1], [701, 1, 500, 1]]);
    let after = mountstats([1300, 1304, 1, 9, 3700, 4000], &[[700, 2, 600, 3], [701, 1, 704, 1]]);
    let counted = Machine::new().observed(&before, &after).0.mount.expect("an NFS mount");
    let read = counted.operation("READ").expect("it was used");
    assert_eq!((read.operations, read.transmissions, read.timeouts), (300, 304, 1));
    assert_eq!((read.queue_ms, read.rtt_ms, read.execute_ms), (4, 3000, 3100));
    assert_eq!(counted.bytes.server_read, 300 * 4096);
    let transports: Vec<_> =
        counted.transports.iter().map(|of| (of.source_port, of.connects, of.sends)).collect();
    assert_eq!(transports, [(700, 1, 100), (701, 0, 204)]);
    assert_eq!(counted.option("rsize"), Some("65536"));
}
