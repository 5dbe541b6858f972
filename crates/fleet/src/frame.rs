//! Frames: the messages on a pipe between a coordinator and an agent.
//!
//! A frame is a magic number of two bytes, the version of the protocol, its kind, the length of its
//! body in four bytes (little-endian), and the body. Decided here:
//! - Each kind has its own limit, a reply that of its call, and memory grows with the received
//!   bytes, never with an announced length: a hostile peer cannot exhaust it.
//! - The magic number distinguishes frames from a shell's greeting, which an error then quotes.
//! - A body is opaque here: calls, events and replies are the bytes of the trait `Machine`.

use crate::hello::Hello;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use thiserror::Error;

/// Version of frames and of their order; raised when one side would misread the other.
pub const PROTOCOL_VERSION: u8 = 3;
const MARK: [u8; 2] = [0xfa, 0x7b];
const HEADER_BYTES: usize = 8;
/// How much of an invalid frame an error quotes.
const QUOTE_BYTES: usize = 80;
const MIB: u32 = 1 << 20;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireFrame {
    /// The first of each side: who it is.
    Hello(Hello),
    /// The coordinator requests a sign of life and the agent's clock.
    Ping {
        /// The coordinator's clock, in nanoseconds; it is returned unchanged.
        sent_ns: u64,
    },
    /// The answer to a ping.
    Pong {
        /// As it stood in the ping.
        sent_ns: u64,
        /// The agent's clock, in nanoseconds.
        clock_ns: u64,
    },
    /// A call.
    Call {
        /// Number of the call, one more than that of the last.
        id: u32,
        /// Whether its I/O begins at the coordinator's moment, together with the others'.
        together: bool,
        /// The call.
        body: Vec<u8>,
    },
    /// Everything before the I/O of a call is done.
    Ready {
        /// Number of the call.
        id: u32,
    },
    /// Begin the I/O of a call that is ready.
    Start {
        /// Number of the call.
        id: u32,
        /// The moment by the agent's clock, in nanoseconds; at once if that is over.
        at_ns: u64,
    },
    /// Something happened while a call is carried out.
    Event {
        /// Number of the call.
        id: u32,
        /// The event.
        body: Vec<u8>,
    },
    /// The result of a call.
    Reply {
        /// Number of the call.
        id: u32,
        /// When its I/O was to begin and when it ended, by the agent's clock, in nanoseconds.
        span_ns: (u64, u64),
        /// The reply.
        body: Vec<u8>,
    },
    /// End the current call: I/O in flight completes, and the reply has the results so far.
    Stop,
    /// The last frame of each side.
    Bye,
}

/// An error in the received bytes.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    /// It is no frame at all.
    #[error("it wrote what is no frame of Fathom's: '{0}'")]
    Foreign(String),
    /// Another version of the protocol.
    #[error(
        "it speaks version {0} of Fathom's protocol and this side {PROTOCOL_VERSION}; install the \
         same Fathom on both"
    )]
    Version(u8),
    /// An unknown kind.
    #[error("it sent a frame of kind {0}, which there is not")]
    Kind(u8),
    /// Longer than a frame of its kind may be.
    #[error("it announced a {kind} of {bytes} bytes; {limit} is the most")]
    Length {
        /// The kind, in a word.
        kind: &'static str,
        /// The announced length.
        bytes: u64,
        /// Bytes that a frame of this kind may have.
        limit: u32,
    },
    /// The body does not fit the kind.
    #[error("it sent a {kind} that cannot be read: {why}")]
    Body {
        /// The kind, in a word.
        kind: &'static str,
        /// Why it cannot be read.
        why: String,
    },
    /// It ended within a frame.
    #[error("the connection was cut off in the middle of a frame, after {0} bytes of it")]
    CutOff(usize),
}

/// Why a frame could not be read from a stream.
#[fathom_text::translated]
#[derive(Debug, Error)]
pub enum FrameReadError {
    /// The received bytes are not a frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// Nothing could be read.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
}

