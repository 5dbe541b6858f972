//! `fathom limit` as a document: the latency limits, each step, and the answer.

mod document;
mod sentence;
mod steps;

pub use document::{
    LIMIT_SCHEMA, LimitAnswer, LimitDocument, LimitQuestion, StepKey, StepRecord, in_lang,
};
pub use fathom_analysis::{
    Arrivals, Criterion, CriterionMeasure, HostDelay, LatencyGoal, Parts, StepFinding, StepReading,
};
pub use steps::{
    Effort, FewIos, Halt, LimitPattern, LoadLevel, SearchResult, SearchStep, SearchVerdict,
    failed_beside_others, long_enough_us, short_steps, subject,
};
