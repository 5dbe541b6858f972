//! An agent on real pipes: threads that read, write and work around the state machine.
//!
//! Decided here:
//! - The deciding thread never reads, writes or measures, so that it reacts to the end of the input
//!   while an I/O hangs and while the output is blocked.
//! - Live events are dropped if the pipe is full; replies never are.
//! - A call that is ready for its I/O waits on the working thread, and gives up with the run.
//! - At the end I/O is stopped, and test files are removed with the machine. If I/O does not end
//!   within two seconds the files are removed anyway.

use crate::agent::{Agent, AgentAction, AgentEnd, AgentInput};
use crate::frame::{FrameReader, WireFrame, write_frame};
use crate::hello::Hello;
use fathom_campaign::machine::{CallListener, MachineReply, serve};
use fathom_campaign::{Machine, MachineError, MachineErrorKind, TestFiles};
use fathom_run::{Control, Leftover};
use fathom_vocab::shell::quoted_path;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Frames that may wait to be read or written.
const QUEUE: usize = 64;
/// How long I/O may take to end after the coordinator is gone.
const END: Duration = Duration::from_secs(2);
/// How long the goodbye may take to be written.
const FAREWELL: Duration = Duration::from_millis(500);
/// How often a signal is looked for.
const POLL: Duration = Duration::from_millis(200);

/// The parts of an agent.
#[derive(Debug)]
pub struct AgentParts<M> {
    /// The machine that it is.
    pub machine: M,
    /// Stops its runs.
    pub control: Arc<Control>,
    /// Its test files.
    pub files: TestFiles,
    /// Its identity.
    pub own: Hello,
}

/// How an agent ended.
#[derive(Debug)]
pub struct AgentReport {
    /// The reason.
    pub end: AgentEnd,
    /// Test files that could not be removed.
    pub leftovers: Vec<Leftover>,
}

enum Happening {
    Input(AgentInput),
    /// The work is over and the machine is dropped, with its test files.
    Released,
}

/// Runs an agent on `input` and `output` until the coordinator is gone.
pub fn agent_process<M: Machine + Send + 'static>(
    parts: AgentParts<M>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> AgentReport {
    let (control, files) = (parts.control, parts.files);
    let (happenings, queue) = sync_channel(QUEUE);
    let (calls, work) = channel::<(Vec<u8>, bool)>();
    let (starts, moments) = channel();
    spawn("frames in", read(input, happenings.clone()));
    let mut worker = CallWorker { machine: parts.machine, to: happenings, starts: moments };
    spawn("work", move || {
        work.iter().all(|(call, together)| worker.carry_out(&call, together));
        worker.release();
    });
    let (frames, pending) = sync_channel(QUEUE);
    let writer = spawn("frames out", move || write(output, &pending));
    let start = Instant::now();
    let agent = Agent::new(parts.own, 0);
    let mut process =
        AgentProcess { agent, control, calls: Some(calls), starts: Some(starts), frames, start };
    let end = process.decide(&queue);
    let AgentProcess { control, calls, starts, frames, .. } = process;
    control.stop();
    drop((calls, starts, frames));
    let leftovers = released(&queue, &files);
    let patience = Instant::now() + FAREWELL;
    while writer.as_ref().is_some_and(|writer| !writer.is_finished()) && Instant::now() < patience {
        thread::sleep(Duration::from_millis(5));
    }
    AgentReport { end, leftovers }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    // If no thread can be started its channel closes, which ends the agent.
    thread::Builder::new().name(name.to_owned()).spawn(work).ok()
}

fn read(input: impl Read, to: SyncSender<Happening>) -> impl FnOnce() {
    let mut frames = FrameReader::new(input);
    move || loop {
        let (input, last) = match frames.read() {
            Ok(Some(frame)) => (AgentInput::Frame(frame), false),
            Ok(None) => (AgentInput::Closed(None), true),
            Err(why) => (AgentInput::Closed(Some(why.to_string())), true),
        };
        if to.send(Happening::Input(input)).is_err() || last {
            return;
        }
    }
}

/// Carries out calls.
struct CallWorker<M> {
    machine: M,
    to: SyncSender<Happening>,
    starts: Receiver<Instant>,
}

impl<M: Machine> CallWorker<M> {
    /// Returns whether the reply was taken.
    fn carry_out(&mut self, call: &[u8], together: bool) -> bool {
        let mut listener = ProcessListener { to: &self.to, starts: &self.starts, together };
        let reply = serve(&mut self.machine, call, &mut listener);
        let reply =
            if reply.len() > WireFrame::REPLY_LIMIT_BYTES { too_long(&reply) } else { reply };
        self.to.send(Happening::Input(AgentInput::Done(reply))).is_ok()
    }

    /// The machine is dropped before that is reported.
    fn release(self) {
        drop(self.machine);
        let _ = self.to.send(Happening::Released);
    }
}

struct ProcessListener<'a> {
    to: &'a SyncSender<Happening>,
    starts: &'a Receiver<Instant>,
    together: bool,
}

