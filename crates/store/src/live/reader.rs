//! Reads the feeds of running runs.

use super::error::LiveError;
use super::point::{LIVE_SCHEMA, LiveHeader, LivePoint};
use super::{ENDING, file_of, folder_of};
use crate::id::Id;
use crate::{HistoryEntry, HistoryOutcome};
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// More than a writer writes, so that a file of another limit can be read too.
const LARGEST_BYTES: u64 = 8 << 20;

/// A process that cannot be seen counts as alive until its file is older than this.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bits of an offset that count bytes; those above number the version of the file.
const BYTE_BITS: u32 = 24;

/// Whether a run's process is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedState {
    /// It is, or its file still grows.
    Alive,
    /// It ended without removing its file: it was killed.
    Dead,
    /// It cannot be seen from here, and its file does not grow.
    Silent,
}

/// A run that has a feed.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveRun {
    /// The run.
    pub header: LiveHeader,
    /// Whether it is running.
    pub state: FeedState,
    /// Time since the last write; none if the clock cannot tell.
    pub silent_for: Option<Duration>,
}

/// The points after an offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// The points, oldest first.
    pub points: Vec<LivePoint>,
    /// Where to go on; less than 2^53.
    pub offset: u64,
    /// Whether these are all points of the run, to be taken in the place of those known.
    pub anew: bool,
}

/// Reads the feeds beside a history.
#[derive(Clone, Debug)]
pub struct LiveReader {
    folder: PathBuf,
}

impl LiveReader {
    /// The feeds of the history in the file `history`; neither needs to exist.
    pub fn new(history: &Path) -> LiveReader {
        LiveReader::in_folder(&folder_of(history))
    }

    pub(super) fn in_folder(folder: &Path) -> LiveReader {
        LiveReader { folder: folder.to_owned() }
    }

    /// All runs that have a feed, the newest first; for a foreign file, the reason.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn runs(&self) -> Result<Vec<Result<LiveRun, LiveError>>, LiveError> {
        let unreadable = |error| LiveError::io("read", &self.folder, error);
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unreadable(error)),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let path = entry.map_err(unreadable)?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let ours = path.extension().is_some_and(|ending| ending == ENDING);
            ids.extend(stem.filter(|_| ours).and_then(Id::parse));
        }
        ids.sort();
        // One that ended meanwhile is no fault.
        let runs = ids.iter().rev().filter_map(|id| self.run(id).transpose());
        Ok(runs.collect())
    }

    /// Whether a run that the history has as running was killed: no process writes its feed.
    pub fn is_killed(&self, entry: &HistoryEntry) -> bool {
        let alive = || match self.run(&entry.id) {
            Ok(run) => run.is_some_and(|run| run.state == FeedState::Alive),
            // A feed that cannot be read may be that of a newer Fathom.
            Err(_) => true,
        };
        entry.run.outcome == HistoryOutcome::Running && !alive()
    }

    /// The run of that name; `None` if it has no feed, as after its end.
    ///
    /// # Errors
    /// If the file cannot be read or is no feed.
    pub fn run(&self, id: &Id) -> Result<Option<LiveRun>, LiveError> {
        let Some(mut feed) = Feed::open(&self.folder, id)? else { return Ok(None) };
        let silent_for = feed.modified.and_then(|at| SystemTime::now().duration_since(at).ok());
        let header = match feed.header()? {
            Some((header, _)) => header,
            // Its first line is being written.
            None => return Ok(None),
        };
        let state = match header.process.is_alive() {
            Some(true) => FeedState::Alive,
            Some(false) => FeedState::Dead,
            // A clock that is behind gives no age: the write is in the future.
            None if silent_for.is_none_or(|silent_for| silent_for < PATIENCE) => FeedState::Alive,
            None => FeedState::Silent,
        };
        Ok(Some(LiveRun { header, state, silent_for }))
    }

    /// The points of a run after `offset`, which is 0 at first and then the last returned one;
    /// `None` if the run has no feed any more. An incomplete line is left for later.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is no point; the line is named.
    pub fn follow(&self, id: &Id, offset: u64) -> Result<Option<Followed>, LiveError> {
        let Some(mut feed) = Feed::open(&self.folder, id)? else { return Ok(None) };
        let Some((header, text)) = feed.header()? else {
            return Ok(Some(Followed { points: Vec::new(), offset: 0, anew: true }));
        };
        let (thinned, bytes) = (offset >> BYTE_BITS, offset & ((1 << BYTE_BITS) - 1));
        let first = text.find('\n').map_or(0, |at| at + 1);
        let known = usize::try_from(bytes).unwrap_or(usize::MAX);
        // We return only offsets at the end of a line of this version.
        let ends_a_line = known >= first && text.as_bytes().get(known - 1) == Some(&b'\n');
        let anew = thinned != u64::from(header.thinned) || !ends_a_line;
        let from = if anew { first } else { known };
        let to = text.rfind('\n').map_or(from, |at| at + 1);
        let lines_before = text[..from].matches('\n').count();
        let mut points = Vec::new();
        for (at, line) in text[from..to].lines().enumerate() {
            points.push(feed.parsed(line, lines_before + at + 1)?);
        }
        let offset = u64::from(header.thinned) << BYTE_BITS | to as u64;
        Ok(Some(Followed { points, offset, anew }))
    }
}

