//! The machine and this process: processors, memory, limits.

use crate::facts::system::provider_named;
use crate::windows::registry;
use crate::{
    CpuQuota, CpuTimes, Host, HostError, HostLimits, IoThrottle, Swap, System, Virtualisation,
};
use std::path::PathBuf;
use std::thread;

/// Keys of the registry below `HKEY_LOCAL_MACHINE`.
const PROCESSOR: &str = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0";
const FIRMWARE: &str = r"HARDWARE\DESCRIPTION\System\BIOS";
const VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
const IDENTITY: &str = r"SOFTWARE\Microsoft\Cryptography";
const POWER: &str = r"SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes";

/// The power plans that every Windows has, by their numbers.
const PLANS: [(&str, &str); 4] = [
    ("381b4222-f694-41f0-9685-ff5bb260df2e", "balanced"),
    ("8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c", "performance"),
    ("a1841308-3541-4fab-bc81-f71556f20b4a", "powersave"),
    ("e9a42b02-d5df-448d-aa00-03f14749eb61", "ultimate performance"),
];

impl Host {
    /// The machine's name, software, processors and memory.
    pub fn system(&self) -> System {
        let memory = winsafe::GlobalMemoryStatusEx().ok();
        System {
            hostname: winsafe::GetComputerName().ok(),
            kernel: kernel(),
            os_release: registry::text(VERSION, "ProductName"),
            architecture: std::env::consts::ARCH.to_owned(),
            cpu_model: registry::text(PROCESSOR, "ProcessorNameString"),
            cpus_online: self.online_cpus().len(),
            numa_nodes: 1,
            memory_bytes: memory.as_ref().map(|memory| memory.ullTotalPhys),
            memory_available_bytes: memory.as_ref().map(|memory| memory.ullAvailPhys),
            virtualisation: virtualisation(),
            clocksource: None,
            governor: power_plan(),
        }
    }

    /// The identity of this machine, otherwise its name.
    pub fn machine_id(&self) -> String {
        let id = registry::text(IDENTITY, "MachineGuid");
        id.or_else(|| winsafe::GetComputerName().ok()).unwrap_or_default()
    }

    /// The use of the page file, and its size.
    pub fn swap(&self) -> Swap {
        let Ok(memory) = winsafe::GlobalMemoryStatusEx() else { return Swap::default() };
        // Windows counts memory and page file together.
        let total_bytes = memory.ullTotalPageFile.saturating_sub(memory.ullTotalPhys);
        let committed = memory.ullTotalPageFile.saturating_sub(memory.ullAvailPageFile);
        let resident = memory.ullTotalPhys.saturating_sub(memory.ullAvailPhys);
        Swap { total_bytes, used_bytes: committed.saturating_sub(resident).min(total_bytes) }
    }

    /// These limits are Linux's: none applies here.
    pub fn limits(&self) -> HostLimits {
        HostLimits::default()
    }

    /// System calls are filtered on Linux only.
    pub fn seccomp_mode(&self) -> Option<u32> {
        None
    }

    /// The activity of each processor since its start: Windows reports only the total, which is
    /// divided evenly here.
    ///
    /// # Errors
    /// [`HostError::Read`] if Windows does not report it.
    pub fn cpu_times(&self) -> Result<Vec<CpuTimes>, HostError> {
        let (idle, kernel, user) = winsafe::GetSystemTimes().map_err(|code| HostError::Read {
            path: PathBuf::from("GetSystemTimes"),
            source: crate::windows::volume::io_error(code),
        })?;
        let cpus = self.online_cpus();
        // Units of 100 ns become hundredths of a second; kernel time includes the idle time.
        let share = |time: u64| time / 100_000 / cpus.len().max(1) as u64;
        let (idle, kernel, user) = (whole(&idle), whole(&kernel), whole(&user));
        let times = CpuTimes {
            user: share(user),
            system: share(kernel.saturating_sub(idle)),
            idle: share(idle),
            ..CpuTimes::default()
        };
        Ok(cpus.into_iter().map(|cpu| CpuTimes { cpu, ..times }).collect())
    }

