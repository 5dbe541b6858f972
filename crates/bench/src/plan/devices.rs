//! Rows on devices and files: zram, tmpfs, the page cache, the machine's disk.
//!
//! The IOPS of one core are measured on memory whose own work is small compared with the kernel's
//! block layer: a zram device with pages of equal bytes, of which the kernel stores one word, so
//! that a read is a `memset` and a write a look at the page; and a file on tmpfs. A disk moves its
//! data without the processor, so a copy or a compressor instead of the disk would be measured
//! instead of the client. Random pages on zram are measured too, for the rate of such a device.

use super::*;
use crate::nfs_server;
use fathom_engine::bare::WriteContent;

/// The required rates of one core for reads and writes: those of 16 cores on an NVMe drive.
const READS: f64 = 614e3;
const WRITES: f64 = 667e3;

/// The rows of one job each.
pub fn rows() -> Vec<BenchRow> {
    [alike_rows(), random_rows(), tmpfs_rows(), file_rows(), nfs_rows()].concat()
}

/// Ours against the bare loop, and both in I/Os a second.
fn held_to_bare(row: BenchRow, least: Want) -> BenchRow {
    row.asks(Iops, OURS, Over(BARE), least).asks(CpuNs, BARE, Over(OURS), Stated).asks(
        Iops,
        FIO,
        Over(BARE),
        Stated,
    )
}

fn in_figures(row: BenchRow, least: Want) -> BenchRow {
    row.asks(Iops, OURS, Alone, least)
        .asks(Iops, FIO, Alone, Stated)
        .asks(Iops, BARE, Alone, Stated)
}

fn psync(rw: &str) -> String {
    format!("--ioengine=psync --rw={rw} --direct=1 --filename={{file}}")
}

/// Batches as the bare loops have them: all I/Os complete within their submission here.
const WHOLE_BATCHES: &str = "--iodepth=16 --iodepth_batch=16 --iodepth_batch_complete_max=16";

fn libaio(rw: &str) -> String {
    format!("--ioengine=libaio {WHOLE_BATCHES} --rw={rw} --direct=1 --filename={{file}}")
}

/// Name, title, calls and whether it writes. Only zeros are written; otherwise the device would
/// store random pages.
const ALIKE: [(&str, &str, Calls, bool); 4] = [
    (
        "alike-psync-read",
        "psync, randread, O_DIRECT, zram of pages all alike",
        Calls::Synchronous,
        false,
    ),
    (
        "alike-psync-write",
        "psync, randwrite of zeros, O_DIRECT, zram of pages all alike",
        Calls::Synchronous,
        true,
    ),
    (
        "alike-libaio-16-read",
        "libaio, depth 16, randread, O_DIRECT, zram of pages all alike",
        Calls::Aio,
        false,
    ),
    (
        "alike-libaio-16-write",
        "libaio, depth 16, randwrite of zeros, O_DIRECT, zram of pages all alike",
        Calls::Aio,
        true,
    ),
];

fn alike_rows() -> Vec<BenchRow> {
    let one = |(id, title, calls, write)| {
        let words: fn(&str) -> String = if calls == Calls::Aio { libaio } else { psync };
        let depth = if calls == Calls::Aio { 16 } else { 1 };
        let words = match write {
            true => words("randwrite") + " --zero_buffers",
            false => words("randread"),
        };
        let bare = Bare { content: WriteContent::Zeros, ..Bare::new(calls, write, depth, true) };
        let row = row(id, title, BenchDevice::ZramAlike).runs([bare.contestant()]).both(&words);
        in_figures(held_to_bare(row, Stated), AtLeast(if write { WRITES } else { READS }))
    };
    ALIKE.into_iter().map(one).collect()
}

fn random_rows() -> Vec<BenchRow> {
    use Calls::{Aio, Synchronous};
    let row = |id, title, rw, write| {
        let row = row(id, title, BenchDevice::Zram).runs([bare(Synchronous, write, 1, true)]);
        in_figures(held_to_bare(row.both(&psync(rw)), AtLeast(0.95)), Stated)
    };
    vec![
        row("zram-psync-read", "psync, randread, O_DIRECT, zram", "randread", false),
        row("zram-psync-write", "psync, randwrite, O_DIRECT, zram", "randwrite", true),
        super::row(
            "zram-libaio-16",
            "libaio, depth 16, randread, O_DIRECT, zram",
            BenchDevice::Zram,
        )
        .runs([bare(Aio, false, 16, true)])
        .both(&libaio("randread"))
        .asks(Iops, OURS, Over(BARE), AtLeast(0.95))
        .asks(CpuNs, BARE, Over(OURS), Stated)
        .asks(Iops, OURS, Over(FIO), AtLeast(1.2)),
    ]
}

