//! How idle the CPUs were during a run (`--idle-prof`).
//!
//! fio runs a counting thread of the lowest priority on each CPU. Fathom reads the kernel's own
//! accounting before and after, which disturbs nothing. There is no unit of work to report, so its
//! mean and deviation are 0.

use fathom_host::{CpuTimes, Host, cpu_deltas};
use fathom_job::{IdleProf, Settings};
use fathom_output::CpuIdleness;

/// Watches the CPUs from the beginning of a run.
pub struct Idleness {
    host: Host,
    before: Vec<CpuTimes>,
    show_cpus: bool,
}

impl Idleness {
    /// A watch, if the settings request one.
    pub fn wanted(settings: &Settings, host: &Host) -> Option<Idleness> {
        let show_cpus = match settings.idle_prof {
            IdleProf::Off => return None,
            IdleProf::System => false,
            IdleProf::PerCpu => true,
        };
        let before = host.cpu_times().unwrap_or_default();
        Some(Idleness { host: host.clone(), before, show_cpus })
    }

    /// How idle they have been since.
    pub fn so_far(&self) -> CpuIdleness {
        let now = self.host.cpu_times().unwrap_or_default();
        let cpus: Vec<f64> = cpu_deltas(&self.before, &now)
            .iter()
            .map(|times| (1.0 - times.busy()) * 100.0)
            .collect();
        CpuIdleness {
            system: cpus.iter().sum::<f64>() / cpus.len().max(1) as f64,
            cpus,
            show_cpus: self.show_cpus,
            unit_mean_us: 0.0,
            unit_stddev_us: 0.0,
        }
    }
}
