//! A scripted sweep: single failures, remarks, curves.

use super::asking::{asked, planned};
use super::scripted::{Act, Diary, Scripted, folder, machine};
use crate::cases::StateFile;
use crate::sweep::{Keeper, SweepOutcome, SweepPlan, SweepRequest};
use fathom_analysis::{CacheVerdict, Knee};
use fathom_document::Provenance;
use fathom_document::Remark;
use fathom_document::sweep::{Headline, Order, Status, SweepDocument};
use fathom_document::verdicts::{Answer, Verdict};
use std::fs;
use std::path::Path;

/// A plan for a folder that is there.
pub fn plan_in(top: &Path, asked: SweepRequest) -> SweepPlan {
    let path = top.join("volume");
    fs::create_dir_all(&path).unwrap();
    planned(folder(&path, 1 << 40), asked).unwrap()
}

/// Runs what is left of `document` (or all) and keeps it in `state.json`.
pub fn sweep_on(
    top: &Path,
    plan: &SweepPlan,
    document: Option<SweepDocument>,
    executor: &mut Scripted,
) -> (SweepOutcome, Diary) {
    let path = top.join("state.json");
    let state = match path.exists() {
        true => StateFile::open(&path).unwrap(),
        false => StateFile::create(&path, 0o666).unwrap(),
    };
    sweep_into(state, plan, document, executor)
}

fn sweep_into(
    state: StateFile,
    plan: &SweepPlan,
    document: Option<SweepDocument>,
    executor: &mut Scripted,
) -> (SweepOutcome, Diary) {
    let from = Provenance::default();
    let mut document = document.unwrap_or_else(|| plan.document(&from));
    plan.begin_session(&mut document, from);
    let mut machine = machine(executor);
    let runner = plan.begin(&mut machine).unwrap();
    let mut heard = Diary::default();
    let kept = Keeper::new(document, &state, &mut heard).run(plan, &runner, &mut machine);
    (kept, heard)
}

fn sweep(asked: SweepRequest, executor: &mut Scripted) -> (SweepDocument, Diary) {
    let top = tempfile::tempdir().unwrap();
    let plan = plan_in(top.path(), asked);
    let (kept, heard) = sweep_on(top.path(), &plan, None, executor);
    assert_eq!(kept.not_kept, None);
    let text = fs::read_to_string(top.path().join("state.json")).unwrap();
    let read: SweepDocument = serde_json::from_str(&text).unwrap();
    let json = |document: &SweepDocument| serde_json::to_string(document).unwrap();
    assert_eq!(json(&read), json(&kept.document), "what is kept is what is given");
    assert_eq!(fs::read_dir(top.path().join("volume")).unwrap().count(), 0);
    (kept.document, heard)
}

#[test]
fn every_case_is_filled_for_once_run_and_kept() {
    let mut executor = Scripted::default();
    let (document, heard) = sweep(asked(&[("iodepth", "1..4")]), &mut executor);
    assert!(document.is_whole() && document.status == Status::Finished);
    let names: Vec<&str> = executor.ran.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["fill", "1", "2", "4"]);
    assert!(executor.saw_files.iter().all(|there| *there));
    assert_eq!(heard.0[1], "0 iodepth=1");
    assert!(heard.0[2].starts_with("end: 10,000 IOPS"), "{heard:?}");
    let figures = document.cases[2].figures.unwrap();
    assert_eq!((figures.total.iops, figures.total.identity.depth), (40_000.0, 4));
    assert_eq!(document.cases[2].settings[0].value, "4");
    let result = document.cases[2].result.as_ref().unwrap();
    assert_eq!(result.jobs[0].dirs.read.total_ios, 40_000);
    assert_eq!(document.sessions.len(), 1);
    assert!(document.sessions[0].setup.ways[0].method.as_ref().unwrap().direct);
}

