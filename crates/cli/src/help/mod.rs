//! `--help` in the user's language: the catalogue has every text of the command line's definition,
//! and this module sets the headings that clap would write itself.
//!
//! Commands in examples stay unchanged; the remarks beside them are translated.

use crate::language::in_language;
use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command};
use fathom_message::Lang;
use unicode_width::UnicodeWidthStr;

/// The order of the parts, with the one heading that clap does not let us name.
const KOREAN_TEMPLATE: &str =
    "{before-help}{about-with-newline}\n사용법: {usage}\n\n{all-args}{after-help}";

/// `command` with its help in `lang`.
pub fn command_in(lang: Lang, command: Command) -> Command {
    match lang {
        Lang::En => english(command),
        Lang::Ko => korean(command),
    }
}

/// `command` with each of its subcommands changed.
pub fn each_below(command: Command, change: fn(Command) -> Command) -> Command {
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, change))
}

/// The texts below the options, with running text in one line: clap wraps it to the terminal, and
/// would wrap lines of the source a second time.
fn english(command: Command) -> Command {
    let after = [command.get_after_help(), command.get_after_long_help()];
    let [after_help, after_long_help] = after.map(|text| text.map(|text| joined(&words(text))));
    let command = each_below(command, english);
    let command = after_help.into_iter().fold(command, Command::after_help);
    after_long_help.into_iter().fold(command, Command::after_long_help)
}

/// Running text with each paragraph in one line; examples and lists as they are.
fn joined(text: &str) -> String {
    let block = |block: &str| match is_list(block) {
        true => block.to_owned(),
        false => block.lines().collect::<Vec<_>>().join(" "),
    };
    text.split("\n\n").map(block).collect::<Vec<_>>().join("\n\n")
}

fn is_list(block: &str) -> bool {
    block.lines().any(|line| line.starts_with("  "))
}

fn korean(command: Command) -> Command {
    let texts = [command.get_about(), command.get_long_about()].map(|text| text.map(words));
    let after =
        [command.get_after_help(), command.get_after_long_help()].map(|text| text.map(words));
    let [about, long_about] = texts.map(|text| text.map(|text| paragraphs(&text)));
    let [after_help, after_long_help] = after.map(|text| text.map(|text| lines(&text)));
    let mut command = each_below(command.mut_args(argument), korean);
    if !command.is_disable_help_flag_set() {
        let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
        let help = help.help("도움말을 표시합니다(-h는 요약, --help는 전체)").help_heading("옵션");
        command = command.disable_help_flag(true).arg(help);
    }
    command = command.subcommand_help_heading("명령").subcommand_value_name("명령");
    command = about.into_iter().fold(command, Command::about);
    command = long_about.into_iter().fold(command, Command::long_about);
    command = after_help.into_iter().fold(command, Command::after_help);
    command = after_long_help.into_iter().fold(command, Command::after_long_help);
    command.help_template(KOREAN_TEMPLATE)
}

/// Sentences that clap adds to help, and to the programs that it generates.
const SENTENCES_OF_CLAP: [(&str, &str); 2] = [
    (
        "Print this message or the help of the given subcommand(s)",
        "이 도움말이나 명령의 도움말을 표시합니다",
    ),
    ("Print version", "버전을 표시합니다"),
];

/// Other words that clap adds to help itself.
const WORDS_OF_CLAP: [(&str, &str); 7] = [
    ("Options:", "그 밖의 옵션:"),
    ("[OPTIONS]", "[옵션]"),
    ("[default:", "[기본값:"),
    ("[possible values:", "[가능한 값:"),
    // A heading that is broken between two lines.
    ("[possible\n", "[가능한 값:\n"),
    ("Possible values:", "가능한 값:"),
    ("[alias:", "[별칭:"),
];

/// A script that clap made, with clap's sentences in `lang`: other words may be syntax.
pub fn script_in(lang: Lang, script: &str) -> String {
    let sentences = SENTENCES_OF_CLAP.iter().filter(|_| lang == Lang::Ko);
    sentences.fold(script.to_owned(), |text, (own, korean)| text.replace(own, korean))
}

/// Help as clap made it, in `lang` throughout.
pub fn text_in(lang: Lang, help: &str) -> String {
    if lang == Lang::En {
        return help.to_owned();
    }
    let own = WORDS_OF_CLAP.iter();
    let text = own.fold(script_in(lang, help), |text, (own, korean)| text.replace(own, korean));
    text.split('\n').map(value_of_option).map(without_rest).collect::<Vec<_>>().join("\n")
}

/// A line that begins with the rest of a heading, which the line before has in full.
fn without_rest(line: String) -> String {
    match line.trim_start().strip_prefix("values: ") {
        Some(values) => format!("{}{values}", &line[..line.len() - line.trim_start().len()]),
        None => line,
    }
}

/// A line `- overlap:  Each has all of it`, which explains a value.
fn value_of_option(line: &str) -> String {
    let said = line.trim_start().strip_prefix("- ").and_then(|rest| rest.split_once(": "));
    said.map_or(line.to_owned(), |(_, said)| {
        let said = said.trim();
        line.replace(said, &in_language(Lang::Ko, said))
    })
}

