//! Arguments of `fathom history`.

use crate::history_writer::parse_tag;
use crate::invalid_value::InvalidValue;
use crate::output::OutputArgs;
use crate::plan_args::target;
use crate::saved_runs::LATEST;
use chrono::{DateTime, Duration, Local, NaiveDate, NaiveDateTime, NaiveTime};
use clap::{Args, Subcommand, ValueHint};
use fathom_store::Filter;
use fathom_vocab::Target;
use std::path::PathBuf;

/// The command line of `fathom history`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct HistoryArgs {
    #[command(subcommand)]
    pub action: Option<HistoryAction>,

    /// None if no option of a list was given.
    #[command(flatten)]
    pub list: Option<ListArgs>,
}

/// Options of a list before another command.
#[fathom_text::translated]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("options of a list stand after `list`, and other commands do not take them")]
pub struct MisplacedListOptions;

impl HistoryArgs {
    /// What to do: without a command, to list.
    ///
    /// # Errors
    /// If options of a list stand before a command. Clap's own conflict of arguments and commands
    /// would refuse --lang as well.
    pub fn action(&self) -> Result<HistoryAction, MisplacedListOptions> {
        match (&self.action, &self.list) {
            (Some(_), Some(_)) => Err(MisplacedListOptions),
            (Some(action), None) => Ok(action.clone()),
            (None, list) => Ok(HistoryAction::List(list.clone().unwrap_or_default())),
        }
    }
}

/// What to do with the history.
#[derive(Clone, Debug, Subcommand)]
pub enum HistoryAction {
    /// List runs, newest first; the same as no command
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Everything about a run, with the command that repeats it
    Show(Box<ShowRunArgs>),
    /// Give a run tags
    #[command(alias = "label")]
    Tag(TagArgs),
    /// Take tags from a run
    Untag(TagArgs),
    /// Write runs with their documents as JSON lines: to back up, to take elsewhere
    Export {
        /// Which runs, by the beginnings of their names [default: all]
        #[arg(value_name = "ID")]
        ids: Vec<String>,
        /// Where to write; a file must not be there yet, - is standard output
        #[arg(long, short, value_name = "FILE", default_value = "-",
              value_hint = ValueHint::FilePath)]
        output: PathBuf,
    },
    /// Take in exported runs; those that are here already stay as they are
    Import {
        /// What `fathom history export` wrote; - is standard input
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Remove runs for good
    #[command(visible_alias = "remove")]
    Rm {
        /// Which runs, by the beginnings of their names
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
    },
}

/// A run, and the forms of its result.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("json", |arg| arg.help(DOCUMENT)))]
pub struct ShowRunArgs {
    /// The run: the beginning of its name, latest, latest~1, previous, or a tag
    #[arg(default_value = LATEST)]
    pub id: String,

    /// Show all: every figure and every note, as the command's own --verbose does
    #[arg(long, short)]
    pub verbose: bool,

    #[command(flatten)]
    pub output: OutputArgs,
}

const DOCUMENT: &str =
    "The document of the run as it was kept, on standard output in place of the text, or in FILE";

/// A run and tags.
#[derive(Clone, Debug, Args)]
pub struct TagArgs {
    /// The beginning of the run's name
    pub id: String,
    /// The tags
    #[arg(required = true, value_name = "TAG", value_parser = parse_tag)]
    pub tags: Vec<String>,
}

/// What makes runs that are recorded.
const KINDS: [&str; 7] = ["measure", "durable", "sweep", "compare", "check", "limit", "run"];

/// Which runs to list, and how.
#[derive(Clone, Debug, Args)]
pub struct ListArgs {
    /// Only of this kind: measure, sweep, compare...
    #[arg(long, value_name = "KIND", value_parser = KINDS)]
    pub kind: Option<String>,

    /// Only with this tag
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,

    /// Only where all these words are found: in title, command, targets, host, kind or tags
    #[arg(long, value_name = "WORDS")]
    pub text: Option<String>,

    /// Only with this target
    #[arg(long, value_name = "PATH",
          value_hint = ValueHint::AnyPath, value_parser = target())]
    pub target: Option<Target>,

    /// Only measured by this machine
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,

    /// Only begun then or later: 2026-08-01, "2026-08-01 14:30", or 12h, 7d, 4w ago
    #[arg(long, value_name = "WHEN", value_parser = parse_when)]
    pub since: Option<u64>,

    /// Only begun before then, written as for --since
    #[arg(long, value_name = "WHEN", value_parser = parse_when)]
    pub until: Option<u64>,

    /// At most so many; 0 lists all
    #[arg(long, value_name = "N", default_value_t = USUAL_LIMIT)]
    pub limit: u64,

    /// One JSON document on standard output instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Runs in a list where no number is given.
