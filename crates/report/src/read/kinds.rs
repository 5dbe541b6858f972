//! The data of each kind of document beyond its runs: title, host, volumes, verdicts, commands, and
//! for a comparison in rounds the ratios of its rounds.

use super::figure_contrast::FigureContrast;
use super::parse::Parsed;
use super::statements::{self, remark};
use super::verdict_groups::VerdictGroups;
use super::volume_table::volume_table;
use super::{drawing, place};
use crate::model::{
    Chart, ChartAxis, ChartPoint, ChartUnit, Fact, Repeat, Scale, Shape, Statement, Table,
    TableCell, Tile,
};
use fathom_analysis::{GateOutcome, RowOutcome, Tone};
use fathom_document::AssertionRow;
use fathom_document::compare::{CompareDocument, PhaseFinding, VolumeStanding};
use fathom_document::durable::{DurableDocument, DurableKey};
use fathom_document::run::RunDocument;
use fathom_document::verdicts::{Verdict, Weight};
use fathom_document::{
    AnyDocument, ClientRecord, ClusterStep, ClusterVolume, Document, DocumentRuns, DocumentSummary,
    RemarkRecord, Trial, VolumeRecord, binary_bytes, decimal_bytes, latency, processors, thousands,
    usual_latency, writes_ahead,
};
use fathom_message::{Lang, Message, Tell, list, words};
use fathom_vocab::Direction;

/// The data of a document beyond its runs.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentContent {
    pub title: String,
    /// What it is called beside others; empty where its only volume or its title does.
    pub label: String,
    /// Where it was mounted, of one volume.
    pub mount: Option<String>,
    /// The first sentence; none where its kind has none.
    pub summary: Option<String>,
    /// What explains that sentence.
    pub reasons: Vec<String>,
    /// The tiles of its kind, shown before the figures.
    pub own_tiles: OwnTiles,
    pub facts: Vec<Fact>,
    pub said: Vec<Statement>,
    pub repeat: Vec<Repeat>,
    pub judged: Vec<JudgedRun>,
    /// Charts that tell its answer, before those of its runs.
    pub charts: Vec<Chart>,
    /// Empty where no rounds were compared.
    pub contrasts: Vec<FigureContrast>,
    /// What the compared volumes gave, side by side.
    pub volume_table: Option<Table>,
    /// Names of the volumes.
    pub volumes: Vec<String>,
    /// Whether names of runs are Fathom's own, so that better ones may stand for them.
    pub own_names: bool,
    /// The names of runs whose whole load is known, and what each is called: with its jobs and
    /// connections, which the settings of a single job do not tell.
    pub titles: Vec<(String, String)>,
}

/// The tiles that a kind of document has of its own, before those of figures.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnTiles {
    pub tiles: Vec<Tile>,
    /// Whether tiles of figures would add nothing.
    pub are_all: bool,
}

/// The verdicts on one run.
#[derive(Clone, Debug)]
pub(super) struct JudgedRun {
    volume: Option<usize>,
    /// None for all runs.
    name: Option<String>,
    pub verdicts: Vec<Verdict>,
}

impl JudgedRun {
    /// Whether these are the verdicts on that run.
    pub fn is_about(&self, volume: Option<usize>, name: &str) -> bool {
        let same_name = self.name.as_ref().is_none_or(|own| own == name);
        same_name && (self.volume.is_none() || self.volume == volume)
    }
}

/// Reads a document's data.
pub(super) fn content(parsed: &Parsed, lang: Lang) -> DocumentContent {
    let mut content = match &parsed.document {
        AnyDocument::Measure(document) => measure(document, lang),
        AnyDocument::Compare(document) => compare(document, lang),
        AnyDocument::Run(document) => run(document, &parsed.name, lang),
        AnyDocument::Durable(document) => durable(document, lang),
        _ => DocumentContent { title: parsed.name.clone(), ..DocumentContent::default() },
    };
    if content.summary.is_none() {
        let summary = parsed.document.summarised().map(DocumentSummary::recorded_summary);
        content.summary = summary.filter(|text| !text.is_empty()).map(str::to_owned);
    }
    let head = parsed.document.runs().and_then(DocumentRuns::head);
    let whole = head.map_or("", |head| &head.command);
    content.repeat = place::with_whole(whole, content.repeat, lang);
    content.facts.splice(0..0, facts(&parsed.document, lang));
    content.said = statements::once(content.said, lang);
    content
}

