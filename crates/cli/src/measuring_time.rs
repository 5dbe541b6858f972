//! `--time` and `--time-per-run`, with the same meaning in every command that measures.

use fathom_campaign::MeasuringTime;
use std::time::Duration;

/// The measuring time of both options; `None` if neither is given. The parser allows only one.
pub fn measuring_time(volume: Option<Duration>, run: Option<Duration>) -> Option<MeasuringTime> {
    let of_runs = run.map(|time| MeasuringTime::PerRun(micros(time)));
    of_runs.or(volume.map(|time| MeasuringTime::PerVolume(micros(time))))
}

/// Microseconds of `time`, the most that fit at the end of their range.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
