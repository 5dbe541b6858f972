//! The thread that starts the others: start order, stops, and live output.
//!
//! It sleeps on a channel until a clone reports or the next event is due, and reads only counters
//! that a loop writes a few times a second.

use crate::clone_outcome::CloneLogs;
use crate::clone_outcome::{CloneOutcome, blank_result, failed_result};
use crate::control::{CloneCounters, Control, Gate, State};
use crate::disk::DiskWatch;
use crate::error::RunError;
use crate::io_trace::IoTrace;
use crate::latency::LatencyView;
use crate::layout::{self, LaidOutFiles};
use crate::live::SnapshotView;
use crate::network::NetworkWatch;
use crate::pause::PauseWatch;
use crate::plan::{ClonePlan, plan};
use crate::steady::SteadyStateWatch;
use crate::timeline::interval_ms;
use crate::wall_clock::unix_ms;
use crate::worker::{CloneContext, run_clone};
use crate::{Event, IoSpan, JobFailure, Observer, Pins, RunOptions, RunOutcome};
use fathom_engine::Clock;
use fathom_host::Host;
use fathom_job::JobSpec;
use fathom_stats::{JobResult, RunResult, SCHEMA};
use fathom_vocab::ErrorNumber;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// Maximum sleep of the supervisor: the delay for events that it polls (a signal).
const NAP: Duration = Duration::from_millis(50);

/// Memory mappings of a thread: its stack and its signal stack, each with a guard page, and its
/// buffers. The standard library aborts the process if the kernel has none left.
const MAPS_PER_THREAD: u64 = 6;

/// Mappings that are left for all else.
const MAPS_FOR_OTHERS: u64 = 1000;

/// A message of a clone's thread to the supervisor.
enum Message {
    Ready(usize),
    Done(usize, CloneOutcome),
    /// Lines of a trace; the clone goes on when its sender is dropped.
    Traced(String, SyncSender<()>),
}

/// Runs `jobs` on `host` and returns the results, also when interrupted or when jobs fail.
///
/// The caller holds files and devices in `pins`: a job that names one of them uses exactly that
/// one, or fails.
///
/// # Errors
/// If nothing was started: an impossible job, or a write target in use.
pub fn execute(
    jobs: &[JobSpec],
    options: &RunOptions,
    host: &Host,
    pins: &Pins,
    control: &Arc<Control>,
    observer: &mut dyn Observer,
) -> Result<RunOutcome, RunError> {
    Clock::begin();
    // A ring's registered buffers count against the one, a job's files against the other.
    fathom_engine::raise_locked_memory();
    fathom_engine::raise_open_files();
    // Devices that are written to are ours until the run is over.
    let (clones, _claims) = plan(jobs, host, options.entropy, pins, options.jobs_fail_alone)?;
    check_maps(&clones)?;
    let mut run = Supervisor::new(clones, options, control.clone(), Arc::new(host.clone()));
    run.announce(observer);
    run.refuse(observer);
    run.lay_out(jobs, observer);
    run.end_create_only();
    run.watch_disks();
    run.watch_network();
    run.supervise(observer);
    Ok(run.finish())
}

/// Refuses more threads at once than the kernel has mappings of memory for.
pub(crate) fn check_maps(clones: &[ClonePlan]) -> Result<(), RunError> {
    let setting = std::fs::read_to_string("/proc/sys/vm/max_map_count").unwrap_or_default();
    let Ok(maps) = setting.trim().parse::<u64>() else { return Ok(()) };
    let most = maps.saturating_sub(MAPS_FOR_OTHERS) / MAPS_PER_THREAD;
    let at_once = clones.split(|clone| clone.stonewall).map(|part| part.len() as u64 + 1).max();
    let Some(first) = clones.first().filter(|_| at_once.is_some_and(|jobs| jobs > most)) else {
        return Ok(());
    };
    let message = format!(
        "{} jobs at once need more mappings of memory than vm.max_map_count={maps} gives; run at \
         most {most}, or raise it: sysctl vm.max_map_count={}",
        clones.len(),
        (clones.len() as u64 + 1) * MAPS_PER_THREAD + MAPS_FOR_OTHERS
    );
    Err(RunError::job(&first.job, message))
}

