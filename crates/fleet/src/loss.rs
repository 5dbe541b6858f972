//! How an agent was lost, in a sentence with host, phase and advice.

use fathom_vocab::printable;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The loss of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentLoss {
    /// The host.
    pub host: String,
    /// The phase: `connecting` or `running iops-read-4k`.
    pub phase: String,
    /// The kind of loss.
    pub kind: LossKind,
}

/// The kinds of losing an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "loss", content = "why", rename_all = "snake_case")]
pub enum LossKind {
    /// It never greeted.
    Unreachable(String),
    /// The connection ended.
    Closed(String),
    /// Silence for this number of milliseconds.
    Silent(u64),
    /// It sent an invalid frame.
    Protocol(String),
    /// It can be reached, and cannot do what it was to do.
    Refused(String),
    /// It is alive, but a call has not ended this number of milliseconds after its limit.
    Hung(u64),
}

/// All losses in a sentence. Of those that were told before, `told` of them, the first is told
/// again, and of the others only who they are.
pub(crate) fn sentence(losses: &[AgentLoss], told: usize) -> String {
    let (before, fresh) = losses.split_at(told.min(losses.len()));
    let (whole, named) = match (before, fresh) {
        ([first, others @ ..], []) => (std::slice::from_ref(first), others),
        (before, fresh) => (fresh, before),
    };
    let mut sentences: Vec<String> = whole.iter().map(ToString::to_string).collect();
    if !named.is_empty() {
        let hosts: Vec<_> = named.iter().map(|loss| printable::line(&loss.host)).collect();
        sentences.push(format!("lost as well: {}", hosts.join(", ")));
    }
    sentences.join("; ")
}

impl fmt::Display for AgentLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = printable::line(&self.host);
        let phase = printable::line(&self.phase);
        match &self.kind {
            LossKind::Unreachable(why) => write!(f, "{host}: no agent there: {why}"),
            LossKind::Closed(why) => {
                write!(
                    f,
                    "{host}: lost while {phase}: {why}; its figures of this phase are missing"
                )
            }
            LossKind::Silent(ms) => write!(
                f,
                "{host}: lost while {phase}: nothing was heard of it for {} s; check the machine \
                 and the network, and run `fathom clean` there if it was killed",
                *ms as f64 / 1e3
            ),
            LossKind::Protocol(why) => write!(
                f,
                "{host}: given up while {phase}: {why}; install the same Fathom on both machines"
            ),
            LossKind::Refused(why) => write!(f, "{host}: {why}"),
            LossKind::Hung(ms) => write!(
                f,
                "{host}: given up while {phase}: it answers, but its I/O did not end within {} s; \
                 look there for a volume that hangs (`dmesg`)",
                *ms as f64 / 1e3
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_is_not_told_again() {
        let loss = |host: &str| AgentLoss {
            host: host.to_owned(),
            phase: "reading counters".to_owned(),
            kind: LossKind::Silent(4000),
        };
        let losses = [loss("a"), loss("b"), loss("c")];
        let whole = |told| sentence(&losses, told).matches("nothing was heard").count();
        assert_eq!([whole(0), whole(1), whole(2), whole(3)], [3, 2, 1, 1]);
        assert!(sentence(&losses, 1).ends_with("; lost as well: a"));
        assert!(sentence(&losses, 3).starts_with("a: lost while reading counters: "));
        assert!(sentence(&losses, 3).ends_with("; lost as well: b, c"));
    }
}
