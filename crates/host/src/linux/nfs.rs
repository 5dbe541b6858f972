//! The counters of the NFS client for a mount, from `/proc/self/mountstats`.
//!
//! It is a second source for our latency: `rtt_ms` is the server and the network, and
//! `execute_ms - rtt_ms` the time in the client's queues. The layout is that of the kernel's
//! net/sunrpc/stats.c and fs/nfs/super.c as their output shows it (statvers 1.0 and 1.1); unknown
//! lines are skipped.

use crate::linux::mount::unescape;
use crate::{Host, HostError, NfsBytes, NfsOperation, NfsStats, NfsTransport};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

impl Host {
    /// The counters of the NFS client for the mount at `mount_point`; `None` if that is not NFS.
    ///
    /// # Errors
    /// [`HostError::Read`] if `/proc/self/mountstats` cannot be read.
    pub fn nfs_stats(&self, mount_point: &Path) -> Result<Option<NfsStats>, HostError> {
        let all = parse_nfs_stats(&self.bytes("/proc/self/mountstats")?);
        // The last of mounts at one place is the one on top.
        Ok(all.into_iter().rev().find(|stats| stats.mount_point == mount_point))
    }
}

/// Reads the NFS mounts of `/proc/self/mountstats`; others are left out.
pub fn parse_nfs_stats(text: &[u8]) -> Vec<NfsStats> {
    let mut all = Vec::new();
    let mut current: Option<NfsStats> = None;
    for line in text.split(|&byte| byte == b'\n') {
        if line.starts_with(b"device ") {
            all.extend(current.take());
            current = parse_head(line);
        } else if let Some(stats) = &mut current {
            parse_body(&String::from_utf8_lossy(line), stats);
        }
    }
    all.extend(current);
    all
}

