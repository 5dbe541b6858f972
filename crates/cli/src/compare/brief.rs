//! The short output of a comparison of volumes: a line for each volume in each phase, and the most
//! important notes, at most forty lines for three volumes.

use crate::language::{lang, word};
use crate::terminal::notes::{self, JudgedUnit, NoteText};
use crate::terminal::paint::path_end;
use crate::terminal::screen::{Screen, columns, wrapped};
use crate::terminal::style::Style;
use crate::terminal::table::{TextCell, TextTable, cell, right};
use crate::terminal::verdicts::{self, RunVolume};
use fathom_analysis::{Comparison, Difference, Tone};
use fathom_campaign::compare::{
    CompareDocument, CompareTrial, Judged, Lead, PhaseFinding, VolumeStanding,
};
use fathom_campaign::latency;
use fathom_campaign::test_title;
use fathom_campaign::verdicts::Verdict;
use fathom_message::{Lang, Message, words};
use fathom_report::change_words::{
    change_from_first, change_legend, is_open_change, lead_legend, lead_mark, marked_lead, value,
};

/// The table and the notes; `with_remarks` if no remarks on the volumes were printed before. None
/// if the screen is too narrow for the table.
pub fn results(document: &CompareDocument, with_remarks: bool, screen: &Screen) -> Option<String> {
    let mut wide = TextTable::without_headings();
    let mut narrow = TextTable::indented(2);
    for finding in &document.findings {
        let mut title = titled(finding, screen.lang);
        narrow.text_between(format!("{}\n", self::title(finding, screen.lang)));
        for (cells, style) in rows(finding, document, screen) {
            narrow.styled_row(cells, style);
        }
        for (mut cells, style) in rows(finding, document, screen) {
            cells.insert(0, std::mem::replace(&mut title, cell("").fitted(|_| String::new())));
            wide.styled_row(cells, style);
        }
    }
    // Mean latency is in the document; the unit of a figure says that it is a latency; a long path
    // still ends in what tells it from others.
    let titles = document.findings.iter().map(|of| columns(&short_title(of, lang())));
    let titles = titles.max().unwrap_or(0);
    wide.give_way(&[(MEAN_COLUMN + 1, 0), (TITLE_COLUMN, titles), (NAME_COLUMN + 1, SHORT_NAME)]);
    narrow.give_way(&[(MEAN_COLUMN, 0), (NAME_COLUMN, SHORT_NAME)]);
    let table = [wide, narrow].into_iter().find(|table| table.fits(screen))?;
    let notes = notes(document, with_remarks, screen.lang);
    Some(
        table.text(screen)
            + &legend(document, screen)
            + &notes::foremost(notes, notes::MOST_LINES_OF_SEVERAL, screen),
    )
}

/// The column of tests.
const TITLE_COLUMN: usize = 0;
/// The column of volumes' names, where tests have no column.
const NAME_COLUMN: usize = 0;
/// The column of mean latencies, where tests have no column.
const MEAN_COLUMN: usize = 4;
/// Columns that a name keeps at least.
const SHORT_NAME: usize = 10;

/// What the marks of changes and of volumes mean, as far as they stand in the table.
pub fn legend(document: &CompareDocument, screen: &Screen) -> String {
    if document.is_one_disk() {
        return String::new();
    }
    let all =
        || document.findings.iter().flat_map(|of| of.standings.iter().map(move |own| (of, own)));
    let is_range = |(finding, standing): &(&PhaseFinding, &VolumeStanding)| {
        finding.one_sided(standing).is_some()
    };
    let beside: Vec<&VolumeStanding> =
        all().filter(|of| !is_range(of)).map(|(_, standing)| standing).collect();
    let is_open = |of: &Difference| of.change().is_none() || of.is_unstable();
    let differences = beside.iter().filter_map(|of| of.over_first.as_ref());
    let mut differences = differences.filter(|of| !of.is_of_one_disk());
    let has_open = differences.any(|of| is_open(&of.difference));
    let marks = has_open.then(|| words(screen.lang, "change-unstable")).into_iter().collect();
    let is_open = beside.iter().any(|standing| is_open_change(standing));
    let open = is_open.then(|| Message::new("change-open-legend"));
    let is_shown = |of: &Comparison| of.difference.is_shown();
    let has_interval = beside.iter().filter_map(|of| of.over_first.as_ref()).any(is_shown);
    let interval = has_interval.then(|| Message::new("change-interval-legend"));
    let range = all().any(|of| is_range(&of)).then(|| Message::new("change-of-rounds-legend"));
    let leads: Vec<Lead> =
        all().filter_map(|(finding, standing)| lead(document, finding, standing)).collect();
    let lines = interval
        .into_iter()
        .chain(open)
        .chain(range)
        .chain(change_legend(marks, true))
        .chain(lead_legend(&leads));
    let text = |line: Message| wrapped(line.text(screen.lang), screen.width, "  ", "    ");
    lines.map(text).collect()
}