fn tmpfs_rows() -> Vec<BenchRow> {
    let row = |id, title, rw, write, least| {
        let words = format!("--ioengine=psync --rw={rw} --invalidate=0 --filename={{file}}");
        let bare = bare(Calls::Synchronous, write, 1, false);
        let row = row(id, title, BenchDevice::Tmpfs).runs([bare]).both(&words);
        in_figures(held_to_bare(row, Stated), AtLeast(least))
    };
    vec![
        row("tmpfs-psync-read", "psync, randread, tmpfs", "randread", false, READS),
        row("tmpfs-psync-write", "psync, randwrite, tmpfs", "randwrite", true, WRITES),
    ]
}

fn file_rows() -> Vec<BenchRow> {
    let cached = format!(
        "--ioengine=io_uring {WHOLE_BATCHES} --rw=randread --invalidate=0 --filename={{file}}"
    );
    let disk = "--ioengine=io_uring --iodepth=64 --rw=randread --direct=1 --filename={file}";
    vec![
        row("cached-uring-16", "io_uring, depth 16, randread, page cache", BenchDevice::Cached)
            .runs([bare(Calls::Ring, false, 16, false)])
            .both(&cached)
            .asks(Iops, OURS, Over(BARE), AtLeast(0.95))
            .asks(CpuNs, BARE, Over(OURS), Stated)
            .asks(Iops, OURS, Over(FIO), AtLeast(1.5))
            .asks(Iops, FIO, Over(BARE), Stated),
        row("disk-uring-64", "io_uring, depth 64, randread, O_DIRECT, disk", BenchDevice::Disk)
            .both(disk)
            .asks(Iops, OURS, Over(FIO), AtLeast(0.98))
            .asks(UserNs, OURS, Over(FIO), AtMost(1.0 / 3.0)),
    ]
}

/// Reads over the wire. Most of the time of both is the kernel's, which on the loopback delivers
/// data to the server within the call; user time is the program's own.
fn nfs_rows() -> Vec<BenchRow> {
    let words = |depth: u32| {
        let file = nfs_server::FILE;
        format!(
            "--ioengine=nfs --nfs_url={{file}} --filename={file} --size=32m --rw=randread \
             --iodepth={depth}"
        )
    };
    let counted = |id, title, depth| {
        let ours = Contestant { name: OURS, work: BenchWork::CountOurs(words(depth)) };
        let fio = Contestant { name: FIO, work: BenchWork::CountFio(words(depth)) };
        row(id, title, BenchDevice::Nfs)
            .runs([ours, fio])
            .asks(Instructions, OURS, Over(FIO), AtMost(0.5))
            .asks(Instructions, OURS, Alone, Stated)
            .asks(Instructions, FIO, Alone, Stated)
            .once()
    };
    let row = |id, title, depth| {
        row(id, title, BenchDevice::Nfs)
            .both(&words(depth))
            .asks(CpuNs, OURS, Over(FIO), AtMost(0.5))
            .asks(UserNs, OURS, Over(FIO), AtMost(0.5))
            .asks(CpuNs, OURS, Alone, Stated)
            .asks(CpuNs, FIO, Alone, Stated)
            .asks(Iops, OURS, Over(FIO), AtLeast(0.95))
            .asks(Iops, OURS, Alone, Stated)
    };
    vec![
        row("nfs-1", "nfs, depth 1, randread, ganesha on this machine", 1),
        row("nfs-32", "nfs, depth 32, randread, ganesha on this machine", 32),
        counted("nfs-1-instructions", "nfs, depth 1, callgrind", 1),
        counted("nfs-32-instructions", "nfs, depth 32, callgrind", 32),
    ]
}

/// The gain from a second thread.
pub fn scaling() -> Vec<BenchRow> {
    let scaling = |id, title, place, words: &str| {
        let two = format!("{words} --numjobs=2 --thread --group_reporting");
        row(id, title, place)
            .runs([ours("one", words), ours("two", &two), fio("fio one", words)])
            .runs([fio("fio two", &two)])
            .asks(Iops, "two", Over("one"), AtLeast(1.9))
            .asks(Iops, "fio two", Over("fio one"), Stated)
    };
    let zram = psync("randread");
    vec![
        scaling("null-two-threads", "two threads over one, null", BenchDevice::Nothing, NULL),
        scaling(
            "zram-two-threads",
            "two threads over one, psync on zram",
            BenchDevice::Zram,
            &zram,
        ),
    ]
}
