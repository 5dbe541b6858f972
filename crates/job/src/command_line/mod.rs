//! fio's command line: its own options, job options, and job files, in any order.
//!
//! The grammar is getopt's `getopt_long_only`: one dash or two, `=` or the next argument, any
//! unique beginning of a name. Observations of fio decide the corner cases: an option with an
//! optional value takes it only after `=`; job options before the first `--name` are global, and
//! apply to the first job file too; jobs of the command line come before those of files.

mod clients;
mod debug;
mod table;
mod words;

pub use debug::DEBUG_SUBJECTS;
use fathom_text::text;
pub use table::{Argument, CliOption, cli_options};

use crate::build::{RawJob, Typed, count_inherited, in_order};
use crate::error::{ErrorKind, JobError};
use crate::job_file::{JobFile, read_file};
use crate::origin::Origin;
use crate::settings::{Action, ClientJobs, Invocation, Notice, Settings};
use crate::world::World;
use clients::NamedClients;
use std::path::{Path, PathBuf};
use table::Effect;
use words::{ArgumentWords, Word, WordMeaning};

/// Understands a command line, without the program's name. Job files are read through `world`.
///
/// # Errors
/// The first error, with advice.
pub fn parse_command_line(args: &[String], world: &dyn World) -> Result<Invocation, JobError> {
    let mut line = Line::default();
    let mut words = ArgumentWords::new(args);
    while let Some(word) = words.next()? {
        if let Some(action) = line.take(word, world)? {
            return Ok(line.without_jobs(action));
        }
    }
    line.invocation(world)
}

/// The state of parsing.
#[derive(Default)]
struct Line {
    action: Action,
    settings: Settings,
    globals: Vec<Typed>,
    jobs: Vec<RawJob>,
    /// Whether job options go to the last job, rather than to the globals.
    in_job: bool,
    files: Vec<PathBuf>,
    clients: NamedClients,
    /// Whether a client runs the jobs.
    for_client: bool,
    /// Options that jobs inherited so far.
    inherited: usize,
    notices: Vec<Notice>,
}

impl Line {
    /// Takes one word in. Some words, such as `--help`, end the reading.
    fn take(&mut self, word: Word, world: &dyn World) -> Result<Option<Action>, JobError> {
        match word.found {
            WordMeaning::File(path) => match self.clients.files() {
                Some(files) => files.push(PathBuf::from(path)),
                None => self.files.push(PathBuf::from(path)),
            },
            WordMeaning::Job(row, name) => {
                let value = word.value.map(|value| value.trim().to_string());
                let typed = Typed { row, name, value, origin: word.origin, section: 0 };
                self.job_option(typed.with_files(world)?)?;
            }
            WordMeaning::Cli(option) => {
                let value = word.value.as_deref();
                match option.run(value, &mut self.settings, &word.origin)? {
                    Effect::None => {}
                    Effect::Then(action) => self.action = action,
                    Effect::Only(action) => return Ok(Some(action)),
                    Effect::Client(text) => self.clients.add(text, word.origin),
                    Effect::Answered(notices) => self.notices.extend(notices),
                }
            }
        }
        Ok(None)
    }

    fn job_option(&mut self, typed: Typed) -> Result<(), JobError> {
        let value = typed.value.as_deref().unwrap_or_default();
        if value.contains(['\n', '\0']) {
            let message = text!("fio: the value of --{} has a line break", typed.name);
            return Err(JobError::new(ErrorKind::CommandLine, message, typed.origin)
                .hinted("Write it on one line."));
        }
        let is_name = typed.row.name == "name";
        if is_name {
            self.begin_job(value, &typed.origin)?;
        }
        match self.jobs.last_mut().filter(|_| self.in_job) {
            Some(job) => job.own.push(typed),
            // `--name=global` itself is not about jobs.
            None if is_name => {}
            None => self.globals.push(typed),
        }
        Ok(())
    }

    /// `--name=global` returns to the globals, as in fio; any other name begins a job.
    fn begin_job(&mut self, name: &str, origin: &Origin) -> Result<(), JobError> {
        self.in_job = name != "global";
        if self.in_job {
            count_inherited(&mut self.inherited, self.globals.len(), origin)?;
            self.jobs.push(RawJob {
                name: name.to_string(),
                origin: origin.clone(),
                inherited: self.globals.clone(),
                own: Vec::new(),
                begins_file: false,
            });
        }
        Ok(())
    }

    fn without_jobs(self, action: Action) -> Invocation {
        Invocation {
            action,
            settings: self.settings,
            jobs: Vec::new(),
            global_options: Vec::new(),
            notices: self.notices,
            clients: Vec::new(),
        }
    }

