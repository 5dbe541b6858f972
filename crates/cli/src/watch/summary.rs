//! The watched time in a few lines: totals, and after enough intervals the minimum, mean and
//! maximum of each rate. Of a few intervals these would repeat the lines above.

use super::column::{ColumnWeight, LineRates, SubjectKind, WatchColumn, cell, figure, name_width};
use super::format::End;
use crate::language::word;
use crate::terminal::screen::{Screen, from_left, wrapped};
use fathom_analysis::quantity;
use fathom_campaign::{decimal_bytes, seconds};
use fathom_host::DiskStats;
use fathom_monitor::{Summary, Watched};

/// Intervals from which on extremes and a mean say more than the intervals themselves.
const ENOUGH: u64 = 10;

/// The whole summary, after an empty line.
pub fn whole(end: &End<'_>, screen: &Screen) -> String {
    let told: Vec<(&Watched, &Summary)> = end
        .watched
        .iter()
        .zip(end.summaries)
        .filter_map(|(watched, summary)| Some((watched, summary.as_ref()?)))
        .collect();
    if told.is_empty() {
        return format!("\n{}\n", word("No interval passed."));
    }
    let width = name_width(end.watched);
    told.into_iter().map(|(watched, summary)| subject(watched, summary, width, screen)).collect()
}

fn subject(watched: &Watched, summary: &Summary, width: usize, screen: &Screen) -> String {
    let name = from_left(&watched.name, width.max(7) + 2);
    let totals = totals(summary);
    if intervals(summary).0 < ENOUGH {
        return format!("\n{}", wrapped(&totals, screen.width, &name, "  "));
    }
    let heads: String = ["min", "mean", "max"].map(cell).concat();
    let rates = LineRates::of_summary(summary);
    let columns = SubjectKind::of(&watched.subject).columns();
    let rows = columns.iter().filter(|column| is_told(column, rates));
    let row = |column: &WatchColumn| {
        let figure = |rates| cell(&figure((column.value)(rates), column.places));
        format!("  {:<width$}{}\n", column.title, rates.map(figure).concat(), width = width.max(7))
    };
    let rows: String = rows.map(row).collect();
    let text = format!("\n{name}{heads}\n{rows}");
    text + &wrapped(&totals, screen.width, "  ", "  ")
}

/// Details that were always zero are omitted.
fn is_told(column: &WatchColumn, [_, _, max]: [LineRates<'_>; 3]) -> bool {
    column.weight == ColumnWeight::Key || (column.value)(max).is_some_and(|value| value != 0.0)
}

/// How many there were, their time in seconds, and how often the counters began anew.
fn intervals(summary: &Summary) -> (u64, f64, u64) {
    match summary {
        Summary::Disk(sum) => (sum.intervals, sum.elapsed_s, sum.restarts),
        Summary::Nfs(sum) => (sum.intervals, sum.elapsed_s, sum.restarts),
        Summary::Memory(sum) => (sum.intervals, sum.elapsed_s, sum.restarts),
    }
}

fn totals(summary: &Summary) -> String {
    let (intervals, elapsed_s, restarts) = intervals(summary);
    let all = match summary {
        Summary::Disk(sum) => of_disk(&sum.totals),
        Summary::Nfs(sum) => {
            let operations = sum.totals.operations.iter().map(|kind| kind.operations).sum::<u64>();
            let (read, written) = (sum.totals.bytes.server_read, sum.totals.bytes.server_written);
            localized!(
                "{}, {} read, {} written",
                counted(operations, "request", "requests"),
                decimal_bytes(read),
                decimal_bytes(written)
            )
        }
        Summary::Memory(sum) => {
            let by = decimal_bytes(sum.totals.grown_bytes.unsigned_abs());
            let used = decimal_bytes(sum.totals.used_bytes);
            match sum.totals.grown_bytes < 0 {
                true => localized!("emptied by {by}, {used} used at the end"),
                false => localized!("filled by {by}, {used} used at the end"),
            }
        }
    };
    let text = localized!(
        "{intervals|1=1 interval|{intervals} intervals}, {}; in all {all}",
        seconds((elapsed_s * 1e6) as u64)
    );
    localized!(
        "{text}{restarts|0=|1=; the counters began anew once|; the counters began anew {restarts} \
         times}."
    )
}

fn of_disk(totals: &DiskStats) -> String {
    // Sectors of diskstats are 512 bytes, for any block size of the device.
    let bytes = |sectors: u64| decimal_bytes(sectors.saturating_mul(512));
    let mut text = format!(
        "{} ({}), {} ({})",
        counted(totals.read_ios, "read", "reads"),
        bytes(totals.read_sectors),
        counted(totals.write_ios, "write", "writes"),
        bytes(totals.write_sectors)
    );
    if totals.discard_ios > 0 {
        let discards = counted(totals.discard_ios, "discard", "discards");
        text += &format!(", {discards} ({})", bytes(totals.discard_sectors));
    }
    if totals.flush_ios > 0 {
        text += &format!(", {}", counted(totals.flush_ios, "flush", "flushes"));
    }
    text
}

/// `1 read`, `2,000 reads`, `3 flushes`.
fn counted(count: u64, one: &'static str, many: &'static str) -> String {
    localized!("{count} {count|1={one}|{many}}", count = quantity::count(count))
}
