//! Machines over pipes, as one: each call goes to an agent on each host at once.
//!
//! Decided here:
//! - One host is that host: its answers are returned unchanged. Several hosts get the same calls,
//!   run each order at a common moment, and their results are merged.
//! - Each host has its own test file, and generated file names begin with the host's, as in fio's
//!   client mode; files that a job names are shared.
//! - Each host draws different offsets from the order's number; otherwise the second client would
//!   find the first one's data in a cache.
//! - An order for fewer clients runs on the first living hosts.
//! - `fathom clean` removes files of a killed agent, because it knows which are proved ours.
//! - A relay is a host that coordinates hosts below it, for fleets larger than one machine's
//!   connections. Its hosts' results appear as if they came from here. It reports the number of its
//!   remaining hosts in its greeting and by the spans of each run's result.
//! - Of a lost host only its own figures are missing. Below the minimum number of clients all stop,
//!   and results so far are returned.

use crate::agent_binaries::AgentBinaries;
use crate::agent_copy::CopyCommand;
use crate::client_files::{HostVolume, client_files};
use crate::client_range::{ClientRange, chosen_widths, least_connections};
use crate::coordinator::{AgentOutcome, CoordinatorInput, CoordinatorOptions, Round};
use crate::frame::WireFrame;
use crate::hello::Hello;
use crate::link_child::HostCommands;
use crate::loss::{self, AgentLoss, LossKind};
use crate::merge::{self, ClientRun, StartMoment};
use crate::pump::{Pump, PumpReport, no_pump};
use crate::rate_share::take_share;
use crate::shared_file::{FileSharing, take_region};
use crate::via::Via;
use fathom_campaign::machine::{
    DataAccess, MachineCall, MachineReply, MachineRun, RunOrder, WireClaim, WireJob, WireOrder,
    event_from_bytes,
};
use fathom_campaign::{
    ClientFiles, ClientRecord, Machine, MachineError, MachineErrorKind, TargetKind, Volume,
    VolumePlan,
};
use fathom_doctor::{Ceiling, DoctorRequest, DoctorStep, HostDiagnosis};
use fathom_host::System;
use fathom_job::JobSpec;
use fathom_monitor::{CounterReading, WatchRequest, Watched};
use fathom_run::{Control, Event, Leftover, Observer};
use fathom_stats::LiveSnapshot;
use fathom_text::{Text, text};
use fathom_vocab::{IoEngine, PingTarget, Target};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long either side waits without a sign of life.
pub const PATIENCE_MS: u64 = 4000;
/// How long a connection and the greeting may take.
const GREETING_NS: u64 = 30_000_000_000;
/// How long a short call may take.
const SHORT_NS: u64 = 50_000_000_000;
/// How long a call that makes or removes files may take, and a run beyond its own time: a volume
/// may be slow, and must not hang for ever.
const LONG_NS: u64 = 900_000_000_000;
/// Maximum bytes of a host's reply to any call but a run: facts and names.
const FACTS_BYTES: u64 = 4 << 20;
/// Maximum bytes a second of a job's result: several times what its series of windows takes.
const SERIES_BYTES: u64 = 64 << 10;
/// The binary on a host's path.
const USUAL_AGENT: &str = "fathom";
/// How often a stop is looked for while agents work.
const POLL: Duration = Duration::from_millis(50);

/// The machines, and how to reach them.
#[derive(Clone, Debug, Default)]
pub struct FleetOptions {
    /// The hosts.
    pub hosts: Vec<String>,
    /// Relays to the hosts, each a coordinator of its part; none means direct connections.
    pub relays: Vec<String>,
    /// The command that reaches them.
    pub via: Via,
    /// The binary on the hosts, if it was named; otherwise it is found on their path, or copied.
    pub agent: Option<String>,
    /// The binaries to copy there.
    pub binaries: Arc<AgentBinaries>,
    /// Whether a binary that is copied stays there.
    pub keeps_agent: bool,
    /// The minimum number of hosts to continue; none means all.
    pub min_clients: Option<usize>,
    /// How the hosts share one file; none means a file for each.
    pub sharing: Option<FileSharing>,
    /// The version of this Fathom.
    pub fathom_version: String,
}

impl FleetOptions {
    /// The commands that reach each host.
    fn commands(&self) -> Result<Vec<HostCommands>, MachineError> {
        if self.agent.is_none() {
            let usual = self.binaries.usual().identity();
            usual.map_err(|why| lost(format!("{why}; name one on the hosts by --agent PATH")))?;
        }
        let agent = self.agent.as_deref().unwrap_or(USUAL_AGENT);
        let commands = |(host, parts): (&String, Vec<String>)| {
            let own = [agent.to_owned(), "agent".to_owned()].into_iter().chain(parts.clone());
            HostCommands {
                agent: self.via.command_words(host, &own.collect::<Vec<_>>()),
                clean: self.via.clean_words(host, agent),
                copy: self.agent.is_none().then(|| CopyCommand {
                    via: self.via.clone(),
                    host: host.clone(),
                    stays: self.keeps_agent,
                    arguments: parts,
                }),
            }
        };
        let below = below(self.hosts.len(), self.relays.len());
        let parts = below.map(|part| self.relay_words(&self.hosts[part]));
        Ok(match self.relays.is_empty() {
            true => self.hosts.iter().map(|host| commands((host, Vec::new()))).collect(),
            false => self.relays.iter().zip(parts).map(commands).collect(),
        })
    }

