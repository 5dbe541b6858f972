//! The property that the loop's books rest on: whatever is queued, committed and reaped in
//! whatever order, each I/O completes exactly once, with its own result.

use crate::parts::{disk_folder, failure, open_for};
use fathom_engine::{Completion, Engine, EngineConfig, Queued, Request, Visitor, with_engine};
use fathom_vocab::{IoEngine, Op};
use proptest::prelude::*;
use std::time::Duration;

const FILE: u64 = 1 << 18;

/// One step of a caller.
#[derive(Clone, Debug)]
enum Step {
    /// Queues an I/O if a slot is free.
    Queue(Op, u64, u32),
    Commit,
    /// Reaps with min, max (1 or more) and a timeout in microseconds.
    Reap(u32, u32, Option<u64>),
}

fn step() -> impl Strategy<Value = Step> {
    let op = prop_oneof![
        4 => Just(Op::Read),
        4 => Just(Op::Write),
        1 => Just(Op::Fsync),
        1 => Just(Op::Fdatasync),
        1 => Just(Op::Trim)
    ];
    let timeout = prop_oneof![2 => Just(None), 1 => (0u64..300).prop_map(Some)];
    let io = (op, 0..FILE / 512 - 16, 1u32..=16);
    prop_oneof![
        6 => io.prop_map(|(op, at, len)| Step::Queue(op, at * 512, len * 512)),
        2 => Just(Step::Commit),
        2 => (0u32..6, 1u32..6, timeout).prop_map(|(min, max, time)| Step::Reap(min, max, time)),
    ]
}

/// A caller that follows steps, and keeps books.
struct Caller {
    depth: u32,
    steps: Vec<Step>,
}

/// The caller's books.
struct Books {
    free: Vec<u32>,
    /// What each slot in flight was asked for: expected result.
    flying: Vec<Option<i32>>,
    committed: u32,
    queued: u32,
}

impl Books {
    fn settle(&mut self, done: &mut Vec<Completion>) {
        for Completion { slot, result } in done.drain(..) {
            let expected = self.flying[slot as usize].take();
            assert_eq!(Some(result), expected, "slot {slot}");
            self.free.push(slot);
        }
    }

    fn in_flight(&self) -> u32 {
        (self.flying.len() - self.free.len()) as u32
    }
}

impl Caller {
    fn queue<E: Engine>(engine: &mut E, books: &mut Books, op: Op, offset: u64, len: u32) {
        let Some(slot) = books.free.pop() else { return };
        let len = if op.is_sync() { 0 } else { len };
        engine.buffer(slot).fill(slot as u8);
        match engine.queue(&Request { op, file: 0, offset, len, at: 0, slot }) {
            Queued::Done(result) => {
                // The file is a regular one, or none for the null engine.
                let refusal = failure(if cfg!(windows) { "EOPNOTSUPP" } else { "ENOTTY" });
                let is_refused = op == Op::Trim && result == refusal;
                assert!(is_refused || result == len as i32, "{op:?}: {result} of {len}");
                books.free.push(slot);
            }
            Queued::Pending => {
                books.flying[slot as usize] = Some(len as i32);
                books.queued += 1;
            }
            Queued::Busy => books.free.push(slot),
        }
    }
}

impl Visitor for Caller {
    type Out = ();

    fn visit<E: Engine>(self, mut engine: E, _: Vec<String>) {
        let flying = vec![None; self.depth as usize];
        let mut books = Books { free: (0..self.depth).collect(), flying, committed: 0, queued: 0 };
        let mut done = Vec::new();
        for step in self.steps {
            match step {
                Step::Queue(op, offset, len) => {
                    Caller::queue(&mut engine, &mut books, op, offset, len);
                }
                Step::Commit => {
                    engine.commit().expect("commits");
                    books.committed = books.in_flight();
                }
                Step::Reap(min, max, timeout) => {
                    let timeout = timeout.map(Duration::from_micros);
                    engine.reap(min, max, timeout, &mut done).expect("reaps");
                    let got = done.len() as u32;
                    assert!(got <= max && got <= books.committed, "{got} of {}", books.committed);
                    let owed = min.min(max).min(books.committed);
                    assert!(timeout.is_some() || got >= owed, "{got} of {owed}");
                    books.committed -= got;
                    books.settle(&mut done);
                }
            }
        }
        engine.commit().expect("commits");
        let left = books.in_flight();
        if left > 1 && self.depth.is_multiple_of(2) {
            return; // Dropped with I/Os in flight, which it has to wait for.
        }
        engine.reap(left, left, None, &mut done).expect("reaps");
        assert_eq!(done.len() as u32, left);
        books.settle(&mut done);
        engine.reap(0, 1, None, &mut done).expect("reaps");
        assert!(done.is_empty());
    }
}

fn storm(engine: IoEngine, depth: u32, steps: Vec<Step>) {
    let folder = disk_folder();
    let file = open_for(engine, &folder.path().join("data"));
    file.set_len(FILE).expect("sets");
    let config = EngineConfig::new(engine, depth, 8192, vec![file]);
    with_engine(config, Caller { depth, steps }).expect("builds");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..Default::default() })]
    #[test]
    fn every_io_completes_exactly_once(
        depth in 1u32..12, steps in prop::collection::vec(step(), 1..120)
    ) {
        // Of files; nfs has a server in the tests of the crate `nfs`.
        for engine in IoEngine::here().filter(|engine| *engine != IoEngine::Nfs) {
            storm(engine, depth, steps.clone());
        }
    }
}
