//! The drop-in: runs fio's command line and prints fio's output.
//!
//! Programs rely on its rules: nothing on stderr after success, one clean JSON document when JSON
//! was requested, exit codes that count failed jobs.

mod clients;
mod complaint;
mod error;
mod idleness;
mod notices;
mod session;
mod sink;

use crate::terminal::stdout;
use complaint::complain;
use fathom_host::Host;
use fathom_job::{self as job, Action, DiskWorld, Invocation, JobError, parse_command_line};
use fathom_vocab::printable;
use session::DropInSession;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the drop-in with fio's arguments, the program's name not among them.
pub fn main(args: &[OsString], host: &Host) -> ExitCode {
    let mut words = Vec::with_capacity(args.len());
    for arg in args {
        let Some(word) = arg.to_str() else {
            complain(&format!("fio: the argument {arg:?} is not UTF-8; rename what it names"));
            return ExitCode::FAILURE;
        };
        words.push(word.to_owned());
    }
    let system = host.system();
    let environment = |name: &str| std::env::var(name).ok();
    let memory_mib = system.memory_bytes.unwrap_or(0) >> 20;
    let cpus = u32::try_from(host.online_cpus().len()).unwrap_or(u32::MAX);
    let world = DiskWorld::new(environment, memory_mib, cpus);
    match parse_command_line(&words, &world) {
        Ok(invocation) => act(invocation, host),
        Err(error) => fail(&error),
    }
}

fn fail(error: &JobError) -> ExitCode {
    complain(&error.to_string());
    ExitCode::FAILURE
}

/// Prints to stdout; a failed write decides the exit code at the end of `main`.
fn say(text: &str) -> ExitCode {
    stdout::say(&printable::lines(text));
    ExitCode::SUCCESS
}

fn act(invocation: Invocation, host: &Host) -> ExitCode {
    match &invocation.action {
        Action::Run if !invocation.clients.is_empty() => clients::run(invocation, host),
        Action::Run => DropInSession::run(invocation, host),
        Action::ParseOnly => say(&noticed(&invocation)),
        Action::Version => say(&format!("{}\n", fathom_output::FIO_VERSION)),
        Action::Help => say(&job::help_text()),
        Action::CmdHelp(None) => say(&job::option_list()),
        Action::CmdHelp(Some(option)) if option == "all" => say(&job::option_list()),
        Action::CmdHelp(Some(option)) => match job::option_help(option) {
            Ok(text) => say(&text),
            Err(error) => {
                complain(&error.to_string());
                // As in fio, to ask is no error.
                ExitCode::SUCCESS
            }
        },
        Action::EngHelp { engine: None, .. } => say(&job::engine_list()),
        Action::EngHelp { engine: Some(engine), option } => {
            say_or_fail(job::engine_help(engine, option.as_deref()))
        }
        Action::ShowCmd => say(&(noticed(&invocation) + &job::print_command_line(&invocation))),
        Action::DebugHelp => say(&job::debug_help()),
    }
}

fn noticed(invocation: &Invocation) -> String {
    notices::printed(&invocation.notices, &invocation.settings)
}

fn say_or_fail(text: Result<String, JobError>) -> ExitCode {
    match text {
        Ok(text) => say(&text),
        Err(error) => fail(&error),
    }
}
