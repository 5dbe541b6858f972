//! Small versions of every run, so that they stay working. Time is not judged here; memory is,
//! because it hardly varies and needs no release build.

use crate::args::Args;
use crate::contest::Contest;
use crate::count;
use crate::counter::Counter;
use crate::document::{BenchDocument, GoalResult, RowResult, Turns};
use crate::figures::{BenchFigure, ContestantRun};
use crate::place::{BenchDevice, Places, Sizes};
use crate::plan::{self, Against, BenchGoal, BenchWork, Contestant, Want};
use crate::process::Programs;
use clap::Parser;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SMALL: Sizes = Sizes { memory_bytes: 4 << 20, disk_bytes: 4 << 20 };

/// The binary that `cargo test --workspace` builds, beside the folder of the tests.
fn programs() -> Option<Programs> {
    let test = std::env::current_exe().expect("a path");
    let sibling = test.parent().and_then(|deps| deps.parent()).map(|dir| dir.join("fathom"));
    let ours = std::env::var_os("FATHOM_UNDER_TEST").map(PathBuf::from).or(sibling)?;
    if !ours.is_file() {
        fathom_skip::skip("the binary is not built: cargo build");
        return None;
    }
    // fio has tests of its own; a second of each row here would be for nothing.
    Some(Programs { ours, fio: None, fio_nfs: None, valgrind: None })
}

fn small_args(dir: &str) -> Args {
    Args::parse_from(["bench", "--rounds=1", "--seconds=0.05", "--dir", dir])
}

#[test]
fn every_row_runs() {
    let Some(programs) = programs() else { return };
    let dir = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR").to_owned() + "/../../target")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder");
    let args = small_args(dir.path().to_str().expect("a plain path"));
    let stop = Arc::new(AtomicBool::new(false));
    let mut contest = Contest::sized(&args, programs, stop, SMALL).expect("a folder");
    let rows = plan::rows().into_iter().filter(|row| !row.once);
    // Both ends of each axis: what grows is there at its greatest.
    let ends = ["-1", "-64", "-512", "-1024", "-1048576", "-10000"];
    let growth = plan::growth_rows().into_iter();
    let growth = growth.filter(|row| ends.iter().any(|end| row.id.ends_with(end)));
    for row in rows.chain(growth) {
        let result = contest.row(&row).unwrap_or_else(|error| panic!("{error:#}"));
        if result.contestants.is_empty() {
            fathom_skip::skip(&format!("{}: {}", row.id, result.skipped.unwrap_or_default()));
            continue;
        }
        for turns in &result.contestants {
            assert_eq!(turns.rounds.len(), 1, "{}", row.id);
            assert!(turns.rounds[0].ios > 0 && turns.rounds[0].iops > 0.0, "{}", turns.what);
        }
        let absent = |one: &Contestant| matches!(one.work, BenchWork::Fio(_));
        let (_, ran): (Vec<&Contestant>, _) = row.contestants.iter().partition(|one| absent(one));
        let names = result.contestants.iter().map(|turns| turns.name);
        assert!(names.eq(ran.iter().map(|one| one.name)), "{}", row.id);
        let ran = |name: &str| ran.iter().any(|one| one.name == name);
        let asked = |goal: &&BenchGoal| match goal.against {
            Against::Alone => ran(goal.of),
            Against::Over(other) | Against::Less(other) => ran(goal.of) && ran(other),
        };
        assert_eq!(result.goals.len(), row.goals.iter().filter(asked).count(), "{}", row.id);
        // How many of a thousand threads live at once is the machine's; the least is the code's own.
        let mut over = over_memory(&result);
        for _ in 0..4 {
            if over.is_empty() {
                break;
            }
            over = over_memory(&contest.row(&row).expect("it has run before"));
        }
        assert_eq!(over, Vec::<String>::new(), "{}", row.id);
    }
    drop(contest);
    assert_eq!(dir.path().read_dir().expect("is there").count(), 0, "something was left behind");
}

/// What took more memory than is wanted.
fn over_memory(result: &RowResult) -> Vec<String> {
    let resident = result.goals.iter().filter(|goal| goal.goal.figure == BenchFigure::ResidentMib);
    let over = resident.filter(|goal| goal.met != Some(true));
    over.map(|goal| format!("{} MiB, {:?}", goal.spread.median, goal.goal.want)).collect()
}

#[test]
fn every_engine_is_counted_to_the_io() {
    let Some(programs) = programs() else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let args = small_args(dir.path().to_str().expect("a plain path"));
    let mut counter = Counter::new(&args, &programs, SMALL).expect("a folder");
    // The hardest of each: all threads, stopped with the queue full.
    let hardest = |case: &count::CountedRun| case.jobs > 1 && case.depth != 32;
    for case in count::cases().into_iter().filter(hardest) {
        match counter.case(&case) {
            Ok(counted) => {
                let ios = counted.said.reads + counted.said.writes;
                assert!(ios > 0, "{case:?} did nothing");
                assert_eq!(counted.expected.read_bytes, counted.counted.read_bytes, "{counted:?}");
                assert_eq!(counted.difference(), 0, "{counted:?}");
            }
            Err(why) => fathom_skip::skip(&format!("{case:?}: {why:#}")),
        }
    }
}

