//! How a connection gets an agent: the Fathom installed on the host, or a copy of one of ours.
//!
//! Decided here:
//! - The installed one is tried first, so that a host with the same build costs no extra round
//!   trip.
//! - A binary is copied if none is installed, if the installed one does not greet, or if it is
//!   another build. This one is tried first; a host of another architecture gets the one that fits
//!   there (`agent_binaries.rs`). If copying fails, another build with the same protocol measures,
//!   with a warning.
//! - Connections are opened a few at a time (`turns.rs`).
//! - A host that ssh cannot reach is not tried twice, and its login messages are not an agent's.

use crate::agent_binaries::{AgentBinaries, AgentBinary, AgentBinaryError};
use crate::agent_copy::{CopyCommand, CopyPrompt, HostSystem, NOT_COPIED};
use crate::frame::{FrameError, FrameReadError, FrameReader, ReplyLimit, WireFrame};
use crate::hello::Hello;
use crate::link_child::{
    ChildPipes, END, HostCommands, LinkChild, LinkNews, NewsTaker, PipeWrite, end_child, lock,
    start_child, wait_for,
};
use crate::loss::LossKind;
use crate::turns::ConnectionTurns;
use fathom_vocab::{Architecture, printable};
use std::io;
use std::process::{Child, ChildStdout};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A shell's exit code for an unknown command.
const NOT_FOUND: i32 = 127;
/// ssh's exit code for a failed connection.
const SSH_FAILED: i32 = 255;
/// Advice where something else than an agent speaks.
const PRINTS_NOTHING: &str = "a start-up file there may print it (~/.bashrc, ~/.profile): a login \
                              that runs a command must print nothing, so try `true` there; --agent \
                              must name a Fathom";
/// How long to wait for the end of an error message after its child has ended.
const COMPLAINT: Duration = Duration::from_millis(500);

/// This side of all connections.
#[derive(Debug)]
pub(crate) struct LinkOwner {
    pub(crate) hello: Hello,
    pub(crate) binaries: Arc<AgentBinaries>,
    pub(crate) turns: ConnectionTurns,
}

/// The frames of an agent that greeted, and the information on its end.
#[derive(Debug)]
pub(crate) struct AgentStream {
    pub(crate) greeting: WireFrame,
    pub(crate) frames: FrameReader<ChildStdout>,
    pub(crate) end: ChildEnd,
}

/// A connection that is being made.
pub(crate) struct LinkOpening {
    pub(crate) commands: HostCommands,
    pub(crate) owner: Arc<LinkOwner>,
    pub(crate) child: Arc<Mutex<LinkChild>>,
    pub(crate) news: NewsTaker,
    pub(crate) reply_limit: ReplyLimit,
}

/// How the copy of a binary ended.
enum CopyEnd {
    /// It is an agent that greeted.
    Agent(Box<AgentStream>),
    /// It does not fit there.
    Misfit(HostSystem),
}

/// Why an attempt gave no agent.
struct NoAgent {
    why: LossKind,
    /// Whether a copy may.
    may_copy: bool,
    /// Whether the host's `sh` spoke.
    spoke: bool,
}

impl NoAgent {
    fn for_good(why: LossKind) -> NoAgent {
        NoAgent { why, may_copy: false, spoke: false }
    }

    fn no_binary(why: AgentBinaryError) -> NoAgent {
        NoAgent::of_copy(why.to_string())
    }

    /// An error of the script or of this side about a copy.
    fn of_copy(why: String) -> NoAgent {
        NoAgent { why: LossKind::Unreachable(why), may_copy: false, spoke: true }
    }
}

