//! One row: its limits in numbers, their effect at block sizes, and its source.

use super::numbers::{at_blocks, limits};
use crate::phrasebook;
use crate::terminal::screen::{Screen, wrapped};
use fathom_analysis::Tone;
use fathom_analysis::promise::{
    BurstLevels, Caveat, Config, Directions, Promise, PromiseError, PromiseKind, Vector,
    VolumeKind, VolumeRow,
};
use fathom_campaign::{binary_bytes, decimal_bytes, latency, seconds, thousands};
use fathom_message::Tell;

/// The whole text of a row.
pub fn text(
    row: &VolumeRow,
    config: &Config,
    promise: &Result<Promise, PromiseError>,
    screen: &Screen,
) -> String {
    let mut text = heading_of(row, screen);
    match promise {
        Ok(promise) => text += &promised(row, promise, screen),
        Err(needed) => text += &rules(row, needed, screen),
    }
    if config.variant.is_none() && !row.variants.is_empty() {
        text += &format!("\n{}\n", phrasebook::label("Variants"));
        for variant in &row.variants {
            let line = format!("--variant {}: {}", variant.id, row.variant_in_words(variant));
            text += &wrapped(&line, screen.width, "  ", "    ");
        }
    }
    text += &format!("\n{}\n", phrasebook::label("Sources"));
    for source in &row.sources {
        text += &wrapped(&source.to_string(), screen.width, "  ", "    ");
    }
    match *config == Config::default() {
        true => text + &format!("\n{}\n  {}\n", phrasebook::label("Example"), example(row)),
        false => text,
    }
}

fn heading_of(row: &VolumeRow, screen: &Screen) -> String {
    let kind = match row.kind {
        VolumeKind::Block => "Block volume",
        VolumeKind::File => "File service",
    };
    let sizes = row.sizes_in_words().map(|sizes| format!(" of {sizes}")).unwrap_or_default();
    let dated = row.as_of.starts_with(|c: char| c.is_ascii_digit());
    let date = if dated { format!("as of {}", row.as_of) } else { "undated".to_owned() };
    let text = format!(
        "{kind}{sizes}; limits are of {}. Numbers: {date}, {} ({}).",
        row.scope.words(),
        row.confidence.meaning(),
        row.confidence.letter()
    );
    let title = wrapped(&format!("{}: {}", row.id, row.name), screen.width, "", "  ");
    title + &wrapped(&text, screen.width, "  ", "  ")
}

/// The rules instead of numbers, with the inputs needed for numbers.
fn rules(row: &VolumeRow, needed: &PromiseError, screen: &Screen) -> String {
    let lines = [
        format!("IOPS: {}", row.iops_in_words()),
        format!("throughput: {}", row.rate_in_words()),
        format!("For numbers: {needed}."),
    ];
    let lines = lines.iter().map(|line| wrapped(line, screen.width, "  ", "    "));
    format!("\n{}\n{}", phrasebook::label("Promised"), lines.collect::<String>())
}

fn promised(row: &VolumeRow, promise: &Promise, screen: &Screen) -> String {
    let title = match (promise.kind, promise.measured.is_empty()) {
        (PromiseKind::None, true) => "Nothing is promised",
        (PromiseKind::None, false) => "Measured by others, not promised",
        (PromiseKind::Target, _) => "Stated as a target",
        (PromiseKind::Guarantee, _) => "Promised",
    };
    let title = format!("{title}{}", size_of(row, promise));
    let mut text = format!("\n{}\n", phrasebook::said(&title));
    text += &limits(promise, screen);
    for line in sentences(promise) {
        text += &wrapped(&line, screen.width, "  ", "    ");
    }
    text += &at_blocks(promise, screen);
    // The heading contains these two.
    let said =
        |caveat: &Caveat| matches!(caveat, Caveat::Confidence { .. } | Caveat::Shared { .. });
    let mut caveats: Vec<_> = promise.caveats.iter().filter(|caveat| !said(caveat)).collect();
    caveats.sort_by_key(|caveat| std::cmp::Reverse(caveat.tone()));
    if !caveats.is_empty() {
        text += &format!("\n{}\n", phrasebook::label("To know"));
    }
    for caveat in caveats {
        let mark = if caveat.tone() >= Tone::Warning { "  ! " } else { "  - " };
        text += &wrapped(&caveat.tell().text(screen.lang), screen.width, mark, "    ");
    }
    text
}

