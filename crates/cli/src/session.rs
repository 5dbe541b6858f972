//! The context of a command that measures: the terminal, the machine, and the stop signals. `main`
//! creates the machine and passes it down; signals are handled before the first test file exists.

#[cfg(debug_assertions)]
#[path = "../tests/golden/machine.rs"]
mod scripted_machine;

use crate::cli_error::{CliError, CommonError};
use crate::history_writer;
use crate::host_probe::LocalProbe;
use crate::output::{CommandFailure, write_failure, write_unfinished};
use crate::stale_files::test_file_registry;
use crate::terminal::screen::{Screen, error_line, warn_line};
use crate::terminal::signals::{self, EndSignal, EndStyle};
use fathom_campaign::machine::MachineError;
use fathom_campaign::{LocalMachine, Machine, Provenance, ScratchFolders, TestFiles, Volume};
use fathom_host::{Host, System};
use fathom_run::{Control, Leftover};
use fathom_text::{Text, text};
use fathom_vocab::Target;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// The context of a command.
pub struct Session {
    /// Width and abilities of the terminal.
    pub screen: Screen,
    /// Facts about this host.
    pub host: Host,
    /// This host's system.
    pub system: System,
    /// Where jobs run: this machine, unless others took its place.
    pub machine: Box<dyn Machine>,
    /// Files to remove at the end.
    pub files: TestFiles,
    /// Stops its runs.
    pub control: Arc<Control>,
    /// The signal that ended it, once there was one.
    pub stopped: EndSignal,
    /// Whether signals are listened for.
    listens: bool,
    /// Test files that could not be removed.
    leftovers: Vec<Leftover>,
}

impl Session {
    /// On this host and this terminal, as they are now.
    pub fn new(host: Host) -> Session {
        let files = TestFiles::registered(test_file_registry());
        let control = Arc::new(Control::default());
        let machine = LocalMachine::new(host.clone(), control.clone(), &files, scratch_folders())
            .with_probe(Box::new(LocalProbe));
        let session = Session {
            screen: Screen::detect(),
            system: host.system(),
            stopped: EndSignal::default(),
            listens: false,
            leftovers: Vec::new(),
            host,
            machine: Box::new(machine),
            files,
            control,
        };
        #[cfg(debug_assertions)]
        let session = scripted_machine::in_place_of(session);
        session
    }

    /// Examines targets.
    ///
    /// # Errors
    /// If one of them cannot be a target.
    pub fn examine(&mut self, targets: &[Target]) -> Result<Vec<Volume>, MachineError> {
        targets.iter().map(|path| self.examine_one(path)).collect()
    }

    /// Examines one target.
    ///
    /// # Errors
    /// If it cannot be a target.
    pub fn examine_one(&mut self, target: &Target) -> Result<Volume, MachineError> {
        self.machine.examine(target)
    }

    /// From here on a signal ends the command in its results, and leaves no test file behind. Once
    /// is enough.
    ///
    /// # Errors
    /// If signals cannot be listened for.
    pub fn listen(&mut self) -> Result<(), CliError> {
        if !self.listens {
            self.stopped = signals::listen(&self.control, &self.files, EndStyle::Fathom)
                .map_err(CommonError::Signals)?;
            self.listens = true;
            // From here on it may be killed.
            write_unfinished(&std::env::args_os().collect::<Vec<OsString>>());
        }
        Ok(())
    }

    /// Where a document comes from that begins now.
    pub fn provenance(&self) -> Provenance {
        Provenance {
            host: self.system.clone(),
            started_ms: history_writer::now_ms(),
            command: history_writer::command_line(),
            clients: self.machine.client_records(),
        }
    }

    /// Removes the test files. It runs before anything is printed, so that a closed pipe leaves no
    /// file behind. [`Session::ended`] reports files that could not be removed.
    pub fn release(&mut self) {
        // A machine that cannot be reached removes its files by itself.
        self.leftovers.extend(self.machine.release().unwrap_or_default());
    }

    /// Adds files that jobs should have removed and could not.
    pub fn add_leftovers(&mut self, leftovers: Vec<Leftover>) {
        self.leftovers.extend(leftovers);
    }

    /// The result of a command, once its test files are removed: reports those that are not.
    ///
    /// # Errors
    /// Gives back those of `done`.
    pub fn ended(&mut self, done: Result<u8, impl Into<CliError>>) -> Result<u8, CliError> {
        self.release();
        let least = tell_leftovers(&self.leftovers);
        done.map(|code| code.max(least)).map_err(Into::into)
    }
}

/// Folders for scratch files; /var/tmp usually is not in memory.
pub fn scratch_folders() -> ScratchFolders {
    let folders = vec![std::env::temp_dir(), PathBuf::from("/var/tmp")];
    ScratchFolders { folders, entropy: fathom_vocab::entropy() }
}

/// Reports files that should be removed and are not. Returns the least exit code: a command that
/// leaves a file behind has not done its whole task.
pub fn tell_leftovers(leftovers: &[Leftover]) -> u8 {
    for leftover in leftovers {
        warn_line(format_args!("fathom: {}", leftover.sentence));
    }
    u8::from(!leftovers.is_empty())
}

/// The exit code of a command; prints the error of a failed one. Outputs that a failed one did not
/// write have its error.
pub fn ended(done: Result<u8, impl Into<CliError>>) -> ExitCode {
    let words = || std::env::args_os().collect::<Vec<OsString>>();
    match done.map_err(Into::into) {
        Ok(code) => {
            if let Some(signal) = signals::name_of_exit(code) {
                let why = text!("stopped by {signal} before it had a result");
                write_failure(&words(), &CommandFailure { why, place: None, code });
            }
            ExitCode::from(code)
        }
        Err(why) => {
            error_line(format_args!("fathom: {why}"));
            let (place, code) = (why.place(), why.code());
            write_failure(&words(), &CommandFailure { why: Text::of(&why), place, code });
            ExitCode::from(code)
        }
    }
}
