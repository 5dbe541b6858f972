//! Verdicts on figures, and a line over those of several runs.

mod shown;
mod verdict;

pub use shown::summary;
pub use verdict::{
    Answer, Verdict, VolumeVerdicts, Weight, as_sentence, disturbance, mark_capped, ordered,
    suppress,
};
