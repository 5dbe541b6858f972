//! The highest rate that meets a limit.

use super::caps::{self, CapScope};
use super::{DocumentSummary, about, summary_in};
use crate::limit::{LimitDocument, LoadLevel, SearchVerdict, subject};
use fathom_analysis::quantity::thousands;
use fathom_message::{Message, Tell};

impl DocumentSummary for LimitDocument {
    summary_in!(head.summary);

    fn sentences(&self) -> Vec<Message> {
        let subject = subject(self.question.rw, self.question.block_bytes);
        let keeps = |id| {
            let rate = thousands(self.answer.low? as f64);
            let claim = Message::new(id).part("subject", subject.clone()).with("rate", rate);
            Some(claim.part("target", self.question.target.tell()))
        };
        // The line below the table explains why the next rate fails.
        let brief = match self.answer.verdict {
            SearchVerdict::Found => keeps("limit-keeps"),
            SearchVerdict::Ceiling => keeps("limit-ceiling"),
            SearchVerdict::Unsettled => {
                keeps("limit-as-far").map(|claim| claim.with("steps", self.steps.len()))
            }
            SearchVerdict::Never => {
                let claim = Message::new("limit-never").part("subject", subject.clone());
                Some(claim.part("target", self.question.target.tell()))
            }
            _ => None,
        };
        let claim = brief.unwrap_or_else(|| self.limit().tell(&subject));
        let more = self.cap().into_iter().chain(self.busy_host());
        vec![about(self.setup.volume.target(), claim, more)]
    }
}

impl LimitDocument {
    /// That this machine may have set the end, where a rate is the answer.
    fn busy_host(&self) -> Option<Message> {
        let is_found = self.answer.verdict == SearchVerdict::Found;
        self.limit().host_at_end().filter(|_| is_found)?;
        let host = Message::new("summary-caution-host");
        Some(Message::new("summary-cautions").part("signs", host))
    }

    /// The cap that a step at full speed met.
    fn cap(&self) -> Option<Message> {
        let full = self.steps.iter().filter(|step| !matches!(step.load, LoadLevel::Rate { .. }));
        let held = caps::found(full.flat_map(|step| &step.verdicts));
        let caps = caps::merged(held.filter(CapScope::is_told));
        let told = || Message::new("summary-caps").part("capped", caps::capped(&caps));
        (!caps.is_empty()).then(told)
    }
}
