//! What a report holds: plain data, in the language of its reader, ready to be shown in any form.
//!
//! Numbers are kept in base units (I/Os a second, bytes a second, nanoseconds, seconds, bytes,
//! percent), each with its [`ChartUnit`], and are made readable only where they are shown.

use fathom_analysis::{RowOutcome, Tone};
use fathom_message::Lang;
use serde::{Deserialize, Serialize};

/// A report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Language of all its texts.
    pub lang: Lang,
    /// What it is about: `4k random reads on /mnt/ssd`.
    pub title: String,
    /// That it was not measured by Fathom but drawn from published figures, and whose; a banner
    /// over everything else.
    pub example: Option<String>,
    /// When, where, with what: host, volume, kernel, version.
    pub facts: Vec<Fact>,
    /// The answer in a sentence or two, before anything else: which volume is faster, where the
    /// limit is.
    pub answers: Vec<String>,
    /// What may be believed, the worst first.
    pub verdicts: Vec<Statement>,
    /// The charts, the most telling first.
    pub charts: Vec<Chart>,
    /// Every figure. The first table is the data: what `--csv` writes.
    pub tables: Vec<Table>,
    /// How to get each figure again.
    pub repeat: Vec<Repeat>,
}

/// A thing to know about what was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is: `Host`, `File system`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A verdict or a remark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Whether a limit was kept, where it is about one; how far its figures can be trusted is the
    /// other scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<RowOutcome>,
    /// How it bears on the figures.
    pub tone: Tone,
    /// What it is about, where the report has several things: a phase, a volume. May be empty.
    pub about: String,
    /// The whole sentence.
    pub sentence: String,
}

/// A command that measures something again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// What it measures.
    pub what: String,
    /// The command, in one line.
    pub command: String,
}

/// A chart: what is drawn, not how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Its name in links and file names: lower-case letters, digits and `-`; each once in a report.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it shows, in a sentence: read out where it is not seen.
    pub says: String,
    /// The settings that hold for all of it: `4 KiB, depth 32, O_DIRECT`. May be empty.
    pub note: String,
    /// Along the bottom.
    pub x: ChartAxis,
    /// On the left, and where there is a second one, on the right. Of a map of cells, the rows and
    /// what the colours stand for.
    pub y: Vec<ChartAxis>,
    /// What is drawn, in the order of the legend.
    pub series: Vec<ChartSeries>,
    /// Stretches of the bottom axis: ramp, steady window.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bands: Vec<Band>,
    /// Lines across: a promise, a cap, a knee.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Charts that follow one another with the same name here stand side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<String>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChartAxis {
    /// What it shows: `I/O depth`, `Latency`.
    pub name: String,
    /// What its numbers are.
    pub unit: ChartUnit,
    /// How they are spread.
    pub scale: Scale,
    /// Least and most that must fit, drawn or not: what charts beside each other share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<[f64; 2]>,
}

impl ChartAxis {
    /// An axis that is as long as what is drawn needs.
    pub fn new(name: impl Into<String>, unit: ChartUnit, scale: Scale) -> ChartAxis {
        ChartAxis { name: name.into(), unit, scale, ends: None }
    }
}

/// What a number is.
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
    /// Which of the chart's `y` it is read on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub axis: usize,
    /// Series of one group share a colour: reads and writes of one volume differ in line only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<usize>,
    /// Its points in the order in which a line joins them: that of the bottom axis, but where one
    /// figure is drawn against another, as latency against the rate that was had.
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
    /// A line that keeps each value until the next.
    Step,
    /// Bars from zero.
    Bar,
    /// Bars on top of those of the series before.
    Stacked,
    /// Points alone.
    Dots,
    /// Cells: `value` is the colour, `y` the row.
    Heat,
    /// A bar with its promise as a line across it: `high` is the promise, `low` the least that
    /// keeps it.
    Bullet,
}

/// One point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChartPoint {
    /// Place along the bottom, in the axis' unit; for names, which.
    pub x: f64,
    /// Height.
    pub y: f64,
    /// Ends of its whisker: an interval of confidence, or least and most of its rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Value of a cell: what the second of the chart's `y` says, colours by powers of ten where
    /// that one is [`Scale::Log10`]; a plain number without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// How a bullet stands to its promise: kept, missed, or not to be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tone: Option<Tone>,
}

/// A stretch of the bottom axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// What it is.
    pub name: String,
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// A line across a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// What it is: `promised 3,000 IO/s`.
    pub name: String,
    /// Where it crosses.
    pub at: f64,
    /// Whether it stands on the bottom axis; else it lies at a height.
    pub upright: bool,
    /// Which of the chart's `y`, for a height.
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

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name for programs, the same in every language: `iops`, `p99_ns`.
    pub key: String,
    /// Its heading.
    pub name: String,
    /// What its numbers are; none for texts.
    pub unit: Option<ChartUnit>,
}

/// A cell: for people, and for programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TableCell {
    /// A number in the column's unit.
    Number(f64),
    /// Words.
    Text(String),
    /// Nothing: it was not measured.
    Nothing,
}
