//! Splits a command line into options, values and files, like `getopt_long_only`.

use super::table::{Argument, CliOption, cli_options};
use crate::build::unknown;
use crate::error::{ErrorKind, JobError};
use crate::options::{Category, OptionRow, OptionStatus, find_option, nearest, options};
use crate::origin::Origin;
use fathom_text::text;

/// The meaning of an argument.
pub(super) enum WordMeaning {
    /// An option of the program.
    Cli(&'static CliOption),
    /// A job option, with the given name.
    Job(&'static OptionRow, String),
    /// A job file.
    File(String),
}

/// One option with its value, or one file.
pub(super) struct Word {
    pub found: WordMeaning,
    pub value: Option<String>,
    pub origin: Origin,
}

/// The words of a command line.
pub(super) struct ArgumentWords<'a> {
    args: std::slice::Iter<'a, String>,
    /// After `--` all words are files.
    only_files: bool,
}

impl<'a> ArgumentWords<'a> {
    pub fn new(args: &'a [String]) -> ArgumentWords<'a> {
        ArgumentWords { args: args.iter(), only_files: false }
    }

    /// The next option or file.
    pub fn next(&mut self) -> Result<Option<Word>, JobError> {
        let Some(arg) = self.args.next() else { return Ok(None) };
        if arg == "--" && !self.only_files {
            self.only_files = true;
            return self.next();
        }
        let origin = Origin::CommandLine(arg.clone());
        if self.only_files || arg == "-" || !arg.starts_with('-') {
            return Ok(Some(Word { found: WordMeaning::File(arg.clone()), value: None, origin }));
        }
        let long = arg.strip_prefix("--");
        let short = if long.is_none() { self.short(arg)? } else { None };
        if short.is_some() {
            return Ok(short);
        }
        let body = long.unwrap_or(&arg[1..]);
        let (name, value) = body.split_once('=').map_or((body, None), |(n, v)| (n, Some(v)));
        let found = look_up(name, arg)?;
        let value = self.value(&found, value, arg)?;
        Ok(Some(Word { found, value, origin }))
    }

    /// `-o FILE`, `-v`: one letter that is a short option, unless more letters make a long one.
    fn short(&mut self, arg: &str) -> Result<Option<Word>, JobError> {
        let mut letters = arg[1..].chars();
        let Some(letter) = letters.next() else { return Ok(None) };
        let Some(option) = cli_options().iter().find(|option| option.short == Some(letter)) else {
            return Ok(None);
        };
        let attached = letters.as_str();
        if !attached.is_empty() {
            let name = arg[1..].split('=').next().unwrap_or_default();
            let is_long = look_up(name, arg).is_ok();
            if is_long || option.argument == Argument::None {
                return Ok(None);
            }
        }
        let found = WordMeaning::Cli(option);
        let value = self.value(&found, Some(attached).filter(|a| !a.is_empty()), arg)?;
        Ok(Some(Word { found, value, origin: Origin::CommandLine(arg.to_string()) }))
    }

    /// The value: after `=`, or the next word if one is needed.
    fn value(
        &mut self,
        found: &WordMeaning,
        attached: Option<&str>,
        arg: &str,
    ) -> Result<Option<String>, JobError> {
        let argument = match found {
            WordMeaning::Cli(option) => option.argument,
            WordMeaning::Job(row, _) if row.kind.value_is_optional() => Argument::Optional,
            _ => Argument::Required,
        };
        let origin = || Origin::CommandLine(arg.to_string());
        match (argument, attached) {
            (Argument::None, Some(_)) => {
                let message = text!("fio: option '{arg}' doesn't allow an argument");
                Err(JobError::new(ErrorKind::CommandLine, message, origin())
                    .hinted("Leave out what follows the '='."))
            }
            (Argument::Required, None) => self.args.next().cloned().map(Some).ok_or_else(|| {
                let message = text!("fio: option '{arg}' requires an argument");
                JobError::new(ErrorKind::CommandLine, message, origin())
                    .hinted(text!("Write {arg}=VALUE."))
            }),
            (_, attached) => Ok(attached.map(str::to_string)),
        }
    }
}

/// The option of this name, or of this unique beginning.
fn look_up(name: &str, arg: &str) -> Result<WordMeaning, JobError> {
    if let Some(option) = cli_options().iter().find(|option| option.name == name) {
        return Ok(WordMeaning::Cli(option));
    }
    if let Some(row) = find_option(name) {
        return Ok(WordMeaning::Job(row, name.to_string()));
    }
    if name.is_empty() {
        return Err(unrecognized(name, arg));
    }
    beginning(name, arg)
}

/// All options that begin with `name` must be one option. Options of one engine count only if
/// nothing else fits: fio knows them only once the engine was named. Unsupported ones never count.
fn beginning(name: &str, arg: &str) -> Result<WordMeaning, JobError> {
    let cli = cli_options().iter().filter(|option| option.name.starts_with(name));
    let cli: Vec<&'static CliOption> = cli.collect();
    let rows = |private: bool| -> Vec<(&'static OptionRow, &'static str)> {
        options()
            .iter()
            .filter(|row| (row.category == Category::Engine) == private)
            .filter(|row| !matches!(row.status, OptionStatus::Refused(_)))
            .flat_map(|row| row.names().map(move |alias| (row, alias)))
            .filter(|(_, alias)| alias.starts_with(name))
            .collect()
    };
    let mut job = rows(false);
    if job.is_empty() && cli.is_empty() {
        job = rows(true);
    }
    let one_row = job.first().filter(|(row, _)| job.iter().all(|(r, _)| r.name == row.name));
    match (cli.as_slice(), one_row) {
        ([], Some((row, alias))) => Ok(WordMeaning::Job(row, (*alias).to_string())),
        ([option], _) if job.is_empty() => Ok(WordMeaning::Cli(option)),
        ([], None) if job.is_empty() => Err(unrecognized(name, arg)),
        _ => {
            let cli = cli.iter().map(|option| option.name);
            let all: Vec<String> = cli
                .chain(job.iter().map(|(_, alias)| *alias))
                .map(|n| format!("'--{n}'"))
                .collect();
            let message = text!("fio: option '{arg}' is ambiguous");
            let origin = Origin::CommandLine(arg.to_string());
            Err(JobError::new(ErrorKind::CommandLine, message, origin)
                .hinted(text!("It could be {}.", all.join(" "))))
        }
    }
}

/// The error for an option that is neither the program's nor a job's.
fn unrecognized(name: &str, arg: &str) -> JobError {
    let near = nearest(
        name,
        options()
            .iter()
            .flat_map(OptionRow::names)
            .chain(cli_options().iter().map(|option| option.name)),
    );
    let origin = Origin::CommandLine(arg.to_string());
    let hint = near.map(|near| text!("Did you mean {near}?")).unwrap_or_default();
    unknown(name, None, &origin).hinted(hint)
}
