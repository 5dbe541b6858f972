//! The situations of the verdict tests: the treatment of a device, the job, and the resulting
//! truth.
//!
//! Decided here:
//! - Limits are those of a blkio control group, which counts exactly. Most are visible to the
//!   program under test, as on a Kubernetes node; those marked `hidden` are not, as on a cloud
//!   volume, and must be inferred from figures alone.
//! - One block size alone does not always distinguish an IOPS limit from a bandwidth limit: if the
//!   limit is hidden and both values are round, "one of both" is the right answer.

/// The unit of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitCounts {
    /// I/Os a second.
    Iops,
    /// Bytes a second.
    Bytes,
}

/// The known truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SituationTruth {
    /// Capped at a value.
    Cap(LimitCounts, f64),
    /// Capped at a value, of which another program takes so many I/Os a second.
    SharedCap(f64, f64),
    /// Held by the processor time of its own control group.
    Quota,
    /// A first value for some seconds, then a lower one.
    Burst(f64, f64),
    /// Only the device and the job's depth limit it.
    Free,
    /// The job limits its own rate.
    Paced,
    /// The job thinks between I/Os.
    Thinks,
    /// This machine's page cache answers.
    Cached,
    /// The data read was never written.
    Unwritten,
    /// It is memory.
    Memory,
    /// Other programs use the device.
    Foreign,
}

impl SituationTruth {
    /// The row of the confusion table.
    pub fn class(self) -> &'static str {
        match self {
            SituationTruth::Cap(LimitCounts::Iops, _) => "IOPS cap",
            SituationTruth::Cap(LimitCounts::Bytes, _) => "bandwidth cap",
            SituationTruth::SharedCap(..) => "shared cap",
            SituationTruth::Quota => "CPU quota",
            SituationTruth::Burst(..) => "burst",
            SituationTruth::Free => "no cap",
            SituationTruth::Paced => "paced job",
            SituationTruth::Thinks => "think time",
            SituationTruth::Cached => "page cache",
            SituationTruth::Unwritten => "never written",
            SituationTruth::Memory => "memory",
            SituationTruth::Foreign => "foreign I/O",
        }
    }
}

/// The device of a job's I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BedDevice {
    /// A loop device that bypasses the page cache.
    Loop,
    /// A loop device over a cached file.
    CachedLoop,
    /// Compressed memory as a disk.
    Zram,
    /// A file on ext4 on a loop device: written, only allocated, or empty.
    Written,
    /// The same, with blocks that were never written.
    Allocated,
    /// The same, without blocks.
    Sparse,
}

/// The load beside the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BesideJob {
    /// Nothing.
    Nothing,
    /// Two programs that use all processors.
    BusyProcessors,
    /// Another program reads from the device, this number of I/Os of 4 KiB a second.
    Reads(u32),
    /// Another program writes to it.
    Writes(u32),
    /// Another program of the job's control group reads from it.
    ReadsInGroup(u32),
}

/// One situation.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// Its unique name.
    pub name: String,
    /// The device of the job's I/O.
    pub device: BedDevice,
    /// Limits of the control group: `read_iops` and similar ones, each with its value.
    pub limits: Vec<(&'static str, u64)>,
    /// After this number of seconds the first limit becomes this one.
    pub then: Option<(u64, u64)>,
    /// The job's processor time, in percent of one processor.
    pub quota: Option<u32>,
    /// Whether the program under test can see the limits.
    pub hidden: bool,
    /// The job, as options of fio.
    pub job: String,
    /// How long it runs, in seconds.
    pub seconds: u64,
    /// The load beside it.
    pub beside: BesideJob,
    /// The truth.
    pub truth: SituationTruth,
}

/// Every situation.
pub fn all() -> Vec<Situation> {
    let mut all = Vec::new();
    all.extend(iops_caps());
    all.extend(bandwidth_caps());
    all.extend(shared_caps());
    all.extend(bursts());
    all.extend(not_capped());
    all.extend(held_by_the_job());
    all.extend(quotas());
    all.extend(data_paths());
    all.extend(disturbed());
    all
}

