//! Pipes that are late, cut off and damaged, from a seed, and the agents at their other ends.

use fathom_fleet::{
    Agent, AgentAction, AgentEnd, AgentInput, FrameDecoder, Hello, PROTOCOL_VERSION, WireFrame,
};
use std::collections::VecDeque;

/// A small generator of numbers (SplitMix64).
pub struct Chance(pub u64);

impl Chance {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit.max(1)
    }

    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

/// What arrives at an end of a pipe.
pub enum Arrival {
    Bytes(Vec<u8>),
    End,
}

/// One direction of a connection: bytes arrive in order, each after its own time.
#[derive(Default)]
pub struct Pipe {
    queue: VecDeque<(u64, Arrival)>,
    closed: bool,
}

impl Pipe {
    pub fn send(&mut self, now_ns: u64, latency_ns: u64, bytes: Vec<u8>) {
        if !self.closed {
            self.queue.push_back((self.at_ns(now_ns + latency_ns), Arrival::Bytes(bytes)));
        }
    }

    /// The writing end goes: what is under way still arrives.
    pub fn close(&mut self, now_ns: u64) {
        if !self.closed {
            self.queue.push_back((self.at_ns(now_ns), Arrival::End));
            self.closed = true;
        }
    }

    /// The connection breaks: of what is under way only a part arrives.
    pub fn cut(&mut self, now_ns: u64, chance: &mut Chance) {
        let kept = chance.below(self.queue.len() as u64 + 1) as usize;
        self.queue.truncate(kept);
        if let Some((_, Arrival::Bytes(bytes))) = self.queue.back_mut() {
            bytes.truncate(chance.below(bytes.len() as u64 + 1) as usize);
        }
        self.closed = false;
        self.close(now_ns);
    }

    fn at_ns(&self, at_ns: u64) -> u64 {
        self.queue.back().map_or(at_ns, |(before_ns, _)| at_ns.max(*before_ns))
    }

    pub fn next_ns(&self) -> u64 {
        self.queue.front().map_or(u64::MAX, |(at_ns, _)| *at_ns)
    }

    pub fn take(&mut self, now_ns: u64) -> Option<Arrival> {
        let is_due = self.queue.front().is_some_and(|(at_ns, _)| *at_ns <= now_ns);
        if is_due { self.queue.pop_front().map(|(_, arrival)| arrival) } else { None }
    }
}

/// What is wrong with an agent or its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// The connection breaks at a moment.
    Cut(u64),
    /// A byte on its way to the coordinator is damaged, from a moment on.
    Damage(u64),
    /// The machine stands still from a moment on: nothing is read or written.
    Silence(u64),
    /// Its I/O never ends, whatever it is told.
    Hang,
    /// It sends what it should not, of so many kinds.
    Lie(u64),
}

/// An agent at the other end of two pipes, with a clock and work of its own.
pub struct SimAgent {
    pub agent: Agent,
    pub fault: Fault,
    pub inward: Pipe,
    pub outward: Pipe,
    decoder: FrameDecoder,
    ahead_ns: i64,
    drift_ppm: i64,
    pub latency_ns: u64,
    /// When the work ends, by the true clock.
    work_end_ns: Option<u64>,
    /// When all that goes before its I/O is done, by the true clock.
    ready_ns: Option<u64>,
    next_event_ns: u64,
    call: Vec<u8>,
    /// Calls that it was given with the true moment at which the I/O of each began.
    pub begun: Vec<(Vec<u8>, u64)>,
    /// When it was ready last, by the true clock.
    pub was_ready_ns: u64,
    /// Replies that it gave.
    pub replies: Vec<Vec<u8>>,
    pub end: Option<AgentEnd>,
}

const EVENT_NS: u64 = 250_000_000;

impl SimAgent {
    pub fn new(chance: &mut Chance, fault: Fault) -> SimAgent {
        let ahead_ns = chance.below(2_000_000_000_000) as i64;
        let (drift_ppm, latency_ns) = (chance.below(100) as i64 - 50, chance.below(3_000_000));
        let hello = Hello { fathom_version: "sim".into(), ..Hello::default() };
        let mut agent = SimAgent {
            agent: Agent::new(hello.clone(), 0),
            fault,
            inward: Pipe::default(),
            outward: Pipe::default(),
            decoder: FrameDecoder::default(),
            ahead_ns,
            drift_ppm,
            latency_ns,
            work_end_ns: None,
            ready_ns: None,
            next_event_ns: u64::MAX,
            call: Vec::new(),
            begun: Vec::new(),
            was_ready_ns: 0,
            replies: Vec::new(),
            end: None,
        };
        agent.agent = Agent::new(hello, agent.clock_ns(0));
        agent
    }

    /// What its clock says at a true moment.
    fn clock_ns(&self, true_ns: u64) -> u64 {
        let drifted = true_ns as i64 + true_ns as i64 / 1_000_000 * self.drift_ppm;
        (drifted + self.ahead_ns) as u64
    }

    /// The true moment of what its clock says, rounded up.
    fn true_ns(&self, clock_ns: u64) -> u64 {
        if clock_ns == u64::MAX {
            return u64::MAX;
        }
        let own_ns = (clock_ns as i64).saturating_sub(self.ahead_ns).max(0);
        let mut at = (own_ns as i128 * 1_000_000 / i128::from(1_000_000 + self.drift_ppm)) as u64;
        while self.clock_ns(at) < clock_ns {
            at += 1000;
        }
        at
    }

