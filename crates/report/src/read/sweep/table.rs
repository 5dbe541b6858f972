//! Every case of a sweep in one table: its settings, its figures over all rounds, and failures.

use super::grid::{Grid, GridCell};
use crate::model::{ChartUnit, Column, Table, TableCell};
use crate::read::tables::{add_network, number};
use fathom_analysis::LatencyParts;
use fathom_document::Share;
use fathom_document::sweep::{CaseRecord, SweepDocument};
use fathom_message::{Lang, Message, words};

/// A column of figures: its name for programs, for people, and its unit.
type Figure = (&'static str, &'static str, ChartUnit);

/// The figures of a case in the order of their columns.
const FIGURES: [Figure; 11] = [
    ("iops", "charts-axis-iops", ChartUnit::Iops),
    ("read_iops", "report-column-reads", ChartUnit::Iops),
    ("write_iops", "report-column-writes", ChartUnit::Iops),
    ("bytes_per_s", "charts-axis-mbps", ChartUnit::BytesPerS),
    ("mean_ns", "charts-mean-latency", ChartUnit::Ns),
    ("p50_ns", "charts-p50", ChartUnit::Ns),
    ("p99_ns", "charts-p99", ChartUnit::Ns),
    ("p999_ns", "charts-p999", ChartUnit::Ns),
    ("max_ns", "charts-max", ChartUnit::Ns),
    ("rounds", "charts-rounds", ChartUnit::Plain),
    ("spread_percent", "charts-spread", ChartUnit::Percent),
];

/// The table, case by case; failed ones are last.
pub(super) fn cases(document: &SweepDocument, grid: &Grid, lang: Lang) -> Table {
    let axes = document.plan.axes.iter();
    let setting = |name: &str| Column { key: name.to_owned(), name: name.to_owned(), unit: None };
    let figure = |(key, name, unit): Figure| Column {
        key: key.to_owned(),
        name: Message::new(name).text(lang),
        unit: Some(unit),
    };
    let why = Column { key: "failure".to_owned(), name: words(lang, "charts-failure"), unit: None };
    let mut columns: Vec<Column> =
        axes.map(|axis| setting(&axis.name)).chain(FIGURES.map(figure)).chain([why]).collect();
    let measured = grid.cells.iter().map(|cell| row(document, cell));
    let failed = document.cases.iter().filter(|record| record.failure.is_some());
    let mut rows: Vec<Vec<TableCell>> =
        measured.chain(failed.map(|record| failed_row(document, record))).collect();
    let parts = |cell: &GridCell| LatencyParts::of_run(cell.record.result.as_ref()?, "");
    let times = grid.cells.iter().map(|cell| parts(cell).map(|of| of.network_ns));
    let unknown = std::iter::repeat_n(None, rows.len() - grid.cells.len());
    add_network(&mut columns, &mut rows, times.chain(unknown), lang);
    Table { id: "cases".to_owned(), title: words(lang, "charts-cases"), columns, rows }
}

/// The settings of a case as cells, in the order of the axes.
pub(in crate::read) fn settings<'d>(
    document: &'d SweepDocument,
    record: &'d CaseRecord,
) -> impl Iterator<Item = TableCell> + 'd {
    document.plan.axes.iter().map(|axis| {
        let setting = record.settings.iter().find(|setting| setting.axis == axis.name);
        setting.map_or(TableCell::Nothing, |setting| TableCell::Text(setting.value.clone()))
    })
}

fn row(document: &SweepDocument, cell: &GridCell) -> Vec<TableCell> {
    let total = &cell.figures.total;
    let rounds = &cell.rounds_iops;
    let (least, most) = rounds
        .iter()
        .fold((f64::MAX, f64::MIN), |(least, most), round| (least.min(*round), most.max(*round)));
    let spread =
        (rounds.len() > 1 && total.iops > 0.0).then(|| number((most - least) / total.iops * 100.0));
    // Of a case in one direction the sum says it.
    let shares = cell.figures.shares;
    let is_mixed = shares.read.is_some() && shares.write.is_some();
    let of = |share: Option<Share>| {
        share.filter(|_| is_mixed).map_or(TableCell::Nothing, |share| number(share.iops))
    };
    let figures = [
        number(total.iops),
        of(shares.read),
        of(shares.write),
        number(total.mb_per_s * 1e6),
        number(total.mean_ns),
        number(total.p50_ns as f64),
        number(total.p99_ns as f64),
        number(total.p999_ns as f64),
        number(total.max_ns as f64),
        number(rounds.len().max(1) as f64),
    ];
    let rest = [spread.unwrap_or(TableCell::Nothing), TableCell::Nothing];
    settings(document, cell.record).chain(figures).chain(rest).collect()
}

fn failed_row(document: &SweepDocument, record: &CaseRecord) -> Vec<TableCell> {
    let nothing = FIGURES.iter().map(|_| TableCell::Nothing);
    let why = record.failure.clone().map_or(TableCell::Nothing, TableCell::Text);
    settings(document, record).chain(nothing).chain([why]).collect()
}
