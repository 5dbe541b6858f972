//! Why a measurement is not begun: each reason with its evidence and advice.
//!
//! A type rather than a text, so that tests can check the rules by their refusals.

use fathom_text::{Text, text};

/// Below this a phase has too few I/Os for its percentiles.
pub(crate) const SHORTEST_PHASE_US: u64 = 100_000;

/// Why a measurement is not begun. Each message gives advice.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing to measure.
    #[error("nothing to measure; give a folder, a file or a device")]
    NoTarget,
    /// A target that does not exist: a misspelt folder must not measure the volume above it.
    #[error(
        "{path} does not exist. If the volume is that of {folder}, name that folder: a test file \
             is made in it and removed again"
    )]
    NotThere {
        /// The target.
        path: String,
        /// The folder for the test file.
        folder: String,
    },
    /// The same target twice.
    #[error("{path} is given twice; a volume cannot be compared with itself at the same time")]
    Twice {
        /// The target.
        path: String,
    },
    /// A device that is in use was named for destruction.
    #[error(
        "{path} is in use, so it is not written to: {evidence}. Release it first, or leave out \
             --destroy-data-on to only read it"
    )]
    DeviceInUse {
        /// The device.
        path: String,
        /// Its users.
        evidence: Text,
    },
    /// It could not be determined whether a device is in use.
    #[error(
        "whether {path} is in use could not be found out ({why}), so it is not written to; \
             leave out --destroy-data-on to only read it"
    )]
    DeviceUseUnknown {
        /// The device.
        path: String,
        /// The error.
        why: String,
    },
    /// A device with a partition table that the kernel has not read was named for destruction.
    #[error(
        "{path} carries {data}, so it is not written to: somebody may need its partitions. If \
             nobody does, remove the table with `wipefs -a {path}`; to measure one partition, run \
             `partprobe {path}` and name that one"
    )]
    PartitionTable {
        /// The device.
        path: String,
        /// The data found there.
        data: String,
    },
    /// The device refuses writes.
    #[error("{path} is a read-only device; leave out --destroy-data-on to only read it")]
    DeviceReadOnly {
        /// The device.
        path: String,
    },
    /// A path was named for destruction that is no target with data.
    #[error(
        "--destroy-data-on {path} names no file or device that is to be measured; name it \
             exactly as the target"
    )]
    NamedButNoTarget {
        /// The path.
        path: String,
    },
    /// Destroying and only reading were requested together.
    #[error("--read-only and --destroy-data-on {path} contradict each other; leave one out")]
    Contradiction {
        /// The path.
        path: String,
    },
    /// A test file cannot be made.
    #[error(
        "{path} is on a file system mounted read-only, where no test file can be made; name \
             a large file that is there, which is only read"
    )]
    MountedReadOnly {
        /// The target.
        path: String,
    },
    /// The file system has no space at all, as `/proc`.
    #[error(
        "{path} is on {file_system}, which has no space for files: name a folder on a disk, or a \
             large file or device"
    )]
    NoStorage {
        /// The target.
        path: String,
        /// Name of the file system.
        file_system: String,
    },
    /// Not enough free space.
    #[error(
        "{path} has {available} free, of which a test may take {usable}; {need} are needed: \
             free some space or give a smaller --size"
    )]
    TooLittleSpace {
        /// The target.
        path: String,
        /// Free for a user, as text.
        available: String,
        /// Nine tenths of it, shared by the targets on the file system; as text.
        usable: String,
        /// The required space, as text.
        need: String,
    },
    /// The target is smaller than the bytes that one phase keeps in flight.
    #[error(
        "{path}: {size} are too little to measure in; {need} at least (--size, or a larger \
             file), or smaller blocks (--bs)"
    )]
    TooSmall {
        /// The target.
        path: String,
        /// The available space, as text.
        size: String,
        /// The least, as text.
        need: String,
    },
    /// A block that direct I/O cannot move.
    #[error(
        "{path}: blocks of {block_bytes} bytes cannot be read past the page cache; give \
             multiples of {unit_bytes} bytes to --bs"
    )]
    Unaligned {
        /// The target.
        path: String,
        /// The block size.
        block_bytes: u64,
        /// The alignment of direct I/O.
        unit_bytes: u64,
    },
    /// Only writes were requested, but a file or device whose data is not to be destroyed is only
    /// read.
    #[error(
        "{path} is only read, and --rw asks for nothing but writes: add a pattern that reads, or \
             name it in --destroy-data-on, which destroys its data"
    )]
    NoPhase {
        /// The target.
        path: String,
    },
    /// Only writes were requested, but nothing may be written anywhere.
    #[error(
        "--read-only allows no writes, and --rw asks for nothing but writes on {path}: add a \
             pattern that reads, or leave out --read-only"
    )]
    NoPhaseToRead {
        /// The target.
        path: String,
    },
    /// The phases would be too short to mean anything.
    #[error(
        "{phase_ms} ms for each of {phases} tests{} are too short; 100 ms each at least: give \
             --time {}ms or more",
        in_rounds(*rounds),
        SHORTEST_PHASE_US / 1000 * *phases as u64 * u64::from(*rounds)
    )]
    TooShort {
        /// Milliseconds of a phase.
        phase_ms: u64,
        /// Number of phases.
        phases: usize,
        /// How often each was to run.
        rounds: u32,
    },
}

fn in_rounds(rounds: u32) -> Text {
    if rounds > 1 { text!(" in {rounds} rounds") } else { Text::default() }
}