/// The state of a clone, from the supervisor's view.
struct Entry {
    plan: Arc<ClonePlan>,
    live: Arc<CloneCounters>,
    batch: Option<usize>,
    outcome: Option<CloneOutcome>,
}

impl Entry {
    fn new(plan: ClonePlan) -> Entry {
        let (plan, live) = (Arc::new(plan), Arc::new(CloneCounters::default()));
        Entry { plan, live, batch: None, outcome: None }
    }

    /// Ends it with `error`, before its thread does any I/O.
    fn fail(&mut self, error: RunError, interval_ms: u64, observer: &mut dyn Observer) {
        self.live.set_state(State::Failed);
        self.outcome = Some(failed_result(blank_result(&self.plan, interval_ms), &error));
        observer.event(&Event::Error(error));
    }

    fn running(&self) -> bool {
        self.batch.is_some() && self.outcome.is_none()
    }
}

/// Clones that start together.
struct Batch {
    gate: Arc<Gate>,
    not_ready: usize,
}

struct Supervisor<'o> {
    entries: Vec<Entry>,
    batches: Vec<Batch>,
    options: &'o RunOptions,
    control: Arc<Control>,
    host: Arc<Host>,
    clock: Clock,
    interval_ms: u64,
    started_ms: u64,
    /// When the first batch was to begin, by the run's clock.
    first_start_ns: Option<u64>,
    view: SnapshotView,
    latency: LatencyView,
    next_live: Instant,
    next_status: Option<Instant>,
    disks: Option<DiskWatch>,
    network: NetworkWatch,
    steady: SteadyStateWatch,
    pause: PauseWatch,
    tx: Sender<Message>,
    rx: Receiver<Message>,
}

impl<'o> Supervisor<'o> {
    fn new(
        clones: Vec<ClonePlan>,
        options: &'o RunOptions,
        control: Arc<Control>,
        host: Arc<Host>,
    ) -> Self {
        let interval_ms = interval_ms(clones.len());
        let entries: Vec<Entry> = clones.into_iter().map(Entry::new).collect();
        let (tx, rx) = channel();
        let steady = SteadyStateWatch::new(entries.iter().map(|entry| entry.plan.as_ref()));
        let now = Instant::now();
        let clock = Clock::new(clock_source(&entries));
        Supervisor {
            entries,
            batches: Vec::new(),
            options,
            control,
            host,
            clock,
            interval_ms,
            started_ms: unix_ms(),
            first_start_ns: None,
            view: SnapshotView::new(),
            latency: LatencyView::default(),
            next_live: now,
            next_status: options.status_interval.map(|every| now + every),
            disks: None,
            network: NetworkWatch::default(),
            steady,
            pause: PauseWatch::new(),
            tx,
            rx,
        }
    }

    fn announce(&self, observer: &mut dyn Observer) {
        let threads = self.entries.iter().filter(|entry| entry.plan.job.process.thread).count();
        let processes = self.entries.len() - threads;
        observer.event(&Event::Starting { processes, threads });
        for entry in &self.entries {
            if let Some(file) = entry.plan.file_beyond_tausworthe() {
                let switches = entry.plan.job.pattern.random_generator.is_none();
                observer.event(&Event::BeyondTausworthe { file, switches });
            }
        }
    }

    /// Ends the clones whose files could not be planned.
    fn refuse(&mut self, observer: &mut dyn Observer) {
        for entry in &mut self.entries {
            if let Some(refusal) = entry.plan.refusal.clone() {
                entry.fail(refusal, self.interval_ms, observer);
            }
        }
    }

