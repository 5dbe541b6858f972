//! Provisioning times of a class: `fathom kube measure --volumes N` creates N volumes, one after
//! another, before it measures another one.
//!
//! One at a time, so that figures describe the class and not a queue. Each volume is mounted by its
//! own pod, enlarged, and restored from a snapshot if its class allows it.

use super::args::PodArgs;
use super::machine::ClassSteps;
use super::pods::{ClusterRun, PodsOrder};
use crate::cli_error::CliError;
use crate::session::Session;
use crate::terminal::screen::{Screen, say, say_line, warn_line};
use crate::terminal::table::{TextTable, cell, right};
use fathom_campaign::ClusterStep;
use fathom_kube::{Cluster, ClusterAccess, KubeError, VolumeSteps};
use fathom_text::text;
use std::collections::BTreeMap;
use std::time::Duration;

/// Steps in their order.
const STEPS: [&str; 8] =
    ["provision", "bind", "attach", "mount", "resize", "snapshot", "restore", "delete"];

/// The options of timing.
pub struct TimesOrder<'a> {
    /// The classes, and the options of pods.
    pub pods: &'a PodArgs,
    /// How many volumes of each class.
    pub volumes: u32,
    /// The class of snapshots; none for the driver's own.
    pub snapshot_class: Option<&'a str>,
    /// Whether progress messages are suppressed.
    pub quiet: bool,
}

/// The features of a class.
struct ClassAbility {
    expands: bool,
    snapshot_class: Option<String>,
}

/// Times volumes of each class.
///
/// # Errors
/// If a step fails, or an object still exists; it is removed anyway.
pub fn time_volumes(
    access: &ClusterAccess,
    order: &TimesOrder<'_>,
    session: &mut Session,
) -> Result<ClassSteps, CliError> {
    let mut all = ClassSteps::new();
    for class in &order.pods.classes {
        let able = ability(access, class, order.snapshot_class)?;
        let pods =
            PodArgs { classes: vec![class.clone()], pods: "1".to_owned(), ..order.pods.clone() };
        let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
        for at in 1..=order.volumes {
            if !order.quiet {
                warn_line(text!("fathom: volume {at} of {} ({class})", order.volumes));
            }
            for (step, time) in one_volume(access, &pods, &able, session)? {
                times.entry(step).or_default().push(time);
            }
        }
        all.insert(class.clone(), summary(times));
    }
    Ok(all)
}

fn ability(
    access: &ClusterAccess,
    class: &str,
    snapshot_class: Option<&str>,
) -> Result<ClassAbility, CliError> {
    let cluster = Cluster::connect(access)?;
    let object = cluster.class(class)?;
    let provisioner = object["provisioner"].as_str().unwrap_or_default();
    let expands = object["allowVolumeExpansion"] == true;
    let snapshot_class = match (cluster.snapshot_class(provisioner, snapshot_class), snapshot_class)
    {
        (Ok(class), _) => Some(class),
        // Many classes take no snapshots; that is an error only if the user asked for one.
        (Err(KubeError::Snapshot(_) | KubeError::Forbidden { .. }), None) => None,
        (Err(why), _) => return Err(why.into()),
    };
    Ok(ClassAbility { expands, snapshot_class })
}

/// The life of one volume: how long each of its steps took.
fn one_volume(
    access: &ClusterAccess,
    pods: &PodArgs,
    able: &ClassAbility,
    session: &mut Session,
) -> Result<Vec<(&'static str, Duration)>, CliError> {
    let idle = pods.wait * u32::try_from(STEPS.len()).unwrap_or(1);
    let order = PodsOrder { quiet: true, watched: true, idle, ..PodsOrder::of(1) };
    let mut first = ClusterRun::raise(access, pods, &order, session)?;
    let mut times = Vec::new();
    if able.expands {
        times.push(("resize", first.enlarge(pods.wait, &session.control)?));
    }
    let mut code = 0;
    if let Some(class) = &able.snapshot_class {
        let snapshot = first.take_snapshot(class, pods.wait, &session.control)?;
        times.push(("snapshot", snapshot.took));
        // A volume is never smaller than its source.
        let pods = PodArgs { claim_size: first.size()?, ..pods.clone() };
        let order = PodsOrder { snapshot: Some(snapshot.name), ..order };
        let mut second = ClusterRun::raise(access, &pods, &order, session)?;
        code = second.remove();
        times.extend(second.last_steps().restore.map(|time| ("restore", time)));
    }
    if first.remove().max(code) != 0 {
        return Err(
            KubeError::LeftBehind(text!("volumes of the timing were left; see above")).into()
        );
    }
    times.extend(seen(&first.last_steps()));
    Ok(times)
}

/// The steps that were observed.
fn seen(steps: &VolumeSteps) -> impl Iterator<Item = (&'static str, Duration)> {
    let all = [
        ("provision", steps.provision),
        ("bind", steps.bind),
        ("attach", steps.attach),
        ("mount", steps.mount),
        ("delete", steps.delete),
    ];
    all.into_iter().filter_map(|(step, time)| Some((step, time?)))
}

/// The figures of each observed step.
fn summary(times: BTreeMap<&str, Vec<Duration>>) -> Vec<ClusterStep> {
    let figures = |step: &&str| {
        let mut of = times.get(*step)?.clone();
        if of.is_empty() {
            return None;
        }
        of.sort_unstable();
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        // The smallest time that this percentage of the volumes does not exceed.
        let rank = |percent: usize| {
            let at = (of.len() * percent).div_ceil(100).max(1) - 1;
            of.get(at).copied().map_or(0, millis)
        };
        Some(ClusterStep {
            step: (*step).to_owned(),
            volumes: of.len() as u64,
            p50_ms: rank(50),
            p99_ms: rank(99),
            longest_ms: rank(100),
        })
    };
    STEPS.iter().filter_map(figures).collect()
}

/// Prints the times.
pub fn tell(all: &ClassSteps, screen: &Screen) {
    for (class, steps) in all {
        let volumes = steps.iter().map(|of| of.volumes).max().unwrap_or_default();
        say_line(text!("{class}: seconds that each of {volumes} volumes took"));
        let mut table = TextTable::indented(2);
        table.row([cell("step"), right("p50"), right("p99"), right("longest")].into());
        for of in steps {
            let seconds = |ms: u64| right(format!("{:.2}", ms as f64 / 1e3));
            let figures = [of.p50_ms, of.p99_ms, of.longest_ms].map(seconds);
            table.row(std::iter::once(cell(&of.step)).chain(figures).collect());
        }
        say(&(table.text(screen) + "\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_told_in_their_order_with_ranks_of_what_was_seen() {
        let ms = |all: &[u64]| all.iter().map(|ms| Duration::from_millis(*ms)).collect();
        let times = BTreeMap::from([
            ("attach", ms(&[7])),
            ("provision", ms(&[30, 10, 20, 40])),
            ("bind", Vec::new()),
        ]);
        let told = summary(times);
        let names: Vec<&str> = told.iter().map(|of| of.step.as_str()).collect();
        assert_eq!(names, ["provision", "attach"]);
        let provision = &told[0];
        assert_eq!((provision.volumes, provision.p50_ms, provision.p99_ms), (4, 20, 40));
        assert_eq!((told[1].p50_ms, told[1].longest_ms), (7, 7));
    }
}
