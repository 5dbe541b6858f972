//! Files left after success, failure, a stop, or a breakdown.

use super::scripted::{Act, Diary, Fills, Scripted, ceiling, folder, machine};
use crate::{
    CommonOptions, Document, MachineError, MachineErrorKind, MeasureOptions, Plan, Provenance,
};
use fathom_analysis::{CacheVerdict, ClientFinding, ClientVerdict};
use fathom_document::Remark;
use fathom_document::verdicts::Answer;
use std::fs;
use std::path::Path;

/// Measures two volumes, each a folder below `top`, with a script.
fn measure(top: &Path, executor: &mut Scripted) -> Result<(Document, Vec<String>), MachineError> {
    measure_so(top, executor, &MeasureOptions::default())
}

fn measure_so(
    top: &Path,
    executor: &mut Scripted,
    options: &MeasureOptions,
) -> Result<(Document, Vec<String>), MachineError> {
    let volumes = ["a", "bb"].map(|name| {
        let path = top.join(name);
        fs::create_dir_all(&path).unwrap();
        folder(&path, 1 << 40)
    });
    let plan = Plan::new(volumes.to_vec(), options).unwrap();
    let mut machine = machine(executor);
    let runner = plan.begin(&mut machine)?;
    let mut diary = Diary::default();
    let measured = plan.run(&runner, Provenance::default(), &mut machine, &mut diary);
    Ok((measured, diary.0))
}

/// The volumes that could not be filled.
fn failures(measured: &Document) -> usize {
    measured.volumes.iter().filter(|volume| volume.failure.is_some()).count()
}

fn nothing_left(top: &Path) -> bool {
    ["a", "bb"].iter().all(|name| fs::read_dir(top.join(name)).unwrap().next().is_none())
}

#[test]
fn all_phases_run_in_turn_on_files_that_are_there_and_go() {
    let top = tempfile::tempdir().unwrap();
    let mut executor = Scripted::default();
    let (measured, diary) = measure(top.path(), &mut executor).unwrap();
    assert!(measured.is_whole());
    assert_eq!(measured.phases.len(), 16);
    let names: Vec<&str> = executor.ran.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..4], ["fill", "fill", "latency-read-4k", "latency-read-4k"]);
    assert!(
        diary[0].starts_with("fill")
            && diary[2].starts_with("0 ")
            && diary[2].ends_with("a, 4 KiB random read, QD 1")
    );
    assert!(executor.saw_files.iter().all(|there| *there));
    let figures = measured.phases[0].figures.as_ref().unwrap();
    assert_eq!((figures.iops, figures.identity.depth), (10_000.0, 1));
    assert!(nothing_left(top.path()));
}

#[test]
fn a_fill_tells_what_is_filled_and_run_after_it() {
    let top = tempfile::tempdir().unwrap();
    let volumes = ["a", "bb"].map(|name| {
        let path = top.path().join(name);
        fs::create_dir_all(&path).unwrap();
        folder(&path, 1 << 40)
    });
    let plan = Plan::new(volumes.to_vec(), &MeasureOptions::default()).unwrap();
    let (total_us, fill_bytes) = (plan.total_us(), plan.volumes[0].fill_bytes);
    let mut executor = Scripted::default();
    let mut machine = machine(&mut executor);
    let runner = plan.begin(&mut machine).unwrap();
    let mut fills = Fills::default();
    plan.run(&runner, Provenance::default(), &mut machine, &mut fills);
    let said: Vec<_> = fills.0.iter().map(|of| (of.later_bytes, of.trials_us)).collect();
    assert_eq!(said[0], (fill_bytes, total_us));
    assert_eq!(said.last(), Some(&(0, total_us)));
}

