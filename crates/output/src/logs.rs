//! Log files: their names, and their lines.

use fathom_stats::log::{HistogramSample, LogSample};
use fathom_vocab::Direction;
use std::io::{self, Write};

/// The content of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// Bandwidth in KiB a second.
    Bandwidth,
    /// I/Os a second.
    Iops,
    /// Total latency in nanoseconds.
    Latency,
    /// Submission latency in nanoseconds.
    SubmissionLatency,
    /// Completion latency in nanoseconds.
    CompletionLatency,
    /// Histograms of completion latency.
    CompletionHistogram,
}

impl LogKind {
    fn name(self) -> &'static str {
        match self {
            LogKind::Bandwidth => "bw",
            LogKind::Iops => "iops",
            LogKind::Latency => "lat",
            LogKind::SubmissionLatency => "slat",
            LogKind::CompletionLatency => "clat",
            LogKind::CompletionHistogram => "clat_hist",
        }
    }
}

/// Name of a log: `PREFIX_bw.1.log` of the job with that number (from 1), or `PREFIX_bw.log`
/// of all jobs together (`per_job_logs=0`).
pub fn log_name(prefix: &str, kind: LogKind, job_number: Option<u32>) -> String {
    match job_number {
        Some(number) => format!("{prefix}_{}.{number}.log", kind.name()),
        None => format!("{prefix}_{}.log", kind.name()),
    }
}

/// Name of the log of a direction's whole bandwidth (`--bandwidth-log`).
pub fn aggregate_log_name(dir: Direction) -> String {
    format!("agg-{}_bw.log", dir.name())
}

/// The columns of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogLayout {
    /// `log_window_value=both`: the greatest value after the mean.
    pub both: bool,
    /// `log_offset`: the offset before the priority.
    pub offset: bool,
    /// `log_prio`: the priority's value, rather than whether it is high.
    pub prio: bool,
}

/// Class of real-time priority, in the upper bits of a priority.
const REALTIME: u16 = 1;

/// Writes a line: `time, value[, greatest], direction, bs[, offset], prio`.
///
/// # Errors
/// Any error of the sink.
pub fn write_sample(
    sink: &mut impl Write,
    sample: &LogSample,
    layout: LogLayout,
) -> io::Result<()> {
    write!(sink, "{}, {}, ", sample.time_ms, sample.value)?;
    if layout.both {
        write!(sink, "{}, ", sample.value_max)?;
    }
    write!(sink, "{}, {}, ", sample.dir.index(), sample.bs)?;
    if layout.offset {
        write!(sink, "{}, ", sample.offset)?;
    }
    if layout.prio {
        writeln!(sink, "0x{:04x}", sample.prio)
    } else {
        writeln!(sink, "{}", u8::from(sample.prio >> 13 == REALTIME))
    }
}

/// Writes a histogram's line: `time, direction, bs, counts…`; a coarseness of N joins 2^N
/// buckets into one.
///
/// # Errors
/// Any error of the sink.
pub fn write_histogram(
    sink: &mut impl Write,
    sample: &HistogramSample,
    coarseness: u8,
) -> io::Result<()> {
    write!(sink, "{}, {}, {}", sample.time_ms, sample.dir.index(), sample.bs)?;
    for count in sample.histogram.fio_counts(coarseness) {
        write!(sink, ", {count}")?;
    }
    writeln!(sink)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::Histogram;

    fn line(sample: &LogSample, layout: LogLayout) -> String {
        let mut out = Vec::new();
        write_sample(&mut out, sample, layout).expect("a vector takes all");
        String::from_utf8(out).expect("text")
    }

    const SAMPLE: LogSample = LogSample {
        time_ms: 10,
        value: 29_929,
        value_max: 31_000,
        dir: Direction::Write,
        bs: 4096,
        offset: 880_640,
        prio: 0x2004,
    };

    #[test]
    fn columns_as_asked_for() {
        let all = LogLayout { both: true, offset: true, prio: true };
        assert_eq!(line(&SAMPLE, all), "10, 29929, 31000, 1, 4096, 880640, 0x2004\n");
        assert_eq!(line(&SAMPLE, LogLayout::default()), "10, 29929, 1, 4096, 1\n");
        let plain = LogSample { prio: 0, ..SAMPLE };
        assert_eq!(line(&plain, LogLayout::default()), "10, 29929, 1, 4096, 0\n");
        let offset = LogLayout { offset: true, ..LogLayout::default() };
        assert_eq!(line(&plain, offset), "10, 29929, 1, 4096, 880640, 0\n");
    }

    #[test]
    fn histogram_lines_as_long_as_fio_writes_them() {
        let sample = HistogramSample {
            time_ms: 110,
            dir: Direction::Read,
            bs: 4096,
            // The last two are in one coarse bucket; one is longer than fio's last bucket.
            histogram: Histogram::from_bins([(70, 2), (1000, 3), (1001, 1), (1 << 39, 5)]),
        };
        let mut out = Vec::new();
        write_histogram(&mut out, &sample, 6).expect("a vector takes all");
        let text = String::from_utf8(out).expect("text");
        let mut wanted = vec!["110", "0", "4096"];
        let mut counts = vec!["0"; 29];
        (counts[1], counts[4], counts[28]) = ("2", "4", "5");
        wanted.extend(counts);
        assert_eq!(text, wanted.join(", ") + "\n");
        let mut fine = Vec::new();
        write_histogram(&mut fine, &sample, 0).expect("a vector takes all");
        assert_eq!(fine.iter().filter(|b| **b == b',').count(), 2 + 1856);
    }

    #[test]
    fn names_as_fio_gives_them() {
        assert_eq!(log_name("p", LogKind::CompletionLatency, Some(2)), "p_clat.2.log");
        assert_eq!(log_name("p", LogKind::Bandwidth, None), "p_bw.log");
        assert_eq!(log_name("h", LogKind::CompletionHistogram, Some(1)), "h_clat_hist.1.log");
        assert_eq!(aggregate_log_name(Direction::Trim), "agg-trim_bw.log");
    }
}
