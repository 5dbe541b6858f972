//! The rows of the benchmark: who runs what on which device, and what is wanted of the figures.
//!
//! Everything not said is the default, of fio as of us: latencies, percentiles and all. Words of
//! command lines are the same for both.

use crate::figures::Figure;
use crate::place::Place;
use serde::{Deserialize, Serialize};

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name for `--only`.
    pub id: &'static str,
    /// What it is.
    pub title: &'static str,
    /// What it runs on.
    pub place: Place,
    /// Who takes turns.
    pub contestants: Vec<Contestant>,
    /// What is looked at.
    pub goals: Vec<Goal>,
    /// Whether one turn is enough, because what is counted does not vary.
    pub once: bool,
}

/// One of those that take turns.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Its name in the row.
    pub name: &'static str,
    /// What it does.
    pub work: Work,
}

/// What a contestant does. `{file}` and `{ms}` stand for the place and the length of the run.
#[derive(Clone, Debug)]
pub enum Work {
    /// A bare loop.
    Bare(Bare),
    /// Our binary with these words.
    Ours(String),
    /// fio with these words.
    Fio(String),
    /// Our binary under callgrind, with two numbers of I/Os.
    CountOurs(String),
    /// fio under callgrind.
    CountFio(String),
}

/// A bare loop's shape.
#[derive(Clone, Copy, Debug)]
pub struct Bare {
    /// Which calls it makes.
    pub calls: Calls,
    /// Writes instead of reads.
    pub write: bool,
    /// I/Os in flight.
    pub depth: u32,
    /// `O_DIRECT`.
    pub direct: bool,
}

/// The calls of a bare loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// `pread`, `pwrite`.
    Synchronous,
    /// `io_submit`, `io_getevents`.
    Aio,
    /// `io_uring_enter`.
    Ring,
}

/// A figure of a contestant, by itself or against another's, and what is wanted of it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Goal {
    /// Which figure.
    pub figure: Figure,
    /// Whose.
    pub of: &'static str,
    /// Against what.
    pub against: Against,
    /// What is wanted.
    pub want: Want,
}

/// What a figure is set against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// Nothing: the figure itself.
    Alone,
    /// The same figure of this contestant, in the same turn: the quotient.
    Over(&'static str),
    /// The same: the difference.
    Less(&'static str),
}

/// What is wanted of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
    /// It is stated, not judged.
    Stated,
}

impl Want {
    /// Whether a value is what is wanted; `None` where nothing is.
    pub fn met(self, value: f64) -> Option<bool> {
        match self {
            Want::AtLeast(least) => Some(value >= least),
            Want::AtMost(most) => Some(value <= most),
            Want::Stated => None,
        }
    }
}

use Against::{Alone, Less, Over};
use Figure::{CpuNs, Instructions, Iops, NsEach, ResidentMib, UserNs, WallMs};
use Want::{AtLeast, AtMost, Stated};

const OURS: &str = "fathom";
const FIO: &str = "fio";
const BARE: &str = "bare";

/// Words of every run that goes on for a time.
const TIMED: &str = "--name=b --output-format=json --time_based --runtime={ms}ms --bs=4k";
const NULL: &str = "--ioengine=null --rw=randread --size=1g";

fn goal(figure: Figure, of: &'static str, against: Against, want: Want) -> Goal {
    Goal { figure, of, against, want }
}

fn ours(name: &'static str, words: &str) -> Contestant {
    Contestant { name, work: Work::Ours(format!("{TIMED} {words}")) }
}

fn fio(name: &'static str, words: &str) -> Contestant {
    Contestant { name, work: Work::Fio(format!("{TIMED} {words}")) }
}

fn bare(calls: Calls, write: bool, depth: u32, direct: bool) -> Contestant {
    Contestant { name: BARE, work: Work::Bare(Bare { calls, write, depth, direct }) }
}

fn row(id: &'static str, title: &'static str, place: Place) -> Row {
    Row { id, title, place, contestants: Vec::new(), goals: Vec::new(), once: false }
}

impl Row {
    fn runs(mut self, contestants: impl IntoIterator<Item = Contestant>) -> Row {
        self.contestants.extend(contestants);
        self
    }

    /// Both of us with the same words.
    fn both(self, words: &str) -> Row {
        self.runs([ours(OURS, words), fio(FIO, words)])
    }

    fn asks(mut self, figure: Figure, of: &'static str, against: Against, want: Want) -> Row {
        self.goals.push(goal(figure, of, against, want));
        self
    }

    fn once(mut self) -> Row {
        self.once = true;
        self
    }
}

/// All rows, in the order in which they are run.
pub fn rows() -> Vec<Row> {
    [null_rows(), device_rows(), start_rows(), scaling_rows(), cost_rows()].concat()
}