/// The size in both bases, that of the provider first.
fn size_of(row: &VolumeRow, promise: &Promise) -> String {
    let Some(bytes) = promise.size_bytes.map(|bytes| bytes as u64) else { return String::new() };
    let (binary, decimal) = (binary_bytes(bytes), decimal_bytes(bytes));
    match row.size.is_some_and(|range| range.unit.is_binary()) {
        true => format!(" for {binary} ({decimal})"),
        false => format!(" for {decimal} ({binary})"),
    }
}

/// Facts beside the limits.
fn sentences(promise: &Promise) -> Vec<String> {
    let mut lines = Vec::new();
    if promise.directions == Directions::Sum && !promise.is_empty() {
        lines.push("The limits hold for reads and writes together.".to_owned());
    }
    lines.extend(promise.consistency.map(|consistency| {
        let [limit, time] = [consistency.share_of_limit, consistency.share_of_time];
        format!("{} % of that is promised for {} % of the time.", limit * 100.0, time * 100.0)
    }));
    lines.extend(promise.burst.as_ref().and_then(bucket));
    lines.extend(promise.latency.as_ref().map(|said| {
        let at = said.at_bytes.map(|bytes| format!(", for {}", block_size(bytes)));
        format!("Latency: {}{}.", said.text, at.unwrap_or_default())
    }));
    lines.extend(promise.accounting.unit_bytes.map(|unit| {
        let unit = block_size(unit);
        format!("An I/O of up to {unit} counts as one, a larger one as several.")
    }));
    lines.extend(queue(promise));
    lines
}

/// How long a bucket lasts and fills.
fn bucket(burst: &BurstLevels) -> Option<String> {
    let time = |s: f64| seconds((s * 1e6) as u64);
    let lasts = format!("A full bucket lasts {}", time(burst.lasts_s?));
    Some(match burst.refill_s {
        Some(refill_s) => format!("{lasts}, and an empty one fills in {}.", time(refill_s)),
        None => lasts + ".",
    })
}

/// The number of I/Os to keep outstanding, if the provider states it.
fn queue(promise: &Promise) -> Option<String> {
    let iops = promise.read.iops?;
    Some(format!(
        "The provider reckons with {} for an I/O: keep {:.0} outstanding for {} IOPS.",
        latency(promise.queue_ns?),
        promise.queue_for(iops)?,
        thousands(iops)
    ))
}

fn block_size(bytes: f64) -> String {
    match bytes % 1024.0 == 0.0 {
        true => binary_bytes(bytes as u64),
        false => decimal_bytes(bytes as u64),
    }
}

/// A command that gives numbers: a published example with purchased performance, otherwise a size
/// for sale.
fn example(row: &VolumeRow) -> String {
    let bought = |vector: &&Vector| vector.buy_iops.or(vector.buy_rate).is_some();
    let vector = row.vectors.iter().find(bought).or(row.vectors.first());
    let size = match vector.and_then(|vector| vector.size.filter(|_| bought(&vector))) {
        Some(size) => row.size.map(|range| format!("{size}{}", range.unit)),
        None => Some(row.example_size()).filter(|size| !size.is_empty()),
    };
    let knob = row.knob.as_ref().zip(vector.and_then(|vector| vector.knob));
    let flags = [
        size.map(|size| format!("--volume-size {size}")),
        vector.and_then(|vector| vector.variant.clone()).map(|name| format!("--variant {name}")),
        knob.map(|(knob, value)| format!("--knob {}={value}", knob.name)),
        vector.and_then(|vector| vector.buy_iops).map(|iops| format!("--iops {iops}")),
        vector.and_then(|vector| vector.buy_rate).map(|rate| format!("--mbps {rate}")),
    ];
    let flags: Vec<String> = flags.into_iter().flatten().collect();
    format!("fathom promises {} {}", row.id, flags.join(" ")).trim_end().to_owned()
}
