//! From typed options to a job: finds their rows, applies them in order, and names the responsible
//! option in errors.

use crate::draft::Draft;
use crate::error::{ErrorKind, JobError, ValueProblem};
use crate::grammar::pattern::with_files;
use crate::options::{
    Apply, Category, Kind, OptionRow, OptionStatus, engine_problem, engine_word, find_option,
    nearest_option,
};
use crate::origin::Origin;
use crate::settings::{Notice, NoticeKind};
use crate::spec::JobSpec;
use crate::world::World;
use fathom_text::{Text, text};

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

    /// The same, with the bytes of files that its value names in place of their names.
    pub fn with_files(mut self, world: &dyn World) -> Result<Typed, JobError> {
        if let Some(value) = self.value.as_ref().filter(|_| self.row.kind == Kind::Pattern) {
            let value = with_files(value, world).map_err(|problem| value_error(&self, problem))?;
            self.value = Some(value);
        }
        Ok(self)
    }

    /// The engine that it selects, if it selects one.
    fn engine(&self) -> Option<&str> {
        let value = self.value.as_deref().filter(|_| self.row.name == "ioengine");
        value.map(engine_word)
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

    /// Applies the options in order. As in fio, an option of one engine must belong to the engine
    /// that is in force where it stands, and is dropped if the job ends up with another.
    fn read(&self) -> Result<Draft, JobError> {
        let mut draft = Draft::new(&self.name);
        let (inherited, own) = (in_order(&self.inherited), in_order(&self.own));
        let globals = inherited.into_iter().map(|typed| (typed, true));
        let mut engine = DEFAULT_ENGINE;
        for (typed, is_global) in globals.chain(own.into_iter().map(|typed| (typed, false))) {
            let section = if is_global { "global" } else { &self.name };
            engine = typed.engine().unwrap_or(engine);
            if self.applies(typed, is_global) {
                apply(&mut draft, typed).map_err(|e| e.in_job(section))?;
            }
            if !belongs(typed.row, engine) {
                return Err(wrong_engine(typed, engine).in_job(section));
            }
        }
        Ok(draft)
    }

    fn spec(&self, draft: Draft) -> (JobSpec, Vec<Notice>) {
        let (mut job, notices) = draft.finish();
        let applied = |options, is_global| -> Vec<(String, Option<String>)> {
            let options = in_order(options).into_iter();
            options.filter(|typed| self.applies(typed, is_global)).map(Typed::canonical).collect()
        };
        job.origin = self.origin.clone();
        job.given = applied(&self.own, false);
        job.inherited = applied(&self.inherited, true);
        job.process.stonewall |= self.begins_file;
        (job, notices)
    }

    /// Whether an option has an effect on this job: a global name is not the job's.
    fn applies(&self, typed: &Typed, is_global: bool) -> bool {
        belongs(typed.row, self.engine()) && !(is_global && typed.row.name == "name")
    }

    /// The engine that the job ends up with, by name.
    fn engine(&self) -> &str {
        let all = self.inherited.iter().chain(&self.own);
        all.rev().find_map(Typed::engine).unwrap_or(DEFAULT_ENGINE)
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

/// The engine of a job that names none.
const DEFAULT_ENGINE: &str = "psync";

/// fio reads the units of a section of a job file first, then `filename`, because it needs the
/// folder and the number of files from the others, and then the options of the engine. It reads a
/// command line from left to right.
pub(crate) fn in_order(options: &[Typed]) -> Vec<&Typed> {
    let mut order: Vec<&Typed> = options.iter().collect();
    order.sort_by_key(|typed| {
        let rank = match typed.row.name {
            _ if typed.section == 0 => 0,
            "kb_base" | "unit_base" => 0,
            "filename" => 2,
            _ if typed.row.category == Category::Engine => 3,
            _ => 1,
        };
        (typed.section, rank)
    });
    order
}

/// Whether an option has a meaning for an engine.
fn belongs(row: &OptionRow, engine: &str) -> bool {
    row.engines.is_empty()
        || row.engines.contains(&engine)
        || matches!(row.status, OptionStatus::Refused(_))
}

fn wrong_engine(typed: &Typed, engine: &str) -> JobError {
    let message = bad_option(&typed.origin, &typed.quoted());
    JobError::new(ErrorKind::Conflict, message, typed.origin.clone()).hinted(text!(
        "{} belongs to {}; this job uses {engine}.",
        typed.row.name,
        typed.row.engines.join(", ")
    ))
}

/// fio's words for an option it does not have.
fn bad_option(origin: &Origin, quoted: &str) -> Text {
    match origin {
        Origin::CommandLine(arg) => text!("fio: unrecognized option '{arg}'"),
        _ => text!("Bad option <{quoted}>"),
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
    let hint = nearest_option(name).map(|near| text!("Did you mean {near}?"));
    JobError::new(ErrorKind::UnknownOption, bad_option(origin, &quoted), origin.clone())
        .hinted(hint.unwrap_or_default())
}

fn apply(draft: &mut Draft, typed: &Typed) -> Result<(), JobError> {
    let row = typed.row;
    match row.status {
        OptionStatus::Retired => return Ok(()),
        OptionStatus::Refused(why) => {
            let message = text!("fio: option {} is not supported: {why}", row.name);
            return Err(JobError::new(ErrorKind::Refused, message, typed.origin.clone())
                .hinted("Leave it out."));
        }
        OptionStatus::NotYet(..) if row.is_harmless(typed.value.as_deref()) => {}
        OptionStatus::NotYet(instead, _) => {
            let message =
                text!("fio: option {} is not supported yet: {}", row.name, typed.quoted());
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
        text!("fio: failed parsing {}: {}", typed.quoted(), problem.message)
    };
    let kind = ErrorKind::BadValue;
    let hint = if problem.hint.is_empty() {
        text!("{} takes {}.", typed.row.name, typed.row.kind.describe())
    } else {
        problem.hint
    };
    JobError::new(kind, message, typed.origin.clone()).hinted(hint)
}