const USUAL_LIMIT: u64 = 20;

impl Default for ListArgs {
    fn default() -> ListArgs {
        ListArgs {
            kind: None,
            tag: None,
            text: None,
            target: None,
            host: None,
            since: None,
            until: None,
            limit: USUAL_LIMIT,
            json: false,
        }
    }
}

const AFTER_HELP: &str = "\
Examples:
  fathom history                              the newest runs
  fathom history --text 'nvme0 randread'      runs in which both words are found
  fathom history --target /mnt/data --since 7d
  fathom history show                         all about the newest run
  fathom history show 1kyx9q4c                the run that begins with 1kyx9q4c
  fathom history tag latest before-upgrade    a tag that names this run
  fathom compare before-upgrade latest
  fathom history export -o runs.jsonl         back up; `import` reads it again

Files are made for their user alone (mode 600, folders 700); what is there keeps its mode.
Runs are kept in $FATHOM_HOME/history.sqlite3 if FATHOM_HOME is set, else in fathom/history.sqlite3
in $XDG_DATA_HOME or ~/.local/share. `fathom fio` keeps none.

Exit codes: 0 done, also where nothing was found; 1 it could not be done; 2 usage.";

impl ListArgs {
    /// Whether nothing is left out but by number.
    pub fn asks_for_all(&self) -> bool {
        let asked = [&self.kind, &self.tag, &self.text, &self.host];
        asked.iter().all(|option| option.is_none())
            && self.target.is_none()
            && self.since.or(self.until).is_none()
    }

    /// Which runs are meant.
    pub fn filter(&self) -> Filter {
        Filter {
            kind: self.kind.clone(),
            tag: self.tag.clone(),
            text: self.text.clone(),
            since_ms: self.since,
            until_ms: self.until,
            target: self.target.as_ref().map(|target| target.absolute().to_string()),
            host: self.host.clone(),
            outcome: None,
            limit: (self.limit > 0).then_some(self.limit),
            offset: 0,
        }
    }
}

fn parse_when(text: &str) -> Result<u64, InvalidValue> {
    when(text.trim(), Local::now())
}

/// A time in milliseconds since 1970, given as a date, a date and time, or as so long ago.
fn when(text: &str, now: DateTime<Local>) -> Result<u64, InvalidValue> {
    let time = match ago(text) {
        Some(ago) => now.checked_sub_signed(ago),
        None => local(text).and_then(|time| time.and_local_timezone(Local).earliest()),
    };
    let ms = time.and_then(|time| u64::try_from(time.timestamp_millis()).ok());
    ms.ok_or(InvalidValue::Form(
        "write a date as 2026-08-01, a time as \"2026-08-01 14:30\", or 12h, 7d, 4w ago",
    ))
}

fn ago(text: &str) -> Option<Duration> {
    let unit = text.chars().next_back()?;
    let number: i64 = text.strip_suffix(unit)?.parse().ok().filter(|number| *number >= 0)?;
    match unit {
        'm' => Duration::try_minutes(number),
        'h' => Duration::try_hours(number),
        'd' => Duration::try_days(number),
        'w' => Duration::try_weeks(number),
        _ => None,
    }
}

fn local(text: &str) -> Option<NaiveDateTime> {
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d");
    let midnight = date.map(|date| date.and_time(NaiveTime::MIN));
    let formats = ["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"];
    let times = formats.iter().map(|format| NaiveDateTime::parse_from_str(text, format));
    [midnight].into_iter().chain(times).find_map(Result::ok)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone;

    #[test]
    fn times_are_given_as_people_give_them() {
        let at = |h, m, s| Local.with_ymd_and_hms(2026, 8, 1, h, m, s).unwrap();
        let now = at(12, 0, 0);
        for (text, time) in [
            ("2026-08-01", at(0, 0, 0)),
            ("2026-08-01 09:30", at(9, 30, 0)),
            ("2026-08-01T09:30:05", at(9, 30, 5)),
            ("90m", at(10, 30, 0)),
            ("2h", at(10, 0, 0)),
            ("0d", now),
        ] {
            assert_eq!(when(text, now), Ok(time.timestamp_millis() as u64), "{text}");
        }
        let week = Duration::weeks(1);
        assert_eq!(when("1w", now), Ok((now - week).timestamp_millis() as u64));
        for text in ["", "yesterday", "7", "-1d", "2026-13-01", "99999999999999w", "1x", "7ä"] {
            assert!(when(text, now).unwrap_err().to_string().contains("2026-08-01"), "{text}");
        }
    }
}
