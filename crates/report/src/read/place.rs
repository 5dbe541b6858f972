//! The machine and target: facts that documents of one target share.

use super::statements::listed;
use crate::model::{Fact, Repeat, Statement};
use fathom_analysis::Tone;
use fathom_document::{ClientRecord, Head, PlaceRecord, RemarkRecord, Setup, binary_bytes};
use fathom_message::{Lang, Message, words};
use std::path::Path;

/// Remarks on a document of one target, and its machine, if known.
pub(super) fn facts_of(lang: Lang, head: &Head, setup: Option<&Setup>) -> Vec<Fact> {
    let place = setup.map(|setup| &setup.volume);
    // A table has what each of several clients is.
    let host = setup.map(|setup| &setup.host).filter(|_| head.clients.is_empty());
    let stands_on = place.map(|place| {
        let mount = &place.volume.mount;
        format!("{} ({})", mount.fstype, mount.source)
    });
    let known = [
        (words(lang, "charts-fact-volume"), place.map(|place| place.volume.name.clone())),
        (words(lang, "charts-fact-file-system"), stands_on),
        (words(lang, "charts-fact-size"), place.map(|place| binary_bytes(place.size_bytes))),
        (words(lang, "charts-fact-host"), host_name(head, setup, lang)),
        (words(lang, "charts-fact-kernel"), host.and_then(|host| host.kernel.clone())),
        (words(lang, "charts-fact-cpu"), host.and_then(|host| host.cpu_model.clone())),
        (words(lang, "charts-fact-began"), began(head.started_ms)),
        (words(lang, "charts-fact-fathom"), Some(head.fathom_version.clone())),
    ];
    let fact = |(name, value): (String, Option<String>)| Some(Fact { name, value: value? });
    known.into_iter().filter_map(fact).collect()
}

/// Most names of clients in a line.
const MOST_NAMES: usize = 6;

/// The names of several clients in a line; none where one machine measured.
pub(super) fn client_names(clients: &[ClientRecord], lang: Lang) -> Option<String> {
    let names: Vec<String> = clients.iter().map(|of| of.name.clone()).collect();
    (names.len() > 1).then(|| listed(&names, MOST_NAMES, lang))
}

/// The machine that measured, or the names of several clients.
pub(super) fn host_name(head: &Head, setup: Option<&Setup>, lang: Lang) -> Option<String> {
    let alone = || setup.and_then(|setup| setup.host.hostname.clone());
    client_names(&head.clients, lang).or_else(alone)
}

/// The same of a document of one place.
pub(super) fn origin_of(head: &Head, setup: &Setup, lang: Lang) -> String {
    let mount = mounted_at(&setup.volume, lang);
    with_mount(origin(host_name(head, Some(setup), lang).as_deref(), head.started_ms), mount)
}

/// Where its file system is mounted, unless the target says so itself.
pub(super) fn mounted_at(place: &PlaceRecord, lang: Lang) -> Option<String> {
    let mount = &place.volume.mount;
    let is_own = mount.is_mounted() && mount.mount_point != Path::new(place.target());
    let message = || Message::new("report-origin-mount").with("mount", mount.place()).text(lang);
    is_own.then(message)
}

/// Host and moment with the mount point.
pub(super) fn with_mount(origin: String, mount: Option<String>) -> String {
    let parts = std::iter::once(origin).filter(|text| !text.is_empty()).chain(mount);
    parts.collect::<Vec<_>>().join(", ")
}

/// What a volume is called beside others: as it was named, but a name such as `.` says nothing, and
/// the last part of its path stands for it.
pub(super) fn short_name(place: &PlaceRecord) -> String {
    let name = place.volume.name.as_str();
    let told = name.chars().any(|letter| !matches!(letter, '.' | '/'));
    let last = Path::new(place.target()).file_name().and_then(|last| last.to_str());
    match last {
        Some(last) if !told => last.to_owned(),
        _ => name.to_owned(),
    }
}

/// Host and moment in a line: `web-3, 2026-11-21 15:04 UTC`; unknown parts are left out.
pub(super) fn origin(hostname: Option<&str>, started_ms: u64) -> String {
    let parts = [hostname.map(str::to_owned), began(started_ms)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
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

/// The command for a whole document, if known, before those for its parts.
pub(super) fn with_whole(whole: &str, parts: Vec<Repeat>, lang: Lang) -> Vec<Repeat> {
    if whole.is_empty() {
        return parts;
    }
    let all = repeat(words(lang, "report-repeat-all"), whole);
    // A test file of our own is gone: what names it cannot be run again by itself.
    let again = parts.into_iter().filter(|part| !part.command.contains("/.fathom-"));
    std::iter::once(all).chain(again).collect()
}

/// A command under the title of its measurement.
pub(super) fn repeat(what: String, command: &str) -> Repeat {
    Repeat { what, command: command.to_owned() }
}
