//! The effect of a finding on the trust in its figure.

use serde::{Deserialize, Serialize};

/// How a finding bears on the figure that it stands beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// It supports the figure.
    Good,
    /// It explains the figure.
    Note,
    /// The figure may mislead without it.
    Warning,
    /// The figure does not say what it seems to say.
    Bad,
}
