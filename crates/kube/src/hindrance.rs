//! Why pods do not run yet, from the cluster's data, in a sentence with advice.

use crate::cluster::{members, name, text};
use crate::objects::ARCHITECTURE_LABEL;
use fathom_text::{Text, text};
use serde_json::Value;

/// A reason that keeps pods from running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hindrance {
    /// The reason, and advice.
    pub sentence: Text,
    /// Whether waiting cannot help.
    pub is_final: bool,
}

/// Events of kubelets about volumes that cannot be mounted.
const MOUNT_EVENTS: [&str; 4] =
    ["FailedMount", "FailedAttachVolume", "FailedMapVolume", "VolumeFailedDelete"];
/// Reasons for which a container waits for ever.
const FINAL_REASONS: [&str; 8] = [
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
    "StartError",
    "CrashLoopBackOff",
];

/// What the scheduler says of nodes that the pod's selector or affinity excludes.
const UNFIT_NODES: &str = "node affinity/selector";

/// The most serious reason why these pods do not run; `events` are those of the run.
pub(crate) fn hindrance(pods: &[Value], claims: &[Value], events: &[Value]) -> Option<Hindrance> {
    let of_job = events.iter().filter(|event| text(event, "/involvedObject/kind") == "Job");
    let refused = of_job.filter_map(refusal).next_back();
    let ended = pods.iter().find_map(ended);
    let container = pods.iter().find_map(container);
    let all = [
        refused.filter(|_| pods.is_empty()),
        ended,
        container,
        claims.iter().find_map(|claim| unbound(claim, events)),
        mount(events, pods),
        pods.iter().find_map(unscheduled),
    ];
    let found: Vec<Hindrance> = all.into_iter().flatten().collect();
    found.iter().find(|of| of.is_final).or(found.first()).cloned()
}

fn waiting(sentence: Text) -> Option<Hindrance> {
    Some(Hindrance { sentence, is_final: false })
}

fn in_vain(sentence: Text) -> Option<Hindrance> {
    Some(Hindrance { sentence, is_final: true })
}

/// A Job whose pods are refused.
fn refusal(event: &Value) -> Option<Hindrance> {
    if text(event, "/reason") != "FailedCreate" {
        return None;
    }
    let message = text(event, "/message");
    let what = if message.contains("exceeded quota") {
        "ask for less by --size or --patch, or for more quota"
    } else if message.contains("PodSecurity") {
        "the namespace takes only pods without root: leave out --volume-mode Block, give \
         --run-as UID, or choose another --namespace"
    } else {
        "change the pod by --patch FILE"
    };
    in_vain(text!("the cluster lets no pod in: {message}; {what}"))
}

/// A pod that ended before anything ran in it.
fn ended(pod: &Value) -> Option<Hindrance> {
    let phase = text(pod, "/status/phase");
    if phase != "Failed" && phase != "Succeeded" {
        return None;
    }
    let state = members(pod, "/status/containerStatuses").find_map(|status| {
        let ended = status.pointer("/state/terminated")?;
        let code = ended["exitCode"].as_i64().unwrap_or_default();
        let said = [text(ended, "/reason"), text(ended, "/message")].join(" ");
        Some(format!("exit code {code}, {}", said.trim()))
    });
    let own = [text(pod, "/status/reason"), text(pod, "/status/message")].join(" ");
    let why = state.unwrap_or_else(|| own.trim().to_owned());
    in_vain(text!(
        "pod {} ended before it was measured: {why}; its image needs a shell at /bin/sh (--image)",
        name(pod)
    ))
}

/// A container that does not start.
fn container(pod: &Value) -> Option<Hindrance> {
    let states = members(pod, "/status/containerStatuses");
    let (reason, message) = states
        .filter_map(|status| status.pointer("/state/waiting"))
        .map(|state| (text(state, "/reason"), text(state, "/message")))
        .find(|(reason, _)| !matches!(*reason, "" | "ContainerCreating" | "PodInitializing"))?;
    let is_image = reason.contains("Image");
    let what = match is_image {
        true => "name an image that the node can pull by --image",
        false => "change the pod by --patch FILE, or its user by --run-as UID",
    };
    let sentence = text!("pod {} does not start: {reason}: {message}; {what}", name(pod));
    match FINAL_REASONS.contains(&reason) {
        true => in_vain(sentence),
        false => waiting(sentence),
    }
}

