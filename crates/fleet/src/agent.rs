//! The agent as a state machine: frames and moments in, frames and actions out. No socket, clock or
//! thread inside, so that a simulator can drive it like a process.
//!
//! Decided here: an agent stops when it no longer hears its coordinator. After any fault of the
//! connection (its end, silence, a frame out of order), I/O stops and test files are removed. A
//! call that runs together with others starts at a moment set by the coordinator, once it is ready.

use crate::frame::{PROTOCOL_VERSION, WireFrame};
use crate::hello::Hello;

/// How long a coordinator may take to greet.
pub const GREETING_NS: u64 = 30_000_000_000;
/// The minimum and maximum patience that a coordinator can set, in milliseconds.
const PATIENCE_MS: (u64, u64) = (100, 3_600_000);

/// An input of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentInput {
    /// A frame arrived.
    Frame(WireFrame),
    /// The coordinator is gone: the end of the stream, or why it cannot be read.
    Closed(Option<String>),
    /// The call that is carried out is ready for its I/O.
    Ready,
    /// Something happened in the call that is carried out.
    Event(Vec<u8>),
    /// The call is over.
    Done(Vec<u8>),
    /// Time passed.
    Tick,
}

/// An action of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentAction {
    /// Send this.
    Send(WireFrame),
    /// Carry out this call.
    Begin {
        /// The call.
        body: Vec<u8>,
        /// Whether its I/O waits for [`AgentAction::Start`].
        together: bool,
    },
    /// Begin the I/O of the call at this moment.
    Start(u64),
    /// Stop the I/O of the call that is carried out.
    Stop,
    /// Stop all I/O, remove all test files, and end.
    End(AgentEnd),
}

/// Why an agent ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentEnd {
    /// The coordinator said goodbye.
    Farewell,
    /// The coordinator is gone, and why.
    Lost(String),
}

#[derive(Clone, Debug)]
enum AgentState {
    /// Nothing was received yet.
    New,
    /// Ready for a call.
    Idle,
    /// A call is carried out.
    Busy(AgentCall),
    /// It has ended.
    Over,
}

#[derive(Clone, Copy, Debug)]
struct AgentCall {
    id: u32,
    together: bool,
    /// Whether it waits for its start.
    is_ready: bool,
    /// When its I/O was to begin; that it was begun, as long as nothing is known of it.
    since_ns: u64,
    was_started: bool,
}

/// An agent.
#[derive(Debug)]
pub struct Agent {
    own: Hello,
    state: AgentState,
    /// When a frame was last received.
    heard_ns: u64,
    patience_ns: u64,
    last_id: u32,
    stopping: bool,
}

impl Agent {
    /// An agent that is `own`, begun at `now_ns`.
    pub fn new(own: Hello, now_ns: u64) -> Agent {
        let state = AgentState::New;
        Agent {
            own,
            state,
            heard_ns: now_ns,
            patience_ns: GREETING_NS,
            last_id: 0,
            stopping: false,
        }
    }

    /// Takes an input at `now_ns`, and returns the actions, in order.
    pub fn step(&mut self, now_ns: u64, input: AgentInput) -> Vec<AgentAction> {
        if self.is_over() {
            return Vec::new();
        }
        match input {
            AgentInput::Frame(frame) => {
                self.heard_ns = now_ns;
                self.frame(now_ns, frame)
            }
            AgentInput::Closed(why) => {
                self.lost(why.unwrap_or_else(|| "the connection was closed".to_owned()))
            }
            AgentInput::Ready => self.ready(now_ns),
            AgentInput::Event(body) => match self.state {
                AgentState::Busy(AgentCall { id, .. }) => {
                    vec![AgentAction::Send(WireFrame::Event { id, body })]
                }
                _ => Vec::new(),
            },
            AgentInput::Done(body) => self.done(now_ns, body),
            AgentInput::Tick => self.tick(now_ns),
        }
    }

    /// The moment of its next tick.
    pub fn wake_ns(&self) -> u64 {
        match self.state {
            AgentState::Over => u64::MAX,
            _ => self.heard_ns.saturating_add(self.patience_ns),
        }
    }

    /// Whether it ended.
    pub fn is_over(&self) -> bool {
        matches!(self.state, AgentState::Over)
    }

