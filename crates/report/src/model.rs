//! The content of a report: plain data, in the reader's language, ready for any format.
//!
//! Numbers are in base units (I/Os a second, bytes a second, nanoseconds, seconds, bytes, percent),
//! each with its [`ChartUnit`], and are formatted only for display.

use fathom_analysis::{RowOutcome, Tone};
use fathom_message::{Lang, words};
use serde::{Deserialize, Serialize};

/// A report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Language of all its texts.
    pub lang: Lang,
    /// Its title: `4k random reads on /mnt/ssd`.
    pub title: String,
    /// Where and when, in a line under the title: `web-3, 2026-08-21 14:03 UTC`. May be empty.
    #[serde(default)]
    pub origin: String,
    /// Date, host, volume, kernel, version.
    pub facts: Vec<Fact>,
    /// The answer in a sentence or two, before anything else: which volume is faster, where the
    /// limit is.
    pub answers: Vec<String>,
    /// What explains the first answer, in full view: for which storage the latency is usual, what
    /// sets a cap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The figures at the top, at most four.
    #[serde(default)]
    pub tiles: Vec<Tile>,
    /// The changes between compared runs, or the answers of runs of several kinds: in full view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Table>,
    /// What compared volumes gave, side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volumes: Option<Table>,
    /// The verdicts, the worst first.
    pub verdicts: Vec<Statement>,
    /// The charts, the most important first.
    pub charts: Vec<Chart>,
    /// Every figure. The first table is the data for `--csv`.
    pub tables: Vec<Table>,
    /// How to get each figure again.
    pub repeat: Vec<Repeat>,
}

/// A fact about the measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Its name: `Host`, `File system`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// One of the large figures at the top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tile {
    /// Its name: `Random reads`, or a volume.
    pub name: String,
    /// The figure, or a word.
    pub value: TableCell,
    /// The unit of a number.
    #[serde(default)]
    pub unit: ChartUnit,
    /// Its settings: `4 KiB random read, QD 32`. May be empty.
    pub detail: String,
    /// Whether it meets a limit, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<RowOutcome>,
}

/// A verdict or a remark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Whether a limit was met, if it is about one; the trust in its figures is a separate scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<RowOutcome>,
    /// How it bears on the figures.
    pub tone: Tone,
    /// Its subject, if the report has several: a phase, a volume. May be empty.
    pub about: String,
    /// The whole sentence.
    pub sentence: String,
}

/// A command that measures something again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// Its measurement.
    pub what: String,
    /// The command, in one line.
    pub command: String,
}

/// A chart: its content, not its drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Its name in links and file names: lower-case letters, digits and `-`; each once in a report.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its content in a sentence, for screen readers.
    pub says: String,
    /// Settings common to the whole chart: `4 KiB, QD 32, O_DIRECT`. May be empty.
    pub note: String,
    /// Along the bottom.
    pub x: ChartAxis,
    /// The left axis, and optionally a right one. For a heat map, the rows and the colours.
    pub y: Vec<ChartAxis>,
    /// The series, in the order of the legend.
    pub series: Vec<ChartSeries>,
    /// Stretches of the bottom axis: ramp, steady window.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<Band>,
    /// Lines across: a promise, a cap, a knee.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// What the limits of its bullets are called: `promised`, or `limit`. Empty without bullets.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stated: String,
    /// Consecutive charts with the same name here are side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<String>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChartAxis {
    /// Its name: `I/O depth`, `Latency`.
    pub name: String,
    /// The unit of its numbers.
    pub unit: ChartUnit,
    /// How they are spread.
    pub scale: Scale,
    /// Minimum and maximum that must fit: common to charts side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<[f64; 2]>,
}

impl ChartAxis {
    /// An axis with the length that its data need.
    pub fn new(name: impl Into<String>, unit: ChartUnit, scale: Scale) -> ChartAxis {
        ChartAxis { name: name.into(), unit, scale, ends: None }
    }
}