fn measure(document: &Document, lang: Lang) -> DocumentContent {
    let volumes = &document.volumes;
    let mut content = of_volumes(volumes, document.interrupted, lang);
    content.title = titled("report-title-measured", volumes, lang);
    content.mount = mount_of_only(volumes, lang);
    content.summary = Some(document.summary(lang));
    let reasons = usual_latency(document, false).into_iter().chain(document.cap_setters());
    content.reasons = reasons.map(|reason| reason.text(lang)).collect();
    let mut alike = VerdictGroups::of_tests();
    for of in &document.over_phases {
        let volume = named(volumes, of.volume);
        let about = if volumes.len() > 1 { volume.as_str() } else { "" };
        alike.add(of.volume, about, &of.verdicts, lang);
    }
    for phase in &document.phases {
        let volume = named(volumes, phase.volume);
        let title = statements::phase(&phase.phase, lang);
        let about = about(volumes, &volume, &title);
        content.titles.push((phase.phase.name.clone(), title));
        content.said.extend(failure(&about, phase.failure.as_deref(), lang));
        content.said.extend(remarks(&about, &phase.remarks, lang));
        alike.add(phase.volume, &about, &phase.verdicts, lang);
        content.repeat.push(Repeat { what: about, command: phase.command.clone() });
        content.judged.push(JudgedRun {
            volume: Some(phase.volume),
            name: Some(phase.phase.name.clone()),
            verdicts: phase.verdicts.clone(),
        });
    }
    content.said.extend(alike.said(lang));
    content.said.extend(writes_ahead(document).map(|of| statements::note(&of.text(lang))));
    content.said.sort_by_key(|said| std::cmp::Reverse(said.tone));
    content
}

fn mount_of_only(volumes: &[VolumeRecord], lang: Lang) -> Option<String> {
    match volumes {
        [only] => place::mounted_at(&only.place, lang),
        _ => None,
    }
}

fn compare(document: &CompareDocument, lang: Lang) -> DocumentContent {
    let volumes = &document.volumes;
    let mut content = of_volumes(volumes, document.interrupted, lang);
    content.title = titled("report-title-compared-volumes", volumes, lang);
    content.summary = Some(document.summary(lang));
    content.reasons.extend(document.caps_sentence().map(|caps| caps.text(lang)));
    let mut alike = VerdictGroups::of_tests();
    let settings = document.plan.phases.iter().map(|phase| (&phase.title, &phase.settings));
    let titles =
        settings.filter_map(|(name, of)| Some((name.clone(), statements::of_settings(of, lang)?)));
    content.titles = titles.collect();
    for run in &document.runs {
        let volume = named(volumes, run.volume);
        let about = about(volumes, &volume, &titled_phase(document, run.phase, &run.title, lang));
        let failure = failure(&about, run.failure.as_deref(), lang);
        let all = failure.into_iter().chain(remarks(&about, &run.remarks, lang));
        // A remark that several rounds share appears once.
        for said in all.collect::<Vec<_>>() {
            if !content.said.contains(&said) {
                content.said.push(said);
            }
        }
        alike.add(run.volume, &about, &run.verdicts, lang);
        if run.round == 0 {
            content.repeat.push(Repeat { what: about, command: run.command.clone() });
        }
    }
    for finding in &document.findings {
        let label = titled_phase(document, finding.phase, &finding.title, lang);
        content.contrasts.extend(contrasts(volumes, finding, label));
    }
    let names = document.heads().map(|head| side_named(document, head)).collect();
    let title = |of: &PhaseFinding| titled_phase(document, of.phase, &of.title, lang);
    content.volume_table = volume_table(document, names, title, lang);
    content.said.extend(alike.said(lang));
    content.said.sort_by_key(|said| std::cmp::Reverse(said.tone));
    content
}

/// A side by the names of its volumes.
fn side_named(document: &CompareDocument, head: usize) -> String {
    match document.plan.sides.is_empty() {
        true => named(&document.volumes, head),
        false => document.side_name(head),
    }
}