/// A row for each volume of a test: its name, its figure, the change from the first, its mark, its
/// mean latency.
fn rows(
    finding: &PhaseFinding,
    document: &CompareDocument,
    screen: &Screen,
) -> Vec<(Vec<TextCell>, Option<Style>)> {
    let (lang, ellipsis) = (screen.lang, screen.ellipsis());
    let row = |standing: &VolumeStanding| {
        let waited = match finding.judged {
            Judged::MeanLatencyNs => String::new(),
            _ => format!("{} {}", word("mean"), latency(standing.mean_latency_ns)),
        };
        let name = standing.side.name.clone();
        let cells = vec![
            cell(&name).fitted(move |width| path_end(&name, width, ellipsis)),
            right(value(finding.judged, standing.figure())),
            cell(change_from_first(finding, standing, document.is_one_disk()).text(lang)),
            cell(mark(document, finding, standing, lang)),
            right(waited),
        ];
        let better = !document.is_one_disk() && is_shown_better(finding, standing);
        (cells, better.then_some(Style::Green))
    };
    finding.standings.iter().map(row).collect()
}

/// The title of a test as a cell, which gives way to a shorter one.
fn titled(finding: &PhaseFinding, lang: Lang) -> TextCell {
    let short = short_title(finding, lang);
    cell(title(finding, lang)).fitted(move |_| short.clone())
}

/// How a volume stands to the best of three or more; none of one disk, where nothing is better.
fn lead(
    document: &CompareDocument,
    finding: &PhaseFinding,
    standing: &VolumeStanding,
) -> Option<Lead> {
    let is_ranked = document.sides().len() > 2 && !document.is_one_disk();
    marked_lead(finding, standing).filter(|_| is_ranked)
}

/// The same as a mark in a table.
pub fn mark(
    document: &CompareDocument,
    finding: &PhaseFinding,
    standing: &VolumeStanding,
    lang: Lang,
) -> String {
    lead(document, finding, standing).map_or(String::new(), |lead| lead_mark(lead).text(lang))
}

/// Whether the volume is proved better than the first.
pub fn is_shown_better(finding: &PhaseFinding, standing: &VolumeStanding) -> bool {
    let over = standing.over_first.as_ref().map(|comparison| &comparison.difference);
    match over {
        Some(Difference::Shown(of)) => finding.judged.better().is_second(of.ratio),
        _ => false,
    }
}

/// `256 KiB seq. read, QD 32`.
fn short_title(finding: &PhaseFinding, lang: Lang) -> String {
    test_title(&finding.title).text(lang).replace("sequential", "seq.")
}

/// The same; for a latency also its statistic.
fn title(finding: &PhaseFinding, lang: Lang) -> String {
    let title = short_title(finding, lang);
    match finding.judged {
        Judged::MeanLatencyNs => format!("{title}: {}", word("mean")),
        Judged::P99LatencyNs => format!("{title}: p99"),
        Judged::Iops | Judged::BytesPerS => title,
    }
}

fn notes(document: &CompareDocument, with_remarks: bool, lang: Lang) -> Vec<NoteText> {
    let volume = |at: usize| document.volumes.get(at).map_or("", |of| &of.place.volume.name);
    let title = |run: &CompareTrial| test_title(&run.title).text(lang);
    let name = |run: &CompareTrial| format!("{}, {}", volume(run.volume), title(run));
    let runs = document.runs.iter();
    let failed = runs.clone().filter(|run| !run.cut_short && !run.is_stopped());
    let failed = failed.filter_map(|run| Some((name(run), run.failure.as_deref()?)));
    let mut notes = notes::failures(failed, lang);
    let sound = runs.clone().filter(|run| run.figures.is_some());
    let caps = document.caps_sentence();
    // The caps of the volumes stand in a note of their own.
    let is_beside = |of: &&Verdict| caps.is_none() || !of.answer.is_plain_cap();
    let own = |run: &CompareTrial| -> Vec<Verdict> {
        run.verdicts.iter().filter(is_beside).cloned().collect()
    };
    let of_run = |run: &CompareTrial| RunVolume {
        name: document.short_name(run.volume),
        is_limited: document.is_limited_here(run.volume),
    };
    let volumes: Vec<RunVolume> = sound.clone().map(of_run).collect();
    let judged: Vec<(String, Vec<Verdict>)> = sound.map(|run| (name(run), own(run))).collect();
    let judged: Vec<_> = judged.iter().map(|(name, of)| (name.clone(), of.as_slice())).collect();
    notes.extend(
        caps.map(|of| NoteText { is_foremost: true, ..NoteText::new(Tone::Note, of.text(lang)) }),
    );
    notes.extend(verdicts::notes_of_volumes(&judged, JudgedUnit::Run, &volumes, false, lang));
    for volume in document.volumes.iter().filter(|_| with_remarks) {
        let remark = |text| NoteText::new(Tone::Warning, text);
        let name = &volume.place.volume.name;
        notes.extend(volume.remarks.iter().map(|of| remark(format!("{name}: {}", of.told(lang)))));
    }
    let remarks = runs.map(|run| (name(run), run.remarks.as_slice()));
    notes.extend(notes::remarks(remarks, JudgedUnit::Run, lang));
    notes
}
