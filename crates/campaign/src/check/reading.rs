//! What the machine that measures was busy with meanwhile, read before and after a run.

use fathom_host::CpuTimes;

/// Counters of the machine at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineReading {
    /// Of each processor.
    pub cpus: Vec<CpuTimes>,
    /// Microseconds for which a CPU quota has stopped our control group.
    pub throttled_us: u64,
}

/// Reads the counters; none where there are none.
pub type Meter<'a> = dyn FnMut() -> Option<MachineReading> + 'a;

impl MachineReading {
    /// Busy share of all processors since `earlier`, 0 to 1; none where no time went by.
    pub fn busy_since(&self, earlier: &MachineReading) -> Option<f64> {
        let same = |now: &CpuTimes| earlier.cpus.iter().find(|before| before.cpu == now.cpu);
        let spent = self.cpus.iter().filter_map(|now| Some(now.since(same(now)?)));
        let sum = spent.fold(CpuTimes::default(), |sum, cpu| CpuTimes {
            cpu: 0,
            user: sum.user + cpu.user,
            system: sum.system + cpu.system,
            idle: sum.idle + cpu.idle,
            iowait: sum.iowait + cpu.iowait,
            irq: sum.irq + cpu.irq,
            softirq: sum.softirq + cpu.softirq,
            steal: sum.steal + cpu.steal,
        });
        (sum != CpuTimes::default()).then(|| sum.busy())
    }
}
