//! The coordinator as a state machine: frames of many agents and moments in, frames and results
//! out. No socket, clock or thread inside, so that a simulator can drive whole fleets.
//!
//! Work goes in rounds: each living agent gets one call, and the round is over when each has
//! replied or is lost. Decided here:
//! - An agent that breaks the order of frames is disconnected.
//! - A silent agent is lost; one that answers pings and never ends a call is lost after the round's
//!   own limit, so that nothing waits for ever.
//! - If fewer than the minimum number of clients are left, the others are told to stop: their
//!   results come with their replies.
//! - An agent that ends a whole round before its start cannot begin: it counts as lost there, so
//!   that no other does what is to be done by all.
//! - Agents that run together are set up first: once every remaining agent is ready, the caller
//!   sets the moment, because it may be the agent of a higher coordinator; and again for each part
//!   of a call with a common start.

use crate::clock::{ClockOffset, ClockTrips};
use crate::frame::WireFrame;
use crate::hello::Hello;
use crate::loss::{AgentLoss, LossKind};

/// How often each agent is pinged.
const PING_NS: u64 = 1_000_000_000;
/// Round trips before the first round.
const FIRST_TRIPS: usize = 8;
/// How long starts may take to arrive before their common moment, beside two round trips; agents
/// that are coordinators pass them on within it.
const LEAD_NS: u64 = 50_000_000;
/// How long an agent may take to end after a stop.
const STOP_NS: u64 = 10_000_000_000;
/// How long it may take to say goodbye.
const BYE_NS: u64 = 3_000_000_000;

/// How a coordinator behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoordinatorOptions {
    /// Nanoseconds in which an agent must have greeted.
    pub greeting_ns: u64,
    /// Nanoseconds of silence after which an agent is lost.
    pub patience_ns: u64,
    /// With fewer agents the others are stopped.
    pub min_clients: usize,
}

/// One call to each agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The phase, for messages: `running iops-read-4k`.
    pub phase: String,
    /// The call of each agent, in their order; none leaves an agent out.
    pub calls: Vec<Option<Vec<u8>>>,
    /// Whether I/O begins at one moment on all.
    pub together: bool,
    /// Whether the minimum number of agents must begin, or none.
    pub whole: bool,
    /// Maximum bytes of a reply.
    pub reply_bytes: u32,
    /// Nanoseconds after which an agent that has not replied hangs, whatever else it sends.
    pub limit_ns: u64,
}

/// The outcome of a round for one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentOutcome {
    /// It replied.
    Replied {
        /// The reply.
        body: Vec<u8>,
        /// From when to when it was at it, by the coordinator's clock.
        span_ns: (u64, u64),
        /// Uncertainty of that, in nanoseconds.
        clock_error_ns: u64,
    },
    /// It was lost, now or before.
    Lost,
    /// It was not called.
    LeftOut,
}

/// An input of a coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoordinatorInput {
    /// A frame of an agent arrived.
    Frame(usize, WireFrame),
    /// The connection to an agent ended, and why.
    Closed(usize, LossKind),
    /// The connection to an agent that has not greeted makes progress.
    Opening(usize),
    /// Have this done. Only between rounds.
    Round(Round),
    /// Those that wait are to begin at this moment, by this clock.
    StartAt(u64),
    /// Stop the current round.
    Stop,
    /// Say goodbye to all.
    Bye,
    /// Time passed.
    Tick,
}

/// An action of a coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoordinatorAction {
    /// Send this to an agent.
    Send(usize, WireFrame),
    /// End the connection to an agent.
    Cut(usize),
    /// An agent is lost.
    Lost(usize, AgentLoss),
    /// Every agent has greeted or is lost.
    Ready,
    /// Something happened on an agent.
    Event(usize, Vec<u8>),
    /// All that are at it wait for [`CoordinatorInput::StartAt`].
    Poised,
    /// The round is over.
    Over(Vec<AgentOutcome>),
    /// Every connection is ended.
    Gone,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LinkState {
    Greeting,
    /// Its clock is being compared.
    Timing,
    Idle,
    Busy {
        id: u32,
        /// When it was sent or started.
        since_ns: u64,
        /// Whether it waits for its start.
        is_ready: bool,
    },
    Parting,
    Gone,
}