    pub fn stands_still(&self, now_ns: u64) -> bool {
        matches!(self.fault, Fault::Silence(from_ns) if now_ns >= from_ns)
    }

    pub fn wake_ns(&self, now_ns: u64) -> u64 {
        if self.agent.is_over() || self.stands_still(now_ns) {
            return u64::MAX;
        }
        let work_ns = self.work_end_ns.unwrap_or(u64::MAX).min(self.next_event_ns);
        let work_ns = work_ns.min(self.ready_ns.unwrap_or(u64::MAX));
        self.true_ns(self.agent.wake_ns()).min(self.inward.next_ns()).min(work_ns)
    }

    /// Takes everything that is due.
    pub fn wake(&mut self, now_ns: u64, chance: &mut Chance) {
        if self.stands_still(now_ns) || self.agent.is_over() {
            return;
        }
        while let Some(arrival) = self.inward.take(now_ns) {
            self.arrive(now_ns, arrival, chance);
        }
        if self.ready_ns.is_some_and(|at_ns| at_ns <= now_ns) {
            (self.ready_ns, self.was_ready_ns) = (None, now_ns);
            self.step(now_ns, AgentInput::Ready, chance);
        }
        if self.next_event_ns <= now_ns {
            self.next_event_ns = now_ns + EVENT_NS;
            self.step(now_ns, AgentInput::Event(b"live".to_vec()), chance);
        }
        if self.work_end_ns.is_some_and(|at_ns| at_ns <= now_ns) {
            (self.work_end_ns, self.next_event_ns) = (None, u64::MAX);
            let reply = [b"done ".as_slice(), &self.call].concat();
            self.replies.push(reply.clone());
            self.step(now_ns, AgentInput::Done(reply), chance);
        }
        self.step(now_ns, AgentInput::Tick, chance);
    }

    fn arrive(&mut self, now_ns: u64, arrival: Arrival, chance: &mut Chance) {
        let closed = match arrival {
            Arrival::Bytes(bytes) => {
                self.decoder.push(&bytes);
                None
            }
            Arrival::End => Some(self.decoder.finish().err().map(|why| why.to_string())),
        };
        loop {
            match self.decoder.next_frame() {
                Ok(Some(frame)) => self.step(now_ns, AgentInput::Frame(frame), chance),
                Ok(None) => break,
                Err(why) => {
                    return self.step(now_ns, AgentInput::Closed(Some(why.to_string())), chance);
                }
            }
        }
        if let Some(why) = closed {
            self.step(now_ns, AgentInput::Closed(why), chance);
        }
    }

    fn step(&mut self, now_ns: u64, input: AgentInput, chance: &mut Chance) {
        for action in self.agent.step(self.clock_ns(now_ns), input) {
            match action {
                AgentAction::Send(frame) => self.send(now_ns, &frame, chance),
                AgentAction::Begin { body, .. } => {
                    self.call = body;
                    let never = self.fault == Fault::Hang && chance.one_in(2);
                    self.ready_ns = (!never).then(|| now_ns + chance.below(100_000_000));
                    self.next_event_ns = now_ns + EVENT_NS;
                    self.lie(now_ns, chance);
                }
                AgentAction::Start(at_ns) => {
                    let begin_ns = self.true_ns(at_ns).max(now_ns);
                    self.begun.push((self.call.clone(), begin_ns));
                    let work_ns = chance.below(3_000_000_000);
                    let hangs = self.fault == Fault::Hang;
                    self.work_end_ns = (!hangs).then(|| begin_ns + work_ns);
                }
                AgentAction::Stop => {
                    let soon_ns = now_ns + chance.below(50_000_000);
                    self.work_end_ns = self.work_end_ns.map(|at_ns| at_ns.min(soon_ns));
                }
                AgentAction::End(end) => {
                    self.end = Some(end);
                    (self.work_end_ns, self.ready_ns) = (None, None);
                    self.next_event_ns = u64::MAX;
                    self.outward.close(now_ns);
                }
            }
        }
    }

    fn send(&mut self, now_ns: u64, frame: &WireFrame, chance: &mut Chance) {
        let mut bytes = frame.to_bytes().unwrap();
        if matches!(self.fault, Fault::Damage(from_ns) if now_ns >= from_ns) {
            let place = chance.below(bytes.len() as u64) as usize;
            bytes[place] ^= 1 << chance.below(8);
        }
        let jitter_ns = chance.below(self.latency_ns + 1);
        self.outward.send(now_ns, self.latency_ns + jitter_ns, bytes);
    }

    fn lie(&mut self, now_ns: u64, chance: &mut Chance) {
        let Fault::Lie(kind) = self.fault else { return };
        let frame = match kind {
            0 => WireFrame::Reply { id: 999, span_ns: (u64::MAX, 0), body: b"NaN".to_vec() },
            1 => WireFrame::Pong { sent_ns: 7, clock_ns: u64::MAX },
            2 => WireFrame::Hello(Hello::default()),
            3 => WireFrame::Call { id: 1, together: false, body: Vec::new() },
            4 => WireFrame::Event { id: u32::MAX, body: vec![b'['; 4000] },
            _ => {
                let huge = vec![0xfa, 0x7b, PROTOCOL_VERSION, 6, 0xff, 0xff, 0xff, 0xff];
                return self.outward.send(now_ns, self.latency_ns, huge);
            }
        };
        self.send(now_ns, &frame, chance);
    }
}
