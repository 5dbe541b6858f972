//! The state of a loop's I/Os: in the kernel, queued for it, refused by it, or free.

use fathom_engine::Request;
use fathom_vocab::Op;

/// More than any transfer, so that one comparison separates a complete transfer from all other
/// cases.
const FLUSH_LEN: u32 = u32::MAX;

/// An I/O that has a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub op: Op,
    pub file: u32,
    /// Offset and length of the remaining work: [`FLUSH_LEN`] for a flush.
    pub offset: u64,
    pub len: u32,
    /// Bytes done by earlier parts of a short transfer.
    pub done: u32,
    pub start_ns: u64,
    pub issue_ns: u64,
}

impl Slot {
    const EMPTY: Slot =
        Slot { op: Op::Read, file: 0, offset: 0, len: 0, done: 0, start_ns: 0, issue_ns: 0 };

    /// A flush of a file, begun now.
    pub fn flush(op: Op, file: u32, now_ns: u64) -> Slot {
        Slot { op, file, len: FLUSH_LEN, start_ns: now_ns, issue_ns: now_ns, ..Slot::EMPTY }
    }

    /// The request for the remaining work.
    #[inline(always)]
    pub fn request(&self, slot: u32) -> Request {
        let len = if self.op.is_sync() { 0 } else { self.len };
        let Slot { op, file, offset, done, .. } = *self;
        Request { op, file, offset, len, at: done, slot }
    }

    /// The remainder of a transfer after this number of further bytes.
    pub fn rest(self, bytes: u32) -> Slot {
        Slot {
            done: self.done + bytes,
            len: self.len - bytes,
            offset: self.offset + u64::from(bytes),
            ..self
        }
    }
}

/// The slots of a loop.
#[derive(Debug)]
pub(crate) struct SlotTable {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Queued since the last commit.
    fresh: Vec<u32>,
    /// Refused by a full engine; tried again after the next reap.
    refused: Vec<u32>,
    in_flight: u32,
    /// How many slots may be used: less than the depth while a latency target is sought.
    depth_limit: u32,
    low_water: u32,
}

impl SlotTable {
    /// `depth` slots, of which `first` are used at the beginning; once all are in flight, new ones
    /// begin when at most `low` are.
    pub fn new(depth: u32, first: Option<u32>, low: Option<u32>) -> SlotTable {
        SlotTable {
            slots: vec![Slot::EMPTY; depth as usize],
            free: (0..depth).rev().collect(),
            fresh: Vec::with_capacity(depth as usize),
            refused: Vec::new(),
            in_flight: 0,
            depth_limit: first.map_or(depth, |first| first.clamp(1, depth)),
            low_water: low.unwrap_or(depth).clamp(1, depth),
        }
    }

    /// How many slots there are.
    #[inline(always)]
    pub fn depth(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Limits the slots in use from now on.
    pub fn limit_depth(&mut self, depth: u32) {
        self.depth_limit = depth.clamp(1, self.depth());
    }

    /// How many I/Os may be handed over now, in batches of `batch`.
    #[inline(always)]
    pub fn room(&self, batch: u32) -> u32 {
        if self.has_refused() {
            return 0;
        }
        let slots = self.depth_limit.saturating_sub(self.in_flight).min(self.free.len() as u32);
        slots.min(batch)
    }

    /// A free slot.
    #[inline(always)]
    pub fn take(&mut self) -> Option<u32> {
        self.free.pop()
    }

    /// A slot is free again.
    #[inline(always)]
    pub fn give_back(&mut self, slot: u32) {
        self.free.push(slot);
    }

    /// The I/O of a slot.
    #[inline(always)]
    pub fn io(&self, slot: u32) -> Slot {
        self.slots[slot as usize]
    }

    /// Writes down the I/O of a slot.
    #[inline(always)]
    pub fn put(&mut self, slot: u32, io: Slot) {
        self.slots[slot as usize] = io;
    }

    /// The engine took the I/O.
    #[inline(always)]
    pub fn queued(&mut self, slot: u32, io: Slot) {
        self.put(slot, io);
        self.in_flight += 1;
        self.fresh.push(slot);
    }

    /// The engine had no room for the I/O.
    #[inline(always)]
    pub fn was_refused(&mut self, slot: u32, io: Slot) {
        self.put(slot, io);
        self.refused.push(slot);
    }

    /// Whether an I/O on this file has a slot.
    #[cold]
    pub fn are_used_for(&self, file: u32) -> bool {
        let mut used = vec![true; self.slots.len()];
        self.free.iter().for_each(|&slot| used[slot as usize] = false);
        self.slots.iter().zip(used).any(|(io, used)| used && io.file == file)
    }

    /// Whether I/Os wait for room in the engine.
    #[inline(always)]
    pub fn has_refused(&self) -> bool {
        !self.refused.is_empty()
    }

    /// Removes the I/Os that wait for room in the engine; the caller tries them again.
    pub fn take_refused(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.refused)
    }

