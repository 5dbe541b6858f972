//! The state of an interrupted sweep; resuming loses no case and runs none twice.

use super::asking::asked;
use super::scripted::{Act, Scripted};
use super::sweeping::{plan_in, sweep_on};
use crate::MeasuringTime;
use crate::sweep::{Question, SweepPlan, SweepRequest, newest_unfinished, resume};
use fathom_document::Provenance;
use fathom_document::TrialId;
use fathom_document::sweep::{Order, Status, SweepDocument};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

fn question() -> SweepRequest {
    SweepRequest {
        rounds: 2,
        order: Order::Shuffled,
        ..asked(&[("bs", "4k,8k"), ("iodepth", "1..4")])
    }
}

/// Runs to the end what is kept in `state.json`.
fn go_on(top: &Path, plan: &SweepPlan) -> (SweepDocument, Scripted) {
    let resumed = resume(&top.join("state.json"), &plan.question, None).unwrap();
    let mut executor = Scripted::default();
    let (kept, _) = sweep_on(top, plan, Some(resumed.document), &mut executor);
    (kept.document, executor)
}

/// Every case once in every round, all with figures.
fn is_complete(document: &SweepDocument, plan: &SweepPlan) {
    let mut trials: Vec<TrialId> = document.cases.iter().map(|case| case.id()).collect();
    trials.sort_unstable();
    let mut wanted = plan.trials();
    wanted.sort_unstable();
    assert_eq!(trials, wanted);
    assert!(document.is_whole());
}

#[test]
fn a_stop_keeps_what_was_and_the_rest_follows() {
    for name in ["4k-1", "8k-2", "8k-4"] {
        let top = tempfile::tempdir().unwrap();
        let plan = plan_in(top.path(), question());
        let mut executor = Scripted::with(name, Act::Stop(50_000));
        let (kept, _) = sweep_on(top.path(), &plan, None, &mut executor);
        assert_eq!(kept.document.status, Status::Interrupted);
        let (done, cut) = (kept.document.cases.len() - 1, kept.document.cases.last().unwrap());
        assert!(cut.cut_short && cut.figures.is_some());
        let (document, executor) = go_on(top.path(), &plan);
        // All but what was over, and the one that was cut short again; one run is the fill.
        assert_eq!(executor.ran.len() - 1, 12 - done);
        assert_eq!(document.sessions.len(), 2);
        assert_eq!(document.cases.iter().filter(|case| case.session == 0).count(), done);
        is_complete(&document, &plan);
    }
}

#[test]
fn a_process_that_is_gone_at_once_loses_at_most_the_case_it_was_in() {
    for name in ["fill", "4k-1", "4k-2", "4k-4", "8k-1", "8k-2", "8k-4"] {
        let top = tempfile::tempdir().unwrap();
        let plan = plan_in(top.path(), question());
        let mut executor = Scripted::with(name, Act::Panic);
        let gone =
            catch_unwind(AssertUnwindSafe(|| sweep_on(top.path(), &plan, None, &mut executor)));
        assert!(gone.is_err());
        let begun = executor.ran.len() - 1;
        let text = fs::read(top.path().join("state.json")).unwrap();
        let left: SweepDocument = serde_json::from_slice(&text).unwrap();
        assert_eq!(left.status, Status::Running);
        assert_eq!(left.cases.len(), begun.saturating_sub(1));
        let (document, executor) = go_on(top.path(), &plan);
        assert_eq!(executor.ran.len() - 1, 12 - left.cases.len());
        is_complete(&document, &plan);
    }
}

#[test]
fn a_finished_sweep_goes_on_with_nothing() {
    let top = tempfile::tempdir().unwrap();
    let plan = plan_in(top.path(), asked(&[("iodepth", "1..4")]));
    sweep_on(top.path(), &plan, None, &mut Scripted::with("2", Act::Fail("EIO")));
    let (document, executor) = go_on(top.path(), &plan);
    let names: Vec<&str> = executor.ran.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.iter().all(|name| *name == "fill"), "{names:?}");
    // What failed had its turn.
    assert_eq!(document.cases.len(), 3);
    assert!(!document.is_whole());
}

