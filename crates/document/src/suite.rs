//! The tests that `measure` runs on a volume, as a list of phases.
//!
//! Three goals: the time of one I/O, small I/Os a second, megabytes a second. Reads come before
//! writes within each, so that a read never finds the device busy with data that the previous write
//! left in its cache.

use crate::trial::Trial;
use fathom_analysis::quantity::binary_bytes;
use fathom_analysis::{Figures, Goal, Judged};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// One measurement of one volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Name of its job, such as `iops-read-4k`.
    pub name: String,
    /// What it is to find out.
    pub goal: Goal,
    /// Read or write.
    pub direction: Direction,
    /// Whether offsets jump.
    pub random: bool,
    /// Bytes of each I/O.
    pub block_bytes: u64,
    /// I/Os in flight of each of its jobs.
    pub depth: u32,
    /// Jobs that run at once.
    #[serde(default = "one_job")]
    pub jobs: u32,
    /// Connections of each of its jobs to an export; none is as the target says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nconnect: Option<u32>,
}

/// Of documents from before phases had several jobs.
fn one_job() -> u32 {
    1
}

impl Phase {
    /// A phase, named after its load.
    pub fn new(goal: Goal, direction: Direction, block_bytes: u64, depth: u32) -> Phase {
        let name = format!("{}-{}-{}", goal.name(), direction.name(), short_bytes(block_bytes));
        let random = goal != Goal::Throughput;
        Phase { name, goal, direction, random, block_bytes, depth, jobs: 1, nconnect: None }
    }

    /// A phase of a requested pattern. Its goal follows from the pattern: one I/O at a time
    /// measures latency, large blocks measure throughput.
    fn of_pattern(pattern: PhasePattern, block_bytes: u64, (depth, jobs): (u32, u32)) -> Phase {
        let PhasePattern { direction, random } = pattern;
        let goal = match Judged::rate_of(block_bytes as f64) {
            _ if u64::from(depth) * u64::from(jobs) == 1 => Goal::Latency,
            Judged::BytesPerS => Goal::Throughput,
            _ => Goal::Iops,
        };
        let phase = Phase { random, jobs, ..Phase::new(goal, direction, block_bytes, depth) };
        Phase { name: format!("{}-{}", phase.rw(), short_bytes(block_bytes)), ..phase }
    }

    /// I/Os in flight of all its jobs.
    pub fn in_flight(&self) -> u32 {
        self.depth.saturating_mul(self.jobs)
    }

    /// Whether it changes data on the volume.
    pub fn writes(&self) -> bool {
        self.direction != Direction::Read
    }

    /// The title: `4 KiB random read, QD 32`; `4 KiB random read, QD 32, 4 jobs`.
    pub fn title(&self) -> String {
        let order = if self.random { "random" } else { "sequential" };
        let (block, direction) = (binary_bytes(self.block_bytes), self.direction.name());
        let jobs = match self.jobs {
            1 => String::new(),
            jobs => format!(", {jobs} jobs"),
        };
        let connections = match self.nconnect {
            None => String::new(),
            Some(count) => format!(", {count} connections"),
        };
        format!("{block} {order} {direction}, QD {}{jobs}{connections}", self.depth)
    }

    /// `rw` as fio spells it.
    pub fn rw(&self) -> &'static str {
        match (self.direction, self.random) {
            (Direction::Read, true) => "randread",
            (Direction::Read, false) => "read",
            (_, true) => "randwrite",
            (_, false) => "write",
        }
    }
}

/// Bytes as fio's options spell them, without loss: `4k`, `1m`, `1000`.
pub fn short_bytes(bytes: u64) -> String {
    for (shift, unit) in [(40, "t"), (30, "g"), (20, "m"), (10, "k")] {
        if bytes > 0 && bytes.trailing_zeros() >= shift {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    bytes.to_string()
}

/// The access pattern and direction of a phase's I/Os.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhasePattern {
    /// Read or write.
    pub direction: Direction,
    /// Whether offsets jump.
    pub random: bool,
}

impl PhasePattern {
    /// All of them, as fio's `rw` spells them.
    pub const ALL: [(&str, PhasePattern); 4] = [
        ("read", PhasePattern { direction: Direction::Read, random: false }),
        ("write", PhasePattern { direction: Direction::Write, random: false }),
        ("randread", PhasePattern { direction: Direction::Read, random: true }),
        ("randwrite", PhasePattern { direction: Direction::Write, random: true }),
    ];
}

/// Phases in place of those of the suite: each pattern with each block size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseSelection {
    /// The patterns, in order.
    pub patterns: Vec<PhasePattern>,
    /// Bytes of an I/O.
    pub blocks_bytes: Vec<u64>,
    /// I/Os in flight of each job.
    pub depth: u32,
    /// Jobs that run at once.
    pub jobs: u32,
}

