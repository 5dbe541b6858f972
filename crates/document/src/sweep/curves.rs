//! A sweep as in a chart: one curve for each combination of the axes but one.
//!
//! The bottom axis is that of clients, otherwise the scale with the most values: of equals, the
//! mix, then depth, then jobs, then as given. Without a scale it is the axis with the most values.
//! All rounds of a case are one point, with the value of each round, so that their spread is
//! visible.

use super::cap::{Raised, cap_across};
use super::curve::{Curve, Headline, Point};
use super::document::{CaseRecord, SweepDocument};
use super::question::{AxisRecord, CLIENTS, NCONNECT, RWMIX};
use super::values::Value;
use crate::setting::Setting;
use fathom_analysis::CaseFigures;
use fathom_analysis::verdicts::{Answer, Verdict};
use fathom_analysis::{
    Cap, CapFinding, ConnectionFinding, ConnectionRate, Knee, LoadKind, LoadPoint,
};
use fathom_stats::RunResult;

/// Blocks from this size on are about bytes a second, as in case E's charts.
const LARGE_BLOCK_BYTES: u64 = 64 << 10;

/// The curves of a document, in the order of the cases; those without any run are left out.
pub fn curves(document: &SweepDocument) -> Vec<Curve> {
    let axes = &document.plan.axes;
    let Some(bottom) = bottom(axes) else { return Vec::new() };
    let mut order: Vec<&CaseRecord> = document.cases.iter().collect();
    order.sort_by_key(|record| record.id());
    order.sort_by_key(|record| record.case);
    let mut curves: Vec<(Vec<Setting>, Vec<&CaseRecord>)> = Vec::new();
    for record in order {
        let others = others(record, bottom, axes);
        match curves.iter_mut().find(|(settings, _)| *settings == others) {
            Some((_, records)) => records.push(record),
            None => curves.push((others, vec![record])),
        }
    }
    curves.into_iter().map(|(settings, records)| curve(settings, bottom, &records)).collect()
}

/// The axis along the bottom.
fn bottom(axes: &[AxisRecord]) -> Option<&AxisRecord> {
    let rank = |axis: &&AxisRecord| match axis.name.as_str() {
        RWMIX => 3,
        "iodepth" => 2,
        "numjobs" => 1,
        _ => 0,
    };
    let network = |axis: &&AxisRecord| match axis.name.as_str() {
        CLIENTS => 2,
        NCONNECT => 1,
        _ => 0,
    };
    let key = |axis: &&AxisRecord| (network(axis), axis.is_scale(), axis.values.len(), rank(axis));
    // Of equal values `max_by_key` returns the last, which is the innermost.
    axes.iter().filter(|axis| axis.varies()).max_by_key(key)
}

/// A record's values on the other axes that vary.
fn others(record: &CaseRecord, bottom: &AxisRecord, axes: &[AxisRecord]) -> Vec<Setting> {
    let varies = |name: &str| axes.iter().any(|a| a.name == name && a.varies());
    let other = |s: &&Setting| s.axis != bottom.name && varies(&s.axis);
    record.settings.iter().filter(other).cloned().collect()
}

fn curve(settings: Vec<Setting>, bottom: &AxisRecord, records: &[&CaseRecord]) -> Curve {
    let mut points = Vec::new();
    let mut loads = Vec::new();
    for value in &bottom.values {
        let is_here = |s: &Setting| s.axis == bottom.name && s.value == *value;
        let here: Vec<&CaseRecord> =
            records.iter().copied().filter(|r| r.settings.iter().any(is_here)).collect();
        let Some(first) = here.first() else { continue };
        let point = point(value.clone(), Value::of(value).position(), first.case, &here);
        loads.extend(load_point(&point));
        points.push(point);
    }
    let kind = match bottom.name.as_str() {
        "iodepth" => Some(LoadKind::Depth),
        "numjobs" => Some(LoadKind::Jobs),
        CLIENTS => Some(LoadKind::Clients),
        _ => None,
    };
    if bottom.name == CLIENTS {
        add_scaling(&mut points);
    }
    let cap = cap(bottom, &points, records);
    let connections = (bottom.name == NCONNECT).then(|| over_connections(&points)).flatten();
    Curve {
        cap,
        connections,
        knee: kind.map(|kind| Knee::find(kind, &loads)),
        headline: headline(bottom, records),
        axis: bottom.name.clone(),
        settings,
        points,
    }
}

