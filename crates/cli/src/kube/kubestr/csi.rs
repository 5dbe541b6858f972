//! `kubestr csicheck`: do snapshots of a class keep data?

use super::args::KubestrCsiArgs;
use super::{StatusCode, TestOutput, TestPrinter, pod_args};
use crate::cli_error::CliError;
use crate::kube::check_csi::{CsiListener, CsiOrder, CsiStep, exercise};
use crate::kube::pods::not_started;
use crate::session::Session;
use fathom_kube::{Cluster, ClusterAccess};
use serde_json::{Value, json};
use std::time::Duration;

/// How long each step may take.
const STEP_LIMIT: Duration = Duration::from_secs(300);

/// Checks the class and prints the result.
pub fn check(
    access: &ClusterAccess,
    args: &KubestrCsiArgs,
    out: &TestPrinter,
    mut session: Session,
) -> Result<u8, CliError> {
    let mut pods = pod_args(&args.storageclass, "1Gi", &args.image);
    pods.run_as = Some(args.run_as_user).filter(|user| *user > 0);
    pods.wait = STEP_LIMIT;
    let order = CsiOrder {
        pods: &pods,
        snapshot_class: Some(&args.volumesnapshotclass),
        stays: !args.cleanup,
    };
    let mut teller = Teller { out, cluster: Cluster::connect(access)?, raw: json!({}) };
    let done = exercise(access, &order, &mut session, &mut teller);
    let raw = teller.raw;
    let (code, done) = match done {
        Ok((_, code)) => {
            let message = "CSI application successfully snapshotted and restored.".to_owned();
            (code, (StatusCode::OK, message, Some(raw)))
        }
        Err(why) => {
            let message = why.to_string();
            // Stopped: nothing is known of the class.
            if let Ok(code) = not_started(why, &session.stopped) {
                return Ok(code);
            }
            (1, (StatusCode::Error, message, Some(raw)))
        }
    };
    let written = out.print(&[TestOutput::of("CSI checker test", done)])?;
    Ok(code.max(written))
}

/// Reports steps in kubestr's words, and stores the names of created objects.
struct Teller<'a> {
    out: &'a TestPrinter,
    cluster: Cluster,
    raw: Value,
}

impl Teller<'_> {
    fn keep(&mut self, (pod, claim): (&str, &str), made: &Value) {
        let namespace = self.cluster.namespace();
        for (key, kind, of) in [(pod, "pods", "pod"), (claim, "persistentvolumeclaims", "claim")] {
            let name = made[of].as_str().unwrap_or_default();
            let path = format!("/api/v1/namespaces/{namespace}/{kind}/{name}");
            let object = self.cluster.object(&path).ok().flatten().unwrap_or_default();
            self.raw[key] = object;
        }
    }
}

impl CsiListener for Teller<'_> {
    fn begun(&mut self, step: CsiStep) {
        self.out.tell(match step {
            CsiStep::Create => "Creating application",
            CsiStep::Snapshot => "Taking a snapshot",
            CsiStep::Restore => "Restoring application",
            CsiStep::Remove => "Cleaning up resources",
        });
    }

    fn made(&mut self, step: CsiStep, object: &Value) {
        let name = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
        match step {
            CsiStep::Create => {
                self.out.tell(&created("Created", &name("pod"), &name("claim")));
                self.keep(("OriginalPod", "OriginalPVC"), object);
            }
            CsiStep::Snapshot => {
                let name = object["metadata"]["name"].as_str().unwrap_or_default();
                self.out.tell(&format!("  -> Created snapshot ({name})"));
                self.raw["Snapshot"] = object.clone();
            }
            CsiStep::Restore => {
                self.out.tell(&created("Restored", &name("pod"), &name("claim")));
                self.keep(("ClonedPod", "ClonedPVC"), object);
            }
            CsiStep::Remove => {}
        }
    }
}

fn created(verb: &str, pod: &str, claim: &str) -> String {
    format!("  -> {verb} pod ({pod}) and pvc ({claim})")
}
