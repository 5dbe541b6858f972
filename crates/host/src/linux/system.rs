//! The machine in a few lines: what a result needs so that another can be compared with it.

use crate::Host;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is known of the hypervisor, from the CPU's flag and the firmware's tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Virtualisation {
    /// Who made the machine, by its firmware: `Amazon EC2`, `QEMU`, `Microsoft Corporation`.
    pub vendor: Option<String>,
    /// Which product: an instance type on EC2, `Google Compute Engine`, `KVM`.
    pub product: Option<String>,
    /// The provider's name, where the firmware gives it away.
    pub provider: Option<String>,
}

/// The machine that was measured on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct System {
    /// Its name.
    pub hostname: Option<String>,
    /// The kernel's release.
    pub kernel: Option<String>,
    /// The distribution, as it names itself.
    pub os_release: Option<String>,
    /// The processor's architecture, as Rust names it.
    pub architecture: String,
    /// The processor's model.
    pub cpu_model: Option<String>,
    /// Processors switched on.
    pub cpus_online: usize,
    /// NUMA nodes; 1 on a kernel without NUMA.
    pub numa_nodes: usize,
    /// Memory that the kernel has.
    pub memory_bytes: Option<u64>,
    /// Memory that could be used without swapping.
    pub memory_available_bytes: Option<u64>,
    /// Present if the CPU or the firmware says that this is a virtual machine.
    pub virtualisation: Option<Virtualisation>,
    /// The kernel's clock source: anything but `tsc` makes each look at the clock slower.
    pub clocksource: Option<String>,
    /// The frequency governor, of the first processor.
    pub governor: Option<String>,
}

/// Marks of providers in the firmware's tables.
const PROVIDERS: &[(&str, &str)] = &[
    ("amazon", "AWS"),
    ("google", "Google Cloud"),
    ("microsoft corporation", "Azure or Hyper-V"),
    ("alibaba", "Alibaba Cloud"),
    ("tencent", "Tencent Cloud"),
    ("oraclecloud", "Oracle Cloud"),
    ("digitalocean", "DigitalOcean"),
    ("hetzner", "Hetzner"),
    ("linode", "Linode"),
    ("vultr", "Vultr"),
    ("scaleway", "Scaleway"),
    ("upcloud", "UpCloud"),
    ("openstack", "OpenStack"),
];

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
        let provider = PROVIDERS.iter().find(|(mark, _)| marked(mark));
        let provider = provider.map(|(_, name)| (*name).to_owned());
        Some(Virtualisation { vendor, product, provider })
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
