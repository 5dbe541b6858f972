//! Survives the loss of pages under a mapping.
//!
//! If a file shrinks, or a device fails, the next access to a mapped page raises SIGBUS, which
//! would end the process and every other job in it. During one copy a thread registers the mapping
//! that it touches; a SIGBUS inside of it maps an empty page there, so that the copy completes, and
//! is recorded, so that the I/O fails with EIO as `read` would. Any other SIGBUS ends the process,
//! as by default.

use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed, Ordering::SeqCst, compiler_fence};

thread_local! {
    /// The mapping that this thread is copying from or to; empty if it is not copying.
    /// Without destructors and with constant first values, so that the handler can read them.
    static START: AtomicUsize = const { AtomicUsize::new(0) };
    static LEN: AtomicUsize = const { AtomicUsize::new(0) };
    /// Address of the page that was lost during this copy; 0 for none.
    static LOST: AtomicUsize = const { AtomicUsize::new(0) };
}

/// Runs `copy`, which touches only `start..start + len`, a mapping; `Err` with the address of a
/// page that was lost and replaced by an empty one.
#[inline]
pub(crate) fn guarded(start: usize, len: usize, copy: impl FnOnce()) -> Result<(), usize> {
    START.with(|cell| cell.store(start, Relaxed));
    LOST.with(|cell| cell.store(0, Relaxed));
    LEN.with(|cell| cell.store(len, Relaxed));
    // The handler runs on this thread: its data must be in memory.
    compiler_fence(SeqCst);
    copy();
    compiler_fence(SeqCst);
    LEN.with(|cell| cell.store(0, Relaxed));
    match LOST.with(|cell| cell.load(Relaxed)) {
        0 => Ok(()),
        page => Err(page),
    }
}

/// Takes SIGBUS over, once for the process.
pub(crate) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: a blank sigaction is valid; the handler keeps to what a handler may do.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_sigbus as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
            libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
        }
    });
}

/// The handler: only atomics of this thread, and system calls.
extern "C" fn on_sigbus(_signal: i32, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid record, which for SIGBUS holds an address.
    let address = unsafe { (*info).si_addr() } as usize;
    let (start, len) = (START.with(|cell| cell.load(Relaxed)), LEN.with(|cell| cell.load(Relaxed)));
    if address.wrapping_sub(start) >= len || !replace(address) {
        // SAFETY: with the default action back in place the touch is repeated and ends the
        // process as it would have without this handler.
        unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) };
    }
}

/// Maps an empty page at `address`.
fn replace(address: usize) -> bool {
    // SAFETY: sysconf only reads; the page lies in the mapping that this thread declared, and
    // an anonymous page takes its place at once.
    unsafe {
        let size = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let page = address & !(size - 1);
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        LOST.with(|cell| cell.store(page, Relaxed));
        libc::mmap(page as *mut libc::c_void, size, prot, flags, -1, 0) != libc::MAP_FAILED
    }
}
