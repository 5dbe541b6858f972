//! The counters of the kernel's NFS client in the form for verdicts: its connections merged.

use fathom_analysis::{ByteCounter, CounterBytes, MountCalls, MountTransports};
use fathom_host::{NfsOperation, NfsStats, NfsTransport};

/// The counters of a network mount's client during a run: bytes, calls and connections.
#[derive(Clone, Debug, PartialEq)]
pub struct MountCounts {
    /// From the server.
    pub read: CounterBytes,
    /// To the server.
    pub written: CounterBytes,
    /// Calls by their kind; kinds that were not used are left out.
    pub calls: Vec<MountCalls>,
    /// Its connections together.
    pub transports: MountTransports,
    /// Bytes that a READ carries at most.
    pub read_call_bytes: Option<u64>,
    /// The same of a WRITE.
    pub write_call_bytes: Option<u64>,
}

impl MountCounts {
    /// From the differences of the mount's counters.
    pub fn of(counted: &NfsStats) -> MountCounts {
        let moved = |bytes| CounterBytes { by: ByteCounter::NfsClient, bytes, merges: 0 };
        let option = |name| counted.option(name).and_then(|bytes| bytes.parse().ok());
        MountCounts {
            read: moved(counted.bytes.server_read),
            written: moved(counted.bytes.server_written),
            calls: counted.operations.iter().map(calls).collect(),
            transports: together(&counted.transports),
            read_call_bytes: option("rsize"),
            write_call_bytes: option("wsize"),
        }
    }
}

fn calls(of: &NfsOperation) -> MountCalls {
    MountCalls {
        name: of.name.clone(),
        operations: of.operations,
        transmissions: of.transmissions,
        timeouts: of.timeouts,
        errors: of.errors,
        queue_ms: of.queue_ms,
        rtt_ms: of.rtt_ms,
        execute_ms: of.execute_ms,
    }
}

fn together(all: &[NfsTransport]) -> MountTransports {
    let sum = |of: fn(&NfsTransport) -> u64| all.iter().map(of).fold(0, u64::saturating_add);
    let sends = sum(|of| of.sends);
    let least = all.iter().map(|of| of.sends).min().unwrap_or(0);
    MountTransports {
        connections: all.len() as u64,
        sends,
        reconnects: sum(|of| of.connects),
        bad_replies: sum(|of| of.bad_replies),
        backlog_sum: sum(|of| of.backlog_sum),
        sending_sum: sum(|of| of.sending_sum),
        least_share: least as f64 * all.len() as f64 / sends.max(1) as f64,
    }
}