    /// A relay's arguments for the hosts below it.
    fn relay_words(&self, hosts: &[String]) -> Vec<String> {
        let mut words = vec!["--on".to_owned(), hosts.join(",")];
        if let Via::Command(via) = &self.via {
            let via = shlex::try_join(via.iter().map(String::as_str)).unwrap_or_default();
            words.extend(["--via".to_owned(), via]);
        }
        if let Some(agent) = &self.agent {
            words.extend(["--agent".to_owned(), agent.clone()]);
        }
        if self.keeps_agent {
            words.push("--keep-agent".to_owned());
        }
        // How many are enough is counted over all relays.
        if self.min_clients.is_some() {
            words.extend(["--min-clients".to_owned(), "1".to_owned()]);
        }
        if let Some(sharing) = self.sharing {
            words.push(format!("--shared-file={}", sharing.name()));
        }
        words
    }
}

/// The part of `hosts` that each of `relays` has: as even as can be, in their order.
fn below(hosts: usize, relays: usize) -> impl Iterator<Item = Range<usize>> {
    (0..relays).map(move |at| at * hosts / relays..(at + 1) * hosts / relays)
}

/// How many of `hosts` are behind each connection.
fn planned_widths(hosts: usize, relays: usize) -> Vec<usize> {
    match relays {
        0 => vec![1; hosts],
        _ => below(hosts, relays).map(|part| part.len()).collect(),
    }
}

/// How often hosts refused an order.
#[derive(Clone, Copy, Debug, Default)]
struct RefusalCounts {
    /// Clients that refused the last one.
    last: usize,
    /// Hosts, of all orders.
    ever: usize,
}

/// Receives events about the machines.
pub trait FleetNotice {
    /// A sentence that names its host.
    fn notice(&mut self, sentence: &str);

    /// The same of a host that is lost.
    fn lost(&mut self, host: &str, sentence: &str) {
        let _ = host;
        self.notice(sentence);
    }
}

/// The result of one host.
#[derive(Debug)]
pub struct HostRun {
    /// The host.
    pub host: String,
    /// Its result.
    pub run: MachineRun,
}

/// Machines over pipes.
pub struct FleetMachine {
    hosts: Vec<String>,
    /// How many machines that live measure behind each of them.
    widths: Vec<usize>,
    lives: Vec<bool>,
    losses: Vec<AgentLoss>,
    /// How many of them were told.
    told_losses: usize,
    min_clients: usize,
    sharing: Option<FileSharing>,
    /// How many ran the last order.
    clients: u32,
    /// What is known of each host: empty systems until they are asked for.
    records: Vec<ClientRecord>,
    /// The boot of each host's kernel, by which hosts on one kernel are known.
    boot_ids: Vec<String>,
    /// Whether the next order begins on all or on none.
    begins_whole: bool,
    refusals: RefusalCounts,
    /// When the last order was to begin.
    started: StartMoment,
    /// How many lines each host watches.
    watched: Vec<usize>,
    /// Paths of test files, as planned.
    claimed: Vec<PathBuf>,
    ping: Option<PingTarget>,
    control: Arc<Control>,
    notice: Box<dyn FleetNotice + Send>,
    pump: Pump,
}

impl FleetMachine {
    /// Connects to all hosts.
    ///
    /// # Errors
    /// If a required host cannot be reached: the host, the reason, and advice.
    pub fn connect(
        options: FleetOptions,
        control: Arc<Control>,
        notice: Box<dyn FleetNotice + Send>,
    ) -> Result<FleetMachine, MachineError> {
        let own = Hello::own(&options.fathom_version, PATIENCE_MS);
        let commands = options.commands()?;
        let FleetOptions { hosts, relays, min_clients, sharing, binaries, .. } = options;
        let widths = planned_widths(hosts.len(), relays.len());
        let min_clients = min_clients.unwrap_or(hosts.len()).clamp(1, hosts.len().max(1));
        let hosts = if relays.is_empty() { hosts } else { relays };
        let limits = limits(least_connections(&widths, min_clients));
        let pump = Pump::start((own.clone(), binaries), limits, hosts.clone(), commands);
        let pump = pump.map_err(|why| lost(format!("cannot start a thread: {why}")))?;
        let mut fleet = FleetMachine {
            lives: vec![true; hosts.len()],
            losses: Vec::new(),
            told_losses: 0,
            min_clients,
            sharing: sharing.filter(|_| hosts.len() > 1),
            clients: 0,
            records: Vec::new(),
            boot_ids: vec![String::new(); hosts.len()],
            begins_whole: false,
            refusals: RefusalCounts::default(),
            started: StartMoment::default(),
            widths,
            watched: Vec::new(),
            claimed: Vec::new(),
            ping: None,
            control,
            notice,
            hosts,
            pump,
        };
        fleet.greet(&own).map(|()| fleet)
    }

    fn greet(&mut self, own: &Hello) -> Result<(), MachineError> {
        let hellos = loop {
            match self.pump.reports.recv() {
                Ok(PumpReport::Ready(hellos)) => break hellos,
                Ok(report) => self.take_loss(report),
                Err(_) => return Err(lost(self.all_losses())),
            }
        };
        for (at, hello) in hellos.iter().enumerate() {
            if let Some(hello) = hello {
                self.boot_ids[at].clone_from(&hello.boot_id);
            }
            let clients = hello.as_ref().map(|hello| hello.clients).filter(|clients| *clients > 0);
            if let Some(clients) = clients {
                self.set_width(at, clients as usize, "connecting");
            }
        }
        if self.is_short() {
            return Err(lost(self.all_losses()));
        }
        self.clients = u32::try_from(self.living()).unwrap_or(u32::MAX);
        self.tell_losses();
        for (host, hello) in self.hosts.iter().zip(hellos) {
            if let Some(difference) = hello.and_then(|hello| hello.difference(own)) {
                self.notice.notice(&format!("{host}: {difference}"));
            }
        }
        Ok(())
    }

