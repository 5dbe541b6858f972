//! Rows: verification; and zones and traces, which are not implemented yet.
//!
//! Scripts often set `verify=0` and its related options. Without a method they have no effect, so
//! they are accepted; with one, those that are missing are refused by name.

use super::kind::{Choice, Kind, word};
use super::row::{Category, OptionRow, row as any_row};
use super::value::OptionValue;
use crate::draft::Draft;
use crate::grammar::pattern::verify_pattern;
use crate::spec::VerifyMethod;
use std::path::PathBuf;

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Verify, name, kind, help)
}

/// A row that verification does not have yet; `note` remembers that it was given.
const fn idle(
    name: &'static str,
    kind: Kind,
    help: &'static str,
    note: fn(&mut Draft, &OptionValue<'_>),
) -> OptionRow {
    row(name, kind, help)
        .set(note)
        .no_effect("verification does not have it yet, and without verify= this means nothing")
}

/// Remembers that an option that is missing was given a value other than 0.
macro_rules! missing {
    ($name:literal) => {
        |d, v| {
            d.missing_verify.retain(|name| *name != $name);
            if v.flag() || v.amount() > 0 || !v.text().is_empty() || !v.numbers().is_empty() {
                d.missing_verify.push($name);
            }
        }
    };
}

/// A row of zoned devices.
const fn zone(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    row(name, kind, help).usual("0", "1").not_yet("Zoned mode is not there yet.")
}

/// A row of replaying a trace.
const fn replay(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    row(name, kind, help).no_effect("traces are not there yet, and without one this means nothing")
}

const U32: i64 = u32::MAX as i64;

const VERIFY: &[Choice] = &[
    word("0", "do not verify"),
    word("md5", "MD5 of each block"),
    word("crc64", "CRC-64 of each block"),
    word("crc32", "CRC-32 of each block"),
    word("crc32c", "CRC-32C of each block"),
    word("crc32c-intel", "CRC-32C by the CPU's instruction"),
    word("crc16", "CRC-16 of each block"),
    word("crc7", "CRC-7 of each block"),
    word("sha1", "SHA-1 of each block"),
    word("sha256", "SHA-256 of each block"),
    word("sha512", "SHA-512 of each block"),
    word("sha3-224", "SHA3-224 of each block"),
    word("sha3-256", "SHA3-256 of each block"),
    word("sha3-384", "SHA3-384 of each block"),
    word("sha3-512", "SHA3-512 of each block"),
    word("xxhash", "xxHash of each block"),
    word("meta", "offset and number of each block"),
    word("pattern", "a pattern, without header"),
    word("pattern_hdr", "a pattern, with header"),
    word("null", "go through the motions"),
];

const ZONEMODE: &[Choice] = &[
    word("none", "no zones"),
    word("strided", "I/O in zonesize, then zoneskip"),
    word("zbd", "a zoned block device"),
];

pub(super) static ROWS: &[OptionRow] = &[
    row("verify", Kind::Choice(VERIFY), "Check that what is read is what was written")
        .usual("0", "crc32c")
        .set(|d, v| {
            d.has_verify = true;
            d.job.verify.method = VerifyMethod::named(v.choice());
        }),
    row("do_verify", Kind::Bool, "Read back after writing")
        .usual("1", "0")
        .set(|d, v| d.job.verify.do_verify = v.flag()),
    row("verify_only", Kind::Flag, "Read back what an earlier run wrote, and write nothing")
        .set(|d, v| d.job.verify.only = v.flag()),
    row("verify_interval", Kind::Int(80, U32), "Bytes that each header covers")
        .usual("", "4k")
        .set(|d, v| d.job.verify.interval = v.int_u32()),
    row("verify_offset", Kind::Int(40, U32), "Where in a block the header lies")
        .usual("", "64")
        .set(|d, v| d.job.verify.offset = v.int_u32()),
    row("verify_pattern", Kind::Pattern, "Bytes to write and expect; %o is the block's offset")
        .usual("", "0xff")
        .check(|d, v| {
            d.job.verify.pattern = verify_pattern(v.text())?;
            Ok(())
        }),
    idle(
        "verify_pattern_interval",
        Kind::Bytes,
        "Bytes over which the pattern begins anew",
        missing!("verify_pattern_interval"),
    )
    .usual("", "4k"),
    row(
        "verify_fatal",
        Kind::Bool,
        "Stop at the first difference, whatever continue_on_error says",
    )
    .usual("0", "1")
    .set(|d, v| d.job.verify.fatal = v.flag()),
    idle("verify_dump", Kind::Bool, "Keep both blocks when they differ", missing!("verify_dump"))
        .usual("0", "1"),
    row("verify_async", Kind::Int(0, U32), "Threads that compare")
        .usual("0", "2")
        .no_effect("the thread that reads compares"),
    row("verify_async_cpus", Kind::NumberList, "CPUs of those threads")
        .usual("", "0")
        .no_effect("the thread that reads compares"),
    row("verify_backlog", Kind::Int(0, i64::MAX), "Read back after so many writes, too")
        .usual("0", "16")
        .set(|d, v| d.job.verify.backlog = v.amount()),
    row("verify_backlog_batch", Kind::Int(0, U32), "How many to read back then; 0 is all")
        .usual("0", "8")
        .set(|d, v| d.job.verify.backlog_batch = v.amount()),
    // fio reads the state even if it verifies nothing, and fails where there is none.
    row("verify_state_load", Kind::Bool, "Go by the state an earlier run left")
        .usual("0", "1")
        .not_yet("Leave it out: use rw=read with the same verify= to check all of a file."),
    idle(
        "verify_state_save",
        Kind::Bool,
        "Leave the state behind at the end",
        missing!("verify_state_save"),
    )
    .usual("1", "0"),
    row("verify_write_sequence", Kind::Bool, "Check which write a block holds")
        .usual("1", "0")
        .set(|d, v| d.job.verify.write_sequence = v.flag()),
    row("verify_header_seed", Kind::Bool, "Check the seed in headers")
        .usual("1", "0")
        .set(|d, v| d.job.verify.header_seed = v.flag()),
    row("verify_policy", Kind::Text, "What to do about differences")
        .usual("", "log")
        .no_effect("fio has no such option any more"),
    row("experimental_verify", Kind::Bool, "Find what to check by replaying the job")
        .usual("0", "1")
        .no_effect("what to check is always found so"),
    row("verifysort", Kind::Bool, "Once sorted what is read back").retired(),
    row("verifysort_nr", Kind::Int(0, U32), "Once bounded that sorting").retired(),
    idle(
        "trim_percentage",
        Kind::Int(0, 100),
        "Percent of checked blocks to trim",
        missing!("trim_percentage"),
    )
    .usual("0", "10"),
    row("trim_verify_zero", Kind::Bool, "Expect zeros where blocks were trimmed")
        .usual("1", "0")
        .no_effect("trims are not verified yet"),
    idle(
        "trim_backlog",
        Kind::Int(0, i64::MAX),
        "Trim every so many writes",
        missing!("trim_backlog"),
    )
    .usual("", "16"),
    idle(
        "trim_backlog_batch",
        Kind::Int(0, U32),
        "How many to trim then",
        missing!("trim_backlog_batch"),
    )
    .usual("", "8"),
    row("write_iolog", Kind::Path, "Write down every I/O, to replay it")
        .usual("", "trace")
        .set(|d, v| d.job.measure.logs.io = v.owned().map(PathBuf::from)),
    row("read_iolog", Kind::Path, "Replay the I/Os of a trace")
        .usual("", "trace")
        .not_yet_but(&[], "Describe the workload with rw, bssplit and random_distribution."),
    replay("read_iolog_chunked", Kind::Bool, "Read the trace in parts").usual("0", "1"),
    replay("replay_no_stall", Kind::Bool, "As fast as it goes, not at the trace's times")
        .usual("0", "1"),
    replay("replay_redirect", Kind::Path, "One device for the whole trace").usual("", "/dev/null"),
    replay("replay_scale", Kind::Int(0, U32), "Divide offsets by this").usual("1", "2"),
    replay("replay_align", Kind::Bytes, "Round offsets to this").usual("0", "4k"),
    replay("replay_time_scale", Kind::Int(1, U32), "Speed of the trace's clock, in percent")
        .usual("100", "200"),
    replay("replay_skip", Kind::Text, "Sorts of I/O to leave out").usual("", "trim"),
    row("merge_blktrace_file", Kind::Path, "Where to put several traces merged into one")
        .usual("", "merged")
        .not_yet_but(&[], "Use blkparse to merge traces."),
    replay("merge_blktrace_scalars", Kind::Text, "Speed of each trace").usual("", "50:100"),
    replay("merge_blktrace_iters", Kind::Text, "Rounds of each trace").usual("", "2:1"),
    zone("zonemode", Kind::Choice(ZONEMODE), "How zonesize and its kin are understood")
        .usual("none", "zbd")
        .not_yet_but(&["none"], "Use offset= and size= for a part of a device."),
    zone("zonesize", Kind::Text, "Bytes of I/O in a zone"),
    zone("zonecapacity", Kind::Text, "Bytes of a zone that can be written"),
    zone("zonerange", Kind::Text, "Bytes of a zone"),
    zone("zoneskip", Kind::Text, "Bytes between two zones"),
    zone("read_beyond_wp", Kind::Bool, "Read where a zone was not written"),
    zone("max_open_zones", Kind::Int(0, 4096), "Zones open at once"),
    zone("job_max_open_zones", Kind::Int(0, 4096), "Zones a job has open at once"),
    zone("ignore_zone_limits", Kind::Bool, "Whatever the device says of open zones"),
    zone(
        "zone_reset_threshold",
        Kind::Float(0.0, 1.0),
        "Share of written zones that begins resets",
    ),
    zone("zone_reset_frequency", Kind::Float(0.0, 1.0), "How often zones are reset"),
    zone("recover_zbd_write_error", Kind::Bool, "Set write pointers right after an error"),
    zone("write_zone_remainder", Kind::Bool, "Write the end of a zone with smaller blocks"),
    row("fdp", Kind::Bool, "Data placement on NVMe (FDP)").usual("0", "1").not_yet("Leave it out."),
    row("dataplacement", Kind::Text, "Data placement on NVMe: fdp or streams")
        .alias(&["data_placement"])
        .usual("none", "fdp")
        .not_yet_but(&["none"], "Leave it out."),
    row("plid_select", Kind::Text, "How a placement identifier is chosen")
        .alias(&["fdp_pli_select"])
        .usual("", "random")
        .not_yet("It serves dataplacement, which is not there yet."),
    row("plids", Kind::Text, "Placement identifiers")
        .alias(&["fdp_pli"])
        .usual("", "1,2")
        .not_yet("It serves dataplacement, which is not there yet."),
    row("dp_scheme", Kind::Path, "File that maps offsets to placement identifiers")
        .usual("", "scheme")
        .not_yet("It serves dataplacement, which is not there yet."),
];
