//! Findings on simulated machines: the host crate's two fixtures, and single facts changed for the
//! worse one at a time.

mod ceilings;
/// The fixture machines of the host crate.
#[path = "../../host/tests/main/machine.rs"]
mod machine;
mod on_host;
mod on_targets;

use super::*;
use fathom_vocab::IoEngine;

/// A machine with nothing wrong.
fn sound() -> HostFacts {
    let mut facts = HostFacts {
        clock: ClockFacts { source: "tsc".into(), why_not_tsc: None, reading_ns: 10.0 },
        timer: Some(TimerFacts { waits: 21, median_us: 1060.0, longest_us: 1200.0 }),
        io_uring: EngineTrial { tried: true, refused: None },
        libaio: EngineTrial { tried: true, refused: None },
        allowed_cpus: vec![0, 1, 2, 3],
        load: HostLoad { over_ms: 1000, cpus: 4, busy_cpus: 0.1, stolen_cpus: 0.0 },
        ..HostFacts::default()
    };
    facts.system.cpus_online = 4;
    facts.system.numa_nodes = 1;
    facts.system.memory_bytes = Some(16 << 30);
    facts.system.memory_available_bytes = Some(12 << 30);
    facts.limits.aio_max_nr = Some(65_536);
    facts.limits.aio_nr = Some(0);
    facts
}

/// What is found on a machine about a topic.
fn about(facts: &HostFacts, topic: FindingTopic) -> DoctorFinding {
    let diagnosis = Diagnosis::new(facts.clone(), Vec::new(), Vec::new(), 0);
    one(&diagnosis.findings, topic)
}

fn one(findings: &[DoctorFinding], topic: FindingTopic) -> DoctorFinding {
    let found = findings.iter().find(|finding| finding.topic == topic);
    found.unwrap_or_else(|| panic!("nothing about {topic:?} in {findings:#?}")).clone()
}

/// A ceiling as measured.
fn ceiling(engine: IoEngine, threads: u32, iops: f64, cpu_percent: f64) -> Ceiling {
    let backing = match engine {
        IoEngine::Null => Backing::Nothing,
        IoEngine::Psync => Backing::Tmpfs,
        _ => Backing::PageCache,
    };
    let depth = if engine.is_sync() { 1 } else { 32 };
    let case = CeilingCase { engine, depth, threads, backing };
    Ceiling { case, iops: Some(iops), cpu_percent: Some(cpu_percent), failure: None }
}
