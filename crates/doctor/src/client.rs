//! The path from a job to the kernel: the clock, the timer, the asynchronous engines, the limits of
//! this process.
//!
//! A limit on the number of jobs is reported as that number, which is clearer than events of an AIO
//! context.

use super::facts::{EngineTrial, HostFacts, TimerFacts};
use super::finding::{DoctorFinding, FindingTopic};
use fathom_document::{binary_bytes, latency, thousands};
use fathom_host::Ulimit;
use fathom_text::{Text, text};

/// The depth for counting available events: that of the IOPS phases.
const DEPTH: u64 = 32;
/// Slower readings matter: two are made for each I/O, and 200 ns are a tenth of a fast path through
/// the kernel.
const DEAR_READING_NS: f64 = 100.0;
/// A wait of a millisecond that takes longer than this does so for the system's timer, and not for
/// the time that a thread needs to wake.
const LATE_WAIT_US: f64 = 2000.0;
/// Fewer such jobs than this are soon used up by one sweep.
const FEW_JOBS: u64 = 16;
/// Fewer than this may be used up where others run too.
const SOME_JOBS: u64 = 128;

/// All findings on the path from a job to the kernel.
pub(crate) fn findings(facts: &HostFacts) -> Vec<DoctorFinding> {
    let mut findings = vec![clock(facts)];
    findings.extend(facts.timer.as_ref().map(timer));
    match &facts.windowsaio {
        Some(trial) => findings.push(windowsaio(trial)),
        None => findings.extend([io_uring(facts), libaio(facts)]),
    }
    findings.extend(facts.limits.memlock.map(locked_memory));
    findings.extend(facts.limits.nofile.map(open_files));
    findings
}

fn clock(facts: &HostFacts) -> DoctorFinding {
    let clock = &facts.clock;
    let ns = text!("{:.0}", clock.reading_ns);
    let kernel = match &facts.system.clocksource {
        Some(source) => text!("; the kernel keeps time by {source}"),
        None => Text::default(),
    };
    let Some(why) = &clock.why_not_tsc else {
        let counter = clock.source.to_uppercase();
        let evidence =
            text!("The CPU's counter ({counter}) is read: a reading costs {ns} ns{kernel}.");
        return DoctorFinding::ok(FindingTopic::Clock, evidence);
    };
    let source = if clock.source.is_empty() { "clock_gettime" } else { &clock.source };
    let evidence = text!(
        "{source} is read and not the CPU's counter: {why}. Here a reading costs {ns} ns{kernel}."
    );
    if clock.reading_ns > DEAR_READING_NS {
        return DoctorFinding::warning(FindingTopic::Clock, evidence).advise(
            "Each I/O pays for two readings, so ceilings and low latencies suffer. Where \
             /sys/devices/system/clocksource/clocksource0/available_clocksource lists tsc \
             (arm64: arch_sys_counter), boot with clocksource= and that name; else choose a \
             machine that has it.",
        );
    }
    DoctorFinding::ok(FindingTopic::Clock, evidence)
}

/// A rate of 1,000 I/Os per second needs waits of a millisecond.
fn timer(timer: &TimerFacts) -> DoctorFinding {
    let time = |us: f64| latency(us * 1e3);
    let evidence = text!(
        "A wait of 1 ms takes {}; the longest of {} took {}.",
        time(timer.median_us),
        timer.waits,
        time(timer.longest_us)
    );
    if timer.median_us < LATE_WAIT_US {
        return DoctorFinding::ok(FindingTopic::Timer, evidence);
    }
    DoctorFinding::note(FindingTopic::Timer, evidence).advise(
        "I/Os of jobs with rate_iops, rate or thinktime begin late, and in groups. Measure \
         latency at a rate on a machine with finer timers.",
    )
}

fn io_uring(facts: &HostFacts) -> DoctorFinding {
    let switch = facts.limits.io_uring_disabled;
    let filtered = facts.seccomp_mode == Some(2);
    match (&facts.io_uring.refused, switch) {
        (None, _) if !facts.io_uring.tried => {
            DoctorFinding::note(FindingTopic::IoUring, "It was not tried whether io_uring works.")
        }
        (None, Some(value @ 1..)) => DoctorFinding::note(
            FindingTopic::IoUring,
            text!(
                "io_uring works for this user, but kernel.io_uring_disabled is {value}: for \
                 others it may not."
            ),
        ),
        (None, _) => DoctorFinding::ok(FindingTopic::IoUring, "io_uring works."),
        (Some(why), switch) => {
            let evidence = text!("io_uring cannot be used: {}.", bare(why));
            DoctorFinding::warning(FindingTopic::IoUring, evidence).advise(
                match (switch, filtered) {
                    (Some(value @ 1..), _) => text!(
                        "kernel.io_uring_disabled is {value}; as root: `sysctl \
                     kernel.io_uring_disabled=0`. Until then libaio is used."
                    ),
                    (_, true) => {
                        "A seccomp filter is in force here, as container runtimes have it. \
                              Allow io_uring_setup, io_uring_enter and io_uring_register, or run \
                              outside the container. Until then libaio is used."
                            .into()
                    }
                    _ => "Until that is solved libaio is used.".into(),
                },
            )
        }
    }
}

