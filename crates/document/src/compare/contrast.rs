//! Two recordings side by side: figures paired by name, and their changes.
//!
//! Each test is judged by one figure: latency where one I/O is in flight or the load has a pace of
//! its own, else the rate. At a fixed depth the two are one number (Little's law), and judging both
//! would only make each less sure.
//!
//! What is known of a ratio comes from rounds or from runs: the intervals of one run do not show
//! how the next would differ. If a side is one run, the change is shown and not judged.

use super::recording::{Recording, RecordingEntry};
use super::side_cap::{self, SideCap};
use super::unlike::{self, RecordingDifference};
use crate::document_runs::{DocumentRun, DocumentRuns};
use crate::test_title::test_title;
use fathom_analysis::{Better, ChangeText, Comparison, Difference, GateResult, JudgeRule};
use fathom_analysis::{Judged, Known, Repeats, RowOutcome, Unjudged, lead};
use fathom_message::{Lang, Message};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// What became of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContrastVerdict {
    /// It is shown to be better.
    Better,
    /// It is shown to be worse.
    Worse,
    /// It is equal within the margin.
    Equal,
    /// It cannot be told yet, or is not judged: too little is known of how runs of a side differ.
    /// Documents from before equality was judged call it `no_difference` where none was shown.
    #[serde(alias = "no_difference")]
    Unknown,
}

/// One figure of two recordings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contrast {
    /// The name of what was measured; of both, where they differ.
    pub name: String,
    /// Read, write or trim.
    pub direction: Direction,
    /// Which figure; the values are in its unit.
    pub judged: Judged,
    /// Before.
    pub before: Known,
    /// After.
    pub after: Known,
    /// after/before - 1 in percent.
    pub change_percent: f64,
    /// What is known of the ratio; none where it is not judged.
    pub comparison: Option<Comparison>,
    /// Why it is not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<Unjudged>,
    /// What it comes to.
    pub verdict: ContrastVerdict,
}

/// Two recordings, figure by figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contrasts {
    /// Name of the recording that is the measure.
    pub before: String,
    /// Name of the other.
    pub after: String,
    /// The figures that both have.
    pub contrasts: Vec<Contrast>,
    /// What only the first has.
    pub only_before: Vec<String>,
    /// What only the other has.
    pub only_after: Vec<String>,
    /// In what both differ beside their figures; documents from before it was held have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlike: Vec<RecordingDifference>,
}

/// Version of the document; raised when a reader would misread it.
pub const RUNS_SCHEMA: u32 = 1;

/// Recordings compared with the first of them, as one JSON document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunsDocument {
    /// What this is: `fathom-compare-runs`.
    pub kind: String,
    /// [`RUNS_SCHEMA`].
    pub schema: u32,
    /// Version of Fathom that compared.
    pub fathom_version: String,
    /// What changed in a sentence, in English; documents from before it was held have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// What was compared; the first is the measure.
    pub sources: Vec<RecordingSource>,
    /// The first with each other.
    pub pairs: Vec<Contrasts>,
    /// What `--fail-if-worse` came to; none where it was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateResult>,
    /// By how many percent a figure may be worse for that; none where it was not asked for, and in
    /// documents from before it was held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_if_worse_percent: Option<f64>,
}

/// A recording, but for its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordingSource {
    /// What it is called: by what tells it from the others.
    pub name: String,
    /// Its id in the history; none of a file, and of several runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What made it.
    pub kind: String,
    /// What of it was left out, in English.
    pub notes: Vec<String>,
    /// The same for readers of other languages; documents that were read have English alone.
    #[serde(skip)]
    messages: Vec<Message>,
    /// The caps that held it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<SideCap>,
    /// The figures of several runs together, which have no document of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<RecordingEntry>,
}

impl RecordingSource {
    fn of(recording: &Recording) -> RecordingSource {
        RecordingSource {
            name: recording.name.clone(),
            id: None,
            kind: recording.kind.clone(),
            notes: recording.notes.iter().map(ToString::to_string).collect(),
            messages: recording.notes.clone(),
            caps: recording.caps.clone(),
            entries: match recording.is_baseline {
                true => recording.entries.clone(),
                false => Vec::new(),
            },
        }
    }

    /// What of it was left out, in `lang` as far as it is known.
    pub fn told(&self, lang: Lang) -> Vec<String> {
        match self.messages.is_empty() {
            true => self.notes.clone(),
            false => self.messages.iter().map(|note| note.text(lang)).collect(),
        }
    }
}

