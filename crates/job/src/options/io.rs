//! Rows: the I/O itself.

use super::engines::{engine_choices, engine_named, engine_word};
use super::kind::{Choice, Kind, missing, word};
use super::row::{Category, OptionRow, row as any_row};
use super::value::OptionValue;
use crate::draft::Draft;
use crate::error::ValueProblem;
use crate::grammar::{distribution::distribution, split};
use crate::quantity::parse_size;
use crate::spec::{BlockSize, RandomGenerator, ReadWrite};
use fathom_vocab::{Direction, SyncMode};

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Io, name, kind, help)
}

const U32: i64 = u32::MAX as i64;

const SPLIT: Kind = Kind::Grammar(
    "size/percent, separated by ':'; up to three such lists, for reads, writes and trims; shares \
     that are left out divide what is left of 100",
);

const RW: &[Choice] = &[
    word("read", "reads, one after another"),
    word("write", "writes, one after another"),
    word("trim", "trims, one after another"),
    word("randread", "reads at random"),
    word("randwrite", "writes at random"),
    word("randtrim", "trims at random"),
    word("rw", "reads and writes, one after another"),
    word("readwrite", "the same as rw"),
    word("randrw", "reads and writes at random"),
    word("trimwrite", "each block trimmed, then written, one after another"),
    word("randtrimwrite", "each block trimmed, then written, at random"),
];

const SEQUENCER: &[Choice] = &[
    word("sequential", "go on from the last offset"),
    word("identical", "repeat the last offset"),
];

const DISTRIBUTION: &[Choice] = &[
    word("random", "every block equally likely"),
    word("zipf", "few blocks very often: zipf:theta[:center]"),
    word("pareto", "few blocks very often: pareto:h[:center]"),
    word("normal", "blocks near the middle more often: normal:deviation[:center]"),
    word("zoned", "shares of the range in percent: zoned:60/10:30/20:10/70"),
    word("zoned_abs", "shares of the range in bytes: zoned_abs:60/20g:40/100g"),
    missing("sequence", "a fixed sequence"),
];

const GENERATOR: &[Choice] = &[
    word("tausworthe", "offsets of 32 random bits; of 64 if not given and there are more blocks"),
    word("lfsr", "each block once, also with norandommap"),
    word("tausworthe64", "offsets of 64 random bits"),
];

const SYNC: &[Choice] = &[
    word("none", "return when the kernel has the data"),
    word("0", "the same as none"),
    word("sync", "O_SYNC: data and metadata are on the device"),
    word("1", "the same as sync"),
    word("dsync", "O_DSYNC: data is on the device"),
];

const SUBMIT_MODE: &[Choice] =
    &[word("inline", "the job's own thread submits"), word("offload", "other threads submit")];

const MEM: &[Choice] = &[
    word("malloc", "ordinary memory"),
    word("shm", "shared memory"),
    word("shmhuge", "shared memory in huge pages"),
    word("mmap", "mapped memory"),
    word("mmapshared", "mapped memory, shared"),
    word("mmaphuge", "mapped memory in huge pages"),
    word("cudamalloc", "memory of a GPU"),
];

