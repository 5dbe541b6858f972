//! From an order to running pods: creates objects, and reports what they wait for.

use crate::claims::PodClaim;
use crate::cluster::kinds::{CLAIMS, EVENTS, JOBS, PODS};
use crate::cluster::{Cluster, members, name, text};
use crate::error::KubeError;
use crate::hindrance::{Hindrance, hindrance};
use crate::names::VOLUME_LABEL;
use crate::objects::{ClaimOrder, PodOrder, claim, job};
use fathom_text::Text;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The interval of checks of the objects.
const LOOK: Duration = Duration::from_millis(200);
/// How long pods may wait for normal events without a report.
const USUAL: Duration = Duration::from_secs(4);
/// Access modes for several nodes at once.
const SHARED_MODES: [&str; 2] = ["ReadWriteMany", "ReadOnlyMany"];
/// How long a server that does not answer is retried.
const UNANSWERED: Duration = Duration::from_secs(30);

/// Observes the start of pods.
pub trait StartWatcher {
    /// Takes a sentence on the present wait, once for each new reason.
    fn notice(&mut self, sentence: &Text);
    /// Whether a stop was requested.
    fn stopping(&self) -> bool;
    /// From now on there may be objects of the run.
    fn made(&mut self) {}
}

/// The pods to run, and how long they may take to start.
#[derive(Clone, Debug, PartialEq)]
pub struct StartOptions {
    /// The pods.
    pub pods: PodOrder,
    /// The claims to create, by their mount names.
    pub claims: Vec<(String, ClaimOrder)>,
    /// How long pods may take to run.
    pub limit: Duration,
}

impl StartOptions {
    /// Claims that were there before.
    fn foreign_claims(&self) -> impl Iterator<Item = &str> {
        let is_new = |volume: &str| self.claims.iter().any(|(new, _)| new == volume);
        let foreign = self.pods.volumes.iter().filter(move |(_, volume)| !is_new(volume));
        foreign.map(|(claim, _)| claim.as_str())
    }

    /// The mount name of a claim.
    fn volume_of<'a>(&'a self, claim: &'a Value) -> Option<&'a str> {
        let label = format!("/metadata/labels/{}", VOLUME_LABEL.replace('/', "~1"));
        let foreign = self.pods.volumes.iter().find(|(of, _)| of == name(claim));
        match (foreign, text(claim, &label)) {
            (Some((_, volume)), _) => Some(volume),
            (None, "") => None,
            (None, volume) => Some(volume),
        }
    }
}

/// A pod that runs, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodPlace {
    /// The pod.
    pub pod: String,
    /// Its node.
    pub node: String,
    /// The node's zone; empty if it has none.
    pub zone: String,
    /// The node's instance type; empty if unknown.
    pub machine: String,
}

/// The pods of a run, and their volumes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunPods {
    /// Pods that run: the first of each node, then the second of each, so that the first few are
    /// spread over nodes as all are.
    pub pods: Vec<PodPlace>,
    /// The claims that they mount, each pod's own in the order of pods.
    pub claims: Vec<PodClaim>,
    /// The identity of the Job that owns them.
    pub owner: String,
    /// When it was requested.
    pub claimed: Option<Instant>,
}

/// A run's objects at one moment.
struct RunObjects {
    pods: Vec<Value>,
    claims: Vec<Value>,
    events: Vec<Value>,
}

/// When events were first seen.
#[derive(Default)]
struct Moments {
    /// Of each claim by name.
    bound_ms: BTreeMap<String, u64>,
    placed_ms: Option<u64>,
    running_ms: Option<u64>,
}

impl Cluster {
    /// Checks the prerequisites of a run, without creating anything.
    ///
    /// # Errors
    /// If the cluster does not answer, or has no such class or claim.
    pub fn check(&self, options: &StartOptions) -> Result<(), KubeError> {
        for (_, order) in options.claims.iter().chain(&options.pods.own_claims) {
            self.check_class(&order.class)?;
        }
        self.check_nodes(&options.pods.node_selector)?;
        options.foreign_claims().try_for_each(|claim| self.check_claim(claim, options.pods.pods))
    }

