//! A machine that encodes every call and every answer as bytes and decodes them: a remote machine
//! without the pipe. A feature that a test uses through it works with an agent.

use super::envelope::{decode, encode, event_from_bytes};
use super::wire::{MachineCall, MachineReply, WireClaim, WireJob, WireOrder, WireVolume};
use super::{DataAccess, Machine, MachineError, MachineRun, RunOrder};
use crate::jobs::NullObserver;
use crate::volume::Volume;
use crate::volume_plan::VolumePlan;
use fathom_doctor::{Ceiling, DoctorRequest, DoctorStep, HostDiagnosis};
use fathom_host::System;
use fathom_job::JobSpec;
use fathom_monitor::{CounterReading, WatchRequest, Watched};
use fathom_run::{Control, Event, Leftover, Observer};
use fathom_vocab::{IoEngine, Target};
use std::time::Instant;

/// A machine behind bytes.
#[derive(Debug)]
pub struct Encoded<M> {
    inner: M,
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
        let mut listener = DecodingListener { observer, unread: None };
        let reply = serve(&mut self.inner, &call.to_bytes()?, &mut listener);
        match listener.unread {
            Some(why) => Err(why),
            None => MachineReply::from_bytes(&reply),
        }
    }

    fn ask(&mut self, call: &MachineCall) -> Result<MachineReply, MachineError> {
        self.call(call, &mut NullObserver)
    }
}

/// Receives a machine's events during a call.
pub trait CallListener {
    /// An event, as bytes.
    fn event(&mut self, event: Vec<u8>);

    /// The moment at which ready jobs begin, as in [`Observer::start`].
    fn start(&mut self, control: &Control) -> Instant {
        let _ = control;
        Instant::now()
    }
}

impl<F: FnMut(Vec<u8>)> CallListener for F {
    fn event(&mut self, event: Vec<u8>) {
        self(event);
    }
}

/// Decodes events that arrive as bytes.
struct DecodingListener<'a> {
    observer: &'a mut dyn Observer,
    unread: Option<MachineError>,
}

impl CallListener for DecodingListener<'_> {
    fn event(&mut self, event: Vec<u8>) {
        match event_from_bytes(&event) {
            Ok(event) => self.observer.event(&event),
            Err(why) => self.unread = Some(why),
        }
    }

    fn start(&mut self, control: &Control) -> Instant {
        self.observer.start(control)
    }
}

/// Answers one call in bytes; `listener` receives events meanwhile.
pub fn serve(machine: &mut dyn Machine, call: &[u8], listener: &mut dyn CallListener) -> Vec<u8> {
    let reply = match decode(call) {
        Ok(call) => answer(machine, call, listener),
        Err(why) => MachineReply::Unknown(why),
    };
    reply.to_bytes()
}

fn answer(
    machine: &mut dyn Machine,
    call: MachineCall,
    listener: &mut dyn CallListener,
) -> MachineReply {
    match call {
        MachineCall::System => MachineReply::System(machine.system().map(Box::new)),
        MachineCall::Examine(target) => {
            let volume = machine.examine(&target);
            MachineReply::Examine(volume.map(|volume| Box::new(WireVolume::of(&volume))))
        }
        MachineCall::Claim(claim) => MachineReply::Claim(machine.claim(&claim.plan())),
        MachineCall::Release => MachineReply::Release(machine.release()),
        MachineCall::DataAccess(jobs) => {
            let jobs: Result<Vec<JobSpec>, _> = jobs.into_iter().map(WireJob::job).collect();
            match jobs {
                Ok(jobs) => MachineReply::DataAccess(machine.data_access(&jobs)),
                Err(why) => MachineReply::Unknown(why),
            }
        }
        MachineCall::CanBegin(order) => {
            let found = order.order().and_then(|order| machine.can_begin(&order));
            MachineReply::CanBegin(found)
        }
        MachineCall::Run(order) => {
            let mut relay = EventRelay { listener, wants_latency: order.wants_latency };
            let run = order.order().and_then(|order| machine.run(&order, &mut relay));
            MachineReply::Run(run.map(Box::new))
        }
        MachineCall::Ceilings(engines) => MachineReply::Ceilings(machine.ceilings(&engines)),
        MachineCall::Diagnose(asked) => {
            MachineReply::Diagnose(machine.diagnose(&asked, &mut |_| {}))
        }
        MachineCall::Watch(asked) => MachineReply::Watch(machine.watch(&asked)),
        MachineCall::Counters => MachineReply::Counters(machine.counters()),
        MachineCall::Stopping => MachineReply::Stopping(machine.stopping()),
    }
}

/// Passes events on as bytes.
struct EventRelay<'a> {
    listener: &'a mut dyn CallListener,
    wants_latency: bool,
}

impl Observer for EventRelay<'_> {
    fn event(&mut self, event: &Event) {
        // An event that cannot be encoded is dropped; the result is complete.
        if let Ok(bytes) = encode(event) {
            self.listener.event(bytes);
        }
    }

    fn wants_latency(&self) -> bool {
        self.wants_latency
    }

    fn start(&mut self, control: &Control) -> Instant {
        self.listener.start(control)
    }
}

impl<M: Machine> Machine for Encoded<M> {
    fn system(&mut self) -> Result<System, MachineError> {
        self.ask(&MachineCall::System)?.system()
    }

    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError> {
        self.ask(&MachineCall::Examine(target.clone()))?.volume()
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        self.ask(&MachineCall::Claim(Box::new(WireClaim::of(plan))))?.claim()
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        self.ask(&MachineCall::Release)?.leftovers()
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        let jobs = jobs.iter().map(WireJob::of).collect();
        let reply = self.ask(&MachineCall::DataAccess(jobs));
        reply.and_then(MachineReply::data_access).unwrap_or_default()
    }

    fn can_begin(&mut self, order: &RunOrder) -> Result<(), MachineError> {
        let order = WireOrder::of(order, false);
        self.ask(&MachineCall::CanBegin(Box::new(order)))?.can_begin()
    }

    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError> {
        let order = WireOrder::of(order, observer.wants_latency());
        self.call(&MachineCall::Run(Box::new(order)), observer)?.run()
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        let reply = self.ask(&MachineCall::Ceilings(engines.to_vec()));
        reply.and_then(MachineReply::ceilings).unwrap_or_default()
    }

    fn diagnose(
        &mut self,
        asked: &DoctorRequest,
        _: &mut dyn FnMut(DoctorStep),
    ) -> Result<Vec<HostDiagnosis>, MachineError> {
        self.ask(&MachineCall::Diagnose(asked.clone()))?.diagnoses()
    }

    fn watch(&mut self, asked: &WatchRequest) -> Result<Vec<Watched>, MachineError> {
        self.ask(&MachineCall::Watch(asked.clone()))?.watched()
    }

    fn counters(&mut self) -> Result<Vec<Option<CounterReading>>, MachineError> {
        self.ask(&MachineCall::Counters)?.counters()
    }

    fn stopping(&mut self) -> bool {
        // A machine that cannot be called does nothing more.
        self.ask(&MachineCall::Stopping).and_then(MachineReply::stopping).unwrap_or(true)
    }
}
