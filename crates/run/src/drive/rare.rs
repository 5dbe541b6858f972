//! Rare events of a loop: completed flushes, short transfers, errors, and limits on latency.
//!
//! The compiler copies all of it for each engine, pacer and recorder. So what needs none of them is
//! a function beside the loop, and rare steps share one copy of the steps that it inlines.

use super::{Drive, direction_of};
use crate::io_log::IoLog;
use crate::record::{FinishedIo, Recorder};
use crate::slot_table::Slot;
use crate::target::DepthStep;
use fathom_engine::Engine;
use fathom_vocab::{ErrorNumber, Op};
use fathom_workload::{Io, Pacer};

impl<E: Engine, P: Pacer, R: Recorder> Drive<'_, E, P, R> {
    #[cold]
    pub(super) fn retry_refused(&mut self) {
        for slot in self.slots.take_refused() {
            self.submit_apart(slot, self.slots.io(slot));
        }
    }

    /// As [`Drive::submit`], which is inlined wherever it is called.
    #[inline(never)]
    pub(super) fn submit_apart(&mut self, slot: u32, io: Slot) -> bool {
        self.submit(slot, io)
    }

    /// As [`Drive::reap_some`] without a time limit.
    #[inline(never)]
    pub(super) fn reap_apart(&mut self, min: u32, max: u32) {
        self.reap_some(min, max, None);
    }

    /// Handles flushes, failures and short transfers.
    #[cold]
    pub(super) fn finish_rare(&mut self, slot: u32, result: i32) {
        let s = self.slots.io(slot);
        if result < 0 {
            self.failed(slot, s, ErrorNumber::new(-result));
        } else if s.op.is_sync() {
            self.p.result.sync.record(self.now_ns.saturating_sub(s.issue_ns));
            self.give_back(slot);
        } else {
            self.short(slot, s, result as u32);
        }
    }

    /// A short transfer: the remainder is requested again.
    fn short(&mut self, slot: u32, s: Slot, result: u32) {
        self.p.result.dirs[direction_of(s.op)].short_ios += 1;
        if result == 0 {
            return self.failed(slot, s, ErrorNumber::EIO);
        }
        self.submit_apart(slot, s.rest(result));
    }

    fn failed(&mut self, slot: u32, s: Slot, error: ErrorNumber) {
        self.give_back(slot);
        self.count_failed(&s, error);
        if self.job.errors.goes_on(direction_of(s.op), error) {
            return;
        }
        let trouble = self.p.engine.trouble().filter(|_| E::REMOTE);
        self.fail(&io_error(self.env.file_names, &s, error, trouble), error);
    }

    /// A failed I/O is an I/O all the same, without bytes and without a latency.
    fn count_failed(&mut self, s: &Slot, error: ErrorNumber) {
        let dir = direction_of(s.op);
        if !s.op.is_sync() {
            self.p.result.dirs[dir].total_ios += 1;
            if P::PACED {
                let origin = self.p.timeline.started_ns();
                self.p.pacer.completed(dir, 0, self.now_ns - origin);
            }
        }
        if self.job.errors.counts(dir) {
            self.p.result.total_err += 1;
            self.p.result.first_error = self.p.result.first_error.or(error);
        }
    }

    #[cold]
    pub(super) fn fail(&mut self, what: &str, error: ErrorNumber) {
        self.ending.end();
        if !self.p.result.error.is_error() {
            self.p.result.error = error;
            self.p.result.error_text = what.to_owned();
        }
    }

    /// The kernel refused a whole batch: none of it is in flight.
    #[cold]
    pub(super) fn fail_batch(&mut self, error: &std::io::Error) {
        let number = ErrorNumber::of(error).or(ErrorNumber::EIO);
        for slot in self.slots.drop_fresh() {
            self.count_failed(&self.slots.io(slot), number);
        }
        self.fail(&format!("submitting a batch: {error}"), number);
    }

    /// After figures have begun anew: I/Os in flight will count in them when they complete.
    #[cold]
    pub(super) fn count_in_flight(&mut self) {
        let in_flight = self.slots.in_flight();
        self.p.result.depth.record(in_flight, u64::from(in_flight));
    }

    /// Takes down an I/O that begins.
    #[cold]
    pub(super) fn log_io(&mut self, log: &IoLog<'_>, io: &Io) {
        log.io(io, self.now_ns - self.p.timeline.started_ns());
        // That was not the volume's time.
        self.now_ns = self.env.clock.now_ns();
    }

    /// Judges a completed I/O, and traces it.
    #[cold]
    pub(super) fn watch(&mut self, io: &FinishedIo, slot: u32, file: u32) {
        if let Some(trace) = self.env.trace {
            trace.completed(io, name_of(self.env.file_names, file));
        }
        self.check(io, slot, file);
        if self.is_reading_back() {
            return;
        }
        let limit_ns = self.job.pace.max_latency_us[io.dir].saturating_mul(1000);
        if limit_ns > 0 && io.clat_ns() > limit_ns {
            self.fail(&too_slow(io), ErrorNumber::ETIMEDOUT);
        }
        match self.p.timeline.seek_depth(io, self.now_ns) {
            Some(DepthStep::Use(depth)) => self.slots.limit_depth(depth),
            Some(DepthStep::Measure(depth)) => {
                self.record_alike();
                self.count_waits();
                self.slots.limit_depth(depth);
                self.p.timeline.begin_anew(self.now_ns, &mut self.p.result);
                self.count_in_flight();
            }
            Some(DepthStep::End) => self.ending.end(),
            None => {}
        }
    }
}

/// The message about a failed I/O, in fio's words, with the trouble of the connection if any.
#[inline(never)]
fn io_error(names: &[String], s: &Slot, error: ErrorNumber, trouble: Option<String>) -> String {
    let name = name_of(names, s.file);
    let hint = match (error, s.op) {
        (ErrorNumber::EFBIG, _) => crate::error::FILE_SIZE_LIMIT,
        (ErrorNumber::ENOTTY, Op::Trim) => "; only devices can be trimmed: give one as filename=",
        _ => "",
    };
    let why = trouble.map(|why| format!(" ({why})")).unwrap_or_default();
    format!(
        "io_u error on file {name}: {}: {} offset={}, buflen={}{hint}{why}",
        error.text(),
        op_name(s.op),
        s.offset - u64::from(s.done),
        if s.op.is_sync() { 0 } else { s.len + s.done }
    )
}

fn name_of(names: &[String], file: u32) -> &str {
    names.get(file as usize).map_or("?", String::as_str)
}

/// The message about an I/O that took longer than `max_latency`.
#[inline(never)]
fn too_slow(io: &FinishedIo) -> String {
    format!(
        "{} at offset {} took {} us, more than max_latency",
        io.dir.name(),
        io.offset,
        io.clat_ns() / 1000
    )
}

fn op_name(op: Op) -> &'static str {
    match op {
        Op::Read => "read",
        Op::Write => "write",
        Op::Trim => "trim",
        Op::Fsync => "fsync",
        Op::Fdatasync => "fdatasync",
    }
}
