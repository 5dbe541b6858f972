//! Comparisons for an issue or a wiki, in the reader's language: tables, sentences, and the
//! commands of volumes' runs.

use super::markdown_parts::{escaped, head, heading, points, row};
use crate::change_words::{self, change_from_first, error, lead_mark, marked_lead, value, verdict};
use crate::{markdown_commands, markdown_text};
use fathom_document::compare::{
    CompareDocument, Contrast, Contrasts, Judged, Known, PhaseFinding, RunsDocument, VolumeStanding,
};
use fathom_document::{DocumentSummary, VolumeRecord};
use fathom_document::{decimal_bytes, latency, seconds, test_title};
use fathom_message::{Lang, Message, list, words};

/// A comparison of volumes.
pub fn volumes_markdown(document: &CompareDocument, lang: Lang) -> String {
    let names = document.volumes.iter().map(|of| Message::verbatim(&of.place.volume.name));
    let title = Message::new("report-title-compared-volumes").part("what", list::commas(names));
    let summary = markdown_text(&document.summary(lang));
    let mut text = format!("# {}\n\n**{summary}**\n\n", escaped(&title, lang));
    text += &points(about(document, lang));
    document.findings.iter().for_each(|finding| text += &phase(finding, document, lang));
    text + &commands(document, lang)
}

fn about(document: &CompareDocument, lang: Lang) -> Vec<String> {
    let plan = &document.plan;
    let of_volume = |record: &VolumeRecord| {
        let remarks = record.remarks.iter();
        let remarks = remarks.map(|remark| format!("**{}**", markdown_text(&remark.told(lang))));
        std::iter::once(escaped(&place(record), lang)).chain(remarks).collect::<Vec<_>>()
    };
    let mut lines: Vec<String> = document.volumes.iter().flat_map(of_volume).collect();
    let rounds = Message::new("detail-rounds").with("rounds", plan.rounds);
    let rounds = rounds.with("run", seconds(plan.time.run_us));
    lines.push(escaped(&rounds.with("ramp", seconds(plan.time.ramp_us)), lang));
    lines.extend(document.caps_sentence().map(|caps| escaped(&caps, lang)));
    lines.extend(document.interrupted.then(|| bold("report-interrupted", lang)));
    lines
}

fn bold(id: &'static str, lang: Lang) -> String {
    format!("**{}**", words(lang, id))
}

/// `/mnt/a: ext4 on /dev/sdb1, 10.0 GB, 2.0 GB used`.
fn place(record: &VolumeRecord) -> Message {
    let volume = &record.place.volume;
    let place = Message::new("detail-place").with("name", &volume.name);
    let place = place.with("fstype", &volume.mount.fstype).with("source", &volume.mount.source);
    let space = volume.space.as_ref().map(|space| {
        let used = space.total_bytes.saturating_sub(space.free_bytes);
        let total = Message::new("report-space").with("total", decimal_bytes(space.total_bytes));
        total.with("used", decimal_bytes(used))
    });
    list::commas(std::iter::once(place).chain(space))
}

fn phase(finding: &PhaseFinding, document: &CompareDocument, lang: Lang) -> String {
    let is_ranked = document.volumes.len() > 2 && !document.is_one_disk();
    // A latency needs no second column.
    let is_latency = finding.judged == Judged::MeanLatencyNs;
    let mut text = heading(&test_title(&finding.title), lang);
    let mut columns = vec![
        (words(lang, "detail-column-volume"), "---"),
        (finding.judged.title().text(lang), "---:"),
        (words(lang, "report-column-change"), "---:"),
    ];
    columns.extend(is_ranked.then(|| (words(lang, "lead-alone"), "---")));
    columns.extend((!is_latency).then(|| (words(lang, "report-column-mean"), "---:")));
    text += &head(&columns);
    for standing in &finding.standings {
        let mut cells = volume_cells(finding, standing, document, lang);
        cells.extend(is_ranked.then(|| {
            let lead = marked_lead(finding, standing);
            lead.map_or(String::new(), |lead| lead_mark(lead).text(lang))
        }));
        cells.extend((!is_latency).then(|| latency(standing.mean_latency_ns)));
        text += &row(&cells);
    }
    // The first sentence says why volumes of one disk are not judged.
    let told = if document.is_one_disk() { Vec::new() } else { finding.told(lang) };
    text + "\n" + &points(told.iter().map(|sentence| markdown_text(sentence)).collect())
}

