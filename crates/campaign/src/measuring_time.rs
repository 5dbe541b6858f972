//! Measuring time as a user gives it: of a whole volume or of each run. Every command takes both,
//! with the same meaning everywhere.

/// Measuring time, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuringTime {
    /// Of each volume, shared evenly by its runs.
    PerVolume(u64),
    /// Of each run.
    PerRun(u64),
}

impl MeasuringTime {
    /// Microseconds of each of `runs` runs on a volume, in whole milliseconds: that is how the
    /// command that repeats a run spells them.
    pub fn run_us(self, runs: u64) -> u64 {
        let run_us = match self {
            MeasuringTime::PerVolume(us) => us / runs.max(1),
            MeasuringTime::PerRun(us) => us,
        };
        run_us / 1000 * 1000
    }
}

#[cfg(test)]
mod tests {
    use super::MeasuringTime;

    #[test]
    fn a_volume_shares_its_time_and_a_run_does_not() {
        assert_eq!(MeasuringTime::PerVolume(10_000_000).run_us(3), 3_333_000);
        assert_eq!(MeasuringTime::PerVolume(10_000_000).run_us(0), 10_000_000);
        assert_eq!(MeasuringTime::PerRun(10_000_999).run_us(3), 10_000_000);
    }
}
