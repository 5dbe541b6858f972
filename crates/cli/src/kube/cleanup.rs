//! `fathom kube cleanup`: removes claims and pods that killed runs left in a namespace.

use super::args::KubeCleanupArgs;
use crate::cli_error::CliError;
use crate::terminal::screen::{say_line, warn_line};
use fathom_kube::{Cluster, ClusterAccess, RunId, RunInventory};
use fathom_text::text;
use std::time::Duration;

/// How long the removal of a run may take.
const REMOVAL: Duration = Duration::from_secs(120);

/// Removes the selected runs.
///
/// # Errors
/// If the cluster does not answer, or the name is not a run.
pub fn cleanup(access: &ClusterAccess, args: &KubeCleanupArgs) -> Result<u8, CliError> {
    let named = args.run.as_deref().map(RunId::parse).transpose().map_err(CliError::usage)?;
    let cluster = Cluster::connect(access)?;
    let mut runs = cluster.runs()?;
    if let Some(run) = &named {
        runs.retain(|of| of.run == *run);
    }
    if runs.is_empty() {
        let which = named.map_or_else(|| "any run".to_owned(), |run| format!("run {run}"));
        say_line(text!("Nothing of {which} is in namespace {}.", cluster.namespace()));
        return Ok(0);
    }
    let mut code = 0;
    for run in runs {
        let spared = run.is_running && named.is_none() && !args.all;
        if spared {
            say_line(text!(
                "run {}: its pod runs, so it is left; `fathom kube cleanup --run {0}` removes it",
                run.run
            ));
        } else if args.dry_run {
            say_line(text!("run {}: {} would be removed", run.run, run.objects.join(", ")));
        } else {
            code = code.max(remove(&cluster, &run));
        }
    }
    Ok(code)
}

fn remove(cluster: &Cluster, run: &RunInventory) -> u8 {
    let mut notice = |sentence: &str| warn_line(text!("fathom: waiting: {sentence}"));
    match cluster.remove(&run.run, REMOVAL, &mut notice) {
        Ok(removed) => {
            say_line(text!("run {}: {} removed", run.run, run.objects.join(", ")));
            removed.notes.iter().for_each(|of| warn_line(format_args!("fathom: {of}")));
            0
        }
        Err(why) => {
            warn_line(format_args!("fathom: {why}"));
            1
        }
    }
}
