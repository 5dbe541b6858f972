//! Comparisons as documents, with one kind of judgement: of volumes measured in rounds
//! ([`CompareDocument`]), and of earlier results.
//!
//! [`Recording::read`] converts any document, or real fio's JSON, to named figures, and
//! [`Contrasts::between`] pairs them by name.

mod contrast;
mod document;
mod finding;
mod findings;
mod gate;
mod lead;
mod recording;
mod side_cap;
mod unlike;
mod volume_gate;

pub use crate::judged::Judged;
pub use contrast::{
    Contrast, ContrastVerdict, Contrasts, RUNS_SCHEMA, RecordingSource, RunsDocument,
};
pub use document::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, CompareTrial, PhaseInfo,
};
pub use finding::{PhaseFinding, VolumeStanding};
pub use findings::findings;
pub use gate::GateFigure;
pub use lead::{Lead, is_told};
pub use recording::{
    Known, OTHER_OPTIONS, RecordedLoad, RecordedRun, Recording, RecordingEntry, RecordingError,
    Repeats, Unjudged,
};
pub use side_cap::SideCap;
pub use unlike::RecordingDifference;
pub use volume_gate::VolumeFigure;
