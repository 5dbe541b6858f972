//! Rows: log files.

use super::kind::{Choice, Kind, word};
use super::row::{Category, OptionRow, row as any_row};
use crate::spec::LogWindow;

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Logs, name, kind, help)
}

const U32: i64 = u32::MAX as i64;

const WINDOW: &[Choice] = &[
    word("0", "the mean of the window"),
    word("avg", "the mean of the window"),
    word("1", "the greatest value of the window"),
    word("max", "the greatest value of the window"),
    word("2", "mean and greatest value"),
    word("both", "mean and greatest value"),
];

pub(super) static ROWS: &[OptionRow] = &[
    row("write_bw_log", Kind::Text, "Log bandwidth to PREFIX_bw.N.log")
        .usual("", "disk")
        .set(|d, v| d.job.measure.logs.bw = v.owned()),
    row("write_lat_log", Kind::Text, "Log latencies to PREFIX_{slat,clat,lat}.N.log")
        .usual("", "disk")
        .set(|d, v| d.job.measure.logs.lat = v.owned()),
    row("write_iops_log", Kind::Text, "Log IOPS to PREFIX_iops.N.log")
        .usual("", "disk")
        .set(|d, v| d.job.measure.logs.iops = v.owned()),
    row("write_hist_log", Kind::Text, "Log histograms of latency to PREFIX_clat_hist.N.log")
        .usual("", "disk")
        .set(|d, v| d.job.measure.logs.hist = v.owned()),
    row("per_job_logs", Kind::Bool, "A log file for each clone, rather than one for all")
        .usual("1", "0")
        .set(|d, v| d.job.measure.logs.per_job = v.flag()),
    row("bwavgtime", Kind::Int(1, U32), "Milliseconds that a sample of bandwidth covers")
        .usual("500", "1000")
        .set(|d, v| d.job.measure.bwavgtime_ms = Some(v.amount())),
    row("iopsavgtime", Kind::Int(1, U32), "Milliseconds that a sample of IOPS covers")
        .usual("500", "1000")
        .set(|d, v| d.job.measure.iopsavgtime_ms = Some(v.amount())),
    row(
        "log_avg_msec",
        Kind::Int(0, U32),
        "Milliseconds that a line of a log covers; 0 is each I/O",
    )
    .usual("0", "1000")
    .set(|d, v| d.job.measure.logs.avg_ms = v.amount()),
    row("log_hist_msec", Kind::Int(0, U32), "Milliseconds that a histogram covers")
        .usual("0", "1000")
        .set(|d, v| d.job.measure.logs.hist_ms = v.amount()),
    row(
        "log_hist_coarseness",
        Kind::Int(0, 6),
        "How often the buckets of logged histograms are halved in number",
    )
    .usual("0", "2")
    .set(|d, v| d.job.measure.logs.hist_coarseness = v.int_u8()),
    row("log_window_value", Kind::Choice(WINDOW), "What a line of a log shows of its window")
        .alias(&["log_max_value"])
        .usual("0", "max")
        .set(|d, v| {
            d.job.measure.logs.window = match v.choice() {
                "1" | "max" => LogWindow::Max,
                "2" | "both" => LogWindow::Both,
                _ => LogWindow::Average,
            };
        }),
    row("log_offset", Kind::Bool, "Log the offset of each I/O")
        .usual("0", "1")
        .set(|d, v| d.job.measure.logs.offset = v.flag()),
    row("log_prio", Kind::Bool, "Log the priority of each I/O")
        .usual("0", "1")
        .set(|d, v| d.job.measure.logs.prio = v.flag()),
    row("log_alternate_epoch", Kind::Bool, "Times in logs since 1970, not since the job began")
        .alias(&["log_unix_epoch"])
        .usual("0", "1")
        .set(|d, v| d.job.measure.logs.unix_epoch = v.flag()),
    row("log_issue_time", Kind::Bool, "Log when each I/O was submitted")
        .usual("0", "1")
        .not_yet("Subtract the latency from the time of the line."),
    row("log_alternate_epoch_clock_id", Kind::Int(0, U32), "Which clock log_alternate_epoch means")
        .usual("0", "1")
        .not_yet_but(&["0"], "Leave it out: log_alternate_epoch means the time since 1970."),
    row("log_entries", Kind::Int(1, U32), "Lines of a log to make room for at first")
        .usual("1024", "4096")
        .no_effect("logs grow as they are needed"),
    row("log_compression", Kind::Bytes, "Compress logs in memory, in parts of this size")
        .usual("", "1m")
        .no_effect("logs are not compressed in memory; what is written is the same"),
    row("log_compression_cpus", Kind::NumberList, "CPUs that compress logs")
        .usual("", "0")
        .no_effect("logs are not compressed"),
    row("log_store_compressed", Kind::Bool, "Write logs compressed")
        .usual("0", "1")
        .not_yet("Compress the files after the run."),
];
