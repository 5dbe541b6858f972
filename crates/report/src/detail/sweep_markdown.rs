//! A sweep for an issue or a wiki, in the reader's language: the target, a table for each curve,
//! and the commands.

use super::markdown_parts::{escaped, head, heading, points, row};
use crate::{markdown_commands, markdown_text};
use fathom_analysis::{ConnectionFinding, Knee};
use fathom_document::sweep::{
    CaseRecord, Curve, Point, SessionRecord, SweepDocument, option_name, settings_title,
};
use fathom_document::{DocumentSummary, Setting};
use fathom_document::{binary_bytes, latency, megabytes_per_s, seconds, thousands};
use fathom_message::{Lang, Message, Tell, list, words};
use std::collections::BTreeMap;

/// The whole page.
pub fn sweep_markdown(document: &SweepDocument, lang: Lang) -> String {
    let title = Message::new("charts-sweep-of").with("volume", &document.plan.target);
    let summary = markdown_text(&document.summary(lang));
    let mut text = format!("# {}\n\n**{summary}**\n\n", escaped(&title, lang));
    text += &points(about(document, lang));
    for curve in &document.curves {
        text += &one(curve, lang);
    }
    text + &notes(document, lang) + &commands(document, lang)
}

fn about(document: &SweepDocument, lang: Lang) -> Vec<String> {
    let time = &document.plan.time;
    let runs = Message::new("detail-runs").with("runs", document.turns);
    let runs = runs.with("run", seconds(time.run_us)).with("ramp", seconds(time.ramp_us));
    let session = document.sessions.last().map(session).into_iter().flatten();
    let lines = session.chain([runs]).map(|line| escaped(&line, lang));
    let remarks = document.remarks().into_iter();
    lines.chain(remarks.map(|remark| format!("**{}**", escaped(&remark.tell(), lang)))).collect()
}

/// Where the last session measured.
fn session(session: &SessionRecord) -> [Message; 3] {
    let (host, place) = (&session.setup.host, &session.setup.volume);
    let mount = &place.volume.mount;
    let name = host.hostname.as_deref().unwrap_or("?");
    let on = Message::new("detail-host").with("version", &session.fathom_version);
    let at = Message::new("detail-mount").with("fstype", &mount.fstype);
    [
        on.with("host", name).with("kernel", host.kernel.as_deref().unwrap_or("?")),
        at.with("point", mount.place()).with("options", mount.options.join(",")),
        Message::new("detail-size").with("size", binary_bytes(place.size_bytes)),
    ]
}

fn one(curve: &Curve, lang: Lang) -> String {
    let axis = || option_name(&curve.axis);
    let by = Message::new("detail-by").part("axis", axis());
    let settings = (!curve.settings.is_empty()).then(|| settings_title(&curve.settings));
    let mut text = heading(&list::commas(settings.into_iter().chain([by])), lang);
    let figures = [
        "detail-column-reads",
        "detail-column-writes",
        "report-column-iops",
        "report-column-bandwidth",
        "report-column-mean",
        "report-column-p99",
    ];
    let figures = figures.map(|id| words(lang, id));
    let columns = std::iter::once(escaped(&axis(), lang)).chain(figures);
    text += &head(&columns.map(|name| (name, "---:")).collect::<Vec<_>>());
    let marked = curve.knee_point().or_else(|| curve.best()).map(|point| point.case);
    for point in &curve.points {
        text += &row(&cells(point, marked == Some(point.case)));
    }
    let knee = curve.knee.iter().map(|knee| knee_sentence(curve, knee));
    let connections = curve.connections.iter().map(|of| connections_sentence(curve, of));
    let told = knee.chain(connections).map(|told| format!("\n{}\n", escaped(&told, lang)));
    text + &told.collect::<String>()
}

fn cells(point: &Point, is_marked: bool) -> Vec<String> {
    let value = markdown_text(&point.value);
    let Some(figures) = &point.figures else {
        return std::iter::once(value).chain((0..6).map(|_| "-".to_owned())).collect();
    };
    let of = |share: Option<fathom_document::Share>| {
        share.map_or("-".to_owned(), |share| thousands(share.iops))
    };
    let total = &figures.total;
    let cells = [
        value,
        of(figures.shares.read),
        of(figures.shares.write),
        thousands(total.iops),
        megabytes_per_s(total.mb_per_s),
        latency(total.mean_ns),
        latency(total.p99_ns as f64),
    ];
    let bold = |text: String| if is_marked { format!("**{text}**") } else { text };
    cells.map(bold).to_vec()
}

fn notes(document: &SweepDocument, lang: Lang) -> String {
    let of_case = |record: &CaseRecord| {
        let name = escaped(&settings_title(&record.settings), lang);
        let failed = |why| Message::new("report-failed").with("why", why).text(lang);
        let failure = record.failure.iter().map(failed);
        let remarks = record.remarks.iter().map(|remark| remark.told(lang));
        let notes = failure.chain(remarks);
        notes.map(|note| format!("{name}: {}", markdown_text(&note))).collect::<Vec<_>>()
    };
    let notes: Vec<String> = document.cases.iter().flat_map(of_case).collect();
    match notes.is_empty() {
        true => String::new(),
        false => heading(&Message::new("detail-notes"), lang) + &points(notes),
    }
}

/// The command of each case once, in the order of the cases.
fn commands(document: &SweepDocument, lang: Lang) -> String {
    let each: BTreeMap<usize, &CaseRecord> =
        document.cases.iter().map(|record| (record.case, record)).collect();
    let lines = markdown_commands(each.values().map(|record| record.command.as_str()));
    heading(&Message::new("report-heading-repeat"), lang) + &lines
}

/// `randread, bs=4k: from QD 16 on IOPS stay at 20,000 …`.
pub fn knee_sentence(curve: &Curve, knee: &Knee) -> Message {
    match own_settings(curve) {
        None => Message::new("curve-knee").part("knee", knee.tell()),
        Some(names) => Message::new("curve-knee-of").with("curve", names).part("knee", knee.tell()),
    }
}

/// The gain from more connections along a curve, as a sentence.
pub fn connections_sentence(curve: &Curve, finding: &ConnectionFinding) -> Message {
    match own_settings(curve) {
        None => finding.tell(),
        Some(names) => {
            Message::new("curve-connections-of").with("curve", names).part("told", finding.tell())
        }
    }
}

/// The settings of one curve; none if there is only one curve.
fn own_settings(curve: &Curve) -> Option<String> {
    // Words speak for themselves, numbers do not.
    let name = |setting: &Setting| match setting.axis.as_str() {
        "rw" | "ioengine" => setting.value.clone(),
        axis => format!("{axis}={}", setting.value),
    };
    let names: Vec<String> = curve.settings.iter().map(name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
