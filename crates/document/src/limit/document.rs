//! A search as one JSON document: the request, the target, the answer, and each step with its
//! result and the command that repeats it.

use super::steps::{
    Effort, Halt, LimitPattern, LoadLevel, SearchResult, SearchStep, SearchVerdict, short_steps,
    subject,
};
use crate::document_runs::{DocumentRun, DocumentRuns, of_one_place};
use crate::record::{Head, Setup};
use crate::setting::CaseTime;
use crate::trial::Trial;
use fathom_analysis::GateResult;
use fathom_analysis::{Arrivals, LatencyGoal, StepFinding, StepReading};
use fathom_message::{Lang, Message};
use fathom_stats::RunResult;
use serde::{Deserialize, Serialize};

/// Version of the document; raised when a reader would misread it.
pub const LIMIT_SCHEMA: u32 = 1;

/// A search for a limit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LimitDocument {
    /// It is a `fathom-limit` of [`LIMIT_SCHEMA`].
    #[serde(flatten)]
    pub head: Head,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// Where it ran.
    #[serde(flatten)]
    pub setup: Setup,
    /// What was asked.
    pub question: LimitQuestion,
    /// The answer.
    pub answer: LimitAnswer,
    /// The outcome of "some rate keeps the target"; none in documents from before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateResult>,
    /// The steps in the order in which they ran.
    pub steps: Vec<StepRecord>,
}

/// What was asked, with what was chosen where nothing was said.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LimitQuestion {
    /// What was to hold.
    #[serde(flatten)]
    pub target: LatencyGoal,
    /// What the I/Os were.
    pub rw: LimitPattern,
    /// Bytes of each.
    pub block_bytes: u64,
    /// I/Os in flight at most.
    pub depth: u32,
    /// When they were due.
    pub arrivals: Arrivals,
    /// How long a step ran.
    pub time: CaseTime,
    /// How far to go.
    #[serde(flatten)]
    pub effort: Effort,
    /// What decided offsets and arrivals.
    pub seed: u64,
}

/// The answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LimitAnswer {
    /// How the search ended.
    pub verdict: SearchVerdict,
    /// The highest rate that keeps the target, in I/Os a second: `low`; none where none is known.
    /// If `verdict` is `host_late`, the volume may keep it at higher rates too.
    pub rate_iops: Option<u64>,
    /// The highest rate that was run and keeps it.
    pub low: Option<u64>,
    /// The lowest rate that was run and does not.
    pub high: Option<u64>,
    /// The lowest rate at which this machine was late in all attempts, which says nothing about
    /// the volume; none where there was no such rate, and in documents from before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_iops: Option<u64>,
    /// Rates above `high`, or above `late_iops` where that is lower, that kept it all the same.
    pub odd: Vec<u64>,
    /// What went wrong, where the search ended early by a failure.
    pub failure: Option<String>,
    /// All of this as a sentence, in English.
    pub text: String,
    /// What to know before it is relied on, a sentence each, in English.
    pub cautions: Vec<String>,
}

/// Which step of a search, and what it showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepKey {
    /// What was put on the volume.
    #[serde(flatten)]
    pub load: LoadLevel,
    /// Whether the target held; none where there was no rate to hold it at.
    pub finding: Option<StepFinding>,
    /// What it was judged by; none where it failed or was cut short.
    pub reading: Option<StepReading>,
}

/// A step. Effects of its own load, such as a backlog above the limit, are verdicts without weight.
pub type StepRecord = Trial<StepKey>;

impl LimitDocument {
    /// The answer as a sentence in `lang`: English as stored, other languages from the steps.
    pub fn told(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.answer.text.clone(),
            _ => {
                self.limit().tell(&subject(self.question.rw, self.question.block_bytes)).text(lang)
            }
        }
    }

    /// Warnings about the answer, a sentence each, in `lang`.
    pub fn cautions(&self, lang: Lang) -> Vec<String> {
        let question = &self.question;
        let short = short_steps(question.time.run_us, &question.target);
        match lang {
            Lang::En => self.answer.cautions.clone(),
            _ => in_lang(lang, short.into_iter().chain(self.limit().cautions())),
        }
    }

    /// How often the runs at both ends of the answer agreed, in `lang`.
    pub fn repeatability(&self, lang: Lang) -> Option<String> {
        self.limit().repeatability().map(|said| said.text(lang))
    }

    /// How often the runs at both ends of the answer agreed, in `lang`, if they did not all.
    pub fn disagreement(&self, lang: Lang) -> Option<String> {
        self.limit().disagreement().map(|said| said.text(lang))
    }

    /// How the search ended, and the rate at which this machine was late. Older documents have no
    /// verdict for that: a search ended with the first such rate.
    fn ending(&self) -> (SearchVerdict, Option<u64>) {
        let (verdict, late_iops) = (self.answer.verdict, self.answer.late_iops);
        let last = self.steps.last().filter(|step| step.finding == Some(StepFinding::Late));
        match (verdict, late_iops, last.map(|step| step.load)) {
            (SearchVerdict::Unclear, None, Some(LoadLevel::Rate { rate_iops })) => {
                (SearchVerdict::HostLate, Some(rate_iops))
            }
            _ => (verdict, late_iops),
        }
    }

    /// The search as it ended.
    pub(crate) fn limit(&self) -> SearchResult {
        let answer = &self.answer;
        let step = |record: &StepRecord| {
            let (load, reading) = (record.load, record.reading.clone()?);
            Some(SearchStep { load, reading, finding: record.finding })
        };
        let (verdict, late_iops) = self.ending();
        let halted_by = match (answer.verdict, &answer.failure) {
            (_, Some(why)) => Some(Halt::Failed(why.clone())),
            (SearchVerdict::Halted, None) => Some(Halt::Stopped),
            _ => None,
        };
        SearchResult {
            target: self.question.target.clone(),
            verdict,
            low: answer.low,
            high: answer.high,
            late_iops,
            odd: answer.odd.clone(),
            halted_by,
            steps: self.steps.iter().filter_map(step).collect(),
        }
    }
}

/// Each message in `lang`.
pub fn in_lang(lang: Lang, said: impl Iterator<Item = Message>) -> Vec<String> {
    said.map(|one| one.text(lang)).collect()
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

    of_one_place!(interrupted);
}