/// The title of a comparison's phase; as stored if its options are not enough.
fn titled_phase(document: &CompareDocument, phase: usize, kept: &str, lang: Lang) -> String {
    let info = document.plan.phases.get(phase);
    let title = info.and_then(|info| statements::of_settings(&info.settings, lang));
    title.unwrap_or_else(|| kept.to_owned())
}

fn contrasts(
    volumes: &[VolumeRecord],
    finding: &PhaseFinding,
    label: String,
) -> Vec<FigureContrast> {
    let Some((first, others)) = finding.standings.split_first() else { return Vec::new() };
    let contrast = |other: &VolumeStanding| FigureContrast {
        label: label.clone(),
        judged: finding.judged,
        first: named(volumes, first.volume),
        other: named(volumes, other.volume),
        means: [first.figure(), other.figure()],
        comparison: other.over_first.clone(),
    };
    others.iter().map(contrast).collect()
}

fn run(document: &RunDocument, name: &str, lang: Lang) -> DocumentContent {
    let mut content = DocumentContent { title: name.to_owned(), ..DocumentContent::default() };
    content.said.extend(document.interrupted.then(|| stopped(lang)));
    let several = document.groups.len() > 1;
    for group in &document.groups {
        let about = if several { group.name(lang) } else { String::new() };
        content.said.extend(loud(&about, &group.verdicts, lang));
        content.judged.push(JudgedRun {
            volume: None,
            name: several.then(|| group.name(lang)),
            verdicts: group.verdicts.clone(),
        });
    }
    (content.title, content.label) =
        named_jobs(document, lang).unwrap_or((content.title, content.label));
    content.mount = place_of_jobs(&document.jobs, lang);
    content.said.extend(document.assertions.iter().map(|row| asserted(row, lang)));
    let tile = assertions_tile(&document.assertions, lang);
    content.own_tiles.tiles.extend(tile);
    content.summary = Some(document.summary(lang)).filter(|text| !text.is_empty());
    if !document.jobs.is_empty() {
        let what = words(lang, "report-job-file");
        content.repeat.push(Repeat { what, command: one_line(&document.jobs) });
    }
    content.said.sort_by_key(|said| std::cmp::Reverse((said.outcome, said.tone)));
    content
}

/// Most jobs in a title.
const MOST_JOBS: usize = 4;

