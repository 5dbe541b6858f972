//! The agent as a state machine: frames and moments in, frames and deeds out. No socket, clock or
//! thread inside, so that a simulator can drive it as a process does.
//!
//! Decided here: an agent does nothing for a coordinator that it does not hear. Whatever is wrong
//! with the connection (its end, silence, a frame out of order), I/O stops and test files go.

use crate::frame::{PROTOCOL_VERSION, WireFrame};
use crate::hello::Hello;

/// How long a coordinator may take to greet.
pub const GREETING_NS: u64 = 30_000_000_000;
/// The least and the most patience that a coordinator can ask for, in milliseconds.
const PATIENCE_MS: (u64, u64) = (100, 3_600_000);

/// What an agent is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentInput {
    /// A frame arrived.
    Frame(WireFrame),
    /// The coordinator is gone: the end of the stream, or why it cannot be read.
    Closed(Option<String>),
    /// Something happened in the call that is carried out.
    Event(Vec<u8>),
    /// The call is over.
    Done(Vec<u8>),
    /// Time passed.
    Tick,
}

/// What an agent is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentAction {
    /// Send this.
    Send(WireFrame),
    /// Carry out this call.
    Begin(Vec<u8>),
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
    /// Nothing was heard yet.
    New,
    /// Ready for a call.
    Idle,
    /// A call waits for its moment.
    Waiting { id: u32, at_ns: u64, body: Vec<u8> },
    /// A call is carried out.
    Busy { id: u32, since_ns: u64 },
    /// It ended.
    Over,
}

/// An agent.
#[derive(Debug)]
pub struct Agent {
    own: Hello,
    state: AgentState,
    /// When something was heard last.
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

    /// Takes what happened at `now_ns`, and gives what is to be done, in order.
    pub fn step(&mut self, now_ns: u64, input: AgentInput) -> Vec<AgentAction> {
        if self.is_over() {
            return Vec::new();
        }
        match input {
            AgentInput::Frame(frame) => {
                self.heard_ns = now_ns;
                let mut actions = self.frame(now_ns, frame);
                actions.extend(self.begin_if_due(now_ns));
                actions
            }
            AgentInput::Closed(why) => {
                self.lost(why.unwrap_or_else(|| "the connection was closed".to_owned()))
            }
            AgentInput::Event(body) => match self.state {
                AgentState::Busy { id, .. } => {
                    vec![AgentAction::Send(WireFrame::Event { id, body })]
                }
                _ => Vec::new(),
            },
            AgentInput::Done(body) => self.done(now_ns, body),
            AgentInput::Tick => self.tick(now_ns),
        }
    }

    /// When it wants to be told of time.
    pub fn wake_ns(&self) -> u64 {
        let silence_ns = self.heard_ns.saturating_add(self.patience_ns);
        match self.state {
            AgentState::Waiting { at_ns, .. } => silence_ns.min(at_ns),
            AgentState::Over => u64::MAX,
            _ => silence_ns,
        }
    }

    /// Whether it ended.
    pub fn is_over(&self) -> bool {
        matches!(self.state, AgentState::Over)
    }

    /// Whether the coordinator told it to stop.
    pub fn is_stopping(&self) -> bool {
        self.stopping
    }

    /// Whether a call waits or is carried out.
    pub fn is_busy(&self) -> bool {
        matches!(self.state, AgentState::Waiting { .. } | AgentState::Busy { .. })
    }

    fn lost(&mut self, why: String) -> Vec<AgentAction> {
        self.state = AgentState::Over;
        vec![AgentAction::End(AgentEnd::Lost(why))]
    }

    fn done(&mut self, now_ns: u64, body: Vec<u8>) -> Vec<AgentAction> {
        let AgentState::Busy { id, since_ns } = self.state else { return Vec::new() };
        self.state = AgentState::Idle;
        vec![AgentAction::Send(WireFrame::Reply { id, span_ns: (since_ns, now_ns), body })]
    }

    fn tick(&mut self, now_ns: u64) -> Vec<AgentAction> {
        if now_ns >= self.heard_ns.saturating_add(self.patience_ns) {
            let s = self.patience_ns as f64 / 1e9;
            return self.lost(format!("nothing was heard of the coordinator for {s} s"));
        }
        self.begin_if_due(now_ns)
    }

    fn begin_if_due(&mut self, now_ns: u64) -> Vec<AgentAction> {
        match &mut self.state {
            AgentState::Waiting { id, at_ns, body } if *at_ns <= now_ns => {
                let (id, body) = (*id, std::mem::take(body));
                self.state = AgentState::Busy { id, since_ns: now_ns };
                vec![AgentAction::Begin(body)]
            }
            _ => Vec::new(),
        }
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
            (AgentState::Idle, WireFrame::Call { id, at_ns, body })
                if Some(id) == self.last_id.checked_add(1) =>
            {
                self.last_id = id;
                self.state = AgentState::Waiting { id, at_ns, body };
                Vec::new()
            }
            // What waits for its moment begins at once: its reply says that it was stopped.
            (AgentState::Waiting { at_ns, .. }, WireFrame::Stop) => {
                (*at_ns, self.stopping) = (0, true);
                vec![AgentAction::Stop]
            }
            (_, WireFrame::Stop) => {
                self.stopping = true;
                vec![AgentAction::Stop]
            }
            (_, WireFrame::Bye) => {
                self.state = AgentState::Over;
                vec![AgentAction::Send(WireFrame::Bye), AgentAction::End(AgentEnd::Farewell)]
            }
            (_, other) => self.out_of_order(&other),
        }
    }

    fn out_of_order(&mut self, frame: &WireFrame) -> Vec<AgentAction> {
        let word = frame.word();
        self.lost(format!(
            "the coordinator sent a {word} out of order (protocol {PROTOCOL_VERSION}); install the \
             same Fathom on both machines"
        ))
    }
}
