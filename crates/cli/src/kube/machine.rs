//! Pods as a machine: a fleet whose volumes are named by their claims, and whose documents name the
//! cluster's volumes.

use fathom_campaign::machine::{DataAccess, MachineError, MachineRun, RunOrder};
use fathom_campaign::{ClientRecord, ClusterStep, ClusterVolume, Machine, Volume, VolumePlan};
use fathom_doctor::Ceiling;
use fathom_fleet::FleetMachine;
use fathom_host::System;
use fathom_job::JobSpec;
use fathom_run::{Leftover, Observer};
use fathom_vocab::{IoEngine, PingTarget, Target};
use std::collections::BTreeMap;

/// How long volumes took, by the name of their class.
pub type ClassSteps = BTreeMap<String, Vec<ClusterStep>>;

/// A volume of the pods: its name, and the cluster's data about it.
#[derive(Clone, Debug)]
pub struct PodVolume {
    /// Where the pods have it.
    pub target: Target,
    pub name: String,
    /// The cluster's data about it.
    pub cluster: ClusterVolume,
}

/// Pods that run agents.
pub struct KubeMachine {
    pods: FleetMachine,
    volumes: Vec<PodVolume>,
}

impl KubeMachine {
    /// Agents in pods that have these volumes.
    pub fn new(pods: FleetMachine, volumes: Vec<PodVolume>) -> KubeMachine {
        KubeMachine { pods, volumes }
    }
}

impl Machine for KubeMachine {
    fn system(&mut self) -> Result<System, MachineError> {
        self.pods.system()
    }

    fn examine(&mut self, target: &Target) -> Result<Volume, MachineError> {
        let mut volume = self.pods.examine(target)?;
        let is_of = |known: &&PodVolume| {
            target.path().zip(known.target.path()).is_some_and(|(of, at)| of.starts_with(at))
        };
        if let Some(known) = self.volumes.iter().find(is_of) {
            volume.name.clone_from(&known.name);
            volume.cluster = Some(known.cluster.clone());
        } else if let Target::Export(export) = target {
            // Pods are called otherwise in each run, and the export is not theirs.
            volume.name = export.to_string();
        }
        Ok(volume)
    }

    fn claim(&mut self, plan: &VolumePlan) -> Result<(), MachineError> {
        self.pods.claim(plan)
    }

    fn release(&mut self) -> Result<Vec<Leftover>, MachineError> {
        self.pods.release()
    }

    fn data_access(&mut self, jobs: &[JobSpec]) -> DataAccess {
        self.pods.data_access(jobs)
    }

    fn can_begin(&mut self, order: &RunOrder) -> Result<(), MachineError> {
        self.pods.can_begin(order)
    }

    fn run(
        &mut self,
        order: &RunOrder,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, MachineError> {
        self.pods.run(order, observer)
    }

    fn ceilings(&mut self, engines: &[(IoEngine, u32)]) -> Vec<Ceiling> {
        self.pods.ceilings(engines)
    }

    fn set_ping(&mut self, target: PingTarget) {
        self.pods.set_ping(target);
    }

    fn stopping(&mut self) -> bool {
        self.pods.stopping()
    }

    fn is_short(&self) -> bool {
        self.pods.is_short()
    }

    fn clients(&self) -> u32 {
        self.pods.clients()
    }

    fn client_records(&self) -> Vec<ClientRecord> {
        self.pods.client_records()
    }
}
