//! The machine in a few lines: the facts that make a result comparable.

use crate::facts::system::provider_named;
use crate::{Host, System, Virtualisation};

impl Host {
    /// The machine's name, software, processors and memory.
    pub fn system(&self) -> System {
        let cpuinfo = self.text("/proc/cpuinfo").unwrap_or_default();
        System {
            hostname: self.text("/proc/sys/kernel/hostname"),
            kernel: self.text("/proc/sys/kernel/osrelease"),
            os_release: self.pretty_name(),
            architecture: std::env::consts::ARCH.to_owned(),
            cpu_model: cpu_model(&cpuinfo).or_else(|| self.text("/proc/device-tree/model")),
            cpus_online: self.online_cpus().len(),
            numa_nodes: self.numa_nodes().len().max(1),
            memory_bytes: self.memory("MemTotal:"),
            memory_available_bytes: self.memory("MemAvailable:"),
            virtualisation: self.virtualisation(&cpuinfo),
            clocksource: self
                .text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            governor: self.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        }
    }

    /// The identity of this machine, otherwise its name.
    pub fn machine_id(&self) -> String {
        let id = self.text("/etc/machine-id");
        id.or_else(|| self.text("/proc/sys/kernel/hostname")).unwrap_or_default()
    }

    fn pretty_name(&self) -> Option<String> {
        let text = self.text("/etc/os-release").or_else(|| self.text("/usr/lib/os-release"))?;
        let value = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
        Some(value.trim_matches(['"', '\'']).to_owned())
    }

    /// A line of `/proc/meminfo`, which counts in KiB.
    pub(crate) fn memory(&self, name: &str) -> Option<u64> {
        let text = self.text("/proc/meminfo")?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
        kib.checked_mul(1024)
    }

    fn virtualisation(&self, cpuinfo: &str) -> Option<Virtualisation> {
        let table = |name: &str| self.text(format!("/sys/class/dmi/id/{name}"));
        let (vendor, product) = (table("sys_vendor"), table("product_name"));
        let marks = [&vendor, &product, &table("chassis_asset_tag"), &table("bios_vendor")];
        let marks: Vec<String> = marks.into_iter().flatten().map(|s| s.to_lowercase()).collect();
        let marked = |mark: &str| marks.iter().any(|text| text.contains(mark));
        let flagged = cpuinfo
            .lines()
            .filter(|line| line.starts_with("flags"))
            .any(|line| line.split_whitespace().any(|flag| flag == "hypervisor"));
        let software = ["qemu", "kvm", "vmware", "virtualbox", "xen", "bochs"];
        if !flagged && !self.has("/sys/hypervisor/type") && !software.into_iter().any(marked) {
            return None;
        }
        Some(Virtualisation { vendor, product, provider: provider_named(&marks) })
    }
}

/// The model as x86, POWER, s390 and ARM each word it.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    let value = |key: &str| {
        cpuinfo.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.trim().to_owned())
        })
    };
    let names = ["model name", "cpu model", "Processor", "cpu", "Hardware"];
    names.into_iter().find_map(value).filter(|model| !model.is_empty())
}