impl RunsDocument {
    /// Compares each with the first.
    pub fn new(recordings: &[Recording]) -> RunsDocument {
        RunsDocument::judged(JudgeRule::among(1), None, recordings)
    }

    /// The same by the margin and the looks of a rule, where all tests are judged by one figure if
    /// it is given.
    pub fn judged(
        rule: JudgeRule,
        judged: Option<Judged>,
        recordings: &[Recording],
    ) -> RunsDocument {
        let pairs = recordings.split_first().map(|(first, others)| {
            let together = others.iter().map(|other| judgeable(first, other, judged)).sum();
            let rule = JudgeRule { together, ..rule };
            others.iter().map(|other| Contrasts::among(first, other, judged, rule)).collect()
        });
        RunsDocument {
            kind: "fathom-compare-runs".to_owned(),
            schema: RUNS_SCHEMA,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: String::new(),
            sources: recordings.iter().map(RecordingSource::of).collect(),
            pairs: pairs.unwrap_or_default(),
            gate: None,
            fail_if_worse_percent: None,
        }
    }

    /// The caps that held its sides, in a sentence; none where no cap is known.
    pub fn caps_sentence(&self) -> Option<Message> {
        let sides = self.sources.iter().map(|of| (of.name.clone(), of.caps.clone()));
        side_cap::sentence(sides)
    }

    /// Whether tests are judged by the 99th percentile of their latency.
    pub fn is_by_p99(&self) -> bool {
        let mut all = self.pairs.iter().flat_map(|pair| &pair.contrasts);
        all.any(|of| of.judged == Judged::P99LatencyNs)
    }

    /// Whether more runs of a side may decide more: what its gate needs, or without a gate whether
    /// figures differ.
    pub fn is_open(&self) -> bool {
        let is_open = |of: &Contrast| match (self.fail_if_worse_percent, &of.comparison) {
            _ if of.unjudged == Some(Unjudged::Unknown) => false,
            (Some(allowed), _) => of.outcome(allowed) == RowOutcome::Undecided,
            (None, Some(comparison)) => !comparison.difference.is_decided(),
            (None, None) => true,
        };
        self.pairs.iter().flat_map(|pair| &pair.contrasts).any(is_open)
    }

    /// Whether any figure is judged by rounds that a single command measured.
    pub fn rests_on_rounds(&self) -> bool {
        let all = self.pairs.iter().flat_map(|pair| &pair.contrasts);
        let rounds = |known: &Known| matches!(known.repeats, Repeats::Rounds(_));
        let judged = |contrast: &Contrast| contrast.comparison.is_some();
        all.filter(|of| judged(of)).any(|of| rounds(&of.before) || rounds(&of.after))
    }
}

impl DocumentRuns for RunsDocument {
    /// It holds figures of runs that have documents of their own.
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        Vec::new()
    }

    fn is_interrupted(&self) -> bool {
        false
    }
}

impl Contrasts {
    /// Pairs the figures of both by name and direction, and what is left by what was asked of the
    /// volume: pattern, block size, depth and jobs. Where nothing is common and each has a single
    /// entry in a direction, these two are meant.
    pub fn between(before: &Recording, after: &Recording) -> Contrasts {
        Contrasts::among(before, after, None, JudgeRule::among(judgeable(before, after, None)))
    }

    /// The same by a rule for all figures that are judged together.
    fn among(
        before: &Recording,
        after: &Recording,
        judged: Option<Judged>,
        rule: JudgeRule,
    ) -> Contrasts {
        let pairs = paired(before, after);
        let alone =
            |entries: &[RecordingEntry], paired: &dyn Fn(&RecordingEntry) -> bool| -> Vec<String> {
                let those = entries.iter().filter(|entry| !paired(entry));
                those.map(|entry| titled(&entry.name, entry.direction)).collect()
            };
        let contrast = |(a, b): &(&RecordingEntry, &RecordingEntry)| {
            let judged = judged_of(judged, a, b);
            contrast([before, after], [a, b], judged, rule.in_steps(judged.grain_percent()))
        };
        let contrasts = pairs.iter().map(contrast);
        Contrasts {
            before: before.name.clone(),
            after: after.name.clone(),
            contrasts: contrasts.collect(),
            only_before: alone(&before.entries, &|entry| pairs.iter().any(|(a, _)| *a == entry)),
            only_after: alone(&after.entries, &|entry| pairs.iter().any(|(_, b)| *b == entry)),
            unlike: unlike::differences(before, after),
        }
    }

