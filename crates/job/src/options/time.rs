//! Rows: how long and how much.

use super::kind::{Choice, Kind, word};
use super::row::{Category, OptionRow, row as any_row};
use crate::grammar::steady::{limit_line, steadystate};
use crate::quantity::TimeUnit;
use crate::settings::{DebugSubject, NoticeKind};
use crate::spec::JobSize;

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Time, name, kind, help)
}

const SECONDS: Kind = Kind::Time(TimeUnit::S);

const STEADY: &[Choice] = &[
    word("iops", "greatest deviation of IOPS from their mean"),
    word("iops_slope", "slope of the line through the IOPS"),
    word("bw", "greatest deviation of bandwidth from its mean"),
    word("bw_slope", "slope of the line through the bandwidth"),
    word("lat", "greatest deviation of mean latency from its mean"),
    word("lat_slope", "slope of the line through mean latency"),
];

pub(super) static ROWS: &[OptionRow] = &[
    row(
        "io_size",
        Kind::SizeOrPercent(100),
        "How much I/O a pass does, if not the size of the files",
    )
    .alias(&["io_limit"])
    .usual("", "2g")
    .set(|d, v| {
        d.job.extent.io_size = Some(v.size()).filter(|size| *size != JobSize::Bytes(0));
    }),
    row("number_ios", Kind::Int(0, i64::MAX), "Stop after this many I/Os")
        .usual("0", "1000")
        .set(|d, v| d.job.extent.number_ios = Some(v.amount()).filter(|n| *n > 0)),
    row("loops", Kind::Int(0, i64::MAX), "How many passes")
        .usual("1", "3")
        .set(|d, v| d.job.extent.loops = v.amount().max(1)),
    row("runtime", SECONDS, "Stop after this time")
        .alias(&["timeout"])
        .usual("0", "30")
        .set(|d, v| d.job.extent.runtime_us = v.amount()),
    row("time_based", Kind::Flag, "Begin another pass until runtime is over")
        .set(|d, v| d.job.extent.time_based = v.flag()),
    row("ramp_time", SECONDS, "Run this long before measuring begins")
        .usual("0", "5s")
        .set(|d, v| d.job.extent.ramp_time_us = v.amount()),
    row("ramp_size", Kind::SizeOrPercent(100), "Do this much I/O before measuring begins")
        .usual("0", "1g")
        .not_yet("Use ramp_time=."),
    row(
        "startdelay",
        Kind::TimeRange(TimeUnit::S),
        "Wait this long, or between two times, before beginning",
    )
    .usual("0", "1-5")
    .set(|d, v| d.job.extent.startdelay_us = v.range()),
    row(
        "steadystate",
        Kind::ChoiceAnd(STEADY, "then :LIMIT, in percent of the mean or absolute"),
        "What must hold still for a job to count as steady",
    )
    .alias(&["ss"])
    .usual("iops_slope:0.01%", "iops:5%")
    .check(|d, v| {
        let units = d.units();
        steadystate(v.choice(), v.rest(), units, &mut d.steady)?;
        d.notice(NoticeKind::Debug(DebugSubject::Parse), limit_line(&d.steady));
        Ok(())
    }),
    row(
        "steadystate_duration",
        SECONDS,
        "How long it must hold still; then the job stops. 0 is off",
    )
    .alias(&["ss_dur"])
    .usual("0", "10s")
    .set(|d, v| d.steady.duration_us = v.amount()),
    row("steadystate_ramp_time", SECONDS, "How long to wait before judging")
        .alias(&["ss_ramp"])
        .usual("0", "5s")
        .set(|d, v| d.steady.ramp_us = v.amount()),
    row("steadystate_check_interval", SECONDS, "Time between two looks")
        .alias(&["ss_interval"])
        .usual("1", "2s")
        .set(|d, v| d.steady.interval_ms = v.amount().div_ceil(1000).max(1)),
];
