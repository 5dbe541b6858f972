//! The generator for all other jobs: several files, several sizes, skewed or stepping offsets,
//! skips, trims followed by writes.
//!
//! Observed of fio 3.33 and matched:
//! - Each direction has its own position in each file.
//! - The count of I/Os between new random offsets (`randread:8`) runs over all files and directions
//!   of the job. These I/Os do not mark the random map.
//! - A block size that does not fit before the end of the file becomes the smallest.
//! - A skip that lands on the end of the whole file or beyond it continues at the start, until the
//!   file has had its share.
//! - A file ends with an I/O that ends at its end, with a skip beyond a `size` below that of the
//!   file, and in a sequential mix when one direction has less than a block left.
//! - A file that one direction reads or writes in order has had its share when as many bytes as its
//!   length were issued to it; one with a map, when no block is free. It is then left out until all
//!   files have had theirs. Random offsets without a map, and mixes, leave no file out.
//!
//! Not matched: in fio a random job with `:N` ends early, by chance, when the I/Os after a random
//! offset leave less than a block of the file.

use crate::batch::IoBatch;
use crate::generator::{Generator, PassLimit};
use crate::io::{FileExtent, Io, OpenChange};
use crate::map::{FileMap, MapKey, MapShape, lane};
use crate::mix::DirectionMix;
use crate::open_changes::OpenChanges;
use crate::rng::Rng;
use crate::service::Service;
use crate::sizes::BlockSizes;
use crate::skew::Skew;
use fathom_vocab::{Direction, PerDirection};

/// State of one file: about a hundred bytes, and a map if blocks come once.
#[derive(Clone, Debug)]
pub(crate) struct FileState {
    start: u64,
    len: u64,
    file_len: u64,
    /// Bytes issued in this round.
    used: u64,
    /// The offset of the next sequential I/O of each lane, from `start`.
    next: [u64; 2],
    /// The offset of the last I/O of each lane.
    last: [u64; 2],
    map: Option<Box<FileMap>>,
    round: u64,
    /// The write that is due to a block just trimmed.
    pending: Option<(u64, u32)>,
}

impl FileState {
    pub(crate) fn new(extent: FileExtent) -> FileState {
        FileState {
            start: extent.start,
            len: extent.len,
            file_len: extent.file_len,
            used: 0,
            next: [0; 2],
            last: [0; 2],
            map: None,
            round: 0,
            pending: None,
        }
    }

    /// Where a lane that skips continues, once it has reached `at`, where no block fits: at the
    /// start if the skip led beyond the whole file. fio compares `at`, which counts from the job's
    /// offset, with the length of the file, and then counts the offset twice.
    fn round_start(&self, at: u64, skip: i64) -> Option<u64> {
        let end = self.start + at.saturating_sub(skip.unsigned_abs());
        (at >= self.file_len && end < self.file_len).then_some(self.start)
    }
}

/// The shape of one direction's I/Os.
#[derive(Clone, Debug)]
pub(crate) struct DirectionShape {
    /// Sizes of random I/Os.
    pub(crate) random_sizes: BlockSizes,
    /// Sizes of sequential ones.
    pub(crate) sequential_sizes: BlockSizes,
    /// Drawn offsets are multiples of it.
    pub(crate) align: u64,
    /// Where drawn offsets fall.
    pub(crate) skew: Skew,
    /// A random I/O stays random if a draw is below it; `None` means always.
    pub(crate) random_below: Option<u64>,
}

/// The position of an I/O relative to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Random,
    Next,
    Same,
}

/// The constants of a run.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) shapes: PerDirection<DirectionShape>,
    pub(crate) directions: Vec<Direction>,
    pub(crate) map: MapShape,
    pub(crate) random: bool,
    /// Some steps of a random job are not random.
    pub(crate) jumps: bool,
    pub(crate) run_length: u64,
    pub(crate) identical: bool,
    pub(crate) skip: i64,
    pub(crate) trimwrite: bool,
    pub(crate) limit: PassLimit,
    pub(crate) total: u64,
    pub(crate) smallest: u64,
    pub(crate) seed: u64,
}

