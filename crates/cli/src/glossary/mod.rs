//! `fathom help TERM`: explains a term of the glossary, if no command is called so.
//!
//! Decided here:
//! - clap's own `help` is asked first, so that a command is never hidden by a term of its name.
//! - A term is found by any name in any language: what a Korean output calls it can be typed in an
//!   English shell.
//! - A word that is neither command nor term leads to the places that mention it.

mod mentions;

use crate::cli_error::{CliError, USAGE};
use crate::meant_command::begun;
use crate::session::ended;
use crate::terminal::screen::{Screen, say, wrapped_in};
use crate::terminal::table::{TextTable, cell};
use clap::Command;
use fathom_job::nearest;
use fathom_message::Lang;
use fathom_message::glossary::{
    GlossarySection, GlossaryTerm, is_name, sections, terms, text, usual as usual_sections,
};
use fathom_vocab::printable;
use mentions::Mention;
use std::ffi::OsString;
use std::process::ExitCode;

/// The word that lists all terms.
const ALL_TERMS: &str = "terms";
/// The words that show what is usual, without a term.
const USUAL: [&str; 3] = ["usual", "slow", "fast"];
/// Terms whose explanation shows what is usual, each with the place of its table.
const WITH_USUAL: [(&str, usize); 3] = [("latency", 0), ("IOPS", 0), ("flush", 1)];

/// No command and no term is called so.
#[fathom_text::translated]
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum UnknownTerm {
    #[error("'{0}' is neither a command nor a term; `fathom help terms` lists all terms")]
    Strange(String),
    #[error(
        "'{typed}' is neither a command nor a term; did you mean {near}? `fathom help terms` lists \
         all terms"
    )]
    Misspelt { typed: String, near: String },
}

/// The exit code of `fathom help TERM`, after it has answered; none where the command line asks for
/// something else.
pub fn answered(words: &[OsString], commands: &Command) -> Option<ExitCode> {
    let typed = asked_term(words, commands)?;
    let screen = Screen::detect();
    if let Some(text) = explained(&typed, &screen) {
        say(&text);
        return Some(ExitCode::SUCCESS);
    }
    let begun = begun(&typed, commands).map(str::to_owned);
    if let Some(text) = mentioned(&typed, commands, &screen).filter(|_| begun.is_none()) {
        // A script learns that the word is unknown, as it does where nothing mentions it.
        say(&text);
        return Some(ExitCode::from(USAGE));
    }
    if let Some(text) = explained_by_word(&typed, &screen).filter(|_| begun.is_none()) {
        say(&text);
        return Some(ExitCode::SUCCESS);
    }
    let unknown = match begun.or_else(|| nearest_name(&typed, commands)) {
        Some(near) => UnknownTerm::Misspelt { typed, near },
        None => UnknownTerm::Strange(typed),
    };
    Some(ended(Err::<u8, _>(CliError::usage(unknown))))
}

/// The term or command that `typed` was meant to be, if any is near.
fn nearest_name(typed: &str, commands: &Command) -> Option<String> {
    // The Korean glossary has the English names too.
    let of_terms = terms(text(Lang::Ko)).flat_map(|term| term.names);
    let names: Vec<&str> =
        commands.get_subcommands().map(Command::get_name).chain(of_terms).collect();
    let small: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let near = nearest(&typed.to_lowercase(), small.iter().map(String::as_str))?;
    let at = small.iter().position(|name| name == near)?;
    Some(names[at].to_owned())
}

/// The command line without `--lang` if it asks for help: clap takes it there for a command.
pub fn without_lang(words: &[OsString]) -> Vec<OsString> {
    let words = without_help_of_help(words);
    match asked_help(&words) {
        Some(asked) => {
            let help = ["help"].into_iter().chain(asked).map(OsString::from);
            words.first().cloned().into_iter().chain(help).collect()
        }
        None => words,
    }
}

/// `fathom help --help` asks for the help of `help`, which is that of all: clap knows no such flag.
fn without_help_of_help(words: &[OsString]) -> Vec<OsString> {
    let is_flag = |word: &OsString| word == "--help" || word == "-h";
    let is_of_help = words.get(1).is_some_and(|word| word == "help");
    words.iter().filter(|word| !(is_of_help && is_flag(word))).cloned().collect()
}

