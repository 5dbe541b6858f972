//! Terms that all crates share: directions, operations, engines, sync modes.
//!
//! This crate exists so that `engine`, `stats` and `job` need not depend on each other for a term
//! like "a random write through libaio". It contains plain data and no policy: `job` defines the
//! meaning of options, `engine` the system calls. [`printable`] escapes untrusted text, for every
//! crate that writes text, and [`shell`] quotes it in commands that a reader may paste.
#![forbid(unsafe_code)]

mod architecture;
mod engine_options;
mod error_number;
mod nfs_url;
mod ping_target;
pub mod printable;
pub mod shell;
mod split_mix;
mod target;
mod windows_errors;

pub use architecture::Architecture;
pub use engine_options::EngineOptions;
pub use error_number::{ErrorNumber, NumberedError};
pub use nfs_url::{NCONNECT_MAX, NFS_TRANSFER_MAX, NfsArguments, NfsUrl, NfsUrlError, is_nfs_name};
pub use ping_target::{PingTarget, PingTargetError};
use serde::{Deserialize, Serialize};
pub use split_mix::{SplitMix, entropy, mix64};
use std::ops::{Index, IndexMut};
pub use target::{
    Target, TargetSyntaxError, folder_of, is_from_root, without_arguments, without_parents,
};

/// What an I/O does to the data, and the index of everything that is counted per direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Data comes from the device.
    Read = 0,
    /// Data goes to the device.
    Write = 1,
    /// The range is discarded.
    Trim = 2,
}

impl Direction {
    /// All directions, in the order in which every output lists them.
    pub const ALL: [Direction; 3] = [Direction::Read, Direction::Write, Direction::Trim];

    /// Lower-case name: `read`, `write`, `trim`.
    pub fn name(self) -> &'static str {
        ["read", "write", "trim"][self as usize]
    }

    /// Its place in a [`PerDirection`].
    #[inline(always)]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// One value for each of read, write and trim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PerDirection<T> {
    /// For reads.
    pub read: T,
    /// For writes.
    pub write: T,
    /// For trims.
    pub trim: T,
}

impl<T> PerDirection<T> {
    /// The same value in every direction.
    pub fn splat(value: T) -> Self
    where
        T: Clone,
    {
        PerDirection { read: value.clone(), write: value.clone(), trim: value }
    }

    /// A value computed for each direction.
    pub fn from_fn(mut make: impl FnMut(Direction) -> T) -> Self {
        PerDirection {
            read: make(Direction::Read),
            write: make(Direction::Write),
            trim: make(Direction::Trim),
        }
    }

    /// Pairs of direction and value, in the order of [`Direction::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Direction, &T)> {
        Direction::ALL.into_iter().map(|dir| (dir, &self[dir]))
    }
}

impl<T> Index<Direction> for PerDirection<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, dir: Direction) -> &T {
        match dir {
            Direction::Read => &self.read,
            Direction::Write => &self.write,
            Direction::Trim => &self.trim,
        }
    }
}

impl<T> IndexMut<Direction> for PerDirection<T> {
    #[inline(always)]
    fn index_mut(&mut self, dir: Direction) -> &mut T {
        match dir {
            Direction::Read => &mut self.read,
            Direction::Write => &mut self.write,
            Direction::Trim => &mut self.trim,
        }
    }
}

/// An engine's operation on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Read into the slot's buffer.
    Read,
    /// Write from the slot's buffer.
    Write,
    /// Discard the range.
    Trim,
    /// Flush data and metadata of the file.
    Fsync,
    /// Flush data of the file, and only the metadata needed to read it back.
    Fdatasync,
}

impl Op {
    /// Whether this is a flush, which carries no data.
    pub fn is_sync(self) -> bool {
        matches!(self, Op::Fsync | Op::Fdatasync)
    }
}

impl From<Direction> for Op {
    #[inline(always)]
    fn from(dir: Direction) -> Op {
        match dir {
            Direction::Read => Op::Read,
            Direction::Write => Op::Write,
            Direction::Trim => Op::Trim,
        }
    }
}

/// The systems by which engines differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux and similar systems.
    Unix,
    /// Windows.
    Windows,
}

impl Platform {
    /// That of this process.
    pub fn here() -> Platform {
        if std::env::consts::OS == "windows" { Platform::Windows } else { Platform::Unix }
    }
}

