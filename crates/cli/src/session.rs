//! What a command that measures opens with: what is known of the machine, and, once it goes ahead,
//! what its runs need and what ends them. That order is kept here: a signal is listened for before
//! the first test file is there.

use crate::ceiling;
use crate::cli_error::CliError;
use crate::home;
use crate::terminal::screen::{Screen, warn_line};
use crate::terminal::signals::{self, EndSignal, EndStyle};
use fathom_campaign::{LocalExecutor, Registry, TestFiles};
use fathom_host::{Host, System};
use fathom_run::{Control, Leftover};
use fathom_vocab::IoEngine;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// What is known of the machine, and what shows it.
pub struct Session {
    /// How wide the terminal is, and what it can show.
    pub screen: Screen,
    /// Whom to ask about it.
    pub host: Host,
    /// What it says of itself.
    pub system: System,
}

impl Session {
    /// This machine and this terminal, as they are now.
    pub fn look() -> Session {
        let host = Host::real();
        Session { screen: Screen::detect(), system: host.system(), host }
    }
}

/// What runs need, and what has ended them.
pub struct RunContext {
    /// The files that are to be gone in the end.
    pub files: TestFiles,
    /// Where runs run.
    pub executor: LocalExecutor,
    /// The signal that ended them, once there was one.
    pub stopped: EndSignal,
}

impl RunContext {
    /// From here on a signal ends the command in its results, and leaves no test file behind.
    ///
    /// # Errors
    /// Where signals cannot be listened for.
    pub fn set() -> Result<RunContext, String> {
        let files = TestFiles::registered(test_file_registry());
        let control = Arc::new(Control::default());
        let stopped = signals::listen(&control, &files, EndStyle::Fathom)
            .map_err(|error| format!("cannot listen for signals: {error}"))?;
        let executor = LocalExecutor::new(control).with_files(&files);
        Ok(RunContext { files, executor, stopped })
    }

    /// What a command that could not begin comes to: the signal's exit code if it was stopped.
    ///
    /// # Errors
    /// Gives `why` back if it was not.
    pub fn not_begun(&self, why: String) -> Result<u8, String> {
        self.stopped.exit_code().ok_or(why)
    }

    /// What a command came to, once its test files are gone: says which of them are not.
    ///
    /// # Errors
    /// Gives back those of `done`.
    pub fn ended(&self, done: Result<u8, impl Into<CliError>>) -> Result<u8, CliError> {
        let leftovers = self.files.take_leftovers();
        let least = tell_leftovers(&leftovers, 0);
        done.map(|code| code.max(least)).map_err(Into::into)
    }

    /// Finds out what one core can drive by each of `engines`, before the first run.
    pub fn find_ceilings(&mut self, engines: &[(IoEngine, u32)], targets: &[PathBuf]) {
        ceiling::measure(&mut self.executor, engines, &self.files, targets);
    }
}

/// Where is written which test files are there, so that `fathom clean` can remove those of a
/// process that was killed. None where there is no home.
pub fn test_file_registry() -> Option<Registry> {
    home::folder(home::FolderKind::State)
        .map(|folder| Registry::in_folder(folder.join("test-files")))
}

/// Says which files should be gone and are not. A command that leaves one behind has not done all
/// that it was asked, so that its exit code is 1 if it would have been 0.
pub fn tell_leftovers(leftovers: &[Leftover], code: u8) -> u8 {
    for leftover in leftovers {
        warn_line(&format!("fathom: {}", leftover.sentence));
    }
    if leftovers.is_empty() { code } else { code.max(1) }
}

/// The exit code of a command; one that failed says why.
pub fn ended(done: Result<u8, impl Into<CliError>>) -> ExitCode {
    match done.map_err(Into::into) {
        Ok(code) => ExitCode::from(code),
        Err(why) => {
            warn_line(&format!("fathom: {why}"));
            ExitCode::from(why.code())
        }
    }
}