/// A claim without a volume, if an event gives the reason.
fn unbound(claim: &Value, events: &[Value]) -> Option<Hindrance> {
    let phase = text(claim, "/status/phase");
    if phase == "Lost" {
        return in_vain(text!(
            "claim {} has lost its volume {}; make a new one",
            name(claim),
            text(claim, "/spec/volumeName")
        ));
    }
    if phase == "Bound" {
        return None;
    }
    let own = events.iter().filter(|event| text(event, "/involvedObject/name") == name(claim));
    let mut own = own.filter(|event| {
        ["ProvisioningFailed", "ExternalProvisioning", "FailedBinding"]
            .contains(&text(event, "/reason"))
    });
    // A provisioner that failed goes on with normal events, which say less.
    let is_warning = |event: &&Value| text(event, "/type") == "Warning";
    let event = own.clone().rfind(is_warning).or_else(|| own.next_back())?;
    let what = match text(event, "/reason") {
        "ExternalProvisioning" => "see whether its provisioner runs",
        "FailedBinding" => "the class makes no volumes: make a PersistentVolume for it first",
        _ => "see the provisioner's log",
    };
    let (class, message) = (text(claim, "/spec/storageClassName"), text(event, "/message"));
    waiting(text!("claim {} of class {class} is not bound: {message}; {what}", name(claim)))
}

/// A volume that does not get to its pod.
fn mount(events: &[Value], pods: &[Value]) -> Option<Hindrance> {
    let is_ours = |event: &&Value| {
        MOUNT_EVENTS.contains(&text(event, "/reason"))
            && pods.iter().any(|pod| {
                text(event, "/involvedObject/name") == name(pod)
                    && text(pod, "/status/phase") == "Pending"
            })
    };
    let event = events.iter().rfind(is_ours)?;
    waiting(text!(
        "a volume does not get to pod {}: {}; see the storage driver's log on its node",
        text(event, "/involvedObject/name"),
        text(event, "/message")
    ))
}

/// The only architecture of nodes that a pod takes.
fn only_architecture(pod: &Value) -> Option<&str> {
    pod["spec"]["nodeSelector"][ARCHITECTURE_LABEL].as_str()
}

