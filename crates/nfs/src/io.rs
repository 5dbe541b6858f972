//! Many I/Os in flight over several connections: the work of an engine while it measures.
//!
//! Decided here:
//! - An I/O is split into calls of sizes that the server accepts, and ends with the last of them. A
//!   part that a server omits is requested again, except beyond the end of a file.
//! - A call goes over the connection with the fewest in flight; of equal ones, each in turn, as in
//!   the kernel's client.
//! - Unstable writes are recorded until a COMMIT with the same verifier. Those that a server has
//!   lost are sent again within the flush that finds it out, so that its time includes that too.
//!   Their content comes from a slot's buffer: of the same kind, but not the same bytes, because no
//!   client can store all that it wrote.
//! - A wait ends periodically without events, so that a run on a hanging server can end.
//! - If a server ends no I/O for as long as any other call may take, all are given up with that
//!   call's name; `timeo` in the URL sets another limit, for each I/O by itself. A COMMIT may take
//!   longer: a server's cache may be large.

mod flush;
mod parts;
mod state;

use crate::error::NfsError;
use crate::export::NfsExport;
use crate::link::{LinkPlan, NfsLink};
use crate::proto::{NfsHandle, NfsVerifier, WriteStability};
use crate::rpc::RpcProgram;
use crate::socket;
use crate::status::NfsStatus;
use fathom_vocab::{ErrorNumber, Op};
use state::{IoPart, IoState, LoggedWrite, PartKind, PartTable};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use state::{ConnectionCounts, NfsEvents, NfsRequest};

/// Maximum time of a wait without events.
const PATIENCE: Duration = Duration::from_millis(100);
/// A wait that took less had found something to read at once: to wait would need the scheduler.
const AT_ONCE: Duration = Duration::from_micros(3);
/// How many times the time of another call a COMMIT may take.
const COMMIT_TIMES: u32 = 20;
/// Unstable writes that are written down at most before they are committed unasked.
const LOGGED_MAX: usize = 1 << 20;

/// A file of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NfsIoFile {
    /// Its handle.
    pub handle: NfsHandle,
    /// How durable writes to it are.
    pub stability: WriteStability,
}

/// The buffers of slots.
pub trait SlotBuffers {
    /// The buffer of a slot.
    fn slot(&mut self, slot: u32) -> &mut [u8];
}

/// I/Os in flight on the files of an export.
#[derive(Debug)]
pub struct NfsIo {
    export: Arc<NfsExport>,
    files: Vec<NfsIoFile>,
    links: Vec<NfsLink>,
    counts: Vec<ConnectionCounts>,
    /// The connection whose turn it is.
    turn: usize,
    /// Whether the last replies had to be awaited. Then nothing is read before the next wait, which
    /// would be a useless call.
    replies_take_time: bool,
    /// One for each slot, and one for automatic commits.
    ios: Vec<Option<IoState>>,
    /// How many of the slots are taken.
    taken_slots: u32,
    parts: PartTable,
    /// Calls to be made again at a moment.
    delayed: Vec<(Instant, IoPart)>,
    log: Vec<LoggedWrite>,
    verifiers: Vec<NfsVerifier>,
    /// Finished slots, with their results, in order of arrival.
    over: VecDeque<(u32, i32)>,
    events: NfsEvents,
    /// Maximum time of an I/O, by the URL.
    patience: Option<Duration>,
    /// When an I/O last ended.
    progressed: Instant,
    /// The last error, as text.
    trouble: Option<String>,
}

impl NfsIo {
    /// Connects `depth` slots to the files of an export, over the number of connections in its URL.
    ///
    /// # Errors
    /// If a connection cannot be made.
    pub fn connect(
        export: Arc<NfsExport>,
        files: Vec<NfsIoFile>,
        depth: u32,
    ) -> Result<NfsIo, NfsError> {
        let arguments = export.url().arguments.clone();
        let count = arguments.nconnect.unwrap_or(1);
        let links = (0..count)
            .map(|at| {
                let source = arguments.sourceport.map(|first| first.saturating_add(at as u16));
                connect_one(&export, source, arguments.autoreconnect)
            })
            .collect::<Result<Vec<NfsLink>, NfsError>>()?;
        let counts = links.iter().map(|_| ConnectionCounts::default()).collect();
        let patience = arguments.timeo.map(|tenths| {
            Duration::from_millis(100) * tenths * arguments.retrans.unwrap_or(0).max(1)
        });
        let ios = (0..=depth).map(|_| None).collect();
        Ok(NfsIo {
            export,
            files,
            links,
            counts,
            turn: 0,
            replies_take_time: false,
            ios,
            taken_slots: 0,
            parts: PartTable::default(),
            delayed: Vec::new(),
            log: Vec::new(),
            verifiers: Vec::new(),
            over: VecDeque::new(),
            events: NfsEvents::default(),
            patience,
            progressed: Instant::now(),
            trouble: None,
        })
    }

