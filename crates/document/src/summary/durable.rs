//! The latency of a flush compared with a program's requirement.

use super::quantities::{brief_count, brief_latency};
use super::{DocumentSummary, about, failed, summary_in};
use crate::check::Standing;
use crate::document_runs::DocumentRuns;
use crate::durable::{DurableDocument, DurableKey};
use crate::trial::Trial;
use fathom_analysis::verdicts::disturbance;
use fathom_analysis::{GateOutcome, GateResult};
use fathom_message::{Lang, Message, Tell};

impl DocumentSummary for DurableDocument {
    summary_in!(head.summary);

    fn claims(&self) -> Vec<Message> {
        let target = self.setup.volume.target();
        let halted = self.stop_point().map(|point| point.tell());
        let of_run = || self.runs.iter().filter_map(|run| run.failure.as_deref()).next();
        let Some(run) = self.slowest() else {
            let why = self.failure.as_deref().or_else(of_run);
            let claim = why.map_or_else(|| Message::new("summary-nothing"), failed);
            return vec![about(target, claim, halted)];
        };
        let too_fast = self.runs.iter().any(|run| run.too_fast);
        let too_fast = too_fast.then(|| Message::new("summary-flush-too-fast"));
        let undecided = run.outcome == Some(GateOutcome::Undecided);
        let disturbed = undecided.then(|| disturbance(&run.verdicts)).flatten();
        let more = self.flush_rate(run).into_iter().chain(disturbed).chain(too_fast).chain(halted);
        vec![about(target, self.claim(run), more)]
    }
}

impl DurableDocument {
    /// The same with its gate, which counts the runs that are held to the limit.
    #[must_use]
    pub fn with_gate(mut self) -> DurableDocument {
        let held = self.runs.iter().filter_map(|run| self.outcome_of(run));
        let gate = GateResult::of(held.map(GateOutcome::row), || Some(self.summary(Lang::En)));
        self.gate = self.gate().map(|_| gate);
        self
    }

    /// The slowest of the runs with a limit, otherwise of all.
    fn slowest(&self) -> Option<&Trial<DurableKey>> {
        let all = || self.runs.iter().filter(|run| run.figures.is_some());
        let held = all().filter(|run| run.outcome.is_some());
        held.max_by_key(|run| run.flush.limited_ns).or_else(|| all().next())
    }

    /// Flushes a second of a writer that waits for each. Without a limit it is what a program's
    /// users can go by: a client's commits come no faster.
    fn flush_rate(&self, run: &Trial<DurableKey>) -> Option<Message> {
        let figures = run.figures.as_ref().filter(|_| self.gate().is_none() && !run.beside)?;
        let rate = brief_count(figures.total.iops);
        Some(Message::new("summary-flush-rate").with("rate", rate))
    }

    /// `etcd's flushes take 3.1 ms at p99, 10 ms allowed: PASS`.
    fn claim(&self, run: &Trial<DurableKey>) -> Message {
        let requirement = &self.requirement;
        let id = match requirement.limit_ms {
            Some(_) => "summary-flush-limited",
            None => "summary-flush",
        };
        let claim = Message::new(id)
            .with("program", &requirement.id)
            .with("latency", brief_latency(run.flush.limited_ns as f64))
            .with("percent", requirement.percent);
        match requirement.limit_ms {
            Some(limit) => claim
                .with("limit", limit)
                .part("outcome", Standing::from(self.outcome.row()).tell()),
            None => claim,
        }
    }
}
