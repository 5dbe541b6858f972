//! Files that are opened when their first I/O is due, and closed when they are done.
//!
//! I/Os are chosen many at a time, and files change only between two such batches: a batch ends
//! before an I/O on a file that is not open yet. So the loop asks for changes once a batch, and a
//! job that keeps its files open pays nothing.

use crate::io::{Io, OpenChange};

/// Which files are open, and what changes.
#[derive(Clone, Debug)]
pub(crate) struct OpenChanges {
    is_open: Vec<bool>,
    /// Before the I/Os of the last batch.
    due: Vec<OpenChange>,
    /// After them.
    later: Vec<OpenChange>,
    /// An I/O that waits until its file is open.
    held: Option<Io>,
}

impl OpenChanges {
    /// `count` files, none of them open.
    pub(crate) fn new(count: usize) -> OpenChanges {
        let is_open = vec![false; count];
        OpenChanges { is_open, due: Vec::new(), later: Vec::new(), held: None }
    }

    /// No I/O on the file is left for now.
    pub(crate) fn finished(&mut self, file: u32) {
        if std::mem::take(&mut self.is_open[file as usize]) {
            self.later.push(OpenChange::Close(file));
        }
    }

    /// The I/O that the last batch ended before.
    pub(crate) fn take_held(&mut self) -> Option<Io> {
        self.held.take()
    }

    /// The I/O, if it may be in the batch: as the first one, or on an open file.
    pub(crate) fn admit(&mut self, io: Io, is_first: bool) -> Option<Io> {
        if is_first {
            self.due.append(&mut self.later);
        }
        let is_open = &mut self.is_open[io.file as usize];
        if *is_open {
            return Some(io);
        }
        if !is_first {
            self.held = Some(io);
            return None;
        }
        *is_open = true;
        self.due.push(OpenChange::Open(io.file));
        Some(io)
    }

    /// What changes before the I/Os of the last batch, in order.
    pub(crate) fn take_due(&mut self) -> Vec<OpenChange> {
        std::mem::take(&mut self.due)
    }
}
