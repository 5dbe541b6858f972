//! I/Os chosen ahead, so that the loop reads the next with four loads and no branch on the kind of
//! the workload.
//!
//! The choice depends on nothing that completes later, so choosing early changes no I/O. There is a
//! list for each property: a job with one file and one block size rewrites only offsets.

use crate::io::Io;
use fathom_vocab::Direction;

/// I/Os made at a time.
pub(crate) const BATCH: usize = 32;

/// Some of a workload's I/Os; half a KiB.
#[derive(Clone, Debug)]
pub(crate) struct IoBatch {
    /// Index of the next.
    at: usize,
    /// How many there are.
    made: usize,
    pub(crate) offsets: [u64; BATCH],
    pub(crate) lens: [u32; BATCH],
    pub(crate) files: [u32; BATCH],
    pub(crate) dirs: [Direction; BATCH],
}

impl Default for IoBatch {
    fn default() -> IoBatch {
        IoBatch {
            at: 0,
            made: 0,
            offsets: [0; BATCH],
            lens: [0; BATCH],
            files: [0; BATCH],
            dirs: [Direction::Read; BATCH],
        }
    }
}

impl IoBatch {
    /// Whether one is left.
    #[inline(always)]
    pub(crate) fn is_ready(&self) -> bool {
        self.at < self.made
    }

    /// The next one.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Io {
        // Never beyond the end; the remainder proves that to the compiler.
        let at = self.at % BATCH;
        self.at += 1;
        Io {
            dir: self.dirs[at],
            file: self.files[at],
            offset: self.offsets[at],
            len: self.lens[at],
        }
    }

    /// Directions and lengths of those that are left.
    pub(crate) fn ahead(&self) -> (&[Direction], &[u32]) {
        (&self.dirs[self.at..self.made], &self.lens[self.at..self.made])
    }

    /// The lists hold `made` new I/Os.
    pub(crate) fn renew(&mut self, made: usize) {
        (self.at, self.made) = (0, made);
    }

    /// Fills the lists with the results of `next`, up to its first `None`.
    pub(crate) fn fill_with(&mut self, mut next: impl FnMut() -> Option<Io>) {
        let mut made = 0;
        while made < BATCH
            && let Some(io) = next()
        {
            self.offsets[made] = io.offset;
            self.lens[made] = io.len;
            self.files[made] = io.file;
            self.dirs[made] = io.dir;
            made += 1;
        }
        self.renew(made);
    }
}