#[test]
fn places_are_full_and_go_away() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut places = Places::new(dir.path(), SMALL).expect("a folder");
    let mut made = Vec::new();
    for place in [
        BenchDevice::Cached,
        BenchDevice::Disk,
        BenchDevice::Tmpfs,
        BenchDevice::Zram,
        BenchDevice::Loop,
    ] {
        match places.path(place) {
            Ok(path) => {
                assert_eq!(places.path(place).expect("again"), path);
                let content = std::fs::read(&path).expect("reads");
                assert_eq!(content.len(), 4 << 20);
                let zeroes = content.iter().filter(|byte| **byte == 0).count();
                assert!(zeroes < content.len() / 100, "{} is not random", path.display());
                made.push((place, path));
            }
            Err(why) => fathom_skip::skip(&format!("{place:?}: {why:#}")),
        }
    }
    match places.path(BenchDevice::ZramAlike) {
        Ok(path) => {
            let content = std::fs::read(&path).expect("reads");
            assert!(content.iter().all(|byte| *byte == 0));
            made.push((BenchDevice::ZramAlike, path));
        }
        Err(why) => fathom_skip::skip(&format!("pages all alike: {why:#}")),
    }
    drop(places);
    for (place, path) in made {
        // A device that was there before stays, empty.
        let sys = path.file_name().map(|name| PathBuf::from("/sys/block").join(name));
        let file = if place == BenchDevice::Loop { "size" } else { "disksize" };
        let size = sys.and_then(|dir| std::fs::read_to_string(dir.join(file)).ok());
        let device =
            matches!(place, BenchDevice::Zram | BenchDevice::ZramAlike | BenchDevice::Loop);
        let gone = !path.exists() || (device && size.as_deref() == Some("0\n"));
        assert!(gone, "{} is still there", path.display());
    }
}

/// A row in which ours made 95 and 97 of 100.
fn example() -> BenchDocument {
    let programs = Programs { ours: "/nowhere".into(), fio: None, fio_nfs: None, valgrind: None };
    let turns = |name, iops: [f64; 2]| Turns {
        name,
        what: "words".into(),
        rounds: iops
            .map(|iops| ContestantRun { ios: 9, iops, ..ContestantRun::default() })
            .to_vec(),
    };
    let contestants = vec![turns("bare", [100.0, 100.0]), turns("fathom", [95.0, 97.0])];
    let goal = |of, against, want| BenchGoal { figure: BenchFigure::Iops, of, against, want };
    let goals = [
        goal("fathom", Against::Over("bare"), Want::AtLeast(0.95)),
        goal("fathom", Against::Less("bare"), Want::AtLeast(0.0)),
        goal("fathom", Against::Alone, Want::Stated),
        goal("fio", Against::Over("bare"), Want::Stated),
    ];
    let goals = goals.iter().filter_map(|goal| GoalResult::of(*goal, &contestants)).collect();
    let mut document = BenchDocument::new(&programs, 2, 0.5);
    document.rows.push(RowResult {
        id: "example".into(),
        title: "An example".into(),
        place: BenchDevice::Nothing,
        skipped: Some("fio is not installed".into()),
        contestants,
        goals,
    });
    document.rows.push(RowResult {
        id: "other".into(),
        title: "Another".into(),
        place: BenchDevice::Zram,
        skipped: Some("no zram".into()),
        contestants: Vec::new(),
        goals: Vec::new(),
    });
    document
}

#[test]
fn goals_are_judged_by_the_median_of_the_turns() {
    let document = example();
    let goals = &document.rows[0].goals;
    assert_eq!(goals.len(), 3, "who has not run is not judged");
    assert_eq!((goals[0].spread.median, goals[0].met), (0.96, Some(true)));
    assert_eq!((goals[1].spread.median, goals[1].met), (-4.0, Some(false)));
    assert_eq!((goals[2].spread.median, goals[2].met), (96.0, None));
}

#[test]
fn the_table_shows_every_goal_and_every_skipped_row() {
    let text: String = example().rows.iter().map(RowResult::markdown).collect();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "| An example | not run: fio is not installed | | | |");
    let met = "| An example | fathom / bare: IOPS | 0.960 (0.950 – 0.970) | at least 0.950 | met |";
    assert_eq!(lines[1], met);
    assert!(lines[2].ends_with("| MISSED |") && lines[3].ends_with("|  |  |"), "{text}");
    assert_eq!(lines[4..], ["| Another | not run: no zram | | | |"]);
}

#[test]
fn the_result_file_has_machine_versions_and_every_turn() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("result.json");
    crate::document::write_json(&example(), &path).expect("writes");
    let text = std::fs::read_to_string(&path).expect("reads");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["format"], 1);
    assert!(value["machine"]["kernel"].is_string() && value["versions"].is_object());
    let row = &value["rows"][0];
    assert_eq!(row["contestants"][1]["rounds"][1]["iops"], 97.0);
    assert_eq!(row["goals"][0]["met"], true);
    assert_eq!(row["goals"][0]["goal"]["against"]["over"], "bare");
    assert_eq!(value["rows"][1]["skipped"], "no zram");
}