/// `device SOURCE mounted on POINT with fstype TYPE statvers=1.1`.
fn parse_head(line: &[u8]) -> Option<NfsStats> {
    let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    let [_, source, b"mounted", b"on", point, b"with", b"fstype", fstype, ..] = words.as_slice()
    else {
        return None;
    };
    if !matches!(*fstype, b"nfs" | b"nfs4") {
        return None;
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(&unescape(bytes)).into_owned();
    Some(NfsStats {
        source: text(source),
        mount_point: PathBuf::from(OsString::from_vec(unescape(point))),
        fstype: text(fstype),
        ..Default::default()
    })
}

fn parse_body(line: &str, stats: &mut NfsStats) {
    let Some((key, rest)) = line.trim().split_once(':') else { return };
    match key {
        "opts" => stats.options = rest.trim().split(',').map(str::to_owned).collect(),
        "age" => stats.age_s = rest.trim().parse().unwrap_or(0),
        "bytes" => stats.bytes = parse_bytes(rest),
        "xprt" => stats.transports.extend(parse_transport(rest)),
        "caps" | "sec" | "events" | "nfsv4" | "impl_id" | "fsc" => {}
        // Lines of requests are a name in capitals and numbers.
        _ => stats.operations.extend(parse_operation(key, rest)),
    }
}

/// The numbers of a line; those beyond `N` are cut, missing ones are 0, `None` if there is none or
/// one is not a number.
fn numbers<const N: usize>(text: &str) -> Option<[u64; N]> {
    let mut found = [0; N];
    let mut any = false;
    for (slot, word) in found.iter_mut().zip(text.split_whitespace()) {
        *slot = word.parse().ok()?;
        any = true;
    }
    any.then_some(found)
}

fn parse_bytes(rest: &str) -> NfsBytes {
    let [normal_read, normal_written, direct_read, direct_written, server_read, server_written] =
        numbers(rest).unwrap_or_default();
    NfsBytes {
        normal_read,
        normal_written,
        direct_read,
        direct_written,
        server_read,
        server_written,
    }
}

/// `tcp` and `rdma` have five columns before the relevant counts, `udp` two; after them come two
/// sums of queue lengths and then, except for `rdma`, the largest number of slots and, from
/// statvers 1.1 on, two more sums.
fn parse_transport(rest: &str) -> Option<NfsTransport> {
    let (protocol, columns) = rest.trim().split_once(' ')?;
    let columns: [u64; 13] = numbers(columns)?;
    let counts = &columns[if protocol == "udp" { 2 } else { 5 }..];
    // The end of rdma's line counts its memory.
    let with_slots = |value: u64| if protocol == "rdma" { 0 } else { value };
    Some(NfsTransport {
        protocol: protocol.to_owned(),
        source_port: columns[0],
        connects: if protocol == "udp" { 0 } else { columns[2] },
        sends: counts[0],
        receives: counts[1],
        bad_replies: counts[2],
        max_slots: with_slots(counts[5]),
        in_flight_sum: counts[3],
        backlog_sum: counts[4],
        sending_sum: with_slots(counts[6]),
    })
}

fn parse_operation(name: &str, rest: &str) -> Option<NfsOperation> {
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let [
        operations,
        transmissions,
        timeouts,
        bytes_sent,
        bytes_received,
        queue_ms,
        rtt_ms,
        execute_ms,
        errors,
    ] = numbers(rest)?;
    (operations > 0).then(|| NfsOperation {
        name: name.to_owned(),
        operations,
        transmissions,
        timeouts,
        bytes_sent,
        bytes_received,
        queue_ms,
        rtt_ms,
        execute_ms,
        errors,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two connections (nconnect=2), a mount point with a space, and a neighbour that is not NFS.
    const TEXT: &[u8] = b"\
device /dev/vda mounted on / with fstype ext4\n\
device nas:/vol\\040one mounted on /mnt/nas\\040one with fstype nfs statvers=1.1\n\
\topts:\trw,vers=3,rsize=262144,wsize=262144,hard,proto=tcp,nconnect=2,sec=sys\n\
\tage:\t3600\n\
\tcaps:\tcaps=0x3fe7,wtmult=4096,dtsize=4096,bsize=0,namlen=255\n\
\tsec:\tflavor=1,pseudoflavor=1\n\
\tevents:\t1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27\n\
\tbytes:\t1000 2000 4096 8192 4100 8200 1 2\n\
\tRPC iostats version: 1.1  p/v: 100003/3 (nfs)\n\
\txprt:\ttcp 812 1 1 0 5 500 499 1 900 20 32 100 200\n\
\txprt:\ttcp 813 1 1 0 5 501 501 0 901 21 33 101 201\n\
\tper-op statistics\n\
\t        NULL: 0 0 0 0 0 0 0 0 0\n\
\t        READ: 200 203 1 25600 900000 40 640 700 2\n\
\t       WRITE: 100 100 0 500000 12000 10 400 420 0\n\
\n\
device nas:/vol\\040one mounted on /mnt/four with fstype nfs4 statvers=1.1\n\
\topts:\trw,vers=4.1\n\
\txprt:\tudp 812 1 7 6 1 3 4 16 1 1\n\
\t     SEQUENCE: 3 3 0 1 1 1 1 1 0\n";

    #[test]
    fn a_mount_is_read_whole() {
        let all = parse_nfs_stats(TEXT);
        assert_eq!(all.len(), 2);
        let nas = &all[0];
        assert_eq!(nas.source, "nas:/vol one");
        assert_eq!(nas.mount_point, Path::new("/mnt/nas one"));
        assert_eq!((nas.option("nconnect"), nas.option("vers")), (Some("2"), Some("3")));
        assert_eq!((nas.option("hard"), nas.age_s), (None, 3600));
        assert_eq!((nas.bytes.direct_read, nas.bytes.server_written), (4096, 8200));
        assert_eq!(nas.transports.len(), 2);
        let first = &nas.transports[0];
        assert_eq!((first.sends, first.receives, first.bad_replies), (500, 499, 1));
        assert_eq!(first.max_slots, 32);
        assert_eq!((first.source_port, first.connects), (812, 1));
        assert_eq!((first.in_flight_sum, first.backlog_sum, first.sending_sum), (900, 20, 100));
        assert_eq!(all[1].transports[0].sends, 7);
        assert_eq!(all[1].transports[0].max_slots, 16);
    }

    #[test]
    fn requests_give_their_mean_times_and_unused_kinds_are_left_out() {
        let nas = parse_nfs_stats(TEXT).swap_remove(0);
        let names: Vec<&str> = nas.operations.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["READ", "WRITE"]);
        let read = nas.operation("READ").unwrap();
        assert_eq!((read.transmissions, read.errors), (203, 2));
        assert_eq!(read.mean_rtt_ms(), Some(3.2));
        assert_eq!(read.mean_execute_ms(), Some(3.5));
    }

    #[test]
    fn a_difference_leaves_idle_kinds_out_and_survives_a_new_mount() {
        let earlier = parse_nfs_stats(TEXT).swap_remove(0);
        let mut later = earlier.clone();
        later.operations[0].operations += 10;
        later.operations[0].rtt_ms += 5;
        let delta = later.operations_since(&earlier);
        assert_eq!((delta.len(), delta[0].operations, delta[0].rtt_ms), (1, 10, 5));
        assert_eq!(earlier.operations_since(&later)[0].operations, 200);
    }

    #[test]
    fn connections_are_told_from_before_on_and_whole_after_a_new_mount() {
        let earlier = parse_nfs_stats(TEXT).swap_remove(0);
        let mut later = earlier.clone();
        (later.transports[1].sends, later.transports[1].backlog_sum) = (601, 121);
        let moved = later.transports_since(&earlier);
        let (first, second) = (&moved[0], &moved[1]);
        assert_eq!((first.sends, second.sends, second.backlog_sum), (0, 100, 100));
        assert_eq!((second.max_slots, second.source_port), (33, 813));
        assert_eq!(earlier.transports_since(&later)[1].sends, 501, "it counts from 0 again");
        later.transports.pop();
        assert_eq!(later.transports_since(&earlier)[0].sends, 500);
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut text = b"device a mounted on /b with fstype nfs\n\txprt:\ttcp ".to_vec();
            text.extend(&bytes);
            parse_nfs_stats(&text);
            parse_nfs_stats(&bytes);
        }
    }
}
