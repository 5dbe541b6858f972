//! Unpacks a reply for the caller: a reply to another call is an error, not a panic.

use super::envelope::unread;
use super::{DataAccess, MachineError, MachineReply, MachineRun};
use crate::volume::Volume;
use fathom_doctor::{Ceiling, HostDiagnosis};
use fathom_host::System;
use fathom_monitor::{CounterReading, Watched};
use fathom_run::Leftover;

/// The reply to another call than was made.
fn mismatched<T>() -> Result<T, MachineError> {
    Err(unread("the reply is to another call".into()))
}

impl MachineReply {
    /// The reply to [`MachineCall::System`](super::MachineCall::System).
    ///
    /// # Errors
    /// The machine's own, or that this is no such reply. So do all that follow.
    pub fn system(self) -> Result<System, MachineError> {
        match self {
            MachineReply::System(system) => system.map(|system| *system),
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Examine`](super::MachineCall::Examine).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn volume(self) -> Result<Volume, MachineError> {
        match self {
            MachineReply::Examine(volume) => volume.map(|volume| volume.volume()),
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Claim`](super::MachineCall::Claim).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn claim(self) -> Result<(), MachineError> {
        match self {
            MachineReply::Claim(claimed) => claimed,
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Release`](super::MachineCall::Release).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn leftovers(self) -> Result<Vec<Leftover>, MachineError> {
        match self {
            MachineReply::Release(leftovers) => leftovers,
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::DataAccess`](super::MachineCall::DataAccess).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn data_access(self) -> Result<DataAccess, MachineError> {
        match self {
            MachineReply::DataAccess(access) => Ok(access),
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::CanBegin`](super::MachineCall::CanBegin).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn can_begin(self) -> Result<(), MachineError> {
        match self {
            MachineReply::CanBegin(found) => found,
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Run`](super::MachineCall::Run).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn run(self) -> Result<MachineRun, MachineError> {
        match self {
            MachineReply::Run(run) => run.map(|run| *run),
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Ceilings`](super::MachineCall::Ceilings).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn ceilings(self) -> Result<Vec<Ceiling>, MachineError> {
        match self {
            MachineReply::Ceilings(ceilings) => Ok(ceilings),
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Diagnose`](super::MachineCall::Diagnose).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn diagnoses(self) -> Result<Vec<HostDiagnosis>, MachineError> {
        match self {
            MachineReply::Diagnose(reply) => reply,
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Watch`](super::MachineCall::Watch).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn watched(self) -> Result<Vec<Watched>, MachineError> {
        match self {
            MachineReply::Watch(reply) => reply,
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Counters`](super::MachineCall::Counters).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn counters(self) -> Result<Vec<Option<CounterReading>>, MachineError> {
        match self {
            MachineReply::Counters(reply) => reply,
            _ => mismatched(),
        }
    }

    /// The reply to [`MachineCall::Stopping`](super::MachineCall::Stopping).
    ///
    /// # Errors
    /// As of [`MachineReply::system`].
    pub fn stopping(self) -> Result<bool, MachineError> {
        match self {
            MachineReply::Stopping(stopping) => Ok(stopping),
            _ => mismatched(),
        }
    }
}
