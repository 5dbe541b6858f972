//! Every command that cases A to D and the providers publish, run as published with its sizes and
//! times cut: exit code 0, nothing on standard error, output of fio's shape, I/O in the
//! directions asked for and in no other.
//!
//! The commands are data, one file each in `corpus/` (see `case_file`). `FATHOM_CORPUS=word` runs
//! only the cases with that word in their name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use crate::case_file::{Case, Form, Stand};
use crate::devices::{LoopDevice, Mount, need};
use crate::sandbox::{Outcome, Sandbox, parse_document};
use crate::{shape_json, shape_text};

/// Cases of one family that run at the same time: they wait for time or device, not for a core.
const AT_ONCE: usize = 3;

macro_rules! families {
    ($($family:ident: $start:literal),* $(,)?) => {
        $(#[test] fn $family() { run_family($start); })*
        const FAMILIES: &[&str] = &[$($start),*];
    };
}

families! {
    case_a_a_clouds_volumes: "a-",
    case_b_a_pods_nvme: "b-",
    case_c_a_file_service: "c-",
    case_d_a_storage_class: "d-",
    kubestrs_built_in_jobs: "kubestr-",
    dbench: "dbench-",
    yabs: "yabs-",
    azure: "azure-",
    google: "google-",
    aws: "aws-",
    oracle_cloud: "oracle-",
    alibaba: "alibaba-",
    tencent: "tencent-",
    naver: "manvscloud-",
    selectel: "selectel-",
    ceph: "ceph-",
    etcd: "etcd-",
    virtual_client: "virtualclient-",
    perfkit: "perfkit-",
    habits_of_scripts: "habit-",
}

#[test]
fn every_case_belongs_to_one_family() {
    let mut used = BTreeSet::new();
    for case in Case::all() {
        let family: Vec<_> = FAMILIES.iter().filter(|f| case.name.starts_with(**f)).collect();
        assert_eq!(family.len(), 1, "{} belongs to {family:?}", case.name);
        used.insert(*family[0]);
    }
    assert_eq!(used.len(), FAMILIES.len(), "a family without a case");
}

fn run_family(start: &str) {
    let only = std::env::var("FATHOM_CORPUS").unwrap_or_default();
    let wanted = |case: &Case| case.name.starts_with(start) && case.name.contains(&only);
    let queue = Mutex::new(Case::all().into_iter().filter(wanted));
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some(case) = next else { break };
                    if let Err(why) = run_case(&case) {
                        failures.lock().unwrap().push(format!("== {}: {why}", case.name));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

fn run_case(case: &Case) -> Result<(), String> {
    let sandbox = Sandbox::new();
    let Some((script, _devices)) = prepare(case, &sandbox) else { return Ok(()) };
    let outcome = sandbox.shell(&script);
    if std::env::var_os("FATHOM_CORPUS_TIMES").is_some() {
        println!("{:6.2} s  {}", outcome.wall.as_secs_f64(), case.name);
    }
    outcome.success()?;
    let text = match &case.output {
        None => outcome.stdout.clone(),
        Some(_) if !outcome.stdout.is_empty() => {
            return Err(outcome.describe("standard output is not empty under --output"));
        }
        Some(name) => fs::read_to_string(sandbox.work().join(name)).map_err(|e| e.to_string())?,
    };
    check_shape(case, &text).map_err(|why| format!("{}\n{text}", describe(&outcome, &why)))
}

fn describe(outcome: &Outcome, why: &str) -> String {
    format!("{why}\n  command: {}", outcome.shown)
}

/// Puts folders, devices and files in the place of the publisher's; `None` where a part is missing.
fn prepare(case: &Case, sandbox: &Sandbox) -> Option<(String, Vec<LoopDevice>)> {
    let (mut script, mut files) = (case.script.clone(), case.files.clone());
    let mut devices = Vec::new();
    for (from, stand) in &case.paths {
        let to = match stand {
            Stand::Device(size_bytes) => {
                let device = need(LoopDevice::new(sandbox.root(), *size_bytes))?;
                let text = device.text();
                devices.push(device);
                text
            }
            Stand::Folder => made(&sandbox.work().join(from.trim_start_matches('/')), true),
            Stand::File => made(&sandbox.work().join(from.trim_start_matches('/')), false),
        };
        script = script.replace(from.as_str(), &to);
        for (name, content) in &mut files {
            *name = name.replace(from.as_str(), &to);
            *content = content.replace(from.as_str(), &to);
        }
    }
    for (name, content) in files {
        sandbox.write(&name, content);
    }
    Some((script, devices))
}

fn made(path: &Path, folder: bool) -> String {
    fs::create_dir_all(if folder { path } else { path.parent().unwrap() }).unwrap();
    path.display().to_string()
}

fn check_shape(case: &Case, text: &str) -> Result<(), String> {
    let moves = match case.form {
        Form::Text { sync } => {
            let report = shape_text::read_report(text)?;
            same("blocks", report.jobs, case.jobs)?;
            same("a block of fsync latencies", report.sync, sync)?;
            report.moves
        }
        Form::Json => {
            let document = parse_document(text)?;
            let faults = shape_json::faults(&document);
            same("faults of shape", faults, Vec::new())?;
            same("jobs", document["jobs"].as_array().map(Vec::len), Some(case.jobs))?;
            shape_json::directions(&document)
        }
        Form::Terse(version) => shape_text::read_terse(text, version, case.jobs)?,
    };
    same("directions", moves, case.moves.clone())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: {found:?}, expected {expected:?}")),
    }
}

/// Case B as it was: the job file in a ConfigMap, which a pod sees as a read-only mount.
#[test]
fn case_b_from_a_read_only_folder() {
    let sandbox = Sandbox::new();
    let case = Case::all().into_iter().find(|case| case.name == "b-pod_nvme_write").unwrap();
    let configs = sandbox.root().join("configs");
    let Some(_mount) = need(Mount::new(&["-t", "tmpfs", "none"], &configs)) else { return };
    fs::write(configs.join("fio.job"), &case.files[0].1).unwrap();
    let point = configs.display().to_string();
    let Some(_) = need(crate::devices::tool("mount", &["-o", "remount,ro", &point])) else {
        return;
    };
    assert!(fs::write(configs.join("probe"), "").is_err(), "the folder can be written to");

    let outcome = sandbox.shell(&case.script.replace("/configs", &point));
    outcome.assert_success();
    assert_eq!(outcome.stdout, "", "standard output under --output");
    let report = fs::read_to_string(sandbox.work().join("randwrite.out")).unwrap();
    check_shape(&case, &report).unwrap_or_else(|why| panic!("{why}\n{report}"));
}
