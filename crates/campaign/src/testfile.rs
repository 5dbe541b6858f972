//! Test files that cannot outlive the measurement, and never belonged to anyone else.
//!
//! A file is ours because we created it: an existing one is refused, so that the guard never
//! removes somebody's data. It stays open until removal, and every run works on the open file
//! ([`fathom_run::Pin`]). A signal thread can clear the list of files, for the case that an I/O
//! never returns.
//!
//! A file that cannot be removed stays in the list as a [`Leftover`], for the command to report.
//! Each file has an entry in the [`Registry`], if one is given, as long as it exists: a killed
//! process leaves the entry, which proves who owns the file. Files in exports have an entry too,
//! which names the export.

use crate::refusal::Refusal;
use crate::registry::{Registry, RegistryEntry};
use crate::volume_plan::VolumePlan;
use fathom_host::HostError;
use fathom_host::{FileId, Host, InUse};
use fathom_run::{ExportFile, Leftover, Pin, Pins};
use fathom_text::Text;
use fathom_vocab::NfsUrl;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The existing files; shared with the emergency cleanup.
#[derive(Clone, Debug, Default)]
pub struct TestFiles {
    list: Arc<Mutex<List>>,
    registry: Option<Registry>,
}

#[derive(Debug, Default)]
struct List {
    /// Our files, with their registry entries.
    files: Vec<(Arc<Pin>, Option<RegistryEntry>)>,
    /// Files of ours in exports.
    exported: Vec<(Arc<ExportFile>, Option<RegistryEntry>)>,
    /// Files and devices that were there before us.
    targets: Vec<Arc<Pin>>,
    leftovers: Vec<Leftover>,
}

impl TestFiles {
    /// None yet; of each that is made there will be an entry in `registry`.
    pub fn registered(registry: Option<Registry>) -> TestFiles {
        TestFiles { registry, ..TestFiles::default() }
    }

    /// Creates a new file, which is removed when the returned guard is dropped.
    ///
    /// # Errors
    /// The system's error; `AlreadyExists` if the path exists.
    pub fn create(&self, path: &Path) -> io::Result<TestFile> {
        // An absolute path still names the file if the working folder should change.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // Before the file exists, so that a concurrent cleanup does not miss it.
        let mut list = self.list();
        let mut entry = self.registry.as_ref().and_then(|registry| registry.enter(&path));
        let pin = match Pin::create(&path) {
            Ok(pin) => Arc::new(pin),
            Err(error) => {
                entry.into_iter().for_each(RegistryEntry::end);
                return Err(error);
            }
        };
        if let Some(entry) = &mut entry {
            entry.made(pin.id());
        }
        list.files.push((pin.clone(), entry));
        drop(list);
        Ok(TestFile { pin, files: self.clone() })
    }

    /// The same in an export, by its name there.
    ///
    /// # Errors
    /// The server's error; `AlreadyExists` if the name exists.
    pub fn create_exported(&self, export: &NfsUrl, name: &Path) -> io::Result<ExportedFile> {
        let name = name.to_str().ok_or(io::ErrorKind::InvalidInput)?;
        let mut list = self.list();
        let registry = self.registry.as_ref();
        let mut entry = registry.and_then(|of| of.enter_in(Some(export), Path::new(name)));
        let file = match ExportFile::create(export, name) {
            Ok(file) => Arc::new(file),
            Err(error) => {
                entry.into_iter().for_each(RegistryEntry::end);
                return Err(error);
            }
        };
        if let Some(entry) = &mut entry {
            entry.made(file.id());
        }
        list.exported.push((file.clone(), entry));
        drop(list);
        Ok(ExportedFile { file, files: self.clone() })
    }

    /// Holds a target that is not ours, and claims a device to be written.
    ///
    /// # Errors
    /// If the device is in use.
    pub(crate) fn hold(&self, plan: &VolumePlan, host: &Host) -> Result<(), Refusal> {
        let busy = |uses: Vec<InUse>| {
            let evidence = Text::joined(uses, "; ");
            let path = plan.volume.name.clone();
            Err(Refusal::DeviceInUse { path, evidence })
        };
        let pin = match Pin::hold(&plan.path, plan.writes) {
            Ok(pin) => pin,
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                let uses = host.in_use(&plan.path).unwrap_or_default();
                return busy(if uses.is_empty() { vec![InUse::Claimed] } else { uses });
            }
            // The first run reports the error, with its access.
            Err(_) => return Ok(()),
        };
        // Only now: from here on it cannot be mounted any more.
        if plan.writes && pin.id().is_device() {
            let uses = uses_beside_us(pin.id(), host);
            let uses = uses.map_err(|why| Refusal::DeviceUseUnknown {
                path: plan.volume.name.clone(),
                why: why.to_string(),
            })?;
            if !uses.is_empty() {
                return busy(uses);
            }
        }
        self.list().targets.push(Arc::new(pin));
        Ok(())
    }

    /// All targets held now.
    pub fn pins(&self) -> Pins {
        let list = self.list();
        list.files.iter().map(|(pin, _)| pin).chain(&list.targets).cloned().collect()
    }

    /// Removes every file that is still there; gives those that could not be.
    pub fn remove_all(&self) -> Vec<PathBuf> {
        // Locked until they are removed: a guard that found the list empty would let the process
        // end earlier.
        let mut list = self.list();
        let files: Vec<_> = list.files.drain(..).collect();
        let failed = files.into_iter().filter_map(|(pin, entry)| remove(&pin, entry).err());
        let exported: Vec<_> = list.exported.drain(..).collect();
        let exported =
            exported.into_iter().filter_map(|(file, entry)| remove_exported(&file, entry).err());
        let failed = failed.chain(exported);
        failed.map(|leftover| leftover.path).collect()
    }

    /// The files that should be removed by now and are not, each returned once.
    pub fn take_leftovers(&self) -> Vec<Leftover> {
        std::mem::take(&mut self.list().leftovers)
    }

    fn list(&self) -> std::sync::MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn uses_beside_us(id: FileId, host: &Host) -> Result<Vec<InUse>, HostError> {
    let FileId::Device { major, minor } = id else { return Ok(Vec::new()) };
    let name = host.device_numbered(major, minor).map(|device| device.name);
    name.and_then(|name| host.in_use_beside_claim(Path::new(&name)))
}

