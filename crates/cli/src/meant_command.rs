//! The command that a misspelt one was meant to be, in the tip below clap's error.
//!
//! clap compares by Jaro similarity, which weighs common letters by their place: for `mesure` it
//! named `serve` first. Here the fewest edits decide, and the beginning of a name stands for it.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use fathom_job::nearest;

/// Letters from which on the beginning of a name says which is meant.
const BEGINNING: usize = 3;

/// Sets the tip of an error about an unknown command; `words` are the command line, and `commands`
/// its definition.
pub fn suggest(error: &mut Error, commands: &Command, words: &[String]) {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return;
    }
    let Some(ContextValue::String(misspelt)) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    match meant(misspelt, above(commands, misspelt, words)).map(str::to_owned) {
        Some(name) => {
            let tip = ContextValue::Strings(vec![name]);
            error.insert(ContextKind::SuggestedSubcommand, tip);
        }
        None => {
            error.remove(ContextKind::SuggestedSubcommand);
        }
    }
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
}
