//! Errors of the command line in the language of the reader. clap gives what is wrong as a kind
//! with its values; a kind that has no text here is shown as clap shows it, in English.

use crate::help;
use crate::language::word;
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use fathom_message::Lang;
use fathom_text::{Text, text};
use std::error::Error as _;

/// What is wrong with the command line, in each language, on one line and without advice.
pub fn first_paragraph(error: &Error) -> Text {
    let (first, details) =
        problem(error).unwrap_or_else(|| (Text::of(clap_line(error)), Vec::new()));
    let lines: Vec<String> = details.iter().map(|line| line.trim().to_owned()).collect();
    match lines.is_empty() {
        true => first,
        false => text!("{first} {}", lines.join(" ")),
    }
}

/// clap's first paragraph on one line.
fn clap_line(error: &Error) -> String {
    let text = error.render().to_string();
    let lines: Vec<&str> =
        text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
}

/// The whole error, with advice and usage.
pub fn text(error: &Error, lang: Lang) -> String {
    let Some((first, details)) = problem(error).filter(|_| lang != Lang::En) else {
        return without_value_tip(&error.render().ansi().to_string());
    };
    let head = [text!("error: {first}").text(lang).to_owned()].into_iter().chain(details);
    let usage = error.get(ContextKind::Usage).map(|usage| help::text_in(lang, &usage.to_string()));
    let tips = tips(error).into_iter().map(|tip| text!("  tip: {tip}").text(lang).to_owned());
    let parts = [
        head.collect::<Vec<_>>().join("\n"),
        tips.collect::<Vec<_>>().join("\n"),
        usage
            .unwrap_or_default()
            .replace("Usage:", word("Usage:"))
            .replace("COMMAND", word("COMMAND")),
        word("For more information, try '--help'.").to_owned(),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n") + "\n"
}

/// What is wrong, and the lines below it.
fn problem(error: &Error) -> Option<(Text, Vec<String>)> {
    let value = |kind| listed(error, kind).join(" ");
    let (arg, given) = (value(ContextKind::InvalidArg), value(ContextKind::InvalidValue));
    let lines = |kind| listed(error, kind).into_iter().map(|line| format!("  {line}")).collect();
    Some(match error.kind() {
        ErrorKind::UnknownArgument => (text!("unexpected argument '{arg}' found"), Vec::new()),
        ErrorKind::InvalidSubcommand => {
            let command = value(ContextKind::InvalidSubcommand);
            (text!("unrecognized subcommand '{command}'"), Vec::new())
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let first = match error.source() {
                Some(why) => text!("invalid value '{given}' for '{arg}': {why}"),
                None if given.is_empty() => {
                    text!("a value is required for '{arg}' but none was supplied")
                }
                None => text!("invalid value '{given}' for '{arg}'"),
            };
            let valid = listed(error, ContextKind::ValidValue).join(", ");
            let valid = Some(valid).filter(|valid| !valid.is_empty());
            (first, valid.map(|valid| possible_values(&valid)).into_iter().collect())
        }
        ErrorKind::ArgumentConflict => match listed(error, ContextKind::PriorArg).as_slice() {
            [other] if *other == arg => {
                (text!("the argument '{arg}' cannot be used multiple times"), Vec::new())
            }
            [other] => (text!("the argument '{arg}' cannot be used with '{other}'"), Vec::new()),
            _ => {
                let first = text!("the argument '{arg}' cannot be used with:");
                (first, lines(ContextKind::PriorArg))
            }
        },
        ErrorKind::MissingRequiredArgument => (
            text!("the following required arguments were not provided:"),
            lines(ContextKind::InvalidArg),
        ),
        _ => return None,
    })
}

fn possible_values(valid: &str) -> String {
    let text = text!("[possible values: {valid}]");
    format!("  {}", text.text(crate::language::lang()))
}

/// Each value of a context as text; none where the error has no such context.
fn listed(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::Strings(values)) => values.clone(),
        Some(ContextValue::StyledStrs(values)) => values.iter().map(ToString::to_string).collect(),
        Some(ContextValue::None) | None => Vec::new(),
        Some(other) => vec![other.to_string()],
    }
}

/// The advice: what was meant, and our own.
fn tips(error: &Error) -> Vec<Text> {
    let meant = |kind| listed(error, kind);
    let arguments = meant(ContextKind::SuggestedArg).into_iter();
    let values = meant(ContextKind::SuggestedValue).into_iter();
    let mut tips: Vec<Text> =
        arguments.map(|name| text!("a similar argument exists: '{name}'")).collect();
    tips.extend(values.map(|name| text!("a similar value exists: '{name}'")));
    match meant(ContextKind::SuggestedSubcommand).as_slice() {
        [] => {}
        [name] => tips.push(text!("a similar subcommand exists: '{name}'")),
        names => {
            let names = names.join("', '");
            tips.push(text!("some similar subcommands exist: '{names}'"));
        }
    }
    let own = meant(ContextKind::Suggested).into_iter();
    // clap's own advice here is to pass a flag as a value: no target is called so.
    tips.extend(own.filter(|tip| !tip.starts_with("to pass '")).map(Text::of));
    tips
}

/// The text without clap's advice to pass a misspelt flag as a value: no target is called so.
fn without_value_tip(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for line in text.lines() {
        let is_second_blank = line.is_empty() && kept.last().is_some_and(|last| last.is_empty());
        if !line.trim_start().starts_with("tip: to pass '") && !is_second_blank {
            kept.push(line);
        }
    }
    kept.join("\n")
}