/// The I/O engines that Fathom has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IoEngine {
    /// `pread(2)` and `pwrite(2)`; fio's default on Linux.
    Psync,
    /// `lseek(2)` with `read(2)` and `write(2)`.
    Sync,
    /// `preadv(2)` and `pwritev(2)`.
    Pvsync,
    /// `preadv2(2)` and `pwritev2(2)`, with flags.
    Pvsync2,
    /// Linux native asynchronous I/O (`io_submit(2)`).
    Libaio,
    /// Submission and completion rings shared with the kernel.
    IoUring,
    /// POSIX `aio_read(3)` and `aio_write(3)` (threads, in the C library).
    Posixaio,
    /// Overlapped I/O of Windows with a completion port; fio's default there.
    Windowsaio,
    /// `memcpy` to and from a mapping of the file.
    Mmap,
    /// Completes at once without doing anything: measures the program itself.
    Null,
    /// NFS version 3 without a mount, over connections of its own.
    Nfs,
}

impl IoEngine {
    /// All engines, in the order in which help lists them.
    pub const ALL: [IoEngine; 11] = [
        IoEngine::Psync,
        IoEngine::Sync,
        IoEngine::Pvsync,
        IoEngine::Pvsync2,
        IoEngine::Libaio,
        IoEngine::IoUring,
        IoEngine::Posixaio,
        IoEngine::Windowsaio,
        IoEngine::Mmap,
        IoEngine::Null,
        IoEngine::Nfs,
    ];

    /// The name in job files and outputs, as fio spells it.
    pub fn name(self) -> &'static str {
        match self {
            IoEngine::Psync => "psync",
            IoEngine::Sync => "sync",
            IoEngine::Pvsync => "pvsync",
            IoEngine::Pvsync2 => "pvsync2",
            IoEngine::Libaio => "libaio",
            IoEngine::IoUring => "io_uring",
            IoEngine::Posixaio => "posixaio",
            IoEngine::Windowsaio => "windowsaio",
            IoEngine::Mmap => "mmap",
            IoEngine::Null => "null",
            IoEngine::Nfs => "nfs",
        }
    }

    /// Whether the system that this runs on has it.
    pub fn is_here(self) -> bool {
        self.is_on(Platform::here())
    }

    /// Whether systems of that kind have it.
    pub fn is_on(self, platform: Platform) -> bool {
        match self {
            IoEngine::Psync | IoEngine::Sync | IoEngine::Mmap => true,
            IoEngine::Null | IoEngine::Nfs => true,
            IoEngine::Windowsaio => platform == Platform::Windows,
            IoEngine::Pvsync | IoEngine::Pvsync2 | IoEngine::Libaio => platform == Platform::Unix,
            IoEngine::IoUring | IoEngine::Posixaio => platform == Platform::Unix,
        }
    }

    /// The engines of the running system, in the order in which help lists them.
    pub fn here() -> impl Iterator<Item = IoEngine> {
        IoEngine::ALL.into_iter().filter(|engine| engine.is_here())
    }

    /// The default engine of fio's jobs.
    pub fn usual() -> IoEngine {
        if IoEngine::Windowsaio.is_here() { IoEngine::Windowsaio } else { IoEngine::Psync }
    }

    /// The one that drives a disk best with many I/Os in flight, and the one that is next best.
    pub fn deep() -> [IoEngine; 2] {
        match IoEngine::Windowsaio.is_here() {
            true => [IoEngine::Windowsaio, IoEngine::Psync],
            false => [IoEngine::IoUring, IoEngine::Libaio],
        }
    }

    /// Whether an I/O has completed when its submission returns, so that depth above 1 has no
    /// effect and there is no submission latency.
    pub fn is_sync(self) -> bool {
        matches!(
            self,
            IoEngine::Psync
                | IoEngine::Sync
                | IoEngine::Pvsync
                | IoEngine::Pvsync2
                | IoEngine::Mmap
        )
    }

    /// Whether it opens files of this host, so that the host's page cache can serve its I/Os.
    pub fn opens_files(self) -> bool {
        !matches!(self, IoEngine::Null | IoEngine::Nfs)
    }
}

/// How writes are made durable by the way the file is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyncMode {
    /// Not at all.
    #[default]
    None,
    /// `O_SYNC`: data and metadata on every write.
    Sync,
    /// `O_DSYNC`: data on every write.
    Dsync,
}
