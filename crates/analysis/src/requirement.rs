//! The requirements of programs on the disk of their log: rows of data with source and date, like
//! promises.

use crate::GateOutcome;
use serde::{Deserialize, Serialize};

const ROWS: &str = include_str!("../requirements/durable.toml");

/// How a write is made durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlushMethod {
    /// `fdatasync` after each write: the data, and of the metadata what is needed to find it.
    Fdatasync,
    /// `fsync` after each write: the data and all metadata.
    Fsync,
    /// The file is opened with `O_DSYNC`: each write returns when its data is durable.
    ODsync,
}

impl FlushMethod {
    /// All of them.
    pub const ALL: [FlushMethod; 3] =
        [FlushMethod::Fdatasync, FlushMethod::Fsync, FlushMethod::ODsync];

    /// As programs spell it.
    pub fn name(self) -> &'static str {
        match self {
            FlushMethod::Fdatasync => "fdatasync",
            FlushMethod::Fsync => "fsync",
            FlushMethod::ODsync => "O_DSYNC",
        }
    }
}

/// What a program asks of the disk under its log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// What it is called on the command line.
    pub id: String,
    /// What it is, in words.
    pub title: String,
    /// Bytes of each write.
    pub block_bytes: u64,
    /// How the program flushes.
    pub flush: FlushMethod,
    /// The percentile that has a limit.
    #[serde(default = "usual_percent")]
    pub percent: f64,
    /// The longest that this share of flushes may take, in milliseconds; none where none is
    /// published.
    pub limit_ms: Option<f64>,
    /// Where that is published.
    pub source: String,
    /// When it was read there.
    pub read_on: String,
}

fn usual_percent() -> f64 {
    99.0
}

#[derive(Deserialize)]
struct Rows {
    requirement: Vec<Requirement>,
}

/// All rows.
///
/// # Errors
/// If Fathom's own file is invalid, with the line.
pub fn requirements() -> Result<Vec<Requirement>, toml::de::Error> {
    toml::from_str::<Rows>(ROWS).map(|rows| rows.requirement)
}

/// With fewer flushes a 99th percentile rests on a handful: ten beyond it.
const FEWEST_FLUSHES: u64 = 1000;
/// The fastest flush that can be believed of a disk with a volatile cache, in nanoseconds: a flush
/// moves data to the medium, and NAND takes 200 us to program a page. Half of that is allowed for.
const PLAUSIBLE_FLUSH_NS: f64 = 100_000.0;

/// What was measured of a flush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FlushFigures {
    /// Flushes that the figures rest on.
    pub flushes: u64,
    /// Median in nanoseconds.
    pub p50_ns: u64,
    /// The percentile that has a limit, in nanoseconds.
    pub limited_ns: u64,
    /// The least that this percentile can be as far as so few flushes tell, in nanoseconds.
    pub least_ns: u64,
}

/// The near end of a percentile's interval is this number of deviations below its share: 1 % of
/// intervals end above the truth.
const NEAR_END_DEVIATIONS: f64 = 2.326;

/// The percentile of a sample at the near end of the interval for `percent` of its population:
/// `total` draws miss a share by its binomial deviation (order statistics, normal approximation).
pub fn near_end_percent(percent: f64, total: u64) -> f64 {
    let share = percent / 100.0;
    let deviation = (share * (1.0 - share) / total.max(1) as f64).sqrt();
    (100.0 * (share - NEAR_END_DEVIATIONS * deviation)).max(0.0)
}

impl Requirement {
    /// Compares a flush with the limit. Too few flushes, a limit within the interval, and a
    /// requirement without a limit are undecided.
    pub fn judge(&self, flush: &FlushFigures) -> GateOutcome {
        let Some(limit_ns) = self.limit_ms.map(|limit_ms| limit_ms * 1e6) else {
            return GateOutcome::Undecided;
        };
        let keeps = flush.limited_ns as f64 <= limit_ns;
        match flush.flushes {
            1.. if flush.least_ns as f64 > limit_ns => GateOutcome::Fail,
            FEWEST_FLUSHES.. if keeps => GateOutcome::Pass,
            _ => GateOutcome::Undecided,
        }
    }
}

/// Whether flushes are faster than a disk with a volatile cache can be: something answers for it.
pub fn is_too_fast(flush: &FlushFigures, volatile_cache: bool) -> bool {
    volatile_cache && flush.flushes > 0 && (flush.p50_ns as f64) < PLAUSIBLE_FLUSH_NS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flush(flushes: u64, p50_us: u64, least_us: u64, limited_us: u64) -> FlushFigures {
        let [p50_ns, least_ns, limited_ns] = [p50_us, least_us, limited_us].map(|us| us * 1000);
        FlushFigures { flushes, p50_ns, limited_ns, least_ns }
    }

    #[test]
    fn rows_are_whole_and_each_has_a_source_and_a_date() {
        let rows = requirements().unwrap();
        let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["etcd", "postgres", "kafka"]);
        for row in &rows {
            assert!(row.source.starts_with("https://") && row.read_on.len() == 10, "{row:?}");
        }
        assert_eq!((rows[0].block_bytes, rows[0].limit_ms), (2300, Some(10.0)));
    }

    #[test]
    fn a_limit_is_kept_missed_or_not_decided() {
        use GateOutcome::{Fail, Pass, Undecided};
        let rows = requirements().unwrap();
        let (etcd, postgres) = (&rows[0], &rows[1]);
        assert_eq!(etcd.judge(&flush(5000, 900, 9000, 10_000)), Pass);
        assert_eq!(etcd.judge(&flush(5000, 900, 10_001, 12_000)), Fail);
        assert_eq!(etcd.judge(&flush(200, 900, 10_001, 12_000)), Fail);
        // The interval contains the limit.
        assert_eq!(etcd.judge(&flush(5000, 900, 9000, 10_001)), Undecided);
        // All is well, of too few.
        assert_eq!(etcd.judge(&flush(999, 900, 2000, 3000)), Undecided);
        assert_eq!(etcd.judge(&FlushFigures::default()), Undecided);
        assert_eq!(postgres.judge(&flush(5000, 900, 1900, 2000)), Undecided);
    }

    #[test]
    fn the_near_end_comes_closer_with_more_flushes() {
        let near = |total| near_end_percent(99.0, total);
        assert!((near(1000) - 98.268).abs() < 0.001, "{}", near(1000));
        assert!(near(100) < near(10_000) && near(10_000) < 99.0);
        assert_eq!(near_end_percent(50.0, 0), 0.0);
    }

    #[test]
    fn a_flush_of_no_time_is_named_only_where_a_cache_would_lose_it() {
        assert!(is_too_fast(&flush(5000, 20, 30, 40), true));
        assert!(!is_too_fast(&flush(5000, 20, 30, 40), false));
        assert!(!is_too_fast(&flush(5000, 900, 1900, 2000), true));
    }
}
