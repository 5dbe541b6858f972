//! Which is better, and by how much? Two kinds of comparison with one kind of judgement.
//!
//! Of volumes: [`ComparePlan::new`] plans, [`ComparePlan::begin`] creates the test files,
//! [`ComparePlan::run`] measures every phase on every volume in rounds of A B, B A, so that drift
//! and burst credits favour no volume, and [`CompareDocument`] stores the result with its
//! [`findings`].
//! Of earlier results: [`Recording::read`] converts any document, or real fio's JSON, to named
//! figures, and [`Contrasts::between`] pairs them by name.

mod error;
mod plan;
mod request;
mod rounds;
mod schedule;

pub use fathom_document::compare::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, CompareTrial, Contrast,
    ContrastVerdict, Contrasts, Judged, Known, Lead, PhaseFinding, PhaseInfo, RUNS_SCHEMA,
    RecordedRun, Recording, RecordingEntry, RecordingSource, Repeats, RunsDocument, Unjudged,
    VolumeFigure, VolumeStanding, findings, usual_distance,
};

pub use error::CompareError;
pub use plan::ComparePlan;
pub use request::{CompareRequest, ComparedPhase, JobRequest, PATTERNS, RoundCount, Work};
pub use schedule::RoundSchedule;
