//! Stores measurements in the history, for every command.
//!
//! A command flattens [`RecordArgs`] into its own, begins a [`HistoryWriter`] before it measures,
//! calls [`HistoryWriter::start`] when it does, and [`HistoryWriter::keep`] after it has shown the
//! result; a long command also calls it with [`HistoryOutcome::Running`] whenever it has more to
//! show. The first call adds the run, later ones replace it. A failure to store a run is a warning:
//! it affects no figure and no exit code.

use crate::history_error::HistoryError;
use crate::history_file;
use crate::invalid_value::InvalidValue;
use crate::terminal::live::{Feed, FeedHold};
use crate::terminal::screen::warn_line;
use crate::terminal::stdout::{self, ResultPlace};
use clap::Args;
use fathom_analysis::GateOutcome;
use fathom_campaign::{Figures, Goal};
use fathom_host::Host;
use fathom_store::{
    HistoryFigure, HistoryOutcome, HistoryRun, Id, Key, Store, StoreError, begun_document,
};
use fathom_text::text;
use fathom_vocab::Target;
use fathom_vocab::shell::quoted;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// What every command that measures can be told about the history.
#[derive(Clone, Debug, Default, Args)]
pub struct RecordArgs {
    /// Do not keep this run in the history (see `fathom history`)
    #[arg(long)]
    pub no_record: bool,

    /// Tag of this run in the history; may be given several times
    #[arg(long, value_name = "TAG", conflicts_with = "no_record", value_parser = parse_tag)]
    pub tag: Vec<String>,
}

/// A tag as it may be given.
pub fn parse_tag(text: &str) -> Result<String, InvalidValue> {
    let tag = text.trim();
    match tag {
        "" => Err(InvalidValue::Form("a tag has at least one letter")),
        tag if tag.chars().any(char::is_control) => {
            Err(InvalidValue::Form("a tag is one line of text"))
        }
        tag => Ok(tag.to_owned()),
    }
}

/// What came of a run, so far or in the end.
#[derive(Clone, Debug)]
pub struct SavedRun<'a> {
    /// The command: `measure`, `sweep`.
    pub kind: &'a str,
    /// What it was about, in a few words.
    pub title: String,
    /// What was measured.
    pub targets: &'a [Target],
    /// Everything, as one JSON document in one line.
    pub document: &'a str,
    /// The figures that stand for it in a list, the most telling first.
    pub headline: Vec<HistoryFigure>,
    /// How it ended.
    pub outcome: HistoryOutcome,
}

/// Keeps one run.
#[derive(Debug)]
pub struct HistoryWriter {
    args: RecordArgs,
    quiet: bool,
    host: Host,
    hostname: String,
    started_ms: u64,
    since: Instant,
    id: Option<Id>,
    /// Whether what is kept is only that the run began.
    only_begun: bool,
    /// The feed ends no earlier than the result is stored.
    feed: FeedHold,
    /// What was warned of last, so that a long run does not say it after each case.
    warned: Option<String>,
}

impl HistoryWriter {
    /// For a run that begins now on `host`, which is called `hostname`; `quiet` leaves out the line
    /// that says where it is kept.
    pub fn begin(
        args: &RecordArgs,
        host: &Host,
        hostname: Option<&str>,
        quiet: bool,
    ) -> HistoryWriter {
        HistoryWriter {
            args: args.clone(),
            quiet,
            host: host.clone(),
            hostname: hostname.unwrap_or_default().to_owned(),
            started_ms: now_ms(),
            since: Instant::now(),
            id: None,
            only_begun: false,
            feed: FeedHold::default(),
            warned: None,
        }
    }

    /// When the run began, in milliseconds since 1970.
    pub fn started_ms(&self) -> u64 {
        self.started_ms
    }

    /// Seconds since it began.
    pub fn elapsed_s(&self) -> f64 {
        self.since.elapsed().as_secs_f64()
    }

    /// Keeps that the run has begun, so that it can be seen while it goes on; gives the feed that
    /// shows how. Should nothing else be kept, this is taken back.
    pub fn start(&mut self, kind: &str, title: &str, targets: &[Target]) -> Feed {
        if self.args.no_record {
            return Feed::default();
        }
        let document = begun_document(kind);
        let kept = SavedRun {
            kind,
            title: title.to_owned(),
            targets,
            document: &document,
            headline: Vec::new(),
            outcome: HistoryOutcome::Running,
        };
        self.keep(&kept);
        self.only_begun = self.id.is_some();
        let (Some(id), Ok(history)) = (&self.id, history_file::file()) else {
            return Feed::default();
        };
        let feed = Feed::begin(&history, id, &self.run(&kept), self.since).unwrap_or_else(|why| {
            warn_line(text!("fathom: warning: other processes cannot see this run: {why}"));
            Feed::default()
        });
        self.feed = feed.hold();
        feed
    }

