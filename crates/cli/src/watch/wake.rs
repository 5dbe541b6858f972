//! ^C and SIGTERM interrupt the sleep, so that the watch ends with a summary; a second one ends it
//! at once, for example if the reader of its output hangs.

use crate::system;
use std::io;
use std::sync::mpsc::{Receiver, channel};

/// The numbers of signals, as they arrive.
///
/// # Errors
/// If handlers or their thread cannot be had.
pub fn listen() -> io::Result<Receiver<i32>> {
    let (sender, receiver) = channel();
    let mut asked = false;
    system::listen_to(system::WAKING, move |signal| {
        // The receiver is gone, or could not be woken.
        if asked || sender.send(signal).is_err() {
            system::end_as_by(signal);
        }
        asked = true;
    })?;
    Ok(receiver)
}