impl PhaseSelection {
    fn phases(&self) -> Vec<Phase> {
        let mut phases: Vec<Phase> = Vec::new();
        for block in &self.blocks_bytes {
            for pattern in &self.patterns {
                let phase = Phase::of_pattern(*pattern, *block, (self.depth, self.jobs));
                if !phases.contains(&phase) {
                    phases.push(phase);
                }
            }
        }
        phases
    }
}

/// The options of the suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteOptions {
    /// Bytes of the small I/Os of the latency and IOPS phases.
    pub small_block_bytes: u64,
    /// Bytes of the large I/Os: one pair of throughput phases for each.
    pub large_blocks_bytes: Vec<u64>,
    /// I/Os in flight in the IOPS phases.
    pub iops_depth: u32,
    /// I/Os in flight in the throughput phases; `None` chooses by block size.
    pub throughput_depth: Option<u32>,
    /// These phases and no others.
    pub selection: Option<PhaseSelection>,
}

impl Default for SuiteOptions {
    fn default() -> SuiteOptions {
        SuiteOptions {
            small_block_bytes: 4 << 10,
            large_blocks_bytes: vec![LARGE_BYTES, 64 << 10],
            iops_depth: 32,
            throughput_depth: None,
            selection: None,
        }
    }
}

/// The default large block. A kernel splits larger ones on their way to the device, and its own
/// throttle then counts io_uring's twice: reads of 1 MiB get half of a bandwidth limit (blkio,
/// Linux 6.18, with fio 3.33 too).
pub const LARGE_BYTES: u64 = 256 << 10;
/// I/Os in flight from a block size on. 8 MiB keep a fast volume busy; smaller blocks show the rate
/// of a stream of them, for which 1 MiB is enough.
const DEEP_ENOUGH: [(u64, u32); 4] = [(1 << 20, 8), (512 << 10, 16), (256 << 10, 32), (0, 16)];

impl SuiteOptions {
    fn depth_for(&self, block_bytes: u64) -> u32 {
        let by_size = DEEP_ENOUGH.iter().find(|(from, _)| block_bytes >= *from);
        self.throughput_depth.or(by_size.map(|(_, depth)| *depth)).unwrap_or(16)
    }
}

/// All phases, in the order in which they run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// The phases.
    pub phases: Vec<Phase>,
}

impl Suite {
    /// Latency, IOPS and throughput, each for reads and for writes; or the requested phases.
    pub fn new(options: &SuiteOptions) -> Suite {
        if let Some(selection) = &options.selection {
            return Suite { phases: selection.phases() };
        }
        let small = options.small_block_bytes;
        let mut kinds = vec![(Goal::Latency, small, 1), (Goal::Iops, small, options.iops_depth)];
        for large in &options.large_blocks_bytes {
            kinds.push((Goal::Throughput, *large, options.depth_for(*large)));
        }
        let both = |(goal, block, depth)| {
            [Direction::Read, Direction::Write].map(|dir| Phase::new(goal, dir, block, depth))
        };
        Suite { phases: kinds.into_iter().flat_map(both).collect() }
    }

    /// The same with one phase more: the first that reads for throughput, else the first that
    /// reads, over `nconnect` connections, right after the phase itself.
    #[must_use]
    pub fn with_connections(mut self, nconnect: u32) -> Suite {
        let reads = |phase: &Phase| !phase.writes();
        let fast = |phase: &Phase| reads(phase) && phase.goal == Goal::Throughput;
        let at = self.phases.iter().position(fast).or(self.phases.iter().position(reads));
        // With one I/O in flight a second connection has nothing to carry.
        if let Some(at) = at.filter(|at| self.phases[*at].in_flight() > 1) {
            let phase = &self.phases[at];
            let name = format!("{}-nconnect{nconnect}", phase.name);
            let more = Phase { name, nconnect: Some(nconnect), ..phase.clone() };
            self.phases.insert(at + 1, more);
        }
        self
    }

