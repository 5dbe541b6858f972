//! From the command line to agents in pods, and the removal of all objects.

use super::args::PodArgs;
use super::machine::{ClassSteps, KubeMachine, PodVolume};
use super::pod_programs::PodPrograms;
use crate::agent_binaries::agent_binaries;
use crate::cli_error::{CliError, CommonError};
use crate::output::show::{self, ShowArgs};
use crate::session::Session;
use crate::terminal::screen::{say, warn_line};
use crate::terminal::signals::EndSignal;
use fathom_campaign::{ClusterClaim, ClusterVolume, Machine};
use fathom_fleet::{FleetMachine, FleetNotice, FleetOptions, Via};
use fathom_kube::{
    AGENT_SCRIPT, ClaimOrder, Cluster, ClusterAccess, KubeError, PodClaim, PodOrder, PodPlace,
    RunId, RunPods, StartOptions, StartWatcher, TakenSnapshot, VolumeMode, VolumeSteps,
    VolumeWatch, claim, job, merged, read_patch, target_path, volume_name,
};
use fathom_run::Control;
use fathom_text::{Text, text};
use fathom_vocab::Target;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most bytes of a file with a patch.
const PATCH_BYTES: u64 = 1 << 20;
/// How long the removal of a run may take.
const REMOVAL: Duration = Duration::from_secs(120);

/// How long to wait for the last event of a removed volume.
const LAST_EVENT: Duration = Duration::from_secs(2);

/// The requirements for pods.
pub struct PodsOrder {
    /// The number of pods.
    pub pods: u32,
    /// Whether progress messages are suppressed.
    pub quiet: bool,
    /// A command's changes to the pod, before the user's.
    pub patch: Option<Value>,
    /// The snapshot that claims are made of; none for empty volumes.
    pub snapshot: Option<String>,
    /// How long pods wait for an agent before they end by themselves.
    pub idle: Duration,
    /// Whether the times of the only volume's steps are recorded.
    pub watched: bool,
    /// How long volumes of each class took.
    pub steps: ClassSteps,
}

impl PodsOrder {
    /// This number of pods, with default settings.
    pub fn of(pods: u32) -> PodsOrder {
        let idle = Duration::from_secs(600);
        PodsOrder {
            pods,
            quiet: false,
            patch: None,
            snapshot: None,
            idle,
            watched: false,
            steps: ClassSteps::new(),
        }
    }
}

/// A run in a cluster. Dropping it removes its objects.
pub struct ClusterRun {
    pub cluster: Cluster,
    run: RunId,
    /// Where pods find the volumes.
    pub targets: Vec<Target>,
    /// The pods and their claims.
    pub started: RunPods,
    /// The times of its volume's steps, if they are recorded.
    watch: Option<VolumeWatch>,
    /// How long volumes of each class took.
    steps: ClassSteps,
    is_quiet: bool,
    is_removed: bool,
}

/// Reports on standard error what pods wait for.
struct Watcher {
    control: Arc<Control>,
    /// Whether objects of the run may exist.
    has_made: bool,
}

impl Watcher {
    fn new(control: &Arc<Control>) -> Watcher {
        Watcher { control: control.clone(), has_made: false }
    }
}

impl StartWatcher for Watcher {
    fn notice(&mut self, sentence: &Text) {
        warn_line(text!("fathom: waiting: {sentence}"));
    }

    fn stopping(&self) -> bool {
        self.control.stopping()
    }

    fn made(&mut self) {
        self.has_made = true;
    }
}

/// Reports the state of pods on standard error.
struct Warnings {
    access: ClusterAccess,
    /// Pods by name.
    places: Vec<(String, PodPlace)>,
}

impl FleetNotice for Warnings {
    fn notice(&mut self, sentence: &str) {
        warn_line(format_args!("fathom: {sentence}"));
    }

    fn lost(&mut self, host: &str, sentence: &str) {
        self.notice(sentence);
        let place = self.places.iter().find(|(name, _)| name == host).map(|(_, place)| place);
        let Some(PodPlace { pod, node, .. }) = place else { return };
        // A connection only reports its end; the cluster may know the reason.
        match Cluster::connect(&self.access) {
            Ok(cluster) => self.notice(&format!("{host}: {}", cluster.fate(pod, node))),
            Err(why) => self.notice(&why.to_string()),
        }
    }
}

