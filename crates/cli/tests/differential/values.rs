//! Values of drawn options: by the kind of the option, and for some options from a list.

use fathom_job::{Choice, Kind, OptionRow, TimeUnit};

use super::draw::Draws;

/// Engines that both programs have on any Linux.
const ENGINES: &[&str] =
    &["null", "psync", "sync", "pvsync", "pvsync2", "libaio", "io_uring", "mmap", "posixaio"];

/// Values of options whose kind does not bound them, or not enough for a job of a second.
const LISTED: &[(&str, &[&str])] = &[
    ("ioengine", ENGINES),
    (
        "size",
        &[
            "64k", "64k", "64k", "256k", "256k", "256k", "100k", "100k", "128k", "128k", "128k",
            "3000", "100%", "50%", "0",
        ],
    ),
    ("filesize", &["16k", "64k", "100k", "16k-64k", "5000-40000"]),
    ("io_size", &["16k", "300k", "50%", "5000"]),
    ("bs", &["4k", "4k", "8k", "16k", "4k,8k", "8k,4k,16k", ",8k", "512", "5000", "64k"]),
    ("bsrange", &["4k-16k", "1k-4k", "4k-4k", "512-8k,4k-8k", "4k-10000"]),
    ("bssplit", &["4k/50:8k/50", "4k/60:16k/", "4k:8k", "4k/100,8k/50:16k/50", "1k/10:4k/"]),
    ("ba", &["4k", "8k", "512", "16k", "6k"]),
    ("iodepth", &["1", "2", "4", "16", "0"]),
    ("numjobs", &["1", "2", "3"]),
    ("loops", &["1", "2", "3", "0"]),
    ("number_ios", &["1", "7", "100", "0"]),
    ("nrfiles", &["1", "2", "4"]),
    ("openfiles", &["1", "2", "3"]),
    ("file_service_type", &["roundrobin", "sequential", "random", "roundrobin:3", "sequential:2"]),
    ("filename", &["one", "one:folder/two", "folder/two", "one:three", "./one"]),
    ("directory", &["folder", ".", "folder:.", "nowhere"]),
    ("opendir", &["folder", ".", "nowhere"]),
    ("filename_format", &["$jobname.$filenum", "f.$jobnum.$filenum", "x-$jobname-$jobnum"]),
    ("rate", &["1m", "4m,2m", ",1m", "600k"]),
    ("rate_min", &["1k", "1k,2k"]),
    ("rate_iops", &["500", "1000,400", ",300"]),
    ("rate_iops_min", &["1", "1,2"]),
    ("rate_cycle", &["100", "500", "1000"]),
    ("thinktime", &["0", "20", "100us", "1ms"]),
    ("thinktime_spin", &["0", "10", "50us"]),
    ("thinktime_iotime", &["1ms", "10ms"]),
    ("max_latency", &["0", "10s", "10s,20s"]),
    ("latency_target", &["50ms", "1s"]),
    ("latency_window", &["50ms", "100ms"]),
    ("runtime", &["300ms", "1", "1100ms", "0"]),
    ("ramp_time", &["0", "10ms", "100ms"]),
    ("startdelay", &["0", "50ms", "10ms-50ms"]),
    ("steadystate", &["iops:5%", "bw_slope:10%", "iops:100"]),
    ("steadystate_duration", &["0", "1s", "2s"]),
    ("steadystate_ramp_time", &["0", "1s"]),
    ("steadystate_check_interval", &["1s", "2s"]),
    ("log_avg_msec", &["0", "100", "500"]),
    ("log_hist_msec", &["0", "100", "500"]),
    ("bwavgtime", &["100", "500", "1000"]),
    ("iopsavgtime", &["100", "500", "1000"]),
    (
        "random_distribution",
        &["random", "zipf:1.2", "zipf", "pareto:0.3", "normal:20", "zoned:60/10:40/90"],
    ),
    ("ignore_error", &["EIO", "EIO,ENOSPC", ",ENOSPC:EINVAL", "5"]),
    ("buffer_pattern", &["0xdeadbeef", "\"abcd\"", "0x55", "17", "\"ab\"0x00"]),
    ("percentile_list", &["50:99.9", "99", "50:90", "99.9:50"]),
    ("cpumask", &["1", "3", "0x1"]),
    ("numa_cpu_nodes", &["0", "all"]),
    ("numa_mem_policy", &["local", "default", "prefer:0", "bind:0", "interleave:0"]),
    ("cpus_allowed", &["0", "0-1", "0,1"]),
    ("log_compression_cpus", &["0", "0-1"]),
    ("log_compression", &["1m", "64k"]),
    ("write_bw_log", &["logs"]),
    ("write_lat_log", &["logs"]),
    ("write_iops_log", &["logs"]),
    ("write_hist_log", &["logs"]),
    ("replay_align", &["512", "4096"]),
    ("description", &["words for people", "x"]),
    ("comm", &["disk"]),
    ("randseed", &["1", "0x89", "123456"]),
    ("iomem_align", &["0", "4k", "8k", "64k"]),
    ("hugepage-size", &["2m"]),
    ("offset", &["0", "4k", "10%", "5000", "50%", "64k"]),
    ("offset_increment", &["0", "16k", "10%", "25%"]),
    ("offset_align", &["0", "4k", "8k"]),
];

