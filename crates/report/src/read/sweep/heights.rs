//! The figures of a cell as points of charts, with whiskers from its rounds.

use super::grid::{GridCell, GridLine, Panel};
use crate::model::{ChartAxis, ChartPoint};
use crate::read::drawing::{at, bytes_axis, iops_axis, megabytes, rate};
use fathom_message::Lang;

/// The figure for a case's speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speed {
    Iops,
    Bytes,
}

/// Blocks from this size on are about bytes a second, as in the curves of a sweep.
const LARGE_BYTES: u64 = 64 << 10;

impl Speed {
    /// The figure for the cells of a chart.
    pub fn of(panel: &Panel) -> Speed {
        Speed::of_cells(panel.cells())
    }

    /// The same for the cells of a line.
    pub fn of_line(line: &GridLine) -> Speed {
        Speed::of_cells(line.cells.iter().copied())
    }

    fn of_cells<'c, 'd: 'c>(mut cells: impl Iterator<Item = &'c GridCell<'d>>) -> Speed {
        let is_large = |cell: &GridCell| cell.record.block_bytes.is_some_and(|b| b >= LARGE_BYTES);
        if cells.all(is_large) { Speed::Bytes } else { Speed::Iops }
    }

    /// Its axis.
    pub fn axis(self, lang: Lang) -> ChartAxis {
        match self {
            Speed::Iops => iops_axis(lang),
            Speed::Bytes => bytes_axis(lang),
        }
    }

    /// Of a cell.
    pub fn value(self, cell: &GridCell) -> f64 {
        match self {
            Speed::Iops => cell.figures.total.iops,
            Speed::Bytes => cell.figures.total.mb_per_s * 1e6,
        }
    }

    /// A value in a sentence.
    pub fn shown(self, value: f64) -> String {
        match self {
            Speed::Iops => rate(value),
            Speed::Bytes => megabytes(value),
        }
    }

    /// A point of a cell at `x`; its whisker spans the rounds.
    pub fn point(self, cell: &GridCell, x: f64) -> ChartPoint {
        let height = self.value(cell);
        let iops = cell.figures.total.iops;
        let scale = if iops > 0.0 { height / iops } else { 0.0 };
        let rounds = || cell.rounds_iops.iter().map(|round| round * scale);
        let several = cell.rounds_iops.len() > 1;
        ChartPoint {
            low: several.then(|| rounds().fold(f64::MAX, f64::min)),
            high: several.then(|| rounds().fold(f64::MIN, f64::max)),
            ..at(x, height)
        }
    }
}

/// The fastest of some cells, of equals the first.
pub(super) fn fastest<'c, 'a: 'c>(
    speed: Speed,
    cells: impl Iterator<Item = &'c GridCell<'a>>,
) -> Option<&'c GridCell<'a>> {
    cells.reduce(|best, cell| if speed.value(cell) > speed.value(best) { cell } else { best })
}
