//! The one I/O loop: fill, submit, reap, record, and now and then a tick.
//!
//! It is generic over engine, pacer and recorder, so that a feature is a type parameter and never
//! a copy of the loop. It allocates nothing and takes no lock between two ticks.
//!
//! The clock is a good part of what a cheap I/O costs, so each moment is read once. A synchronous
//! engine is the case in which every request is done when it is queued: there an I/O begins where
//! the one before it ended, and whatever takes time in between (choosing offsets, filling a
//! buffer, a tick, a sleep) reads the clock anew when it is done. Otherwise it is read once for
//! each batch that is submitted or reaped, and I/Os that went in and came out together are
//! recorded together.

use crate::batch::Batch;
use crate::control::{Control, Live, State};
use crate::latency::LatencySoFar;
use crate::logs::CloneLogs;
use crate::record::{Finished, Recorder};
use crate::timeline::Timeline;
use fathom_engine::{Clock, Completion, Engine, Queued, Request};
use fathom_job::JobSpec;
use fathom_stats::JobResult;
use fathom_vocab::{Direction, ErrorNumber, Op, PerDirection};
use fathom_workload::{BufferFiller, Io, NextIo, PacedMix, Pacer, Workload};
use std::time::Duration;

/// What surrounds a loop: its clock, and how the rest of the process speaks to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Env<'a> {
    pub clock: Clock,
    pub control: &'a Control,
    pub live: &'a Live,
    /// Names of the files, for error messages.
    pub file_names: &'a [String],
}

/// An I/O that has a slot.
#[derive(Clone, Copy, Debug)]
struct Slot {
    op: Op,
    file: u32,
    /// Where what is still to be done begins, and how much it is: [`FLUSH_LEN`] for a flush.
    offset: u64,
    len: u32,
    /// Bytes done by earlier parts of a short transfer.
    done: u32,
    start_ns: u64,
    issue_ns: u64,
}

/// Beyond these a backlog is hopeless, and its exact length not worth the time to count it.
const OVERDUE_COUNTED: u32 = 1 << 20;

/// More than any transfer, so that one comparison tells a whole transfer from all else.
const FLUSH_LEN: u32 = u32::MAX;

impl Slot {
    /// The request that does what is still to be done.
    #[inline(always)]
    fn request(&self, slot: u32) -> Request {
        let len = if self.op.is_sync() { 0 } else { self.len };
        Request { op: self.op, file: self.file, offset: self.offset, len, slot }
    }
}

const EMPTY: Slot =
    Slot { op: Op::Read, file: 0, offset: 0, len: 0, done: 0, start_ns: 0, issue_ns: 0 };

/// The parts that make a loop.
pub(crate) struct Parts<E, P, R> {
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
    p: Parts<E, P, R>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Queued since the last commit.
    fresh: Vec<u32>,
    /// Refused by a full engine; tried again after the next reap.
    refused: Vec<u32>,
    done: Vec<Completion>,
    in_flight: u32,
    /// How many slots may be used: less than the depth while a latency target is sought.
    depth_limit: u32,
    /// I/Os that are alike and not recorded yet; none between two steps.
    run: Finished,
    run_ios: u64,
    batch: Batch,
    last_issue_ns: u64,
    low_water: u32,
    /// An I/O that is not due yet, and when it is.
    pending: Option<(Io, u64)>,
    /// Where rates decide which of a mix comes next.
    paced_mix: Option<Box<PacedMix>>,
    /// When the I/O of each slot was due; empty where no schedule says so.
    due_ns: Vec<u64>,
    /// When the I/O that is being issued was due.
    next_due_ns: u64,
    wait_until_ns: Option<u64>,
    held: bool,
    writes_since_flush: u64,
    last_written_file: u32,
    /// Bytes that the job may still issue: no flush follows the last of them, as in fio.
    bytes_left: u64,
    passes_left: u64,
    watched: bool,
    /// Whether a write has to be prepared: its content, or the count towards the next flush.
    prepares: bool,
    now_ns: u64,
    /// When the loop looks up from its work: at the next tick, or at once when it is ending.
    look_up_ns: u64,
    ending: bool,
}

