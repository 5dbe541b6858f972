//! Verification: the check of each read, and the second phase of a job that writes, which reads
//! back what the first one wrote.
//!
//! Both phases have the same engine, files, slots and loop; only the source of I/Os is another. The
//! second phase has no runtime: it ends when all is read. It is part of the read figures, as in
//! fio, but not of the measured time and its samples.

use super::Drive;
use crate::control::State;
use crate::ending::Ending;
use crate::files::{FilePlan, extents_of};
use crate::plan::ClonePlan;
use crate::read_checks::ReadChecks;
use crate::record::{FinishedIo, Recorder};
use crate::target_access::FileKind;
use fathom_engine::{Engine, OpenHow};
use fathom_vocab::{Direction, ErrorNumber};
use fathom_workload::{Pacer, ReadBack};
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

    /// Whether the second phase runs.
    pub(super) fn is_reading_back(&self) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.is_second_phase())
    }

    /// Checks what was read, if it is to be checked.
    #[cold]
    pub(super) fn check(&mut self, io: &FinishedIo, slot: u32, file: u32) {
        let Some(checks) = self.checks.as_ref().filter(|_| io.dir == Direction::Read) else {
            return;
        };
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
        let writes = self.p.filler.verifiable_writes();
        if self.p.result.error.is_error() || writes == 0 {
            return;
        }
        if let Err(error) = forget_cached(&plan.files) {
            return self
                .fail(&format!("flushing before verification: {error}"), ErrorNumber::of(&error));
        }
        let extents = extents_of(&plan.files);
        match ReadBack::new(&plan.job, &extents, plan.seed, writes) {
            Ok(mut back) => {
                std::mem::swap(&mut self.p.workload, &mut back.workload);
                self.checks = Some(ReadChecks::new(Some(back)));
            }
            Err(error) => return self.fail(&error.to_string(), ErrorNumber::EINVAL),
        }
        self.env.live.set_state(State::Verifying);
        self.p.timeline.end_measuring(self.now_ns);
        self.ending = Ending::of_one_pass();
        self.due.take_pending();
        self.now_ns = self.env.clock.now_ns();
        let began_ns = self.now_ns;
        while !self.ending.is_over() {
            self.step();
        }
        self.drain();
        let spent_ms = (self.now_ns - began_ns + 500_000) / 1_000_000;
        self.p.result.dirs.read.runtime_ms += spent_ms.max(1);
        self.p.result.elapsed_ms += spent_ms;
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
