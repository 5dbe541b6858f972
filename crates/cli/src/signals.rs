//! Signals become wishes: ^C and SIGTERM ask a run to end, SIGUSR1 asks for a report.
//!
//! The second ^C does not wait for I/O in flight: whoever asks twice means it. Files of our own
//! that are there just then are removed first.

use fathom_campaign::TestFiles;
use fathom_run::Control;
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// The signal that ended the run, once there was one.
#[derive(Clone, Debug, Default)]
pub struct Ended(Arc<AtomicI32>);

impl Ended {
    /// Its number, if any.
    pub fn by(&self) -> Option<i32> {
        match self.0.load(Relaxed) {
            0 => None,
            signal => Some(signal),
        }
    }
}

/// Listens until the program ends; `files` are those that must not outlive it.
pub fn listen(control: &Arc<Control>, files: &TestFiles) -> Ended {
    let ended = Ended::default();
    let (told, control, files) = (ended.clone(), control.clone(), files.clone());
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGUSR1]) else {
        // Without handlers a signal ends the process, as it does by default.
        return ended;
    };
    let listen = move || {
        for signal in signals.forever() {
            if signal == SIGUSR1 {
                control.request_status();
            } else if told.0.swap(signal, Relaxed) == 0 {
                control.stop();
            } else {
                files.remove_all();
                std::process::exit(i32::from(fathom_output::SIGNALLED));
            }
        }
    };
    // Where no thread can be had, the first signal ends the process: still no lost files.
    let _ = std::thread::Builder::new().name("signals".into()).spawn(listen);
    ended
}
