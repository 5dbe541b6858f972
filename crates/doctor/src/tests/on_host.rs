//! Findings on the machine.

use super::machine::Machine;
use super::*;
use fathom_host::{CpuQuota, CpuTimes, Swap, Ulimit};

/// What is found, as `severity: evidence`.
fn says(facts: &HostFacts, topic: FindingTopic) -> String {
    let finding = about(facts, topic);
    format!("{}: {}", finding.severity.name(), finding.evidence)
}

fn advice(facts: &HostFacts, topic: FindingTopic) -> String {
    about(facts, topic).advice.unwrap_or_default().to_string()
}

#[test]
fn a_sound_machine_is_told_so_and_nothing_needs_doing() {
    let diagnosis = Diagnosis::new(sound(), Vec::new(), Vec::new(), 0);
    for finding in &diagnosis.findings {
        assert_eq!((finding.severity, &finding.advice), (Severity::Ok, &None), "{finding:?}");
    }
    assert!(diagnosis.findings.len() >= 9);
    assert_eq!(diagnosis.count(Severity::Ok), diagnosis.findings.len());
}

#[test]
fn a_container_at_a_cloud_shows_all_its_limits() {
    let machine = Machine::new("cloud_vm");
    let mut facts = HostFacts::gather(&machine.host());
    let refused = "io_uring: io_uring_setup: Operation not permitted (os error 1) (do this)";
    facts.io_uring = EngineTrial { tried: true, refused: Some(refused.into()) };
    facts.libaio.tried = true;
    assert_eq!(
        says(&facts, FindingTopic::IoUring),
        "warning: io_uring cannot be used: io_uring: io_uring_setup: Operation not permitted."
    );
    assert!(advice(&facts, FindingTopic::IoUring).contains("sysctl kernel.io_uring_disabled=0"));
    assert_eq!(
        says(&facts, FindingTopic::Libaio),
        "ok: libaio works; fs.aio-nr is 2,048 of fs.aio-max-nr 65,536: room for 1,984 more jobs \
         of depth 32."
    );
    let quota = says(&facts, FindingTopic::CpuQuota);
    assert!(quota.starts_with("warning: Our control group may use 1.5 of 3 CPUs; it stopped us 7"));
    assert_eq!(
        says(&facts, FindingTopic::Processors),
        "note: We may run on 3 of 4 CPUs (affinity or cpuset)."
    );
    assert!(
        says(&facts, FindingTopic::Memory).starts_with("note: Our control group may use 1 GiB,")
    );
    assert!(says(&facts, FindingTopic::Swap).starts_with("note: 488 MiB of 1.91 GiB are in use"));
    let machine = says(&facts, FindingTopic::VirtualMachine);
    assert!(machine.contains("(AWS, Amazon EC2, c5d.large)"), "{machine}");
    assert_eq!(
        says(&facts, FindingTopic::LockedMemory),
        "ok: 8 MiB may be locked (RLIMIT_MEMLOCK)."
    );
    // The hard limit, since a run raises the soft one.
    assert!(says(&facts, FindingTopic::OpenFiles).contains("1,048,576 files"));
}

#[test]
fn the_worst_comes_first() {
    let mut facts = sound();
    facts.swap = Swap { total_bytes: 1 << 30, used_bytes: 1 << 20 };
    facts.cpu_quota = Some(CpuQuota {
        cpus: 0.5,
        cgroup: "/pod".to_owned(),
        file: "cpu.max".to_owned(),
        throttled_count: 0,
        throttled_us: 0,
    });
    let diagnosis = Diagnosis::new(facts, Vec::new(), Vec::new(), 0);
    let topics: Vec<FindingTopic> =
        diagnosis.findings.iter().map(|finding| finding.topic).collect();
    assert_eq!(topics[..3], [FindingTopic::CpuQuota, FindingTopic::Swap, FindingTopic::Clock]);
}

#[test]
fn a_refused_ring_is_laid_to_the_switch_the_filter_or_neither() {
    let mut facts = sound();
    facts.io_uring.refused = Some("io_uring: io_uring_setup: Operation not permitted".into());
    assert_eq!(advice(&facts, FindingTopic::IoUring), "Until that is solved libaio is used.");
    facts.seccomp_mode = Some(2);
    assert!(advice(&facts, FindingTopic::IoUring).contains("seccomp filter"));
    facts.limits.io_uring_disabled = Some(1);
    assert!(advice(&facts, FindingTopic::IoUring).contains("kernel.io_uring_disabled is 1"));
    facts.io_uring.refused = None;
    assert!(
        says(&facts, FindingTopic::IoUring).starts_with("note: io_uring works for this user, but")
    );
}

