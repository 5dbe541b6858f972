//! `io_uring_enter` through a registered descriptor.
//!
//! The io-uring crate's calls look up the ring's descriptor each time, which in a process of many
//! threads is a contended counter; the registered index saves that. Making the call here also
//! controls how much is submitted, so that waiting does not submit requests that were queued and
//! not committed.

use io_uring::IoUring;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::time::Duration;

const ENTER_GETEVENTS: u32 = 1 << 0;
const ENTER_SQ_WAKEUP: u32 = 1 << 1;
const ENTER_EXT_ARG: u32 = 1 << 3;
const ENTER_REGISTERED_RING: u32 = 1 << 4;
const REGISTER_RING_FDS: u32 = 20;
const UNREGISTER_RING_FDS: u32 = 21;

/// `struct io_uring_rsrc_update`.
#[repr(C)]
struct Update {
    offset: u32,
    reserved: u32,
    data: u64,
}

/// `struct io_uring_getevents_arg`.
#[repr(C)]
struct WaitArg {
    sigmask: u64,
    sigmask_size: u32,
    min_wait_us: u32,
    timespec: u64,
}

/// The registered descriptor of one ring; closed before the ring is dropped.
#[derive(Debug)]
pub(crate) struct RegisteredRing {
    ring_fd: RawFd,
    /// The registered index, and the flag for it.
    index: RawFd,
    flag: u32,
}

impl RegisteredRing {
    /// Registers the ring with this thread, if the kernel supports it (5.18); otherwise uses the
    /// descriptor.
    pub(crate) fn new(ring: &IoUring) -> RegisteredRing {
        let ring_fd = ring.as_raw_fd();
        let mut update = Update { offset: u32::MAX, reserved: 0, data: ring_fd as u64 };
        match register(ring_fd, REGISTER_RING_FDS, &mut update) {
            1 => RegisteredRing {
                ring_fd,
                index: update.offset as RawFd,
                flag: ENTER_REGISTERED_RING,
            },
            _ => RegisteredRing { ring_fd, index: ring_fd, flag: 0 },
        }
    }

    /// Submits the first `submit` requests of the ring: how many the kernel took.
    #[inline(always)]
    pub(crate) fn submit(&self, submit: u32) -> io::Result<u32> {
        self.call(submit, 0, 0, None)
    }

    /// Wakes the kernel's polling thread.
    pub(crate) fn wake(&self) -> io::Result<u32> {
        self.call(0, 0, ENTER_SQ_WAKEUP, None)
    }

    /// Runs deferred work and waits for `min` completions (0 does not wait).
    #[inline(always)]
    pub(crate) fn wait(&self, min: u32, timeout: Option<Duration>) -> io::Result<u32> {
        let Some(timeout) = timeout else { return self.call(0, min, ENTER_GETEVENTS, None) };
        let timespec = [timeout.as_secs() as i64, i64::from(timeout.subsec_nanos())];
        let arg = WaitArg {
            sigmask: 0,
            sigmask_size: 0,
            min_wait_us: 0,
            timespec: timespec.as_ptr() as u64,
        };
        self.call(0, min, ENTER_GETEVENTS | ENTER_EXT_ARG, Some(&arg))
    }

    #[inline(always)]
    fn call(&self, submit: u32, min: u32, flags: u32, arg: Option<&WaitArg>) -> io::Result<u32> {
        let size = if arg.is_some() { size_of::<WaitArg>() } else { 0 };
        let arg = arg.map_or(std::ptr::null(), std::ptr::from_ref);
        let (call, flags) = (libc::SYS_io_uring_enter, flags | self.flag);
        // SAFETY: the argument and the time it points to outlive the call, or are absent. What
        // is submitted was vouched for when it was pushed.
        let result = unsafe { libc::syscall(call, self.index, submit, min, flags, arg, size) };
        u32::try_from(result).map_err(|_| io::Error::last_os_error())
    }
}

impl Drop for RegisteredRing {
    fn drop(&mut self) {
        if self.flag != 0 {
            // A thread has room for 16 of these, and each keeps its ring alive.
            let mut update = Update { offset: self.index as u32, reserved: 0, data: 0 };
            register(self.ring_fd, UNREGISTER_RING_FDS, &mut update);
        }
    }
}

fn register(ring_fd: RawFd, opcode: u32, update: &mut Update) -> i64 {
    let call = libc::SYS_io_uring_register;
    // SAFETY: both operations read and write one `Update`.
    unsafe { libc::syscall(call, ring_fd, opcode, std::ptr::from_mut(update), 1u32) }
}