/// The options of a run.
fn start_options(args: &PodArgs, order: &PodsOrder) -> Result<StartOptions, CliError> {
    let pods = order.pods;
    let patch = match (&order.patch, patch(args)?) {
        (Some(own), Some(users)) => Some(merged(own.clone(), &users)),
        (own, users) => users.or_else(|| own.clone()),
    };
    let run = RunId::of(fathom_vocab::entropy());
    let mode = VolumeMode::from(args.volume_mode);
    let claim_order = |class: &String| ClaimOrder {
        class: class.clone(),
        size: args.claim_size.clone(),
        access: args.access.clone(),
        mode,
        snapshot: order.snapshot.clone(),
    };
    let new: Vec<(String, ClaimOrder)> =
        args.classes.iter().map(|class| (volume_name(class), claim_order(class))).collect();
    let (volumes, claims, own_claims) = match has_own_claims(args, pods) {
        true => (Vec::new(), Vec::new(), new),
        false => (volumes(args, &run), new, Vec::new()),
    };
    refuse_twice(args)?;
    let pods = PodOrder {
        volumes,
        own_claims,
        run,
        mode,
        pods,
        spares_others: args.min_pods.is_some(),
        image: args.image.clone(),
        node_selector: args.node_selector.iter().cloned().collect(),
        run_as: args.run_as,
        has_foreign_claims: !args.claim.is_empty(),
        architectures: architectures(args)?,
        deadline_s: args.deadline.as_secs().max(1),
        idle_s: order.idle.as_secs(),
        patch,
    };
    Ok(StartOptions { pods, claims, limit: args.wait })
}

/// Whether each pod has its own claims: several pods do, unless nodes may share a volume.
fn has_own_claims(args: &PodArgs, pods: u32) -> bool {
    pods > 1 && args.claim.is_empty() && args.access != "ReadWriteMany"
}

/// The claims of a run that all pods mount, with their mount names.
fn volumes(args: &PodArgs, run: &RunId) -> Vec<(String, String)> {
    let new = args.classes.iter().map(|class| {
        let volume = volume_name(class);
        (format!("{}-{volume}", run.job_name()), volume)
    });
    let old = args.claim.iter().map(|claim| (claim.clone(), volume_name(claim)));
    new.chain(old).collect()
}

fn refuse_twice(args: &PodArgs) -> Result<(), CliError> {
    let volumes: Vec<String> =
        args.classes.iter().chain(&args.claim).map(|name| volume_name(name)).collect();
    let is_twice = |at: &usize| volumes[..*at].contains(&volumes[*at]);
    match (0..volumes.len()).find(is_twice) {
        Some(at) => {
            Err(CliError::usage(text!("'{}' is named twice; name each volume once", volumes[at])))
        }
        None => Ok(()),
    }
}

/// The names of a run's pods as clients; object names differ from run to run.
pub fn pod_names(pods: u32) -> Vec<String> {
    (1..=pods).map(|at| format!("pod{at}")).collect()
}

/// The user's changes to the pod.
fn patch(args: &PodArgs) -> Result<Option<Value>, CliError> {
    let Some(path) = &args.patch else { return Ok(None) };
    let text = fathom_files::read(path, PATCH_BYTES).map_err(CommonError::named_file("--patch"))?;
    let patch = read_patch(path, &String::from_utf8_lossy(&text));
    Ok(Some(patch.map_err(KubeError::from)?))
}

/// The architectures of nodes that there is a Fathom for; none if the user chooses one.
fn architectures(args: &PodArgs) -> Result<Vec<String>, CliError> {
    if args.chooses_architecture() {
        return Ok(Vec::new());
    }
    let all = agent_binaries(&args.node_binaries)?.architectures();
    Ok(all.iter().map(|of| of.kubernetes_name().to_owned()).collect())
}

impl ClusterRun {
    /// Makes claims and pods, and puts the pods in the place of this machine.
    ///
    /// # Errors
    /// If they do not start; created objects are removed again.
    fn start(
        access: &ClusterAccess,
        args: &PodArgs,
        order: &PodsOrder,
        session: &mut Session,
    ) -> Result<ClusterRun, CliError> {
        let mut programs = PodPrograms::new(args)?;
        let mut run = ClusterRun::raise(access, args, order, session)?;
        for place in &run.started.pods {
            if session.control.stopping() {
                return Err(KubeError::Stopped.into());
            }
            run.cluster.install(&place.pod, programs.fitting(&run.cluster, place)?)?;
        }
        let started = run.started.clone();
        run.connect(access, args, &started, session)?;
        Ok(run)
    }

