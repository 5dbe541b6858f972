//! The machine itself: processors and their other users, memory, swap, the hypervisor; and a
//! comparison of the measured ceilings.

use super::facts::HostFacts;
use super::finding::{DoctorFinding, FindingTopic};
use fathom_document::{Backing, Ceiling};
use fathom_document::{binary_bytes, seconds, thousands};
use fathom_text::{Text, text};
use fathom_vocab::IoEngine;

/// Everything about the machine.
pub(crate) fn findings(facts: &HostFacts) -> Vec<DoctorFinding> {
    let mut findings = vec![governor(facts), quota(facts), processors(facts), load(facts)];
    findings.push(memory(facts));
    findings.push(swap(facts));
    findings.extend(virtual_machine(facts));
    findings
}

fn governor(facts: &HostFacts) -> DoctorFinding {
    let is_windows = facts.windowsaio.is_some();
    match facts.system.governor.as_deref() {
        Some(plan) if is_windows => power_plan(plan),
        None => DoctorFinding::ok(
            FindingTopic::Governor,
            "No frequency governor is shown: the hypervisor or the firmware decides.",
        ),
        Some("performance") => {
            DoctorFinding::ok(FindingTopic::Governor, "The governor is performance.")
        }
        Some(other) => DoctorFinding::note(
            FindingTopic::Governor,
            text!(
                "The governor is {other}: a processor that waits for I/O is slowed down, which \
                 latencies at low depth show."
            ),
        )
        .advise("For the measurement: `cpupower frequency-set -g performance`"),
    }
}

/// The Windows power plan, which replaces a governor.
fn power_plan(plan: &str) -> DoctorFinding {
    let evidence = text!("The power plan is {plan}.");
    match plan {
        "performance" | "ultimate performance" => {
            DoctorFinding::ok(FindingTopic::Governor, evidence)
        }
        _ => DoctorFinding::note(FindingTopic::Governor, evidence).advise(
            "A processor that waits for I/O is slowed down. For the measurement: `powercfg \
             /setactive SCHEME_MIN`",
        ),
    }
}

fn quota(facts: &HostFacts) -> DoctorFinding {
    let usable = facts.usable_cpus();
    let felt = facts.cpu_quota.as_ref().filter(|quota| quota.cpus < usable as f64);
    let Some(quota) = felt else {
        return DoctorFinding::ok(
            FindingTopic::CpuQuota,
            "Control groups put no limit on CPU time that would be felt.",
        );
    };
    let felt = match quota.throttled_count {
        0 => "; it has not been felt yet".into(),
        count => text!(
            "; it stopped us {} times so far, for {} in all",
            thousands(count as f64),
            seconds(quota.throttled_us)
        ),
    };
    DoctorFinding::warning(
        FindingTopic::CpuQuota,
        text!(
            "Our control group may use {} of {usable} CPUs{felt}. A stop shows as tens of \
             milliseconds of latency that are not the volume's.",
            places(quota.cpus)
        ),
    )
    .advise("Give the container or unit a higher CPU limit, or none, for the measurement.")
}

fn processors(facts: &HostFacts) -> DoctorFinding {
    let (online, usable) = (facts.system.cpus_online, facts.usable_cpus());
    if usable < online {
        return DoctorFinding::note(
            FindingTopic::Processors,
            text!("We may run on {usable} of {online} CPUs (affinity or cpuset)."),
        );
    }
    match facts.system.numa_nodes {
        nodes @ 2.. => DoctorFinding::note(
            FindingTopic::Processors,
            text!("{online} CPUs on {nodes} NUMA nodes: a far node makes each I/O dearer."),
        )
        .advise("Keep jobs on the device's node with numa_cpu_nodes or cpus_allowed."),
        _ => DoctorFinding::ok(
            FindingTopic::Processors,
            text!("{online} CPUs, all of them ours to use."),
        ),
    }
}

/// Shares of the processors from which other load gives a note, and a warning.
const NOTED_LOAD: f64 = 0.1;
const HEAVY_LOAD: f64 = 0.3;
/// The share that a hypervisor may take before it shows in tails.
const NOTED_STEAL: f64 = 0.02;

fn load(facts: &HostFacts) -> DoctorFinding {
    let load = &facts.load;
    if load.cpus == 0 {
        return DoctorFinding::note(FindingTopic::Load, "The system does not say what else runs.");
    }
    let cpus = load.cpus as f64;
    let stolen = match load.stolen_cpus / cpus {
        share if share > 0.0 => {
            text!("; the hypervisor gave {:.1} % of our time to others", share * 100.0)
        }
        _ => Text::default(),
    };
    let evidence = text!(
        "Other work took {} of {} CPUs over {}{stolen}.",
        places(load.busy_cpus),
        load.cpus,
        seconds(load.over_ms * 1000)
    );
    let stop = "Stop what else runs (`top` names it), or take figures as those of a busy machine.";
    if load.stolen_cpus / cpus > NOTED_STEAL {
        return DoctorFinding::warning(FindingTopic::Load, evidence)
            .advise("The neighbours are the provider's to move: repeat later or on another host.");
    }
    match load.busy_cpus / cpus {
        share if share >= HEAVY_LOAD => {
            DoctorFinding::warning(FindingTopic::Load, evidence).advise(stop)
        }
        share if share >= NOTED_LOAD => {
            DoctorFinding::note(FindingTopic::Load, evidence).advise(stop)
        }
        _ => DoctorFinding::ok(FindingTopic::Load, evidence),
    }
}

