//! Help and the compatibility page, generated from the tables.
//!
//! Names are where scripts search for them (an engine on its own line, an option at the beginning
//! of its line); the texts are ours.

use crate::command_line::{Argument, CliOption, DEBUG_SUBJECTS, cli_options};
use crate::error::{ErrorKind, JobError};
use crate::options::{
    Category, FIO_ENGINES, OptionRow, OptionStatus, engine_choices, find_option, nearest,
    nearest_option, options,
};
use crate::origin::Origin;
use fathom_text::text;
use fathom_vocab::IoEngine;
use std::fmt::Write;

/// `--help`: about as many lines as a terminal shows.
pub fn help_text() -> String {
    let mut text = String::from(
        "Usage: fio [options] [--name=JOB job options]... [job file]...\n\n\
         Job options before the first --name serve all jobs and the first job file.\n\
         '-' is a job file on standard input.\n\n",
    );
    for option in cli_options().iter().filter(|option| option.is_there()) {
        push_line(&mut text, "  ", &synopsis(option), option.help);
    }
    text.push_str(
        "\nExample: fio --name=a --filename=/mnt/test --size=1g --rw=randread --bs=4k --direct=1\n\
         fio --cmdhelp=all lists the job options, fio --cmdhelp=OPTION explains one.\n",
    );
    text
}

/// `--name=VALUE`, as an option is written.
fn synopsis(option: &CliOption) -> String {
    let value = match option.argument {
        Argument::None => String::new(),
        Argument::Optional => format!("[={}]", option.value),
        Argument::Required => format!("={}", option.value),
    };
    let short = option.short.map(|letter| format!(", -{letter}")).unwrap_or_default();
    format!("--{}{value}{short}", option.name)
}

/// One line in two columns.
fn push_line(text: &mut String, indent: &str, left: &str, right: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{indent}{left:<28} {right}");
}

/// `--cmdhelp=all`: every option that is there on its own line, under its category.
pub fn option_list() -> String {
    let mut text = String::new();
    for category in Category::ALL {
        let rows = options().iter().filter(|row| row.category == category && row.is_there());
        let mut rows = rows.peekable();
        if rows.peek().is_some() {
            let _ = writeln!(text, "\n{}", category.title());
        }
        rows.for_each(|row| push_option(&mut text, row));
    }
    text.trim_start().to_string()
}

/// `name : help`, in fio's columns.
fn push_option(text: &mut String, row: &OptionRow) {
    let _ = writeln!(text, "{:<24}: {}", row.name, with_status(row));
}

/// The help of a row, and why it does not work, if so.
fn with_status(row: &OptionRow) -> String {
    match row.status {
        OptionStatus::Supported => row.help.to_string(),
        status => format!("{} ({})", row.help, status.word()),
    }
}

/// `--cmdhelp=OPTION`: all facts of the table about one option, in fio's form.
///
/// # Errors
/// No option has this name, or it is not there; the hint has the most similar, or the reason.
/// Scripts probe for features by the text, so a missing one must not be described.
pub fn option_help(name: &str) -> Result<String, JobError> {
    let row = find_option(name).filter(|row| row.is_there()).ok_or_else(|| no_help(name))?;
    let mut text = String::new();
    let mut line = |left: &str, right: &str| {
        let _ = writeln!(text, "{left:>21}: {right}");
    };
    line(row.name, row.help);
    if !row.aliases.is_empty() {
        line("alias", &row.aliases.join(", "));
    }
    line("type", &row.kind.describe());
    line("default", if row.default.is_empty() { "no default" } else { row.default });
    line("example", &format!("{}={}", row.name, row.example));
    if !row.engines.is_empty() {
        line("engines", &row.engines.join(", "));
    }
    for (index, choice) in row.kind.choices().iter().filter(|c| c.is_there).enumerate() {
        let left = if index == 0 { "valid values" } else { "" };
        line(left, &format!("{:<10} {}", choice.name, choice.help));
    }
    if row.status != OptionStatus::Supported {
        line("status", row.status.word());
    }
    if !row.status.reason().is_empty() {
        line("because", row.status.reason());
    }
    Ok(text)
}

fn no_help(name: &str) -> JobError {
    let message = format!("No such command: {name}");
    let error = JobError::new(ErrorKind::UnknownOption, message, Origin::Builtin);
    error.hinted(match (find_option(name), nearest_option(name)) {
        (Some(row), _) => format!("Fathom does not have it: {}.", row.status.word()).into(),
        (None, Some(near)) => text!("Did you mean {near}?"),
        (None, None) => "--cmdhelp=all lists them.".into(),
    })
}

/// `--enghelp`: the engines of this system, one on each line, in fio's form.
pub fn engine_list() -> String {
    let mut text = String::from("Available IO engines:\n");
    for engine in IoEngine::here() {
        let _ = writeln!(text, "\t{}", engine.name());
    }
    text
}

/// `--enghelp=ENGINE` and `--enghelp=ENGINE,OPTION`.
///
/// # Errors
/// There is no such engine here, or it has no such option.
pub fn engine_help(engine: &str, option: Option<&str>) -> Result<String, JobError> {
    if !IoEngine::here().any(|known| known.name() == engine) {
        let message = format!("IO engine {engine} not found");
        let theirs = FIO_ENGINES.iter().any(|(name, _)| *name == engine);
        let hint = if theirs {
            "It is a fio engine that Fathom does not have; --enghelp lists those it has.".into()
        } else {
            let near = nearest(engine, IoEngine::here().map(IoEngine::name));
            near.map_or("--enghelp lists them.".into(), |near| text!("Did you mean {near}?"))
        };
        return Err(JobError::new(ErrorKind::BadValue, message, Origin::Builtin).hinted(hint));
    }
    let rows = options().iter().filter(|row| row.engines.contains(&engine) && row.is_there());
    let rows: Vec<_> = rows.collect();
    match option {
        None if rows.is_empty() => Ok(format!("IO engine {engine} has no options\n")),
        None => {
            let mut text = String::new();
            rows.iter().for_each(|row| push_option(&mut text, row));
            Ok(text)
        }
        Some(name) if rows.iter().any(|row| row.names().any(|n| n == name)) => option_help(name),
        Some(name) => {
            let message = format!("No such command: {name}: it is no option of engine {engine}");
            Err(JobError::new(ErrorKind::UnknownOption, message, Origin::Builtin)
                .hinted(format!("--enghelp={engine} lists them.")))
        }
    }
}

