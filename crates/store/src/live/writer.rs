//! Writes the feed of one run.

use super::error::LiveError;
use super::point::{LIVE_SCHEMA, LiveHeader, LivePoint};
use super::process::RunProcess;
use super::reader::{FeedState, LiveReader};
use super::{file_of, folder_of};
use crate::id::Id;
use crate::run::HistoryRun;
use fathom_host::{make_private_folder, with_mode};
use serde::Serialize;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file has fewer bytes than this.
pub const MOST_BYTES: u64 = 1_500_000;

/// The newest points, which are never thinned: ten minutes of them.
const WHOLE: usize = 600;

/// How long files of dead processes are kept, so that their progress can be seen.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// The feed of a run of this process; dropping it removes the file.
#[derive(Debug)]
pub struct LiveWriter {
    path: PathBuf,
    header: LiveHeader,
    file: File,
    /// Bytes that are known to be whole lines.
    written: u64,
    most_bytes: u64,
    last_ms: u64,
}

impl LiveWriter {
    /// Begins the feed of the run stored as `id` in the history at `history`, and removes the files
    /// of long dead processes.
    ///
    /// # Errors
    /// If folder or file cannot be written.
    pub fn begin(history: &Path, id: &Id, run: &HistoryRun) -> Result<LiveWriter, LiveError> {
        let folder = folder_of(history);
        make_private_folder(&folder).map_err(|e| LiveError::io("make", &folder, e))?;
        sweep(&folder);
        let header = LiveHeader {
            schema: LIVE_SCHEMA,
            id: id.clone(),
            thinned: 0,
            process: RunProcess::own(),
            host: run.host.clone(),
            kind: run.kind.clone(),
            title: run.title.clone(),
            targets: run.targets.clone(),
            started_ms: run.started_ms,
        };
        LiveWriter::of(file_of(&folder, id), header, MOST_BYTES)
    }

    pub(super) fn of(
        path: PathBuf,
        header: LiveHeader,
        most_bytes: u64,
    ) -> Result<LiveWriter, LiveError> {
        let text = line(&header);
        let fresh = fresh_of(&path);
        let file = beside(&fresh, &text).and_then(|file| {
            fs::rename(&fresh, &path).inspect_err(|_| drop(fs::remove_file(&fresh)))?;
            Ok(file)
        });
        let file = file.map_err(|error| LiveError::io("write", &path, error))?;
        let written = text.len() as u64;
        Ok(LiveWriter { path, header, file, written, most_bytes, last_ms: 0 })
    }

    /// Adds a point.
    ///
    /// # Errors
    /// If it cannot be written; the points before it are whole, and the next may go well.
    pub fn push(&mut self, point: &LivePoint) -> Result<(), LiveError> {
        let mut point = point.settled();
        self.last_ms = self.last_ms.max(point.at_ms);
        point.at_ms = self.last_ms;
        let text = line(&point);
        if self.written + text.len() as u64 > self.most_bytes {
            self.thin()?;
        }
        let written = self.file.write_all(text.as_bytes());
        if let Err(error) = written {
            // Half a line must not become the beginning of the next.
            let _ = self.file.set_len(self.written);
            return Err(LiveError::io("write", &self.path, error));
        }
        self.written += text.len() as u64;
        Ok(())
    }

    /// Rewrites the file: the newest points unchanged, and of the older ones as many, evenly spread
    /// over the time, that half of the file is free again.
    fn thin(&mut self) -> Result<(), LiveError> {
        let text =
            fs::read_to_string(&self.path).map_err(|e| LiveError::io("read", &self.path, e))?;
        let points: Vec<&str> = text.lines().skip(1).collect();
        let longest = points.iter().map(|point| point.len()).max().unwrap_or(0) as u64 + 1;
        let room = usize::try_from(self.most_bytes / 2 / longest).unwrap_or(usize::MAX);
        let whole = WHOLE.min(room / 2).min(points.len());
        let (older, newest) = points.split_at(points.len() - whole);
        self.header.thinned += 1;
        let mut kept = line(&self.header);
        for point in spread(older, room - whole).iter().chain(newest) {
            kept += point;
            kept.push('\n');
        }
        self.put(&kept)
    }

    /// Replaces the file with `content` atomically, and continues after it. If that fails, the file
    /// is unchanged.
    fn put(&mut self, content: &str) -> Result<(), LiveError> {
        let unwritable = |error| LiveError::io("write", &self.path, error);
        let fresh = fresh_of(&self.path);
        // The file is closed first: Windows cannot replace an open file by a rename.
        self.file = beside(&fresh, content).map_err(unwritable)?;
        if let Err(error) = fs::rename(&fresh, &self.path) {
            self.file = append_to(&self.path).map_err(unwritable)?;
            let _ = fs::remove_file(&fresh);
            return Err(unwritable(error));
        }
        self.written = content.len() as u64;
        Ok(())
    }
}

impl Drop for LiveWriter {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// At most `most` of the lines, the first among them, no two nearer in time than they need be.
fn spread<'t>(lines: &[&'t str], most: usize) -> Vec<&'t str> {
    let at_ms = |line: &str| serde_json::from_str::<LivePoint>(line).map(|point| point.at_ms);
    let timed: Vec<(u64, &str)> =
        lines.iter().filter_map(|line| Some((at_ms(line).ok()?, *line))).collect();
    let (Some((first, _)), Some((last, _))) = (timed.first(), timed.last()) else {
        return Vec::new();
    };
    let gap_ms = ((last - first) / most.max(1) as u64).max(1);
    let mut next = 0;
    let mut kept = Vec::new();
    for (at_ms, line) in timed {
        if at_ms >= next && kept.len() < most {
            next = at_ms.saturating_add(gap_ms);
            kept.push(line);
        }
    }
    kept
}

/// The temporary name of the file at `path` before its rename.
fn fresh_of(path: &Path) -> PathBuf {
    path.with_extension("new")
}

/// A new file with that content, open for appending.
fn beside(path: &Path, content: &str) -> io::Result<File> {
    let _ = fs::remove_file(path);
    let mut options = OpenOptions::new();
    let mut file = with_mode(options.append(true).create_new(true), 0o600).open(path)?;
    let written = file.write_all(content.as_bytes());
    written.map(|()| file).inspect_err(|_| drop(fs::remove_file(path)))
}

fn append_to(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}

fn line(value: &impl Serialize) -> String {
    // Strings and numbers always have a JSON form.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Removes old files of processes that are certainly dead.
fn sweep(folder: &Path) {
    let Ok(runs) = LiveReader::in_folder(folder).runs() else { return };
    for run in runs.into_iter().flatten().filter(|run| run.state == FeedState::Dead) {
        if run.silent_for.is_some_and(|silent_for| silent_for > KEPT) {
            let _ = fs::remove_file(file_of(folder, &run.header.id));
        }
    }
}
