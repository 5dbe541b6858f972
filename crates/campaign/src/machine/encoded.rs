//! A machine that turns every call and every answer into bytes and back: the seam of a machine at
//! the other end of a pipe, without the pipe. What a test sees through it, an agent can do.

use super::wire::{MachineCall, MachineReply, WIRE_VERSION, WireJob, WireOrder};
use super::{DataAccess, Machine, MachineError, MachineErrorKind, MachineRun, RunOrder};
use crate::doctor::Ceiling;
use crate::plan::VolumePlan;
use crate::volume::Volume;
use fathom_host::System;
use fathom_job::JobSpec;
use fathom_run::{Event, Leftover, Observer};
use fathom_vocab::IoEngine;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A machine behind bytes.
#[derive(Debug)]
pub struct Encoded<M> {
    inner: M,
}

/// What crosses, with the version that it is of.
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

impl<M: Machine> Encoded<M> {
    /// `inner`, behind bytes.
    pub fn new(inner: M) -> Encoded<M> {
        Encoded { inner }
    }

    fn call(
        &mut self,
        call: &MachineCall,
        observer: &mut dyn Observer,
    ) -> Result<MachineReply, MachineError> {
        let mut unread = None;
        let mut hear = |event: Vec<u8>| match decode::<Event>(&event) {
            Ok(event) => observer.event(&event),
            Err(why) => unread = Some(why),
        };
        let reply = serve(&mut self.inner, &encode(call)?, &mut hear);
        if let Some(why) = unread {
            return Err(why);
        }
        match decode(&reply)? {
            MachineReply::Unknown(why) => Err(why),
            reply => Ok(reply),
        }
    }

    fn ask(&mut self, call: &MachineCall) -> Result<MachineReply, MachineError> {
        self.call(call, &mut Unheard)
    }
}

/// Nobody to hear events.
struct Unheard;

impl Observer for Unheard {
    fn event(&mut self, _: &Event) {}
}

/// Answers one call in bytes; each event goes to `events` as bytes as it happens.
pub fn serve(machine: &mut dyn Machine, call: &[u8], events: &mut dyn FnMut(Vec<u8>)) -> Vec<u8> {
    let reply = match decode(call) {
        Ok(call) => answer(machine, call, events),
        Err(why) => MachineReply::Unknown(why),
    };
    // What cannot be encoded is said instead, in words, which always can be.
    encode(&reply).or_else(|why| encode(&MachineReply::Unknown(why))).unwrap_or_default()
}

fn answer(
    machine: &mut dyn Machine,
    call: MachineCall,
    events: &mut dyn FnMut(Vec<u8>),
) -> MachineReply {
    match call {
        MachineCall::System => MachineReply::System(machine.system().map(Box::new)),
        MachineCall::Examine(path) => MachineReply::Examine(machine.examine(&path).map(Box::new)),
        MachineCall::Claim(plan) => MachineReply::Claim(machine.claim(&plan)),
        MachineCall::Release => MachineReply::Release(machine.release()),
        MachineCall::DataAccess(jobs) => {
            let jobs: Result<Vec<JobSpec>, _> = jobs.into_iter().map(WireJob::job).collect();
            match jobs {
                Ok(jobs) => MachineReply::DataAccess(machine.data_access(&jobs)),
                Err(why) => MachineReply::Unknown(why),
            }
        }
        MachineCall::Run(order) => {
            let mut relay = EventRelay { events, wants_latency: order.wants_latency };
            let run = order.order().and_then(|order| machine.run(&order, &mut relay));
            MachineReply::Run(run.map(Box::new))
        }
        MachineCall::Ceilings(engines) => MachineReply::Ceilings(machine.ceilings(&engines)),
        MachineCall::Stopping => MachineReply::Stopping(machine.stopping()),
    }
}

/// Passes events on as bytes.
struct EventRelay<'a> {
    events: &'a mut dyn FnMut(Vec<u8>),
    wants_latency: bool,
}

impl Observer for EventRelay<'_> {
    fn event(&mut self, event: &Event) {
        // An event that cannot be encoded is one that nobody sees; the result has it all.
        if let Ok(bytes) = encode(event) {
            (self.events)(bytes);
        }
    }

    fn wants_latency(&self) -> bool {
        self.wants_latency
    }
}

fn encode<T: Serialize>(body: &T) -> Result<Vec<u8>, MachineError> {
    let envelope = Envelope { version: WIRE_VERSION, body };
    serde_json::to_vec(&envelope).map_err(|why| unread(format!("it cannot be encoded: {why}")))
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, MachineError> {
    let unreadable = |why: serde_json::Error| unread(format!("it cannot be decoded: {why}"));
    let EnvelopeVersion { version } = serde_json::from_slice(bytes).map_err(unreadable)?;
    if version != WIRE_VERSION {
        return Err(unread(format!(
            "the other side speaks version {version} and this one {WIRE_VERSION}; use the same \
             Fathom on both"
        )));
    }
    let envelope: Envelope<T> = serde_json::from_slice(bytes).map_err(unreadable)?;
    Ok(envelope.body)
}

fn unread(why: String) -> MachineError {
    MachineError::new(MachineErrorKind::Connection, why)
}

/// The reply to another call than was made.
fn mismatched<T>() -> Result<T, MachineError> {
    Err(unread("the reply is to another call".to_owned()))
}

impl<M: Machine> Machine for Encoded<M> {
    fn system(&mut self) -> Result<System, MachineError> {
        match self.ask(&MachineCall::System)? {
            MachineReply::System(system) => system.map(|system| *system),
            _ => mismatched(),
        }
    }

    fn examine(&mut self, path: &Path) -> Result<Volume, MachineError> {
        match self.ask(&MachineCall::Examine(path.to_owned()))? {
            MachineReply::Examine(volume) => volume.map(|volume| *volume),
            _ => mismatched(),
        }
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        match self.ask(&MachineCall::Claim(Box::new(plan.clone())))? {
            MachineReply::Claim(claimed) => claimed,
            _ => mismatched(),
        }
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        match self.ask(&MachineCall::Release)? {
            MachineReply::Release(leftovers) => leftovers,
            _ => mismatched(),
        }
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        let jobs = jobs.iter().map(WireJob::of).collect();
        match self.ask(&MachineCall::DataAccess(jobs)) {
            Ok(MachineReply::DataAccess(access)) => access,
            _ => DataAccess::default(),
        }
    }

    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError> {
        let order = WireOrder::of(order, observer.wants_latency());
        match self.call(&MachineCall::Run(Box::new(order)), observer)? {
            MachineReply::Run(run) => run.map(|run| *run),
            _ => mismatched(),
        }
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        match self.ask(&MachineCall::Ceilings(engines.to_vec())) {
            Ok(MachineReply::Ceilings(ceilings)) => ceilings,
            _ => Vec::new(),
        }
    }

    fn stopping(&mut self) -> bool {
        // A machine that cannot be asked does nothing more.
        match self.ask(&MachineCall::Stopping) {
            Ok(MachineReply::Stopping(stopping)) => stopping,
            _ => true,
        }
    }
}
