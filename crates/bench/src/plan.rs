//! The rows of the benchmark: the contestants, the device, and the targets.
//!
//! All other settings are the default, of fio and Fathom: latencies, percentiles and all. Arguments
//! of command lines are the same for both. This file defines the parts of a row; the rows
//! themselves are in the modules below, by device.

mod costs;
mod devices;
mod growth;
mod null;

use crate::figures::BenchFigure;
use crate::place::BenchDevice;
use fathom_engine::bare::WriteContent;
use serde::Serialize;

/// One row.
#[derive(Clone, Debug)]
pub struct BenchRow {
    /// Its name for `--only`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its device.
    pub place: BenchDevice,
    /// The contestants.
    pub contestants: Vec<Contestant>,
    /// The goals.
    pub goals: Vec<BenchGoal>,
    /// Whether one turn is enough, because the counts do not vary.
    pub once: bool,
}

/// One of the contestants.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Its name in the row.
    pub name: &'static str,
    /// Its work.
    pub work: BenchWork,
}

/// The work of a contestant. `{file}` and `{ms}` are replaced by the target and the length of the
/// run.
#[derive(Clone, Debug)]
pub enum BenchWork {
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
    /// Our loop on a simulated clock, for a day: with these logs in memory.
    Day(DayLogs),
}

/// The logs of a simulated day, beside its series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayLogs {
    /// Nothing: the default.
    None,
    /// A line a second of bandwidth, IOPS and latencies each.
    EverySecond,
}

/// A bare loop's shape.
#[derive(Clone, Copy, Debug)]
pub struct Bare {
    /// Its calls.
    pub calls: Calls,
    /// Writes instead of reads.
    pub write: bool,
    /// I/Os in flight.
    pub depth: u32,
    /// `O_DIRECT`.
    pub direct: bool,
    /// Bytes of an I/O.
    pub block_bytes: u32,
    /// The content of a write.
    pub content: WriteContent,
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

/// A figure of a contestant, by itself or against another's, with a target.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BenchGoal {
    /// The figure.
    pub figure: BenchFigure,
    /// The contestant.
    pub of: &'static str,
    /// The reference.
    pub against: Against,
    /// The target.
    pub want: Want,
}

/// The reference of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Against {
    /// Nothing: the figure itself.
    Alone,
    /// The same figure of this contestant, in the same turn: the quotient.
    Over(&'static str),
    /// The same: the difference.
    Less(&'static str),
}

/// The target of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
    /// Whether a value meets the target; `None` if there is none.
    pub fn met(self, value: f64) -> Option<bool> {
        match self {
            Want::AtLeast(least) => Some(value >= least),
            Want::AtMost(most) => Some(value <= most),
            Want::Stated => None,
        }
    }
}

use Against::{Alone, Less, Over};
use BenchFigure::{CpuNs, GrownKib, Instructions, Iops, NsEach, ResidentMib, UserNs, WallMs};
use Want::{AtLeast, AtMost, Stated};

/// The names of those that most rows have.
pub const OURS: &str = "fathom";
/// fio.
pub const FIO: &str = "fio";
/// The bare loop.
pub const BARE: &str = "bare";

/// Arguments of every timed run.
const TIMED: &str = "--name=b --output-format=json --time_based --runtime={ms}ms --bs=4k";
const NULL: &str = "--ioengine=null --rw=randread --size=1g";

fn goal(figure: BenchFigure, of: &'static str, against: Against, want: Want) -> BenchGoal {
    BenchGoal { figure, of, against, want }
}

fn ours(name: &'static str, words: &str) -> Contestant {
    Contestant { name, work: BenchWork::Ours(format!("{TIMED} {words}")) }
}

fn fio(name: &'static str, words: &str) -> Contestant {
    Contestant { name, work: BenchWork::Fio(format!("{TIMED} {words}")) }
}

impl Bare {
    /// Blocks of 4 KiB with random bytes.
    pub fn new(calls: Calls, write: bool, depth: u32, direct: bool) -> Bare {
        Bare { calls, write, depth, direct, block_bytes: 4096, content: WriteContent::Random }
    }

    /// The one of its row.
    pub fn contestant(self) -> Contestant {
        Contestant { name: BARE, work: BenchWork::Bare(self) }
    }
}

fn bare(calls: Calls, write: bool, depth: u32, direct: bool) -> Contestant {
    Bare::new(calls, write, depth, direct).contestant()
}

impl BenchRow {
    /// A row without contestants.
    pub fn new(id: impl Into<String>, title: impl Into<String>, place: BenchDevice) -> BenchRow {
        let (contestants, goals) = (Vec::new(), Vec::new());
        BenchRow { id: id.into(), title: title.into(), place, contestants, goals, once: false }
    }

    /// Adds contestants.
    pub fn runs(mut self, contestants: impl IntoIterator<Item = Contestant>) -> BenchRow {
        self.contestants.extend(contestants);
        self
    }

    /// Adds both of us with the same words, for a time.
    pub fn both(self, words: &str) -> BenchRow {
        self.runs([ours(OURS, words), fio(FIO, words)])
    }

    fn asks(
        mut self,
        figure: BenchFigure,
        of: &'static str,
        against: Against,
        want: Want,
    ) -> BenchRow {
        self.goals.push(goal(figure, of, against, want));
        self
    }

    fn once(mut self) -> BenchRow {
        self.once = true;
        self
    }
}

fn row(id: &'static str, title: &'static str, place: BenchDevice) -> BenchRow {
    BenchRow::new(id, title, place)
}

/// All rows, in the order in which they are run.
pub fn rows() -> Vec<BenchRow> {
    [null::rows(), devices::rows(), null::starts(), devices::scaling(), costs::rows()].concat()
}

/// The rows of `--growth`.
pub use growth::rows as growth_rows;

#[cfg(test)]
mod checks {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_goal_speaks_of_contestants_of_its_row() {
        let mut ids = BTreeSet::new();
        for row in [rows(), growth_rows()].concat() {
            assert!(ids.insert(row.id.clone()), "{} stands twice", row.id);
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
