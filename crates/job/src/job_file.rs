//! fio's job files: sections of `key=value` lines, with `include` and `${VARIABLE}`.
//!
//! One pass over the lines collects raw jobs; `build` interprets the options. A file that is not a
//! job file (binary, endless, including itself) gives an error with the position, never a panic.

use crate::build::{RawJob, Typed, count_inherited, look_up};
use crate::error::{ErrorKind, JobError};
use crate::origin::Origin;
use crate::quantity::arithmetic;
use crate::world::World;
use fathom_text::text;
use std::path::{Path, PathBuf};

/// Largest job file in bytes.
pub const LARGEST_FILE_BYTES: u64 = 1 << 20;
/// Longest line in bytes; fio's limit.
pub const LONGEST_LINE_BYTES: usize = 8192;
/// How deep `include` may go.
const DEEPEST_INCLUDE: usize = 16;
/// Maximum number of files that a job file may include in total: depth alone would allow 2^16.
const MOST_INCLUDES: usize = 256;
/// Maximum number of sections; limits the result of a hostile file.
const MOST_SECTIONS: usize = 16_384;

/// The content of a job file.
#[derive(Debug, Default)]
pub(crate) struct JobFile {
    /// Its jobs, in order.
    pub jobs: Vec<RawJob>,
    /// Its global options, beginning with those of the caller.
    pub globals: Vec<Typed>,
}

/// Reads a job file through `world`. `globals` apply before its first line; `sections` limits which
/// sections count, unless it is empty.
pub(crate) fn read_file(
    path: &Path,
    world: &dyn World,
    globals: Vec<Typed>,
    sections: &[String],
) -> Result<JobFile, JobError> {
    let origin = Origin::CommandLine(path.display().to_string());
    let text = load(path, world, &origin)?;
    read_text(&text, path, world, globals, sections)
}

/// Reads a job file that is already in memory; `path` is where includes are looked for.
pub(crate) fn read_text(
    text: &str,
    path: &Path,
    world: &dyn World,
    globals: Vec<Typed>,
    sections: &[String],
) -> Result<JobFile, JobError> {
    let mut reader = Reader {
        world,
        sections,
        file: JobFile { globals, ..JobFile::default() },
        section: Section::None,
        chain: Vec::new(),
        includes: 0,
        inherited: 0,
        headers: 0,
    };
    reader.lines(text, path)?;
    Ok(reader.file)
}

/// The text of a file, if it is one that could be a job file.
fn load(path: &Path, world: &dyn World, origin: &Origin) -> Result<String, JobError> {
    let bytes = world.read(path, LARGEST_FILE_BYTES + 1).map_err(|error| {
        let message = text!("fio: unable to open '{}' job file: {error}", path.display());
        let looks_like_option = path.to_str().is_some_and(|name| name.contains('='));
        JobError::new(ErrorKind::JobFile, message, origin.clone()).hinted(if looks_like_option {
            "Options begin with '--', as --bs=4k."
        } else {
            "Check the path; options begin with '--'."
        })
    })?;
    if bytes.len() as u64 > LARGEST_FILE_BYTES {
        let message = text!("fio: job file '{}' is larger than 1 MiB", path.display());
        return Err(JobError::new(ErrorKind::JobFile, message, origin.clone())
            .hinted("Is it a job file? If so, split it up."));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count();
        not_text(path, line, "bytes that are not UTF-8")
    })
}

fn not_text(path: &Path, line: usize, what: &str) -> JobError {
    let origin = Origin::File { path: path.to_path_buf(), line };
    JobError::new(ErrorKind::JobFile, text!("fio: not a job file: it has {what}"), origin)
        .hinted("Job files are text, with sections in brackets: [name].")
}

/// Where options go.
enum Section {
    /// Before the first header.
    None,
    /// In `[global]`.
    Global,
    /// In a section that was not selected.
    Skipped,
    /// In the last job.
    Job,
}

struct Reader<'a> {
    world: &'a dyn World,
    sections: &'a [String],
    file: JobFile,
    section: Section,
    /// The files being read, the outermost first.
    chain: Vec<PathBuf>,
    includes: usize,
    /// Options that jobs inherited so far.
    inherited: usize,
    /// Section headers so far.
    headers: usize,
}

