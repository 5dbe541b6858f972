//! The result of a search, and its document.

use super::plan::LimitPlan;
use crate::cases::PreparedTarget;
use fathom_analysis::GateResult;
use fathom_document::limit::{
    Halt, LIMIT_SCHEMA, LimitAnswer, LimitDocument, LimitQuestion, SearchResult, SearchVerdict,
    StepRecord, in_lang,
};
use fathom_document::{DocumentSummary, Head, Provenance};
use fathom_message::{Lang, Message};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The answer.
    pub limit: SearchResult,
    /// Every step that was begun, in order.
    pub steps: Vec<StepRecord>,
    /// Whether it was stopped.
    pub stopped: bool,
}

impl LimitPlan {
    /// The document of the plan and the results on `target`.
    pub fn document(
        &self,
        target: &PreparedTarget,
        searched: &Searched,
        from: Provenance,
    ) -> LimitDocument {
        LimitDocument {
            head: Head::new("fathom-limit", LIMIT_SCHEMA, &from),
            interrupted: searched.stopped,
            setup: target.setup(from.host),
            question: question(self),
            answer: answer(self, searched),
            gate: Some(gate(&searched.limit, &self.subject())),
            steps: searched.steps.clone(),
        }
        .with_summary()
    }
}

fn question(plan: &LimitPlan) -> LimitQuestion {
    let asked = &plan.asked;
    LimitQuestion {
        target: asked.target.clone(),
        rw: asked.pattern,
        block_bytes: asked.block_bytes,
        depth: plan.depth,
        arrivals: asked.arrivals,
        time: plan.time,
        effort: asked.effort,
        seed: asked.common.seed,
    }
}

/// One limit was requested, so there is one figure.
fn gate(limit: &SearchResult, subject: &Message) -> GateResult {
    GateResult::of([limit.verdict.outcome().row()], || Some(limit.tell(subject).to_string()))
}

fn answer(plan: &LimitPlan, searched: &Searched) -> LimitAnswer {
    let limit = &searched.limit;
    // An answer that is refused is no rate to rely on.
    let refused = limit.verdict == SearchVerdict::Unclear;
    LimitAnswer {
        verdict: limit.verdict,
        rate_iops: limit.low.filter(|_| !refused),
        low: limit.low,
        high: limit.high,
        late_iops: limit.late_iops,
        odd: limit.odd.clone(),
        failure: match &limit.halted_by {
            Some(Halt::Failed(why)) => Some(why.clone()),
            _ => None,
        },
        text: limit.tell(&plan.subject()).to_string(),
        cautions: in_lang(Lang::En, plan.caution().into_iter().chain(limit.cautions())),
    }
}
