//! The findings from published figures: the fastest volume, promises that were reached, throttles,
//! and slow volumes.

use super::file::{Mix, Published, PublishedDirection, Row};
use super::{promises, way_name};
use crate::model::ChartUnit;
use crate::read::drawing::{rate, shown};
use fathom_analysis::quantity::percent;
use fathom_analysis::{
    CapFinding, CapInputs, Humps, HumpsFinding, RateUnit, find_cap, find_humps_in_percentiles,
};
use fathom_document::latency;
use fathom_message::{Lang, Message};

/// This share of a promise counts as reaching it.
const ENOUGH: f64 = 0.95;
/// A 99th percentile of this many times the median is a wide distribution.
const WIDE: f64 = 5.0;

/// The answers, the first first.
pub(super) fn answers(published: &Published, lang: Lang) -> Vec<String> {
    let rows = &published.rows;
    let ways = [PublishedDirection::Read, PublishedDirection::Write].into_iter();
    let mut answers: Vec<String> = ways.filter_map(|way| fastest(rows, way, lang)).collect();
    answers.extend(rows.iter().filter_map(|row| beside_promise(row, lang)));
    answers.extend(rows.iter().filter_map(|row| throttled(row, lang)));
    answers.extend(slow_and_wide(rows, lang));
    if answers.is_empty() {
        answers.extend(rows.iter().filter_map(|row| by_identity(row, lang)));
    }
    answers.extend(pairs(&published.mixes, lang));
    let alone = published.mixes.iter().filter(|mix| mix.pair.is_none());
    answers.extend(alone.filter_map(|mix| ends(mix, lang)));
    if answers.is_empty() {
        answers.extend(rows.iter().map(|row| plain(row, lang)));
    }
    answers
}

/// The name of a row: `SSD 500 GB, reads`.
fn named(row: &Row, lang: Lang) -> String {
    format!("{}, {}", row.volume, way_name(row.way, lang).to_lowercase())
}

/// The fastest of several volumes and the slowest beside it.
fn fastest(rows: &[Row], way: PublishedDirection, lang: Lang) -> Option<String> {
    let of_way = || rows.iter().filter(|row| row.way == way);
    let best = of_way().max_by(|a, b| a.iops.total_cmp(&b.iops))?;
    let least = of_way().min_by(|a, b| a.iops.total_cmp(&b.iops))?;
    let times = best.iops / least.iops;
    if best.volume == least.volume || !times.is_finite() {
        return None;
    }
    let says = Message::new("charts-fastest")
        .with("way", way_name(way, lang))
        .with("best", &best.volume)
        .with("most", rate(best.iops))
        .with("least", &least.volume)
        .with("fewest", rate(least.iops))
        .with("times", format!("{times:.1}"));
    Some(says.text(lang))
}

