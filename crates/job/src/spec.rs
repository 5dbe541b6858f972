//! `JobSpec`: one job, typed and checked, independent of its spelling.
//!
//! All other crates read this and never the text. Fields are grouped by topic (name, target,
//! pattern, speed, time, measurement). Defaults are fio's, because programs rely on the drop-in.

use crate::origin::Origin;
use fathom_vocab::{
    Direction, EngineOptions, ErrorNumber, IoEngine, NfsUrl, PerDirection, SyncMode,
};
use std::path::{Path, PathBuf};

/// One job. `process.numjobs` clones of it will run.
#[derive(Clone, Debug, PartialEq)]
pub struct JobSpec {
    /// Name of the section or of `--name`.
    pub name: String,
    /// Free text shown in results.
    pub description: Option<String>,
    /// The source of the job, for error messages.
    pub origin: Origin,
    /// Options of this job itself (not the global ones), canonical name and raw value, in the given
    /// order; `None` is an option without a value. Reported with the results.
    pub given: Vec<(String, Option<String>)>,
    /// Options that were global when the job was begun, in the same form. Together with `given`
    /// they are complete, so that the job can be printed and parsed elsewhere.
    pub inherited: Vec<(String, Option<String>)>,
    /// The targets of the I/O.
    pub target: JobTarget,
    /// The form of each I/O.
    pub pattern: Pattern,
    /// How I/Os reach the kernel.
    pub engine: EngineSpec,
    /// How long and how much.
    pub extent: Extent,
    /// Speed.
    pub pace: Pace,
    /// Start, related jobs, CPUs.
    pub process: Process,
    /// The content of written data.
    pub buffers: Buffers,
    /// How data is verified.
    pub verify: Verify,
    /// When data is flushed.
    pub flush: Flush,
    /// The measurements and their display.
    pub measure: Measure,
    /// The reaction to an error.
    pub errors: ErrorPolicy,
}

impl JobSpec {
    /// Whether each I/O is done when its submission returns, so that there is no submission
    /// latency: synchronous engines, and null at depth 1.
    pub fn completes_at_once(&self) -> bool {
        let engine = self.engine.engine;
        engine.is_sync() || engine == IoEngine::Null && self.engine.iodepth == 1
    }

    /// Whether its writes, or those of an earlier run, are read back when it has ended.
    pub fn reads_back(&self) -> bool {
        let verify = &self.verify;
        verify.method.is_some() && (verify.do_verify || verify.only) && self.pattern.rw.write
    }

    /// Whether it writes nothing and reads back what an earlier run wrote.
    pub fn only_verifies(&self) -> bool {
        self.verify.only && self.pattern.rw.write
    }
}

/// An amount that may depend on the existing size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobSize {
    /// Bytes.
    Bytes(u64),
    /// A percentage (0 to 100) of the size of the file or device.
    Percent(u8),
}

/// The targets of the I/O.
#[derive(Clone, Debug, PartialEq)]
pub struct JobTarget {
    /// `filename`: paths, split at `:` (with `\:` for a colon), below the first folder of an
    /// earlier `directory`; empty if not given.
    pub filenames: Vec<PathBuf>,
    /// How many of `filenames` and of the files of `opendir` are used; `None` is all.
    pub most_files: Option<u32>,
    /// `directory`: split at `:`; clones are distributed over them in turn.
    pub directories: Vec<PathBuf>,
    /// Name of the section, where `name=` gave the job another: names of files begin with it.
    pub section: Option<String>,
    /// `filename_format`, with `$jobname`, `$jobnum`, `$filenum` left in.
    pub filename_format: Option<String>,
    /// `size`: of all files of a clone together; `None` means the existing size.
    pub size: Option<JobSize>,
    /// `filesize`: smallest and largest size of one file, in bytes.
    pub filesize: Option<(u64, u64)>,
    /// `nrfiles`: files a clone; 1 or more.
    pub nrfiles: u32,
    /// `openfiles`: files that are open at once; 0 for all.
    pub openfiles: u32,
    /// `file_service_type`.
    pub file_service: FileService,
    /// `offset`: where in each file I/O begins.
    pub offset: JobSize,
    /// `offset_increment`: added to `offset` once for each clone number.
    pub offset_increment: JobSize,
    /// `offset_align`: in bytes, 0 for the smallest block size.
    pub offset_align: u64,
    /// `fallocate`.
    pub fallocate: Fallocate,
    /// `unique_filename`: where other hosts run the job, names that it makes up begin with theirs.
    pub unique_filename: bool,
    /// `create_only`: lay files out and stop.
    pub create_only: bool,
    /// `create_fsync`: flush files after laying them out.
    pub create_fsync: bool,
    /// `create_on_open`.
    pub create_on_open: bool,
    /// `allow_file_create`: whether files that are not there may be made.
    pub allow_file_create: bool,
    /// `allow_mounted_write`: whether a device in use may be written.
    pub allow_mounted_write: bool,
    /// `overwrite`: lay out files fully even for a job that only writes.
    pub overwrite: bool,
    /// `unlink`: remove files when the job ends.
    pub unlink: bool,
    /// `pre_read`: read files into the page cache first.
    pub pre_read: bool,
    /// `invalidate`: drop the page cache of the files before I/O.
    pub invalidate: bool,
    /// `fadvise_hint`.
    pub fadvise: bool,
    /// `opendir`: folders whose files are used, in addition to `filenames`.
    pub opendirs: Vec<OpenDir>,
}

