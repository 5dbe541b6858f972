//! How the cost of an I/O grows with jobs, depth, block size and files (`--growth`).
//!
//! On the null engine, where only the program costs time: the growth is ours (or fio's). The block
//! size also runs on a file on tmpfs, because it has no effect if no memory is moved; the bare loop
//! beside it shows the kernel's copy. It is tmpfs and not zram, which takes no blocks below 4 KiB.
//!
//! A point is a row like any other, whose figures are stated and not judged.

use super::{Alone, BARE, Bare, BenchRow, Calls, CpuNs, FIO, Iops, OURS, Stated};
use crate::place::BenchDevice;

/// An axis: its rows' command line, in which `{x}` is replaced by each of its points.
struct Axis {
    id: &'static str,
    title: &'static str,
    words: &'static str,
    points: Vec<u32>,
}

/// The rows of all axes.
pub fn rows() -> Vec<BenchRow> {
    let doubled = |from: u32, to: u32| {
        std::iter::successors(Some(from), |x| Some(x * 2)).take_while(|x| *x <= to).collect()
    };
    let axes = [
        Axis {
            id: "jobs",
            title: "jobs",
            words: "--size=1g --numjobs={x} --thread --group_reporting",
            points: doubled(1, 64),
        },
        Axis {
            id: "depth",
            title: "I/O depth",
            words: "--size=1g --iodepth={x}",
            points: doubled(1, 1024),
        },
        Axis {
            id: "bs",
            title: "block size",
            words: "--size=1g --bs={x}",
            points: doubled(512, 1 << 20),
        },
        Axis {
            id: "files",
            title: "files of a job",
            words: "--filesize=64m --nrfiles={x}",
            points: vec![1, 10, 100, 1000, 10_000],
        },
    ];
    axes.iter()
        .flat_map(Axis::rows)
        .chain(doubled(512, 1 << 20).into_iter().map(on_tmpfs))
        .collect()
}

impl Axis {
    fn rows(&self) -> impl Iterator<Item = BenchRow> {
        self.points.iter().map(|point| {
            let row = BenchRow::new(
                format!("{}-null-{point}", self.id),
                format!("{}: {point}", self.title),
                BenchDevice::Nothing,
            );
            let words = self.words.replace("{x}", &point.to_string());
            let row = row.both(&format!("--ioengine=null --rw=randread {words}"));
            states(row, &[OURS, FIO])
        })
    }
}

fn on_tmpfs(block_bytes: u32) -> BenchRow {
    let (id, title) =
        (format!("bs-tmpfs-{block_bytes}"), format!("block size, tmpfs: {block_bytes}"));
    let bare = Bare { block_bytes, ..Bare::new(Calls::Synchronous, false, 1, false) };
    let words = "--ioengine=psync --rw=randread --invalidate=0 --filename={file} --bs=";
    let row = BenchRow::new(id, title, BenchDevice::Tmpfs).runs([bare.contestant()]);
    states(row.both(&format!("{words}{block_bytes}")), &[BARE, OURS, FIO])
}

fn states(row: BenchRow, contestants: &[&'static str]) -> BenchRow {
    contestants
        .iter()
        .fold(row, |row, one| row.asks(CpuNs, one, Alone, Stated).asks(Iops, one, Alone, Stated))
}
