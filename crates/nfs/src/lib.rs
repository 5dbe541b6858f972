//! A client of NFS version 3 that needs no mount: what is on the wire, connections that make
//! themselves anew, and exports.
//!
//! What was decided here:
//! - It is our own: no C library, no runtime, and the slots of an engine instead of callbacks.
//! - A connection is a state machine without a socket ([`WireConnection`]); [`NfsLink`] gives it
//!   one.
//! - Nothing waits but what says so: [`NfsExport`] is for what comes before and after measured I/O,
//!   [`NfsIo`] keeps many I/Os in flight over several connections.
//! - A write that is unstable is not done. It is kept until a COMMIT with the verifier that it
//!   was answered with, and sent again after any other.
#![forbid(unsafe_code)]

mod error;
mod export;
mod io;
mod link;
pub mod mount;
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
pub use rpc::{
    RECORD_MAX, RecordReader, RecordTooLong, RpcCall, RpcCredential, RpcProgram, RpcRefusal,
    RpcReply,
};
pub use sketch::LatencySketch;
pub use status::NfsStatus;
pub use wire::{CallHead, WireConnection, WireCounts, WireReply};
pub use xdr::{Xdr, XdrError, XdrReader, XdrWriter};