impl LinkOpening {
    /// Gives an agent that greeted.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn open(&self) -> Result<AgentStream, LossKind> {
        let progress = || {
            (self.news)(LinkNews::Opening);
        };
        let turn = self.owner.turns.take(progress);
        progress();
        let stream = self.attempts()?;
        drop(turn);
        lock(&self.child).opened();
        Ok(stream)
    }

    fn attempts(&self) -> Result<AgentStream, LossKind> {
        let Some(copy) = &self.commands.copy else {
            return self.installed().map_err(|no| no.why);
        };
        match self.installed() {
            Ok(stream) if !self.is_other_build(&stream) => Ok(stream),
            Ok(stream) => {
                self.part_from(stream);
                self.copied(copy).or_else(|_| self.installed()).map_err(|no| no.why)
            }
            Err(no) if no.may_copy => self.copied(copy).map_err(|copied| both(no.why, copied)),
            Err(no) => Err(no.why),
        }
    }

    fn is_other_build(&self, stream: &AgentStream) -> bool {
        let WireFrame::Hello(hello) = &stream.greeting else { return false };
        let architecture = Architecture::named(&hello.architecture);
        match self.owner.binaries.of_host(&hello.system, &architecture) {
            Some(binary) if !binary.is_own() => {
                binary.identity().is_ok_and(|of| of.sha256 != hello.binary_sha256)
            }
            _ => hello.is_other_build(&self.owner.hello),
        }
    }

    /// Has an agent that greeted and is not wanted end.
    fn part_from(&self, stream: AgentStream) {
        lock(&self.child).close();
        end_child(&stream.end.child);
    }

    /// The agent of the Fathom that is on the host.
    fn installed(&self) -> Result<AgentStream, NoAgent> {
        let words = &self.commands.agent;
        let (stdout, end) = self.start(words, false)?;
        lock(&self.child).take_frames();
        self.greeted(stdout, end)
    }

    /// The agent of a binary that is copied to the host.
    fn copied(&self, copy: &CopyCommand) -> Result<AgentStream, NoAgent> {
        let binaries = &self.owner.binaries;
        let host = match self.copied_binary(copy, binaries.usual())? {
            CopyEnd::Agent(stream) => return Ok(*stream),
            CopyEnd::Misfit(host) => host,
        };
        let no_binary = |host: &HostSystem| NoAgent::of_copy(host.no_binary());
        let fitting = binaries.of_host(&host.system, &host.architecture);
        match self.copied_binary(copy, fitting.ok_or_else(|| no_binary(&host))?)? {
            CopyEnd::Agent(stream) => Ok(*stream),
            CopyEnd::Misfit(host) => Err(no_binary(&host)),
        }
    }

    /// The same of this binary, if it fits there.
    fn copied_binary(&self, copy: &CopyCommand, binary: &AgentBinary) -> Result<CopyEnd, NoAgent> {
        (self.news)(LinkNews::Opening);
        let words = copy.words(binary.identity().map_err(NoAgent::no_binary)?);
        let (mut stdout, end) = self.start(&words, true)?;
        loop {
            let prompt = CopyPrompt::read(&mut stdout);
            match prompt.map_err(|why| NoAgent::of_copy(why.to_string()))? {
                Some(CopyPrompt::Send(host)) => {
                    let fitting = self.owner.binaries.of_host(&host.system, &host.architecture);
                    if !fitting.is_some_and(|fitting| std::ptr::eq(fitting, binary)) {
                        lock(&self.child).close();
                        end_child(&end.child);
                        return Ok(CopyEnd::Misfit(host));
                    }
                    let bytes = binary.bytes().map_err(NoAgent::no_binary)?;
                    lock(&self.child).write(PipeWrite::Binary(bytes));
                }
                Some(CopyPrompt::Ready) => break,
                Some(CopyPrompt::Unknown(_)) | None => return Err(end.no_agent()),
            }
        }
        lock(&self.child).take_frames();
        self.greeted(stdout, end).map(|stream| CopyEnd::Agent(Box::new(stream)))
    }

    fn start(&self, words: &[String], cleans: bool) -> Result<(ChildStdout, ChildEnd), NoAgent> {
        let unreachable = |why: io::Error| {
            let why = match why.kind() {
                io::ErrorKind::NotFound => {
                    format!("there is no command {} here; install it", words[0])
                }
                _ => format!("cannot start {}: {why}", words[0]),
            };
            NoAgent::for_good(LossKind::Unreachable(why))
        };
        let pipes = start_child(words, &self.news).map_err(unreachable)?;
        let ChildPipes { child, writes, stdout, complaint } = pipes;
        if !lock(&self.child).put(child.clone(), writes, cleans) {
            end_child(&child);
            let why = LossKind::Closed("the connection was ended".to_owned());
            return Err(NoAgent::for_good(why));
        }
        Ok((stdout, ChildEnd { child, complaint, is_ssh: words[0] == "ssh" }))
    }

    /// The first frame of an agent.
    fn greeted(&self, stdout: ChildStdout, end: ChildEnd) -> Result<AgentStream, NoAgent> {
        let mut frames = FrameReader::new(stdout).with_reply_limit(self.reply_limit.clone());
        match frames.read() {
            Ok(Some(greeting)) => Ok(AgentStream { greeting, frames, end }),
            Ok(None) | Err(FrameReadError::Frame(FrameError::CutOff(_))) => Err(end.no_agent()),
            // Advice to install another Fathom would be wrong.
            Err(FrameReadError::Frame(why @ FrameError::Foreign(_))) => {
                Err(NoAgent::for_good(LossKind::Unreachable(format!("{why}; {PRINTS_NOTHING}"))))
            }
            Err(why) => Err(NoAgent {
                may_copy: matches!(&why, FrameReadError::Frame(FrameError::Version(_))),
                why: LossKind::Protocol(why.to_string()),
                spoke: false,
            }),
        }
    }
}