/// A pod without a node.
fn unscheduled(pod: &Value) -> Option<Hindrance> {
    let condition = members(pod, "/status/conditions").find(|condition| {
        text(condition, "/type") == "PodScheduled" && text(condition, "/status") == "False"
    })?;
    let message = text(condition, "/message");
    // A claim appears a moment after its pod.
    if message.contains("not found") {
        return None;
    }
    let what = if message.contains("topology spread constraints") {
        Text::from(
            "pods are spread evenly over nodes, and one of these takes no more: ask for fewer \
             --pods, or choose nodes that have the volume and room by --nodeselector",
        )
    } else if let Some(only) = only_architecture(pod).filter(|_| message.contains(UNFIT_NODES)) {
        let other = if only == "arm64" { "amd64" } else { "arm64" };
        text!(
            "pods take {only} nodes only, because no Fathom for others is here: bring one by \
             --agent-binary {other}=FILE, or choose nodes by --nodeselector"
        )
    } else {
        Text::from("choose nodes by --nodeselector, or add tolerations by --patch FILE")
    };
    waiting(text!("pod {} has no node: {message}; {what}", name(pod)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(kind: &str, name: &str, reason: &str, message: &str) -> Value {
        let of = json!({"kind": kind, "name": name});
        json!({"involvedObject": of, "reason": reason, "message": message})
    }

    fn pod(status: Value) -> Value {
        json!({"metadata": {"name": "p"}, "status": status})
    }

    fn waits(reason: &str) -> Value {
        pod(json!({"phase": "Pending", "containerStatuses": [
            {"state": {"waiting": {"reason": reason, "message": "why"}}},
        ]}))
    }

    #[test]
    fn a_namespace_that_lets_no_pod_in_is_final_and_says_what_to_do() {
        let said = |message: &str| {
            hindrance(&[], &[], &[event("Job", "j", "FailedCreate", message)]).unwrap()
        };
        let security = said("pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\"");
        assert!(security.is_final && security.sentence.contains("--run-as"), "{security:?}");
        let quota = said("exceeded quota: small");
        assert!(quota.is_final && quota.sentence.contains("--size"), "{quota:?}");
    }

    #[test]
    fn an_image_is_tried_again_once_and_then_given_up() {
        assert!(!hindrance(&[waits("ErrImagePull")], &[], &[]).unwrap().is_final);
        let given_up = hindrance(&[waits("ImagePullBackOff")], &[], &[]).unwrap();
        assert!(given_up.is_final && given_up.sentence.contains("--image"), "{given_up:?}");
        assert_eq!(hindrance(&[waits("ContainerCreating")], &[], &[]), None);
    }

    #[test]
    fn a_claim_waits_in_silence_for_its_first_consumer() {
        let claim = json!({"metadata": {"name": "c"}, "spec": {"storageClassName": "s"},
            "status": {"phase": "Pending"}});
        let first = event("PersistentVolumeClaim", "c", "WaitForFirstConsumer", "waiting");
        assert_eq!(hindrance(&[], std::slice::from_ref(&claim), &[first]), None);
        let nobody = event("PersistentVolumeClaim", "c", "ExternalProvisioning", "waiting for x");
        let said = hindrance(&[], &[claim], &[nobody]).unwrap();
        assert!(!said.is_final && said.sentence.contains("provisioner runs"), "{said:?}");
    }

    #[test]
    fn a_warning_outranks_what_is_normal_and_came_later() {
        let claim = json!({"metadata": {"name": "c"}, "status": {"phase": "Pending"}});
        let of = |kind: &str, reason: &str, message: &str| {
            let mut event = event("PersistentVolumeClaim", "c", reason, message);
            event["type"] = json!(kind);
            event
        };
        let events = [
            of("Warning", "ProvisioningFailed", "an old reason"),
            of("Warning", "ProvisioningFailed", "a folder is no raw device"),
            of("Normal", "ExternalProvisioning", "Waiting for a volume to be created"),
        ];
        let said = hindrance(&[], &[claim], &events).unwrap().sentence;
        assert!(said.contains("a folder is no raw device; see the provisioner's log"), "{said}");
    }

    #[test]
    fn what_is_final_comes_before_what_may_pass() {
        let condition = json!({"type": "PodScheduled", "status": "False", "message": "0/1 nodes"});
        let lost = json!({"metadata": {"name": "c"}, "status": {"phase": "Lost"}});
        let pending = pod(json!({"phase": "Pending", "conditions": [condition]}));
        let alone = hindrance(std::slice::from_ref(&pending), &[], &[]).unwrap();
        assert!(!alone.is_final && alone.sentence.contains("0/1 nodes"), "{alone:?}");
        assert!(hindrance(&[pending], &[lost], &[]).unwrap().is_final);
    }

    #[test]
    fn a_pod_that_cannot_be_spread_says_so() {
        let message = "0/2 nodes are available: 1 node(s) didn't match pod topology spread \
                       constraints, 1 Insufficient cpu.";
        let condition = json!({"type": "PodScheduled", "status": "False", "message": message});
        let pending = pod(json!({"phase": "Pending", "conditions": [condition]}));
        let said = hindrance(&[pending], &[], &[]).unwrap().sentence;
        assert!(said.contains("Insufficient cpu") && said.contains("fewer --pods"), "{said}");
    }

    #[test]
    fn nodes_of_another_architecture_are_named_with_what_brings_a_binary() {
        let message =
            "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.";
        let condition = json!({"type": "PodScheduled", "status": "False", "message": message});
        let mut pending = pod(json!({"phase": "Pending", "conditions": [condition]}));
        pending["spec"]["nodeSelector"]["kubernetes.io/arch"] = json!("amd64");
        let said = hindrance(std::slice::from_ref(&pending), &[], &[]).unwrap().sentence;
        assert!(said.contains("pods take amd64 nodes only"), "{said}");
        assert!(said.contains("--agent-binary arm64=FILE"), "{said}");
        pending["spec"] = json!({});
        let said = hindrance(&[pending], &[], &[]).unwrap().sentence;
        assert!(!said.contains("--agent-binary") && said.contains("tolerations"), "{said}");
    }

    #[test]
    fn a_pod_that_ended_says_how() {
        let status = json!({"phase": "Failed", "containerStatuses": [
            {"state": {"terminated": {"exitCode": 127, "reason": "StartError"}}},
        ]});
        let said = hindrance(&[pod(status)], &[], &[]).unwrap();
        assert!(said.is_final && said.sentence.contains("exit code 127, StartError"), "{said:?}");
        assert_eq!(hindrance(&[pod(json!({"phase": "Running"}))], &[], &[]), None);
    }
}
