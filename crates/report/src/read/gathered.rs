//! The data of a document from any source: subjects to compare, and their entries.
//!
//! Names, means and their confidence come from [`Recording`]; each entry has a [`Detail`] with
//! further data for charts (percentiles, histogram, series, CPU).

use super::entry_detail::{Detail, percentiles};
use super::figure_contrast::FigureContrast;
use super::fio;
use super::kinds::{self, DocumentContent, OwnTiles};
use super::parse::{Parsed, ReadError};
use super::place;
use super::statements::{label, listed, settings};
use crate::model::{Chart, Fact, Repeat, Statement, Table};
use crate::words::direction_word;
use fathom_analysis::JudgeRule;
use fathom_document::compare::{
    Contrast, Contrasts, Judged, RecordedRun, Recording, RecordingEntry, RunsDocument,
};
use fathom_document::{AnyDocument, are_one_disk, is_left_out};
use fathom_message::{Lang, Message, list};
use fathom_stats::{JobResult, JobSetup, Series};
use fathom_vocab::Direction;
use serde_json::Value;
use std::sync::Arc;

/// Most hosts and moments under the title of several documents; facts have all of them.
const MOST_ORIGINS: usize = 3;

/// All of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    /// The input: a path, or the name of a run in the history.
    pub name: String,
    pub title: String,
    /// What it is called beside others; may be empty.
    pub label: String,
    /// The kind of a single document.
    pub kind: String,
    /// The first sentence of a single document; none where it has none, and of several.
    pub summary: Option<String>,
    /// What explains that sentence.
    pub reasons: Vec<String>,
    /// Name and first sentence of each of several documents that answer different questions.
    pub answers: Vec<[String; 2]>,
    /// Host and moment, in a line; of several documents those of each.
    pub origin: String,
    /// The tiles of its kind.
    pub own_tiles: OwnTiles,
    pub facts: Vec<Fact>,
    pub said: Vec<Statement>,
    pub repeat: Vec<Repeat>,
    pub subjects: Vec<Subject>,
    /// Charts that tell the answer of a single document.
    pub charts: Vec<Chart>,
    /// How subjects differ from the first.
    pub contrasts: Vec<FigureContrast>,
    /// What compared volumes gave, side by side.
    pub volume_table: Option<Table>,
    /// Whether all of them are one file system or device, of which none can be faster.
    pub one_disk: bool,
}

/// A volume of a document, or an input among several.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub name: String,
    /// Its source.
    pub kind: String,
    /// The machine that measured; `None` if unknown.
    pub host: Option<String>,
    /// Its start, in UTC; `None` if unknown.
    pub began: Option<String>,
    pub seen: Vec<DirectionFigures>,
}

/// One direction of a phase, a case or a job.
#[derive(Clone, Debug)]
pub(super) struct DirectionFigures {
    /// Name, direction and means; the name without its volume.
    pub entry: RecordingEntry,
    /// What comparisons of runs call it, in English.
    pub title: String,
    /// Its display name: `4 KiB random read, QD 32`, or its job name.
    pub label: String,
    /// Settings that explain it: `4 KiB, QD 32, O_DIRECT`. May be empty.
    pub note: String,
    /// The settings of its jobs, if the document has them.
    pub setup: Option<JobSetup>,
    pub detail: Detail,
}

