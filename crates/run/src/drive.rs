//! The one I/O loop: fill, submit, reap, record, and now and then a tick.
//!
//! It is generic over engine, pacer and recorder, so that a feature is a type parameter and never a
//! copy of the loop. Between two ticks it allocates nothing and takes no lock.
//!
//! The clock is a large part of a cheap I/O's cost, so each moment is read once. With a synchronous
//! engine every request is done when it is queued: an I/O begins where the one before it ended, and
//! slow steps in between (choosing offsets, filling a buffer, a tick, a sleep) read the clock again
//! at their end. Otherwise the clock is read once for each batch that is submitted or reaped, and
//! I/Os with equal moments are recorded together.

mod files;
mod paced;
mod rare;
mod read_back;
mod remote;
mod tick;

use crate::alike::AlikeIos;
use crate::batch::{Batch, first_depth};
use crate::clone_outcome::CloneLogs;
use crate::control::{CloneCounters, Control, State};
use crate::due_times::DueTimes;
use crate::ending::Ending;
use crate::flush_policy::FlushPolicy;
use crate::io_log::IoLog;
use crate::io_trace::IoTrace;
use crate::plan::ClonePlan;
use crate::read_checks::ReadChecks;
use crate::record::{FinishedIo, Recorder};
use crate::slot_table::{Slot, SlotTable};
use crate::timeline::Timeline;
use fathom_engine::{Clock, Completion, Engine, Queued};
use fathom_job::JobSpec;
use fathom_stats::JobResult;
use fathom_vocab::{Direction, ErrorNumber, Op};
use fathom_workload::{BufferFiller, Io, Pacer, Workload};
use std::time::Duration;

/// The environment of a loop: its clock, and its connection to the process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Env<'a> {
    pub clock: Clock,
    pub control: &'a Control,
    pub live: &'a CloneCounters,
    /// Names of the files, for error messages.
    pub file_names: &'a [String],
    /// The clone, if its files are opened when their first I/O is due.
    pub opens: Option<&'a ClonePlan>,
    /// The clone, if its writes are read back when it has ended.
    pub reads_back: Option<&'a ClonePlan>,
    /// Takes down each I/O for a replay (`write_iolog`); usually none.
    pub log: Option<&'a IoLog<'a>>,
    /// Takes a line about each I/O (`--debug=io`); usually none.
    pub trace: Option<&'a IoTrace<'a>>,
}

/// The parts that make a loop.
pub(crate) struct LoopParts<E, P, R> {
    pub engine: E,
    pub pacer: P,
    pub recorder: R,
    pub workload: Workload,
    pub filler: BufferFiller,
    pub timeline: Timeline,
    pub result: Box<JobResult>,
}

/// One clone's loop.
pub(crate) struct Drive<'a, E, P, R> {
    job: &'a JobSpec,
    env: Env<'a>,
    p: LoopParts<E, P, R>,
    slots: SlotTable,
    done: Vec<Completion>,
    alike: AlikeIos,
    batch: Batch,
    due: DueTimes,
    flush: FlushPolicy,
    /// Which files are open, if they are opened when their first I/O is due.
    is_open: Vec<bool>,
    /// Those that are done, and open until their last I/O has completed.
    closing: Vec<u32>,
    ending: Ending,
    watched: bool,
    /// Whether an I/O has to be prepared: the content of a write, the count towards the next flush,
    /// or what a read shall find.
    prepares: bool,
    /// If reads are checked.
    checks: Option<Box<ReadChecks>>,
    now_ns: u64,
    /// Whether the loop has ended and commits its writes.
    is_committing: bool,
}

impl<'a, E: Engine, P: Pacer, R: Recorder> Drive<'a, E, P, R> {
    /// A loop that is ready to run.
    pub fn new(job: &'a JobSpec, env: Env<'a>, parts: LoopParts<E, P, R>) -> Self {
        let depth = if E::SYNC { 1 } else { job.engine.iodepth };
        let pace = &job.pace;
        let flush = FlushPolicy::of(job, &parts.workload);
        let schedule = parts.pacer.is_schedule();
        let first = parts.timeline.first_depth().or(first_depth(job));
        Drive {
            job,
            env,
            slots: SlotTable::new(depth, first, job.engine.iodepth_low),
            done: Vec::with_capacity(depth as usize),
            alike: AlikeIos::NONE,
            batch: Batch::of(job, depth),
            due: DueTimes::new(depth, schedule, parts.workload.is_mixed()),
            flush,
            closing: Vec::new(),
            is_open: vec![false; if env.opens.is_some() { env.file_names.len() } else { 0 }],
            ending: Ending::of(job),
            watched: Direction::ALL.iter().any(|dir| pace.max_latency_us[*dir] > 0)
                || pace.latency_target.is_some()
                || env.trace.is_some()
                || job.verify.method.is_some(),
            checks: ReadChecks::of(job),
            prepares: job.pattern.rw.write && parts.filler.prepares()
                || flush.is_on()
                || env.log.is_some()
                || job.verify.method.is_some(),
            is_committing: false,
            now_ns: env.clock.now_ns(),
            p: parts,
        }
    }