    /// Keeps the run as it is now. Says where on standard error once it is over, or why it could
    /// not be kept.
    pub fn keep(&mut self, kept: &SavedRun<'_>) {
        if self.args.no_record {
            note_result(kept, None, true);
            return;
        }
        let run = self.run(kept);
        let written = self.write(&run, kept.document);
        self.only_begun &= written.is_err();
        note_result(kept, written.as_ref().ok(), false);
        match written {
            Ok(short_id) if kept.outcome != HistoryOutcome::Running && !self.quiet => {
                warn_line(text!("Kept in the history: fathom history show {short_id}"));
            }
            Ok(_) => {}
            Err(why) => self.warn(why.to_string()),
        }
    }

    /// Whether the history has the run with a result.
    pub fn has_kept(&self) -> bool {
        self.id.is_some() && !self.only_begun
    }

    /// Says once that the run is not kept.
    fn warn(&mut self, why: String) {
        if self.warned.as_ref() != Some(&why) {
            warn_line(text!("fathom: warning: this run is not kept in the history: {why}"));
            self.warned = Some(why);
        }
    }

    fn write(&mut self, run: &HistoryRun, document: &str) -> Result<String, HistoryError> {
        let path = history_file::file()?;
        Ok(self.write_to(&path, run, document)?)
    }

    /// Gives the name that a person types.
    fn write_to(
        &mut self,
        path: &Path,
        run: &HistoryRun,
        document: &str,
    ) -> Result<String, StoreError> {
        // Opened for each write: a run of hours must not lock the history.
        let mut store = Store::open(path, history_file::sharing(path, &self.host))?;
        let id = match &self.id {
            None => store.record(run, document)?,
            Some(id) => updated(&mut store, id, run, document)?,
        };
        self.id = Some(id.clone());
        Ok(store.get(id.as_str())?.short_id)
    }

    fn run(&self, kept: &SavedRun<'_>) -> HistoryRun {
        let folder = std::env::current_dir().unwrap_or_default();
        HistoryRun {
            kind: kept.kind.to_owned(),
            started_ms: self.started_ms,
            duration_ms: u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX),
            host: self.hostname.clone(),
            folder: folder.display().to_string(),
            command: command(),
            title: kept.title.clone(),
            targets: kept.targets.iter().map(|target| target.absolute().to_string()).collect(),
            tags: self.args.tag.clone(),
            headline: kept.headline.clone(),
            outcome: kept.outcome,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

impl Drop for HistoryWriter {
    /// A run that came to nothing leaves nothing; one that a defect ended leaves what it was.
    fn drop(&mut self) {
        let (true, Some(id)) = (self.only_begun && !std::thread::panicking(), &self.id) else {
            return;
        };
        let Ok(path) = history_file::file() else { return };
        let removed = Store::open(&path, history_file::sharing(&path, &self.host))
            .and_then(|mut store| store.remove(std::slice::from_ref(id)));
        match removed {
            Ok(()) | Err(StoreError::NoRun { .. }) => {}
            Err(why) => warn_line(text!(
                "fathom: warning: the history still has {id}, which came to nothing: {}",
                HistoryError::from(why)
            )),
        }
    }
}

/// Notes where a result is, for the case that it cannot be shown.
fn note_result(kept: &SavedRun<'_>, short_id: Option<&String>, is_unwanted: bool) {
    if kept.outcome == HistoryOutcome::Running {
        return;
    }
    stdout::note_result(match short_id {
        Some(id) => ResultPlace::History(id.clone()),
        None => ResultPlace::Memory {
            kind: kept.kind.to_owned(),
            document: kept.document.to_owned(),
            is_unwanted,
        },
    });
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since_1970.as_millis()).unwrap_or_default()
}

/// Target number `at` as the history names it; empty where there is none.
pub fn named(targets: &[Target], at: usize) -> String {
    targets.get(at).map(|target| target.absolute().to_string()).unwrap_or_default()
}

/// A figure of the run `label`, with all that `figures` say.
pub fn figure(label: String, key: Key, figures: &Figures) -> HistoryFigure {
    HistoryFigure {
        label,
        target: String::new(),
        key,
        iops: Some(figures.iops),
        bytes_per_s: Some(figures.mb_per_s * 1e6),
        mean_ns: Some(figures.mean_ns),
        p50_ns: Some(figures.p50_ns as f64),
        p99_ns: Some(figures.p99_ns as f64),
        p999_ns: Some(figures.p999_ns as f64),
    }
}

/// The most important number of a run for this purpose.
pub fn key_of(goal: Goal) -> Key {
    match goal {
        Goal::Iops => Key::Iops,
        Goal::Throughput => Key::BytesPerS,
        Goal::Latency => Key::Latency,
    }
}

/// How a run is kept: one that measured everything by the outcome of its gate, if it has one.
pub fn outcome_of(is_whole: bool, gate: Option<GateOutcome>) -> HistoryOutcome {
    match gate {
        _ if !is_whole => HistoryOutcome::Failed,
        None => HistoryOutcome::Ran,
        Some(GateOutcome::Pass) => HistoryOutcome::PromiseKept,
        Some(GateOutcome::Fail) => HistoryOutcome::PromiseMissed,
        Some(GateOutcome::Undecided) => HistoryOutcome::Undecided,
    }
}

/// Replaces the run; one that was removed meanwhile is there again, under a new name.
fn updated(store: &mut Store, id: &Id, run: &HistoryRun, document: &str) -> Result<Id, StoreError> {
    match store.update(id, run, document) {
        Ok(()) => Ok(id.clone()),
        Err(StoreError::NoRun { .. }) => store.record(run, document),
        Err(why) => Err(why),
    }
}

/// The command of this process in its folder, as a shell takes it: what documents say of how to get
/// them again.
pub fn command_line() -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    command_in_folder(&command(), &folder.display().to_string())
}

