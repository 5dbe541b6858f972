//! ^C and SIGTERM end a measurement in its results; a second one ends it at once.
//!
//! At once still means without leaving test files behind: they are removed here, on the listening
//! thread, even while an I/O hangs on the volume. A third signal does not wait for that either.

use crate::measure::screen::{warn, warn_line};
use fathom_campaign::TestFiles;
use fathom_run::Control;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

const STOPPING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// The signal that ended the measurement, once there was one.
#[derive(Clone, Debug, Default)]
pub struct Stopped(Arc<AtomicI32>);

impl Stopped {
    /// The exit code that says so: 128 + the signal's number, as a shell has it.
    pub fn exit_code(&self) -> Option<u8> {
        match self.0.load(SeqCst) {
            0 => None,
            signal => Some(u8::try_from(128 + signal).unwrap_or(130)),
        }
    }
}

/// Listens until the program ends.
///
/// # Errors
/// Where handlers or their thread cannot be had; a signal would then leave test files behind.
pub fn listen(control: &Arc<Control>, files: &TestFiles) -> io::Result<Stopped> {
    let stopped = Stopped::default();
    // Armed by the second signal, so that the third meets the default: the end.
    let last_resort = Arc::new(AtomicBool::new(false));
    for signal in STOPPING {
        flag::register_conditional_default(signal, last_resort.clone())?;
    }
    let mut signals = Signals::new(STOPPING)?;
    let (told, control, files) = (stopped.clone(), control.clone(), files.clone());
    let listen = move || {
        for signal in signals.forever() {
            if told.0.swap(signal, SeqCst) == 0 {
                control.stop();
                continue;
            }
            last_resort.store(true, SeqCst);
            for path in files.remove_all() {
                warn("\n");
                warn_line(&format!("fathom: {} is left behind; remove it", path.display()));
            }
            // Ends the process as the signal would have without us.
            let _ = low_level::emulate_default_handler(signal);
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    Ok(stopped)
}