    /// In what both differ beside their figures, in a sentence.
    pub fn unlike_sentence(&self) -> Option<Message> {
        unlike::sentence(&self.unlike)
    }
}

/// The entries that belong together.
fn paired<'r>(
    before: &'r Recording,
    after: &'r Recording,
) -> Vec<(&'r RecordingEntry, &'r RecordingEntry)> {
    let mut pairs: Vec<(&RecordingEntry, &RecordingEntry)> = Vec::new();
    for a in &before.entries {
        pairs.extend(after.entries.iter().find(|b| a.is_called_like(b)).map(|b| (a, b)));
    }
    let left = |all: &'r [RecordingEntry], taken: &[&RecordingEntry]| -> Vec<&'r RecordingEntry> {
        all.iter().filter(|entry| !taken.iter().any(|other| std::ptr::eq(*other, *entry))).collect()
    };
    let (taken_before, taken_after): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let rest = (left(&before.entries, &taken_before), left(&after.entries, &taken_after));
    pairs.extend(rest.0.iter().filter_map(|a| Some((*a, same_load(a, &rest.0, &rest.1)?))));
    match pairs.is_empty() {
        true => Direction::ALL.into_iter().filter_map(|way| singles(before, after, way)).collect(),
        false => pairs,
    }
}

/// The one of `others` with the load of `entry`, where it is the only such one on either side.
fn same_load<'r>(
    entry: &RecordingEntry,
    own: &[&RecordingEntry],
    others: &[&'r RecordingEntry],
) -> Option<&'r RecordingEntry> {
    let load = entry.load.as_ref()?;
    let same = |other: &&&RecordingEntry| {
        let is_like = other.load.as_ref().is_some_and(|of| of.is_like(load));
        other.direction == entry.direction && is_like
    };
    fn only<T: Copy>(mut those: impl Iterator<Item = T>) -> Option<T> {
        those.next().filter(|_| those.next().is_none())
    }
    only(own.iter().filter(same))?;
    only(others.iter().filter(|other| same(other))).copied()
}

/// How many tests of both can be judged.
fn judgeable(before: &Recording, after: &Recording, judged: Option<Judged>) -> u64 {
    let is_judged = |(a, b): &(&RecordingEntry, &RecordingEntry)| {
        let judged = judged_of(judged, a, b);
        let held = [held(before, a, judged), held(after, b, judged)];
        figure(a, judged).sides(&figure(b, judged), ["", ""], held).is_ok()
    };
    paired(before, after).iter().filter(|pair| is_judged(pair)).count() as u64
}

/// `NAME, read`, unless the name contains the direction.
fn titled(name: &str, direction: Direction) -> String {
    match name.contains(direction.name()) {
        true => name.to_owned(),
        false => format!("{name}, {}", direction.name()),
    }
}

fn singles<'r>(
    before: &'r Recording,
    after: &'r Recording,
    direction: Direction,
) -> Option<(&'r RecordingEntry, &'r RecordingEntry)> {
    let only = |recording: &'r Recording| {
        let mut those = recording.entries.iter().filter(|entry| entry.direction == direction);
        those.next().filter(|_| those.next().is_none())
    };
    Some((only(before)?, only(after)?))
}

/// The figure by which both are judged: the one of all tests if there is one.
fn judged_of(of_all: Option<Judged>, a: &RecordingEntry, b: &RecordingEntry) -> Judged {
    let block = |entry: &RecordingEntry| entry.bytes_per_s.mean / entry.iops.mean;
    let is_waited_for = [a, b].iter().any(|entry| entry.is_one_at_a_time() || entry.is_paced());
    of_all.unwrap_or_else(|| match is_waited_for {
        true => Judged::MeanLatencyNs,
        false => Judged::rate_of(block(a).min(block(b))),
    })
}

