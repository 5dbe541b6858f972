//! Which is better, and by how much? Two questions with one way of judging.
//!
//! Of volumes: [`ComparePlan::new`] decides, [`Rounds::begin`] makes the places, [`Rounds::run`]
//! measures every phase on every volume in rounds of A B, B A, so that drift and burst credits
//! favour nobody, and [`CompareDocument`] keeps it with its [`findings`]. Of what was measured
//! before: [`Recording::read`] brings any document, or real fio's JSON, to named figures, and
//! [`Contrasts::between`] pairs them by name.

mod asked;
mod contrast;
mod document;
mod error;
mod finding;
mod gate;
mod judged;
mod plan;
mod recording;
mod rounds;

pub use asked::{CompareAsked, ComparedPhase, JobAsked, PATTERNS, Work};
pub use contrast::{Contrast, Contrasts, RUNS_SCHEMA, RunsDocument, Source, Verdict};
pub use document::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, PhaseInfo, RunRecord,
};
pub use error::CompareError;
pub use finding::{Finding, Standing, findings};
pub use judged::Judged;
pub use plan::ComparePlan;
pub use recording::{
    Entry, Known, RecordedRun, Recording, Repeats, Unjudged, Unread, json_in, objects_in,
    recorded_runs,
};
pub use rounds::Rounds;
