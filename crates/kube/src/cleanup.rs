//! What runs have left in a namespace, found by label, and its removal.

use crate::cluster::kinds::{CLAIMS, JOBS, ObjectKind, PODS, SNAPSHOTS};
use crate::cluster::{Cluster, name, text};
use crate::error::KubeError;
use crate::names::{RUN_LABEL, RunId, all_runs};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How long between two looks at what is still there.
const LOOK: Duration = Duration::from_millis(200);
/// Kinds of objects that a run makes, owners first.
const OWN: [(ObjectKind, &str); 4] =
    [(JOBS, "job"), (PODS, "pod"), (SNAPSHOTS, "snapshot"), (CLAIMS, "claim")];

/// What snapshots rest on.
const CONTENTS: &str = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents";

/// A run of which objects are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInventory {
    /// The run.
    pub run: RunId,
    /// Its objects, as `claim fathom-1-gp3`.
    pub objects: Vec<String>,
    /// Whether a pod of it runs: somebody measures, or was killed a moment ago.
    pub is_running: bool,
}

/// A run of which nothing is left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunRemoval {
    /// How many objects were removed.
    pub objects: usize,
    /// Milliseconds until the last object was gone.
    pub gone_ms: u64,
    /// Volumes that stay by their class's own policy.
    pub retained: Vec<String>,
}

/// What is known of a removal so far.
#[derive(Default)]
struct RemovalNotes {
    /// Objects that were there, as `claim fathom-1-gp3`.
    removed: BTreeSet<String>,
    /// Volumes of claims.
    volumes: Vec<Value>,
    /// What snapshots rest on.
    contents: BTreeSet<String>,
}

impl Cluster {
    /// Runs of which objects are there, by id.
    ///
    /// # Errors
    /// Where the cluster does not answer.
    pub fn runs(&self) -> Result<Vec<RunInventory>, KubeError> {
        let mut runs: BTreeMap<RunId, RunInventory> = BTreeMap::new();
        let label = format!("/metadata/labels/{}", RUN_LABEL.replace('/', "~1"));
        for (word, object) in self.own_objects(&all_runs())? {
            let Ok(run) = RunId::parse(text(&object, &label)) else { continue };
            let of = runs.entry(run.clone()).or_insert_with(|| RunInventory {
                run,
                objects: Vec::new(),
                is_running: false,
            });
            of.objects.push(format!("{word} {}", name(&object)));
            of.is_running |= word == "pod" && text(&object, "/status/phase") == "Running";
        }
        Ok(runs.into_values().collect())
    }

    fn own_objects(&self, selector: &str) -> Result<Vec<(&'static str, Value)>, KubeError> {
        let mut all = Vec::new();
        for (kind, word) in OWN {
            let listed = self.list(&format!("{word}s"), &self.path(kind, ""), selector);
            let objects = match listed {
                // Not every cluster knows snapshots, and who may not see them made none.
                Err(KubeError::NotFound { .. } | KubeError::Forbidden { .. })
                    if word == "snapshot" =>
                {
                    Vec::new()
                }
                listed => listed?,
            };
            all.extend(objects.into_iter().map(|object| (word, object)));
        }
        Ok(all)
    }

    /// Removes the objects of a run, and waits until they and their volumes are gone.
    ///
    /// # Errors
    /// Where the cluster refuses, or objects are still there after `limit`.
    pub fn remove(&self, run: &RunId, limit: Duration) -> Result<RunRemoval, KubeError> {
        let begun = Instant::now();
        let mut notes = RemovalNotes::default();
        loop {
            match self.remove_once(run, &mut notes) {
                Ok(left) if left.is_empty() => break,
                Ok(left) if begun.elapsed() > limit => return Err(left_behind(run, &left)),
                Err(why) if !why.is_passing() || begun.elapsed() > limit => return Err(why),
                _ => self.pause(LOOK),
            }
        }
        let retained = notes.volumes.iter().filter(|pv| retained(pv)).map(sentence).collect();
        let gone_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(RunRemoval { objects: notes.removed.len(), gone_ms, retained })
    }

    /// Asks for the removal of whatever nobody asked for yet; gives what is still there.
    fn remove_once(&self, run: &RunId, notes: &mut RemovalNotes) -> Result<Vec<String>, KubeError> {
        let mut left = Vec::new();
        for (word, object) in self.own_objects(&run.selector())? {
            let what = format!("{word} {}", name(&object));
            notes.removed.insert(what.clone());
            match word {
                "claim" => self.note_volume(text(&object, "/spec/volumeName"), &mut notes.volumes),
                "snapshot" => {
                    let content = text(&object, "/status/boundVolumeSnapshotContentName");
                    notes.contents.extend((!content.is_empty()).then(|| content.to_owned()));
                }
                _ => {}
            }
            if text(&object, "/metadata/deletionTimestamp").is_empty() {
                let kind = OWN.iter().find(|(_, of)| *of == word).map_or(PODS, |(kind, _)| *kind);
                self.delete(&what, &self.path(kind, name(&object)))?;
            }
            left.push(what);
        }
        if left.is_empty() {
            let volumes = notes.volumes.iter().filter(|pv| !retained(pv)).map(name);
            let there = volumes.filter(|pv| self.has("/api/v1/persistentvolumes", pv));
            left.extend(there.map(|pv| format!("volume {pv}")));
            let there = notes.contents.iter().filter(|of| self.has(CONTENTS, of));
            left.extend(there.map(|content| format!("snapshot content {content}")));
        }
        Ok(left)
    }

    fn note_volume(&self, pv: &str, volumes: &mut Vec<Value>) {
        if pv.is_empty() || volumes.iter().any(|known| name(known) == pv) {
            return;
        }
        // Who may not see volumes cannot wait for them.
        let known = self.get("volume", &format!("/api/v1/persistentvolumes/{pv}"));
        volumes.extend(known.ok().flatten());
    }

    /// Whether there is an object that belongs to no namespace; who may not look cannot tell.
    fn has(&self, kind: &str, name: &str) -> bool {
        let there = self.get(name, &format!("{kind}/{name}")).ok().flatten();
        // What stays by its own policy is not waited for.
        there.is_some_and(|object| text(&object, "/spec/deletionPolicy") != "Retain")
    }
}

fn retained(pv: &Value) -> bool {
    text(pv, "/spec/persistentVolumeReclaimPolicy") != "Delete"
}

fn sentence(pv: &Value) -> String {
    format!(
        "volume {} of class {} stays, since the class retains volumes; `kubectl delete pv {0}` \
         lets go of it, and its provider may keep the data",
        name(pv),
        text(pv, "/spec/storageClassName")
    )
}

fn left_behind(run: &RunId, left: &[String]) -> KubeError {
    KubeError::LeftBehind(format!(
        "{} of run {run} {} still being removed; `fathom kube cleanup --run {run}` tries again",
        left.join(", "),
        if left.len() == 1 { "is" } else { "are" }
    ))
}
