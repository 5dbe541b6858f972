//! The settings that distinguish cases, and the time of each run.

use serde::{Deserialize, Serialize};

/// The value of one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setting {
    /// The axis: an option of a job, or a word of the campaign's own.
    pub axis: String,
    /// Its value, as text.
    pub value: String,
}

/// Settings in a line: `rw=randread, iodepth=16`.
pub fn title_of(settings: &[Setting]) -> String {
    let one = |setting: &Setting| format!("{}={}", setting.axis, setting.value);
    settings.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// How long a case runs, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseTime {
    /// Measured time.
    pub run_us: u64,
    /// Time before it that is not counted.
    pub ramp_us: u64,
}

/// The longest ramp: caches and queues of a volume have settled by then, or never will.
const LONGEST_RAMP_US: u64 = 5_000_000;

impl CaseTime {
    /// Microseconds of a run, its ramp included.
    pub fn total_us(self) -> u64 {
        self.run_us.saturating_add(self.ramp_us)
    }

    /// For a run that takes so long in all, its ramp included.
    pub fn within(total_us: u64) -> CaseTime {
        CaseTime::of(total_us - (total_us / 9).min(LONGEST_RAMP_US))
    }

    /// For a run with this measuring time: an eighth of it before is not counted, at most
    /// [`LONGEST_RAMP_US`]. In whole milliseconds, because the printed command uses them:
    /// `--runtime=3750ms`.
    pub fn of(run_us: u64) -> CaseTime {
        let ramp_us = (run_us / 8).min(LONGEST_RAMP_US);
        CaseTime { run_us: run_us / 1000 * 1000, ramp_us: ramp_us / 1000 * 1000 }
    }
}
