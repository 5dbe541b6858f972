//! The configuration of an engine.
//!
//! Plain data with defaults, so that a caller sets only the fields it needs. The files are already
//! open: opening a path belongs to the job ([`crate::open`]).

use crate::target::TargetHandle;
use fathom_vocab::{EngineOptions, IoEngine};
use std::fs::File;

/// The input of [`crate::with_engine`].
#[derive(Debug)]
pub struct EngineConfig {
    /// The engine.
    pub engine: IoEngine,
    /// I/Os in flight at most, and so the number of slots; 0 counts as 1.
    pub depth: u32,
    /// Bytes of a slot's buffer: the largest request.
    pub block_max: usize,
    /// Alignment of each slot's buffer in bytes, a power of two; 0 is the page size. The first
    /// slot is never aligned to less than a page.
    pub mem_align: usize,
    /// The targets, in the order of the indices in [`crate::Request::file`]; none if they are
    /// opened later ([`crate::Engine::open_file`]).
    pub files: Vec<TargetHandle>,
    /// How many files there are, if they are opened later.
    pub files_later: usize,
    /// Bytes of each file that may be accessed; only mmap uses it, and uses the length of the file
    /// if the list is too short.
    pub sizes: Vec<u64>,
    /// Whether the files were opened with `O_DIRECT`.
    pub direct: bool,
    /// Whether the files were opened for writing.
    pub writable: bool,
    /// Options that only some engines read.
    pub options: EngineOptions,
}

impl EngineConfig {
    /// A configuration for `engine` with `depth` slots of `block_max` bytes over `files`, and no
    /// further options.
    pub fn new(engine: IoEngine, depth: u32, block_max: usize, files: Vec<File>) -> EngineConfig {
        let files = files.into_iter().map(TargetHandle::from).collect();
        EngineConfig::over(engine, depth, block_max, files)
    }

    /// The same over targets of any kind.
    pub fn over(
        engine: IoEngine,
        depth: u32,
        block_max: usize,
        files: Vec<TargetHandle>,
    ) -> EngineConfig {
        EngineConfig {
            engine,
            depth,
            block_max,
            mem_align: 0,
            files,
            files_later: 0,
            sizes: Vec::new(),
            direct: false,
            writable: true,
            options: EngineOptions::default(),
        }
    }
}