/// Kinds with their number, their word and the most bytes of their bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FrameKind {
    number: u8,
    word: &'static str,
    limit: u32,
}

const fn kind(number: u8, word: &'static str, limit: u32) -> FrameKind {
    FrameKind { number, word, limit }
}

const HELLO: FrameKind = kind(1, "greeting", MIB / 16);
const PING: FrameKind = kind(2, "ping", 8);
const PONG: FrameKind = kind(3, "pong", 16);
const CALL: FrameKind = kind(4, "call", 64 * MIB);
const EVENT: FrameKind = kind(5, "event", 4 * MIB);
const REPLY: FrameKind = kind(6, "reply", 512 * MIB);
const STOP: FrameKind = kind(7, "stop", 0);
const BYE: FrameKind = kind(8, "farewell", 0);
const READY: FrameKind = kind(9, "sign that it is ready", 4);
const START: FrameKind = kind(10, "start", 12);
const KINDS: [FrameKind; 10] = [HELLO, PING, PONG, CALL, EVENT, REPLY, STOP, BYE, READY, START];

impl WireFrame {
    /// Maximum bytes of the longest reply.
    pub const REPLY_LIMIT_BYTES: usize = REPLY.limit as usize - 20;

    fn kind(&self) -> FrameKind {
        match self {
            WireFrame::Hello(_) => HELLO,
            WireFrame::Ping { .. } => PING,
            WireFrame::Pong { .. } => PONG,
            WireFrame::Call { .. } => CALL,
            WireFrame::Event { .. } => EVENT,
            WireFrame::Reply { .. } => REPLY,
            WireFrame::Ready { .. } => READY,
            WireFrame::Start { .. } => START,
            WireFrame::Stop => STOP,
            WireFrame::Bye => BYE,
        }
    }

    /// The name of its kind.
    pub fn word(&self) -> &'static str {
        self.kind().word
    }

    /// The frame as bytes.
    ///
    /// # Errors
    /// If it is longer than a frame of its kind may be.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FrameError> {
        let kind = self.kind();
        let mut bytes = vec![0; HEADER_BYTES];
        self.put_body(&mut bytes)?;
        let length = bytes.len() - HEADER_BYTES;
        let too_long =
            || FrameError::Length { kind: kind.word, bytes: length as u64, limit: kind.limit };
        let length = u32::try_from(length).ok().filter(|length| *length <= kind.limit);
        let length = length.ok_or_else(too_long)?;
        bytes[..2].copy_from_slice(&MARK);
        bytes[2] = PROTOCOL_VERSION;
        bytes[3] = kind.number;
        bytes[4..HEADER_BYTES].copy_from_slice(&length.to_le_bytes());
        Ok(bytes)
    }

    fn put_body(&self, to: &mut Vec<u8>) -> Result<(), FrameError> {
        match self {
            WireFrame::Hello(hello) => {
                let text = serde_json::to_vec(hello);
                let text = text.map_err(|why| bad(HELLO, why))?;
                to.extend(text);
            }
            WireFrame::Ping { sent_ns } => to.extend(sent_ns.to_le_bytes()),
            WireFrame::Pong { sent_ns, clock_ns } => {
                to.extend(sent_ns.to_le_bytes());
                to.extend(clock_ns.to_le_bytes());
            }
            WireFrame::Call { id, together, body } => {
                to.extend(id.to_le_bytes());
                to.push(u8::from(*together));
                to.extend(body);
            }
            WireFrame::Ready { id } => to.extend(id.to_le_bytes()),
            WireFrame::Start { id, at_ns } => {
                to.extend(id.to_le_bytes());
                to.extend(at_ns.to_le_bytes());
            }
            WireFrame::Event { id, body } => {
                to.extend(id.to_le_bytes());
                to.extend(body);
            }
            WireFrame::Reply { id, span_ns, body } => {
                to.extend(id.to_le_bytes());
                to.extend(span_ns.0.to_le_bytes());
                to.extend(span_ns.1.to_le_bytes());
                to.extend(body);
            }
            WireFrame::Stop | WireFrame::Bye => {}
        }
        Ok(())
    }

    fn of(kind: FrameKind, body: &[u8]) -> Result<WireFrame, FrameError> {
        let mut fields = Fields { kind, body };
        let frame = match kind.number {
            1 => {
                let text = std::str::from_utf8(fields.rest()).map_err(|why| bad(kind, why))?;
                WireFrame::Hello(serde_json::from_str(text).map_err(|why| bad(kind, why))?)
            }
            2 => WireFrame::Ping { sent_ns: fields.u64()? },
            3 => WireFrame::Pong { sent_ns: fields.u64()?, clock_ns: fields.u64()? },
            4 => {
                let (id, [together]) = (fields.u32()?, fields.array()?);
                WireFrame::Call { id, together: together != 0, body: fields.rest().to_vec() }
            }
            5 => WireFrame::Event { id: fields.u32()?, body: fields.rest().to_vec() },
            6 => {
                let (id, span_ns) = (fields.u32()?, (fields.u64()?, fields.u64()?));
                WireFrame::Reply { id, span_ns, body: fields.rest().to_vec() }
            }
            7 => WireFrame::Stop,
            8 => WireFrame::Bye,
            9 => WireFrame::Ready { id: fields.u32()? },
            10 => WireFrame::Start { id: fields.u32()?, at_ns: fields.u64()? },
            number => return Err(FrameError::Kind(number)),
        };
        match fields.body {
            [] => Ok(frame),
            more => Err(bad(kind, format!("{} bytes are left over", more.len()))),
        }
    }
}

