//! The counters of an NFS client for a mount.
//!
//! It is a second source for our latency: `rtt_ms` is the server and the network, and
//! `execute_ms - rtt_ms` the time in the client's queues.

use crate::source::lossy;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Bytes by the way they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NfsBytes {
    /// Asked for by `read`, from the cache or not.
    pub normal_read: u64,
    /// Given to `write`.
    pub normal_written: u64,
    /// Asked for past the cache (O_DIRECT).
    pub direct_read: u64,
    /// Given past the cache.
    pub direct_written: u64,
    /// What really came from the server.
    pub server_read: u64,
    /// What really went to the server.
    pub server_written: u64,
}

impl NfsBytes {
    /// The change since `earlier`; after a new mount at the same place the counts restart and are
    /// returned whole.
    fn since(&self, earlier: &NfsBytes) -> NfsBytes {
        let delta = || {
            Some(NfsBytes {
                normal_read: self.normal_read.checked_sub(earlier.normal_read)?,
                normal_written: self.normal_written.checked_sub(earlier.normal_written)?,
                direct_read: self.direct_read.checked_sub(earlier.direct_read)?,
                direct_written: self.direct_written.checked_sub(earlier.direct_written)?,
                server_read: self.server_read.checked_sub(earlier.server_read)?,
                server_written: self.server_written.checked_sub(earlier.server_written)?,
            })
        };
        delta().unwrap_or(*self)
    }
}

/// One connection; `nconnect=8` makes eight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NfsTransport {
    /// `tcp`, `udp` or `rdma`.
    pub protocol: String,
    /// The port that it is made from; 0 where it is down.
    #[serde(default)]
    pub source_port: u64,
    /// How often it was connected; 0 for udp.
    #[serde(default)]
    pub connects: u64,
    /// Requests sent.
    pub sends: u64,
    /// Replies received.
    pub receives: u64,
    /// Replies that no request was waiting for.
    pub bad_replies: u64,
    /// Most requests that were under way at once; 0 for rdma, which does not count them.
    pub max_slots: u64,
    /// Requests under way, added up at every send.
    #[serde(default)]
    pub in_flight_sum: u64,
    /// Requests that waited for a slot, added up at every send.
    #[serde(default)]
    pub backlog_sum: u64,
    /// Requests that waited for their turn to be written to the socket, added up at every send.
    #[serde(default)]
    pub sending_sum: u64,
}

impl NfsTransport {
    /// Its activity since `earlier`; for slots, the maximum since the mount.
    fn since(&self, earlier: &NfsTransport) -> Option<NfsTransport> {
        Some(NfsTransport {
            protocol: self.protocol.clone(),
            source_port: self.source_port,
            connects: self.connects.checked_sub(earlier.connects)?,
            sends: self.sends.checked_sub(earlier.sends)?,
            receives: self.receives.checked_sub(earlier.receives)?,
            bad_replies: self.bad_replies.checked_sub(earlier.bad_replies)?,
            max_slots: self.max_slots,
            in_flight_sum: self.in_flight_sum.checked_sub(earlier.in_flight_sum)?,
            backlog_sum: self.backlog_sum.checked_sub(earlier.backlog_sum)?,
            sending_sum: self.sending_sum.checked_sub(earlier.sending_sum)?,
        })
    }
}

/// One kind of request, such as `READ`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NfsOperation {
    /// Its name in the protocol.
    pub name: String,
    /// Requests.
    pub operations: u64,
    /// Times a request was sent: more than `operations` means repeats.
    pub transmissions: u64,
    /// Major timeouts.
    pub timeouts: u64,
    /// Bytes sent, headers included.
    pub bytes_sent: u64,
    /// Bytes received, headers included.
    pub bytes_received: u64,
    /// Time in the client's queue before sending, added up.
    pub queue_ms: u64,
    /// Time from sending to the reply, added up.
    pub rtt_ms: u64,
    /// Time from the request's making to its end, added up.
    pub execute_ms: u64,
    /// Requests that ended in an error (statvers 1.1).
    pub errors: u64,
}

