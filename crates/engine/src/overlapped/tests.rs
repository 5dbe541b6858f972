//! The engine over scripted calls: cases that Wine does not show, and that a machine shows by
//! chance.

use super::*;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

const BLOCK: u32 = 4096;
const PENDING: u32 = 997;
const NO_RESOURCES: u32 = 1450;
const ABORTED: u32 = 995;

/// A system that does as it is told.
#[derive(Default)]
struct Script {
    /// What becomes of the next I/Os that are issued; `Flying` once it is empty.
    outcomes: VecDeque<IssueOutcome>,
    /// What the port tells at each call; an error ends the call.
    answers: VecDeque<Result<Vec<PortPacket>, u32>>,
    /// In flight: slot, length, address.
    flying: Vec<OverlappedIo>,
    issued: Vec<u32>,
    waits: Vec<PortWait>,
    cancelled: bool,
    leaked: bool,
}

#[derive(Clone, Default)]
struct Scripted(Rc<RefCell<Script>>);

impl Scripted {
    fn with<T>(&self, look: impl FnOnce(&mut Script) -> T) -> T {
        look(&mut self.0.borrow_mut())
    }

    fn answer(&self, packets: &[(u32, u32, u32)]) {
        let packet = |&(slot, bytes, code): &(u32, u32, u32)| PortPacket { slot, bytes, code };
        self.with(|script| script.answers.push_back(Ok(packets.iter().map(packet).collect())));
    }
}

impl OverlappedCalls for Scripted {
    unsafe fn issue(&mut self, io: &OverlappedIo) -> IssueOutcome {
        self.with(|script| {
            script.issued.push(io.slot);
            let outcome = script.outcomes.pop_front().unwrap_or(IssueOutcome::Flying);
            if outcome == IssueOutcome::Flying {
                script.flying.push(*io);
            }
            outcome
        })
    }

    fn dequeue(
        &mut self,
        max: u32,
        wait: PortWait,
        packets: &mut Vec<PortPacket>,
    ) -> Result<(), u32> {
        self.with(|script| {
            script.waits.push(wait);
            let some = match script.answers.pop_front() {
                Some(answer) => answer?,
                // What was cancelled comes home; without that nothing does.
                None if script.cancelled => {
                    let home = script.flying.drain(..);
                    home.map(|io| PortPacket { slot: io.slot, bytes: 0, code: ABORTED }).collect()
                }
                None => Vec::new(),
            };
            assert!(some.len() <= max as usize, "the script answers more than was asked for");
            for packet in &some {
                if let Some(at) = script.flying.iter().position(|io| io.slot == packet.slot) {
                    let io = script.flying.remove(at);
                    // SAFETY: the buffer of an I/O in flight is the kernel's, which this plays.
                    unsafe { io.ptr.write_bytes(packet.slot as u8 + 1, packet.bytes as usize) };
                }
            }
            packets.extend(some);
            Ok(())
        })
    }

    fn cancel(&mut self) {
        self.with(|script| script.cancelled = true);
    }

    fn wait_for(&mut self, request: &Request) -> i32 {
        request.len as i32
    }

    fn leak(&mut self) {
        self.with(|script| script.leaked = true);
    }
}

fn engine(depth: u32, align: u32) -> (Overlapped<Scripted>, Scripted) {
    let script = Scripted::default();
    let arena = Arena::new(depth, BLOCK as usize, 0, false).unwrap();
    (Overlapped::new(script.clone(), arena, vec![align]), script)
}

fn read(slot: u32) -> Request {
    Request { op: Op::Read, file: 0, offset: u64::from(slot) << 12, len: BLOCK, at: 0, slot }
}

fn queue(engine: &mut Overlapped<Scripted>, slots: std::ops::Range<u32>) {
    for slot in slots {
        assert_eq!(engine.queue(&read(slot)), Queued::Pending);
    }
    engine.commit().unwrap();
}

fn reap(engine: &mut Overlapped<Scripted>, min: u32, max: u32) -> Vec<(u32, i32)> {
    let mut done = Vec::new();
    engine.reap(min, max, None, &mut done).unwrap();
    done.iter().map(|completion| (completion.slot, completion.result)).collect()
}

#[test]
fn what_completes_where_it_is_issued_leaves_no_packet() {
    let (mut engine, script) = engine(4, 1);
    let inline = [IssueOutcome::Inline(BLOCK), IssueOutcome::Flying, IssueOutcome::Inline(512)];
    script.with(|script| script.outcomes.extend(inline));
    queue(&mut engine, 0..3);
    script.answer(&[]);
    let mut done = reap(&mut engine, 2, 4);
    done.sort_unstable();
    assert_eq!(done, [(0, 4096), (2, 512)]);
    // The port was asked without waiting: enough was there, and what flies shall not starve.
    assert_eq!(script.with(|script| script.waits.clone()), [PortWait::Milliseconds(0)]);
    script.answer(&[(1, BLOCK, 0)]);
    assert_eq!(reap(&mut engine, 1, 4), [(1, 4096)]);
    // All inline: nothing flies, and the port is not asked at all.
    script.with(|script| script.outcomes.extend([IssueOutcome::Inline(BLOCK); 2]));
    queue(&mut engine, 0..2);
    assert_eq!(reap(&mut engine, 2, 2).len(), 2);
    assert_eq!(script.with(|script| script.waits.len()), 2);
}

