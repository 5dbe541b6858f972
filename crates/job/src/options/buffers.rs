//! Rows: written data.

use super::kind::{Choice, Kind, word};
use super::row::{Category, OptionRow, row as any_row};
use crate::grammar::pattern::buffer_pattern;

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Buffers, name, kind, help)
}

const DEDUPE_MODE: &[Choice] = &[
    word("repeat", "repeat the block before"),
    word("working_set", "repeat a block from a fixed set"),
];

pub(super) static ROWS: &[OptionRow] = &[
    row("zero_buffers", Kind::Flag, "Write zeros").set(|d, v| d.job.buffers.zero = v.flag()),
    row("refill_buffers", Kind::Flag, "Fresh random content for every write")
        .set(|d, v| d.job.buffers.refill = v.flag()),
    row("scramble_buffers", Kind::Bool, "Change a few bytes in every write, against deduplication")
        .usual("1", "0")
        .set(|d, v| d.job.buffers.scramble = Some(v.flag())),
    row("buffer_pattern", Kind::Pattern, "Write these bytes over and over")
        .usual("", "0xdeadbeef")
        .check(|d, v| {
            let buffers = &mut d.job.buffers;
            buffers.pattern = buffer_pattern(v.text())?;
            // A pattern is written unchanged, unless a later option changes it.
            (buffers.zero, buffers.refill, buffers.scramble) = (false, false, Some(false));
            Ok(())
        }),
    row("buffer_compress_percentage", Kind::Int(0, 100), "Percent that compression can save")
        .usual("", "50")
        .set(|d, v| d.job.buffers.compress_percentage = Some(v.int_u8())),
    row(
        "buffer_compress_chunk",
        Kind::Bytes,
        "Bytes over which compressible and random parts alternate",
    )
    .usual("512", "4k")
    .set(|d, v| d.job.buffers.compress_chunk = v.amount()),
    row("dedupe_percentage", Kind::Int(0, 100), "Percent of blocks that were written before")
        .usual("0", "30")
        .set(|d, v| {
            d.job.buffers.dedupe_percentage = v.int_u8();
            // As in fio, also for 0.
            d.job.buffers.refill = true;
        }),
    row("dedupe_mode", Kind::Choice(DEDUPE_MODE), "Which block is repeated")
        .usual("repeat", "working_set")
        .not_yet_but(&["repeat"], "Leave it out: the block before is repeated."),
    row(
        "dedupe_working_set_percentage",
        Kind::Int(0, 100),
        "Size of the set for dedupe_mode=working_set",
    )
    .usual("5", "10")
    .not_yet("It serves dedupe_mode=working_set, which is not there yet."),
    row("dedupe_global", Kind::Bool, "Repeat blocks of other jobs too")
        .usual("0", "1")
        .not_yet("Leave it out: each job repeats its own blocks."),
];
