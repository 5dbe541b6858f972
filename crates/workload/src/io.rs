//! One I/O of a workload, and the files that I/Os go to.

use fathom_vocab::Direction;

/// The bytes of one file in which a job does I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileExtent {
    /// First byte.
    pub start: u64,
    /// How many bytes; I/O never ends beyond `start + len`.
    pub len: u64,
}

/// One I/O of the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// What it does.
    pub dir: Direction,
    /// Which file, an index into the extents given.
    pub file: u32,
    /// Where in the file, in bytes.
    pub offset: u64,
    /// How many bytes.
    pub len: u32,
}

/// Why a workload cannot be made of a job.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// Nothing fits.
    #[error("{0}")]
    Unfit(String),
}
