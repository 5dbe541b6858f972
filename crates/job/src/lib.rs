//! Job descriptions: one table of options, fio's job files and command line, and [`JobSpec`].
//!
//! Text is parsed by three functions ([`parse_command_line`], [`parse_job_text`],
//! [`job_from_options`]) into typed, checked [`JobSpec`]s. All knowledge of single options is in
//! one table ([`options()`]); the head of that module explains how to add one.
#![forbid(unsafe_code)]

mod build;
mod command_line;
mod draft;
mod error;
mod grammar;
mod help;
mod job_file;
mod options;
mod origin;
mod print;
mod quantity;
mod settings;
mod spec;
mod world;

pub use command_line::{Argument, CliOption, DEBUG_SUBJECTS, cli_options, parse_command_line};
pub use error::{ErrorKind, JobError};
use fathom_text::text;
pub use help::{
    compatibility_page, debug_help, engine_help, engine_list, help_text, option_help, option_list,
};
pub use job_file::{LARGEST_FILE_BYTES, LONGEST_LINE_BYTES};
pub use options::{
    Category, Choice, FIO_ENGINES, Kind, OptionRow, OptionStatus, engine_choices, find_option,
    nearest, nearest_option, options,
};
pub use origin::Origin;
pub use print::{print_command_line, print_job, print_jobs};
pub use quantity::{TimeUnit, Units, format_size, format_time_us};
pub use settings::{
    Action, ClientJobs, DebugSubject, EtaWhen, Formats, IdleProf, Invocation, Notice, NoticeKind,
    Settings,
};
pub use spec::*;
pub use world::{DiskWorld, FixedWorld, World};

use build::{RawJob, Typed, look_up};
use std::path::Path;

/// The jobs of a job file that is already in memory. `path` appears in errors, and is where
/// includes are looked for.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn parse_job_text(
    text: &str,
    path: &Path,
    world: &dyn World,
) -> Result<Vec<JobSpec>, JobError> {
    let file = job_file::read_text(text, path, world, Vec::new(), &[])?;
    let built = |raw: &RawJob| {
        let (job, _) = raw.build()?;
        raw.check_engine(&job)?;
        Ok(job)
    };
    file.jobs.iter().map(built).collect()
}

/// A job made by Fathom itself, by the names and values a job file would use; an empty value is
/// an option without one. It may be for another machine: an engine that this system does not have
/// is refused when it is to run here.
///
/// # Errors
/// The job that a job file with these options would give.
pub fn job_from_options(name: &str, options: &[(&str, &str)]) -> Result<JobSpec, JobError> {
    let origin = Origin::Builtin;
    if !print::is_header(name) {
        let message = text!("'{name}' cannot be the name of a job");
        return Err(JobError::new(ErrorKind::BadValue, message, origin)
            .hinted("Use a name without brackets, ';' and '#', other than global."));
    }
    let own = options.iter().map(|(name, value)| {
        let value = Some(value.trim()).filter(|value| !value.is_empty());
        let row = look_up(name, value, &origin)?;
        if value.is_some_and(|value| value.contains(['\n', '\0'])) {
            let message = text!("the value of {name} has a line break");
            return Err(JobError::new(ErrorKind::BadValue, message, origin.clone()));
        }
        let value = value.map(str::to_string);
        Ok(Typed { row, name: (*name).to_string(), value, origin: origin.clone(), section: 1 })
    });
    let raw = RawJob {
        name: name.to_string(),
        origin: origin.clone(),
        inherited: Vec::new(),
        own: own.collect::<Result<_, _>>()?,
        begins_file: false,
    };
    raw.build().map(|(job, _)| job)
}
