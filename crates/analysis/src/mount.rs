//! The counters of the kernel's NFS client during a run on a mount, and their findings:
//! retransmissions, calls that wait before they are sent, calls saved by a cache or split by a
//! small `rsize`.
//!
//! All of them are differences over the measured window. The client's cache is judged by bytes
//! (`cached.rs`); the findings on calls here are additional.

use crate::Tone;
use crate::quantity::{count, latency, thousands};
use crate::shown::in_percent;
use fathom_message::{Message, Tell, shown_as_told};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// With fewer calls their duration is not judged.
const LEAST_CALLS: u64 = 100;
/// The share of a call's time that is much to wait before it is sent.
const WAITS: f64 = 0.2;
/// Fewer calls than this share of the I/Os were saved by a cache or by readahead.
const SAVED: f64 = 0.95;
/// More calls for each I/O come from a small transfer size.
const SPLIT: f64 = 1.5;
/// The share of our latency that the calls' own round trip must have to be named as its place.
const MOST: f64 = 0.8;

/// What was counted of one kind of call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MountCalls {
    /// Its name in the protocol, such as `READ`.
    pub name: String,
    /// How many.
    pub operations: u64,
    /// How often one was sent.
    pub transmissions: u64,
    /// Major timeouts.
    pub timeouts: u64,
    /// How many ended in an error.
    pub errors: u64,
    /// Time before they were sent, added up.
    pub queue_ms: u64,
    /// Time from sending to the reply, added up.
    pub rtt_ms: u64,
    /// Time from making to the end, added up.
    pub execute_ms: u64,
}

/// What was counted of a mount's connections, over all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MountTransports {
    /// How many there are.
    pub connections: u64,
    /// Calls sent.
    pub sends: u64,
    /// How often one was made anew.
    pub reconnects: u64,
    /// Replies that no call waited for.
    pub bad_replies: u64,
    /// Calls that waited for a slot, added up at every send.
    pub backlog_sum: u64,
    /// Calls that waited for their turn on the socket, added up at every send.
    pub sending_sum: u64,
    /// Calls of the connection that sent the fewest, as a share of an equal one.
    pub least_share: f64,
}

/// The I/Os of our own jobs in one direction during the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MountIos {
    /// The direction.
    pub direction: Direction,
    /// How many I/Os.
    pub ios: u64,
    /// Their mean latency, if known.
    pub mean_ns: Option<f64>,
    /// Bytes of each, where all are alike.
    pub block_bytes: Option<u64>,
    /// Maximum bytes of a call (`rsize`, `wsize`), if the mount states it.
    pub call_bytes: Option<u64>,
}

impl MountIos {
    /// Whether each is known to fit into one call.
    fn fits(&self) -> bool {
        self.block_bytes.zip(self.call_bytes).is_some_and(|(block, call)| block <= call)
    }
}

/// All that is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MountInputs {
    /// The counters of calls.
    pub calls: Vec<MountCalls>,
    /// The counters of connections.
    pub transports: MountTransports,
    /// The I/Os of our jobs.
    pub ios: Vec<MountIos>,
}

/// What a mount's counters say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum MountFinding {
    /// Calls were sent again, or connections made anew: the run is not clean.
    Repeated {
        /// Calls that were sent more than once, each repeat counted.
        repeats: u64,
        /// Major timeouts.
        timeouts: u64,
        /// Connections made anew.
        reconnects: u64,
        /// All calls.
        calls: u64,
    },
    /// Calls waited before they were sent.
    Waits {
        /// The share of their time, 0 to 1.
        share: f64,
        /// Mean wait of a call.
        wait_ns: f64,
        /// Calls that waited for a slot, on average.
        backlog: f64,
        /// Connections of the mount.
        connections: u64,
    },
    /// Fewer calls than I/Os: the client answered the rest itself.
    Saved {
        /// Which.
        direction: Direction,
        /// Calls.
        calls: u64,
        /// I/Os.
        ios: u64,
    },
    /// More calls than I/Os: `rsize` or `wsize` cuts them.
    Split {
        /// Which.
        direction: Direction,
        /// Calls for each I/O.
        per_io: f64,
    },
    /// More calls than I/Os though each fits into one: somebody else used the mount.
    Others {
        /// Which.
        direction: Direction,
        /// Calls.
        calls: u64,
        /// I/Os.
        ios: u64,
    },
    /// A connection did much less than the others.
    Uneven {
        /// What it did of an equal share, 0 to 1.
        least_share: f64,
        /// Connections of the mount.
        connections: u64,
    },
    /// The latency is that of the network and the server.
    Beyond {
        /// Which direction.
        direction: Direction,
        /// Mean round trip of its calls.
        rtt_ns: f64,
        /// Its share of our mean latency, 0 to 1.
        share: f64,
    },
    /// What durability took.
    Commits {
        /// COMMITs.
        commits: u64,
        /// Their mean time.
        mean_ns: f64,
    },
}