#[test]
fn another_question_is_told_by_what_differs() {
    let top = tempfile::tempdir().unwrap();
    let plan = plan_in(top.path(), asked(&[("iodepth", "1..4")]));
    sweep_on(top.path(), &plan, None, &mut Scripted::default());
    let path = top.path().join("state.json");
    let other = |asked| Question::new(&plan.question.target, asked).unwrap();
    let refusal = |asked, seed| resume(&path, &other(asked), seed).unwrap_err().to_string();
    let mut longer = asked(&[("iodepth", "1..4")]);
    longer.common.time = Some(MeasuringTime::PerRun(2_000_000));
    let why = refusal(longer, None);
    assert!(why.contains(r#"time was {"run_us":1000000"#), "{why}");
    assert!(!why.contains("axes") && why.contains("leave out --resume"), "{why}");
    let why = refusal(asked(&[("iodepth", "1..8")]), None);
    assert!(why.contains("axes was"), "{why}");
    let why = refusal(asked(&[("iodepth", "1..4")]), Some(8));
    assert!(why.contains("seed was 7, is 8"), "{why}");
    assert!(resume(&path, &plan.question, Some(7)).is_ok());
    fs::write(&path, "{}").unwrap();
    let why = refusal(asked(&[("iodepth", "1..4")]), None);
    assert!(why.contains("no sweep's document"), "{why}");
    let why = resume(&top.path().join("gone"), &plan.question, None).unwrap_err().to_string();
    assert!(why.contains("gone"), "{why}");
}

#[test]
fn a_leftover_test_file_is_removed_only_where_it_is_ours() {
    let top = tempfile::tempdir().unwrap();
    let plan = plan_in(top.path(), asked(&[("iodepth", "1..4")]));
    sweep_on(top.path(), &plan, None, &mut Scripted::with("2", Act::Stop(1000)));
    let path = top.path().join("state.json");
    fs::write(&plan.volume.path, "left behind").unwrap();
    resume(&path, &plan.question, None).unwrap();
    assert!(!plan.volume.path.exists());
    // The same document with a path that a person could have named.
    let text = fs::read_to_string(&path).unwrap();
    let ours = plan.volume.path.display().to_string();
    for name in ["precious", ".fathom-precious"] {
        let precious = top.path().join("volume").join(name);
        fs::write(&precious, "data").unwrap();
        fs::write(&path, text.replace(&ours, &precious.display().to_string())).unwrap();
        let why = resume(&path, &plan.question, None).unwrap_err().to_string();
        assert!(why.contains("remove it, then continue"), "{why}");
        assert!(precious.exists());
    }
}

#[test]
fn the_newest_unfinished_of_the_same_question_is_found() {
    let top = tempfile::tempdir().unwrap();
    let plan = plan_in(top.path(), asked(&[("iodepth", "1..4")]));
    let hash = SweepPlan::hash(&plan.question);
    let folder = top.path().join("sweeps");
    assert_eq!(newest_unfinished(&folder, &plan.question).unwrap(), None);
    fs::create_dir(&folder).unwrap();
    let write = |name: &str, status| {
        let mut document = plan.document(&Provenance::default());
        document.status = status;
        let path = folder.join(format!("{name}-{hash}.json"));
        fs::write(&path, serde_json::to_vec(&document).unwrap()).unwrap();
        path
    };
    write("1", Status::Interrupted);
    let newest = write("2", Status::Running);
    write("3", Status::Finished);
    fs::write(folder.join(format!("4-{hash}.json")), "torn").unwrap();
    fs::write(folder.join("5-0000000000000000.json"), "{}").unwrap();
    // A pipe would be read for ever.
    let mut made = std::process::Command::new("mkfifo");
    if let Ok(made) = made.arg(folder.join(format!("6-{hash}.json"))).status() {
        assert!(made.success());
    }
    assert_eq!(newest_unfinished(&folder, &plan.question).unwrap(), Some(newest));
}