/// A folder of `opendir`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenDir {
    /// Where names of files are looked for, in it and in the folders below it.
    pub path: PathBuf,
    /// The folder of the files with these names; `None` means that they have full paths.
    pub below: Option<PathBuf>,
}

impl JobTarget {
    /// The beginning of generated file names, for a job with this name.
    pub fn stem<'a>(&'a self, job_name: &'a str) -> &'a str {
        self.section.as_deref().unwrap_or(job_name)
    }

    /// How many of `count` files the job works on at a time.
    pub fn files_at_once(&self, count: usize) -> usize {
        match (self.file_service, self.openfiles as usize) {
            (FileService::Sequential, _) => 1,
            (_, 0) => count,
            (_, most) => most.min(count),
        }
    }
}

/// `name` below `folder`, also if it is absolute.
pub fn path_below(folder: &Path, name: &Path) -> PathBuf {
    folder.join(name.strip_prefix("/").unwrap_or(name))
}

/// The file of the next I/O, and the number of I/Os in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileService {
    /// One file after another, this many I/Os each.
    RoundRobin(u32),
    /// A file at random, this many I/Os each.
    Random(u32),
    /// A file is finished before the next is begun.
    Sequential,
}

/// How blocks are allocated for files before the job writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallocate {
    /// Not at all.
    None,
    /// The file system's own allocation; nothing if it has none.
    Native,
    /// `posix_fallocate(3)`, which writes if the file system cannot allocate.
    Posix,
    /// `fallocate(2)` with `FALLOC_FL_KEEP_SIZE`.
    Keep,
    /// `ftruncate(2)` to the size.
    Truncate,
}

/// The directions of a job, and whether offsets are random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadWrite {
    /// Has reads.
    pub read: bool,
    /// Has writes.
    pub write: bool,
    /// Has trims.
    pub trim: bool,
    /// Offsets are random.
    pub random: bool,
    /// `trimwrite`: each block is trimmed, then written.
    pub trimwrite: bool,
}

/// The form of each I/O.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// `rw` / `readwrite`.
    pub rw: ReadWrite,
    /// The `:N` of `rw=randread:N` (I/Os before a new offset is drawn) or of `rw=write:N` (bytes to
    /// skip after each I/O); `None` if not given.
    pub rw_suffix: Option<i64>,
    /// `rw_sequencer=identical` rather than `sequential`.
    pub rw_identical: bool,
    /// Block sizes of each direction.
    pub bs: PerDirection<BlockSize>,
    /// `bs_unaligned`.
    pub bs_unaligned: bool,
    /// `bs_is_seq_rand`: the read size serves sequential, the write size random I/O.
    pub bs_is_seq_rand: bool,
    /// `blockalign`, in bytes; 0 is the smallest block size of the direction.
    pub blockalign: PerDirection<u64>,
    /// `rwmixread`: share of reads in percent, 0 to 100.
    pub rwmixread: u8,
    /// `percentage_random` per direction, 0 to 100.
    pub percentage_random: PerDirection<u8>,
    /// `norandommap`: offsets are drawn afresh, so blocks may repeat within a pass.
    pub norandommap: bool,
    /// `softrandommap`: falls back to `norandommap` if a map is impossible.
    pub softrandommap: bool,
    /// `random_generator`, when given; otherwise `tausworthe64` where blocks exceed 32 bits.
    pub random_generator: Option<RandomGenerator>,
    /// `random_distribution` per direction.
    pub distribution: PerDirection<Distribution>,
    /// `randrepeat`: the same sequence in every run.
    pub randrepeat: bool,
    /// `randseed`, when given.
    pub randseed: Option<u64>,
}

/// The generator of random offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomGenerator {
    /// 32 bits a draw: of more than 2^32 blocks, only every so many can come.
    Tausworthe,
    /// 64 bits a draw.
    Tausworthe64,
    /// Each block once a pass, also with `norandommap`.
    Lfsr,
}

