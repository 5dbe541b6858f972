//! One run of one case, as every document stores it: the job and its result.
//!
//! The fields are declared once and appear beside those of a key, by which the command
//! distinguishes its trials.

use crate::record::RemarkRecord;
use fathom_analysis::CaseFigures;
use fathom_analysis::Figures;
use fathom_analysis::Judged;
use fathom_analysis::quantity::{latency, megabytes_per_s, thousands};
use fathom_analysis::verdicts::Verdict;
use fathom_host::NfsStats;
use fathom_stats::RunResult;
use fathom_text::{Text, text};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// Which trial of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TrialId {
    /// Number of the round, from 0.
    pub round: u32,
    /// The case's number, from 0.
    pub case: usize,
    /// Which target, from 0.
    pub target: usize,
}

/// The NFS mount that a machine measured on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MountRecord {
    /// The machine, by the name it was given; none for the one that wrote the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The mount, and what each kind of call and each connection did meanwhile.
    #[serde(flatten)]
    pub counted: NfsStats,
}

/// A trial: `K` says which it is, `F` are its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial<K, F = CaseFigures> {
    /// Which it is.
    #[serde(flatten)]
    pub key: K,
    /// Options of its job.
    pub job: Vec<(String, Option<String>)>,
    /// The command that repeats it.
    pub command: String,
    /// Its figures; none where it failed.
    pub figures: Option<F>,
    /// Why there are none.
    pub failure: Option<String>,
    /// Whether it was stopped before its time.
    pub cut_short: bool,
    /// What to know about it.
    pub remarks: Vec<RemarkRecord>,
    /// What may be said of its figures, the worst first; documents from before there were
    /// verdicts have none.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
    /// Everything that was measured; none where nothing was begun.
    pub result: Option<RunResult>,
    /// What the kernel's NFS client counted meanwhile on each machine whose target lies on an NFS
    /// mount.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<MountRecord>,
}

/// A key's fields appear in the document as the trial's own, and are read in the same form.
impl<K, F> Deref for Trial<K, F> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.key
    }
}

/// Why a trial that was stopped at once has no figures, as stored in documents.
pub const STOPPED: &str = "stopped before anything was measured";

impl<K> Trial<K> {
    /// A trial with only its job: as if it was stopped before it began.
    pub fn new(key: K, job: Vec<(String, Option<String>)>, command: String) -> Trial<K> {
        Trial {
            key,
            job,
            command,
            figures: None,
            failure: Some(STOPPED.to_owned()),
            cut_short: false,
            remarks: Vec::new(),
            verdicts: Vec::new(),
            result: None,
            mounts: Vec::new(),
        }
    }

    /// The same with the figures of its total alone, for trials of one direction.
    pub fn with_total(self) -> Trial<K, Figures> {
        self.mapped(|key| key, |figures| figures.total)
    }

    /// Its result, in a line.
    pub fn summary(&self) -> Text {
        summary(self.figures.as_ref().map(|figures| &figures.total), self)
    }
}

impl<K> Trial<K, Figures> {
    /// Its result, in a line.
    pub fn total_summary(&self) -> Text {
        summary(self.figures.as_ref(), self)
    }
}

impl<K, F> Trial<K, F> {
    /// The same under another key.
    pub fn keyed<N>(self, key: N) -> Trial<N, F> {
        self.mapped(|_| key, |figures| figures)
    }

    fn mapped<N, G>(self, key: impl FnOnce(K) -> N, figures: impl FnOnce(F) -> G) -> Trial<N, G> {
        Trial {
            key: key(self.key),
            figures: self.figures.map(figures),
            job: self.job,
            command: self.command,
            failure: self.failure,
            cut_short: self.cut_short,
            remarks: self.remarks,
            verdicts: self.verdicts,
            result: self.result,
            mounts: self.mounts,
        }
    }

    /// Whether it was stopped before it had any figures.
    pub fn is_stopped(&self) -> bool {
        self.figures.is_none() && self.failure.as_deref() == Some(STOPPED)
    }

    /// Whether it had its whole time and has figures.
    pub fn is_whole(&self) -> bool {
        !self.cut_short && self.figures.is_some()
    }
}

/// `1,022 IOPS, mean 97.1 us`, of large blocks `794 MB/s, mean 11.9 ms`: a line of 80 columns holds
/// it with its title. That it was stopped, or why it failed.
fn summary<K, F>(figures: Option<&Figures>, trial: &Trial<K, F>) -> Text {
    match figures {
        Some(Figures { iops, mb_per_s, mean_ns, .. }) => {
            let rate = match Judged::rate_of(mb_per_s * 1e6 / iops) {
                Judged::BytesPerS => format!("{} MB/s", megabytes_per_s(*mb_per_s)),
                _ => format!("{} IOPS", thousands(*iops)),
            };
            text!("{rate}, mean {}", latency(*mean_ns))
        }
        None if trial.is_stopped() => text!("stopped"),
        None => text!("failed: {}", trial.failure.as_deref().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_rate_that_counts_for_the_blocks() {
        let trial = |iops, mb_per_s| Trial {
            key: (),
            job: Vec::new(),
            command: String::new(),
            figures: Some(Figures { iops, mb_per_s, mean_ns: 97_100.0, ..Figures::default() }),
            failure: None,
            cut_short: false,
            remarks: Vec::new(),
            verdicts: Vec::new(),
            result: None,
            mounts: Vec::new(),
        };
        assert_eq!(trial(1022.0, 4.19).total_summary(), "1,022 IOPS, mean 97.1 us");
        assert_eq!(trial(3029.0, 794.0).total_summary(), "794 MB/s, mean 97.1 us");
    }
}
