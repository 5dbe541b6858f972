//! A client of NFS version 3 without a mount: the wire format, connections that reconnect, and
//! exports.
//!
//! Decided here:
//! - It is our own: no C library, no runtime, and the slots of an engine instead of callbacks.
//! - A connection is a state machine without a socket ([`WireConnection`]); [`NfsLink`] adds the
//!   socket.
//! - Only some types block: [`NfsExport`] is for the time before and after measured I/O,
//!   [`NullCaller`] for round trips; [`NfsIo`] has many I/Os in flight over several connections.
//! - An unstable write is not complete. It is recorded until a COMMIT with its verifier, and sent
//!   again after any other.
#![forbid(unsafe_code)]

mod error;
mod export;
mod io;
mod link;
pub mod mount;
mod null_caller;
pub mod proto;
mod rpc;
mod sketch;
mod socket;
mod status;
#[doc(hidden)]
pub mod test_server;
mod wire;
mod xdr;

pub use error::{NfsError, WireError};
pub use export::{NfsCaller, NfsExport, NfsFound};
pub use io::{ConnectionCounts, NfsEvents, NfsIo, NfsIoFile, NfsRequest, SlotBuffers};
pub use link::{LinkPlan, NfsLink};
pub use null_caller::NullCaller;
pub use rpc::{
    RECORD_MAX, RecordReader, RecordTooLong, RpcCall, RpcCredential, RpcProgram, RpcRefusal,
    RpcReply,
};
pub use sketch::LatencySketch;
pub use status::NfsStatus;
pub use wire::{CallHead, WireConnection, WireCounts, WireReply};
pub use xdr::{Xdr, XdrError, XdrReader, XdrWriter};
