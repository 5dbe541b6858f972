//! A kernel that refuses: each refusal becomes a note or an error with a way out.
//!
//! A thread can forbid itself system calls by a seccomp filter, which is how a container does
//! it, and gives a real refusal without touching the machine's settings. The limit of locked
//! memory belongs to a process, so that its test runs the test binary again.

use crate::linux::open_rw;
use crate::parts::{With, disk_folder, request, results};
use fathom_engine::{EngineConfig, EngineError, with_engine};
use fathom_skip::skip;
use fathom_vocab::{EngineOptions, IoEngine, Op};
use std::fs::File;
use std::io;

/// Makes the calling thread's system calls of this number fail with `errno`.
fn forbid(call: i64, errno: i32) -> io::Result<()> {
    let code = |code: u32| code as u16;
    let statement = |op: u16, k: u32| libc::sock_filter { code: op, jt: 0, jf: 0, k };
    let load = code(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS);
    let equal = code(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K);
    let give = code(libc::BPF_RET | libc::BPF_K);
    let mut program = [
        statement(load, 0),
        libc::sock_filter { code: equal, jt: 0, jf: 1, k: call as u32 },
        statement(give, libc::SECCOMP_RET_ERRNO | errno as u32),
        statement(give, libc::SECCOMP_RET_ALLOW),
    ];
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the filter is a complete program, which the kernel copies.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
            || libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &filter) != 0
        {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Runs `body` in a thread whose calls of this number fail; skips where that cannot be done.
fn refused(call: i64, errno: i32, body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::spawn(move || match forbid(call, errno) {
        Ok(()) => body(),
        Err(error) => skip(&format!("no seccomp: {error}")),
    });
    thread.join().expect("the thread's assertions hold");
}

fn build(config: EngineConfig) -> Result<Vec<String>, EngineError> {
    with_engine(config, With(|_: &mut dyn crate::parts::Drive, notes| notes))
}

fn config(engine: IoEngine, depth: u32) -> EngineConfig {
    let file = File::open("/dev/zero").expect("opens");
    EngineConfig::new(engine, depth, 4096, vec![file])
}

#[test]
fn more_aio_slots_than_the_system_has_names_the_setting() {
    let max = std::fs::read_to_string("/proc/sys/fs/aio-max-nr").expect("a setting");
    let max: u32 = max.trim().parse().expect("a number");
    if max > 1 << 20 {
        return skip("fs.aio-max-nr is too large to be exhausted cheaply");
    }
    let error =
        build(EngineConfig { block_max: 1, mem_align: 1, ..config(IoEngine::Libaio, max + 1) })
            .expect_err("refused");
    assert_eq!(error.number(), libc::EAGAIN);
    let text = error.to_string();
    assert!(text.contains(&format!("fs.aio-max-nr {max}")), "{text}");
    assert!(text.contains("sysctl fs.aio-max-nr="), "{text}");
}

#[test]
fn a_container_without_aio_or_io_uring_is_told_so() {
    refused(libc::SYS_io_setup, libc::ENOSYS, || {
        let error = build(config(IoEngine::Libaio, 4)).expect_err("refused");
        assert!(error.to_string().contains("no AIO"), "{error}");
    });
    refused(libc::SYS_io_uring_setup, libc::ENOSYS, || {
        let error = build(config(IoEngine::IoUring, 4)).expect_err("refused");
        assert!(error.to_string().contains("no io_uring"), "{error}");
    });
    refused(libc::SYS_io_uring_setup, libc::EPERM, || {
        let error = build(config(IoEngine::IoUring, 4)).expect_err("refused");
        let text = error.to_string();
        assert!(text.contains("seccomp") || text.contains("io_uring_disabled"), "{text}");
    });
}

#[test]
fn a_ring_without_registration_works_and_says_so() {
    refused(libc::SYS_io_uring_register, libc::EPERM, || {
        let notes = build(config(IoEngine::IoUring, 4)).expect("builds without");
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("registering files"), "{notes:?}");
        assert!(notes[1].contains("registering buffers"), "{notes:?}");
        let folder = disk_folder();
        let file = open_rw(&folder.path().join("data"));
        let requests = [request(Op::Write, 0, 4096), request(Op::Fsync, 0, 0)];
        let config = EngineConfig::new(IoEngine::IoUring, 1, 4096, vec![file]);
        assert_eq!(results(config, &requests, 1), [4096, 0]);
        let options = EngineOptions { fixedbufs: true, ..EngineOptions::default() };
        let asked = EngineConfig { options, ..self::config(IoEngine::IoUring, 4) };
        let error = build(asked).expect_err("asked for by name");
        assert!(error.what.contains("registering buffers"), "{error}");
    });
}

#[test]
fn a_low_limit_of_locked_memory_costs_the_registered_buffers() {
    if !rustix::process::geteuid().is_root() {
        // The kernel counts it for the user, and the tests beside this one lock memory, too.
        return fathom_skip::skip("only root locks memory that no other test counts against");
    }
    let this = std::env::current_exe().expect("this binary");
    let inside = "refusals::inside_a_low_limit_of_locked_memory";
    let output = std::process::Command::new(this)
        .args(["--exact", inside, "--ignored", "--nocapture"])
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// Run by the test above, in a process of its own.
#[test]
#[ignore = "lowers a limit of the whole process"]
fn inside_a_low_limit_of_locked_memory() {
    let limit = libc::rlimit { rlim_cur: 65_536, rlim_max: 65_536 };
    // SAFETY: the kernel copies the limit.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_MEMLOCK, &limit) }, 0);
    // root is above the limit, unless it gives the capability up.
    rustix::thread::set_capabilities(
        None,
        rustix::thread::CapabilitySets {
            effective: rustix::thread::CapabilitySet::empty(),
            permitted: rustix::thread::CapabilitySet::empty(),
            inheritable: rustix::thread::CapabilitySet::empty(),
        },
    )
    .expect("giving up is always allowed");
    let notes = build(config(IoEngine::IoUring, 64)).expect("builds without");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("registering buffers"), "{notes:?}");
    assert!(notes[0].contains("RLIMIT_MEMLOCK is 65536"), "{notes:?}");
    assert!(build(config(IoEngine::IoUring, 4)).expect("builds").is_empty());
}

#[test]
fn what_cannot_be_mapped_is_refused_when_the_engine_is_built() {
    let (reader, _writer) = io::pipe().expect("a pipe");
    let file = File::from(std::os::fd::OwnedFd::from(reader));
    let error = build(EngineConfig::new(IoEngine::Mmap, 1, 4096, vec![file])).expect_err("a pipe");
    assert!(error.to_string().contains("mapping file 0"), "{error}");
}