    /// The largest block of all phases, in bytes.
    pub fn largest_block_bytes(&self) -> u64 {
        self.phases.iter().map(|phase| phase.block_bytes).max().unwrap_or(0)
    }
}

/// Which run of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseKey {
    /// What was asked.
    #[serde(flatten)]
    pub phase: Phase,
    /// Which of the volumes, from 0.
    pub volume: usize,
    /// Number of the round, from 0.
    #[serde(default)]
    pub round: u32,
}

/// A run of a phase.
pub type PhaseRecord = Trial<PhaseKey, Figures>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_suite_asks_the_three_questions_both_ways() {
        let suite = Suite::new(&SuiteOptions::default());
        let shape: Vec<String> = suite
            .phases
            .iter()
            .map(|p| format!("{} {} bs={} depth={}", p.name, p.rw(), p.block_bytes, p.depth))
            .collect();
        assert_eq!(
            shape,
            [
                "latency-read-4k randread bs=4096 depth=1",
                "latency-write-4k randwrite bs=4096 depth=1",
                "iops-read-4k randread bs=4096 depth=32",
                "iops-write-4k randwrite bs=4096 depth=32",
                "throughput-read-256k read bs=262144 depth=32",
                "throughput-write-256k write bs=262144 depth=32",
                "throughput-read-64k read bs=65536 depth=16",
                "throughput-write-64k write bs=65536 depth=16",
            ]
        );
        assert_eq!(suite.largest_block_bytes(), 256 << 10);
    }

    #[test]
    fn depths_and_blocks_are_taken_as_given() {
        let options = SuiteOptions {
            small_block_bytes: 8192,
            large_blocks_bytes: vec![128 << 10],
            iops_depth: 64,
            throughput_depth: Some(3),
            selection: None,
        };
        let suite = Suite::new(&options);
        let depths: Vec<u32> = suite.phases.iter().map(|p| p.depth).collect();
        assert_eq!(depths, [1, 1, 64, 64, 3, 3]);
        assert_eq!(suite.phases[0].name, "latency-read-8k");
    }

    #[test]
    fn phases_that_are_asked_for_stand_in_place_of_the_suite() {
        let pattern = |rw| PhasePattern::ALL.iter().find(|(name, _)| *name == rw).unwrap().1;
        let selection = PhaseSelection {
            patterns: vec![pattern("randread"), pattern("write"), pattern("randread")],
            blocks_bytes: vec![4096, 1 << 20],
            depth: 32,
            jobs: 4,
        };
        let options = SuiteOptions { selection: Some(selection), ..SuiteOptions::default() };
        let suite = Suite::new(&options);
        let names: Vec<(&str, Goal)> =
            suite.phases.iter().map(|phase| (phase.name.as_str(), phase.goal)).collect();
        let (iops, throughput) = (Goal::Iops, Goal::Throughput);
        assert_eq!(
            names,
            [
                ("randread-4k", iops),
                ("write-4k", iops),
                ("randread-1m", throughput),
                ("write-1m", throughput)
            ]
        );
        assert_eq!(suite.phases[0].title(), "4 KiB random read, QD 32, 4 jobs");
        assert_eq!((suite.phases[0].in_flight(), suite.phases[2].random), (128, true));
        let one = Phase::of_pattern(pattern("randread"), 4096, (1, 1));
        assert_eq!((one.goal, one.title().as_str()), (Goal::Latency, "4 KiB random read, QD 1"));
    }

    #[test]
    fn from_256_kib_on_8_mib_are_in_flight() {
        let depth = |bytes| SuiteOptions::default().depth_for(bytes);
        for bytes in [256 << 10, 512 << 10, 1 << 20] {
            assert_eq!(u64::from(depth(bytes)) * bytes, 8 << 20);
        }
        assert_eq!((depth(4 << 20), depth(64 << 10)), (8, 16));
    }

    #[test]
    fn bytes_are_spelt_without_loss() {
        for (bytes, text) in [(0, "0"), (1000, "1000"), (4096, "4k"), (1 << 20, "1m")] {
            assert_eq!(short_bytes(bytes), text);
        }
        assert_eq!(short_bytes(3 << 30), "3g");
        assert_eq!(short_bytes(5 << 40), "5t");
    }
}
