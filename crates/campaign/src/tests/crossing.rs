//! A machine behind bytes is the same machine: its results, its refusals, its leftover files.

use super::scripted::{Act, Diary, Scripted, encoded, folder, machine};
use crate::MeasuringTime;
use crate::machine::{
    Encoded, LocalMachine, Machine, MachineErrorKind, ScratchFolders, WIRE_VERSION, serve,
};
use crate::{CommonOptions, Document, MeasureOptions, Plan, Provenance, TestFiles};
use fathom_host::Host;
use fathom_run::Control;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn measured(top: &Path, machine: &mut dyn Machine) -> (Document, Vec<String>) {
    let path = top.join("volume");
    fs::create_dir_all(&path).unwrap();
    let plan = Plan::new(vec![folder(&path, 1 << 40)], &MeasureOptions::default()).unwrap();
    let runner = plan.begin(machine).unwrap();
    let mut diary = Diary::default();
    let measured = plan.run(&runner, Provenance::default(), machine, &mut diary);
    assert_eq!(machine.release().unwrap(), []);
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
    (measured, diary.0)
}

#[test]
fn it_measures_the_same_and_tells_the_same() {
    let top = tempfile::tempdir().unwrap();
    let script = || Scripted::with("iops-write-4k", Act::Fail("No space left on device"));
    let (plain, heard) = measured(top.path(), &mut machine(&mut script()));
    let (crossed, told) = measured(top.path(), &mut encoded(&mut script()));
    assert_eq!(plain.phases, crossed.phases);
    assert_eq!(heard, told);
}

#[test]
fn this_machine_behind_bytes_runs_jobs_and_leaves_nothing() {
    let top = tempfile::tempdir().unwrap();
    let (control, files) = (Arc::new(Control::default()), TestFiles::default());
    let local = LocalMachine::new(Host::real(), control, &files, ScratchFolders::default());
    let mut machine = Encoded::new(local);
    let volume = machine.examine(&top.path().into()).unwrap();
    // Documents leave it out; a plan without it would make its test file somewhere else.
    assert_eq!(volume.target.path(), Some(top.path()));
    let why = machine.examine(&"/no/such/folder".into()).unwrap_err();
    assert_eq!(why.kind, MachineErrorKind::Target);
    let time = Some(MeasuringTime::PerVolume(800_000));
    let size_bytes = Some(8 << 20);
    let common = CommonOptions { time, size_bytes, ..CommonOptions::default() };
    let options = MeasureOptions { common, ..MeasureOptions::default() };
    let plan = Plan::new(vec![volume], &options).unwrap();
    let runner = plan.begin(&mut machine).unwrap();
    let measured = plan.run(&runner, Provenance::default(), &mut machine, &mut Diary::default());
    let failed: Vec<&str> =
        measured.phases.iter().filter_map(|phase| phase.failure.as_deref()).collect();
    assert_eq!((measured.phases.len(), failed), (8, vec![]));
    assert!(measured.phases[0].result.as_ref().unwrap().jobs[0].dirs.read.total_ios > 0);
    assert_eq!(machine.release().unwrap(), []);
    assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
}

#[test]
fn what_is_not_understood_is_answered_and_does_nothing() {
    let mut script = Scripted::default();
    let mut machine = machine(&mut script);
    let mut answer = |call: &str| {
        let reply = serve(&mut machine, call.as_bytes(), &mut |_: Vec<u8>| panic!("no event"));
        String::from_utf8(reply).unwrap()
    };
    let unknown = format!(r#"{{"version":{WIRE_VERSION},"body":{{"call":"sing"}}}}"#);
    for call in ["", "{}", "nonsense", &unknown] {
        let reply = answer(call);
        assert!(reply.contains("unknown") && reply.contains("cannot be decoded"), "{reply}");
    }
    let newer = answer(r#"{"version":99,"body":{"call":"release"}}"#);
    assert!(newer.contains("speaks version 99") && newer.contains("on both"), "{newer}");
    assert!(script.ran.is_empty());
}
