//! `kubestr fio`: jobs of fio's on a volume of a class, from a file or built in.

use super::args::KubestrFioArgs;
use super::{StatusCode, TestOutput, TestPrinter, go, pod_args, results};
use crate::cli_error::{CliError, CommonError};
use crate::kube::jobs::{read_jobs, run_jobs};
use crate::kube::pods::{ClusterRun, PodsOrder, with_pods};
use crate::session::Session;
use fathom_job::Invocation;
use fathom_kube::{Cluster, ClusterAccess, volume_name};
use fathom_output::OutputOptions;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use tempfile::TempDir;

/// Where jobs find the volume.
const FOLDER: &str = "/dataset";
/// The most bytes of a job file.
const JOB_FILE_BYTES: u64 = 16 << 20;
/// The default test.
const USUAL_TEST: &str = "default-fio";
/// The common beginning of both built-in tests.
const GLOBAL: &str = "[global]\nrandrepeat=0\nverify=0\nioengine=libaio\ndirect=1\ngtod_reduce=1\n";

/// A test of fio's.
struct FioTest {
    name: String,
    text: String,
}

/// Runs the test and prints its result.
pub fn run(
    access: &ClusterAccess,
    args: &KubestrFioArgs,
    out: &TestPrinter,
    session: Session,
) -> Result<u8, CliError> {
    const NAME: &str = "FIO test results";
    let mut done = None;
    let code = match attempt(access, args, out, session, &mut done) {
        Ok(code) => code,
        Err(why) => {
            out.complain(&why);
            done.get_or_insert((StatusCode::Error, why.to_string(), Some(Value::Null)));
            1
        }
    };
    // A stopped test has no result.
    let Some((status, message, raw)) = done else { return Ok(code) };
    let failed = u8::from(status == StatusCode::Error);
    let written = out.print(&[TestOutput::of(NAME, (status, message, raw))])?;
    Ok(code.max(failed).max(written))
}

fn attempt(
    access: &ClusterAccess,
    args: &KubestrFioArgs,
    out: &TestPrinter,
    session: Session,
    done: &mut Option<(StatusCode, String, Option<Value>)>,
) -> Result<u8, CliError> {
    let test = test(args)?;
    let invocation = jobs(&test, &session)?;
    let cluster = Cluster::connect(access)?;
    let class = cluster.class(&args.storageclass)?;
    let mut pods = pod_args(&args.storageclass, &args.size, &args.image);
    pods.node_selector.clone_from(&args.nodeselector);
    let order =
        PodsOrder { quiet: true, patch: Some(patch(&args.storageclass)), ..PodsOrder::of(1) };
    with_pods((access, &pods), &order, session, |run, mut session| {
        tell_start(run, args, &test, out);
        let begun = Instant::now();
        let result = run_jobs(&invocation, &mut session)?;
        out.tell(&format!("Elapsed time- {}", go::duration(begun.elapsed())));
        session.release();
        if let Some(code) = session.stopped.exit_code() {
            return Ok(code);
        }
        let failure = result.jobs.iter().find(|job| job.error.is_error());
        let failure = failure
            .map(|job| format!("Failed while running FIO test.: {}: {}", job.name, job.error_text));
        let fio = fathom_output::json(&result, &OutputOptions::default());
        let text = format!("\n{}", results::text(&fio));
        let raw = json!({
            "size": args.size, "storageClass": class, "fioConfig": test.text, "result": fio,
        });
        *done = Some(match failure {
            None => (StatusCode::OK, text, Some(raw)),
            Some(why) => (StatusCode::Error, why, Some(raw)),
        });
        Ok(0)
    })
}

fn tell_start(run: &ClusterRun, args: &KubestrFioArgs, test: &FioTest, out: &TestPrinter) {
    for claim in &run.started.claims {
        out.tell(&format!("PVC created {}", claim.claim));
    }
    for place in &run.started.pods {
        out.tell(&format!("Pod created {}", place.pod));
    }
    out.tell(&format!(
        "Running FIO test ({}) on StorageClass ({}) with a PVC of Size ({})",
        test.name, args.storageclass, args.size
    ));
}