#[test]
fn completions_come_in_any_order_and_go_to_their_slots() {
    let (mut engine, script) = engine(4, 1);
    queue(&mut engine, 0..4);
    assert_eq!(script.with(|script| script.issued.clone()), [0, 1, 2, 3]);
    let asked = |io: &OverlappedIo| (io.write, io.file, io.offset, io.len);
    let asked: Vec<_> = script.with(|script| script.flying.iter().map(asked).collect());
    assert_eq!(asked[3], (false, 0, 3 << 12, BLOCK));
    script.answer(&[]);
    script.answer(&[(3, BLOCK, 0), (1, BLOCK, 0)]);
    script.answer(&[(0, BLOCK, 0)]);
    assert_eq!(reap(&mut engine, 3, 4), [(3, 4096), (1, 4096), (0, 4096)]);
    let waits = script.with(|script| script.waits.clone());
    assert_eq!(waits, [PortWait::Forever; 3]);
    assert!(engine.buffer(3).iter().all(|byte| *byte == 4));
    assert!(engine.buffer(1).iter().all(|byte| *byte == 2));
    // A slot that came home can go again while another is still out.
    queue(&mut engine, 3..4);
    script.answer(&[(2, BLOCK, 0), (3, BLOCK, 0)]);
    assert_eq!(reap(&mut engine, 2, 2), [(2, 4096), (3, 4096)]);
}

#[test]
fn those_that_are_over_first_are_given_first_however_few_are_taken() {
    let (mut engine, script) = engine(3, 1);
    script.with(|script| script.outcomes.extend([IssueOutcome::Inline(BLOCK); 10]));
    queue(&mut engine, 0..3);
    for slot in [0, 1, 2, 0, 1, 2, 0] {
        assert_eq!(reap(&mut engine, 1, 1), [(slot, 4096)]);
        queue(&mut engine, slot..slot + 1);
    }
}

#[test]
fn partial_transfers_the_end_of_a_file_and_errors_are_told_apart() {
    let (mut engine, script) = engine(6, 1);
    let refused = [38, 5].map(IssueOutcome::Refused);
    script.with(|script| script.outcomes.extend(refused));
    queue(&mut engine, 0..6);
    script.answer(&[(2, 1024, 0), (3, 0, 38), (4, 0, 1117), (5, 0, 112)]);
    let mut done = reap(&mut engine, 6, 6);
    done.sort_unstable();
    let number = |name| -ErrorNumber::named(name).unwrap().get();
    let (eacces, eio, enospc) = (number("EACCES"), number("EIO"), number("ENOSPC"));
    assert_eq!(done, [(0, 0), (1, eacces), (2, 1024), (3, 0), (4, eio), (5, enospc)]);
}

#[test]
fn what_finds_no_resources_waits_for_those_that_fly_and_keeps_its_place() {
    let (mut engine, script) = engine(4, 1);
    let outcomes = [IssueOutcome::Flying, IssueOutcome::Refused(NO_RESOURCES)];
    script.with(|script| script.outcomes.extend(outcomes));
    queue(&mut engine, 0..3);
    assert_eq!(script.with(|script| script.issued.clone()), [0, 1]);
    script.answer(&[(0, BLOCK, 0)]);
    script.answer(&[(1, BLOCK, 0), (2, BLOCK, 0)]);
    // The first call offers them again before it waits.
    assert_eq!(reap(&mut engine, 1, 4), [(0, 4096)]);
    assert_eq!(script.with(|script| script.issued.clone()), [0, 1, 1, 2]);
    assert_eq!(reap(&mut engine, 2, 4), [(1, 4096), (2, 4096)]);
    // With nothing in flight nothing would ever change: it is an error of that I/O.
    script.with(|script| script.outcomes.push_back(IssueOutcome::Refused(NO_RESOURCES)));
    queue(&mut engine, 0..1);
    assert_eq!(reap(&mut engine, 1, 4), [(0, -ErrorNumber::EAGAIN.get())]);
}