/// The gain from more connections.
fn over_connections(points: &[Point]) -> Option<ConnectionFinding> {
    let rate = |point: &Point| {
        let (connections, figures) = (point.position?, point.figures.as_ref()?);
        Some(ConnectionRate { connections, mb_per_s: figures.total.mb_per_s })
    };
    ConnectionFinding::of(&points.iter().filter_map(rate).collect::<Vec<_>>())
}

/// The cap on the rate while depth or block size grows. Paced cases are excluded: their own rate
/// would be found.
fn cap(bottom: &AxisRecord, points: &[Point], records: &[&CaseRecord]) -> Option<Cap> {
    let raised = match bottom.name.as_str() {
        "iodepth" | "numjobs" => Raised::Depth,
        "bs" => Raised::BlockSize,
        _ => return None,
    };
    let paced = |verdict: &Verdict| {
        matches!(verdict.answer, Answer::Capped(CapFinding::Paced { .. }) | Answer::OpenLoop(_))
    };
    if records.iter().any(|record| record.verdicts.iter().any(paced)) {
        return None;
    }
    let with_load = |point: &Point| {
        let figures = point.figures?;
        let load = match raised {
            Raised::Depth => u64::from(figures.total.identity.depth),
            Raised::BlockSize => point.position?,
        };
        Some((load, figures))
    };
    let points: Vec<_> = points.iter().filter_map(with_load).collect();
    let block = records.first().and_then(|record| record.block_bytes);
    cap_across(raised, &points, block.filter(|_| raised == Raised::Depth))
}

fn point(value: String, position: Option<u64>, case: usize, rounds: &[&CaseRecord]) -> Point {
    let with_figures = rounds.iter().filter(|record| record.figures.is_some());
    let (results, rounds_iops): (Vec<&RunResult>, Vec<f64>) = with_figures
        .filter_map(|r| Some((r.result.as_ref()?, r.figures.as_ref()?.total.iops)))
        .unzip();
    let figures = match rounds.first() {
        // The depth that a single run found to be in force, with a synchronous engine 1 a job.
        Some(first) => {
            let depth = rounds.iter().find_map(|r| Some(r.figures.as_ref()?.total.identity.depth));
            CaseFigures::of(&results, depth.unwrap_or(first.depth), first.block_bytes)
        }
        None => None,
    };
    let failures = rounds.iter().filter_map(|record| record.failure.clone()).collect();
    Point { value, position, case, figures, rounds_iops, failures, scaling_percent: None }
}

/// Sets the rate per client relative to that with the fewest clients.
fn add_scaling(points: &mut [Point]) {
    let each = |point: &Point| {
        let clients = point.position.filter(|clients| *clients > 0)?;
        Some(point.figures.as_ref()?.total.iops / clients as f64)
    };
    let Some(alone) = points.first().and_then(each).filter(|iops| *iops > 0.0) else { return };
    for point in points {
        // Divided first: where both are one point, this is exactly 100.
        point.scaling_percent = each(point).map(|iops| 100.0 * (iops / alone));
    }
}

fn load_point(point: &Point) -> Option<LoadPoint> {
    let total = point.figures.as_ref()?.total;
    Some(LoadPoint { load: point.position?, iops: total.iops, latency_ns: total.mean_ns })
}

fn headline(bottom: &AxisRecord, records: &[&CaseRecord]) -> Headline {
    let large =
        |record: &&CaseRecord| record.block_bytes.is_none_or(|bytes| bytes >= LARGE_BLOCK_BYTES);
    match bottom.name == "bs" || records.iter().all(large) {
        true => Headline::Throughput,
        false => Headline::Iops,
    }
}
