//! A sweep as a grid: its axes with positions and names, and a cell for each case over all its
//! rounds.
//!
//! A chart has one bottom axis. Its lines distinguish the values of other axes, up to a maximum
//! number of lines; the remaining axes give separate charts, each a [`Panel`]. Beside
//! others, an axis with two values, above all the cache, gives pairs of charts side by side.

use crate::read::drawing::{direction_group, plain_group, slug};
use fathom_document::binary_bytes;
use fathom_document::sweep::{CACHE, CLIENTS, CaseRecord, RWMIX, SweepDocument};
use fathom_document::{CaseFigures, Setting};
use fathom_message::{Lang, Message, words};
use std::collections::HashMap;

/// The kind of an axis, for charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AxisKind {
    Depth,
    Jobs,
    Block,
    Mix,
    /// Any other scale.
    Scale,
    /// One of words.
    Words,
}

/// A value of an axis.
pub(super) struct GridValue {
    text: String,
    /// As people read it: `4 KiB`, `depth 16`.
    pub label: String,
    /// Its place on the scale, or its number in the list.
    pub place: f64,
}

/// An axis that varies.
pub(super) struct GridAxis {
    pub name: String,
    pub kind: AxisKind,
    pub values: Vec<GridValue>,
}

/// A case.
pub(super) struct GridCell<'a> {
    /// The index of its value on each axis.
    pub at: Vec<usize>,
    pub figures: CaseFigures,
    /// I/Os a second of each round.
    pub rounds_iops: Vec<f64>,
    /// Its first round.
    pub record: &'a CaseRecord,
}

/// All cases that have figures.
pub(super) struct Grid<'a> {
    pub axes: Vec<GridAxis>,
    pub cells: Vec<GridCell<'a>>,
}

impl GridAxis {
    fn read(name: &str, values: &[String], lang: Lang) -> GridAxis {
        let place = |text: &String| fathom_document::sweep::Value::of(text).position();
        let places: Option<Vec<u64>> = values.iter().map(place).collect();
        let kind = match (name, &places) {
            (_, None) => AxisKind::Words,
            ("iodepth", _) => AxisKind::Depth,
            ("numjobs", _) => AxisKind::Jobs,
            ("bs", _) => AxisKind::Block,
            (RWMIX, _) => AxisKind::Mix,
            _ => AxisKind::Scale,
        };
        let value = |(number, text): (usize, &String)| {
            let position = places.as_ref().and_then(|places| places.get(number).copied());
            GridValue {
                text: text.clone(),
                label: label(lang, name, kind, text, position),
                place: position.map_or(number as f64, |position| position as f64),
            }
        };
        let values = values.iter().enumerate().map(value).collect();
        GridAxis { name: name.to_owned(), kind, values }
    }

    fn index_of(&self, settings: &[Setting]) -> Option<usize> {
        let setting = settings.iter().find(|setting| setting.axis == self.name)?;
        self.values.iter().position(|value| value.text == setting.value)
    }
}

/// A value as people read it.
fn label(lang: Lang, name: &str, kind: AxisKind, text: &str, position: Option<u64>) -> String {
    match (kind, position) {
        (AxisKind::Block, Some(bytes)) => binary_bytes(bytes),
        (AxisKind::Depth, Some(depth)) => {
            Message::new("charts-label-depth").with("depth", depth).text(lang)
        }
        (AxisKind::Jobs, Some(jobs)) => {
            Message::new("charts-label-jobs").with("jobs", jobs).text(lang)
        }
        (AxisKind::Mix, _) => text.to_owned(),
        _ if name == CACHE && text == "in" => words(lang, "charts-label-cached"),
        _ if name == CACHE => words(lang, "charts-label-uncached"),
        _ if name == "rw" => text.to_owned(),
        _ => format!("{name}={text}"),
    }
}

