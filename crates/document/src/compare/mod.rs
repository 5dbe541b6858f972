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

pub use contrast::{
    Contrast, ContrastVerdict, Contrasts, RUNS_SCHEMA, RecordingSource, RunsDocument,
};
pub use document::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, CompareTrial, PhaseInfo,
};
pub use finding::{PhaseFinding, VolumeStanding};
pub use findings::findings;
pub use judged::Judged;
pub use recording::{
    FoundJson, Known, RecordedRun, Recording, RecordingEntry, RecordingError, Repeats, Unjudged,
    json_in, objects_in,
};