/// The findings from a mount's counters on a run.
pub fn find_mount(inputs: &MountInputs) -> Vec<MountFinding> {
    let mut found = Vec::new();
    found.extend(repeated(inputs));
    found.extend(waits(inputs));
    found.extend(uneven(&inputs.transports));
    for ios in &inputs.ios {
        found.extend(calls_for(inputs, ios));
        found.extend(beyond(inputs, ios));
    }
    found.extend(commits(inputs));
    found
}

fn repeated(inputs: &MountInputs) -> Option<MountFinding> {
    let sum =
        |of: &dyn Fn(&MountCalls) -> u64| inputs.calls.iter().map(of).fold(0, u64::saturating_add);
    let repeats = sum(&|call| call.transmissions.saturating_sub(call.operations));
    let timeouts = sum(&|call| call.timeouts);
    let calls = sum(&|call| call.operations);
    let reconnects = inputs.transports.reconnects;
    let is_clean = repeats == 0 && timeouts == 0 && reconnects == 0;
    (!is_clean).then_some(MountFinding::Repeated { repeats, timeouts, reconnects, calls })
}

/// READ and WRITE, whose times are those of our I/Os.
fn is_data(call: &&MountCalls) -> bool {
    matches!(call.name.as_str(), "READ" | "WRITE")
}

fn waits(inputs: &MountInputs) -> Option<MountFinding> {
    let data = || inputs.calls.iter().filter(is_data);
    let calls: u64 = data().map(|call| call.operations).sum();
    let queued: u64 = data().map(|call| call.queue_ms).sum();
    let all: u64 = data().map(|call| call.execute_ms).sum();
    let share = queued as f64 / all.max(1) as f64;
    let transports = &inputs.transports;
    (calls >= LEAST_CALLS && share >= WAITS).then(|| MountFinding::Waits {
        share: share.min(1.0),
        wait_ns: queued as f64 * 1e6 / calls as f64,
        backlog: transports.backlog_sum as f64 / transports.sends.max(1) as f64,
        connections: transports.connections,
    })
}

fn uneven(transports: &MountTransports) -> Option<MountFinding> {
    let MountTransports { connections, sends, least_share, .. } = *transports;
    let enough = connections > 1 && sends >= LEAST_CALLS.saturating_mul(connections);
    (enough && least_share < 0.5).then_some(MountFinding::Uneven { least_share, connections })
}

fn call_of(direction: Direction) -> &'static str {
    if direction == Direction::Read { "READ" } else { "WRITE" }
}

fn of<'a>(inputs: &'a MountInputs, ios: &MountIos) -> Option<&'a MountCalls> {
    inputs.calls.iter().find(|call| call.name == call_of(ios.direction))
}

fn calls_for(inputs: &MountInputs, ios: &MountIos) -> Option<MountFinding> {
    let calls = of(inputs, ios).map_or(0, |call| call.operations);
    let per_io = calls as f64 / ios.ios.max(1) as f64;
    let direction = ios.direction;
    match ios.ios >= LEAST_CALLS {
        true if per_io < SAVED => Some(MountFinding::Saved { direction, calls, ios: ios.ios }),
        true if per_io > SPLIT && ios.fits() => {
            Some(MountFinding::Others { direction, calls, ios: ios.ios })
        }
        true if per_io > SPLIT => Some(MountFinding::Split { direction, per_io }),
        _ => None,
    }
}