    /// Lays out the files of all clones. A clone whose files cannot be made fails alone.
    fn lay_out(&mut self, jobs: &[JobSpec], observer: &mut dyn Observer) {
        let control = self.control.clone();
        let mut laid_out_files = LaidOutFiles::default();
        for entry in &mut self.entries {
            let plan = entry.plan.clone();
            let missing = laid_out_files.missing(&plan.job, &plan.files);
            let on_open = plan.job.target.create_on_open;
            if missing.is_empty() || on_open && !self.options.readonly {
                continue;
            }
            let laid_out = match self.options.readonly {
                true => layout::refuse_missing(&plan.files),
                false => {
                    let bytes: u64 = missing.iter().map(|file| file.size_bytes).sum();
                    let job = jobs[plan.job_index].name.clone();
                    observer.event(&Event::LayingOut { job, files: missing.len(), bytes });
                    let mut progress = |written| observer.event(&Event::LaidOut { bytes: written });
                    layout::lay_out(&plan.job, &missing, &control, &mut progress)
                }
            };
            match laid_out {
                Ok(()) => laid_out_files.add(&plan.job, &missing),
                Err(error) => entry.fail(error, self.interval_ms, observer),
            }
        }
    }

    /// Jobs that only lay out files are over.
    fn end_create_only(&mut self) {
        for entry in &mut self.entries {
            if entry.plan.job.target.create_only && entry.outcome.is_none() {
                let result = blank_result(&entry.plan, self.interval_ms);
                let (logs, leftovers) = (CloneLogs::default(), Vec::new());
                entry.live.set_state(State::Done);
                entry.outcome = Some(CloneOutcome { result, logs, leftovers });
            }
        }
    }

    /// Watches the disks of the jobs that report them.
    fn watch_disks(&mut self) {
        let plans = || self.entries.iter().map(|entry| &entry.plan);
        let reported = || plans().filter(|plan| plan.job.measure.disk_util);
        if reported().next().is_none() {
            return;
        }
        let files = reported().flat_map(|plan| &plan.files);
        let real = files.filter(|file| file.access.has_paths());
        let paths: Vec<&Path> = real.map(|file| file.path.as_path()).collect();
        self.disks = Some(DiskWatch::begin(Host::clone(&self.host), paths.into_iter()));
    }

    /// Measures the round trip to the servers of the jobs' files, and goes on with it beside them.
    fn watch_network(&mut self) {
        let files = self.entries.iter().flat_map(|entry| &entry.plan.files);
        self.network = NetworkWatch::begin(&self.options.network, &self.host, files);
    }

