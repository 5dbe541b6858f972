//! The history entry of a check, written after each run and at the end.

use crate::history_writer::{HistoryWriter, SavedRun};
use crate::session::Session;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::warn_line;
use fathom_campaign::check::{CheckDocument, CheckPlan, CheckSink, CheckTrial, Standing};
use fathom_campaign::{CampaignEvent, EventSink, Goal};
use fathom_message::Tell;
use fathom_store::{HistoryFigure, HistoryOutcome, Key};
use fathom_text::text;
use fathom_vocab::Target;

/// Shows the progress of a check, and stores its document after each run.
pub struct CheckLine<'a> {
    recorder: &'a mut HistoryWriter,
    target: &'a Target,
    line: ProgressLine,
}

impl<'a> CheckLine<'a> {
    /// For the runs of `plan`; `quiet` draws nothing.
    pub fn new(
        plan: &CheckPlan,
        recorder: &'a mut HistoryWriter,
        target: &'a Target,
        session: &Session,
        quiet: bool,
    ) -> CheckLine<'a> {
        let about = format!("whether {} is kept", plan.basis.name());
        let feed = recorder.start("check", &about, std::slice::from_ref(target));
        CheckLine { recorder, target, line: ProgressLine::new(session, quiet, feed) }
    }

    /// Removes the view, so that the next output is not mixed with it.
    pub fn wipe(&mut self) {
        self.line.wipe();
    }

    /// Stores the finished check.
    pub fn over(&mut self, document: &CheckDocument) {
        keep(self.recorder, self.target, document, true);
    }
}

impl EventSink for CheckLine<'_> {
    fn event(&mut self, event: CampaignEvent) {
        self.line.event(event);
    }
}

impl CheckSink for CheckLine<'_> {
    fn keep(&mut self, document: &CheckDocument) {
        // A failed write prints a warning.
        self.line.wipe();
        keep(self.recorder, self.target, document, false);
    }
}

/// Stores the check so far; `over` says whether more runs will follow.
fn keep(recorder: &mut HistoryWriter, target: &Target, document: &CheckDocument, over: bool) {
    let outcome = if over { outcome(document) } else { HistoryOutcome::Running };
    match serde_json::to_string(document) {
        Ok(text) => recorder.keep(&SavedRun {
            kind: "check",
            title: document.tell().to_string(),
            targets: std::slice::from_ref(target),
            document: &text,
            headline: headline(document),
            outcome,
        }),
        Err(why) => warn_line(text!("fathom: warning: this run is not kept: {why}")),
    }
}

fn outcome(document: &CheckDocument) -> HistoryOutcome {
    match (document.stopped, document.standing) {
        (true, _) => HistoryOutcome::Interrupted,
        (false, Standing::Missed) => HistoryOutcome::PromiseMissed,
        (false, _) if !document.is_whole() => HistoryOutcome::Failed,
        (false, Standing::Kept) => HistoryOutcome::PromiseKept,
        (false, Standing::CouldNotTell) => HistoryOutcome::Undecided,
    }
}

/// The figures of all runs, those that missed their limit first: a list has room for few.
fn headline(document: &CheckDocument) -> Vec<HistoryFigure> {
    let mut runs: Vec<&CheckTrial> = document.runs.iter().collect();
    runs.sort_by_key(|run| run.standing() != Standing::Missed);
    runs.into_iter().filter_map(figure).collect()
}

fn figure(run: &CheckTrial) -> Option<HistoryFigure> {
    let total = run.figures.as_ref()?.total;
    Some(HistoryFigure {
        label: run.load.title(),
        target: String::new(),
        key: match run.load.goal {
            Goal::Iops => Key::Iops,
            Goal::Throughput => Key::BytesPerS,
            Goal::Latency => Key::Latency,
        },
        iops: Some(total.iops),
        bytes_per_s: Some(total.mb_per_s * 1e6),
        mean_ns: Some(total.mean_ns),
        p50_ns: Some(total.p50_ns as f64),
        p99_ns: Some(total.p99_ns as f64),
        p999_ns: Some(total.p999_ns as f64),
    })
}