    /// Whether I/Os wait to be committed.
    #[inline(always)]
    pub fn has_fresh(&self) -> bool {
        !self.fresh.is_empty()
    }

    /// Sets the submission time of the queued I/Os.
    #[inline(always)]
    pub fn stamp_fresh(&mut self, issue_ns: u64) {
        for slot in &self.fresh {
            self.slots[*slot as usize].issue_ns = issue_ns;
        }
    }

    /// Marks the queued I/Os as submitted; returns their number.
    #[inline(always)]
    pub fn committed(&mut self) -> u32 {
        let count = self.fresh.len() as u32;
        self.fresh.clear();
        count
    }

    /// The kernel refused all that was queued: none of it is in flight. Gives its slots, whose I/Os
    /// can still be read.
    #[cold]
    pub fn drop_fresh(&mut self) -> Vec<u32> {
        let fresh = std::mem::take(&mut self.fresh);
        self.in_flight -= fresh.len() as u32;
        self.free.extend(&fresh);
        fresh
    }

    /// How many I/Os the engine has.
    #[inline(always)]
    pub fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Records this number of completions.
    #[inline(always)]
    pub fn reaped(&mut self, count: u32) {
        self.in_flight -= count;
    }

    /// Drops the I/Os in flight, which will never be reaped.
    #[cold]
    pub fn lose_all(&mut self) {
        self.in_flight = 0;
    }

    /// Whether no I/O can be begun before one completes.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.in_flight >= self.depth_limit || self.has_refused()
    }

    /// Whether more have to complete before new ones are begun.
    #[inline(always)]
    pub fn is_above_low_water(&self) -> bool {
        self.in_flight > self.low_water && self.low_water < self.depth_limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(table: &mut SlotTable) -> u32 {
        let slot = table.take().unwrap();
        table.queued(slot, Slot::EMPTY);
        slot
    }

    #[test]
    fn a_slot_is_in_one_place() {
        let mut table = SlotTable::new(4, None, None);
        assert_eq!((table.depth(), table.room(u32::MAX), table.room(3)), (4, 4, 3));
        let first = queue(&mut table);
        queue(&mut table);
        assert_eq!((table.in_flight(), table.room(4)), (2, 2));
        table.stamp_fresh(7);
        assert_eq!((table.committed(), table.io(first).issue_ns, table.has_fresh()), (2, 7, false));
        table.reaped(1);
        table.give_back(first);
        assert_eq!((table.in_flight(), table.room(4)), (1, 3));
        queue(&mut table);
        assert_eq!(table.drop_fresh().len(), 1);
        assert_eq!((table.in_flight(), table.room(4)), (1, 3), "refused as a whole");
    }

    #[test]
    fn what_was_refused_goes_first() {
        let mut table = SlotTable::new(4, None, None);
        let slot = table.take().unwrap();
        table.was_refused(slot, Slot::flush(Op::Fsync, 3, 9));
        assert!(table.has_refused() && table.is_full());
        assert_eq!(table.room(4), 0);
        assert_eq!(table.take_refused(), [slot]);
        assert_eq!((table.io(slot).file, table.io(slot).request(slot).len), (3, 0));
        assert_eq!(table.room(4), 3);
    }

    #[test]
    fn a_file_is_used_until_its_last_io_is_over() {
        let mut table = SlotTable::new(4, None, None);
        let slot = table.take().unwrap();
        table.queued(slot, Slot { file: 3, ..Slot::EMPTY });
        let other = queue(&mut table);
        assert!(table.are_used_for(3) && table.are_used_for(0) && !table.are_used_for(1));
        table.give_back(slot);
        assert!(!table.are_used_for(3) && table.are_used_for(0));
        table.give_back(other);
        assert!(!table.are_used_for(0));
    }

    #[test]
    fn depth_and_low_water_hold() {
        let mut table = SlotTable::new(8, Some(2), Some(1));
        assert_eq!(table.room(8), 2);
        queue(&mut table);
        assert!(!table.is_full() && !table.is_above_low_water());
        queue(&mut table);
        assert!(table.is_full() && table.is_above_low_water());
        table.limit_depth(99);
        assert_eq!(table.room(8), 6);
    }

    #[test]
    fn the_rest_of_a_short_transfer_goes_on_where_it_stopped() {
        let io = Slot { offset: 4096, len: 4096, ..Slot::EMPTY }.rest(512);
        assert_eq!((io.offset, io.len, io.done), (4608, 3584, 512));
        assert_eq!(io.request(0).at, 512, "and with the bytes that follow in its buffer");
    }
}