#[derive(Debug)]
struct Link {
    host: String,
    state: LinkState,
    hello: Option<Hello>,
    trips: ClockTrips,
    /// Pings without a pong, by the moment they were sent.
    pings: Vec<u64>,
    pinged_ns: u64,
    heard_ns: u64,
    last_id: u32,
    /// Whether the current round was started on it.
    was_started: bool,
    outcome: AgentOutcome,
    lost: Option<AgentLoss>,
}

impl Link {
    fn lives(&self) -> bool {
        !matches!(self.state, LinkState::Gone)
    }

    /// Whether it ended the round without beginning.
    fn cannot_begin(&self) -> bool {
        matches!(self.outcome, AgentOutcome::Replied { .. }) && !self.was_started
    }

    fn is_busy(&self) -> bool {
        matches!(self.state, LinkState::Busy { .. })
    }

    /// Takes the result of its call; `span_ns` is by its own clock.
    fn reply(&mut self, span_ns: (u64, u64), body: Vec<u8>) {
        let clock = self.trips.offset();
        let common = |ns| clock.map_or(ns, |clock| clock.to_coordinator_ns(ns));
        let span_ns = (common(span_ns.0), common(span_ns.1));
        let clock_error_ns = clock.map_or(0, |clock| clock.error_ns);
        self.outcome = AgentOutcome::Replied { body, span_ns, clock_error_ns };
        self.state = LinkState::Idle;
    }
}

/// A coordinator of many agents.
#[derive(Debug)]
pub struct Coordinator {
    own: Hello,
    options: CoordinatorOptions,
    links: Vec<Link>,
    ready: bool,
    phase: String,
    together: bool,
    whole: bool,
    /// Whether it was reported that all wait for their start.
    poised: bool,
    round_limit_ns: Option<u64>,
    stopped_ns: Option<u64>,
    parting_ns: Option<u64>,
    gone: bool,
    actions: Vec<CoordinatorAction>,
}

impl Coordinator {
    /// A coordinator that is `own`, of agents on `hosts`, begun at `now_ns`. The first actions are
    /// those of its first step.
    pub fn new(
        own: Hello,
        options: CoordinatorOptions,
        hosts: &[String],
        now_ns: u64,
    ) -> Coordinator {
        let patience_ms = own.patience_ms;
        let link = |host: &String| Link {
            host: host.clone(),
            state: LinkState::Greeting,
            hello: None,
            trips: ClockTrips::default(),
            pings: Vec::new(),
            pinged_ns: now_ns,
            heard_ns: now_ns,
            last_id: 0,
            was_started: false,
            outcome: AgentOutcome::LeftOut,
            lost: None,
        };
        let hello = WireFrame::Hello(Hello { patience_ms, ..own.clone() });
        let greet = |at| CoordinatorAction::Send(at, hello.clone());
        Coordinator {
            own,
            options,
            links: hosts.iter().map(link).collect(),
            ready: false,
            phase: "connecting".to_owned(),
            together: false,
            whole: false,
            poised: false,
            round_limit_ns: None,
            stopped_ns: None,
            parting_ns: None,
            gone: false,
            actions: (0..hosts.len()).map(greet).collect(),
        }
    }

    /// Takes an input at `now_ns`, and returns the actions, in order.
    pub fn step(&mut self, now_ns: u64, input: CoordinatorInput) -> Vec<CoordinatorAction> {
        match input {
            CoordinatorInput::Frame(at, frame) => self.frame(now_ns, at, frame),
            CoordinatorInput::Closed(at, why) => self.closed(at, why),
            CoordinatorInput::Opening(at) => self.opening(now_ns, at),
            CoordinatorInput::Round(round) => self.begin(now_ns, round),
            CoordinatorInput::StartAt(at_ns) => self.start(now_ns, at_ns),
            CoordinatorInput::Stop => self.stop(now_ns),
            CoordinatorInput::Bye => self.part(now_ns),
            CoordinatorInput::Tick => self.tick(now_ns),
        }
        self.check_ready();
        self.check_clients(now_ns);
        self.check_poised();
        self.check_round();
        self.check_gone();
        std::mem::take(&mut self.actions)
    }

