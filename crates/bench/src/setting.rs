//! The head of a result file: date, machine and versions.

use crate::process::{Programs, version};
use fathom_host::{Host, System};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Version of the files' format; raised when a field changes its meaning.
pub const FORMAT: u32 = 1;

/// The head of a result file.
#[derive(Clone, Debug, Serialize)]
pub struct BenchSetting {
    /// [`FORMAT`].
    pub format: u32,
    /// When it was begun.
    pub began: String,
    /// The machine, its kernel included.
    pub machine: System,
    /// The load averages at the start.
    pub load: Option<String>,
    /// The compared programs, and the commit of the repository.
    pub versions: BTreeMap<String, String>,
    /// Turns of each contestant.
    pub rounds: usize,
    /// Length of a run.
    pub seconds: f64,
}

impl BenchSetting {
    /// This machine, now.
    pub fn now(programs: &Programs, rounds: usize, seconds: f64) -> BenchSetting {
        BenchSetting {
            format: FORMAT,
            began: chrono::Local::now().to_rfc3339(),
            machine: Host::real().system(),
            load: std::fs::read_to_string("/proc/loadavg").ok().map(|s| s.trim().to_owned()),
            versions: versions(programs),
            rounds,
            seconds,
        }
    }
}

fn versions(programs: &Programs) -> BTreeMap<String, String> {
    let mut versions = BTreeMap::new();
    let mut note =
        |name: &str, said: Option<String>| said.map(|said| versions.insert(name.into(), said));
    note("fathom", version(&programs.ours, &["--version"]));
    note("fio", programs.fio.as_ref().and_then(|path| version(path, &["--version"])));
    let valgrind = programs.valgrind.as_ref();
    note("valgrind", valgrind.and_then(|path| version(path, &["--version"])));
    let commit = ["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty"];
    note("commit", version(Path::new("git"), &commit));
    versions
}