fn null_rows() -> Vec<Row> {
    let counted = |id, title, words: &str, most| {
        let ours = Contestant { name: OURS, work: Work::CountOurs(words.into()) };
        let fio = Contestant { name: FIO, work: Work::CountFio(words.into()) };
        row(id, title, Place::Nothing)
            .runs([ours, fio])
            .asks(Instructions, OURS, Alone, AtMost(most))
            .asks(Instructions, FIO, Alone, Stated)
            .once()
    };
    let deep = format!("{NULL} --iodepth=32");
    vec![
        row("null-1", "null, depth 1, random", Place::Nothing)
            .both(NULL)
            .asks(Iops, OURS, Over(FIO), AtLeast(8.0))
            .asks(NsEach, OURS, Alone, Stated),
        row("null-32", "null, depth 32, random", Place::Nothing)
            .both(&deep)
            .asks(Iops, OURS, Over(FIO), Stated)
            .asks(NsEach, OURS, Alone, Stated),
        counted("null-1-instructions", "null, depth 1, callgrind", NULL, 150.0),
        counted("null-32-instructions", "null, depth 32, callgrind", &deep, 200.0),
    ]
}

fn device_rows() -> Vec<Row> {
    [zram_rows(), file_rows()].concat()
}

fn zram_rows() -> Vec<Row> {
    use Calls::{Aio, Synchronous};
    let psync = |rw: &str| format!("--ioengine=psync --rw={rw} --direct=1 --filename={{file}}");
    let aio = "--ioengine=libaio --iodepth=16 --rw=randread --direct=1 --filename={file}";
    vec![
        row("zram-psync-read", "psync, randread, O_DIRECT, zram", Place::Zram)
            .runs([bare(Synchronous, false, 1, true)])
            .both(&psync("randread"))
            .asks(Iops, OURS, Over(BARE), AtLeast(0.95))
            .asks(CpuNs, BARE, Over(OURS), Stated)
            .asks(Iops, FIO, Over(BARE), Stated)
            .asks(Iops, OURS, Alone, AtLeast(614e3))
            .asks(Iops, BARE, Alone, Stated),
        row("zram-psync-write", "psync, randwrite, O_DIRECT, zram", Place::Zram)
            .runs([bare(Synchronous, true, 1, true)])
            .both(&psync("randwrite"))
            .asks(Iops, OURS, Over(BARE), AtLeast(0.95))
            .asks(CpuNs, BARE, Over(OURS), Stated)
            .asks(Iops, FIO, Over(BARE), Stated)
            .asks(Iops, OURS, Alone, AtLeast(667e3))
            .asks(Iops, BARE, Alone, Stated),
        row("zram-libaio-16", "libaio, depth 16, randread, O_DIRECT, zram", Place::Zram)
            .runs([bare(Aio, false, 16, true)])
            .both(aio)
            .asks(Iops, OURS, Over(BARE), AtLeast(0.95))
            .asks(CpuNs, BARE, Over(OURS), Stated)
            .asks(Iops, OURS, Over(FIO), AtLeast(1.2)),
    ]
}

fn file_rows() -> Vec<Row> {
    use Calls::{Ring, Synchronous};
    let cached = "--ioengine=io_uring --iodepth=16 --rw=randread --invalidate=0 --filename={file}";
    let disk = "--ioengine=io_uring --iodepth=64 --rw=randread --direct=1 --filename={file}";
    let tmpfs = |rw: &str| format!("--ioengine=psync --rw={rw} --invalidate=0 --filename={{file}}");
    let in_memory = |id, title, rw, write| {
        row(id, title, Place::Tmpfs)
            .runs([bare(Synchronous, write, 1, false)])
            .both(&tmpfs(rw))
            .asks(Iops, OURS, Over(BARE), Stated)
            .asks(CpuNs, BARE, Over(OURS), Stated)
            .asks(Iops, FIO, Over(BARE), Stated)
            .asks(Iops, OURS, Alone, Stated)
    };
    vec![
        row("cached-uring-16", "io_uring, depth 16, randread, page cache", Place::Cached)
            .runs([bare(Ring, false, 16, false)])
            .both(cached)
            .asks(Iops, OURS, Over(BARE), AtLeast(0.95))
            .asks(CpuNs, BARE, Over(OURS), Stated)
            .asks(Iops, OURS, Over(FIO), AtLeast(1.5))
            .asks(Iops, FIO, Over(BARE), Stated),
        row("disk-uring-64", "io_uring, depth 64, randread, O_DIRECT, disk", Place::Disk)
            .both(disk)
            .asks(Iops, OURS, Over(FIO), AtLeast(0.98))
            .asks(UserNs, OURS, Over(FIO), AtMost(1.0 / 3.0)),
        in_memory("tmpfs-psync-read", "psync, randread, tmpfs", "randread", false),
        in_memory("tmpfs-psync-write", "psync, randwrite, tmpfs", "randwrite", true),
    ]
}