fn bad(kind: FrameKind, why: impl ToString) -> FrameError {
    FrameError::Body { kind: kind.word, why: why.to_string() }
}

/// Takes a body apart.
struct Fields<'a> {
    kind: FrameKind,
    body: &'a [u8],
}

impl<'a> Fields<'a> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], FrameError> {
        let short = || bad(self.kind, "it is too short");
        let (head, rest) = self.body.split_first_chunk().ok_or_else(short)?;
        self.body = rest;
        Ok(*head)
    }

    fn u32(&mut self) -> Result<u32, FrameError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, FrameError> {
        self.array().map(u64::from_le_bytes)
    }

    fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.body)
    }
}

/// Maximum bytes of a reply to the current call, for the reader of a connection.
#[derive(Clone, Debug)]
pub struct ReplyLimit(Arc<AtomicU32>);

impl ReplyLimit {
    /// No reply, until a call is made.
    pub fn none() -> ReplyLimit {
        ReplyLimit(Arc::new(AtomicU32::new(0)))
    }

    /// Sets it, before the call is sent.
    pub fn set(&self, bytes: u32) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn bytes(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Makes frames of bytes, however they arrive. After an error it gives nothing but that error.
#[derive(Debug, Default)]
pub struct FrameDecoder {
    bytes: VecDeque<u8>,
    failure: Option<FrameError>,
    /// None means that of all replies.
    reply_limit: Option<ReplyLimit>,
}

impl FrameDecoder {
    /// Takes replies up to this limit.
    #[must_use]
    pub fn with_reply_limit(self, limit: ReplyLimit) -> FrameDecoder {
        FrameDecoder { reply_limit: Some(limit), ..self }
    }

    /// Maximum bytes of the body of a frame.
    fn limit(&self, kind: FrameKind) -> u32 {
        match &self.reply_limit {
            Some(reply) if kind == REPLY => kind.limit.min(reply.bytes()),
            _ => kind.limit,
        }
    }

    /// Takes bytes that arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.failure.is_none() {
            self.bytes.extend(bytes);
        }
    }

    /// The next frame, once it is whole.
    ///
    /// # Errors
    /// If the received bytes are not a frame; the header shows it before the body arrives.
    pub fn next_frame(&mut self) -> Result<Option<WireFrame>, FrameError> {
        match &self.failure {
            Some(why) => Err(why.clone()),
            None => self.take().inspect_err(|why| {
                self.failure = Some(why.clone());
                self.bytes = VecDeque::new();
            }),
        }
    }

