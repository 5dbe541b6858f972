//! The command line as a whole.

use crate::command_line;
use clap::Command;
use clap::error::ErrorKind;

/// Lines that clap refuses: every flag that is for all commands below one, at each place from there
/// on, before `--help`.
fn refused(command: &Command, path: &[String], flags: &[(String, usize)]) -> Vec<String> {
    let own = command.get_arguments().filter(|arg| arg.is_global_set());
    let own = own.filter_map(|arg| Some((format!("--{}", arg.get_long()?), path.len())));
    let flags: Vec<(String, usize)> = flags.iter().cloned().chain(own).collect();
    let below = command.get_subcommands().filter(|below| !below.is_disable_help_flag_set());
    let of = |below: &Command| {
        let path: Vec<String> = [path, &[below.get_name().to_owned()]].concat();
        let places = flags.iter().flat_map(|(flag, from)| {
            (*from..=path.len()).map(|at| {
                let mut line = path.clone();
                line.splice(at..at, [flag.clone(), "ko".to_owned()]);
                line
            })
        });
        let mut lines: Vec<String> = places.filter(|line| !shows_help(line)).map(joined).collect();
        lines.extend(refused(below, &path, &flags));
        lines
    };
    below.flat_map(of).collect()
}

fn joined(line: Vec<String>) -> String {
    line.join(" ")
}

fn shows_help(line: &[String]) -> bool {
    let words = line.iter().map(String::as_str).chain(["--help"]);
    let words: Vec<&str> = std::iter::once("fathom").chain(words).collect();
    let why = command_line().try_get_matches_from(words).unwrap_err();
    why.kind() == ErrorKind::DisplayHelp
}

#[test]
fn a_flag_for_all_commands_is_taken_at_every_place() {
    let refused = refused(&command_line(), &[], &[]);
    assert!(refused.is_empty(), "{} lines:\n{}", refused.len(), refused.join("\n"));
}
