//! A sweep for an issue or a wiki: the target, a table for each curve, and the commands.

use crate::{markdown_commands, markdown_text};
use fathom_analysis::{ConnectionFinding, Knee};
use fathom_document::sweep::{CaseRecord, Curve, Point, SweepDocument};
use fathom_document::{DocumentSummary, Setting, title_of};
use fathom_document::{binary_bytes, latency, megabytes_per_s, seconds, thousands};
use fathom_message::{Lang, Message, Tell};
use std::collections::BTreeMap;

/// The whole page.
pub fn sweep_markdown(document: &SweepDocument) -> String {
    let (target, summary) = (markdown_text(&document.plan.target), document.summary(Lang::En));
    let mut text = format!("# Sweep of {target}\n\n**{}**\n\n", markdown_text(&summary));
    text += &about(document);
    for curve in &document.curves {
        text += &one(curve);
    }
    text + &notes(document) + &commands(document)
}

fn about(document: &SweepDocument) -> String {
    let mut lines = Vec::new();
    if let Some(session) = document.sessions.last() {
        let (host, place) = (&session.setup.host, &session.setup.volume);
        let name = host.hostname.as_deref().unwrap_or("a host");
        let kernel = host.kernel.as_deref().unwrap_or("of unknown version");
        lines.push(format!("Fathom {} on {name}, Linux {kernel}", session.fathom_version));
        let mount = &place.volume.mount;
        let at = mount.mount_point.display();
        lines.push(format!("{} at {at} ({})", mount.fstype, mount.options.join(",")));
        lines.push(format!("measured in {}", binary_bytes(place.size_bytes)));
    }
    let time = &document.plan.time;
    let (run, ramp) = (seconds(time.run_us), seconds(time.ramp_us));
    lines.push(format!("{} runs of {run}, {ramp} before each not counted", document.turns));
    let remarks = document.remarks().into_iter();
    let remarks = remarks.map(|remark| format!("**{}**", markdown_text(&remark.to_string())));
    let lines = lines.iter().map(|line| markdown_text(line)).chain(remarks);
    lines.map(|line| format!("- {line}\n")).collect()
}

fn one(curve: &Curve) -> String {
    let name = match curve.settings.is_empty() {
        true => format!("by {}", curve.axis),
        false => format!("{}, by {}", title_of(&curve.settings), curve.axis),
    };
    let mut text = format!("\n## {}\n\n", markdown_text(&name));
    text += &format!(
        "| {} | reads/s | writes/s | IOPS | MB/s | mean | p99 |\n",
        markdown_text(&curve.axis)
    );
    text += "|---:|---:|---:|---:|---:|---:|---:|\n";
    let marked = curve.knee_point().or_else(|| curve.best()).map(|point| point.case);
    for point in &curve.points {
        text += &row(point, marked == Some(point.case));
    }
    if let Some(knee) = &curve.knee {
        text += &format!("\n{}\n", markdown_text(&knee_sentence(curve, knee).to_string()));
    }
    if let Some(finding) = &curve.connections {
        let told = connections_sentence(curve, finding);
        text += &format!("\n{}\n", markdown_text(&told.to_string()));
    }
    text
}

fn row(point: &Point, is_marked: bool) -> String {
    let Some(figures) = &point.figures else {
        return format!("| {} | - | - | - | - | - | - |\n", markdown_text(&point.value));
    };
    let of = |share: Option<fathom_document::Share>| {
        share.map_or("-".to_owned(), |share| thousands(share.iops))
    };
    let total = &figures.total;
    let cells = [
        markdown_text(&point.value),
        of(figures.shares.read),
        of(figures.shares.write),
        thousands(total.iops),
        megabytes_per_s(total.mb_per_s),
        latency(total.mean_ns),
        latency(total.p99_ns as f64),
    ];
    let bold = |text: String| if is_marked { format!("**{text}**") } else { text };
    format!("| {} |\n", cells.map(bold).join(" | "))
}

fn notes(document: &SweepDocument) -> String {
    let mut text = String::new();
    for record in &document.cases {
        let name = title_of(&record.settings);
        let failure = record.failure.iter().map(|why| format!("failed: {why}"));
        let remarks = record.remarks.iter().map(|remark| remark.text.clone());
        for note in failure.chain(remarks) {
            text += &format!("- {}: {}\n", markdown_text(&name), markdown_text(&note));
        }
    }
    match text.is_empty() {
        true => text,
        false => format!("\n## To know\n\n{text}"),
    }
}

/// The command of each case once, in the order of the cases.
fn commands(document: &SweepDocument) -> String {
    let each: BTreeMap<usize, &CaseRecord> =
        document.cases.iter().map(|record| (record.case, record)).collect();
    let lines = markdown_commands(each.values().map(|record| record.command.as_str()));
    format!("\n## Commands\n\n{lines}")
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
