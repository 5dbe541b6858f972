//! The command line's options for the program, rather than for a job, and what reading it found.

use crate::spec::JobSpec;
use std::path::PathBuf;

/// A command line, understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// The action.
    pub action: Action,
    /// How to do it.
    pub settings: Settings,
    /// The jobs: those of the command line first, then those of each file, as fio orders them.
    pub jobs: Vec<JobSpec>,
    /// The `global options` of results: canonical names and values as typed. As in fio, those that
    /// were in force at the end of the last job file, or of the command line if there is none.
    pub global_options: Vec<(String, Option<String>)>,
    /// Remarks on the command line and the jobs, in the order in which they were found.
    pub notices: Vec<Notice>,
    /// `--client`: the hosts of jobs; empty if this machine runs them.
    pub clients: Vec<ClientJobs>,
}

impl Invocation {
    /// The notices that belong into the results.
    pub fn warnings(&self) -> Vec<String> {
        let meant = self.notices.iter().filter(|notice| notice.kind.is_of_results());
        meant.map(|notice| notice.text.clone()).collect()
    }
}

/// A remark on a command line or a job that is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Where it is printed.
    pub kind: NoticeKind,
    /// One line.
    pub text: String,
}

/// Who makes a remark, and where the drop-in prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Fathom's warning, which fio does not have: the drop-in does not print it.
    Own,
    /// fio's warning: on standard error.
    Warning,
    /// fio's complaint about a value that it takes all the same: on standard error, and never
    /// fatal.
    Complaint,
    /// fio's answer to an option: on standard output, or in the file of `--output`.
    Answer,
    /// A line of `--debug`, where an [`NoticeKind::Answer`] goes, if its subject was named.
    Debug(DebugSubject),
}

impl NoticeKind {
    /// Whether `--warnings-fatal` makes it an error.
    pub fn may_be_fatal(self) -> bool {
        matches!(self, NoticeKind::Own | NoticeKind::Warning)
    }

    /// Whether the results repeat it.
    fn is_of_results(self) -> bool {
        self.may_be_fatal() || self == NoticeKind::Complaint
    }
}

/// A subject of `--debug` that Fathom prints lines about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugSubject {
    /// I/Os as they begin and complete.
    Io,
    /// Options as they are read.
    Parse,
    /// Seeds and random numbers.
    Random,
}

impl DebugSubject {
    /// All, by name.
    pub const ALL: [DebugSubject; 3] =
        [DebugSubject::Io, DebugSubject::Parse, DebugSubject::Random];

    /// Its name in `--debug`.
    pub fn name(self) -> &'static str {
        match self {
            DebugSubject::Io => "io",
            DebugSubject::Parse => "parse",
            DebugSubject::Random => "random",
        }
    }

    /// A line about it, in fio's form.
    pub fn line(self, text: &str) -> String {
        format!("{:<8} {:<5} {text}", self.name(), std::process::id())
    }
}

/// Jobs that other hosts run.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientJobs {
    /// The hosts, each of which runs all of the jobs.
    pub hosts: Vec<String>,
    /// The jobs.
    pub jobs: Vec<JobSpec>,
    /// As of [`Invocation::global_options`].
    pub global_options: Vec<(String, Option<String>)>,
}

/// The action of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// Run the jobs.
    #[default]
    Run,
    /// Check the jobs and run nothing.
    ParseOnly,
    /// Print the jobs as a command line.
    ShowCmd,
    /// `--help`.
    Help,
    /// `--version`.
    Version,
    /// `--cmdhelp`, of one option, or of all (`None`).
    CmdHelp(Option<String>),
    /// `--enghelp`, of all engines, one, or an option of one.
    EngHelp {
        /// The engine.
        engine: Option<String>,
        /// The option.
        option: Option<String>,
    },
    /// `--debug=help`.
    DebugHelp,
}

impl Action {
    /// Whether options are only read, and nothing is run.
    pub fn is_dry(&self) -> bool {
        matches!(self, Action::ParseOnly | Action::ShowCmd)
    }
}

/// Output formats; several may be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats {
    /// Text for people.
    pub normal: bool,
    /// JSON.
    pub json: bool,
    /// JSON with latency histograms.
    pub json_plus: bool,
    /// Lines of `;`-separated fields.
    pub terse: bool,
}

impl Formats {
    /// Nothing.
    pub const NONE: Formats =
        Formats { normal: false, json: false, json_plus: false, terse: false };
}

impl Default for Formats {
    fn default() -> Formats {
        Formats { normal: true, ..Formats::NONE }
    }
}

/// When the ETA line is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EtaWhen {
    /// On a terminal, with normal output.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `--idle-prof`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdleProf {
    /// Off.
    #[default]
    Off,
    /// All CPUs together.
    System,
    /// Each CPU.
    PerCpu,
}

/// How the program is to go about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// `--output`: where results go, if not to standard output.
    pub output: Option<PathBuf>,
    /// `--output-format`, `--minimal`.
    pub formats: Formats,
    /// `--terse-version`: 2 to 5.
    pub terse_version: u8,
    /// `--append-terse`.
    pub append_terse: bool,
    /// `--eta`.
    pub eta: EtaWhen,
    /// `--eta-interval` in milliseconds; 250 or more.
    pub eta_interval_ms: u64,
    /// `--eta-newline` in milliseconds.
    pub eta_newline_ms: Option<u64>,
    /// `--status-interval` in milliseconds.
    pub status_interval_ms: Option<u64>,
    /// `--readonly`: no job may write or trim.
    pub readonly: bool,
    /// `--section`: the sections to run; empty is all.
    pub sections: Vec<String>,
    /// `--idle-prof`.
    pub idle_prof: IdleProf,
    /// `--bandwidth-log`: prefix of aggregate logs, `agg` if none was given.
    pub bandwidth_log: Option<String>,
    /// `--aux-path`: folder for files the program makes.
    pub aux_path: Option<PathBuf>,
    /// `--max-jobs`: most clones of all jobs together.
    pub max_jobs: u32,
    /// `--warnings-fatal`.
    pub warnings_fatal: bool,
    /// `--debug`: the subjects to print lines about.
    pub debug: Vec<DebugSubject>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            output: None,
            formats: Formats::default(),
            terse_version: 3,
            append_terse: false,
            eta: EtaWhen::Auto,
            eta_interval_ms: 1000,
            eta_newline_ms: None,
            status_interval_ms: None,
            readonly: false,
            sections: Vec::new(),
            idle_prof: IdleProf::Off,
            bandwidth_log: None,
            aux_path: None,
            max_jobs: 4096,
            warnings_fatal: false,
            debug: Vec::new(),
        }
    }
}