    /// The moment of its next tick.
    pub fn wake_ns(&self) -> u64 {
        let link = |link: &Link| match link.state {
            LinkState::Gone => u64::MAX,
            LinkState::Greeting => link.heard_ns.saturating_add(self.options.greeting_ns),
            _ => {
                let silence_ns = link.heard_ns.saturating_add(self.options.patience_ns);
                silence_ns.min(link.pinged_ns.saturating_add(PING_NS)).min(self.hang_ns(link).0)
            }
        };
        let parting_ns = self.parting_ns.map_or(u64::MAX, |at| at.saturating_add(BYE_NS));
        self.links.iter().map(link).min().unwrap_or(u64::MAX).min(parting_ns)
    }

    /// Whether an agent is still there.
    pub fn lives(&self, at: usize) -> bool {
        self.links.get(at).is_some_and(Link::lives)
    }

    /// How many agents are still there.
    pub fn clients(&self) -> usize {
        self.links.iter().filter(|link| link.lives()).count()
    }

    /// The greeting of an agent.
    pub fn hello(&self, at: usize) -> Option<&Hello> {
        self.links.get(at)?.hello.as_ref()
    }

    /// How far its clock is from this one.
    pub fn clock(&self, at: usize) -> Option<ClockOffset> {
        self.links.get(at)?.trips.offset()
    }

    /// How it was lost.
    pub fn loss(&self, at: usize) -> Option<&AgentLoss> {
        self.links.get(at)?.lost.as_ref()
    }

    fn send(&mut self, at: usize, frame: WireFrame) {
        self.actions.push(CoordinatorAction::Send(at, frame));
    }

    fn lose(&mut self, at: usize, kind: LossKind) {
        let link = &mut self.links[at];
        if link.is_busy() {
            link.outcome = AgentOutcome::Lost;
        }
        link.state = LinkState::Gone;
        let loss = AgentLoss { host: link.host.clone(), phase: self.phase.clone(), kind };
        link.lost = Some(loss.clone());
        self.actions.push(CoordinatorAction::Lost(at, loss));
        self.actions.push(CoordinatorAction::Cut(at));
    }

    fn closed(&mut self, at: usize, kind: LossKind) {
        let Some(link) = self.links.get_mut(at) else { return };
        match (&link.state, kind) {
            (LinkState::Gone, _) => {}
            (LinkState::Greeting, LossKind::Closed(why)) => {
                self.lose(at, LossKind::Unreachable(why));
            }
            (_, kind) => self.lose(at, kind),
        }
    }

    /// Its turn may come late, and a slow line may take longer for a binary than for a greeting.
    fn opening(&mut self, now_ns: u64, at: usize) {
        if let Some(link) = self.links.get_mut(at).filter(|link| link.state == LinkState::Greeting)
        {
            link.heard_ns = now_ns;
        }
    }

    fn ping(&mut self, now_ns: u64, at: usize) {
        let link = &mut self.links[at];
        link.pinged_ns = now_ns;
        link.pings.push(now_ns);
        self.send(at, WireFrame::Ping { sent_ns: now_ns });
    }

    fn frame(&mut self, now_ns: u64, at: usize, frame: WireFrame) {
        let Some(link) = self.links.get_mut(at).filter(|link| link.lives()) else { return };
        link.heard_ns = now_ns;
        match (&mut link.state, frame) {
            (LinkState::Greeting, WireFrame::Hello(hello)) => {
                link.hello = Some(hello);
                link.state = LinkState::Timing;
                self.ping(now_ns, at);
            }
            (LinkState::Greeting, other) => self.out_of_order(at, &other),
            (_, WireFrame::Pong { sent_ns, clock_ns }) => {
                self.pong(now_ns, at, (sent_ns, clock_ns))
            }
            (LinkState::Busy { id, .. }, WireFrame::Event { id: of, body }) if *id == of => {
                self.actions.push(CoordinatorAction::Event(at, body));
            }
            (LinkState::Busy { id, .. }, WireFrame::Reply { id: of, span_ns, body })
                if *id == of =>
            {
                link.reply(span_ns, body);
            }
            (LinkState::Busy { id, is_ready, .. }, WireFrame::Ready { id: of })
                if *id == of && self.together && !*is_ready =>
            {
                *is_ready = true;
            }
            (LinkState::Parting, WireFrame::Bye) => {
                link.state = LinkState::Gone;
                self.actions.push(CoordinatorAction::Cut(at));
            }
            (
                LinkState::Parting,
                WireFrame::Event { .. } | WireFrame::Reply { .. } | WireFrame::Ready { .. },
            ) => {}
            (_, other) => self.out_of_order(at, &other),
        }
    }

