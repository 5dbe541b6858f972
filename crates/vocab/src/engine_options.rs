//! Options of jobs that only some engines read: what a job says is what its engine takes.

/// Options that only some engines read; fio's names, and all off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions {
    /// Polled completion (io_uring, libaio, pvsync2).
    pub hipri: bool,
    /// Buffers registered with the kernel (io_uring), on request: a refusal is then an error and
    /// not a note. By default they are registered if possible.
    pub fixedbufs: bool,
    /// Files registered with the kernel (io_uring); as for `fixedbufs`.
    pub registerfiles: bool,
    /// A kernel thread polls the submission ring (io_uring).
    pub sqthread_poll: bool,
    /// The CPU of that thread.
    pub sqthread_poll_cpu: Option<u32>,
    /// Accepted for fio's sake (io_uring): reads and writes are never vectored here.
    pub nonvectored: bool,
    /// `RWF_DONTCACHE` (io_uring, pvsync2).
    pub uncached: bool,
    /// `RWF_NOWAIT` (io_uring, libaio, pvsync2).
    pub nowait: bool,
    /// Every N-th I/O goes to a worker of the kernel (io_uring); 0 means never.
    pub force_async: u32,
    /// Accepted for compatibility with fio (libaio): completions are always read from the ring if
    /// its layout is known.
    pub userspace_reap: bool,
}