/// Gathers one document.
pub(super) fn of(parsed: &Parsed, lang: Lang) -> Result<Gathered, ReadError> {
    let told = kinds::content(parsed, lang);
    let (recording, runs) = Recording::with_runs(&parsed.name, &parsed.document)?;
    let subjects = match &parsed.document {
        AnyDocument::Fio(json) => vec![of_fio(json, &recording, lang)],
        _ => of_document(parsed, (&recording, &runs), &told, lang),
    };
    let document = parsed.document.runs();
    let mut gathered = Gathered {
        name: parsed.name.clone(),
        title: told.title.clone(),
        kind: recording.kind.clone(),
        summary: told.summary.clone(),
        reasons: told.reasons,
        answers: Vec::new(),
        label: told.label,
        origin: place::with_mount(kinds::origin(&parsed.document, lang), told.mount),
        charts: told.charts,
        own_tiles: told.own_tiles,
        facts: told.facts,
        said: told.said,
        repeat: told.repeat,
        subjects,
        contrasts: told.contrasts,
        volume_table: told.volume_table,
        one_disk: document.is_some_and(|document| are_one_disk(document.volumes())),
    };
    gathered
        .said
        .extend(recording.notes.iter().map(|note| super::statements::remark("", &note.text(lang))));
    if gathered.contrasts.is_empty() {
        gathered.contrasts = gathered.between(None);
    }
    gathered.show_what_is_judged();
    Ok(gathered)
}

fn of_fio(json: &Value, recording: &Recording, lang: Lang) -> Subject {
    let disks = fio::disks(json);
    let seen = |entry: &RecordingEntry| {
        let (mut detail, note) = fio::detail(json, entry);
        detail.disks = Arc::clone(&disks);
        let label = titled(&entry.name, entry.direction, lang);
        let title = titled(&entry.name, entry.direction, Lang::En);
        DirectionFigures { entry: entry.clone(), title, label, note, setup: None, detail }
    };
    Subject {
        name: recording.name.clone(),
        kind: recording.kind.clone(),
        host: None,
        began: None,
        seen: recording.entries.iter().map(seen).collect(),
    }
}