/// The block sizes of one direction.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockSize {
    /// Always this many bytes.
    Fixed(u64),
    /// Evenly between two sizes (bytes, both included), in steps of the smaller.
    Range(u64, u64),
    /// Sizes in bytes with their weights in percent; the weights add up to 100.
    Split(Vec<(u64, u8)>),
}

impl BlockSize {
    /// Smallest size in bytes.
    pub fn min(&self) -> u64 {
        match self {
            BlockSize::Fixed(n) | BlockSize::Range(n, _) => *n,
            BlockSize::Split(parts) => parts.iter().map(|p| p.0).min().unwrap_or(0),
        }
    }

    /// The sizes that were named, in bytes.
    pub fn sizes(&self) -> Vec<u64> {
        match self {
            BlockSize::Fixed(n) => vec![*n],
            BlockSize::Range(low, high) => vec![*low, *high],
            BlockSize::Split(parts) => parts.iter().map(|p| p.0).collect(),
        }
    }

    /// Largest size in bytes.
    pub fn max(&self) -> u64 {
        match self {
            BlockSize::Fixed(n) | BlockSize::Range(_, n) => *n,
            BlockSize::Split(parts) => parts.iter().map(|p| p.0).max().unwrap_or(0),
        }
    }
}

/// Where random offsets fall.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Evenly.
    Uniform,
    /// Zipf: exponent theta, and the centre as a share of the range (0 to 1) if given.
    Zipf {
        /// The position of the most popular block, 0 to 1.
        theta: f64,
        /// The position of the most popular block, 0 to 1.
        center: Option<f64>,
    },
    /// Pareto: shape h, and the centre as a share of the range (0 to 1) if given.
    Pareto {
        /// Shape.
        h: f64,
        /// The position of the most popular block, 0 to 1.
        center: Option<f64>,
    },
    /// Normal: standard deviation in percent of the range, and the centre if given.
    Normal {
        /// Standard deviation in percent of the range.
        deviation: f64,
        /// The position of the mean, 0 to 1.
        center: Option<f64>,
    },
    /// `zoned`: percent of accesses, percent of the range.
    Zoned(Vec<(u8, u8)>),
    /// `zoned_abs`: percent of accesses, bytes of the range.
    ZonedAbs(Vec<(u8, u64)>),
}

/// How I/Os reach the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// `ioengine`.
    pub engine: IoEngine,
    /// `direct`: `O_DIRECT`.
    pub direct: bool,
    /// `sync`: `O_SYNC` or `O_DSYNC`.
    pub sync: SyncMode,
    /// `iodepth`: 1 or more.
    pub iodepth: u32,
    /// `iodepth_batch` (submit): the number of I/Os to submit at a time; `None` if not given.
    pub batch_submit: Option<u32>,
    /// `iodepth_batch_complete_min`: how many completions to wait for; 0 polls.
    pub batch_complete_min: u32,
    /// `iodepth_batch_complete_max`: how many to take at once; `None` is all.
    pub batch_complete_max: Option<u32>,
    /// `iodepth_low`: where refilling begins again after the queue was full; `None` is depth.
    pub iodepth_low: Option<u32>,
    /// `iomem_align` in bytes; 0 is the page size.
    pub iomem_align: u64,
    /// Options that only some engines of the kernel read.
    pub private: EngineOptions,
    /// `nfs_url` (nfs): the export, and how it is reached.
    pub nfs_url: Option<NfsUrl>,
}

/// How long and how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// `io_size`: how much I/O a pass does; `None` is the size of the files.
    pub io_size: Option<JobSize>,
    /// `number_ios`: stop after this many I/Os.
    pub number_ios: Option<u64>,
    /// `loops`: passes; 1 or more.
    pub loops: u64,
    /// `runtime` in microseconds; 0 means none.
    pub runtime_us: u64,
    /// `time_based`: begin another pass until `runtime` is over.
    pub time_based: bool,
    /// `ramp_time` in microseconds: run this long before measuring.
    pub ramp_time_us: u64,
    /// `startdelay` in microseconds: a range, with equal ends if one value was given.
    pub startdelay_us: (u64, u64),
    /// `steadystate`, if given: stop when the figures are steady.
    pub steadystate: Option<SteadyStateRule>,
}

