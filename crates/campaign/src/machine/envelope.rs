//! Bytes of calls, replies and events: JSON in an envelope with a version.

use super::wire::WIRE_VERSION;
use super::{MachineCall, MachineError, MachineErrorKind, MachineReply};
use fathom_run::Event;
use fathom_text::{Text, text};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A message with its version.
#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    version: u32,
    body: T,
}

/// The version alone, which every version can read.
#[derive(Deserialize)]
struct EnvelopeVersion {
    version: u32,
}

impl MachineCall {
    /// The call as it crosses.
    ///
    /// # Errors
    /// If it contains a value that cannot be encoded, such as a path that is not text.
    pub fn to_bytes(&self) -> Result<Vec<u8>, MachineError> {
        encode(self)
    }
}

impl MachineReply {
    /// The encoded reply. A reply that cannot be encoded becomes an error message, which always
    /// can.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(self).or_else(|why| encode(&MachineReply::Unknown(why))).unwrap_or_default()
    }

    /// A reply that crossed.
    ///
    /// # Errors
    /// If it cannot be read, or says that the call was not understood.
    pub fn from_bytes(bytes: &[u8]) -> Result<MachineReply, MachineError> {
        match decode(bytes)? {
            MachineReply::Unknown(why) => Err(why),
            reply => Ok(reply),
        }
    }
}

/// An event that crossed.
///
/// # Errors
/// If it cannot be read.
pub fn event_from_bytes(bytes: &[u8]) -> Result<Event, MachineError> {
    decode(bytes)
}

pub(super) fn encode<T: Serialize>(body: &T) -> Result<Vec<u8>, MachineError> {
    let envelope = Envelope { version: WIRE_VERSION, body };
    serde_json::to_vec(&envelope).map_err(|why| unread(text!("it cannot be encoded: {why}")))
}

pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, MachineError> {
    let unreadable = |why: serde_json::Error| unread(text!("it cannot be decoded: {why}"));
    let text = std::str::from_utf8(bytes)
        .map_err(|why| unread(text!("it cannot be decoded: it is no text: {why}")))?;
    let EnvelopeVersion { version } = serde_json::from_str(text).map_err(unreadable)?;
    if version != WIRE_VERSION {
        return Err(unread(text!(
            "the other side speaks version {version} and this one {WIRE_VERSION}; use the same \
             Fathom on both"
        )));
    }
    let envelope: Envelope<T> = serde_json::from_str(text).map_err(unreadable)?;
    Ok(envelope.body)
}

pub(super) fn unread(why: Text) -> MachineError {
    MachineError::new(MachineErrorKind::Connection, why)
}
