//! What happened to a pod whose agent was lost: according to the cluster, in a sentence with
//! advice.

use crate::cluster::kinds::{EVENTS, PODS};
use crate::cluster::{Cluster, members, name, text};
use crate::error::KubeError;
use serde_json::Value;
use std::time::{Duration, Instant};

/// How long a cluster may take to notice a fault after the connection broke.
const NOTICED: Duration = Duration::from_secs(4);
/// The interval of checks of a pod.
const LOOK: Duration = Duration::from_millis(200);
/// Events that give the reason for a pod's removal.
const REASONS: [&str; 6] = [
    "Evicted",
    "Preempted",
    "TaintManagerEviction",
    "NodeNotReady",
    "DeadlineExceeded",
    "OOMKilling",
];

impl Cluster {
    /// What happened to a pod on this node whose connection was lost.
    pub fn fate(&self, pod: &str, node: &str) -> String {
        let begun = Instant::now();
        loop {
            let known = self.known_fate(pod, node);
            match known {
                Ok(Some(sentence)) => return sentence,
                Ok(None) if begun.elapsed() > NOTICED => {
                    return format!(
                        "the cluster still has pod {pod} as running on node {node}: see that \
                         node's kubelet, and the network to it"
                    );
                }
                Ok(None) => self.pause(LOOK),
                Err(why) => return why.to_string(),
            }
        }
    }

    fn known_fate(&self, pod: &str, node: &str) -> Result<Option<String>, KubeError> {
        let object = self.get(&format!("pod {pod}"), &self.path(PODS, pod))?;
        let path = self.path(EVENTS, "") + "?fieldSelector=involvedObject.name%3D" + pod;
        let events = self.list("events", &path, "").unwrap_or_default();
        let own = fate(pod, object.as_ref(), &events);
        // Without the right to read nodes, nothing is known of them.
        let node = || self.get("node", &format!("/api/v1/nodes/{node}")).ok().flatten();
        Ok(own.or_else(|| node().as_ref().and_then(unready)))
    }
}

/// The fault of a pod; none if it runs normally.
fn fate(pod: &str, object: Option<&Value>, events: &[Value]) -> Option<String> {
    let is_reason = |event: &&Value| REASONS.contains(&text(event, "/reason"));
    let event = events
        .iter()
        .rfind(is_reason)
        .map(|event| format!(" ({}: {})", text(event, "/reason"), text(event, "/message")));
    let event = event.unwrap_or_default();
    let Some(object) = object else {
        return Some(format!(
            "pod {pod} is gone: somebody or something deleted it{event}; see who drains nodes or \
             deletes pods in this namespace"
        ));
    };
    // Its containers end because of that.
    if !text(object, "/metadata/deletionTimestamp").is_empty() {
        return Some(format!(
            "pod {pod} is being deleted, and not by this run{event}; see who drains nodes or \
             deletes pods in this namespace"
        ));
    }
    let own = [text(object, "/status/reason"), text(object, "/status/message")].join(" ");
    if let Some(ended) = members(object, "/status/containerStatuses")
        .find_map(|status| status.pointer("/state/terminated"))
    {
        return Some(of_container(pod, ended, &own));
    }
    let is_failed = text(object, "/status/phase") == "Failed";
    is_failed.then(|| format!("the cluster ended pod {pod}: {}{event}", own.trim()))
}

/// How a pod's container ended.
fn of_container(pod: &str, ended: &Value, own: &str) -> String {
    let code = ended["exitCode"].as_i64().unwrap_or_default();
    let said = [text(ended, "/reason"), text(ended, "/message"), own].join(" ");
    let what = match text(ended, "/reason") {
        "OOMKilled" => {
            "; it had too little memory: raise its limit by --patch FILE, or ask for fewer jobs"
        }
        _ => "",
    };
    format!("pod {pod} ended with exit code {code}, {}{what}", said.trim())
}

/// Why a node is not ready; none if it is.
fn unready(node: &Value) -> Option<String> {
    let ready = members(node, "/status/conditions").find(|of| of["type"] == "Ready")?;
    (ready["status"] != "True").then(|| {
        format!(
            "node {} is not ready: {}; see whether the machine and its kubelet run",
            name(node),
            text(ready, "/message")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_pod_that_was_deleted_or_evicted_says_so() {
        let gone = fate("p", None, &[]).unwrap();
        assert!(gone.starts_with("pod p is gone: somebody or something deleted it; "), "{gone}");
        let event = json!({"reason": "Preempted", "message": "by pod q"});
        let gone = fate("p", None, &[event]).unwrap();
        assert!(gone.contains("deleted it (Preempted: by pod q); "), "{gone}");
        let going = json!({"metadata": {"deletionTimestamp": "now"}});
        assert!(fate("p", Some(&going), &[]).unwrap().contains("is being deleted"));
        let ended = json!({"terminated": {"exitCode": 0, "reason": "Completed"}});
        let going = json!({"metadata": {"deletionTimestamp": "now"},
                           "status": {"containerStatuses": [{"state": ended}]}});
        assert!(fate("p", Some(&going), &[]).unwrap().contains("is being deleted"));
        let evicted =
            json!({"status": {"phase": "Failed", "reason": "Evicted", "message": "disk"}});
        assert_eq!(
            fate("p", Some(&evicted), &[]).unwrap(),
            "the cluster ended pod p: Evicted disk"
        );
        assert_eq!(fate("p", Some(&json!({"status": {"phase": "Running"}})), &[]), None);
    }

    #[test]
    fn a_container_without_memory_is_told_what_to_do() {
        let state = json!({"terminated": {"exitCode": 137, "reason": "OOMKilled"}});
        let pod = json!({"status": {"phase": "Failed", "containerStatuses": [{"state": state}]}});
        let said = fate("p", Some(&pod), &[]).unwrap();
        assert!(said.contains("exit code 137, OOMKilled") && said.contains("--patch"), "{said}");
    }

    #[test]
    fn a_node_that_is_not_ready_is_named_with_its_reason() {
        let node = |status: &str| {
            let ready = json!({"type": "Ready", "status": status, "message": "no word of it"});
            json!({"metadata": {"name": "n"}, "status": {"conditions": [ready]}})
        };
        assert_eq!(unready(&node("True")), None);
        assert!(unready(&node("Unknown")).unwrap().contains("n is not ready: no word of it"));
    }
}
