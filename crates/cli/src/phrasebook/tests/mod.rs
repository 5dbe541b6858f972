//! The phrasebook holds every error, and fills its phrases.

mod examples;
mod trial;

use super::*;
use clap::Command;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Errors of development tools.
const ELSEWHERE: [&str; 3] = ["xtask/", "bench/", "simulated.rs"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = path.to_string_lossy().into_owned();
        if path.is_dir() && !path.ends_with("tests") {
            sources(&path, found);
        } else if text.ends_with(".rs") && ELSEWHERE.iter().all(|of| !text.contains(of)) {
            found.push(path);
        }
    }
}

/// What stands before the text of an error in the source.
const OPENERS: [&str; 4] =
    ["#[error(", "CliError::usage(", "CliError::campaign(", "InvalidValue::Form("];

/// The texts of a file's errors, as in the source.
fn error_texts(source: &str) -> Vec<String> {
    let begin = |part: &str| {
        let part = part.trim_start();
        part.strip_prefix("format!(").unwrap_or(part).trim_start().strip_prefix('"').map(literal)
    };
    let of = |opener: &&str| source.split(*opener).skip(1).filter_map(begin).collect::<Vec<_>>();
    OPENERS.iter().flat_map(of).collect()
}

/// A literal up to its end, with its escapes resolved.
fn literal(text: &str) -> String {
    let (mut done, mut letters) = (String::new(), text.chars().peekable());
    while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
        if letter != '\\' {
            done.push(letter);
            continue;
        }
        match letters.next() {
            Some('\n') => while letters.next_if(|c| c.is_whitespace()).is_some() {},
            Some('n') => done.push('\n'),
            Some(other) => done.push(other),
            None => {}
        }
    }
    done
}

/// A key, or a text of an error, with its quantities left open.
fn form(text: &str) -> String {
    let text = text.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut parts = text.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    let open = parts.map(|part| format!("{{}}{}", part.split_once('}').map_or("", |of| of.1)));
    (first + &open.collect::<String>()).replace('\u{1}', "{").replace('\u{2}', "}")
}

/// Whether a text contains more than quantities.
fn has_words(text: &str) -> bool {
    text.split("{}").any(|part| part.chars().any(char::is_alphabetic))
}

#[test]
fn every_error_has_its_korean() {
    let keys: BTreeSet<String> =
        PHRASES.iter().flat_map(|(_, text)| entries(text)).map(|(key, _)| form(key)).collect();
    let mut files = Vec::new();
    sources(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap(), &mut files);
    let mut missing = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        let own = source.split("#[cfg(test)]").next().unwrap_or_default();
        for text in error_texts(own) {
            for line in text.lines().filter(|line| !line.starts_with("fio: ")) {
                let form = form(line);
                if has_words(&form) && !keys.contains(&form) {
                    missing.push(format!("{}: {form}", file.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{} errors:\n{}", missing.len(), missing.join("\n"));
}

/// Every text that the help of a command or of one under it shows.
fn help_texts(command: &Command, found: &mut BTreeSet<String>) {
    let own = [command.get_about(), command.get_long_about()];
    let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
    let args = shown.flat_map(|arg| [arg.get_help(), arg.get_long_help()]);
    found.extend(own.into_iter().chain(args).flatten().map(ToString::to_string));
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    commands.for_each(|command| help_texts(command, found));
}

#[test]
fn every_help_has_its_korean() {
    let mut found = BTreeSet::new();
    help_texts(&crate::command_line(), &mut found);
    assert!(found.len() > 200, "{} texts", found.len());
    let paragraphs = found.iter().flat_map(|text| text.split("\n\n"));
    let missing: Vec<&str> =
        paragraphs.filter(|text| !is_translated(Lang::Ko, &text.replace('\n', " "))).collect();
    assert!(missing.is_empty(), "{} texts:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn every_entry_has_the_quantities_of_its_key_and_stands_once() {
    let mut seen = BTreeSet::new();
    for (file, text) in PHRASES {
        for (english, korean) in entries(text) {
            assert!(seen.insert(english), "{file}: {english} stands twice");
            let of = |text: &'static str| -> BTreeSet<&str> {
                Phrase::new(text, "").names.into_iter().collect()
            };
            assert!(of(korean).is_subset(&of(english)), "{file}: {english}\n= {korean}");
        }
    }
    assert!(seen.len() > 600, "{} entries", seen.len());
}

fn book() -> Phrasebook {
    let entries = [
        ("not there", "없음"),
        ("No limit.", "제한 없음."),
        ("{a} has {b} free", "{b} 남음: {a}"),
        ("FAILED: {why}", "실패: {why}"),
        ("{free} of {all}", "{all} 중 {free}"),
    ];
    Phrasebook::of(entries.into_iter())
}

#[test]
fn quantities_are_carried_over_and_put_into_the_language_where_they_are_sentences() {
    let text = |english: &str| book().text(english, DEEPEST);
    assert_eq!(text("/a {b} has 1 GB free").as_deref(), Some("1 GB 남음: /a {b}"));
    assert_eq!(text("FAILED: not there").as_deref(), Some("실패: 없음"));
    assert_eq!(text("FAILED: EIO").as_deref(), Some("실패: EIO"));
    assert_eq!(text("fathom: /a: not there").as_deref(), Some("fathom: /a: 없음"));
    assert_eq!(text("FAILED: /a has 1 GB free").as_deref(), Some("실패: 1 GB 남음: /a"));
    assert_eq!(text("anything else"), None);
    assert_eq!(text("fathom: /a has 1 GB free").as_deref(), Some("fathom: 1 GB 남음: /a"));
    assert_eq!(text("1 GB of 2 GB").as_deref(), Some("2 GB 중 1 GB"));
    assert_eq!(text("a volume of 1 to 2 GB"), None);
}

#[test]
fn of_several_sentences_each_is_tried_alone() {
    let text = |english: &str| book().text(english, DEEPEST);
    assert_eq!(text("No limit. Else. No limit.").as_deref(), Some("제한 없음. Else. 제한 없음."));
    assert_eq!(text("fathom: not there").as_deref(), Some("fathom: 없음"));
    assert_eq!(text("fathom: a; b has 1 GB free").as_deref(), Some("fathom: 1 GB 남음: a; b"));
}