    fn pong(&mut self, now_ns: u64, at: usize, (sent_ns, clock_ns): (u64, u64)) {
        let link = &mut self.links[at];
        let Some(of) = link.pings.iter().position(|ping| *ping == sent_ns) else {
            return self.out_of_order(at, &WireFrame::Pong { sent_ns, clock_ns });
        };
        // Pongs arrive in the order of their pings.
        link.pings.drain(..=of);
        link.trips.add(sent_ns, now_ns, clock_ns);
        if link.state == LinkState::Timing {
            match link.trips.len() < FIRST_TRIPS {
                true => self.ping(now_ns, at),
                false => link.state = LinkState::Idle,
            }
        }
    }

    fn out_of_order(&mut self, at: usize, frame: &WireFrame) {
        let why = format!("it sent a {} out of order", frame.word());
        self.lose(at, LossKind::Protocol(why));
    }

    fn begin(&mut self, now_ns: u64, round: Round) {
        self.phase = round.phase;
        self.round_limit_ns = Some(round.limit_ns);
        self.stopped_ns = None;
        (self.together, self.whole) = (round.together, round.whole);
        self.poised = false;
        let calls = round.calls.into_iter().chain(std::iter::repeat(None));
        for (at, call) in calls.take(self.links.len()).enumerate() {
            let link = &mut self.links[at];
            (link.outcome, link.was_started) = (AgentOutcome::LeftOut, false);
            let Some(body) = call else { continue };
            if link.state != LinkState::Idle {
                link.outcome = AgentOutcome::Lost;
                continue;
            }
            link.last_id += 1;
            let id = link.last_id;
            link.state = LinkState::Busy { id, since_ns: now_ns, is_ready: false };
            self.send(at, WireFrame::Call { id, together: round.together, body });
        }
    }

    /// Whether agents are at it, and each of them waits for its start.
    fn all_wait(&self) -> bool {
        let waits = |link: &Link| matches!(link.state, LinkState::Busy { is_ready: true, .. });
        let mut busy = self.links.iter().filter(|link| link.is_busy()).peekable();
        self.stopped_ns.is_none() && busy.peek().is_some() && busy.all(waits)
    }

    fn check_poised(&mut self) {
        if self.all_wait() && !std::mem::replace(&mut self.poised, true) {
            self.actions.push(CoordinatorAction::Poised);
        }
    }

    /// Sends all waiting agents one moment to begin: `from_ns`, or the first that reaches all of
    /// them in time.
    fn start(&mut self, now_ns: u64, from_ns: u64) {
        if !std::mem::take(&mut self.poised) || !self.all_wait() {
            return;
        }
        let trip_ns = |link: &Link| link.trips.offset().map_or(0, |clock| 2 * clock.error_ns);
        let slowest_ns = self.links.iter().filter(|link| link.is_busy()).map(trip_ns).max();
        let at_ns = now_ns.saturating_add(slowest_ns.unwrap_or(0).saturating_mul(2));
        let at_ns = at_ns.saturating_add(LEAD_NS).max(from_ns);
        for at in 0..self.links.len() {
            let link = &mut self.links[at];
            let LinkState::Busy { id, .. } = link.state else { continue };
            link.state = LinkState::Busy { id, since_ns: now_ns, is_ready: false };
            link.was_started = true;
            let at_ns = link.trips.offset().map_or(0, |clock| clock.to_agent_ns(at_ns));
            self.send(at, WireFrame::Start { id, at_ns });
        }
    }

