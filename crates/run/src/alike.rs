//! I/Os with equal moments, to be recorded together.

use crate::record::FinishedIo;

/// I/Os that are alike in all but their offset and are not recorded yet; none between two steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AlikeIos {
    first: FinishedIo,
    count: u64,
}

impl AlikeIos {
    /// No I/Os yet.
    pub const NONE: AlikeIos = AlikeIos { first: FinishedIo::NONE, count: 0 };

    /// Adds an I/O, if it is like the others.
    #[inline(always)]
    pub fn add(&mut self, io: &FinishedIo) -> bool {
        if self.first.is_like(io) {
            self.count += 1;
            return true;
        }
        false
    }

    /// Starts a new group with this I/O.
    #[inline(always)]
    pub fn begin(&mut self, io: FinishedIo) {
        (self.first, self.count) = (io, 1);
    }

    /// All of them, if there are any: one, and how many are like it.
    #[inline(always)]
    pub fn take(&mut self) -> Option<(FinishedIo, u64)> {
        if self.count == 0 {
            return None;
        }
        let first = std::mem::replace(&mut self.first, FinishedIo::NONE);
        Some((first, std::mem::take(&mut self.count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_in_its_offset_alone_is_alike() {
        let io = FinishedIo { bytes: 512, start_ns: 1, issue_ns: 2, end_ns: 3, ..FinishedIo::NONE };
        let mut alike = AlikeIos::NONE;
        assert!(!alike.add(&io) && alike.take().is_none());
        alike.begin(io);
        assert!(alike.add(&FinishedIo { offset: 9, ..io }));
        assert!(!alike.add(&FinishedIo { bytes: 4096, ..io }));
        assert_eq!(alike.take().map(|(first, count)| (first.bytes, count)), Some((512, 2)));
        assert!(alike.take().is_none());
    }
}
