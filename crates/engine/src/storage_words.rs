//! Operations on a file outside of measured I/O, and the file behind a device: plain data.

/// How a file will be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// From front to back: the kernel reads ahead.
    Sequential,
    /// Anywhere: it does not.
    Random,
}

/// How blocks are allocated for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocate {
    /// `fallocate(2)`: blocks and size; an error if the file system does not support it.
    Native,
    /// `posix_fallocate(3)`: the same, and by writing if the file system does not support it.
    Posix,
    /// `fallocate(2)` with `FALLOC_FL_KEEP_SIZE`: blocks, and the size as it was.
    KeepSize,
    /// `ftruncate(2)`: the size, and no blocks.
    Truncate,
}

/// The backing file of a loop device: its numbers, which neither a new name nor its removal
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopBacking {
    /// `st_dev` of the file behind it.
    pub device: u64,
    /// `st_ino` of the file behind it.
    pub inode: u64,
    /// The numbers of its driver and its own, if the backing file is a block device.
    pub block_device: Option<(u32, u32)>,
}
