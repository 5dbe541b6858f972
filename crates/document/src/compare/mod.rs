//! Comparisons as documents, with one way of judging: of volumes that were measured in rounds
//! ([`CompareDocument`]), and of what was measured before.
//!
//! [`Recording::read`] brings any document, or real fio's JSON, to named figures, and
//! [`Contrasts::between`] pairs them by name.

mod contrast;
mod document;
mod finding;
mod findings;
mod gate;
mod judged;
mod recording;

pub use contrast::{Contrast, Contrasts, RUNS_SCHEMA, RunsDocument, Source, Verdict};
pub use document::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, PhaseInfo, RunRecord,
};
pub use finding::{Finding, Standing};
pub use findings::findings;
pub use judged::Judged;
pub use recording::{
    Entry, Known, RecordedRun, Recording, RecordingError, Repeats, Unjudged, json_in, objects_in,
    recorded_runs,
};
