//! ^C and SIGTERM wake the watching from its sleep, so that it ends in a summary; a second one
//! ends it at once, as when the reader of its output hangs.

use crate::system;
use std::io;
use std::sync::mpsc::{Receiver, channel};

/// The numbers of signals, as they come.
///
/// # Errors
/// Where handlers or their thread cannot be had.
pub fn listen() -> io::Result<Receiver<i32>> {
    let (sender, receiver) = channel();
    let mut asked = false;
    system::listen_to(system::WAKING, move |signal| {
        // Nobody listens any more, or nobody could be woken.
        if asked || sender.send(signal).is_err() {
            system::end_as_by(signal);
        }
        asked = true;
    })?;
    Ok(receiver)
}