    fn supervise(&mut self, observer: &mut dyn Observer) {
        self.view = SnapshotView::new();
        self.pause = PauseWatch::new();
        self.start_what_may(observer);
        while self.entries.iter().any(Entry::running) {
            match self.rx.recv_timeout(self.until_next()) {
                Ok(message) => self.take(message, observer),
                Err(RecvTimeoutError::Timeout) => {}
                // The supervisor holds a sender itself, so the channel cannot be closed.
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.pause.look(&self.control);
            self.look_around(observer);
            self.start_what_may(observer);
        }
        self.pause.end(&self.control);
    }

    fn until_next(&self) -> Duration {
        let now = Instant::now();
        let mut next = now + NAP;
        next = next.min(self.next_live.max(now));
        if let Some(status) = self.next_status {
            next = next.min(status.max(now));
        }
        if let Some(disks) = &self.disks {
            next = next.min(disks.due().max(now));
        }
        next - now
    }

    /// Starts clones in their order, up to the first that must wait.
    fn start_what_may(&mut self, observer: &mut dyn Observer) {
        if self.control.stopping() {
            return;
        }
        let mut chosen = Vec::new();
        for at in 0..self.entries.len() {
            let entry = &self.entries[at];
            if entry.batch.is_some() || entry.outcome.is_some() {
                continue;
            }
            let busy =
                chosen.iter().any(|c| *c < at) || self.entries[..at].iter().any(Entry::running);
            if entry.plan.stonewall && busy {
                break;
            }
            if self.waits_for_job(at) {
                continue;
            }
            chosen.push(at);
        }
        if !chosen.is_empty() {
            self.start(&chosen, observer);
        }
    }

    fn waits_for_job(&self, at: usize) -> bool {
        let Some(name) = &self.entries[at].plan.job.process.wait_for else { return false };
        let named = |entry: &&Entry| entry.plan.job.name == *name;
        self.entries[..at].iter().filter(named).any(|entry| entry.outcome.is_none())
    }

    fn start(&mut self, chosen: &[usize], observer: &mut dyn Observer) {
        let batch = self.batches.len();
        let gate = Arc::new(Gate::default());
        self.batches.push(Batch { gate: gate.clone(), not_ready: chosen.len() });
        for at in chosen {
            let entry = &mut self.entries[*at];
            entry.batch = Some(batch);
            entry.live.set_state(State::Created);
            if let Err(error) = self.spawn(*at, gate.clone()) {
                let plan = self.entries[*at].plan.clone();
                let number = ErrorNumber::of(&error).or(ErrorNumber::EAGAIN);
                let message =
                    format!("cannot start a thread: {error}; lower numjobs=, or raise ulimit -u");
                let error = RunError::engine(&plan.job, number, message);
                self.entries[*at].fail(error, self.interval_ms, observer);
                self.one_ready(batch, observer);
            }
        }
    }

    fn spawn(&self, at: usize, gate: Arc<Gate>) -> std::io::Result<()> {
        let entry = &self.entries[at];
        let (plan, live) = (entry.plan.clone(), entry.live.clone());
        let (tx, control, host) = (self.tx.clone(), self.control.clone(), self.host.clone());
        let (clock, interval_ms) = (self.clock, self.interval_ms);
        let traces_io = self.options.traces_io;
        let body = move || {
            let print = trace_printer(tx.clone());
            let trace = traces_io.then(|| IoTrace::new(&print));
            let said_ready = std::cell::Cell::new(false);
            let ready = || {
                if !said_ready.replace(true) {
                    // The supervisor outlives every clone; a lost message could only be its end.
                    let _ = tx.send(Message::Ready(at));
                }
            };
            let context = CloneContext {
                clock,
                control: &control,
                live: &live,
                gate: &gate,
                host: &host,
                interval_ms,
                trace: trace.as_ref(),
                ready: &ready,
            };
            let work = std::panic::AssertUnwindSafe(|| run_clone(&plan, &context));
            let outcome = std::panic::catch_unwind(work).unwrap_or_else(|_| {
                let error = RunError::job(&plan.job, "its thread ended by a defect of Fathom");
                failed_result(blank_result(&plan, interval_ms), &error)
            });
            ready();
            let failed = outcome.result.error.is_error();
            live.set_state(if failed { State::Failed } else { State::Done });
            let _ = tx.send(Message::Done(at, outcome));
        };
        // Loops are shallow; a thousand of them should not reserve gigabytes.
        let builder = std::thread::Builder::new().stack_size(512 * 1024);
        builder.name(format!("job{}", entry.plan.number)).spawn(body).map(drop)
    }

    fn take(&mut self, message: Message, observer: &mut dyn Observer) {
        match message {
            Message::Traced(lines, printing) => {
                observer.event(&Event::Debug { lines });
                drop(printing);
            }
            Message::Ready(at) => {
                if let Some(batch) = self.entries[at].batch {
                    self.one_ready(batch, observer);
                }
            }
            Message::Done(at, mut outcome) => {
                let failure = JobFailure::of(&outcome.result);
                self.stop_company(at, failure.is_some());
                if let Some(failure) = failure {
                    observer.event(&Event::JobFailed(failure));
                }
                // fio counts the time of a job from the start of the whole run.
                outcome.result.elapsed_ms = self.view.elapsed_ms();
                self.entries[at].outcome = Some(outcome);
            }
        }
    }

    fn one_ready(&mut self, batch: usize, observer: &mut dyn Observer) {
        self.batches[batch].not_ready -= 1;
        if self.batches[batch].not_ready == 0 {
            let at_ns = self.start_ns(batch, observer);
            self.first_start_ns.get_or_insert(at_ns);
            self.batches[batch].gate.open(at_ns);
            self.network.load_began();
        }
    }

    /// The start of a batch, by the run's clock. While other jobs run it is at once: nobody would
    /// supervise them while the observer waits.
    fn start_ns(&self, batch: usize, observer: &mut dyn Observer) -> u64 {
        if self.entries.iter().any(|entry| entry.running() && entry.batch != Some(batch)) {
            return self.clock.now_ns();
        }
        let at = observer.start(&self.control);
        let (now, now_ns) = (Instant::now(), self.clock.now_ns());
        let ns = |apart: Duration| u64::try_from(apart.as_nanos()).unwrap_or(u64::MAX);
        let ahead_ns = ns(at.saturating_duration_since(now));
        now_ns.saturating_add(ahead_ns).saturating_sub(ns(now.saturating_duration_since(at)))
    }

    /// From when to when clones did I/O.
    fn io_span(&self) -> Option<IoSpan> {
        let from_ns = self.first_start_ns?;
        let of = |counter: fn(&CloneCounters) -> &AtomicU64| {
            let all = self.entries.iter().map(move |entry| counter(&entry.live).load(Relaxed));
            all.filter(|ns| *ns > 0)
        };
        let begun_ns = of(|live| &live.started_ns).min()?.saturating_sub(from_ns);
        let ended_ns = of(|live| &live.ended_ns).max()?.saturating_sub(from_ns);
        Some(IoSpan { begun_ns, ended_ns })
    }

    /// `exitall` and `exitall_on_error`: the end of one is the end of its group.
    fn stop_company(&self, at: usize, failed: bool) {
        let plan = &self.entries[at].plan;
        let process = &plan.job.process;
        if !(process.exitall || process.exitall_on_error && failed) {
            return;
        }
        for entry in self.entries.iter().filter(|e| e.plan.group_id == plan.group_id) {
            entry.live.stop();
        }
    }

    fn look_around(&mut self, observer: &mut dyn Observer) {
        let now = Instant::now();
        if now >= self.next_live {
            self.next_live = now + self.options.live_interval;
            let plans = self.entries.iter().map(|e| (e.plan.as_ref(), e.live.as_ref()));
            let mut live = self.view.look(plans, self.clock.now_ns());
            if observer.wants_latency() {
                let running = self.entries.iter().enumerate().filter(|(_, e)| e.running());
                live.latency = self.latency.look(now, running.map(|(at, e)| (at, &*e.live)));
            }
            observer.event(&Event::Live(live));
        }
        self.steady.look(now, |at| self.entries[at].live.clone());
        if let Some(disks) = &mut self.disks {
            disks.look(now);
        }
        let due = self.next_status.is_some_and(|at| now >= at);
        if due {
            self.next_status = self.options.status_interval.map(|every| now + every);
        }
        if self.control.take_status_request() || due {
            let result = Box::new(self.result_so_far());
            observer.event(&Event::Status(result));
        }
    }

    /// The results so far: requests a snapshot of every running clone, and takes its last one if it
    /// is stuck in an I/O.
    fn result_so_far(&mut self) -> RunResult {
        for entry in self.entries.iter().filter(|entry| entry.running()) {
            entry.live.ask_snapshot();
        }
        let patience = Instant::now() + Duration::from_millis(500);
        let mut late: Vec<Message> = Vec::new();
        let waiting = |entries: &[Entry]| {
            entries.iter().any(|e| e.running() && e.live.snapshot_due() && alive(e.live.state()))
        };
        while waiting(&self.entries) && Instant::now() < patience {
            if let Ok(message) = self.rx.recv_timeout(Duration::from_millis(5)) {
                late.push(message);
            }
        }
        for message in late {
            // Only this thread reads the channel: early messages are put back in order.
            let _ = self.tx.send(message);
        }
        let jobs = self.entries.iter().map(|entry| self.job_so_far(entry)).collect();
        self.assemble(jobs)
    }

    fn job_so_far(&self, entry: &Entry) -> JobResult {
        let mut result = match &entry.outcome {
            Some(outcome) => outcome.result.as_ref().clone(),
            None => *so_far(&entry.live, &entry.plan, self.interval_ms),
        };
        result.steady_state = self.steady.result(entry.plan.number);
        result
    }

    fn assemble(&self, jobs: Vec<JobResult>) -> RunResult {
        let mut notes = self.options.notes.clone();
        for note in jobs.iter().flat_map(|job| &job.notes) {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        notes.extend_from_slice(self.network.notes());
        let pause_ms = self.pause.total_ms();
        if pause_ms > 0 {
            notes.push(format!(
                "The process was stopped for {:.1} s (SIGSTOP, ^Z): figures count that time.",
                pause_ms as f64 / 1e3
            ));
        }
        RunResult {
            schema: SCHEMA,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            timestamp_ms: unix_ms(),
            started_ms: self.started_ms,
            global_options: self.options.global_options.clone(),
            jobs,
            disks: self.disks.as_ref().map(DiskWatch::so_far).unwrap_or_default(),
            notes,
            interrupted: self.control.stopping(),
            pause_ms,
            clients: Vec::new(),
            missing_clients: Vec::new(),
            common_span: None,
            network: self.network.so_far(),
        }
    }

    /// Results are moved, not copied: a thousand clones' histograms must not be in memory twice.
    fn finish(mut self) -> RunOutcome {
        let io_span = self.io_span();
        let count = self.entries.len();
        let (mut jobs, mut logs) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut leftovers = Vec::new();
        for entry in std::mem::take(&mut self.entries) {
            let outcome = entry.outcome.unwrap_or_else(|| CloneOutcome {
                result: so_far(&entry.live, &entry.plan, self.interval_ms),
                logs: CloneLogs::default(),
                leftovers: Vec::new(),
            });
            let mut result = *outcome.result;
            result.steady_state = self.steady.result(entry.plan.number);
            jobs.push(result);
            logs.push(outcome.logs);
            leftovers.extend(outcome.leftovers);
        }
        RunOutcome { result: self.assemble(jobs), logs, leftovers, io_span }
    }
}

/// Has the supervisor print lines, and waits until it has.
fn trace_printer(tx: Sender<Message>) -> impl Fn(String) {
    move |lines| {
        let (printing, printed) = sync_channel(1);
        if tx.send(Message::Traced(lines, printing)).is_ok() {
            let _ = printed.recv();
        }
    }
}

/// The clock of the jobs; one run has one clock, so the simplest request wins.
fn clock_source(entries: &[Entry]) -> fathom_engine::ClockSource {
    use fathom_engine::ClockSource as Of;
    use fathom_job::JobClock as Asked;
    let asked: Vec<Asked> = entries.iter().map(|e| e.plan.job.measure.clocksource).collect();
    if asked.iter().any(|a| matches!(a, Asked::ClockGettime | Asked::Gettimeofday)) {
        Of::Monotonic
    } else if asked.contains(&Asked::Cpu) {
        Of::Counter
    } else {
        Of::Auto
    }
}

/// The result of a clone without an outcome: its last snapshot, or an empty one.
fn so_far(live: &CloneCounters, plan: &ClonePlan, interval_ms: u64) -> Box<JobResult> {
    live.last_snapshot().unwrap_or_else(|| blank_result(plan, interval_ms))
}

fn alive(state: State) -> bool {
    matches!(state, State::Ramping | State::Running)
}
