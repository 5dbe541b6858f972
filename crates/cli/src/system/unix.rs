//! Signals, terminals and folders of Unix.

use super::{SignalKind, UserFolder};
use rustix::process::Signal;
use signal_hook::consts::{
    SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGXCPU, SIGXFSZ,
};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Signals that end a process by default and come from outside, not from a fault.
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

/// Signals that end a server.
pub const STOPPING: &[i32] = &[SIGINT, SIGTERM];

/// Signals that end a watching command.
pub const WAKING: &[i32] = &[SIGINT, SIGTERM, SIGHUP, SIGQUIT];

/// Where data of a user is (XDG base directory specification 0.8).
pub const DATA_FOLDER: UserFolder =
    UserFolder { variable: "XDG_DATA_HOME", home: "HOME", usual: ".local/share" };

/// Where state of a user is, by the same.
pub const STATE_FOLDER: UserFolder =
    UserFolder { variable: "XDG_STATE_HOME", home: "HOME", usual: ".local/state" };

/// The environment is the only source of the locale.
pub fn locale() -> Option<String> {
    None
}

/// Whether a terminal supports escapes for cursor and colours; `TERM` names those that do not.
pub fn takes_escapes() -> bool {
    true
}

/// The name of a signal, as `SIGTERM`.
pub fn signal_name(signal: i32) -> Option<&'static str> {
    low_level::signal_name(signal)
}

/// The meaning of a signal.
pub fn kind_of(signal: i32) -> SignalKind {
    match signal {
        SIGUSR1 => SignalKind::Status,
        SIGCONT => SignalKind::Continue,
        SIGXCPU => SignalKind::CpuTime,
        _ => SignalKind::End,
    }
}

/// Those of `signals` that the process may take over: the others are to be ignored.
fn not_ignored(signals: &[i32]) -> Vec<i32> {
    signals.iter().copied().filter(|signal| !fathom_engine::ignores_signal(*signal)).collect()
}

/// Passes the signals that concern a measurement to `take`, on a separate thread. A signal that the
/// process was started to ignore stays ignored, unless it is one of `always`. Once `last_resort` is
/// raised, a terminating signal ends the process at once.
///
/// # Errors
/// If handlers or their thread cannot be had.
pub fn listen(
    last_resort: &Arc<AtomicBool>,
    always: &[i32],
    take: impl Fn(i32) + Send + 'static,
) -> io::Result<()> {
    let mut ending = not_ignored(&ENDING);
    ending.extend(always.iter().filter(|signal| fathom_engine::ignores_signal(**signal)));
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
    on_thread(move || signals.forever().for_each(take))
}

/// Passes `signals` to `take`, on a separate thread.
///
/// # Errors
/// If handlers or their thread cannot be had.
pub fn listen_to(signals: &[i32], take: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new(not_ignored(signals))?;
    on_thread(move || signals.forever().for_each(take))
}

fn on_thread(listen: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

/// Ends the process as the signal would have without us, where its default is known.
pub fn end_as_by(signal: i32) {
    let _ = low_level::emulate_default_handler(signal);
}