fn windowsaio(trial: &EngineTrial) -> DoctorFinding {
    let topic = FindingTopic::Windowsaio;
    match &trial.refused {
        Some(why) => {
            DoctorFinding::warning(topic, text!("windowsaio cannot be used: {}.", bare(why)))
        }
        None if trial.tried => DoctorFinding::ok(topic, "windowsaio works."),
        None => DoctorFinding::note(topic, "It was not tried whether windowsaio works."),
    }
}

/// The system's words without the advice that an engine's error carries for a job's author.
fn bare(why: &str) -> &str {
    why.split(" (").next().unwrap_or(why).trim_end_matches('.')
}

fn libaio(facts: &HostFacts) -> DoctorFinding {
    let limits = &facts.limits;
    // A context takes as many of the machine's events as its job has depth.
    let room = limits.aio_max_nr.zip(limits.aio_nr).map(|(most, used)| {
        let jobs = most.saturating_sub(used) / DEPTH;
        (jobs, counted(used, most, jobs))
    });
    let text = match &room {
        Some((_, counted)) => counted.clone(),
        None => "the kernel says nothing of its limits".into(),
    };
    let jobs = room.as_ref().map_or(u64::MAX, |(jobs, _)| *jobs);
    let raise = |finding: DoctorFinding| {
        let wanted = limits.aio_max_nr.unwrap_or(0).saturating_mul(2).max(1 << 20);
        finding.advise(text!(
            "As root: `sysctl fs.aio-max-nr={wanted}`; or use io_uring, which has no such limit."
        ))
    };
    match (&facts.libaio.refused, jobs) {
        (Some(why), jobs) => {
            let evidence = text!("libaio cannot be used: {}; {text}.", bare(why));
            let finding = DoctorFinding::warning(FindingTopic::Libaio, evidence);
            if jobs == 0 { raise(finding) } else { finding }
        }
        (None, ..FEW_JOBS) => raise(DoctorFinding::warning(FindingTopic::Libaio, text!("{text}."))),
        (None, ..SOME_JOBS) => raise(DoctorFinding::note(FindingTopic::Libaio, text!("{text}."))),
        (None, _) if facts.libaio.tried => {
            DoctorFinding::ok(FindingTopic::Libaio, text!("libaio works; {text}."))
        }
        (None, _) => {
            DoctorFinding::note(FindingTopic::Libaio, text!("libaio was not tried; {text}."))
        }
    }
}

/// The machine's events, and their meaning in jobs.
fn counted(used: u64, most: u64, jobs: u64) -> Text {
    let (used, most) = (thousands(used as f64), thousands(most as f64));
    let more = match jobs {
        0 => "no more jobs".into(),
        1 => "1 more job".into(),
        jobs => text!("{} more jobs", thousands(jobs as f64)),
    };
    text!("fs.aio-nr is {used} of fs.aio-max-nr {most}: room for {more} of depth {DEPTH}")
}

/// Buffers of a usual throughput job: depth 32 with blocks of 256 KiB.
const USUAL_JOB_BYTES: u64 = 8 << 20;

fn locked_memory(limit: Ulimit) -> DoctorFinding {
    match limit.soft {
        None => DoctorFinding::ok(
            FindingTopic::LockedMemory,
            "No limit on locked memory (RLIMIT_MEMLOCK).",
        ),
        Some(bytes) if bytes >= USUAL_JOB_BYTES => DoctorFinding::ok(
            FindingTopic::LockedMemory,
            text!("{} may be locked (RLIMIT_MEMLOCK).", binary_bytes(bytes)),
        ),
        Some(bytes) => DoctorFinding::note(
            FindingTopic::LockedMemory,
            text!(
                "Only {} may be locked (RLIMIT_MEMLOCK), where a job of depth 32 with blocks of \
                 256 KiB has {} of buffers: without privileges io_uring runs it with buffers that \
                 are not registered, which costs some CPU.",
                binary_bytes(bytes),
                binary_bytes(USUAL_JOB_BYTES)
            ),
        )
        .advise("`ulimit -l unlimited`, or LimitMEMLOCK=infinity in the unit."),
    }
}

/// Fewer open files than this, and jobs with many files or clones meet the limit.
const ENOUGH_FILES: u64 = 4096;

fn open_files(limit: Ulimit) -> DoctorFinding {
    // The hard limit counts: a run raises the soft one as far as it may.
    match limit.hard {
        Some(files) if files < ENOUGH_FILES => DoctorFinding::note(
            FindingTopic::OpenFiles,
            text!(
                "At most {} files may be open (RLIMIT_NOFILE): jobs with many files or clones \
                 meet that.",
                thousands(files as f64)
            ),
        )
        .advise("Raise the hard limit: ulimit -Hn, or LimitNOFILE= in the unit."),
        Some(files) => DoctorFinding::ok(
            FindingTopic::OpenFiles,
            text!("{} files may be open (RLIMIT_NOFILE).", thousands(files as f64)),
        ),
        None => DoctorFinding::ok(FindingTopic::OpenFiles, "No limit on open files."),
    }
}
