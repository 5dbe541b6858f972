//! The machine in a few lines: the facts that make a result comparable.

use serde::{Deserialize, Serialize};

/// What is known of the hypervisor, from the CPU's flag and the firmware's tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Virtualisation {
    /// Who made the machine, by its firmware: `Amazon EC2`, `QEMU`, `Microsoft Corporation`.
    pub vendor: Option<String>,
    /// Which product: an instance type on EC2, `Google Compute Engine`, `KVM`.
    pub product: Option<String>,
    /// The provider's name, where the firmware gives it away.
    pub provider: Option<String>,
}

/// The machine that was measured on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The kernel's clock source: anything but the CPU's counter (`tsc`,
    /// on arm64 `arch_sys_counter`) makes each look at the clock slower.
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

/// The provider whose mark is in one of the firmware's texts, which are in lower case.
pub(crate) fn provider_named(marks: &[String]) -> Option<String> {
    let marked = |mark: &str| marks.iter().any(|text| text.contains(mark));
    PROVIDERS.iter().find(|(mark, _)| marked(mark)).map(|(_, name)| (*name).to_owned())
}
