//! The input of a writer besides the result.

/// How a result is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutputOptions {
    /// Seconds that local time is ahead of UTC, for the dates in texts.
    pub utc_offset_s: i32,
    /// JSON+: the histograms' bins as well.
    pub bins: bool,
    /// Idleness of the CPUs, if it was measured.
    pub idleness: Option<CpuIdleness>,
}

/// How idle the CPUs were during the run, by calibrated idle work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CpuIdleness {
    /// Mean over all CPUs, in percent.
    pub system: f64,
    /// Each CPU in percent, by number.
    pub cpus: Vec<f64>,
    /// Whether each CPU is listed (`--idle-prof=percpu`).
    pub show_cpus: bool,
    /// Mean time of a unit of work in microseconds.
    pub unit_mean_us: f64,
    /// Its standard deviation in microseconds.
    pub unit_stddev_us: f64,
}
