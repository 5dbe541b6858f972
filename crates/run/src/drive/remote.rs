//! The end of a loop with remote I/Os: it ends even if the server never answers, commits its
//! writes, and reports on its connections.

use super::Drive;
use crate::record::Recorder;
use fathom_engine::{ConnectionCounts, Engine};
use fathom_stats::{ConnectionFigures, JobResult};
use fathom_vocab::Op;
use fathom_workload::Pacer;

/// How long I/Os that are in flight at the end may take.
const PATIENCE_NS: u64 = 30_000_000_000;
/// How long a flush may take at the end: a cache may be large behind a slow disk.
const FLUSH_PATIENCE_NS: u64 = 600_000_000_000;
/// How long either may take once the run is to stop.
const STOPPING_PATIENCE_NS: u64 = 500_000_000;

impl<E: Engine, P: Pacer, R: Recorder> Drive<'_, E, P, R> {
    /// Gives up the I/Os in flight if the loop has waited too long for them, from `began_ns` on.
    #[cold]
    pub(super) fn give_up_after(&mut self, began_ns: u64) {
        self.now_ns = self.env.clock.now_ns();
        let patience_ns = match (self.env.control.stopping(), self.is_committing) {
            (true, _) => STOPPING_PATIENCE_NS,
            (false, true) => FLUSH_PATIENCE_NS,
            (false, false) => PATIENCE_NS,
        };
        if self.now_ns.saturating_sub(began_ns) > patience_ns {
            self.p.engine.give_up();
        }
    }

    /// Commits writes that a server may still lose. It is counted and timed as a flush, unlike
    /// those of `end_fsync`: otherwise the figures would include writes that never reached a disk.
    #[cold]
    pub(super) fn commit_at_end(&mut self) {
        // A failed job claims nothing, and a dead server would block the loop.
        if self.p.result.error.is_error() {
            return;
        }
        for file in 0..self.env.file_names.len() as u32 {
            if self.p.engine.is_uncommitted(file) {
                self.flush_file(Op::Fsync, file);
                self.drain();
            }
        }
    }
}

/// Adds the engine's report to the result.
pub(super) fn tell<E: Engine>(engine: &E, result: &mut JobResult) {
    if E::REMOTE {
        result.notes.extend(engine.notes());
        result.connections = engine.connections().iter().map(figures).collect();
    }
}

fn figures(counts: &ConnectionCounts) -> ConnectionFigures {
    ConnectionFigures {
        source_port: counts.source_port,
        ios: counts.ops,
        bytes: counts.bytes,
        commits: counts.commits,
        mean_ns: counts.latency.mean_ns(),
        p99_ns: counts.latency.quantile_ns(0.99),
        most_in_flight: counts.most_in_flight,
        reconnects: counts.reconnects,
        resends: counts.resends,
        strays: counts.strays,
    }
}