/// An open file.
struct Feed {
    path: PathBuf,
    file: File,
    modified: Option<SystemTime>,
}

impl Feed {
    /// Opens a regular file: other kinds with this name could block the reader.
    fn open(folder: &Path, id: &Id) -> Result<Option<Feed>, LiveError> {
        let path = file_of(folder, id);
        let opened = || {
            if !fs::symlink_metadata(&path)?.is_file() {
                return Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file"));
            }
            let file = File::open(&path)?;
            let about = file.metadata()?;
            Ok((file, about))
        };
        match opened() {
            Ok((_, about)) if about.len() > LARGEST_BYTES => {
                Err(LiveError::TooLarge { path, bytes: about.len() })
            }
            Ok((file, about)) => Ok(Some(Feed { path, file, modified: about.modified().ok() })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(LiveError::io("read", &path, error)),
        }
    }

    /// The header and the whole text; none while the first line has no end.
    fn header(&mut self) -> Result<Option<(LiveHeader, String)>, LiveError> {
        let mut bytes = Vec::new();
        let read = |error| LiveError::io("read", &self.path, error);
        self.file.seek(SeekFrom::Start(0)).map_err(read)?;
        self.file.by_ref().take(LARGEST_BYTES).read_to_end(&mut bytes).map_err(read)?;
        // A line that is being written may end within a character.
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            self.fault(line, "it is not UTF-8".to_owned())
        })?;
        let Some(first) = text.lines().next() else { return Ok(None) };
        let schema: Schema = self.parsed(first, 1)?;
        if schema.schema > LIVE_SCHEMA {
            let (path, found) = (self.path.clone(), schema.schema);
            return Err(LiveError::Newer { path, found, known: LIVE_SCHEMA });
        }
        let header: LiveHeader = self.parsed(first, 1)?;
        let named = self.path.file_stem().and_then(|stem| stem.to_str());
        if named != Some(header.id.as_str()) {
            return Err(self.fault(1, format!("it is the feed of another run, {:?}", header.id)));
        }
        Ok(Some((header, text)))
    }

    fn parsed<T: DeserializeOwned>(&self, line: &str, number: usize) -> Result<T, LiveError> {
        serde_json::from_str(line).map_err(|error| self.fault(number, error.to_string()))
    }

    fn fault(&self, line: usize, why: String) -> LiveError {
        LiveError::Line { path: self.path.clone(), line, why }
    }
}

/// The part of a first line that is needed before the others.
#[derive(serde::Deserialize)]
struct Schema {
    schema: u32,
}