impl CallListener for ProcessListener<'_> {
    fn event(&mut self, event: Vec<u8>) {
        let _ = self.to.try_send(Happening::Input(AgentInput::Event(event)));
    }

    fn start(&mut self, control: &Control) -> Instant {
        // A moment that came too late for the previous start does not count for this one.
        self.starts.try_iter().for_each(drop);
        if !self.together || self.to.send(Happening::Input(AgentInput::Ready)).is_err() {
            return Instant::now();
        }
        loop {
            match self.starts.recv_timeout(POLL) {
                Ok(at) => return at,
                Err(RecvTimeoutError::Timeout) if !control.stopping() => {}
                Err(_) => return Instant::now(),
            }
        }
    }
}

fn too_long(reply: &[u8]) -> Vec<u8> {
    let message = format!(
        "what was measured takes {} MB, more than crosses to the coordinator; run fewer jobs, or \
         keep fewer logs",
        reply.len() / 1_000_000
    );
    MachineReply::Unknown(MachineError::new(MachineErrorKind::Connection, message)).to_bytes()
}

fn write(mut output: impl Write, frames: &Receiver<WireFrame>) {
    for frame in frames {
        if write_frame(&mut output, &frame).is_err() {
            return;
        }
    }
}

struct AgentProcess {
    agent: Agent,
    control: Arc<Control>,
    calls: Option<Sender<(Vec<u8>, bool)>>,
    starts: Option<Sender<Instant>>,
    frames: SyncSender<WireFrame>,
    start: Instant,
}

impl AgentProcess {
    fn now_ns(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn decide(&mut self, queue: &Receiver<Happening>) -> AgentEnd {
        loop {
            let wait = Duration::from_nanos(self.agent.wake_ns().saturating_sub(self.now_ns()));
            let input = match queue.recv_timeout(wait.min(POLL)) {
                Ok(Happening::Input(input)) => input,
                Ok(Happening::Released) | Err(RecvTimeoutError::Disconnected) => {
                    return AgentEnd::Lost("this process can start no threads".to_owned());
                }
                Err(RecvTimeoutError::Timeout) => AgentInput::Tick,
            };
            let was_told = self.agent.is_stopping();
            if self.control.stopping() && !was_told && !self.agent.is_busy() {
                return AgentEnd::Lost("a signal ended the agent".to_owned());
            }
            let now_ns = self.now_ns();
            for action in self.agent.step(now_ns, input) {
                if let Some(end) = self.act(action) {
                    return end;
                }
            }
        }
    }

    fn act(&mut self, action: AgentAction) -> Option<AgentEnd> {
        match action {
            AgentAction::Send(frame @ WireFrame::Event { .. }) => {
                let _ = self.frames.try_send(frame);
            }
            AgentAction::Send(frame) => return self.send(frame),
            AgentAction::Begin { body, together } => {
                if let Some(calls) = &self.calls {
                    let _ = calls.send((body, together));
                }
            }
            AgentAction::Start(at_ns) => {
                let at = self.start.checked_add(Duration::from_nanos(at_ns));
                if let Some(starts) = &self.starts {
                    let _ = starts.send(at.unwrap_or_else(Instant::now));
                }
            }
            AgentAction::Stop => self.control.stop(),
            AgentAction::End(end) => return Some(end),
        }
        None
    }

    /// Puts a frame into the queue of the writer. If it stays full the coordinator is gone.
    fn send(&mut self, frame: WireFrame) -> Option<AgentEnd> {
        use std::sync::mpsc::TrySendError::{Disconnected, Full};
        let patience = Instant::now() + END;
        let mut frame = frame;
        loop {
            frame = match self.frames.try_send(frame) {
                Ok(()) => return None,
                Err(Full(back)) if Instant::now() < patience => back,
                Err(Full(_)) => {
                    return Some(AgentEnd::Lost("the coordinator takes no answers".to_owned()));
                }
                Err(Disconnected(_)) => {
                    return Some(AgentEnd::Lost("the connection was closed".to_owned()));
                }
            };
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Waits until the machine is dropped with its test files; removes them if that takes too long.
/// Returns those that still exist.
fn released(queue: &Receiver<Happening>, files: &TestFiles) -> Vec<Leftover> {
    let patience = Instant::now() + END;
    loop {
        let wait = patience.saturating_duration_since(Instant::now());
        match queue.recv_timeout(wait) {
            Ok(Happening::Input(_)) => {}
            Ok(Happening::Released) | Err(RecvTimeoutError::Disconnected) => {
                return files.take_leftovers();
            }
            Err(RecvTimeoutError::Timeout) => break,
        }
    }
    let left = files.remove_all();
    let sentence = |path: &std::path::Path| {
        format!("{} is left behind. Remove it: rm {}", path.display(), quoted_path(path))
    };
    let leftover =
        |path: std::path::PathBuf| Leftover { sentence: sentence(&path), is_there: true, path };
    files.take_leftovers().into_iter().chain(left.into_iter().map(leftover)).collect()
}
