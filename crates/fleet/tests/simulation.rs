//! Whole fleets in one thread, from a seed: each ends with every result accounted for and every
//! agent told to stop, or known to be lost.
//!
//! `FATHOM_FLEET_SEEDS=100000 cargo test -p fathom-fleet` runs more than the usual ten thousand;
//! `FATHOM_FLEET_SEED=7` runs that one again, and prints what happened.

use crate::network::{Arrival, Chance, Fault, SimAgent};
use fathom_fleet::{
    AgentEnd, AgentOutcome, Coordinator, CoordinatorAction, CoordinatorInput, CoordinatorOptions,
    FrameDecoder, Hello, LossKind, Round, WireFrame,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

const SECOND_NS: u64 = 1_000_000_000;
const PATIENCE_NS: u64 = 4 * SECOND_NS;
/// The coordinator's clock when the agents' true clock is zero.
const EPOCH_NS: u64 = 77 * SECOND_NS;

struct World {
    chance: Chance,
    now_ns: u64,
    coordinator: Coordinator,
    agents: Vec<SimAgent>,
    decoders: Vec<FrameDecoder>,
    /// Connections that the coordinator ended.
    cut: Vec<bool>,
    rounds: Vec<Vec<AgentOutcome>>,
    events: usize,
    ready: bool,
    /// Whether agents wait for a common start.
    poised: bool,
    gone: bool,
    stop_at_ns: u64,
    /// Whether a round was told to stop.
    stopped: bool,
    min_clients: usize,
    loud: bool,
}

fn fault(chance: &mut Chance) -> Fault {
    let at_ns = chance.below(8 * SECOND_NS);
    match chance.below(12) {
        0 => Fault::Cut(at_ns),
        1 => Fault::Damage(at_ns),
        2 => Fault::Silence(at_ns),
        3 => Fault::Hang,
        4 => Fault::Lie(chance.below(6)),
        _ => Fault::None,
    }
}

impl World {
    fn new(seed: u64, loud: bool) -> World {
        let mut chance = Chance(seed);
        let count = 1 + chance.below(7) as usize;
        let agents: Vec<SimAgent> = (0..count)
            .map(|_| {
                let fault = fault(&mut chance);
                SimAgent::new(&mut chance, fault)
            })
            .collect();
        let min_clients = chance.below(count as u64 + 1) as usize;
        let options = CoordinatorOptions {
            greeting_ns: 30 * SECOND_NS,
            patience_ns: PATIENCE_NS,
            min_clients,
        };
        let hosts: Vec<String> = (0..count).map(|at| format!("host{at}")).collect();
        let own = Hello { patience_ms: 4000, ..Hello::default() };
        World {
            coordinator: Coordinator::new(own, options, &hosts, EPOCH_NS),
            decoders: (0..count).map(|_| FrameDecoder::default()).collect(),
            cut: vec![false; count],
            agents,
            now_ns: 0,
            rounds: Vec::new(),
            events: 0,
            ready: false,
            poised: false,
            gone: false,
            stop_at_ns: if chance.one_in(4) { chance.below(9 * SECOND_NS) } else { u64::MAX },
            stopped: false,
            min_clients,
            loud,
            chance,
        }
    }

    fn tell(&mut self, input: CoordinatorInput) {
        for action in self.coordinator.step(EPOCH_NS + self.now_ns, input) {
            if self.loud {
                println!("{:>12} {action:?}", self.now_ns / 1000);
            }
            match action {
                CoordinatorAction::Send(at, frame) => {
                    self.stopped |= frame == WireFrame::Stop;
                    let latency_ns = self.agents[at].latency_ns;
                    let jitter_ns = self.chance.below(latency_ns + 1);
                    let bytes = frame.to_bytes().unwrap();
                    self.agents[at].inward.send(self.now_ns, latency_ns + jitter_ns, bytes);
                }
                CoordinatorAction::Cut(at) => {
                    self.cut[at] = true;
                    self.agents[at].inward.close(self.now_ns);
                }
                CoordinatorAction::Lost(..) => {}
                CoordinatorAction::Ready => self.ready = true,
                CoordinatorAction::Event(..) => self.events += 1,
                CoordinatorAction::Poised => self.poised = true,
                CoordinatorAction::Over(outcomes) => self.rounds.push(outcomes),
                CoordinatorAction::Gone => self.gone = true,
            }
        }
    }

    fn next_ns(&self) -> u64 {
        let coordinator_ns = self.coordinator.wake_ns().saturating_sub(EPOCH_NS);
        let coordinator_ns = if self.gone { u64::MAX } else { coordinator_ns };
        let of = |(agent, cut): (&SimAgent, &bool)| {
            let heard_ns = if *cut { u64::MAX } else { agent.outward.next_ns() };
            let fault_ns = match agent.fault {
                Fault::Cut(at_ns) => at_ns,
                _ => u64::MAX,
            };
            agent.wake_ns(self.now_ns).min(heard_ns).min(fault_ns)
        };
        let agents_ns = self.agents.iter().zip(&self.cut).map(of).min().unwrap_or(u64::MAX);
        agents_ns.min(coordinator_ns).min(self.stop_at_ns)
    }

    /// Goes on to the next moment at which something happens.
    fn advance(&mut self) {
        self.now_ns = self.next_ns().max(self.now_ns);
        if self.stop_at_ns <= self.now_ns {
            self.stop_at_ns = u64::MAX;
            self.tell(CoordinatorInput::Stop);
        }
        for at in 0..self.agents.len() {
            if matches!(self.agents[at].fault, Fault::Cut(at_ns) if at_ns <= self.now_ns) {
                let agent = &mut self.agents[at];
                agent.fault = Fault::None;
                agent.inward.cut(self.now_ns, &mut self.chance);
                agent.outward.cut(self.now_ns, &mut self.chance);
            }
            self.agents[at].wake(self.now_ns, &mut self.chance);
            self.hear(at);
        }
        if std::mem::take(&mut self.poised) {
            // At once, or when a coordinator above says so.
            let later_ns = self.chance.below(2) * self.chance.below(SECOND_NS);
            self.tell(CoordinatorInput::StartAt(EPOCH_NS + self.now_ns + later_ns));
        }
        self.tell(CoordinatorInput::Tick);
    }

    fn hear(&mut self, at: usize) {
        while let Some(arrival) = self.agents[at].outward.take(self.now_ns) {
            let ended = match arrival {
                Arrival::Bytes(bytes) => {
                    self.decoders[at].push(&bytes);
                    false
                }
                Arrival::End => true,
            };
            loop {
                match self.decoders[at].next_frame() {
                    Ok(Some(frame)) => self.tell(CoordinatorInput::Frame(at, frame)),
                    Ok(None) => break,
                    Err(why) => {
                        let why = LossKind::Protocol(why.to_string());
                        self.tell(CoordinatorInput::Closed(at, why));
                        break;
                    }
                }
            }
            if ended {
                let why = self.decoders[at].finish().err();
                let why = why.map_or_else(|| "it ended".to_owned(), |why| why.to_string());
                self.tell(CoordinatorInput::Closed(at, LossKind::Closed(why)));
            }
        }
    }

    /// Until `done`; what takes an hour never ends.
    fn advance_until(&mut self, done: impl Fn(&World) -> bool) {
        while !done(self) {
            assert!(self.next_ns() < 3600 * SECOND_NS, "it waits for nothing");
            self.advance();
        }
    }

    fn round(&mut self, number: usize) {
        let call = format!("call {number}").into_bytes();
        let calls = self.agents.iter().map(|_| Some(call.clone())).collect();
        let together = self.chance.one_in(2);
        let phase = format!("running {number}");
        let limit_ns = 20 * SECOND_NS;
        self.tell(CoordinatorInput::Round(Round {
            phase,
            calls,
            together,
            whole: false,
            reply_bytes: u32::MAX,
            limit_ns,
        }));
        self.advance_until(|world| world.rounds.len() > number);
        self.account(number, &call, together);
    }

    /// Every agent's result is there, or it is known how the agent was lost.
    fn account(&self, number: usize, call: &[u8], together: bool) {
        for (at, outcome) in self.rounds[number].iter().enumerate() {
            let agent = &self.agents[at];
            match outcome {
                // Whatever is left of a damaged reply: who reads it finds that it is none.
                AgentOutcome::Replied { .. } if matches!(agent.fault, Fault::Damage(_)) => {}
                AgentOutcome::Replied { body, .. } => {
                    assert_eq!(body, &[b"done ".as_slice(), call].concat());
                    assert!(agent.replies.contains(body));
                }
                AgentOutcome::Lost => {
                    let loss = self.coordinator.loss(at).expect("a loss has a reason");
                    let text = loss.to_string();
                    assert!(text.starts_with(&format!("host{at}: ")), "{text}");
                }
                AgentOutcome::LeftOut => panic!("agent {at} was asked"),
            }
        }
        if together {
            self.check_start(call);
        }
    }

    /// Those that began together did so within the errors of their clocks, and what these drift.
    fn check_start(&self, call: &[u8]) {
        let sound = |at: &usize| self.agents[*at].fault == Fault::None;
        let begun = |at: usize| {
            let (_, at_ns) = self.agents[at].begun.iter().find(|(begun, _)| begun == call)?;
            Some((*at_ns, self.coordinator.clock(at)?.error_ns))
        };
        let starts: Vec<_> = (0..self.agents.len()).filter(sound).filter_map(begun).collect();
        // A stop begins at once what waits for its moment.
        if self.stopped {
            return;
        }
        for (a, b) in starts.iter().zip(starts.iter().skip(1)) {
            let drift_ns = 17 * 100_000 + 2000;
            let apart_ns = a.0.abs_diff(b.0);
            let within = apart_ns <= a.1 + b.1 + drift_ns;
            assert!(within, "{apart_ns} ns apart: {a:?} {b:?}");
        }
    }

    fn check_end(&self) {
        for (at, agent) in self.agents.iter().enumerate() {
            let still = agent.stands_still(self.now_ns);
            assert!(agent.end.is_some() || still, "agent {at} goes on: {:?}", agent.fault);
            let lost = self.coordinator.loss(at);
            assert!(agent.end == Some(AgentEnd::Farewell) || lost.is_some(), "agent {at}");
        }
    }
}

fn simulate(seed: u64, loud: bool) -> World {
    let mut world = World::new(seed, loud);
    world.tell(CoordinatorInput::Tick);
    world.advance_until(|world| world.ready);
    for number in 0..3 {
        if world.coordinator.clients() < world.min_clients.max(1) {
            break;
        }
        world.round(number);
    }
    world.tell(CoordinatorInput::Bye);
    world.advance_until(|world| world.gone);
    // Who was not reached by the goodbye gives up by itself.
    let over = |agent: &SimAgent, now_ns| agent.agent.is_over() || agent.stands_still(now_ns);
    world.advance_until(|world| world.agents.iter().all(|agent| over(agent, world.now_ns)));
    world.check_end();
    world
}

#[test]
fn every_seed_ends_with_every_result_accounted_for() {
    let number = |name| std::env::var(name).ok().map(|text: String| text.parse::<u64>().unwrap());
    if let Some(seed) = number("FATHOM_FLEET_SEED") {
        simulate(seed, true);
        return;
    }
    let seeds = number("FATHOM_FLEET_SEEDS").unwrap_or(10_000);
    let (mut replies, mut losses, mut events) = (0, 0, 0);
    for seed in 0..seeds {
        let world = catch_unwind(AssertUnwindSafe(|| simulate(seed, false)));
        let Ok(world) = world else {
            panic!(
                "seed {seed} fails; see it again: FATHOM_FLEET_SEED={seed} cargo test \
                    -p fathom-fleet simulation -- --nocapture"
            );
        };
        let outcomes = world.rounds.iter().flatten();
        replies += outcomes.filter(|of| matches!(of, AgentOutcome::Replied { .. })).count();
        losses +=
            (0..world.agents.len()).filter(|at| world.coordinator.loss(*at).is_some()).count();
        events += world.events;
    }
    // Faults and results both came about, or nothing was tried.
    assert!(replies as u64 > seeds && losses as u64 > seeds / 2 && events > 0);
}

#[test]
fn a_sound_fleet_loses_nobody_and_starts_within_a_millisecond() {
    for seed in 0..50 {
        let mut world = World::new(seed, false);
        world.stop_at_ns = u64::MAX;
        for agent in &mut world.agents {
            (agent.fault, agent.latency_ns) = (Fault::None, agent.latency_ns.min(200_000));
        }
        world.tell(CoordinatorInput::Tick);
        world.advance_until(|world| world.ready);
        let calls = world.agents.iter().map(|_| Some(b"go".to_vec())).collect();
        let round = together(calls, false);
        world.tell(CoordinatorInput::Round(round));
        world.advance_until(|world| !world.rounds.is_empty());
        let starts: Vec<u64> = world.agents.iter().map(|agent| agent.begun[0].1).collect();
        let skew_ns = starts.iter().max().unwrap() - starts.iter().min().unwrap();
        assert!(skew_ns < 1_000_000, "seed {seed}: {skew_ns} ns apart");
        let ready_ns = world.agents.iter().map(|agent| agent.was_ready_ns).max().unwrap();
        assert!(starts.iter().all(|at_ns| *at_ns > ready_ns), "seed {seed}: before all are ready");
        assert!((0..starts.len()).all(|at| world.coordinator.loss(at).is_none()), "seed {seed}");
    }
}

/// A round for which all begin together, `whole` or not.
fn together(calls: Vec<Option<Vec<u8>>>, whole: bool) -> Round {
    let (phase, limit_ns) = ("running".to_owned(), u64::MAX);
    Round { phase, calls, together: true, whole, reply_bytes: u32::MAX, limit_ns }
}

/// What a coordinator of two does once the second cannot begin and the first is ready.
fn after_one_cannot_begin(whole: bool, min_clients: usize) -> Vec<CoordinatorAction> {
    let options = CoordinatorOptions { greeting_ns: u64::MAX, patience_ns: u64::MAX, min_clients };
    let hosts = ["one".to_owned(), "other".to_owned()];
    let mut coordinator = Coordinator::new(Hello::default(), options, &hosts, 0);
    for at in 0..2 {
        let mut actions =
            coordinator.step(0, CoordinatorInput::Frame(at, WireFrame::Hello(Hello::default())));
        while let Some(CoordinatorAction::Send(_, WireFrame::Ping { sent_ns })) = actions.pop() {
            let pong = WireFrame::Pong { sent_ns, clock_ns: 0 };
            actions = coordinator.step(0, CoordinatorInput::Frame(at, pong));
        }
    }
    let call = || Some(b"go".to_vec());
    coordinator.step(0, CoordinatorInput::Round(together(vec![call(), call()], whole)));
    let reply = WireFrame::Reply { id: 1, span_ns: (0, 0), body: b"no".to_vec() };
    let mut actions = coordinator.step(0, CoordinatorInput::Frame(1, reply));
    let ready = WireFrame::Ready { id: 1 };
    actions.extend(coordinator.step(0, CoordinatorInput::Frame(0, ready)));
    actions
}

#[test]
fn a_whole_round_that_too_few_can_begin_ends_for_all() {
    let stops = vec![CoordinatorAction::Send(0, WireFrame::Stop)];
    assert_eq!(after_one_cannot_begin(true, 2), stops);
    // One is enough, or each does what it can.
    assert_eq!(after_one_cannot_begin(true, 1), [CoordinatorAction::Poised]);
    assert_eq!(after_one_cannot_begin(false, 2), [CoordinatorAction::Poised]);
}
