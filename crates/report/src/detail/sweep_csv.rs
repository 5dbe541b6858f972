//! A sweep for a spreadsheet: a line for each run, sorted by case, with units in the heading and
//! not in the cells (RFC 4180, with `\n` line ends).

use crate::csv_rows;
use crate::read::date;
use fathom_document::Share;
use fathom_document::sweep::{AxisRecord, CaseRecord, SweepDocument};

/// The whole table.
pub fn sweep_csv(document: &SweepDocument) -> String {
    let mut records: Vec<&CaseRecord> = document.cases.iter().collect();
    records.sort_by_key(|record| (record.case, record.round));
    let axes = &document.plan.axes;
    let lines = records.into_iter().map(|record| {
        let mut cells = row(record, axes);
        cells.extend(origin(document, record));
        cells
    });
    csv_rows(std::iter::once(heading(axes)).chain(lines))
}

const TOTAL: [&str; 7] = ["iops", "mb_per_s", "mean_us", "p50_us", "p99_us", "p999_us", "max_us"];
const SHARE: [&str; 4] = ["iops", "mb_per_s", "mean_us", "p99_us"];

fn heading(axes: &[AxisRecord]) -> Vec<String> {
    let mut cells = vec!["case".to_owned(), "round".to_owned()];
    cells.extend(axes.iter().map(|axis| axis.name.clone()));
    cells.extend(TOTAL.map(str::to_owned));
    for way in ["read", "write"] {
        cells.extend(SHARE.map(|name| format!("{way}_{name}")));
    }
    cells.extend(["cut_short", "failure", "command", "host", "began"].map(str::to_owned));
    cells
}

/// The host of the run, and when the sweep began, so that several files can be told apart.
fn origin(document: &SweepDocument, record: &CaseRecord) -> [String; 2] {
    let session = document.sessions.get(record.session);
    let host = session.and_then(|session| session.setup.host.hostname.clone());
    [host.unwrap_or_default(), date(document.head.started_ms).unwrap_or_default()]
}

/// Cases and rounds count from 1, as in everything else that people see.
fn row(record: &CaseRecord, axes: &[AxisRecord]) -> Vec<String> {
    let mut cells = vec![(record.case + 1).to_string(), (record.round + 1).to_string()];
    let value = |axis: &AxisRecord| {
        let setting = record.settings.iter().find(|setting| setting.axis == axis.name);
        setting.map(|setting| setting.value.clone()).unwrap_or_default()
    };
    cells.extend(axes.iter().map(value));
    let total = record.figures.as_ref().map(|figures| figures.total);
    let times = total
        .map(|t| [t.mean_ns, t.p50_ns as f64, t.p99_ns as f64, t.p999_ns as f64, t.max_ns as f64]);
    cells.extend(
        total.map_or([const { String::new() }; 2], |t| [number(t.iops), number(t.mb_per_s)]),
    );
    cells.extend(times.map_or([const { String::new() }; 5], |times| times.map(micros)));
    let shares = record.figures.as_ref().map(|figures| figures.shares).unwrap_or_default();
    cells.extend(share(shares.read));
    cells.extend(share(shares.write));
    cells.push(u8::from(record.cut_short).to_string());
    cells.push(record.failure.clone().unwrap_or_default());
    cells.push(record.command.clone());
    cells
}

fn share(share: Option<Share>) -> [String; 4] {
    share.map_or([const { String::new() }; 4], |share| {
        let Share { iops, mb_per_s, mean_ns, p99_ns, .. } = share;
        [number(iops), number(mb_per_s), micros(mean_ns), micros(p99_ns as f64)]
    })
}

fn number(value: f64) -> String {
    format!("{value:.3}")
}

fn micros(ns: f64) -> String {
    number(ns / 1e3)
}