fn situation(name: String, device: BedDevice, job: String, truth: SituationTruth) -> Situation {
    Situation {
        name,
        device,
        limits: Vec::new(),
        then: None,
        quota: None,
        hidden: false,
        job,
        seconds: 12,
        beside: BesideJob::Nothing,
        truth,
    }
}

/// Kilobytes of each block, for names and options.
fn job(rw: &str, block_kib: u64, depth: u32) -> String {
    format!("--rw={rw} --bs={block_kib}k --iodepth={depth}")
}

fn limit_of(rw: &str, counted: LimitCounts) -> &'static str {
    match (rw.contains("write"), counted) {
        (false, LimitCounts::Iops) => "read_iops",
        (false, LimitCounts::Bytes) => "read_bps",
        (true, LimitCounts::Iops) => "write_iops",
        (true, LimitCounts::Bytes) => "write_bps",
    }
}

/// A capped device: `(value, block in KiB, depth, pattern, hidden)`.
type CapRow = (u64, u64, u32, &'static str, bool);

fn capped(counted: LimitCounts, device: BedDevice, row: &CapRow) -> Situation {
    let (value, block_kib, depth, rw, hidden) = *row;
    let unit = if counted == LimitCounts::Iops { "IOPS" } else { "B/s" };
    let seen = if hidden { ", hidden" } else { "" };
    let on = if device == BedDevice::Zram { " zram" } else { "" };
    let name = format!("{value} {unit}{on}, {rw} {block_kib}k depth {depth}{seen}");
    Situation {
        limits: vec![(limit_of(rw, counted), value)],
        hidden,
        ..situation(
            name,
            device,
            job(rw, block_kib, depth),
            SituationTruth::Cap(counted, value as f64),
        )
    }
}

const IOPS_ON_LOOP: &[CapRow] = &[
    (20, 4, 8, "randread", false),
    (20, 256, 4, "read", false),
    (20, 1024, 8, "write", false),
    (50, 16, 4, "randwrite", false),
    (80, 4, 1, "randread", false),
    (80, 1024, 8, "read", false),
    (150, 64, 8, "randread", false),
    (500, 4, 8, "randread", false),
    (500, 256, 8, "read", false),
    (1000, 4, 8, "randread", false),
    (1000, 4, 1, "randread", false),
    (1000, 16, 16, "randwrite", false),
    (1000, 64, 8, "read", false),
    (1000, 256, 8, "read", false),
    (1000, 1024, 4, "read", false),
    (3000, 4, 1, "randread", false),
    (3000, 4, 32, "randread", false),
    (3000, 4, 32, "randwrite", false),
    (3000, 16, 8, "randread", false),
    (3000, 64, 16, "write", false),
    (4000, 8, 16, "randread", false),
    (7500, 4, 16, "randread", false),
    (20, 4, 8, "randread", true),
    (80, 64, 8, "randread", true),
    (500, 4, 8, "randread", true),
    (1000, 4, 8, "randwrite", true),
    (1000, 256, 8, "read", true),
    (3000, 4, 1, "randread", true),
    (3000, 4, 32, "randread", true),
    (3000, 64, 16, "read", true),
    (4000, 4, 16, "randwrite", true),
    (7500, 16, 16, "randread", true),
    (30, 4, 32, "randread", true),
    (60, 4, 1, "randwrite", true),
    (90, 8, 32, "randread", true),
    (150, 4, 1, "randread", true),
    (230, 32, 4, "randread", true),
    (620, 4, 32, "randwrite", true),
    (12_000, 4, 32, "randread", true),
    (30, 1024, 2, "write", false),
    (60, 1024, 8, "read", false),
    (500, 4, 8, "randrw", false),
    (2000, 4, 16, "randrw", false),
];

const IOPS_ON_ZRAM: &[CapRow] = &[
    (16_000, 4, 32, "randread", false),
    (40_000, 4, 32, "randread", false),
    (100_000, 4, 64, "randread", false),
    (16_000, 4, 32, "randwrite", true),
    (50_000, 4, 64, "randread", true),
];

fn iops_caps() -> Vec<Situation> {
    let on = |device| move |row| capped(LimitCounts::Iops, device, row);
    let on_loop = IOPS_ON_LOOP.iter().map(on(BedDevice::Loop));
    on_loop.chain(IOPS_ON_ZRAM.iter().map(on(BedDevice::Zram))).collect()
}

const MB: u64 = 1_000_000;
const MIB: u64 = 1 << 20;

const BYTES_ON_LOOP: &[CapRow] = &[
    (2 * MB, 4, 8, "randread", false),
    (5 * MB, 4, 8, "randread", false),
    (10 * MB, 256, 8, "read", false),
    (10 * MB, 4, 4, "randwrite", false),
    (20 * MB, 256, 8, "read", false),
    (20 * MB, 512, 4, "read", false),
    (25 * MB, 512, 8, "write", false),
    (40 * MB, 1024, 4, "read", false),
    (50 * MB, 64, 8, "read", false),
    (50 * MB, 256, 8, "write", false),
    (80 * MB, 1024, 8, "read", false),
    (100 * MB, 16, 32, "randread", false),
    (100 * MB, 256, 16, "read", false),
    (125 * MIB, 64, 16, "read", false),
    (125 * MIB, 256, 32, "read", false),
    (125 * MIB, 128, 16, "write", false),
    (200 * MIB, 64, 32, "read", false),
    (250 * MIB, 64, 8, "read", false),
    (250 * MIB, 256, 8, "read", false),
    (20 * MB, 256, 8, "read", true),
    (40 * MB, 512, 4, "read", true),
    (50 * MB, 64, 8, "read", true),
    (100 * MB, 256, 16, "read", true),
    (125 * MIB, 128, 16, "read", true),
    (10 * MB, 4, 8, "randread", true),
    (80 * MB, 64, 8, "write", true),
    (3 * MB, 4, 1, "randread", true),
    (30 * MB, 128, 8, "read", true),
    (60 * MB, 32, 32, "randread", true),
    (90 * MB, 512, 2, "write", false),
];

const BYTES_ON_ZRAM: &[CapRow] = &[
    (400 * MIB, 64, 16, "read", false),
    (1000 * MIB, 128, 16, "read", false),
    (500 * MB, 64, 16, "read", true),
];

fn bandwidth_caps() -> Vec<Situation> {
    let on = |device| move |row| capped(LimitCounts::Bytes, device, row);
    let on_loop = BYTES_ON_LOOP.iter().map(on(BedDevice::Loop));
    on_loop.chain(BYTES_ON_ZRAM.iter().map(on(BedDevice::Zram))).collect()
}

/// A limit of a control group of which another program in it takes a part.
fn shared_caps() -> Vec<Situation> {
    // Limit, the other program's part, block in KiB, depth.
    const ROWS: &[(u64, u32, u64, u32)] =
        &[(3000, 1000, 4, 8), (3000, 1000, 4, 32), (3000, 500, 16, 16), (1000, 300, 4, 4)];
    let shared = |(limit, others, block, depth): &(u64, u32, u64, u32)| {
        let name = format!("{limit} IOPS, {others} of them another's, {block}k depth {depth}");
        let truth = SituationTruth::SharedCap(*limit as f64, f64::from(*others));
        Situation {
            limits: vec![("read_iops", *limit)],
            beside: BesideJob::ReadsInGroup(*others),
            ..situation(name, BedDevice::Loop, job("randread", *block, *depth), truth)
        }
    };
    ROWS.iter().map(shared).collect()
}

/// A job that would use more processor time than its control group gives it.
fn quotas() -> Vec<Situation> {
    const ROWS: &[(u32, &str, u64, u32)] =
        &[(20, "randread", 4, 8), (15, "randread", 4, 32), (20, "randwrite", 4, 8)];
    let held = |(percent, rw, block, depth): &(u32, &str, u64, u32)| {
        let name = format!("{percent} % of a CPU, {rw} {block}k depth {depth}");
        let job = job(rw, *block, *depth);
        let held = situation(name, BedDevice::Loop, job, SituationTruth::Quota);
        Situation { quota: Some(*percent), ..held }
    };
    ROWS.iter().map(held).collect()
}

/// A limit that falls in mid-run, unseen by the program under test.
fn bursts() -> Vec<Situation> {
    // From, to, after seconds, block in KiB, depth, pattern.
    type Row = (u64, u64, u64, u64, u32, &'static str);
    const ROWS: &[Row] = &[
        (3000, 1000, 6, 4, 8, "randread"),
        (3000, 300, 8, 4, 8, "randread"),
        (6000, 3000, 7, 4, 16, "randwrite"),
        (2000, 500, 5, 16, 8, "randread"),
        (1000, 100, 6, 64, 8, "read"),
        (0, 1000, 6, 4, 8, "randread"),
        (0, 3000, 8, 4, 32, "randread"),
        (0, 500, 6, 64, 8, "read"),
        (4000, 3600, 6, 4, 8, "randread"),
        (4000, 3600, 6, 4, 32, "randwrite"),
        (1500, 1000, 6, 4, 8, "randread"),
        (1000, 900, 8, 4, 8, "randread"),
    ];
    let burst = |(from, to, after, block, depth, rw): &Row| {
        let first = if *from == 0 { 1_000_000_000 } else { *from };
        let begins = if *from == 0 { "no limit".to_owned() } else { format!("{from} IOPS") };
        let name = format!("{begins} then {to} after {after} s, {rw} {block}k depth {depth}");
        let truth = SituationTruth::Burst(*from as f64, *to as f64);
        Situation {
            limits: vec![(limit_of(rw, LimitCounts::Iops), first)],
            then: Some((*after, *to)),
            hidden: true,
            seconds: 18,
            ..situation(name, BedDevice::Loop, job(rw, *block, *depth), truth)
        }
    };
    ROWS.iter().map(burst).collect()
}

fn not_capped() -> Vec<Situation> {
    const ROWS: &[(BedDevice, &str, u64, u32)] = &[
        (BedDevice::Loop, "randread", 4, 1),
        (BedDevice::Loop, "randread", 4, 8),
        (BedDevice::Loop, "randread", 4, 32),
        (BedDevice::Loop, "randwrite", 4, 8),
        (BedDevice::Loop, "randwrite", 16, 16),
        (BedDevice::Loop, "read", 256, 8),
        (BedDevice::Loop, "write", 256, 4),
        (BedDevice::Loop, "read", 1024, 2),
        (BedDevice::Loop, "randread", 64, 4),
        (BedDevice::Zram, "randread", 4, 1),
        (BedDevice::Zram, "randread", 4, 32),
        (BedDevice::Zram, "write", 64, 4),
        (BedDevice::Written, "randread", 4, 8),
        (BedDevice::Written, "randwrite", 4, 8),
    ];
    let free = |(device, rw, block, depth): &(BedDevice, &str, u64, u32)| {
        let name = format!("{device:?} without a limit, {rw} {block}k depth {depth}");
        situation(name, *device, job(rw, *block, *depth), SituationTruth::Free)
    };
    let mut found: Vec<Situation> = ROWS.iter().map(free).collect();
    // A limit that is never reached is no cap.
    for (limit, value) in [("read_iops", 900_000), ("read_bps", 20_000_000_000)] {
        let name = format!("a {limit} limit that is not reached");
        let free = situation(name, BedDevice::Loop, job("randread", 4, 1), SituationTruth::Free);
        found.push(Situation { limits: vec![(limit, value)], ..free });
    }
    found
}

fn held_by_the_job() -> Vec<Situation> {
    let paced = [
        ("--rate_iops=500", 4, 4),
        ("--rate_iops=1000", 4, 8),
        ("--rate=20m", 64, 8),
        ("--rate_iops=200 --rate_process=poisson", 4, 16),
    ];
    let paced = paced.into_iter().map(|(option, block, depth)| {
        let text = format!("{} {option}", job("randread", block, depth));
        situation(format!("paced, {option}"), BedDevice::Loop, text, SituationTruth::Paced)
    });
    let thinks = [
        ("--thinktime=1ms", "psync"),
        ("--thinktime=5ms", "psync"),
        ("--thinktime=1ms", "io_uring"),
        ("--thinktime=10ms --thinktime_blocks=8", "psync"),
        ("--thinktime=2ms --thinktime_spin=1ms", "psync"),
    ];
    let thinks = thinks.into_iter().map(|(option, engine)| {
        let text = format!("{} --ioengine={engine} {option}", job("randread", 4, 1));
        situation(format!("{engine}, {option}"), BedDevice::Loop, text, SituationTruth::Thinks)
    });
    paced.chain(thinks).collect()
}

fn data_paths() -> Vec<Situation> {
    let read = || job("randread", 4, 4);
    // Read once beforehand, so that the cache contains all of it.
    let buffered = || format!("{} --direct=0 --invalidate=0 --pre_read=1", read());
    let rows = [
        ("a loop device over a cached file", BedDevice::CachedLoop, read(), SituationTruth::Cached),
        (
            "a loop device over a cached file, 64k",
            BedDevice::CachedLoop,
            job("read", 64, 4),
            SituationTruth::Cached,
        ),
        (
            "buffered reads of a file in memory",
            BedDevice::Written,
            buffered(),
            SituationTruth::Cached,
        ),
        ("buffered reads of a device", BedDevice::Loop, buffered(), SituationTruth::Cached),
        ("allocated and never written", BedDevice::Allocated, read(), SituationTruth::Unwritten),
        (
            "allocated and never written, 64k",
            BedDevice::Allocated,
            job("read", 64, 8),
            SituationTruth::Unwritten,
        ),
        ("zram", BedDevice::Zram, job("randread", 16, 4), SituationTruth::Memory),
        ("zram, writes", BedDevice::Zram, job("randwrite", 4, 4), SituationTruth::Memory),
    ];
    let sparse =
        [("", read()), (", depth 32", job("randread", 4, 32)), (", 16k", job("randread", 16, 1))];
    let sparse = sparse.into_iter().map(|(name, job)| {
        let name = format!("a sparse file{name}");
        situation(name, BedDevice::Sparse, job, SituationTruth::Unwritten)
    });
    let rows = rows.into_iter();
    rows.map(|(name, device, job, truth)| situation(name.to_owned(), device, job, truth))
        .chain(sparse)
        .collect()
}

fn disturbed() -> Vec<Situation> {
    let foreign = [
        ("randread", 4, 1, BesideJob::Writes(2000)),
        ("randread", 4, 4, BesideJob::Reads(3000)),
        ("randwrite", 4, 1, BesideJob::Reads(2000)),
        ("randwrite", 4, 4, BesideJob::Writes(3000)),
        ("read", 64, 4, BesideJob::Writes(3000)),
        ("randread", 16, 2, BesideJob::Writes(1500)),
    ];
    let mut found: Vec<Situation> = foreign
        .into_iter()
        .map(|(rw, block, depth, beside)| {
            let name = format!("{rw} {block}k depth {depth} beside {beside:?}");
            let base =
                situation(name, BedDevice::Loop, job(rw, block, depth), SituationTruth::Foreign);
            Situation { beside, ..base }
        })
        .collect();
    let busy: &[(LimitCounts, CapRow)] = &[
        (LimitCounts::Iops, (1000, 4, 8, "randread", false)),
        (LimitCounts::Iops, (1000, 4, 8, "randread", true)),
        (LimitCounts::Iops, (3000, 4, 16, "randwrite", true)),
        (LimitCounts::Bytes, (50_000_000, 64, 8, "read", false)),
        (LimitCounts::Bytes, (20_000_000, 256, 8, "read", true)),
    ];
    for (counted, row) in busy {
        let base = capped(*counted, BedDevice::Loop, row);
        let name = format!("{}, busy processors", base.name);
        found.push(Situation { name, beside: BesideJob::BusyProcessors, ..base });
    }
    for (rw, depth) in [("randread", 1), ("randread", 16), ("randwrite", 4)] {
        let name = format!("no limit, {rw} 4k depth {depth}, busy processors");
        let base = situation(name, BedDevice::Loop, job(rw, 4, depth), SituationTruth::Free);
        found.push(Situation { beside: BesideJob::BusyProcessors, ..base });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_enough_situations_and_each_has_its_own_name() {
        let all = all();
        assert!(all.len() >= 120, "{}", all.len());
        let names: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), all.len());
        let classes: BTreeSet<&str> = all.iter().map(|one| one.truth.class()).collect();
        assert_eq!(classes.len(), 12);
    }
}
