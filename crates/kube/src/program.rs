//! A Fathom for a pod, as files that run on any Linux of its architecture. Our own binary takes the
//! loader and the libraries along that this process has loaded, so that a pod's image needs none of
//! them; one for another architecture has to be static. An image may also have its own.

use fathom_vocab::Architecture;
use fathom_vocab::shell::quoted;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The folder in a pod for them.
pub(crate) const PROGRAM_FOLDER: &str = "/fathom/bin";

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramFile {
    /// Its name in the folder.
    pub name: String,
    /// Its content.
    pub content: Vec<u8>,
}

/// The hash for checking a copy, in `sha256sum`'s format.
pub(crate) fn hash(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A program for pods, and how it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodProgram {
    /// What is copied.
    pub(crate) files: Vec<ProgramFile>,
    /// The words that start it.
    pub(crate) words: String,
}

/// A program cannot be brought into a pod.
#[fathom_text::translated]
#[derive(Debug, Error)]
pub enum ProgramError {
    /// Our own binary cannot be read.
    #[error("cannot read {}, which is to run in the pod: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A binary that needs libraries.
    #[error(
        "the binary for {0} needs libraries that a pod may lack; name a static one, as Fathom's \
         packages have it"
    )]
    NotStatic(Architecture),
}

impl ProgramFile {
    /// Its path in a pod.
    pub(crate) fn path(&self) -> String {
        format!("{PROGRAM_FOLDER}/{}", self.name)
    }
}

impl PodProgram {
    /// The running binary.
    ///
    /// # Errors
    /// If one of its files cannot be read.
    pub fn own() -> Result<PodProgram, ProgramError> {
        let files = own_files()?;
        Ok(PodProgram { words: start_words(&files), files })
    }

    /// A binary for another architecture.
    ///
    /// # Errors
    /// If it needs a loader.
    pub fn of_binary(
        content: Vec<u8>,
        architecture: &Architecture,
    ) -> Result<PodProgram, ProgramError> {
        if needs_loader(&content) {
            return Err(ProgramError::NotStatic(architecture.clone()));
        }
        let files = vec![ProgramFile { name: "fathom".to_owned(), content }];
        Ok(PodProgram { words: start_words(&files), files })
    }

    /// One that the image has at this path.
    pub(crate) fn of_image(path: &str) -> PodProgram {
        PodProgram { files: Vec::new(), words: quoted(path) }
    }
}

/// Whether a program of 64 bits names a loader: a segment of type PT_INTERP (elf(5)).
fn needs_loader(program: &[u8]) -> bool {
    const INTERPRETER: u32 = 3;
    let number = |at: usize, bytes: usize| {
        let bytes = program.get(at..at.checked_add(bytes)?)?;
        Some(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
    };
    let segment = |at: usize| number(number(32, 8)?.checked_add(at * number(54, 2)?)?, 4);
    (0..number(56, 2).unwrap_or_default()).any(|at| segment(at) == Some(INTERPRETER as usize))
}

/// The files of the running binary, itself first.
fn own_files() -> Result<Vec<ProgramFile>, ProgramError> {
    let read = |path: &Path| {
        let unreadable = |source| ProgramError::Unreadable { path: path.to_owned(), source };
        std::fs::read(path).map_err(unreadable)
    };
    let maps = read(Path::new("/proc/self/maps"))?;
    let binary = read(Path::new("/proc/self/exe"))?;
    let mut files = vec![ProgramFile { name: "fathom".to_owned(), content: binary }];
    for path in libraries(&String::from_utf8_lossy(&maps)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push(ProgramFile { name, content: read(&path)? });
    }
    Ok(files)
}

/// The words that start a program of these files.
pub(crate) fn start_words(files: &[ProgramFile]) -> String {
    let binary = format!("{PROGRAM_FOLDER}/fathom");
    match files.iter().find(|file| is_loader(&file.name)) {
        Some(loader) => format!("{} --library-path {PROGRAM_FOLDER} {binary}", loader.path()),
        None => binary,
    }
}

fn is_loader(name: &str) -> bool {
    name.starts_with("ld-linux") || name.starts_with("ld-musl") || name.starts_with("ld64.so")
}

/// The libraries in a list of a process' mappings.
fn libraries(maps: &str) -> BTreeSet<PathBuf> {
    let paths = maps.lines().filter_map(|line| Some(&line[line.find('/')?..]));
    let is_library = |path: &&str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        name.ends_with(".so") || name.contains(".so.")
    };
    paths.filter(is_library).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
55d0-55e0 r-xp 00001000 fe:00 12 /usr/bin/fathom
7f10-7f20 r-xp 00001000 fe:00 13 /usr/lib/x86_64-linux-gnu/libc.so.6
7f20-7f30 r--p 00001000 fe:00 13 /usr/lib/x86_64-linux-gnu/libc.so.6
7f30-7f40 r-xp 00001000 fe:00 14 /usr/lib64/ld-linux-x86-64.so.2
7ffc-7ffd rw-p 00000000 00:00 0 [stack]
";

    #[test]
    fn libraries_are_found_once_and_the_binary_is_none() {
        let names: Vec<String> = libraries(MAPS)
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["libc.so.6", "ld-linux-x86-64.so.2"]);
    }

    #[test]
    fn a_program_is_started_by_its_own_loader_where_it_has_one() {
        let file = |name: &str| ProgramFile { name: name.to_owned(), content: vec![1] };
        assert_eq!(start_words(&[file("fathom")]), "/fathom/bin/fathom");
        assert_eq!(
            start_words(&[file("fathom"), file("libc.so.6"), file("ld-linux-x86-64.so.2")]),
            "/fathom/bin/ld-linux-x86-64.so.2 --library-path /fathom/bin /fathom/bin/fathom"
        );
    }

    #[test]
    fn the_running_program_is_whole() {
        let files = own_files().unwrap();
        assert!(files[0].name == "fathom" && files[0].content.starts_with(b"\x7fELF"));
        assert_eq!(
            hash(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "as `sha256sum </dev/null` prints it"
        );
    }

    #[test]
    fn a_binary_for_another_architecture_is_static() {
        let arm = Architecture::named("arm64");
        // Our own has a loader where this machine's C library is not linked in.
        let own = std::fs::read("/proc/self/exe").unwrap();
        assert_eq!(needs_loader(&own), cfg!(not(target_feature = "crt-static")));
        let mut program = vec![0; 64 + 56];
        program[..4].copy_from_slice(b"\x7fELF");
        (program[32], program[54], program[56], program[64]) = (64, 56, 1, 1);
        let files = PodProgram::of_binary(program.clone(), &arm).unwrap();
        assert_eq!(files.words, "/fathom/bin/fathom");
        program[64] = 3;
        let why = PodProgram::of_binary(program, &arm).unwrap_err().to_string();
        assert!(why.contains("the binary for aarch64 needs libraries"), "{why}");
        assert!(!needs_loader(b"\x7fELF") && !needs_loader(&[0xff; 60]));
    }
}