    fn take(&mut self) -> Result<Option<WireFrame>, FrameError> {
        let Some((kind, length)) = self.header()? else { return Ok(None) };
        if self.bytes.len() < HEADER_BYTES + length {
            return Ok(None);
        }
        self.bytes.drain(..HEADER_BYTES);
        let body: Vec<u8> = self.bytes.drain(..length).collect();
        if self.bytes.is_empty() {
            // A large reply is rare; its memory is released at once.
            self.bytes = VecDeque::new();
        }
        WireFrame::of(kind, &body).map(Some)
    }

    fn header(&self) -> Result<Option<(FrameKind, usize)>, FrameError> {
        let at = |place: usize| self.bytes.get(place).copied();
        let is_foreign = |place: usize| at(place).is_some_and(|byte| byte != MARK[place]);
        if is_foreign(0) || is_foreign(1) {
            return Err(FrameError::Foreign(self.quote()));
        }
        if let Some(version) = at(2).filter(|version| *version != PROTOCOL_VERSION) {
            return Err(FrameError::Version(version));
        }
        let Some(number) = at(3) else { return Ok(None) };
        let kind = KINDS.iter().find(|kind| kind.number == number);
        let kind = *kind.ok_or(FrameError::Kind(number))?;
        if self.bytes.len() < HEADER_BYTES {
            return Ok(None);
        }
        let length = u32::from_le_bytes(std::array::from_fn(|place| self.bytes[4 + place]));
        let limit = self.limit(kind);
        if length > limit {
            let kind = kind.word;
            return Err(FrameError::Length { kind, bytes: u64::from(length), limit });
        }
        Ok(Some((kind, length as usize)))
    }

    /// The first line of invalid bytes, safe to print.
    fn quote(&self) -> String {
        let head: Vec<u8> = self.bytes.iter().copied().take(QUOTE_BYTES).collect();
        let text = String::from_utf8_lossy(&head).into_owned();
        fathom_vocab::printable::line(text.lines().next().unwrap_or_default()).into_owned()
    }

    /// The end of the stream.
    ///
    /// # Errors
    /// If it ends within a frame.
    pub fn finish(&self) -> Result<(), FrameError> {
        match (&self.failure, self.bytes.len()) {
            (Some(why), _) => Err(why.clone()),
            (None, 0) => Ok(()),
            (None, bytes) => Err(FrameError::CutOff(bytes)),
        }
    }
}

/// Reads frames from a stream.
#[derive(Debug)]
pub struct FrameReader<R> {
    stream: R,
    decoder: FrameDecoder,
}

impl<R: Read> FrameReader<R> {
    /// Frames of `stream`.
    pub fn new(stream: R) -> FrameReader<R> {
        FrameReader { stream, decoder: FrameDecoder::default() }
    }

    /// The same with replies up to this limit.
    #[must_use]
    pub fn with_reply_limit(self, limit: ReplyLimit) -> FrameReader<R> {
        FrameReader { decoder: self.decoder.with_reply_limit(limit), ..self }
    }

    /// The next frame; none at the end of the stream.
    ///
    /// # Errors
    /// If it cannot be read, is no frame, or is cut off.
    pub fn read(&mut self) -> Result<Option<WireFrame>, FrameReadError> {
        let mut chunk = [0; 64 << 10];
        loop {
            if let Some(frame) = self.decoder.next_frame()? {
                return Ok(Some(frame));
            }
            match self.stream.read(&mut chunk) {
                Ok(0) => return Ok(self.decoder.finish().map(|()| None)?),
                Ok(count) => self.decoder.push(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Writes a frame to a stream, at once.
///
/// # Errors
/// If it is too long, or the stream does not take it.
pub fn write_frame(to: &mut impl Write, frame: &WireFrame) -> io::Result<()> {
    to.write_all(&frame.to_bytes().map_err(io::Error::other)?)?;
    to.flush()
}
