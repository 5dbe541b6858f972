//! `fathom kube` without one of the rights of docs/kube-rbac.yaml: what cannot go on names the right
//! and the command that grants it, what can goes on, and nothing stays behind.

use crate::devices::need;
use crate::kube::{SHORT, Space, wait_until, with_rights};
use crate::sandbox::Outcome;
use std::fs;
use std::path::Path;

/// docs/kube-rbac.yaml, each of whose rules is a line.
fn rights() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kube-rbac.yaml");
    fs::read_to_string(file).unwrap()
}

/// The rights without some verbs of a resource, as `pods list,watch`.
fn without(rights: &str, withheld: &str) -> String {
    let (resource, verbs) = withheld.split_once(' ').unwrap();
    let is_of = |line: &str| line.starts_with("- {") && has(line, "resources: [", resource);
    let lines = rights.lines().map(|line| match is_of(line) {
        false => line.to_owned(),
        true => {
            let (head, tail) = line.split_once("verbs: [").unwrap();
            let (of, end) = tail.split_once(']').unwrap();
            let kept: Vec<&str> =
                of.split(", ").filter(|verb| verbs.split(',').all(|gone| gone != *verb)).collect();
            // A rule needs a verb.
            let kept = if kept.is_empty() { vec!["deletecollection"] } else { kept };
            format!("{head}verbs: [{}]{end}", kept.join(", "))
        }
    });
    let edited = lines.collect::<Vec<_>>().join("\n");
    assert_ne!(edited, *rights.trim_end(), "{withheld} is no right of docs/kube-rbac.yaml");
    edited
}

/// Whether a list in a rule has a member.
fn has(line: &str, list: &str, member: &str) -> bool {
    let of = line.split_once(list).and_then(|(_, tail)| tail.split_once(']'));
    of.is_some_and(|(members, _)| members.split(", ").any(|of| of == member))
}

/// Gives the account of a namespace other rights.
fn grant(space: &Space, rights: &str) {
    let own = format!("fathom-{}", space.name);
    space.apply(
        &rights
            .replace("namespace: default", &format!("namespace: {}", space.name))
            .replace("metadata: {name: fathom}", &format!("metadata: {{name: {own}}}"))
            .replace("kind: ClusterRole, name: fathom", &format!("kind: ClusterRole, name: {own}")),
    );
}

/// Waits until the server knows that the account has rights, or has them no more.
fn wait_for_rights(space: &Space, (rights, is_had): (&str, bool)) {
    let (resource, verbs) = rights.split_once(' ').unwrap();
    // Behind a slash kubectl expects a name.
    let (kind, part) = resource.split_once('/').unwrap_or((resource, ""));
    let (part, account) = (
        format!("--subresource={part}"),
        format!("--as=system:serviceaccount:{}:fathom", space.name),
    );
    for verb in verbs.split(',') {
        wait_until("the server knows the rights", || {
            let args = ["auth", "can-i", verb, kind, &part, &account, "-n", &space.name];
            space.command(&args).output().unwrap().status.success() == is_had
        });
    }
}

/// What a command line comes to without a right.
fn outcome(space: &Space, withheld: &str, line: &str) -> Outcome {
    grant(space, &without(&rights(), withheld));
    wait_for_rights(space, (withheld, false));
    space.fathom(line)
}

/// The same, which the right ends.
fn refusal(space: &Space, withheld: &str, line: &str) -> String {
    let outcome = outcome(space, withheld, line);
    outcome.assert_ended(1);
    // A volume may come after its claim was removed, and is then removed as well.
    wait_until("the cluster removes what its Job owned", || {
        space.objects().is_empty() && space.volumes().is_empty()
    });
    outcome.stderr
}

/// The command that grants a right, as it is told.
fn granting(said: &str) -> String {
    let begin = said.find("`kubectl create ").unwrap_or_else(|| panic!("{said}")) + 1;
    let length = said[begin..].find('`').unwrap();
    said[begin..begin + length].to_owned()
}