    /// Runs until the job ends, then returns the results.
    pub fn run(mut self) -> (Box<JobResult>, CloneLogs) {
        self.fill_all_buffers();
        self.now_ns = self.env.clock.now_ns();
        self.p.timeline.begin(self.now_ns, &mut self.p.result);
        self.p.recorder.begin(self.now_ns);
        self.tick();
        while !self.ending.is_over() {
            self.step();
        }
        self.count_overdue();
        self.drain();
        self.is_committing = true;
        self.flush_at_end();
        if E::REMOTE {
            self.commit_at_end();
        }
        let is_stopped = self.env.control.stopping() || self.env.live.stopping();
        self.count_waits();
        self.p.timeline.finish(self.now_ns, is_stopped, &mut self.p.result);
        if let Some(plan) = self.env.reads_back.filter(|_| !is_stopped) {
            self.read_back(plan);
        }
        remote::tell(&self.p.engine, &mut self.p.result);
        settle::<E, R>(&self.p.recorder, &mut self.p.result);
        self.publish();
        if let Some(log) = self.env.log {
            let note = log.end(self.env.clock.now_ns() - self.p.timeline.started_ns());
            self.p.result.notes.extend(note);
        }
        (self.p.result, self.p.recorder.into_logs(self.now_ns))
    }

    /// Works up to the next check for the end and for samples.
    #[inline(always)]
    fn step(&mut self) {
        loop {
            self.fill();
            self.commit();
            self.reap();
            if self.ending.is_time(self.now_ns) {
                break;
            }
        }
        if !self.ending.is_over() {
            self.tick();
        }
    }

    /// Gives every slot its first content, so that no write ever carries stale memory.
    fn fill_all_buffers(&mut self) {
        if !self.job.pattern.rw.write {
            return;
        }
        for slot in 0..self.slots.depth() {
            self.p.filler.init(self.p.engine.buffer(slot));
        }
    }

    #[inline(always)]
    fn fill(&mut self) {
        if P::PACED {
            self.due.begin_turn();
        }
        // Requests that are done when queued need no free slots, and a check after each.
        for _ in 0..if E::SYNC { 1 } else { self.slots.room(self.batch.submit) } {
            if !self.issue() {
                break;
            }
        }
    }

    /// Issues the next I/O; returns whether more may follow.
    #[inline(always)]
    fn issue(&mut self) -> bool {
        if let Some(op) = self.flush.due() {
            let file = self.flush.begin();
            return self.flush_file(op, file);
        }
        if P::PACED {
            return self.issue_when_due();
        }
        if !self.p.workload.is_ready() && !self.refill() {
            return false;
        }
        let io = self.p.workload.take();
        self.start(io)
    }

    /// Makes the next I/Os, of the next pass if one is over; without any the job ends.
    #[inline(never)]
    fn refill(&mut self) -> bool {
        if !self.p.workload.refill() && !self.next_pass() {
            self.ending.end();
            return false;
        }
        if !self.is_open.is_empty() && !self.change_files() {
            return false;
        }
        if R::TIMED {
            self.now_ns = self.env.clock.now_ns();
        }
        true
    }

    #[cold]
    fn next_pass(&mut self) -> bool {
        self.ending.begin_pass(&mut self.p.workload) && self.p.workload.refill()
    }

    #[inline(always)]
    fn start(&mut self, io: Io) -> bool {
        let Some(slot) = self.take_slot() else { return false };
        if self.prepares {
            self.prepare(slot, &io);
        }
        let start_ns = self.now_ns;
        if P::PACED && !self.due.is_free() {
            let origin = self.p.timeline.started_ns();
            self.p.pacer.issued(io.dir, io.len, start_ns - origin);
            self.due.issued_in(slot);
        }
        let op = Op::from(io.dir);
        let Io { file, offset, len, .. } = io;
        self.submit(slot, Slot { op, file, offset, len, done: 0, start_ns, issue_ns: start_ns })
    }

