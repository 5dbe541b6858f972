//! Rows: speed.

use super::kind::{Choice, Kind, word};
use super::row::{Category, OptionRow, row as any_row};
use crate::quantity::TimeUnit;

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Pace, name, kind, help)
}

const MICROSECONDS: Kind = Kind::Time(TimeUnit::Us);
const BYTES_EACH: Kind = Kind::Triple(0, u64::MAX);
const COUNT_EACH: Kind = Kind::Triple(0, u32::MAX as u64);
const U32: i64 = u32::MAX as i64;

const PROCESS: &[Choice] = &[
    word("linear", "at even distances"),
    word("poisson", "at random, as independent clients would"),
];

const BLOCKS_TYPE: &[Choice] = &[
    word("complete", "count I/Os that have completed"),
    word("issue", "count I/Os that were submitted"),
];

pub(super) static ROWS: &[OptionRow] = &[
    row("rate", BYTES_EACH, "Bytes a second at most")
        .usual("", "1m,500k")
        .set(|d, v| v.set_each(&mut d.job.pace.rate_bytes, |n| n)),
    row("rate_min", BYTES_EACH, "Bytes a second below which the job fails")
        .alias(&["ratemin"])
        .usual("", "100k")
        .set(|d, v| v.set_each(&mut d.job.pace.rate_min_bytes, |n| n)),
    row("rate_iops", COUNT_EACH, "IOPS at most")
        .usual("", "1000,500")
        .set(|d, v| v.set_each(&mut d.job.pace.rate_iops, |n| n)),
    row("rate_iops_min", COUNT_EACH, "IOPS below which the job fails")
        .usual("", "100")
        .set(|d, v| v.set_each(&mut d.job.pace.rate_iops_min, |n| n)),
    row("rate_process", Kind::Choice(PROCESS), "When the I/Os of a limited rate are due")
        .usual("linear", "poisson")
        .set(|d, v| d.job.pace.poisson = v.choice() == "poisson"),
    row("rate_cycle", Kind::Int(0, U32), "Milliseconds over which rates are judged")
        .alias(&["ratecycle"])
        .usual("1000", "500")
        .set(|d, v| d.job.pace.rate_cycle_ms = v.amount()),
    row("rate_ignore_thinktime", Kind::Bool, "Make up for thinktime when the rate is limited")
        .usual("0", "1")
        .set(|d, v| d.job.pace.ignore_thinktime = v.flag()),
    row("thinktime", MICROSECONDS, "Pause between I/Os")
        .usual("0", "10ms")
        .set(|d, v| d.job.pace.thinktime_us = v.amount()),
    row("thinktime_spin", MICROSECONDS, "How much of the pause keeps the CPU busy")
        .usual("0", "5ms")
        .set(|d, v| d.job.pace.thinktime_spin_us = v.amount()),
    row("thinktime_blocks", Kind::Int(0, U32), "I/Os between two pauses")
        .usual("1", "8")
        .set(|d, v| d.job.pace.thinktime_blocks = v.int_u32().max(1)),
    row(
        "thinktime_blocks_type",
        Kind::Choice(BLOCKS_TYPE),
        "Which I/Os count towards thinktime_blocks",
    )
    .usual("complete", "issue")
    .set(|d, v| d.job.pace.thinktime_blocks_issue = v.choice() == "issue"),
    row("thinktime_iotime", Kind::Time(TimeUnit::S), "I/O this long, then pause")
        .usual("0", "1s")
        .set(|d, v| d.job.pace.thinktime_iotime_us = v.amount()),
    row("thinkcycles", Kind::Int(0, U32), "Work for the CPU between I/Os")
        .usual("0", "1000")
        .not_yet("Use thinktime= with thinktime_spin=."),
    row("max_latency", Kind::TimeTriple(TimeUnit::Us), "A slower I/O ends the job with an error")
        .usual("0", "10ms")
        .set(|d, v| v.set_each(&mut d.job.pace.max_latency_us, |n| n)),
    row("latency_target", MICROSECONDS, "Find the greatest depth that keeps latency below this")
        .usual("0", "10ms")
        .set(|d, v| d.latency.target_us = v.amount()),
    row("latency_window", MICROSECONDS, "How long each depth is tried")
        .usual("0", "5s")
        .set(|d, v| d.latency.window_us = v.amount()),
    row(
        "latency_percentile",
        Kind::Float(0.0, 100.0),
        "Percent of I/Os that must meet latency_target",
    )
    .usual("100", "99.9")
    .set(|d, v| d.latency.percentile = v.float()),
    row("latency_run", Kind::Bool, "Go on at the depth that was found")
        .usual("0", "1")
        .set(|d, v| d.latency.run = v.flag()),
    row("flow", Kind::Int(0, 1000), "Weight of this job against others of its flow_id")
        .usual("0", "8")
        .not_yet("Use rate_iops= for each job."),
    row("flow_id", Kind::Int(0, U32), "Jobs whose flow belongs together")
        .usual("0", "1")
        .not_yet("It serves flow, which is not there yet."),
    row("flow_sleep", Kind::Int(0, U32), "Microseconds to wait when flow holds a job back")
        .usual("0", "10")
        .not_yet("It serves flow, which is not there yet."),
    row("flow_watermark", Kind::Int(0, U32), "Once bounded how far flow may drift").retired(),
];
