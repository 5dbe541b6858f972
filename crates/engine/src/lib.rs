//! I/O engines: how an I/O reaches the kernel. This is the only crate that may use `unsafe`.
//!
//! An engine owns its files and its buffers: a slot is a place for one I/O in flight, with its own
//! buffer. The loop in `run` fills a slot, queues it, commits the queued ones in one call, and
//! reaps completions. Engines know nothing of jobs, rates or statistics.

//!
//! Two decisions shape the interface. A slot in flight belongs to the kernel: engines that complete
//! later record these slots and refuse to touch them, because a buffer that is freed or rewritten
//! under the kernel is a wrong measurement at best. And missing kernel features are detected once,
//! when the engine is built ([`with_engine`]): each becomes a note or an [`EngineError`] with
//! advice, never a branch in the loop.

mod alignment;
mod arena;
mod child_usage;
mod clock;
mod config;
mod construct;
mod counter;
mod disk_query;
mod error;
mod file_facts;
#[cfg(target_os = "linux")]
mod linux;
mod nfs;
mod nfs_file;
mod null;
mod open_how;
// Needed on Windows, and tested on every system.
#[cfg(any(windows, test))]
mod overlapped;
mod scripted;
mod slots;
mod storage_words;
mod synchronous;
mod target;
mod thread_words;
mod visitor;
#[cfg(windows)]
mod windows;

// The system that this is built for.
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

pub use alignment::{AlignmentError, AlignmentSource, DirectAlignment};
pub use child_usage::ChildUsage;
pub use clock::{Clock, ClockSource, SimulatedTime};
pub use config::EngineConfig;
pub use construct::with_engine;
pub use disk_query::{DiskPerformance, DiskReply};
pub use error::EngineError;
pub use fathom_nfs::proto::NfsAttributes;
pub use fathom_nfs::{ConnectionCounts, NfsError, NfsExport, NfsFound, NullCaller};
use fathom_vocab::Op;
pub use file_facts::{FileFacts, FileNumber, FileSort};
pub use nfs_file::{NfsFile, find_export, mount_export};
pub use open_how::{OpenError, OpenHow};
pub use scripted::{Scripted, ScriptedOutcome};
use std::io;
use std::time::Duration;
pub use storage_words::{Access, Allocate, LoopBacking};
#[cfg(target_os = "linux")]
pub use system::bare;
pub use system::child::wait_with_usage;
pub use system::construct::opens_later;
pub use system::direct::direct_alignment;
pub use system::disk_query::{disk_performance, disk_reply};
pub use system::folder::{Folder, facts_at, facts_of, hold};
pub use system::inheritance::{ignores_signal, stdout_was_closed};
pub use system::open::{filesystem, open, open_in};
pub use system::storage::{
    advise_access, allocate, drop_cache, is_block_device, loop_backing, size_bytes, written_bytes,
};
pub use system::thread::{
    PinnedMemory, allowed_cpus, bind_thread, nice_thread, prioritize_thread, raise_locked_memory,
    raise_open_files, set_numa_policy, sharpen_timers, thread_id, thread_usage,
};
pub use system::user::shell_command;
pub use target::TargetHandle;
pub use thread_words::{NumaPolicy, ThreadUsage};
pub use visitor::Visitor;

/// One I/O to be done from or to the buffer of `slot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The operation.
    pub op: Op,
    /// Index of the engine's file.
    pub file: u32,
    /// Where in the file, in bytes.
    pub offset: u64,
    /// How many bytes; 0 for a flush.
    pub len: u32,
    /// Where in the slot's buffer they are: 0, or after the part that was transferred already.
    pub at: u32,
    /// The slot with its buffer; below the engine's depth, and free.
    pub slot: u32,
}

/// An I/O that has completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The slot that is free again.
    pub slot: u32,
    /// Bytes done, or a negative error number.
    pub result: i32,
}

/// The outcome of queueing a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// It has completed: bytes done, or a negative error number. It will not be reaped.
    Done(i32),
    /// It was queued, and goes to the kernel with the next [`Engine::commit`].
    Pending,
    /// There is no room: commit and reap, then try again.
    Busy,
}

/// An interface to the kernel. Slots run from 0 to depth - 1.
pub trait Engine {
    /// Whether every request is `Done` when [`Engine::queue`] returns.
    const SYNC: bool;

    /// Whether I/Os go to another machine, which may never answer: waiting for completions then
    /// ends now and then with fewer than requested, and I/Os in flight can be given up.
    const REMOTE: bool = false;

    /// The buffer of a slot that is not in flight, `block_max` bytes long.
    fn buffer(&mut self, slot: u32) -> &mut [u8];

    /// Takes a request; the slot must not be in flight.
    fn queue(&mut self, request: &Request) -> Queued;

    /// Hands everything queued to the kernel.
    ///
    /// # Errors
    /// If the kernel refuses the batch as a whole; single I/Os fail in their completion.
    fn commit(&mut self) -> io::Result<()>;

    /// Appends completions to `done`: waits for at least `min` (0 polls), takes at most `max`. With
    /// a timeout it may return with fewer than `min`, and so it does if fewer than `min` are in
    /// flight. I/Os left by a refused commit are offered to the kernel again.
    ///
    /// # Errors
    /// If waiting itself fails; never for an interrupted call, which is repeated.
    fn reap(
        &mut self,
        min: u32,
        max: u32,
        timeout: Option<Duration>,
        done: &mut Vec<Completion>,
    ) -> io::Result<()>;

    /// Takes a file that was opened after the engine was built, under this index. Only if
    /// [`opens_later`] says so of the engine.
    ///
    /// # Errors
    /// If the engine cannot work on it.
    fn open_file(&mut self, _file: u32, _target: TargetHandle) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Closes such a file; no I/O on it is in flight.
    fn close_file(&mut self, _file: u32) {}

    /// Whether completed writes to a file may still be lost.
    fn is_uncommitted(&self, _file: u32) -> bool {
        false
    }

    /// Ends the I/Os in flight with an error, to be reaped at once. Only if it is
    /// [`Engine::REMOTE`].
    fn give_up(&mut self) {}

    /// The reason, as text, why I/Os do not end or one failed.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// The counters of each connection of the engine.
    fn connections(&self) -> Vec<ConnectionCounts> {
        Vec::new()
    }

    /// Notes on its work, a sentence each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
