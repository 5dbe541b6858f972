//! From typed options to a job: finds their rows, applies them in order, and names the responsible
//! option in errors.

use crate::draft::Draft;
use crate::error::{ErrorKind, JobError, ValueProblem};
use crate::options::{Apply, OptionRow, OptionStatus, engine_problem, find_option, nearest_option};
use crate::origin::Origin;
use crate::settings::{Notice, NoticeKind};
use crate::spec::JobSpec;

/// One option as typed.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    /// Its row.
    pub row: &'static OptionRow,
    /// Its name as typed, for messages.
    pub name: String,
    /// Its value, trimmed, after substitution.
    pub value: Option<String>,
    /// Its position.
    pub origin: Origin,
    /// The section of a job file, counted from 1; 0 on a command line.
    pub section: usize,
}

impl Typed {
    /// `name` or `name=value`, as fio quotes it in messages.
    fn quoted(&self) -> String {
        self.value.as_ref().map_or_else(|| self.name.clone(), |v| format!("{}={v}", self.name))
    }

    /// Its canonical name and its value, as results report it.
    pub fn canonical(&self) -> (String, Option<String>) {
        (self.row.name.to_string(), self.value.clone())
    }
}

/// A job before it is understood.
#[derive(Clone, Debug)]
pub(crate) struct RawJob {
    /// Name of the section or of `--name`.
    pub name: String,
    /// The position of its beginning.
    pub origin: Origin,
    /// Options that were global then.
    pub inherited: Vec<Typed>,
    /// Its own options.
    pub own: Vec<Typed>,
    /// It is the first of a later job file, and so waits for all before it.
    pub begins_file: bool,
}

impl RawJob {
    /// Global options that no job inherits, which are checked all the same.
    pub fn of_globals(globals: Vec<Typed>) -> RawJob {
        RawJob {
            name: "global".to_owned(),
            origin: Origin::Builtin,
            inherited: globals,
            own: Vec::new(),
            begins_file: false,
        }
    }

    /// The typed job, and remarks on it.
    pub fn build(&self) -> Result<(JobSpec, Vec<Notice>), JobError> {
        let mut draft = self.read()?;
        draft.check().map_err(|(problem, option)| self.blame(problem, option))?;
        Ok(self.spec(draft))
    }

    /// The same as a dry run of fio reads it: options are not checked against one another.
    pub fn build_unchecked(&self) -> Result<(JobSpec, Vec<Notice>), JobError> {
        self.read().map(|draft| self.spec(draft))
    }

    /// The problem, if the engine of this job is not on this system.
    pub fn check_engine(&self, job: &JobSpec) -> Result<(), JobError> {
        let problem = engine_problem(job.engine.engine);
        problem.map_or(Ok(()), |problem| Err(self.blame(problem, "ioengine")))
    }

    /// Applies the options in order.
    fn read(&self) -> Result<Draft, JobError> {
        let mut draft = Draft::new(&self.name);
        let engine = self.engine();
        let (inherited, own) = (self.in_order(&self.inherited), self.in_order(&self.own));
        for typed in inherited {
            if belongs(typed.row, engine) {
                apply(&mut draft, typed).map_err(|e| e.in_job("global"))?;
            }
        }
        for typed in own {
            if !belongs(typed.row, engine) {
                return Err(wrong_engine(typed, engine).in_job(&self.name));
            }
            apply(&mut draft, typed).map_err(|e| e.in_job(&self.name))?;
        }
        Ok(draft)
    }

    fn spec(&self, draft: Draft) -> (JobSpec, Vec<Notice>) {
        let (mut job, notices) = draft.finish();
        job.origin = self.origin.clone();
        job.given = self.own.iter().map(Typed::canonical).collect();
        job.inherited = self.inherited.iter().map(Typed::canonical).collect();
        job.process.stonewall |= self.begins_file;
        (job, notices)
    }

    /// The engine that the job ends up with, by name.
    fn engine(&self) -> &str {
        let all = self.inherited.iter().chain(&self.own);
        let last = all.rev().find(|typed| typed.row.name == "ioengine");
        last.and_then(|typed| typed.value.as_deref()).unwrap_or("psync")
    }

    /// fio reads `kb_base` of a job file section before its other options, at any position, and
    /// `filename` after them, because it needs the folder and the number of files from them. It
    /// reads a command line from left to right.
    fn in_order<'a>(&self, options: &'a [Typed]) -> Vec<&'a Typed> {
        let mut order: Vec<&Typed> = options.iter().collect();
        order.sort_by_key(|typed| {
            let rank = match typed.row.name {
                "kb_base" => 0,
                "filename" => 2,
                _ => 1,
            };
            (typed.section, if typed.section == 0 { 0 } else { rank })
        });
        order
    }

    /// A conflict between options, reported at the last position of the responsible one.
    fn blame(&self, problem: ValueProblem, option: &str) -> JobError {
        let all = self.inherited.iter().chain(&self.own);
        let culprit = all.rev().find(|typed| typed.row.name == option);
        let origin = culprit.map_or_else(|| self.origin.clone(), |typed| typed.origin.clone());
        JobError::new(ErrorKind::Conflict, problem.message, origin)
            .hinted(problem.hint)
            .in_job(&self.name)
    }
}

