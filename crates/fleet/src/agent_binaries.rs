//! The binaries that become agents: this one, and Fathom's for other architectures.
//!
//! Decided here:
//! - Hosts and pods have one table: a binary of Linux for each architecture. What the user names
//!   comes first, then this binary, then a file beside it, `fathom-aarch64`.
//! - A file is read once, when the first host needs it.

use fathom_vocab::Architecture;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The binary that runs, also where its file was replaced since.
const RUNNING: &str = "/proc/self/exe";
/// The only system for which binaries are copied from another one.
const LINUX: &str = "linux";
/// The most bytes of a file that say what it is.
const HEAD_BYTES: u64 = 64;

/// Why a binary cannot become an agent.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentBinaryError {
    /// It cannot be read.
    #[error("cannot read {binary}: {}", io::Error::from(*.why))]
    Unreadable {
        /// The file.
        binary: String,
        /// The reason.
        why: io::ErrorKind,
    },
    /// It is something else.
    #[error("{file} is no Linux program for {architecture}{}", .found.as_ref()
        .map(|found| format!(", but for {found}")).unwrap_or_default())]
    Misfit {
        /// The file.
        file: String,
        /// What it is to be for.
        architecture: Architecture,
        /// What it is for.
        found: Option<Architecture>,
    },
}

/// A binary, and what is known of it.
#[derive(Debug, Default)]
pub struct AgentBinary {
    /// Its file and architecture; none for the binary of this process.
    file: Option<(PathBuf, Architecture)>,
    identity: OnceLock<Result<BinaryIdentity, AgentBinaryError>>,
    bytes: OnceLock<Result<Arc<Vec<u8>>, AgentBinaryError>>,
}

/// By what a copy is recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BinaryIdentity {
    /// In hexadecimal digits.
    pub(crate) sha256: String,
    pub(crate) size_bytes: u64,
}

impl AgentBinary {
    fn of_file(path: PathBuf, architecture: Architecture) -> AgentBinary {
        AgentBinary { file: Some((path, architecture)), ..AgentBinary::default() }
    }

    /// Whether it is the binary of this process.
    pub fn is_own(&self) -> bool {
        self.file.is_none()
    }

    /// Its bytes.
    ///
    /// # Errors
    /// If it cannot be read, or is for another architecture.
    pub fn bytes(&self) -> Result<Arc<Vec<u8>>, AgentBinaryError> {
        let read = || {
            let mut bytes = Vec::new();
            let done = self.open()?.read_to_end(&mut bytes);
            done.map_err(|why| self.unreadable(&why))?;
            Ok(Arc::new(bytes))
        };
        self.bytes.get_or_init(read).clone()
    }

    /// Its hash and size.
    pub(crate) fn identity(&self) -> Result<&BinaryIdentity, AgentBinaryError> {
        let read = || {
            let mut file = self.open()?;
            let size = file.metadata().map(|about| about.len());
            let size_bytes = size.map_err(|why| self.unreadable(&why))?;
            let sha256 = match self.is_own() {
                true => own_sha256(),
                false => sha256(&mut file),
            };
            Ok(BinaryIdentity { sha256: sha256.map_err(|why| self.unreadable(&why))?, size_bytes })
        };
        self.identity.get_or_init(read).as_ref().map_err(Clone::clone)
    }

    fn open(&self) -> Result<File, AgentBinaryError> {
        match &self.file {
            None => open_own().map_err(|why| self.unreadable(&why)),
            Some((path, architecture)) => {
                let mut head = Vec::new();
                let opened = File::open(path).and_then(|mut file| {
                    file.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
                    file.rewind().map(|()| file)
                });
                let file = opened.map_err(|why| self.unreadable(&why))?;
                match Architecture::of_program(&head) {
                    Some(found) if found == *architecture => Ok(file),
                    found => Err(AgentBinaryError::Misfit {
                        file: path.display().to_string(),
                        architecture: architecture.clone(),
                        found,
                    }),
                }
            }
        }
    }

    fn unreadable(&self, why: &io::Error) -> AgentBinaryError {
        let binary = match &self.file {
            Some((path, _)) => path.display().to_string(),
            None => "this binary".to_owned(),
        };
        AgentBinaryError::Unreadable { binary, why: why.kind() }
    }
}

/// The binaries that this process can bring to hosts and pods.
#[derive(Debug)]
pub struct AgentBinaries {
    own: AgentBinary,
    /// Files for Linux, by their architecture.
    files: BTreeMap<Architecture, AgentBinary>,
}

impl Default for AgentBinaries {
    /// This binary, and those beside it.
    fn default() -> AgentBinaries {
        let beside = Architecture::known().filter(|of| !is_own(LINUX, of));
        let files = beside.map(|of| (beside_path(&of), of)).filter(|(path, _)| path.is_file());
        let files = files.map(|(path, of)| (of.clone(), AgentBinary::of_file(path, of)));
        AgentBinaries { files: files.collect(), own: AgentBinary::default() }
    }
}

