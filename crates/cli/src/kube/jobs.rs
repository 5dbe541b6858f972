//! `fathom kube run`: fio's jobs in a pod, from a local file or a ConfigMap. Also jobs of checks,
//! of which only the result counts.

use super::args::KubeRunArgs;
use super::exports;
use super::pods::{PodsOrder, in_pods};
use crate::cli_error::CliError;
use crate::course::CourseArgs;
use crate::run::{self, RunArgs, RunRefusal};
use crate::session::Session;
use fathom_campaign::run::RunTarget;
use fathom_job::{DiskWorld, Invocation, parse_command_line};
use fathom_kube::{Cluster, ClusterAccess};
use fathom_run::{Event, Observer};
use fathom_stats::RunResult;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// Prefixes of a job file in the cluster.
const CONFIG_MAP: [&str; 2] = ["configmap/", "cm/"];

/// Runs the jobs in a pod.
///
/// # Errors
/// If they cannot be read, or did not run.
pub fn run(access: &ClusterAccess, args: &KubeRunArgs, session: Session) -> Result<u8, CliError> {
    args.report.check()?;
    let export = exports(args.target.as_slice(), None)?;
    args.pods.refuse_several("run", export.len())?;
    // Must live until the jobs are read.
    let copy = copy_of(access, &args.fiofile)?;
    let file = copy.as_ref().map_or(Path::new(&args.fiofile), NamedTempFile::path);
    let mut fio: Vec<OsString> = vec![file.into()];
    fio.extend(export.iter().map(|export| export.to_string().into()));
    fio.extend(args.fio.iter().cloned());
    let mut own = RunArgs {
        steady: None,
        assertions: args.assertions.clone(),
        junit: args.junit.clone(),
        place: None,
        jobs_are_copied: copy.is_some(),
        course: CourseArgs {
            show: args.show.clone(),
            report: args.report.clone(),
            ..CourseArgs::default()
        },
        fio,
    };
    let pods = args.pods.count()?;
    run::check(&own, &session, pods)?;
    let order = PodsOrder { quiet: args.show.quiet, ..PodsOrder::of(pods) };
    in_pods((access, &args.pods, &order), &args.show, session, |targets, session| {
        own.place = targets.first().and_then(|of| of.path()).map(Path::to_owned);
        run::run(&own, session)
    })
}

/// Ignores the progress of a run.
struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: &Event) {}
}

/// Jobs as fio's command line has them.
///
/// # Errors
/// If fio would not take them.
pub fn read_jobs(words: &[String], session: &Session) -> Result<Invocation, CliError> {
    let environment = |name: &str| std::env::var(name).ok();
    let memory_mib = session.system.memory_bytes.unwrap_or(0) >> 20;
    let cpus = u32::try_from(session.host.online_cpus().len()).unwrap_or(u32::MAX);
    let world = DiskWorld::new(environment, memory_mib, cpus);
    parse_command_line(words, &world).map_err(|why| RunRefusal::from(why).failure())
}

/// Runs jobs on the session's machine, and returns their result.
///
/// # Errors
/// If they did not run.
pub fn run_jobs(jobs: &Invocation, session: &mut Session) -> Result<RunResult, CliError> {
    let target = RunTarget::of(&jobs.jobs, &mut *session.machine);
    let run = session.machine.run(&run::order_of(jobs, &target), &mut Silent)?;
    session.add_leftovers(run.outcome.leftovers);
    Ok(run.outcome.result)
}

/// The job file in a ConfigMap, as a local file; none if a file is named.
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
