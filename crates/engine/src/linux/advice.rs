//! Advice on Linux's refusals of features that an engine needs.
//!
//! The kernel returns one of a few numbers, each of which belongs to a setting. The advice comes
//! from pure functions of the number and of `/proc`, so that each text can be tested without a
//! machine in that state.

use std::fmt::Write as _;

/// One number from a file under /proc/sys; `None` if it cannot be read.
pub(crate) fn sysctl(path: &str) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// Advice on `io_setup` failing with `errno`, with `depth` slots requested and `aio-nr` of
/// `aio-max-nr` in use.
pub(crate) fn io_setup_advice(
    errno: i32,
    depth: u32,
    used: Option<u64>,
    max: Option<u64>,
) -> String {
    let mut text = String::new();
    match errno {
        libc::EAGAIN => {
            if let (Some(used), Some(max)) = (used, max) {
                let _ = write!(text, "fs.aio-nr is {used} of fs.aio-max-nr {max}; ");
            }
            let wanted = (used.unwrap_or(0) + u64::from(depth)).max(65_536) * 2;
            let _ = write!(
                text,
                "run `sysctl fs.aio-max-nr={wanted}`, lower iodepth or numjobs, or use \
                 ioengine=io_uring"
            );
        }
        libc::ENOSYS => text.push_str("this kernel has no AIO; use ioengine=psync"),
        libc::EINVAL => {
            let _ = write!(text, "iodepth {depth} is more than the kernel takes; lower it");
        }
        libc::EPERM | libc::EACCES => {
            text.push_str("a seccomp filter forbids it; use ioengine=psync, or relax the filter");
        }
        _ => {}
    }
    text
}

/// Advice on a ring that could not be made: `disabled` is kernel.io_uring_disabled, `memlock` the
/// soft RLIMIT_MEMLOCK in bytes.
pub(crate) fn io_uring_advice(errno: i32, disabled: Option<u64>, memlock: u64) -> String {
    match (errno, disabled) {
        (libc::EPERM | libc::EACCES, Some(value @ 1..)) => format!(
            "kernel.io_uring_disabled is {value}; run `sysctl kernel.io_uring_disabled=0`{}, or \
             use ioengine=libaio",
            if value == 1 { " or run as root" } else { "" }
        ),
        (libc::EPERM | libc::EACCES, _) => {
            "a seccomp filter forbids it, as container runtimes do by default; allow \
             io_uring_setup, io_uring_enter and io_uring_register, or use ioengine=libaio"
                .into()
        }
        (libc::ENOSYS, _) => {
            "this kernel has no io_uring (it came with Linux 5.1); use ioengine=libaio".into()
        }
        (libc::ENOMEM, _) => format!(
            "RLIMIT_MEMLOCK is {memlock} bytes; raise it with `ulimit -l unlimited` or \
             LimitMEMLOCK=infinity, or lower iodepth or numjobs"
        ),
        (libc::EINVAL, _) => {
            "the depth or an option is more than this kernel takes; lower iodepth, or leave out \
             sqthread_poll and hipri"
                .into()
        }
        (libc::EMFILE | libc::ENFILE, _) => {
            "too many open files; raise `ulimit -n`, or lower numjobs".into()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aio_exhaustion_names_both_values_and_the_command() {
        let text = io_setup_advice(libc::EAGAIN, 32, Some(65_530), Some(65_536));
        assert!(text.contains("65530 of fs.aio-max-nr 65536"), "{text}");
        assert!(text.contains("sysctl fs.aio-max-nr=131124"), "{text}");
    }

    #[test]
    fn each_refusal_of_a_ring_has_its_own_way_out() {
        let text = io_uring_advice(libc::EPERM, Some(2), 0);
        assert!(text.contains("kernel.io_uring_disabled is 2"), "{text}");
        assert!(!text.contains("root"), "{text}");
        assert!(io_uring_advice(libc::EPERM, Some(1), 0).contains("root"));
        assert!(io_uring_advice(libc::EPERM, Some(0), 0).contains("seccomp"));
        assert!(io_uring_advice(libc::EPERM, None, 0).contains("seccomp"));
        assert!(io_uring_advice(libc::ENOMEM, None, 65_536).contains("65536 bytes"));
        assert!(io_uring_advice(libc::ENOSYS, None, 0).contains("5.1"));
        assert_eq!(io_uring_advice(libc::EIO, None, 0), "");
    }
}
