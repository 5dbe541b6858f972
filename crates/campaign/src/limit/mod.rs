//! The highest rate at which a volume meets a response time.
//!
//! [`LimitPlan::new`] plans (pure), [`LimitPlan::begin`] creates the test file, [`LimitPlan::run`]
//! takes the steps that [`search()`] requests on a machine, and [`LimitDocument`] stores the
//! result. The search knows nothing of volumes: it takes a [`Probe`] and returns a [`SearchResult`]
//! with its sentence.
//!
//! Steps are open-loop: I/Os are due at fixed moments, independent of earlier I/Os, and the latency
//! of a delayed I/O includes its wait. A fixed depth would measure the volume's speed, and a stall
//! would be a single slow I/O.

mod bracket;
mod document;
mod error;
mod plan;
mod probe;
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
