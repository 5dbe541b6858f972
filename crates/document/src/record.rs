//! The common parts of several commands' documents: the head, the target, the remarks.
//!
//! The common parts are flattened: a reader of the JSON sees one object, with its fields in a
//! stable order. Runs are not flattened, because serde no longer names the invalid field in
//! flattened parts.

use crate::client_record::ClientRecord;
use crate::method::{Method, ResolvedAccess};
use crate::remark::Remark;
use crate::volume::{TargetKind, Volume};
use fathom_host::System;
use fathom_message::{Lang, Tell};
use fathom_vocab::{folder_of, is_from_root};
use serde::{Deserialize, Serialize};

/// How a document begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// What this is, such as `fathom-measure`.
    pub kind: String,
    /// Version of the document; raised when a reader would misread it.
    pub schema: u32,
    /// Version of Fathom that measured.
    pub fathom_version: String,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// What came of it in a sentence, in English; documents from before it was held have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The command that made it, in the folder where it was given, as a shell takes it; documents
    /// from before it was held have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// What each of several clients is; empty where one machine measured, and behind relays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clients: Vec<ClientRecord>,
}

impl Head {
    /// Of a document that this Fathom writes.
    pub fn new(kind: &str, schema: u32, from: &Provenance) -> Head {
        Head {
            kind: kind.to_owned(),
            schema,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            started_ms: from.started_ms,
            summary: String::new(),
            command: from.command.clone(),
            clients: from.clients.clone(),
        }
    }
}

/// Where a document comes from: who measured, when, and by which command.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The machine that measured.
    pub host: System,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// As in [`Head::command`].
    pub command: String,
    /// As in [`Head::clients`].
    pub clients: Vec<ClientRecord>,
}

/// Where cases of one place ran.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// The machine that measured.
    pub host: System,
    /// What was measured.
    pub volume: PlaceRecord,
    /// How it was reached.
    pub ways: Vec<ResolvedAccess>,
    /// What to know before any figure.
    pub remarks: Vec<RemarkRecord>,
}

/// A volume, and where on it was measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaceRecord {
    /// What it is.
    #[serde(flatten)]
    pub volume: Volume,
    /// The file or device that I/O went to.
    pub io_path: String,
    /// Whether that file was made for the measurement and removed after it.
    pub test_file: bool,
    /// Bytes from its start that were measured in.
    pub size_bytes: u64,
    /// Bytes written before measuring.
    pub fill_bytes: u64,
    /// Whether writes were measured, or might have been.
    pub writes: bool,
}

impl PlaceRecord {
    /// The absolute path of the target: the folder, file or device, however it was typed.
    pub fn target(&self) -> &str {
        let name = self.volume.name.as_str();
        let io_path = self.io_path.as_str();
        let is_claim = self.volume.cluster.is_some();
        let is_plain = is_from_root(name) && !name.split('/').any(|part| part == "..");
        if is_claim || is_plain || !is_from_root(io_path) {
            return name;
        }
        match (&self.volume.kind, folder_of(io_path)) {
            (TargetKind::Folder, Some(folder)) => folder,
            _ => io_path,
        }
    }
}

/// One of several volumes, and what came of it as a whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VolumeRecord {
    /// The volume, and where on it was measured.
    #[serde(flatten)]
    pub place: PlaceRecord,
    /// How it was reached.
    pub method: Method,
    /// What to know about it.
    pub remarks: Vec<RemarkRecord>,
    /// Why it could not be measured, if so.
    pub failure: Option<String>,
}

impl VolumeRecord {
    /// The name of the volume before it that is on the same file system or device, if one is.
    pub fn disk_shared_with(&self) -> Option<&str> {
        self.remarks.iter().find_map(|record| match &record.remark {
            Remark::SamePlace { other } => Some(other.as_str()),
            _ => None,
        })
    }
}

/// Whether these are several volumes on one file system or device.
pub fn are_one_disk(volumes: &[VolumeRecord]) -> bool {
    volumes.len() > 1 && volumes.iter().skip(1).all(|of| of.disk_shared_with().is_some())
}

/// A remark as data and as a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RemarkRecord {
    /// The data.
    #[serde(flatten)]
    pub remark: Remark,
    /// The sentence, in English.
    pub text: String,
}

impl RemarkRecord {
    /// The sentence in `lang`: English as stored, other languages from the data.
    pub fn told(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.text.clone(),
            _ => self.remark.tell().text(lang),
        }
    }
}

/// Remarks as documents store them.
pub fn records(remarks: &[Remark]) -> Vec<RemarkRecord> {
    let record =
        |remark: &Remark| RemarkRecord { remark: remark.clone(), text: remark.to_string() };
    remarks.iter().map(record).collect()
}
