//! Rows for the cost of single features: defaults of every job are left out in turn, and optional
//! ones are added in turn.

use super::*;

/// All of them.
pub fn rows() -> Vec<BenchRow> {
    let mut rows = latency_rows();
    rows.extend(clock_rows());
    for (depth, base) in [(1, NULL.to_owned()), (32, format!("{NULL} --iodepth=32"))] {
        rows.push(asked_row(depth, &base));
        rows.push(asked_count_row(depth, &base));
    }
    rows.push(verify_row());
    rows.extend(day_rows());
    rows
}

/// The measurements of each I/O, left out in turn.
fn latency_rows() -> Vec<BenchRow> {
    let costs = |id, title, base: &str| {
        let with = |name, words: &str| ours(name, &format!("{base} {words}"));
        row(id, title, BenchDevice::Nothing)
            .runs([with(OURS, ""), with("no slat", "--disable_slat=1")])
            .runs([with("no clat", "--disable_clat=1"), with("no lat", "--disable_lat=1")])
            .runs([with("counts only", "--gtod_reduce=1")])
            .asks(NsEach, OURS, Less("no slat"), Stated)
            .asks(NsEach, OURS, Less("no clat"), Stated)
            .asks(NsEach, OURS, Less("no lat"), Stated)
            .asks(NsEach, OURS, Less("counts only"), Stated)
    };
    let deep = format!("{NULL} --iodepth=32");
    vec![
        costs("latency-cost-1", "cost of each latency, null, depth 1", NULL),
        costs("latency-cost-32", "cost of each latency, null, depth 32", &deep),
    ]
}

/// The cost of the slower clock.
fn clock_rows() -> Vec<BenchRow> {
    let fallback = |id, title, place, words: &str| {
        let slow = format!("{words} --clocksource=clock_gettime");
        row(id, title, place)
            .runs([ours(OURS, words), ours("clock_gettime", &slow)])
            .asks(Iops, "clock_gettime", Over(OURS), Stated)
            .asks(NsEach, "clock_gettime", Less(OURS), Stated)
    };
    let psync = "--ioengine=psync --rw=randread --direct=1 --filename={file}";
    vec![
        fallback("clock-null", "the clock without TSC, null", BenchDevice::Nothing, NULL),
        fallback("clock-zram", "the clock without TSC, psync on zram", BenchDevice::Zram, psync),
    ]
}

/// Options that make the loop do more, by the name of their contestant. The rate is one that no
/// loop reaches.
const ASKED: [(&str, &str); 5] = [
    ("latency log", "--write_lat_log=log --log_avg_msec=1000"),
    ("all logs", "--write_lat_log=log --write_bw_log=log --write_iops_log=log --log_avg_msec=1000"),
    ("rate", "--rate_iops=1000000000"),
    ("no percentiles", "--clat_percentiles=0"),
    ("all percentiles", "--lat_percentiles=1 --slat_percentiles=1"),
];
/// A line for each I/O: not for as long as the others, because each of them stays in memory.
const EVERY_IO: (&str, &str) = ("a line an I/O", "--write_lat_log=log --number_ios=1000000");

fn asked_row(depth: u32, base: &str) -> BenchRow {
    let id = format!("asked-{depth}");
    let mut row =
        BenchRow::new(id, format!("what is asked for, null, depth {depth}"), BenchDevice::Nothing)
            .runs([ours(OURS, base)])
            .asks(CpuNs, OURS, Alone, Stated);
    for (name, words) in ASKED.into_iter().chain([EVERY_IO]) {
        row = row.runs([ours(name, &format!("{base} {words}"))]);
        row = row.asks(CpuNs, name, Less(OURS), Stated);
    }
    row
}

fn asked_count_row(depth: u32, base: &str) -> BenchRow {
    let count = |name, words: String| Contestant { name, work: BenchWork::CountOurs(words) };
    let title = format!("what is asked for, null, depth {depth}, callgrind");
    let mut row = BenchRow::new(format!("asked-{depth}-instructions"), title, BenchDevice::Nothing)
        .runs([count(OURS, base.to_owned())])
        .asks(Instructions, OURS, Alone, Stated);
    for (name, words) in ASKED {
        row = row.runs([count(name, format!("{base} {words}"))]);
        row = row.asks(Instructions, name, Less(OURS), Stated);
    }
    row.once()
}

/// Checksums over written data.
fn verify_row() -> BenchRow {
    let writes = "--ioengine=null --rw=randwrite --size=1g";
    let words = format!("{writes} --verify=crc32c --do_verify=0");
    row("asked-verify", "verify=crc32c, null, depth 1, random writes", BenchDevice::Nothing)
        .runs([ours(OURS, writes)])
        .runs([ours("verify", &words)])
        .asks(CpuNs, "verify", Less(OURS), Stated)
}

/// The memory of a long run: by default nothing grows; logs store every line.
fn day_rows() -> Vec<BenchRow> {
    let day = |id, title, logs, want| {
        row(id, title, BenchDevice::Nothing)
            .runs([Contestant { name: OURS, work: BenchWork::Day(logs) }])
            .asks(GrownKib, OURS, Alone, want)
            .asks(ResidentMib, OURS, Alone, Stated)
            .once()
    };
    vec![
        day("day", "24 h on a simulated clock", DayLogs::None, AtMost(4.0)),
        day(
            "day-logs",
            "24 h on a simulated clock, all logs, a line a second",
            DayLogs::EverySecond,
            Stated,
        ),
    ]
}