/// Whether an engine can be drawn.
pub fn is_possible(engine: &str) -> bool {
    ENGINES.contains(&engine)
}

/// A value of the option, or none where it may be left out.
pub fn drawn_value(row: &OptionRow, draws: &mut Draws) -> Option<String> {
    if row.kind.value_is_optional() && draws.happens(50) {
        return None;
    }
    if let Some((_, listed)) = LISTED.iter().find(|(name, _)| *name == row.name) {
        return Some((*draws.one_of(listed)).into());
    }
    Some(by_kind(row, draws))
}

fn by_kind(row: &OptionRow, draws: &mut Draws) -> String {
    match row.kind {
        Kind::Flag | Kind::Bool => if draws.happens(65) { row.example } else { "0" }.into(),
        // Now and then the first number that is out of the range; engines check less.
        Kind::Int(_, high)
            if high < i64::from(u32::MAX) && row.engines.is_empty() && draws.happens(2) =>
        {
            (high + 1).to_string()
        }
        Kind::Int(low, high) => whole_number(low, high, draws),
        Kind::Triple(low, high) => {
            let high = i64::try_from(high).unwrap_or(i64::MAX);
            let low = i64::try_from(low).unwrap_or(0);
            let count = *draws.one_of(&[1, 1, 2, 3]);
            let numbers: Vec<String> = (0..count).map(|_| whole_number(low, high, draws)).collect();
            numbers.join(",")
        }
        Kind::Bytes => (*draws.one_of(&["512", "4k", "5000", "16k", "0"])).into(),
        Kind::SizeOrPercent(_) => (*draws.one_of(&["16k", "50%", "100k", "5000"])).into(),
        Kind::SizeRange => (*draws.one_of(&["16k", "16k-64k"])).into(),
        Kind::SizeRanges => (*draws.one_of(&["4k-16k", "512-4k,8k-16k"])).into(),
        Kind::Time(TimeUnit::Us) | Kind::TimeTriple(_) => {
            (*draws.one_of(&["0", "10", "100us", "1ms"])).into()
        }
        Kind::Time(_) | Kind::TimeRange(_) => (*draws.one_of(&["0", "10ms", "100ms"])).into(),
        Kind::Choice(choices) | Kind::Open(choices) => word(choices, draws),
        Kind::ChoiceAnd(choices, _) => {
            let suffix = if draws.happens(15) { *draws.one_of(&[":2", ":8k", ":4"]) } else { "" };
            let mut chosen = word(choices, draws);
            // Trims of files are refused: one in many is enough.
            if chosen.contains("trim") && draws.happens(75) {
                chosen = word(choices, draws);
            }
            format!("{chosen}{suffix}")
        }
        Kind::Float(low, high) => draws.one_of(&[low, high, (low + high) / 2.0]).to_string(),
        // What has a grammar of its own.
        _ => row.example.into(),
    }
}

/// A word that Fathom has.
fn word(choices: &[Choice], draws: &mut Draws) -> String {
    let there: Vec<&Choice> = choices.iter().filter(|choice| choice.is_there).collect();
    draws.one_of(&there).name.into()
}

/// A small number of the range.
fn whole_number(low: i64, high: i64, draws: &mut Draws) -> String {
    let small = [low, low + 1, 1, 2, 3, 8, 50, 100];
    let within: Vec<i64> = small.into_iter().filter(|n| (low..=high).contains(n)).collect();
    draws.one_of(&within).to_string()
}
