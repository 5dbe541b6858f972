//! The thread that does the I/O: its id, its resource use, its CPUs; and the limits of its process.

use crate::thread_words::{NumaPolicy, ThreadUsage};
use crate::windows::handle::succeeded;
use crate::windows::only_linux::only_linux;
use crate::windows::processors::{mask_of, numbers_of};
use std::io;
use std::ptr;
use std::sync::Once;
use std::time::Duration;
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{
    GetActiveProcessorCount, GetActiveProcessorGroupCount, GetCurrentProcess, GetCurrentThread,
    GetCurrentThreadId, GetProcessAffinityMask, GetThreadGroupAffinity, GetThreadTimes,
    SetThreadGroupAffinity,
};

/// The system's number of the calling thread.
pub fn thread_id() -> u32 {
    // SAFETY: no memory is passed.
    unsafe { GetCurrentThreadId() }
}

/// A span of time in steps of 100 ns.
pub(crate) fn time_of(time: FILETIME) -> Duration {
    let steps = u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    Duration::from_nanos(steps.saturating_mul(100))
}

/// The resource use of the calling thread; zeros if the system does not report it. Switches and
/// page faults are not counted for a thread.
pub fn thread_usage() -> ThreadUsage {
    let (mut begun, mut ended) = (FILETIME::default(), FILETIME::default());
    let (mut system, mut user) = (FILETIME::default(), FILETIME::default());
    // SAFETY: the call fills four records.
    unsafe {
        GetThreadTimes(
            GetCurrentThread(),
            &raw mut begun,
            &raw mut ended,
            &raw mut system,
            &raw mut user,
        )
    };
    ThreadUsage {
        user_us: time_of(user).as_micros() as u64,
        system_us: time_of(system).as_micros() as u64,
        ..ThreadUsage::default()
    }
}

/// How many CPUs each processor group has.
fn group_sizes() -> Vec<u32> {
    // SAFETY: no memory is passed.
    let groups = unsafe { GetActiveProcessorGroupCount() };
    // SAFETY: no memory is passed.
    (0..groups).map(|group| unsafe { GetActiveProcessorCount(group) }).collect()
}

/// The CPUs on which the calling thread may run.
///
/// # Errors
/// If the system does not report them.
pub fn allowed_cpus() -> io::Result<Vec<usize>> {
    let sizes = group_sizes();
    let mut here = GROUP_AFFINITY::default();
    // SAFETY: the call fills one record.
    succeeded(unsafe { GetThreadGroupAffinity(GetCurrentThread(), &raw mut here) })?;
    let mut mask = here.Mask;
    if sizes.len() == 1 {
        let (mut process, mut system) = (0usize, 0usize);
        // SAFETY: the call fills two masks.
        succeeded(unsafe {
            GetProcessAffinityMask(GetCurrentProcess(), &raw mut process, &raw mut system)
        })?;
        mask &= process;
    }
    Ok(numbers_of(here.Group, mask, &sizes))
}

/// Binds the calling thread to CPUs, which must be in one processor group.
///
/// # Errors
/// If one of them is not there, or they are of several groups.
pub fn bind_thread(cpus: &[usize]) -> io::Result<()> {
    let (group, mask) = mask_of(cpus, &group_sizes())?;
    let affinity = GROUP_AFFINITY { Mask: mask, Group: group, Reserved: [0; 3] };
    // SAFETY: the call reads one record, and writes none.
    succeeded(unsafe {
        SetThreadGroupAffinity(GetCurrentThread(), &raw const affinity, ptr::null_mut())
    })
}

/// Threads have no niceness here.
///
/// # Errors
/// Always.
pub fn nice_thread(_increment: i32) -> io::Result<()> {
    Err(only_linux("the niceness of a thread", "leave nice= out"))
}

/// The I/O of threads has no priority here that fio's options could set.
///
/// # Errors
/// Always.
pub fn prioritize_thread(_class: u16, _level: u16, _hint: u16) -> io::Result<()> {
    Err(only_linux("the I/O priority of a thread", "leave prio= and prioclass= out"))
}

/// Memory that is never swapped out.
#[derive(Debug)]
pub struct PinnedMemory(());

impl PinnedMemory {
    /// Takes no memory here.
    ///
    /// # Errors
    /// Always.
    pub fn new(_bytes: usize) -> io::Result<PinnedMemory> {
        Err(only_linux("locking memory", "leave lockmem= out"))
    }
}

// Declared here, because its import library is not among those of `windows-sys` in use.
#[link(name = "winmm")]
unsafe extern "system" {
    fn timeBeginPeriod(milliseconds: u32) -> u32;
}

/// Makes waits of the process end within a millisecond of their due time, and not within 16: for
/// paced I/O. Sleeps have high-resolution timers anyway.
pub fn sharpen_timers() {
    static SHARPENED: Once = Once::new();
    // Refusal leaves the default, with which waiting is only less precise.
    SHARPENED.call_once(|| {
        // SAFETY: no memory is passed. It holds until the process ends.
        unsafe { timeBeginPeriod(1) };
    });
}

/// Sets the NUMA policy of the calling thread's memory: only the system's own policy exists.
///
/// # Errors
/// For every other.
pub fn set_numa_policy(policy: &NumaPolicy) -> io::Result<()> {
    match policy {
        // Pages come from the node of the thread that touches them first.
        NumaPolicy::Default | NumaPolicy::Local => Ok(()),
        _ => Err(only_linux("a NUMA policy", "leave numa_mem_policy= out")),
    }
}

/// The limit of open files of the process: none.
pub fn raise_open_files() -> u64 {
    u64::MAX
}

/// The limit of locked memory of the process: none that matters here, as nothing is locked.
pub fn raise_locked_memory() -> u64 {
    u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn usage_grows_with_work() {
        let before = thread_usage();
        let mut sum = 0u64;
        while thread_usage().since(&before).user_us + thread_usage().since(&before).system_us == 0 {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
    }

    #[test]
    fn what_linux_alone_has_is_refused_by_name() {
        set_numa_policy(&NumaPolicy::Default).expect("the default is always there");
        let text = set_numa_policy(&NumaPolicy::Prefer(0)).expect_err("refused").to_string();
        assert!(text.contains("on Linux only"), "{text}");
        assert!(nice_thread(1).expect_err("refused").to_string().contains("on Linux only"));
    }
}