pub(super) static ROWS: &[OptionRow] = &[
    row("rw", Kind::ChoiceAnd(RW, "then :N, see rw_sequencer"), "What the job does")
        .alias(&["readwrite"])
        .usual("read", "randwrite")
        .check(set_rw),
    row(
        "rw_sequencer",
        Kind::Choice(SEQUENCER),
        "What the I/Os between two random offsets of rw=…:N do",
    )
    .usual("sequential", "identical")
    .set(|d, v| d.job.pattern.rw_identical = v.choice() == "identical"),
    row(
        "ioengine",
        Kind::Open(engine_choices()),
        "How I/Os reach the kernel; on Windows windowsaio unless given",
    )
    .usual("psync", "libaio")
    .check(|d, v| {
        d.job.engine.engine = engine_named(engine_word(v.text()))?;
        Ok(())
    }),
    row("iodepth", Kind::Int(1, U32), "How many I/Os each clone keeps in flight")
        .usual("1", "32")
        .set(|d, v| d.job.engine.iodepth = v.int_u32()),
    row(
        "iodepth_batch",
        Kind::Int(0, U32),
        "How many I/Os to hand to the kernel in one call; 0 is the whole depth",
    )
    .alias(&["iodepth_batch_submit"])
    .usual("1", "8")
    .set(|d, v| d.job.engine.batch_submit = Some(v.int_u32())),
    row(
        "iodepth_batch_complete_min",
        Kind::Int(0, U32),
        "How many completions to wait for; 0 waits for one after each submission",
    )
    .alias(&["iodepth_batch_complete"])
    .usual("1", "4")
    .set(|d, v| d.job.engine.batch_complete_min = v.int_u32()),
    row("iodepth_batch_complete_max", Kind::Int(0, U32), "How many completions to take at once")
        .usual("", "8")
        .set(|d, v| d.job.engine.batch_complete_max = Some(v.int_u32()).filter(|n| *n > 0)),
    row("iodepth_low", Kind::Int(0, U32), "How far the queue drains before it is filled again")
        .usual("", "4")
        .set(|d, v| d.job.engine.iodepth_low = Some(v.int_u32()).filter(|n| *n > 0)),
    row(
        "serialize_overlap",
        Kind::Bool,
        "Hold back an I/O while one on the same blocks is in flight",
    )
    .usual("0", "1")
    .not_yet("Use iodepth=1, or one pass without norandommap: its blocks do not overlap."),
    row("io_submit_mode", Kind::Choice(SUBMIT_MODE), "Which thread submits")
        .usual("inline", "offload")
        .not_yet_but(&["inline"], "Use an asynchronous engine, such as io_uring."),
    row("direct", Kind::Bool, "Go past the page cache (O_DIRECT)")
        .usual("0", "1")
        .set(|d, v| d.job.engine.direct = v.flag()),
    row("buffered", Kind::Bool, "Use the page cache: the opposite of direct")
        .usual("1", "0")
        .set(|d, v| d.job.engine.direct = !v.flag()),
    row("atomic", Kind::Bool, "Writes that tear never (RWF_ATOMIC)")
        .usual("0", "1")
        .not_yet("Leave it out; use direct=1 for direct I/O alone."),
    row("sync", Kind::Choice(SYNC), "Whether each write is on the device when it returns")
        .usual("none", "dsync")
        .set(|d, v| {
            d.job.engine.sync = match v.choice() {
                "sync" | "1" => SyncMode::Sync,
                "dsync" => SyncMode::Dsync,
                _ => SyncMode::None,
            };
        }),
    row("fsync", Kind::Int(0, i64::MAX), "Flush after this many writes; 0 is never")
        .usual("0", "16")
        .set(|d, v| d.job.flush.fsync_blocks = v.amount()),
    row("fdatasync", Kind::Int(0, i64::MAX), "Flush data alone after this many writes; 0 is never")
        .usual("0", "1")
        .set(|d, v| d.job.flush.fdatasync_blocks = v.amount()),
    row("end_fsync", Kind::Bool, "Flush when the job ends")
        .usual("0", "1")
        .set(|d, v| d.job.flush.end_fsync = v.flag()),
    row("fsync_on_close", Kind::Bool, "Flush a file when it is closed")
        .usual("0", "1")
        .set(|d, v| d.job.flush.fsync_on_close = v.flag()),
    row("end_syncfs", Kind::Bool, "Flush the whole file system when the job ends")
        .usual("0", "1")
        .not_yet("Use end_fsync=1."),
    row("write_barrier", Kind::Int(0, U32), "Every so many writes, one that keeps order")
        .usual("0", "16")
        .not_yet("Use fsync= or fdatasync=."),
    row("sync_file_range", Kind::Text, "Write back a part of the file every so many writes")
        .usual("", "write:16")
        .not_yet("Use fdatasync=."),
    row("bs", Kind::Triple(1, u32::MAX as u64), "Bytes of an I/O")
        .alias(&["blocksize"])
        .usual("4096", "8k,64k")
        .set(|d, v| v.set_each(&mut d.job.pattern.bs, BlockSize::Fixed)),
    row("bsrange", Kind::SizeRanges, "Smallest and largest block size, drawn evenly between")
        .alias(&["blocksize_range"])
        .usual("", "4k-64k")
        .set(set_bsrange),
    row("bssplit", SPLIT, "Block sizes with their shares").usual("", "4k/60:64k/40").check(
        |d, v| {
            let split = split::bssplit(v.text(), d.units())?;
            for dir in Direction::ALL {
                if let Some(sizes) = &split[dir] {
                    d.job.pattern.bs[dir] = sizes.clone();
                }
            }
            Ok(())
        },
    ),
    row("bs_unaligned", Kind::Flag, "Block sizes from bsrange need not be round")
        .alias(&["blocksize_unaligned"])
        .set(|d, v| d.job.pattern.bs_unaligned = v.flag()),
    row("bs_is_seq_rand", Kind::Bool, "bs=A,B means A for sequential, B for random I/O")
        .usual("0", "1")
        .set(|d, v| d.job.pattern.bs_is_seq_rand = v.flag()),
    row("ba", Kind::Triple(0, 1 << 62), "What random offsets are a multiple of")
        .alias(&["blockalign"])
        .usual("", "64k")
        .set(|d, v| v.set_each(&mut d.job.pattern.blockalign, |n| n)),
    row("num_range", Kind::Int(0, U32), "Ranges in one trim request")
        .usual("1", "8")
        .not_yet_but(&["0", "1"], "Leave it out: one range a trim."),
    row("rwmixread", Kind::Int(0, 100), "Percent of reads where a job reads and writes")
        .usual("50", "70")
        .set(|d, v| d.job.pattern.rwmixread = v.int_u8()),
    row("rwmixwrite", Kind::Int(0, 100), "Percent of writes where a job reads and writes")
        .usual("50", "70")
        .set(|d, v| d.job.pattern.rwmixread = 100 - v.int_u8().min(100)),
    row("rwmixcycle", Kind::Int(0, U32), "Once set how long a mix lasted").retired(),
    row(
        "percentage_random",
        Kind::Triple(0, 100),
        "Percent of offsets that are random in a random job",
    )
    .usual("100", "50,20")
    .set(|d, v| v.set_each(&mut d.job.pattern.percentage_random, |n| n as u8)),
    row("percentage_sequential", Kind::Triple(0, 100), "Once the opposite of percentage_random")
        .retired(),
    row("norandommap", Kind::Flag, "Draw offsets afresh, so that blocks may repeat within a pass")
        .set(|d, v| d.job.pattern.norandommap = v.flag()),
    row("softrandommap", Kind::Bool, "Do as norandommap where there is no memory for a map")
        .usual("0", "1")
        .set(|d, v| d.job.pattern.softrandommap = v.flag()),
    row("randrepeat", Kind::Bool, "The same random numbers in every run")
        .usual("1", "0")
        .set(|d, v| d.job.pattern.randrepeat = v.flag()),
    // The same setting in fio, which reports it under this name.
    row("allrandrepeat", Kind::Bool, "The same random numbers in every run, as randrepeat")
        .usual("", "0")
        .set(|d, v| d.job.pattern.randrepeat = v.flag()),
    row("randseed", Kind::Int(0, i64::MAX), "Seed of the random numbers")
        .usual("0x89", "42")
        .set(|d, v| d.job.pattern.randseed = Some(v.amount())),
    row("random_generator", Kind::Choice(GENERATOR), "Which generator makes random offsets")
        .usual("tausworthe", "lfsr")
        .set(|d, v| {
            d.job.pattern.random_generator = Some(match v.choice() {
                "lfsr" => RandomGenerator::Lfsr,
                "tausworthe64" => RandomGenerator::Tausworthe64,
                _ => RandomGenerator::Tausworthe,
            });
        }),
    row(
        "random_distribution",
        Kind::ChoiceAnd(DISTRIBUTION, "with parameters after a ':'"),
        "Where random offsets fall",
    )
    .usual("random", "zipf:1.2")
    .check(|d, v| {
        if v.choice() == "sequence" {
            return Err(
                ValueProblem::new("not there yet").hinted("Use random, or rw=read or rw=write.")
            );
        }
        d.job.pattern.distribution = distribution(v.choice(), v.rest(), d.units())?;
        Ok(())
    }),
    row(
        "random_sequence_stride",
        Kind::Bool,
        "Move random_distribution=sequence on after each turn",
    )
    .usual("0", "1")
    .not_yet("It serves random_distribution=sequence, which is not there yet."),
    row("sprandom", Kind::Bool, "Bring an SSD to steady state in one pass")
        .usual("0", "1")
        .not_yet("Write the device twice over, then at random, as a job of its own."),
    row("spr_op", Kind::Float(0.0, 100.0), "Spare area of the SSD, for sprandom")
        .alias(&["spr_over_provisioning"])
        .usual("0.15", "0.2")
        .not_yet("It serves sprandom, which is not there yet."),
    row("spr_num_regions", Kind::Int(0, U32), "Regions of sprandom")
        .usual("100", "50")
        .not_yet("It serves sprandom, which is not there yet."),
    row("spr_cs", Kind::Bytes, "Cache of the SSD, for sprandom")
        .alias(&["spr_cache_size"])
        .usual("0", "1m")
        .not_yet("It serves sprandom, which is not there yet."),
    row(
        "mem",
        Kind::ChoiceAnd(MEM, "mmap kinds may name a file"),
        "What memory I/O buffers are of",
    )
    .alias(&["iomem"])
    .usual("malloc", "mmaphuge")
    .not_yet_but(
        &["malloc", "shm", "mmap", "mmapshared"],
        "Leave it out: buffers are aligned mapped memory.",
    ),
    row("iomem_align", Kind::Bytes, "What buffers are aligned to; 0 is the page size")
        .alias(&["mem_align"])
        .usual("0", "8k")
        .set(|d, v| d.job.engine.iomem_align = v.amount()),
    row("hugepage-size", Kind::Bytes, "Size of huge pages for mem=mmaphuge and mem=shmhuge")
        .usual("2m", "1g")
        .no_effect("buffers are not of huge pages yet"),
    row("gpu_dev_id", Kind::Int(0, U32), "GPU for mem=cudamalloc")
        .refused("Fathom has no buffers on a GPU"),
];

