//! From a phase to a job: the typed `JobSpec` that runs, and the options that say the same to a
//! reader, so that a result carries the command that repeats it.
//!
//! The choices here are what makes a figure comparable: every I/O is written with fresh random
//! data (a volume that compresses or deduplicates gains nothing), offsets differ from run to run
//! (a cache that is warm from the last run gains nothing), and the ramp is not counted.

use crate::method::Method;
use crate::plan::{Plan, VolumePlan};
use crate::suite::{Phase, short_bytes};
use fathom_job::{BlockSize, Fallocate, JobSpec, ReadWrite, Size};
use fathom_run::{Event, Observer};
use fathom_vocab::printable::is_unprintable;
use fathom_vocab::{Direction, IoEngine, PerDirection};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A job as the options of its command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobText {
    /// Canonical name and value, in the order given; `None` is an option without a value.
    pub options: Vec<(String, Option<String>)>,
}

impl JobText {
    pub(crate) fn set(&mut self, name: &str, value: impl ToString) {
        self.options.push((name.to_owned(), Some(value.to_string())));
    }

    /// The same with another `filename`.
    pub(crate) fn renamed(&self, filename: &str) -> JobText {
        let mut text = self.clone();
        for (name, value) in &mut text.options {
            if name == "filename" {
                *value = Some(filename.to_owned());
            }
        }
        text
    }

    /// The command line that repeats the job, quoted for a shell.
    pub fn command(&self) -> String {
        let mut line = String::from("fathom fio");
        for (name, value) in &self.options {
            line.push_str(" --");
            line.push_str(name);
            if let Some(value) = value {
                line.push('=');
                line.push_str(&quoted(value));
            }
        }
        line
    }
}

/// A word of a command line, quoted for a shell where it must be. What is unprintable is an escape
/// between `$'` and `'`, which the shell takes back: the command is one line and does the same.
pub fn quoted(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,%@:=".contains(c);
    if value.contains(is_unprintable) {
        return format!("$'{}'", value.chars().map(in_escapes).collect::<String>());
    }
    match value.chars().all(plain) && !value.is_empty() {
        true => value.to_owned(),
        false => format!("'{}'", value.replace('\'', r"'\''")),
    }
}

/// A letter as it stands between `$'` and `'`.
fn in_escapes(letter: char) -> String {
    match letter {
        '\\' | '\'' => format!("\\{letter}"),
        // Three octal digits always: a digit after them is a letter of its own.
        letter if is_unprintable(letter) => {
            letter.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect()
        }
        letter => letter.to_string(),
    }
}

/// The job of one phase on one volume, and its text.
pub(crate) fn phase_job(plan: &Plan, at: usize, phase: &Phase, method: &Method) -> JobSpec {
    let volume = &plan.volumes[at];
    let mut job = base(volume, &phase.name, method.engine, method.direct);
    set_pattern(&mut job, phase.direction, phase.random, phase.block_bytes);
    job.engine.iodepth = phase.depth;
    job.extent.runtime_us = plan.phase_us;
    job.extent.ramp_time_us = plan.ramp_us;
    job.extent.time_based = true;
    job.given = text_of(&job, volume, phase, plan).options;
    job
}

fn text_of(job: &JobSpec, volume: &VolumePlan, phase: &Phase, plan: &Plan) -> JobText {
    let mut text = JobText::default();
    text.set("name", &job.name);
    text.set("filename", escaped(&volume.path));
    text.set("size", short_bytes(volume.size_bytes));
    text.set("ioengine", job.engine.engine.name());
    text.set("direct", u8::from(job.engine.direct));
    text.set("rw", phase.rw());
    text.set("bs", short_bytes(phase.block_bytes));
    text.set("iodepth", phase.depth);
    text.set("time_based", 1);
    text.set("runtime", time_text(plan.phase_us));
    text.set("ramp_time", time_text(plan.ramp_us));
    text.set("randrepeat", 0);
    text.set("refill_buffers", 1);
    text.set("lat_percentiles", 1);
    text.set("thread", 1);
    text
}

