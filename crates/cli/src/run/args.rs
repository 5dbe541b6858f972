//! Arguments of `fathom run`. Its own options may appear anywhere among fio's, because users append
//! them to an existing command; all other arguments follow fio's rules.

use crate::course::CourseArgs;
use crate::output::JunitArgs;
use crate::quantity::parse_time;
use clap::Args;
use fathom_document::Assertion;
use fathom_job::{ErrorKind, JobError, OptionRow, Origin, nearest, options};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The command line of `fathom run`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct RunArgs {
    /// End the run as soon as it is steady by SNIA's rules: five rounds of so long each that range
    /// over at most 20 % of their mean and drift by at most 10 %
    #[arg(long, value_name = "ROUND", num_args = 0..=1, require_equals = true,
          default_missing_value = "60s", value_parser = parse_time)]
    pub steady: Option<Duration>,

    /// Hold a figure against a limit, as 'p99<1ms' or 'read.iops>=3000'; may be given several times
    ///
    /// Figures: iops, bw, mean, max and percentiles as p99.9; read., write. or trim. before one
    /// for that direction alone. Limits: 3000, 3k; 125MB/s, 120MiB/s; 500us, 1.5ms. Jobs that run
    /// side by side count together; of jobs in turn each group has to keep it. A job's name and a
    /// colon before it is for that job alone: 'logs:p99<1ms'.
    #[arg(long = "assert", value_name = "FIGURE<LIMIT")]
    pub assertions: Vec<Assertion>,

    #[command(flatten)]
    pub junit: JunitArgs,

    /// The folder or device of jobs that name none; none is the current folder
    #[arg(skip)]
    pub place: Option<PathBuf>,

    /// Whether the job file is a temporary copy, to which nothing said may point
    #[arg(skip)]
    pub jobs_are_copied: bool,

    #[command(flatten)]
    pub course: CourseArgs,

    /// Job files, and options of jobs as fio takes them: `--name=x --rw=randread …`
    ///
    /// nfs://SERVER/EXPORT among them has all jobs work on that export, without a mount.
    #[arg(
        required = true,
        value_name = "JOBFILE|FIO OPTION",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub fio: Vec<OsString>,
}

const AFTER_HELP: &str = "\
Examples:
  fathom run nightly.fio                        a job file, with verdicts
  fathom run nightly.fio --section=reads --json
  fathom run --dry-run nightly.fio              files, time and writes, no run
  fathom run --name=x --filename=/mnt/data/x --size=1g --rw=randread \\
      --direct=1 --runtime=30s --time_based
  fathom run --steady nightly.fio               until it is steady
  fathom run nightly.fio --assert 'p99<1ms' --assert 'iops>3000' --junit out.xml
  fathom run nightly.fio --assert 'logs:p99<2ms'    of the job `logs` alone
  fathom run nightly.fio --on host1,host2       on both hosts at once
  fathom run nightly.fio nfs://nas/export       on an export, without a mount

Jobs write over the files and devices that they name, as with fio; the plan says over which, and
what is in use is refused. Files that jobs make stay. With --on the job file is read here, its
folders and files are those of the hosts, and names that jobs make up begin with the host's. For
fio's own output, exit codes and --output-format, use `fathom fio`.

In GitHub's actions, missed assertions and warnings are annotations at their line of the job file,
which is named as typed: type it from the root of the repository. `--markdown` makes a summary:
fathom run … --markdown >>$GITHUB_STEP_SUMMARY

Exit codes: 0 all jobs ran and kept what was asserted, 1 something failed or was refused, 2 usage,
3 an assertion was missed, 5 one could not be judged and none was missed, 130 stopped by ^C,
143 by SIGTERM (128 + signal).";

/// Words of `fathom run` itself; the rest is fio's.
const OWN: [&str; 17] = [
    "--shared-file",
    "--json",
    "--json-summary",
    "--verbose",
    "--explain",
    "-v",
    "--verdicts",
    "--quiet",
    "-q",
    "--steady",
    "--dry-run",
    "-n",
    "--no-record",
    "--help",
    "-h",
    "--csv",
    "--markdown",
];
/// Those of them that take a word after them.
const OWN_WITH_VALUE: [&str; 11] = [
    "--assert",
    "--junit",
    "--tag",
    "--report",
    "--lang",
    "--on",
    "--via",
    "--agent",
    "--min-clients",
    "--relays",
    "--ping",
];
/// Those of them that may have a value of their own.
const OWN_WITH_EQUALS: [&str; 17] = [
    "--assert=",
    "--junit=",
    "--shared-file=",
    "--tag=",
    "--steady=",
    "--report=",
    "--json=",
    "--json-summary=",
    "--csv=",
    "--markdown=",
    "--lang=",
    "--on=",
    "--via=",
    "--agent=",
    "--min-clients=",
    "--relays=",
    "--ping=",
];