/// When a job counts as steady.
#[derive(Clone, Debug, PartialEq)]
pub struct SteadyStateRule {
    /// The watched figure.
    pub metric: SteadyMetric,
    /// The slope of its regression line is judged, rather than its greatest deviation.
    pub slope: bool,
    /// Limit; a share of the mean when `percent`, else in the metric's unit.
    pub limit: f64,
    /// Whether `limit` is in percent.
    pub percent: bool,
    /// `ss_dur`: window in microseconds.
    pub duration_us: u64,
    /// `ss_ramp`: ignored time in microseconds.
    pub ramp_us: u64,
    /// `ss_interval`: between two checks, in milliseconds.
    pub interval_ms: u64,
}

/// The figure by which steady state is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteadyMetric {
    /// I/O operations a second.
    Iops,
    /// Bytes a second.
    Bandwidth,
    /// Mean completion latency.
    Latency,
}

/// Speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Pace {
    /// `rate`: bytes a second; 0 is unlimited.
    pub rate_bytes: PerDirection<u64>,
    /// `rate_iops`: I/Os a second; 0 is unlimited.
    pub rate_iops: PerDirection<u64>,
    /// `rate_min` in bytes a second: below it the job fails; 0 means none.
    pub rate_min_bytes: PerDirection<u64>,
    /// `rate_iops_min`; 0 means none.
    pub rate_iops_min: PerDirection<u64>,
    /// `rate_process=poisson` rather than `linear`.
    pub poisson: bool,
    /// `rate_cycle` in milliseconds.
    pub rate_cycle_ms: u64,
    /// `rate_ignore_thinktime`.
    pub ignore_thinktime: bool,
    /// `thinktime` in microseconds.
    pub thinktime_us: u64,
    /// `thinktime_spin` in microseconds: how much of it burns CPU.
    pub thinktime_spin_us: u64,
    /// `thinktime_blocks`: I/Os between two pauses; 1 or more.
    pub thinktime_blocks: u32,
    /// `thinktime_blocks_type=issue` rather than `complete`.
    pub thinktime_blocks_issue: bool,
    /// `thinktime_iotime` in microseconds: I/O this long, then pause; 0 is off.
    pub thinktime_iotime_us: u64,
    /// `max_latency` in microseconds for each direction: a slower I/O ends the job; 0 means none.
    pub max_latency_us: PerDirection<u64>,
    /// `latency_target` and companions: find the depth that meets it.
    pub latency_target: Option<LatencyTarget>,
}

/// The search for the highest depth whose latency is below a target.
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyTarget {
    /// `latency_target` in microseconds.
    pub target_us: u64,
    /// `latency_window` in microseconds.
    pub window_us: u64,
    /// `latency_percentile`: share of I/Os that must meet it, in percent.
    pub percentile: f64,
    /// `latency_run`: go on at the depth that was found.
    pub run: bool,
}

/// Start, related jobs, CPUs.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    /// `numjobs`: clones; 1 or more.
    pub numjobs: u32,
    /// `thread`: threads were requested (jobs always are threads; this only changes the report).
    pub thread: bool,
    /// `group_reporting`.
    pub group_reporting: bool,
    /// `new_group`.
    pub new_group: bool,
    /// `stonewall` / `wait_for_previous`: wait for all jobs before this one.
    pub stonewall: bool,
    /// `wait_for`: wait for the named job.
    pub wait_for: Option<String>,
    /// `exitall`: when this job ends, all end.
    pub exitall: bool,
    /// `exitall_on_error`.
    pub exitall_on_error: bool,
    /// `cpus_allowed`: CPU numbers; empty is any.
    pub cpus_allowed: Vec<u32>,
    /// `cpus_allowed_policy=split`: one CPU for each clone, rather than all for all.
    pub cpus_split: bool,
    /// `numa_cpu_nodes`: empty is any.
    pub numa_cpu_nodes: Vec<u32>,
    /// `numa_mem_policy`.
    pub numa_mem_policy: Option<MemoryPolicy>,
    /// `nice`.
    pub nice: i32,
    /// `prioclass`, `prio` and `priohint`, where one of them is given.
    pub io_priority: Option<IoPriority>,
    /// `lockmem`: bytes that each clone takes from the memory.
    pub lockmem: u64,
    /// `exec_prerun`: shell command run before the job.
    pub exec_prerun: Option<String>,
    /// `exec_postrun`: shell command run after the job.
    pub exec_postrun: Option<String>,
}

/// NUMA nodes of a job's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryPolicy {
    /// The system's default.
    Default,
    /// The node that the job runs on.
    Local,
    /// This node while it has some.
    Prefer(u32),
    /// These nodes and no other; empty is all of the machine.
    Bind(Vec<u32>),
    /// These nodes in turn; empty means all nodes.
    Interleave(Vec<u32>),
}

