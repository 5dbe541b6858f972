//! A scripted engine on simulated time, for tests of higher layers.
//!
//! Real devices never give the same latency twice, so that a test against one can only expect a
//! plausible figure. Here each I/O takes exactly its scripted time, so every percentile is known
//! beforehand. Up to `depth` I/Os are served at the same time, independently, as by a device with
//! that many channels. Only waiting moves the clock.

use crate::arena::Arena;
use crate::clock::SimulatedTime;
use crate::{Completion, Engine, Queued, Request};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::io;
use std::time::Duration;

/// The outcome of one I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptedOutcome {
    /// Nanoseconds that handing it over takes: the clock moves by it in `commit` (in `queue`
    /// for a synchronous engine), before the service begins.
    pub submit_ns: u64,
    /// Nanoseconds from there to its completion.
    pub service_ns: u64,
    /// Bytes done, or a negative error number; `None` means all requested bytes.
    pub result: Option<i32>,
}

impl ScriptedOutcome {
    /// All of the I/O done after `service_ns`, handed over in no time.
    pub fn after(service_ns: u64) -> ScriptedOutcome {
        ScriptedOutcome { submit_ns: 0, service_ns, result: None }
    }

    /// The same, with the result replaced: bytes done, or a negative error number.
    pub fn with_result(self, result: i32) -> ScriptedOutcome {
        ScriptedOutcome { result: Some(result), ..self }
    }

    /// The same, with a time that handing over takes.
    pub fn with_submit(self, submit_ns: u64) -> ScriptedOutcome {
        ScriptedOutcome { submit_ns, ..self }
    }

    fn result_for(&self, request: &Request) -> i32 {
        self.result.unwrap_or(request.len as i32)
    }
}

/// Returns the outcome of an I/O, given its number (in the order of submission, from 0).
type Script = Box<dyn FnMut(u64, &Request) -> ScriptedOutcome>;

/// An engine whose I/Os end according to a script. With `SYNC`, each is done when it is queued.
pub struct Scripted<const SYNC: bool> {
    time: SimulatedTime,
    script: Script,
    arena: Arena,
    /// How many I/Os were handed over.
    submitted: u64,
    batch: Vec<Request>,
    /// In flight: completion time, number, slot, result; the earliest first.
    flying: BinaryHeap<Reverse<(u64, u64, u32, i32)>>,
}

impl<const SYNC: bool> Scripted<SYNC> {
    /// An engine of `depth` slots of `block_max` bytes on the time of [`crate::Clock::simulated`].
    ///
    /// # Errors
    /// If the buffers cannot be had.
    pub fn new(
        time: SimulatedTime,
        depth: u32,
        block_max: usize,
        script: impl FnMut(u64, &Request) -> ScriptedOutcome + 'static,
    ) -> io::Result<Scripted<SYNC>> {
        Ok(Scripted {
            time,
            script: Box::new(script),
            arena: Arena::new(depth, block_max, 0, false)?,
            submitted: 0,
            batch: Vec::new(),
            flying: BinaryHeap::new(),
        })
    }

    /// How many I/Os were handed over so far.
    pub fn submitted(&self) -> u64 {
        self.submitted
    }

    /// Submits one I/O; returns its completion time and result.
    fn submit(&mut self, request: &Request) -> (u64, i32) {
        let outcome = (self.script)(self.submitted, request);
        self.submitted += 1;
        self.time.advance(outcome.submit_ns);
        (self.time.now_ns() + outcome.service_ns, outcome.result_for(request))
    }

    /// When the `min`-th of those in flight completes; with fewer in flight, the last of them.
    fn nth_end(&self, min: u32) -> Option<u64> {
        let mut ends: Vec<u64> = self.flying.iter().map(|Reverse(flying)| flying.0).collect();
        ends.sort_unstable();
        let index = (min as usize).min(ends.len()).checked_sub(1)?;
        ends.get(index).copied()
    }
}

impl<const SYNC: bool> fmt::Debug for Scripted<SYNC> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted")
            .field("submitted", &self.submitted)
            .field("flying", &self.flying)
            .finish_non_exhaustive()
    }
}

