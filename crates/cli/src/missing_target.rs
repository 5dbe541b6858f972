//! What to write where a command lacks its target: an example in the tip below clap's error.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// A line that works for each command that takes a folder.
const EXAMPLES: [(&str, &str); 7] = [
    ("measure", "fathom measure ."),
    ("limit", "fathom limit . --p99 1ms"),
    ("check", "fathom check . --iops 3000"),
    ("sweep", "fathom sweep ."),
    ("run", "fathom run --name=a --size=1g --rw=randread"),
    ("watch", "fathom watch ."),
    ("doctor", "fathom doctor ."),
];

/// Sets the tip of an error about a missing target; `words` are the command line.
pub fn suggest(error: &mut Error, words: &[String]) {
    if error.kind() != ErrorKind::MissingRequiredArgument || !has_example(error) {
        return;
    }
    let command = words.iter().skip(1).find(|word| EXAMPLES.iter().any(|(name, _)| name == word));
    let example = EXAMPLES.iter().find(|(name, _)| Some(*name) == command.map(String::as_str));
    if let Some((_, line)) = example {
        let tip = match line.split(' ').any(|word| word == ".") {
            true => localized!("for example `{line}`, where . is the current folder"),
            false => localized!("for example `{line}`"),
        };
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
}

/// Whether the target or what it is held to is missing.
fn has_example(error: &Error) -> bool {
    let has = |missing: &String| {
        ["DIR", "JOBFILE", "--promise"].iter().any(|part| missing.contains(part))
    };
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.iter().any(has),
        Some(ContextValue::String(missing)) => has(missing),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut error = crate::command_line().try_get_matches_from(&words).unwrap_err();
        suggest(&mut error, &words);
        error.to_string()
    }

    #[test]
    fn a_command_without_its_target_shows_an_example() {
        let tip = "tip: for example `fathom measure .`, where . is the current folder";
        assert!(told("fathom measure").contains(tip), "{}", told("fathom measure"));
        assert!(told("fathom limit --p99 1ms").contains("`fathom limit . --p99 1ms`"));
        assert!(told("fathom check /mnt").contains("`fathom check . --iops 3000`"));
        assert!(told("fathom run").contains("tip: for example `fathom run --name=a"));
        assert!(!told("fathom history rm").contains("tip:"));
    }

    #[test]
    fn each_example_is_a_line_that_is_taken() {
        for (_, line) in EXAMPLES {
            let words = line.split(' ');
            assert!(crate::command_line().try_get_matches_from(words).is_ok(), "{line}");
        }
    }
}
