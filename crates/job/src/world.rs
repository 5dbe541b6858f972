//! The environment that a job file may use, as one interface.
//!
//! This crate never reads the environment, and reads files only through [`World`], so that tests
//! and fuzzers need neither, and an agent can use the coordinator's answers.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The surroundings of a job file or command line.
pub trait World {
    /// The environment variable of this name, for `${NAME}`.
    fn env(&self, name: &str) -> Option<String>;

    /// At most `limit` bytes of a job file; `-` is standard input.
    ///
    /// # Errors
    /// Any error of reading the file.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;

    /// Bytes of a page of memory, for `$pagesize`.
    fn page_size(&self) -> u64 {
        4096
    }

    /// Memory of the machine in MiB, for `$mb_memory`.
    fn memory_mib(&self) -> u64;

    /// CPUs of the machine, for `$ncpus`.
    fn cpus(&self) -> u32;

    /// Whether other machines run the jobs: then they refuse the engines that they lack.
    fn runs_elsewhere(&self) -> bool {
        false
    }
}

/// The real disk, with an environment that the caller hands in.
pub struct DiskWorld<F> {
    env: F,
    memory_mib: u64,
    cpus: u32,
    runs_elsewhere: bool,
}

impl<F: Fn(&str) -> Option<String>> DiskWorld<F> {
    /// `env` looks up variables; memory is in MiB.
    pub fn new(env: F, memory_mib: u64, cpus: u32) -> DiskWorld<F> {
        DiskWorld { env, memory_mib, cpus, runs_elsewhere: false }
    }

    /// The same for jobs of other machines, if `elsewhere` is true.
    pub fn for_jobs_elsewhere(self, elsewhere: bool) -> DiskWorld<F> {
        DiskWorld { runs_elsewhere: elsewhere, ..self }
    }
}

impl<F: Fn(&str) -> Option<String>> World for DiskWorld<F> {
    fn env(&self, name: &str) -> Option<String> {
        (self.env)(name)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
        } else {
            File::open(path)?.take(limit).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    fn memory_mib(&self) -> u64 {
        self.memory_mib
    }

    fn cpus(&self) -> u32 {
        self.cpus
    }

    fn runs_elsewhere(&self) -> bool {
        self.runs_elsewhere
    }
}

/// A world of given files and variables, without a disk: for tests, fuzzers and built-in jobs.
#[derive(Clone, Debug, Default)]
pub struct FixedWorld {
    /// Files by path.
    pub files: Vec<(std::path::PathBuf, Vec<u8>)>,
    /// Environment variables by name.
    pub variables: Vec<(String, String)>,
}

impl World for FixedWorld {
    fn env(&self, name: &str) -> Option<String> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let file = self.files.iter().find(|(known, _)| known == path);
        let (_, bytes) = file.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(bytes[..bytes.len().min(limit)].to_vec())
    }

    fn memory_mib(&self) -> u64 {
        1024
    }

    fn cpus(&self) -> u32 {
        2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_is_read_up_to_the_limit() {
        let world = DiskWorld::new(|name| (name == "A").then(|| "b".to_string()), 7, 3);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert_eq!(world.read(&path, 9).unwrap(), b"[package]");
        assert!(world.read(&path.join("none"), 9).is_err());
        assert_eq!((world.env("A"), world.env("B")), (Some("b".to_string()), None));
        assert_eq!((world.memory_mib(), world.cpus(), world.page_size()), (7, 3, 4096));
    }
}