/// The streams of random numbers in use.
#[derive(Clone, Debug)]
pub(crate) struct Draws {
    pub(crate) offsets: Rng,
    pub(crate) sizes: Rng,
    pub(crate) share: Rng,
}

/// State of the general generator.
#[derive(Clone, Debug)]
pub(crate) struct General {
    rules: Rules,
    files: Vec<FileState>,
    service: Service,
    mix: DirectionMix,
    draws: Draws,
    run_left: u64,
    issued_bytes: u64,
    issued_ios: u64,
    /// Something was issued since the files were last taken in again.
    progress: bool,
    pending: usize,
    /// Nothing more fits into this pass.
    over: bool,
    /// The pass began during a round over the files, which it may finish and continue.
    carried: bool,
    /// If files are opened when their first I/O is due.
    changes: Option<OpenChanges>,
}

impl General {
    pub(crate) fn new(
        rules: Rules,
        mut files: Vec<FileState>,
        service: Service,
        mix: DirectionMix,
        draws: Draws,
    ) -> General {
        for (number, file) in files.iter_mut().enumerate() {
            file.map = rules.map.make(file.len, rules.map_key(number, 0));
        }
        General {
            rules,
            files,
            service,
            mix,
            draws,
            run_left: 0,
            issued_bytes: 0,
            issued_ios: 0,
            progress: true,
            pending: 0,
            over: false,
            carried: false,
            changes: None,
        }
    }

    /// The next I/O, if it may be in the batch.
    fn next_of_open_file(&mut self, is_first: bool) -> Option<Io> {
        let held = self.changes.as_mut()?.take_held();
        let io = held.or_else(|| self.next_io())?;
        self.changes.as_mut()?.admit(io, is_first)
    }

    /// The next I/O, of a direction that the mix draws; none if the pass is over.
    fn next_io(&mut self) -> Option<Io> {
        if self.over || self.is_limit_reached() {
            return self.late_write();
        }
        let dir = self.mix.next();
        self.place_next(dir)
    }

    #[inline]
    fn place_next(&mut self, dir: Direction) -> Option<Io> {
        let mut step = self.step(dir);
        loop {
            let Some(number) = self.service.pick() else {
                if self.wrap() {
                    self.run_left = 0;
                    step = self.step(dir);
                    continue;
                }
                self.over = true;
                return self.late_write();
            };
            if let Some(io) = self.pending_write(number) {
                return Some(io);
            }
            if let Some(io) = self.place(number, dir, step) {
                return Some(io);
            }
            self.service.finished();
            if let Some(changes) = &mut self.changes {
                changes.finished(number);
            }
        }
    }

    #[inline]
    fn is_limit_reached(&self) -> bool {
        let PassLimit { bytes, ios } = self.rules.limit;
        self.issued_bytes >= bytes || self.issued_ios >= ios
    }

    /// Whether the next I/O jumps.
    #[inline]
    fn step(&mut self, dir: Direction) -> Step {
        if !self.rules.random {
            return Step::Next;
        }
        if self.run_left > 0 {
            self.run_left -= 1;
            return if self.rules.identical { Step::Same } else { Step::Next };
        }
        self.run_left = self.rules.run_length - 1;
        match self.rules.shapes[dir].random_below {
            Some(bound) if self.draws.share.next_u64() >= bound => Step::Next,
            _ => Step::Random,
        }
    }

    /// An I/O of `dir` in a file, or `None` when the file has had its share.
    fn place(&mut self, number: u32, dir: Direction, step: Step) -> Option<Io> {
        let file = &self.files[number as usize];
        let smallest = u64::from(self.rules.shapes[dir].sizes(step).min());
        // A file read with skips has its share when no byte of it is left, otherwise when no block
        // fits into the remainder.
        let least = if self.rules.skip == 0 { smallest } else { 1 };
        if smallest > file.len || (self.rules.has_shares() && file.used + least > file.len) {
            return None;
        }
        let (dir, offset, len) = match step {
            Step::Random => self.random(number, dir)?,
            Step::Next => self.sequential(number, dir)?,
            Step::Same => self.same(number, dir),
        };
        Some(self.issue(number, dir, offset, len))
    }

    fn is_mapped(&self) -> bool {
        self.rules.map != MapShape::None
    }

