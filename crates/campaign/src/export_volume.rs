//! Examines an export of an NFS server: the entry that its URL names. Facts only, as for paths.
//!
//! The facts of a mount are filled from the connection, so that documents and tables are the same
//! for an export with a mount and without.

use crate::target_error::TargetError;
use fathom_document::{TargetKind, Volume};
use fathom_host::{Mount, Space, Storage};
use fathom_run::{ExportEntry, ExportReport, report_export};
use fathom_text::Text;
use fathom_vocab::{NfsUrl, Target};
use std::path::PathBuf;

/// The version that the client speaks.
const VERSION: &str = "3";

/// Examines the entry that `url` names.
///
/// # Errors
/// If it cannot be reached, or no file can be made there.
pub(crate) fn examine_export(url: &NfsUrl) -> Result<Volume, TargetError> {
    let report = report_export(url)
        .map_err(|why| TargetError::Export { url: url.bare().to_string(), why: Text::of(why) })?;
    let kind = kind_of(url, &report)?;
    let options = options_of(url, &report);
    let export = &report.export;
    Ok(Volume {
        name: url.to_string(),
        target: Target::Export(Box::new(url.clone())),
        kind,
        mount: Mount {
            mount_point: PathBuf::new(),
            root: PathBuf::from("/"),
            source: format!("{}:{}", export.server, export.export),
            fstype: "nfs".to_owned(),
            options: options.clone(),
            major: 0,
            minor: 0,
        },
        storage: Storage::Network {
            fstype: "nfs".to_owned(),
            server: export.server.clone(),
            export: export.export.clone(),
            version: Some(VERSION.to_owned()),
            options,
        },
        space: Some(Space {
            total_bytes: report.total_bytes,
            free_bytes: report.free_bytes,
            available_bytes: report.available_bytes,
            fstype: "nfs".to_owned(),
        }),
        cluster: None,
        clients: None,
    })
}

fn kind_of(url: &NfsUrl, report: &ExportReport) -> Result<TargetKind, TargetError> {
    match report.entry {
        ExportEntry::Folder => Ok(TargetKind::Folder),
        ExportEntry::Absent => Err(TargetError::NoExportEntry { url: url.bare().to_string() }),
        ExportEntry::Other => Err(TargetError::NoVolume { path: url.bare().to_string().into() }),
        ExportEntry::File { size_bytes, used_bytes } => Ok(TargetKind::ExistingFile {
            size_bytes,
            allocated_bytes: used_bytes.min(size_bytes),
            in_use: Vec::new(),
        }),
    }
}

/// In the words of a mount.
fn options_of(url: &NfsUrl, report: &ExportReport) -> Vec<String> {
    let access = if url.arguments.readonly { "ro" } else { "rw" };
    let mut options = vec![access.to_owned(), format!("vers={VERSION}"), "proto=tcp".to_owned()];
    options.push(format!("rsize={}", report.read_max));
    options.push(format!("wsize={}", report.write_max));
    options.push(format!("nconnect={}", url.arguments.nconnect.unwrap_or(1)));
    options
}

/// The export of a target's I/O, as a job names it; none for a path.
pub(crate) fn export_of(volume: &Volume) -> Option<NfsUrl> {
    let (Target::Export(url), Storage::Network { export, .. }) = (&volume.target, &volume.storage)
    else {
        return None;
    };
    Some(url.at(export))
}

/// The name in `export` that `url` names; empty for its root.
pub(crate) fn name_in(export: &NfsUrl, url: &NfsUrl) -> PathBuf {
    let rest = url.export.strip_prefix(export.export.as_str()).unwrap_or_default();
    PathBuf::from(rest.trim_start_matches('/'))
}