    /// Takes a relay's word for how many of its hosts are left; names a relay that lost some.
    fn set_width(&mut self, at: usize, clients: usize, phase: &str) {
        let planned = self.widths[at];
        if clients < planned {
            self.widths[at] = clients;
            self.notice.notice(&format!(
                "{}: {} of {planned} hosts behind this relay were lost while {phase}; the notes \
                 of the result name them",
                self.hosts[at],
                planned - clients
            ));
        }
    }

    fn is_several(&self) -> bool {
        self.hosts.len() > 1
    }

    fn has_relays(&self) -> bool {
        self.widths.iter().any(|width| *width > 1)
    }

    /// How many clients live behind each connection.
    fn living_widths(&self) -> Vec<usize> {
        let width = |(lives, width): (&bool, &usize)| if *lives { *width } else { 0 };
        self.lives.iter().zip(&self.widths).map(width).collect()
    }

    /// How many clients live.
    fn living(&self) -> usize {
        self.living_widths().iter().sum()
    }

    fn take_loss(&mut self, report: PumpReport) {
        if let PumpReport::Lost(at, loss) = report {
            self.lives[at] = false;
            self.losses.push(loss);
        }
    }

    /// Tells those that were not told yet.
    fn tell_losses(&mut self) {
        let first = std::mem::replace(&mut self.told_losses, self.losses.len());
        for loss in &self.losses[first..] {
            self.notice.lost(&loss.host, &loss.to_string());
        }
    }

    fn all_losses(&self) -> String {
        match self.losses.as_slice() {
            [] => no_pump_sentence(),
            losses => loss::sentence(losses, self.told_losses),
        }
    }

