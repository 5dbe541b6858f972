//! `fathom limit` as a document: what was to hold, each step, and the answer.

mod document;
mod sentence;
mod steps;
mod target;

pub use document::{
    LIMIT_SCHEMA, LimitAnswer, LimitDocument, LimitQuestion, StepKey, StepRecord, in_lang,
};
pub use steps::{
    Effort, Halt, Limit, Load, Pattern, Step, Verdict, long_enough_us, short_steps, subject,
};
pub use target::{Arrivals, Criterion, Finding, HostDelay, Measure, Parts, Reading, Target};
