//! One row: its limits in numbers, their effect at block sizes, and its source.

use super::numbers::{at_blocks, left_out, limits};
use crate::language::word;
use crate::terminal::screen::{Screen, wrapped};
use fathom_analysis::Tone;
use fathom_analysis::promise::{
    BurstLevels, Caveat, Config, Directions, Promise, PromiseError, PromiseKind, Vector,
    VolumeKind, VolumeRow,
};
use fathom_analysis::quantity::volume_bytes_in_both;
use fathom_campaign::{binary_bytes, decimal_bytes, latency, seconds, thousands};
use fathom_message::{Message, Tell};

/// The whole text of a row.
pub fn text(
    row: &VolumeRow,
    config: &Config,
    promise: &Result<Promise, PromiseError>,
    screen: &Screen,
) -> String {
    let mut text = heading_of(row, screen);
    match promise {
        Ok(promise) => text += &promised(promise, screen),
        Err(needed) => text += &rules(row, needed, screen),
    }
    if config.variant.is_none() && !row.variants.is_empty() {
        text += &title("Variants");
        for variant in &row.variants {
            let words = row.variant_in_words(variant);
            let line = Message::new("row-variant").with("id", &variant.id).part("words", words);
            text += &wrapped(line.text(screen.lang), screen.width, "  ", "    ");
        }
    }
    text += &title("Sources");
    for source in &row.sources {
        text += &wrapped(source.tell().text(screen.lang), screen.width, "  ", "    ");
    }
    match *config == Config::default() {
        true => text + &format!("{}  {}\n", title("Example"), example(row)),
        false => text,
    }
}

/// The title of a part, after a blank line.
fn title(english: &'static str) -> String {
    format!("\n{}\n", word(english))
}

fn heading_of(row: &VolumeRow, screen: &Screen) -> String {
    let [plain, sized] = match row.kind {
        VolumeKind::Block => ["row-block", "row-block-of"],
        VolumeKind::File => ["row-file", "row-file-of"],
    };
    let kind = match row.sizes_in_words() {
        Some(sizes) => Message::new(sized).part("sizes", sizes),
        None => Message::new(plain),
    };
    let dated = row.as_of.starts_with(|c: char| c.is_ascii_digit());
    let date = match dated {
        true => Message::new("row-as-of").with("date", &row.as_of),
        false => Message::new("row-undated"),
    };
    let text = Message::new("row-heading")
        .part("kind", kind)
        .part("scope", row.scope.words())
        .part("date", date)
        .part("meaning", row.confidence.meaning())
        .with("letter", row.confidence.letter());
    let title = wrapped(format!("{}: {}", row.id, row.name), screen.width, "", "  ");
    title + &wrapped(text.text(screen.lang), screen.width, "  ", "  ")
}

/// The rules instead of numbers, with the inputs needed for numbers.
fn rules(row: &VolumeRow, needed: &PromiseError, screen: &Screen) -> String {
    let needed = screen.lang.show(needed);
    let lines = [
        Message::new("row-iops").part("rule", row.iops_in_words()),
        Message::new("row-throughput").part("rule", row.rate_in_words()),
        Message::new("row-for-numbers").with("needed", needed),
    ];
    let line = |line: &Message| wrapped(line.text(screen.lang), screen.width, "  ", "    ");
    title("Promised") + &lines.iter().map(line).collect::<String>()
}

fn promised(promise: &Promise, screen: &Screen) -> String {
    let mut text = format!("\n{}\n", title_of(promise).text(screen.lang));
    text += &limits(promise, screen);
    for line in sentences(promise) {
        text += &wrapped(line.text(screen.lang), screen.width, "  ", "    ");
    }
    text += &at_blocks(promise, screen);
    // The heading contains these two.
    let said =
        |caveat: &Caveat| matches!(caveat, Caveat::Confidence { .. } | Caveat::Shared { .. });
    let mut caveats: Vec<_> = promise.caveats.iter().filter(|caveat| !said(caveat)).collect();
    caveats.sort_by_key(|caveat| std::cmp::Reverse(caveat.tone()));
    if !caveats.is_empty() {
        text += &title("To know");
    }
    for caveat in caveats {
        let mark = if caveat.tone() >= Tone::Warning { "  ! " } else { "  - " };
        text += &wrapped(caveat.tell().text(screen.lang), screen.width, mark, "    ");
    }
    text
}

/// How firm the promise is, and for which size in both bases, the one in which it was typed first.
fn title_of(promise: &Promise) -> Message {
    let title = Message::new(match (promise.kind, promise.measured.is_empty()) {
        (PromiseKind::None, true) => "row-nothing",
        (PromiseKind::None, false) => "row-measured",
        (PromiseKind::Target, _) => "row-target",
        (PromiseKind::Guarantee, _) => "row-promised",
    });
    let Some(bytes) = promise.size_bytes else { return title };
    let size = volume_bytes_in_both(bytes as u64);
    Message::new("row-for-size").part("title", title).with("size", size)
}

/// Facts beside the limits.
fn sentences(promise: &Promise) -> Vec<Message> {
    let mut lines = Vec::new();
    lines.extend(left_out(promise).map(|row| Message::new("row-left-out").part("row", row)));
    if promise.directions == Directions::Sum && !promise.is_empty() {
        lines.push(Message::new("row-together"));
    }
    lines.extend(promise.consistency.map(|consistency| {
        Message::new("row-consistency")
            .with("limit", consistency.share_of_limit * 100.0)
            .with("time", consistency.share_of_time * 100.0)
    }));
    lines.extend(promise.burst.as_ref().and_then(bucket));
    lines.extend(promise.latency.as_ref().map(|said| {
        let latency = Message::from_english(&said.text);
        match said.at_bytes {
            Some(at) => Message::new("row-latency-at").with("block", block_size(at)),
            None => Message::new("row-latency"),
        }
        .part("latency", latency)
    }));
    let unit = promise.accounting.unit_bytes;
    lines.extend(unit.map(|unit| Message::new("row-unit").with("unit", block_size(unit))));
    lines.extend(queue(promise));
    lines
}

/// How long a bucket lasts and fills.
fn bucket(burst: &BurstLevels) -> Option<Message> {
    let time = |s: f64| seconds((s * 1e6) as u64);
    let lasts = time(burst.lasts_s?);
    Some(match burst.refill_s {
        Some(refill_s) => {
            Message::new("row-bucket-fills").with("lasts", lasts).with("fills", time(refill_s))
        }
        None => Message::new("row-bucket").with("lasts", lasts),
    })
}

/// The number of I/Os to keep outstanding, if the provider states it.
fn queue(promise: &Promise) -> Option<Message> {
    let iops = promise.read.iops?;
    let said = Message::new("row-queue").with("latency", latency(promise.queue_ns?));
    let queue = format!("{:.0}", promise.queue_for(iops)?);
    Some(said.with("queue", queue).with("iops", thousands(iops)))
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
