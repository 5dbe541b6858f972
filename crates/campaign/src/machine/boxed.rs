//! A machine whose type is chosen at run time: this one, or others over pipes.

use super::{DataAccess, Machine, MachineError, MachineRun, RunOrder};
use crate::volume::Volume;
use crate::volume_plan::VolumePlan;
use fathom_doctor::{Ceiling, DoctorRequest, DoctorStep, HostDiagnosis};
use fathom_host::System;
use fathom_job::JobSpec;
use fathom_monitor::{CounterReading, CounterSource, WatchError, WatchRequest, Watched};
use fathom_run::{Leftover, Observer};
use fathom_vocab::{IoEngine, Target};

/// The counters of a machine that watches them.
impl CounterSource for Box<dyn Machine> {
    fn read(&mut self, _: &[Watched]) -> Result<Vec<Option<CounterReading>>, WatchError> {
        self.counters().map_err(|why| WatchError::Elsewhere(why.into()))
    }
}

impl<M: Machine + ?Sized> Machine for Box<M> {
    fn system(&mut self) -> Result<System, MachineError> {
        (**self).system()
    }

    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError> {
        (**self).examine(target)
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        (**self).claim(plan)
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        (**self).release()
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        (**self).data_access(jobs)
    }

    fn can_begin(&mut self, order: &RunOrder) -> Result<(), MachineError> {
        (**self).can_begin(order)
    }

    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError> {
        (**self).run(order, observer)
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        (**self).ceilings(engines)
    }

    fn diagnose(
        &mut self,
        asked: &DoctorRequest,
        told: &mut dyn FnMut(DoctorStep),
    ) -> Result<Vec<HostDiagnosis>, MachineError> {
        (**self).diagnose(asked, told)
    }

    fn watch(&mut self, asked: &WatchRequest) -> Result<Vec<Watched>, MachineError> {
        (**self).watch(asked)
    }

    fn counters(&mut self) -> Result<Vec<Option<CounterReading>>, MachineError> {
        (**self).counters()
    }

    fn stopping(&mut self) -> bool {
        (**self).stopping()
    }

    fn is_short(&self) -> bool {
        (**self).is_short()
    }

    fn clients(&self) -> u32 {
        (**self).clients()
    }
}
