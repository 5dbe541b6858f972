//! The heading: the promise, its provider and the planned runs, printed before the first run.

use crate::language::lang;
use crate::terminal::heading::{self, PlanStart, PlannedTime};
use crate::terminal::screen::{Screen, labelled, warning, wrapped};
use fathom_analysis::Tone;
use fathom_analysis::promise::{Caveat, Promise, Source};
use fathom_analysis::quantity::{volume_bytes, volume_bytes_in_both};
use fathom_campaign::cases::PreparedTarget;
use fathom_campaign::check::{CheckBasis, CheckLoad, CheckPlan, SizeFrom};
use fathom_campaign::test_title;
use fathom_campaign::{Goal, decimal_bytes};
use fathom_host::System;
use fathom_message::{Message, Tell};

/// The whole heading; `target` is none before the target was tried.
pub fn opening(
    system: &System,
    plan: &CheckPlan,
    target: Option<&PreparedTarget>,
    screen: &Screen,
) -> String {
    let mut text = heading::target(system, &plan.volume, target, &heading::usual_reach(), screen);
    text += &match target {
        Some(_) => brief_promise(&plan.basis, screen),
        None => promise(&plan.basis, screen),
    };
    for notice in &plan.bursts {
        text += &warning(notice.tell().text(screen.lang), screen);
    }
    text += &runs(plan, screen);
    text + &time(plan, PlanStart::of(target), screen) + &writes(plan, screen)
}

/// The promise in one line, with its warnings; `fathom promises NAME` shows the details.
fn brief_promise(basis: &CheckBasis, screen: &Screen) -> String {
    let CheckBasis::Provider { promise, .. } = basis else { return self::promise(basis, screen) };
    let size = promise.size_bytes.map(|bytes| format!(", {}", volume_bytes(bytes as u64)));
    let line = localized!("{}{} (as of {})", promise.name, size.unwrap_or_default(), promise.as_of);
    let warnings = promise.caveats.iter().filter(|caveat| caveat.tone() >= Tone::Warning);
    let warnings = warnings.map(|caveat| caveat.tell()).chain(basis.other_size());
    let told = |said: Message| warning(said.text(screen.lang), screen);
    labelled("Checks ", line, screen) + &warnings.map(told).collect::<String>()
}

/// The promise with its source, date, confidence and caveats.
pub fn promise(basis: &CheckBasis, screen: &Screen) -> String {
    let text = match basis {
        CheckBasis::Hand { .. } => {
            format!("{}\n", localized!("Checked against your limits"))
        }
        CheckBasis::Provider { promise, size_from } => of_provider(promise, size_from, screen),
    };
    text + &other_size(basis, screen)
}

/// A warning if the device's size differs from the given size.
pub fn other_size(basis: &CheckBasis, screen: &Screen) -> String {
    let other = basis.other_size().map(|size| size.text(screen.lang));
    other.map_or(String::new(), |text| warning(&text, screen))
}

fn of_provider(promise: &Promise, size_from: &SizeFrom, screen: &Screen) -> String {
    let variant = promise.variant.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
    let title = Message::new("check-promise")
        .with("volume", &promise.volume)
        .with("name", format!("{}{variant}", promise.name));
    let mut text = wrapped(title.text(screen.lang), screen.width, "", "  ");
    let size = promise.size_bytes.map(|bytes| volume_bytes_in_both(bytes as u64));
    let size = match (size, size_from) {
        (Some(size), SizeFrom::Device { node }) => {
            Message::new("check-size-of-device").with("size", size).with("node", node)
        }
        (Some(size), _) => Message::new("check-size-said").with("size", size),
        (None, _) => Message::new("check-size-not-needed"),
    };
    text += &heading::line("volume size", size.text(screen.lang), screen);
    let said = |source: &Source| source.tell().text(screen.lang);
    let sources: Vec<String> = promise.sources.iter().map(said).collect();
    text += &heading::line("source", sources.join("; "), screen);
    let sure = Message::new("check-numbers")
        .part("date", Message::new("row-as-of").with("date", &promise.as_of))
        .part("meaning", promise.confidence.meaning())
        .with("letter", promise.confidence.letter());
    text += &heading::line("numbers", sure.text(screen.lang), screen);
    // How sure the numbers are stands in the line above, and is repeated where that is a warning.
    let is_new = |caveat: &&Caveat| {
        caveat.tone() >= Tone::Warning || !matches!(caveat, Caveat::Confidence { .. })
    };
    let mut caveats: Vec<&Caveat> = promise.caveats.iter().filter(is_new).collect();
    caveats.sort_by_key(|caveat| std::cmp::Reverse(caveat.tone()));
    for caveat in caveats {
        let mark = if caveat.tone() >= Tone::Warning { "  ! " } else { "  - " };
        text += &wrapped(caveat.tell().text(screen.lang), screen.width, mark, "    ");
    }
    text
}