#[test]
fn rounds_add_up_and_a_seed_repeats_their_offsets() {
    let run = |seed: u64| {
        let top = tempfile::tempdir().unwrap();
        let mut executor = Scripted::default();
        let common = CommonOptions { seed, ..CommonOptions::default() };
        let options = MeasureOptions { rounds: Some(2), common, ..MeasureOptions::default() };
        let (measured, _) = measure_so(top.path(), &mut executor, &options).unwrap();
        assert!(nothing_left(top.path()));
        (measured, executor.entropies)
    };
    let (measured, entropies) = run(7);
    assert_eq!(measured.phases.len(), 2 * 16);
    let over_rounds = measured.over_rounds;
    assert_eq!(over_rounds.len(), 16);
    assert!(over_rounds.iter().all(|of| of.values.len() == 2 && of.spread_percent == Some(0.0)));
    let figures = over_rounds[0].figures.unwrap();
    assert_eq!((figures.ios, figures.runtime_ms, figures.iops), (20_000, 2000, 10_000.0));
    // Two fills come first. The volumes share what a phase and round have of their own.
    let runs = &entropies[2..];
    assert!(runs.chunks(2).all(|pair| pair[0] == pair[1]), "{runs:?}");
    let mut own: Vec<u64> = runs.iter().step_by(2).copied().collect();
    own.sort_unstable();
    own.dedup();
    assert_eq!(own.len(), 16);
    assert_eq!(run(7).1, entropies);
    assert!(run(8).1.iter().zip(&entropies).all(|(other, one)| other != one));
}

#[test]
fn a_phase_that_fails_costs_no_other() {
    let top = tempfile::tempdir().unwrap();
    let mut executor = Scripted::with("iops-write-4k", Act::Fail("No space left on device"));
    let (measured, _) = measure(top.path(), &mut executor).unwrap();
    assert!(!measured.is_whole() && !measured.interrupted);
    assert_eq!(measured.phases.len(), 16);
    let failed: Vec<&str> =
        measured.phases.iter().filter_map(|phase| phase.failure.as_deref()).collect();
    assert_eq!(failed, ["No space left on device"; 2]);
    assert!(nothing_left(top.path()));
}

#[test]
fn a_stop_keeps_what_was_measured_and_removes_the_files() {
    let top = tempfile::tempdir().unwrap();
    let mut executor = Scripted::with("iops-read-4k", Act::Stop(50_000));
    let (measured, _) = measure(top.path(), &mut executor).unwrap();
    assert!(measured.interrupted && !measured.is_whole());
    assert_eq!(measured.phases.len(), 5);
    assert!(measured.phases.iter().all(|phase| phase.figures.is_some()));
    let cut: Vec<bool> = measured.phases.iter().map(|phase| phase.cut_short).collect();
    assert_eq!(cut, [false, false, false, false, true]);
    assert!(nothing_left(top.path()));
}

#[test]
fn a_stop_while_filling_measures_nothing_and_blames_nobody() {
    let top = tempfile::tempdir().unwrap();
    let mut executor = Scripted::with("fill", Act::Stop(50_000));
    let (measured, _) = measure(top.path(), &mut executor).unwrap();
    assert!(measured.interrupted && measured.phases.is_empty() && failures(&measured) == 0);
    assert_eq!(executor.ran.len(), 1);
    assert!(nothing_left(top.path()));
}

#[test]
fn a_volume_that_cannot_be_filled_costs_no_other() {
    let top = tempfile::tempdir().unwrap();
    let mut executor = Scripted::with("fill", Act::Refuse("Input/output error"));
    let (measured, _) = measure(top.path(), &mut executor).unwrap();
    assert_eq!(failures(&measured), 2);
    assert!(measured.phases.is_empty() && !measured.is_whole());
    assert!(nothing_left(top.path()));
}

#[test]
fn a_defect_removes_the_files_too() {
    let top = tempfile::tempdir().unwrap();
    let panicked = std::panic::catch_unwind(|| {
        let mut executor = Scripted::with("throughput-read-256k", Act::Panic);
        let _ = measure(top.path(), &mut executor);
    });
    assert!(panicked.is_err());
    assert!(nothing_left(top.path()));
}

#[test]
fn the_way_is_found_by_trying_and_remarked_on() {
    let top = tempfile::tempdir().unwrap();
    let mut executor = Scripted {
        closed: vec![("io_uring", true, "Operation not permitted (os error 1)")],
        ..Scripted::default()
    };
    let path = top.path().join("a");
    fs::create_dir_all(&path).unwrap();
    let plan = Plan::new(vec![folder(&path, 1 << 40)], &MeasureOptions::default()).unwrap();
    let target = &plan.begin(&mut machine(&mut executor)).unwrap().targets[0];
    assert_eq!(target.method.engine.name(), "libaio");
    assert!(target.method.direct);
    let [Remark::OtherEngine { engine, why }] = &target.remarks()[..] else {
        panic!("{:?}", target.remarks());
    };
    assert_eq!((engine.as_str(), why.as_str()), ("libaio", "Operation not permitted (os error 1)"));
}

