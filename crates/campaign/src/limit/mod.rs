//! How many I/Os a second does a volume take so that users still wait no longer than they may?
//!
//! The way is: [`LimitPlan::new`] decides on the place (pure), [`LimitPlan::begin`] makes it,
//! [`LimitPlan::run`] takes step after step on a machine as [`search()`] asks for them, and
//! [`LimitDocument`] keeps all of it. The search knows nothing of volumes: it is given a [`Probe`]
//! and gives back a [`SearchResult`] with its sentence.
//!
//! Steps are open-loop: I/Os are due at moments of their own, whatever became of those before, and
//! an I/O that had to wait for its turn counts with its waiting. At a fixed depth one would measure
//! how fast it goes, and a stall would be a single slow I/O.

mod bracket;
mod carry;
mod document;
mod error;
mod plan;
mod search;

pub use fathom_document::limit::{
    Arrivals, Criterion, CriterionMeasure, Effort, Halt, HostDelay, LIMIT_SCHEMA, LatencyGoal,
    LimitAnswer, LimitDocument, LimitPattern, LimitQuestion, LoadLevel, Parts, SearchResult,
    SearchStep, SearchVerdict, StepFinding, StepKey, StepReading, StepRecord,
};

pub use document::Searched;
pub use error::LimitError;
pub use plan::{LimitPlan, LimitRequest};
pub use search::{Probe, search};