impl<const SYNC: bool> Engine for Scripted<SYNC> {
    const SYNC: bool = SYNC;

    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.arena.slot(slot)
    }

    fn queue(&mut self, request: &Request) -> Queued {
        if SYNC {
            let (end, result) = self.submit(request);
            self.time.advance_to(end);
            return Queued::Done(result);
        }
        if self.batch.len() + self.flying.len() >= self.arena.slots() as usize {
            return Queued::Busy;
        }
        self.batch.push(*request);
        Queued::Pending
    }

    fn commit(&mut self) -> io::Result<()> {
        for request in std::mem::take(&mut self.batch) {
            let (end, result) = self.submit(&request);
            self.flying.push(Reverse((end, self.submitted, request.slot, result)));
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
        let limit = timeout.map(|timeout| self.time.now_ns() + timeout.as_nanos() as u64);
        if let Some(end) = self.nth_end(min.min(max)) {
            self.time.advance_to(limit.map_or(end, |limit| end.min(limit)));
        } else if let (Some(limit), 1..) = (limit, min) {
            self.time.advance_to(limit);
        }
        let now = self.time.now_ns();
        for _ in 0..max {
            match self.flying.peek() {
                Some(&Reverse((end, _, slot, result))) if end <= now => {
                    self.flying.pop();
                    done.push(Completion { slot, result });
                }
                _ => break,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;
    use fathom_vocab::{ErrorNumber, Op};

    fn request(slot: u32) -> Request {
        Request { op: Op::Read, file: 0, offset: 0, len: 4096, at: 0, slot }
    }

    fn reap<const S: bool>(
        engine: &mut Scripted<S>,
        min: u32,
        max: u32,
        timeout_ns: Option<u64>,
    ) -> Vec<(u32, i32)> {
        let mut done = Vec::new();
        let timeout = timeout_ns.map(Duration::from_nanos);
        engine.reap(min, max, timeout, &mut done).expect("never fails");
        done.iter().map(|completion| (completion.slot, completion.result)).collect()
    }

    #[test]
    fn ios_are_served_side_by_side() {
        let (clock, time) = Clock::simulated(0);
        let script =
            |number: u64, _: &Request| ScriptedOutcome::after([300, 100, 200][number as usize]);
        let mut engine = Scripted::<false>::new(time, 3, 4096, script).expect("maps");
        for slot in 0..3 {
            assert_eq!(engine.queue(&request(slot)), Queued::Pending);
        }
        assert_eq!(engine.queue(&request(0)), Queued::Busy);
        assert_eq!(reap(&mut engine, 1, 3, None), []);
        engine.commit().expect("never fails");
        assert_eq!(reap(&mut engine, 0, 3, None), []);
        assert_eq!(reap(&mut engine, 1, 3, Some(50)), []);
        assert_eq!(clock.now_ns(), 50);
        assert_eq!(reap(&mut engine, 1, 3, None), [(1, 4096)]);
        assert_eq!(clock.now_ns(), 100);
        assert_eq!(reap(&mut engine, 9, 3, None), [(2, 4096), (0, 4096)]);
        assert_eq!((clock.now_ns(), engine.submitted()), (300, 3));
    }

    #[test]
    fn submission_takes_its_time_and_results_are_as_told() {
        let (clock, time) = Clock::simulated(1000);
        let script = |number: u64, _: &Request| match number {
            0 => ScriptedOutcome::after(10).with_submit(7).with_result(-ErrorNumber::EIO.get()),
            _ => ScriptedOutcome::after(10).with_submit(5).with_result(512),
        };
        let mut engine = Scripted::<false>::new(time, 2, 4096, script).expect("maps");
        engine.queue(&request(0));
        engine.queue(&request(1));
        engine.commit().expect("never fails");
        assert_eq!(clock.now_ns(), 1012);
        assert_eq!(reap(&mut engine, 1, 1, None), [(0, -ErrorNumber::EIO.get())]);
        assert_eq!(clock.now_ns(), 1017);
        assert_eq!(reap(&mut engine, 1, 1, None), [(1, 512)]);
        assert_eq!(clock.now_ns(), 1022);
    }

    #[test]
    fn a_synchronous_one_moves_the_clock_as_it_goes() {
        let (clock, time) = Clock::simulated(0);
        let script = |_: u64, _: &Request| ScriptedOutcome::after(40).with_submit(2);
        let mut engine = Scripted::<true>::new(time, 1, 4096, script).expect("maps");
        assert_eq!(engine.queue(&request(0)), Queued::Done(4096));
        assert_eq!(clock.now_ns(), 42);
    }
}
