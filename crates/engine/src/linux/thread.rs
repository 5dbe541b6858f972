//! The thread that does the I/O: its id, its resource use, its CPUs; and the limits of its process.

use crate::thread_words::{NumaPolicy, ThreadUsage};
use rustix::process::{Resource, Rlimit};
use rustix::thread::CpuSet;
use std::io;

/// The kernel's number of the calling thread.
pub fn thread_id() -> u32 {
    rustix::thread::gettid().as_raw_nonzero().get() as u32
}

/// The resource use of the calling thread; zeros if the kernel does not report it.
pub fn thread_usage() -> ThreadUsage {
    // SAFETY: the record is plain numbers, for which zero is valid, and getrusage fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage
    };
    let micros = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
    ThreadUsage {
        user_us: micros(usage.ru_utime),
        system_us: micros(usage.ru_stime),
        voluntary_switches: usage.ru_nvcsw as u64,
        involuntary_switches: usage.ru_nivcsw as u64,
        major_faults: usage.ru_majflt as u64,
        minor_faults: usage.ru_minflt as u64,
    }
}

/// The CPUs on which the calling thread may run.
///
/// # Errors
/// If the kernel does not report them.
pub fn allowed_cpus() -> io::Result<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
}

/// Binds the calling thread to CPUs; threads that it starts inherit it.
///
/// # Errors
/// If none of them exists or is allowed for this process.
pub fn bind_thread(cpus: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu >= CpuSet::MAX_CPU {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        set.set(cpu);
    }
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

/// Makes the calling thread nicer by `increment` (-40 to 40), as `nice(2)` does.
///
/// # Errors
/// EPERM or EACCES for a negative increment without the right to it.
pub fn nice_thread(increment: i32) -> io::Result<()> {
    // SAFETY: no memory is passed. -1 is a valid answer too, told apart by the error number.
    unsafe {
        *libc::__errno_location() = 0;
        if libc::nice(increment) == -1 && *libc::__errno_location() != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Gives the I/O of the calling thread a class (0 to 3), a level in it (0 to 7) and a hint.
///
/// # Errors
/// EPERM for the real-time class without the right to it.
pub fn prioritize_thread(class: u16, level: u16, hint: u16) -> io::Result<()> {
    // The kernel's header names them IOPRIO_WHO_PROCESS, IOPRIO_CLASS_SHIFT, IOPRIO_HINT_SHIFT.
    const WHO_PROCESS: i32 = 1;
    let value = i32::from(class) << 13 | i32::from(hint) << 3 | i32::from(level);
    // SAFETY: no memory is passed.
    match unsafe { libc::syscall(libc::SYS_ioprio_set, WHO_PROCESS, 0, value) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Memory that is never swapped out.
#[derive(Debug)]
pub struct PinnedMemory(Vec<u8>);

impl PinnedMemory {
    /// Takes this much memory from the system until it is dropped.
    ///
    /// # Errors
    /// If there is not so much, or the process may not lock it.
    pub fn new(bytes: usize) -> io::Result<PinnedMemory> {
        let mut memory: Vec<u8> = Vec::new();
        memory.try_reserve_exact(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // SAFETY: the range is this list's own, and locking changes nothing in it. When the list is
        // dropped, its pages go back to the system and are locked no more.
        match unsafe { libc::mlock(memory.as_ptr().cast(), memory.capacity()) } {
            0 => Ok(PinnedMemory(memory)),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Drop for PinnedMemory {
    fn drop(&mut self) {
        // SAFETY: as above. A small list may stay with the allocator, and must not stay locked.
        unsafe { libc::munlock(self.0.as_ptr().cast(), self.0.capacity()) };
    }
}

/// Makes sleeps of the calling thread end at their due time, and not up to 50 us later to save
/// wake-ups: for paced I/O.
pub fn sharpen_timers() {
    // Refusal leaves the default, with which sleeping is only less precise.
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
}

/// Sets the NUMA nodes of the calling thread's memory, and so of buffers made after this.
///
/// # Errors
/// If a node is not there or not allowed, or the kernel has no NUMA.
pub fn set_numa_policy(policy: &NumaPolicy) -> io::Result<()> {
    let (mode, nodes): (i32, &[u32]) = match policy {
        NumaPolicy::Default => (libc::MPOL_DEFAULT, &[]),
        NumaPolicy::Prefer(node) => (libc::MPOL_PREFERRED, std::slice::from_ref(node)),
        NumaPolicy::Bind(nodes) => (libc::MPOL_BIND, nodes),
        NumaPolicy::Interleave(nodes) => (libc::MPOL_INTERLEAVE, nodes),
        NumaPolicy::Local => (libc::MPOL_LOCAL, &[]),
    };
    const NODES: usize = 1024;
    let mut mask = [0u64; NODES / 64];
    for &node in nodes {
        let word = mask.get_mut(node as usize / 64);
        *word.ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))? |= 1 << (node % 64);
    }
    let (mask, bits) =
        if nodes.is_empty() { (std::ptr::null(), 0) } else { (mask.as_ptr(), NODES + 1) };
    // SAFETY: the kernel reads `bits` - 1 bits from the mask, which has as many.
    match unsafe { libc::syscall(libc::SYS_set_mempolicy, mode, mask, bits) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Raises the soft limit of open files of the process as far as it may: the limit then in
/// effect. Never lowers it.
pub fn raise_open_files() -> u64 {
    raise(Resource::Nofile)
}

/// Raises the soft limit of locked memory of the process as far as it may: the limit then in
/// effect, in bytes. Registered buffers count against it.
pub fn raise_locked_memory() -> u64 {
    raise(Resource::Memlock)
}

/// Raises a soft limit to the hard one; the largest number means no limit.
fn raise(resource: Resource) -> u64 {
    let limit = rustix::process::getrlimit(resource);
    let hard = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let now = match rustix::process::setrlimit(resource, hard) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    now.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_grows_with_work() {
        let before = thread_usage();
        let mut sum = 0u64;
        while thread_usage().since(&before).user_us + thread_usage().since(&before).system_us == 0 {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        // Fresh pages: one fault each, at least.
        let pages = std::hint::black_box(vec![1u8; 4 << 20]);
        assert!(thread_usage().since(&before).minor_faults > 0, "{}", pages.len());
    }

    #[test]
    fn a_thread_can_be_bound_to_one_of_its_cpus() {
        let bound = std::thread::spawn(|| {
            let last = *allowed_cpus().expect("cpus").last().expect("at least one");
            bind_thread(&[last]).expect("binds");
            (allowed_cpus().expect("cpus"), last, thread_id())
        });
        let (cpus, last, id) = bound.join().expect("joins");
        assert_eq!(cpus, [last]);
        assert_ne!(id, thread_id());
        assert!(bind_thread(&[999_999]).is_err());
    }

    #[test]
    fn niceness_counts_for_one_thread() {
        std::thread::spawn(|| nice_thread(1).expect("nicer is always allowed"))
            .join()
            .expect("joins");
    }

    #[test]
    fn memory_policy_of_a_node_that_is_not_there_is_refused() {
        std::thread::spawn(|| {
            set_numa_policy(&NumaPolicy::Default).expect("the default is always there");
            assert!(set_numa_policy(&NumaPolicy::Bind(vec![1000])).is_err());
            assert!(set_numa_policy(&NumaPolicy::Bind(vec![5000])).is_err());
        })
        .join()
        .expect("joins");
    }

    #[test]
    fn limits_are_raised_to_the_hard_limit() {
        let files = raise_open_files();
        assert!(files >= 256, "{files}");
        assert_eq!(raise_open_files(), files);
        assert!(raise_locked_memory() > 0);
    }
}
