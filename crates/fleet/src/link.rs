//! A connection to one agent: forwards its frames, and handles its end.
//!
//! `link_opening.rs` finds the right child process and may try several; until one greets, frames
//! for the agent are sent to each.

use crate::frame::{FrameError, FrameReadError, ReplyLimit, WireFrame};
use crate::link_child::{
    HostCommands, LinkChild, LinkNews, NewsTaker, end_child, kill_group, lock, wait_for,
};
use crate::link_opening::{AgentStream, LinkOpening, LinkOwner};
use crate::loss::LossKind;
use fathom_host::in_own_group;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Maximum time for removing files of a lost agent.
const CLEAN: Duration = Duration::from_secs(5);
/// A connection to one agent.
#[derive(Debug)]
pub(crate) struct LinkProcess {
    child: Arc<Mutex<LinkChild>>,
    clean: Vec<String>,
    reply_limit: ReplyLimit,
}

impl LinkProcess {
    /// Opens an agent on the host of `commands`, and reports to `news`.
    pub(crate) fn start(
        commands: HostCommands,
        owner: Arc<LinkOwner>,
        news: NewsTaker,
    ) -> LinkProcess {
        let child = Arc::new(Mutex::new(LinkChild::new()));
        let clean = commands.clean.clone();
        let reply_limit = ReplyLimit::none();
        let opening = LinkOpening {
            commands,
            owner,
            child: child.clone(),
            news: news.clone(),
            reply_limit: reply_limit.clone(),
        };
        thread::spawn(move || {
            let end = match opening.open() {
                Ok(stream) => relay(stream, &news),
                Err(why) => Some(why),
            };
            if let Some(why) = end {
                news(LinkNews::Ended(why));
            }
        });
        LinkProcess { child, clean, reply_limit }
    }

    /// Takes replies of at most so many bytes from now on.
    pub(crate) fn limit_replies(&self, bytes: u32) {
        self.reply_limit.set(bytes);
    }

    /// Sends a frame, when the pipe takes it.
    pub(crate) fn send(&self, frame: WireFrame) {
        lock(&self.child).send(frame);
    }

    /// Ends the connection: closes the pipe, then waits for the child, and kills it if it does not
    /// end. A stopped child is continued, so that an agent in it can remove its files. A killed one
    /// cannot: if it `was_lost`, another command does it.
    pub(crate) fn end(self, was_lost: bool) -> JoinHandle<()> {
        let (child, cleans) = lock(&self.child).end();
        thread::spawn(move || {
            if let Some(child) = &child {
                end_child(child);
            }
            if was_lost && !cleans {
                run(&self.clean, CLEAN);
            }
        })
    }
}

/// Runs a command to its end, and no longer than `limit`.
fn run(words: &[String], limit: Duration) {
    let mut command = Command::new(&words[0]);
    in_own_group(command.args(&words[1..]));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(child) = command.spawn() else { return };
    let child = Mutex::new(child);
    if wait_for(&child, limit).is_none() {
        kill_group(&child);
    }
}

/// Forwards frames until the end; returns the reason of the end, if it is of interest.
fn relay(stream: AgentStream, news: &NewsTaker) -> Option<LossKind> {
    let AgentStream { greeting, mut frames, end } = stream;
    let mut wants = news(LinkNews::Frame(greeting));
    while wants {
        match frames.read() {
            Ok(Some(frame)) => wants = news(LinkNews::Frame(frame)),
            // The child's exit is more informative than the cut.
            Ok(None) | Err(FrameReadError::Frame(FrameError::CutOff(_))) => {
                return Some(LossKind::Closed(end.sentence()));
            }
            Err(why) => return Some(LossKind::Protocol(why.to_string())),
        }
    }
    None
}
