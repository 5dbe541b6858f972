//! `--count`: whether every issued I/O is counted once, at full rate.
//!
//! Each engine that reaches a device runs for a time and is stopped in mid-flight, at several
//! depths, with one and several threads, reading, writing and both; then its report is compared
//! with the kernel's counters of the device. They must be equal: not one of hundreds of thousands
//! of I/Os may be missing or surplus.
//!
//! The reference is the device's own counters, which only direct I/O reaches one by one. A mapping
//! never bypasses the page cache; there the reference is pages: in one pass over a cold cache each
//! I/O of a page faults it in once, and each page written is written back once.

use crate::place::BenchDevice;
use crate::setting::BenchSetting;
use fathom_host::DiskStats;
use serde::Serialize;

/// The engines that have one I/O in flight for each thread.
const ONE_AT_A_TIME: [&str; 4] = ["psync", "sync", "pvsync", "pvsync2"];
/// The engines that have many.
const MANY: [&str; 3] = ["libaio", "io_uring", "posixaio"];
const DEPTHS: [u32; 3] = [1, 32, 256];
const JOBS: [u32; 2] = [1, 4];
const WAYS: [&str; 3] = ["randread", "randwrite", "randrw"];

/// The reference of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Witness {
    /// The device's counters of requests and of sectors.
    Requests,
    /// Its counters of sectors, in pages.
    Pages,
}

/// A run to be counted.
#[derive(Clone, Debug, Serialize)]
pub struct CountedRun {
    /// The engine.
    pub engine: &'static str,
    /// The device.
    pub place: BenchDevice,
    /// The reference.
    pub witness: Witness,
    /// The direction.
    pub rw: &'static str,
    /// I/Os in flight for each thread.
    pub depth: u32,
    /// Threads.
    pub jobs: u32,
}

/// I/Os and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// Reads.
    pub reads: u64,
    /// Their bytes.
    pub read_bytes: u64,
    /// Writes.
    pub writes: u64,
    /// Their bytes.
    pub written_bytes: u64,
}

/// The result of a counted run.
#[derive(Clone, Debug, Serialize)]
pub struct InstructionCount {
    /// The run.
    #[serde(flatten)]
    pub case: CountedRun,
    /// The I/Os in the program's report.
    pub said: Moved,
    /// The expected counts of the device.
    pub expected: Moved,
    /// The device's counts.
    pub counted: Moved,
}

impl InstructionCount {
    /// It in one line.
    pub fn line(&self) -> String {
        let CountedRun { engine, place, rw, depth, jobs, .. } = &self.case;
        let (ios, off) = (self.said.reads + self.said.writes, self.difference());
        let run = format!("{engine:<9} {place:?} {rw:<9} depth {depth:<3} jobs {jobs}");
        format!("{run}  {ios:>10} I/Os, off by {off}")
    }

    /// By how many I/Os and bytes both differ, in all.
    pub fn difference(&self) -> u64 {
        let (a, b) = (self.expected, self.counted);
        let (bytes, written) = (a.read_bytes.abs_diff(b.read_bytes), a.written_bytes);
        let bytes = bytes + written.abs_diff(b.written_bytes);
        match self.case.witness {
            Witness::Requests => bytes + a.reads.abs_diff(b.reads) + a.writes.abs_diff(b.writes),
            Witness::Pages => bytes,
        }
    }
}

/// The result file.
#[derive(Clone, Debug, Serialize)]
pub struct Counts {
    /// Date, machine and versions.
    #[serde(flatten)]
    pub setting: BenchSetting,
    /// The results.
    pub runs: Vec<InstructionCount>,
    /// Skipped runs, with reasons.
    pub skipped: Vec<String>,
}

impl Counts {
    /// Whether not one I/O is missing or too much.
    pub fn are_exact(&self) -> bool {
        self.runs.iter().all(|run| run.difference() == 0)
    }
}

/// All runs: those of asynchronous engines also on a device that completes in another thread.
pub fn cases() -> Vec<CountedRun> {
    let mut cases = Vec::new();
    let mut add = |engine, place, witness, depths: &[u32]| {
        for rw in WAYS {
            for depth in depths {
                for jobs in JOBS {
                    cases.push(CountedRun { engine, place, witness, rw, depth: *depth, jobs });
                }
            }
        }
    };
    for place in [BenchDevice::Zram, BenchDevice::Loop] {
        for engine in ONE_AT_A_TIME {
            add(engine, place, Witness::Requests, &DEPTHS[..1]);
        }
        for engine in MANY {
            add(engine, place, Witness::Requests, &DEPTHS);
        }
    }
    add("mmap", BenchDevice::Zram, Witness::Pages, &DEPTHS[..1]);
    cases
}

/// The kernel's counts for a correct report `said`.
pub fn expected(witness: Witness, said: Moved) -> Moved {
    match witness {
        Witness::Requests => said,
        // A page is read before a part of it is written.
        Witness::Pages => Moved { read_bytes: said.read_bytes + said.written_bytes, ..said },
    }
}

/// The counts in the jobs of an output.
pub fn said_by(jobs: &[serde_json::Value]) -> Moved {
    let sum = |way: &str, key: &str| -> u64 {
        jobs.iter().map(|job| job[way][key].as_u64().unwrap_or(0)).sum()
    };
    Moved {
        reads: sum("read", "total_ios"),
        read_bytes: sum("read", "io_bytes"),
        writes: sum("write", "total_ios"),
        written_bytes: sum("write", "io_bytes"),
    }
}

impl Moved {
    /// The counts of a device.
    pub fn by(counted: &DiskStats) -> Moved {
        Moved {
            reads: counted.read_ios,
            read_bytes: counted.read_sectors * 512,
            writes: counted.write_ios,
            written_bytes: counted.write_sectors * 512,
        }
    }

    /// Adds another's.
    pub fn add(&mut self, other: &Moved) {
        self.reads += other.reads;
        self.read_bytes += other.read_bytes;
        self.writes += other.writes;
        self.written_bytes += other.written_bytes;
    }
}

#[cfg(test)]
mod checks {
    use super::*;

    fn run(witness: Witness, said: Moved, counted: Moved) -> u64 {
        let (engine, place) = ("psync", BenchDevice::Zram);
        let case = CountedRun { engine, place, witness, rw: "randrw", depth: 1, jobs: 1 };
        InstructionCount { case, said, expected: expected(witness, said), counted }.difference()
    }

    #[test]
    fn one_io_too_few_or_too_many_is_seen() {
        let said = Moved { reads: 2, read_bytes: 8192, writes: 1, written_bytes: 4096 };
        assert_eq!(run(Witness::Requests, said, said), 0);
        assert_ne!(run(Witness::Requests, said, Moved { reads: 3, ..said }), 0);
        assert_ne!(run(Witness::Requests, said, Moved { written_bytes: 0, ..said }), 0);
        let pages = Moved { reads: 1, read_bytes: 12_288, writes: 1, written_bytes: 4096 };
        assert_eq!(run(Witness::Pages, said, pages), 0);
        assert_ne!(run(Witness::Pages, said, Moved { read_bytes: 8192, ..pages }), 0);
    }

    #[test]
    fn every_engine_that_reaches_a_device_is_counted() {
        let counted: Vec<&str> = cases().iter().map(|case| case.engine).collect();
        for engine in fathom_vocab::IoEngine::here() {
            use fathom_vocab::IoEngine as Of;
            let wanted = !matches!(engine, Of::Null | Of::Nfs);
            assert_eq!(counted.contains(&engine.name()), wanted, "{}", engine.name());
        }
    }
}
