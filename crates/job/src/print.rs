//! Prints jobs as text: a job file, or a command line.
//!
//! The output has the given options, under canonical names; parsing it gives the same job (a
//! property test checks this). In this form a job is sent to another machine.

use crate::job_file::is_substituted;
use crate::settings::Invocation;
use crate::spec::JobSpec;

type Options = [(String, Option<String>)];

/// A job file with this one job.
pub fn print_job(job: &JobSpec) -> String {
    print_jobs(std::slice::from_ref(job))
}

/// A job file with these jobs. Options that a job inherited become a `[global]` section if the jobs
/// after it inherited them too, otherwise its own.
pub fn print_jobs(jobs: &[JobSpec]) -> String {
    let mut text = String::new();
    let mut globals: &Options = &[];
    for (index, job) in jobs.iter().enumerate() {
        // Every later job inherits at least these globals, so `globals` is always a prefix of a
        // job's inherited options.
        let shared = jobs[index..].iter().all(|later| later.inherited.starts_with(&job.inherited));
        let more = &job.inherited[globals.len()..];
        if shared && !more.is_empty() {
            text.push_str("[global]\n");
            lines(more, &mut text);
            globals = &job.inherited;
        }
        let folded = &job.inherited[globals.len()..];
        text.push_str(&format!("[{}]\n", header(job.target.stem(&job.name))));
        lines(folded, &mut text);
        lines(&job.given, &mut text);
        // A job also waits because a job file began with it, which its options do not say.
        let said = job
            .given
            .iter()
            .chain(&job.inherited)
            .any(|(name, value)| name == "stonewall" && value.as_deref() != Some("0"));
        if job.process.stonewall && !said {
            text.push_str("stonewall\n");
        }
    }
    text
}

/// The section's name, which begins file names, as its header. A name that cannot be one came from
/// `name=`, which follows.
fn header(section: &str) -> &str {
    if is_header(section) { section } else { "job" }
}

/// Whether a name is valid in brackets.
pub(crate) fn is_header(name: &str) -> bool {
    let special = |c: char| matches!(c, ']' | ';' | '#' | '\n' | '\0');
    !name.is_empty() && name.trim() == name && name != "global" && !name.contains(special)
}

fn lines(options: &Options, text: &mut String) {
    for (name, value) in options {
        text.push_str(name);
        if let Some(value) = value {
            text.push('=');
            text.push_str(&escaped(value));
        }
        text.push('\n');
    }
}

/// A value so that the reader neither cuts it at a comment nor substitutes in it.
fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for (at, c) in value.char_indices() {
        if matches!(c, ';' | '#') || (c == '$' && is_substituted(&value[at..])) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The jobs as a command line, for `--showcmd`; nothing if there is nothing to show.
pub fn print_command_line(invocation: &Invocation) -> String {
    let mut words = vec!["fio".to_string()];
    let jobs = &invocation.jobs;
    let first: &Options = jobs.first().map_or(&invocation.global_options, |job| &job.inherited);
    let common = jobs.iter().all(|job| job.inherited.starts_with(first));
    let globals: &Options = if common { first } else { &[] };
    words.extend(globals.iter().map(argument));
    for job in jobs {
        words.push(argument(&("name".to_string(), Some(job.name.clone()))));
        let own = job.inherited[globals.len()..].iter().chain(&job.given);
        words.extend(own.filter(|(name, _)| name != "name").map(argument));
    }
    if words.len() == 1 { String::new() } else { words.join(" ") + "\n" }
}

/// `--name=value`, quoted for a shell if need be.
fn argument((name, value): &(String, Option<String>)) -> String {
    let Some(value) = value else { return format!("--{name}") };
    let plain = |c: char| c.is_alphanumeric() || "-_./:,%=+@\\".contains(c);
    if value.chars().all(plain) && !value.contains('\\') {
        return format!("--{name}={value}");
    }
    let mut quoted = String::new();
    for c in value.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    format!("--{name}=\"{quoted}\"")
}
