//! Comparisons as documents, with one kind of judgement: of volumes measured in rounds
//! ([`CompareDocument`]), and of earlier results.
//!
//! [`Recording::read`] converts any document, or real fio's JSON, to named figures, and
//! [`Contrasts::between`] pairs them by name.

mod contrast;
mod document;
mod findings;
mod gate;
mod recording;
mod side_cap;
mod unlike;
mod volume_gate;

pub use contrast::{
    Contrast, ContrastVerdict, Contrasts, RUNS_SCHEMA, RecordingSource, RunsDocument,
    usual_distance,
};
pub use document::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, CompareTrial, PhaseInfo,
};
pub use fathom_analysis::{
    GateFigure, Judged, Known, Lead, PhaseFinding, Repeats, Unjudged, VolumeStanding,
};
pub use findings::findings;
pub use recording::{
    OTHER_OPTIONS, RecordedLoad, RecordedRun, Recording, RecordingEntry, RecordingError,
};
pub use side_cap::SideCap;
pub use unlike::RecordingDifference;
pub use volume_gate::VolumeFigure;