/// Name, figure and change of a volume.
fn volume_cells(
    finding: &PhaseFinding,
    standing: &VolumeStanding,
    document: &CompareDocument,
    lang: Lang,
) -> Vec<String> {
    let of_mean = standing.side.estimate.as_ref().ok().and_then(|of| of.half_width_percent());
    vec![
        markdown_text(&standing.side.name),
        value(finding.judged, standing.mean()) + &error(of_mean, true, lang),
        change_from_first(finding, standing, document.is_one_disk()).text(lang),
    ]
}

/// The command of each phase on each volume once.
fn commands(document: &CompareDocument, lang: Lang) -> String {
    let first = document.runs.iter().filter(|run| run.round == 0);
    let lines = markdown_commands(first.map(|run| run.command.as_str()));
    heading(&Message::new("report-heading-repeat"), lang) + &lines
}

/// A comparison of runs.
pub fn runs_markdown(document: &RunsDocument, lang: Lang) -> String {
    let mut text = String::new();
    for pair in &document.pairs {
        // The answer is over all pairs, and a page begins with its heading.
        let (gap, summary) = match text.is_empty() {
            true => ("", format!("**{}**\n\n", markdown_text(&document.summary(lang)))),
            false => ("\n", String::new()),
        };
        let title = Message::new("detail-against").with("after", &pair.after);
        let title = escaped(&title.with("before", &pair.before), lang);
        text += &format!("{gap}# {title}\n\n{summary}");
        text += &contrasts(pair, document.fail_if_worse_percent, lang);
    }
    let caps = document.caps_sentence().map(|of| format!("\n{}\n", escaped(&of, lang)));
    text += &caps.unwrap_or_default();
    let gate = document.gate_line().map(|line| format!("\n**{}**\n", escaped(&line, lang)));
    text + &gate.unwrap_or_default()
}

/// The figures of two runs, and what only one of them has.
fn contrasts(pair: &Contrasts, allowed_percent: Option<f64>, lang: Lang) -> String {
    let column = |id| words(lang, id);
    let mut text = head(&[
        (String::new(), "---"),
        (column("report-column-figure"), "---"),
        (column("report-column-before"), "---:"),
        (column("report-column-after"), "---:"),
        (column("report-column-change"), "---:"),
        (String::new(), "---"),
    ]);
    for contrast in &pair.contrasts {
        text += &row(&contrast_cells(contrast, allowed_percent, lang));
    }
    let unlike = pair.unlike_sentence();
    let only = [(&pair.before, &pair.only_before), (&pair.after, &pair.only_after)];
    let only = only.into_iter().filter(|(_, names)| !names.is_empty()).map(|(name, names)| {
        let names = list::semicolons(names.iter().map(|name| test_title(name)));
        Message::new("change-only-in").with("side", name).part("names", names)
    });
    let notes = unlike.into_iter().chain(only);
    text + &notes.map(|note| format!("\n{}\n", escaped(&note, lang))).collect::<String>()
}

fn contrast_cells(contrast: &Contrast, allowed_percent: Option<f64>, lang: Lang) -> Vec<String> {
    let of = |known: &Known| {
        value(contrast.judged, known.mean) + &error(known.half_width_percent(), true, lang)
    };
    vec![
        escaped(&test_title(&contrast.name), lang),
        contrast.judged.title().text(lang),
        of(&contrast.before),
        of(&contrast.after),
        change_words::change(contrast).text(lang),
        verdict(contrast, allowed_percent).text(lang),
    ]
}