    #[inline(always)]
    fn take_slot(&mut self) -> Option<u32> {
        if E::SYNC { Some(0) } else { self.slots.take() }
    }

    #[inline(always)]
    fn give_back(&mut self, slot: u32) {
        if !E::SYNC {
            self.slots.give_back(slot);
        }
    }

    #[inline(always)]
    fn prepare(&mut self, slot: u32, io: &Io) {
        let writes = io.dir == Direction::Write;
        if let Some(log) = self.env.log {
            // A copy for the call, so that the I/O itself need not be in memory.
            self.log_io(log, &Io { ..*io });
        }
        if writes {
            let buffer = &mut self.p.engine.buffer(slot)[..io.len as usize];
            self.p.filler.prepare(buffer, io.offset, self.now_ns);
            if self.flush.is_on() {
                self.flush.count(io);
            }
            if self.checks.is_some() {
                self.note_write(&Io { ..*io });
            }
        } else if self.checks.is_some() {
            self.expect(slot);
        }
        if R::TIMED && writes {
            // Filling a buffer is not the volume's time.
            self.now_ns = self.env.clock.now_ns();
        }
    }

    fn flush_file(&mut self, op: Op, file: u32) -> bool {
        let Some(slot) = self.take_slot() else { return false };
        let now_ns = self.env.clock.now_ns();
        if let Some(log) = self.env.log {
            log.flush(op, file, now_ns - self.p.timeline.started_ns());
        }
        self.submit_apart(slot, Slot::flush(op, file, now_ns))
    }

    /// Gives an I/O to the engine: whether more may follow.
    #[inline(always)]
    fn submit(&mut self, slot: u32, io: Slot) -> bool {
        match self.p.engine.queue(&io.request(slot)) {
            Queued::Done(result) => {
                // Even an untimed loop must see time go by, or it would never end.
                self.now_ns = self.env.clock.now_ns();
                if !E::SYNC {
                    // Trims, and flushes of some engines, are done at once by any engine.
                    let ios = u64::from(!io.op.is_sync());
                    self.p.result.depth.record(self.slots.in_flight() + 1, ios);
                }
                self.finish(slot, io, result);
                self.record_alike();
                !self.ending.is_over()
            }
            Queued::Pending => {
                self.slots.queued(slot, io);
                true
            }
            Queued::Busy => {
                self.slots.was_refused(slot, io);
                false
            }
        }
    }

    #[inline(always)]
    fn commit(&mut self) {
        if E::SYNC || !self.slots.has_fresh() {
            return;
        }
        // A call is sent before the sending call returns, and may be answered by then: a remote I/O
        // is in flight from before it is sent.
        let sent_ns = if R::TIMED && E::REMOTE { self.env.clock.now_ns() } else { 0 };
        if let Err(error) = self.p.engine.commit() {
            self.fail_batch(&error);
            return;
        }
        if R::TIMED {
            let issue_ns = if E::REMOTE { sent_ns } else { self.env.clock.now_ns() };
            self.slots.stamp_fresh(issue_ns);
        }
        let count = self.slots.committed();
        self.p.result.depth.record(self.slots.in_flight(), u64::from(count));
        self.p.result.submit.record(count);
    }

    #[inline(always)]
    fn reap(&mut self) {
        if E::SYNC || self.slots.in_flight() == 0 {
            if P::PACED {
                self.wait();
            }
            if !E::SYNC && self.slots.has_refused() {
                self.retry_refused();
            }
            return;
        }
        if P::PACED && self.due.is_waiting() {
            self.reap_until_due();
        } else if self.slots.is_full() || self.ending.is_over() {
            let Batch { least, most, .. } = self.batch;
            self.reap_some(least.min(self.slots.in_flight()), most, None);
            while self.slots.is_above_low_water() {
                if E::REMOTE && self.ending.is_time(self.now_ns) {
                    break;
                }
                self.reap_apart(least.min(self.slots.in_flight()), most);
            }
        }
    }