fn set_rw(draft: &mut Draft, value: &OptionValue<'_>) -> Result<(), ValueProblem> {
    let word = value.choice();
    let (kind, random) = word.strip_prefix("rand").map_or((word, false), |kind| (kind, true));
    let trimwrite = kind == "trimwrite";
    draft.job.pattern.rw = ReadWrite {
        read: matches!(kind, "read" | "rw" | "readwrite"),
        write: matches!(kind, "write" | "rw" | "readwrite") || trimwrite,
        trim: kind == "trim" || trimwrite,
        random,
        trimwrite,
    };
    let rest = value.rest();
    if rest.is_empty() {
        draft.job.pattern.rw_suffix = None;
        return Ok(());
    }
    let (sign, digits) = rest.strip_prefix('-').map_or((1, rest), |digits| (-1, digits));
    let number = i64::try_from(parse_size(digits, draft.units())?)
        .map_err(|_| ValueProblem::new("the number after ':' is too large"))?;
    if random && (sign < 0 || number == 0) {
        return Err(ValueProblem::new("the count after ':' must be 1 or more"));
    }
    draft.job.pattern.rw_suffix = Some(sign * number);
    Ok(())
}

fn set_bsrange(draft: &mut Draft, value: &OptionValue<'_>) {
    if let OptionValue::Ranges(ranges) = value {
        for dir in Direction::ALL {
            draft.job.pattern.bs[dir] = match ranges[dir] {
                Some((low, high)) if low == high => BlockSize::Fixed(low),
                Some((low, high)) => BlockSize::Range(low, high),
                None => continue,
            };
        }
    }
}
