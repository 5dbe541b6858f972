//! Makes a ring with the best features of the kernel, and a reason for each missing one.
//!
//! The features of a fast ring (one issuer, deferred task work, registered files and buffers) came
//! with different kernels and have different limits. Each is requested and omitted if it is
//! refused, unless the user requested it by name: then a refusal is an error.

use crate::arena::Arena;
use crate::error::EngineError;
use crate::linux::advice::{io_uring_advice, sysctl};
use crate::linux::fileset::FileSet;
use fathom_vocab::EngineOptions;
use io_uring::{Builder, IoUring, squeue};
use std::io;

/// Milliseconds after which an idle polling thread of the kernel goes to sleep.
const SQPOLL_IDLE_MS: u32 = 1000;
/// The kernel registers at most this many bytes as one buffer.
const BUFFER_MAX: usize = 1 << 30;

/// A ring with its registrations.
pub(crate) struct RingSetup {
    pub(crate) ring: IoUring,
    /// Slots to a registered buffer; 0 if buffers are not registered.
    pub(crate) slots_per_buffer: u32,
    /// Whether requests name files by their place in the registered list.
    pub(crate) fixed_files: bool,
}

/// One set of setup flags.
type Flavour = fn(&mut Builder<squeue::Entry>);

/// Variants from best to plainest, with the name of each one's advantage over the next.
const FLAVOURS: [(&str, Flavour); 4] = [
    ("NO_SQARRAY", |b| {
        b.setup_single_issuer().setup_defer_taskrun().setup_no_sqarray();
    }),
    ("SINGLE_ISSUER with DEFER_TASKRUN", |b| {
        b.setup_single_issuer().setup_defer_taskrun();
    }),
    ("COOP_TASKRUN", |b| {
        b.setup_coop_taskrun();
    }),
    ("", |_| {}),
];

/// With a polling thread of the kernel there is no task work to defer.
const POLLED: [(&str, Flavour); 2] = [
    ("SINGLE_ISSUER", |b| {
        b.setup_single_issuer();
    }),
    ("", |_| {}),
];

/// Makes the ring for an arena's slots and registers as much as possible.
pub(crate) fn prepare(
    arena: &Arena,
    files: &FileSet,
    options: &EngineOptions,
    notes: &mut Vec<String>,
) -> Result<RingSetup, EngineError> {
    let ring = make_ring(arena.slots(), options, notes)?;
    let fixed_files = register_files(&ring, files, options, notes)?;
    let slots_per_buffer = register_buffers(&ring, arena, options, notes)?;
    Ok(RingSetup { ring, slots_per_buffer, fixed_files })
}

fn make_ring(
    depth: u32,
    options: &EngineOptions,
    notes: &mut Vec<String>,
) -> Result<IoUring, EngineError> {
    let flavours: &[(&str, Flavour)] = if options.sqthread_poll { &POLLED } else { &FLAVOURS };
    let mut refused = io::Error::from_raw_os_error(libc::EINVAL);
    for (number, (_, flavour)) in flavours.iter().enumerate() {
        let mut builder = builder(options);
        flavour(&mut builder);
        match builder.build(depth) {
            Ok(ring) => {
                let lacking: Vec<_> = flavours[..number].iter().map(|lacked| lacked.0).collect();
                if !lacking.is_empty() {
                    let lacking = lacking.join(", ");
                    notes.push(format!("io_uring: this kernel is without {lacking}: {refused}"));
                }
                return Ok(ring);
            }
            Err(error) => refused = error,
        }
        if refused.raw_os_error() != Some(libc::EINVAL) {
            break;
        }
    }
    Err(refusal(format!("io_uring_setup({depth})"), refused))
}

fn builder(options: &EngineOptions) -> Builder<squeue::Entry> {
    let mut builder = IoUring::builder();
    builder.dontfork();
    if options.hipri {
        builder.setup_iopoll();
    }
    if options.sqthread_poll {
        builder.setup_sqpoll(SQPOLL_IDLE_MS);
        if let Some(cpu) = options.sqthread_poll_cpu {
            builder.setup_sqpoll_cpu(cpu);
        }
    }
    builder
}

fn refusal(what: String, error: io::Error) -> EngineError {
    let disabled = sysctl("/proc/sys/kernel/io_uring_disabled");
    let code = error.raw_os_error().unwrap_or(0);
    let advice = io_uring_advice(code, disabled, memlock_bytes());
    EngineError::new("io_uring", what, error).advise(advice)
}

/// The soft RLIMIT_MEMLOCK, in bytes; the largest number if there is none.
fn memlock_bytes() -> u64 {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Memlock);
    limit.current.unwrap_or(u64::MAX)
}

/// Decides the effect of a refused registration: an error on the user's request, otherwise a note.
fn optional(
    result: io::Result<()>,
    asked: bool,
    what: &str,
    notes: &mut Vec<String>,
) -> Result<bool, EngineError> {
    let Err(error) = result else { return Ok(true) };
    let advice = match error.raw_os_error() {
        Some(code @ (libc::ENOMEM | libc::EMFILE)) => io_uring_advice(code, None, memlock_bytes()),
        _ => String::new(),
    };
    let error = EngineError::new("io_uring", what, error).advise(advice);
    if asked {
        return Err(error);
    }
    notes.push(format!("{error}; done without"));
    Ok(false)
}

fn register_files(
    ring: &IoUring,
    files: &FileSet,
    options: &EngineOptions,
    notes: &mut Vec<String>,
) -> Result<bool, EngineError> {
    if files.fds().is_empty() || !files.is_complete() {
        return Ok(false);
    }
    let result = ring.submitter().register_files(files.fds());
    optional(result, options.registerfiles, "registering files", notes)
}

fn register_buffers(
    ring: &IoUring,
    arena: &Arena,
    options: &EngineOptions,
    notes: &mut Vec<String>,
) -> Result<u32, EngineError> {
    let (base, len, stride) = arena.span();
    let slots = (BUFFER_MAX / stride).min(arena.slots() as usize);
    if slots == 0 {
        return Ok(0);
    }
    let chunk = slots * stride;
    let vectors: Vec<libc::iovec> = (0..len)
        .step_by(chunk)
        .map(|at| libc::iovec {
            iov_base: base.wrapping_add(at).cast(),
            iov_len: chunk.min(len - at),
        })
        .collect();
    // SAFETY: the vectors tile the arena, which the engine keeps longer than the ring.
    let result = unsafe { ring.submitter().register_buffers(&vectors) };
    let registered = optional(result, options.fixedbufs, "registering buffers", notes)?;
    Ok(if registered { slots as u32 } else { 0 })
}