/// Maximum options that all jobs together may inherit. Each job has its own copy, so a hostile file
/// of many globals and many sections would otherwise grow with the product of the two.
const MOST_INHERITED: usize = 500_000;

/// Counts the inherited options of one more job.
pub(crate) fn count_inherited(
    total: &mut usize,
    more: usize,
    origin: &Origin,
) -> Result<(), JobError> {
    *total += more;
    if *total <= MOST_INHERITED {
        return Ok(());
    }
    let message = "error: maximum number of jobs reached: too many global options for so many jobs";
    Err(JobError::new(ErrorKind::JobFile, message, origin.clone())
        .hinted("Repeat fewer options, or define fewer jobs."))
}

/// Whether an option has a meaning for an engine.
fn belongs(row: &OptionRow, engine: &str) -> bool {
    row.engines.is_empty()
        || row.engines.contains(&engine)
        || matches!(row.status, OptionStatus::Refused(_))
}

fn wrong_engine(typed: &Typed, engine: &str) -> JobError {
    let message = bad_option(&typed.origin, &typed.quoted());
    JobError::new(ErrorKind::Conflict, message, typed.origin.clone()).hinted(format!(
        "{} belongs to {}; this job uses {engine}.",
        typed.row.name,
        typed.row.engines.join(", ")
    ))
}

/// fio's words for an option it does not have.
fn bad_option(origin: &Origin, quoted: &str) -> String {
    match origin {
        Origin::CommandLine(arg) => format!("fio: unrecognized option '{arg}'"),
        _ => format!("Bad option <{quoted}>"),
    }
}

/// The row of an option, or an error with the most similar name.
pub(crate) fn look_up(
    name: &str,
    value: Option<&str>,
    origin: &Origin,
) -> Result<&'static OptionRow, JobError> {
    find_option(name).ok_or_else(|| unknown(name, value, origin))
}

/// The error for a name that is no option.
pub(crate) fn unknown(name: &str, value: Option<&str>, origin: &Origin) -> JobError {
    let quoted = value.map_or_else(|| name.to_string(), |value| format!("{name}={value}"));
    let hint = nearest_option(name).map(|near| format!("Did you mean {near}?"));
    JobError::new(ErrorKind::UnknownOption, bad_option(origin, &quoted), origin.clone())
        .hinted(hint.unwrap_or_default())
}

fn apply(draft: &mut Draft, typed: &Typed) -> Result<(), JobError> {
    let row = typed.row;
    match row.status {
        OptionStatus::Retired => return Ok(()),
        OptionStatus::Refused(why) => {
            let message = format!("fio: option {} is not supported: {why}", row.name);
            return Err(JobError::new(ErrorKind::Refused, message, typed.origin.clone())
                .hinted("Leave it out."));
        }
        OptionStatus::NotYet(..) if row.is_harmless(typed.value.as_deref()) => return Ok(()),
        OptionStatus::NotYet(instead, _) => {
            let message =
                format!("fio: option {} is not supported yet: {}", row.name, typed.quoted());
            return Err(
                JobError::new(ErrorKind::NotYet, message, typed.origin.clone()).hinted(instead)
            );
        }
        OptionStatus::NoEffect(why) => {
            draft.notice(NoticeKind::Own, format!("fio: {} has no effect: {why}", row.name))
        }
        OptionStatus::Supported => {}
    }
    set(draft, typed).map_err(|problem| value_error(typed, problem))
}

/// Reads the value and sets the field.
fn set(draft: &mut Draft, typed: &Typed) -> Result<(), ValueProblem> {
    let value = typed.row.kind.read(&typed.name, typed.value.as_deref(), draft.units())?;
    match typed.row.apply {
        Apply::Nothing => Ok(()),
        Apply::Set(set) => {
            set(draft, &value);
            Ok(())
        }
        Apply::Try(set) => set(draft, &value),
    }
}

fn value_error(typed: &Typed, problem: ValueProblem) -> JobError {
    let message = if problem.whole {
        problem.message
    } else {
        format!("fio: failed parsing {}: {}", typed.quoted(), problem.message)
    };
    let kind = ErrorKind::BadValue;
    let hint = if problem.hint.is_empty() {
        format!("{} takes {}.", typed.row.name, typed.row.kind.describe())
    } else {
        problem.hint
    };
    JobError::new(kind, message, typed.origin.clone()).hinted(hint)
}
