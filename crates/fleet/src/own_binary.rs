//! The binary of this process: its identity, and its bytes for hosts that have none.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The binary that runs, also where its file was replaced since.
const RUNNING: &str = "/proc/self/exe";

/// The binary of this process. It is read once, when the first host needs it.
#[derive(Debug, Default)]
pub(crate) struct OwnBinary {
    bytes: OnceLock<Result<Arc<Vec<u8>>, io::ErrorKind>>,
}

impl OwnBinary {
    /// Its bytes.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn bytes(&self) -> io::Result<Arc<Vec<u8>>> {
        let read = || {
            let mut bytes = Vec::new();
            let done = open().and_then(|mut binary| binary.read_to_end(&mut bytes));
            done.map(|_| Arc::new(bytes)).map_err(|why| why.kind())
        };
        self.bytes.get_or_init(read).clone().map_err(io::Error::from)
    }
}

/// Its SHA-256, in hexadecimal digits.
pub(crate) fn own_sha256() -> io::Result<String> {
    let mut binary = open()?;
    let (mut hash, mut chunk) = (Sha256::new(), vec![0; 256 << 10]);
    loop {
        match binary.read(&mut chunk)? {
            0 => break,
            count => hash.update(&chunk[..count]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// How many bytes it has.
pub(crate) fn own_size_bytes() -> io::Result<u64> {
    Ok(open()?.metadata()?.len())
}

/// Opens it. If it was started by an explicit loader, as in a pod whose image has none, the kernel
/// reports the loader as the program.
fn open() -> io::Result<File> {
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
