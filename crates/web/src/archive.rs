//! The history and its feeds, read on threads that may block.
//!
//! The file is opened for each request, which takes about a millisecond: a history that is created,
//! moved or unlocked while the server runs is visible at once, and no lock delays a writer.

use crate::failure::PageFailure;
use fathom_store::live::{FeedState, LiveReader, LiveRun};
use fathom_store::{Id, Store};
use std::path::{Path, PathBuf};

/// The stored runs.
#[derive(Clone, Debug)]
pub(crate) struct Archive {
    path: PathBuf,
    live: LiveReader,
}

impl Archive {
    pub(crate) fn new(path: &Path) -> Archive {
        Archive { path: path.to_owned(), live: LiveReader::new(path) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn live(&self) -> &LiveReader {
        &self.live
    }

    /// The result of `work` on the history; `None` if there is none yet.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, PageFailure> + Send + 'static,
    ) -> Result<Option<T>, PageFailure> {
        let path = self.path.clone();
        aside(move || match Store::open_to_read(&path)? {
            Some(store) => work(&store).map(Some),
            None => Ok(None),
        })
        .await
    }

    /// The running runs, the newest first. A feed that cannot be read is left out: its own page
    /// shows the error, and it must not hide the others.
    pub(crate) async fn running(&self) -> Vec<LiveRun> {
        let live = self.live.clone();
        let found = aside(move || Ok(live.runs()?)).await.unwrap_or_default();
        found.into_iter().flatten().filter(|run| run.state == FeedState::Alive).collect()
    }

    /// The run of that name that has a feed.
    pub(crate) async fn running_one(&self, id: &Id) -> Result<Option<LiveRun>, PageFailure> {
        let (live, id) = (self.live.clone(), id.clone());
        aside(move || Ok(live.run(&id)?)).await
    }
}

/// Does `work` on a thread that may block. A panic there affects only its own answer.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PageFailure> + Send + 'static,
) -> Result<T, PageFailure> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(PageFailure::Fault))
}
