//! Engines that complete each I/O when it is queued: `commit` and `reap` have nothing to do.

use crate::target::TargetHandle;
use crate::{Completion, Engine, Queued, Request};
use std::io;
use std::time::Duration;

/// An engine whose calls return when the I/O is done.
pub(crate) trait Synchronous {
    /// The buffer of a slot, `block_max` bytes long.
    fn buffer(&mut self, slot: u32) -> &mut [u8];

    /// Does a request: bytes done, or a negative error number.
    fn perform(&mut self, request: &Request) -> i32;

    /// As [`Engine::open_file`].
    fn open_file(&mut self, _file: u32, _target: TargetHandle) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// As [`Engine::close_file`].
    fn close_file(&mut self, _file: u32) {}
}

impl<T: Synchronous> Engine for T {
    const SYNC: bool = true;

    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        Synchronous::buffer(self, slot)
    }

    #[inline(always)]
    fn queue(&mut self, request: &Request) -> Queued {
        Queued::Done(self.perform(request))
    }

    #[inline(always)]
    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn reap(
        &mut self,
        _min: u32,
        _max: u32,
        _timeout: Option<Duration>,
        _done: &mut Vec<Completion>,
    ) -> io::Result<()> {
        Ok(())
    }

    fn open_file(&mut self, file: u32, target: TargetHandle) -> io::Result<()> {
        Synchronous::open_file(self, file, target)
    }

    fn close_file(&mut self, file: u32) {
        Synchronous::close_file(self, file);
    }
}