/// `--debug=help`.
pub fn debug_help() -> String {
    format!("fio: dumping debug options:{}\n", DEBUG_SUBJECTS.join(","))
}

/// `docs/compatibility.md`: every option of fio, and its status in Fathom.
pub fn compatibility_page() -> String {
    let mut text = String::from(
        "# fio's options, and what Fathom does with them\n\n\
         Made from the option table by `fathom_job::compatibility_page`; do not edit.\n\n",
    );
    push_counts(&mut text);
    for category in Category::ALL {
        let _ = writeln!(text, "\n## {}\n", category.title());
        text.push_str("| option | takes | default | status | |\n|---|---|---|---|---|\n");
        for row in options().iter().filter(|row| row.category == category) {
            text.push_str(&table_line(row));
        }
    }
    text.push_str("\n## Command line\n\n| option | |\n|---|---|\n");
    for option in cli_options() {
        let _ = writeln!(text, "| `{}` | {} |", cell(&synopsis(option)), cell(option.help));
    }
    text.push_str("\n## Engines\n\n| engine | |\n|---|---|\n");
    for choice in engine_choices() {
        let _ = writeln!(text, "| `{}` | {} |", choice.name, cell(choice.help));
    }
    for (name, instead) in FIO_ENGINES {
        let _ = writeln!(text, "| {name} | not there. {} |", cell(instead));
    }
    text
}

/// The number of options with each status.
fn push_counts(text: &mut String) {
    text.push_str("| status | options |\n|---|---|\n");
    for word in ["supported", "retired", "no effect", "not yet", "refused"] {
        let count = options().iter().filter(|row| row.status.word() == word).count();
        let _ = writeln!(text, "| {word} | {count} |");
    }
}

fn table_line(row: &OptionRow) -> String {
    let names: Vec<String> = row.names().map(|name| format!("`{name}`")).collect();
    let default = if row.default.is_empty() { String::new() } else { format!("`{}`", row.default) };
    let engines = if row.engines.is_empty() {
        String::new()
    } else {
        format!(" [{}]", row.engines.join(", "))
    };
    let reason = row.status.reason();
    let gap = if reason.is_empty() { "" } else { ". " };
    format!(
        "| {} | {} | {} | {} | {}{engines}{gap}{} |\n",
        names.join(", "),
        cell(&row.kind.describe()),
        cell(&default),
        row.status.word(),
        cell(row.help),
        cell(reason)
    )
}

/// Text that does not end a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_and_names_what_scripts_look_for() {
        let text = help_text();
        let lines = text.lines().count();
        assert!((30..=50).contains(&lines), "{lines} lines");
        assert!(text.contains("json+"));
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }

    #[test]
    fn engines_are_lines_of_their_own() {
        let text = engine_list();
        assert!(text.starts_with("Available IO engines:\n"), "{text}");
        for engine in IoEngine::ALL {
            let line = format!("\t{}", engine.name());
            assert_eq!(text.lines().any(|l| l == line), engine.is_here(), "{line} in\n{text}");
            assert_eq!(engine_help(engine.name(), None).is_ok(), engine.is_here());
        }
        if IoEngine::Libaio.is_here() {
            let help = engine_help("libaio", Some("userspace_reap")).unwrap();
            assert!(help.contains("userspace_reap"), "{help}");
            assert!(engine_help("libaio", Some("fixedbufs")).is_err());
            assert!(engine_help("libaio", Some("cmdprio_percentage")).is_err(), "it is not there");
            assert!(engine_help("libaoi", None).unwrap_err().to_string().contains("libaio"));
        }
        assert!(engine_help("net", None).unwrap_err().to_string().contains("fio engine"));
    }

    /// Scripts probe for features by these texts, so what is missing is in none of them.
    #[test]
    fn every_option_that_is_there_has_help_and_no_other() {
        let (list, page) = (option_list(), compatibility_page());
        for row in options() {
            for name in row.names() {
                let help = option_help(name).unwrap_or_default();
                assert_eq!(help.contains(row.help), row.is_there(), "{name}");
            }
            let begins = |line: &str| line.split([' ', ':']).next() == Some(row.name);
            assert_eq!(list.lines().any(begins), row.is_there(), "{}", row.name);
            assert!(page.contains(&format!("`{}`", row.name)), "{}", row.name);
        }
        let error = option_help("iodpth").unwrap_err().to_string();
        assert_eq!(error, "No such command: iodpth\nDid you mean iodepth?");
        let zones = option_help("zonemode").unwrap_err().to_string();
        assert!(zones.starts_with("No such command: zonemode\n") && !zones.contains("zbd"));
        assert!(!option_help("random_distribution").unwrap().contains("sequence"));
        assert!(option_help("loops").unwrap().contains("              default: 1\n"));
    }

    #[test]
    fn cells_do_not_break_the_table() {
        for line in compatibility_page().lines().filter(|line| line.starts_with('|')) {
            let bars = line.replace("\\|", "").matches('|').count();
            assert!(bars == 3 || bars == 6, "{line}");
        }
    }
}