    /// Whether the coordinator requested a stop.
    pub fn is_stopping(&self) -> bool {
        self.stopping
    }

    /// Whether a call is carried out.
    pub fn is_busy(&self) -> bool {
        matches!(self.state, AgentState::Busy(_))
    }

    fn lost(&mut self, why: String) -> Vec<AgentAction> {
        self.state = AgentState::Over;
        vec![AgentAction::End(AgentEnd::Lost(why))]
    }

    fn done(&mut self, now_ns: u64, body: Vec<u8>) -> Vec<AgentAction> {
        let AgentState::Busy(AgentCall { id, since_ns, .. }) = self.state else {
            return Vec::new();
        };
        self.state = AgentState::Idle;
        vec![AgentAction::Send(WireFrame::Reply { id, span_ns: (since_ns, now_ns), body })]
    }

    fn tick(&mut self, now_ns: u64) -> Vec<AgentAction> {
        if now_ns >= self.heard_ns.saturating_add(self.patience_ns) {
            let s = self.patience_ns as f64 / 1e9;
            return self.lost(format!("nothing was heard of the coordinator for {s} s"));
        }
        Vec::new()
    }

    /// A call that is to stop, or runs alone, waits for nobody.
    fn ready(&mut self, now_ns: u64) -> Vec<AgentAction> {
        match &mut self.state {
            AgentState::Busy(call) if call.together && !self.stopping => {
                call.is_ready = true;
                vec![AgentAction::Send(WireFrame::Ready { id: call.id })]
            }
            AgentState::Busy(_) => vec![AgentAction::Start(now_ns)],
            _ => Vec::new(),
        }
    }

    fn begin(&mut self, id: u32, together: bool, now_ns: u64) {
        self.last_id = id;
        self.state = AgentState::Busy(AgentCall {
            id,
            together,
            is_ready: false,
            since_ns: now_ns,
            was_started: false,
        });
    }

    /// A start that arrives after a stop or a signal ended the wait is merely late.
    fn start(&mut self, at_ns: u64) -> Vec<AgentAction> {
        let AgentState::Busy(call) = &mut self.state else { return Vec::new() };
        if !std::mem::take(&mut call.is_ready) {
            return Vec::new();
        }
        if !std::mem::replace(&mut call.was_started, true) {
            call.since_ns = at_ns;
        }
        vec![AgentAction::Start(at_ns)]
    }

    fn frame(&mut self, now_ns: u64, frame: WireFrame) -> Vec<AgentAction> {
        match (&mut self.state, frame) {
            (AgentState::New, WireFrame::Hello(hello)) => {
                let patience_ms = hello.patience_ms.clamp(PATIENCE_MS.0, PATIENCE_MS.1);
                self.patience_ns = patience_ms * 1_000_000;
                self.state = AgentState::Idle;
                vec![AgentAction::Send(WireFrame::Hello(self.own.clone()))]
            }
            (AgentState::New, other) => self.out_of_order(&other),
            (_, WireFrame::Ping { sent_ns }) => {
                vec![AgentAction::Send(WireFrame::Pong { sent_ns, clock_ns: now_ns })]
            }
            (AgentState::Idle, WireFrame::Call { id, together, body })
                if Some(id) == self.last_id.checked_add(1) =>
            {
                self.begin(id, together, now_ns);
                vec![AgentAction::Begin { body, together }]
            }
            (_, WireFrame::Start { id, at_ns }) if id == self.last_id => self.start(at_ns),
            (_, WireFrame::Stop) => self.stop(now_ns),
            (_, WireFrame::Bye) => {
                self.state = AgentState::Over;
                vec![AgentAction::Send(WireFrame::Bye), AgentAction::End(AgentEnd::Farewell)]
            }
            (_, other) => self.out_of_order(&other),
        }
    }

    /// A waiting call begins at once: its reply says that it was stopped.
    fn stop(&mut self, now_ns: u64) -> Vec<AgentAction> {
        self.stopping = true;
        let mut actions = vec![AgentAction::Stop];
        actions.extend(self.start(now_ns));
        actions
    }

    fn out_of_order(&mut self, frame: &WireFrame) -> Vec<AgentAction> {
        let word = frame.word();
        self.lost(format!(
            "the coordinator sent a {word} out of order (protocol {PROTOCOL_VERSION}); install the \
             same Fathom on both machines"
        ))
    }
}
