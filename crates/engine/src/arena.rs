//! The buffers of all slots: one mapping, slot i at i times the stride.
//!
//! One mapping and not one allocation for each slot, because io_uring registers it in one piece,
//! and the page faults of a thousand small buffers would show in the first thousand latencies. It
//! is touched when it is created, by the thread that will use it, so that the pages exist and are
//! on that thread's NUMA node. Huge pages are not requested: a device with few segments does 1 MiB
//! reads more than twice as fast into them (seen on virtio), but no program without them, fio
//! included, would ever see that figure.

use crate::Request;
use crate::system::memory;
use std::io;
use std::ptr::NonNull;

/// Buffers of `slots` slots, each `block` bytes long and aligned.
#[derive(Debug)]
pub(crate) struct Arena {
    map: NonNull<u8>,
    map_len: usize,
    base: NonNull<u8>,
    stride: usize,
    block: usize,
    slots: u32,
}

impl Arena {
    /// Maps buffers for `slots` slots of `block` bytes, aligned to `align` (a power of two; 0 is
    /// the page size). `touch` makes the pages present.
    pub(crate) fn new(slots: u32, block: usize, align: usize, touch: bool) -> io::Result<Arena> {
        let page = memory::page_size();
        let align = if align == 0 { page } else { align };
        if !align.is_power_of_two() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("buffer alignment {align} is not a power of two"),
            ));
        }
        let slots = slots.max(1);
        let (stride, map_len) =
            layout(slots, block, align, page).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = memory::map(map_len)?;
        // SAFETY: the mapping is map_len bytes, of which `layout` set one alignment aside, so
        // that the aligned base and all slots lie inside.
        let base = unsafe { map.add(map.as_ptr().align_offset(align.max(page))) };
        let arena = Arena { map, map_len, base, stride, block, slots };
        arena.prepare(touch);
        Ok(arena)
    }

    /// Makes the pages present.
    fn prepare(&self, touch: bool) {
        if touch {
            // SAFETY: the mapping is this arena's, and nobody has a reference to it yet.
            unsafe { memory::populate(self.map, self.map_len) };
        }
    }

    /// Number of slots.
    pub(crate) fn slots(&self) -> u32 {
        self.slots
    }

    /// The buffer of a slot.
    #[inline(always)]
    pub(crate) fn slot(&mut self, slot: u32) -> &mut [u8] {
        let ptr = self.ptr(slot, 0);
        // SAFETY: `ptr` checked the slot; a slot is `block` bytes of this arena's mapping, which
        // is initialised (zero pages), and `&mut self` keeps other references away. That the
        // kernel is not writing there is the engine's business (`Slots`).
        unsafe { std::slice::from_raw_parts_mut(ptr, self.block) }
    }

    /// The address of a slot.
    ///
    /// # Panics
    /// If the slot is not one of the arena's, or `len` is more than a buffer: the kernel would
    /// write outside of the arena.
    #[inline(always)]
    pub(crate) fn ptr(&self, slot: u32, len: u32) -> *mut u8 {
        self.ptr_at(slot, 0, len)
    }

    /// The address of a request's bytes in its slot.
    ///
    /// # Panics
    /// As [`Arena::ptr`].
    #[inline(always)]
    pub(crate) fn ptr_of(&self, request: &Request) -> *mut u8 {
        self.ptr_at(request.slot, request.at, request.len)
    }

    #[inline(always)]
    fn ptr_at(&self, slot: u32, at: u32, len: u32) -> *mut u8 {
        // Their sum could overflow 32 bits.
        let end = at as usize + len as usize;
        assert!(slot < self.slots && end <= self.block, "request outside of its slot");
        // SAFETY: slot < slots and at <= block <= stride, and slots * stride bytes follow `base`
        // in the mapping.
        unsafe { self.base.as_ptr().add(slot as usize * self.stride + at as usize) }
    }

    /// Address and bytes of the whole, and bytes from one slot to the next.
    #[cfg(target_os = "linux")]
    pub(crate) fn span(&self) -> (*mut u8, usize, usize) {
        (self.base.as_ptr(), self.slots as usize * self.stride, self.stride)
    }

    /// Gives up the mapping without unmapping it: for I/Os that cannot be waited for.
    pub(crate) fn leak(&mut self) {
        self.map_len = 0;
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        if self.map_len > 0 {
            // SAFETY: the mapping is this arena's own, and no reference outlives it.
            unsafe { memory::unmap(self.map, self.map_len) };
        }
    }
}

/// Bytes from slot to slot, and bytes to map so that an aligned base fits; `None` on overflow.
fn layout(slots: u32, block: usize, align: usize, page: usize) -> Option<(usize, usize)> {
    let stride = block.max(1).checked_next_multiple_of(align)?;
    let spare = if align > page { align } else { 0 };
    let total = stride.checked_mul(slots as usize)?.checked_add(spare)?;
    Some((stride, total.checked_next_multiple_of(page)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slots_are_aligned_and_apart(
            slots in 1u32..70, block in 1usize..20_000, align_bits in 0u32..18
        ) {
            let align = if align_bits == 0 { 0 } else { 1usize << align_bits };
            let mut arena = Arena::new(slots, block, align, true).expect("maps");
            for slot in 0..slots {
                let buffer = arena.slot(slot);
                prop_assert_eq!(buffer.len(), block);
                prop_assert!((buffer.as_ptr() as usize).is_multiple_of(align.max(1)));
                buffer.fill(slot as u8 + 1);
            }
            prop_assert!((arena.slot(0).as_ptr() as usize).is_multiple_of(4096));
            for slot in 0..slots {
                prop_assert!(arena.slot(slot).iter().all(|&byte| byte == slot as u8 + 1));
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Arena::new(1, 4096, 3000, false).is_err());
        assert!(Arena::new(u32::MAX, usize::MAX / 8, 0, false).is_err());
    }

    #[test]
    #[should_panic(expected = "outside of its slot")]
    fn a_request_longer_than_a_buffer_is_caught() {
        Arena::new(2, 4096, 0, false).expect("maps").ptr(1, 4097);
    }

    #[test]
    #[should_panic(expected = "outside of its slot")]
    fn the_rest_of_a_transfer_ends_in_its_buffer() {
        Arena::new(2, 4096, 0, false).expect("maps").ptr_at(0, 512, 4096);
    }
}
