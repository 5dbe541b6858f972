//! The command that a misspelt one was meant to be, in the tip below clap's error.
//!
//! clap compares by Jaro similarity, which weighs common letters by their place: for `mesure` it
//! named `serve` first. Here the fewest edits decide, and the beginning of a name stands for it.

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use fathom_job::nearest;
use fathom_message::Lang;
use fathom_message::glossary::{is_name, terms, text};
use std::path::Path;

/// Letters from which on the beginning of a name says which is meant.
const BEGINNING: usize = 3;

/// What other programs call a measurement.
const MEASURING: [&str; 5] = ["bench", "benchmark", "test", "speed", "start"];

/// Sets the tip of an error about an unknown command; `words` are the command line, and `commands`
/// its definition.
pub fn suggest(error: &mut Error, commands: &Command, words: &[String]) {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return;
    }
    let Some(ContextValue::String(misspelt)) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let above = above(commands, misspelt, words);
    let instead = (above.get_name() == commands.get_name()).then(|| instead(misspelt)).flatten();
    match meant(misspelt, above).map(str::to_owned) {
        Some(name) => {
            let tip = ContextValue::Strings(vec![name]);
            error.insert(ContextKind::SuggestedSubcommand, tip);
        }
        None => {
            error.remove(ContextKind::SuggestedSubcommand);
            if let Some(tip) = instead {
                let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
                error.insert(ContextKind::Suggested, tip);
            }
        }
    }
}

/// What to type for a word that is no command: a place is measured, and a term is explained.
fn instead(word: &str) -> Option<String> {
    if !word.is_empty() && Path::new(word).exists() {
        return Some(localized!("to measure it, type 'fathom measure {word}'"));
    }
    if MEASURING.contains(&word) {
        return Some(localized!("to measure this folder, type 'fathom measure .'"));
    }
    let is_term = Lang::ALL.iter().any(|lang| terms(text(*lang)).any(|of| is_name(&of, word)));
    is_term.then(|| localized!("'fathom help {word}' explains this term"))
}

/// The command whose subcommand `misspelt` should have been.
fn above<'c>(commands: &'c Command, misspelt: &str, words: &[String]) -> &'c Command {
    let before = words.iter().skip(1).take_while(|word| *word != misspelt);
    before.fold(commands, |command, word| command.find_subcommand(word).unwrap_or(command))
}

/// The subcommand that `misspelt` begins, if it is one only; otherwise the nearest, if any is near.
/// One that help does not list, as `man-pages`, is found by its beginning only.
fn meant<'c>(misspelt: &str, command: &'c Command) -> Option<&'c str> {
    let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
    let near = || nearest(&misspelt.to_lowercase(), visible.map(Command::get_name));
    begun(misspelt, command).or_else(near)
}

/// The only subcommand that begins with `word`.
pub fn begun<'c>(word: &str, command: &'c Command) -> Option<&'c str> {
    let word = word.to_lowercase();
    let all = command.get_subcommands().map(Command::get_name);
    let mut begun = all.filter(|name| name.starts_with(&word));
    match (begun.next(), begun.next()) {
        (Some(name), None) if word.len() >= BEGINNING => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tip_names_the_command_that_was_meant() {
        for (line, wanted) in [
            ("mesure", Some("measure")),
            ("meaure", Some("measure")),
            ("measrue", Some("measure")),
            ("Measure", Some("measure")),
            ("meas", Some("measure")),
            ("chek", Some("check")),
            ("sweap", Some("sweep")),
            ("comapre", Some("compare")),
            ("hist", Some("history")),
            ("serv", Some("serve")),
            ("reprot", Some("report")),
            ("doctr", Some("doctor")),
            ("limits", Some("limit")),
            ("promise", Some("promises")),
            ("history shwo", Some("show")),
            ("man", Some("man-pages")),
            ("xyzzy", None),
            ("", None),
        ] {
            let words: Vec<String> =
                ["fathom"].into_iter().chain(line.split(' ')).map(str::to_owned).collect();
            let mut error = crate::command_line().try_get_matches_from(&words).unwrap_err();
            suggest(&mut error, &crate::command_line(), &words);
            let tip = match error.get(ContextKind::SuggestedSubcommand) {
                Some(ContextValue::Strings(names)) => names.first().map(String::as_str),
                _ => None,
            };
            assert_eq!(tip, wanted, "{line}: {error}");
            assert_eq!(error.to_string().contains("tip:"), wanted.is_some(), "{line}: {error}");
        }
    }

    #[test]
    fn a_place_or_a_term_in_place_of_a_command_says_what_to_type() {
        for (word, wanted) in [
            ("/", Some("tip: to measure it, type 'fathom measure /'")),
            ("bench", Some("tip: to measure this folder, type 'fathom measure .'")),
            ("p99", Some("tip: 'fathom help p99' explains this term")),
            ("xyzzy", None),
        ] {
            let words = ["fathom", word].map(str::to_owned);
            let mut error = crate::command_line().try_get_matches_from(&words).unwrap_err();
            suggest(&mut error, &crate::command_line(), &words);
            let text = error.to_string();
            assert_eq!(text.contains("tip:"), wanted.is_some(), "{text}");
            assert!(wanted.is_none_or(|tip| text.contains(tip)), "{text}");
        }
    }
}