#[test]
fn a_case_that_fails_costs_no_other() {
    let mut executor = Scripted::with("2", Act::Fail("No space left on device"));
    let (document, heard) = sweep(asked(&[("iodepth", "1..4")]), &mut executor);
    assert!(!document.is_whole());
    assert_eq!(document.cases.len(), 3);
    assert_eq!(document.cases[1].failure.as_deref(), Some("No space left on device"));
    assert!(document.cases[2].figures.is_some());
    assert!(heard.0.contains(&"end: failed: No space left on device".to_owned()), "{heard:?}");
    let [curve] = &document.curves[..] else { panic!("{:?}", document.curves) };
    assert_eq!(curve.points[1].failures, ["No space left on device"]);
    let mut refused = Scripted::with("2", Act::Refuse("in use"));
    let (document, _) = sweep(asked(&[("iodepth", "1..4")]), &mut refused);
    assert_eq!(document.cases[1].failure.as_deref(), Some("in use"));
}

#[test]
fn a_place_that_cannot_be_filled_is_told() {
    let mut executor = Scripted::with("fill", Act::Refuse("Input/output error"));
    let (document, _) = sweep(asked(&[("iodepth", "1..4")]), &mut executor);
    assert!(!document.is_whole() && document.cases.is_empty());
    assert_eq!(document.sessions[0].failure.as_deref(), Some("Input/output error"));
}

#[test]
fn where_direct_io_is_closed_only_what_insists_on_it_fails() {
    let closed = ["io_uring", "libaio", "posixaio"].map(|engine| (engine, true, "EINVAL"));
    let mut executor = Scripted { closed: closed.to_vec(), ..Scripted::default() };
    let (document, _) = sweep(asked(&[("cache", "in,out")]), &mut executor);
    assert!(document.cases[0].figures.is_some());
    let why = document.cases[1].failure.as_deref().unwrap();
    assert!(why.contains("direct I/O is not possible here (EINVAL)"), "{why}");
    // Going through the cache was asked for, so there is nothing to remark on.
    assert_eq!(document.remarks(), []);
    let mut executor = Scripted { closed: closed.to_vec(), ..Scripted::default() };
    let (document, _) = sweep(asked(&[("iodepth", "1,2")]), &mut executor);
    assert_eq!(document.remarks(), [Remark::PageCache { why: "EINVAL".to_owned() }]);
    assert!(document.cases[0].command.contains("--direct=0"), "{}", document.cases[0].command);
}

#[test]
fn an_engine_that_is_not_there_costs_its_own_cases() {
    let closed = vec![("io_uring", true, "EPERM"), ("io_uring", false, "EPERM")];
    let mut executor = Scripted { closed, ..Scripted::default() };
    let words = [("ioengine", "io_uring,libaio,psync"), ("iodepth", "1,4")];
    let (document, _) = sweep(asked(&words), &mut executor);
    let failures: Vec<Option<&str>> =
        document.cases.iter().map(|case| case.failure.as_deref()).collect();
    assert_eq!(failures, [Some("EPERM"), Some("EPERM"), None, None, None, None]);
    assert!(document.cases[2].command.contains("--ioengine=libaio"));
    // psync does one at a time: its depth in force is 1, and a remark says so.
    assert_eq!(document.cases[5].figures.unwrap().total.identity.depth, 1);
    assert_eq!(document.remarks(), [Remark::OneAtATime { engine: "psync".to_owned() }]);
    // Of depth 1 there is nothing to say.
    let words = [("ioengine", "libaio,psync"), ("iodepth", "1")];
    let (document, _) = sweep(asked(&words), &mut Scripted::default());
    assert_eq!(document.remarks(), []);
}

#[test]
fn a_disk_that_saw_less_is_told_in_both_directions() {
    let told = |document: &SweepDocument| -> Vec<usize> {
        let less = |verdict: &&Verdict| match &verdict.answer {
            Answer::Cached(found) => matches!(found.verdict, CacheVerdict::Cached { .. }),
            _ => false,
        };
        document.cases.iter().map(|case| case.verdicts.iter().filter(less).count()).collect()
    };
    let mut executor = Scripted { disk_percent: Some(50), ..Scripted::default() };
    let words = [("rwmix", "100:0..0:100/50"), ("!numjobs", "2")];
    assert_eq!(told(&sweep(asked(&words), &mut executor).0), [1, 2, 1]);
    let buffered = [("iodepth", "1,2"), ("!direct", "0")];
    let mut executor = Scripted { disk_percent: Some(50), ..Scripted::default() };
    assert_eq!(told(&sweep(asked(&buffered), &mut executor).0), [1, 1]);
}

