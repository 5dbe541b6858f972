//! The numbers of a promise as tables.

use crate::language::word;
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::table::{TextCell, TextTable, cell, heading, right};
use fathom_analysis::promise::{Level, Promise, Reachable};
use fathom_campaign::{binary_bytes, decimal_bytes, megabytes_per_s, thousands};
use fathom_message::{Lang, Message};

/// Block sizes for which the expected figures are shown.
pub const BLOCKS: [u64; 5] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// The limits as a table: permanent, during a burst, and the purchasable maximum.
pub fn limits(promise: &Promise, screen: &Screen) -> String {
    let rows = levels(promise);
    if rows.is_empty() {
        return String::new();
    }
    let mut table = TextTable::new();
    table.row(heading(&["", "IOPS", "MB/s", "MiB/s"]));
    for (what, level) in rows {
        let rate = |unit: f64| level.bytes_per_s.map(|rate| megabytes_per_s(rate / unit));
        let number = |text: Option<String>| right(text.unwrap_or_else(|| "-".to_owned()));
        table.row(vec![
            cell(format!(" {}", what.text(screen.lang))),
            number(level.iops.map(thousands)),
            number(rate(1e6)),
            number(rate(1_048_576.0)),
        ]);
    }
    table.text(screen)
}

/// The least and the most that can be bought.
fn ends(promise: &Promise) -> [(&'static str, Level); 2] {
    let bought = |at: usize| Level {
        iops: promise.settable_iops.and_then(|bounds| bounds[at]),
        bytes_per_s: promise.settable_bytes_per_s.and_then(|bounds| bounds[at]),
    };
    [("row-level-smallest", bought(0)), ("row-level-largest", bought(1))]
}

/// Whether half of such a row is missing, so that it would be taken for the whole.
fn is_half(promise: &Promise, level: &Level) -> bool {
    let sells_both = promise.settable_iops.is_some() && promise.settable_bytes_per_s.is_some();
    sells_both && level.iops.is_some() != level.bytes_per_s.is_some()
}

/// The rows of purchases that the table leaves out, since half of them depends on a size that is
/// not given.
pub fn left_out(promise: &Promise) -> Option<Message> {
    let mut half = ends(promise).into_iter().filter(|(_, level)| is_half(promise, level));
    half.next().filter(|_| promise.size_bytes.is_none()).map(|(end, _)| Message::new(end))
}

/// Every stated level, with its meaning.
fn levels(promise: &Promise) -> Vec<(Message, Level)> {
    let mut rows: Vec<(Message, Level)> = Vec::new();
    if !promise.is_empty() {
        rows.extend(ways(promise.read, promise.write));
    }
    if let Some(burst) = &promise.burst {
        let in_burst = |way| Message::new("row-level-burst").part("way", way);
        let levels = ways(burst.read, burst.write).into_iter();
        rows.extend(levels.map(|(way, level)| (in_burst(way), level)));
    }
    let bought = ends(promise).into_iter().filter(|(_, level)| !is_half(promise, level));
    rows.extend(bought.map(|(end, level)| (Message::new(end), level)));
    let others = promise.measured.iter().flat_map(|point| {
        let size = decimal_bytes(point.size_bytes as u64);
        let measured =
            |way| Message::new("row-level-measured").with("size", &size).part("way", way);
        [(measured(reads()), point.read), (measured(writes()), point.write)]
    });
    rows.extend(others);
    rows.retain(|(_, level)| *level != Level::default());
    rows
}

fn reads() -> Message {
    Message::new("row-level-reads")
}

fn writes() -> Message {
    Message::new("row-level-writes")
}

/// One row for both directions, or where they differ one for each.
fn ways(read: Level, write: Level) -> Vec<(Message, Level)> {
    match read == write {
        true => vec![(Message::new("row-level-both"), read)],
        false => vec![(reads(), read), (writes(), write)],
    }
}

/// Expected figures at block sizes, with one client and enough I/Os outstanding.
pub fn at_blocks(promise: &Promise, screen: &Screen) -> String {
    let rows = rows_at_blocks(promise, screen.lang);
    if rows.is_empty() {
        return String::new();
    }
    let mut table = TextTable::new();
    let mut header = heading(&["", "IOPS", "MB/s"]);
    header.push(cell(word("limited by")));
    table.row(header);
    rows.into_iter().for_each(|row| table.row(row));
    let title = "What that comes to (random, direct, enough I/Os outstanding, no burst)";
    format!("\n{}{}", wrapped(word(title), screen.width, "", "  "), table.text(screen))
}

/// A row for each block size, and where reads and writes differ, one for each.
fn rows_at_blocks(promise: &Promise, lang: Lang) -> Vec<Vec<TextCell>> {
    let mut rows = Vec::new();
    for block_bytes in BLOCKS {
        let at = promise.at_block_size(block_bytes);
        let ways = match at.read == at.write {
            true => vec![(None, at.read)],
            false => vec![(Some(reads()), at.read), (Some(writes()), at.write)],
        };
        for (way, reach) in ways {
            let Some(reach) = reach else { continue };
            let block = binary_bytes(block_bytes);
            let what = match way {
                Some(way) => Message::new("row-block-size").with("block", block).part("way", way),
                None => Message::verbatim(block),
            };
            rows.push(expected(&what, &reach, lang));
        }
    }
    rows
}

fn expected(what: &Message, reach: &Reachable, lang: Lang) -> Vec<TextCell> {
    vec![
        cell(format!(" {}", what.text(lang))),
        right(thousands(reach.iops)),
        right(megabytes_per_s(reach.bytes_per_s / 1e6)),
        cell(reach.bound.words().text(lang)),
    ]
}
