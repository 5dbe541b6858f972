//! The columns, defined once: titles and names, figures, and the order in which they are dropped.
//!
//! The plain lines, the live table, the CSV and the summary all use these definitions.

use fathom_monitor::{
    DiskRates, IntervalOutcome, MemoryRates, NfsRates, Summary, WatchSubject, Watched,
};

/// The rates of one line.
#[derive(Clone, Copy, Debug)]
pub enum LineRates<'a> {
    /// A block device's.
    Disk(&'a DiskRates),
    /// An NFS mount's.
    Nfs(&'a NfsRates),
    /// A file system's in memory.
    Memory(&'a MemoryRates),
}

impl<'a> LineRates<'a> {
    /// Those of an outcome; none if it has none.
    pub fn of(outcome: &'a IntervalOutcome) -> Option<LineRates<'a>> {
        match outcome {
            IntervalOutcome::Disk(delta) => delta.rates.as_ref().map(LineRates::Disk),
            IntervalOutcome::Nfs(delta) => delta.rates.as_ref().map(LineRates::Nfs),
            IntervalOutcome::Memory(delta) => delta.rates.as_ref().map(LineRates::Memory),
            IntervalOutcome::Gone => None,
        }
    }

    /// Least, mean and greatest of a summary.
    pub fn of_summary(summary: &'a Summary) -> [LineRates<'a>; 3] {
        match summary {
            Summary::Disk(sum) => [&sum.min, &sum.mean, &sum.max].map(LineRates::Disk),
            Summary::Nfs(sum) => [&sum.min, &sum.mean, &sum.max].map(LineRates::Nfs),
            Summary::Memory(sum) => [&sum.min, &sum.mean, &sum.max].map(LineRates::Memory),
        }
    }

    fn disk(self, of: fn(&DiskRates) -> Option<f64>) -> Option<f64> {
        match self {
            LineRates::Disk(rates) => of(rates),
            _ => None,
        }
    }

    fn nfs(self, of: fn(&NfsRates) -> Option<f64>) -> Option<f64> {
        match self {
            LineRates::Nfs(rates) => of(rates),
            _ => None,
        }
    }

    fn memory(self, of: fn(&MemoryRates) -> Option<f64>) -> Option<f64> {
        match self {
            LineRates::Memory(rates) => of(rates),
            _ => None,
        }
    }

    /// The sparkline's value: I/Os or requests a second.
    pub fn ios_per_s(self) -> f64 {
        match self {
            LineRates::Disk(rates) => rates.ios_per_s(),
            LineRates::Nfs(rates) => rates.operations_per_s,
            LineRates::Memory(_) => 0.0,
        }
    }
}

/// When a column is dropped on a narrow screen, and whether a summary shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColumnWeight {
    /// Never dropped.
    Key,
    /// Dropped last.
    Fuller,
    /// Dropped first.
    Detail,
}

#[derive(Clone, Copy, Debug)]
pub struct WatchColumn {
    /// Its title, as known from iostat.
    pub title: &'static str,
    /// Its name in CSV, which is the field's in JSON.
    pub name: &'static str,
    /// Places after the point of small figures.
    pub places: usize,
    /// When it is dropped.
    pub weight: ColumnWeight,
    pub value: fn(LineRates<'_>) -> Option<f64>,
}

macro_rules! column {
    ($title:literal, $kind:ident . $name:ident, $places:literal, $weight:ident) => {
        column!($title, $kind, $name, $places, $weight, |rates| Some(rates.$name))
    };
    ($title:literal, $kind:ident . $name:ident ?, $places:literal, $weight:ident) => {
        column!($title, $kind, $name, $places, $weight, |rates| rates.$name)
    };
    ($title:literal, $kind:ident, $name:ident, $places:literal, $weight:ident, $of:expr) => {
        WatchColumn {
            title: $title,
            name: stringify!($name),
            places: $places,
            weight: ColumnWeight::$weight,
            value: |rates| rates.$kind($of),
        }
    };
}

/// Of a block device: the columns of `iostat -x`.
const DISK: &[WatchColumn] = &[
    column!("r/s", disk.reads_per_s, 1, Key),
    column!("w/s", disk.writes_per_s, 1, Key),
    column!("d/s", disk.discards_per_s, 1, Detail),
    column!("f/s", disk.flushes_per_s, 1, Detail),
    column!("rMB/s", disk.read_mb_per_s, 2, Key),
    column!("wMB/s", disk.write_mb_per_s, 2, Key),
    column!("r_await", disk.read_await_ms?, 2, Key),
    column!("w_await", disk.write_await_ms?, 2, Key),
    column!("areq-sz", disk.request_kib?, 1, Detail),
    column!("aqu-sz", disk.queue_length, 2, Fuller),
    column!("%util", disk.utilisation_percent, 1, Fuller),
    column!("rrqm/s", disk.read_merges_per_s, 1, Detail),
    column!("wrqm/s", disk.write_merges_per_s, 1, Detail),
];

/// Of an NFS mount: the figures of `nfsiostat`.
const NFS: &[WatchColumn] = &[
    column!("op/s", nfs.operations_per_s, 1, Fuller),
    column!("r/s", nfs.reads_per_s, 1, Key),
    column!("w/s", nfs.writes_per_s, 1, Key),
    column!("rMB/s", nfs.read_mb_per_s, 2, Key),
    column!("wMB/s", nfs.write_mb_per_s, 2, Key),
    column!("r_rtt", nfs.read_rtt_ms?, 2, Key),
    column!("w_rtt", nfs.write_rtt_ms?, 2, Key),
    column!("r_exe", nfs.read_execute_ms?, 2, Fuller),
    column!("w_exe", nfs.write_execute_ms?, 2, Fuller),
    column!("retr/s", nfs.retransmits_per_s, 1, Detail),
    column!("tmo/s", nfs.timeouts_per_s, 1, Detail),
];

/// Of a file system in memory.
const MEMORY: &[WatchColumn] = &[column!("+MB/s", memory.growth_mb_per_s, 2, Key)];

/// The table of a subject, in the order of the tables on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SubjectKind {
    Device,
    Nfs,
    /// File systems in memory.
    Memory,
}

impl SubjectKind {
    /// All of them.
    pub const ALL: [SubjectKind; 3] = [SubjectKind::Device, SubjectKind::Nfs, SubjectKind::Memory];

    /// The kind of a subject.
    pub fn of(subject: &WatchSubject) -> SubjectKind {
        match subject {
            WatchSubject::Device { .. } => SubjectKind::Device,
            WatchSubject::Nfs { .. } => SubjectKind::Nfs,
            WatchSubject::Memory { .. } => SubjectKind::Memory,
        }
    }

    /// Its name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            SubjectKind::Device => "device",
            SubjectKind::Nfs => "nfs",
            SubjectKind::Memory => "memory",
        }
    }

    /// The heading over the names in its table.
    pub fn title(self) -> &'static str {
        match self {
            SubjectKind::Device => "Device",
            SubjectKind::Nfs => "NFS mount",
            SubjectKind::Memory => "Memory",
        }
    }

    pub fn columns(self) -> &'static [WatchColumn] {
        match self {
            SubjectKind::Device => DISK,
            SubjectKind::Nfs => NFS,
            SubjectKind::Memory => MEMORY,
        }
    }
}

