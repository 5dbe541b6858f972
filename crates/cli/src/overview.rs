//! What `fathom` says without a command: its commands in a few words, on one screen of 24 lines and
//! 80 columns. `fathom --help` has all of it.

use crate::AFTER_HELP;
use crate::glossary::plain_words;
use crate::help;
use crate::language::in_language;
use crate::terminal::screen::{Screen, columns, wrapped_in};
use std::ffi::OsString;

const ABOUT: &str = "Measure storage and know what the figures mean";
const USAGE: &str = "Usage: fathom [OPTIONS] <COMMAND>";

/// Commands, and what they are for.
const COMMANDS: [(&str, &str); 10] = [
    ("measure", "latency, IOPS and throughput of a volume, or of several"),
    ("compare", "which volume is better, or what changed between runs"),
    ("check", "whether a volume keeps what its provider promises"),
    ("limit", "the highest rate at which response times still hold"),
    ("sweep", "how figures change with depth, block size, jobs"),
    ("run, fio", "fio's jobs: with Fathom's table, or as fio itself"),
    ("history", "runs that were kept; `report` and `serve` show them"),
    ("doctor", "what this host could drive, and what is in its way"),
    ("watch", "what devices do, live"),
    ("kube", "volumes of a Kubernetes cluster"),
];
const OTHERS: &str = "Others: promises, clean, agent, kubestr, completions, help.";
const HINT: &str = "`fathom COMMAND --help` explains a command, `fathom --help` lists them all.";

/// Columns of the names on the left.
const NAMES: usize = 12;

/// Whether a command line has no word but the language.
pub fn is_asked(words: &[OsString]) -> bool {
    plain_words(words).is_some_and(|rest| rest.is_empty())
}

/// The overview in the language and the width of `screen`.
pub fn text(screen: &Screen) -> String {
    let said = |english: &str| in_language(screen.lang, english);
    let paragraph = |english| wrapped_in(&said(english), screen.width, "", "  ");
    let mut text = format!("{}\n{}\n", paragraph(ABOUT), paragraph(USAGE));
    for (names, about) in COMMANDS {
        let first = format!("  {names:<NAMES$}");
        text += &wrapped_in(&said(about), screen.width, &first, &" ".repeat(columns(&first)));
    }
    text += &wrapped_in(&said(OTHERS), screen.width, "  ", "    ");
    let examples = help::example_lines(screen.lang, AFTER_HELP);
    format!("{text}\n{examples}\n\n{}", paragraph(HINT))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

    fn screen(lang: Lang, width: usize) -> Screen {
        Screen { width, colour: false, unicode: true, live: false, lang }
    }

    #[test]
    fn it_fits_a_screen_in_each_language() {
        for lang in Lang::ALL {
            let text = text(&screen(lang, 80));
            assert!(text.lines().count() <= 24, "{} lines:\n{text}", text.lines().count());
            assert!(text.lines().all(|line| columns(line) <= 80), "{text}");
            assert!(text.contains("fathom measure /mnt/data"), "{text}");
        }
        let korean = text(&screen(Lang::Ko, 80));
        for english in [ABOUT, USAGE, OTHERS, HINT, "what does this volume give?"] {
            assert!(!korean.contains(english), "{english}: {korean}");
        }
        assert!(COMMANDS.iter().all(|(_, about)| !korean.contains(about)), "{korean}");
    }

    #[test]
    fn it_names_each_command() {
        let text = text(&screen(Lang::En, 80)).replace([',', '.', '`'], " ");
        let names: Vec<&str> = text.split_whitespace().collect();
        let commands = crate::command_line();
        for command in commands.get_subcommands().filter(|command| !command.is_hide_set()) {
            assert!(names.contains(&command.get_name()), "{}: {text}", command.get_name());
        }
    }

    #[test]
    fn only_a_bare_command_line_asks_for_it() {
        let asked = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            is_asked(&words)
        };
        assert!(asked("fathom") && asked("fathom --lang ko") && asked("fathom --lang=ko"));
        assert!(!asked("fathom kube") && !asked("fathom --help") && !asked("fathom --lang"));
    }
}
