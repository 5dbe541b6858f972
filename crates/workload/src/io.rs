//! One I/O of a workload, and its files.

use fathom_vocab::Direction;

/// The bytes of one file in which a job does I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileExtent {
    /// First byte.
    pub start: u64,
    /// How many bytes; I/O never ends beyond `start + len`.
    pub len: u64,
    /// How long the whole file is: a skip beyond it continues at the start.
    pub file_len: u64,
}

impl FileExtent {
    /// The first `len` bytes, which are the whole file.
    pub const fn whole(len: u64) -> FileExtent {
        FileExtent { start: 0, len, file_len: len }
    }
}

/// One I/O of the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// Its direction.
    pub dir: Direction,
    /// Index of its file among the extents.
    pub file: u32,
    /// Where in the file, in bytes.
    pub offset: u64,
    /// How many bytes.
    pub len: u32,
}

/// What becomes of a file in a job that has few of its files open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenChange {
    /// Its first I/O comes next.
    Open(u32),
    /// No I/O on it is left in this round over the files.
    Close(u32),
}

/// Why a workload cannot be made of a job.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// No block fits.
    #[error("{0}")]
    Unfit(String),
}