#[test]
fn the_knee_of_each_curve_is_found_and_kept() {
    let usual = Some(Act::Capped(500_000, 20_000));
    let mut executor = Scripted { usual, ..Scripted::default() };
    let words = [("rw", "randread,randwrite"), ("iodepth", "1..256")];
    let (document, _) = sweep(asked(&words), &mut executor);
    assert_eq!(document.curves.len(), 2);
    for (curve, rw) in document.curves.iter().zip(["randread", "randwrite"]) {
        assert_eq!((curve.axis.as_str(), curve.headline), ("iodepth", Headline::Iops));
        assert_eq!((curve.settings.len(), curve.settings[0].value.as_str()), (1, rw));
        assert_eq!(curve.points.len(), 9);
        let knee = curve.knee.unwrap();
        assert_eq!(knee.load(), Some(16), "{knee}");
    }
}

#[test]
fn jobs_have_a_knee_too_and_mixes_have_none() {
    let usual = Some(Act::Capped(1_000_000, 4_000));
    let mut executor = Scripted { usual: usual.clone(), ..Scripted::default() };
    let words = [("numjobs", "1..16"), ("!iodepth", "1")];
    let (document, _) = sweep(asked(&words), &mut executor);
    let knee = document.curves[0].knee.unwrap();
    assert!(matches!(knee, Knee::Found { .. }) && knee.load() == Some(4), "{knee}");
    let mut executor = Scripted { usual, ..Scripted::default() };
    let words = [("cache", "in,out"), ("rwmix", "100:0..0:100/50"), ("bs", "64k,256k")];
    let (document, _) = sweep(asked(&words), &mut executor);
    assert_eq!(document.curves.len(), 4);
    let curve = &document.curves[0];
    assert_eq!((curve.axis.as_str(), curve.knee), ("rwmix", None));
    assert_eq!(curve.headline, Headline::Throughput);
    let middle = curve.points[1].figures.unwrap();
    let (read, write) = (middle.shares.read.unwrap(), middle.shares.write.unwrap());
    assert_eq!(read.iops + write.iops, middle.total.iops);
    assert_eq!(curve.points[0].figures.unwrap().shares.write, None);
}

#[test]
fn rounds_meet_all_cases_alike_and_each_run_has_offsets_of_its_own() {
    let rounds = SweepRequest { rounds: 3, ..asked(&[("iodepth", "1,2")]) };
    let mut executor = Scripted::default();
    let (document, _) = sweep(rounds.clone(), &mut executor);
    let names: Vec<&str> = executor.ran[1..].iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["1", "2", "1", "2", "1", "2"]);
    let point = &document.curves[0].points[1];
    assert_eq!(point.rounds_iops, [20_000.0; 3]);
    assert_eq!(point.spread_percent(), Some(0.0));
    assert_eq!(point.figures.unwrap().total.ios, 60_000);
    let mut seeds = executor.entropies[1..].to_vec();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 6);
    let mut again = Scripted::default();
    sweep(SweepRequest { order: Order::Shuffled, ..rounds }, &mut again);
    let mut shuffled = again.entropies[1..].to_vec();
    shuffled.sort_unstable();
    assert_eq!(shuffled, seeds, "a run's seed does not hang on when it had its turn");
}

#[test]
fn a_state_that_cannot_be_kept_is_told_and_ends_nothing() {
    let top = tempfile::tempdir().unwrap();
    let plan = plan_in(top.path(), asked(&[("iodepth", "1..4")]));
    let path = top.path().join("state.json");
    let state = StateFile::create(&path, 0o666).unwrap();
    // A folder takes its place: nothing can be put there.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let (kept, heard) = sweep_into(state, &plan, None, &mut Scripted::default());
    assert!(kept.document.is_whole());
    assert!(kept.not_kept.unwrap().contains("cannot write it"));
    let told = heard.0.iter().filter(|line| line.starts_with("not saved")).count();
    assert_eq!(told, 5);
}
