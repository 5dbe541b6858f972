//! Unknown flags on the command lines of Fathom's own commands: options of fio, and flags with a
//! word too many before them, as `--min-iops`.
//!
//! clap advises the flag with the most letters in common, `--verdicts` for `--direct`, and takes
//! hidden aliases without a word.

use crate::language::{in_language, lang, word};
use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use fathom_job::{find_option, nearest};
use std::ffi::OsString;

/// Options of fio that have another name here, in commands that have them.
const FLAGS: [(&str, &str); 6] = [
    ("rwmixread", "rwmix"),
    ("ramp_time", "ramp"),
    ("readonly", "read-only"),
    ("randseed", "seed"),
    ("loops", "repeat"),
    ("ioengine", "engine"),
];

/// Other words for flags.
const MEANT: [(&str, &str); 3] =
    [("html", "report"), ("queue-depth", "iodepth"), ("qd", "iodepth")];

/// Options of fio that need no flag here, and why.
const NEEDLESS: [(&str, &str); 4] = [
    ("direct", "tests go past the page cache by themselves, where that is possible"),
    ("time_based", "each test runs for its whole time by itself"),
    ("filename", "name the file or device without a flag"),
    ("directory", "name the folder without a flag"),
];

/// Sets the tip of an error about an unknown flag that is an option of fio; `words` are the command
/// line, and `commands` its definition.
pub fn suggest(error: &mut Error, commands: &Command, words: &[String]) {
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return };
    let command = subcommand(commands, words.iter().map(String::as_str));
    let own = || tip(unknown, command).or_else(|| shorter(unknown, command));
    let own = own().or_else(|| elsewhere(unknown, commands)).or_else(|| near(unknown, command));
    let Some(tip) = own else {
        // clap compares by common letters: it named `--verbose` for `--promise`.
        if error.remove(ContextKind::SuggestedArg).is_some() {
            error.remove(ContextKind::Usage);
        }
        return;
    };
    error.remove(ContextKind::SuggestedArg);
    // It would have the flag of clap's advice.
    error.remove(ContextKind::Usage);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
}

/// The flag that remains of an unknown one without its first word: `--iops` of `--min-iops`.
fn shorter(unknown: &str, command: &Command) -> Option<String> {
    let (_, flag) = unknown.trim_start_matches('-').split_once('-')?;
    let mut flags = command.get_arguments().filter_map(|arg| arg.get_long());
    flags.any(|own| own == flag).then(|| similar(flag))
}

/// The flag that is meant by another word, or else the one with the fewest edits, if it is near.
fn near(unknown: &str, command: &Command) -> Option<String> {
    let flags = || command.get_arguments().filter_map(|arg| arg.get_long());
    let name = unknown.trim_start_matches('-');
    let other = MEANT.iter().find(|(word, _)| *word == name);
    let meant = match name {
        _ if other.is_some() => flags().find(|flag| other.is_some_and(|(_, own)| own == flag)),
        name if flags().any(|flag| flag == name) => None,
        name => nearest(name, flags()),
    };
    meant.map(similar)
}

/// The tip that names a flag, in clap's words.
fn similar(flag: &str) -> String {
    localized!("a similar argument exists: '--{flag}'")
}

/// The command that has this very flag.
fn elsewhere(unknown: &str, commands: &Command) -> Option<String> {
    let name = unknown.strip_prefix("--")?;
    let has = |command: &&Command| command.get_arguments().any(|arg| arg.get_long() == Some(name));
    let mut all = commands.get_subcommands().filter(|command| !command.is_hide_set());
    let command = all.find(has)?;
    Some(localized!("'fathom {}' has {unknown}", command.get_name()))
}

/// What an option of fio is here; none if fio does not know it either.
fn tip(unknown: &str, command: &Command) -> Option<String> {
    let name = unknown.trim_start_matches('-').replace('-', "_");
    let option = find_option(&name).map(|row| row.name);
    let has = |flag: &str| command.get_arguments().any(|arg| arg.get_long() == Some(flag));
    let renamed = FLAGS.iter().find(|(own, _)| *own == name).map(|(_, flag)| *flag);
    if let Some(flag) = renamed.or(option).filter(|flag| has(flag)) {
        return Some(localized!("fio's {unknown} is --{flag} here"));
    }
    let option = option?;
    Some(match NEEDLESS.iter().find(|(own, _)| *own == option) {
        Some((_, why)) => localized!("fio's {unknown} is not needed: {why}", why = word(why)),
        None => localized!("{unknown} is an option of fio: `fathom run` takes it"),
    })
}

