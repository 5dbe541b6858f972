//! Files generated from the command line's definition: completions for `fathom completions`, and
//! man pages for packages. Both are in the language of the user, as `--help` is.

use crate::cli_error::CliError;
use crate::help;
use crate::language::{in_language, word};
use crate::quantity::engine_names;
use crate::terminal::{screen, stdout};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use fathom_analysis::promise::Catalogue;
use fathom_analysis::requirements;
use fathom_campaign::PhasePattern;
use fathom_campaign::compare::PATTERNS;
use fathom_campaign::limit::{Arrivals, LimitPattern};
use fathom_campaign::sweep::CACHE_NAMES;
use fathom_message::Lang;
use fathom_message::glossary::{terms, text};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The command line of `fathom completions`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  fathom completions bash >~/.local/share/bash-completion/completions/fathom
  fathom completions zsh >~/.zfunc/_fathom      if ~/.zfunc is in fpath
  fathom completions fish >~/.config/fish/completions/fathom.fish
  fathom man-pages ~/.local/share/man/man1      then: man fathom-measure";

/// Write man pages into a folder, one for each command
#[derive(Clone, Debug, Args)]
pub struct ManPagesArgs {
    /// A folder; it is made if there is none
    pub folder: PathBuf,
}

/// The heading that man pages are generated with, above what follows the options in the help.
const EXTRA: &str = ".SH EXTRA\n";

/// Names that the history has for its runs whatever runs there are; tags are the user's own.
const RUNS: [&str; 3] = ["latest", "previous", "latest~1"];

/// Prints completions of `command`.
pub fn completions(args: &CompletionsArgs, command: Command) -> Result<u8, CliError> {
    let text = script(args.shell, help::command_in(screen::lang(), command));
    // Unescaped: shell scripts contain characters that are unprintable elsewhere.
    stdout::note(stdout::lock().and_then(|mut out| out.write_all(&text)));
    Ok(0)
}

/// The script that completes `command` in `shell`.
fn script(shell: Shell, command: Command) -> Vec<u8> {
    let mut text = Vec::new();
    let mut command = with_terms(with_names(command));
    clap_complete::generate(shell, &mut command, "fathom", &mut text);
    help::script_in(screen::lang(), &String::from_utf8_lossy(&text)).into_bytes()
}

/// `command` with the names that its options know, which a shell would otherwise complete as
/// files. The parser has them not: there they would stand in each `--help` and in errors, which
/// say it better, and files of promises add to them.
fn with_names(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|arg| {
        let names = names_of(&name, &arg);
        if names.is_empty() { arg } else { arg.value_parser(PossibleValuesParser::new(names)) }
    });
    help::each_below(command, with_names)
}

/// `command` with a `help` that offers the terms of the glossary beside the commands; clap's own
/// offers the commands only. Names of several words would be several values in a shell.
fn with_terms(command: Command) -> Command {
    let terms = terms(text(Lang::En)).flat_map(|term| term.names);
    let terms = terms.filter(|name| !name.contains(' '));
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    let mut names: Vec<&'static str> =
        commands.map(|command| &*command.get_name().to_owned().leak()).collect();
    names.extend(terms);
    let named = Arg::new("TERM").value_parser(PossibleValuesParser::new(names));
    let help = Command::new("help").about(HELP_OF_CLAP).arg(named);
    command.disable_help_subcommand(true).subcommand(help)
}

/// What clap says of its own `help`.
const HELP_OF_CLAP: &str = "Print this message or the help of the given subcommand(s)";

/// The values that an option of a command is known to have, if they are names: from the tables by
/// which they are parsed. clap keeps them for the life of the process, which ends with the script.
fn names_of(command: &str, arg: &Arg) -> Vec<&'static str> {
    let ids: Vec<String> = match arg.get_long() {
        Some("promise") => Catalogue::builtin().map_or_else(
            |_| Vec::new(),
            |catalogue| catalogue.volumes().iter().map(|row| row.id.clone()).collect(),
        ),
        Some("for") => requirements()
            .map_or_else(|_| Vec::new(), |rows| rows.into_iter().map(|row| row.id).collect()),
        Some("baseline") => return RUNS.to_vec(),
        Some("rw") => return patterns(command),
        Some("engine") => return engine_names(),
        Some("arrivals") => return Arrivals::ALL.map(|(name, _)| name).to_vec(),
        Some("cache") => return CACHE_NAMES.to_vec(),
        Some("lang") => return Lang::ALL.map(Lang::tag).to_vec(),
        _ => return Vec::new(),
    };
    ids.into_iter().map(|id| &*id.leak()).collect()
}

/// The patterns that a command measures.
fn patterns(command: &str) -> Vec<&'static str> {
    match command {
        "measure" => PhasePattern::ALL.map(|(name, _)| name).to_vec(),
        "limit" => LimitPattern::ALL.map(LimitPattern::name).to_vec(),
        _ => PATTERNS.iter().map(|(name, _)| *name).collect(),
    }
}

/// Writes `fathom.1` and a page for each command.
pub fn man_pages(args: &ManPagesArgs, command: Command) -> Result<u8, CliError> {
    std::fs::create_dir_all(&args.folder).map_err(CliError::file("make", &args.folder))?;
    let command = help::command_in(screen::lang(), command);
    let mut command = in_full(command.disable_help_subcommand(true));
    command.build();
    page(&command, "fathom", &args.folder)?;
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("fathom-{}", subcommand.get_name());
        page(subcommand, &name, &args.folder)?;
    }
    Ok(0)
}