/// The command line with the words that `fathom run` has for itself before those of fio, for a
/// parser that takes everything after the first strange word for fio's.
pub fn own_words_first(args: Vec<OsString>) -> Vec<OsString> {
    let Some(before) = words_before(&args).filter(|at| args[*at] == "run") else { return args };
    let mut words = args.into_iter();
    let mut first: Vec<OsString> = words.by_ref().take(before + 1).collect();
    let mut fio: Vec<OsString> = Vec::new();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if OWN_WITH_VALUE.contains(&&*text) {
            first.push(word);
            first.extend(words.next());
        } else if OWN.contains(&&*text) || is_valued(&text) {
            first.push(word);
        } else {
            fio.push(word);
        }
    }
    if !fio.is_empty() {
        first.push("--".into());
    }
    first.extend(fio);
    first
}

/// The words before the command: the program, and the language if it comes first.
fn words_before(args: &[OsString]) -> Option<usize> {
    let first = args.get(1)?.to_string_lossy();
    let before = match &*first {
        "--lang" => 3,
        first if first.starts_with("--lang=") => 2,
        _ => 1,
    };
    (args.len() > before).then_some(before)
}

/// The same error, with the flag of `fathom run` as advice if that is what was misspelt: the reader
/// of fio's words knows only fio's options.
pub fn with_own_flags(error: JobError) -> JobError {
    let Origin::CommandLine(word) = &error.origin else { return error };
    let name = word.trim_start_matches('-').split('=').next().unwrap_or_default();
    // Of our other commands; for fio it may be the beginning of several options.
    if name == "time" {
        return error.hinted("Did you mean --runtime?");
    }
    if error.kind != ErrorKind::UnknownOption {
        return error;
    }
    match nearest_own(name) {
        Some(flag) => error.hinted(format!("Did you mean --{flag}?")),
        None => error,
    }
}

/// The own flag nearest to a misspelt name, without its dashes, unless an option of fio is nearer.
fn nearest_own(name: &str) -> Option<&'static str> {
    let own = || OWN.iter().chain(&OWN_WITH_VALUE).filter_map(|flag| flag.strip_prefix("--"));
    let near = nearest(name, own().chain(options().iter().flat_map(OptionRow::names)))?;
    own().find(|flag| *flag == near)
}

fn is_valued(text: &str) -> bool {
    OWN_WITH_EQUALS.iter().any(|own| text.starts_with(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_words_are_found_among_those_of_fio() {
        let ordered = |line: &str| {
            let args = line.split(' ').map(OsString::from).collect();
            let words = own_words_first(args).into_iter();
            words.map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            ordered("fathom run a.fio --json --rw=read --tag x --steady=5s -q -n --report r.md"),
            "fathom run --json --tag x --steady=5s -q -n --report r.md -- a.fio --rw=read"
        );
        assert_eq!(
            ordered("fathom run a.fio --on h1,h2 --rw=read --via=x"),
            "fathom run --on h1,h2 --via=x -- a.fio --rw=read"
        );
        for language in ["--lang ko", "--lang=ko"] {
            assert_eq!(
                ordered(&format!("fathom {language} run --rw=read --assert p99<1ms")),
                format!("fathom {language} run --assert p99<1ms -- --rw=read")
            );
        }
        assert_eq!(ordered("fathom --lang ko"), "fathom --lang ko");
        assert_eq!(ordered("fathom run --help"), "fathom run --help");
        assert_eq!(ordered("fathom measure /x --json"), "fathom measure /x --json");
    }

    #[test]
    fn a_misspelt_word_may_be_an_own_flag_or_an_option_of_fio() {
        for (typed, flag) in [
            ("asert", Some("assert")),
            ("asssert", Some("assert")),
            ("mardown", Some("markdown")),
            ("stedy", Some("steady")),
            ("iodpth", None),
            ("runtme", None),
            ("wholly_unknown", None),
        ] {
            assert_eq!(nearest_own(typed), flag, "{typed}");
        }
    }
}