#[test]
fn without_direct_io_the_page_cache_is_named() {
    let top = tempfile::tempdir().unwrap();
    let closed = ["io_uring", "libaio", "posixaio"].map(|engine| (engine, true, "EINVAL"));
    let mut executor = Scripted { closed: closed.to_vec(), ..Scripted::default() };
    let path = top.path().join("a");
    fs::create_dir_all(&path).unwrap();
    let plan = Plan::new(vec![folder(&path, 1 << 40)], &MeasureOptions::default()).unwrap();
    let target = &plan.begin(&mut machine(&mut executor)).unwrap().targets[0];
    assert!(!target.method.direct);
    assert_eq!(target.remarks(), [Remark::PageCache { why: "EINVAL".to_owned() }]);
}

#[test]
fn where_no_way_is_open_nothing_is_begun_and_nothing_left() {
    let top = tempfile::tempdir().unwrap();
    let ways = [("io_uring", true), ("libaio", true), ("posixaio", true), ("io_uring", false)];
    let mut closed: Vec<_> = ways.map(|(engine, direct)| (engine, direct, "EACCES")).to_vec();
    closed.push(("posixaio", false, "EIO"));
    let mut executor = Scripted { closed, ..Scripted::default() };
    let why = measure(top.path(), &mut executor).unwrap_err();
    assert!(why.message.ends_with("EIO"), "{why}");
    assert!(nothing_left(top.path()));
}

#[test]
fn a_disk_that_saw_less_or_more_is_told() {
    for (percent, seen) in [(100, "nothing"), (50, "less"), (150, "more")] {
        let top = tempfile::tempdir().unwrap();
        let mut executor = Scripted { disk_percent: Some(percent), ..Scripted::default() };
        let (measured, _) = measure(top.path(), &mut executor).unwrap();
        for phase in &measured.phases {
            let told = phase.verdicts.iter().find_map(|verdict| match &verdict.answer {
                Answer::Cached(finding) => Some(finding.verdict),
                _ => None,
            });
            let said = match told {
                Some(CacheVerdict::NotCached) => "nothing",
                Some(CacheVerdict::Cached { .. }) => "less",
                Some(CacheVerdict::SawMore { .. }) => "more",
                other => panic!("{other:?}"),
            };
            assert_eq!(said, seen, "at {percent} % in {}", phase.phase.name);
        }
    }
}

#[test]
fn a_test_file_that_cannot_be_made_is_told_with_its_place() {
    let top = tempfile::tempdir().unwrap();
    let missing = top.path().join("gone");
    let plan = Plan::new(vec![folder(&missing, 1 << 40)], &MeasureOptions::default()).unwrap();
    let mut executor = Scripted::default();
    let why = plan.begin(&mut machine(&mut executor)).unwrap_err();
    assert_eq!(why.kind, MachineErrorKind::TestFile);
    assert!(why.message.contains("gone") && why.message.contains("test file"), "{why}");
    assert!(!executor.stop);
}

/// What was found of the client in the phase of most I/Os, where one core drives `ceiling_iops`;
/// it did 320,000 a second.
fn client_of(ceiling_iops: Option<f64>) -> ClientFinding {
    let top = tempfile::tempdir().unwrap();
    let ceilings = ceiling_iops.map(ceiling).into_iter().collect();
    let mut executor = Scripted { ceilings, ..Scripted::default() };
    let (measured, _) = measure(top.path(), &mut executor).unwrap();
    let busiest = measured.phases.iter().find(|run| run.phase.name == "iops-read-4k").unwrap();
    let found = busiest.verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Client(finding) => Some(finding.clone()),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn a_run_near_what_one_core_can_drive_is_the_clients() {
    let near = client_of(Some(330_000.0));
    assert_eq!(near.verdict, ClientVerdict::Bound);
    let text = near.to_string();
    let named = "it did 97 % of what one core of this host can drive, about 330,000 small I/Os";
    assert!(text.contains(named), "{text}");
    let far = client_of(Some(3_200_000.0));
    assert_eq!((far.verdict, far.headroom), (ClientVerdict::Roomy, Some(10.0)));
    // As it was before ceilings were measured: its threads alone tell.
    let unknown = client_of(None);
    assert_eq!((unknown.verdict, unknown.headroom), (ClientVerdict::Roomy, None));
}