/// Puts what the help says after its options into sections of their own: examples as they are
/// typed, exit codes, and notes.
fn with_sections(page: &str) -> String {
    let Some((before, extra)) = page.split_once(EXTRA) else { return page.to_owned() };
    let (extra, after) = extra.find("\n.SH ").map_or((extra, ""), |at| extra.split_at(at));
    let (mut examples, mut codes, mut notes) = (String::new(), String::new(), String::new());
    for paragraph in extra.split("\n\n").map(|text| text.trim_matches('\n')) {
        let (head, lines) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        match head {
            _ if head == word("Examples:") => {
                examples = format!(".SH EXAMPLES\n.nf\n{lines}\n.fi\n");
            }
            _ if is_of_exit_codes(head) => codes = format!(".SH EXIT STATUS\n{paragraph}\n"),
            _ if notes.is_empty() => notes = format!(".SH NOTES\n{paragraph}\n"),
            _ => notes += &format!(".PP\n{paragraph}\n"),
        }
    }
    format!("{before}{notes}{codes}{examples}{}", after.trim_start_matches('\n'))
}

/// With the options that `-h` leaves out, of which a page would have no text, and with explanations
/// of values in the language of the user.
fn in_full(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let arg = arg.hide_short_help(false);
        let values = arg.get_possible_values();
        let is_explained = values.iter().any(|value| value.get_help().is_some());
        if is_explained { arg.value_parser(translated(values)) } else { arg }
    });
    help::each_below(command, in_full)
}

/// Values whose explanations are in the language of the user.
fn translated(values: Vec<PossibleValue>) -> PossibleValuesParser {
    let said = |value: PossibleValue| match value.get_help() {
        Some(help) => {
            let help = in_language(screen::lang(), &help.to_string());
            value.help(help)
        }
        None => value,
    };
    PossibleValuesParser::new(values.into_iter().map(said))
}

/// Whether a paragraph that begins with the line `head` is about exit codes.
fn is_of_exit_codes(head: &str) -> bool {
    let subject = head.split(':').next().unwrap_or_default();
    subject.contains("Exit code") || subject.contains(word("EXIT STATUS"))
}

/// A page with the headings of its sections in the language of the user. Options under a heading
/// that means the same as the one before, as in Korean, are one section with it.
fn with_headings(page: &str) -> String {
    let mut last = String::new();
    let line = |line: &str| match line
        .strip_prefix(".SH ")
        .map(|heading| in_language(screen::lang(), heading))
    {
        Some(heading) if heading == last => String::new(),
        Some(heading) => {
            last = heading;
            format!(".SH {last}\n")
        }
        None => format!("{line}\n"),
    };
    page.lines().map(line).collect()
}

fn page(command: &Command, name: &str, folder: &Path) -> Result<(), CliError> {
    let path = folder.join(format!("{name}.1"));
    let cannot = CliError::file("write", &path);
    let mut text = Vec::new();
    let manual = localized!("General Commands Manual");
    let man = clap_mangen::Man::new(command.clone()).title(name.to_owned()).manual(manual);
    man.render(&mut text).map_err(&cannot)?;
    let text = with_headings(&with_sections(&String::from_utf8_lossy(&text)));
    let text = help::text_in(screen::lang(), &text);
    fathom_files::replace(&path, text.as_bytes()).map_err(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_options_know_are_offered_and_no_files() {
        let script = |shell| String::from_utf8(script(shell, crate::command_line())).unwrap();
        let bash = script(Shell::Bash);
        for (option, names) in [
            ("--promise", "aws.gp3 "),
            ("--for", "\"etcd postgres kafka\""),
            ("--baseline", "\"latest previous latest~1\""),
            ("--rw", "randread"),
            ("--engine", " posixaio"),
            ("--arrivals", "\"poisson even\""),
            ("--cache", "\"in out\""),
            ("--lang", "\"en ko\""),
        ] {
            let case = format!("{option})\n");
            let mut cases = bash.split(case.as_str()).skip(1).peekable();
            assert!(cases.peek().is_some(), "{option}");
            for case in cases {
                let offered = case.lines().next().unwrap_or_default();
                assert!(offered.contains("compgen -W \"") && offered.contains(names), "{offered}");
            }
        }
        let help = bash.split("fathom__subcmd__help)\n").nth(1).unwrap_or_default();
        assert!(help.contains(" measure ") && help.contains(" p99 "), "{help}");
        for shell in [Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell] {
            assert!(!script(shell).is_empty());
        }
        assert!(script(Shell::Zsh).contains("(etcd postgres kafka)"));
        assert!(script(Shell::Fish).contains("aws.gp3"));
        // The parser and its help stay as they are.
        let line = ["fathom", "check", "/x", "--promise", "mine.of_a_file"];
        assert!(crate::command_line().try_get_matches_from(line).is_ok());
    }

    #[test]
    fn examples_and_exit_codes_have_sections() {
        let page = ".SH OPTIONS\n-a\n.SH EXTRA\nExamples:\n  fathom check /a\n      what it \
                    does\n\nAll is judged.\n\nSo is this.\n\nExit codes: 0 PASS.\n.SH VERSION\nv1\n";
        assert_eq!(
            with_sections(page),
            ".SH OPTIONS\n-a\n.SH NOTES\nAll is judged.\n.PP\nSo is this.\n.SH EXIT STATUS\nExit \
             codes: 0 PASS.\n.SH EXAMPLES\n.nf\n  fathom check /a\n      what it does\n.fi\n.SH \
             VERSION\nv1\n"
        );
        assert_eq!(with_sections(".SH NAME\nx\n"), ".SH NAME\nx\n");
        assert_eq!(with_headings(".SH A\na\n.SH A\nb\n.SH B\nc\n"), ".SH A\na\nb\n.SH B\nc\n");
    }
}
