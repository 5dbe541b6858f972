//! The doctor's request, the facts that it needs from the local machine, and its reply.

use super::diagnosis::Diagnosis;
use super::facts::{ClockFacts, DirectFacts, HostLoad, TimerFacts};
use crate::testfile::TestFiles;
use crate::volume::Volume;
use fathom_document::CeilingCase;
use fathom_host::Host;
use fathom_text::Text;
use fathom_vocab::Target;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::time::Duration;

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

/// Facts that need a trial on the machine itself.
pub trait HostProbe: fmt::Debug + Send {
    /// The clock used for measuring, and the cost of a reading.
    fn clock(&self) -> ClockFacts;

    /// How long short waits take.
    fn timer(&self) -> TimerFacts;

    /// Other load on the processors `allowed`, over `span`.
    fn load(&self, host: &Host, allowed: &[u32], span: Duration) -> HostLoad;

    /// Whether a target takes direct I/O.
    fn direct(&self, volume: &Volume, files: &TestFiles) -> DirectFacts;

    /// A sentence on files that earlier runs left under a path.
    fn stale_files(&self, path: &Path) -> Option<Text>;
}

/// The doctor's next step.
#[derive(Clone, Debug, PartialEq)]
pub enum DoctorStep {
    /// It listens for other work.
    Listening,
    /// It measures a ceiling.
    Measuring(CeilingCase),
}
