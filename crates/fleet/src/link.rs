//! A connection to one agent: a child process with threads at its pipes. The child has a process
//! group of its own, so that ^C in a terminal ends the measurement and not the connection.

use crate::frame::{FrameError, FrameReadError, FrameReader, WireFrame, write_frame};
use crate::loss::LossKind;
use fathom_vocab::printable;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How much a child may say before an error quotes only its end.
const COMPLAINT_BYTES: usize = 4096;
/// How long a child may take to end by itself.
const END: Duration = Duration::from_secs(3);
/// How long the removal of what a lost agent left may take.
const CLEAN: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(20);
/// What a shell says by its exit code of a command that there is not.
const NOT_FOUND: i32 = 127;
/// What ssh says by its exit code where it did not get there.
const SSH_FAILED: i32 = 255;

/// What comes from an agent.
pub(crate) type LinkNews = Result<WireFrame, LossKind>;

/// A connection to one agent.
#[derive(Debug)]
pub(crate) struct LinkProcess {
    child: Arc<Mutex<Child>>,
    frames: Sender<WireFrame>,
}

impl LinkProcess {
    /// Starts the command `words`, and tells `news` what comes of it, the last of which is how it
    /// ended.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub(crate) fn start(
        words: &[String],
        news: impl Fn(LinkNews) -> bool + Send + 'static,
    ) -> Result<LinkProcess, LossKind> {
        let unreachable = |why: io::Error| match why.kind() {
            io::ErrorKind::NotFound => {
                LossKind::Unreachable(format!("there is no command {} here; install it", words[0]))
            }
            _ => LossKind::Unreachable(format!("cannot start {}: {why}", words[0])),
        };
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(unreachable)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (frames, pending) = channel::<WireFrame>();
        let child = Arc::new(Mutex::new(child));
        let is_ssh = words[0] == "ssh";
        let owner = child.clone();
        thread::spawn(move || {
            let Some(mut stdin) = stdin else { return };
            // The pipe closes with the channel: that is how an agent is told that this side goes.
            pending.iter().all(|frame| write_frame(&mut stdin, &frame).is_ok());
        });
        thread::spawn(move || {
            let complaint = listen(stderr);
            let end = read(stdout, &news);
            let end = end.unwrap_or_else(|| LossKind::Closed(ended(&owner, &complaint, is_ssh)));
            news(Err(end));
        });
        Ok(LinkProcess { child, frames })
    }

    /// Sends a frame, when the pipe takes it.
    pub(crate) fn send(&self, frame: WireFrame) {
        // Where the writer is gone the reader tells why.
        let _ = self.frames.send(frame);
    }

    /// Ends the connection: closes the pipe, then waits for the child, and kills it where it does
    /// not go. A child that was stopped is woken, so that an agent in it can remove its files. One
    /// that was killed cannot: the command `clean` then does it.
    pub(crate) fn end(self, clean: Option<Vec<String>>) -> JoinHandle<()> {
        drop(self.frames);
        let child = self.child;
        thread::spawn(move || {
            let group = Pid::from_child(&lock(&child));
            if wait(&child).is_none() {
                let _ = kill_process_group(group, Signal::CONT);
            }
            if wait_for(&child, END).is_none() {
                let _ = kill_process_group(group, Signal::KILL);
                let _ = lock(&child).wait();
            }
            clean.iter().for_each(|words| run(words, CLEAN));
        })
    }
}

/// Runs a command to its end, and no longer than `limit`.
fn run(words: &[String], limit: Duration) {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(child) = command.spawn() else { return };
    let (group, child) = (Pid::from_child(&child), Mutex::new(child));
    if wait_for(&child, limit).is_none() {
        let _ = kill_process_group(group, Signal::KILL);
        let _ = lock(&child).wait();
    }
}

fn lock(child: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait(child: &Mutex<Child>) -> Option<ExitStatus> {
    lock(child).try_wait().ok().flatten()
}

fn wait_for(child: &Mutex<Child>, limit: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + limit;
    loop {
        match wait(child) {
            None if Instant::now() < until => thread::sleep(POLL),
            status => return status,
        }
    }
}

/// Reads frames until the end; gives why they cannot be read, if so.
fn read(stdout: Option<ChildStdout>, news: &impl Fn(LinkNews) -> bool) -> Option<LossKind> {
    let mut frames = FrameReader::new(stdout?);
    loop {
        match frames.read() {
            Ok(Some(frame)) => {
                if !news(Ok(frame)) {
                    return None;
                }
            }
            // How the child ended says more than where it was cut off.
            Ok(None) | Err(FrameReadError::Frame(FrameError::CutOff(_))) => return None,
            Err(why) => return Some(LossKind::Protocol(why.to_string())),
        }
    }
}

/// Listens to standard error on a thread of its own; gives the end of it once it is closed.
fn listen(stderr: Option<ChildStderr>) -> Receiver<Vec<u8>> {
    let (to, complaint) = channel();
    thread::spawn(move || {
        let (mut text, mut chunk) = (Vec::new(), [0; 1024]);
        if let Some(mut stderr) = stderr {
            while let Ok(count @ 1..) = stderr.read(&mut chunk) {
                text.extend(&chunk[..count]);
                let excess = text.len().saturating_sub(COMPLAINT_BYTES);
                text.drain(..excess);
            }
        }
        let _ = to.send(text);
    });
    complaint
}

/// How a child ended, in words, with what to do.
fn ended(child: &Mutex<Child>, complaint: &Receiver<Vec<u8>>, is_ssh: bool) -> String {
    let status = wait_for(child, END);
    let text = complaint.recv_timeout(Duration::from_millis(500)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let said: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let said = match said.as_slice() {
        [] => String::new(),
        lines => {
            format!(": {}", printable::line(&lines[lines.len().saturating_sub(3)..].join("; ")))
        }
    };
    match status.and_then(|status| status.code()) {
        Some(NOT_FOUND) => format!(
            "the host has no such command{said}; install Fathom there, or name its binary by \
             --agent PATH"
        ),
        Some(SSH_FAILED) if is_ssh => {
            format!("ssh failed{said}; make `ssh -o BatchMode=yes HOST true` work first")
        }
        Some(code) => format!("the agent's command ended with exit code {code}{said}"),
        None => format!("the connection ended{said}"),
    }
}