impl<'a, E: Engine, P: Pacer, R: Recorder> Drive<'a, E, P, R> {
    /// A loop that is ready to run.
    pub fn new(job: &'a JobSpec, env: Env<'a>, parts: Parts<E, P, R>) -> Self {
        let depth = if E::SYNC { 1 } else { job.engine.iodepth };
        let batch = Batch::of(job, depth);
        let spec = &job.pace;
        Drive {
            job,
            env,
            slots: vec![EMPTY; depth as usize],
            free: (0..depth).rev().collect(),
            fresh: Vec::with_capacity(depth as usize),
            refused: Vec::new(),
            done: Vec::with_capacity(depth as usize),
            in_flight: 0,
            depth_limit: parts.timeline.first_depth().map_or(depth, |first| first.clamp(1, depth)),
            run: Finished::NONE,
            run_ios: 0,
            batch,
            last_issue_ns: 0,
            low_water: job.engine.iodepth_low.unwrap_or(depth).clamp(1, depth),
            pending: None,
            paced_mix: (parts.pacer.is_schedule() && parts.workload.is_mixed()).then(Box::default),
            due_ns: vec![0; if parts.pacer.is_schedule() { depth as usize } else { 0 }],
            next_due_ns: 0,
            wait_until_ns: None,
            held: false,
            writes_since_flush: 0,
            last_written_file: 0,
            bytes_left: bytes_to_issue(job, &parts.workload),
            passes_left: if job.extent.time_based { u64::MAX } else { job.extent.loops },
            watched: Direction::ALL.iter().any(|dir| spec.max_latency_us[*dir] > 0)
                || spec.latency_target.is_some(),
            prepares: parts.filler.prepares() || flushes(job),
            now_ns: env.clock.now_ns(),
            look_up_ns: 0,
            ending: false,
            p: parts,
        }
    }

    /// Runs until the job ends, then gives back what was measured.
    pub fn run(mut self) -> (Box<JobResult>, CloneLogs) {
        self.fill_all_buffers();
        self.now_ns = self.env.clock.now_ns();
        self.p.timeline.begin(self.now_ns, &mut self.p.result);
        self.p.recorder.begin(self.now_ns);
        self.tick();
        while !self.ending {
            self.step();
        }
        self.count_overdue();
        self.drain();
        self.flush_at_end();
        self.p.timeline.finish(self.now_ns, &mut self.p.result);
        settle::<E, R>(&self.p.recorder, &mut self.p.result);
        self.publish();
        (self.p.result, self.p.recorder.into_logs(self.now_ns))
    }

    /// Works up to the next moment at which to look up.
    #[inline(always)]
    fn step(&mut self) {
        loop {
            self.fill();
            self.commit();
            self.reap();
            if self.now_ns >= self.look_up_ns {
                break;
            }
        }
        if !self.ending {
            self.tick();
        }
    }

    /// Gives every slot its first content, so that no write ever carries stale memory.
    fn fill_all_buffers(&mut self) {
        if !self.job.pattern.rw.write {
            return;
        }
        for slot in 0..self.slots.len() as u32 {
            self.p.filler.init(self.p.engine.buffer(slot));
        }
    }

    #[inline(always)]
    fn fill(&mut self) {
        if P::PACED {
            self.wait_until_ns = None;
            self.held = false;
        }
        // What is done when it is queued needs no room, and a look around after each.
        for _ in 0..if E::SYNC { 1 } else { self.room() } {
            if !self.issue() {
                break;
            }
        }
    }

    /// How many I/Os may be handed over now.
    #[inline(always)]
    fn room(&self) -> u32 {
        if !self.refused.is_empty() {
            return 0;
        }
        let slots = self.depth_limit.saturating_sub(self.in_flight).min(self.free.len() as u32);
        slots.min(self.batch.submit)
    }

