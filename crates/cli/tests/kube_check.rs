//! `fathom kube check` of a class whose promise is known, and `kubectl fathom` by kubectl itself.

use crate::devices::need;
use crate::kube::{SHORT, Space, small_subject};
use serde_json::Value;
use std::os::unix::fs::symlink;

/// A class as a cloud has it, whose volumes are made by hand: nobody provisions any here.
struct CloudClass<'a> {
    space: &'a Space,
    name: String,
}

impl CloudClass<'_> {
    fn new(space: &Space) -> CloudClass<'_> {
        let name = format!("gp3-{}", space.name);
        space.apply(&format!(
            "{{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {{name: {name}}}, \
              provisioner: ebs.csi.aws.com, parameters: {{type: gp3, iops: \"4000\"}}, \
              volumeBindingMode: WaitForFirstConsumer, reclaimPolicy: Retain}}"
        ));
        CloudClass { space, name }
    }

    /// What a check of a new volume comes to.
    fn check(&self, at: usize, more: &str) -> (Option<i32>, Value, String) {
        let volume = format!("{}-{at}", self.name);
        self.space.folder_volume_of((&self.name, "16Gi"), &volume, "ReadWriteOnce");
        let times = "--size 16Gi --file-size 16m --time-per-run 2s --json";
        let outcome = self.space.fathom(&format!("check -s {} {times} {more}", self.name));
        self.space.kubectl(&["delete", "pv", &volume, "--wait=false"]);
        assert_eq!(self.space.objects(), "");
        (outcome.code, outcome.json(), outcome.stderr)
    }
}

impl Drop for CloudClass<'_> {
    fn drop(&mut self) {
        let _ = self.space.command(&["delete", "storageclass", &self.name]).output();
    }
}

#[test]
fn a_class_is_held_to_the_promise_of_its_provider_with_an_exit_code() {
    let Some(space) = need(Space::new("check")) else { return };
    let class = CloudClass::new(&space);
    // What this machine's disk gives is not known; that document and exit code agree is.
    let (code, document, told) = class.check(1, "");
    let codes = [("kept", 0), ("missed", 3), ("could_not_tell", 5)];
    let standing = document["standing"].as_str().unwrap();
    assert!(codes.contains(&(standing, code.unwrap())), "{standing} {code:?}");
    let promise = &document["basis"]["promise"];
    assert_eq!((&promise["volume"], &promise["read"]["iops"]), (&"aws.gp3".into(), &4000.0.into()));
    assert!(told.contains("parameters say that this is aws.gp3"), "{told}");
    assert_eq!(document["volume"]["cluster"]["provisioner"], "ebs.csi.aws.com", "{document:#}");
    let (code, document, _) = class.check(2, "--iops 1 --read-only");
    assert_eq!((code, &document["standing"]), (Some(0), &"kept".into()), "{}", document["gate"]);
    let (code, document, _) = class.check(3, "--iops 90000000 --read-only");
    // Where others use the CPUs, the host may be what missed it.
    let standing = document["standing"].as_str().unwrap();
    assert!(codes[1..].contains(&(standing, code.unwrap())), "{standing} {code:?}");
}

#[test]
fn kubectl_runs_it_as_a_plugin() {
    let Some(space) = need(Space::new("plugin")) else { return };
    symlink(small_subject(), space.sandbox.root().join("bin/kubectl-fathom")).unwrap();
    let kubectl = |line: &str| {
        let words = ["kubectl", "fathom"].into_iter().chain(line.split_whitespace());
        let outcome =
            space.sandbox.start_program(crate::kube::script(), &words.collect::<Vec<_>>()).finish();
        outcome.assert_no_panic();
        outcome
    };
    let survey = kubectl("--json");
    survey.assert_success();
    assert_eq!(survey.json()["kind"], "fathom-kube");
    let measured =
        kubectl(&format!("measure -s local-path {SHORT} --namespace {} --json", space.name));
    measured.assert_ended(0);
    assert_eq!(measured.json()["phases"].as_array().unwrap().len(), 8);
    space.assert_nothing_left();
    // Its exit codes are ours.
    kubectl("measure").assert_ended(2);
    let refused = kubectl(&format!("measure -s gp4 --namespace {}", space.name));
    refused.assert_ended(1);
    assert!(refused.stderr.contains("no StorageClass gp4"), "{}", refused.stderr);
}
