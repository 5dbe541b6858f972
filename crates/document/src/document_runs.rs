//! The runs of a document of any kind, and where they were measured: what comparisons and charts
//! need of it.

use crate::record::{Head, PlaceRecord, Setup, VolumeRecord};
use crate::stop_point::StopPoint;
use crate::trial::{MountRecord, Trial};
use fathom_analysis::is_connection_lost;
use fathom_analysis::verdicts::Verdict;
use fathom_host::System;
use fathom_stats::{JobResult, RunResult};

/// An option as results hold it: canonical name and raw value.
pub type GivenOption = (String, Option<String>);

/// A run as its document holds it.
#[derive(Clone, Debug)]
pub struct DocumentRun<'d> {
    /// By which the document names it; empty where its jobs have names of their own.
    pub name: String,
    /// What tables call it.
    pub title: String,
    /// The index of its volume in the document.
    pub volume: Option<usize>,
    /// Whether it was stopped before its time.
    pub cut_short: bool,
    /// Why it failed, if so.
    pub failure: Option<&'d str>,
    /// What all jobs of a user's own run were given; none of Fathom's own tests.
    pub global_options: Option<&'d [GivenOption]>,
    /// What it measured.
    pub result: &'d RunResult,
    /// What the kernel's NFS client counted meanwhile.
    pub mounts: &'d [MountRecord],
}

impl<'d> DocumentRun<'d> {
    /// Of a trial; none of one that measured nothing.
    pub(crate) fn of_trial<K, F>(trial: &'d Trial<K, F>, title: String) -> Option<DocumentRun<'d>> {
        let result = trial.result.as_ref()?;
        let run = DocumentRun { name: title.clone(), title, ..DocumentRun::of_result(result) };
        let (cut_short, failure) = (trial.cut_short, trial.failure.as_deref());
        Some(DocumentRun { cut_short, failure, mounts: &trial.mounts, ..run })
    }

    /// Of a user's own jobs.
    pub(crate) fn of_result(result: &'d RunResult) -> DocumentRun<'d> {
        DocumentRun {
            name: String::new(),
            title: String::new(),
            volume: None,
            cut_short: false,
            failure: None,
            global_options: None,
            result,
            mounts: &[],
        }
    }

    /// Whether it came to something: an I/O was measured, or it failed by itself.
    pub fn tells_something(&self) -> bool {
        let has_io = |job: &JobResult| job.dirs.iter().any(|(_, stats)| stats.total_ios > 0);
        self.result.jobs.iter().any(has_io) || (self.failure.is_some() && !self.cut_short)
    }

    /// Whether a connection to its server was lost.
    pub(crate) fn lost_its_server(&self) -> bool {
        let kernels = self.mounts.iter().flat_map(|mount| &mount.counted.transports);
        is_connection_lost(&self.result.jobs, kernels.map(|of| of.connects).sum())
    }
}

/// What a document holds beside the answer of its kind.
pub trait DocumentRuns {
    /// Its runs in their order, without those that measured nothing.
    fn runs(&self) -> Vec<DocumentRun<'_>>;

    /// Whether it was stopped before its end.
    fn is_interrupted(&self) -> bool;

    /// Where it was stopped, if it was and its plan counts runs.
    fn stop_point(&self) -> Option<StopPoint> {
        None
    }

    /// How it begins; none of a result without a document around it.
    fn head(&self) -> Option<&Head> {
        None
    }

    /// When it began, in milliseconds since 1970; 0 where that is not known.
    fn started_ms(&self) -> u64 {
        self.head().map_or(0, |head| head.started_ms)
    }

    /// The version of Fathom that measured.
    fn fathom_version(&self) -> &str {
        self.head().map_or("", |head| &head.fathom_version)
    }

    /// Where its runs were measured, if in one place; of several sessions, the last.
    fn setup(&self) -> Option<&Setup> {
        None
    }

    /// The volumes that its runs name by index.
    fn volumes(&self) -> &[VolumeRecord] {
        &[]
    }

    /// Every index by which it names a volume.
    fn volume_indices(&self) -> Vec<usize> {
        Vec::new()
    }

    /// The machine that measured.
    fn host(&self) -> Option<&System> {
        self.setup().map(|setup| &setup.host)
    }

    /// Microseconds of each run, where the plan of a comparison or a sweep says them.
    fn run_us(&self) -> Option<u64> {
        None
    }

    /// The verdicts on a single volume that may name its caps: those on it as a whole, or else
    /// those on its tests.
    fn cap_verdicts(&self) -> Vec<&Verdict> {
        Vec::new()
    }

    /// Every place that was measured.
    fn places(&self) -> Vec<&PlaceRecord> {
        let volumes = self.volumes().iter().map(|volume| &volume.place);
        volumes.chain(self.setup().map(|setup| &setup.volume)).collect()
    }
}

/// Implements what documents with a head have alike.
macro_rules! with_head {
    ($interrupted:ident) => {
        fn head(&self) -> Option<&$crate::record::Head> {
            Some(&self.head)
        }

        fn is_interrupted(&self) -> bool {
            self.$interrupted
        }
    };
}
pub(crate) use with_head;

/// The same of documents of one place.
macro_rules! of_one_place {
    ($interrupted:ident) => {
        $crate::document_runs::with_head!($interrupted);

        fn setup(&self) -> Option<&$crate::record::Setup> {
            Some(&self.setup)
        }
    };
}
pub(crate) use of_one_place;

impl DocumentRuns for RunResult {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        vec![DocumentRun::of_result(self)]
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    fn started_ms(&self) -> u64 {
        self.started_ms
    }

    fn fathom_version(&self) -> &str {
        &self.fathom_version
    }
}