/// The words of a command line without `--lang`; none if there is another flag.
pub fn plain_words(words: &[OsString]) -> Option<Vec<&str>> {
    let mut rest = Vec::new();
    let mut words = words.iter().skip(1).map(|word| word.to_str());
    while let Some(word) = words.next() {
        match word? {
            "--lang" => words.next().flatten().map(|_| ())?,
            word if word.starts_with("--lang=") => {}
            word if word.starts_with('-') => return None,
            word => rest.push(word),
        }
    }
    Some(rest)
}

/// The words after `help`, if that is the command.
fn asked_help(words: &[OsString]) -> Option<Vec<&str>> {
    let rest = plain_words(words)?;
    let (help, asked) = rest.split_first()?;
    (*help == "help").then(|| asked.to_vec())
}

/// The words after `help`, if they name no command.
fn asked_term(words: &[OsString], commands: &Command) -> Option<String> {
    let asked = asked_help(words)?;
    let first = asked.first().filter(|first| **first != "help")?;
    let is_command = commands.find_subcommand(first).is_some();
    (!is_command).then(|| printable::line(&asked.join(" ")).into_owned())
}

/// What is said of `typed` in the screen's language; none if it is no term.
fn explained(typed: &str, screen: &Screen) -> Option<String> {
    let glossary = text(screen.lang);
    if typed.eq_ignore_ascii_case(ALL_TERMS) {
        return Some(listed(glossary, screen));
    }
    let titles = usual_sections(text(Lang::Ko)).into_iter().map(|of| of.title);
    if USUAL.into_iter().chain(titles).any(|word| typed.eq_ignore_ascii_case(word)) {
        return Some(usual(glossary, screen));
    }
    // Both glossaries have the same terms in the same order.
    let by_name = |lang| terms(text(lang)).position(|term| is_name(&term, typed));
    let term = terms(glossary).nth(by_name(Lang::En).or_else(|| by_name(Lang::Ko))?)?;
    let mut answer = entry(&term, screen);
    let own = WITH_USUAL.iter().find(|(name, _)| term.names.contains(name));
    if let Some(table) = own.and_then(|(_, at)| usual_sections(glossary).into_iter().nth(*at)) {
        answer += &format!("\n{}", usual_table(&table, screen));
    }
    Some(answer)
}

/// What is said of each word of several that are a term by itself, as of `seq. write`; none where
/// there are none.
fn explained_by_word(typed: &str, screen: &Screen) -> Option<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words: Vec<String> = typed.split_whitespace().map(bare).collect();
    let mut entries: Vec<String> =
        words.iter().filter_map(|word| explained(word, screen)).collect();
    entries.dedup();
    (words.len() > 1 && !entries.is_empty()).then(|| entries.concat())
}

/// The places that mention a word; none where there are none.
fn mentioned(typed: &str, commands: &Command, screen: &Screen) -> Option<String> {
    let all = mentions::of(typed, commands, screen.lang);
    let line = |one: &Mention| {
        let text = format!("{}: {}", one.command, one.about);
        wrapped_in(&text, screen.width, "  ", "      ")
    };
    let lines: String = all.iter().map(line).collect();
    let head = localized!("'{typed}' is neither a command nor a term. It is mentioned here:");
    let head = wrapped_in(&head, screen.width, "", "");
    (!all.is_empty()).then(|| head + &lines)
}

fn entry(term: &GlossaryTerm<'_>, screen: &Screen) -> String {
    let text = format!("{}: {}", term.title(), term.meaning.replace('`', ""));
    wrapped_in(&text, screen.width, "", "  ")
}

/// The names of all terms, those of a section together; a term may have several, with commas.
fn listed(glossary: &str, screen: &Screen) -> String {
    let section = |of: &GlossarySection<'_>| {
        let names: Vec<String> = of.terms().iter().map(GlossaryTerm::title).collect();
        format!("{}:\n{}", of.title, wrapped_in(&names.join("; "), screen.width, "  ", "  "))
    };
    sections(glossary).iter().filter(|of| of.is_of_terms()).map(section).collect()
}

/// Both tables of what is usual, with their texts.
fn usual(glossary: &str, screen: &Screen) -> String {
    let all = usual_sections(glossary);
    let texts: Vec<String> = all.iter().map(|of| usual_table(of, screen)).collect();
    texts.join("\n")
}

fn usual_table(of: &GlossarySection<'_>, screen: &Screen) -> String {
    let mut table = TextTable::indented(2);
    let rows = std::iter::once(&of.head).chain(&of.rows);
    rows.for_each(|row| table.row(row.iter().map(cell).collect()));
    let intro = wrapped_in(&of.intro.join(" "), screen.width, "", "");
    format!("{intro}\n{}", table.text(screen))
}

#[cfg(test)]
mod tests;