/// The unit of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChartUnit {
    /// A count or a place, no unit.
    #[default]
    Plain,
    /// I/Os a second.
    Iops,
    /// Bytes a second, shown in decimal MB/s.
    BytesPerS,
    /// Nanoseconds, shown in us, ms or s.
    Ns,
    /// Seconds.
    Seconds,
    /// Bytes of a block, shown binary.
    BlockBytes,
    /// Bytes of a volume, shown decimal.
    VolumeBytes,
    /// Percent.
    Percent,
    /// Milliseconds since 1970, shown as date and time.
    UnixMs,
}

/// How an axis is spread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Evenly, from zero for bars.
    Linear,
    /// By powers of ten.
    Log10,
    /// By powers of two.
    Log2,
    /// Percentiles by their nines: 50, 90, 99, 99.9 … each one step; numbers are percentiles.
    Nines,
    /// Names, one place each, from 0.
    Names(Vec<String>),
}

/// One thing that is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChartSeries {
    /// Its name in the legend.
    pub name: String,
    /// How it is drawn.
    pub shape: Shape,
    /// The index of its axis in the chart's `y`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub axis: usize,
    /// Series of one group share a colour: reads and writes of one volume differ in line only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<usize>,
    /// Its points in the order in which a line connects them: that of the bottom axis, except for
    /// one figure against another, such as latency against the achieved rate.
    pub points: Vec<ChartPoint>,
}

fn is_zero(axis: &usize) -> bool {
    *axis == 0
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Points joined by a line.
    Line,
    /// The same, dashed: a second kind of thing of the same group.
    Dashed,
    /// A line that stays at each value until the next.
    Step,
    /// Bars from zero.
    Bar,
    /// Bars on top of those of the series before.
    Stacked,
    /// Points only.
    Dots,
    /// Cells: `value` is the colour, `y` the row.
    Heat,
    /// A bar with its promise as a line across it: `high` is the promise, `low` the least value
    /// that meets it.
    Bullet,
}

/// One point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChartPoint {
    /// Position on the bottom axis, in the axis' unit; for names, the index.
    pub x: f64,
    /// Height.
    pub y: f64,
    /// Ends of its whisker: an interval of confidence, or least and most of its rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Value of a cell: in the unit of the chart's second `y`, coloured by powers of ten if that is
    /// [`Scale::Log10`]; a plain number without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The outcome of a bullet's promise: met, missed, or undecided. Of a bar, a caution where its
    /// mean is uncertain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
}

/// A stretch of the bottom axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Its name.
    pub name: String,
    /// Its start.
    pub from: f64,
    /// Its end.
    pub to: f64,
}

/// A line across a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Its name: `promised 3,000 IOPS`.
    pub name: String,
    /// Its position.
    pub at: f64,
    /// Whether it is on the bottom axis; otherwise it is at a height.
    pub upright: bool,
    /// The index in the chart's `y`, for a height.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub axis: usize,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its name in links and file names.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, a cell for each column.
    pub rows: Vec<Vec<TableCell>>,
}

impl Table {
    /// Adds a column with the same text in each row.
    pub(crate) fn add_column(&mut self, column: Column, text: &str) {
        self.columns.push(column);
        self.rows.iter_mut().for_each(|row| row.push(TableCell::Text(text.to_owned())));
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name for programs, the same in every language: `iops`, `p99_ns`.
    pub key: String,
    /// Its heading.
    pub name: String,
    /// The unit of its numbers; none for texts.
    pub unit: Option<ChartUnit>,
}

impl Column {
    /// A column with a heading from the catalogue.
    pub(crate) fn new(lang: Lang, key: &str, id: &'static str, unit: Option<ChartUnit>) -> Column {
        Column { key: key.to_owned(), name: words(lang, id), unit }
    }
}

/// A cell: for people, and for programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TableCell {
    /// A number in the column's unit.
    Number(f64),
    /// A number with its own unit, where those of a column differ.
    Quantity(f64, ChartUnit),
    /// Text.
    Text(String),
    /// Nothing: it was not measured.
    Nothing,
}
