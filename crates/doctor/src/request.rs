//! The doctor's request, its steps and its reply.

use super::diagnosis::Diagnosis;
use fathom_document::CeilingCase;
use fathom_vocab::Target;
use serde::{Deserialize, Serialize};

/// The doctor's request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoctorRequest {
    /// Targets to examine beside the machine itself.
    pub paths: Vec<Target>,
    /// Whether ceilings are left out.
    pub is_quick: bool,
    /// The time of the request, in milliseconds since 1970.
    pub taken_ms: u64,
}

/// The diagnosis of one machine of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostDiagnosis {
    /// The name by which the host was requested; none for this machine.
    pub host: Option<String>,
    /// The findings there.
    pub diagnosis: Diagnosis,
}

/// The doctor's next step.
#[derive(Clone, Debug, PartialEq)]
pub enum DoctorStep {
    /// It listens for other work.
    Listening,
    /// It measures a ceiling.
    Measuring(CeilingCase),
}