#[test]
fn a_right_that_is_needed_is_named_with_the_command_that_grants_it() {
    let Some(mut space) = need(Space::new("needed")) else { return };
    with_rights(&mut space, &rights());
    let measure = format!("measure -s local-path {SHORT}");
    let namespace = format!("in namespace {} is missing", space.name);
    for (withheld, named, line) in [
        ("jobs create", "create jobs.batch", measure.as_str()),
        ("pods list", "list pods", measure.as_str()),
        ("persistentvolumeclaims create", "create persistentvolumeclaims", measure.as_str()),
        ("persistentvolumeclaims list", "list persistentvolumeclaims", measure.as_str()),
        ("configmaps get", "get configmaps", "run -f configmap/jobs -s local-path"),
        (
            "persistentvolumeclaims patch",
            "patch persistentvolumeclaims",
            "measure -s csi --volumes 1 --size 64Mi",
        ),
        (
            "volumesnapshots create",
            "create volumesnapshots.snapshot.storage.k8s.io",
            "check-csi -s csi -v snapclass",
        ),
    ] {
        let said = refusal(&space, withheld, line);
        let right = format!("the right `{named}` {namespace}: `kubectl create role ");
        assert!(said.contains(&right), "{withheld}: {said}");
        assert!(said.contains(&format!("--serviceaccount={}:fathom", space.name)), "{said}");
    }
    let withheld = "storageclasses get,list";
    let survey = outcome(&space, withheld, "");
    survey.assert_ended(1);
    let right = "the right `list storageclasses.storage.k8s.io` for the cluster is missing: ";
    assert!(survey.stderr.contains(right), "{}", survey.stderr);
}

#[test]
fn the_command_that_is_told_grants_the_right() {
    let Some(mut space) = need(Space::new("granted")) else { return };
    with_rights(&mut space, &rights());
    let line = format!("measure -s local-path --rw randread {SHORT}");
    let said = refusal(&space, "pods/exec create,get", &line);
    assert!(said.contains("the right `get pods/exec` in namespace"), "{said}");
    for command in granting(&said).split(" && ") {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        space.kubectl(&words);
    }
    wait_for_rights(&space, ("pods/exec get", true));
    space.fathom(&line).assert_ended(0);
    space.assert_nothing_left();
}

#[test]
fn without_rights_that_are_not_needed_a_class_is_measured_and_all_is_removed() {
    let Some(mut space) = need(Space::new("spare")) else { return };
    with_rights(&mut space, &rights());
    // Only the Job itself can be removed and nothing else be seen than pods and claims.
    let mut least = rights();
    let spare = [
        "events list",
        "jobs list",
        "pods delete",
        "persistentvolumeclaims delete",
        "volumesnapshots list",
        "storageclasses get,list",
        "persistentvolumes get,list",
        "nodes get",
        "configmaps get",
    ];
    for withheld in spare {
        least = without(&least, withheld);
    }
    grant(&space, &least);
    for withheld in spare {
        wait_for_rights(&space, (withheld, false));
    }
    let outcome = space.fathom(&format!("measure -s local-path {SHORT} --json"));
    outcome.assert_ended(0);
    let document = outcome.json();
    assert_eq!(document["phases"].as_array().unwrap().len(), 8);
    assert_eq!(document["volumes"][0]["name"], "local-path");
    wait_until("the volume is gone", || space.volumes().is_empty());
    space.assert_nothing_left();
}

#[test]
fn who_may_not_remove_a_job_is_told_and_has_the_result_and_no_pod() {
    let Some(mut space) = need(Space::new("keeps")) else { return };
    with_rights(&mut space, &rights());
    let line = format!("measure -s local-path {SHORT} --json");
    let outcome = outcome(&space, "jobs delete", &line);
    outcome.assert_ended(1);
    assert_eq!(outcome.json()["phases"].as_array().unwrap().len(), 8);
    assert!(outcome.stderr.contains("the right `delete jobs.batch` in"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("the cluster removes it soon after"), "{}", outcome.stderr);
    wait_until("its pod and claim are gone", || {
        let objects = space.objects();
        objects.lines().all(|of| of.starts_with("job")) && space.volumes().is_empty()
    });
    let jobs = ["delete", "jobs", "--all", "-n", &space.name];
    space.kubectl(&jobs);
    space.assert_nothing_left();
}