    #[inline(always)]
    fn reap_some(&mut self, min: u32, max: u32, timeout: Option<Duration>) {
        let max = max.max(min).max(1);
        if let Err(error) = self.p.engine.reap(min, max, timeout, &mut self.done) {
            self.fail(
                &format!("waiting for completions: {error}"),
                ErrorNumber::of(&error).or(ErrorNumber::EIO),
            );
            self.slots.lose_all();
            return;
        }
        self.now_ns = self.env.clock.now_ns();
        // A wait that was cut short by its time took nothing back.
        if timeout.is_none() || !self.done.is_empty() {
            self.p.result.complete.record(self.done.len() as u32);
        }
        // Moved out, so that handling one cannot change the others.
        let mut done = std::mem::take(&mut self.done);
        self.slots.reaped(done.len() as u32);
        for Completion { slot, result } in done.drain(..) {
            self.finish(slot, self.slots.io(slot), result);
        }
        self.done = done;
        self.record_alike();
        if self.slots.has_refused() {
            self.retry_refused();
        }
    }

    #[inline(always)]
    fn finish(&mut self, slot: u32, s: Slot, result: i32) {
        if result as u32 != s.len {
            // Rare cases find their I/O in its slot, so that others need not be in memory.
            self.slots.put(slot, s);
            return self.finish_rare(slot, result);
        }
        let dir = direction_of(s.op);
        let finished = FinishedIo {
            dir,
            bytes: s.done + s.len,
            offset: s.offset - u64::from(s.done),
            start_ns: s.start_ns,
            issue_ns: s.issue_ns,
            end_ns: self.now_ns,
        };
        self.give_back(slot);
        if E::SYNC || !self.p.recorder.merges() {
            self.record(&finished, 1);
        } else if !self.alike.add(&finished) {
            self.record_alike();
            self.alike.begin(finished);
        }
        if P::PACED && !self.due.is_free() {
            let origin = self.p.timeline.started_ns();
            self.p.pacer.completed(dir, finished.bytes, self.now_ns - origin);
            if self.due.is_schedule() && self.due.completed(dir, slot, s.start_ns, self.now_ns) {
                self.count_waits();
            }
        }
        if self.watched {
            let (slot, file) = if R::TRACES { (slot, s.file) } else { (0, 0) };
            self.watch(&FinishedIo { ..finished }, slot, file);
        }
    }

    /// Records the group of equal I/Os.
    #[inline(always)]
    fn record_alike(&mut self) {
        if !E::SYNC
            && let Some((io, ios)) = self.alike.take()
        {
            self.record(&io, ios);
        }
    }

    #[inline(always)]
    fn record(&mut self, io: &FinishedIo, ios: u64) {
        self.p.recorder.record(io, ios, &mut self.p.result);
        self.p.timeline.completed(io);
    }

    /// Takes back everything in flight, however long that takes.
    fn drain(&mut self) {
        let began_ns = self.now_ns;
        loop {
            self.commit();
            if self.slots.in_flight() == 0 {
                break;
            }
            self.reap_apart(1, u32::MAX);
            if E::REMOTE {
                self.give_up_after(began_ns);
            }
        }
    }

    fn flush_at_end(&mut self) {
        let flush = &self.job.flush;
        if !(flush.end_fsync || flush.fsync_on_close) || !self.job.pattern.rw.write {
            return;
        }
        self.env.live.set_state(State::Finishing);
        for file in 0..self.env.file_names.len() as u32 {
            self.flush_open_file(file);
        }
    }

    /// Flushes a file that is left. It counts to the run time but not to the flushes that the job
    /// times.
    fn flush_uncounted(&mut self, file: u32) {
        let counted = self.p.result.sync.clone();
        self.flush_file(Op::Fsync, file);
        self.drain();
        self.p.result.sync = counted;
    }
}

/// Completes figures that a recorder postpones. With a synchronous engine, depths and batches are
/// those of one I/O at a time.
fn settle<E: Engine, R: Recorder>(recorder: &R, result: &mut JobResult) {
    recorder.settle(result);
    if E::SYNC {
        let ios = result.dirs.iter().map(|(_, stats)| stats.total_ios).sum();
        result.depth.0[0] = ios;
        result.submit.0[1] = ios;
        result.complete.0[1] = ios;
    }
}

fn direction_of(op: Op) -> Direction {
    match op {
        Op::Read => Direction::Read,
        Op::Trim => Direction::Trim,
        Op::Write | Op::Fsync | Op::Fdatasync => Direction::Write,
    }
}

#[cfg(test)]
#[path = "drive_tests.rs"]
mod tests;