    /// Events beside I/O.
    pub fn events(&self) -> &NfsEvents {
        &self.events
    }

    /// The counters of each connection.
    pub fn connections(&self) -> Vec<ConnectionCounts> {
        let whole = |(link, counts): (&NfsLink, &ConnectionCounts)| ConnectionCounts {
            source_port: link.source_port(),
            reconnects: link.reconnects(),
            resends: link.wire.counts().resends,
            strays: link.wire.counts().strays,
            most_in_flight: link.wire.counts().most_in_flight,
            ..counts.clone()
        };
        self.links.iter().zip(&self.counts).map(whole).collect()
    }

    /// The reason, as text, why I/Os do not end or one failed; none without errors.
    pub fn trouble(&self) -> Option<String> {
        let down = || self.links.iter().find_map(NfsLink::trouble).map(str::to_owned);
        self.trouble.clone().or_else(down)
    }

    /// Whether writes to a file may still be lost with the server.
    pub fn is_uncommitted(&self, file: u32) -> bool {
        self.log.iter().any(|write| write.file == file)
    }

    /// How many I/Os are in flight.
    pub fn in_flight(&self) -> u32 {
        self.taken_slots
    }

    /// Takes an I/O up; its slot must be free.
    pub fn queue(&mut self, request: NfsRequest, buffers: &mut impl SlotBuffers) {
        let state = IoState {
            request,
            outstanding: 0,
            whole: request.len,
            error: ErrorNumber::NONE,
            flush: None,
        };
        self.taken_slots += u32::from(self.ios[request.slot as usize].replace(state).is_none());
        match request.op {
            Op::Read => self.split(request, self.export.read_max(), buffers),
            Op::Write => self.split(request, self.export.write_max(), buffers),
            Op::Fsync | Op::Fdatasync => self.begin_flush(request.slot, request.file),
            // Version 3 has no such call.
            Op::Trim => self.over.push_back((request.slot, -95)),
        }
    }

    fn split(&mut self, request: NfsRequest, most: u32, buffers: &mut impl SlotBuffers) {
        let mut at = 0;
        while at < request.len {
            let len = (request.len - at).min(most);
            self.issue(IoPart::of(&request, at, len), buffers);
            at += len;
        }
    }

    /// Sends as much queued data as possible now.
    ///
    /// # Errors
    /// If a connection is lost for good.
    pub fn advance(&mut self, buffers: &mut impl SlotBuffers) -> Result<(), NfsError> {
        let now = Instant::now();
        self.reissue_delayed(now, buffers);
        for link in self.links.iter_mut().filter(|link| !link.is_idle()) {
            link.advance(now)?;
        }
        Ok(())
    }

    /// Appends finished slots, with bytes done or a negative error number: waits for at least
    /// `min`, takes at most `max`. It returns fewer at the timeout, and after a while without
    /// events, so that the caller can check for a stop.
    ///
    /// # Errors
    /// If a connection is lost for good, or waiting fails.
    pub fn reap(
        &mut self,
        (min, max): (u32, u32),
        timeout: Option<Duration>,
        buffers: &mut impl SlotBuffers,
        done: &mut Vec<(u32, i32)>,
    ) -> Result<(), NfsError> {
        let began = Instant::now();
        let until = began + timeout.unwrap_or(PATIENCE).min(PATIENCE);
        let mut taken = 0;
        loop {
            self.advance(buffers)?;
            let is_due = taken < min && self.over.is_empty() && self.in_flight() > 0;
            let waits_first = self.replies_take_time && is_due;
            if waits_first {
                self.wait(until.saturating_duration_since(Instant::now()))?;
            }
            let is_enough = taken + self.over.len() as u32 >= min.max(1);
            let came = !is_enough && self.receive_all(buffers)?;
            taken += self.give(max - taken, done);
            let now = Instant::now();
            if taken >= min.min(max) || now >= until || self.in_flight() == 0 {
                match taken {
                    0 if now < self.progressed + self.export.call_time() => {}
                    0 => self.fail_unanswered(now),
                    _ => self.progressed = now,
                }
                self.fail_late(now);
                return Ok(());
            }
            if !came && !waits_first {
                self.wait(until.saturating_duration_since(now))?;
            }
        }
    }