impl MemoryPolicy {
    /// The nodes that are named.
    pub fn nodes(&self) -> &[u32] {
        match self {
            MemoryPolicy::Default | MemoryPolicy::Local => &[],
            MemoryPolicy::Prefer(node) => std::slice::from_ref(node),
            MemoryPolicy::Bind(nodes) | MemoryPolicy::Interleave(nodes) => nodes,
        }
    }
}

/// The content of written data.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffers {
    /// `zero_buffers`.
    pub zero: bool,
    /// `refill_buffers`: fresh content for every write.
    pub refill: bool,
    /// `scramble_buffers`, when given: a few bytes change in every write. Otherwise they do, except
    /// with `zero_buffers`.
    pub scramble: Option<bool>,
    /// `buffer_pattern`: these bytes repeated; empty means none.
    pub pattern: Vec<u8>,
    /// `buffer_compress_percentage`: 0 to 100; `None` if not given.
    pub compress_percentage: Option<u8>,
    /// `buffer_compress_chunk` in bytes; 0 is the block.
    pub compress_chunk: u64,
    /// `dedupe_percentage`: 0 to 100.
    pub dedupe_percentage: u8,
}

/// How data is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verify {
    /// `verify`; none does not verify.
    pub method: Option<VerifyMethod>,
    /// `do_verify`: what was written is read back.
    pub do_verify: bool,
    /// `verify_only`: what an earlier run wrote is read back, and nothing written.
    pub only: bool,
    /// `verify_backlog`: what was written is read back after so many writes; 0 is at the end.
    pub backlog: u64,
    /// `verify_backlog_batch`: how many of them are read back then; 0 is all.
    pub backlog_batch: u64,
    /// `verify_interval`: bytes that a header stands for; 0 is the block.
    pub interval: u32,
    /// `verify_offset`: where in a block the header lies.
    pub offset: u32,
    /// `verify_pattern`.
    pub pattern: VerifyPattern,
    /// `verify_fatal`: the first difference ends the job.
    pub fatal: bool,
    /// `verify_write_sequence`: a block must hold the last write to its place.
    pub write_sequence: bool,
    /// `verify_header_seed`: a block must be of this run.
    pub header_seed: bool,
}

/// The priority of a job's I/Os among those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IoPriority {
    /// 0 none, 1 real time, 2 best effort, 3 idle.
    pub class: u16,
    /// 0 to 7 within the class; 0 is the highest.
    pub level: u16,
    /// A hint for the device.
    pub hint: u16,
}

impl Default for IoPriority {
    /// A level alone is one of best effort, as in fio.
    fn default() -> IoPriority {
        IoPriority { class: 2, level: 0, hint: 0 }
    }
}

/// The bytes to write and expect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyPattern {
    /// The bytes; eight zeros where the offset of the block is.
    pub bytes: Vec<u8>,
    /// Where in them the offset of the block is (`%o`).
    pub offsets_at: Vec<usize>,
}

/// What shows that a block is as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyMethod {
    /// A header.
    Meta,
    /// A header and MD5.
    Md5,
    /// A header and CRC-64.
    Crc64,
    /// A header and CRC-32.
    Crc32,
    /// A header and CRC-32C.
    Crc32c,
    /// A header and CRC-16.
    Crc16,
    /// A header and CRC-7.
    Crc7,
    /// A header and SHA-1.
    Sha1,
    /// A header and SHA-256.
    Sha256,
    /// A header and SHA-512.
    Sha512,
    /// A header and SHA3-224.
    Sha3_224,
    /// A header and SHA3-256.
    Sha3_256,
    /// A header and SHA3-384.
    Sha3_384,
    /// A header and SHA3-512.
    Sha3_512,
    /// A header and xxHash of 32 bits.
    Xxhash,
    /// `verify_pattern` and nothing else.
    Pattern,
    /// A header and `verify_pattern`.
    PatternHeader,
    /// Nothing: what is read is not looked at.
    Null,
}

