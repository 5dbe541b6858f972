//! What the figures mean: verdicts, each with its evidence in one sentence, and promised limits.
//!
//! Everything here is pure: numbers in, a finding out. A finding is data first (typed, serialised
//! with the result) and a sentence second (its `Display`), so that another language or a chart can
//! be made from it. No finding claims more than its evidence: "not enough to tell" is an answer.
#![forbid(unsafe_code)]

mod tone;

pub use tone::Tone;
