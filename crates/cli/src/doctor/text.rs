//! A diagnosis as text, made only from the diagnosis and a [`Screen`], so that tests see the same
//! text as users.
//!
//! Decided here: the first line is the answer, how many findings there are. The warnings and notes
//! follow; the table of ceilings and what is fine are for `--verbose`.

use crate::language::word;
use crate::terminal::heading as common;
use crate::terminal::screen::{Screen, columns, from_left, warning, wrapped};
use crate::terminal::table::{TextTable, cell, heading, right};
use fathom_campaign::{binary_bytes, latency, thousands};
use fathom_doctor::{
    BLOCK_BYTES, Ceiling, CeilingCase, Diagnosis, DoctorFinding, HostDiagnosis, Severity,
    TargetDiagnosis,
};
use fathom_vocab::{Target, printable};
use std::ffi::OsString;

/// Width of the severity and of the finding's topic.
const WORD: usize = 8;
const TITLE: usize = 14;

/// All machines, each under its name if it was given by name.
pub fn hosts(diagnosed: &[HostDiagnosis], verbose: bool, screen: &Screen) -> String {
    let text = |of: &HostDiagnosis| {
        let text = whole(&of.diagnosis, verbose, screen);
        match &of.host {
            Some(host) => format!("== {} ==\n{text}", printable::line(host)),
            None => text,
        }
    };
    diagnosed.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// The text of a diagnosis: the answer, and the findings that hinder; with `verbose` all of it.
pub fn whole(diagnosis: &Diagnosis, verbose: bool, screen: &Screen) -> String {
    let mut text = answer(diagnosis, screen);
    if verbose {
        text += &format!(
            "\n{}{}",
            common::host(&diagnosis.host.system, screen),
            table(diagnosis, screen)
        );
    }
    text += &section(&localized!("This host"), &diagnosis.findings, verbose, screen);
    for target in &diagnosis.targets {
        text += &self::target(target, verbose, screen);
    }
    if let Some(summary) = diagnosis.summary() {
        text += &format!("\n{}", wrapped(&summary, screen.width, "", ""));
    }
    if !verbose {
        text += &format!("\n{}", wrapped(word(REST), screen.width, "", ""));
    }
    text
}

/// Where the rest is.
const REST: &str = "--verbose shows the rest: the host, its ceilings, and what is fine.";

/// `io_uring, depth 32`; `null, depth 32, 8 threads`.
pub fn case_name(case: &CeilingCase) -> String {
    let mut name = case.engine.name().to_owned();
    if !case.engine.is_sync() {
        name += &localized!(", depth {}", case.depth);
    }
    if case.threads > 1 {
        name += &localized!(", {} threads", case.threads);
    }
    name
}

/// The ceilings; empty if none was measured.
fn table(diagnosis: &Diagnosis, screen: &Screen) -> String {
    if diagnosis.ceilings.is_empty() {
        return String::new();
    }
    let size = binary_bytes(BLOCK_BYTES);
    let title = localized!("What it can drive (random reads of {size}, every statistic on)");
    let text = format!("\n{}", wrapped(&title, screen.width, "", ""));
    let mut table = TextTable::indented(2);
    table.row(heading(&["", "IOPS", "CPU got", "CPU an I/O", ""]));
    table.give_way(&[(4, 0)]);
    diagnosis.ceilings.iter().for_each(|ceiling| self::ceiling(&mut table, ceiling, screen));
    text + &table.text(screen)
}

fn ceiling(table: &mut TextTable, ceiling: &Ceiling, screen: &Screen) {
    let name = case_name(&ceiling.case);
    let (Some(iops), Some(cpu_ns)) = (ceiling.iops, ceiling.cpu_ns()) else {
        let why = ceiling.failure.as_deref().unwrap_or(word("no I/O completed"));
        let text = localized!("{name}: not measured: {why}");
        table.text_between(wrapped(&text, screen.width, "  ", "    "));
        return;
    };
    table.row(vec![
        cell(name),
        right(thousands(iops)),
        right(format!("{:.0} %", ceiling.cpu_percent.unwrap_or(100.0))),
        right(nanoseconds(cpu_ns)),
        cell(ceiling.case.backing.name()).fitted(|_| String::new()),
    ]);
}

/// CPU time of a core, usually below a microsecond.
fn nanoseconds(ns: f64) -> String {
    match ns {
        ns if ns < 999.5 => format!("{ns:.0} ns"),
        ns => latency(ns),
    }
}

fn target(target: &TargetDiagnosis, verbose: bool, screen: &Screen) -> String {
    let title = match Target::try_from(OsString::from(&target.path)) {
        Ok(path) if !path.is_absolute() => format!("{path} ({})", path.absolute()),
        _ => target.path.clone(),
    };
    let title = printable::line(&title).into_owned();
    match &target.failure {
        Some(why) => format!("\n{title}\n{}", warning(localized!("FAILED: {why}"), screen)),
        None => section(&title, &target.findings, verbose, screen),
    }
}

/// Findings below their title: those that hinder, or all; empty if there are none of these.
fn section(title: &str, findings: &[DoctorFinding], verbose: bool, screen: &Screen) -> String {
    let shown = findings.iter().filter(|finding| verbose || finding.severity > Severity::Ok);
    let text: String = shown.map(|finding| self::finding(finding, screen)).collect();
    if text.is_empty() { text } else { format!("\n{title}\n{text}") }
}

fn finding(finding: &DoctorFinding, screen: &Screen) -> String {
    let (severity, title) = (finding.severity.name(), finding.topic.title());
    let first = format!("  {}{}", from_left(word(severity), WORD), from_left(word(title), TITLE));
    // On a narrow screen, text is below its title.
    let indent = if screen.width < 60 { 4 } else { columns(&first) };
    let rest = " ".repeat(indent);
    let mut text = wrapped(&finding.evidence, screen.width, &first, &rest);
    if let Some(advice) = &finding.advice {
        text += &wrapped(advice, screen.width, &format!("{rest}-> "), &format!("{rest}   "));
    }
    match colour(finding.severity) {
        // Only now, since the letters of a colour take no columns.
        Some(code) if screen.colour => {
            let severity = word(severity);
            text.replacen(severity, &format!("\x1b[{code}m{severity}\x1b[0m"), 1)
        }
        _ => text,
    }
}

fn colour(severity: Severity) -> Option<u8> {
    match severity {
        Severity::Ok => Some(32),
        Severity::Note => None,
        Severity::Warning => Some(33),
    }
}

/// The outcome of `--strict`, and what decides it.
pub fn outcome(warnings: usize) -> String {
    localized!("doctor: {warnings|0=PASS|1=FAIL (1 warning)|FAIL ({warnings} warnings)}")
}

/// How many targets could not be examined; empty if all could.
fn failures(targets: &[TargetDiagnosis]) -> String {
    let failed = targets.iter().filter(|target| target.failure.is_some()).count();
    match (failed, targets.len()) {
        (0, _) => String::new(),
        (1, 1) => localized!("The path could not be examined."),
        (failed, all) => localized!("{failed} of {all} paths could not be examined."),
    }
}

fn answer(diagnosis: &Diagnosis, screen: &Screen) -> String {
    let mut text = localized!(
        "{warnings|0=No warnings|1=1 warning|{warnings} warnings}, \
         {notes|0=no notes|1=1 note|{notes} notes}, {} fine.",
        diagnosis.count(Severity::Ok),
        warnings = diagnosis.count(Severity::Warning),
        notes = diagnosis.count(Severity::Note)
    );
    if diagnosis.ceilings.is_empty() {
        text += &localized!(" Nothing was measured.");
    }
    let failures = failures(&diagnosis.targets);
    let lines = [failures, text].into_iter().filter(|line| !line.is_empty());
    lines.map(|line| wrapped(&line, screen.width, "", "")).collect()
}
