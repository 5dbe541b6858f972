//! Where and on what was measured: the facts that documents of one place share.

use crate::model::{Fact, Repeat, Statement};
use fathom_analysis::Tone;
use fathom_document::PlaceRecord;
use fathom_document::{Head, RemarkRecord, Scene, binary_bytes};
use fathom_message::{Lang, words};

/// What a document says of its machine and its beginning.
pub(super) struct DocumentOrigin<'a> {
    pub hostname: Option<&'a str>,
    pub kernel: Option<&'a str>,
    pub cpu: Option<&'a str>,
    pub fathom_version: &'a str,
    pub started_ms: u64,
}

/// What to know of a document of one place.
pub(super) fn facts_of(lang: Lang, head: &Head, scene: &Scene) -> Vec<Fact> {
    let origin = DocumentOrigin {
        hostname: scene.host.hostname.as_deref(),
        kernel: scene.host.kernel.as_deref(),
        cpu: scene.host.cpu_model.as_deref(),
        fathom_version: &head.fathom_version,
        started_ms: head.started_ms,
    };
    facts(lang, &origin, Some(&scene.volume))
}

/// What to know of a place and its machine; what is not known is left out.
pub(super) fn facts(lang: Lang, origin: &DocumentOrigin, place: Option<&PlaceRecord>) -> Vec<Fact> {
    let stands_on = place.map(|place| {
        let mount = &place.volume.mount;
        format!("{} ({})", mount.fstype, mount.source)
    });
    let known = [
        (words(lang, "charts-fact-volume"), place.map(|place| place.volume.name.clone())),
        (words(lang, "charts-fact-file-system"), stands_on),
        (words(lang, "charts-fact-size"), place.map(|place| binary_bytes(place.size_bytes))),
        (words(lang, "charts-fact-host"), origin.hostname.map(str::to_owned)),
        (words(lang, "charts-fact-kernel"), origin.kernel.map(str::to_owned)),
        (words(lang, "charts-fact-cpu"), origin.cpu.map(str::to_owned)),
        (words(lang, "charts-fact-began"), began(origin.started_ms)),
        (words(lang, "charts-fact-fathom"), Some(origin.fathom_version.to_owned())),
    ];
    let fact = |(name, value): (String, Option<String>)| Some(Fact { name, value: value? });
    known.into_iter().filter_map(fact).collect()
}

/// `2026-11-21 15:04 UTC`; none for a document that does not know.
fn began(started_ms: u64) -> Option<String> {
    let known = i64::try_from(started_ms).ok().filter(|ms| *ms > 0)?;
    let moment = chrono::DateTime::from_timestamp_millis(known)?;
    Some(moment.format("%Y-%m-%d %H:%M UTC").to_string())
}

/// Remarks, each once.
pub(super) fn remarks(records: &[RemarkRecord], lang: Lang) -> Vec<Statement> {
    let mut said: Vec<Statement> = Vec::new();
    for record in records {
        let sentence = record.told(lang);
        if !said.iter().any(|other| other.sentence == sentence) {
            said.push(Statement {
                outcome: None,
                tone: Tone::Note,
                about: String::new(),
                sentence,
            });
        }
    }
    said
}

/// A command under what it measures.
pub(super) fn repeat(what: String, command: &str) -> Repeat {
    Repeat { what, command: command.to_owned() }
}
