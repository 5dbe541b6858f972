//! What each of several clients is: its machine, and what it sees of the targets.

use crate::volume::Volume;
use fathom_host::System;
use serde::{Deserialize, Serialize};

/// One of several clients.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientRecord {
    /// Its name, as results have it.
    pub name: String,
    /// Its system.
    pub system: System,
    /// The targets as it sees them.
    pub volumes: Vec<Volume>,
}

/// How many processors a machine has, and their model; none if unknown.
pub fn processors(system: &System) -> Option<String> {
    let model = system.cpu_model.as_deref().unwrap_or_default();
    let told = format!("{} x {model}", system.cpus_online);
    (system.cpus_online > 0).then(|| told.trim_end_matches(" x ").to_owned())
}