    fn check_claim(&self, claim: &str, pods: u32) -> Result<(), KubeError> {
        let what = format!("claim {claim}");
        let Some(object) = self.get(&what, &self.path(CLAIMS, claim))? else {
            let why = format!("namespace {} has none of that name", self.namespace());
            return Err(KubeError::NotFound { what, why });
        };
        let is_shared = members(&object, "/spec/accessModes")
            .any(|mode| SHARED_MODES.iter().any(|of| mode == of));
        match pods > 1 && !is_shared {
            true => Err(KubeError::NotShared { claim: claim.to_owned(), pods }),
            false => Ok(()),
        }
    }

    /// Creates the objects of a run, and waits until its pods run. If that fails the objects still
    /// exist: [`Cluster::remove`] removes them.
    ///
    /// # Errors
    /// If an object is refused, or the pods do not start.
    pub fn start(
        &self,
        options: &StartOptions,
        watcher: &mut dyn StartWatcher,
    ) -> Result<RunPods, KubeError> {
        let run = &options.pods.run;
        let what = format!("job {} in namespace {}", run.job_name(), self.namespace());
        let job = self.create(&what, &self.path(JOBS, ""), &job(&options.pods));
        if job.as_ref().err().is_none_or(KubeError::is_passing) {
            watcher.made();
        }
        let job = job.map_err(|why| self.without_namespace(why))?;
        let owner = text(&job, "/metadata/uid").to_owned();
        let begun = Instant::now();
        for (volume, order) in &options.claims {
            let claim = claim(run, volume, order, &owner);
            let what = format!("claim {} of class {}", name(&claim), order.class);
            self.create(&what, &self.path(CLAIMS, ""), &claim)?;
        }
        let (objects, moments) = self.wait(options, begun, watcher)?;
        let places = self.places(&objects.pods);
        Ok(RunPods {
            claims: self.claims_of(&places, &objects.claims, options, &moments),
            pods: places,
            owner,
            claimed: Some(begun),
        })
    }

    /// The same error, or that there is no such namespace.
    fn without_namespace(&self, why: KubeError) -> KubeError {
        match why {
            KubeError::NotFound { why, .. } if why.starts_with("namespaces ") => {
                KubeError::NoNamespace(self.namespace().to_owned())
            }
            other => other,
        }
    }

    /// Refuses labels that no node has: pods would wait in vain.
    fn check_nodes(&self, labels: &BTreeMap<String, String>) -> Result<(), KubeError> {
        let labels: Vec<String> =
            labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if labels.is_empty() {
            return Ok(());
        }
        let labels = labels.join(",");
        match self.list("nodes", "/api/v1/nodes", &labels) {
            Ok(nodes) if nodes.is_empty() => Err(KubeError::NoNode(labels)),
            // A user may choose nodes without the right to read them.
            Ok(_) | Err(KubeError::Forbidden { .. }) => Ok(()),
            Err(why) => Err(why),
        }
    }

    pub(crate) fn check_class(&self, class: &str) -> Result<(), KubeError> {
        let path = "/apis/storage.k8s.io/v1/storageclasses";
        match self.get("StorageClass", &format!("{path}/{class}")) {
            Ok(None) => {
                let classes = self.list("StorageClasses", path, "").unwrap_or_default();
                let known: Vec<&str> = classes.iter().map(name).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                Err(KubeError::NoClass { class: class.to_owned(), known })
            }
            // A user may use classes without the right to read them.
            Ok(Some(_)) | Err(KubeError::Forbidden { .. }) => Ok(()),
            Err(why) => Err(why),
        }
    }