/// A file that is removed when this is dropped, at the end, after an error or in a panic.
#[derive(Debug)]
pub struct TestFile {
    pin: Arc<Pin>,
    files: TestFiles,
}

impl TestFile {
    /// Its path.
    pub fn path(&self) -> &Path {
        self.pin.path()
    }

    /// The open file.
    pub fn handle(&self) -> &File {
        self.pin.handle()
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let mut list = self.files.list();
        // Already cleared in an emergency: the file at that path now is not ours.
        let Some(at) = list.files.iter().position(|(pin, _)| Arc::ptr_eq(pin, &self.pin)) else {
            return;
        };
        let (pin, entry) = list.files.swap_remove(at);
        // Under the lock: a file that is off the list and still there would outlive an emergency.
        if let Err(leftover) = remove(&pin, entry) {
            list.leftovers.push(leftover);
        }
    }
}

/// A file in an export that is removed when this is dropped.
#[derive(Debug)]
pub struct ExportedFile {
    file: Arc<ExportFile>,
    files: TestFiles,
}

impl Drop for ExportedFile {
    fn drop(&mut self) {
        let mut list = self.files.list();
        let own = |(file, _): &(Arc<ExportFile>, _)| Arc::ptr_eq(file, &self.file);
        let Some(at) = list.exported.iter().position(own) else {
            return;
        };
        let (file, entry) = list.exported.swap_remove(at);
        // Under the lock, as files of this machine are.
        if let Err(leftover) = remove_exported(&file, entry) {
            list.leftovers.push(leftover);
        }
    }
}

/// Removes a file, and its entry once the file is removed or can no longer be found.
fn remove(pin: &Pin, entry: Option<RegistryEntry>) -> Result<(), Leftover> {
    end_with(entry, pin.remove())
}

/// The same of a file in an export.
fn remove_exported(file: &ExportFile, entry: Option<RegistryEntry>) -> Result<(), Leftover> {
    end_with(entry, file.remove())
}

fn end_with(entry: Option<RegistryEntry>, removed: Result<(), Leftover>) -> Result<(), Leftover> {
    let still_there = removed.as_ref().is_err_and(|leftover| leftover.is_there);
    if let Some(entry) = entry.filter(|_| !still_there) {
        entry.end();
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_goes_with_its_guard_also_in_a_panic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let files = TestFiles::default();
        drop(files.create(&path).unwrap());
        assert!(!path.exists());
        let panicked = std::panic::catch_unwind(|| {
            let _file = files.create(&path).unwrap();
            assert!(path.exists());
            panic!("on purpose");
        });
        assert!(panicked.is_err() && !path.exists());
    }

    #[test]
    fn what_was_there_is_neither_taken_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("precious");
        fs::write(&path, "data").unwrap();
        let error = TestFiles::default().create(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"data");
    }

    #[test]
    fn a_file_cleared_in_an_emergency_is_not_removed_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let files = TestFiles::default();
        let guard = files.create(&path).unwrap();
        assert!(files.remove_all().is_empty());
        assert!(!path.exists());
        fs::write(&path, "another program's").unwrap();
        drop(guard);
        assert!(path.exists());
    }

    #[test]
    fn a_file_that_was_moved_is_emptied_and_told_and_what_is_in_its_place_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let (path, stolen) = (folder.path().join("x"), folder.path().join("stolen"));
        let files = TestFiles::default();
        let guard = files.create(&path).unwrap();
        guard.handle().set_len(1 << 20).unwrap();
        fs::rename(&path, &stolen).unwrap();
        fs::write(&path, "another program's").unwrap();
        drop(guard);
        assert_eq!(fs::read(&path).unwrap(), b"another program's");
        assert_eq!(fs::metadata(&stolen).unwrap().len(), 0);
        let left = files.take_leftovers();
        assert!(left.len() == 1 && left[0].sentence.contains("somebody moved it"), "{left:?}");
        assert!(!left[0].is_there && files.take_leftovers().is_empty());
    }

    #[test]
    fn a_file_goes_though_its_folder_has_another_name_by_now() {
        let top = tempfile::tempdir().unwrap();
        let (folder, other) = (top.path().join("a"), top.path().join("b"));
        fs::create_dir(&folder).unwrap();
        let files = TestFiles::default();
        let guard = files.create(&folder.join("x")).unwrap();
        fs::rename(&folder, &other).unwrap();
        drop(guard);
        assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
        assert!(files.take_leftovers().is_empty());
    }
}
