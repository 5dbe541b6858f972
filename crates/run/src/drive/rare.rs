//! Rare events of a loop: completed flushes, short transfers, errors, and limits on latency.

use super::{Drive, direction_of};
use crate::record::{FinishedIo, Recorder};
use crate::slot_table::Slot;
use fathom_engine::Engine;
use fathom_vocab::{ErrorNumber, Op};
use fathom_workload::Pacer;

impl<E: Engine, P: Pacer, R: Recorder> Drive<'_, E, P, R> {
    #[cold]
    pub(super) fn retry_refused(&mut self) {
        for slot in self.slots.take_refused() {
            self.submit(slot, self.slots.io(slot));
        }
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
        self.submit(slot, s.rest(result));
    }

    fn failed(&mut self, slot: u32, s: Slot, error: ErrorNumber) {
        self.give_back(slot);
        let write = !matches!(s.op, Op::Read);
        let policy = &self.job.errors;
        if !s.op.is_sync() && policy.ignore[direction_of(s.op)].contains(&error) {
            return;
        }
        let go_on = if write { policy.continue_on.write } else { policy.continue_on.read };
        if go_on {
            self.p.result.total_err += 1;
            self.p.result.first_error = self.p.result.first_error.or(error);
            return;
        }
        let name = self.env.file_names.get(s.file as usize).map_or("?", String::as_str);
        let hint = if error == ErrorNumber::EFBIG { crate::error::FILE_SIZE_LIMIT } else { "" };
        let what = format!(
            "io_u error on file {name}: {}: {} offset={}, buflen={}{hint}",
            error.text(),
            op_name(s.op),
            s.offset - u64::from(s.done),
            if s.op.is_sync() { 0 } else { s.len + s.done }
        );
        let trouble = self.p.engine.trouble().filter(|_| E::REMOTE);
        let what = trouble.map_or(what.clone(), |why| format!("{what} ({why})"));
        self.fail(&what, error);
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
        self.slots.drop_fresh();
        let number = ErrorNumber::of(error).or(ErrorNumber::EIO);
        self.fail(&format!("submitting a batch: {error}"), number);
    }

    #[cold]
    pub(super) fn watch_latency(&mut self, io: &FinishedIo) {
        let limit_ns = self.job.pace.max_latency_us[io.dir].saturating_mul(1000);
        if limit_ns > 0 && io.clat_ns() > limit_ns {
            let what = format!(
                "{} at offset {} took {} us, more than max_latency",
                io.dir.name(),
                io.offset,
                io.clat_ns() / 1000
            );
            self.fail(&what, ErrorNumber::ETIMEDOUT);
        }
        if let Some(depth) = self.p.timeline.seek_depth(io, self.now_ns) {
            match depth {
                Ok(depth) => self.slots.limit_depth(depth),
                Err(()) => self.ending.end(),
            }
        }
    }
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