    fn look(&self, options: &StartOptions) -> Result<RunObjects, KubeError> {
        let (run, volumes) = (&options.pods.run, &options.pods.volumes);
        let pods = self.list("pods", &self.path(PODS, ""), &run.selector())?;
        let mut claims = Vec::new();
        if !options.claims.is_empty() || !options.pods.own_claims.is_empty() {
            claims = self.list("claims", &self.path(CLAIMS, ""), &run.selector())?;
        }
        for claim in options.foreign_claims() {
            claims.extend(self.get(&format!("claim {claim}"), &self.path(CLAIMS, claim))?);
        }
        let all = match self.list("events", &self.path(EVENTS, ""), "") {
            // Without events only some messages are missing.
            Err(KubeError::Forbidden { .. }) => Vec::new(),
            all => all?,
        };
        let is_ours = |event: &Value| {
            let of = text(event, "/involvedObject/name");
            of.starts_with(&run.job_name()) || volumes.iter().any(|(claim, _)| claim == of)
        };
        Ok(RunObjects { pods, claims, events: all.into_iter().filter(is_ours).collect() })
    }

    fn wait(
        &self,
        options: &StartOptions,
        begun: Instant,
        watcher: &mut dyn StartWatcher,
    ) -> Result<(RunObjects, Moments), KubeError> {
        let order = &options.pods;
        let mut moments = Moments::default();
        let (mut patience, mut answered) = (Patience::new(), Instant::now());
        loop {
            if watcher.stopping() {
                return Err(KubeError::Stopped);
            }
            let objects = match self.look(options) {
                Ok(objects) => objects,
                Err(why) if why.is_passing() && answered.elapsed() < UNANSWERED => {
                    self.pause(LOOK);
                    continue;
                }
                Err(why) => return Err(why),
            };
            answered = Instant::now();
            moments.note(&objects, order.pods, begun.elapsed());
            if moments.running_ms.is_some() {
                return Ok((objects, moments));
            }
            let found = hindrance(&objects.pods, &objects.claims, &objects.events);
            if let Some(found) = found {
                patience.take(found, watcher)?;
            }
            if begun.elapsed() > options.limit {
                return Err(too_slow(options, &patience.sentence));
            }
            self.pause(LOOK);
        }
    }

    fn places(&self, pods: &[Value]) -> Vec<PodPlace> {
        let mut nodes: BTreeMap<&str, Value> = BTreeMap::new();
        let mut places = Vec::new();
        for pod in pods {
            let node_name = text(pod, "/spec/nodeName");
            // Nodes belong to no namespace: who may not see them still knows the name.
            let node = nodes.entry(node_name).or_insert_with(|| {
                let node = self.get("node", &format!("/api/v1/nodes/{node_name}"));
                node.ok().flatten().unwrap_or_default()
            });
            let label = |label: &str| {
                text(node, &format!("/metadata/labels/{}", label.replace('/', "~1"))).to_owned()
            };
            places.push(PodPlace {
                pod: name(pod).to_owned(),
                node: node_name.to_owned(),
                zone: label("topology.kubernetes.io/zone"),
                machine: label("node.kubernetes.io/instance-type"),
            });
        }
        in_turns(places)
    }

    fn claims_of(
        &self,
        places: &[PodPlace],
        claims: &[Value],
        options: &StartOptions,
        moments: &Moments,
    ) -> Vec<PodClaim> {
        let known = |kind: &str, name: &str| {
            let object = (!name.is_empty()).then(|| self.get(kind, &format!("{kind}/{name}")));
            object.and_then(|object| object.ok().flatten()).unwrap_or_default()
        };
        let mut all = Vec::new();
        for claim in claims {
            let Some(volume) = options.volume_of(claim) else { continue };
            let pv = known("/api/v1/persistentvolumes", text(claim, "/spec/volumeName"));
            let class = text(claim, "/spec/storageClassName");
            let class = known("/apis/storage.k8s.io/v1/storageclasses", class);
            let mut of = PodClaim::of(volume, claim, &pv, &class);
            let is_new = options.foreign_claims().all(|foreign| foreign != of.claim);
            of.times.bound_ms = moments.bound_ms.get(&of.claim).copied().filter(|_| is_new);
            of.times.start_ms = moments.start_ms();
            all.push(of);
        }
        let orders = options.claims.iter().chain(&options.pods.own_claims).map(|(of, _)| of);
        let names = orders.chain(options.pods.volumes.iter().map(|(_, of)| of));
        let volumes: Vec<&String> = names.collect();
        all.sort_by_key(|of| {
            let pod = places.iter().position(|place| Some(&place.pod) == of.pod.as_ref());
            (volumes.iter().position(|volume| **volume == of.volume), pod)
        });
        all
    }
}

