//! The Fathom for each pod: nodes of one cluster may have several architectures.
//!
//! Decided here:
//! - The pod is asked, by `uname`: a user may lack the right to read nodes. If pods can only be on
//!   nodes of one architecture, nothing is asked.
//! - What this machine has comes first. Otherwise an image may have the same version of Fathom.

use super::args::PodArgs;
use crate::agent_binaries::agent_binaries;
use crate::cli_error::CliError;
use fathom_fleet::AgentBinaries;
use fathom_kube::{Cluster, KubeError, PodPlace, PodProgram};
use fathom_vocab::Architecture;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The programs for pods, each made when the first pod needs it.
pub struct PodPrograms {
    binaries: AgentBinaries,
    /// The architecture of all pods, if there can be only one.
    only: Option<Architecture>,
    programs: BTreeMap<Architecture, PodProgram>,
}

impl PodPrograms {
    /// # Errors
    /// If a binary that the user names is not what it is said to be.
    pub fn new(args: &PodArgs) -> Result<PodPrograms, CliError> {
        let binaries = agent_binaries(&args.node_binaries)?;
        let only = match (args.chooses_architecture(), binaries.architectures().as_slice()) {
            (false, [only]) => Some(only.clone()),
            _ => None,
        };
        Ok(PodPrograms { binaries, only, programs: BTreeMap::new() })
    }

    /// The one for this pod.
    ///
    /// # Errors
    /// If there is none for its node.
    pub fn fitting(
        &mut self,
        cluster: &Cluster,
        place: &PodPlace,
    ) -> Result<&PodProgram, CliError> {
        let architecture = match &self.only {
            Some(only) => only.clone(),
            None => cluster.architecture(&place.pod)?,
        };
        match self.programs.entry(architecture) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let program = made(&self.binaries, cluster, place, new.key())?;
                Ok(new.insert(program))
            }
        }
    }
}

fn made(
    binaries: &AgentBinaries,
    cluster: &Cluster,
    place: &PodPlace,
    architecture: &Architecture,
) -> Result<PodProgram, CliError> {
    match binaries.get(architecture) {
        Some(binary) if binary.is_own() => Ok(PodProgram::own().map_err(KubeError::from)?),
        Some(binary) => {
            let program = PodProgram::of_binary(binary.bytes()?.to_vec(), architecture);
            Ok(program.map_err(KubeError::from)?)
        }
        None => match cluster.image_program(&place.pod, env!("FATHOM_VERSION"))? {
            Some(program) => Ok(program),
            None => Err(KubeError::NoProgram {
                pod: place.pod.clone(),
                node: place.node.clone(),
                architecture: architecture.clone(),
                remedy: AgentBinaries::remedy(architecture),
            }
            .into()),
        },
    }
}
