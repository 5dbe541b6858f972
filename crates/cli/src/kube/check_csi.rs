//! `fathom kube check-csi`: do snapshots of a class keep data, and how long does each step take?
//!
//! Fathom writes data, takes a snapshot, overwrites the data, and creates a volume from the
//! snapshot: that volume must contain the first data. No agent runs in the pods.

use super::args::{KubeCheckCsiArgs, PodArgs};
use super::pods::{ClusterRun, PodsOrder, not_started};
use crate::cli_error::CliError;
use crate::output::show;
use crate::session::Session;
use crate::terminal::screen::{Screen, say, say_line};
use crate::terminal::table::{TextTable, cell, right};
use fathom_kube::{
    Cluster, ClusterAccess, KubeError, VolumeMode, check_data, difference, target_path,
};
use fathom_text::{Text, text};
use fathom_vocab::printable;
use serde::Serialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How much is written and compared.
const DATA_BYTES: usize = 16 << 20;
/// The label that scripts of kubestr's users search for.
const KUBESTR_LABEL: &str = "created-by-kubestr-csi";
/// How many steps may each take `--wait`.
const STEPS: u32 = 6;

/// The options of a check.
pub struct CsiOrder<'a> {
    /// The class, and the options of pods.
    pub pods: &'a PodArgs,
    /// The class of snapshots; none for the driver's own.
    pub snapshot_class: Option<&'a str>,
    /// Whether all that was made stays.
    pub stays: bool,
}

/// Receives the progress of a check.
pub trait CsiListener {
    /// A step begins.
    fn begun(&mut self, step: CsiStep);
    /// It has made this.
    fn made(&mut self, step: CsiStep, object: &Value);
}

/// A step of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsiStep {
    /// Create a pod with a new volume, and write data.
    Create,
    /// A snapshot of it.
    Snapshot,
    /// A pod with a volume made of that.
    Restore,
    /// The removal of all.
    Remove,
}

/// How long a step took.
#[derive(Clone, Debug, Serialize)]
pub struct StepTime {
    /// The step that was awaited.
    pub step: &'static str,
    /// How long that took.
    pub ms: u64,
}

/// The result of a check.
#[derive(Clone, Debug, Serialize)]
pub struct CsiRecord {
    pub class: String,
    /// The class of snapshots.
    pub snapshot_class: String,
    /// The provisioner.
    pub provisioner: String,
    /// The node of the first pod.
    pub node: String,
    /// How much was compared.
    pub bytes: usize,
    /// How long each step took.
    pub steps: Vec<StepTime>,
}

/// Checks the class and prints the result.
///
/// # Errors
/// If a snapshot cannot be taken or restored, or contains other data.
pub fn check_csi(
    access: &ClusterAccess,
    args: &KubeCheckCsiArgs,
    mut session: Session,
) -> Result<u8, CliError> {
    if args.pods.classes.len() != 1 {
        return Err(CliError::usage(text!("check-csi takes one class, as -s csi")));
    }
    let order =
        CsiOrder { pods: &args.pods, snapshot_class: args.snapshot_class.as_deref(), stays: false };
    match exercise(access, &order, &mut session, &mut Nobody) {
        Ok((record, code)) => {
            tell(&record, args.json, &session.screen)?;
            Ok(code)
        }
        Err(why) => not_started(why, &session.stopped),
    }
}

/// Ignores progress, which is already printed on standard error.
struct Nobody;

impl CsiListener for Nobody {
    fn begun(&mut self, _: CsiStep) {}
    fn made(&mut self, _: CsiStep, _: &Value) {}
}

/// Writes, takes a snapshot, restores and compares; returns the exit code of the removal.
///
/// # Errors
/// If a step fails; created objects are removed anyway.
pub fn exercise(
    access: &ClusterAccess,
    order: &CsiOrder<'_>,
    session: &mut Session,
    listener: &mut dyn CsiListener,
) -> Result<(CsiRecord, u8), CliError> {
    let class = order.pods.classes[0].clone();
    let cluster = Cluster::connect(access)?;
    let provisioner = cluster.class(&class)?["provisioner"].as_str().unwrap_or_default().to_owned();
    let snapshot_class = cluster.snapshot_class(&provisioner, order.snapshot_class)?;
    let mut exercise = CsiExercise { access, order, session, listener, steps: Vec::new() };
    let data = check_data(DATA_BYTES, fathom_vocab::entropy());
    // Data written after the snapshot is ready must not be in it.
    let later = check_data(DATA_BYTES, fathom_vocab::entropy());
    let (mut first, path) = exercise.create()?;
    let (place, _) = first.only()?;
    let node = place.node.clone();
    first.cluster.write_data(&place.pod, &path, &data)?;
    let snapshot = exercise.snapshot(&first, &snapshot_class)?;
    first.cluster.write_data(&place.pod, &path, &later)?;
    let mut second = exercise.restore(snapshot)?;
    let read = second.cluster.read_data(&second.only()?.0.pod, &path, DATA_BYTES)?;
    let code = exercise.remove([&mut second, &mut first]);
    let steps = exercise.steps;
    kept(&data, &later, &read, &snapshot_class)?;
    Ok((CsiRecord { class, snapshot_class, provisioner, node, bytes: DATA_BYTES, steps }, code))
}

