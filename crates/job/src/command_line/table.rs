//! The options of the program itself: one row each, like job options.

use super::debug::set_debug;
use crate::error::{ErrorKind, JobError};
use crate::options::nearest;
use crate::origin::Origin;
use crate::quantity::{TimeUnit, parse_time_us};
use crate::settings::{Action, EtaWhen, Formats, IdleProf, Notice, Settings};

/// Whether an option of the program takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// None.
    None,
    /// Only after `=`.
    Optional,
    /// After `=`, or the next word.
    Required,
}

/// An option of the program.
#[derive(Clone, Debug)]
pub struct CliOption {
    /// Long name.
    pub name: &'static str,
    /// Letter.
    pub short: Option<char>,
    /// Whether it takes a value.
    pub argument: Argument,
    /// The placeholder of the value in help.
    pub value: &'static str,
    /// One line.
    pub help: &'static str,
    does: Does,
}

/// The effect of an option.
#[derive(Clone, Debug)]
enum Does {
    Set(fn(&mut Settings)),
    Take(fn(&mut Settings, &str) -> Result<(), Wrong>),
    Then(Action),
    Only(fn(Option<&str>) -> Action),
    Debug,
    Client,
    Ignore,
    NotYet(&'static str),
    Gone(&'static str),
}

/// fio's words for a bad value, and advice.
type Wrong = (String, &'static str);

/// The result of an option.
pub(super) enum Effect {
    /// Nothing more.
    None,
    /// Once all is read, do this.
    Then(Action),
    /// Do this at once.
    Only(Action),
    /// The following arguments are for this client.
    Client(String),
    /// Go on, and print these.
    Answered(Vec<Notice>),
}

const fn option(
    name: &'static str,
    short: Option<char>,
    argument: Argument,
    value: &'static str,
    help: &'static str,
    does: Does,
) -> CliOption {
    CliOption { name, short, argument, value, help, does }
}

/// All options of the program, in the order of help.
pub fn cli_options() -> &'static [CliOption] {
    ROWS
}

use Argument::{None as Bare, Optional, Required};

static ROWS: &[CliOption] = &[
    option(
        "output",
        Some('o'),
        Required,
        "FILE",
        "write results to FILE",
        Does::Take(|s, v| {
            s.output = Some(v.into());
            Ok(())
        }),
    ),
    option(
        "output-format",
        Some('F'),
        Required,
        "LIST",
        "normal, json, json+, terse; several with commas",
        Does::Take(set_formats),
    ),
    option(
        "minimal",
        Some('m'),
        Bare,
        "",
        "the same as --output-format=terse",
        Does::Set(|s| {
            s.formats = Formats { terse: true, ..Formats::NONE };
        }),
    ),
    option(
        "append-terse",
        Some('f'),
        Bare,
        "",
        "terse lines after the chosen format",
        Does::Set(|s| s.append_terse = true),
    ),
    option(
        "terse-version",
        Some('V'),
        Required,
        "N",
        "version of terse lines: 2, 3, 4 or 5",
        Does::Take(|s, v| {
            s.terse_version = v.parse().ok().filter(|n| (2..=5).contains(n)).ok_or_else(|| {
                (format!("fio: bad terse version format: {v}"), "Use 2, 3, 4 or 5.")
            })?;
            Ok(())
        }),
    ),
    option(
        "bandwidth-log",
        Some('b'),
        Optional,
        "PREFIX",
        "log the bandwidth of all jobs together",
        Does::Take(|s, v| {
            s.bandwidth_log = Some(if v.is_empty() { "agg" } else { v }.to_string());
            Ok(())
        }),
    ),
    option(
        "latency-log",
        Some('l'),
        Required,
        "",
        "gone: use write_lat_log=",
        Does::Gone("fio: --latency-log is deprecated. Use per-job latency log options."),
    ),
    option(
        "eta",
        Some('e'),
        Required,
        "WHEN",
        "show progress: auto, always, never",
        Does::Take(set_eta),
    ),
    option(
        "eta-interval",
        Some('O'),
        Required,
        "TIME",
        "time between progress lines, 250ms or more",
        Does::Take(|s, v| {
            s.eta_interval_ms = milliseconds(v)?;
            if s.eta_interval_ms < 250 {
                return Err((
                    "fio: eta interval time too short (250msec min)".into(),
                    "Use 250ms or more.",
                ));
            }
            Ok(())
        }),
    ),
    option(
        "eta-newline",
        Some('E'),
        Required,
        "TIME",
        "begin a new progress line this often",
        Does::Take(|s, v| {
            s.eta_newline_ms = Some(milliseconds(v)?);
            Ok(())
        }),
    ),
    option(
        "status-interval",
        Some('L'),
        Required,
        "TIME",
        "print all results so far this often",
        Does::Take(|s, v| {
            s.status_interval_ms = Some(milliseconds(v)?);
            Ok(())
        }),
    ),
    option(
        "readonly",
        Some('r'),
        Bare,
        "",
        "refuse jobs that write or trim",
        Does::Set(|s| s.readonly = true),
    ),
    option(
        "section",
        Some('x'),
        Required,
        "NAME",
        "run this section of job files only; may be repeated",
        Does::Take(|s, v| {
            s.sections.push(v.to_string());
            Ok(())
        }),
    ),
    option(
        "max-jobs",
        Some('j'),
        Required,
        "N",
        "most clones of all jobs together (4096)",
        Does::Take(|s, v| {
            s.max_jobs = v.parse().ok().filter(|n| *n > 0).ok_or_else(|| {
                (format!("fio: failed parsing --max-jobs={v}"), "Give a number of 1 or more.")
            })?;
            Ok(())
        }),
    ),
    option(
        "parse-only",
        Some('P'),
        Bare,
        "",
        "check the jobs, run nothing",
        Does::Then(Action::ParseOnly),
    ),
    option(
        "showcmd",
        Some('s'),
        Bare,
        "",
        "print the jobs as a command line",
        Does::Then(Action::ShowCmd),
    ),
    option(
        "warnings-fatal",
        Some('w'),
        Bare,
        "",
        "stop at a warning",
        Does::Set(|s| s.warnings_fatal = true),
    ),
    option(
        "idle-prof",
        Some('I'),
        Required,
        "HOW",
        "report how idle the CPUs were: system or percpu",
        Does::Take(|s, v| {
            s.idle_prof = match v {
                "calibrate" => {
                    return Err((
                        "fio: --idle-prof=calibrate is not supported: idleness is taken from the \
                         kernel's accounting, so there is nothing to calibrate"
                            .into(),
                        "Use system or percpu.",
                    ));
                }
                "system" => IdleProf::System,
                "percpu" => IdleProf::PerCpu,
                _ => {
                    return Err((
                        format!("fio: incorrect idle-prof option: {v}"),
                        "Use system or percpu.",
                    ));
                }
            };
            Ok(())
        }),
    ),
    option(
        "aux-path",
        Some('K'),
        Required,
        "FOLDER",
        "folder for files the program makes",
        Does::Take(|s, v| {
            s.aux_path = Some(v.into());
            Ok(())
        }),
    ),
    option(
        "debug",
        Some('d'),
        Required,
        "LIST",
        "print lines about io, parse or random; help lists all subjects",
        Does::Debug,
    ),
    option(
        "alloc-size",
        Some('a'),
        Required,
        "KB",
        "accepted: memory grows as needed",
        Does::Ignore,
    ),
    option("version", Some('v'), Bare, "", "print the version", Does::Only(|_| Action::Version)),
    option("help", Some('h'), Bare, "", "print this", Does::Only(|_| Action::Help)),
    option(
        "cmdhelp",
        Some('c'),
        Optional,
        "OPTION",
        "explain a job option; all lists them",
        Does::Only(|v| Action::CmdHelp(v.filter(|v| *v != "all").map(str::to_string))),
    ),
    option(
        "enghelp",
        Some('i'),
        Optional,
        "ENGINE[,OPTION]",
        "list engines, or an engine's options",
        Does::Only(|v| {
            let (engine, option) = v.map_or((None, None), |v| {
                v.split_once(',').map_or((Some(v), None), |(e, o)| (Some(e), Some(o)))
            });
            Action::EngHelp {
                engine: engine.map(str::to_string),
                option: option.map(str::to_string),
            }
        }),
    ),
    option(
        "client",
        Some('C'),
        Required,
        "HOST",
        "run the job files that follow on this host, by ssh",
        Does::Client,
    ),
    option(
        "server",
        Some('S'),
        Optional,
        "ADDRESS",
        "serve clients: not yet",
        Does::NotYet("Run the program on the host itself, as ssh HOST fio …."),
    ),
    option(
        "daemonize",
        Some('D'),
        Required,
        "PIDFILE",
        "serve in the background: not yet",
        Does::NotYet("Start it with nohup or systemd-run."),
    ),
    option(
        "remote-config",
        Some('R'),
        Required,
        "FILE",
        "job file on the server: not yet",
        Does::NotYet("Run the program on the host itself."),
    ),
    option(
        "trigger-file",
        Some('W'),
        Required,
        "FILE",
        "act when a file appears: not yet",
        Does::NotYet("Watch for the file in a script."),
    ),
    option(
        "trigger-timeout",
        Some('B'),
        Required,
        "TIME",
        "act after a time: not yet",
        Does::NotYet("Use timeout(1)."),
    ),
    option(
        "trigger",
        Some('H'),
        Required,
        "COMMAND",
        "what to do then: not yet",
        Does::NotYet("Run the command from a script."),
    ),
    option(
        "trigger-remote",
        Some('J'),
        Required,
        "COMMAND",
        "what to do then, elsewhere: not yet",
        Does::NotYet("Run the command from a script."),
    ),
    option(
        "inflate-log",
        Some('X'),
        Required,
        "FILE",
        "print a compressed log: not yet",
        Does::NotYet("Fathom writes logs uncompressed; use fio for old ones."),
    ),
    option(
        "merge-blktrace-only",
        Some('A'),
        Bare,
        "",
        "merge traces: not yet",
        Does::NotYet("Use blkparse."),
    ),
    option(
        "cpuclock-test",
        Some('T'),
        Bare,
        "",
        "test the CPU's counter: not yet",
        Does::NotYet("The counter is checked before each run."),
    ),
    option(
        "crctest",
        Some('G'),
        Optional,
        "KIND",
        "time checksums: not yet",
        Does::NotYet("Use openssl speed."),
    ),
    option(
        "memcpytest",
        Some('M'),
        Optional,
        "KIND",
        "time memory copies: not yet",
        Does::NotYet("Use a memory benchmark, such as stream."),
    ),
];

impl CliOption {
    /// Whether it is implemented; otherwise it names an alternative.
    pub fn is_there(&self) -> bool {
        !matches!(self.does, Does::NotYet(_) | Does::Gone(_))
    }

    /// Carries the option out.
    pub(super) fn run(
        &self,
        value: Option<&str>,
        settings: &mut Settings,
        origin: &Origin,
    ) -> Result<Effect, JobError> {
        let error = |kind, message: String, hint: &'static str| {
            Err(JobError::new(kind, message, origin.clone()).hinted(hint))
        };
        let value_or_empty = value.unwrap_or_default();
        match &self.does {
            Does::Set(set) => set(settings),
            Does::Take(take) => {
                if let Err((message, hint)) = take(settings, value_or_empty) {
                    return error(ErrorKind::CommandLine, message, hint);
                }
            }
            Does::Then(action) => return Ok(Effect::Then(action.clone())),
            Does::Only(action) => return Ok(Effect::Only(action(value))),
            Does::Debug if value == Some("help") => return Ok(Effect::Only(Action::DebugHelp)),
            Does::Debug => return Ok(Effect::Answered(set_debug(value_or_empty, settings))),
            Does::Client => return Ok(Effect::Client(value_or_empty.to_owned())),
            Does::Ignore => {}
            Does::NotYet(instead) => {
                let message = format!("fio: option '--{}' is not supported yet", self.name);
                return error(ErrorKind::NotYet, message, instead);
            }
            Does::Gone(message) => {
                return error(
                    ErrorKind::Refused,
                    (*message).to_string(),
                    "Use write_lat_log=PREFIX.",
                );
            }
        }
        Ok(Effect::None)
    }
}

fn set_formats(settings: &mut Settings, list: &str) -> Result<(), Wrong> {
    let mut formats = Formats::NONE;
    for word in list.split(',').map(str::trim) {
        match word {
            "normal" => formats.normal = true,
            "json" => formats.json = true,
            "json+" => formats.json_plus = true,
            "terse" | "minimal" => formats.terse = true,
            _ => {
                let names = ["normal", "json", "json+", "terse"];
                let near = nearest(word, names.into_iter()).unwrap_or_default();
                let hint = match near {
                    "normal" => "Did you mean normal? Use normal, json, json+ or terse.",
                    "json" | "json+" => "Did you mean json? Use normal, json, json+ or terse.",
                    "terse" => "Did you mean terse? Use normal, json, json+ or terse.",
                    _ => "Use normal, json, json+ or terse.",
                };
                return Err((format!("fio: invalid output format {word}"), hint));
            }
        }
    }
    settings.formats = formats;
    Ok(())
}

/// Any beginning will do, as in fio.
fn set_eta(settings: &mut Settings, when: &str) -> Result<(), Wrong> {
    let known = [("always", EtaWhen::Always), ("never", EtaWhen::Never), ("auto", EtaWhen::Auto)];
    let fits: Vec<_> = known.iter().filter(|(name, _)| name.starts_with(when)).collect();
    match fits.as_slice() {
        [(_, eta)] => {
            settings.eta = *eta;
            Ok(())
        }
        _ => Err((format!("fio: failed parsing eta={when}"), "Use auto, always or never.")),
    }
}

fn milliseconds(text: &str) -> Result<u64, Wrong> {
    let us = parse_time_us(text, TimeUnit::S)
        .map_err(|_| (format!("fio: failed parsing time {text}"), "Use 5, 500ms or 1m."))?;
    Ok(us.div_ceil(1000))
}
