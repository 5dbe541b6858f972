//! Control of a run from outside (stop, dump), and the view of its threads from outside.
//!
//! Threads publish plain counters a few times a second and answer a request for a full snapshot at
//! their next tick, so that no statistic is shared or locked on the hot path.

use crate::latency_so_far::LatencySoFar;
use fathom_stats::JobResult;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

/// A caller's requests to a running run; shared with signal handlers.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    status: AtomicBool,
    continued: AtomicBool,
}

impl Control {
    /// Requests the end of the run: I/O in flight completes, and all results are reported.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the end was requested.
    pub fn stopping(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Requests a full report of the results so far.
    pub fn request_status(&self) {
        self.status.store(true, Relaxed);
    }

    /// Records that the process continues after it was stopped (SIGCONT).
    pub fn note_continue(&self) {
        self.continued.store(true, Relaxed);
    }

    pub(crate) fn take_continue(&self) -> bool {
        self.continued.swap(false, Relaxed)
    }

    pub(crate) fn take_status_request(&self) -> bool {
        self.status.swap(false, Relaxed)
    }
}

/// The state of a clone, by the letters of fio's status line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// Not begun.
    Waiting = 0,
    /// Thread made, not yet set up.
    Created = 1,
    /// Set up, waiting for the start.
    Ready = 2,
    /// In its ramp.
    Ramping = 3,
    /// Doing I/O.
    Running = 4,
    /// Draining and flushing.
    Finishing = 5,
    /// Reading back what it wrote.
    Verifying = 6,
    /// Over.
    Done = 7,
    /// Over, with an error.
    Failed = 8,
}

impl State {
    fn from_u8(value: u8) -> State {
        const ALL: [State; 9] = [
            State::Waiting,
            State::Created,
            State::Ready,
            State::Ramping,
            State::Running,
            State::Finishing,
            State::Verifying,
            State::Done,
            State::Failed,
        ];
        ALL.get(usize::from(value)).copied().unwrap_or(State::Failed)
    }
}

/// Counters of one clone, published by its thread, on separate cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct CloneCounters {
    state: AtomicU8,
    /// The clone's own reason to stop: end of the group, `exitall`, steady state.
    stop: AtomicBool,
    pub ios: [AtomicU64; 3],
    pub bytes: [AtomicU64; 3],
    pub lat_sum_ns: AtomicU64,
    /// Nanoseconds on the run's clock when the clone's start gate opened.
    pub started_ns: AtomicU64,
    /// Nanoseconds on the run's clock when its last I/O was over.
    pub ended_ns: AtomicU64,
    /// Bytes that a pass will move, for progress.
    pub expected_bytes: AtomicU64,
    pub open_files: AtomicU32,
    /// Increased to request a snapshot; the thread answers with the same number.
    snapshot_asked: AtomicU32,
    snapshot_given: AtomicU32,
    snapshot: Mutex<Option<Box<JobResult>>>,
    latency_asked: AtomicBool,
    latency: Mutex<Option<LatencySoFar>>,
}

impl CloneCounters {
    pub fn state(&self) -> State {
        State::from_u8(self.state.load(Relaxed))
    }

    pub fn set_state(&self, state: State) {
        self.state.store(state as u8, Relaxed);
    }

    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub fn stopping(&self) -> bool {
        self.stop.load(Relaxed)
    }

    pub fn ask_snapshot(&self) {
        self.snapshot_asked.fetch_add(1, Relaxed);
    }

    /// Whether a snapshot was requested and not published yet.
    pub fn snapshot_due(&self) -> bool {
        self.snapshot_asked.load(Relaxed) != self.snapshot_given.load(Relaxed)
    }

    pub fn give_snapshot(&self, result: Box<JobResult>) {
        let asked = self.snapshot_asked.load(Relaxed);
        *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        self.snapshot_given.store(asked, Relaxed);
    }

    /// Requests the latencies so far, at the clone's next tick.
    pub fn ask_latency(&self) {
        self.latency_asked.store(true, Relaxed);
    }

    pub fn latency_due(&self) -> bool {
        self.latency_asked.load(Relaxed)
    }

    pub fn give_latency(&self, so_far: LatencySoFar) {
        *self.latency.lock().unwrap_or_else(PoisonError::into_inner) = Some(so_far);
        self.latency_asked.store(false, Relaxed);
    }

    /// The latencies published since the last call.
    pub fn take_latency(&self) -> Option<LatencySoFar> {
        self.latency.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The last published snapshot, if any.
    pub fn last_snapshot(&self) -> Option<Box<JobResult>> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Blocks the threads of one start until all are set up.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// Nanoseconds on the run's clock at which it opened.
    opened: Mutex<Option<u64>>,
    changed: Condvar,
}

impl Gate {
    /// Waits until the gate opens; gives the moment it did.
    pub fn wait(&self) -> u64 {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(at) = *opened {
                return at;
            }
            opened = self.changed.wait(opened).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub fn open(&self, at_ns: u64) {
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = Some(at_ns);
        self.changed.notify_all();
    }
}
