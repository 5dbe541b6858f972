//! State inherited from the parent process that the standard library hides: a closed standard
//! output (it is opened as `/dev/null` before `main`), and ignored signals, as with `nohup` and `&`
//! in a script.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Runs before `main` and before the standard library checks descriptors.
extern "C" fn look_at_stdout() {
    // SAFETY: F_GETFD takes no argument and changes nothing; on a closed descriptor it fails.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    STDOUT_CLOSED.store(flags == -1, Relaxed);
}

// The C library calls every function of this section with arguments that this one does not read.
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK_AT_STDOUT: extern "C" fn() = look_at_stdout;

/// Whether standard output was closed when the process started (`>&-`).
pub fn stdout_was_closed() -> bool {
    STDOUT_CLOSED.load(Relaxed)
}

/// Whether `signal` is ignored now. Before handlers are installed that is the inherited state.
pub fn ignores_signal(signal: i32) -> bool {
    // SAFETY: with no new action the call only fills the old one, for which a blank one is valid.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let asked = libc::sigaction(signal, std::ptr::null(), &mut action);
        asked == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_library_ignores_a_broken_pipe_and_nothing_else_here() {
        assert!(ignores_signal(libc::SIGPIPE));
        assert!(!ignores_signal(libc::SIGTERM));
        assert!(!ignores_signal(-1));
        assert!(!stdout_was_closed());
    }
}
