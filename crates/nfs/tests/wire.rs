//! The state of a connection against a server that reorders, repeats, cuts and hangs up, without
//! a socket: every call is answered once, with its own answer.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

use fathom_nfs::{
    CallHead, RecordReader, RpcCall, RpcCredential, RpcProgram, RpcReply, WireConnection, Xdr,
    XdrReader, XdrWriter,
};
use proptest::prelude::*;
use std::time::Instant;

/// What happens next.
#[derive(Clone, Debug)]
enum Step {
    Call,
    /// So many bytes go out.
    Send(usize),
    /// The server answers one of the calls that it has; perhaps twice, perhaps in fragments.
    Answer {
        which: usize,
        twice: bool,
        fragment: usize,
    },
    /// So many bytes of its answers come in.
    Receive(usize),
    /// The connection breaks.
    Break,
    /// A reply to nobody.
    Stray(u32),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => Just(Step::Call),
        4 => (1usize..300).prop_map(Step::Send),
        4 => (any::<usize>(), any::<bool>(), 1usize..40)
            .prop_map(|(which, twice, fragment)| Step::Answer { which, twice, fragment }),
        4 => (1usize..200).prop_map(Step::Receive),
        1 => Just(Step::Break),
        1 => any::<u32>().prop_map(Step::Stray),
    ]
}

/// A server's end of the wire.
struct Liar {
    taken: RecordReader,
    /// Calls that have come: xid, and the number that they carry.
    calls: Vec<(u32, u32)>,
    answers: Vec<u8>,
}

impl Liar {
    fn new() -> Liar {
        Liar { taken: RecordReader::new(4096), calls: Vec::new(), answers: Vec::new() }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.taken.push(bytes);
        while let Some(record) = self.taken.next_record().unwrap() {
            let mut from = XdrReader::new(record);
            let call = RpcCall::read(&mut from).unwrap();
            self.calls.push((call.xid, from.u32().unwrap()));
        }
    }

    fn answer(&mut self, xid: u32, number: u32, fragment: usize) {
        let mut to = XdrWriter::default();
        RpcReply { xid, outcome: Ok(()) }.write(&mut to);
        to.u32(number);
        let bytes = to.into_bytes();
        let parts = bytes.chunks(fragment).count();
        for (at, part) in bytes.chunks(fragment).enumerate() {
            let last = if at + 1 == parts { 0x8000_0000u32 } else { 0 };
            self.answers.extend((last | part.len() as u32).to_be_bytes());
            self.answers.extend_from_slice(part);
        }
    }
}

struct Client {
    wire: WireConnection,
    made: u32,
    /// How often each call was answered.
    answered: Vec<u32>,
}

impl Client {
    fn call(&mut self) {
        let credential = RpcCredential::default();
        let head = CallHead {
            program: RpcProgram::NFS,
            procedure: 1,
            credential: &credential,
            tag: self.made,
        };
        let number = self.made;
        self.wire.call(head, Instant::now(), |to| to.u32(number));
        self.made += 1;
        self.answered.push(0);
    }

    fn send(&mut self, most: usize) -> Vec<u8> {
        let output: Vec<u8> = self.wire.output().iter().flat_map(|part| part.to_vec()).collect();
        let bytes = output[..output.len().min(most)].to_vec();
        self.wire.sent(bytes.len());
        bytes
    }

    fn receive(&mut self, bytes: &[u8]) {
        self.wire.input().push(bytes);
        while let Some(reply) = self.wire.next_reply().expect("replies") {
            let number = reply.outcome.unwrap().u32().unwrap();
            assert_eq!(number, reply.tag, "an answer to another call");
            self.answered[reply.tag as usize] += 1;
        }
    }
}

proptest! {
    #[test]
    fn every_call_is_answered_once(first_xid: u32, steps in prop::collection::vec(step(), 1..120)) {
        let wire = WireConnection::new(first_xid);
        let mut client = Client { wire, made: 0, answered: Vec::new() };
        let mut liar = Liar::new();
        for step in steps {
            match step {
                Step::Call => client.call(),
                Step::Send(most) => liar.take(&client.send(most)),
                Step::Answer { which, twice, fragment } if !liar.calls.is_empty() => {
                    let (xid, number) = liar.calls.remove(which % liar.calls.len());
                    for _ in 0..1 + usize::from(twice) {
                        liar.answer(xid, number, fragment);
                    }
                }
                Step::Answer { .. } => {}
                Step::Receive(most) => {
                    let most = most.min(liar.answers.len());
                    let bytes: Vec<u8> = liar.answers.drain(..most).collect();
                    client.receive(&bytes);
                }
                Step::Break => {
                    client.wire.lost();
                    liar = Liar::new();
                }
                // One that no call has: xids are counted up from the first.
                Step::Stray(far) => liar.answer(first_xid.wrapping_sub(1 + far % 1000), 0, 9),
            }
        }
        // All that is left goes over a connection that works.
        client.wire.lost();
        let mut liar = Liar::new();
        liar.take(&client.send(usize::MAX));
        while client.wire.has_output() {
            liar.take(&client.send(usize::MAX));
        }
        for (xid, number) in std::mem::take(&mut liar.calls) {
            liar.answer(xid, number, 7);
        }
        client.receive(&std::mem::take(&mut liar.answers));
        prop_assert!(client.answered.iter().all(|times| *times == 1), "{:?}", client.answered);
        prop_assert_eq!(client.wire.in_flight(), 0);
        let counts = client.wire.counts();
        prop_assert_eq!((counts.calls, counts.replies), (client.made.into(), client.made.into()));
    }

    #[test]
    fn hostile_bytes_are_no_panic(bytes: Vec<u8>) {
        let mut wire = WireConnection::new(0);
        wire.input().push(&bytes);
        while let Ok(Some(_)) = wire.next_reply() {}
    }
}

#[test]
fn what_is_forgotten_is_not_sent_and_not_answered() {
    let wire = WireConnection::new(7);
    let mut client = Client { wire, made: 0, answered: Vec::new() };
    (0..3).for_each(|_| client.call());
    client.wire.forget(8);
    let mut liar = Liar::new();
    liar.take(&client.send(usize::MAX));
    assert_eq!(liar.calls, [(7, 0), (9, 2)]);
    liar.answer(8, 1, 99);
    client.receive(&std::mem::take(&mut liar.answers));
    assert_eq!((client.wire.counts().strays, client.wire.in_flight()), (1, 2));
    assert_eq!(client.wire.abandon().len(), 2);
}