fn of_document(
    parsed: &Parsed,
    (recording, runs): (&Recording, &[RecordedRun<'_>]),
    told: &DocumentContent,
    lang: Lang,
) -> Vec<Subject> {
    let volumes = &told.volumes;
    let alone = || match volumes.first() {
        Some(name) if !name.is_empty() => name.clone(),
        _ => parsed.name.clone(),
    };
    let mut subjects: Vec<Subject> = Vec::new();
    for entry in &recording.entries {
        let own: Vec<&RecordedRun<'_>> =
            runs.iter().filter(|run| run.full_name == entry.name).collect();
        let Some(first) = own.first() else { continue };
        let volume = first.volume.and_then(|at| volumes.get(at)).filter(|_| volumes.len() > 1);
        let name = volume.cloned().unwrap_or_else(alone);
        let title = titled(&entry.name, entry.direction, Lang::En);
        let seen = DirectionFigures { title, ..seen(entry, first, &own, told, lang) };
        match subjects.iter_mut().find(|subject| subject.name == name) {
            Some(subject) => subject.seen.push(seen),
            None => {
                let (host, began) = kinds::host_and_time(&parsed.document, lang);
                let (kind, seen) = (recording.kind.clone(), vec![seen]);
                subjects.push(Subject { name, kind, host, began, seen });
            }
        }
    }
    subjects.sort_by_key(|subject| volumes.iter().position(|name| *name == subject.name));
    subjects
}

fn seen(
    entry: &RecordingEntry,
    first: &RecordedRun<'_>,
    own: &[&RecordedRun<'_>],
    told: &DocumentContent,
    lang: Lang,
) -> DirectionFigures {
    let setup = first.jobs.first().map(|job| &job.setup);
    let known = told.titles.iter().find(|(name, _)| *name == first.name);
    let of_job =
        || setup.filter(|_| told.own_names).and_then(|of| label(of, entry.direction, lang));
    let named = known.map(|(_, title)| title.clone()).or_else(of_job);
    let mut detail = detail(entry.direction, own);
    let judged = || told.judged.iter().filter(|run| run.is_about(first.volume, &first.name));
    detail.verdicts = judged().next().map(|run| run.verdicts.clone()).unwrap_or_default();
    detail.is_left_out = judged().any(|run| is_left_out(&run.verdicts));
    DirectionFigures {
        entry: RecordingEntry { name: first.name.clone(), ..entry.clone() },
        title: String::new(),
        label: named.unwrap_or_else(|| titled(&first.name, entry.direction, lang)),
        note: setup.map(|of| settings(of, entry.direction, lang)).unwrap_or_default(),
        setup: setup.cloned(),
        detail,
    }
}

/// `NAME, read`, unless the name contains the direction.
pub(super) fn titled(name: &str, direction: Direction, lang: Lang) -> String {
    match name.contains(direction.name()) {
        true => name.to_owned(),
        false => format!("{name}, {}", direction_word(direction, lang)),
    }
}

/// The data of runs with one name: jobs are merged, rounds too, except their series.
fn detail(direction: Direction, runs: &[&RecordedRun<'_>]) -> Detail {
    let mut all = JobResult::default();
    let jobs = runs.iter().flat_map(|run| run.jobs.iter());
    jobs.for_each(|job| all.merge(job));
    let (mut series, mut latencies) = (Series::default(), Series::default());
    let first = || runs.iter().take(1).flat_map(|run| run.jobs.iter());
    first().for_each(|job| series.merge(&job.series));
    first().for_each(|job| latencies.merge(&job.latencies));
    let stats = &all.dirs[direction];
    let latency = stats.lat_or_clat();
    let cpu_us = all.cpu.user_us as f64 + all.cpu.system_us as f64;
    let ios = all.total_ios() as f64;
    Detail {
        ios: stats.total_ios as f64,
        percentiles: percentiles(latency),
        histogram: latency.histogram.clone(),
        max_ns: (latency.moments.count > 0).then_some(latency.moments.max as f64),
        rounds: runs.len(),
        series,
        latencies,
        began_ms: first().map(began_ms).min().unwrap_or(0),
        cpu_ns_per_io: (cpu_us > 0.0 && ios > 0.0).then(|| cpu_us * 1e3 / ios),
        network_ns: runs.first().and_then(|run| run.network_ns),
        disks: runs.first().map(|run| Arc::clone(&run.disks)).unwrap_or_default(),
        verdicts: Vec::new(),
        is_left_out: false,
        flushes: all.sync.clone(),
        connections: first().map(|job| job.connections.clone()).collect(),
    }
}

/// When a job began, its ramp included.
fn began_ms(job: &JobResult) -> u64 {
    job.job_start_ms.saturating_sub(job.setup.ramp_ms)
}

impl Gathered {
    /// Several documents as one comparison, whose first is the reference.
    pub fn side_by_side(all: Vec<Gathered>, lang: Lang) -> Result<Gathered, ReadError> {
        let mut whole = Gathered::default();
        let names: Vec<String> = all.iter().map(|one| one.called(&all)).collect();
        whole.origin = origins(&all, lang);
        if answer_different_questions(&all) {
            whole.answers = all.iter().filter_map(Gathered::answer).collect();
            let title = Message::new("report-title-several").with("count", all.len() as u64);
            whole.title = title.text(lang);
        }
        for (mut one, input) in all.into_iter().zip(names) {
            // The figures of a check or a search are means over unlike loads.
            if !whole.answers.is_empty() && JUDGING_LOADS.contains(&one.kind.as_str()) {
                one.subjects.clear();
            }
            one.name_after(&input);
            whole.facts.extend(one.facts);
            whole.said.extend(one.said);
            whole.repeat.extend(one.repeat);
            whole.subjects.extend(one.subjects);
        }
        whole.said.sort_by_key(|said| std::cmp::Reverse(said.tone));
        whole.tell_apart();
        if !whole.answers.is_empty() {
            return Ok(whole);
        }
        whole.pair_singles()?;
        whole.contrasts = whole.between(None);
        whole.show_what_is_judged();
        whole.title = Message::new("report-title-compared").part("what", whole.names()).text(lang);
        Ok(whole)
    }

    /// Where subjects are compared, their figures are those that are judged.
    fn show_what_is_judged(&mut self) {
        if self.contrasts.is_empty() {
            return;
        }
        for subject in &mut self.subjects {
            for seen in &mut subject.seen {
                seen.entry = seen.entry.clone().typical();
                let own = |of: &&FigureContrast| of.label == seen.label;
                for contrast in self.contrasts.iter().filter(own) {
                    let sides = [&contrast.first, &contrast.other].into_iter().zip(contrast.means);
                    let mean =
                        sides.filter(|(name, _)| **name == subject.name).map(|(_, mean)| mean);
                    mean.take(1).for_each(|mean| seen.entry.set_figure(contrast.judged, mean));
                }
            }
        }
    }

    /// Its name and its sentence.
    fn answer(&self) -> Option<[String; 2]> {
        Some([self.name.clone(), self.summary.clone()?])
    }

    /// Names all of it after its input, so that it is told from that of others.
    fn name_after(&mut self, input: &str) {
        let several = self.subjects.len() > 1;
        for said in &mut self.said {
            said.about = joined(input, &said.about);
        }
        for fact in &mut self.facts {
            fact.name = joined(input, &fact.name);
        }
        for repeat in &mut self.repeat {
            repeat.what = joined(input, &repeat.what);
        }
        for subject in &mut self.subjects {
            subject.name = match several {
                true => joined(input, &subject.name),
                false => input.to_owned(),
            };
        }
    }

    /// All subjects: `ssd, hdd and nas`.
    pub fn names(&self) -> Message {
        list::names(self.subjects.iter().map(|of| Message::verbatim(of.name.as_str())))
    }

    /// What it is called among others: its only volume, else its title; with the name of the input
    /// where that does not tell it from another.
    fn called(&self, all: &[Gathered]) -> String {
        let short = |one: &Gathered| match one.subjects.as_slice() {
            [only] if only.name != one.name => only.name.clone(),
            _ if !one.label.is_empty() => one.label.clone(),
            _ => one.title.clone(),
        };
        let own = short(self);
        let alike = all.iter().filter(|other| short(other) == own).count() > 1;
        match alike && own != self.name {
            true => format!("{own} ({})", self.name),
            false => own,
        }
    }

    /// Numbers an input that was given twice.
    fn tell_apart(&mut self) {
        for at in 1..self.subjects.len() {
            let (before, rest) = self.subjects.split_at_mut(at);
            let Some(subject) = rest.first_mut() else { continue };
            let name = subject.name.clone();
            let mut number = 2;
            while before.iter().any(|other| other.name == subject.name) {
                subject.name = format!("{name} ({number})");
                number += 1;
            }
        }
    }

    /// Gives single entries with different names the first one's name, so that they are compared.
    fn pair_singles(&mut self) -> Result<(), ReadError> {
        let recordings = self.recordings();
        let Some((first, others)) = recordings.split_first() else { return Ok(()) };
        for (at, other) in others.iter().enumerate() {
            let pair = Contrasts::between(first, other);
            if pair.contrasts.is_empty() {
                return Err(ReadError::NothingCommon {
                    first: first.name.clone(),
                    other: other.name.clone(),
                    first_has: pair.only_before.join("; "),
                    other_has: pair.only_after.join("; "),
                });
            }
            let common = |entry: &RecordingEntry| {
                let same =
                    |a: &RecordingEntry| (&a.name, a.direction) == (&entry.name, entry.direction);
                first.entries.iter().any(same)
            };
            if !other.entries.iter().any(common) {
                self.rename(at + 1);
            }
        }
        Ok(())
    }

    fn rename(&mut self, at: usize) {
        let (before, rest) = self.subjects.split_at_mut(at);
        let (Some(first), Some(subject)) = (before.first(), rest.first_mut()) else { return };
        for direction in Direction::ALL {
            let is_own = |seen: &DirectionFigures| seen.entry.direction == direction;
            // Of several, the first name would stand for loads that have nothing in common.
            let is_single = |of: &Subject| of.seen.iter().filter(|seen| is_own(seen)).count() == 1;
            if !(is_single(first) && is_single(subject)) {
                continue;
            }
            let theirs = first.seen.iter().find(|seen| is_own(seen));
            let own = subject.seen.iter_mut().find(|seen| is_own(seen));
            if let (Some(theirs), Some(seen)) = (theirs, own) {
                seen.entry.name.clone_from(&theirs.entry.name);
                seen.label.clone_from(&theirs.label);
            }
        }
    }

    fn recordings(&self) -> Vec<Recording> {
        let recording = |subject: &Subject| Recording {
            name: subject.name.clone(),
            kind: subject.kind.clone(),
            entries: subject.seen.iter().map(|seen| seen.entry.clone()).collect(),
            ..Recording::default()
        };
        self.subjects.iter().map(recording).collect()
    }

    /// Judges every test by the 99th percentile of its latency.
    pub fn judge_by_p99(&mut self) {
        self.contrasts = self.between(Some(Judged::P99LatencyNs));
        self.show_what_is_judged();
    }

    /// Compares the first subject with each other, by the rules for runs.
    fn between(&self, judged: Option<Judged>) -> Vec<FigureContrast> {
        let document = RunsDocument::judged(JudgeRule::among(1), judged, &self.recordings());
        let label = |of: &Contrast| self.label_of(&of.name, of.direction);
        let of_pair = |pair| FigureContrast::of_pair(pair, label);
        document.pairs.iter().flat_map(of_pair).collect()
    }

    fn label_of(&self, name: &str, direction: Direction) -> String {
        let mut all = self.subjects.iter().flat_map(|subject| &subject.seen);
        let same = |seen: &&DirectionFigures| {
            seen.entry.direction == direction
                && (seen.entry.name == name
                    || titled(&seen.entry.name, direction, Lang::En) == name)
        };
        all.find(same).map_or_else(|| name.to_owned(), |seen| seen.label.clone())
    }

    /// Every entry with its subject.
    pub fn all(&self) -> impl Iterator<Item = (usize, &DirectionFigures)> {
        self.subjects
            .iter()
            .enumerate()
            .flat_map(|(at, subject)| subject.seen.iter().map(move |seen| (at, seen)))
    }
}

impl DirectionFigures {
    /// The usual rate: IOPS, or MB/s for large blocks.
    pub fn rate(&self) -> Judged {
        Judged::rate_of(self.entry.bytes_per_s.mean / self.entry.iops.mean)
    }

    /// The common part of its name with the other directions of the same work.
    pub fn work(&self) -> String {
        self.entry.name.replace(self.entry.direction.name(), "*")
    }
}

/// Kinds of documents whose answer is an outcome, which no figure of another kind stands beside.
const JUDGING_LOADS: [&str; 3] = ["fathom-check", "fathom-durable", "fathom-limit"];

/// Whether documents have nothing to be compared by: kinds that differ, one of which judges.
fn answer_different_questions(all: &[Gathered]) -> bool {
    let judges = |kind: &str| kind == "fathom-compare" || JUDGING_LOADS.contains(&kind);
    let differ = all.windows(2).any(|two| two[0].kind != two[1].kind);
    differ && all.iter().any(|one| judges(&one.kind))
}

/// Hosts and moments of several documents, those that are the same once.
fn origins(all: &[Gathered], lang: Lang) -> String {
    let mut origins: Vec<String> = Vec::new();
    for one in all {
        if !one.origin.is_empty() && !origins.contains(&one.origin) {
            origins.push(one.origin.clone());
        }
    }
    listed(&origins, MOST_ORIGINS, lang)
}

fn joined(input: &str, text: &str) -> String {
    match text.is_empty() {
        true => input.to_owned(),
        false => format!("{input}: {text}"),
    }
}