impl VerifyMethod {
    /// All of them, by the words of `verify`.
    pub const ALL: [(&'static str, VerifyMethod); 19] = [
        ("md5", VerifyMethod::Md5),
        ("crc64", VerifyMethod::Crc64),
        ("crc32", VerifyMethod::Crc32),
        ("crc32c", VerifyMethod::Crc32c),
        ("crc32c-intel", VerifyMethod::Crc32c),
        ("crc16", VerifyMethod::Crc16),
        ("crc7", VerifyMethod::Crc7),
        ("sha1", VerifyMethod::Sha1),
        ("sha256", VerifyMethod::Sha256),
        ("sha512", VerifyMethod::Sha512),
        ("sha3-224", VerifyMethod::Sha3_224),
        ("sha3-256", VerifyMethod::Sha3_256),
        ("sha3-384", VerifyMethod::Sha3_384),
        ("sha3-512", VerifyMethod::Sha3_512),
        ("xxhash", VerifyMethod::Xxhash),
        ("meta", VerifyMethod::Meta),
        ("pattern", VerifyMethod::Pattern),
        ("pattern_hdr", VerifyMethod::PatternHeader),
        ("null", VerifyMethod::Null),
    ];

    /// The method that a word of `verify` names; none for `0`.
    pub fn named(word: &str) -> Option<VerifyMethod> {
        VerifyMethod::ALL.iter().find(|(name, _)| *name == word).map(|(_, method)| *method)
    }

    /// Its word.
    pub fn name(self) -> &'static str {
        VerifyMethod::ALL.iter().find(|(_, method)| *method == self).map_or("0", |(name, _)| name)
    }

    /// Bytes of its sum.
    pub fn sum_bytes(self) -> usize {
        match self {
            VerifyMethod::Crc7 => 1,
            VerifyMethod::Crc16 => 2,
            VerifyMethod::Crc32 | VerifyMethod::Crc32c | VerifyMethod::Xxhash => 4,
            VerifyMethod::Crc64 => 8,
            VerifyMethod::Md5 => 16,
            VerifyMethod::Sha1 => 20,
            VerifyMethod::Sha3_224 => 28,
            VerifyMethod::Sha3_256 => 32,
            VerifyMethod::Sha3_384 => 48,
            // As fio stores them.
            VerifyMethod::Sha256 | VerifyMethod::Sha3_512 => 64,
            VerifyMethod::Sha512 => 128,
            _ => 0,
        }
    }

    /// Bytes of a block that are its header and its sum.
    pub fn header_bytes(self) -> u64 {
        if self.has_header() { 40 + self.sum_bytes() as u64 } else { 0 }
    }

    /// Whether blocks have headers.
    pub fn has_header(self) -> bool {
        !matches!(self, VerifyMethod::Pattern | VerifyMethod::Null)
    }
}

impl Default for Verify {
    fn default() -> Verify {
        Verify {
            method: None,
            do_verify: true,
            only: false,
            backlog: 0,
            backlog_batch: 0,
            interval: 0,
            offset: 0,
            pattern: VerifyPattern::default(),
            fatal: false,
            write_sequence: true,
            header_seed: true,
        }
    }
}

/// When data is flushed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flush {
    /// `fsync`: after this many writes; 0 never.
    pub fsync_blocks: u64,
    /// `fdatasync`: after this many writes; 0 never.
    pub fdatasync_blocks: u64,
    /// `end_fsync`: when the job ends.
    pub end_fsync: bool,
    /// `fsync_on_close`.
    pub fsync_on_close: bool,
}

/// The measurements and their display.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// `disable_lat`.
    pub disable_lat: bool,
    /// `disable_clat`.
    pub disable_clat: bool,
    /// `disable_slat`.
    pub disable_slat: bool,
    /// `disable_bw_measurement`: no bandwidth of single I/Os. Samples by time are still taken.
    pub disable_bw: bool,
    /// `clat_percentiles`.
    pub clat_percentiles: bool,
    /// `lat_percentiles`.
    pub lat_percentiles: bool,
    /// `slat_percentiles`.
    pub slat_percentiles: bool,
    /// `percentile_list` in percent, rising; at most 20.
    pub percentile_list: Vec<f64>,
    /// `significant_figures`: 1 to 10.
    pub significant_figures: u8,
    /// `unified_rw_reporting`.
    pub unified_rw: UnifiedRw,
    /// `disk_util`.
    pub disk_util: bool,
    /// `kb_base`: 1000 or 1024.
    pub kb_base: u32,
    /// `unit_base`: 8 shows bytes, 1 bits, 0 is unset (bytes).
    pub unit_base: u8,
    /// `bwavgtime` in milliseconds, if given.
    pub bwavgtime_ms: Option<u64>,
    /// `iopsavgtime` in milliseconds, if given.
    pub iopsavgtime_ms: Option<u64>,
    /// Logs to write.
    pub logs: Logs,
    /// `clocksource`.
    pub clocksource: JobClock,
}

impl Measure {
    /// `gtod_reduce`: almost no clock readings. As in fio, it stands for the options that turn
    /// measurements off, and those that follow it may turn them on again.
    pub fn measure_no_latency(&mut self) {
        (self.disable_lat, self.disable_clat, self.disable_slat) = (true, true, true);
        self.disable_bw = true;
        self.clat_percentiles = false;
    }