impl<'a> Grid<'a> {
    /// The grid of a document.
    pub fn of(document: &'a SweepDocument, lang: Lang) -> Grid<'a> {
        let varying = document.plan.axes.iter().filter(|axis| axis.values.len() > 1);
        let axes: Vec<GridAxis> =
            varying.map(|axis| GridAxis::read(&axis.name, &axis.values, lang)).collect();
        let mut cells: Vec<GridCell> = measured(document)
            .into_iter()
            .filter_map(|(record, figures, rounds_iops)| {
                let places: Option<Vec<usize>> =
                    axes.iter().map(|axis| axis.index_of(&record.settings)).collect();
                Some(GridCell { at: places?, figures, rounds_iops, record })
            })
            .collect();
        cells.sort_by(|a, b| a.at.cmp(&b.at));
        cells.dedup_by(|a, b| a.at == b.at);
        Grid { axes, cells }
    }

    /// The axis of a kind.
    pub fn axis(&self, kind: AxisKind) -> Option<usize> {
        self.axes.iter().position(|axis| axis.kind == kind)
    }

    /// The axis of clients.
    pub fn clients(&self) -> Option<usize> {
        self.axes.iter().position(|axis| axis.name == CLIENTS)
    }

    /// A cell's values on the given axes, as text.
    pub fn label(&self, cell: &GridCell, axes: &[usize]) -> String {
        let labels = axes.iter().filter_map(|axis| {
            Some(self.axes.get(*axis)?.values.get(*cell.at.get(*axis)?)?.label.clone())
        });
        labels.collect::<Vec<_>>().join(", ")
    }

    /// A cell's values on all axes.
    pub fn title(&self, cell: &GridCell) -> String {
        self.label(cell, &(0..self.axes.len()).collect::<Vec<_>>())
    }

    /// A cell's position on an axis.
    pub fn place(&self, cell: &GridCell, axis: usize) -> f64 {
        self.axes[axis].values[cell.at[axis]].place
    }

    /// The panels of a kind of chart that uses the axes `within` itself (at its bottom, as its
    /// rows) and can show `most_lines` distinguishable lines.
    pub fn panels(&self, within: &[usize], most_lines: usize) -> Vec<Panel<'_, 'a>> {
        let others: Vec<usize> = (0..self.axes.len()).filter(|a| !within.contains(a)).collect();
        let lines: usize = others.iter().map(|axis| self.axes[*axis].values.len()).product();
        // Where nothing else varies the two of a pair are lines in one chart.
        let is_alone = others.len() == 1 && lines <= most_lines;
        let paired = self.paired(&others).filter(|_| !is_alone);
        let (mut outer, by_line) = self.split(&others, paired, most_lines);
        // Innermost, so that the two of a pair follow one another.
        outer.extend(paired);
        let mut panels: Vec<Panel> = Vec::new();
        let mut order: Vec<&GridCell> = self.cells.iter().collect();
        let key = |cell: &GridCell, axes: &[usize]| -> Vec<usize> {
            axes.iter().map(|axis| cell.at[*axis]).collect()
        };
        order.sort_by_key(|cell| (key(cell, &outer), key(cell, &by_line), key(cell, within)));
        for cell in order {
            let here = key(cell, &outer);
            if panels.last().is_none_or(|panel| panel.key != here) {
                panels.push(self.panel(cell, here, &outer, paired));
            }
            if let Some(panel) = panels.last_mut() {
                panel.put(cell, key(cell, &by_line), || self.label(cell, &by_line));
            }
        }
        panels
    }

    /// The axis that makes pairs: the cache, or another of two words that is no direction.
    fn paired(&self, others: &[usize]) -> Option<usize> {
        let two = |axis: &&usize| {
            let axis = &self.axes[**axis];
            axis.kind == AxisKind::Words && axis.values.len() == 2 && axis.name != "rw"
        };
        let cache = others.iter().find(|axis| self.axes[**axis].name == CACHE);
        cache.or(others.iter().find(two)).copied()
    }

    /// Axes that make charts, and axes that make lines: the innermost, as many as fit.
    fn split(
        &self,
        others: &[usize],
        paired: Option<usize>,
        most_lines: usize,
    ) -> (Vec<usize>, Vec<usize>) {
        let (mut outer, mut by_line, mut lines) = (Vec::new(), Vec::new(), 1);
        for axis in others.iter().rev().filter(|axis| Some(**axis) != paired) {
            lines *= self.axes[*axis].values.len();
            if lines <= most_lines { by_line.insert(0, *axis) } else { outer.insert(0, *axis) }
        }
        (outer, by_line)
    }

    fn panel<'g>(
        &'g self,
        cell: &GridCell,
        key: Vec<usize>,
        outer: &[usize],
        paired: Option<usize>,
    ) -> Panel<'g, 'a> {
        let others: Vec<usize> = outer.iter().copied().filter(|a| Some(*a) != paired).collect();
        let setting = |axis: &usize| {
            let axis_of = &self.axes[*axis];
            slug(&format!("{} {}", axis_of.name, axis_of.values[cell.at[*axis]].text))
        };
        let slugs = |axes: &[usize]| axes.iter().map(setting).collect::<Vec<_>>().join("-");
        Panel {
            key,
            note: self.label(cell, outer),
            slug: slugs(outer),
            pair: paired.map(|_| format!("pair-{}", slugs(&others))),
            lines: Vec::new(),
        }
    }
}

