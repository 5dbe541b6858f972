//! `fathom kube run`: fio's jobs in a pod, from a file here or a ConfigMap there.

use super::args::KubeRunArgs;
use super::pods::in_pods;
use crate::cli_error::CliError;
use crate::fleet::FleetArgs;
use crate::run::{self, RunArgs};
use crate::session::Session;
use fathom_kube::{Cluster, ClusterAccess};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// What a job file in the cluster begins with.
const CONFIG_MAP: [&str; 2] = ["configmap/", "cm/"];

/// Runs the jobs in a pod.
///
/// # Errors
/// Where they cannot be read, or did not run.
pub fn run(access: &ClusterAccess, args: &KubeRunArgs, session: Session) -> Result<u8, CliError> {
    args.report.check()?;
    if args.pods.classes.len() + args.pods.claim.len() != 1 {
        return Err(CliError::usage("run takes one class or claim, as -s gp3"));
    }
    // Held until the jobs are read.
    let copy = copy_of(access, &args.fiofile)?;
    let file = copy.as_ref().map_or(Path::new(&args.fiofile), NamedTempFile::path);
    let mut fio: Vec<OsString> = vec![file.into()];
    fio.extend(args.fio.iter().cloned());
    let mut own = RunArgs {
        steady: None,
        assertions: Vec::new(),
        junit: None,
        fleet: FleetArgs::default(),
        place: None,
        show: args.show.clone(),
        report: args.report.clone(),
        fio,
    };
    run::check(&own, &session)?;
    in_pods(access, &args.pods, &args.show, session, |targets, session| {
        own.place = targets.first().map(|target| target.path().to_owned());
        run::run(&own, session)
    })
}

/// The job file in a ConfigMap, as a file here; none where a file is named.
fn copy_of(access: &ClusterAccess, name: &str) -> Result<Option<NamedTempFile>, CliError> {
    let Some(meant) = CONFIG_MAP.iter().find_map(|prefix| name.strip_prefix(prefix)) else {
        return Ok(None);
    };
    let (map, key) = match meant.split_once('/') {
        Some((map, key)) => (map, Some(key)),
        None => (meant, None),
    };
    let text = Cluster::connect(access)?.config_text(map, key)?;
    let folder = std::env::temp_dir();
    let failed = CliError::file("write a file in", &folder);
    let mut file = NamedTempFile::new().map_err(&failed)?;
    file.write_all(text.as_bytes()).map_err(&failed)?;
    Ok(Some(file))
}
