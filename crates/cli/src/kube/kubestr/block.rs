//! `kubestr blockmount`: does a class give raw devices? The proof is a pod that runs with one.

use super::args::KubestrBlockArgs;
use super::{StatusCode, TestOutput, TestPrinter, go, pod_args};
use crate::cli_error::CliError;
use crate::kube::args::{KubeCleanupArgs, VolumeModeArg};
use crate::kube::cleanup::cleanup;
use crate::kube::pods::{ClusterRun, PodsOrder, with_pods};
use crate::session::Session;
use fathom_kube::{Cluster, ClusterAccess, volume_name};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Where the pod has the device.
const DEVICE: &str = "/mnt/block";

/// Checks the class and prints the result.
pub fn mount(
    access: &ClusterAccess,
    args: &KubestrBlockArgs,
    out: &TestPrinter,
    session: Session,
) -> Result<u8, CliError> {
    if args.cleanup_only {
        return cleanup(access, &KubeCleanupArgs { run: None, all: false, dry_run: false });
    }
    let class = &args.storageclass;
    let attempted = attempt(access, args, out, session);
    let (code, done) = match attempted {
        Ok((0, object)) => {
            let message = format!("StorageClass ({class}) supports Block VolumeMode");
            (0, (StatusCode::OK, message, Some(json!({"StorageClass": object}))))
        }
        // Stopped: nothing is known of the class.
        Ok((code, _)) => return Ok(code),
        Err(why) => {
            out.complain(&why);
            let message =
                format!("StorageClass ({class}) does not appear to support Block VolumeMode");
            (1, (StatusCode::Error, message, Some(Value::Null)))
        }
    };
    let written = out.print(&[TestOutput::of("Block VolumeMode test", done)])?;
    Ok(code.max(written))
}

fn attempt(
    access: &ClusterAccess,
    args: &KubestrBlockArgs,
    out: &TestPrinter,
    session: Session,
) -> Result<(u8, Value), CliError> {
    let class = &args.storageclass;
    out.tell(&format!("Fetching StorageClass {class} ..."));
    let object = Cluster::connect(access)?.class(class)?;
    out.tell(&format!(" -> Provisioner: {}", object["provisioner"].as_str().unwrap_or_default()));
    out.tell("Provisioning a Volume for block mode access ...");
    let mut pods = pod_args(class, &args.pvc_size, &args.image);
    pods.volume_mode = VolumeModeArg::Block;
    pods.wait = Duration::from_secs(u64::from(args.wait_timeout.max(1)));
    pods.run_as = Some(args.run_as_user).filter(|user| *user > 0);
    let device = json!({"name": format!("v-{}", volume_name(class)), "devicePath": DEVICE});
    let patch = json!({"spec": {"containers": [{"name": "fathom", "volumeDevices": [device]}]}});
    let order = PodsOrder { quiet: true, patch: Some(patch), ..PodsOrder::of(1) };
    let begun = Instant::now();
    let code = with_pods((access, &pods), &order, session, |run, _| {
        tell_pod(run, args, begun.elapsed(), out);
        if args.cleanup {
            return Ok(told_removal(run, args, out));
        }
        run.leave();
        out.tell("Resources were not cleaned up");
        Ok(0)
    })?;
    Ok((code, object))
}

/// Removes the run with kubestr's messages; returns the exit code.
fn told_removal(run: &mut ClusterRun, args: &KubestrBlockArgs, out: &TestPrinter) -> u8 {
    let name = &args.namespace;
    for place in &run.started.pods {
        out.tell(&format!("Deleting Pod {name}/{} ...", place.pod));
    }
    let begun = Instant::now();
    let code = run.remove();
    if code == 0 {
        let took = go::duration(whole_millis(begun.elapsed()));
        out.tell(&format!(" -> Deleted pod ({took})"));
        for claim in &run.started.claims {
            out.tell(&format!("Deleting PVC {name}/{} ...", claim.claim));
        }
        out.tell(&format!(" -> Deleted PVC ({took})"));
    }
    code
}

fn whole_millis(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

fn tell_pod(run: &ClusterRun, args: &KubestrBlockArgs, took: Duration, out: &TestPrinter) {
    let name = &args.namespace;
    for claim in &run.started.claims {
        let bound = Duration::from_millis(claim.times.bound_ms.unwrap_or_default());
        out.tell(&format!(" -> Created PVC {name}/{} ({})", claim.claim, go::duration(bound)));
    }
    out.tell("Creating a Pod with a volumeDevice ...");
    for place in &run.started.pods {
        out.tell(&format!(" -> Created Pod {name}/{}", place.pod));
    }
    let limit = Duration::from_secs(u64::from(args.wait_timeout));
    out.tell(&format!(" -> Waiting at most {} for Pod to become ready ...", go::duration(limit)));
    out.tell(&format!(" -> Pod ready ({})", go::duration(whole_millis(took))));
}