/// The promised limit of a run, in its own unit: `3,000 IOPS`, `131 MB/s`, `1.00 ms`.
pub fn promised(load: &CheckLoad) -> String {
    limit_of(load).unwrap_or_else(|| localized!("nothing"))
}

/// The same, if there is one.
pub fn limit_of(load: &CheckLoad) -> Option<String> {
    let rate = load.promised.rate;
    let value = match load.goal {
        Goal::Iops => rate.map(|rate| rate.iops),
        Goal::Throughput => rate.map(|rate| rate.bytes_per_s),
        Goal::Latency => load.promised.latency_ns,
    };
    value.map(|value| load.goal.in_unit(value))
}

fn runs(plan: &CheckPlan, screen: &Screen) -> String {
    let mut text = String::new();
    for (at, step) in plan.steps.iter().enumerate() {
        let title = test_title(&step.load.title());
        let limit = promised(&step.load);
        let line = match plan.basis.is_by_hand() {
            true => localized!("{title}: limit {limit}"),
            false => localized!("{title}: {limit} promised"),
        };
        text += &match at {
            0 => labelled("Runs   ", line, screen),
            _ => wrapped(line, screen.width, "       ", "         "),
        };
    }
    for load in &plan.left_out {
        let line =
            localized!("{} is left out: nothing may be written here.", test_title(&load.title()));
        text += &wrapped(&line, screen.width, "     ! ", "       ");
    }
    text
}

fn time(plan: &CheckPlan, start: PlanStart, screen: &Screen) -> String {
    let count = plan.steps.len();
    let each = heading::each(&heading::runs(count), plan.time.run_us, plan.time.ramp_us);
    let runs_us = plan.runs_us();
    let each = match runs_us[0] < runs_us[1] {
        true => localized!("{each}, and again where a limit is undecided"),
        false => each,
    };
    let planned = PlannedTime { runs_us, fill_bytes: plan.volume.whole_fill_bytes(), start };
    heading::time(&planned, &each, screen)
}

fn writes(plan: &CheckPlan, screen: &Screen) -> String {
    let about = match plan.written_bytes() {
        0 => String::new(),
        // No run is held at the rate of its limit, and the volume may be faster.
        _ if plan.basis.is_by_hand() => heading::at_1_gb(plan.writing_us()),
        bytes => localized!(" (at the promised rates, {})", decimal_bytes(bytes)),
    };
    let text = heading::writes(plan.volume.whole_fill_bytes(), plan.writing_us(), &about);
    labelled("Writes ", &text, screen)
}

/// Every run with the command that repeats it. Lines are as long as they are, to be copied.
pub fn commands(plan: &CheckPlan) -> String {
    let one = |(at, step): (usize, &fathom_campaign::check::CheckStep)| {
        let title = test_title(&step.load.title()).text(lang());
        format!("\n{:>4} {title}\n     {}\n", at + 1, plan.command_of(step))
    };
    plan.steps.iter().enumerate().map(one).collect()
}