/// A command in the folder where it was given, as a shell takes it.
pub fn command_in_folder(command: &[String], folder: &str) -> String {
    let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    let command = words.join(" ");
    match folder.is_empty() {
        true => command,
        false => format!("cd {} && {command}", quoted(folder)),
    }
}

/// The command of this process, its program by name alone.
fn command() -> Vec<String> {
    let mut command: Vec<String> =
        std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    if let Some(program) = command.first_mut() {
        let name = Path::new(program.as_str()).file_name();
        *program = name.map_or_else(|| program.clone(), |name| name.to_string_lossy().into_owned());
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_host::Host;
    use fathom_store::{Filter, HistoryEntry, Sharing};

    fn kept(outcome: HistoryOutcome, title: &str) -> SavedRun<'_> {
        let (title, targets, headline) = (title.to_owned(), &[][..], Vec::new());
        SavedRun { kind: "sweep", title, targets, document: "{}", headline, outcome }
    }

    #[test]
    fn a_long_run_is_one_entry_that_grows_even_if_it_is_removed_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.sqlite3");
        let args = RecordArgs { no_record: false, tag: vec!["mine".to_owned()] };
        let mut recorder = HistoryWriter::begin(&args, &Host::real(), Some("worker-7"), true);
        let mut save = |outcome, title| {
            let run = recorder.run(&kept(outcome, title));
            recorder.write_to(&path, &run, "{}").unwrap()
        };
        let only = || -> HistoryEntry {
            let store = Store::open_to_read(&path).unwrap().unwrap();
            let mut entries = store.list(&Filter::default()).unwrap();
            assert_eq!(entries.len(), 1, "{entries:?}");
            entries.remove(0)
        };
        let name = save(HistoryOutcome::Running, "one case");
        let first = only();
        assert_eq!((&first.short_id, first.run.outcome), (&name, HistoryOutcome::Running));
        assert_eq!((first.run.host.as_str(), &first.run.tags), ("worker-7", &args.tag));
        assert_eq!(save(HistoryOutcome::Running, "two cases"), name);
        assert_eq!((only().id, only().run.title.as_str()), (first.id.clone(), "two cases"));
        Store::open(&path, Sharing::OneHost)
            .unwrap()
            .remove(std::slice::from_ref(&first.id))
            .unwrap();
        save(HistoryOutcome::Ran, "all cases");
        assert_eq!(
            (only().run.title.as_str(), only().run.outcome),
            ("all cases", HistoryOutcome::Ran)
        );
    }

    #[test]
    fn a_label_is_a_line_of_text() {
        assert_eq!(parse_tag(" before upgrade "), Ok("before upgrade".to_owned()));
        for text in ["", "  ", "a\nb", "\x1b[2J"] {
            assert!(parse_tag(text).is_err(), "{text:?}");
        }
    }
}
