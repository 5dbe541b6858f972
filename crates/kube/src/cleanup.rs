//! Objects that runs left in a namespace, found by label, and their removal.

use crate::client::is_plain_name;
use crate::cluster::kinds::{CLAIMS, EVENTS, JOBS, ObjectKind, PODS, SNAPSHOTS};
use crate::cluster::{Cluster, name, text};
use crate::error::KubeError;
use crate::names::{MANAGED_BY, RUN_LABEL, RunId, all_runs, label};
use crate::watch::VolumeWatch;
use fathom_text::text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The interval of checks for remaining objects.
const LOOK: Duration = Duration::from_millis(200);
/// Kinds of objects that a run makes, owners first.
const OWN: [(ObjectKind, &str); 4] =
    [(JOBS, "job"), (PODS, "pod"), (SNAPSHOTS, "snapshot"), (CLAIMS, "claim")];

/// How long to wait for the volume of a removed claim.
const UNBORN: Duration = Duration::from_secs(60);

/// How long a restarted server may refuse allowed requests.
const BACK: Duration = Duration::from_secs(20);

/// The volumes of claims.
const VOLUMES: &str = "/api/v1/persistentvolumes";
/// The contents of snapshots.
const CONTENTS: &str = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents";

/// A run with existing objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInventory {
    /// The run.
    pub run: RunId,
    /// Its objects, as `claim fathom-1-gp3`.
    pub objects: Vec<String>,
    /// Whether a pod of it runs: it is measuring, or was killed a moment ago.
    pub is_running: bool,
}

/// The result of removing a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunRemoval {
    /// How many objects were removed.
    pub objects: usize,
    /// Milliseconds until the last object was gone.
    pub gone_ms: u64,
    /// Objects that stay by their class's policy, or could not be checked, in sentences.
    pub notes: Vec<String>,
}

/// The state of a removal.
#[derive(Default)]
struct RemovalNotes {
    /// Objects that were there, as `claim fathom-1-gp3`.
    removed: BTreeSet<String>,
    /// Volumes of claims.
    volumes: Vec<Value>,
    /// The contents of snapshots.
    contents: BTreeSet<String>,
    /// Claims that had no volume when last seen.
    unbound: Vec<UnboundClaim>,
    /// Those whose volume did not appear.
    unseen: Vec<String>,
    /// Sees the volume of such a claim, which may exist only for an instant.
    watch: Option<VolumeWatch>,
    /// Kinds of objects that may not be listed.
    hidden: BTreeSet<&'static str>,
    /// When the server did not answer last.
    unanswered: Option<Instant>,
    /// Whether a volume in creation was reported.
    is_noticed: bool,
}

impl RemovalNotes {
    /// Reports once that the objects in `left` are still in creation.
    fn notice_first(&mut self, left: &[String], notice: &mut dyn FnMut(&str)) {
        if let Some(first) = left.first()
            && !std::mem::replace(&mut self.is_noticed, true)
        {
            notice(&format!("the {first} was on its way, and has to come before it can go"));
        }
    }
}

/// A claim that had no volume yet. Its provisioner may be at work on one.
struct UnboundClaim {
    name: String,
    uid: String,
    seen: Instant,
}

impl Cluster {
    /// Runs with existing objects, by id.
    ///
    /// # Errors
    /// If the cluster does not answer.
    pub fn runs(&self) -> Result<Vec<RunInventory>, KubeError> {
        let mut runs: BTreeMap<RunId, RunInventory> = BTreeMap::new();
        for (word, object) in self.own_objects(&all_runs())? {
            let Ok(run) = RunId::parse(label(&object, RUN_LABEL)) else { continue };
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
            all.extend(objects.into_iter().filter(is_ours).map(|object| (word, object)));
        }
        Ok(all)
    }

    /// Removes the objects of a run, and waits until they and their volumes are gone; `notice`
    /// receives unusual reasons for a delay.
    ///
    /// # Errors
    /// If the cluster refuses, or objects are still there after `limit`.
    pub fn remove(
        &self,
        run: &RunId,
        limit: Duration,
        notice: &mut dyn FnMut(&str),
    ) -> Result<RunRemoval, KubeError> {
        let begun = Instant::now();
        let mut notes = RemovalNotes::default();
        loop {
            match self.remove_once(run, &mut notes, notice) {
                Ok(left) if left.is_empty() => break,
                Ok(left) if begun.elapsed() > limit => return Err(left_behind(run, &left)),
                Ok(_) => {}
                Err(why) if begun.elapsed() > limit => return Err(why),
                Err(why) if why.is_passing() => notes.unanswered = Some(Instant::now()),
                // A server that has just restarted does not know all rights yet.
                Err(KubeError::Forbidden { .. }) if notes.is_just_back() => {}
                Err(why) => return Err(why),
            }
            self.pause(LOOK);
        }
        let gone_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(RunRemoval { objects: notes.removed.len(), gone_ms, notes: notes.sentences() })
    }