    /// Creates claims and pods, without starting Fathom in them.
    ///
    /// # Errors
    /// If they do not start; created objects are removed again.
    pub fn raise(
        access: &ClusterAccess,
        args: &PodArgs,
        order: &PodsOrder,
        session: &mut Session,
    ) -> Result<ClusterRun, CliError> {
        let options = start_options(args, order)?;
        let cluster = Cluster::connect(access)?;
        cluster.check(&options)?;
        // A signal from here on must not leave objects behind.
        session.listen()?;
        let mut run = ClusterRun {
            watch: order.watched.then(|| cluster.watch_volume(&options.pods.run)),
            steps: order.steps.clone(),
            cluster,
            run: options.pods.run.clone(),
            targets: Vec::new(),
            started: RunPods::default(),
            is_quiet: order.quiet,
            is_removed: false,
        };
        let mut watcher = Watcher::new(&session.control);
        let started = run.cluster.start(&options, &mut watcher);
        // Where nothing was made, nothing is to be removed.
        run.is_removed = !watcher.has_made;
        run.started = started?;
        run.tell(&run.started);
        Ok(run)
    }

    /// The only pod and its only claim.
    ///
    /// # Errors
    /// If there is none.
    pub fn only(&self) -> Result<(&PodPlace, &PodClaim), CliError> {
        match (self.started.pods.first(), self.started.claims.first()) {
            (Some(place), Some(claim)) => Ok((place, claim)),
            _ => Err(KubeError::Hindered("the pod has no volume".into()).into()),
        }
    }

    /// The durations of the only volume's steps so far.
    pub fn steps(&self) -> VolumeSteps {
        let seen = self.watch.as_ref().zip(self.started.claimed);
        seen.map(|(watch, claimed)| watch.moments().steps(claimed)).unwrap_or_default()
    }

    /// The same for a removed volume, whose last event may arrive after its removal.
    pub fn last_steps(&self) -> VolumeSteps {
        let begun = Instant::now();
        loop {
            let steps = self.steps();
            let is_whole = steps.delete.is_some() || steps.provision.is_none();
            if is_whole || begun.elapsed() > LAST_EVENT {
                return steps;
            }
            self.cluster.pause(Duration::from_millis(10));
        }
    }

    /// The size of the only claim, as the cluster has it now.
    ///
    /// # Errors
    /// If the cluster does not answer.
    pub fn size(&self) -> Result<String, CliError> {
        Ok(self.cluster.claim_size(&self.only()?.1.claim)?)
    }

    /// Makes the only claim larger; gives how long that took.
    ///
    /// # Errors
    /// If it is not larger in time.
    pub fn enlarge(&self, limit: Duration, control: &Arc<Control>) -> Result<Duration, CliError> {
        let watcher = Watcher::new(control);
        Ok(self.cluster.enlarge(&self.only()?.1.claim, limit, &watcher)?)
    }

    /// Takes a snapshot of the only claim.
    ///
    /// # Errors
    /// If it does not get ready in time.
    pub fn take_snapshot(
        &self,
        class: &str,
        limit: Duration,
        control: &Arc<Control>,
    ) -> Result<TakenSnapshot, CliError> {
        let claim = &self.only()?.1.claim;
        let watcher = Watcher::new(control);
        let owner = (&self.run, self.started.owner.as_str());
        Ok(self.cluster.take_snapshot(owner, (claim, class), limit, &watcher)?)
    }

    /// Starts the agents.
    fn connect(
        &mut self,
        access: &ClusterAccess,
        args: &PodArgs,
        started: &RunPods,
        session: &mut Session,
    ) -> Result<(), CliError> {
        let own = std::env::current_exe()
            .map_err(CliError::file("find", std::path::Path::new("/proc/self/exe")))?;
        let pipe = vec![own.display().to_string(), "kube".to_owned(), "pipe".to_owned()];
        let mut words = [pipe, access.words()].concat();
        let pods = started.pods.iter().map(|place| &place.pod);
        let hosts: Vec<String> = match started.pods.as_slice() {
            [place] => vec![place.pod.clone()],
            _ => pod_names(u32::try_from(started.pods.len()).unwrap_or(u32::MAX)),
        };
        let places = hosts.iter().cloned().zip(started.pods.iter().cloned());
        let warnings = Warnings { access: access.clone(), places: places.collect() };
        let names = hosts.iter().zip(pods).map(|(host, pod)| format!("{host}={pod}"));
        words.push(format!("--names={}", names.collect::<Vec<_>>().join(",")));
        words.extend(["{}", "--", "/bin/sh"].map(str::to_owned));
        let options = FleetOptions {
            via: Via::Command(words),
            hosts,
            agent: Some(AGENT_SCRIPT.to_owned()),
            min_clients: args.min_pods,
            fathom_version: env!("FATHOM_VERSION").to_owned(),
            ..FleetOptions::default()
        };
        let control = session.control.clone();
        let mut fleet = FleetMachine::connect(options, control, Box::new(warnings))?;
        session.system = fleet.system()?;
        let mode = VolumeMode::from(args.volume_mode);
        let volumes = by_volume(&started.claims);
        let volumes: Vec<_> = volumes.iter().map(|claims| self.named(claims, mode)).collect();
        self.targets = volumes.iter().map(|volume| volume.target.clone()).collect();
        session.machine = Box::new(KubeMachine::new(fleet, volumes));
        Ok(())
    }