/// A time as fio's options spell it: whole seconds where it is whole, else a smaller unit.
pub(crate) fn time_text(us: u64) -> String {
    match us {
        us if us.is_multiple_of(1_000_000) => format!("{}s", us / 1_000_000),
        us if us.is_multiple_of(1_000) => format!("{}ms", us / 1_000),
        us => format!("{us}us"),
    }
}

/// `filename` is split at colons: one that belongs to the name needs a backslash.
pub(crate) fn escaped(path: &Path) -> String {
    path.display().to_string().replace(':', r"\:")
}

/// The job that fills what will be measured: a file of ours by laying it out, anything else by
/// writing over it once.
pub(crate) fn fill(volume: &VolumePlan, method: &Method, block_bytes: u64) -> JobSpec {
    let mut job = base(volume, "fill", method.engine, method.direct);
    if volume.ours {
        // Layout writes data only for a job that will read.
        set_pattern(&mut job, Direction::Read, false, block_bytes);
        job.target.create_only = true;
        return job;
    }
    set_pattern(&mut job, Direction::Write, false, block_bytes);
    job.engine.iodepth = 8;
    job.flush.end_fsync = true;
    job
}

/// A job of one I/O, which shows whether this way is open.
pub(crate) fn trial(
    volume: &VolumePlan,
    engine: IoEngine,
    direct: bool,
    block_bytes: u64,
) -> JobSpec {
    let mut job = base(volume, "trial", engine, direct);
    set_pattern(&mut job, Direction::Read, false, block_bytes);
    job.target.size = Some(Size::Bytes(block_bytes));
    job.extent.number_ios = Some(1);
    job
}

fn base(volume: &VolumePlan, name: &str, engine: IoEngine, direct: bool) -> JobSpec {
    let mut job = JobSpec { name: name.to_owned(), ..JobSpec::default() };
    job.target.filenames = vec![volume.path.clone()];
    job.target.size = Some(Size::Bytes(volume.size_bytes));
    // Data is written to the end of the file anyway; blocks reserved beforehand could make a
    // file system treat the first writes differently.
    job.target.fallocate = Fallocate::None;
    // The file is there, made under a guard: a job must never make one that nobody removes.
    job.target.allow_file_create = false;
    job.engine.engine = engine;
    job.engine.direct = direct;
    job.pattern.randrepeat = false;
    job.buffers.refill = true;
    job.measure.lat_percentiles = true;
    job.process.thread = true;
    job
}

fn set_pattern(job: &mut JobSpec, direction: Direction, random: bool, block_bytes: u64) {
    let read = direction == Direction::Read;
    job.pattern.rw = ReadWrite { read, write: !read, trim: false, random, trimwrite: false };
    job.pattern.bs = PerDirection::splat(BlockSize::Fixed(block_bytes));
}

/// Hears nothing.
pub(crate) struct Deaf;

impl Observer for Deaf {
    fn event(&mut self, _: &Event) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_quoted_for_a_shell() {
        let mut text = JobText::default();
        text.set("name", "iops-read-4k");
        text.set("filename", "/mnt/a b/it's");
        text.options.push(("readonly".to_owned(), None));
        assert_eq!(
            text.command(),
            r"fathom fio --name=iops-read-4k --filename='/mnt/a b/it'\''s' --readonly"
        );
    }

    #[test]
    fn what_is_unprintable_is_quoted_so_that_the_shell_takes_it_back() {
        let text = "it's\\a\x1b[2J1\n\u{202e}b\u{9b}";
        let word = quoted(text);
        assert!(!word.contains(is_unprintable), "{word:?}");
        let script = format!("printf %s {word}");
        let shell = std::process::Command::new("bash").args(["-c", &script]).output();
        match shell {
            Ok(output) => assert_eq!(String::from_utf8(output.stdout).unwrap(), text),
            Err(why) => println!("SKIP: no bash to read it: {why}"),
        }
    }

    #[test]
    fn times_and_names_are_spelt_so_that_they_read_back() {
        assert_eq!(time_text(30_000_000), "30s");
        assert_eq!(time_text(3_750_000), "3750ms");
        assert_eq!(time_text(1), "1us");
        assert_eq!(escaped(Path::new("/mnt/a:b")), r"/mnt/a\:b");
    }
}