    /// Reads the job files, and makes jobs of everything.
    fn invocation(mut self, world: &dyn World) -> Result<Invocation, JobError> {
        if !self.clients.is_empty() {
            return self.of_clients(world);
        }
        let elsewhere = self.for_client || world.runs_elsewhere();
        let mut globals = std::mem::take(&mut self.globals);
        for (index, path) in std::mem::take(&mut self.files).iter().enumerate() {
            // Those of the command line are for the first file.
            let before = if index == 0 { std::mem::take(&mut globals) } else { Vec::new() };
            let file = self.job_file(path, world, before)?;
            globals = file.globals;
            self.jobs.extend(file.jobs);
        }
        let mut invocation = Invocation {
            action: self.action,
            settings: self.settings,
            jobs: Vec::new(),
            global_options: in_order(&globals).into_iter().map(Typed::canonical).collect(),
            notices: self.notices,
            clients: Vec::new(),
        };
        let dry = invocation.action.is_dry();
        if self.jobs.is_empty() {
            let raw = RawJob::of_globals(globals);
            let (job, notices) = raw.build_unchecked()?;
            raw.check_engine(&job)?;
            invocation.notices.extend(notices);
        }
        for raw in &self.jobs {
            let (job, notices) = if dry { raw.build_unchecked()? } else { raw.build()? };
            if !elsewhere {
                raw.check_engine(&job)?;
            }
            invocation.jobs.push(job);
            invocation.notices.extend(notices);
        }
        check(&invocation)?;
        Ok(invocation)
    }

    /// Makes jobs of the files of each client.
    fn of_clients(mut self, world: &dyn World) -> Result<Invocation, JobError> {
        if let Some(origin) = self.stray_job() {
            let message = "fio: with --client jobs come from job files".to_owned();
            return Err(JobError::new(ErrorKind::CommandLine, message, origin)
                .hinted("Write the jobs into a file, and name it after the client."));
        }
        let groups = std::mem::take(&mut self.clients).into_groups();
        let settings = self.settings.clone();
        let action = self.action.clone();
        let mut whole = self.without_jobs(action);
        for group in groups {
            let (hosts, files) = group.hosts_and_files(world)?;
            let settings = settings.clone();
            let own = Line { settings, files, for_client: true, ..Line::default() };
            let Invocation { jobs, global_options, notices, .. } = own.invocation(world)?;
            whole.jobs.extend(jobs.iter().cloned());
            whole.notices.extend(notices);
            whole.clients.push(ClientJobs { hosts, jobs, global_options });
        }
        Ok(whole)
    }

    /// A job, an option of jobs or a job file that no client has.
    fn stray_job(&self) -> Option<Origin> {
        let job = self.jobs.first().map(|job| job.origin.clone());
        let global = || self.globals.first().map(|typed| typed.origin.clone());
        let file = || {
            let path = self.files.first()?;
            Some(Origin::CommandLine(path.display().to_string()))
        };
        job.or_else(global).or_else(file)
    }

    fn job_file(
        &self,
        path: &Path,
        world: &dyn World,
        globals: Vec<Typed>,
    ) -> Result<JobFile, JobError> {
        let mut file = read_file(path, world, globals, &self.settings.sections)?;
        if let Some(first) = file.jobs.first_mut() {
            // Only jobs of an earlier file are awaited; fio runs command-line jobs beside the first
            // file.
            first.begins_file =
                self.jobs.iter().any(|job| matches!(job.origin, Origin::File { .. }));
        }
        Ok(file)
    }
}

/// Checks that need all jobs together.
fn check(invocation: &Invocation) -> Result<(), JobError> {
    let settings = &invocation.settings;
    let dry = invocation.action.is_dry();
    if invocation.jobs.is_empty() && !dry {
        let hint = match settings.sections.as_slice() {
            [] => "Give a job file, or --name=… with options; --help lists them.".into(),
            sections => text!("No section is called {}.", sections.join(" or ")),
        };
        return Err(
            JobError::new(ErrorKind::NoJobs, "No job(s) defined", Origin::Builtin).hinted(hint)
        );
    }
    let clones: u64 = invocation.jobs.iter().map(|job| u64::from(job.process.numjobs)).sum();
    if clones > u64::from(settings.max_jobs) && !dry {
        let most = settings.max_jobs;
        let message = text!("error: maximum number of jobs reached: {clones} of at most {most}");
        return Err(JobError::new(ErrorKind::BadValue, message, invocation.jobs[0].origin.clone())
            .hinted("Lower numjobs, or raise --max-jobs."));
    }
    let writes = |job: &&crate::spec::JobSpec| job.pattern.rw.write || job.pattern.rw.trim;
    if let Some(job) = invocation.jobs.iter().filter(|_| settings.readonly).find(writes) {
        let message = text!(
            "fio: job <{}> has write or trim bit set, but fio is in read-only mode",
            job.name
        );
        return Err(JobError::new(ErrorKind::Refused, message, job.origin.clone())
            .hinted("Drop --readonly, or use rw=read or rw=randread."));
    }
    let fatal = invocation.notices.iter().find(|notice| notice.kind.may_be_fatal());
    match fatal.filter(|_| settings.warnings_fatal) {
        Some(notice) => {
            Err(JobError::new(ErrorKind::Conflict, notice.text.clone(), Origin::Builtin)
                .hinted("Drop --warnings-fatal to go on regardless."))
        }
        None => Ok(()),
    }
}
