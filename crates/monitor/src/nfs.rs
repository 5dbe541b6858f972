//! An NFS mount's counters as rates; the figures of `nfsiostat`.
//!
//! RTT is the time from sending a request to its reply: the network and the server. Execution time
//! is from creating the request to its end; the difference is the client's own queue.

use super::disk::each;
use super::interval_counts::IntervalCounts;
use fathom_host::{NfsBytes, NfsOperation, NfsStats};
use serde::Serialize;
use std::time::Duration;

/// An NFS mount's activity between two readings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NfsCounts {
    /// Bytes by path.
    pub bytes: NfsBytes,
    /// Requests by kind; kinds that were not used are left out.
    pub operations: Vec<NfsOperation>,
}

/// An NFS mount's activity each second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct NfsRates {
    /// Requests of all kinds a second.
    pub operations_per_s: f64,
    /// READ requests a second.
    pub reads_per_s: f64,
    /// WRITE requests a second.
    pub writes_per_s: f64,
    /// Bytes that came from the server as data, in units of 10^6 a second.
    pub read_mb_per_s: f64,
    /// Bytes that went to the server as data, in units of 10^6 a second.
    pub write_mb_per_s: f64,
    /// Mean RTT of READ in ms; none if no READ ended.
    pub read_rtt_ms: Option<f64>,
    /// Mean RTT of WRITE in ms.
    pub write_rtt_ms: Option<f64>,
    /// Mean execution time of READ in ms.
    pub read_execute_ms: Option<f64>,
    /// Mean execution time of WRITE in ms.
    pub write_execute_ms: Option<f64>,
    /// Mean RTT of all requests in ms.
    pub rtt_ms: Option<f64>,
    /// Mean execution time of all requests in ms.
    pub execute_ms: Option<f64>,
    /// Requests sent once more, a second.
    pub retransmits_per_s: f64,
    /// Major timeouts a second.
    pub timeouts_per_s: f64,
}

impl NfsCounts {
    /// The counts from `earlier` to `later`, and whether the counters restarted between them, as
    /// after a new mount; then the later counts are returned whole.
    pub fn between(earlier: &NfsStats, later: &NfsStats) -> (NfsCounts, bool) {
        let goes_on = bytes_since(&earlier.bytes, &later.bytes);
        let bytes = goes_on.filter(|_| later.age_s >= earlier.age_s && !went_back(earlier, later));
        match bytes {
            Some(bytes) => {
                (NfsCounts { bytes, operations: later.operations_since(earlier) }, false)
            }
            None => {
                let operations = later.operations.clone();
                (NfsCounts { bytes: later.bytes, operations }, true)
            }
        }
    }

    /// The counts of one kind of request.
    pub fn operation(&self, name: &str) -> Option<&NfsOperation> {
        self.operations.iter().find(|operation| operation.name == name)
    }

    /// One count of all kinds, added up.
    fn sum(&self, count: impl Fn(&NfsOperation) -> u64) -> u64 {
        self.operations.iter().map(count).fold(0, u64::saturating_add)
    }
}

/// Whether any count of any kind of request is less than before.
fn went_back(earlier: &NfsStats, later: &NfsStats) -> bool {
    let less = |before: &NfsOperation| {
        let now = later.operation(&before.name).map_or([0; 9], counts_of);
        now.iter().zip(counts_of(before)).any(|(now, before)| *now < before)
    };
    earlier.operations.iter().any(less)
}

fn counts_of(operation: &NfsOperation) -> [u64; 9] {
    [
        operation.operations,
        operation.transmissions,
        operation.timeouts,
        operation.bytes_sent,
        operation.bytes_received,
        operation.queue_ms,
        operation.rtt_ms,
        operation.execute_ms,
        operation.errors,
    ]
}

fn bytes_since(earlier: &NfsBytes, later: &NfsBytes) -> Option<NfsBytes> {
    Some(NfsBytes {
        normal_read: later.normal_read.checked_sub(earlier.normal_read)?,
        normal_written: later.normal_written.checked_sub(earlier.normal_written)?,
        direct_read: later.direct_read.checked_sub(earlier.direct_read)?,
        direct_written: later.direct_written.checked_sub(earlier.direct_written)?,
        server_read: later.server_read.checked_sub(earlier.server_read)?,
        server_written: later.server_written.checked_sub(earlier.server_written)?,
    })
}

impl IntervalCounts for NfsCounts {
    type Rates = NfsRates;