/// The state of a check in progress.
struct CsiExercise<'a> {
    access: &'a ClusterAccess,
    order: &'a CsiOrder<'a>,
    session: &'a mut Session,
    listener: &'a mut dyn CsiListener,
    steps: Vec<StepTime>,
}

impl CsiExercise<'_> {
    /// A pod with a volume, empty or made of a snapshot.
    fn raise(&mut self, step: CsiStep, snapshot: Option<String>) -> Result<ClusterRun, CliError> {
        self.listener.begun(step);
        let order = PodsOrder {
            patch: Some(json!({"metadata": {"labels": {KUBESTR_LABEL: "yes"}}})),
            idle: self.order.pods.wait * STEPS,
            snapshot,
            ..PodsOrder::of(1)
        };
        let run = ClusterRun::raise(self.access, self.order.pods, &order, self.session)?;
        let (place, claim) = run.only()?;
        self.listener.made(step, &json!({"pod": place.pod, "claim": claim.claim}));
        let names = match step {
            CsiStep::Restore => ["restore", "start restored"],
            _ => ["provision", "start"],
        };
        let times = [claim.times.bound_ms, claim.times.start_ms];
        let steps = names.into_iter().zip(times);
        self.steps.extend(steps.filter_map(|(step, ms)| Some(StepTime { step, ms: ms? })));
        Ok(run)
    }

    /// A pod with an empty volume, and the file in it for data.
    fn create(&mut self) -> Result<(ClusterRun, String), CliError> {
        let run = self.raise(CsiStep::Create, None)?;
        let volume = target_path(VolumeMode::Filesystem, &run.only()?.1.volume);
        Ok((run, format!("{volume}/fathom-check")))
    }

    /// A snapshot of the volume, by name.
    fn snapshot(&mut self, of: &ClusterRun, class: &str) -> Result<String, CliError> {
        self.listener.begun(CsiStep::Snapshot);
        let taken = of.take_snapshot(class, self.order.pods.wait, &self.session.control)?;
        self.listener.made(CsiStep::Snapshot, &taken.object);
        self.steps.push(StepTime { step: "snapshot", ms: millis(taken.took) });
        Ok(taken.name)
    }

    /// A pod with a volume made of a snapshot.
    fn restore(&mut self, snapshot: String) -> Result<ClusterRun, CliError> {
        self.raise(CsiStep::Restore, Some(snapshot))
    }

    /// Removes all objects, unless they are to stay; returns the exit code.
    fn remove(&mut self, runs: [&mut ClusterRun; 2]) -> u8 {
        self.listener.begun(CsiStep::Remove);
        let begun = Instant::now();
        let mut code = 0;
        for run in runs {
            if self.order.stays {
                run.leave();
            } else {
                code = code.max(run.remove());
            }
        }
        if !self.order.stays {
            self.steps.push(StepTime { step: "delete", ms: millis(begun.elapsed()) });
        }
        code
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Whether a restored volume has the data that were there when its snapshot was taken.
fn kept(data: &[u8], later: &[u8], read: &[u8], class: &str) -> Result<(), CliError> {
    let Some(found) = difference(data, read) else { return Ok(()) };
    let what = match difference(later, read) {
        None => text!("they are those that were written after the snapshot was ready"),
        Some(_) => Text::of(found),
    };
    Err(KubeError::Snapshot(text!(
        "a volume restored from a snapshot of class {class} has other data than its source had: \
         {what}; do not rely on these snapshots, and see the storage driver's log"
    ))
    .into())
}

fn tell(record: &CsiRecord, is_json: bool, screen: &Screen) -> Result<(), CliError> {
    if is_json {
        let document = json!({
            "kind": "fathom-kube-csi",
            "schema": 1,
            "fathom_version": env!("FATHOM_VERSION"),
            "check": record,
        });
        say(&(show::json(&document)? + "\n"));
        return Ok(());
    }
    say_line(printable::line(&localized!(
        "{}: snapshots of class {} work: {} MiB were written, restored and compared",
        record.class,
        record.snapshot_class,
        record.bytes >> 20
    )));
    let mut table = TextTable::indented(2);
    for of in &record.steps {
        table.row(vec![cell(of.step), right(format!("{:.1} s", of.ms as f64 / 1e3))]);
    }
    say(&table.text(screen));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_that_differ_are_told_from_data_that_came_later() {
        let (data, later) = (check_data(8192, 1), check_data(8192, 2));
        assert!(kept(&data, &later, &data, "c").is_ok());
        let said = |read: &[u8]| kept(&data, &later, read, "c").unwrap_err().to_string();
        assert!(said(&later).contains("written after the snapshot"), "{}", said(&later));
        let mut lost = data.clone();
        lost[4096..].fill(0);
        assert!(said(&lost).contains("1 of 2 blocks"), "{}", said(&lost));
    }
}
