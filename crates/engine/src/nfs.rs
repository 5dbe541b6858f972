//! I/O on files of an NFS export, over the engine's own connections.
//!
//! The engine has slots and buffers; the NFS part is in `fathom_nfs`. [`Engine::commit`] sends
//! queued requests, so that one system call sends all of them.

use crate::arena::Arena;
use crate::error::EngineError;
use crate::nfs_file::NfsFile;
use crate::slots::Slots;
use crate::target::TargetHandle;
use crate::{Completion, Engine, Queued, Request};
use fathom_nfs::{ConnectionCounts, NfsError, NfsIo, NfsRequest, SlotBuffers};
use std::io;
use std::time::Duration;

/// The nfs engine.
pub(crate) struct Nfs {
    arena: Arena,
    slots: Slots,
    io: NfsIo,
    over: Vec<(u32, i32)>,
    /// Why no connection is made any more.
    lost: Option<NfsError>,
}

impl SlotBuffers for Arena {
    fn slot(&mut self, slot: u32) -> &mut [u8] {
        Arena::slot(self, slot)
    }
}

impl Nfs {
    /// Connects to the export that the targets are on.
    ///
    /// # Errors
    /// If it cannot be reached.
    pub(crate) fn new(arena: Arena, targets: Vec<TargetHandle>) -> Result<Nfs, EngineError> {
        let files: Vec<NfsFile> = targets.into_iter().filter_map(TargetHandle::into_nfs).collect();
        let wrong = |source: io::Error| EngineError::new("nfs", "connecting", source);
        let Some(first) = files.first() else {
            return Err(wrong(io::Error::other("no file of an export was opened")));
        };
        let export = first.export().clone();
        let files = files.iter().map(NfsFile::for_io).collect();
        let depth = arena.slots();
        let io = NfsIo::connect(export, files, depth).map_err(|error| wrong(error.into()))?;
        Ok(Nfs { arena, slots: Slots::new(depth), io, over: Vec::new(), lost: None })
    }
}

impl Engine for Nfs {
    const SYNC: bool = false;
    const REMOTE: bool = true;

    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.slots.check_free(slot);
        self.arena.slot(slot)
    }

    fn queue(&mut self, request: &Request) -> Queued {
        // Before the slot is taken: a request that does not fit must not be queued.
        self.arena.ptr_of(request);
        self.slots.take(request.slot);
        let Request { op, file, offset, len, at, slot } = *request;
        self.io.queue(NfsRequest { op, file, offset, len, at, slot }, &mut self.arena);
        Queued::Pending
    }

    fn commit(&mut self) -> io::Result<()> {
        // Queued requests are in flight, whatever happens to the connections.
        if let Err(error) = self.io.advance(&mut self.arena) {
            self.lost = Some(error);
        }
        Ok(())
    }

    fn reap(
        &mut self,
        min: u32,
        max: u32,
        timeout: Option<Duration>,
        done: &mut Vec<Completion>,
    ) -> io::Result<()> {
        if let Some(error) = self.lost.take() {
            return Err(error.into());
        }
        self.io.reap((min, max), timeout, &mut self.arena, &mut self.over)?;
        for (slot, result) in self.over.drain(..) {
            self.slots.give(slot);
            done.push(Completion { slot, result });
        }
        Ok(())
    }

    fn is_uncommitted(&self, file: u32) -> bool {
        self.io.is_uncommitted(file)
    }

    fn give_up(&mut self) {
        self.io.give_up();
    }

    fn trouble(&self) -> Option<String> {
        self.io.trouble()
    }

    fn connections(&self) -> Vec<ConnectionCounts> {
        self.io.connections()
    }

    fn notes(&self) -> Vec<String> {
        let events = self.io.events();
        let mut notes = Vec::new();
        if events.lost_writes > 0 {
            notes.push(format!(
                "nfs: the server lost {} unstable writes (its write verifier changed); they were \
                 written again before the next COMMIT was counted as done",
                events.lost_writes
            ));
        }
        if events.jukebox > 0 {
            notes.push(format!(
                "nfs: the server asked {} times to be asked again later (NFS3ERR_JUKEBOX)",
                events.jukebox
            ));
        }
        if events.unasked_commits > 0 {
            notes.push(format!(
                "nfs: {} COMMITs were sent unasked, because very much was unstable",
                events.unasked_commits
            ));
        }
        notes
    }
}