    fn add(&mut self, later: &Self) {
        add_bytes(&mut self.bytes, &later.bytes);
        for operation in &later.operations {
            match self.operations.iter_mut().find(|mine| mine.name == operation.name) {
                Some(mine) => add_operation(mine, operation),
                None => self.operations.push(operation.clone()),
            }
        }
    }

    fn rates(&self, elapsed: Duration) -> Option<NfsRates> {
        let seconds = elapsed.as_secs_f64();
        if seconds <= 0.0 {
            return None;
        }
        let per_s = |count: u64| count as f64 / seconds;
        let (read, write) = (self.operation("READ"), self.operation("WRITE"));
        let requests = |kind: Option<&NfsOperation>| kind.map_or(0, |kind| kind.operations);
        let all = self.sum(|kind| kind.operations);
        // Counted at the end of a request together, so there are never fewer sent than ended.
        let repeats = self.sum(|kind| kind.transmissions.saturating_sub(kind.operations));
        Some(NfsRates {
            operations_per_s: per_s(all),
            reads_per_s: per_s(requests(read)),
            writes_per_s: per_s(requests(write)),
            read_mb_per_s: per_s(self.bytes.server_read) / 1e6,
            write_mb_per_s: per_s(self.bytes.server_written) / 1e6,
            read_rtt_ms: read.and_then(NfsOperation::mean_rtt_ms),
            write_rtt_ms: write.and_then(NfsOperation::mean_rtt_ms),
            read_execute_ms: read.and_then(NfsOperation::mean_execute_ms),
            write_execute_ms: write.and_then(NfsOperation::mean_execute_ms),
            rtt_ms: each(self.sum(|kind| kind.rtt_ms) as f64, all),
            execute_ms: each(self.sum(|kind| kind.execute_ms) as f64, all),
            retransmits_per_s: per_s(repeats),
            timeouts_per_s: per_s(self.sum(|kind| kind.timeouts)),
        })
    }

    fn is_idle(&self) -> bool {
        self.operations.is_empty()
    }

    fn merged(a: NfsRates, b: NfsRates, pick: fn(f64, f64) -> f64) -> NfsRates {
        let both = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (one, other) => one.or(other),
        };
        NfsRates {
            operations_per_s: pick(a.operations_per_s, b.operations_per_s),
            reads_per_s: pick(a.reads_per_s, b.reads_per_s),
            writes_per_s: pick(a.writes_per_s, b.writes_per_s),
            read_mb_per_s: pick(a.read_mb_per_s, b.read_mb_per_s),
            write_mb_per_s: pick(a.write_mb_per_s, b.write_mb_per_s),
            read_rtt_ms: both(a.read_rtt_ms, b.read_rtt_ms),
            write_rtt_ms: both(a.write_rtt_ms, b.write_rtt_ms),
            read_execute_ms: both(a.read_execute_ms, b.read_execute_ms),
            write_execute_ms: both(a.write_execute_ms, b.write_execute_ms),
            rtt_ms: both(a.rtt_ms, b.rtt_ms),
            execute_ms: both(a.execute_ms, b.execute_ms),
            retransmits_per_s: pick(a.retransmits_per_s, b.retransmits_per_s),
            timeouts_per_s: pick(a.timeouts_per_s, b.timeouts_per_s),
        }
    }
}

fn add_bytes(mine: &mut NfsBytes, more: &NfsBytes) {
    plus(&mut mine.normal_read, more.normal_read);
    plus(&mut mine.normal_written, more.normal_written);
    plus(&mut mine.direct_read, more.direct_read);
    plus(&mut mine.direct_written, more.direct_written);
    plus(&mut mine.server_read, more.server_read);
    plus(&mut mine.server_written, more.server_written);
}

fn add_operation(mine: &mut NfsOperation, more: &NfsOperation) {
    plus(&mut mine.operations, more.operations);
    plus(&mut mine.transmissions, more.transmissions);
    plus(&mut mine.timeouts, more.timeouts);
    plus(&mut mine.bytes_sent, more.bytes_sent);
    plus(&mut mine.bytes_received, more.bytes_received);
    plus(&mut mine.queue_ms, more.queue_ms);
    plus(&mut mine.rtt_ms, more.rtt_ms);
    plus(&mut mine.execute_ms, more.execute_ms);
    plus(&mut mine.errors, more.errors);
}

fn plus(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}