    /// Whether no latency is measured.
    pub fn is_untimed(&self) -> bool {
        self.disable_lat && self.disable_clat && self.disable_slat
    }

    /// Milliseconds that a sample of bandwidth covers.
    pub fn bw_sample_ms(&self) -> u64 {
        self.logs.sample_ms(&self.logs.bw, self.bwavgtime_ms)
    }

    /// Milliseconds that a sample of IOPS covers.
    pub fn iops_sample_ms(&self) -> u64 {
        self.logs.sample_ms(&self.logs.iops, self.iopsavgtime_ms)
    }
}

/// The clock to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobClock {
    /// The CPU's counter if it is invariant, otherwise `clock_gettime`.
    Auto,
    /// `clock_gettime(2)`.
    ClockGettime,
    /// `gettimeofday(2)` (microseconds).
    Gettimeofday,
    /// The CPU's counter.
    Cpu,
}

/// Whether directions are reported together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnifiedRw {
    /// Each by itself.
    None,
    /// As one, called mixed.
    Mixed,
    /// Both ways.
    Both,
}

/// Logs to write. A prefix of `Some("")` means the job's name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Logs {
    /// `write_bw_log`.
    pub bw: Option<String>,
    /// `write_lat_log`: lat, slat and clat.
    pub lat: Option<String>,
    /// `write_iops_log`.
    pub iops: Option<String>,
    /// `write_hist_log`.
    pub hist: Option<String>,
    /// `write_iolog`: the file of the trace.
    pub io: Option<PathBuf>,
    /// `log_avg_msec`; 0 logs each I/O.
    pub avg_ms: u64,
    /// `log_hist_msec`.
    pub hist_ms: u64,
    /// `log_hist_coarseness`: 0 to 6.
    pub hist_coarseness: u8,
    /// `log_max_value` / `log_window_value`.
    pub window: LogWindow,
    /// `log_offset`.
    pub offset: bool,
    /// `log_prio`.
    pub prio: bool,
    /// `log_alternate_epoch`, alias `log_unix_epoch`.
    pub unix_epoch: bool,
    /// `per_job_logs`.
    pub per_job: bool,
}

impl Logs {
    /// Milliseconds that a sample covers. Those that are logged by windows are the log's own,
    /// unless the job says how long they are (observed of fio 3.33).
    fn sample_ms(&self, log: &Option<String>, given_ms: Option<u64>) -> u64 {
        let by_window = log.is_some() && self.avg_ms > 0;
        given_ms.unwrap_or(if by_window { self.avg_ms } else { SAMPLE_MS })
    }
}

/// fio's default `bwavgtime` and `iopsavgtime`.
const SAMPLE_MS: u64 = 500;

/// The value of a window's log line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogWindow {
    /// The mean.
    #[default]
    Average,
    /// The greatest value.
    Max,
    /// Both.
    Both,
}

/// The reaction to an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorPolicy {
    /// `continue_on_error`: classes of errors that are counted.
    pub continue_on: ContinueOn,
    /// `ignore_error`: errors of a class that is counted which do not end the job, for each
    /// direction; empty means fio's own, EIO and EILSEQ.
    pub ignore: PerDirection<Vec<ErrorNumber>>,
}

impl ErrorPolicy {
    /// Whether any error is counted.
    pub fn counts_any(&self) -> bool {
        self.continue_on.read || self.continue_on.write || self.continue_on.verify
    }

    /// Whether errors of this direction are counted.
    pub fn counts(&self, dir: Direction) -> bool {
        match dir {
            Direction::Read => self.continue_on.read,
            Direction::Write | Direction::Trim => self.continue_on.write,
        }
    }

    /// Whether the job goes on after this error.
    pub fn goes_on(&self, dir: Direction, error: ErrorNumber) -> bool {
        let ends_nothing = match self.ignore[dir].as_slice() {
            [] => matches!(error, ErrorNumber::EIO | ErrorNumber::EILSEQ),
            ignored => ignored.contains(&error),
        };
        self.counts(dir) && ends_nothing
    }
}

/// Classes of errors that are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContinueOn {
    /// Failed reads.
    pub read: bool,
    /// Failed writes and trims.
    pub write: bool,
    /// Failed verification.
    pub verify: bool,
}

impl Default for JobSpec {
    fn default() -> JobSpec {
        JobSpec {
            name: String::new(),
            description: None,
            origin: Origin::Builtin,
            given: Vec::new(),
            inherited: Vec::new(),
            target: JobTarget::default(),
            pattern: Pattern::default(),
            engine: EngineSpec::default(),
            extent: Extent::default(),
            pace: Pace::default(),
            process: Process::default(),
            buffers: Buffers::default(),
            verify: Verify::default(),
            flush: Flush::default(),
            measure: Measure::default(),
            errors: ErrorPolicy::default(),
        }
    }
}