    fn random(&mut self, number: u32, dir: Direction) -> Option<(Direction, u64, u32)> {
        if self.is_mapped() {
            if let Some(found) = self.unmapped_block(number, dir) {
                return Some(found);
            }
            if !self.rules.jumps {
                return None;
            }
            self.new_round(number as usize);
            return self.unmapped_block(number, dir);
        }
        let shape = &mut self.rules.shapes[dir];
        let len = self.files[number as usize].len;
        let slots = len.checked_sub(u64::from(shape.random_sizes.min()))? / shape.align + 1;
        let offset = shape.skew.draw(&mut self.draws.offsets, slots) * shape.align;
        Some((dir, offset, shape.random_sizes.draw(&mut self.draws.sizes, len - offset)))
    }

    /// A block that is still free; of the other direction if this one has none left.
    fn unmapped_block(&mut self, number: u32, dir: Direction) -> Option<(Direction, u64, u32)> {
        let others = self.rules.directions.iter().copied().filter(|&other| other != dir);
        let map = self.files[number as usize].map.as_deref_mut()?;
        for dir in std::iter::once(dir).chain(others) {
            match (&mut *map, self.rules.map) {
                (FileMap::Blocks { order, left }, MapShape::Blocks(block)) => {
                    *left = left.checked_sub(1)?;
                    return Some((dir, order.next() * block, block as u32));
                }
                (FileMap::Bits(bits), MapShape::Bits { granule, .. }) => {
                    let sizes = &self.rules.shapes[dir].random_sizes;
                    let len = sizes.draw(&mut self.draws.sizes, u64::MAX);
                    let want = u64::from(len).div_ceil(granule);
                    if let Some((first, count)) = bits.take(dir, want) {
                        let len = if count == want { len } else { (count * granule) as u32 };
                        return Some((dir, first * granule, len));
                    }
                }
                _ => return None,
            }
        }
        None
    }

    fn sequential(&mut self, number: u32, dir: Direction) -> Option<(Direction, u64, u32)> {
        let sizes = &self.rules.shapes[dir].sequential_sizes;
        let smallest = u64::from(sizes.min());
        let file = &mut self.files[number as usize];
        let at = file.next[lane(dir)];
        if at + smallest > file.len {
            if self.rules.random && self.rules.shapes[dir].random_below != Some(0) {
                // A run that has reached the end of the file ends there; the next begins.
                self.run_left = self.rules.run_length - 1;
                return self.random(number, dir);
            }
            match self.rules.skip {
                0 if at >= file.len || file.used == 0 => file.next = [0; 2],
                0 => return None,
                skip => {
                    let start = file.round_start(at, skip);
                    file.next[lane(dir)] = start.filter(|start| start + smallest <= file.len)?;
                }
            }
        }
        let offset = file.next[lane(dir)];
        Some((dir, offset, sizes.draw(&mut self.draws.sizes, file.len - offset)))
    }

    fn same(&mut self, number: u32, dir: Direction) -> (Direction, u64, u32) {
        let file = &self.files[number as usize];
        let sizes = &self.rules.shapes[dir].sequential_sizes;
        let smallest = u64::from(sizes.min());
        let last = file.last[lane(dir)].min(file.len / smallest * smallest - smallest);
        (dir, last, sizes.draw(&mut self.draws.sizes, file.len - last))
    }

    /// Books an I/O and makes it.
    fn issue(&mut self, number: u32, dir: Direction, offset: u64, len: u32) -> Io {
        let file = &mut self.files[number as usize];
        let end = offset + u64::from(len);
        file.last[lane(dir)] = offset;
        file.next[lane(dir)] = skipped(end, self.rules.skip, file.len);
        file.used += u64::from(len);
        self.issued_bytes += u64::from(len);
        self.issued_ios += 1;
        self.progress = true;
        let offset = file.start + offset;
        if self.rules.trimwrite {
            file.pending = Some((offset, len));
            self.pending += 1;
        }
        Io { dir, file: number, offset, len }
    }

    fn pending_write(&mut self, number: u32) -> Option<Io> {
        let (offset, len) = self.files[number as usize].pending.take()?;
        self.pending -= 1;
        Some(Io { dir: Direction::Write, file: number, offset, len })
    }