/// Why neither the installed program nor a copy is an agent. If no `sh` answered, the first error
/// counts.
fn both(first: LossKind, copied: NoAgent) -> LossKind {
    match (first, copied) {
        (LossKind::Closed(first) | LossKind::Protocol(first), NoAgent { why, spoke: true, .. }) => {
            let why = match why {
                LossKind::Unreachable(why) | LossKind::Closed(why) | LossKind::Protocol(why) => why,
                other => return other,
            };
            LossKind::Unreachable(format!("{first}. Copying this one there failed: {why}"))
        }
        (first, _) => first,
    }
}

/// The end of a child, for its waiters.
#[derive(Debug)]
pub(crate) struct ChildEnd {
    child: Arc<Mutex<Child>>,
    complaint: Receiver<Vec<u8>>,
    is_ssh: bool,
}

impl ChildEnd {
    /// The exit code, and the error output.
    fn wait(&self) -> (Option<i32>, String) {
        let code = wait_for(&self.child, END).and_then(|status| status.code());
        let text = self.complaint.recv_timeout(COMPLAINT).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<&str> = lines.collect();
        let said = lines[lines.len().saturating_sub(3)..].join("; ");
        (code, printable::line(&said).into_owned())
    }

    fn no_agent(&self) -> NoAgent {
        let (code, said) = self.wait();
        match code {
            Some(NOT_COPIED) => NoAgent::of_copy(said),
            _ => NoAgent {
                may_copy: !(self.is_ssh && code == Some(SSH_FAILED)),
                why: LossKind::Closed(self.told(code, &said, false)),
                spoke: false,
            },
        }
    }

    /// The end of an agent that greeted, as text.
    pub(crate) fn sentence(&self) -> String {
        let (code, said) = self.wait();
        self.told(code, &said, true)
    }

    fn told(&self, code: Option<i32>, said: &str, has_worked: bool) -> String {
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        match code {
            Some(NOT_FOUND) => format!(
                "the host has no such command{said}; install Fathom there, or name its binary by \
                 --agent PATH"
            ),
            Some(SSH_FAILED) if self.is_ssh && has_worked => {
                format!("the ssh connection broke{said}; look there for what ended it")
            }
            Some(SSH_FAILED) if self.is_ssh => {
                format!("ssh failed{said}; make `ssh -o BatchMode=yes HOST true` work first")
            }
            Some(code) => format!("the agent's command ended with exit code {code}{said}"),
            None => format!("the connection ended{said}"),
        }
    }
}