    /// Issues what comes next: whether more may follow.
    #[inline(always)]
    fn issue(&mut self) -> bool {
        if self.writes_since_flush > 0
            && let Some(op) = self.flush_due()
        {
            return self.start_flush(op);
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

    /// The same where a pacer says when.
    #[inline(always)]
    fn issue_when_due(&mut self) -> bool {
        // Nothing may be due before an I/O in flight has completed.
        if self.pending.is_none() && self.p.pacer.holds_back() {
            self.held = true;
            return false;
        }
        if self.paced_mix.is_some() {
            return self.issue_of_mix();
        }
        let Some((io, due_ns)) = self.next_due() else { return false };
        if due_ns > self.now_ns {
            self.pending = Some((io, due_ns));
            self.wait_until_ns = Some(due_ns);
            return false;
        }
        self.next_due_ns = due_ns;
        self.start(io)
    }

    /// The same where the read or the write comes next that is due first.
    fn issue_of_mix(&mut self) -> bool {
        match self.next_of_mix() {
            NextIo::Due(io, due_ns) => {
                self.next_due_ns = due_ns;
                self.start(io)
            }
            NextIo::NotBefore(due_ns) => {
                self.wait_until_ns = Some(due_ns);
                false
            }
            NextIo::Over => {
                self.end();
                false
            }
        }
    }

    /// What the mix says.
    fn next_of_mix(&mut self) -> NextIo {
        let origin_ns = self.p.timeline.started_ns();
        let now_ns = self.now_ns - origin_ns;
        let Some(mix) = &mut self.paced_mix else { return NextIo::Over };
        let Parts { workload, pacer, .. } = &mut self.p;
        let passes_left = &mut self.passes_left;
        let another = |workload: &mut Workload| begin_pass(workload, passes_left);
        match mix.next_io(workload, pacer, now_ns, another) {
            NextIo::Due(io, due_ns) => NextIo::Due(io, origin_ns + due_ns),
            NextIo::NotBefore(due_ns) => NextIo::NotBefore(origin_ns + due_ns),
            NextIo::Over => NextIo::Over,
        }
    }

    /// The next I/O and when it is due.
    #[inline(always)]
    fn next_due(&mut self) -> Option<(Io, u64)> {
        match self.pending.take() {
            Some(pending) => Some(pending),
            None if self.p.workload.is_ready() || self.refill() => {
                let io = self.p.workload.take();
                Some((io, self.due_ns(&io)))
            }
            None => None,
        }
    }

    /// Counts what was due by now and will never be taken up: no latency tells of it.
    #[cold]
    fn count_overdue(&mut self) {
        if self.due_ns.is_empty() || self.passes_left == 0 {
            return;
        }
        let mut overdue = PerDirection::splat(0);
        for _ in 0..OVERDUE_COUNTED {
            match self.next_overdue() {
                Some(dir) => overdue[dir] += 1,
                None => break,
            }
        }
        self.p.result.open_loop.get_or_insert_default().overdue_ios = overdue;
    }

    /// The direction of the next I/O, if that was due by now.
    fn next_overdue(&mut self) -> Option<Direction> {
        if self.paced_mix.is_none() {
            return self.next_due().filter(|due| due.1 <= self.now_ns).map(|(io, _)| io.dir);
        }
        match self.next_of_mix() {
            NextIo::Due(io, _) => Some(io.dir),
            _ => None,
        }
    }

    /// Makes the next I/Os, of the next pass where one is over; without any the job ends.
    #[inline(never)]
    fn refill(&mut self) -> bool {
        if !self.p.workload.refill() && !self.next_pass() {
            self.end();
            return false;
        }
        if R::TIMED {
            self.now_ns = self.env.clock.now_ns();
        }
        true
    }

    #[cold]
    fn next_pass(&mut self) -> bool {
        begin_pass(&mut self.p.workload, &mut self.passes_left) && self.p.workload.refill()
    }

    /// The loop ends with the step that it is in.
    fn end(&mut self) {
        self.ending = true;
        self.look_up_ns = 0;
    }

    /// Asks the pacer, whose times count from the job's start.
    fn due_ns(&mut self, io: &Io) -> u64 {
        let origin = self.p.timeline.started_ns();
        origin + self.p.pacer.due_ns(io.dir, io.len, self.now_ns - origin)
    }

    fn flush_due(&self) -> Option<Op> {
        if self.bytes_left == 0 {
            return None;
        }
        let flush = &self.job.flush;
        let due = |every: u64| every > 0 && self.writes_since_flush >= every;
        let op = if due(flush.fsync_blocks) {
            Op::Fsync
        } else if due(flush.fdatasync_blocks) {
            Op::Fdatasync
        } else {
            return None;
        };
        Some(op)
    }

    #[inline(always)]
    fn start(&mut self, io: Io) -> bool {
        let Some(slot) = self.take_slot() else { return false };
        if self.prepares && io.dir == Direction::Write {
            self.prepare_write(slot, &io);
        } else if E::SYNC && P::PACED && R::TIMED {
            // The pacer's own time is not the volume's.
            self.now_ns = self.env.clock.now_ns();
        }
        let start_ns = self.now_ns;
        if P::PACED {
            let origin = self.p.timeline.started_ns();
            self.p.pacer.issued(io.dir, io.len, start_ns - origin);
            if let Some(due_ns) = self.due_ns.get_mut(slot as usize) {
                *due_ns = self.next_due_ns;
            }
        }
        let op = Op::from(io.dir);
        let Io { file, offset, len, .. } = io;
        self.submit(slot, Slot { op, file, offset, len, done: 0, start_ns, issue_ns: start_ns })
    }

    #[inline(always)]
    fn take_slot(&mut self) -> Option<u32> {
        if E::SYNC { Some(0) } else { self.free.pop() }
    }

    #[inline(always)]
    fn give_back(&mut self, slot: u32) {
        if !E::SYNC {
            self.free.push(slot);
        }
    }

    #[inline(always)]
    fn prepare_write(&mut self, slot: u32, io: &Io) {
        let buffer = &mut self.p.engine.buffer(slot)[..io.len as usize];
        self.p.filler.prepare(buffer, io.offset, self.now_ns);
        if flushes(self.job) {
            self.last_written_file = io.file;
            self.writes_since_flush += 1;
            self.bytes_left = self.bytes_left.saturating_sub(u64::from(io.len));
        }
        if R::TIMED {
            // Filling a buffer is not the volume's time.
            self.now_ns = self.env.clock.now_ns();
        }
    }

    fn start_flush(&mut self, op: Op) -> bool {
        self.writes_since_flush = 0;
        self.flush_file(op, self.last_written_file)
    }

    fn flush_file(&mut self, op: Op, file: u32) -> bool {
        let Some(slot) = self.take_slot() else { return false };
        let now_ns = self.env.clock.now_ns();
        let (len, start_ns, issue_ns) = (FLUSH_LEN, now_ns, now_ns);
        self.submit(slot, Slot { op, file, len, start_ns, issue_ns, ..EMPTY })
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
                    self.p.result.depth.record(self.in_flight + 1, ios);
                }
                self.finish(slot, io, result);
                self.record_run();
                !self.ending
            }
            Queued::Pending => {
                self.slots[slot as usize] = io;
                self.in_flight += 1;
                self.fresh.push(slot);
                true
            }
            Queued::Busy => {
                self.slots[slot as usize] = io;
                self.refused.push(slot);
                false
            }
        }
    }

    #[inline(always)]
    fn commit(&mut self) {
        if E::SYNC || self.fresh.is_empty() {
            return;
        }
        if let Err(error) = self.p.engine.commit() {
            self.fail_batch(&error);
            return;
        }
        if R::TIMED {
            let issue_ns = self.env.clock.now_ns();
            self.last_issue_ns = issue_ns;
            for slot in &self.fresh {
                self.slots[*slot as usize].issue_ns = issue_ns;
            }
        } else if self.batch.asking() {
            self.last_issue_ns = self.env.clock.now_ns();
        }
        let count = self.fresh.len() as u32;
        self.p.result.depth.record(self.in_flight, u64::from(count));
        self.p.result.submit.record(count);
        self.fresh.clear();
    }

    #[inline(always)]
    fn reap(&mut self) {
        if E::SYNC || self.in_flight == 0 {
            if P::PACED {
                self.wait();
            }
            if !E::SYNC && !self.refused.is_empty() {
                self.retry_refused();
            }
            return;
        }
        let full = self.in_flight >= self.depth_limit || !self.refused.is_empty();
        if P::PACED && (self.wait_until_ns.is_some() || self.held) {
            self.reap_until_due();
        } else if full || self.ending {
            let min = self.job.engine.batch_complete_min.min(self.in_flight);
            let max = self.batch.to_reap();
            self.reap_some(min, max, None);
            let since_last_ns = self.now_ns.saturating_sub(self.last_issue_ns);
            self.batch.learn(self.in_flight, self.slots.len() as u32, since_last_ns);
            while self.in_flight > self.low_water && self.low_water < self.depth_limit {
                self.reap_some(min.clamp(1, self.in_flight), max, None);
            }
        }
    }

    /// Nothing is in flight and nothing is due: waits.
    fn wait(&mut self) {
        if let Some(until_ns) = self.wait_until_ns {
            self.sleep_until(until_ns);
        }
    }

    /// Takes what completes while the next I/O is not due.
    fn reap_until_due(&mut self) {
        let until_ns = self.wait_until_ns.unwrap_or(u64::MAX);
        let left_ns = until_ns.min(self.p.timeline.next_tick_ns()).saturating_sub(self.now_ns);
        self.reap_some(1, self.batch.complete, Some(Duration::from_nanos(left_ns)));
    }

    #[inline(always)]
    fn reap_some(&mut self, min: u32, max: u32, timeout: Option<Duration>) {
        let max = max.max(min).max(1);
        if let Err(error) = self.p.engine.reap(min, max, timeout, &mut self.done) {
            self.fail(
                &format!("waiting for completions: {error}"),
                ErrorNumber::of(&error).or(ErrorNumber::EIO),
            );
            self.in_flight = 0;
            return;
        }
        self.now_ns = self.env.clock.now_ns();
        self.p.result.complete.record(self.done.len() as u32);
        // Out of the way, so that nothing that happens to one can change what is left.
        let mut done = std::mem::take(&mut self.done);
        self.in_flight -= done.len() as u32;
        for Completion { slot, result } in done.drain(..) {
            self.finish(slot, self.slots[slot as usize], result);
        }
        self.done = done;
        self.record_run();
        if !self.refused.is_empty() {
            self.retry_refused();
        }
    }

    #[cold]
    fn retry_refused(&mut self) {
        for slot in std::mem::take(&mut self.refused) {
            self.submit(slot, self.slots[slot as usize]);
        }
    }

    #[inline(always)]
    fn finish(&mut self, slot: u32, s: Slot, result: i32) {
        if result as u32 != s.len {
            // What is rare finds its I/O in its slot, so that others need not lie in memory.
            self.slots[slot as usize] = s;
            return self.finish_rare(slot, result);
        }
        let dir = direction_of(s.op);
        let finished = Finished {
            dir,
            bytes: s.done + s.len,
            offset: s.offset - u64::from(s.done),
            start_ns: s.start_ns,
            issue_ns: s.issue_ns,
            end_ns: self.now_ns,
        };
        self.give_back(slot);
        if E::SYNC || !R::RUNS {
            self.record(&finished, 1);
        } else if self.run.is_like(&finished) {
            self.run_ios += 1;
        } else {
            self.record_run();
            (self.run, self.run_ios) = (finished, 1);
        }
        if P::PACED {
            let origin = self.p.timeline.started_ns();
            self.p.pacer.completed(dir, finished.bytes, self.now_ns - origin);
            if let Some(due_ns) = self.due_ns.get(slot as usize) {
                let open_loop = self.p.result.open_loop.get_or_insert_default();
                open_loop.record(dir, *due_ns, s.start_ns, self.now_ns);
            }
        }
        if self.watched {
            self.watch_latency(&Finished { ..finished });
        }
    }

    /// Records the I/Os that are held together.
    #[inline(always)]
    fn record_run(&mut self) {
        if !E::SYNC && R::RUNS && self.run_ios > 0 {
            let run = std::mem::replace(&mut self.run, Finished::NONE);
            let ios = std::mem::take(&mut self.run_ios);
            self.record(&run, ios);
        }
    }

    #[inline(always)]
    fn record(&mut self, io: &Finished, ios: u64) {
        self.p.recorder.record(io, ios, &mut self.p.result);
        self.p.timeline.completed(io);
    }

    /// What did not transfer all that it was asked to: flushes, failures, short transfers.
    #[cold]
    fn finish_rare(&mut self, slot: u32, result: i32) {
        let s = self.slots[slot as usize];
        if result < 0 {
            self.failed(slot, s, ErrorNumber::new(-result));
        } else if s.op.is_sync() {
            self.p.result.sync.record(self.now_ns.saturating_sub(s.issue_ns));
            self.give_back(slot);
        } else {
            self.short(slot, s, result as u32);
        }
    }

    /// A transfer that did less than it was asked: the rest is asked for again.
    fn short(&mut self, slot: u32, mut s: Slot, result: u32) {
        self.p.result.dirs[direction_of(s.op)].short_ios += 1;
        if result == 0 {
            return self.failed(slot, s, ErrorNumber::EIO);
        }
        s.done += result;
        s.len -= result;
        s.offset += u64::from(result);
        self.submit(slot, s);
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
        self.fail(&what, error);
    }

    #[cold]
    fn fail(&mut self, what: &str, error: ErrorNumber) {
        self.end();
        if !self.p.result.error.is_error() {
            self.p.result.error = error;
            self.p.result.error_text = what.to_owned();
        }
    }

    /// The kernel refused a whole batch: none of it is in flight.
    #[cold]
    fn fail_batch(&mut self, error: &std::io::Error) {
        self.in_flight -= self.fresh.len() as u32;
        self.free.append(&mut self.fresh);
        let number = ErrorNumber::of(error).or(ErrorNumber::EIO);
        self.fail(&format!("submitting a batch: {error}"), number);
    }

    #[cold]
    fn watch_latency(&mut self, io: &Finished) {
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
                Ok(depth) => self.depth_limit = depth.clamp(1, self.slots.len() as u32),
                Err(()) => self.end(),
            }
        }
    }

    /// Sleeps towards a moment, but never past the next tick. The last stretch is spun, since a
    /// sleeping thread wakes tens of microseconds late.
    #[cold]
    fn sleep_until(&mut self, until_ns: u64) {
        const SPIN_NS: u64 = 60_000;
        let until_ns = until_ns.min(self.p.timeline.next_tick_ns());
        let now_ns = self.env.clock.now_ns();
        let spinning = self.p.pacer.spin_until_ns() + self.p.timeline.started_ns() > now_ns;
        if until_ns > now_ns + SPIN_NS && !spinning {
            self.env.clock.sleep_until(until_ns - SPIN_NS);
        }
        self.now_ns = self.env.clock.spin_until(until_ns);
    }

    /// Takes back everything in flight, however long that takes.
    fn drain(&mut self) {
        self.commit();
        while self.in_flight > 0 {
            self.reap_some(1, u32::MAX, None);
            self.commit();
        }
    }

    fn flush_at_end(&mut self) {
        let flush = &self.job.flush;
        if !(flush.end_fsync || flush.fsync_on_close) || !self.job.pattern.rw.write {
            return;
        }
        self.env.live.set_state(State::Finishing);
        // It belongs to the run time but not to the flushes that the job was asked to time.
        let counted = self.p.result.sync.clone();
        for file in 0..self.env.file_names.len() as u32 {
            self.flush_file(Op::Fsync, file);
            self.drain();
        }
        self.p.result.sync = counted;
    }

    /// What need not happen at every I/O: stop rules, samples, the live view.
    #[cold]
    fn tick(&mut self) {
        if self.p.timeline.ramp_is_over(self.now_ns) {
            self.p.timeline.end_ramp(self.now_ns, &mut self.p.result);
            self.p.recorder.reset(self.now_ns);
            self.env.live.set_state(State::Running);
        }
        self.p.timeline.sample(self.now_ns, &mut self.p.result);
        self.publish();
        let stopped = self.env.live.stopping() || self.env.control.stopping();
        if stopped || self.p.timeline.is_over(self.now_ns) {
            self.ending = true;
        }
        if let Some(what) = self.below_minimum() {
            self.fail(&what, ErrorNumber::EIO);
        }
        if self.env.live.snapshot_due() {
            self.give_snapshot();
        }
        if self.env.live.latency_due() {
            self.give_latency();
        }
        self.p.timeline.plan_next_tick(self.now_ns);
        self.look_up_ns = self.p.timeline.next_tick_ns();
        self.batch.ask();
        // All of this took time, which is no I/O's.
        self.now_ns = self.env.clock.now_ns();
    }

    /// Out of line: the copies that it makes would lie on the stack of every tick.
    #[cold]
    #[inline(never)]
    fn give_snapshot(&self) {
        let mut so_far = self.p.result.clone();
        self.p.timeline.clone().finish(self.now_ns, &mut so_far);
        settle::<E, R>(&self.p.recorder, &mut so_far);
        self.env.live.give_snapshot(so_far);
    }

    /// A copy of the distributions, for whoever watches: out of line, as the above.
    #[cold]
    #[inline(never)]
    fn give_latency(&self) {
        let since_ns = self.p.timeline.measured_from_ns();
        self.env.live.give_latency(LatencySoFar::of(&self.p.result, since_ns));
    }

    /// What to say of a direction that fell below `rate_min` or `rate_iops_min`.
    fn below_minimum(&mut self) -> Option<String> {
        let origin = self.p.timeline.started_ns();
        let short = self.p.pacer.below_minimum(self.now_ns.saturating_sub(origin))?;
        let (option, unit) =
            if short.iops { ("rate_iops_min", " IOPS") } else { ("rate_min", "B/s") };
        let of = if short.iops { "" } else { unit };
        Some(format!(
            "{}: {option}={}{of} not met, got {}{unit} of {}s; lower {option}, or find out what \
             slows the job",
            self.job.name,
            short.wanted,
            short.reached,
            short.dir.name()
        ))
    }

    fn publish(&self) {
        use std::sync::atomic::Ordering::Relaxed;
        let live = self.env.live;
        let mut lat_sum = 0u128;
        for (dir, stats) in self.p.result.dirs.iter() {
            live.ios[dir.index()].store(stats.total_ios, Relaxed);
            live.bytes[dir.index()].store(stats.io_bytes, Relaxed);
            lat_sum += stats.clat.moments.sum;
        }
        live.lat_sum_ns.store(lat_sum as u64, Relaxed);
    }
}