impl Default for JobTarget {
    fn default() -> JobTarget {
        JobTarget {
            filenames: Vec::new(),
            most_files: None,
            directories: Vec::new(),
            section: None,
            filename_format: None,
            size: None,
            filesize: None,
            nrfiles: 1,
            openfiles: 0,
            file_service: FileService::RoundRobin(1),
            offset: JobSize::Bytes(0),
            offset_increment: JobSize::Bytes(0),
            offset_align: 0,
            fallocate: Fallocate::Native,
            unique_filename: true,
            create_only: false,
            create_fsync: true,
            create_on_open: false,
            allow_file_create: true,
            allow_mounted_write: false,
            overwrite: false,
            unlink: false,
            pre_read: false,
            invalidate: true,
            fadvise: true,
            opendirs: Vec::new(),
        }
    }
}

impl Default for Pattern {
    fn default() -> Pattern {
        Pattern {
            rw: ReadWrite {
                read: true,
                write: false,
                trim: false,
                random: false,
                trimwrite: false,
            },
            rw_suffix: None,
            rw_identical: false,
            bs: PerDirection::splat(BlockSize::Fixed(4096)),
            bs_unaligned: false,
            bs_is_seq_rand: false,
            blockalign: PerDirection::splat(0),
            rwmixread: 50,
            percentage_random: PerDirection::splat(100),
            norandommap: false,
            softrandommap: false,
            random_generator: None,
            distribution: PerDirection::splat(Distribution::Uniform),
            randrepeat: true,
            randseed: None,
        }
    }
}

impl Default for EngineSpec {
    fn default() -> EngineSpec {
        EngineSpec {
            engine: IoEngine::usual(),
            direct: false,
            sync: SyncMode::None,
            iodepth: 1,
            batch_submit: None,
            batch_complete_min: 1,
            batch_complete_max: None,
            iodepth_low: None,
            iomem_align: 0,
            private: EngineOptions::default(),
            nfs_url: None,
        }
    }
}

impl Default for Extent {
    fn default() -> Extent {
        Extent {
            io_size: None,
            number_ios: None,
            loops: 1,
            runtime_us: 0,
            time_based: false,
            ramp_time_us: 0,
            startdelay_us: (0, 0),
            steadystate: None,
        }
    }
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            rate_bytes: PerDirection::splat(0),
            rate_iops: PerDirection::splat(0),
            rate_min_bytes: PerDirection::splat(0),
            rate_iops_min: PerDirection::splat(0),
            poisson: false,
            rate_cycle_ms: 1000,
            ignore_thinktime: false,
            thinktime_us: 0,
            thinktime_spin_us: 0,
            thinktime_blocks: 1,
            thinktime_blocks_issue: false,
            thinktime_iotime_us: 0,
            max_latency_us: PerDirection::splat(0),
            latency_target: None,
        }
    }
}

impl Default for Process {
    fn default() -> Process {
        Process {
            numjobs: 1,
            thread: false,
            group_reporting: false,
            new_group: false,
            stonewall: false,
            wait_for: None,
            exitall: false,
            exitall_on_error: false,
            cpus_allowed: Vec::new(),
            cpus_split: false,
            numa_cpu_nodes: Vec::new(),
            numa_mem_policy: None,
            nice: 0,
            io_priority: None,
            lockmem: 0,
            exec_prerun: None,
            exec_postrun: None,
        }
    }
}

impl Default for Buffers {
    fn default() -> Buffers {
        Buffers {
            zero: false,
            refill: false,
            scramble: None,
            pattern: Vec::new(),
            compress_percentage: None,
            compress_chunk: 512,
            dedupe_percentage: 0,
        }
    }
}

impl Default for Measure {
    fn default() -> Measure {
        Measure {
            disable_lat: false,
            disable_clat: false,
            disable_slat: false,
            disable_bw: false,
            clat_percentiles: true,
            lat_percentiles: false,
            slat_percentiles: false,
            percentile_list: DEFAULT_PERCENTILES.to_vec(),
            significant_figures: 4,
            unified_rw: UnifiedRw::None,
            disk_util: true,
            kb_base: 1024,
            unit_base: 0,
            bwavgtime_ms: None,
            iopsavgtime_ms: None,
            logs: Logs { per_job: true, ..Logs::default() },
            clocksource: JobClock::Auto,
        }
    }
}

/// fio's default `percentile_list`.
pub const DEFAULT_PERCENTILES: [f64; 17] = [
    1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95,
    99.99,
];
