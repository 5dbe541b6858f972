//! The text output, from made-up figures: wide and narrow, with colour and without.

use super::text::whole;
use crate::terminal::screen::Screen;
use fathom_campaign::TargetError;
use fathom_doctor::{
    Backing, Ceiling, CeilingCase, ClockFacts, Diagnosis, EngineTrial, FindingTopic, HostFacts,
    HostLoad, Severity, TargetDiagnosis,
};
use fathom_host::CpuQuota;
use fathom_message::Lang;
use fathom_vocab::IoEngine;

const WIDE: Screen =
    Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };

fn ceiling(
    engine: IoEngine,
    depth: u32,
    threads: u32,
    backing: Backing,
    iops: Result<f64, &str>,
) -> Ceiling {
    Ceiling {
        case: CeilingCase { engine, depth, threads, backing },
        iops: iops.ok(),
        cpu_percent: iops.ok().map(|_| 100.0),
        failure: iops.err().map(str::to_owned),
    }
}

fn diagnosis() -> Diagnosis {
    let mut host = HostFacts {
        clock: ClockFacts { source: "tsc".into(), why_not_tsc: None, reading_ns: 9.6 },
        io_uring: EngineTrial { tried: true, refused: None },
        libaio: EngineTrial { tried: true, refused: None },
        load: HostLoad { over_ms: 1000, cpus: 2, busy_cpus: 0.1, stolen_cpus: 0.0 },
        ..HostFacts::default()
    };
    host.system.hostname = Some("worker-7".into());
    host.system.kernel = Some("6.12.0".into());
    host.system.cpus_online = 2;
    host.system.memory_bytes = Some(8 << 30);
    host.system.memory_available_bytes = Some(6 << 30);
    host.cpu_quota = Some(CpuQuota {
        cpus: 1.5,
        cgroup: "/pod".to_owned(),
        file: "cpu.max".to_owned(),
        throttled_count: 0,
        throttled_us: 0,
    });
    let ceilings = vec![
        ceiling(IoEngine::Null, 1, 1, Backing::Nothing, Ok(18_200_000.0)),
        ceiling(IoEngine::Psync, 1, 1, Backing::Tmpfs, Ok(912_345.0)),
        ceiling(IoEngine::IoUring, 32, 1, Backing::PageCache, Ok(1_234_567.0)),
        ceiling(IoEngine::Libaio, 32, 1, Backing::PageCache, Err("no room")),
        ceiling(IoEngine::Null, 32, 2, Backing::Nothing, Ok(40_000_000.0)),
    ];
    let targets = vec![TargetDiagnosis::new(
        "/mnt/gone",
        Err(TargetError::Device("/mnt/gone does not exist".into())),
    )];
    Diagnosis::new(host, ceilings, targets, 0)
}

const HEAD: &str = "\
The path could not be examined.
1 warning, no notes, 8 fine.

Fathom VERSION on worker-7, Linux 6.12.0, 2 CPUs, 8 GiB memory

What it can drive (random reads of 4 KiB, every statistic on)
                                   IOPS  CPU got  CPU an I/O
  null, depth 1              18,200,000    100 %       55 ns  no kernel
  psync                         912,345    100 %     1.10 us  tmpfs file
  io_uring, depth 32          1,234,567    100 %      810 ns  cached file
  libaio, depth 32: not measured: no room
  null, depth 32, 2 threads  40,000,000    100 %       50 ns  no kernel

This host
  warning CPU quota     Our control group may use 1.5 of 2 CPUs; it has not been
                        felt yet. A stop shows as tens of milliseconds of
                        latency that are not the volume's.
                        -> Give the container or unit a higher CPU limit, or
                           none, for the measurement.
  ok      clock         The CPU's counter (TSC) is read: a reading costs 10 ns.
";

const END: &str = "
/mnt/gone
  ! FAILED: /mnt/gone does not exist

One core of this host can drive about 1,200,000 IOPS of 4 KiB through io_uring,
910,000 through psync (one at a time), before a disk does anything. A figure
near that is the client's limit and not the volume's: then use more jobs.
";

#[test]
fn the_short_form_begins_with_the_answer_and_shows_only_what_hinders() {
    let text = whole(&diagnosis(), false, &WIDE);
    let begins = "The path could not be examined.\n1 warning, no notes, 8 fine.\n\nThis host\n  \
                  warning CPU quota";
    assert!(text.starts_with(begins), "{text}");
    assert!(!text.contains("  ok ") && !text.contains("CPU an I/O"), "{text}");
    assert!(text.contains("FAILED: /mnt/gone") && text.contains("One core of this"), "{text}");
    assert!(text.ends_with("what is fine.\n"), "{text}");
    let fine = Diagnosis { findings: Vec::new(), targets: Vec::new(), ..diagnosis() };
    let text = whole(&fine, false, &WIDE);
    assert!(text.starts_with("No warnings, no notes, 0 fine.\n\nOne core"), "{text}");
}

#[test]
fn a_diagnosis_fits_into_eighty_columns() {
    let diagnosis = diagnosis();
    let text = whole(&diagnosis, true, &WIDE);
    let head = HEAD.replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert!(text.starts_with(&head), "{text}");
    assert!(text.ends_with(END), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for finding in &diagnosis.findings {
        assert!(text.contains(finding.topic.title()), "{finding:?}");
    }
}

#[test]
fn a_narrow_screen_gets_the_same_words_under_their_titles() {
    let text = whole(&diagnosis(), true, &Screen { width: 50, ..WIDE });
    assert!(text.lines().all(|line| line.chars().count() <= 64), "{text}");
    assert!(!text.contains("no kernel"), "{text}");
    assert!(
        text.contains("  warning CPU quota     Our control group may use\n    1.5 of"),
        "{text}"
    );
    assert!(text.contains("\n    -> Give the container"), "{text}");
}

#[test]
fn colour_marks_the_word_only_and_moves_nothing() {
    let plain = whole(&diagnosis(), true, &WIDE);
    let coloured = whole(&diagnosis(), true, &Screen { colour: true, ..WIDE });
    assert!(coloured.contains("  \x1b[33mwarning\x1b[0m CPU quota"), "{coloured}");
    let stripped = ["\x1b[33m", "\x1b[32m", "\x1b[0m"]
        .iter()
        .fold(coloured, |text, code| text.replace(code, ""));
    assert_eq!(stripped, plain);
    assert!(!plain.contains('\x1b'));
}

#[test]
fn a_quick_look_says_that_nothing_was_measured() {
    let mut quick = diagnosis();
    quick.ceilings.clear();
    let text = whole(&quick, true, &WIDE);
    assert!(!text.contains("can drive"), "{text}");
    assert!(text.contains("\n1 warning, no notes, 8 fine. Nothing was measured.\n"), "{text}");
    let quota = quick.findings.iter().find(|finding| finding.topic == FindingTopic::CpuQuota);
    assert!(quota.is_some_and(|finding| finding.severity == Severity::Warning));
}
