//! Which is better, and by how much? Two questions with one way of judging.
//!
//! Of volumes: [`ComparePlan::new`] decides, [`Rounds::begin`] makes the places, [`Rounds::run`]
//! measures every phase on every volume in rounds of A B, B A, so that drift and burst credits
//! favour nobody, and [`CompareDocument`] keeps it with its [`findings`]. Of what was measured
//! before: [`Recording::read`] brings any document, or real fio's JSON, to named figures, and
//! [`Contrasts::between`] pairs them by name.

mod error;
mod plan;
mod request;
mod rounds;

pub use fathom_document::compare::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, CompareTrial, Contrast,
    ContrastVerdict, Contrasts, Judged, Known, PhaseFinding, PhaseInfo, RUNS_SCHEMA, RecordedRun,
    Recording, RecordingEntry, RecordingSource, Repeats, RunsDocument, Unjudged, VolumeStanding,
    findings,
};

pub use error::CompareError;
pub use plan::ComparePlan;
pub use request::{CompareRequest, ComparedPhase, JobRequest, PATTERNS, Work};
pub use rounds::Rounds;
