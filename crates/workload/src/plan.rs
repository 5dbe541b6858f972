//! The part of a job that affects the choice of I/Os, checked once before the first.

use crate::fixed::{Fixed, OrderKind};
use crate::general::{DirectionShape, Draws, FileState, General, Rules};
use crate::generator::PassLimit;
use crate::io::{FileExtent, WorkloadError};
use crate::map::{MapShape, lane};
use crate::mix::DirectionMix;
use crate::rng::{Rng, Stream};
use crate::service::Service;
use crate::sizes::BlockSizes;
use crate::skew::Skew;
use fathom_job::JobSpec;
use fathom_job::{BlockSize, Distribution, FileService, JobSize, Pattern, RandomGenerator};
use fathom_vocab::{Direction, PerDirection};

/// Maximum memory of the bitmaps of all files of a job. At 4 KiB blocks it is enough for 8 TiB with
/// the search index; it is needed only if block sizes differ.
const MAP_BYTES_MAX: u64 = 384 << 20;

/// A job's pattern over given extents, checked.
pub(crate) struct WorkloadPlan<'a> {
    pub(crate) pattern: &'a Pattern,
    pub(crate) directions: Vec<Direction>,
    pub(crate) limit: PassLimit,
    pub(crate) total: u64,
    files: &'a [FileExtent],
    service: FileService,
    files_at_once: usize,
}

/// The parameters of the fast generator.
pub(crate) struct Quick {
    block: u32,
    kind: OrderKind,
}

