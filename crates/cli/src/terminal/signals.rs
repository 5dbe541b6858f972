//! Signal handling, the same for every command that measures: a terminating signal ends the run and
//! prints its results; a second one ends the process at once.
//!
//! Decided here:
//!
//! - The same signal within [`REPEAT`] of the first is the first: GNU's `timeout` signals its
//!   child and then the child's process group. It must not cost the results.
//! - A signal that was ignored when the process started stays ignored (`nohup`, `&` in a script).
//!   The drop-in takes SIGINT and SIGTERM all the same, as fio does: scripts start it with `&` and
//!   end it with SIGINT.
//! - Ending at once still removes test files: the signal thread does it, even while an I/O hangs on
//!   the volume. A third signal does not wait for that either.
//! - SIGXFSZ does nothing, so that a write beyond `ulimit -f` fails with an error that is reported.
//!   SIGXCPU repeats each second beyond `ulimit -t`: only the first counts.
//! - SIGPIPE stays ignored: a closed reader ends no measurement.
//! - SIGCONT tells the run that it was stopped.

use crate::system::{self, SignalKind};
use crate::terminal::screen::warn;
use fathom_campaign::TestFiles;
use fathom_run::Control;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How far apart two deliveries of one signal lie at most; a person who presses ^C again is slower.
const REPEAT: Duration = Duration::from_millis(300);

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

    /// Its name, as `SIGTERM`, if there was one.
    pub fn name(&self) -> Option<&'static str> {
        self.number().and_then(system::signal_name)
    }

    /// The exit code for the signal: 128 + its number, as in a shell.
    pub fn exit_code(&self) -> Option<u8> {
        self.number().map(exit_code)
    }
}

fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(130)
}

/// The name of the signal that an exit code stands for.
pub fn name_of_exit(code: u8) -> Option<&'static str> {
    code.checked_sub(128).and_then(|signal| system::signal_name(signal.into()))
}

/// Listens until the program ends; `files` are those that must not outlive it.
///
/// # Errors
/// If handlers or their thread cannot be had; a signal would then leave test files behind.
pub fn listen(control: &Arc<Control>, files: &TestFiles, style: EndStyle) -> io::Result<EndSignal> {
    // Armed by the second signal, so that the third meets the default: the end.
    let last_resort = Arc::new(AtomicBool::new(false));
    let ended = EndSignal::default();
    let listener = Listener {
        control: control.clone(),
        files: files.clone(),
        ended: ended.clone(),
        first: Mutex::new(None),
        last_resort: last_resort.clone(),
        style,
    };
    let always = if style == EndStyle::Fio { system::STOPPING } else { &[] };
    system::listen(&last_resort, always, move |signal| listener.take(signal, Instant::now()))?;
    Ok(ended)
}

struct Listener {
    control: Arc<Control>,
    files: TestFiles,
    ended: EndSignal,
    /// When the first signal came.
    first: Mutex<Option<Instant>>,
    last_resort: Arc<AtomicBool>,
    style: EndStyle,
}

impl Listener {
    fn take(&self, signal: i32, now: Instant) {
        let kind = system::kind_of(signal);
        match (kind, self.ended.number()) {
            (SignalKind::Status, _) => self.control.request_status(),
            (SignalKind::Continue, _) => self.control.note_continue(),
            (SignalKind::CpuTime, Some(before)) if before == signal => {}
            (_, None) => {
                self.ended.0.store(signal, SeqCst);
                *self.first.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
                if kind == SignalKind::CpuTime {
                    let name = if self.style == EndStyle::Fio { "fio" } else { "fathom" };
                    warn(&localized!("\n{name}: the CPU time limit (ulimit -t) ends this run\n"));
                }
                self.control.stop();
            }
            (_, Some(before)) if before == signal && self.is_repeat(now) => {}
            (_, Some(_)) => self.end_now(signal),
        }
    }

    /// Whether a signal at that time may be another delivery of the first.
    fn is_repeat(&self, now: Instant) -> bool {
        let first = *self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.is_some_and(|first| now.duration_since(first) < REPEAT)
    }

    fn end_now(&self, signal: i32) {
        self.last_resort.store(true, SeqCst);
        for path in self.files.remove_all() {
            warn(&localized!("\nfathom: {} is left behind; remove it\n", path.display()));
        }
        if self.style == EndStyle::Fio {
            std::process::exit(i32::from(fathom_output::SIGNALLED));
        }
        system::end_as_by(signal);
        std::process::exit(i32::from(exit_code(signal)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_signal_delivered_twice_is_one_and_a_later_one_is_the_second() {
        let listener = Listener {
            control: Arc::new(Control::default()),
            files: TestFiles::default(),
            ended: EndSignal::default(),
            first: Mutex::new(None),
            last_resort: Arc::new(AtomicBool::new(false)),
            style: EndStyle::Fathom,
        };
        let began = Instant::now();
        let (term, late) = (15, began + REPEAT);
        listener.take(term, began);
        // A second signal would end this process.
        listener.take(term, began + REPEAT / 10);
        assert_eq!(listener.ended.number(), Some(term));
        assert!(listener.is_repeat(late - Duration::from_nanos(1)) && !listener.is_repeat(late));
    }
}
