//! Figures of a run, and the median and spread of a series of them.

use serde::Serialize;

/// The result of one run of one contestant. Figures that it does not report are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ContestantRun {
    /// I/Os that completed.
    pub ios: u64,
    /// I/Os a second, as the contestant itself counts.
    pub iops: f64,
    /// Time in its own code for each I/O, all threads together.
    pub user_ns: f64,
    /// Time of the kernel for each I/O.
    pub system_ns: f64,
    /// From start to end of the process.
    pub wall_ms: f64,
    /// The most memory that it had.
    pub resident_mib: f64,
    /// Instructions for each I/O outside of the kernel.
    pub instructions: f64,
    /// Memory at the end of a simulated day, less that after its first hour.
    pub grown_kib: f64,
}

/// A figure of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BenchFigure {
    /// I/Os a second.
    Iops,
    /// Nanoseconds of one thread for an I/O.
    NsEach,
    /// Nanoseconds of user CPU time for an I/O.
    UserNs,
    /// Nanoseconds of CPU time for an I/O, the kernel's included. Where I/Os complete in the call,
    /// its ratios are those of IOPS on a machine that does nothing else.
    CpuNs,
    /// Milliseconds of the whole process.
    WallMs,
    /// MiB resident at most.
    ResidentMib,
    /// Instructions for an I/O.
    Instructions,
    /// KiB by which a simulated day grew after its first hour.
    GrownKib,
}

impl BenchFigure {
    /// The figure of a run.
    pub fn of(self, run: &ContestantRun) -> f64 {
        match self {
            BenchFigure::Iops => run.iops,
            BenchFigure::NsEach => 1e9 / run.iops,
            BenchFigure::UserNs => run.user_ns,
            BenchFigure::CpuNs => run.user_ns + run.system_ns,
            BenchFigure::WallMs => run.wall_ms,
            BenchFigure::ResidentMib => run.resident_mib,
            BenchFigure::Instructions => run.instructions,
            BenchFigure::GrownKib => run.grown_kib,
        }
    }

    /// Its name with its unit.
    pub fn name(self) -> &'static str {
        match self {
            BenchFigure::Iops => "IOPS",
            BenchFigure::NsEach => "ns an I/O",
            BenchFigure::UserNs => "user CPU ns an I/O",
            BenchFigure::CpuNs => "CPU ns an I/O",
            BenchFigure::WallMs => "wall ms",
            BenchFigure::ResidentMib => "resident MiB",
            BenchFigure::Instructions => "instructions an I/O",
            BenchFigure::GrownKib => "KiB more after the first hour",
        }
    }
}

/// Median, least and greatest of some values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The middle; between the two middle ones where their number is even.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Spread {
    /// For all values that are numbers; `None` if there is none.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[middle]
        } else {
            (sorted[middle - 1] + sorted[middle]) / 2.0
        };
        Some(Spread { median, min, max })
    }
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        let spread = |values: &[f64]| Spread::of(values).map(|s| (s.median, s.min, s.max));
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[3.0]), Some((3.0, 3.0, 3.0)));
        assert_eq!(spread(&[3.0, 1.0, 9.0]), Some((3.0, 1.0, 9.0)));
        assert_eq!(spread(&[4.0, 1.0, 9.0, 2.0]), Some((3.0, 1.0, 9.0)));
        assert_eq!(spread(&[f64::NAN, 2.0, f64::INFINITY]), Some((2.0, 2.0, 2.0)));
    }
}
