//! The memory layout of the kernel's AIO interface: control blocks, events and the ring of
//! completions that the kernel shares with the process.
//!
//! `io_setup` returns an address that is called a handle but points to the ring, mapped into the
//! process. Reading completions from it saves a system call if they are already there. Its layout
//! has a magic number; with another number the ring is not used.

use std::sync::atomic::{AtomicU32, Ordering};

/// Read at an offset.
pub(crate) const CMD_PREAD: u16 = 0;
/// Write at an offset.
pub(crate) const CMD_PWRITE: u16 = 1;
/// Flush data and metadata.
pub(crate) const CMD_FSYNC: u16 = 2;
/// Flush data.
pub(crate) const CMD_FDSYNC: u16 = 3;

/// `struct iocb`. The two words of 32 bits change places on big-endian machines.
#[repr(C)]
#[derive(Clone, Debug, Default)]
pub(crate) struct Iocb {
    pub data: u64,
    #[cfg(target_endian = "little")]
    pub key: u32,
    pub rw_flags: i32,
    #[cfg(target_endian = "big")]
    pub key: u32,
    pub opcode: u16,
    pub reqprio: i16,
    pub fd: u32,
    pub buf: u64,
    pub nbytes: u64,
    pub offset: i64,
    pub reserved: u64,
    pub flags: u32,
    pub resfd: u32,
}

/// `struct io_event`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IoEvent {
    /// The block's `data`.
    pub data: u64,
    pub obj: u64,
    /// Bytes done, or a negative error number.
    pub res: i64,
    pub res2: i64,
}

/// The head of the ring; the events follow it.
#[repr(C)]
struct Header {
    id: u32,
    nr: u32,
    head: AtomicU32,
    tail: AtomicU32,
    magic: u32,
    compat_features: u32,
    incompat_features: u32,
    header_length: u32,
}

const MAGIC: u32 = 0xa10a_10a1;

/// The ring of completions, read without the kernel's help.
#[derive(Debug)]
pub(crate) struct Ring {
    header: *const Header,
    events: *const IoEvent,
    nr: u32,
}

impl Ring {
    /// The ring behind a handle of `io_setup`, where its layout is the one known here.
    ///
    /// # Safety
    /// `context` must come from `io_setup`, and outlive the ring.
    pub(crate) unsafe fn of(context: u64) -> Option<Ring> {
        let header = context as *const Header;
        if header.is_null() {
            return None;
        }
        // SAFETY: the kernel maps at least a page of ring at the handle.
        let (magic, incompat, length, nr) = unsafe {
            ((*header).magic, (*header).incompat_features, (*header).header_length, (*header).nr)
        };
        if magic != MAGIC || incompat != 0 || length as usize != size_of::<Header>() || nr == 0 {
            return None;
        }
        // SAFETY: the events follow the header in the same mapping.
        let events = unsafe { header.add(1) }.cast();
        Some(Ring { header, events, nr })
    }

    /// Takes up to `max` events and passes each on.
    #[inline(always)]
    pub(crate) fn take(&mut self, max: u32, mut each: impl FnMut(&IoEvent)) {
        // SAFETY: the header stays mapped while the context lives (the contract of `of`).
        let header = unsafe { &*self.header };
        let tail = header.tail.load(Ordering::Acquire);
        let first = header.head.load(Ordering::Relaxed);
        let mut head = first;
        let mut left = max;
        while head != tail && left > 0 {
            // SAFETY: head < nr, as the kernel keeps it and the step below does, and the nr
            // events lie in the mapping. The kernel wrote this one before it moved the tail.
            let event = unsafe { self.events.add(head as usize).read() };
            head = if head + 1 >= self.nr { 0 } else { head + 1 };
            left -= 1;
            each(&event);
        }
        if head != first {
            // Release: the kernel may overwrite the events only once they were read.
            header.head.store(head, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_the_kernels() {
        assert_eq!((size_of::<Iocb>(), size_of::<IoEvent>(), size_of::<Header>()), (64, 32, 32));
    }

    /// A ring as the kernel would have left it.
    #[repr(C)]
    struct Fake {
        header: Header,
        events: [IoEvent; 4],
    }

    fn fake(magic: u32, head: u32, tail: u32) -> Box<Fake> {
        let event = |data| IoEvent { data, ..IoEvent::default() };
        Box::new(Fake {
            header: Header {
                id: 0,
                nr: 4,
                head: AtomicU32::new(head),
                tail: AtomicU32::new(tail),
                magic,
                compat_features: 1,
                incompat_features: 0,
                header_length: 32,
            },
            events: [event(10), event(11), event(12), event(13)],
        })
    }

    fn taken(fake: &Fake, max: u32) -> Vec<u64> {
        let mut seen = Vec::new();
        // SAFETY: `fake` has the layout of a ring and outlives it.
        let mut ring = unsafe { Ring::of(std::ptr::from_ref(fake) as u64) }.expect("its magic");
        ring.take(max, |event| seen.push(event.data));
        seen
    }

    #[test]
    fn events_are_taken_in_order_around_the_end() {
        let fake = fake(MAGIC, 3, 2);
        assert_eq!(taken(&fake, 2), [13, 10]);
        assert_eq!(taken(&fake, 9), [11]);
        assert_eq!(taken(&fake, 9), [0u64; 0]);
        assert_eq!(fake.header.head.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn another_layout_is_left_alone() {
        let fake = fake(MAGIC + 1, 0, 1);
        // SAFETY: `fake` is readable as a header.
        assert!(unsafe { Ring::of(std::ptr::from_ref(&*fake) as u64) }.is_none());
        // SAFETY: a null handle is answered without being read.
        assert!(unsafe { Ring::of(0) }.is_none());
    }
}