/// The cases with figures: over all rounds if there are curves, otherwise those of the first.
fn measured(document: &SweepDocument) -> Vec<(&CaseRecord, CaseFigures, Vec<f64>)> {
    let mut first: HashMap<usize, &CaseRecord> = HashMap::new();
    for record in document.cases.iter().filter(|record| record.figures.is_some()) {
        first.entry(record.case).or_insert(record);
    }
    let points = document.curves.iter().flat_map(|curve| &curve.points);
    let of_curves: Vec<_> = points
        .filter_map(|point| {
            Some((*first.get(&point.case)?, point.figures?, point.rounds_iops.clone()))
        })
        .collect();
    if !of_curves.is_empty() {
        return of_curves;
    }
    first.into_values().filter_map(|record| Some((record, record.figures?, Vec::new()))).collect()
}

/// One chart of a kind.
pub(super) struct Panel<'g, 'a> {
    key: Vec<usize>,
    /// The settings common to it.
    pub note: String,
    /// The same, fit for an id.
    pub slug: String,
    /// The settings that it shares with its partner.
    pub pair: Option<String>,
    pub lines: Vec<GridLine<'g, 'a>>,
}

/// Cells that differ only on the axes within the chart, in the order of these.
pub(super) struct GridLine<'g, 'a> {
    key: Vec<usize>,
    /// Empty if it is the only one.
    pub name: String,
    pub cells: Vec<&'g GridCell<'a>>,
}

impl<'g, 'a> Panel<'g, 'a> {
    fn put(&mut self, cell: &'g GridCell<'a>, key: Vec<usize>, name: impl Fn() -> String) {
        match self.lines.iter_mut().find(|line| line.key == key) {
            Some(line) => line.cells.push(cell),
            None => self.lines.push(GridLine { key, name: name(), cells: vec![cell] }),
        }
    }

    /// Its lines with their colours: by direction if that distinguishes them, so that reads and
    /// writes look alike in every chart.
    pub fn grouped(&self) -> Vec<(usize, &GridLine<'g, 'a>)> {
        let groups: Vec<Option<usize>> = self.lines.iter().map(GridLine::direction_group).collect();
        let apart = |at: usize| groups[at].is_some() && !groups[..at].contains(&groups[at]);
        let by_direction = (0..groups.len()).all(apart);
        let lines = self.lines.iter().enumerate();
        lines
            .map(|(at, line)| {
                let direction = groups[at].filter(|_| by_direction);
                (direction.unwrap_or_else(|| plain_group(at)), line)
            })
            .collect()
    }

    /// All its cells.
    pub fn cells(&self) -> impl Iterator<Item = &'g GridCell<'a>> {
        self.lines.iter().flat_map(|line| line.cells.iter().copied())
    }

    /// The id of its chart of a kind.
    pub fn id(&self, kind: &str) -> String {
        format!("{kind}-{}", self.slug)
    }

    /// The common name of its chart of a kind and its partner's.
    pub fn pair_of(&self, kind: &str) -> Option<String> {
        self.pair.as_ref().map(|pair| slug(&format!("{kind} {pair}")))
    }
}

impl GridLine<'_, '_> {
    /// The colour of its direction, if it has a single one.
    fn direction_group(&self) -> Option<usize> {
        let shares = &self.cells.first()?.figures.shares;
        let mut moved = shares.iter().filter(|(_, share)| share.is_some());
        let (direction, _) = moved.next()?;
        moved.next().is_none().then(|| direction_group(direction))
    }

    /// Its name where all lines show one figure: `4 KiB`, or alone `IOPS`.
    pub fn called(&self, figure: &str) -> String {
        if self.name.is_empty() { figure.to_owned() } else { self.name.clone() }
    }

    /// The name of one of its series: `4 KiB: p99`, or `p99` alone.
    pub fn series(&self, figure: &str) -> String {
        if self.name.is_empty() { figure.to_owned() } else { format!("{}: {figure}", self.name) }
    }
}
