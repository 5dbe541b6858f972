//! A loop whose files are opened when their first I/O is due, and closed when they are done.

use super::Drive;
use crate::error::RunError;
use crate::opening::open_file;
use crate::plan::ClonePlan;
use crate::record::Recorder;
use fathom_engine::{Engine, TargetHandle};
use fathom_workload::{OpenChange, Pacer};
use std::sync::atomic::Ordering::Relaxed;

impl<E: Engine, P: Pacer, R: Recorder> Drive<'_, E, P, R> {
    /// Closes and opens the files for the I/Os made last; false if the loop ends.
    #[cold]
    #[inline(never)]
    pub(super) fn change_files(&mut self) -> bool {
        for change in self.p.workload.take_open_changes() {
            match change {
                // The loop may look at I/Os after its end, which it only counts.
                _ if self.ending.is_over() => return false,
                OpenChange::Close(file) => self.closing.push(file),
                OpenChange::Open(file) => self.open_next(file),
            }
        }
        !self.ending.is_over()
    }

    /// Opens a file, as soon as fewer than `openfiles` are open. A file that is done is closed when
    /// its last I/O has completed.
    fn open_next(&mut self, file: u32) {
        self.close_idle_files();
        while self.has_enough_files() && self.slots.in_flight() > 0 && !self.closing.is_empty() {
            self.commit();
            self.reap_apart(1, u32::MAX);
            self.close_idle_files();
        }
        match self.closing.iter().position(|closing| *closing == file) {
            // It begins anew before its last I/O has completed.
            Some(at) => drop(self.closing.swap_remove(at)),
            None => self.open_file(file),
        }
    }

    fn has_enough_files(&self) -> bool {
        let most = self.job.target.openfiles;
        most > 0 && self.env.live.open_files.load(Relaxed) >= most
    }

    fn close_idle_files(&mut self) {
        let is_busy = |file: &u32| self.slots.in_flight() > 0 && self.slots.are_used_for(*file);
        let (busy, idle) = std::mem::take(&mut self.closing).into_iter().partition(is_busy);
        self.closing = busy;
        let idle: Vec<u32> = idle;
        idle.into_iter().for_each(|file| self.close_file(file));
    }

    fn open_file(&mut self, file: u32) {
        let Some(plan) = self.env.opens else { return };
        let opened = target_of(plan, file).and_then(|target| match target {
            Some(target) => {
                let path = plan.files[file as usize].shown();
                let opened = self.p.engine.open_file(file, target);
                opened.map_err(|error| RunError::file(&path, "using the file", &error))
            }
            None => Ok(()),
        });
        match opened {
            Ok(()) => {
                self.is_open[file as usize] = true;
                self.env.live.open_files.fetch_add(1, Relaxed);
            }
            Err(error) => self.fail(&error.to_string(), error.number()),
        }
    }

    fn close_file(&mut self, file: u32) {
        if self.job.flush.fsync_on_close && self.job.pattern.rw.write {
            self.flush_uncounted(file);
        }
        self.release(file);
    }

    fn release(&mut self, file: u32) {
        self.p.engine.close_file(file);
        self.is_open[file as usize] = false;
        self.env.live.open_files.fetch_sub(1, Relaxed);
    }

    /// Flushes a file at the end, which may have to be opened for it.
    pub(super) fn flush_open_file(&mut self, file: u32) {
        let is_open = self.is_open.get(file as usize).is_none_or(|is_open| *is_open);
        if !is_open {
            self.open_file(file);
            if !self.is_open[file as usize] {
                return;
            }
        }
        self.flush_uncounted(file);
        if !is_open {
            self.release(file);
        }
    }
}

/// Opens a file of a clone: out of line and not generic, as each loop would have a copy.
#[inline(never)]
fn target_of(plan: &ClonePlan, file: u32) -> Result<Option<TargetHandle>, RunError> {
    open_file(&plan.job, &plan.files[file as usize])
}