    /// Gives out slots that are over, those first that came first: how many. In any other order a
    /// caller that takes few at a time would never see some of them.
    fn give(&mut self, max: u32, done: &mut Vec<(u32, i32)>) -> u32 {
        let own = self.ios.len() as u32 - 1;
        let mut given = 0;
        while given < max
            && let Some((slot, result)) = self.over.pop_front()
        {
            let was_taken = self.ios[slot as usize].take().is_some();
            if slot != own {
                self.taken_slots -= u32::from(was_taken);
                done.push((slot, result));
                given += 1;
            }
        }
        given
    }

    fn wait(&mut self, time: Duration) -> Result<(), NfsError> {
        let now = Instant::now();
        let links = self.links.iter().filter(|link| !link.is_idle());
        let links = links.filter_map(NfsLink::due);
        let due = links.chain(self.delayed.iter().map(|(due, _)| *due)).min();
        let time = due.map_or(time, |due| due.saturating_duration_since(now).min(time));
        let sockets = self.links.iter().filter_map(NfsLink::socket);
        let least = Duration::from_micros(if due.is_some() { 500 } else { 0 });
        socket::wait_for(sockets, time.max(least)).map_err(|error| NfsError::Lost {
            address: self.export.server().to_string(),
            reason: error.to_string(),
        })?;
        self.replies_take_time = now.elapsed() >= AT_ONCE;
        Ok(())
    }

    fn receive_all(&mut self, buffers: &mut impl SlotBuffers) -> Result<bool, NfsError> {
        let mut came = false;
        for at in 0..self.links.len() {
            let now = Instant::now();
            if self.links[at].receive(now) {
                came = true;
                self.take_replies(at, now, buffers)?;
            }
        }
        Ok(came)
    }

    /// Fails all I/Os once the server has ended none for the time that a call may take, unless the
    /// URL sets another limit.
    #[cold]
    fn fail_unanswered(&mut self, now: Instant) {
        let call_time = self.export.call_time();
        let limit = |part: &IoPart| match part.kind {
            PartKind::Commit => call_time * COMMIT_TIMES,
            _ => call_time,
        };
        let is_late = |part: &&IoPart| {
            let since = part.began.map_or(self.progressed, |began| began.max(self.progressed));
            now >= since + limit(part)
        };
        let delayed = self.delayed.iter().map(|(_, part)| part);
        let late = self.parts.in_flight().chain(delayed).find(is_late);
        let Some(late) = late.filter(|_| self.patience.is_none()) else { return };
        let (address, what) = (self.export.server().to_string(), late.kind.procedure().name());
        self.trouble = Some(match late.waits {
            0 => {
                let seconds = limit(late).as_secs();
                NfsError::Silent { address, what, seconds }.to_string()
            }
            _ => format!("{address}: {what}: {}", NfsStatus::JUKEBOX),
        });
        self.give_up();
    }

    /// Fails I/Os that have taken longer than the URL allows.
    fn fail_late(&mut self, now: Instant) {
        let Some(patience) = self.patience else { return };
        let mut late: Vec<u32> = self.parts.older_than(now, patience);
        late.sort_unstable();
        late.dedup();
        for slot in late {
            self.fail_slot(slot, ErrorNumber::ETIMEDOUT);
        }
        // The next call returns the finished ones.
    }

    /// Ends an I/O whose calls are no longer awaited.
    fn fail_slot(&mut self, slot: u32, error: ErrorNumber) {
        let server = self.export.server();
        self.trouble.get_or_insert_with(|| format!("{server} does not answer"));
        for part in self.parts.take_of(slot) {
            self.links[part.link].wire.forget(part.xid);
        }
        self.delayed.retain(|(_, part)| part.slot != slot);
        if self.ios[slot as usize].is_some() {
            self.over.push_back((slot, -error.get()));
        }
    }

    /// Ends all that is in flight, as of a server that answers no more.
    pub fn give_up(&mut self) {
        for slot in 0..self.ios.len() as u32 {
            let is_over = self.over.iter().any(|(over, _)| *over == slot);
            if self.ios[slot as usize].is_some() && !is_over {
                self.fail_slot(slot, ErrorNumber::ETIMEDOUT);
            }
        }
    }
}

fn connect_one(
    export: &NfsExport,
    source: Option<u16>,
    tries: Option<u32>,
) -> Result<NfsLink, NfsError> {
    let plan = LinkPlan { server: export.server(), program: RpcProgram::NFS, source, tries };
    let mut link = NfsLink::new(LinkPlan { tries: Some(0), ..plan }, Instant::now());
    while !link.is_up() {
        link.advance(Instant::now())?;
        let waited = socket::wait_for(link.socket().into_iter(), PATIENCE);
        waited.map_err(|_| link.lost())?;
    }
    link.set_tries(tries);
    Ok(link)
}