/// Pods in the order of clients: one on each node before a second on any.
fn in_turns(mut places: Vec<PodPlace>) -> Vec<PodPlace> {
    places.sort_by(|one, other| (&one.node, &one.pod).cmp(&(&other.node, &other.pod)));
    let turn = |at: usize| places[..at].iter().filter(|of| of.node == places[at].node).count();
    let turns: Vec<usize> = (0..places.len()).map(turn).collect();
    let mut placed: Vec<(usize, PodPlace)> = turns.into_iter().zip(places).collect();
    placed.sort_by_key(|(turn, _)| *turn);
    placed.into_iter().map(|(_, place)| place).collect()
}

/// The present wait of pods, and whether it was reported.
struct Patience {
    sentence: Text,
    since: Instant,
    is_noticed: bool,
}

impl Patience {
    fn new() -> Patience {
        Patience { sentence: Text::default(), since: Instant::now(), is_noticed: false }
    }

    /// Reports a hindrance that lasts; a final one is an error.
    fn take(&mut self, found: Hindrance, watcher: &mut dyn StartWatcher) -> Result<(), KubeError> {
        if found.is_final {
            return Err(KubeError::Hindered(found.sentence));
        }
        if found.sentence != self.sentence {
            *self = Patience { sentence: found.sentence, ..Patience::new() };
        }
        if !self.is_noticed && self.since.elapsed() > USUAL {
            watcher.notice(&self.sentence);
            self.is_noticed = true;
        }
        Ok(())
    }
}

impl Moments {
    fn note(&mut self, objects: &RunObjects, pods: u32, since: Duration) {
        let now_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        for claim in objects.claims.iter().filter(|of| text(of, "/status/phase") == "Bound") {
            self.bound_ms.entry(name(claim).to_owned()).or_insert(now_ms);
        }
        let are_all = |is: fn(&Value) -> bool| {
            objects.pods.len() >= pods as usize && objects.pods.iter().all(is)
        };
        if are_all(|pod| !text(pod, "/spec/nodeName").is_empty()) {
            self.placed_ms.get_or_insert(now_ms);
        }
        if are_all(|pod| text(pod, "/status/phase") == "Running") {
            self.running_ms.get_or_insert(now_ms);
        }
    }

    /// From the last of node and volumes to pods that run.
    fn start_ms(&self) -> Option<u64> {
        let bound_ms = self.bound_ms.values().copied().max().unwrap_or_default();
        Some(self.running_ms?.saturating_sub(self.placed_ms?.max(bound_ms)))
    }
}

fn too_slow(options: &StartOptions, said: &str) -> KubeError {
    let why = match said {
        "" => "nothing says why; see `kubectl describe job,pod,pvc` (--wait gives more time)",
        said => said,
    };
    KubeError::TooSlow {
        run: options.pods.run.to_string(),
        limit_s: options.limit.as_secs(),
        why: why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_pods_are_spread_over_nodes_as_all_are() {
        let place = |(pod, node): (&str, &str)| PodPlace {
            pod: pod.to_owned(),
            node: node.to_owned(),
            ..PodPlace::default()
        };
        let pods = [("a", "n2"), ("b", "n1"), ("c", "n1"), ("d", "n2"), ("e", "n3")];
        let taken = in_turns(pods.into_iter().map(place).collect());
        let names: Vec<&str> = taken.iter().map(|place| place.pod.as_str()).collect();
        assert_eq!(names, ["b", "a", "e", "c", "d"]);
    }
}
