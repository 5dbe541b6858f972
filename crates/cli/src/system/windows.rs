//! The console's events and the folders of Windows.
//!
//! ^C, ^Break and closing the console are one signal here, with SIGINT's number, so that exit codes
//! are the same on every system.

use super::{SignalKind, UserFolder};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use winsafe::{HKEY, RegistryValue, co};

const INTERRUPT: i32 = 2;

/// Signals that end a server.
pub const STOPPING: &[i32] = &[INTERRUPT];

/// Signals that end a watching command.
pub const WAKING: &[i32] = &[INTERRUPT];

/// Where data of a user is.
pub const DATA_FOLDER: UserFolder =
    UserFolder { variable: "LOCALAPPDATA", home: "USERPROFILE", usual: r"AppData\Local" };

/// Where state of a user is: Windows does not divide the two.
pub const STATE_FOLDER: UserFolder = DATA_FOLDER;

/// The user's locale as a value of `LANG`. A console receives text as UTF-16 for any code page, a
/// file or pipe as UTF-8.
pub fn locale() -> Option<String> {
    let key = r"Control Panel\International";
    let value = HKEY::CURRENT_USER.RegGetValue(Some(key), Some("LocaleName"), co::RRF::RT_ANY);
    let name = match value {
        Ok(RegistryValue::Sz(name)) => name.replace('-', "_"),
        _ => "en_US".to_owned(),
    };
    Some(format!("{name}.UTF-8"))
}

/// Whether the console accepts escapes, after they were enabled.
pub fn takes_escapes() -> bool {
    anstyle_query::windows::enable_ansi_colors().unwrap_or(false)
}

/// The name of a signal.
pub fn signal_name(signal: i32) -> Option<&'static str> {
    (signal == INTERRUPT).then_some("^C")
}

/// The meaning of a signal.
pub fn kind_of(_signal: i32) -> SignalKind {
    SignalKind::End
}

/// Passes ^C to `take`, on a separate thread. Once `last_resort` is raised, it ends the process at
/// once.
///
/// # Errors
/// If the console's handler or its thread cannot be had.
pub fn listen(
    last_resort: &Arc<AtomicBool>,
    _always: &[i32],
    take: impl Fn(i32) + Send + 'static,
) -> io::Result<()> {
    let last_resort = last_resort.clone();
    listen_to(STOPPING, move |signal| match last_resort.load(SeqCst) {
        true => end_as_by(signal),
        false => take(signal),
    })
}

/// Passes `signals` to `take`, on a separate thread.
///
/// # Errors
/// If the console's handler or its thread cannot be had.
pub fn listen_to(_signals: &[i32], mut take: impl FnMut(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || take(INTERRUPT)).map_err(io::Error::other)
}

/// Ends the process with the code that a shell of Unix gives to that signal.
pub fn end_as_by(signal: i32) {
    std::process::exit(128 + signal);
}
