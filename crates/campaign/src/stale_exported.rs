//! Test files that killed processes left in exports of NFS servers.
//!
//! The proof is the same as for files of this machine: an entry of this user that names export and
//! file, with the file's number there, made on this machine by a process that has ended. An
//! unreachable server is reported, because its entry stays until it can be reached.

use crate::registry::{Found, Registration, Registry, RegistryEntry, machine};
use crate::stale::{NO_ENTRY, NO_NUMBERS, Owner, StaleFile};
use crate::test_file_name::is_test_file_name;
use fathom_host::FileId;
use fathom_run::{ExportListing, find_exported, list_export};
use fathom_vocab::NfsUrl;
use std::io;
use std::path::Path;

/// The stale test files in a folder of an export, by name.
///
/// # Errors
/// If the export cannot be reached, or the URL leads to no folder.
pub fn stale_files_in_export(
    url: &NfsUrl,
    registry: Option<&Registry>,
) -> io::Result<Vec<StaleFile>> {
    let (export, mut files) = list_export(url, is_test_file_name)?;
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let look = |file: &ExportListing| {
        let found = registry.and_then(|registry| registry.find(Path::new(&file.name)));
        let owner = match found {
            Some(Found::InUse) => return None,
            None => Owner::Unknown(NO_ENTRY.to_owned()),
            Some(Found::Unreadable(why)) => {
                Owner::Unknown(format!("its entry cannot be read: {why}"))
            }
            Some(Found::Ended(entry)) => owner_by(entry, &export, file),
        };
        let size = (file.used_bytes, file.modified_s);
        Some(StaleFile::exported(export.clone(), file.name.clone(), size, owner))
    };
    Ok(files.iter().filter_map(look).collect())
}

/// The stale test files in exports of all entries in the registry. The entry of a removed file is
/// removed, too.
pub fn stale_files_in_exports(registry: &Registry) -> Vec<StaleFile> {
    let ended = registry.entries().into_iter().filter_map(|(_, found)| match found {
        Found::Ended(entry) if entry.registration().export.is_some() => Some(entry),
        _ => None,
    });
    ended.filter_map(of_entry).collect()
}

/// The file of an entry that names an export.
fn of_entry(entry: RegistryEntry) -> Option<StaleFile> {
    let Registration { path, export, machine: made_on, .. } = entry.registration().clone();
    let (export, name) = (export?, path.to_str()?.to_owned());
    let stale = |size, owner| Some(StaleFile::exported(export.clone(), name.clone(), size, owner));
    match find_exported(&export, &name) {
        Ok(Some(file)) => {
            stale((file.used_bytes, file.modified_s), owner_by(entry, &export, &file))
        }
        Ok(None) if made_on == machine() => {
            entry.end();
            None
        }
        Ok(None) => None,
        Err(why) => {
            let why = format!(
                "it cannot be looked at: {why}. If the server is gone for good, `fathom clean \
                 --forget` forgets it"
            );
            stale((0, 0), Owner::Unreachable(entry, why))
        }
    }
}

fn owner_by(entry: RegistryEntry, export: &NfsUrl, file: &ExportListing) -> Owner {
    match doubt_of(entry.registration(), export, file) {
        None => Owner::Ended(entry),
        Some(why) => Owner::Unknown(why),
    }
}

/// Why the file is not the one that was created; none if it is.
fn doubt_of(made: &Registration, export: &NfsUrl, file: &ExportListing) -> Option<String> {
    let place = made.export.as_ref().map(|url| url.name_of(&made.path.to_string_lossy()));
    if place.as_deref() != Some(export.name_of(&file.name).as_str()) {
        let made = place.unwrap_or_else(|| made.path.display().to_string());
        return Some(format!("the file of that name was made at {made}"));
    }
    if made.machine != machine() {
        return Some("another machine made it: run `fathom clean` there".to_owned());
    }
    let number = |id: &FileId| match id {
        FileId::File { inode, .. } => Some(*inode),
        FileId::Device { .. } => None,
    };
    match made.id.as_ref().map(number) {
        None => Some(NO_NUMBERS.to_owned()),
        Some(own) if own == number(&file.id) => None,
        Some(_) => Some("it is another file than the one that was made there".to_owned()),
    }
}
