//! A document of any kind, read once, by its type.
//!
//! What was decided here:
//! - A document may come from elsewhere. Before it is read, its whole numbers are added up
//!   ([`check_numbers`]): what reads documents adds counts, and no such sum may overflow.
//! - Of several objects in a text, the document is the first that is valid JSON: fio writes
//!   warnings before it, and with several formats other texts around it.
//! - serde generates about a hundred functions for each document type, each kind of source and each
//!   crate that asks for it. So documents are read from text alone, here alone.
//! - fio's own JSON has no type here, because its versions differ. It stays JSON.

use crate::check::{CHECK_SCHEMA, CheckDocument};
use crate::compare::{
    COMPARE_SCHEMA, CompareDocument, RUNS_SCHEMA, RecordedRun, Recording, RecordingError,
    RunsDocument,
};
use crate::document_error::DocumentError;
use crate::document_runs::DocumentRuns;
use crate::durable::{DURABLE_SCHEMA, DurableDocument};
use crate::limit::{LIMIT_SCHEMA, LimitDocument};
use crate::measure::{DOCUMENT_SCHEMA, Document};
use crate::number_check::check_numbers;
use crate::run::{RUN_SCHEMA, RunDocument};
use crate::summary::DocumentSummary;
use crate::sweep::{SWEEP_SCHEMA, SweepDocument};
use fathom_host::System;
use fathom_message::Lang;
use fathom_stats::{RunResult, SCHEMA as RESULT_SCHEMA};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

/// A document, or another result that is read like one.
#[derive(Clone, Debug)]
pub enum AnyDocument {
    /// Of `measure`.
    Measure(Box<Document>),
    /// Of `measure --for`.
    Durable(Box<DurableDocument>),
    /// Of `sweep`.
    Sweep(Box<SweepDocument>),
    /// Of `compare` with volumes.
    Compare(Box<CompareDocument>),
    /// Of `compare` with earlier results.
    Runs(Box<RunsDocument>),
    /// Of `check`.
    Check(Box<CheckDocument>),
    /// Of `limit`.
    Limit(Box<LimitDocument>),
    /// Of `run`.
    Run(Box<RunDocument>),
    /// The result of a run without a document around it.
    Result(Box<RunResult>),
    /// fio's JSON.
    Fio(Box<Value>),
}

/// What decides the type of a document. Fields of another type than these do not count.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TypeFields {
    kind: Value,
    schema: Value,
    #[serde(rename = "fio version")]
    fio_version: Value,
    /// Of a result without a document around it.
    disks: Option<IgnoredAny>,
}

impl AnyDocument {
    /// Reads the document in `text`.
    ///
    /// # Errors
    /// A [`DocumentError`] if there is none, or it cannot be read.
    pub fn read(text: &str) -> Result<AnyDocument, DocumentError> {
        let (fields, text) = first_object(text)?;
        check_numbers(text).map_err(DocumentError::Field)?;
        let document = fields.typed(text)?;
        let runs = document.runs();
        let volumes = runs.map_or(0, |runs| runs.volumes().len());
        let mut named = runs.map_or_else(Vec::new, DocumentRuns::volume_indices).into_iter();
        match named.find(|at| *at >= volumes) {
            Some(at) => Err(DocumentError::NoVolume(at)),
            None => Ok(document),
        }
    }

    /// As a document of Fathom's; none of a bare result and of fio's JSON.
    pub fn summarised(&self) -> Option<&dyn DocumentSummary> {
        Some(match self {
            AnyDocument::Measure(document) => document.as_ref(),
            AnyDocument::Durable(document) => document.as_ref(),
            AnyDocument::Sweep(document) => document.as_ref(),
            AnyDocument::Compare(document) => document.as_ref(),
            AnyDocument::Runs(document) => document.as_ref(),
            AnyDocument::Check(document) => document.as_ref(),
            AnyDocument::Limit(document) => document.as_ref(),
            AnyDocument::Run(document) => document.as_ref(),
            AnyDocument::Result(_) | AnyDocument::Fio(_) => return None,
        })
    }

    /// Its runs, and where they were measured; none of fio's JSON.
    pub fn runs(&self) -> Option<&dyn DocumentRuns> {
        match self {
            AnyDocument::Result(result) => Some(result.as_ref()),
            _ => self.summarised().map(|document| document as &dyn DocumentRuns),
        }
    }

    /// The machine that measured, if known.
    pub fn host(&self) -> Option<&System> {
        self.runs().and_then(DocumentRuns::host)
    }

    /// When it began, in milliseconds since 1970; 0 where that is not known.
    pub fn started_ms(&self) -> u64 {
        self.runs().map_or(0, DocumentRuns::started_ms)
    }

    /// Its first sentence; none where its kind has none.
    pub fn summary(&self, lang: Lang) -> Option<String> {
        let summary = self.summarised()?.summary(lang);
        (!summary.is_empty()).then_some(summary)
    }
}