/// The title of a run and what it is called beside others, by the names of its jobs.
fn named_jobs(document: &RunDocument, lang: Lang) -> Option<(String, String)> {
    let mut names: Vec<&str> = Vec::new();
    for job in &document.result.jobs {
        let name = document.result.plain_name(job);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(MOST_JOBS);
    let shown = names.iter().take(MOST_JOBS).map(|name| Message::verbatim(*name));
    let rest = (more > 0).then(|| Message::new("report-and-more").with("count", more as u64));
    let jobs = list::names(shown.chain(rest));
    let label = jobs.text(lang);
    let title = Message::new("report-title-run").part("jobs", jobs);
    let title = title.with("count", names.len() as u64).text(lang);
    (!names.is_empty()).then_some((title, label))
}

/// The place that a job file names, where that is one.
fn place_of_jobs(jobs: &str, lang: Lang) -> Option<String> {
    let option = |line: &str| {
        let (name, value) = line.trim().split_once('=')?;
        matches!(name, "directory" | "filename").then(|| value.to_owned())
    };
    let mut places: Vec<String> = jobs.lines().filter_map(option).collect();
    places.dedup();
    match places.as_slice() {
        [only] => Some(Message::new("report-origin-mount").with("mount", only).text(lang)),
        _ => None,
    }
}

/// An assertion with the figure that was held against it.
fn asserted(row: &AssertionRow, lang: Lang) -> Statement {
    let about = match row.jobs.is_empty() {
        true => row.assertion.clone(),
        false => format!("{}: {}", row.jobs, row.assertion),
    };
    let measured = Message::new("report-asserted-measured").with("measured", &row.measured);
    let sentence = match (row.why(), row.measured.is_empty()) {
        (None, _) => measured.text(lang),
        (Some(reason), true) => reason.text(lang),
        (Some(reason), false) => Message::new("report-asserted-untold")
            .with("measured", &row.measured)
            .part("why", reason)
            .text(lang),
    };
    let tone = match row.outcome {
        RowOutcome::Undecided => Tone::Warning,
        RowOutcome::Pass | RowOutcome::Fail => Tone::Good,
    };
    Statement { outcome: Some(row.outcome), tone, about, sentence }
}

/// How many assertions hold, and what they come to together; none where nothing was asserted.
fn assertions_tile(rows: &[AssertionRow], lang: Lang) -> Option<Tile> {
    let worst = rows.iter().map(|row| row.outcome).max()?;
    let held = rows.iter().filter(|row| row.outcome == RowOutcome::Pass).count();
    Some(Tile {
        name: words(lang, "report-tile-assertions"),
        value: TableCell::Text(format!("{held} / {}", rows.len())),
        unit: ChartUnit::Plain,
        detail: statements::outcome(worst, lang),
        outcome: Some(worst),
    })
}

fn durable(document: &DurableDocument, lang: Lang) -> DocumentContent {
    let place = &document.setup.volume;
    let mut content = DocumentContent {
        title: Message::new("report-title-measured").with("what", place.target()).text(lang),
        summary: Some(document.summary(lang)),
        own_tiles: OwnTiles { tiles: durable_tiles(document, lang), are_all: true },
        mount: place::mounted_at(place, lang),
        volumes: vec![place::short_name(place)],
        charts: flushes(document, lang).into_iter().collect(),
        ..DocumentContent::default()
    };
    content.said.extend(document.interrupted.then(|| stopped(lang)));
    content.said.extend(failure("", document.failure.as_deref(), lang));
    content.said.extend(remarks("", &document.setup.remarks, lang));
    let mut alike = VerdictGroups::of_tests();
    for run in &document.runs {
        content.said.extend(failure(&run.title, run.failure.as_deref(), lang));
        content.said.extend(remarks(&run.title, &run.remarks, lang));
        alike.add(0, &run.title, &run.verdicts, lang);
        content.repeat.push(Repeat { what: run.title.clone(), command: run.command.clone() });
    }
    content.said.extend(alike.said(lang));
    content.said.sort_by_key(|said| std::cmp::Reverse(said.tone));
    content
}

/// The outcome, if the program has a limit, and what the flushes of its own way to write took.
fn durable_tiles(document: &DurableDocument, lang: Lang) -> Vec<Tile> {
    let own = document.runs.iter().filter(|run| run.flush.flushes > 0);
    let Some(own) = own.max_by_key(|run| (run.outcome.is_some(), !run.beside)) else {
        return vec![outcome_tile(document, None, lang)];
    };
    let outcome = document.gate().map(GateOutcome::row);
    let percentile = Message::new("report-tile-flush-percentile");
    let percentile = percentile.with("percent", document.requirement.percent).text(lang);
    let figure = |name, value| Tile {
        name,
        value: TableCell::Text(value),
        unit: ChartUnit::Plain,
        detail: own.title.clone(),
        outcome: None,
    };
    let rate = own.figures.as_ref().map(|figures| {
        figure(words(lang, "report-tile-flush-rate"), thousands(figures.total.iops))
    });
    let tile = outcome.map(|_| outcome_tile(document, outcome, lang));
    let name = words(lang, "report-tile-flush-median");
    let median = figure(name, latency(own.flush.p50_ns as f64));
    let limited = figure(percentile, latency(own.flush.limited_ns as f64));
    tile.into_iter().chain([median, limited]).chain(rate).collect()
}

/// The program's flush latency, compared with its requirement.
fn outcome_tile(document: &DurableDocument, outcome: Option<RowOutcome>, lang: Lang) -> Tile {
    let value = outcome.map(|outcome| statements::outcome(outcome, lang));
    Tile {
        name: words(lang, "report-tile-flushes"),
        value: TableCell::Text(value.unwrap_or_else(|| words(lang, "page-undecided"))),
        unit: ChartUnit::Plain,
        detail: document.requirement.title.clone(),
        outcome,
    }
}

/// What the flushes of each run took beside what the program allows.
fn flushes(document: &DurableDocument, lang: Lang) -> Option<Chart> {
    let asked = &document.requirement;
    let limit = asked.limit_ms.map(|ms| ms * 1e6);
    let runs: Vec<_> = document.runs.iter().filter(|run| run.flush.flushes > 0).collect();
    let bar = |(at, run): (usize, &&Trial<DurableKey>)| ChartPoint {
        high: limit,
        tone: document.outcome_of(run).map(|outcome| match outcome {
            GateOutcome::Pass => Tone::Good,
            GateOutcome::Undecided => Tone::Warning,
            GateOutcome::Fail => Tone::Bad,
        }),
        ..drawing::at(at as f64, run.flush.limited_ns as f64)
    };
    let points: Vec<ChartPoint> = runs.iter().enumerate().map(bar).collect();
    let figure = format!("p{}", asked.percent);
    let title = match limit {
        Some(_) => "report-chart-flushes",
        None => "report-chart-flushes-alone",
    };
    let title = Message::new(title).with("figure", &figure).text(lang);
    let list: Vec<String> = runs
        .iter()
        .map(|run| format!("{}: {}", run.title, latency(run.flush.limited_ns as f64)))
        .collect();
    let says = Message::new("report-says-bars")
        .with("what", &title)
        .with("list", statements::listed(&list, 12, lang));
    let names = runs.iter().map(|run| run.title.clone()).collect();
    let shape = if limit.is_some() { Shape::Bullet } else { Shape::Bar };
    let y = ChartAxis { scale: Scale::Linear, ..drawing::latency_axis(lang) };
    let line = drawing::series(figure, shape, drawing::direction_group(Direction::Write), points);
    let x = drawing::names_axis(words(lang, "charts-run"), names);
    let chart = drawing::blank("flushes", title, says.text(lang), x);
    (!runs.is_empty()).then(|| Chart { y: vec![y], series: vec![line], ..chart })
}

/// A job file as options of a command: its sections are jobs in turn.
fn one_line(jobs: &str) -> String {
    let mut command = "fathom run".to_owned();
    for line in jobs.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some("global") => {}
            Some(name) => {
                command += &format!(" {}", fathom_vocab::shell::quoted(&format!("--name={name}")))
            }
            None => command += &format!(" {}", fathom_vocab::shell::quoted(&format!("--{line}"))),
        }
    }
    command
}