fn argument(arg: Arg) -> Arg {
    let heading = match arg.get_help_heading() {
        Some(heading) => in_language(Lang::Ko, heading),
        None if arg.is_positional() => "인수".to_owned(),
        None => "옵션".to_owned(),
    };
    let help = arg.get_help().map(|text| paragraphs(&words(text)));
    let long = arg.get_long_help().map(|text| paragraphs(&words(text)));
    let arg = help.into_iter().fold(arg, Arg::help);
    long.into_iter().fold(arg, Arg::long_help).help_heading(leaked(heading))
}

/// clap needs headings for the life of the process, and there are few.
fn leaked(heading: String) -> &'static str {
    Box::leak(heading.into_boxed_str())
}

fn words(text: &StyledStr) -> String {
    text.to_string()
}

/// Paragraphs of running text.
fn paragraphs(text: &str) -> String {
    let each = text.split("\n\n").map(|paragraph| in_language(Lang::Ko, paragraph));
    each.collect::<Vec<_>>().join("\n\n")
}

/// Blocks that are laid out by hand: examples line by line, running text as a whole, which clap
/// wraps.
fn lines(text: &str) -> String {
    text.split("\n\n").map(block).collect::<Vec<_>>().join("\n\n")
}

/// Examples with their remarks in `lang`.
pub fn example_lines(lang: Lang, text: &str) -> String {
    match lang {
        Lang::En => text.to_owned(),
        Lang::Ko => text.lines().map(line).collect::<Vec<_>>().join("\n"),
    }
}

fn block(text: &str) -> String {
    if is_list(text) {
        return text.lines().map(line).collect::<Vec<_>>().join("\n");
    }
    in_language(Lang::Ko, &joined(text))
}

/// Words of the output that a list in the help explains.
const EXPLAINED: [&str; 3] = ["warning", "note", "ok"];

/// A line of an example: the command, and after two spaces or more its explanation.
fn line(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let (margin, rest) = line.split_at(indent);
    match rest.find("  ") {
        Some(at) => {
            let said = rest[at..].trim_start();
            let gap = &rest[at..rest.len() - said.len()];
            let head = match &rest[..at] {
                word if EXPLAINED.contains(&word) => in_language(Lang::Ko, word),
                command => command.to_owned(),
            };
            let gap = " ".repeat((at + gap.len()).saturating_sub(head.width()).max(2));
            // In a file the explanation is a comment.
            let (mark, said) = said.split_at(if said.starts_with("# ") { 2 } else { 0 });
            format!("{margin}{head}{gap}{mark}{}", in_language(Lang::Ko, said))
        }
        None => format!("{margin}{}", in_language(Lang::Ko, rest)),
    }
}

#[cfg(test)]
mod examples;

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_text::translation;

    /// Collects texts of a definition without a Korean translation.
    fn missing(command: &Command, found: &mut Vec<String>) {
        let mut look = |text: Option<&StyledStr>| {
            for paragraph in text.map(words).unwrap_or_default().split("\n\n") {
                let joined = paragraph.lines().collect::<Vec<_>>().join(" ");
                // Lines of examples and lists are looked at by eye.
                let is_list = paragraph.lines().any(|line| line.starts_with("  "));
                if !joined.is_empty() && !is_list && translation(Lang::Ko, &joined).is_none() {
                    found.push(joined);
                }
            }
        };
        look(command.get_about());
        look(command.get_long_about());
        look(command.get_after_long_help());
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            look(arg.get_help());
            look(arg.get_long_help());
            look(arg.get_help_heading().map(|of| StyledStr::from(of.to_owned())).as_ref());
        }
        let visible = |command: &&Command| !command.is_hide_set();
        command.get_subcommands().filter(visible).for_each(|command| missing(command, found));
    }

    #[test]
    fn texts_of_commands_and_options_without_korean_are_named() {
        let mut found = Vec::new();
        missing(&crate::command_line(), &mut found);
        #[cfg(feature = "kube")]
        missing(&crate::kube::kubestr_command_line(), &mut found);
        found.sort();
        found.dedup();
        found.iter().for_each(|text| println!("WARNING: no Korean for {text}"));
    }

    #[test]
    fn running_text_below_the_options_is_for_the_terminal_to_wrap() {
        let text = "Examples:\n  fathom a    one\n  fathom b    two\n\nA text\nof two lines.";
        assert_eq!(joined(text), text.replace("text\nof", "text of"));
        let command = Command::new("x").after_long_help(text);
        let help = english(command).render_long_help().to_string();
        assert!(help.contains("A text of two lines."), "{help}");
    }

    #[test]
    fn commands_of_examples_stay_and_what_is_said_of_them_is_korean() {
        let help = korean(crate::command_line()).render_long_help().to_string();
        assert!(help.contains("사용법: fathom"), "{help}");
        assert!(help.contains("fathom measure /mnt/data"), "{help}");
        assert!(!help.contains("what does this volume give?"), "{help}");
    }

    #[test]
    fn headings_of_clap_are_korean_where_lines_break_too() {
        let help =
            "files: each its own [alias:\n   --destroy] [default: 1] [possible\n   values: a]";
        let told = "files: each its own [별칭:\n   --destroy] [기본값: 1] [가능한 값:\n   a]";
        assert_eq!(text_in(Lang::Ko, help), told);
        assert_eq!(text_in(Lang::Ko, "Usage: fathom [OPTIONS]"), "Usage: fathom [옵션]");
    }
}