/// The mount path that kubestr uses, and the label that its users search for.
fn patch(class: &str) -> Value {
    let mount = json!({"name": format!("v-{}", volume_name(class)), "mountPath": FOLDER});
    json!({
        "metadata": {"labels": {"createdbyfio": "true"}},
        "spec": {"containers": [{"name": "fathom", "volumeMounts": [mount]}]},
    })
}

/// The test that was named, else the usual one.
fn test(args: &KubestrFioArgs) -> Result<FioTest, CliError> {
    if let Some(path) = &args.fiofile {
        let text = fathom_files::read(path, JOB_FILE_BYTES)
            .map_err(CommonError::named_file("--fiofile"))?;
        return Ok(FioTest {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            text: String::from_utf8_lossy(&text).into_owned(),
        });
    }
    let name = args.testname.as_deref().unwrap_or(USUAL_TEST);
    let text = built_in(name).ok_or_else(|| {
        CliError::usage(format!(
            "FIO job not found- ({name}); there are default-fio and randrw, or name a file by -f"
        ))
    })?;
    Ok(FioTest { name: name.to_owned(), text })
}

/// A test that is built in.
fn built_in(name: &str) -> Option<String> {
    let timed = "time_based\nramp_time=2s\nruntime=15s\n";
    let jobs = match name {
        USUAL_TEST => [
            ("read_iops", "4K", "randread"),
            ("write_iops", "4K", "randwrite"),
            ("read_bw", "128K", "randread"),
            ("write_bw", "128k", "randwrite"),
        ]
        .iter()
        .zip(1..)
        .map(|((name, bs, rw), at)| {
            format!("[job{at}]\nname={name}\nbs={bs}\niodepth=64\nsize=2G\nreadwrite={rw}\n{timed}")
        })
        .collect::<String>(),
        "randrw" => format!(
            "[job1]\nname=rand_readwrite\nbs=4K\niodepth=64\nsize=4G\nreadwrite=randrw\n\
             rwmixread=75\n{timed}"
        ),
        _ => return None,
    };
    Some(format!("{GLOBAL}{jobs}"))
}

/// The jobs, as kubestr has fio read them.
fn jobs(test: &FioTest, session: &Session) -> Result<Invocation, CliError> {
    let folder = std::env::temp_dir();
    let failed = CliError::file("write a file in", &folder);
    let own = TempDir::new().map_err(&failed)?;
    // A test's name may contain characters that our file names do not.
    let path = own.path().join(Path::new(&test.name).file_name().unwrap_or("jobs".as_ref()));
    let written = std::fs::File::create(&path);
    written.and_then(|mut file| file.write_all(test.text.as_bytes())).map_err(&failed)?;
    let words = ["--directory", FOLDER, &path.display().to_string(), "--output-format=json"];
    read_jobs(&words.map(str::to_owned), session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_tests_are_those_of_kubestr() {
        let usual = built_in(USUAL_TEST).unwrap();
        assert!(usual.contains("[job4]\nname=write_bw\nbs=128k\niodepth=64\nsize=2G\n"), "{usual}");
        assert_eq!(usual.matches("time_based").count(), 4);
        let mixed = built_in("randrw").unwrap();
        assert!(mixed.contains("size=4G\nreadwrite=randrw\nrwmixread=75\n"), "{mixed}");
        assert!(built_in("other").is_none());
    }

    #[test]
    fn the_volume_is_mounted_where_kubestr_has_it() {
        let patch = patch("gp3.Fast");
        let mounts = &patch["spec"]["containers"][0]["volumeMounts"];
        assert_eq!(mounts[0], json!({"name": "v-gp3-fast", "mountPath": "/dataset"}));
    }
}
