//! Running runs, for all their viewers.
//!
//! Each viewed run has one task, which reads the run's feed once a second and stores the events as
//! bytes; all viewers receive the same bytes, late ones all of them at once. The task ends with the
//! run, or when there are no viewers.
//!
//! The events: `head` with the run's [`LiveHeader`], after which earlier data is discarded;
//! `points` with an array of [`LivePoint`]; and at last `end` (the run is over), `killed` (its
//! process is gone) or `fault` (its feed cannot be read).

use crate::archive::{Archive, aside};
use crate::stop::Stop;
use axum::body::Bytes;
use fathom_store::Id;
use fathom_store::live::{FeedState, Followed, LiveHeader};
use futures_util::{Stream, stream};
use serde::Serialize;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

/// How often a feed is read: as often as it is written.
const BEAT: Duration = Duration::from_secs(1);

/// A viewer receives a sign of life after this time without events.
const SILENCE: Duration = Duration::from_secs(15);

/// All feeds that are looked at.
#[derive(Debug)]
pub(crate) struct Hub {
    archive: Archive,
    stop: Stop,
    feeds: Mutex<HashMap<Id, Arc<watch::Sender<Log>>>>,
}

/// The events of a run.
#[derive(Debug, Default)]
struct Log {
    /// How often it was restarted.
    writing: u64,
    chunks: Vec<Bytes>,
    over: bool,
}

impl Hub {
    pub(crate) fn new(archive: Archive, stop: Stop) -> Hub {
        Hub { archive, stop, feeds: Mutex::default() }
    }

    /// Everything of the run's feed, from its beginning to the end of the run.
    pub(crate) fn watch(
        self: &Arc<Hub>,
        id: &Id,
    ) -> impl Stream<Item = Result<Bytes, Infallible>> + Send + use<> {
        let log = {
            let mut feeds = self.feeds();
            match feeds.get(id) {
                Some(sender) => sender.subscribe(),
                None => {
                    let (sender, log) = watch::channel(Log::default());
                    let sender = Arc::new(sender);
                    feeds.insert(id.clone(), sender.clone());
                    tokio::spawn(follow(self.clone(), id.clone(), sender));
                    log
                }
            }
        };
        let viewer = Viewer { log, writing: 0, sent: 0, stop: self.stop.clone() };
        stream::unfold(viewer, async |mut viewer| {
            let bytes = viewer.next().await?;
            Some((Ok(bytes), viewer))
        })
    }

    /// Forgets the run if it has no viewers, or at once.
    fn forget(&self, id: &Id, sender: &watch::Sender<Log>, at_once: bool) -> bool {
        let mut feeds = self.feeds();
        // Viewers join under the same lock, so none is lost.
        let forgotten = at_once || sender.receiver_count() == 0;
        if forgotten {
            feeds.remove(id);
        }
        forgotten
    }

    fn feeds(&self) -> MutexGuard<'_, HashMap<Id, Arc<watch::Sender<Log>>>> {
        self.feeds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the feed of a run until it ends or has no viewers.
async fn follow(hub: Arc<Hub>, id: Id, sender: Arc<watch::Sender<Log>>) {
    let mut beat = tokio::time::interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut offset = 0;
    loop {
        beat.tick().await;
        if hub.forget(&id, &sender, false) {
            return;
        }
        let told = read(&hub.archive, &id, offset).await;
        offset = told.offset;
        if told.over {
            // Viewers that join from now on read the end themselves.
            hub.forget(&id, &sender, true);
        }
        let over = told.over;
        if over || !told.chunk.is_empty() {
            sender.send_modify(|log| log.add(told));
        }
        if over {
            return;
        }
    }
}

/// The events from one reading of a feed.
struct Told {
    chunk: Bytes,
    offset: u64,
    anew: bool,
    over: bool,
}

impl Told {
    fn last(name: &str, data: &impl Serialize) -> Told {
        Told { chunk: event(name, data).into(), offset: 0, anew: false, over: true }
    }
}

async fn read(archive: &Archive, id: &Id, offset: u64) -> Told {
    let (live, name) = (archive.live().clone(), id.clone());
    let looked = aside(move || {
        let Some(run) = live.run(&name)? else { return Ok(None) };
        Ok(live.follow(&name, offset)?.map(|followed| (run, followed)))
    });
    match looked.await {
        Ok(None) => Told::last("end", &id),
        // The last points are sent before the end.
        Ok(Some((run, followed)))
            if run.state != FeedState::Alive && followed.points.is_empty() =>
        {
            Told::last("killed", &id)
        }
        Ok(Some((run, followed))) => points(&run.header, &followed),
        Err(failure) => Told::last("fault", &failure.detail()),
    }
}

fn points(header: &LiveHeader, followed: &Followed) -> Told {
    let mut chunk = String::new();
    if followed.anew {
        chunk += &event("head", header);
    }
    if !followed.points.is_empty() {
        chunk += &event("points", &followed.points);
    }
    Told { chunk: chunk.into(), offset: followed.offset, anew: followed.anew, over: false }
}

/// One event. JSON in one line contains no line end, so no text in it can begin another event.
fn event(name: &str, data: &impl Serialize) -> String {
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}

impl Log {
    fn add(&mut self, told: Told) {
        if told.anew {
            self.writing += 1;
            self.chunks.clear();
        }
        self.chunks.push(told.chunk);
        self.over = told.over;
    }
}

/// A viewer.
struct Viewer {
    log: watch::Receiver<Log>,
    writing: u64,
    sent: usize,
    stop: Stop,
}

impl Viewer {
    /// The events since the last call; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let (news, over) = self.news();
            if !news.is_empty() {
                return Some(news);
            }
            if over {
                return None;
            }
            tokio::select! {
                changed = self.log.changed() => changed.ok()?,
                () = self.stop.stopped() => return None,
                () = tokio::time::sleep(SILENCE) => return Some(Bytes::from_static(b":\n\n")),
            }
        }
    }

    fn news(&mut self) -> (Bytes, bool) {
        let log = self.log.borrow_and_update();
        if log.writing != self.writing {
            (self.writing, self.sent) = (log.writing, 0);
        }
        let news = log.chunks.get(self.sent..).unwrap_or_default();
        self.sent = log.chunks.len();
        let news = match news {
            [one] => one.clone(),
            news => news.concat().into(),
        };
        (news, log.over)
    }
}