    fn stop(&mut self, now_ns: u64) {
        if self.round_limit_ns.is_none() || self.stopped_ns.is_some() {
            return;
        }
        self.stopped_ns = Some(now_ns);
        for at in 0..self.links.len() {
            if self.links[at].is_busy() {
                self.send(at, WireFrame::Stop);
            }
        }
    }

    fn part(&mut self, now_ns: u64) {
        self.phase = "parting".to_owned();
        self.parting_ns = Some(now_ns);
        for at in 0..self.links.len() {
            let link = &mut self.links[at];
            match link.state {
                LinkState::Gone | LinkState::Parting => {}
                // It has not greeted: there is nothing that a goodbye could end.
                LinkState::Greeting => {
                    link.state = LinkState::Gone;
                    self.actions.push(CoordinatorAction::Cut(at));
                }
                _ => {
                    if link.is_busy() {
                        link.outcome = AgentOutcome::Lost;
                    }
                    link.state = LinkState::Parting;
                    self.send(at, WireFrame::Bye);
                }
            }
        }
    }

    /// When a link's call is taken to hang, and after how long.
    fn hang_ns(&self, link: &Link) -> (u64, u64) {
        let LinkState::Busy { since_ns, is_ready, .. } = link.state else { return (u64::MAX, 0) };
        let limit_ns = self.round_limit_ns.unwrap_or(u64::MAX);
        // One that is ready waits for the others.
        let by_limit = match is_ready {
            true => (u64::MAX, limit_ns),
            false => (since_ns.saturating_add(limit_ns), limit_ns),
        };
        match self.stopped_ns {
            Some(at) => by_limit.min((at.saturating_add(STOP_NS), STOP_NS)),
            None => by_limit,
        }
    }

    fn tick(&mut self, now_ns: u64) {
        for at in 0..self.links.len() {
            let link = &self.links[at];
            let (hang_ns, limit_ns) = self.hang_ns(link);
            let silence_ns = now_ns.saturating_sub(link.heard_ns);
            let patience_ns = match link.state {
                LinkState::Gone => continue,
                LinkState::Greeting => self.options.greeting_ns,
                _ => self.options.patience_ns,
            };
            if silence_ns >= patience_ns {
                self.lose(at, LossKind::Silent(silence_ns / 1_000_000));
            } else if now_ns >= hang_ns {
                self.lose(at, LossKind::Hung(limit_ns / 1_000_000));
            } else if link.state != LinkState::Greeting && now_ns >= link.pinged_ns + PING_NS {
                self.ping(now_ns, at);
            }
        }
        if self.parting_ns.is_some_and(|at| now_ns >= at.saturating_add(BYE_NS)) {
            for at in 0..self.links.len() {
                if self.links[at].lives() {
                    self.lose(at, LossKind::Silent(BYE_NS / 1_000_000));
                }
            }
        }
    }

    fn check_ready(&mut self) {
        let is_set = |link: &Link| !matches!(link.state, LinkState::Greeting | LinkState::Timing);
        if !self.ready && self.links.iter().all(is_set) {
            self.ready = true;
            self.actions.push(CoordinatorAction::Ready);
        }
    }

    fn check_clients(&mut self, now_ns: u64) {
        let able = |link: &&Link| link.lives() && !(self.whole && link.cannot_begin());
        if self.links.iter().filter(able).count() < self.options.min_clients {
            self.stop(now_ns);
        }
    }

    fn check_round(&mut self) {
        if self.round_limit_ns.is_none() || self.links.iter().any(Link::is_busy) {
            return;
        }
        self.round_limit_ns = None;
        let take = |link: &mut Link| std::mem::replace(&mut link.outcome, AgentOutcome::LeftOut);
        let outcomes = self.links.iter_mut().map(take).collect();
        self.actions.push(CoordinatorAction::Over(outcomes));
    }

    fn check_gone(&mut self) {
        if self.parting_ns.is_some() && !self.gone && !self.links.iter().any(Link::lives) {
            self.gone = true;
            self.actions.push(CoordinatorAction::Gone);
        }
    }

    /// The identity of this side.
    pub fn own(&self) -> &Hello {
        &self.own
    }
}