fn of_volumes(volumes: &[VolumeRecord], interrupted: bool, lang: Lang) -> DocumentContent {
    let mut content = DocumentContent { own_names: true, ..DocumentContent::default() };
    content.said.extend(interrupted.then(|| stopped(lang)));
    content.volumes = volumes.iter().map(|of| place::short_name(&of.place)).collect();
    for record in volumes {
        let name = &place::short_name(&record.place);
        content.said.extend(failure(name, record.failure.as_deref(), lang));
        content.said.extend(remarks(name, &record.remarks, lang));
        content.facts.push(Fact { name: name.clone(), value: volume_line(record, lang) });
    }
    content
}

/// `xfs on /dev/vdb1, 500 GB, 12 GB used; measured in 1 GiB by io_uring, O_DIRECT`.
fn volume_line(record: &VolumeRecord, lang: Lang) -> String {
    let (volume, method) = (&record.place.volume, &record.method);
    let used = volume.space.as_ref().map(|space| {
        Message::new("report-space")
            .with("total", decimal_bytes(space.total_bytes))
            .with("used", decimal_bytes(space.total_bytes.saturating_sub(space.free_bytes)))
            .text(lang)
    });
    let cache = method.bypasses_cache().map(|direct| statements::page_cache(direct, lang));
    let measured = Message::new("report-measured-in")
        .with("size", binary_bytes(record.place.size_bytes))
        .with("engine", method.engine.name())
        .text(lang);
    let mount = format!("{} ({})", volume.mount.fstype, volume.mount.source);
    let class = volume.cluster.as_ref().map(|cluster| cluster_line(cluster, lang));
    let parts = [Some(mount), used, Some(measured), cache, class];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Where a volume comes from, and how long volumes of its class took.
fn cluster_line(cluster: &ClusterVolume, lang: Lang) -> String {
    let from = cluster.tell().text(lang);
    let seconds = |ms: u64| format!("{:.2} s", ms as f64 / 1e3);
    let step =
        |of: &ClusterStep| format!("{} {} ({})", of.step, seconds(of.p50_ms), seconds(of.p99_ms));
    let steps: Vec<String> = cluster.steps.iter().map(step).collect();
    let Some(first) = cluster.steps.first() else { return from };
    let took = Message::new("report-volumes-took")
        .with("volumes", first.volumes)
        .with("steps", steps.join(", "))
        .text(lang);
    format!("{from}; {took}")
}

/// The machine, for a document of any kind; unknown facts are left out.
fn facts(document: &AnyDocument, lang: Lang) -> Vec<Fact> {
    // A table has what each of several clients is.
    let host = document.host().filter(|_| clients(document).is_empty());
    let all = [
        ("report-fact-host", host_name(document, lang)),
        ("report-fact-began", date(document.started_ms())),
        ("report-fact-tool", tool(document)),
        ("report-fact-kernel", host.and_then(|host| host.kernel.clone())),
        ("report-fact-system", host.and_then(|host| host.os_release.clone())),
        ("report-fact-processors", host.and_then(processors)),
        ("report-fact-memory", host.and_then(|host| host.memory_bytes).map(binary_bytes)),
    ];
    let known = all.into_iter().filter_map(|(id, value)| Some((id, value?)));
    known.map(|(id, value)| Fact { name: words(lang, id), value }).collect()
}

/// The program that measured.
fn tool(document: &AnyDocument) -> Option<String> {
    match document {
        AnyDocument::Fio(json) => json["fio version"].as_str().map(str::to_owned),
        _ => document.runs().map(|runs| format!("Fathom {}", runs.fathom_version())),
    }
}

/// Host and moment of a document of any kind.
pub(super) fn origin(document: &AnyDocument, lang: Lang) -> String {
    place::origin(host_name(document, lang).as_deref(), document.started_ms())
}

fn clients(document: &AnyDocument) -> &[ClientRecord] {
    let head = document.runs().and_then(DocumentRuns::head);
    head.map_or(&[], |head| head.clients.as_slice())
}

/// The name of the machine that measured, or the names of several clients.
fn host_name(document: &AnyDocument, lang: Lang) -> Option<String> {
    let alone = || document.host().and_then(|host| host.hostname.clone());
    place::client_names(clients(document), lang).or_else(alone)
}

/// The machine and the start time, for a document of any kind; `None` if unknown.
pub(super) fn host_and_time(
    document: &AnyDocument,
    lang: Lang,
) -> (Option<String>, Option<String>) {
    (host_name(document, lang), date(document.started_ms()))
}

/// In UTC, since a report is read elsewhere; none for no time.
pub(super) fn date(ms: u64) -> Option<String> {
    let known = i64::try_from(ms).ok().filter(|ms| *ms > 0)?;
    let time = chrono::DateTime::from_timestamp_millis(known)?;
    Some(time.format("%Y-%m-%d %H:%M:%S UTC").to_string())
}

fn titled(id: &'static str, volumes: &[VolumeRecord], lang: Lang) -> String {
    let names = volumes.iter().map(|of| Message::verbatim(of.place.target()));
    Message::new(id).part("what", list::names(names)).text(lang)
}

/// The name of a volume, which [`AnyDocument::read`] found to be there.
fn named(volumes: &[VolumeRecord], at: usize) -> String {
    volumes.get(at).map(|of| place::short_name(&of.place)).unwrap_or_default()
}

fn about(volumes: &[VolumeRecord], volume: &str, what: &str) -> String {
    match volumes.len() {
        0 | 1 => what.to_owned(),
        _ => format!("{volume}: {what}"),
    }
}

fn failure(about: &str, why: Option<&str>, lang: Lang) -> Option<Statement> {
    let sentence = Message::new("report-failed").with("why", why?).text(lang);
    Some(Statement { tone: Tone::Bad, ..remark(about, &sentence) })
}

fn stopped(lang: Lang) -> Statement {
    remark("", &words(lang, "report-interrupted"))
}

fn remarks(about: &str, remarks: &[RemarkRecord], lang: Lang) -> Vec<Statement> {
    remarks.iter().map(|of| remark(about, &of.told(lang))).collect()
}

/// The verdicts that are shown by default: all except inconclusive ones.
fn loud(about: &str, verdicts: &[Verdict], lang: Lang) -> Vec<Statement> {
    let shown = verdicts.iter().filter(|verdict| verdict.weight != Weight::Silent);
    let said = |of: &Verdict| Statement {
        outcome: None,
        tone: of.tone,
        about: about.to_owned(),
        sentence: statements::said(of, lang),
    };
    shown.map(said).collect()
}
