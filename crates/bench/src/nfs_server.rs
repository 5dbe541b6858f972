//! An independent NFS server for the rows on an export: nfs-ganesha in its own namespaces
//! (`scripts/nfs-server.sh`), and fio's nfs engine to compare with ours (`scripts/fio-nfs.sh`).

use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The file that rows read.
pub const FILE: &str = "b";
/// Its size; the export has twice as much.
const FILE_BYTES: u64 = 32 << 20;
/// The export that contains it, for both programs.
pub const URL: &str = "nfs://127.0.0.1/all?nfsport=20490&mountport=20491";

/// A server that runs until it is dropped.
pub struct NfsServer {
    holder: Child,
    folder: TempDir,
}

fn script(name: &str) -> Command {
    Command::new(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts")).join(name))
}

impl NfsServer {
    /// Starts it, with a file of random bytes in its export.
    ///
    /// # Errors
    /// If it cannot run here: not root, or its parts are not there.
    pub fn start() -> Result<NfsServer> {
        let built =
            script("nfs-server.sh").arg("built").status().context("scripts/nfs-server.sh")?;
        ensure!(built.success(), "its parts are not there: scripts/nfs-server.sh build");
        let folder = tempfile::Builder::new().prefix("fathom-bench-").tempdir()?;
        let mut hold = script("nfs-server.sh");
        hold.arg("hold").arg(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut holder = hold.stderr(Stdio::piped()).spawn().context("scripts/nfs-server.sh")?;
        let stdout = holder.stdout.take().context("its output")?;
        let server = NfsServer { holder, folder };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).context("its output")?;
        if line.trim() != "ready" {
            return Err(server.reason());
        }
        server.fill()?;
        Ok(server)
    }

    /// Why it did not start.
    fn reason(mut self) -> anyhow::Error {
        let errors = self.holder.stderr.take();
        let last =
            errors.and_then(|errors| BufReader::new(errors).lines().map_while(Result::ok).last());
        anyhow::anyhow!("no NFS server: {}", last.as_deref().unwrap_or("it does not say why"))
    }

    fn fill(&self) -> Result<()> {
        let file = self.folder.path().join("all").join(FILE);
        let mut write = script("nfs-server.sh");
        write.arg("see").arg(self.folder.path()).args(["sh", "-c"]);
        write.arg(format!("head -c {FILE_BYTES} /dev/urandom > '{}'", file.display()));
        match write.status().context("scripts/nfs-server.sh")?.success() {
            true => Ok(()),
            false => bail!("{} could not be written", file.display()),
        }
    }

    /// A command that runs `program` in the server's network.
    pub fn beside(&self, program: &Path) -> Command {
        let mut command = script("nfs-server.sh");
        command.arg("run").arg(self.folder.path()).arg(program);
        command
    }
}

impl Drop for NfsServer {
    fn drop(&mut self) {
        // It ends with its standard input, and the namespaces with it.
        drop(self.holder.stdin.take());
        if let Err(error) = self.holder.wait() {
            eprintln!("the NFS server could not be stopped: {error}");
        }
    }
}

/// fio with the nfs engine: `FATHOM_FIO_NFS`, or the script's build.
pub fn fio() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("FATHOM_FIO_NFS") {
        return Some(path.into());
    }
    let output = script("fio-nfs.sh").arg("path").stderr(Stdio::null()).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| path.trim().into())
}

#[cfg(test)]
mod checks {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn it_serves_a_file_and_ends_with_its_owner() {
        let server = match NfsServer::start() {
            Ok(server) => server,
            Err(why) => return fathom_skip::skip(&format!("{why:#}")),
        };
        let listens = || {
            let mut sockets = server.beside(Path::new("/bin/cat"));
            let output = sockets.arg("/proc/net/tcp6").arg("/proc/net/tcp").output().unwrap();
            // Port 20490, listening.
            String::from_utf8_lossy(&output.stdout).contains(":500A 0000")
        };
        assert!(listens());
        let first = std::fs::read_to_string(server.folder.path().join("first")).unwrap();
        let process = Path::new("/proc").join(first.trim());
        assert!(process.exists());
        let folder = server.folder.path().to_owned();
        drop(server);
        // The kernel ends the namespaces after the script that owns them.
        let deadline = Instant::now() + Duration::from_secs(60);
        while process.exists() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!process.exists() && !folder.exists());
    }
}