/// A row compared with its promise; if it falls short, whether its load was sufficient.
fn beside_promise(row: &Row, lang: Lang) -> Option<String> {
    let promised = promises::promised(row).filter(|promised| *promised > 0.0)?;
    let share = Some(row.iops / promised).filter(|share| share.is_finite())?;
    let id = if share >= ENOUGH { "charts-promise-reached" } else { "charts-promise-short" };
    let says = Message::new(id)
        .with("row", named(row, lang))
        .with("measured", rate(row.iops))
        .with("promised", rate(promised))
        .with("share", percent(share * 100.0));
    let asked = row.computed_iops().filter(|most| share < ENOUGH && *most < promised * ENOUGH);
    let bound = asked.map(|most| {
        Message::new("charts-asked-no-more")
            .with("in_flight", row.in_flight.unwrap_or_default())
            .with("mean", latency(row.mean_ns().unwrap_or_default()))
            .with("most", rate(most))
            .text(lang)
    });
    let swung = row.max_iops.filter(|most| *most > promised && share >= ENOUGH).map(|most| {
        let least = rate(row.min_iops.unwrap_or_default());
        Message::new("charts-burst-then-cap")
            .with("most", rate(most))
            .with("least", least)
            .text(lang)
    });
    let parts = [Some(says.text(lang)), bound, swung];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Two humps of latency, and whether they and the rate show a throttle.
fn throttled(row: &Row, lang: Lang) -> Option<String> {
    let HumpsFinding::Two(humps) = find_humps_in_percentiles(&row.percentiles_ns()) else {
        return None;
    };
    let id = match is_capped(row, &humps) {
        true => "charts-humps-throttle",
        false => "charts-humps",
    };
    let says = Message::new(id)
        .with("row", named(row, lang))
        .with("low", latency(humps.low_ns as f64))
        .with("high", latency(humps.high_ns as f64))
        .with("share", percent(humps.share_high * 100.0))
        .with("rate", rate(row.iops));
    Some(says.text(lang))
}

fn is_capped(row: &Row, humps: &Humps) -> bool {
    let inputs = CapInputs {
        unit: RateUnit::Ios,
        rate: row.iops,
        block_bytes: Some(row.block_kib * 1024),
        depth: row.in_flight.map(|in_flight| in_flight as u32),
        humps: Some(humps),
        ..CapInputs::default()
    };
    matches!(find_cap(&inputs), CapFinding::Capped(_))
}

/// The slowest volume, where its latencies are known to be wide.
fn slow_and_wide(rows: &[Row], lang: Lang) -> Option<String> {
    let slowest = rows.iter().filter(|row| row.percentiles_ms.len() > 1);
    let slowest = slowest.min_by(|a, b| a.iops.total_cmp(&b.iops))?;
    let at = |percent: f64| {
        let known = slowest.percentiles_ns();
        known.into_iter().find(|pair| pair.0 == percent).map(|pair| pair.1 as f64)
    };
    let (p50, p99) = (at(50.0)?, at(99.0)?);
    let faster = rows.iter().any(|row| row.volume != slowest.volume && row.iops > slowest.iops);
    if !faster || p50 <= 0.0 || p99 < WIDE * p50 {
        return None;
    }
    let says = Message::new("charts-slow-and-wide")
        .with("row", named(slowest, lang))
        .with("rate", rate(slowest.iops))
        .with("p50", latency(p50))
        .with("p99", latency(p99))
        .with("times", format!("{:.0}", p99 / p50));
    Some(says.text(lang))
}

/// Depth / mean latency, compared with the measured rate.
fn by_identity(row: &Row, lang: Lang) -> Option<String> {
    let says = Message::new("charts-identity")
        .with("row", named(row, lang))
        .with("in_flight", row.in_flight?)
        .with("mean", latency(row.mean_ns()?))
        .with("computed", rate(row.computed_iops()?))
        .with("measured", rate(row.iops))
        .with("bytes", shown(ChartUnit::BytesPerS, row.bytes_per_s()));
    Some(says.text(lang))
}

fn plain(row: &Row, lang: Lang) -> String {
    let says = Message::new("charts-row").with("row", named(row, lang));
    says.with("rate", rate(row.iops)).text(lang)
}

/// Heights of a sweep at pure reads and pure writes, with their unit.
fn heights(mix: &Mix) -> Option<(ChartUnit, f64, f64)> {
    let bytes = mix.is_bytes();
    let at = |percent: f64| {
        mix.points.iter().find(|point| point.reads_percent == percent)?.height(bytes)
    };
    let unit = if bytes { ChartUnit::BytesPerS } else { ChartUnit::Iops };
    Some((unit, at(100.0)?, at(0.0)?))
}

/// The rates at both ends of a sweep.
fn ends(mix: &Mix, lang: Lang) -> Option<String> {
    let (unit, reads, writes) = heights(mix)?;
    let says = Message::new("charts-mix-named")
        .with("name", mix.name.text(lang))
        .with("reads", shown(unit, reads))
        .with("writes", shown(unit, writes));
    Some(says.text(lang))
}

/// The comparison of a pair.
fn pairs(mixes: &[Mix], lang: Lang) -> Vec<String> {
    let beside = |(place, mix): (usize, &Mix)| {
        let of_pair = |other: &&Mix| other.pair == mix.pair;
        let partner = mixes[place + 1..].iter().find(of_pair).filter(|_| mix.pair.is_some())?;
        let ((unit, reads, writes), (_, others_reads, others_writes)) =
            (heights(mix)?, heights(partner)?);
        let says = Message::new("charts-mix-pair")
            .with("name", mix.name.text(lang))
            .with("other", partner.name.text(lang))
            .with("reads", shown(unit, reads))
            .with("writes", shown(unit, writes))
            .with("others_reads", shown(unit, others_reads))
            .with("others_writes", shown(unit, others_writes));
        Some(says.text(lang))
    };
    mixes.iter().enumerate().filter_map(beside).collect()
}
