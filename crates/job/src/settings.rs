//! The command line's options for the program, rather than for a job.

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
    /// The `global options` of results: canonical names and values as typed, those of the last
    /// `[global]` section if a file has one, else those of the command line, as fio reports them.
    pub global_options: Vec<(String, Option<String>)>,
    /// Warnings. The drop-in does not print them.
    pub warnings: Vec<String>,
    /// `--client`: the hosts of jobs; empty if this machine runs them.
    pub clients: Vec<ClientJobs>,
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
    /// Calibrate and exit.
    Calibrate,
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
    /// `--debug`: the categories to trace.
    pub debug: Vec<String>,
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
