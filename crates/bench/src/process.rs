//! The compared programs, and a run of one of them: its output, its time, its memory.

use crate::nfs_server::{self, NfsServer};
use anyhow::{Context, Result, bail, ensure};
use fathom_engine::{ChildUsage, wait_with_usage};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A run is killed after this: far longer than any takes, except under callgrind.
const RUN_LIMIT: Duration = Duration::from_secs(300);

/// The available programs.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The binary of this repository.
    pub ours: PathBuf,
    /// fio, if it is installed.
    pub fio: Option<PathBuf>,
    /// fio with its nfs engine, if it was built.
    pub fio_nfs: Option<PathBuf>,
    /// valgrind, if it is installed.
    pub valgrind: Option<PathBuf>,
}

impl Programs {
    /// `FATHOM_UNDER_TEST`, or the sibling of this executable, built first if cargo runs us.
    pub fn find(no_build: bool) -> Result<Programs> {
        let ours = match std::env::var_os("FATHOM_UNDER_TEST") {
            Some(path) => PathBuf::from(path),
            None => sibling(no_build)?,
        };
        let ours = std::path::absolute(&ours).context("the binary's path")?;
        ensure!(ours.is_file(), "{} is not there: cargo build --release", ours.display());
        let (fio, fio_nfs) = (installed("fio"), nfs_server::fio());
        Ok(Programs { ours, fio, fio_nfs, valgrind: installed("valgrind") })
    }

    /// A run of ours under the name `fio`.
    pub fn ours(&self, words: &[String]) -> Command {
        let mut command = Command::new(&self.ours);
        command.arg0("fio").args(words);
        command
    }

    /// A run of ours in the network of an NFS server.
    pub fn ours_beside(&self, server: &NfsServer, words: &[String]) -> Command {
        let mut command = server.beside(&self.ours);
        command.arg("fio").args(words);
        command
    }

    /// A run of fio in the network of an NFS server, if it has that engine.
    pub fn fio_beside(&self, server: &NfsServer, words: &[String]) -> Result<Command> {
        let fio = self.fio_nfs.as_ref().context("fio with its nfs engine is not built")?;
        let mut command = server.beside(fio);
        command.args(words);
        Ok(command)
    }

    /// A run of fio, if it is installed.
    pub fn fio(&self, words: &[String]) -> Result<Command> {
        let mut command = Command::new(self.fio.as_ref().context("fio is not installed")?);
        command.args(words);
        Ok(command)
    }
}

/// Our binary beside this executable.
fn sibling(no_build: bool) -> Result<PathBuf> {
    let own = std::env::current_exe().context("no path to this executable")?;
    let folder = own.parent().context("this executable has no folder")?;
    // `cargo run` sets this variable; it built only this package.
    if let Some(cargo) = std::env::var_os("CARGO").filter(|_| !no_build) {
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--locked", "--package", "fathom"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        ensure!(build.status().context("cargo")?.success(), "the binary could not be built");
    }
    Ok(folder.join("fathom"))
}

fn installed(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// How a run ended that went well.
#[derive(Clone, Debug)]
pub struct Finished {
    /// All of standard output.
    pub stdout: String,
    /// From the start to the end of the process.
    pub wall: Duration,
    /// Its resource use.
    pub usage: ChildUsage,
}

/// Runs a command in `folder` to its end.
///
/// # Errors
/// If it cannot be started, fails or hangs; with the end of its standard error.
pub fn run(mut command: Command, folder: &Path) -> Result<Finished> {
    let name = Path::new(command.get_program()).to_owned();
    let errors = folder.join("stderr");
    let stderr = File::create(&errors).context("a file for standard error")?;
    command.current_dir(folder).env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr);
    let begun = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot run {}", name.display()))?;
    let mut stdout = Vec::new();
    let guard = Watch::over(&child);
    if let Some(pipe) = child.stdout.as_mut() {
        pipe.read_to_end(&mut stdout).context("standard output")?;
    }
    let (status, usage) = wait_with_usage(child).context("waiting for the run")?;
    let wall = begun.elapsed();
    drop(guard);
    if !status.success() {
        let said = std::fs::read_to_string(&errors).unwrap_or_default();
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        bail!("{} {}: {status}\n{}", name.display(), words.join(" "), tail(&said));
    }
    Ok(Finished { stdout: String::from_utf8_lossy(&stdout).into_owned(), wall, usage })
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(5)..].join("\n")
}

/// Kills a run that hangs; dropped when it has ended.
struct Watch {
    _ended: std::sync::mpsc::Sender<()>,
}

impl Watch {
    fn over(child: &Child) -> Watch {
        let (ended, told): (_, Receiver<()>) = channel();
        let pid = Pid::from_child(child);
        std::thread::spawn(move || {
            use std::sync::mpsc::RecvTimeoutError::Timeout;
            if told.recv_timeout(RUN_LIMIT) == Err(Timeout) {
                // It may have ended just now; then there is no process to kill.
                let _ = kill_process(pid, Signal::KILL);
            }
        });
        Watch { _ended: ended }
    }
}

/// The first line that a program prints about itself.
pub fn version(program: &Path, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}
