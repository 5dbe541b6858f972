//! Verification: the check of each read, and the second phase of a job that writes, which reads
//! back what the first one wrote.
//!
//! With a backlog, a part is read back whenever so much was written.
//!
//! Both phases have the same engine, files, slots and loop; only the source of I/Os is another. The
//! second phase has no runtime: it ends when all is read. It is part of the read figures, as in
//! fio, but not of the measured time and its samples.

use super::Drive;
use crate::control::State;
use crate::due_times::DueTimes;
use crate::ending::Ending;
use crate::files::{FilePlan, extents_of};
use crate::plan::ClonePlan;
use crate::record::{FinishedIo, Recorder};
use crate::target_access::FileKind;
use fathom_engine::{Engine, OpenHow};
use fathom_vocab::{Direction, ErrorNumber};
use fathom_workload::{Io, Pacer, ReadBack};
use std::io;

/// At most so many faults that don't end a job are noted.
const FAULTS_NOTED: usize = 20;

impl<E: Engine, P: Pacer, R: Recorder> Drive<'_, E, P, R> {
    /// A read begins.
    #[cold]
    pub(super) fn expect(&mut self, slot: u32) {
        if let Some(checks) = &mut self.checks {
            checks.begin(slot);
            // The check of the read before was not the volume's time.
            self.now_ns = self.env.clock.now_ns();
        }
    }

    /// A write was prepared: it may be one after which some are read back.
    #[cold]
    pub(super) fn note_write(&mut self, io: &Io) {
        let number = self.p.filler.verifiable_writes().saturating_sub(1);
        if self.checks.as_mut().is_some_and(|checks| checks.note_write(number, io)) {
            self.ending.check_at(0);
        }
    }

    /// Whether what was written is being read back.
    pub(super) fn is_reading_back(&self) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.is_reading_back())
    }

    /// Checks what was read, if it is to be checked.
    #[cold]
    pub(super) fn check(&mut self, io: &FinishedIo, slot: u32, file: u32) {
        let checks = self.checks.as_ref().filter(|checks| checks.is_checking());
        let Some(checks) = checks.filter(|_| io.dir == Direction::Read) else { return };
        let expected = checks.expected(slot);
        let buffer = &mut self.p.engine.buffer(slot)[..io.bytes as usize];
        let Err(fault) = self.p.filler.check(buffer, io.offset, expected) else { return };
        let name = self.env.file_names.get(file as usize);
        let message = fault.message(name.map_or("?", String::as_str));
        let result = &mut self.p.result;
        if self.job.errors.continue_on.verify {
            result.total_err += 1;
            result.first_error = result.first_error.or(ErrorNumber::EILSEQ);
            if !self.job.verify.fatal {
                if result.notes.len() < FAULTS_NOTED {
                    result.notes.push(message);
                }
                return;
            }
        }
        self.fail(&message, ErrorNumber::EILSEQ);
    }

    /// Reads back what was written, from the volume rather than from the cache.
    #[cold]
    #[inline(never)]
    pub(super) fn read_back(&mut self, plan: &ClonePlan) {
        let writes =
            if self.job.only_verifies() { u64::MAX } else { self.p.filler.verifiable_writes() };
        if self.p.result.error.is_error() || writes == 0 {
            return;
        }
        if let Err(error) = forget_cached(&plan.files) {
            return self
                .fail(&format!("flushing before verification: {error}"), ErrorNumber::of(&error));
        }
        let rest = self.checks.as_mut().and_then(|checks| checks.take_rest(self.job));
        let replay = || ReadBack::new(&plan.job, &extents_of(&plan.files), plan.seed, writes);
        let back = match rest.map_or_else(replay, Ok) {
            Ok(back) => back,
            Err(error) => return self.fail(&error.to_string(), ErrorNumber::EINVAL),
        };
        self.env.live.set_state(State::Verifying);
        self.p.timeline.end_measuring(self.now_ns);
        let began_ns = self.env.clock.now_ns();
        self.go_through(back);
        let spent_ms = (self.now_ns - began_ns + 500_000) / 1_000_000;
        self.p.result.dirs.read.runtime_ms += spent_ms.max(1);
        self.p.result.elapsed_ms += spent_ms;
    }

    /// Reads back the oldest writes while the job runs (`verify_backlog`). As in fio, this is part
    /// of the measured time.
    #[cold]
    #[inline(never)]
    pub(super) fn read_backlog(&mut self) {
        self.drain();
        let batch = self.checks.as_mut().and_then(|checks| checks.take_batch(self.job));
        let Some(back) = batch else { return };
        let (ending, state) = (self.ending, self.env.live.state());
        self.env.live.set_state(State::Verifying);
        self.go_through(back);
        self.env.live.set_state(state);
        self.ending = ending;
        if self.p.result.error.is_error() {
            self.ending.end();
        }
    }

    /// Does these reads in place of the job's I/Os, and then has those again.
    fn go_through(&mut self, mut back: ReadBack) {
        let Some(checks) = &mut self.checks else { return };
        std::mem::swap(&mut self.p.workload, &mut back.workload);
        checks.begin_phase(back);
        let due = std::mem::replace(&mut self.due, DueTimes::free());
        self.ending = Ending::of_one_pass();
        self.now_ns = self.env.clock.now_ns();
        while !self.ending.is_over() {
            self.step();
        }
        self.drain();
        self.due = due;
        if let Some(mut back) = self.checks.as_mut().and_then(|checks| checks.end_phase()) {
            std::mem::swap(&mut self.p.workload, &mut back.workload);
        }
    }
}

/// Makes written data durable and drops it from the page cache.
fn forget_cached(files: &[FilePlan]) -> io::Result<()> {
    let how = OpenHow { read: true, write: true, ..OpenHow::default() };
    for file in files.iter().filter(|file| file.kind != FileKind::Special) {
        let Ok(Some(target)) = file.access.open(&file.path, &how) else { continue };
        if let Some(file) = target.file() {
            file.sync_data()?;
        }
        // Not being allowed to drop the cache of a device makes no job fail in fio either.
        let _ = target.drop_cache(file.extent.start, file.extent.len);
    }
    Ok(())
}
