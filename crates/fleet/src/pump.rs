//! The thread that drives a coordinator on real pipes: agents must be pinged also while no work is
//! running.

use crate::agent_binaries::AgentBinaries;
use crate::coordinator::{
    AgentOutcome, Coordinator, CoordinatorAction, CoordinatorInput, CoordinatorOptions,
};
use crate::hello::Hello;
use crate::link::LinkProcess;
use crate::link_child::{HostCommands, LinkNews};
use crate::link_opening::LinkOwner;
use crate::loss::{AgentLoss, LossKind};
use crate::turns::ConnectionTurns;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Maximum queued frames of agents; beyond it their pipes block.
const QUEUE: usize = 256;

/// A report of a pump.
#[derive(Debug)]
pub(crate) enum PumpReport {
    /// An agent is lost.
    Lost(usize, AgentLoss),
    /// Every agent has greeted or is lost; with the greetings.
    Ready(Vec<Option<Hello>>),
    /// Something happened on an agent.
    Event(usize, Vec<u8>),
    /// Agents wait for [`CoordinatorInput::StartAt`].
    Poised,
    /// A round is over.
    Over(Vec<AgentOutcome>),
    /// Every connection is ended.
    Gone,
}

/// A pump, and the ends of its channels.
#[derive(Debug)]
pub(crate) struct Pump {
    pub(crate) inputs: SyncSender<CoordinatorInput>,
    pub(crate) reports: Receiver<PumpReport>,
    /// The zero of the coordinator's clock.
    begun: Instant,
    thread: Option<JoinHandle<()>>,
}

impl Pump {
    /// Connects to agents on `hosts` by their `commands`.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(crate) fn start(
        (own, binaries): (Hello, Arc<AgentBinaries>),
        options: CoordinatorOptions,
        hosts: Vec<String>,
        commands: Vec<HostCommands>,
    ) -> std::io::Result<Pump> {
        let (inputs, queue) = sync_channel(QUEUE);
        let (to, reports) = sync_channel(QUEUE + 4 * hosts.len());
        let (own_inputs, begun) = (inputs.clone(), Instant::now());
        let run = move || {
            let pump = PumpThread::new(own, (options, begun), &hosts, commands, to);
            pump.run(binaries, own_inputs, &queue);
        };
        let thread = thread::Builder::new().name("coordinator".to_owned()).spawn(run)?;
        Ok(Pump { inputs, reports, begun, thread: Some(thread) })
    }

    /// A moment by the coordinator's clock, in nanoseconds.
    pub(crate) fn clock_ns(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.begun);
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }

    /// Waits until the connections are ended.
    pub(crate) fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct PumpThread {
    coordinator: Coordinator,
    start: Instant,
    commands: Vec<HostCommands>,
    links: Vec<Option<LinkProcess>>,
    /// Agents that were lost once they were there.
    lost: Vec<bool>,
    ending: Vec<JoinHandle<()>>,
    reports: SyncSender<PumpReport>,
    gone: bool,
}

impl PumpThread {
    fn new(
        own: Hello,
        (options, start): (CoordinatorOptions, Instant),
        hosts: &[String],
        commands: Vec<HostCommands>,
        reports: SyncSender<PumpReport>,
    ) -> PumpThread {
        PumpThread {
            coordinator: Coordinator::new(own, options, hosts, 0),
            start,
            lost: vec![false; hosts.len()],
            commands,
            links: Vec::new(),
            ending: Vec::new(),
            reports,
            gone: false,
        }
    }

    fn run(
        mut self,
        binaries: Arc<AgentBinaries>,
        inputs: SyncSender<CoordinatorInput>,
        queue: &Receiver<CoordinatorInput>,
    ) {
        let (hello, turns) = (self.coordinator.own().clone(), ConnectionTurns::default());
        let owner = Arc::new(LinkOwner { hello, binaries, turns });
        for (at, commands) in self.commands.drain(..).enumerate() {
            let to = inputs.clone();
            let news = move |news| {
                let input = match news {
                    LinkNews::Frame(frame) => CoordinatorInput::Frame(at, frame),
                    LinkNews::Opening => CoordinatorInput::Opening(at),
                    LinkNews::Ended(why) => CoordinatorInput::Closed(at, why),
                };
                to.send(input).is_ok()
            };
            let link = LinkProcess::start(commands, owner.clone(), Arc::new(news));
            self.links.push(Some(link));
        }
        self.step(CoordinatorInput::Tick);
        drop(inputs);
        while !self.gone {
            let input = self.next(queue);
            self.step(input);
        }
        self.links.clear();
        self.ending.drain(..).for_each(|thread| drop(thread.join()));
    }

    /// The next input. A tick follows only once the queue is empty: after this process was stopped,
    /// frames that agents sent meanwhile count before their silence does.
    fn next(&self, queue: &Receiver<CoordinatorInput>) -> CoordinatorInput {
        match queue.try_recv() {
            Ok(input) => return input,
            Err(TryRecvError::Disconnected) => return CoordinatorInput::Bye,
            Err(TryRecvError::Empty) => {}
        }
        let wait_ns = self.coordinator.wake_ns().saturating_sub(self.now_ns());
        match queue.recv_timeout(Duration::from_nanos(wait_ns)) {
            Ok(input) => input,
            Err(RecvTimeoutError::Timeout) => CoordinatorInput::Tick,
            Err(RecvTimeoutError::Disconnected) => CoordinatorInput::Bye,
        }
    }

    fn now_ns(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn step(&mut self, input: CoordinatorInput) {
        if let CoordinatorInput::Round(round) = &input {
            self.links.iter().flatten().for_each(|link| link.limit_replies(round.reply_bytes));
        }
        for action in self.coordinator.step(self.now_ns(), input) {
            self.act(action);
        }
    }

    fn act(&mut self, action: CoordinatorAction) {
        match action {
            CoordinatorAction::Send(at, frame) => {
                if let Some(link) = self.links.get(at).and_then(Option::as_ref) {
                    link.send(frame);
                }
            }
            CoordinatorAction::Cut(at) => {
                let link = self.links.get_mut(at).and_then(Option::take);
                self.ending.extend(link.map(|link| link.end(self.lost[at])));
            }
            CoordinatorAction::Lost(at, loss) => {
                self.lost[at] = !matches!(loss.kind, LossKind::Unreachable(_));
                self.report(PumpReport::Lost(at, loss));
            }
            CoordinatorAction::Ready => {
                let hello = |at| self.coordinator.hello(at).cloned();
                self.report(PumpReport::Ready((0..self.links.len()).map(hello).collect()));
            }
            // A live event without a receiver is dropped; the result is complete.
            CoordinatorAction::Event(at, body) => {
                let _ = self.reports.try_send(PumpReport::Event(at, body));
            }
            CoordinatorAction::Poised => self.report(PumpReport::Poised),
            CoordinatorAction::Over(outcomes) => self.report(PumpReport::Over(outcomes)),
            CoordinatorAction::Gone => {
                self.gone = true;
                self.report(PumpReport::Gone);
            }
        }
    }

    fn report(&self, report: PumpReport) {
        // The caller may be gone; the agents get a goodbye anyway.
        let _ = self.reports.send(report);
    }
}

/// Why a pump answers no more.
pub(crate) fn no_pump() -> LossKind {
    LossKind::Closed("the coordinator's thread ended".to_owned())
}