/// The judgement of a pair.
fn contrast(
    of: [&Recording; 2],
    [a, b]: [&RecordingEntry; 2],
    judged: Judged,
    rule: JudgeRule,
) -> Contrast {
    let names = of.map(|recording| recording.name.as_str());
    let name = match a.name == b.name {
        true => titled(&a.name, a.direction),
        false => titled(&format!("{} / {}", a.name, b.name), a.direction),
    };
    let [before, after] = [a, b].map(|entry| figure(entry, judged).typical());
    let held = [held(of[0], a, judged), held(of[1], b, judged)];
    let sides = before.sides(&after, names, held);
    let compared = sides.map(|[a, b]| Comparison::apart(a, b, judged.better(), rule));
    let (comparison, unjudged) = match compared {
        Ok(comparison) => (Some(comparison), None),
        Err(why) => (None, Some(why)),
    };
    Contrast {
        name,
        direction: a.direction,
        judged,
        change_percent: (after.mean / before.mean - 1.0) * 100.0,
        before,
        after,
        verdict: verdict(comparison.as_ref(), judged.better()),
        comparison,
        unjudged,
    }
}

/// The rate that a limit of the host held a test to; one run shows it as well as many.
fn held(of: &Recording, entry: &RecordingEntry, judged: Judged) -> Option<f64> {
    let rate = match judged {
        Judged::Iops => entry.iops.mean,
        Judged::BytesPerS => entry.bytes_per_s.mean,
        Judged::MeanLatencyNs | Judged::P99LatencyNs => return None,
    };
    let (iops, bytes_per_s) = (entry.iops.mean, entry.bytes_per_s.mean);
    side_cap::limit_of(&of.caps, entry.direction, iops, bytes_per_s).map(|share| rate * share)
}

fn figure(entry: &RecordingEntry, judged: Judged) -> Known {
    match judged {
        Judged::Iops => entry.iops.clone(),
        Judged::BytesPerS => entry.bytes_per_s.clone(),
        Judged::MeanLatencyNs => entry.latency_ns.clone(),
        Judged::P99LatencyNs => entry.p99_ns.clone().unwrap_or_else(|| Known::bare(f64::NAN)),
    }
}

fn verdict(comparison: Option<&Comparison>, better: Better) -> ContrastVerdict {
    match comparison.map(|of| &of.difference) {
        Some(Difference::Shown(of)) if better.is_second(of.ratio) => ContrastVerdict::Better,
        Some(Difference::Shown(_)) => ContrastVerdict::Worse,
        Some(Difference::Equal(_)) => ContrastVerdict::Equal,
        Some(Difference::Open(_) | Difference::NotEnough { .. }) | None => ContrastVerdict::Unknown,
    }
}

/// `4 KiB random read, QD 32: IOPS`.
pub(super) fn figure_title(name: &str, judged: Judged) -> Message {
    Message::new("contrast-title").part("name", test_title(name)).part("figure", judged.title())
}

/// How far runs of one plan lie apart at most: as far as that, two of them may differ without a
/// change.
pub fn usual_distance(runs: &[Recording]) -> Option<Message> {
    let apart = |entry: &RecordingEntry| {
        let judged = judged_of(None, entry, entry);
        let Repeats::Runs(values) = figure(entry, judged).repeats else { return None };
        let most = values.iter().copied().fold(f64::MIN, f64::max);
        let least = values.iter().copied().fold(f64::MAX, f64::min);
        let title = figure_title(&entry.name, judged);
        Some((most / least, title)).filter(|(ratio, _)| ratio.is_finite())
    };
    let all = Recording::repeated("", runs).entries;
    let (ratio, title) = all.iter().filter_map(apart).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let told = Message::new("recording-usual").with("count", runs.len() as u64);
    Some(told.part("apart", lead(ratio)).part("figure", title))
}

impl Contrast {
    /// `4 KiB random read, QD 32: IOPS`.
    pub fn title(&self) -> Message {
        figure_title(&self.name, self.judged)
    }

    /// The change with its interval as text, where its confidence is known.
    pub fn change_text(&self) -> Option<ChangeText> {
        self.comparison.as_ref()?.difference.change()
    }

    /// The interval of the change as text; none where it is not known, or so wide that it tells
    /// nothing.
    pub fn range(&self) -> Option<Message> {
        let known = self.comparison.as_ref().filter(|of| !of.difference.is_unstable())?;
        Some(known.difference.change()?.range(self.judged.better()))
    }

    /// Lower and upper end of the change in percent, where its confidence is known.
    pub fn change_ends_percent(&self) -> Option<(f64, f64)> {
        self.comparison.as_ref()?.difference.change_ends_percent()
    }
}

#[cfg(test)]
mod tests;
