//! What the doctor is asked, what it asks of whoever stands on the machine, and what comes back.

use super::diagnosis::Diagnosis;
use super::facts::{ClockFacts, DirectFacts, HostLoad, TimerFacts};
use crate::testfile::TestFiles;
use crate::volume::Volume;
use fathom_document::CeilingCase;
use fathom_host::Host;
use fathom_vocab::Target;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// What the doctor is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoctorRequest {
    /// Targets to look at beside the machine itself.
    pub paths: Vec<Target>,
    /// Whether ceilings are left out.
    pub is_quick: bool,
    /// When it was asked, in milliseconds since 1970.
    pub taken_ms: u64,
}

/// The diagnosis of one machine of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostDiagnosis {
    /// The name by which it was asked for; none where it is this machine.
    pub host: Option<String>,
    /// What was found there.
    pub diagnosis: Diagnosis,
}

/// What only a try on the machine itself can tell.
pub trait HostProbe: fmt::Debug + Send {
    /// The clock that measures, and what a reading of it costs.
    fn clock(&self) -> ClockFacts;

    /// How long short waits take.
    fn timer(&self) -> TimerFacts;

    /// What else runs on the processors `allowed`, over `span`.
    fn load(&self, host: &Host, allowed: &[u32], span: Duration) -> HostLoad;

    /// Whether a target takes direct I/O.
    fn direct(&self, volume: &Volume, files: &TestFiles) -> DirectFacts;

    /// What earlier runs left under a path, in a sentence.
    fn stale_files(&self, path: &Path) -> Option<String>;
}

/// What the doctor does next.
#[derive(Clone, Debug, PartialEq)]
pub enum DoctorStep {
    /// It listens for other work.
    Listening,
    /// It measures a ceiling.
    Measuring(CeilingCase),
}