#[test]
fn room_for_libaio_is_counted_in_jobs() {
    let mut facts = sound();
    let mut with = |used: u64| {
        facts.limits.aio_nr = Some(used);
        (says(&facts, FindingTopic::Libaio), advice(&facts, FindingTopic::Libaio))
    };
    assert!(with(65_536 - 128 * 32).0.starts_with("ok: "));
    assert!(with(65_536 - 128 * 32 + 1).0.starts_with("note: "));
    assert!(with(65_536 - 16 * 32).0.starts_with("note: "));
    assert!(with(65_536 - 16 * 32 + 1).0.starts_with("warning: "));
    let (full, advice) = with(65_535);
    assert_eq!(
        full,
        "warning: fs.aio-nr is 65,535 of fs.aio-max-nr 65,536: room for no more jobs of depth 32."
    );
    assert!(advice.contains("sysctl fs.aio-max-nr=1048576"), "{advice}");
    facts.libaio.refused = Some("libaio: io_setup(1): Resource temporarily unavailable".into());
    let refused = says(&facts, FindingTopic::Libaio);
    assert!(refused.starts_with("warning: libaio cannot be used: libaio: io_setup"), "{refused}");
}

#[test]
fn a_dear_clock_is_a_warning_and_a_cheap_substitute_is_not() {
    let mut facts = sound();
    facts.clock = ClockFacts {
        source: "clock_gettime".into(),
        why_not_tsc: Some("the kernel keeps time by hpet".into()),
        reading_ns: 900.0,
    };
    let text = says(&facts, FindingTopic::Clock);
    assert!(text.starts_with("warning: clock_gettime is read and not the CPU's counter"), "{text}");
    assert!(text.contains("a reading costs 900 ns"));
    facts.clock.reading_ns = 25.0;
    assert!(says(&facts, FindingTopic::Clock).starts_with("ok: "));
}

#[test]
fn limits_and_governor_that_are_too_low_are_noted() {
    let mut facts = sound();
    facts.limits.memlock = Some(Ulimit { soft: Some(64 << 10), hard: None });
    facts.limits.nofile = Some(Ulimit { soft: Some(1024), hard: Some(1024) });
    facts.system.governor = Some("powersave".into());
    assert!(
        says(&facts, FindingTopic::LockedMemory).starts_with("note: Only 64 KiB may be locked")
    );
    assert!(says(&facts, FindingTopic::OpenFiles).starts_with("note: At most 1,024 files"));
    assert!(says(&facts, FindingTopic::Governor).starts_with("note: The governor is powersave"));
    facts.system.governor = Some("performance".into());
    assert!(says(&facts, FindingTopic::Governor).starts_with("ok: "));
    facts.system.memory_available_bytes = Some(1 << 30);
    assert!(says(&facts, FindingTopic::Memory).starts_with("warning: 1 GiB of 16 GiB are free"));
}

#[test]
fn other_work_and_stolen_time_are_told_apart() {
    let times = |cpu, user, idle, steal| CpuTimes { cpu, user, idle, steal, ..CpuTimes::default() };
    let deltas = [times(0, 50, 50, 0), times(1, 0, 75, 25), times(2, 100, 0, 0)];
    let load = HostLoad::of(&deltas, &[0, 1], 1000);
    assert_eq!((load.cpus, load.busy_cpus, load.stolen_cpus), (2, 0.5, 0.25));
    assert_eq!(HostLoad::of(&deltas, &[], 1000).cpus, 3);
    let mut facts = HostFacts { load, ..sound() };
    let text = says(&facts, FindingTopic::Load);
    assert!(text.starts_with("warning: Other work took 0.5 of 2 CPUs over 1 s;"), "{text}");
    assert!(advice(&facts, FindingTopic::Load).contains("neighbours"));
    facts.load.stolen_cpus = 0.0;
    assert!(says(&facts, FindingTopic::Load).starts_with("note: "));
    facts.load.busy_cpus = 0.6;
    assert!(says(&facts, FindingTopic::Load).starts_with("warning: "));
    facts.load.busy_cpus = 0.19;
    assert!(says(&facts, FindingTopic::Load).starts_with("ok: "));
}

#[test]
fn waits_that_take_much_longer_than_they_should_are_noted() {
    let of = |median_us| HostFacts {
        timer: Some(TimerFacts { waits: 21, median_us, longest_us: 20_000.0 }),
        ..sound()
    };
    let fine = "ok: A wait of 1 ms takes 1.99 ms; the longest of 21 took 20.0 ms.";
    assert_eq!(says(&of(1990.0), FindingTopic::Timer), fine);
    assert!(
        says(&of(15_600.0), FindingTopic::Timer).starts_with("note: A wait of 1 ms takes 15.6")
    );
    assert!(advice(&of(15_600.0), FindingTopic::Timer).contains("rate_iops"));
}
