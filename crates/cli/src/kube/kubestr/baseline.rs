//! `kubestr` alone: three checks of the cluster, and its storage provisioners.

use super::{StatusCode, TestOutput, TestPrinter, styled};
use crate::cli_error::CliError;
use crate::terminal::stdout;
use fathom_kube::{ClassSurvey, Cluster, ClusterAccess, ClusterSurvey};
use fathom_vocab::printable;
use serde_json::{Value, json};

/// The oldest version that is known to work, as major and minor.
const OLDEST: (u64, u64) = (1, 12);

/// Examines the cluster and prints the findings.
pub fn check(access: &ClusterAccess, out: &TestPrinter) -> Result<u8, CliError> {
    let cluster = Cluster::connect(access)?;
    let version = cluster.object("/version")?.unwrap_or_default();
    let groups = cluster.object("/apis")?.unwrap_or_default();
    let group = |name: &str| {
        let all = groups["groups"].as_array();
        all.into_iter().flatten().find(|group| group["name"] == name).cloned()
    };
    let rbac = group("rbac.authorization.k8s.io");
    let layer = cluster.object("/apis/apiregistration.k8s.io/v1")?;
    let layer =
        layer.map(|of| json!({"groupVersion": of["groupVersion"], "resources": of["resources"]}));
    let results = [
        TestOutput::of("Kubernetes Version Check", valid_version(version)),
        TestOutput::of(
            "RBAC Check",
            enabled(rbac, "Kubernetes RBAC is enabled", "Kubernetes RBAC is not enabled"),
        ),
        TestOutput::of(
            "Aggregated Layer Check",
            enabled(
                layer,
                "The Kubernetes Aggregated Layer is enabled",
                "Can not detect the Aggregated Layer. Is it enabled?",
            ),
        ),
    ];
    if out.is_json {
        return out.print(&results);
    }
    for result in &results {
        stdout::say(&format!("{}\n", result.text(out.colour)));
    }
    stdout::say(&provisioners(&cluster.survey()?, out.colour));
    Ok(0)
}

fn enabled(found: Option<Value>, good: &str, bad: &str) -> (StatusCode, String, Option<Value>) {
    match found {
        Some(object) => (StatusCode::OK, good.to_owned(), Some(object)),
        None => (StatusCode::Error, bad.to_owned(), None),
    }
}

fn valid_version(version: Value) -> (StatusCode, String, Option<Value>) {
    let number = |field: &str| -> u64 {
        let text = version[field].as_str().unwrap_or_default();
        text.trim_end_matches('+').parse().unwrap_or_default()
    };
    let name = version["gitVersion"].as_str().unwrap_or_default().to_owned();
    match (number("major"), number("minor")) >= OLDEST {
        true => (StatusCode::OK, format!("Valid kubernetes version ({name})"), Some(version)),
        false => {
            let why =
                format!("Current kubernetes version ({name}) is not supported. Minimum version is");
            (StatusCode::Error, format!("{why} v1.12.0"), None)
        }
    }
}

/// The provisioners, each with its classes.
fn provisioners(survey: &ClusterSurvey, colour: bool) -> String {
    let mut names: Vec<&str> = survey.classes.iter().map(|of| of.provisioner.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut text = "Available Storage Provisioners:\n\n".to_owned();
    for name in names {
        let own: Vec<&ClassSurvey> =
            survey.classes.iter().filter(|of| of.provisioner == name).collect();
        let heading = format!("  {}:", printable::line(name));
        text += &format!("{}\n", styled(32, &heading, colour));
        text += &provisioner(name, &own);
        text += "\n";
    }
    text
}

fn provisioner(name: &str, classes: &[&ClassSurvey]) -> String {
    let kind = match name {
        _ if classes.iter().any(|class| class.is_csi) => "This is a CSI driver!",
        in_tree if in_tree.starts_with("kubernetes.io") => "This is an in tree provisioner.",
        csi if csi.contains("csi") => "This might be a CSI Driver. But it is not publicly listed.",
        _ => "Unknown driver type.",
    };
    let mut text = format!("    {kind}\n\n");
    text += "    Storage Classes:\n";
    for class in classes {
        text += &format!("      * {}\n", printable::line(&class.name));
    }
    let mut snapshots: Vec<&String> =
        classes.iter().flat_map(|class| &class.snapshot_classes).collect();
    snapshots.dedup();
    if !snapshots.is_empty() {
        text += "    Volume Snapshot Classes:\n";
    }
    for class in &snapshots {
        text += &format!("      * {}\n", printable::line(class));
    }
    text += "\n    To perform a FIO test, run-\n      ./kubestr fio -s <storage class>\n\n    \
             To perform a check for block device support, run-\n      \
             ./kubestr blockmount -s <storage class>\n";
    if !snapshots.is_empty() {
        text += "\n    To test CSI snapshot/restore functionality, run-\n      \
                 ./kubestr csicheck -s <storage class> -v <volume snapshot class>\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_are_refused() {
        let of = |major: &str, minor: &str| {
            valid_version(json!({"major": major, "minor": minor, "gitVersion": "v"})).0
                == StatusCode::OK
        };
        assert!(of("1", "33") && of("1", "12+") && of("2", "0"));
        assert!(!of("1", "11"));
    }

    #[test]
    fn classes_are_listed_by_who_provisions_them() {
        let class = |name: &str, provisioner: &str| ClassSurvey {
            name: name.to_owned(),
            is_default: false,
            provisioner: provisioner.to_owned(),
            is_csi: false,
            binding: String::new(),
            reclaim: String::new(),
            expands: false,
            snapshot_classes: Vec::new(),
            promise: None,
        };
        let survey = ClusterSurvey {
            classes: vec![class("b", "x"), class("a", "kubernetes.io/y"), class("c", "x")],
            ..ClusterSurvey::default()
        };
        let text = provisioners(&survey, false);
        let first = "  kubernetes.io/y:\n    This is an in tree provisioner.\n\n    \
                     Storage Classes:\n      * a\n";
        assert!(text.contains(first), "{text}");
        assert!(text.contains("    Storage Classes:\n      * b\n      * c\n"), "{text}");
        assert!(text.contains("\n      ./kubestr fio -s <storage class>\n"), "{text}");
    }
}
