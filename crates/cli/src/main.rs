//! The binary: arguments, text, exit codes. No other crate prints.
//!
//! Under the name `fio`, or as `fathom fio …`, it takes fio's arguments and prints fio's outputs;
//! otherwise it has its own commands. Both make the same runs and results.
#![forbid(unsafe_code)]

// Its macro is for every module below.
#[macro_use]
mod language;

mod agent_binaries;
mod check;
mod clean;
mod cli_error;
mod compare;
mod completions;
mod course;
mod doctor;
mod exit_code;
mod fio;
mod fio_flags;
mod fleet;
mod glossary;
mod help;
mod history;
mod history_error;
mod history_file;
mod history_writer;
mod home;
mod host_probe;
mod invalid_value;
mod job_logs;
#[cfg(feature = "kube")]
mod kube;
#[cfg(not(feature = "kube"))]
#[path = "kube_absent.rs"]
mod kube;
mod limit;
mod meant_command;
mod measure;
mod missing_target;
mod output;
mod overview;
mod plan_args;
mod promises;
mod quantity;
mod report;
mod run;
mod saved_runs;
mod saved_tables;
mod serve;
mod session;
mod stale_files;
mod sweep;
mod system;
mod terminal;
#[cfg(test)]
mod tests;
mod usage_error;
mod volume_args;
mod watch;

use clap::builder::Styles;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use cli_error::CliError;
use fathom_host::Host;
use fathom_message::Lang;
use fathom_vocab::printable;
use output::{CommandFailure, check_spaced_files, write_failure};
use session::Session;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use terminal::{screen, stdout};

