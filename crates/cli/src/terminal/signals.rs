//! Signals become wishes, the same for every command that measures: a signal that would end the
//! process ends the run in its results; a second one ends it at once.
//!
//! Decided here:
//!
//! - A signal that was ignored when the process started stays ignored (`nohup`, `&` in a script).
//! - At once still means without leaving test files behind: they are removed here, on the listening
//!   thread, even while an I/O hangs on the volume. A third signal does not wait for that either.
//! - SIGXFSZ does nothing, so that a write beyond `ulimit -f` fails with an error that is told.
//!   SIGXCPU comes again each second beyond `ulimit -t`: only the first counts.
//! - SIGPIPE stays ignored: a reader that went away ends no measurement.
//! - SIGCONT tells the run that it was stopped.

use crate::terminal::screen::warn;
use fathom_campaign::TestFiles;
use fathom_run::Control;
use rustix::process::Signal;
use signal_hook::consts::{
    SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGXCPU, SIGXFSZ,
};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

/// Signals that end a process by default, and that come from outside and not from a fault.
const ENDING: [i32; 12] = [
    SIGHUP,
    SIGINT,
    SIGQUIT,
    SIGTERM,
    SIGUSR2,
    SIGALRM,
    SIGVTALRM,
    SIGPROF,
    SIGXCPU,
    SIGIO,
    Signal::POWER.as_raw(),
    Signal::STKFLT.as_raw(),
];

/// How a process ends on its second signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndStyle {
    /// By the signal, as without a handler.
    Fathom,
    /// With fio's exit code.
    Fio,
}

/// The signal that ended the run, once there was one.
#[derive(Clone, Debug, Default)]
pub struct EndSignal(Arc<AtomicI32>);

impl EndSignal {
    /// Its number, if any.
    pub fn number(&self) -> Option<i32> {
        match self.0.load(SeqCst) {
            0 => None,
            signal => Some(signal),
        }
    }

    /// The exit code that says so: 128 + the signal's number, as a shell has it.
    pub fn exit_code(&self) -> Option<u8> {
        self.number().map(exit_code)
    }
}

fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(130)
}

/// Those of `signals` that the process may take over: the others are to be ignored.
pub fn not_ignored(signals: &[i32]) -> Vec<i32> {
    signals.iter().copied().filter(|signal| !fathom_engine::ignores_signal(*signal)).collect()
}

/// Listens until the program ends; `files` are those that must not outlive it.
///
/// # Errors
/// Where handlers or their thread cannot be had; a signal would then leave test files behind.
pub fn listen(control: &Arc<Control>, files: &TestFiles, style: EndStyle) -> io::Result<EndSignal> {
    let ending = not_ignored(&ENDING);
    // Armed by the second signal, so that the third meets the default: the end.
    let last_resort = Arc::new(AtomicBool::new(false));
    for signal in ending.iter().copied().filter(|s| low_level::signal_name(*s).is_some()) {
        flag::register_conditional_default(signal, last_resort.clone())?;
    }
    for signal in not_ignored(&[SIGXFSZ]) {
        flag::register(signal, Arc::default())?;
    }
    let mut signals = Signals::new(ending)?;
    for signal in not_ignored(&[SIGUSR1, SIGCONT]) {
        signals.add_signal(signal)?;
    }
    let ended = EndSignal::default();
    let listener = Listener {
        control: control.clone(),
        files: files.clone(),
        ended: ended.clone(),
        last_resort,
        style,
    };
    let listen = move || signals.forever().for_each(|signal| listener.take(signal));
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    Ok(ended)
}

struct Listener {
    control: Arc<Control>,
    files: TestFiles,
    ended: EndSignal,
    last_resort: Arc<AtomicBool>,
    style: EndStyle,
}

impl Listener {
    fn take(&self, signal: i32) {
        match (signal, self.ended.number()) {
            (SIGUSR1, _) => self.control.request_status(),
            (SIGCONT, _) => self.control.note_continue(),
            (SIGXCPU, Some(SIGXCPU)) => {}
            (_, None) => {
                self.ended.0.store(signal, SeqCst);
                if signal == SIGXCPU {
                    let name = if self.style == EndStyle::Fio { "fio" } else { "fathom" };
                    warn(&format!("\n{name}: the CPU time limit (ulimit -t) ends this run\n"));
                }
                self.control.stop();
            }
            (_, Some(_)) => self.end_now(signal),
        }
    }

    fn end_now(&self, signal: i32) {
        self.last_resort.store(true, SeqCst);
        for path in self.files.remove_all() {
            warn(&format!("\nfathom: {} is left behind; remove it\n", path.display()));
        }
        if self.style == EndStyle::Fio {
            std::process::exit(i32::from(fathom_output::SIGNALLED));
        }
        // Ends the process as the signal would have without us, where its default is known.
        let _ = low_level::emulate_default_handler(signal);
        std::process::exit(i32::from(exit_code(signal)));
    }
}
