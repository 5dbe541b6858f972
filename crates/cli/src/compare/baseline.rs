//! Several earlier runs as one side of a comparison: runs with a tag, or runs and files by name.
//! Only they show the spread of a disk's runs without a change.
//!
//! Of a tag, only the newest runs of the same command on the same targets count, so that another
//! disk with the same tag is no baseline, nor are jobs of the same name with another pattern, block
//! size or depth. The compared run itself is never part of its baseline.

use super::CompareArgs;
use super::error::RecordedError;
use super::load::load;
use super::target::{Recorded, recorded_at};
use crate::cli_error::CliError;
use crate::saved_runs;
use fathom_analysis::LEAST_ROUNDS;
use fathom_campaign::compare::{Recording, usual_distance};
use fathom_message::Message;
use fathom_store::{Filter, HistoryEntry, HistoryRun};
use fathom_vocab::without_parents;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Default number of runs of a tag.
pub const USUAL_RUNS: u32 = 5;

/// Prefix of a tag's name.
const TAG: &str = "tag:";

/// The baseline that `args` name, for the compared runs.
///
/// # Errors
/// If a run cannot be read, or there are too few of them.
pub fn of(args: &CompareArgs, compared: &[Recorded]) -> Result<Recording, CliError> {
    let mut recordings: Vec<Recording> = Vec::new();
    let own = entries_of(compared)?;
    for named in &args.baseline {
        match named.strip_prefix(TAG) {
            Some(tag) => {
                check_tag(tag)?;
                let tagged = tagged(args, tag, &own, compared)?;
                check_alike(tag, &own, &tagged)?;
                recordings.extend(tagged);
            }
            None => match recorded_at(Path::new(named))? {
                Some(recorded) => recordings.push(load(&recorded)?),
                None => return Err(RecordedError::NoRun(named.clone()).into()),
            },
        }
    }
    if recordings.len() < LEAST_ROUNDS {
        let has_tag = args.baseline.iter().any(|named| named.starts_with(TAG));
        let found = recordings.len();
        return Err(match own.first().filter(|_| has_tag && !args.any_target) {
            Some(own) => RecordedError::TooFewAlike { like: described(own), found }.into(),
            None => RecordedError::TooFew { found }.into(),
        });
    }
    Ok(Recording::baseline(&args.baseline.join(" "), &recordings))
}

/// The entries of the history among the compared recordings.
fn entries_of(compared: &[Recorded]) -> Result<Vec<HistoryEntry>, CliError> {
    let mut own: Vec<HistoryEntry> = Vec::new();
    for recorded in compared {
        if let Recorded::Run(prefix) = recorded {
            own.push(saved_runs::result_of(prefix)?.0);
        }
    }
    Ok(own)
}

/// `1m8d (a compare of /a and /b)`.
fn described(entry: &HistoryEntry) -> String {
    format!("{} ({})", entry.short_id, nature(entry))
}

/// `a compare of /a and /b`.
fn nature(entry: &HistoryEntry) -> String {
    let HistoryRun { kind, targets, .. } = &entry.run;
    match targets.is_empty() {
        true => format!("a {kind}"),
        false => format!("a {kind} of {}", targets.join(" and ")),
    }
}

/// Refuses a tag that no run has if others are in use. Without any tag the history is young, and a
/// pipeline continues.
fn check_tag(tag: &str) -> Result<(), CliError> {
    let entries = saved_runs::listed(&Filter::default())?;
    let known: BTreeSet<String> = entries.into_iter().flat_map(|entry| entry.run.tags).collect();
    if known.is_empty() || known.contains(tag) {
        return Ok(());
    }
    let (tag, known) = (tag.to_owned(), known.into_iter().collect());
    Err(RecordedError::UnknownTag { tag, known }.into())
}

/// Refuses a tag with runs enough, of which none is like the compared run: a pipeline that goes on
/// without a baseline would go on for ever. A baseline that begins has fewer.
fn check_alike(tag: &str, own: &[HistoryEntry], found: &[Recording]) -> Result<(), CliError> {
    let Some(compared) = own.first().filter(|_| found.is_empty()) else { return Ok(()) };
    let filter = Filter { tag: Some(tag.to_owned()), ..Filter::default() };
    let mut entries = saved_runs::listed(&filter)?;
    entries.retain(|entry| entry.run.outcome.is_whole() && entry.id != compared.id);
    match entries.first().filter(|_| entries.len() >= LEAST_ROUNDS) {
        None => Ok(()),
        Some(last) => Err(RecordedError::NoneAlike {
            compared: format!("{} is {}", compared.short_id, nature(compared)),
            tag: tag.to_owned(),
            tagged: entries.len(),
            last: described(last),
        }
        .into()),
    }
}

/// The newest runs with `tag`.
fn tagged(
    args: &CompareArgs,
    tag: &str,
    own: &[HistoryEntry],
    compared: &[Recorded],
) -> Result<Vec<Recording>, CliError> {
    let like = own.first().filter(|_| !args.any_target);
    let filter = Filter {
        tag: Some(tag.to_owned()),
        kind: like.map(|entry| entry.run.kind.clone()),
        ..Filter::default()
    };
    let now = match args.any_target {
        true => Vec::new(),
        false => compared.iter().map(load).collect::<Result<Vec<Recording>, _>>()?,
    };
    let last = args.last.unwrap_or(USUAL_RUNS) as usize;
    alike(&saved_runs::listed(&filter)?, like, own, &now, last)
}

/// How far runs of the plan of `entry` lie apart, where the history has enough of them.
pub fn usual_of(entry: &HistoryEntry, recording: &Recording) -> Option<Message> {
    let filter = Filter { kind: Some(entry.run.kind.clone()), ..Filter::default() };
    let (own, now) = (std::slice::from_ref(entry), std::slice::from_ref(recording));
    let entries = saved_runs::listed(&filter).ok()?;
    let mut runs = alike(&entries, Some(entry), own, now, USUAL_RUNS as usize - 1).ok()?;
    runs.push(recording.clone());
    (runs.len() >= LEAST_ROUNDS).then(|| usual_distance(&runs)).flatten()
}

/// The `last` whole ones of `entries`, newest first, that have the targets of `like` and the loads
/// of `now`, without the compared ones themselves.
fn alike(
    entries: &[HistoryEntry],
    like: Option<&HistoryEntry>,
    own: &[HistoryEntry],
    now: &[Recording],
    last: usize,
) -> Result<Vec<Recording>, CliError> {
    // Runs of before may name the same folder with `..` in its path.
    let plain = |entry: &HistoryEntry| {
        let targets = entry.run.targets.iter();
        targets.map(|target| without_parents(Path::new(target))).collect::<Vec<PathBuf>>()
    };
    let same_targets = |entry: &&HistoryEntry| like.is_none_or(|like| plain(like) == plain(entry));
    let other = |entry: &&HistoryEntry| own.iter().all(|own| own.id != entry.id);
    let whole = entries.iter().filter(|entry| entry.run.outcome.is_whole());
    let mut recordings = Vec::new();
    for entry in whole.filter(same_targets).filter(other) {
        // A tag may have many runs, and reading one takes a while.
        if recordings.len() == last {
            break;
        }
        let recording = load(&Recorded::Run(entry.id.to_string()))?;
        if !now.iter().any(|now| recording.has_other_loads(now)) {
            recordings.push(recording);
        }
    }
    Ok(recordings)
}