#[test]
fn a_port_that_fails_is_an_error_and_loses_no_io() {
    let (mut engine, script) = engine(2, 1);
    queue(&mut engine, 0..2);
    script.with(|script| script.answers.push_back(Err(6)));
    let mut done = Vec::new();
    let error = engine.reap(1, 2, None, &mut done).unwrap_err();
    assert!(error.to_string().contains("Windows error 6"), "{error}");
    assert_eq!(ErrorNumber::of(&error).name(), Some("EBADF"));
    assert!(done.is_empty());
    script.answer(&[(1, BLOCK, 0), (0, BLOCK, 0)]);
    assert_eq!(reap(&mut engine, 2, 2), [(1, 4096), (0, 4096)]);
}

#[test]
fn packets_of_nobody_are_passed_over() {
    let (mut engine, script) = engine(2, 1);
    queue(&mut engine, 0..1);
    script.answer(&[(1, BLOCK, 0)]);
    script.answer(&[(0, BLOCK, 0)]);
    assert_eq!(reap(&mut engine, 1, 2), [(0, 4096)]);
    assert_eq!(reap(&mut engine, 1, 2), []);
}

#[test]
fn a_timeout_ends_with_fewer_and_a_poll_never_waits() {
    let (mut engine, script) = engine(2, 1);
    queue(&mut engine, 0..2);
    let mut done = Vec::new();
    engine.reap(0, 2, None, &mut done).unwrap();
    engine.reap(1, 2, Some(Duration::from_micros(300)), &mut done).unwrap();
    assert!(done.is_empty());
    // Less than a millisecond is polled, and never slept over.
    let polled = |wait: &PortWait| *wait == PortWait::Milliseconds(0);
    assert!(script.with(|script| script.waits.iter().all(polled)));
    script.answer(&[(0, BLOCK, 0), (1, BLOCK, 0)]);
    engine.reap(1, 2, Some(Duration::from_secs(10)), &mut done).unwrap();
    let last = script.with(|script| *script.waits.last().unwrap());
    assert!(matches!(last, PortWait::Milliseconds(9000..=10_000)), "{last:?}");
}

#[test]
fn dropping_cancels_and_waits_for_what_flies() {
    let (mut engine, script) = engine(4, 1);
    queue(&mut engine, 0..3);
    // One completes before it can be cancelled.
    script.answer(&[(1, BLOCK, 0)]);
    drop(engine);
    let (cancelled, left, leaked) =
        script.with(|script| (script.cancelled, script.flying.len(), script.leaked));
    assert!(cancelled && left == 0 && !leaked);
    let (engine, script) = self::engine(4, 1);
    drop(engine);
    assert!(!script.with(|script| script.cancelled), "nothing was in flight");
}

#[test]
fn memory_that_cannot_be_waited_for_is_given_up() {
    let (mut engine, script) = engine(1, 1);
    queue(&mut engine, 0..1);
    script.with(|script| script.answers.push_back(Err(735)));
    drop(engine);
    assert!(script.with(|script| script.leaked));
    // The buffer is still there for who writes into it.
    let io = script.with(|script| script.flying[0]);
    // SAFETY: the arena was leaked with this buffer in it.
    unsafe { io.ptr.write_bytes(1, io.len as usize) };
}

#[test]
fn misaligned_requests_never_reach_the_system() {
    let (mut engine, script) = engine(2, 512);
    let einval = Queued::Done(-ErrorNumber::EINVAL.get());
    assert_eq!(engine.queue(&Request { offset: 100, ..read(0) }), einval);
    assert_eq!(engine.queue(&Request { len: 100, ..read(0) }), einval);
    assert_eq!(engine.queue(&Request { len: 512, offset: 1536, ..read(0) }), Queued::Pending);
    engine.commit().unwrap();
    assert_eq!(script.with(|script| script.issued.len()), 1);
    // The second buffer is not aligned as the file asks.
    let arena = Arena::new(2, 100, 4, false).unwrap();
    let mut odd = Overlapped::new(Scripted::default(), arena, vec![512]);
    assert_eq!(odd.queue(&Request { len: 0, offset: 0, ..read(1) }), einval);
    script.answer(&[(0, 512, 0)]);
    assert_eq!(reap(&mut engine, 1, 1), [(0, 512)]);
}

#[test]
fn flushes_and_trims_are_done_at_once() {
    let (mut engine, script) = engine(2, 512);
    let flush = Request { op: Op::Fsync, file: 0, offset: 0, len: 0, at: 0, slot: 0 };
    assert_eq!(engine.queue(&flush), Queued::Done(0));
    let trim = Request { op: Op::Trim, len: 100, ..flush };
    assert_eq!(engine.queue(&trim), Queued::Done(100));
    assert!(script.with(|script| script.issued.is_empty()));
    assert_eq!(result_of(PENDING), -ErrorNumber::EIO.get(), "no answer of an I/O that is over");
}

#[test]
#[should_panic(expected = "slot 0 is in flight")]
fn a_slot_in_flight_is_not_queued_again() {
    let (mut engine, _script) = engine(2, 1);
    queue(&mut engine, 0..1);
    engine.queue(&read(0));
}
