//! The child process of a connection, with threads at its pipes. It has its own process group, so
//! that ^C in a terminal ends the measurement and not the connection.

use crate::agent_copy::CopyCommand;
use crate::frame::{WireFrame, write_frame};
use crate::loss::LossKind;
use fathom_host::{in_own_group, wake_group};
use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length of a child's message before an error quotes only its end.
const COMPLAINT_BYTES: usize = 4096;
/// Bytes of a binary sent between two progress reports.
const CHUNK_BYTES: usize = 1 << 20;
/// How long a child may take to end by itself.
pub(crate) const END: Duration = Duration::from_secs(3);
const POLL: Duration = Duration::from_millis(20);

/// The commands that reach a host.
#[derive(Clone, Debug)]
pub(crate) struct HostCommands {
    /// Is an agent there.
    pub(crate) agent: Vec<String>,
    /// Removes files that a killed agent left there.
    pub(crate) clean: Vec<String>,
    /// Copies a binary there and runs it as an agent; none if the user named one there.
    pub(crate) copy: Option<CopyCommand>,
}

/// An event of a connection.
#[derive(Debug)]
pub(crate) enum LinkNews {
    /// A frame.
    Frame(WireFrame),
    /// There is no agent yet, but there is progress: the connection waits for its turn, or sends a
    /// binary.
    Opening,
    /// It ended; the last news.
    Ended(LossKind),
}

/// Takes news; gives whether more are wanted.
pub(crate) type NewsTaker = Arc<dyn Fn(LinkNews) -> bool + Send + Sync>;

/// Data for a host.
#[derive(Debug)]
pub(crate) enum PipeWrite {
    Frame(WireFrame),
    Binary(Arc<Vec<u8>>),
}

/// The child of a connection, with the queue of its input.
#[derive(Debug, Default)]
pub(crate) struct LinkChild {
    child: Option<Arc<Mutex<Child>>>,
    /// Closes the pipe when dropped, which tells an agent that this side is gone.
    writes: Option<Sender<PipeWrite>>,
    /// Frames before the greeting; none once there was one.
    opening: Option<Vec<WireFrame>>,
    /// Whether the child takes frames.
    takes_frames: bool,
    /// Whether the connection was ended.
    is_over: bool,
    /// Whether the child cleans up after an agent that is killed.
    cleans: bool,
}

impl LinkChild {
    /// No child yet.
    pub(crate) fn new() -> LinkChild {
        LinkChild { opening: Some(Vec::new()), ..LinkChild::default() }
    }

    /// The connection ends: closes the input, and gives the child and whether it cleans up.
    pub(crate) fn end(&mut self) -> (Option<Arc<Mutex<Child>>>, bool) {
        self.is_over = true;
        self.close();
        (self.child.take(), self.cleans)
    }

    /// Puts a child in place of the one before it; gives whether the connection is still wanted.
    pub(crate) fn put(
        &mut self,
        child: Arc<Mutex<Child>>,
        writes: Sender<PipeWrite>,
        cleans: bool,
    ) -> bool {
        if !self.is_over {
            self.writes = Some(writes);
        }
        (self.child, self.takes_frames, self.cleans) = (Some(child), false, cleans);
        !self.is_over
    }

    /// From here on the child takes frames; those that wait go at once.
    pub(crate) fn take_frames(&mut self) {
        self.takes_frames = true;
        for frame in self.opening.iter().flatten().cloned() {
            self.write(PipeWrite::Frame(frame));
        }
    }

    /// The child greeted as wanted.
    pub(crate) fn opened(&mut self) {
        self.opening = None;
    }

    /// Closes the child's input.
    pub(crate) fn close(&mut self) {
        self.writes = None;
    }

    pub(crate) fn write(&self, write: PipeWrite) {
        // If the writer is gone the reader reports the reason.
        if let Some(writes) = &self.writes {
            let _ = writes.send(write);
        }
    }

    /// Sends a frame, now or once the child can receive it.
    pub(crate) fn send(&mut self, frame: WireFrame) {
        if let Some(opening) = &mut self.opening {
            opening.push(frame.clone());
        }
        if self.takes_frames {
            self.write(PipeWrite::Frame(frame));
        }
    }
}

/// Waits for a child whose input is closed, and kills it if it does not end.
pub(crate) fn end_child(child: &Mutex<Child>) {
    if wait(child).is_none() {
        wake_group(&lock(child));
    }
    if wait_for(child, END).is_none() {
        kill_group(child);
    }
}

/// Kills a child with all that it started.
pub(crate) fn kill_group(child: &Mutex<Child>) {
    let mut child = lock(child);
    fathom_host::kill_group(&mut child);
    let _ = child.wait();
}

pub(crate) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait(child: &Mutex<Child>) -> Option<ExitStatus> {
    lock(child).try_wait().ok().flatten()
}

pub(crate) fn wait_for(child: &Mutex<Child>, limit: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + limit;
    loop {
        match wait(child) {
            None if Instant::now() < until => thread::sleep(POLL),
            status => return status,
        }
    }
}

/// A running child, with its outputs.
#[derive(Debug)]
pub(crate) struct ChildPipes {
    pub(crate) child: Arc<Mutex<Child>>,
    pub(crate) writes: Sender<PipeWrite>,
    pub(crate) stdout: ChildStdout,
    pub(crate) complaint: Receiver<Vec<u8>>,
}

/// Starts a command with threads that write to it and listen to its complaints.
///
/// # Errors
/// If it cannot be started.
pub(crate) fn start_child(words: &[String], news: &NewsTaker) -> io::Result<ChildPipes> {
    let mut command = Command::new(&words[0]);
    in_own_group(command.args(&words[1..]));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let stdout = stdout.ok_or(io::ErrorKind::BrokenPipe)?;
    let (writes, pending) = channel();
    let news = news.clone();
    thread::spawn(move || {
        let Some(mut stdin) = stdin else { return };
        pending.iter().all(|write| write_to(&mut stdin, &write, &news).is_ok());
    });
    let child = Arc::new(Mutex::new(child));
    Ok(ChildPipes { child, writes, stdout, complaint: listen(stderr) })
}

fn write_to(stdin: &mut ChildStdin, write: &PipeWrite, news: &NewsTaker) -> io::Result<()> {
    match write {
        PipeWrite::Frame(frame) => write_frame(stdin, frame),
        PipeWrite::Binary(bytes) => bytes.chunks(CHUNK_BYTES).try_for_each(|chunk| {
            stdin.write_all(chunk)?;
            news(LinkNews::Opening);
            Ok(())
        }),
    }
}

/// Reads standard error on its own thread; returns its last part once it is closed.
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