impl Recording {
    /// Reads `text`, named `name`.
    ///
    /// # Errors
    /// A [`RecordingError`] if it is not a document of Fathom's or JSON of fio's, or contains no
    /// figures.
    pub fn read(name: &str, text: &str) -> Result<Recording, RecordingError> {
        let document = AnyDocument::read(text).map_err(|source| {
            let name = name.to_owned();
            match source.is_foreign() {
                true => RecordingError::Foreign { name, source },
                false => RecordingError::Invalid { name, source },
            }
        })?;
        Ok(Recording::with_runs(name, &document)?.0)
    }

    /// The figures of a document, and its runs in their order; none where it is fio's.
    ///
    /// # Errors
    /// [`RecordingError::Empty`] if it contains no figures.
    pub fn with_runs<'d>(
        name: &str,
        document: &'d AnyDocument,
    ) -> Result<(Recording, Vec<RecordedRun<'d>>), RecordingError> {
        let name = name.to_owned();
        let (recording, runs) = match (document, document.runs()) {
            (AnyDocument::Fio(json), _) => (Recording::of_fio(name, json), Vec::new()),
            (_, Some(document)) => Recording::of_runs(name, document),
            (_, None) => (Recording { name, ..Recording::default() }, Vec::new()),
        };
        match recording.entries.is_empty() {
            true => Err(recording.without_figures()),
            false => Ok((recording, runs)),
        }
    }
}

/// The sentence of a document of any kind; none if it has none, or is not a document.
pub fn summary_of(document: &str, lang: Lang) -> Option<String> {
    #[derive(Deserialize)]
    struct SummaryHead {
        #[serde(default)]
        summary: String,
    }
    let head: SummaryHead = serde_json::from_str(document).ok()?;
    if lang == Lang::En && !head.summary.is_empty() {
        return Some(head.summary);
    }
    AnyDocument::read(document).ok()?.summary(lang)
}

/// The first object of the text, by what decides its type.
fn first_object(text: &str) -> Result<(TypeFields, &str), DocumentError> {
    let mut why = DocumentError::NoObject;
    for text in objects_in(text) {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<TypeFields>();
        match values.next() {
            Some(Ok(fields)) => return Ok((fields, &text[..values.byte_offset()])),
            Some(Err(error)) => why = DocumentError::Json(error),
            None => {}
        }
    }
    Err(why)
}

/// Most lines that look like JSON before the real document.
const MOST_OBJECTS: usize = 8;

/// The text from each line on that may begin an object.
fn objects_in(text: &str) -> impl Iterator<Item = &str> {
    // Windows' editors and shells put a byte order mark before text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    lines.map(|at| &text[at..]).filter(|text| text.starts_with('{')).take(MOST_OBJECTS)
}

/// fio's JSON whose clients' figures are its jobs, each under its host's name; "All clients", which
/// adds them up, is left out.
fn with_client_jobs(mut json: Value) -> Value {
    let Some(Value::Array(clients)) = json.get_mut("client_stats").map(Value::take) else {
        return json;
    };
    let own = clients.into_iter().filter(|job| job["jobname"] != "All clients");
    let named = own.map(|mut job| {
        let text = |key: &str| job[key].as_str().unwrap_or_default().to_owned();
        let (name, host) = (text("jobname"), text("hostname"));
        if job.is_object() {
            job["jobname"] = Value::String(format!("{name}@{host}"));
        }
        job
    });
    json["jobs"] = named.collect();
    json
}

impl TypeFields {
    /// The whole document.
    fn typed(&self, text: &str) -> Result<AnyDocument, DocumentError> {
        Ok(match self.kind.as_str().unwrap_or_default() {
            _ if self.fio_version.is_string() => {
                let json = serde_json::from_str(text).map_err(DocumentError::Json)?;
                AnyDocument::Fio(Box::new(with_client_jobs(json)))
            }
            "fathom-measure" => AnyDocument::Measure(self.read(text, DOCUMENT_SCHEMA)?),
            "fathom-durable" => AnyDocument::Durable(self.read(text, DURABLE_SCHEMA)?),
            "fathom-sweep" => AnyDocument::Sweep(self.read(text, SWEEP_SCHEMA)?),
            "fathom-compare" => AnyDocument::Compare(self.read(text, COMPARE_SCHEMA)?),
            "fathom-compare-runs" => AnyDocument::Runs(self.read(text, RUNS_SCHEMA)?),
            "fathom-check" => AnyDocument::Check(self.read(text, CHECK_SCHEMA)?),
            "fathom-limit" => AnyDocument::Limit(self.read(text, LIMIT_SCHEMA)?),
            "fathom-run" => AnyDocument::Run(self.read(text, RUN_SCHEMA)?),
            "" if self.disks.is_some() => AnyDocument::Result(self.read(text, RESULT_SCHEMA)?),
            _ => return Err(DocumentError::NoRun),
        })
    }

    /// The same as a type whose newest version is `known`.
    fn read<T: DeserializeOwned>(&self, text: &str, known: u32) -> Result<Box<T>, DocumentError> {
        match self.schema.as_u64().unwrap_or(0) {
            schema if schema > u64::from(known) => Err(DocumentError::TooNew { schema, known }),
            _ => serde_json::from_str(text).map(Box::new).map_err(DocumentError::Field),
        }
    }
}