impl<'a> WorkloadPlan<'a> {
    /// Checks `job` against `files`.
    pub(crate) fn new(
        job: &'a JobSpec,
        files: &'a [FileExtent],
    ) -> Result<WorkloadPlan<'a>, WorkloadError> {
        let pattern = &job.pattern;
        let total = files.iter().fold(0u64, |sum, file| sum.saturating_add(file.len));
        let bytes = match job.extent.io_size {
            None | Some(JobSize::Bytes(0)) => total,
            Some(JobSize::Bytes(bytes)) => bytes,
            Some(JobSize::Percent(share)) => (u128::from(total) * u128::from(share) / 100) as u64,
        };
        let limit = PassLimit { bytes, ios: job.extent.number_ios.unwrap_or(u64::MAX) };
        let service = job.target.file_service;
        let files_at_once = job.target.files_at_once(files.len());
        let directions = directions(job);
        let plan =
            WorkloadPlan { pattern, directions, limit, total, files, service, files_at_once };
        plan.check_sizes()?;
        Ok(plan)
    }

    /// The sizes for I/Os of `dir` that are `random` or not (`bs_is_seq_rand` gives the read sizes
    /// to sequential and the write sizes to random I/O).
    pub(crate) fn sizes(&self, dir: Direction, random: bool) -> &'a BlockSize {
        let whose = match (self.pattern.bs_is_seq_rand, random) {
            (false, _) => dir,
            (true, false) => Direction::Read,
            (true, true) => Direction::Write,
        };
        &self.pattern.bs[whose]
    }

    fn check_sizes(&self) -> Result<(), WorkloadError> {
        let unfit = |text: String| Err(WorkloadError::Unfit(text));
        let longest = self.files.iter().map(|file| file.len).max().unwrap_or(0);
        if self.files.is_empty() || self.directions.is_empty() {
            return unfit("the job has no file, or neither reads, writes nor trims".into());
        }
        for &dir in &self.directions {
            for random in [false, true] {
                let sizes = self.sizes(dir, random);
                if sizes.min() == 0 || sizes.max() > u64::from(u32::MAX) {
                    return unfit(format!(
                        "block sizes must be from 1 byte to 4 GiB - 1: bs of {}s is {} to {}",
                        dir.name(),
                        sizes.min(),
                        sizes.max()
                    ));
                }
                if sizes.min() > longest && self.uses(random) {
                    return unfit(format!(
                        "no block fits: the smallest bs of {}s is {} bytes, the longest file \
                         has {longest}; raise size or lower bs",
                        dir.name(),
                        sizes.min()
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether the job has I/Os that are `random`, or that are not.
    fn uses(&self, random: bool) -> bool {
        if random { self.pattern.rw.random } else { !self.pattern.rw.random || self.jumps() }
    }

    /// Whether a random job has steps that are not random.
    pub(crate) fn jumps(&self) -> bool {
        let share = &self.pattern.percentage_random;
        self.pattern.rw.random
            && (self.run_length() > 1 || self.directions.iter().any(|&dir| share[dir] < 100))
    }

    /// I/Os until a new random offset is drawn: the `:N` of random jobs.
    pub(crate) fn run_length(&self) -> u64 {
        match self.pattern.rw_suffix {
            Some(length) if self.pattern.rw.random => length.max(1) as u64,
            _ => 1,
        }
    }

    /// Bytes skipped after each I/O: the `:N` of sequential jobs.
    pub(crate) fn skip(&self) -> i64 {
        if self.pattern.rw.random { 0 } else { self.pattern.rw_suffix.unwrap_or(0) }
    }

    /// Whether blocks come once a pass: evenly random, no alignment of its own, and no
    /// `norandommap`, which means nothing to `lfsr`.
    pub(crate) fn mapped(&self) -> bool {
        let lfsr = self.pattern.random_generator == Some(RandomGenerator::Lfsr);
        self.pattern.rw.random && (lfsr || !self.pattern.norandommap) && self.even()
    }

    /// Whether no place is written twice, so that a replay needs no table of last writes.
    pub(crate) fn writes_once(&self, job: &JobSpec) -> bool {
        let in_order = !self.pattern.rw.random && self.skip() == 0;
        let mapped = self.mapped() && !self.jumps() && !self.pattern.softrandommap;
        let one_pass = job.extent.loops < 2 && !job.extent.time_based;
        one_pass && self.limit.bytes <= self.total && (in_order || mapped)
    }

    /// Whether offsets are of 32 random bits, fewer than there are blocks.
    fn is_coarse(&self) -> bool {
        let tausworthe = self.pattern.random_generator == Some(RandomGenerator::Tausworthe);
        tausworthe && self.file_beyond_32_bits().is_some()
    }

    /// The first file with more blocks than 32 bits can number, where offsets are even.
    fn file_beyond_32_bits(&self) -> Option<usize> {
        let block = self.directions.iter().map(|&dir| self.sizes(dir, true).min()).min()?;
        let beyond = |file: &FileExtent| file.len / block > u64::from(u32::MAX);
        self.files.iter().position(beyond).filter(|_| self.pattern.rw.random && self.even())
    }

    /// The file that `tausworthe` cannot cover, if that is the job's generator or its default.
    pub(crate) fn file_beyond_tausworthe(&self) -> Option<usize> {
        let generator = self.pattern.random_generator;
        let tausworthe = matches!(generator, None | Some(RandomGenerator::Tausworthe));
        self.file_beyond_32_bits().filter(|_| tausworthe)
    }

    /// As [`Workload::rounds`](crate::Workload::rounds).
    pub(crate) fn rounds(&self, loops: u64) -> Option<u64> {
        let ends = if self.pattern.rw.random { self.mapped() } else { self.skip() == 0 };
        let block = u64::from(self.only_block(self.pattern.rw.random)?);
        let round: u64 = self.files.iter().map(|file| file.len / block * block).sum();
        if loops < 2 || self.limit.bytes <= self.total || !ends || self.jumps() {
            return None;
        }
        let (whole, rest) = (self.limit.bytes / round, self.limit.bytes % round);
        Some(loops.max(whole + u64::from(rest >= block)))
    }

    /// The fast generator's parameters, if it can be used.
    pub(crate) fn quick(&self) -> Option<Quick> {
        let random = self.pattern.rw.random;
        let plain = self.files.len() == 1
            && !self.pattern.rw.trimwrite
            && !self.jumps()
            && self.skip() == 0
            && (!random || self.even() && !self.is_coarse());
        if !plain {
            return None;
        }
        let block = self.only_block(random)?;
        let has_tail = !self.files[0].len.is_multiple_of(u64::from(block));
        if !random && self.directions.len() > 1 && has_tail {
            return None;
        }
        let kind = match (random, self.mapped()) {
            (false, _) => OrderKind::Sequential,
            (true, true) => OrderKind::Permuted,
            (true, false) => OrderKind::Drawn,
        };
        Some(Quick { block, kind })
    }

    /// Whether every direction is evenly random with no alignment but that of its blocks.
    fn even(&self) -> bool {
        self.directions.iter().all(|&dir| {
            let blocks = [0, self.sizes(dir, true).min()];
            blocks.contains(&self.pattern.blockalign[dir])
                && self.pattern.distribution[dir] == Distribution::Uniform
        })
    }

    /// The one block size of all directions, if there is only one.
    pub(crate) fn only_block(&self, random: bool) -> Option<u32> {
        let mut sizes = self.directions.iter().map(|&dir| self.sizes(dir, random));
        let first = sizes.next()?;
        let alike = first.min() == first.max()
            && sizes.all(|s| s.min() == first.min() && s.max() == first.max());
        alike.then(|| first.min() as u32)
    }

    /// State of the fast generator.
    pub(crate) fn fixed(&self, quick: &Quick, seed: u64) -> Fixed {
        Fixed::new(self.files[0], quick.block, quick.kind, self.mix(seed), self.limit, seed)
    }

    /// State of the general generator.
    pub(crate) fn general(&self, seed: u64) -> Result<General, WorkloadError> {
        let smallest = |dir: &Direction| {
            let used = [true, false].into_iter().filter(|&random| self.uses(random));
            used.map(|random| self.sizes(*dir, random).min()).min().unwrap_or(1)
        };
        let rules = Rules {
            shapes: PerDirection::from_fn(|dir| self.shape(dir, seed)),
            directions: self.directions.clone(),
            map: self.map_shape()?,
            random: self.pattern.rw.random,
            jumps: self.jumps(),
            run_length: self.run_length(),
            identical: self.pattern.rw_identical,
            skip: self.skip(),
            trimwrite: self.pattern.rw.trimwrite,
            limit: self.limit,
            total: self.total,
            smallest: self.directions.iter().map(smallest).min().unwrap_or(1),
            seed,
        };
        let numbers = (0..self.files.len() as u32).collect();
        let rng = Rng::new(seed, Stream::Files);
        let service = Service::new(self.service, numbers, self.files_at_once, rng);
        let draws = Draws {
            offsets: Rng::new(seed, Stream::Offsets),
            sizes: Rng::new(seed, Stream::BlockSize),
            share: Rng::new(seed, Stream::RandomShare),
        };
        let files = self.files.iter().copied().map(FileState::new).collect();
        Ok(General::new(rules, files, service, self.mix(seed), draws))
    }

    fn shape(&self, dir: Direction, seed: u64) -> DirectionShape {
        let unaligned = self.pattern.bs_unaligned;
        let sizes = |random| BlockSizes::new(self.sizes(dir, random), unaligned);
        let align = match self.pattern.blockalign[dir] {
            0 => self.sizes(dir, true).min().max(1),
            given => given,
        };
        let share = self.pattern.percentage_random[dir];
        DirectionShape {
            random_sizes: sizes(true),
            sequential_sizes: sizes(false),
            align,
            skew: Skew::new(&self.pattern.distribution[dir], align, self.is_coarse(), seed),
            random_below: (share < 100).then(|| ((u128::from(share) << 64) / 100) as u64),
        }
    }

    /// How repeated blocks are avoided, if they are.
    fn map_shape(&self) -> Result<MapShape, WorkloadError> {
        if !self.mapped() {
            return Ok(MapShape::None);
        }
        if let Some(block) = self.only_block(true) {
            return Ok(MapShape::Blocks(u64::from(block)));
        }
        let min = |&dir: &Direction| self.sizes(dir, true).min();
        let granule = self.directions.iter().map(min).fold(0, common_divisor);
        let mut units = [0; 2];
        for dir in &self.directions {
            units[lane(*dir)] = min(dir) / granule;
        }
        let shape = MapShape::Bits { granule, units };
        let memory = shape.memory(self.files.iter().map(|file| file.len));
        match memory > MAP_BYTES_MAX {
            false => Ok(shape),
            true if self.pattern.softrandommap || self.pattern.norandommap => Ok(MapShape::None),
            true => Err(WorkloadError::Unfit(format!(
                "a random map for mixed block sizes would take {} MiB here, more than {} MiB; \
                 set norandommap, softrandommap, or a single block size (which needs no map)",
                memory >> 20,
                MAP_BYTES_MAX >> 20
            ))),
        }
    }

    /// How directions are chosen.
    pub(crate) fn mix(&self, seed: u64) -> DirectionMix {
        match self.directions[..] {
            [dir] => DirectionMix::Only(dir),
            _ => DirectionMix::percent(self.pattern.rwmixread, seed),
        }
    }
}

/// The directions that I/Os are chosen in; the write of a `trimwrite` follows its trim.
fn directions(job: &JobSpec) -> Vec<Direction> {
    let rw = &job.pattern.rw;
    if rw.trimwrite {
        return vec![Direction::Trim];
    }
    let mixed = rw.read && rw.write;
    let has = |dir| match dir {
        Direction::Read => rw.read && !(mixed && job.pattern.rwmixread == 0),
        Direction::Write => rw.write && !(mixed && job.pattern.rwmixread >= 100),
        Direction::Trim => rw.trim && !rw.read && !rw.write,
    };
    Direction::ALL.into_iter().filter(|&dir| has(dir)).collect()
}

/// Greatest common divisor; that of 0 and `b` is `b`.
fn common_divisor(a: u64, b: u64) -> u64 {
    if a == 0 { b } else { common_divisor(b % a, a) }
}