/// Columns that a cell takes, with the space before it.
pub const CELL: usize = 8;

/// A cell of a table; `-` means no figure.
pub fn cell(text: &str) -> String {
    format!(" {text:>width$}", width = CELL - 1)
}

/// The titles of `columns`.
pub fn titles(columns: &[WatchColumn]) -> String {
    columns.iter().map(|column| cell(column.title)).collect()
}

/// The figures of `columns`; without rates none.
pub fn figures(columns: &[WatchColumn], rates: Option<LineRates<'_>>) -> String {
    let value = |column: &WatchColumn| figure(rates.and_then(column.value), column.places);
    columns.iter().map(|column| cell(&value(column))).collect()
}

/// A figure with `places` after the point, one less from 100 on and two less from 1000 on.
/// Thousands are not set apart, so that a line can be taken apart at its spaces.
pub fn figure(value: Option<f64>, places: usize) -> String {
    let Some(value) = value else { return "-".to_owned() };
    let fewer = usize::from(value.abs() >= 99.95) + usize::from(value.abs() >= 999.5);
    format!("{value:.places$}", places = places.saturating_sub(fewer))
}

/// Width for the longest name, and for the titles over them.
pub fn name_width(watched: &[Watched]) -> usize {
    let names = watched.iter().map(|watched| watched.name.chars().count());
    let titles = kinds(watched).into_iter().map(|kind| kind.title().len());
    names.chain(titles).max().unwrap_or(0)
}

/// The kinds among the watched subjects, in the order of their tables.
pub fn kinds(watched: &[Watched]) -> Vec<SubjectKind> {
    let is_there =
        |kind: &SubjectKind| watched.iter().any(|w| SubjectKind::of(&w.subject) == *kind);
    SubjectKind::ALL.into_iter().filter(is_there).collect()
}