    /// A volume of the pods, as documents name it.
    fn named(&self, claims: &[PodClaim], mode: VolumeMode) -> PodVolume {
        named(claims, mode, &self.started, &self.steps)
    }

    /// Prints the nodes and volumes of the pods.
    fn tell(&self, started: &RunPods) {
        if self.is_quiet {
            return;
        }
        warn_line(text!("fathom: run {}: {}", self.run, spread(started)));
        for claim in &started.claims {
            warn_line(format_args!("fathom: {}", provenance(claim)));
        }
    }

    /// Leaves the objects to the cluster, which removes them soon after the pod ended.
    pub fn leave(&mut self) {
        self.is_removed = true;
        warn_line(text!(
            "fathom: run {} stays; `fathom kube cleanup --run {0}` removes it",
            self.run
        ));
    }

    /// Removes the run; returns the exit code.
    pub fn remove(&mut self) -> u8 {
        if std::mem::replace(&mut self.is_removed, true) {
            return 0;
        }
        let mut notice = |sentence: &str| warn_line(text!("fathom: waiting: {sentence}"));
        match self.cluster.remove(&self.run, REMOVAL, &mut notice) {
            Ok(removed) => {
                removed.notes.iter().for_each(|of| warn_line(format_args!("fathom: {of}")));
                if !self.is_quiet && removed.objects > 0 {
                    let after_s = removed.gone_ms as f64 / 1e3;
                    warn_line(text!(
                        "fathom: run {} is removed from the cluster; that took {after_s:.1} s",
                        self.run
                    ));
                }
                0
            }
            Err(why) => {
                warn_line(text!(
                    "fathom: run {} is not removed: {why}; `fathom kube cleanup --run {0}` tries \
                     again, and the cluster removes it soon after its pod ends",
                    self.run
                ));
                1
            }
        }
    }
}

