//! The feed of this run, as long as it can be written.

use fathom_store::live::{LiveError, LivePoint, LiveWriter};
use fathom_store::{HistoryRun, Id};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The file in which a run shows its progress to other processes; none for a run that is not
/// stored.
#[derive(Debug, Default)]
pub struct Feed {
    writer: Option<Arc<Mutex<LiveWriter>>>,
    since: Option<Instant>,
    told: bool,
}

/// Keeps a feed's file until this is dropped, too: viewers take its end for the end of the run, and
/// look for the result.
#[derive(Debug, Default)]
pub struct FeedHold(
    #[expect(dead_code, reason = "it is only dropped")] Option<Arc<Mutex<LiveWriter>>>,
);

impl Feed {
    /// The feed of the run that is stored as `id` in `history` and began at `since`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(
        history: &Path,
        id: &Id,
        run: &HistoryRun,
        since: Instant,
    ) -> Result<Feed, LiveError> {
        let writer = LiveWriter::begin(history, id, run)?;
        let writer = Some(Arc::new(Mutex::new(writer)));
        Ok(Feed { writer, since: Some(since), told: false })
    }

    /// A hold on its file.
    pub fn hold(&self) -> FeedHold {
        FeedHold(self.writer.clone())
    }

    /// Adds a point, as of now.
    ///
    /// # Errors
    /// The first time that it cannot be written; after that it is only tried again.
    pub fn push(&mut self, point: LivePoint) -> Result<(), LiveError> {
        let (Some(writer), Some(since)) = (&mut self.writer, self.since) else { return Ok(()) };
        let at_ms = u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        match writer.push(&LivePoint { at_ms, ..point }) {
            Err(why) if !std::mem::replace(&mut self.told, true) => Err(why),
            _ => Ok(()),
        }
    }
}
