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

/// Who measures on this machine reads past what is for others.
#[test]
fn flags_for_other_machines_have_a_heading_of_their_own() {
    let command = command_line();
    let commands = command.get_subcommands().filter(|of| !of.is_hide_set());
    let with_hosts: Vec<&Command> =
        commands.filter(|of| of.get_arguments().any(|arg| arg.get_id() == "relays")).collect();
    assert!(with_hosts.len() >= 7, "{}", with_hosts.len());
    for of in with_hosts {
        let under = |heading| {
            let own = of.get_arguments().filter(move |arg| arg.get_help_heading() == heading);
            own.map(|arg| arg.get_id().as_str()).collect::<Vec<&str>>()
        };
        let elsewhere = under(Some("On other machines"));
        assert_eq!(elsewhere.first(), Some(&"on"), "{}", of.get_name());
        assert!(elsewhere.len() <= 8, "{}: {elsewhere:?}", of.get_name());
        assert!(under(None).iter().all(|id| !elsewhere.contains(id)), "{}", of.get_name());
    }
}