impl Drop for ClusterRun {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Claims of each volume: one, or one of each pod.
fn by_volume(claims: &[PodClaim]) -> Vec<&[PodClaim]> {
    claims.chunk_by(|one, other| one.volume == other.volume).collect()
}

/// Does `work` with this number of pods as the machine, and removes them afterwards, also after an
/// error.
///
/// # Errors
/// If pods did not start, or `work` failed.
pub fn in_pods(
    (access, args, order): (&ClusterAccess, &PodArgs, &PodsOrder),
    show: &ShowArgs,
    session: Session,
    work: impl FnOnce(&[Target], Session) -> Result<u8, CliError>,
) -> Result<u8, CliError> {
    if show.dry_run {
        return objects(args, order.pods);
    }
    with_pods((access, args), order, session, |run, session| work(&run.targets, session))
}

/// The same with pods according to `order`.
///
/// # Errors
/// If pods did not start, or `work` failed.
pub fn with_pods(
    (access, args): (&ClusterAccess, &PodArgs),
    order: &PodsOrder,
    mut session: Session,
    work: impl FnOnce(&mut ClusterRun, Session) -> Result<u8, CliError>,
) -> Result<u8, CliError> {
    let started = ClusterRun::start(access, args, order, &mut session);
    let mut run = match started {
        Ok(run) => run,
        Err(why) => return not_started(why, &session.stopped),
    };
    let done = work(&mut run, session);
    let removed = run.remove();
    done.map(|code| code.max(removed))
}

/// The objects that would be made, as `kubectl apply -f -` takes them.
fn objects(args: &PodArgs, pods: u32) -> Result<u8, CliError> {
    let order = PodsOrder::of(pods);
    let options = start_options(args, &order)?;
    let run = &options.pods.run;
    let mut items = vec![job(&options.pods)];
    items.extend(options.claims.iter().map(|(volume, order)| claim(run, volume, order, "")));
    let list = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": items});
    say(&(show::json(&list)? + "\n"));
    Ok(0)
}

/// The exit code of a command whose pods did not start: the signal's, if a signal was the reason.
pub fn not_started(why: CliError, stopped: &EndSignal) -> Result<u8, CliError> {
    match (why.cause(), stopped.exit_code()) {
        (Some(KubeError::Stopped), Some(code)) => {
            warn_line(text!("fathom: stopped before anything was measured"));
            Ok(code)
        }
        _ => Err(why),
    }
}

/// A claim that one pod has for itself, as documents have it.
fn own_claim(claim: &PodClaim) -> ClusterClaim {
    ClusterClaim {
        claim: claim.claim.clone(),
        volume: claim.pv.clone(),
        handle: claim.handle.clone(),
        bound_ms: claim.times.bound_ms,
    }
}

fn named(
    claims: &[PodClaim],
    mode: VolumeMode,
    started: &RunPods,
    steps: &ClassSteps,
) -> PodVolume {
    let claim = &claims[0];
    let nodes = started.pods.iter().map(|place| place.node.clone());
    let zone = started.pods.first().map(|place| place.zone.clone());
    let machine = started.pods.first().map(|place| place.machine.clone());
    let is_known = |text: &String| !text.is_empty();
    PodVolume {
        target: Target::from(target_path(mode, &claim.volume).as_str()),
        name: if claim.times.bound_ms.is_some() {
            claim.class.clone()
        } else {
            claim.claim.clone()
        },
        cluster: ClusterVolume {
            class: claim.class.clone(),
            provisioner: claim.provisioner.clone(),
            claim: claim.claim.clone(),
            volume: claim.pv.clone(),
            handle: claim.handle.clone(),
            size: claim.size.clone(),
            access: claim.access.clone(),
            mode: mode.word().to_owned(),
            nodes: nodes.collect(),
            zone: zone.filter(is_known),
            machine: machine.filter(is_known),
            bound_ms: claim.times.bound_ms,
            start_ms: claim.times.start_ms,
            claims: claims.iter().filter(|claim| claim.pod.is_some()).map(own_claim).collect(),
            steps: steps.get(&claim.class).cloned().unwrap_or_default(),
        },
    }
}

/// The number of pods on each node: `3 pods on 2 nodes: n1 2, n2 1`.
fn spread(started: &RunPods) -> String {
    let mut nodes: Vec<(&str, usize)> = Vec::new();
    for place in &started.pods {
        match nodes.iter_mut().find(|(node, _)| *node == place.node) {
            Some((_, count)) => *count += 1,
            None => nodes.push((&place.node, 1)),
        }
    }
    match (started.pods.as_slice(), nodes.as_slice()) {
        ([place], _) => format!("pod {} on node {}", place.pod, place.node),
        (pods, [(node, _)]) => format!("{} pods on one node, {node}", pods.len()),
        (pods, nodes) => {
            let each: Vec<String> =
                nodes.iter().map(|(node, count)| format!("{node} {count}")).collect();
            format!("{} pods on {} nodes: {}", pods.len(), nodes.len(), each.join(", "))
        }
    }
}

/// The source of a volume, and how long it took.
fn provenance(claim: &PodClaim) -> String {
    let seconds = |ms: Option<u64>| ms.map(|ms| format!("{:.1} s", ms as f64 / 1e3));
    let mut text = format!("claim {} of {}, {}", claim.claim, claim.class, claim.size);
    if !claim.provisioner.is_empty() {
        text += &format!(", by {}", claim.provisioner);
    }
    if !claim.pv.is_empty() {
        text += &format!(": volume {}", claim.pv);
    }
    if !claim.handle.is_empty() {
        text += &format!(" ({})", claim.handle);
    }
    if let Some(bound) = seconds(claim.times.bound_ms) {
        text += &format!("; bound after {bound}");
    }
    if let Some(start) = seconds(claim.times.start_ms) {
        text += &format!("; the pod ran {start} later");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(nodes: &[&str]) -> RunPods {
        let pod = |(at, node): (usize, &&str)| PodPlace {
            pod: format!("p{at}"),
            node: (*node).to_owned(),
            ..PodPlace::default()
        };
        RunPods { pods: nodes.iter().enumerate().map(pod).collect(), ..RunPods::default() }
    }

    #[test]
    fn it_is_said_how_pods_lie_on_nodes() {
        assert_eq!(spread(&on(&["n1"])), "pod p0 on node n1");
        assert_eq!(spread(&on(&["n1", "n1"])), "2 pods on one node, n1");
        assert_eq!(spread(&on(&["n1", "n2", "n1"])), "3 pods on 2 nodes: n1 2, n2 1");
    }
}