fn memory(facts: &HostFacts) -> DoctorFinding {
    let total = facts.system.memory_bytes;
    let available = facts.system.memory_available_bytes;
    if let Some(limit) = facts.memory_limit_bytes.filter(|limit| total.is_none_or(|t| *limit < t)) {
        return DoctorFinding::note(
            FindingTopic::Memory,
            text!(
                "Our control group may use {}, page cache included: a buffered job on more than \
                 that writes back and reads again.",
                binary_bytes(limit)
            ),
        );
    }
    let (Some(total), Some(available)) = (total, available) else {
        return DoctorFinding::note(
            FindingTopic::Memory,
            "The system does not say how much there is.",
        );
    };
    let evidence = text!("{} of {} are free to use.", binary_bytes(available), binary_bytes(total));
    match available < total / 10 {
        true => DoctorFinding::warning(FindingTopic::Memory, evidence)
            .advise("Free some: reclaim and swap add I/O and waits of their own."),
        false => DoctorFinding::ok(FindingTopic::Memory, evidence),
    }
}

fn swap(facts: &HostFacts) -> DoctorFinding {
    let (total, used) = (facts.swap.total_bytes, facts.swap.used_bytes);
    match (total, used) {
        (0, _) => DoctorFinding::ok(FindingTopic::Swap, "There is none."),
        (total, 0) => DoctorFinding::ok(
            FindingTopic::Swap,
            text!("{} of it, none in use.", binary_bytes(total)),
        ),
        (total, used) => {
            let evidence = text!(
                "{} of {} are in use: a page that comes back is I/O that no job asked for.",
                binary_bytes(used),
                binary_bytes(total)
            );
            let found = DoctorFinding::note(FindingTopic::Swap, evidence);
            match facts.windowsaio.is_some() {
                true => found,
                false => found.advise("Where memory allows: `swapoff -a` for the measurement."),
            }
        }
    }
}

fn virtual_machine(facts: &HostFacts) -> Option<DoctorFinding> {
    let machine = facts.system.virtualisation.as_ref()?;
    let names = [&machine.provider, &machine.vendor, &machine.product];
    let mut known: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
    known.dedup();
    let named = match known.is_empty() {
        true => String::new(),
        false => format!(" ({})", known.join(", ")),
    };
    let evidence = text!(
        "This is a virtual machine{named}: limits of the instance type and of each volume hold \
         that cannot be seen from inside."
    );
    Some(DoctorFinding::note(FindingTopic::VirtualMachine, evidence))
}

/// Below this share of its processors a ceiling is one of the load and not of the machine.
const FULL_CPU_PERCENT: f64 = 90.0;
/// All processors together below this share of one times their number do not add up.
const SCALES: f64 = 0.7;

/// A comparison of the ceilings; nothing if none was measured.
pub(crate) fn on_ceilings(ceilings: &[Ceiling]) -> Vec<DoctorFinding> {
    let starved: Vec<&Ceiling> =
        ceilings.iter().filter(|c| c.cpu_percent.is_some_and(|p| p < FULL_CPU_PERCENT)).collect();
    let mut findings = Vec::new();
    if let Some(worst) = starved.iter().filter_map(|c| c.cpu_percent).reduce(f64::min) {
        findings.push(
            DoctorFinding::note(
                FindingTopic::Ceilings,
                text!(
                    "In {} of {} the threads did not get a whole CPU each (as little as \
                     {worst:.0} %). What one core can drive is worked out from the CPU time that \
                     they had, and less certain.",
                    starved.len(),
                    ceilings.len()
                ),
            )
            .advise("Stop what else runs, and ask again."),
        );
    }
    findings.extend(scaling(ceilings));
    findings
}

fn scaling(ceilings: &[Ceiling]) -> Option<DoctorFinding> {
    let null = |many: bool| {
        ceilings.iter().find(|c| {
            c.case.engine == IoEngine::Null
                && c.case.backing == Backing::Nothing
                && c.case.depth > 1
                && (c.case.threads > 1) == many
        })
    };
    let (one, all) = (null(false)?, null(true)?);
    let (alone, together) = (one.undisturbed_iops()?, all.undisturbed_iops()?);
    let threads = all.case.threads;
    let times = together / alone;
    let evidence = text!("{threads} threads on as many CPUs drive {times:.1} times what one does.");
    Some(match times < SCALES * f64::from(threads) {
        true => DoctorFinding::note(
            FindingTopic::Ceilings,
            text!("{evidence} They share cores (hyperthreads), or something limits them."),
        ),
        false => DoctorFinding::ok(FindingTopic::Ceilings, evidence),
    })
}

/// A number of processors: one place after the point, if it has any.
fn places(cpus: f64) -> String {
    let text = format!("{cpus:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}
