//! The moments of a run's volume, recorded as the cluster's events arrive, while a command waits
//! for something else.
//!
//! The server's own times are whole seconds, so moments are those at which its events arrive.
//! Without the right to watch a kind its times are missing.

use crate::client::ApiClient;
use crate::cluster::kinds::{CLAIMS, PODS};
use crate::cluster::{Cluster, members, name, text};
use crate::names::RunId;
use futures_util::TryStreamExt;
use futures_util::future::join_all;
use http::Request;
use kube::core::WatchEvent;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// The longest wait for the version from which a collection is watched.
const ANSWER: Duration = Duration::from_secs(10);
/// The pause before an ended watch is restarted.
const AGAIN: Duration = Duration::from_millis(100);

/// Moments of a run's only volume and its only pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeMoments {
    /// The PersistentVolume.
    pv: String,
    provisioned: Option<Instant>,
    bound: Option<Instant>,
    placed: Option<Instant>,
    attached: Option<Instant>,
    mounted: Option<Instant>,
    unmounted: Option<Instant>,
    deleted: Option<Instant>,
}

/// The duration of each step of a volume; none if it was not seen, or does not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VolumeSteps {
    /// From the claim to a PersistentVolume.
    pub provision: Option<Duration>,
    /// From that to a claim that is bound to it.
    pub bind: Option<Duration>,
    /// From the claim to one that is bound: of a claim on a snapshot, the time to restore it.
    pub restore: Option<Duration>,
    /// From a bound claim and a pod with a node to a volume that is attached to the node.
    pub attach: Option<Duration>,
    /// From that to a pod that has it mounted, before its containers start.
    pub mount: Option<Duration>,
    /// From the end of the pod to the removal of the PersistentVolume.
    pub delete: Option<Duration>,
}

impl VolumeMoments {
    /// Whether the volume was there, and is no more.
    pub(crate) fn is_gone(&self) -> bool {
        self.deleted.is_some()
    }

    /// The times between them, for a claim created then.
    pub fn steps(&self, claimed: Instant) -> VolumeSteps {
        let between =
            |from: Option<Instant>, to: Option<Instant>| Some(to?.saturating_duration_since(from?));
        let ready = self.bound.max(self.placed).filter(|_| self.bound.and(self.placed).is_some());
        VolumeSteps {
            provision: between(Some(claimed), self.provisioned),
            bind: between(self.provisioned, self.bound),
            restore: between(Some(claimed), self.bound),
            attach: between(ready, self.attached),
            mount: between(ready.max(self.attached), self.mounted),
            delete: between(self.unmounted, self.deleted),
        }
    }

    fn note_claim(&mut self, claim: &Value, now: Instant) {
        if text(claim, "/status/phase") == "Bound" {
            text(claim, "/spec/volumeName").clone_into(&mut self.pv);
            self.bound.get_or_insert(now);
        }
    }

    fn note_pod(&mut self, pod: &Value, is_gone: bool, now: Instant) {
        if !text(pod, "/spec/nodeName").is_empty() {
            self.placed.get_or_insert(now);
        }
        // A kubelet makes a pod's sandbox once all its volumes are mounted.
        let is_mounted =
            |of: &Value| of["type"] == "PodReadyToStartContainers" && of["status"] == "True";
        if members(pod, "/status/conditions").any(is_mounted)
            || text(pod, "/status/phase") == "Running"
        {
            self.mounted.get_or_insert(now);
        }
        if is_gone {
            self.unmounted.get_or_insert(now);
        }
    }

    fn note_volume(&mut self, pv: &Value, is_gone: bool, now: Instant) {
        name(pv).clone_into(&mut self.pv);
        match is_gone {
            true => self.deleted.get_or_insert(now),
            false => self.provisioned.get_or_insert(now),
        };
    }

    fn note_attachment(&mut self, of: &Value, now: Instant) {
        let is_own = text(of, "/spec/source/persistentVolumeName") == self.pv;
        if is_own && !self.pv.is_empty() && of["status"]["attached"] == true {
            self.attached.get_or_insert(now);
        }
    }
}

/// Watches a run's volume, until it is dropped.
pub struct VolumeWatch {
    moments: Arc<Mutex<VolumeMoments>>,
    tasks: Vec<JoinHandle<()>>,
}