fn start_rows() -> Vec<Row> {
    let whole = |name, work: fn(String) -> Work, words: &str| {
        let words = format!("--name=b --output-format=json --bs=4k {words}");
        Contestant { name, work: work(words) }
    };
    let many = "--ioengine=null --rw=randread --size=1g --numjobs=1000 --number_ios=100 --thread \
                --group_reporting";
    let one = "--ioengine=psync --rw=read --size=4k --number_ios=1 --filename={file}";
    let huge = |size| format!("--ioengine=null --rw=randread --size={size}");
    let mapless = |size| format!("{} --norandommap", huge(size));
    vec![
        row("random-16t", "null, random over 16 TiB", Place::Nothing)
            .both(&huge("16t"))
            .runs([ours("no map", &mapless("16t"))])
            .asks(Iops, OURS, Over("no map"), AtLeast(0.95))
            .asks(ResidentMib, OURS, Alone, AtMost(32.0))
            .asks(ResidentMib, FIO, Alone, Stated),
        row("random-1p", "null, random over 1 PiB", Place::Nothing)
            .runs([ours(OURS, &huge("1024t")), ours("no map", &mapless("1024t"))])
            .asks(Iops, OURS, Over("no map"), AtLeast(0.95))
            .asks(ResidentMib, OURS, Alone, AtMost(32.0)),
        row("thousand-jobs", "null, 1,000 jobs of 100 I/Os", Place::Nothing)
            .runs([whole(OURS, Work::Ours, many), whole(FIO, Work::Fio, many)])
            .asks(WallMs, OURS, Over(FIO), AtMost(0.5))
            .asks(WallMs, OURS, Alone, Stated)
            .asks(ResidentMib, OURS, Alone, AtMost(64.0))
            .asks(ResidentMib, FIO, Alone, Stated),
        row("one-io", "one I/O on an existing file, exec to exit", Place::Cached)
            .runs([whole(OURS, Work::Ours, one), whole(FIO, Work::Fio, one)])
            .asks(WallMs, OURS, Alone, AtMost(30.0))
            .asks(WallMs, FIO, Alone, Stated),
    ]
}

fn scaling_rows() -> Vec<Row> {
    let scaling = |id, title, place, words: &str| {
        let two = format!("{words} --numjobs=2 --thread --group_reporting");
        row(id, title, place)
            .runs([ours("one", words), ours("two", &two), fio("fio one", words)])
            .runs([fio("fio two", &two)])
            .asks(Iops, "two", Over("one"), AtLeast(1.9))
            .asks(Iops, "fio two", Over("fio one"), Stated)
    };
    let psync = "--ioengine=psync --rw=randread --direct=1 --filename={file}";
    vec![
        scaling("null-two-threads", "two threads over one, null", Place::Nothing, NULL),
        scaling("zram-two-threads", "two threads over one, psync on zram", Place::Zram, psync),
    ]
}

/// What is measured of each I/O, left out in turn: what it costs.
fn cost_rows() -> Vec<Row> {
    let costs = |id, title, base: &str| {
        let with = |name, words: &str| ours(name, &format!("{base} {words}"));
        row(id, title, Place::Nothing)
            .runs([with(OURS, ""), with("no slat", "--disable_slat=1")])
            .runs([with("no clat", "--disable_clat=1"), with("no lat", "--disable_lat=1")])
            .runs([with("counts only", "--gtod_reduce=1")])
            .asks(NsEach, OURS, Less("no slat"), Stated)
            .asks(NsEach, OURS, Less("no clat"), Stated)
            .asks(NsEach, OURS, Less("no lat"), Stated)
            .asks(NsEach, OURS, Less("counts only"), Stated)
    };
    let fallback = |id, title, place, words: &str| {
        let slow = format!("{words} --clocksource=clock_gettime");
        row(id, title, place)
            .runs([ours(OURS, words), ours("clock_gettime", &slow)])
            .asks(Iops, "clock_gettime", Over(OURS), Stated)
            .asks(NsEach, "clock_gettime", Less(OURS), Stated)
    };
    let psync = "--ioengine=psync --rw=randread --direct=1 --filename={file}";
    vec![
        costs("latency-cost-1", "cost of each latency, null, depth 1", NULL),
        costs(
            "latency-cost-32",
            "cost of each latency, null, depth 32",
            &format!("{NULL} --iodepth=32"),
        ),
        fallback("clock-null", "the clock without TSC, null", Place::Nothing, NULL),
        fallback("clock-zram", "the clock without TSC, psync on zram", Place::Zram, psync),
    ]
}

#[cfg(test)]
mod checks {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_goal_speaks_of_contestants_of_its_row() {
        let mut ids = BTreeSet::new();
        for row in rows() {
            assert!(ids.insert(row.id), "{} stands twice", row.id);
            let names: BTreeSet<_> = row.contestants.iter().map(|c| c.name).collect();
            assert_eq!(names.len(), row.contestants.len(), "{}", row.id);
            for goal in &row.goals {
                let other = match goal.against {
                    Alone => goal.of,
                    Over(other) | Less(other) => other,
                };
                assert!(names.contains(goal.of) && names.contains(other), "{}", row.id);
            }
        }
    }

    #[test]
    fn wants_are_met_at_their_bound() {
        assert_eq!(AtLeast(0.95).met(0.95), Some(true));
        assert_eq!(AtLeast(0.95).met(0.94), Some(false));
        assert_eq!(AtMost(30.0).met(30.0), Some(true));
        assert_eq!(AtMost(30.0).met(31.0), Some(false));
        assert_eq!(Stated.met(1.0), None);
    }
}