    /// Numbers of the processors that are switched on.
    pub fn online_cpus(&self) -> Vec<u32> {
        let here = winsafe::GetNativeSystemInfo().dwNumberOfProcessors;
        // A processor group has up to 64; std counts those that this process may use in its own
        // group.
        let allowed = thread::available_parallelism().map_or(1, |count| count.get() as u32);
        (0..here.max(allowed)).collect()
    }

    /// Numbers of the processors that this process may run on.
    pub fn allowed_cpus(&self) -> Vec<u32> {
        let allowed = thread::available_parallelism().map_or(1, |count| count.get() as u32);
        (0..allowed).collect()
    }

    /// NUMA nodes are not distinguished here.
    pub fn numa_nodes(&self) -> Vec<u32> {
        Vec::new()
    }

    /// NUMA nodes are not distinguished here.
    pub fn numa_cpus(&self, _node: u32) -> Vec<u32> {
        Vec::new()
    }

    /// Control groups are Linux's.
    pub fn cgroup_throttles(&self) -> Vec<IoThrottle> {
        Vec::new()
    }

    /// Control groups are Linux's.
    pub fn visible_throttles(&self) -> Vec<IoThrottle> {
        Vec::new()
    }

    /// Control groups are Linux's.
    pub fn cpu_quotas(&self) -> Vec<CpuQuota> {
        Vec::new()
    }

    /// Control groups are Linux's.
    pub fn throttle_count(&self, _limit: &IoThrottle) -> Option<u64> {
        None
    }

    /// Control groups are Linux's.
    pub fn cgroup_memory_bytes(&self) -> Option<u64> {
        None
    }
}

fn whole(time: &winsafe::FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}

/// `Windows 10.0.19045`, as far as the registry has it.
fn kernel() -> Option<String> {
    let build = registry::text(VERSION, "CurrentBuildNumber")
        .or_else(|| registry::text(VERSION, "CurrentBuild"))?;
    let version = registry::text(VERSION, "CurrentVersion");
    // From Windows 10 on the text stays at 6.3 and the build number differs.
    let version = match build.parse::<u32>() {
        Ok(10_000..) => "10.0".to_owned(),
        _ => version?,
    };
    Some(format!("Windows {version}.{build}"))
}

/// The active power plan, by its name if it is one of Windows' own.
fn power_plan() -> Option<String> {
    let number = registry::text(POWER, "ActivePowerScheme")?.to_lowercase();
    let known = PLANS.iter().find(|(plan, _)| *plan == number);
    Some(known.map_or(number.clone(), |(_, name)| (*name).to_owned()))
}

/// The firmware's text, if it is that of a virtual machine.
fn virtualisation() -> Option<Virtualisation> {
    let vendor = registry::text(FIRMWARE, "SystemManufacturer");
    let product = registry::text(FIRMWARE, "SystemProductName");
    let maker = registry::text(FIRMWARE, "BIOSVendor");
    let marks: Vec<String> =
        [&vendor, &product, &maker].into_iter().flatten().map(|text| text.to_lowercase()).collect();
    let marked = |mark: &&str| marks.iter().any(|text| text.contains(mark));
    let provider = provider_named(&marks).filter(|name| !name.contains("Hyper-V"));
    let software =
        ["qemu", "kvm", "vmware", "virtualbox", "xen", "bochs", "virtual machine", "parallels"];
    if provider.is_none() && !software.iter().any(marked) {
        return None;
    }
    // A Surface has the maker's mark of a virtual machine of Azure; its product is another.
    let hyper_v = marked(&"virtual machine").then(|| provider_named(&marks)).flatten();
    Some(Virtualisation { vendor, product, provider: provider.or(hyper_v) })
}