    /// Requests the removal of all objects not requested yet; returns those that still exist.
    fn remove_once(
        &self,
        run: &RunId,
        notes: &mut RemovalNotes,
        notice: &mut dyn FnMut(&str),
    ) -> Result<Vec<String>, KubeError> {
        let (mut left, mut refused) = (Vec::new(), None);
        for (word, object) in self.objects_of(run, notes)? {
            let what = format!("{word} {}", name(&object));
            notes.removed.insert(what.clone());
            self.note((run, word), &object, notes);
            if text(&object, "/metadata/deletionTimestamp").is_empty() {
                let kind = OWN.iter().find(|(_, of)| *of == word).map_or(PODS, |(kind, _)| *kind);
                match self.delete(&what, &self.path(kind, name(&object))) {
                    // A Job's objects are removed with it.
                    Err(KubeError::Forbidden { .. }) if word != "job" && notes.has_job(run) => {}
                    Err(why @ KubeError::Forbidden { .. }) => refused = refused.or(Some(why)),
                    done => done?,
                }
            }
            left.push(what);
        }
        if let Some(why) = refused {
            return Err(why);
        }
        if left.is_empty() {
            left.extend(self.unborn(notes, notice)?);
            let volumes = notes.volumes.iter().filter(|pv| !retained(pv)).map(name);
            let there = volumes.filter(|pv| self.has(VOLUMES, pv));
            left.extend(there.map(|pv| format!("volume {pv}")));
            let there = notes.contents.iter().filter(|of| self.has(CONTENTS, of));
            left.extend(there.map(|content| format!("snapshot content {content}")));
        }
        Ok(left)
    }

    /// The objects of a run, of the kinds that may be listed. Its Job is removed without listing,
    /// so that its objects are removed in any case.
    fn objects_of(
        &self,
        run: &RunId,
        notes: &mut RemovalNotes,
    ) -> Result<Vec<(&'static str, Value)>, KubeError> {
        let mut all = Vec::new();
        for (kind, word) in OWN {
            match self.list(&format!("{word}s"), &self.path(kind, ""), &run.selector()) {
                Ok(objects) => {
                    let ours = objects.into_iter().filter(|of| is_ours(of) && run.has(of));
                    all.extend(ours.map(|object| (word, object)));
                }
                Err(KubeError::NotFound { .. }) if word == "snapshot" => {}
                // A user who may not list them created none.
                Err(KubeError::Forbidden { .. }) if word == "snapshot" => {}
                Err(KubeError::Forbidden { .. }) => {
                    if word == "job" && !notes.hidden.contains(word) {
                        let what = format!("job {}", run.job_name());
                        self.delete(&what, &self.path(JOBS, &run.job_name()))?;
                        notes.removed.insert(what);
                    }
                    notes.hidden.insert(word);
                }
                Err(why) => return Err(why),
            }
        }
        Ok(all)
    }

    /// Records the objects below an object, which must be removed as well.
    fn note(&self, (run, word): (&RunId, &str), object: &Value, notes: &mut RemovalNotes) {
        match word {
            "claim" => {
                let (uid, pv) = (text(object, "/metadata/uid"), text(object, "/spec/volumeName"));
                notes.unbound.retain(|of| of.uid != uid);
                match pv {
                    "" => {
                        notes.watch.get_or_insert_with(|| self.watch_volume(run));
                        notes.unbound.push(UnboundClaim {
                            name: name(object).to_owned(),
                            uid: uid.to_owned(),
                            seen: Instant::now(),
                        });
                    }
                    pv => self.note_volume(pv, &mut notes.volumes),
                }
            }
            "snapshot" => {
                let content = text(object, "/status/boundVolumeSnapshotContentName");
                notes.contents.extend((!content.is_empty()).then(|| content.to_owned()));
            }
            _ => {}
        }
    }