impl VolumeWatch {
    /// The moments so far.
    pub fn moments(&self) -> VolumeMoments {
        self.moments.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for VolumeWatch {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// Handles a seen object: the moments, the object, whether it was removed.
type Note = Box<dyn Fn(&mut VolumeMoments, &Value, bool, Instant) + Send>;

/// The path of a kind, a selector of labels, and what an event means.
type Watched = (String, String, Note);

impl Cluster {
    /// Begins to watch the only volume of a run that is not there yet.
    pub fn watch_volume(&self, run: &RunId) -> VolumeWatch {
        let moments = Arc::new(Mutex::new(VolumeMoments::default()));
        let kinds = self.kinds_of_volume(run);
        let query = |selector: &str| format!("labelSelector={}", encoded(selector));
        let first = |(path, selector, _): &Watched| {
            self.version(Collection { path: path.clone(), query: query(selector) })
        };
        // Known before anything is created: on a busy host, too, no later event is missed.
        let firsts: Vec<Option<Since>> = self.block_on(join_all(kinds.iter().map(first)));
        let follow = |(since, (_, _, note)): (Option<Since>, Watched)| {
            Some(self.spawn(follow(self.client().clone(), since?, note, moments.clone())))
        };
        let tasks = firsts.into_iter().zip(kinds).filter_map(follow).collect();
        VolumeWatch { tasks, moments }
    }

    /// All kinds whose objects show the moments of a run's only volume.
    fn kinds_of_volume(&self, run: &RunId) -> [Watched; 4] {
        let (namespace, prefix) = (self.namespace().to_owned(), run.job_name());
        let is_own = move |pv: &Value| {
            text(pv, "/spec/claimRef/namespace") == namespace
                && text(pv, "/spec/claimRef/name").starts_with(&prefix)
        };
        [
            (
                self.path(CLAIMS, ""),
                run.selector(),
                Box::new(|of, claim, _, now| of.note_claim(claim, now)),
            ),
            (
                self.path(PODS, ""),
                run.selector(),
                Box::new(|of, pod, is_gone, now| of.note_pod(pod, is_gone, now)),
            ),
            (
                "/api/v1/persistentvolumes".to_owned(),
                String::new(),
                Box::new(move |of, pv, is_gone, now| {
                    if is_own(pv) {
                        of.note_volume(pv, is_gone, now);
                    }
                }),
            ),
            (
                "/apis/storage.k8s.io/v1/volumeattachments".to_owned(),
                String::new(),
                Box::new(|of, attachment, _, now| of.note_attachment(attachment, now)),
            ),
        ]
    }

    /// The present version of a collection; none if it may not be listed.
    async fn version(&self, of: Collection) -> Option<Since> {
        let listed = self.client().request(of.request("limit=1"));
        let listed = tokio::time::timeout(ANSWER, listed).await.ok()?.ok()?;
        let version = text(&listed, "/metadata/resourceVersion").to_owned();
        Some(Since { of, version })
    }
}

/// A selector in an address.
fn encoded(selector: &str) -> String {
    selector.replace('=', "%3D").replace(',', "%2C").replace('/', "%2F")
}

/// Objects of a kind, by their path and a query.
struct Collection {
    path: String,
    query: String,
}

impl Collection {
    fn request(&self, more: &str) -> Request<Vec<u8>> {
        let address = format!("{}?{}&{more}", self.path, self.query);
        Request::get(address).body(Vec::new()).unwrap_or_default()
    }
}

/// A collection from a version on.
struct Since {
    of: Collection,
    version: String,
}

/// Records events of objects after a version, until the watch is dropped.
async fn follow(client: ApiClient, since: Since, note: Note, moments: Arc<Mutex<VolumeMoments>>) {
    let Since { of, mut version } = since;
    loop {
        let address = of.request(&format!("watch=1&resourceVersion={version}"));
        let Ok(events) = client.events(address).await else { return };
        let mut events = std::pin::pin!(events);
        while let Ok(Some(event)) = events.try_next().await {
            let (object, is_gone) = match event {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => (object, false),
                WatchEvent::Deleted(object) => (object, true),
                WatchEvent::Bookmark(_) => continue,
                // The version is too old to go on from.
                WatchEvent::Error(_) => return,
            };
            text(&object, "/metadata/resourceVersion").clone_into(&mut version);
            let mut moments = moments.lock().unwrap_or_else(PoisonError::into_inner);
            note(&mut moments, &object, is_gone, Instant::now());
        }
        tokio::time::sleep(AGAIN).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn steps_lie_between_what_was_seen() {
        let begun = Instant::now();
        let at = |ms: u64| begun + Duration::from_millis(ms);
        let mut of = VolumeMoments::default();
        let pv = json!({"metadata": {"name": "pv"}});
        of.note_volume(&pv, false, at(100));
        of.note_claim(&json!({"status": {"phase": "Pending"}}), at(110));
        of.note_claim(
            &json!({"spec": {"volumeName": "pv"}, "status": {"phase": "Bound"}}),
            at(130),
        );
        let pod = json!({"spec": {"nodeName": "n"}});
        of.note_pod(&pod, false, at(150));
        let attachment = |of: &str| json!({"spec": {"source": {"persistentVolumeName": of}}, "status": {"attached": true}});
        of.note_attachment(&attachment("other"), at(160));
        of.note_attachment(&attachment("pv"), at(200));
        let mounted = json!({"spec": {"nodeName": "n"}, "status": {"conditions": [
            {"type": "PodReadyToStartContainers", "status": "True"},
        ]}});
        of.note_pod(&mounted, false, at(270));
        of.note_pod(&mounted, false, at(999));
        of.note_pod(&mounted, true, at(1000));
        of.note_volume(&pv, true, at(1500));
        let steps = of.steps(begun);
        let ms =
            [steps.provision, steps.bind, steps.restore, steps.attach, steps.mount, steps.delete];
        assert_eq!(ms.map(|step| step.unwrap().as_millis()), [100, 30, 130, 50, 70, 500]);
    }

    #[test]
    fn a_step_that_was_not_seen_has_no_time() {
        let begun = Instant::now();
        let mut of = VolumeMoments::default();
        of.note_claim(&json!({"status": {"phase": "Bound"}}), begun);
        let steps = of.steps(begun);
        assert_eq!((steps.provision, steps.bind, steps.attach), (None, None, None));
        assert_eq!((steps.mount, steps.delete), (None, None));
    }
}
