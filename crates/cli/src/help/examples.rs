//! `--help` of all commands fits a terminal of 80 columns, and each example stands in one line.

use super::command_in;
use clap::Command;
use fathom_message::Lang;
use unicode_width::UnicodeWidthStr;

/// Columns of the narrowest usual terminal.
const COLUMNS: usize = 80;

/// Blocks below the options of a command and of those under it that are laid out by hand.
fn hand_laid(command: &Command, path: &str, found: &mut Vec<(String, String)>) {
    let path = format!("{path} {}", command.get_name());
    let texts = [command.get_after_help(), command.get_after_long_help()];
    for text in texts.into_iter().flatten().map(ToString::to_string) {
        let blocks = text.split("\n\n").filter(|block| block.contains("\n  "));
        found.extend(blocks.map(|block| (path.trim_start().to_owned(), block.to_owned())));
    }
    command.get_subcommands().for_each(|command| hand_laid(command, &path, found));
}

/// Lines of the help of a command and of those under it that are too wide, its usage as well.
fn too_wide(command: &Command, found: &mut Vec<String>) {
    let help = command.clone().term_width(COLUMNS).render_long_help().to_string();
    let wide = help.lines().filter(|line| line.width() > COLUMNS);
    found.extend(wide.map(|line| format!("{}: {line}", command.get_name())));
    command.get_subcommands().for_each(|command| too_wide(command, found));
}

#[test]
fn help_is_wrapped_at_the_width_of_the_terminal() {
    for lang in [Lang::En, Lang::Ko] {
        let mut found = Vec::new();
        let mut command = command_in(lang, crate::command_line());
        // So that usages have the names of all commands above.
        command.build();
        too_wide(&command, &mut found);
        assert!(found.is_empty(), "{lang:?}: {} lines:\n{}", found.len(), found.join("\n"));
    }
}

#[test]
fn no_example_is_wrapped_at_80_columns() {
    for lang in [Lang::En, Lang::Ko] {
        let mut blocks = Vec::new();
        hand_laid(&command_in(lang, crate::command_line()), "", &mut blocks);
        // A build without `fathom kube` has its commands' blocks less.
        let fewest = if cfg!(feature = "kube") { 20 } else { 15 };
        assert!(blocks.len() > fewest, "{}: {blocks:?}", blocks.len());
        let long = |(path, block): &(String, String)| -> Vec<String> {
            let lines = block.lines().filter(|line| line.width() > COLUMNS);
            lines.map(|line| format!("{path}: {} columns: {line}", line.width())).collect()
        };
        let long: Vec<String> = blocks.iter().flat_map(long).collect();
        assert!(long.is_empty(), "{lang:?}: {} lines:\n{}", long.len(), long.join("\n"));
    }
}
