//! Rows: measuring and errors.

use super::kind::{Choice, Kind, word};
use super::row::{Category, OptionRow, row as any_row};
use crate::grammar::errno::ignore_error;
use crate::spec::{ContinueOn, JobClock, UnifiedRw};

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Measure, name, kind, help)
}

const U32: i64 = u32::MAX as i64;

const CLOCK: &[Choice] = &[
    word("gettimeofday", "gettimeofday(2), in microseconds"),
    word("clock_gettime", "clock_gettime(2), in nanoseconds"),
    word("cpu", "the CPU's own counter"),
];

const UNIFIED: &[Choice] = &[
    word("none", "each direction by itself"),
    word("mixed", "all directions as one"),
    word("both", "each by itself, then all as one"),
    word("0", "the same as none"),
    word("1", "the same as mixed"),
    word("2", "the same as both"),
];

const CONTINUE: &[Choice] = &[
    word("none", "the first error ends the job"),
    word("read", "go on after failed reads"),
    word("write", "go on after failed writes and trims"),
    word("io", "go on after any failed I/O"),
    word("verify", "go on after failed verification"),
    word("all", "go on after any of these"),
    word("0", "the same as none"),
    word("1", "the same as all"),
];

const KB_BASE: &[Choice] = &[
    word("1024", "k is 1024, kib is 1000: as it always was in fio"),
    word("1000", "k is 1000, kib is 1024: as the standards have it"),
];

const UNIT_BASE: &[Choice] = &[word("0", "bytes"), word("8", "bytes"), word("1", "bits")];

pub(super) static ROWS: &[OptionRow] = &[
    row("clat_percentiles", Kind::Bool, "Report percentiles of completion latency")
        .usual("1", "0")
        .set(|d, v| d.job.measure.clat_percentiles = v.flag()),
    row("lat_percentiles", Kind::Bool, "Report percentiles of total latency")
        .usual("0", "1")
        .set(|d, v| d.job.measure.lat_percentiles = v.flag()),
    row("slat_percentiles", Kind::Bool, "Report percentiles of submission latency")
        .usual("0", "1")
        .set(|d, v| d.job.measure.slat_percentiles = v.flag()),
    row("percentile_list", Kind::FloatList(0.0, 100.0, 20), "Which percentiles")
        .usual("1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99", "50:99.9")
        .set(|d, v| {
            let mut list = v.floats().to_vec();
            list.sort_by(f64::total_cmp);
            list.dedup();
            d.job.measure.percentile_list = list;
        }),
    row("significant_figures", Kind::Int(1, 10), "Digits of figures in normal output")
        .usual("4", "6")
        .set(|d, v| d.job.measure.significant_figures = v.int_u8()),
    row("unified_rw_reporting", Kind::Choice(UNIFIED), "Whether directions are reported together")
        .usual("none", "mixed")
        .set(|d, v| {
            d.job.measure.unified_rw = match v.choice() {
                "mixed" | "1" => UnifiedRw::Mixed,
                "both" | "2" => UnifiedRw::Both,
                _ => UnifiedRw::None,
            };
        }),
    row("disk_util", Kind::Bool, "Report what the disk's own counters say")
        .usual("1", "0")
        .set(|d, v| d.job.measure.disk_util = v.flag()),
    row("stats", Kind::Bool, "Report this job at all")
        .usual("1", "0")
        .not_yet_but(&["1"], "Leave it out, and leave the job out when reading the results."),
    row("gtod_reduce", Kind::Bool, "Measure no latency, to read the clock less")
        .usual("0", "1")
        .set(|d, v| {
            if v.flag() {
                d.job.measure.measure_no_latency();
            }
        }),
    row("disable_lat", Kind::Bool, "Do not measure total latency")
        .usual("0", "1")
        .set(|d, v| d.job.measure.disable_lat = v.flag()),
    row("disable_clat", Kind::Bool, "Do not measure completion latency")
        .usual("0", "1")
        .set(|d, v| d.job.measure.disable_clat = v.flag()),
    row("disable_slat", Kind::Bool, "Do not measure submission latency")
        .usual("0", "1")
        .set(|d, v| d.job.measure.disable_slat = v.flag()),
    row(
        "disable_bw_measurement",
        Kind::Bool,
        "Do not time each I/O for its bandwidth: it is left out of logs of each I/O",
    )
    .alias(&["disable_bw"])
    .usual("0", "1")
    .set(|d, v| d.job.measure.disable_bw = v.flag()),
    row("gtod_cpu", Kind::Int(0, U32), "CPU that reads the clock for all jobs")
        .usual("", "1")
        .no_effect("each job reads the CPU's own counter, which costs less than asking another"),
    row("clocksource", Kind::Choice(CLOCK), "Which clock is read").usual("", "clock_gettime").set(
        |d, v| {
            d.job.measure.clocksource = match v.choice() {
                "gettimeofday" => JobClock::Gettimeofday,
                "clock_gettime" => JobClock::ClockGettime,
                "cpu" => JobClock::Cpu,
                _ => JobClock::Auto,
            };
        },
    ),
    row("job_start_clock_id", Kind::Int(0, U32), "Which clock job_start in results comes from")
        .usual("0", "1")
        .not_yet("Leave it out: job_start is wall clock time."),
    row(
        "continue_on_error",
        Kind::Choice(CONTINUE),
        "Where EIO and EILSEQ are counted but do not end the job",
    )
    .usual("none", "io")
    .set(|d, v| {
        let word = v.choice();
        let all = matches!(word, "all" | "1");
        d.job.errors.continue_on = ContinueOn {
            read: all || matches!(word, "read" | "io"),
            write: all || matches!(word, "write" | "io"),
            verify: all || word == "verify",
        };
    }),
    row(
        "ignore_error",
        Kind::Grammar("names or numbers separated by ':', for reads, then ',' and for writes"),
        "Errors that are counted but do not end the job, rather than EIO and EILSEQ",
    )
    .usual("", "EIO,ENOSPC")
    .check(|d, v| ignore_error(v.text(), &mut d.job.errors)),
    row("error_dump", Kind::Bool, "Print every error as it happens")
        .usual("0", "1")
        .no_effect("errors are counted, and the first of each job is reported"),
    row("block_error_percentiles", Kind::Bool, "Report after how many trims blocks fail")
        .usual("0", "1")
        .not_yet("Leave it out."),
    row("kb_base", Kind::Choice(KB_BASE), "What k, m, g mean in the options after this one")
        .usual("1024", "1000")
        .set(|d, v| d.job.measure.kb_base = if v.choice() == "1000" { 1000 } else { 1024 }),
    row("unit_base", Kind::Choice(UNIT_BASE), "Whether results are in bytes or bits")
        .usual("0", "1")
        .set(|d, v| {
            d.job.measure.unit_base = match v.choice() {
                "8" => 8,
                "1" => 1,
                _ => 0,
            };
        }),
];