/// Completes what a recorder leaves for later. Counts by depth and batch are those of one I/O at
/// a time where the engine is synchronous.
fn settle<E: Engine, R: Recorder>(recorder: &R, result: &mut JobResult) {
    recorder.settle(result);
    if E::SYNC {
        let ios = result.dirs.iter().map(|(_, stats)| stats.total_ios).sum();
        result.depth.0[0] = ios;
        result.submit.0[1] = ios;
        result.complete.0[1] = ios;
    }
}

/// Begins the next pass, if one is left.
#[cold]
fn begin_pass(workload: &mut Workload, passes_left: &mut u64) -> bool {
    *passes_left -= 1;
    let another = *passes_left > 0;
    if another {
        workload.restart();
    }
    another
}

/// Whether the job flushes after so many writes.
fn flushes(job: &JobSpec) -> bool {
    job.flush.fsync_blocks | job.flush.fdatasync_blocks > 0
}

/// All that a job which only writes will issue; without end where time or a mix decides.
fn bytes_to_issue(job: &JobSpec, workload: &Workload) -> u64 {
    if job.extent.time_based || job.pattern.rw.read {
        return u64::MAX;
    }
    workload.pass_bytes().saturating_mul(job.extent.loops)
}

fn direction_of(op: Op) -> Direction {
    match op {
        Op::Read => Direction::Read,
        Op::Trim => Direction::Trim,
        Op::Write | Op::Fsync | Op::Fdatasync => Direction::Write,
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

#[cfg(test)]
#[path = "drive_tests.rs"]
mod tests;