    /// Has `call` made of each host that lives, and gives the answers in the hosts' order.
    fn round(
        &mut self,
        phase: String,
        terms: RoundTerms,
        call: &dyn Fn(usize) -> Option<MachineCall>,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Vec<AgentOutcome>, MachineError> {
        if self.living() == 0 {
            return Err(lost(self.all_losses()));
        }
        let call = |at: usize| if self.lives[at] { call(at) } else { None };
        let bytes = |at: usize| call(at).map(|call| call.to_bytes()).transpose();
        let calls = (0..self.hosts.len()).map(bytes).collect::<Result<_, _>>()?;
        let RoundTerms { limit_ns, together, whole, reply_bytes } = terms;
        let reply_bytes = reply_bytes.saturating_mul(self.widest()).min(LONGEST_REPLY);
        let reply_bytes = u32::try_from(reply_bytes).unwrap_or(u32::MAX);
        let round = Round { phase, calls, together, whole, reply_bytes, limit_ns };
        let sent = self.pump.inputs.send(CoordinatorInput::Round(round));
        sent.map_err(|_| lost(no_pump_sentence()))?;
        let outcomes = self.hear(observer);
        self.tell_losses();
        outcomes
    }

    /// Receives reports until the round is over.
    fn hear(
        &mut self,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Vec<AgentOutcome>, MachineError> {
        let mut relay = EventRelay::new(self.hosts.clone());
        let (mut stopped, mut started) = (false, false);
        loop {
            match self.pump.reports.recv_timeout(POLL) {
                Ok(PumpReport::Over(outcomes)) => return Ok(outcomes),
                Ok(PumpReport::Event(at, body)) => {
                    if let Some(observer) = observer.as_deref_mut() {
                        relay.pass(at, &body, observer);
                    }
                }
                Ok(PumpReport::Poised) => {
                    // The observer decides the moment, as for this machine.
                    let at = match &mut observer {
                        Some(observer) => observer.start(&self.control),
                        None => Instant::now(),
                    };
                    self.begin(at, !std::mem::replace(&mut started, true));
                }
                Ok(report) => self.take_loss(report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(lost(no_pump_sentence())),
            }
            if self.control.stopping() && !stopped {
                stopped = true;
                let _ = self.pump.inputs.send(CoordinatorInput::Stop);
            }
        }
    }

    /// Has all begin that wait.
    fn begin(&mut self, at: Instant, is_first: bool) {
        let at_ns = self.pump.clock_ns(at);
        if is_first {
            self.started = StartMoment { clock_ns: at_ns, unix_ms: unix_ms(at) };
        }
        let _ = self.pump.inputs.send(CoordinatorInput::StartAt(at_ns));
    }

    /// Answers of all hosts to a short call.
    fn ask(
        &mut self,
        phase: &str,
        limit_ns: u64,
        call: &dyn Fn(usize) -> MachineCall,
    ) -> Result<Vec<(usize, MachineReply)>, MachineError> {
        self.ask_some(phase, limit_ns, &|at| Some(call(at)))
    }

    /// The same of some hosts.
    fn ask_some(
        &mut self,
        phase: &str,
        limit_ns: u64,
        call: &dyn Fn(usize) -> Option<MachineCall>,
    ) -> Result<Vec<(usize, MachineReply)>, MachineError> {
        let outcomes = self.round(phase.to_owned(), RoundTerms::facts(limit_ns), call, None)?;
        let mut replies = Vec::new();
        for (at, outcome) in outcomes.into_iter().enumerate() {
            if let AgentOutcome::Replied { body, .. } = outcome {
                let reply = MachineReply::from_bytes(&body).map_err(|why| self.on(at, why))?;
                replies.push((at, reply));
            }
        }
        match self.is_short() || replies.is_empty() {
            true => Err(lost(self.all_losses())),
            false => Ok(replies),
        }
    }

    /// How many clients behind each connection run an order for this number of clients: the first
    /// living ones.
    fn chosen(&self, clients: Option<u32>) -> Result<Vec<usize>, MachineError> {
        let living = self.living();
        let count = clients.map_or(living, |count| count as usize);
        if count > living {
            return Err(lost(format!(
                "{count} clients are to run this, and {living} are left; {}",
                self.all_losses()
            )));
        }
        Ok(chosen_widths(&self.living_widths(), count))
    }

    /// An error with the host that it is of.
    fn on(&self, at: usize, why: MachineError) -> MachineError {
        MachineError::new(why.kind, text!("{}: {}", self.hosts[at], why.message))
    }

    /// The path of a host's own test file.
    fn own_path(&self, path: &Path, at: usize) -> PathBuf {
        let is_own = self.is_several() && self.sharing.is_none();
        match is_own && self.claimed.iter().any(|claimed| claimed == path) {
            true => {
                let mut name = path.as_os_str().to_owned();
                name.push(format!("-{at}"));
                PathBuf::from(name)
            }
            false => path.to_owned(),
        }
    }

    fn own_jobs(&self, jobs: &[JobSpec], at: usize) -> Vec<JobSpec> {
        let mut jobs = jobs.to_vec();
        for job in &mut jobs {
            for path in &mut job.target.filenames {
                *path = self.own_path(path, at);
            }
            let makes_names = job.target.filenames.is_empty() && job.target.unique_filename;
            if self.is_several() && makes_names {
                name_by_host(job, &self.hosts[at]);
            }
        }
        jobs
    }

    /// The order of the connection at `at`, which represents its clients among all.
    fn own_order(
        &self,
        order: &RunOrder,
        at: usize,
        clients: ClientRange,
    ) -> Result<RunOrder, MachineError> {
        // Turned, so that the second host of the first relay is not the first one of the second.
        let apart = (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let apart = if self.has_relays() { apart.rotate_left(17) } else { apart };
        let mut jobs = self.own_jobs(&order.jobs, at);
        if self.sharing == Some(FileSharing::Disjoint) {
            let named = jobs.iter_mut().filter(|job| !job.target.filenames.is_empty());
            let mut parted = named.filter(|job| !job.target.create_only);
            parted.try_for_each(|job| take_region(job, clients))?;
        }
        if order.shares_rate {
            jobs.iter_mut().for_each(|job| take_share(job, clients));
        }
        // Sent only to a relay some of whose hosts are not to run.
        let fewer = usize::try_from(clients.len()).is_ok_and(|len| len < self.widths[at]);
        let fewer = fewer.then(|| u32::try_from(clients.len()).unwrap_or(u32::MAX));
        let entropy = order.entropy ^ apart;
        let network = order.network_to(self.ping.as_ref());
        Ok(RunOrder { jobs, entropy, clients: fewer, network, ..order.clone() })
    }

    /// How many clients behind each connection run an order, and the call of each that runs it.
    fn own_calls(
        &self,
        order: &RunOrder,
        call_of: &dyn Fn(&RunOrder) -> MachineCall,
    ) -> Result<(Vec<usize>, Vec<Option<MachineCall>>), MachineError> {
        // One file is laid out once.
        let shares = self.sharing.is_some() && lays_out(order);
        let clients = if shares { Some(1) } else { order.clients };
        let chosen = self.chosen(clients)?;
        let ranges = ClientRange::of_widths(&chosen);
        let call = |(at, range): (usize, ClientRange)| {
            if range.len() == 0 {
                return Ok(None);
            }
            Ok(Some(call_of(&self.own_order(order, at, range)?)))
        };
        let calls = ranges.into_iter().enumerate().map(call).collect::<Result<_, _>>()?;
        Ok((chosen, calls))
    }

    /// Creates the shared test file on the first host, and lets the others hold it.
    fn claim_shared(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        let Some(first) = self.lives.iter().position(|lives| *lives) else {
            return Err(lost(self.all_losses()));
        };
        let phase = format!("making the test file on {}", plan.volume.name);
        let claim = |ours: bool| {
            let claim = WireClaim::of(&VolumePlan { ours, ..plan.clone() });
            MachineCall::Claim(Box::new(claim))
        };
        let made = self.ask_some(&phase, LONG_NS, &|at| (at == first).then(|| claim(true)))?;
        for (at, reply) in made {
            reply.claim().map_err(|why| self.on(at, why))?;
        }
        let others = |call: MachineCall| move |at: usize| (at != first).then(|| call.clone());
        let look = others(MachineCall::Examine(plan.file_target()));
        for (at, reply) in self.ask_some(&phase, SHORT_NS, &look)? {
            let unseen = |_| {
                let (one, other) = (&self.hosts[at], &self.hosts[first]);
                let path = plan.file_target();
                let message = format!(
                    "{one} does not see {path}, which {other} made; --shared-file needs a path \
                     that is one volume on all hosts"
                );
                MachineError::new(MachineErrorKind::TestFile, message)
            };
            reply.volume().map_err(unseen)?;
        }
        for (at, reply) in self.ask_some(&phase, LONG_NS, &others(claim(false)))? {
            reply.claim().map_err(|why| self.on(at, why))?;
        }
        Ok(())
    }

    /// The runs of the hosts that have one, and the hosts that refused. One that refused costs its
    /// own figures, where so few may go on; or where others have done I/O, if the order is the
    /// `only` one, whose results would be lost.
    fn runs(
        &mut self,
        outcomes: Vec<AgentOutcome>,
        chosen: &[usize],
        only: bool,
    ) -> Result<(Vec<ClientRun>, Vec<AgentLoss>), MachineError> {
        let (mut runs, mut refusals) = (Vec::new(), Vec::new());
        for (at, outcome) in outcomes.into_iter().enumerate() {
            let AgentOutcome::Replied { body, span_ns, clock_error_ns } = outcome else { continue };
            match MachineReply::from_bytes(&body).and_then(MachineReply::run) {
                Ok(run) => {
                    let lost = chosen.get(at).map_or(0, |count| count.saturating_sub(width(&run)));
                    self.set_width(at, self.widths[at].saturating_sub(lost), "running this");
                    let (host, span_ns) = (self.hosts[at].clone(), io_span(&run, span_ns));
                    runs.push(ClientRun { host, run, span_ns, clock_error_ns });
                }
                Err(why) => refusals.push((at, why)),
            }
        }
        let clients: usize = runs.iter().map(|of: &ClientRun| width(&of.run)).sum();
        let is_enough = clients >= self.min_clients.min(chosen.iter().sum());
        let has_results = only && runs.iter().any(|of| of.run.outcome.io_span.is_some());
        if !refusals.is_empty() && !is_enough && !has_results {
            return Err(self.all_refusals(refusals));
        }
        self.refusals = RefusalCounts {
            last: refusals.iter().map(|(at, _)| chosen.get(*at).copied().unwrap_or(1)).sum(),
            ever: self.refusals.ever + refusals.len(),
        };
        let refused = |(at, why): (usize, MachineError)| AgentLoss {
            host: self.hosts[at].clone(),
            phase: "running this".to_owned(),
            kind: LossKind::Refused(why.to_string()),
        };
        let refusals: Vec<AgentLoss> = refusals.into_iter().map(refused).collect();
        refusals.iter().for_each(|of| self.notice.notice(&of.to_string()));
        Ok((runs, refusals))
    }

    /// Why hosts refused, as one error.
    fn all_refusals(&self, refusals: Vec<(usize, MachineError)>) -> MachineError {
        let kind = refusals.first().map_or(MachineErrorKind::Run, |(_, why)| why.kind);
        let each = refusals.into_iter().map(|(at, why)| self.on(at, why).message);
        MachineError::new(kind, Text::joined(each, "; "))
    }

    /// How many hosts were lost or refused an order so far.
    pub fn lost_hosts(&self) -> usize {
        self.losses.len() + self.refusals.ever
    }

    /// How many clients the connection with most of them has.
    fn widest(&self) -> u64 {
        self.widths.iter().max().map_or(1, |width| *width as u64)
    }

    /// Runs a different order on each host, and returns each result. If `together`, all begin at
    /// one moment; otherwise each when it is ready.
    ///
    /// # Errors
    /// If no host is left.
    pub fn run_each(
        &mut self,
        orders: &[RunOrder],
        together: bool,
        observer: &mut dyn Observer,
    ) -> Result<Vec<HostRun>, MachineError> {
        let latency = observer.wants_latency();
        let mut calls = Vec::with_capacity(orders.len());
        let ranges = ClientRange::of_widths(&vec![1; orders.len()]);
        for (at, order) in orders.iter().enumerate() {
            let own = self.own_order(order, at, ranges[at])?;
            calls.push(MachineCall::Run(Box::new(WireOrder::of(&own, latency))));
        }
        let limit_ns = orders.iter().map(|order| limit_ns(&order.jobs)).max().unwrap_or(LONG_NS);
        let call = |at: usize| calls.get(at).cloned();
        let reply_bytes = orders.iter().map(|order| run_bytes(&order.jobs)).max();
        let terms = RoundTerms {
            together: together && self.is_several(),
            reply_bytes: reply_bytes.unwrap_or(LONGEST_REPLY),
            ..RoundTerms::facts(limit_ns)
        };
        let outcomes = self.round("running jobs".to_owned(), terms, &call, Some(observer))?;
        let (runs, _) = self.runs(outcomes, &vec![1; orders.len()], true)?;
        Ok(runs.into_iter().map(|of| HostRun { host: of.host, run: of.run }).collect())
    }

    /// Says goodbye, and waits until the connections have ended.
    fn part(&mut self) {
        if self.pump.inputs.send(CoordinatorInput::Bye).is_ok() {
            while let Ok(report) = self.pump.reports.recv() {
                match report {
                    PumpReport::Gone => break,
                    report => self.take_loss(report),
                }
            }
        }
        self.pump.join();
    }
}

impl Drop for FleetMachine {
    fn drop(&mut self) {
        self.part();
    }
}

/// The terms of a round.
#[derive(Clone, Copy, Debug)]
struct RoundTerms {
    limit_ns: u64,
    together: bool,
    whole: bool,
    /// Maximum bytes of the reply of one host.
    reply_bytes: u64,
}

impl RoundTerms {
    /// Those of a call that does no measured I/O.
    fn facts(limit_ns: u64) -> RoundTerms {
        RoundTerms { limit_ns, together: false, whole: false, reply_bytes: FACTS_BYTES }
    }
}

/// Maximum bytes of any reply.
const LONGEST_REPLY: u64 = WireFrame::REPLY_LIMIT_BYTES as u64;

/// Maximum bytes of the result of `jobs` on one host, by their number and time; job logs may take
/// all that crosses.
fn run_bytes(jobs: &[JobSpec]) -> u64 {
    let has_logs = |job: &JobSpec| {
        let logs = &job.measure.logs;
        [&logs.bw, &logs.iops, &logs.lat, &logs.hist].into_iter().any(Option::is_some)
    };
    if jobs.iter().any(has_logs) {
        return LONGEST_REPLY;
    }
    let clones: u64 = jobs.iter().map(|job| u64::from(job.process.numjobs)).sum();
    let seconds = limit_ns(jobs) / 1_000_000_000;
    let each = seconds.saturating_mul(SERIES_BYTES).saturating_add(FACTS_BYTES);
    clones.saturating_mul(each).min(LONGEST_REPLY)
}

/// Whether an order makes files and does no I/O of its own.
fn lays_out(order: &RunOrder) -> bool {
    order.jobs.iter().all(|job| job.target.create_only)
}

/// The default pattern of file names.
const USUAL_NAMES: &str = "$jobname.$jobnum.$filenum";

/// Has the names that a job makes up begin with its host's, so that clients of one volume do not
/// write into each other's files.
fn name_by_host(job: &mut JobSpec, host: &str) {
    let plain = |letter: char| match letter {
        '/' | '$' => '_',
        letter => letter,
    };
    let host: String = host.chars().map(plain).collect();
    let names = job.target.filename_format.as_deref().unwrap_or(USUAL_NAMES);
    let names = match names.contains("$clientuid") {
        true => names.replace("$clientuid", &host),
        false => format!("{host}.{names}"),
    };
    // A job is sent as the options that it was given.
    job.given.push(("filename_format".to_owned(), Some(names.clone())));
    job.target.filename_format = Some(names);
}

/// How many clients did a run.
fn width(run: &MachineRun) -> usize {
    run.outcome.result.clients.len().max(1)
}

/// The span of a run's I/O; `span_ns` is from the moment at which that was to begin to the end of
/// the call.
fn io_span(run: &MachineRun, span_ns: (u64, u64)) -> (u64, u64) {
    let Some(io) = run.outcome.io_span else { return span_ns };
    (span_ns.0.saturating_add(io.begun_ns), span_ns.0.saturating_add(io.ended_ns))
}

/// The maximum duration of jobs; unlimited if they have no time of their own.
fn limit_ns(jobs: &[JobSpec]) -> u64 {
    let own_ns = |job: &JobSpec| match job.extent.runtime_us {
        0 => u64::MAX,
        us => us.saturating_add(job.extent.ramp_time_us).saturating_mul(1000),
    };
    jobs.iter().map(own_ns).max().unwrap_or(0).saturating_add(LONG_NS)
}

fn lost(message: String) -> MachineError {
    MachineError::new(MachineErrorKind::Connection, message)
}

fn no_pump_sentence() -> String {
    AgentLoss { host: "coordinator".to_owned(), phase: "measuring".to_owned(), kind: no_pump() }
        .to_string()
}

/// Forwards events, merging those of several hosts.
struct EventRelay {
    hosts: Vec<String>,
    live: Vec<Option<LiveSnapshot>>,
    /// The host whose layout is reported.
    tells_layout: Option<usize>,
}

impl EventRelay {
    fn new(hosts: Vec<String>) -> EventRelay {
        EventRelay { live: vec![None; hosts.len()], tells_layout: None, hosts }
    }

    fn pass(&mut self, at: usize, body: &[u8], observer: &mut dyn Observer) {
        // An unreadable event is dropped; the result is complete.
        let Ok(event) = event_from_bytes(body) else { return };
        if self.hosts.len() == 1 {
            return observer.event(&event);
        }
        match event {
            Event::Live(live) => {
                self.live[at] = Some(live);
                // Once for each round of the first reporting host.
                if self.live.iter().position(Option::is_some) == Some(at)
                    && let Some(live) = merge::live(&self.live)
                {
                    observer.event(&Event::Live(live));
                }
            }
            Event::JobFailed(why) => {
                observer.event(&Event::JobFailed(merge::named(&why, &self.hosts[at])));
            }
            // All lay out alike: one reports progress for all.
            Event::LaidOut { .. } | Event::LayingOut { .. } => {
                if *self.tells_layout.get_or_insert(at) == at {
                    observer.event(&event);
                }
            }
            Event::Status(_) => {}
            event => observer.event(&event),
        }
    }
}

impl Machine for FleetMachine {
    fn system(&mut self) -> Result<System, MachineError> {
        let replies = self.ask("looking at the machine", SHORT_NS, &|_| MachineCall::System)?;
        for (at, reply) in replies {
            let system = reply.system().map_err(|why| self.on(at, why))?;
            let name = &self.hosts[at];
            match self.records.iter_mut().find(|of| of.name == *name) {
                Some(record) => record.system = system,
                None => {
                    let (name, volumes) = (name.clone(), Vec::new());
                    self.records.push(ClientRecord { name, system, volumes });
                }
            }
        }
        let first = self.records.first().ok_or_else(|| lost(no_pump_sentence()))?;
        Ok(first.system.clone())
    }

    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError> {
        let phase = format!("looking at {target}");
        let call = |_| MachineCall::Examine(target.clone());
        let mut volumes = Vec::new();
        for (at, reply) in self.ask(&phase, SHORT_NS, &call)? {
            volumes.push((at, reply.volume().map_err(|why| self.on(at, why))?));
        }
        for (at, volume) in &volumes {
            let record = self.records.iter_mut().find(|of| of.name == self.hosts[*at]);
            let volumes = record.map(|of| &mut of.volumes);
            if let Some(volumes) =
                volumes.filter(|all| !all.iter().any(|of| of.name == volume.name))
            {
                volumes.push(volume.clone());
            }
        }
        let seen = volumes.iter().map(|(at, volume)| HostVolume {
            host: &self.hosts[*at],
            boot_id: &self.boot_ids[*at],
            volume,
        });
        let seen: Vec<HostVolume<'_>> = seen.collect();
        let files = client_files(&seen, self.sharing.is_some());
        let of = (self.hosts.as_slice(), self.widths.as_slice());
        common_volume(of, target, volumes, files)
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        if plan.ours {
            self.claimed.push(plan.path.clone());
        }
        if plan.ours && self.sharing.is_some() {
            return self.claim_shared(plan);
        }
        let phase = format!("making the test file on {}", plan.volume.name);
        let own = |at| VolumePlan { path: self.own_path(&plan.path, at), ..plan.clone() };
        let claims: Vec<WireClaim> =
            (0..self.hosts.len()).map(|at| WireClaim::of(&own(at))).collect();
        let call = |at: usize| MachineCall::Claim(Box::new(claims[at].clone()));
        for (at, reply) in self.ask(&phase, LONG_NS, &call)? {
            reply.claim().map_err(|why| self.on(at, why))?;
        }
        Ok(())
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        self.claimed.clear();
        if self.living() == 0 {
            return Ok(Vec::new());
        }
        let call = |_: usize| Some(MachineCall::Release);
        let phase = "removing test files".to_owned();
        let outcomes = self.round(phase, RoundTerms::facts(LONG_NS), &call, None)?;
        let mut leftovers = Vec::new();
        for (at, outcome) in outcomes.into_iter().enumerate() {
            let AgentOutcome::Replied { body, .. } = outcome else { continue };
            let left = MachineReply::from_bytes(&body).and_then(MachineReply::leftovers);
            for leftover in left.map_err(|why| self.on(at, why))? {
                let sentence = format!("{}: {}", self.hosts[at], leftover.sentence);
                leftovers.push(Leftover { sentence, ..leftover });
            }
        }
        Ok(leftovers)
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        let own: Vec<Vec<WireJob>> = (0..self.hosts.len())
            .map(|at| self.own_jobs(jobs, at).iter().map(WireJob::of).collect())
            .collect();
        let call = |at: usize| MachineCall::DataAccess(own[at].clone());
        let Ok(replies) = self.ask("looking at the files", SHORT_NS, &call) else {
            return DataAccess::default();
        };
        let answers = replies.into_iter().filter_map(|(_, reply)| reply.data_access().ok());
        let answers: Vec<DataAccess> = answers.collect();
        match answers.first() {
            Some(first) if answers.iter().all(|other| other == first) => *first,
            _ => DataAccess::default(),
        }
    }

    fn can_begin(&mut self, order: &RunOrder) -> Result<(), MachineError> {
        let call_of = |own: &RunOrder| MachineCall::CanBegin(Box::new(WireOrder::of(own, false)));
        let (chosen, calls) = self.own_calls(order, &call_of)?;
        let phase = "looking at the files of the jobs";
        let (mut able, mut refusals) = (0, Vec::new());
        for (at, reply) in self.ask_some(phase, LONG_NS, &|at| calls[at].clone())? {
            match reply.can_begin() {
                Ok(()) => able += chosen[at],
                Err(why) => refusals.push((at, why)),
            }
        }
        self.begins_whole = true;
        match able >= self.min_clients.min(chosen.iter().sum()) {
            true => Ok(()),
            false => Err(self.all_refusals(refusals)),
        }
    }

    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError> {
        if self.is_short() {
            return Err(lost(self.all_losses()));
        }
        let names: Vec<&str> = order.jobs.iter().map(|job| job.name.as_str()).collect();
        let phase = format!("running {}", names.join(", "));
        let latency = observer.wants_latency();
        let call_of = |own: &RunOrder| MachineCall::Run(Box::new(WireOrder::of(own, latency)));
        let (chosen, calls) = self.own_calls(order, &call_of)?;
        let call = |at: usize| calls[at].clone();
        let only = std::mem::take(&mut self.begins_whole);
        let terms = RoundTerms {
            limit_ns: limit_ns(&order.jobs),
            together: self.is_several(),
            whole: only && !lays_out(order),
            reply_bytes: run_bytes(&order.jobs),
        };
        let first_loss = self.losses.len();
        let outcomes = self.round(phase, terms, &call, Some(observer))?;
        let (mut runs, refusals) = self.runs(outcomes, &chosen, only)?;
        let clients = runs.iter().map(|of| width(&of.run)).sum::<usize>().max(1);
        self.clients = u32::try_from(clients).unwrap_or(u32::MAX);
        match runs.pop() {
            None => Err(lost(self.all_losses())),
            Some(only) if !self.is_several() => Ok(only.run),
            Some(last) => {
                runs.push(last);
                let missing = [self.losses.as_slice(), &refusals].concat();
                // What the others did is whole where they are enough.
                let interrupted = self.losses.len() > first_loss && self.is_short();
                Ok(merge::merged(runs, &missing, interrupted, self.started))
            }
        }
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        // Ceilings of several machines cannot be merged into one number.
        if self.is_several() {
            return Vec::new();
        }
        let call = |_: usize| MachineCall::Ceilings(engines.to_vec());
        let replies = self.ask("measuring one core", LONG_NS, &call).unwrap_or_default();
        let first = replies.into_iter().next();
        first.and_then(|(_, reply)| reply.ceilings().ok()).unwrap_or_default()
    }

    fn diagnose(
        &mut self,
        asked: &DoctorRequest,
        _: &mut dyn FnMut(DoctorStep),
    ) -> Result<Vec<HostDiagnosis>, MachineError> {
        let call = |_: usize| MachineCall::Diagnose(asked.clone());
        let mut all = Vec::new();
        for (at, reply) in self.ask("looking at the machine", LONG_NS, &call)? {
            let diagnoses = reply.diagnoses().map_err(|why| self.on(at, why))?;
            let host = &self.hosts[at];
            all.extend(diagnoses.into_iter().map(|of| HostDiagnosis {
                host: Some(of.host.map_or(host.clone(), |below| format!("{host}:{below}"))),
                ..of
            }));
        }
        Ok(all)
    }

    fn watch(&mut self, asked: &WatchRequest) -> Result<Vec<Watched>, MachineError> {
        let call = |_: usize| MachineCall::Watch(asked.clone());
        let mut all = Vec::new();
        self.watched = vec![0; self.hosts.len()];
        for (at, reply) in self.ask("looking for counters", SHORT_NS, &call)? {
            let watched = reply.watched().map_err(|why| self.on(at, why))?;
            self.watched[at] = watched.len();
            let name =
                |of: Watched| Watched { name: format!("{}:{}", self.hosts[at], of.name), ..of };
            all.extend(watched.into_iter().map(name));
        }
        Ok(all)
    }

    fn counters(&mut self) -> Result<Vec<Option<CounterReading>>, MachineError> {
        let replies = self.ask("reading counters", SHORT_NS, &|_| MachineCall::Counters)?;
        // The readings of a lost host are missing.
        let mut readings: Vec<Vec<Option<CounterReading>>> =
            self.watched.iter().map(|count| vec![None; *count]).collect();
        for (at, reply) in replies {
            let own = reply.counters().map_err(|why| self.on(at, why))?;
            let fits = own.len() == readings[at].len();
            let misfit = || lost(format!("{}: its counters are of something else", self.hosts[at]));
            readings[at] = fits.then_some(own).ok_or_else(misfit)?;
        }
        Ok(readings.into_iter().flatten().collect())
    }

    fn set_ping(&mut self, target: PingTarget) {
        self.ping = Some(target);
    }

    fn stopping(&mut self) -> bool {
        self.control.stopping() || self.is_short()
    }

    fn is_short(&self) -> bool {
        self.living().saturating_sub(self.refusals.last) < self.min_clients
    }

    fn clients(&self) -> u32 {
        self.clients
    }

    fn client_records(&self) -> Vec<ClientRecord> {
        // A relay's own system is that of none of the clients behind it.
        match self.is_several() && !self.has_relays() {
            true => self.records.clone(),
            false => Vec::new(),
        }
    }
}

/// That a path is something else on two hosts.
fn unlike(target: &Target, both: [(&String, &Volume); 2]) -> String {
    let [one, other] = both.map(|(host, volume)| match volume.kind {
        TargetKind::Folder => format!("a folder on {host}"),
        TargetKind::NewFile => format!("not there on {host}"),
        TargetKind::ExistingFile { .. } => format!("a file on {host}"),
        TargetKind::Device { .. } => format!("a device on {host}"),
    });
    format!("{target} is {one} and {other}; give a path that is the same on all")
}

/// The common target of all hosts, under a name that says where it is.
fn common_volume(
    (hosts, widths): (&[String], &[usize]),
    target: &Target,
    volumes: Vec<(usize, Volume)>,
    files: ClientFiles,
) -> Result<Volume, MachineError> {
    let clients: usize = volumes.iter().map(|(at, _)| widths[*at]).sum();
    let mut all = volumes.into_iter();
    let (first, mut volume) = all.next().ok_or_else(|| lost(no_pump_sentence()))?;
    let is_same = |other: &Volume| {
        std::mem::discriminant(&other.kind) == std::mem::discriminant(&volume.kind)
    };
    for (at, other) in all {
        if !is_same(&other) {
            let message = unlike(target, [(&hosts[first], &volume), (&hosts[at], &other)]);
            return Err(MachineError::new(MachineErrorKind::Target, message));
        }
    }
    if let (Some(space), Some(fullest)) = (&mut volume.space, files.fullest()) {
        space.available_bytes = fullest.available_bytes;
    }
    volume.clients = (clients > 1).then_some(files);
    volume.name = match clients {
        1 => format!("{}:{}", hosts[first], target),
        _ => format!("{clients} hosts:{}", target),
    };
    target.clone_into(&mut volume.target);
    Ok(volume)
}

/// How long each connection is waited for, and how many must live.
fn limits(min_clients: usize) -> CoordinatorOptions {
    let patience_ns = PATIENCE_MS * 1_000_000;
    CoordinatorOptions { greeting_ns: GREETING_NS, patience_ns, min_clients }
}

/// A moment in milliseconds since 1970, by this machine.
fn unix_ms(at: Instant) -> u64 {
    let ahead = at.saturating_duration_since(Instant::now());
    let since = (SystemTime::now() + ahead).duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