/// Measure storage and know what the figures mean.
#[derive(Debug, Parser)]
#[command(name = "fathom", version = env!("FATHOM_VERSION"), arg_required_else_help = true)]
#[command(max_term_width = 100, after_help = AFTER_HELP)]
struct Cli {
    /// Language of verdicts, findings, remarks and reports: en or ko [default: from the locale]
    ///
    /// The locale is that of LC_ALL, LC_MESSAGES or LANG, and in a browser what it asks for. What
    /// is for machines is always English.
    #[arg(long, global = true, value_name = "LANG", display_order = 900)]
    lang: Option<Lang>,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  fathom measure /mnt/data                    what does this volume give?
  fathom compare /mnt/a /mnt/b                which of two volumes is better?
  fathom check /mnt/data --promise aws.gp3    does it keep what was promised?
  fathom help p99                             what does a term mean?";

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure what a volume gives: latency, IOPS and throughput; several volumes side by side
    Measure(Box<measure::MeasureArgs>),
    /// Run fio's jobs, and say what their figures mean: table, verdicts, history
    Run(Box<run::RunArgs>),
    /// Check whether a volume keeps what its provider promises, or limits by hand
    Check(Box<check::CheckArgs>),
    /// Vary options of a job and show how the figures of a volume change: curves, and their knee
    Sweep(Box<sweep::SweepArgs>),
    /// Say which of several volumes is better, or what changed between runs, and how sure that is
    Compare(Box<compare::CompareArgs>),
    /// Find the highest rate at which response times still hold, as --p99 1ms
    Limit(Box<limit::LimitArgs>),
    /// Say what this host could drive, and what stands in the way of measuring well
    Doctor(doctor::DoctorArgs),
    /// Remove test files that killed runs left behind, and only what is proved to be such
    Clean(clean::CleanArgs),
    /// Show what devices do, live, whoever uses them: IOPS, MB/s, waiting times, queues
    Watch(watch::WatchArgs),
    /// List, show, tag, export and remove the runs that were kept
    History(Box<history::HistoryArgs>),
    /// Make a report of runs or files of results; several are compared
    Report(report::ReportCommand),
    /// Show the history, reports, comparisons and live runs in a browser, at a local address
    Serve(serve::ServeArgs),
    /// Say what providers promise of their volumes: IOPS, throughput, bursts, with the source
    Promises(promises::PromisesArgs),
    /// Be measured on by a Fathom elsewhere (--on HOST), over standard input and output
    Agent(fleet::AgentArgs),
    /// Say what storage a Kubernetes cluster offers; measure StorageClasses from pods
    Kube(Box<kube::KubeArgs>),
    /// Run kubestr's commands: its flags, its text, its JSON and its exit codes
    #[command(disable_help_flag = true)]
    Kubestr {
        /// Arguments as for kubestr; `fathom kubestr --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Print completions for a shell; `man-pages` writes man pages
    Completions(completions::CompletionsArgs),
    #[command(hide = true)]
    ManPages(completions::ManPagesArgs),
    /// Run fio's jobs: job files and command line as fio takes them, outputs as fio gives them
    #[command(disable_help_flag = true)]
    Fio {
        /// Arguments as for fio; `fathom fio --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    stdout::finish(command(std::env::args_os().collect()))
}

fn command(args: Vec<OsString>) -> ExitCode {
    let host = fathom_run::local_host();
    if let Some(code) = dropped_in(&args, &host) {
        return code;
    }
    let args = as_plugin(args);
    screen::speak(asked_lang(&args));
    if let Err(why) = check_spaced_files(&args) {
        return session::ended(Err::<u8, _>(CliError::usage(why)));
    }
    let words = run::own_words_first(help_first(args));
    let cli = match parse(&words) {
        Ok(cli) => cli,
        Err(error) => return usage(error, &words),
    };
    let session = || Session::new(host.clone());
    session::ended(match cli.command {
        Command::Measure(args) => measure::measure(&args, session()),
        Command::Run(args) => run::run(&args, session()),
        Command::Check(args) => check::check(&args, session()),
        Command::Sweep(args) => sweep::sweep_on_hosts(&args, session()),
        Command::Compare(args) => compare::compare(&args, session()),
        Command::Limit(args) => limit::limit(&args, session()),
        Command::Doctor(args) => doctor::examine(&args, session()),
        Command::Clean(args) => clean::clean(&args),
        Command::Promises(args) => promises::command(&args),
        Command::Watch(args) => return watch::command(&args, host),
        Command::History(args) => history::command(&args, saved_tables::of, &host),
        Command::Report(args) => report::report(&args).map(|()| 0),
        Command::Serve(args) => serve::command(&args, cli.lang, &host),
        Command::Agent(args) => fleet::agent(&args, host),
        Command::Kube(args) => kube::command(&args, session()),
        Command::Kubestr { args } => return kube::kubestr(&args, &host, screen::lang()),
        Command::Completions(args) => completions::completions(&args, command_line()),
        Command::ManPages(args) => completions::man_pages(&args, command_line()),
        Command::Fio { args } => return fio::main(&args, &host),
    })
}

/// `fathom measure help` as `fathom help measure`, unless something there is called `help`.
fn help_first(mut args: Vec<OsString>) -> Vec<OsString> {
    if args.len() == 3 && args[2] == "help" && args[1] != "help" && !Path::new("help").exists() {
        args.swap(1, 2);
    }
    args
}

/// The command line, in the language that it asks for: so are its help and its errors. Says which
/// flags it takes under another name.
fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    let lang = screen::speak(asked_lang(words));
    let mut commands = help::command_in(lang, command_line());
    let matches = commands.try_get_matches_from_mut(glossary::without_lang(words))?;
    let cli = Cli::from_arg_matches(&matches)?;
    for renamed in fio_flags::renamed(&commands, words) {
        screen::warn_line(format_args!("fathom: {renamed}"));
    }
    Ok(cli)
}

/// The definition of the command line.
fn command_line() -> clap::Command {
    Cli::command()
}

/// The language that `--lang` names, wherever it stands. One that is none is refused later.
fn asked_lang(words: &[OsString]) -> Option<Lang> {
    let mut words = words.iter().map_while(|word| word.to_str().filter(|word| *word != "--"));
    while let Some(word) = words.next() {
        match word.strip_prefix("--lang") {
            Some("") => return words.next()?.parse().ok(),
            Some(value) if value.starts_with('=') => return value[1..].parse().ok(),
            _ => {}
        }
    }
    None
}

/// Says what help was asked for, of a command or a term, or what is wrong with the command line,
/// and gives the exit code.
fn usage(error: clap::Error, words: &[OsString]) -> ExitCode {
    use clap::error::ErrorKind::{
        DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion, MissingSubcommand,
    };
    if let Some(code) = glossary::answered(words, &command_line()) {
        return code;
    }
    let number = u8::try_from(error.exit_code()).unwrap_or(2);
    let code = ExitCode::from(number);
    let is_bare = [DisplayHelpOnMissingArgumentOrSubcommand, MissingSubcommand];
    if is_bare.contains(&error.kind()) && overview::is_asked(words) {
        screen::warn(&overview::text(&screen::Screen::detect().of_stderr()));
        return code;
    }
    if let DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand = error.kind() {
        // Quotes nothing, so it may have colours.
        stdout::note(print_help(&error));
        return code;
    }
    // An error quotes the arguments, so they are parsed again in escaped form and without colours:
    // then clap adds no escapes of its own.
    let shown = words.iter().map(|word| printable::line(&word.to_string_lossy()).into_owned());
    let shown: Vec<String> = shown.collect();
    let mut plain = command_line().styles(Styles::plain());
    let mut error = plain.try_get_matches_from_mut(&shown).err().unwrap_or(error);
    meant_command::suggest(&mut error, &plain, &shown);
    fio_flags::suggest(&mut error, &plain, &shown);
    missing_target::suggest(&mut error, &shown);
    screen::warn(&format!("{}\n", usage_error::text(&error, screen::lang()).trim_end()));
    let failure =
        CommandFailure { why: usage_error::first_paragraph(&error), place: None, code: number };
    write_failure(words, &failure);
    code
}

/// Prints help or the version.
fn print_help(answer: &clap::Error) -> std::io::Result<()> {
    match answer.use_stderr() {
        // A full standard error leaves no place for a message.
        true => answer.print().or(Ok(())),
        false if screen::lang() == Lang::En => {
            let mut out = stdout::lock()?;
            answer.print()?;
            out.flush()
        }
        false => {
            let text = help::text_in(screen::lang(), &answer.render().to_string());
            let mut out = stdout::lock()?;
            out.write_all(text.as_bytes())?;
            out.flush()
        }
    }
}

/// Does what a drop-in is asked for, by its name or as a subcommand. Before clap sees the
/// arguments: they follow the other program's rules, whatever they look like.
fn dropped_in(args: &[OsString], host: &Host) -> Option<ExitCode> {
    let is_subcommand = |name: &str| args.get(1).is_some_and(|first| first == name);
    let kubestr = |args| kube::kubestr(args, host, screen::locale_lang());
    match () {
        () if is_called(args, "kubestr") => Some(kubestr(&args[1..])),
        () if is_called(args, "fio") => Some(fio::main(&args[1..], host)),
        () if is_subcommand("kubestr") => Some(kubestr(&args[2..])),
        () if is_subcommand("fio") => Some(fio::main(&args[2..], host)),
        () => None,
    }
}

/// Under the name `kubectl-fathom` kubectl runs the binary for `kubectl fathom …`, which is
/// `fathom kube …`.
fn as_plugin(mut args: Vec<OsString>) -> Vec<OsString> {
    if is_called(&args, "kubectl-fathom") {
        args[0] = OsString::from("fathom");
        args.insert(1, OsString::from("kube"));
    }
    args
}

/// Whether the binary goes by the name of another program, as through a link.
fn is_called(args: &[OsString], program: &str) -> bool {
    let name = args.first().and_then(|path| Path::new(path).file_name()?.to_str());
    name.is_some_and(|name| name.strip_suffix(EXE_SUFFIX).unwrap_or(name) == program)
}
