//! The runs of a document of any kind, and where they were measured: what comparisons and charts
//! need of it.

use crate::check::CheckDocument;
use crate::compare::CompareDocument;
use crate::durable::DurableDocument;
use crate::limit::{LimitDocument, StepRecord};
use crate::measure::Document;
use crate::record::{Head, PlaceRecord, Setup, VolumeRecord};
use crate::run::RunDocument;
use crate::setting::title_of;
use crate::sweep::SweepDocument;
use crate::trial::Trial;
use fathom_analysis::verdicts::Verdict;
use fathom_host::System;
use fathom_stats::RunResult;

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
}

impl<'d> DocumentRun<'d> {
    /// Of a trial; none of one that measured nothing.
    fn of_trial<K, F>(trial: &'d Trial<K, F>, title: String) -> Option<DocumentRun<'d>> {
        let result = trial.result.as_ref()?;
        let run = DocumentRun { name: title.clone(), title, ..DocumentRun::of_result(result) };
        Some(DocumentRun { cut_short: trial.cut_short, failure: trial.failure.as_deref(), ..run })
    }

    /// Of a user's own jobs.
    fn of_result(result: &'d RunResult) -> DocumentRun<'d> {
        DocumentRun {
            name: String::new(),
            title: String::new(),
            volume: None,
            cut_short: false,
            failure: None,
            global_options: None,
            result,
        }
    }
}

/// What a document holds beside the answer of its kind.
pub trait DocumentRuns {
    /// Its runs in their order, without those that measured nothing.
    fn runs(&self) -> Vec<DocumentRun<'_>>;

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

/// Implements what documents of one place have alike.
macro_rules! of_one_place {
    () => {
        fn head(&self) -> Option<&Head> {
            Some(&self.head)
        }

        fn setup(&self) -> Option<&Setup> {
            Some(&self.setup)
        }
    };
}

impl DocumentRuns for Document {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.phases.iter().filter_map(|trial| {
            let run = DocumentRun::of_trial(trial, trial.phase.title())?;
            let (name, volume) = (trial.phase.name.clone(), Some(trial.volume));
            Some(DocumentRun { name, volume, ..run })
        });
        runs.collect()
    }

    fn head(&self) -> Option<&Head> {
        Some(&self.head)
    }

    fn host(&self) -> Option<&System> {
        Some(&self.host)
    }

    fn volumes(&self) -> &[VolumeRecord] {
        &self.volumes
    }

    fn volume_indices(&self) -> Vec<usize> {
        let over_phases = self.over_phases.iter().map(|of| of.volume);
        over_phases.chain(self.phases.iter().map(|phase| phase.volume)).collect()
    }

    fn cap_verdicts(&self) -> Vec<&Verdict> {
        let over_phases: Vec<&Verdict> =
            self.over_phases.iter().flat_map(|of| &of.verdicts).collect();
        match over_phases.iter().any(|verdict| verdict.answer.is_plain_cap()) {
            true => over_phases,
            false => self.phases.iter().flat_map(|phase| &phase.verdicts).collect(),
        }
    }
}

impl DocumentRuns for CompareDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.runs.iter().filter_map(|trial| {
            let run = DocumentRun::of_trial(trial, trial.title.clone())?;
            Some(DocumentRun { volume: Some(trial.volume), ..run })
        });
        runs.collect()
    }

    fn head(&self) -> Option<&Head> {
        Some(&self.head)
    }

    fn host(&self) -> Option<&System> {
        Some(&self.host)
    }

    fn volumes(&self) -> &[VolumeRecord] {
        &self.volumes
    }

    fn volume_indices(&self) -> Vec<usize> {
        let standings = self.findings.iter().flat_map(|finding| &finding.standings);
        standings.map(|of| of.volume).chain(self.runs.iter().map(|run| run.volume)).collect()
    }

    fn run_us(&self) -> Option<u64> {
        Some(self.plan.time.run_us)
    }
}

impl DocumentRuns for SweepDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let cases = self.cases.iter();
        cases.filter_map(|case| DocumentRun::of_trial(case, title_of(&case.settings))).collect()
    }

    fn head(&self) -> Option<&Head> {
        Some(&self.head)
    }

    fn setup(&self) -> Option<&Setup> {
        self.sessions.last().map(|session| &session.setup)
    }

    fn run_us(&self) -> Option<u64> {
        Some(self.plan.time.run_us)
    }
}

impl DocumentRuns for CheckDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.runs.iter();
        runs.filter_map(|run| DocumentRun::of_trial(run, run.load.title())).collect()
    }

    of_one_place!();
}

impl DocumentRuns for LimitDocument {
    /// Steps at one rate are repeats, those at several are not.
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let depth = |result: &RunResult| {
            result.jobs.iter().fold(0u32, |sum, job| sum.saturating_add(job.setup.iodepth))
        };
        let title = |step: &StepRecord| step.load.title(step.result.as_ref().map_or(0, depth));
        let steps = self.steps.iter();
        steps.filter_map(|step| DocumentRun::of_trial(step, title(step))).collect()
    }

    of_one_place!();
}

impl DocumentRuns for DurableDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.runs.iter();
        runs.filter_map(|run| DocumentRun::of_trial(run, run.title.clone())).collect()
    }

    of_one_place!();
}

impl DocumentRuns for RunDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let global_options = Some(self.result.global_options.as_slice());
        vec![DocumentRun { global_options, ..DocumentRun::of_result(&self.result) }]
    }

    fn head(&self) -> Option<&Head> {
        Some(&self.head)
    }

    fn host(&self) -> Option<&System> {
        Some(&self.host)
    }

    fn cap_verdicts(&self) -> Vec<&Verdict> {
        self.groups.iter().flat_map(|group| &group.verdicts).collect()
    }
}

impl DocumentRuns for RunResult {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        vec![DocumentRun::of_result(self)]
    }

    fn started_ms(&self) -> u64 {
        self.started_ms
    }

    fn fathom_version(&self) -> &str {
        &self.fathom_version
    }
}