/// The counters have whole milliseconds: means below one cannot be distinguished from zero.
fn beyond(inputs: &MountInputs, ios: &MountIos) -> Option<MountFinding> {
    let call = of(inputs, ios).filter(|call| call.operations >= LEAST_CALLS)?;
    let rtt_ns = call.rtt_ms as f64 * 1e6 / call.operations as f64;
    let share = rtt_ns / ios.mean_ns?;
    // A call for each I/O, so that both times are of the same.
    let alike = call.operations.abs_diff(ios.ios) as f64 <= 0.05 * ios.ios as f64;
    let found = MountFinding::Beyond { direction: ios.direction, rtt_ns, share: share.min(1.0) };
    (alike && share.is_finite() && share >= MOST).then_some(found)
}

fn commits(inputs: &MountInputs) -> Option<MountFinding> {
    let call = inputs.calls.iter().find(|call| call.name == "COMMIT")?;
    (call.operations > 0).then(|| MountFinding::Commits {
        commits: call.operations,
        mean_ns: call.execute_ms as f64 * 1e6 / call.operations as f64,
    })
}

impl MountFinding {
    /// How it bears on the figures.
    pub fn tone(&self) -> Tone {
        match self {
            MountFinding::Repeated { .. }
            | MountFinding::Waits { .. }
            | MountFinding::Saved { .. }
            | MountFinding::Others { .. }
            | MountFinding::Uneven { .. } => Tone::Warning,
            MountFinding::Split { .. }
            | MountFinding::Beyond { .. }
            | MountFinding::Commits { .. } => Tone::Note,
        }
    }
}

/// The words for both directions of a sentence.
fn by_way(direction: Direction, read: &'static str, write: &'static str) -> Message {
    Message::new(if direction == Direction::Read { read } else { write })
}

/// Share, time and backlog of calls that waited, with advice.
fn waits_told([share, wait_ns, backlog]: [f64; 3], connections: u64) -> Message {
    let advice = match connections {
        0 | 1 => Message::new("mount-waits-one"),
        many => Message::new("mount-waits-many").with("connections", count(many)),
    };
    Message::new("mount-waits")
        .part("share", in_percent(share))
        .with("wait", latency(wait_ns))
        .with("backlog", thousands(backlog))
        .part("advice", advice)
}

impl Tell for MountFinding {
    fn tell(&self) -> Message {
        match self {
            MountFinding::Repeated { repeats, timeouts, reconnects, calls } => {
                Message::new("mount-repeated")
                    .with("repeats", count(*repeats))
                    .with("calls", count(*calls))
                    .with("timeouts", count(*timeouts))
                    .with("reconnects", count(*reconnects))
            }
            MountFinding::Waits { share, wait_ns, backlog, connections } => {
                waits_told([*share, *wait_ns, *backlog], *connections)
            }
            MountFinding::Saved { direction, calls, ios } => {
                by_way(*direction, "mount-saved-reads", "mount-saved-writes")
                    .with("calls", count(*calls))
                    .with("ios", count(*ios))
            }
            MountFinding::Split { direction, per_io } => {
                by_way(*direction, "mount-split-reads", "mount-split-writes")
                    .with("times", thousands(*per_io))
            }
            MountFinding::Others { direction, calls, ios } => {
                by_way(*direction, "mount-others-read", "mount-others-write")
                    .with("calls", count(*calls))
                    .with("ios", count(*ios))
            }
            MountFinding::Uneven { least_share, connections } => Message::new("mount-uneven")
                .part("share", in_percent(*least_share))
                .with("connections", count(*connections)),
            MountFinding::Beyond { direction, rtt_ns, share } => {
                by_way(*direction, "mount-beyond-reads", "mount-beyond-writes")
                    .with("rtt", latency(*rtt_ns))
                    .part("share", in_percent(*share))
            }
            MountFinding::Commits { commits, mean_ns } => Message::new("mount-commits")
                .with("commits", *commits)
                .with("time", latency(*mean_ns)),
        }
    }
}

shown_as_told!(MountFinding);

#[cfg(test)]
mod tests;
