//! Limits of the process that come as signals (`ulimit -f`, `ulimit -t`).
//!
//! By default both end the process without a word and without results. A file that would grow
//! too large is left to its write, which fails with EFBIG and is told as any I/O error. CPU time
//! that is used up ends the run as ^C does, with the results so far; the kernel repeats the
//! signal each second and kills the process at the hard limit.

use fathom_run::Control;
use signal_hook::consts::{SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the CPU time was used up.
#[derive(Clone, Debug, Default)]
pub struct CpuTime(Arc<AtomicBool>);

impl CpuTime {
    /// Watches until the program ends.
    pub fn watch(control: &Arc<Control>) -> CpuTime {
        let (used, control) = (CpuTime::default(), control.clone());
        let told = used.clone();
        let Ok(mut signals) = Signals::new([SIGXCPU, SIGXFSZ]) else { return used };
        let listen = move || {
            // Of SIGXFSZ it is enough that it does not end the process.
            for _ in signals.forever().filter(|signal| *signal == SIGXCPU) {
                told.0.store(true, Relaxed);
                control.stop();
            }
        };
        // Where no thread can be had, the handlers still keep the signals from ending the process.
        let _ = std::thread::Builder::new().name("limits".into()).spawn(listen);
        used
    }

    /// Whether it was.
    pub fn is_used_up(&self) -> bool {
        self.0.load(Relaxed)
    }
}
