//! ^C and SIGTERM wake the watching from its sleep, so that it ends in a summary; a second one
//! ends it at once, as when the reader of its output hangs.

use crate::terminal::signals::not_ignored;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// The numbers of signals, as they come.
///
/// # Errors
/// Where handlers or their thread cannot be had.
pub fn listen() -> io::Result<Receiver<i32>> {
    let mut signals = Signals::new(not_ignored(&[SIGINT, SIGTERM, SIGHUP, SIGQUIT]))?;
    let (sender, receiver) = channel();
    let listen = move || {
        let mut asked = false;
        for signal in signals.forever() {
            if asked {
                // Ends the process as the signal would have without us.
                let _ = low_level::emulate_default_handler(signal);
            }
            asked = true;
            if sender.send(signal).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    Ok(receiver)
}
