//! Refuses to destroy data without permission: a device in use is no write target unless the job
//! says so (`allow_mounted_write=1`), nor is a file behind a loop device or used for swapping.
//!
//! A device is claimed first and checked for use afterwards: from then on it cannot be mounted
//! until the claim ends with the run. The clones of a run share its claims.

use crate::error::RunError;
use crate::file_id::id_of;
use crate::files::FilePlan;
use crate::local_host::asking_loops;
use crate::pins::{Pins, claim};
use crate::target_access::FileKind;
use fathom_engine::facts_of;
use fathom_host::{FileId, Host, HostBacking, HostError, InUse, is_partition_table};
use fathom_job::JobSpec;
use fathom_text::{Text, text};
use std::cell::OnceCell;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The outcome of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// The run or its caller has it.
    Ours,
    /// Something else has it.
    Busy,
    /// It could not be tried.
    Unknown,
}

/// The devices that a run has claimed, each once.
pub(crate) struct Claims {
    host: Host,
    /// The caller's handles; a device that it has claimed is not claimed again.
    pins: Pins,
    held: Vec<(FileId, File)>,
    /// The loop devices and swap files of the host, read once: a run may have a thousand files.
    backing: OnceCell<HostBacking>,
}

impl Claims {
    pub fn new(host: &Host, pins: &Pins) -> Claims {
        let backing = OnceCell::new();
        Claims { host: asking_loops(host), pins: pins.clone(), held: Vec::new(), backing }
    }

    /// Claims and checks every target that `job` would write.
    pub fn check_targets(&mut self, job: &JobSpec, files: &[FilePlan]) -> Result<(), RunError> {
        let rw = job.pattern.rw;
        if !(rw.write || rw.trim) {
            return Ok(());
        }
        let anyway = job.target.allow_mounted_write;
        for file in files {
            let Some(id) = file.id else { continue };
            let found = match file.kind {
                FileKind::Block => self.check_device(file, id, anyway),
                FileKind::Regular if !anyway => self.check_file(file, id),
                _ => Ok(()),
            };
            found?;
        }
        Ok(())
    }

    fn check_device(&mut self, file: &FilePlan, id: FileId, anyway: bool) -> Result<(), RunError> {
        let claimed = self.claim(file, id)?;
        if anyway {
            return Ok(());
        }
        // By its number: its path may lead elsewhere by now.
        let name = self.name_of(id).map_err(|error| unknown(file, &error))?;
        let uses = match claimed {
            Claim::Ours => self.host.in_use_beside_claim(&name),
            Claim::Busy | Claim::Unknown => self.host.in_use(&name),
        };
        let mut uses = uses.map_err(|error| unknown(file, &error))?;
        if claimed == Claim::Busy && uses.is_empty() {
            // Released in between; its content may have changed.
            uses.push(InUse::Claimed);
        }
        let why = match uses.is_empty() {
            false => Some(describe(&uses, file)),
            true => partition_table(&self.host, &file.path),
        };
        why.map_or(Ok(()), |why| Err(in_use(file, why)))
    }

    fn claim(&mut self, file: &FilePlan, id: FileId) -> Result<Claim, RunError> {
        if self.pins.claims(id) || self.held.iter().any(|(held, _)| *held == id) {
            return Ok(Claim::Ours);
        }
        let handle = match claim(&file.path) {
            Ok(handle) => handle,
            Err(error) if error.kind() == ErrorKind::ResourceBusy => return Ok(Claim::Busy),
            // An obstacle to a claim is one to writing, too, and is reported there.
            Err(_) => return Ok(Claim::Unknown),
        };
        if !facts_of(&handle).is_ok_and(|found| id_of(&found) == id) {
            return Err(RunError::replaced(&file.path, "another device", false));
        }
        self.held.push((id, handle));
        Ok(Claim::Ours)
    }

    fn name_of(&self, id: FileId) -> Result<PathBuf, HostError> {
        match id {
            FileId::Device { major, minor } => {
                Ok(PathBuf::from(self.host.device_numbered(major, minor)?.name))
            }
            FileId::File { .. } => Err(HostError::NoDevice { what: "a file".to_owned() }),
        }
    }

    fn check_file(&self, file: &FilePlan, id: FileId) -> Result<(), RunError> {
        let backing = self.backing.get_or_init(|| self.host.backing());
        let uses = self.host.file_in_use(id, backing).map_err(|error| unknown(file, &error))?;
        match uses.is_empty() {
            true => Ok(()),
            false => Err(in_use(file, describe(&uses, file))),
        }
    }
}

fn unknown(file: &FilePlan, error: &HostError) -> RunError {
    in_use(file, text!("may be in use, which could not be found out ({error})"))
}

fn in_use(file: &FilePlan, why: Text) -> RunError {
    // The option belongs to jobs; a command with its own target has none.
    let remedy = match file.pin.is_some() {
        true => "if that is what you want, release it first",
        false => {
            "if that is what you want, release the device first, or give allow_mounted_write=1"
        }
    };
    RunError::InUse { path: file.path.clone(), why, remedy: remedy.into() }
}

/// A partition table that the kernel has not read, as on a loop device without `-P`. A file system
/// alone is no reason: test devices are measured again where one was.
fn partition_table(host: &Host, device: &Path) -> Option<Text> {
    let found = host.data_on(device).ok().flatten().filter(|found| is_partition_table(found))?;
    Some(text!("carries {found}, and 'allow_mounted_write' isn't set"))
}

/// The first words are fio's for the mounted case, because programs search for them.
fn describe(uses: &[InUse], file: &FilePlan) -> Text {
    let evidence = Text::joined(uses, "; ");
    match (uses.iter().any(InUse::is_mount), file.pin.is_some()) {
        (true, true) => text!("appears mounted ({evidence})"),
        (false, true) => text!("is in use ({evidence})"),
        (true, false) => {
            text!("appears mounted, and 'allow_mounted_write' isn't set ({evidence})")
        }
        (false, false) => text!("is in use, and 'allow_mounted_write' isn't set ({evidence})"),
    }
}