impl Reader<'_> {
    fn lines(&mut self, text: &str, path: &Path) -> Result<(), JobError> {
        self.chain.push(path.to_path_buf());
        // Editors on Windows put a byte order mark first.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.split('\n').enumerate() {
            let origin = Origin::File { path: path.to_path_buf(), line: index + 1 };
            if line.contains('\0') {
                return Err(not_text(path, index + 1, "zero bytes"));
            }
            if line.len() > LONGEST_LINE_BYTES {
                let message = text!("fio: line longer than {LONGEST_LINE_BYTES} bytes");
                return Err(JobError::new(ErrorKind::JobFile, message, origin)
                    .hinted("Is it a job file? Each option goes on a line of its own."));
            }
            self.line(&without_comment(line), path, origin)?;
        }
        self.chain.pop();
        Ok(())
    }

    fn line(&mut self, line: &str, path: &Path, origin: Origin) -> Result<(), JobError> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(());
        }
        if let Some(header) = line.strip_prefix('[') {
            return self.header(header, origin);
        }
        if let Some(file) = line.strip_prefix("include").filter(|f| f.starts_with([' ', '\t'])) {
            return self.include(&self.substitute(file.trim()), path, &origin);
        }
        match self.section {
            Section::Skipped => Ok(()),
            Section::None => {
                let message = text!("fio: option <{line}> outside of [] job section");
                Err(JobError::new(ErrorKind::JobFile, message, origin)
                    .hinted("Begin with a section: [global] or [name]."))
            }
            Section::Global => {
                let typed = self.option(line, origin).map_err(|e| e.in_job("global"))?;
                self.file.globals.push(typed);
                Ok(())
            }
            Section::Job => {
                let typed = self.option(line, origin);
                let job = self.file.jobs.last_mut().expect("Section::Job is set after a push");
                job.own.push(typed.map_err(|e| e.in_job(&job.name))?);
                Ok(())
            }
        }
    }

    fn header(&mut self, header: &str, origin: Origin) -> Result<(), JobError> {
        self.headers += 1;
        let (name, rest) = header.rsplit_once(']').ok_or_else(|| {
            let message = text!("fio: section [{header} has no closing ]");
            JobError::new(ErrorKind::JobFile, message, origin.clone()).hinted("Write [name].")
        })?;
        let name = name.trim();
        if name.is_empty() || !rest.trim().is_empty() {
            let message = text!("fio: bad section header [{header}");
            return Err(JobError::new(ErrorKind::JobFile, message, origin)
                .hinted("A header is [name] on a line of its own."));
        }
        if name == "global" {
            self.section = Section::Global;
            return Ok(());
        }
        if !self.sections.is_empty() && !self.sections.iter().any(|wanted| wanted == name) {
            self.section = Section::Skipped;
            return Ok(());
        }
        if self.file.jobs.len() >= MOST_SECTIONS {
            let message = text!("error: maximum number of jobs reached: {MOST_SECTIONS} sections");
            return Err(JobError::new(ErrorKind::JobFile, message, origin));
        }
        count_inherited(&mut self.inherited, self.file.globals.len(), &origin)?;
        self.section = Section::Job;
        self.file.jobs.push(RawJob {
            name: name.to_string(),
            origin,
            inherited: self.file.globals.clone(),
            own: Vec::new(),
            begins_file: false,
        });
        Ok(())
    }

    fn include(&mut self, file: &str, from: &Path, origin: &Origin) -> Result<(), JobError> {
        let folder = from.parent().filter(|_| from.as_os_str() != "-");
        let path = folder.map_or_else(|| PathBuf::from(file), |folder| folder.join(file));
        let twice = self.chain.contains(&path);
        self.includes += 1;
        if twice || self.chain.len() >= DEEPEST_INCLUDE || self.includes > MOST_INCLUDES {
            let chain: Vec<String> =
                self.chain.iter().chain([&path]).map(|p| p.display().to_string()).collect();
            let what = if twice { "a job file includes itself" } else { "too many includes" };
            let message = text!("fio: {what}: {}", chain.join(" -> "));
            return Err(JobError::new(ErrorKind::JobFile, message, origin.clone())
                .hinted("Remove one of the include lines."));
        }
        let text = load(&path, self.world, origin)?;
        self.lines(&text, &path)
    }

    fn option(&self, line: &str, origin: Origin) -> Result<Typed, JobError> {
        let (name, value) = line.split_once('=').map_or((line, None), |(n, v)| (n, Some(v)));
        let name = name.trim_end();
        let typed = value.unwrap_or_default().trim();
        let value = value.map(|_| self.substitute(typed).trim().to_string());
        let row = look_up(name, value.as_deref(), &origin)?;
        let has_keyword = KEYWORDS.iter().any(|keyword| typed.contains(keyword));
        let value = value.map(|text| match arithmetic(&text) {
            Some(number) if has_keyword && row.kind.is_number() => number.to_string(),
            _ => text,
        });
        let typed = Typed { row, name: name.to_string(), value, origin, section: self.headers };
        typed.with_files(self.world)
    }

    /// `${NAME}` becomes the variable (nothing, if it is not set), and `$pagesize`, `$mb_memory`
    /// and `$ncpus` become their numbers, with which a value that is a number may be calculated.
    /// Other `$` words are for later (`$jobname`).
    fn substitute(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let (before, word) = rest.split_at(at);
            if let Some(before) = before.strip_suffix('\\').filter(|_| is_substituted(word)) {
                out.push_str(before);
                out.push('$');
                rest = &word[1..];
                continue;
            }
            out.push_str(before);
            rest = self.substitute_word(word, &mut out);
        }
        out + rest
    }

    /// `word` begins with `$`. Writes its value, and returns the remainder.
    fn substitute_word<'t>(&self, word: &'t str, out: &mut String) -> &'t str {
        if let Some((name, rest)) = word.strip_prefix("${").and_then(|w| w.split_once('}')) {
            out.push_str(&one_line_of(self.world.env(name).unwrap_or_default()));
            return rest;
        }
        for keyword in KEYWORDS {
            if let Some(rest) = word.strip_prefix(keyword) {
                let number = match keyword {
                    "$pagesize" => self.world.page_size(),
                    "$mb_memory" => self.world.memory_mib(),
                    _ => u64::from(self.world.cpus()),
                };
                out.push_str(&number.to_string());
                return rest;
            }
        }
        out.push('$');
        &word[1..]
    }
}

/// Words that become numbers.
const KEYWORDS: [&str; 3] = ["$pagesize", "$mb_memory", "$ncpus"];

/// Whether a text that begins with `$` would be substituted.
pub(crate) fn is_substituted(word: &str) -> bool {
    word.strip_prefix("${").is_some_and(|w| w.contains('}'))
        || KEYWORDS.iter().any(|keyword| word.starts_with(keyword))
}

/// A variable may contain anything; an option is one line.
fn one_line_of(value: String) -> String {
    value.replace(['\n', '\0'], " ")
}

/// The line up to a `;` or `#`. fio has no syntax for these two in a value; here a backslash before
/// them escapes them, so that every job can be printed and parsed again.
fn without_comment(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ';' | '#' => break,
            '\\' if matches!(chars.peek(), Some(';' | '#')) => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}
