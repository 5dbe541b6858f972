//! Short ways to say what tests say often.

use fathom_job::{FixedWorld, Invocation, JobError, JobSpec, parse_command_line, parse_job_text};
use std::path::Path;

/// A world of text files.
pub fn world(files: &[(&str, &str)]) -> FixedWorld {
    FixedWorld {
        files: files.iter().map(|(path, text)| (path.into(), text.as_bytes().to_vec())).collect(),
        variables: Vec::new(),
    }
}

/// A command line as a shell would cut it, if nothing is quoted.
pub fn try_cli_with(line: &str, files: &[(&str, &str)]) -> Result<Invocation, JobError> {
    let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    parse_command_line(&args, &world(files))
}

pub fn cli_with(line: &str, files: &[(&str, &str)]) -> Invocation {
    try_cli_with(line, files).unwrap_or_else(|error| panic!("{line}\n{error}"))
}

pub fn cli(line: &str) -> Invocation {
    cli_with(line, &[])
}

/// The error of a command line, as shown.
pub fn cli_error(line: &str) -> String {
    match try_cli_with(line, &[]) {
        Ok(_) => panic!("no error: {line}"),
        Err(error) => error.to_string(),
    }
}

pub fn try_file(text: &str) -> Result<Vec<JobSpec>, JobError> {
    parse_job_text(text, Path::new("test.fio"), &world(&[]))
}

/// The jobs of a job file.
pub fn file(text: &str) -> Vec<JobSpec> {
    try_file(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// One job with these options, separated by blanks.
pub fn job(options: &str) -> JobSpec {
    file(&format!("[j]\n{}\n", options.replace(' ', "\n"))).remove(0)
}

/// The error of one job with this option on line 2.
pub fn job_error(option: &str) -> String {
    match try_file(&format!("[j]\n{option}\n")) {
        Ok(_) => panic!("no error: {option}"),
        Err(error) => error.to_string(),
    }
}

/// Owned pairs, for comparing raw options.
pub fn pairs(list: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
    list.iter().map(|(name, value)| (name.to_string(), value.map(str::to_string))).collect()
}
