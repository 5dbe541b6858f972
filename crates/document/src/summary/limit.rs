//! The highest rate that meets a limit.

use super::caps::{self, CapScope};
use super::served::and_served;
use super::{DocumentSummary, about, summary_in};
use crate::limit::{LimitDocument, LoadLevel, SearchVerdict, subject};
use fathom_analysis::quantity::thousands;
use fathom_analysis::verdicts::Verdict;
use fathom_message::{Message, Tell};

impl DocumentSummary for LimitDocument {
    summary_in!(head.summary);

    fn claims(&self) -> Vec<Message> {
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
        let claim = and_served(claim, self.verdicts_at_answer());
        let more = self.cap().into_iter().chain(self.busy_host());
        vec![about(self.setup.volume.target(), claim, more)]
    }
}

impl LimitDocument {
    /// The verdicts on the runs at the rate that is the answer.
    fn verdicts_at_answer(&self) -> impl Iterator<Item = &Verdict> {
        let load = self.answer.low.map(|rate_iops| LoadLevel::Rate { rate_iops });
        let own = self.steps.iter().filter(move |step| Some(step.load) == load);
        own.flat_map(|step| &step.verdicts)
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analysis::verdicts::Answer;
    use fathom_analysis::{CacheFinding, CacheVerdict};
    use fathom_message::Lang;
    use fathom_vocab::Direction;

    #[test]
    fn a_rate_that_a_cache_served_says_so() {
        let text = include_str!("../../../report/fixtures/limit.json");
        let mut document: LimitDocument = serde_json::from_str(text).unwrap();
        (document.answer.verdict, document.answer.low) = (SearchVerdict::Found, Some(300));
        let told = document.summary(Lang::En);
        assert!(!told.contains("cache"), "{told}");
        let verdict = CacheVerdict::Cached { share: 0.9 };
        let cached = CacheFinding { direction: Direction::Read, verdict, signs: Vec::new() };
        let step = &mut document.steps[0];
        step.verdicts.push(Verdict::from(Answer::Cached(cached)));
        // What served another rate says nothing of the answer.
        let told = document.summary(Lang::En);
        assert!(!told.contains("cache"), "{told}");
        document.steps[0].key.load = LoadLevel::Rate { rate_iops: 300 };
        let told = document.summary(Lang::En);
        assert!(told.contains("300 IOPS") && told.contains("; a cache served reads"), "{told}");
    }
}
