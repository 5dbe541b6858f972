//! The history and its feeds, read on threads that may wait.
//!
//! The file is opened for each request, which costs about a millisecond: a history that is made,
//! moved or unlocked while we serve is seen at once, and nothing is held that a writer waits for.

use crate::failure::PageFailure;
use fathom_store::live::{FeedState, LiveReader, LiveRun};
use fathom_store::{Id, Store};
use std::path::{Path, PathBuf};

/// Where runs are kept.
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

    /// What `work` finds in the history; `None` where there is none yet.
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

    /// The runs that go on, the newest first. A feed that cannot be read is left out: it says so
    /// on its own page, and must not keep the others from being seen.
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

/// Does `work` on a thread that may wait. What panics there costs its own answer, no other's.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PageFailure> + Send + 'static,
) -> Result<T, PageFailure> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(PageFailure::Fault))
}
