//! Comparisons for an issue or a wiki: tables, sentences, and the commands of volumes' runs.

use crate::change_words::{self, change_from_first, lead_mark, marked_lead, value, verdict};
use crate::{markdown_commands, markdown_text};
use fathom_document::compare::{
    CompareDocument, Contrast, Judged, Known, PhaseFinding, RunsDocument,
};
use fathom_document::{DocumentSummary, decimal_bytes, latency, seconds};
use fathom_message::Lang;

/// A comparison of volumes.
pub fn volumes_markdown(document: &CompareDocument) -> String {
    let names: Vec<&str> = document.volumes.iter().map(|v| v.place.volume.name.as_str()).collect();
    let summary = markdown_text(&document.summary(Lang::En));
    let mut text = format!("# {} compared\n\n", markdown_text(&names.join(", ")));
    text += &format!("**{summary}**\n\n{}", about(document));
    document.findings.iter().for_each(|finding| text += &phase(finding, document));
    text + &commands(document)
}

fn about(document: &CompareDocument) -> String {
    let plan = &document.plan;
    let mut lines = Vec::new();
    for record in &document.volumes {
        let volume = &record.place.volume;
        let space = volume.space.as_ref().map(|space| {
            let used = space.total_bytes.saturating_sub(space.free_bytes);
            format!(", {}, {} used", decimal_bytes(space.total_bytes), decimal_bytes(used))
        });
        let (fstype, source) = (&volume.mount.fstype, &volume.mount.source);
        let space = space.unwrap_or_default();
        lines.push(markdown_text(&format!("{}: {fstype} on {source}{space}", volume.name)));
        let remarks = record.remarks.iter();
        lines.extend(remarks.map(|remark| format!("**{}**", markdown_text(&remark.text))));
    }
    let (run, ramp) = (seconds(plan.time.run_us), seconds(plan.time.ramp_us));
    lines.push(format!(
        "{} rounds in alternating order, {run} a run, {ramp} before each not counted",
        plan.rounds
    ));
    lines.extend(document.caps_sentence().map(|caps| markdown_text(&caps.to_string())));
    if document.interrupted {
        lines.push("**stopped before its end**".to_owned());
    }
    lines.iter().map(|line| format!("- {line}\n")).collect()
}

fn phase(finding: &PhaseFinding, document: &CompareDocument) -> String {
    let is_one_disk = document.is_one_disk();
    let is_ranked = document.volumes.len() > 2 && !is_one_disk;
    let mut text = format!("\n## {}\n\n", markdown_text(&finding.title));
    let (head, line) = if is_ranked { (" best |", "---|") } else { ("", "") };
    // A latency needs no second column.
    let is_latency = finding.judged == Judged::MeanLatencyNs;
    let (waited, end) = if is_latency { ("", "") } else { (" mean latency |", "---:|") };
    text += &format!("| volume | {} | change |{head}{waited}\n", finding.judged.name());
    text += &format!("|---|---:|---:|{line}{end}\n");
    for standing in &finding.standings {
        let error = standing.side.estimate.as_ref().ok().and_then(|of| of.half_width_percent());
        let error = change_words::error(error, true);
        let lead = marked_lead(finding, standing);
        let mark = || lead.map_or(String::new(), |of| lead_mark(of).to_string());
        text += &format!(
            "| {} | {}{error} | {} |{}{}\n",
            markdown_text(&standing.side.name),
            value(finding.judged, standing.mean()),
            change_from_first(finding, standing, is_one_disk),
            if is_ranked { format!(" {} |", mark()) } else { String::new() },
            match is_latency {
                true => String::new(),
                false => format!(" {} |", latency(standing.mean_latency_ns)),
            }
        );
    }
    text.push('\n');
    text + &finding
        .sentences
        .iter()
        .map(|s| format!("- {}\n", markdown_text(s)))
        .collect::<String>()
}

/// The command of each phase on each volume once.
fn commands(document: &CompareDocument) -> String {
    let first = document.runs.iter().filter(|run| run.round == 0);
    let lines = markdown_commands(first.map(|run| run.command.as_str()));
    format!("\n## Commands\n\n{lines}")
}

/// A comparison of runs.
pub fn runs_markdown(document: &RunsDocument) -> String {
    let mut text = String::new();
    for pair in &document.pairs {
        // The answer is over all pairs, and a page begins with its heading.
        let (gap, summary) = match text.is_empty() {
            true => ("", format!("**{}**\n\n", markdown_text(&document.summary(Lang::En)))),
            false => ("\n", String::new()),
        };
        text += &format!(
            "{gap}# {} against {}\n\n{summary}",
            markdown_text(&pair.after),
            markdown_text(&pair.before)
        );
        text += "| | figure | before | after | change | |\n|---|---|---:|---:|---:|---|\n";
        let allowed = document.fail_if_worse_percent;
        pair.contrasts.iter().for_each(|contrast| text += &row(contrast, allowed));
        text += &pair
            .unlike_sentence()
            .map_or(String::new(), |note| format!("\n{}\n", markdown_text(&note.text(Lang::En))));
        let only = [(&pair.before, &pair.only_before), (&pair.after, &pair.only_after)];
        for (name, names) in only.into_iter().filter(|(_, names)| !names.is_empty()) {
            text += &format!(
                "\nOnly in {}: {}\n",
                markdown_text(name),
                markdown_text(&names.join("; "))
            );
        }
    }
    let caps = document.caps_sentence().map(|of| format!("\n{}\n", markdown_text(&of.to_string())));
    text += &caps.unwrap_or_default();
    text += &document.gate.as_ref().map_or(String::new(), |gate| {
        format!("\n**gate: {}**\n", markdown_text(&gate.to_string()))
    });
    text
}

fn row(contrast: &Contrast, allowed_percent: Option<f64>) -> String {
    let of = |known: &Known| {
        let error = change_words::error(known.half_width_percent(), true);
        format!("{}{error}", value(contrast.judged, known.mean))
    };
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        markdown_text(&contrast.name),
        contrast.judged.name(),
        of(&contrast.before),
        of(&contrast.after),
        change_words::change(contrast),
        verdict(contrast, allowed_percent)
    )
}