impl NfsOperation {
    /// Mean time from sending to the reply; `None` if there was no request.
    pub fn mean_rtt_ms(&self) -> Option<f64> {
        (self.operations > 0).then(|| self.rtt_ms as f64 / self.operations as f64)
    }

    /// Mean time from making to end; `None` if there was no request.
    pub fn mean_execute_ms(&self) -> Option<f64> {
        (self.operations > 0).then(|| self.execute_ms as f64 / self.operations as f64)
    }

    fn since(&self, earlier: &NfsOperation) -> Option<NfsOperation> {
        Some(NfsOperation {
            name: self.name.clone(),
            operations: self.operations.checked_sub(earlier.operations)?,
            transmissions: self.transmissions.checked_sub(earlier.transmissions)?,
            timeouts: self.timeouts.checked_sub(earlier.timeouts)?,
            bytes_sent: self.bytes_sent.checked_sub(earlier.bytes_sent)?,
            bytes_received: self.bytes_received.checked_sub(earlier.bytes_received)?,
            queue_ms: self.queue_ms.checked_sub(earlier.queue_ms)?,
            rtt_ms: self.rtt_ms.checked_sub(earlier.rtt_ms)?,
            execute_ms: self.execute_ms.checked_sub(earlier.execute_ms)?,
            errors: self.errors.checked_sub(earlier.errors)?,
        })
    }
}

/// Everything counted for one NFS mount since it was mounted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NfsStats {
    /// `server:/export`.
    pub source: String,
    /// Where it is mounted.
    #[serde(serialize_with = "lossy")]
    pub mount_point: PathBuf,
    /// `nfs` or `nfs4`.
    pub fstype: String,
    /// The options that really hold, defaults included.
    pub options: Vec<String>,
    /// Seconds since it was mounted.
    pub age_s: u64,
    /// Bytes by their way.
    pub bytes: NfsBytes,
    /// Its connections.
    pub transports: Vec<NfsTransport>,
    /// Its requests by kind, in the kernel's order; kinds never used are left out.
    pub operations: Vec<NfsOperation>,
}

impl NfsStats {
    /// The value of an effective option, such as `vers`, `rsize`, `nconnect`.
    pub fn option(&self, name: &str) -> Option<&str> {
        let pairs = self.options.iter().filter_map(|option| option.split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The counts of one kind of request.
    pub fn operation(&self, name: &str) -> Option<&NfsOperation> {
        self.operations.iter().find(|operation| operation.name == name)
    }

    /// The counts since `earlier`, with the current options; `age_s` stays the mount's age.
    #[must_use]
    pub fn since(&self, earlier: &NfsStats) -> NfsStats {
        NfsStats {
            bytes: self.bytes.since(&earlier.bytes),
            transports: self.transports_since(earlier),
            operations: self.operations_since(earlier),
            ..self.clone()
        }
    }

    /// The activity of each kind of request since `earlier`, without unused kinds. After a new
    /// mount at the same place the counts restart and are returned whole.
    pub fn operations_since(&self, earlier: &NfsStats) -> Vec<NfsOperation> {
        let delta = |now: &NfsOperation| {
            let before = earlier.operation(&now.name);
            before.and_then(|before| now.since(before)).unwrap_or_else(|| now.clone())
        };
        self.operations.iter().map(delta).filter(|delta| delta.operations > 0).collect()
    }

    /// The activity of each connection since `earlier`; after a new mount at the same place they
    /// are returned whole.
    pub fn transports_since(&self, earlier: &NfsStats) -> Vec<NfsTransport> {
        let deltas: Option<Vec<NfsTransport>> = self
            .transports
            .iter()
            .zip(&earlier.transports)
            .map(|(now, before)| now.since(before))
            .collect();
        let goes_on = self.transports.len() == earlier.transports.len();
        deltas.filter(|_| goes_on).unwrap_or_else(|| self.transports.clone())
    }
}
