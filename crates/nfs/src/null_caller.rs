//! Round trips to a server: NULL calls, which do nothing, on a connection of their own.
//!
//! They have their own connection because replies come in the order in which the server and the
//! socket have them: behind the data of a busy connection a NULL call measures that data.

use crate::error::NfsError;
use crate::export::{call, connect};
use crate::link::NfsLink;
use crate::rpc::{RpcCredential, RpcProgram};
use crate::wire::CallHead;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long a reply may take.
const REPLY_TIME: Duration = Duration::from_secs(2);

/// A connection for NULL calls.
#[derive(Debug)]
pub struct NullCaller {
    link: NfsLink,
}

impl NullCaller {
    /// Connects to a server's NFS.
    ///
    /// # Errors
    /// If it cannot be reached.
    pub fn connect(server: SocketAddr) -> Result<NullCaller, NfsError> {
        Ok(NullCaller { link: connect(server, RpcProgram::NFS)? })
    }

    /// Makes one call, and returns the time from sending it to its reply. That a server refuses it,
    /// because it has other versions of NFS, is a reply as well.
    ///
    /// # Errors
    /// If no reply comes.
    pub fn round_trip(&mut self) -> Result<Duration, NfsError> {
        let credential = RpcCredential::default();
        let program = RpcProgram::NFS;
        let head = CallHead { program, procedure: 0, credential: &credential, tag: 0 };
        let begun = Instant::now();
        let deadline = begun + REPLY_TIME;
        let reply = call(&mut self.link, head, "NULL", deadline, &|_| {}, &mut |_| Ok(Ok(())));
        let time = begun.elapsed();
        match reply {
            Ok(_) | Err(NfsError::Refused { .. }) => Ok(time),
            Err(why) => Err(why),
        }
    }
}