    /// Volumes in creation for claims that had none: they appear after their claims are gone.
    fn unborn(
        &self,
        notes: &mut RemovalNotes,
        notice: &mut dyn FnMut(&str),
    ) -> Result<Vec<String>, KubeError> {
        if notes.unbound.is_empty() {
            return Ok(Vec::new());
        }
        let volumes = match self.list("volumes", VOLUMES, "") {
            // A user who may not read volumes cannot wait for them.
            Err(KubeError::Forbidden { .. }) => {
                notes.unbound.clear();
                return Ok(Vec::new());
            }
            volumes => volumes?,
        };
        let mut left = Vec::new();
        let came = notes.watch.as_ref().is_some_and(|watch| watch.moments().is_gone());
        if came && notes.unbound.len() == 1 {
            notes.unbound.clear();
        }
        for claim in std::mem::take(&mut notes.unbound) {
            let born = volumes.iter().find(|pv| text(pv, "/spec/claimRef/uid") == claim.uid);
            if let Some(pv) = born {
                notes.volumes.push(pv.clone());
            } else if !self.is_on_its_way(&claim.uid) {
                continue;
            } else if claim.seen.elapsed() < UNBORN {
                left.push(format!("volume of claim {}", claim.name));
                notes.unbound.push(claim);
            } else {
                notes.unseen.push(claim.name);
            }
        }
        notes.notice_first(&left, notice);
        Ok(left)
    }

    /// Whether a provisioner began to create a claim's volume and has not reported the result.
    fn is_on_its_way(&self, claim: &str) -> bool {
        let path = self.path(EVENTS, "") + "?fieldSelector=involvedObject.uid%3D" + claim;
        is_begun(&self.list("events", &path, "").unwrap_or_default())
    }

    fn note_volume(&self, pv: &str, volumes: &mut Vec<Value>) {
        if volumes.iter().any(|known| name(known) == pv) {
            return;
        }
        // A user who may not read volumes cannot wait for them.
        let known = self.get("volume", &format!("{VOLUMES}/{pv}"));
        volumes.extend(known.ok().flatten());
    }

    /// Whether there is such an object outside namespaces; without the right to read it, unknown.
    fn has(&self, kind: &str, name: &str) -> bool {
        let there = self.get(name, &format!("{kind}/{name}")).ok().flatten();
        // Objects that stay by their own policy are not awaited.
        there.is_some_and(|object| text(&object, "/spec/deletionPolicy") != "Retain")
    }
}

impl RemovalNotes {
    fn is_just_back(&self) -> bool {
        self.unanswered.is_some_and(|at| at.elapsed() < BACK)
    }

    fn has_job(&self, run: &RunId) -> bool {
        self.removed.contains(&format!("job {}", run.job_name()))
    }

    /// The objects that stay, and those that could not be checked.
    fn sentences(&self) -> Vec<String> {
        let hidden = self.hidden.iter().map(|word| {
            format!(
                "whether {word}s are gone is not known, since you may not list them; the cluster \
                 removes them with their Job"
            )
        });
        let unseen = self.unseen.iter().map(|claim| {
            format!(
                "claim {claim} was removed while its volume was being made, and none came within \
                 {} s; look for one by `kubectl get pv`",
                UNBORN.as_secs()
            )
        });
        let stay = self.volumes.iter().filter(|pv| retained(pv)).map(sentence);
        stay.chain(hidden).chain(unseen).collect()
    }
}

/// Whether an object that a server lists bears our label, and a name that leads to it alone: what
/// does not is never removed, whatever was asked for.
fn is_ours(object: &Value) -> bool {
    label(object, MANAGED_BY.0) == MANAGED_BY.1 && is_plain_name(name(object))
}

/// Whether the provisioners' last event on a claim is that they began.
fn is_begun(events: &[Value]) -> bool {
    let last = |reasons: &[&str]| {
        let of = events.iter().filter(|event| reasons.contains(&text(event, "/reason")));
        of.map(|event| text(event, "/lastTimestamp").to_owned()).max()
    };
    last(&["Provisioning"]) > last(&["ProvisioningSucceeded", "ProvisioningFailed"])
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
    KubeError::LeftBehind(text!(
        "{} of run {run} {count|1=is|are} still being removed; `fathom kube cleanup --run {run}` \
         tries again",
        left.join(", "),
        count = left.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_volume_is_on_its_way_until_its_provisioner_says_what_became_of_it() {
        let event = |reason: &str, second: u32| {
            json!({
                "reason": reason, "lastTimestamp": format!("2026-11-23T04:00:{second:02}Z"),
            })
        };
        assert!(!is_begun(&[]));
        let begun = event("Provisioning", 5);
        assert!(is_begun(&[event("ExternalProvisioning", 9), begun.clone()]));
        assert!(!is_begun(&[begun.clone(), event("ProvisioningSucceeded", 5)]));
        assert!(!is_begun(&[begun.clone(), event("ProvisioningFailed", 6)]));
        assert!(is_begun(&[event("ProvisioningFailed", 4), begun]), "it tries again");
    }
}