/// Flags of the command line under names that its help does not show, each with what it is.
pub fn renamed(commands: &Command, words: &[OsString]) -> Vec<String> {
    let words: Vec<&str> = words.iter().map_while(|word| word.to_str()).collect();
    let command = subcommand(commands, words.iter().copied());
    let flags = words.iter().take_while(|word| **word != "--");
    let typed = flags.filter_map(|word| word.strip_prefix("--")?.split('=').next());
    let hidden = typed.filter_map(|name| {
        let arg = command.get_arguments().find(|arg| {
            let is_visible = arg.get_visible_aliases().unwrap_or_default().contains(&name);
            !is_visible && arg.get_all_aliases().unwrap_or_default().contains(&name)
        })?;
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        Some(localized!(
            "--{name} is taken as --{}: {}",
            arg.get_long()?,
            in_language(lang(), &help)
        ))
    });
    hidden.collect()
}

/// The command that words name, without its arguments.
fn subcommand<'c, 'w>(commands: &'c Command, words: impl Iterator<Item = &'w str>) -> &'c Command {
    let named = words.skip(1).take_while(|word| *word != "--");
    named.fold(commands, |command, word| command.find_subcommand(word).unwrap_or(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_too_many_before_a_flag_is_left_out() {
        let check = crate::command_line();
        let check = check.find_subcommand("check").expect("a command");
        let said = "a similar argument exists: '--iops'";
        assert_eq!(shorter("--min-iops", check).as_deref(), Some(said));
        assert_eq!(shorter("--iopsx", check), None);
    }

    #[test]
    fn only_a_near_flag_is_named_or_the_command_that_has_it() {
        for (line, tip) in [
            ("fathom limit --p99 1ms --promise aws.gp3 /x", Some("'fathom check' has --promise")),
            ("fathom check --iops 1 --html=c.html /x", Some("'--report'")),
            ("fathom measure --verbos /x", Some("'--verbose'")),
            ("fathom measure --xyzzyx /x", None),
        ] {
            let text = told(line);
            assert!(tip.is_some() || !text.contains("similar"), "{text}");
            assert!(tip.is_none_or(|tip| text.contains(tip)), "{line}: {text}");
        }
    }

    fn told(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut error = crate::command_line().try_get_matches_from(&words).unwrap_err();
        suggest(&mut error, &crate::command_line(), &words);
        error.to_string()
    }

    #[test]
    fn options_of_fio_are_answered_with_the_flag_that_they_are_here() {
        for (line, tip) in [
            ("fathom measure --direct=1 /x", "tip: fio's --direct is not needed: tests go past"),
            ("fathom measure --blocksize=4k /x", "tip: fio's --blocksize is --bs here"),
            ("fathom measure --readonly /x", "tip: fio's --readonly is --read-only here"),
            ("fathom measure --filename=/x", "tip: fio's --filename is not needed: name the file"),
            ("fathom check --loops=2 /x", "tip: --loops is an option of fio: `fathom run` takes"),
            ("fathom sweep --ramp_time=2s /x", "tip: fio's --ramp_time is --ramp here"),
        ] {
            let text = told(line);
            assert!(text.contains(tip) && text.matches("tip:").count() == 1, "{line}: {text}");
        }
        assert!(told("fathom measure --verdict /x").contains("'--verdicts'"));
    }

    #[test]
    fn a_flag_under_a_hidden_name_is_told() {
        let renamed = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            renamed(&crate::command_line(), &words)
        };
        let told = renamed("fathom measure /x --runtime=30s");
        assert!(told[0].starts_with("--runtime is taken as --time: Measuring time"), "{told:?}");
        assert_eq!(renamed("fathom measure /x --time 30s --depth 4"), Vec::<String>::new());
        assert_eq!(renamed("fathom run --name=x --runtime=3"), Vec::<String>::new());
    }
}