    /// After the last trim, the writes that are still due.
    #[cold]
    fn late_write(&mut self) -> Option<Io> {
        if self.pending == 0 {
            return None;
        }
        let number = self.files.iter().position(|file| file.pending.is_some())?;
        self.pending_write(number as u32)
    }

    /// Includes all files again, when all are done and more is to be issued: at the start of a pass
    /// or soon after, or if `io_size` exceeds the files, to which writes after trims count here.
    fn wrap(&mut self) -> bool {
        let rules = &self.rules;
        let issued = self.issued_bytes.saturating_mul(if rules.trimwrite { 2 } else { 1 });
        let more = (rules.limit.bytes > rules.total || self.carried)
            && rules.limit.bytes.saturating_sub(issued) >= rules.smallest;
        if !self.progress || !(self.issued_ios == 0 || more) {
            return false;
        }
        self.progress = false;
        self.carried = false;
        for number in 0..self.files.len() {
            self.new_turn(number);
        }
        self.service.refill();
        true
    }

    /// Makes a file ready for another round.
    fn new_turn(&mut self, number: usize) {
        let file = &mut self.files[number];
        file.used = 0;
        if self.rules.skip != 0 || self.rules.random {
            file.next = [0; 2];
        }
        if self.rules.random && !self.rules.jumps {
            self.new_round(number);
        }
    }

    fn new_round(&mut self, number: usize) {
        let file = &mut self.files[number];
        if file.map.is_none() {
            return;
        }
        file.round += 1;
        let key = self.rules.map_key(number, file.round);
        file.map = self.rules.map.make(file.len, key);
    }
}

impl Generator for General {
    fn make(&mut self, batch: &mut IoBatch) {
        if self.changes.is_none() {
            return batch.fill_with(|| self.next_io());
        }
        let mut is_first = true;
        batch.fill_with(|| self.next_of_open_file(std::mem::take(&mut is_first)));
    }

    fn open_on_use(&mut self) {
        self.changes = Some(OpenChanges::new(self.files.len()));
    }

    fn take_open_changes(&mut self) -> Vec<OpenChange> {
        self.changes.as_mut().map(OpenChanges::take_due).unwrap_or_default()
    }

    fn next_of(&mut self, dir: Direction) -> Option<Io> {
        if self.over || self.is_limit_reached() {
            return self.late_write();
        }
        self.place_next(dir)
    }

    fn mix(&self) -> &DirectionMix {
        &self.mix
    }

    fn mix_mut(&mut self) -> &mut DirectionMix {
        &mut self.mix
    }

    fn pass_bytes(&self) -> u64 {
        let PassLimit { bytes, ios } = self.rules.limit;
        match self.rules.shapes[self.rules.directions[0]].random_sizes {
            BlockSizes::Fixed(size) => bytes.min(ios.saturating_mul(u64::from(size))),
            _ => bytes,
        }
    }

    fn restart(&mut self) {
        self.carried = !self.over;
        self.issued_bytes = self.rules.limit.overshoot(self.issued_bytes);
        self.issued_ios = 0;
        self.over = false;
    }
}

impl DirectionShape {
    fn sizes(&self, step: Step) -> &BlockSizes {
        if step == Step::Random { &self.random_sizes } else { &self.sequential_sizes }
    }
}

impl Rules {
    /// Whether a file is left out once as many bytes as its length were issued to it: where one
    /// direction goes through it in order.
    fn has_shares(&self) -> bool {
        !self.random && self.directions.len() == 1
    }

    fn map_key(&self, number: usize, round: u64) -> MapKey {
        MapKey { seed: self.seed, file: number as u32, round }
    }
}

/// The next position of a lane after an I/O that ended at `end`. Backwards beyond the start, it
/// continues as far before the end (`rw=read:-8k` reads a file backwards).
fn skipped(end: u64, skip: i64, len: u64) -> u64 {
    if skip >= 0 {
        return end.saturating_add(skip.unsigned_abs());
    }
    let back = skip.unsigned_abs();
    end.checked_sub(back).unwrap_or(len.saturating_sub(back))
}