impl AgentBinaries {
    /// The same with a file that the user named for an architecture.
    ///
    /// # Errors
    /// If it is no program for it.
    pub fn with(
        mut self,
        architecture: Architecture,
        path: PathBuf,
    ) -> Result<AgentBinaries, AgentBinaryError> {
        let binary = AgentBinary::of_file(path, architecture.clone());
        binary.open()?;
        self.files.insert(architecture, binary);
        Ok(self)
    }

    /// The one for Linux on this architecture.
    pub fn get(&self, architecture: &Architecture) -> Option<&AgentBinary> {
        let own = is_own(LINUX, architecture).then_some(&self.own);
        self.files.get(architecture).or(own)
    }

    /// The one for a system as `uname -s` and `uname -m` or a greeting name it.
    pub(crate) fn of_host(
        &self,
        system: &str,
        architecture: &Architecture,
    ) -> Option<&AgentBinary> {
        match system.to_lowercase().as_str() {
            LINUX => self.get(architecture),
            system => is_own(system, architecture).then_some(&self.own),
        }
    }

    /// The one to try on a host of which nothing is known.
    pub(crate) fn usual(&self) -> &AgentBinary {
        self.get(&Architecture::own()).unwrap_or(&self.own)
    }

    /// The architectures of Linux that they are for.
    pub fn architectures(&self) -> Vec<Architecture> {
        let own = Architecture::own();
        let known = Architecture::known().filter(|of| *of != own).chain([own.clone()]);
        known.filter(|of| self.get(of).is_some()).collect()
    }

    /// What a user can do where there is none for this architecture.
    pub fn remedy(architecture: &Architecture) -> String {
        format!(
            "put Fathom's binary for {architecture} here as {}, or name it by --agent-binary \
             {}=FILE",
            beside_path(architecture).display(),
            architecture.kubernetes_name()
        )
    }
}

/// Whether this binary runs there.
fn is_own(system: &str, architecture: &Architecture) -> bool {
    let system = if system == "darwin" { "macos" } else { system };
    system == std::env::consts::OS && *architecture == Architecture::own()
}

/// Where the binary for another architecture is looked for.
fn beside_path(architecture: &Architecture) -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.with_file_name(format!("fathom-{architecture}"))
}

/// The SHA-256 of this process's binary, in hexadecimal digits.
pub(crate) fn own_sha256() -> io::Result<String> {
    static OWN: OnceLock<Result<String, io::ErrorKind>> = OnceLock::new();
    let read = || open_own().and_then(|mut file| sha256(&mut file)).map_err(|why| why.kind());
    OWN.get_or_init(read).clone().map_err(io::Error::from)
}

fn sha256(file: &mut File) -> io::Result<String> {
    let (mut hash, mut chunk) = (Sha256::new(), vec![0; 256 << 10]);
    loop {
        match file.read(&mut chunk)? {
            0 => break,
            count => hash.update(&chunk[..count]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Opens this process's binary. If it was started by an explicit loader, as in a pod whose image
/// has none, the kernel reports the loader as the program.
fn open_own() -> io::Result<File> {
    let started = std::env::current_exe()?;
    let is_loader =
        started.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"ld"));
    let loaded = std::env::args_os().next().filter(|_| is_loader);
    let running = Path::new(RUNNING);
    match loaded {
        Some(path) => File::open(path),
        None if running.exists() => File::open(running),
        None => File::open(started),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(folder: &Path, name: &str, machine: u8) -> PathBuf {
        let path = folder.join(name);
        let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0".to_vec();
        bytes.extend([machine, 0]);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn each_architecture_has_its_binary_and_named_ones_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = program(folder.path(), "riscv", 243);
        let riscv = Architecture::named("riscv64");
        let binaries = AgentBinaries::default().with(riscv.clone(), file).unwrap();
        let binary = binaries.of_host("Linux", &riscv).unwrap();
        assert!(!binary.is_own() && binary.bytes().unwrap().len() == 20);
        assert_eq!(binary.identity().unwrap().size_bytes, 20);
        assert_eq!(binary.identity().unwrap().sha256.len(), 64);
        assert!(binaries.architectures().contains(&riscv));
        assert!(binaries.of_host("Linux", &Architecture::named("vax")).is_none());
        assert!(binaries.of_host("OpenBSD", &riscv).is_none());
        assert!(binaries.usual().is_own());
        assert_eq!(binaries.usual().identity().unwrap().sha256, own_sha256().unwrap());
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_named_binary_takes_the_place_of_this_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = program(folder.path(), "other", 62);
        let binaries = AgentBinaries::default().with(Architecture::own(), file).unwrap();
        assert!(!binaries.usual().is_own());
    }
}
