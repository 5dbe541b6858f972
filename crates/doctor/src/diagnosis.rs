//! All findings of the doctor, as one document.

use super::facts::{HostFacts, TargetFacts};
use super::finding::{DoctorFinding, FindingTopic, Severity, by_severity};
use super::{client, device, machine, target};
use fathom_analysis::quantity::two_figures;
use fathom_document::{BLOCK_BYTES, Backing, Ceiling};
use fathom_document::{binary_bytes, thousands};
use fathom_text::{Text, text};
use fathom_vocab::IoEngine;
use fathom_vocab::shell::quoted;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// Version of the document; raised when a reader would misread it.
pub const DIAGNOSIS_SCHEMA: u32 = 1;

/// The findings on this host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// Type of this document: `fathom-doctor`.
    pub kind: String,
    /// [`DIAGNOSIS_SCHEMA`].
    pub schema: u32,
    /// Version of Fathom that looked.
    pub fathom_version: String,
    /// When it looked, in milliseconds since 1970.
    pub taken_ms: u64,
    /// The machine.
    pub host: HostFacts,
    /// Its ceilings; empty if none was measured.
    pub ceilings: Vec<Ceiling>,
    /// Findings on the machine, the worst first.
    pub findings: Vec<DoctorFinding>,
    /// The targets, in the given order.
    pub targets: Vec<TargetDiagnosis>,
}

/// Findings on one target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetDiagnosis {
    /// The path as typed.
    pub path: String,
    /// Why it could not be looked at, if so.
    pub failure: Option<Text>,
    /// Findings, the worst first.
    pub findings: Vec<DoctorFinding>,
    /// All known facts; none if it could not be examined.
    pub facts: Option<TargetFacts>,
}

impl TargetDiagnosis {
    /// The findings that follow from the facts about a target, or why there are none.
    pub fn new(path: &str, facts: Result<TargetFacts, impl Display>) -> TargetDiagnosis {
        let path = path.to_owned();
        match facts {
            Ok(facts) => {
                let mut findings = target::findings(&facts);
                findings.extend(device::findings(&facts));
                let findings = by_severity(findings);
                TargetDiagnosis { path, failure: None, findings, facts: Some(facts) }
            }
            Err(why) => {
                let failure = Some(Text::of(why));
                TargetDiagnosis { path, failure, findings: Vec::new(), facts: None }
            }
        }
    }

    /// Adds the finding on test files that earlier runs left there.
    pub fn with_stale_files(mut self, evidence: Option<Text>) -> TargetDiagnosis {
        let advice =
            text!("`fathom clean {}` removes those that are proved ours.", quoted(&self.path));
        let finding =
            |evidence| DoctorFinding::warning(FindingTopic::TestFiles, evidence).advise(advice);
        self.findings.extend(evidence.map(|evidence| finding(text!("{evidence}."))));
        self.findings = by_severity(self.findings);
        self
    }
}

impl Diagnosis {
    /// The findings that follow from all facts.
    pub fn new(
        host: HostFacts,
        ceilings: Vec<Ceiling>,
        targets: Vec<TargetDiagnosis>,
        taken_ms: u64,
    ) -> Diagnosis {
        let mut findings = client::findings(&host);
        findings.extend(machine::findings(&host));
        findings.extend(machine::on_ceilings(&ceilings));
        Diagnosis {
            kind: "fathom-doctor".to_owned(),
            schema: DIAGNOSIS_SCHEMA,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            taken_ms,
            host,
            ceilings,
            findings: by_severity(findings),
            targets,
        }
    }

    /// How many findings of that severity there are, over the machine and all targets.
    pub fn count(&self, severity: Severity) -> usize {
        let all = self.findings.iter().chain(self.targets.iter().flat_map(|t| &t.findings));
        all.filter(|finding| finding.severity == severity).count()
    }

    /// I/Os a second that one core can drive through `engine` without a disk, corrected for other
    /// load; none if that was not measured.
    pub fn one_core_iops(&self, engine: IoEngine) -> Option<f64> {
        let of_engine = |c: &&Ceiling| {
            c.case.engine == engine && c.case.threads == 1 && c.case.backing != Backing::Nothing
        };
        self.ceilings.iter().filter(of_engine).find_map(Ceiling::undisturbed_iops)
    }

    /// The ceilings in one sentence; none if none was measured.
    pub fn summary(&self) -> Option<Text> {
        let ways = [
            (IoEngine::IoUring, "io_uring"),
            (IoEngine::Libaio, "libaio"),
            (IoEngine::Windowsaio, "windowsaio"),
            (IoEngine::Psync, "psync (one at a time)"),
        ];
        let mut known = ways
            .iter()
            .filter_map(|(engine, name)| Some((self.one_core_iops(*engine)?, *name)))
            .map(|(iops, name)| (thousands(two_figures(iops)), name));
        let (most, first) = known.next()?;
        let ways = known.fold(
            text!("{most} IOPS of {} through {first}", binary_bytes(BLOCK_BYTES)),
            |all, (iops, name)| text!("{all}, {iops} through {name}"),
        );
        Some(text!(
            "One core of this host can drive about {ways}, before a disk does anything. A figure \
             near that is the client's limit and not the volume's: then use more jobs."
        ))
    }
}
