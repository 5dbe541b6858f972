//! Other programs on the same file: two that write at once, and one that is killed at the worst
//! moment. The other program is this test binary, started again for one test that waits for
//! instructions.

use super::{AUGUST_MS, Home, assert_sound, document, run};
use crate::write::{HistoryRow, insert};
use crate::{Filter, Sharing, Store, StoreError};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Lines, Write, stdin, stdout};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const ROLE: &str = "FATHOM_STORE_TEST_ROLE";
const PATH: &str = "FATHOM_STORE_TEST_PATH";

/// The other program: plays the role that the environment names, and says each step in a line.
#[test]
fn the_other_program() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let path = std::env::var_os(PATH).expect("set with the role");
    let mut store = Store::open(Path::new(&path), Sharing::OneHost).unwrap();
    say("ready");
    let go = stdin().lines().next().expect("a word to begin").unwrap();
    let first: u64 = go.parse().unwrap();
    match role.as_str() {
        "write" => (first..first + 100).for_each(|n| record(&mut store, n)),
        "write for ever" => (first..u64::MAX).for_each(|n| record(&mut store, n)),
        "stop before the commit" => {
            let content = HistoryRow::new(&run(first), &document(first)).unwrap();
            let _: Result<(), StoreError> = store.change(|transaction| {
                let id = insert(transaction, &content, None).unwrap();
                say(id.as_str());
                // Until it is killed: nobody writes a second line.
                stdin().lines().for_each(drop);
                Ok(())
            });
        }
        other => panic!("no role {other:?}"),
    }
}

fn record(store: &mut Store, n: u64) {
    let id = store.record(&run(n), &document(n)).unwrap();
    store.update(&id, &run(n), &document(n)).unwrap();
    say(id.as_str());
}

/// A line of its own, past what the test harness writes.
fn say(line: &str) {
    let mut out = stdout().lock();
    writeln!(out, "\nother: {line}").and_then(|()| out.flush()).unwrap();
}

struct Other {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Other {
    /// Starts it; it has opened the history and waits.
    fn start(role: &str, path: &Path) -> Other {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::processes::the_other_program", "--nocapture"])
            .env(ROLE, role)
            .env(PATH, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut other = Other { stdin: child.stdin.take().unwrap(), child, lines };
        assert_eq!(other.said().as_deref(), Some("ready"));
        other
    }

    fn begin(&mut self, first: u64) {
        writeln!(self.stdin, "{first}").unwrap();
    }

    /// The next line that it said; `None` after its end.
    fn said(&mut self) -> Option<String> {
        self.lines.find_map(|line| line.unwrap().strip_prefix("other: ").map(str::to_owned))
    }

    /// SIGKILL; then what it had said before.
    fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::iter::from_fn(|| self.said()).collect()
    }
}

#[test]
fn two_programs_write_at_once_and_nothing_is_lost() {
    let home = Home::new();
    let mut others = [Other::start("write", &home.path()), Other::start("write", &home.path())];
    for (other, first) in others.iter_mut().zip([0, 1000]) {
        other.begin(first);
    }
    let reader = home.reader();
    let mut said = BTreeSet::new();
    for mut other in others {
        while let Some(id) = other.said() {
            // A reader sees at once what counts as kept.
            reader.get(&id).unwrap();
            said.insert(id);
        }
        assert!(other.child.wait().unwrap().success());
    }
    assert_eq!(said.len(), 200);
    let kept: BTreeSet<u64> =
        reader.list(&Filter::default()).unwrap().iter().map(|entry| entry.run.started_ms).collect();
    let expected = (0..100).chain(1000..1100).map(|n| AUGUST_MS + n * 60_000);
    assert_eq!(kept, expected.collect());
    assert_sound(&reader);
}

#[test]
fn one_that_writes_for_long_is_waited_for_and_then_told() {
    let home = Home::new();
    let mut store = home.store();
    let mut other = Other::start("stop before the commit", &home.path());
    other.begin(1);
    other.said().expect("it holds the writer's place");
    // Shorter than a user would wait; what is looked at is that it ends, and how.
    store.connection.busy_timeout(Duration::from_millis(50)).unwrap();
    let why = store.record(&run(2), &document(2)).unwrap_err();
    assert!(matches!(why, StoreError::Busy { .. }), "{why}");
    assert!(why.to_string().contains("try again"), "{why}");
    // Reading is not held up, and sees what was there before.
    assert_eq!(home.reader().count(&Filter::default()).unwrap(), 0);
    other.kill();
    store.record(&run(2), &document(2)).unwrap();
    assert_eq!(home.reader().count(&Filter::default()).unwrap(), 1);
}

#[test]
fn a_kill_between_insert_and_commit_loses_that_run_and_no_other() {
    let home = Home::new();
    let mut store = home.store();
    for n in 0..20 {
        store.record(&run(n), &document(n)).unwrap();
    }
    let before = store.list(&Filter::default()).unwrap();
    drop(store);
    let mut other = Other::start("stop before the commit", &home.path());
    other.begin(77);
    let half = other.said().expect("a run that was inserted");
    other.kill();
    // First by one that only reads, then by one that writes.
    assert_eq!(home.reader().list(&Filter::default()).unwrap(), before);
    let mut store = home.store();
    assert_sound(&store);
    assert!(matches!(store.get(&half), Err(StoreError::NoRun { .. })));
    store.record(&run(77), &document(77)).unwrap();
    assert_eq!(store.count(&Filter::default()).unwrap(), 21);
}

#[test]
fn a_kill_while_writing_loses_nothing_that_was_kept() {
    let home = Home::new();
    let mut kept: Vec<String> = Vec::new();
    for (round, runs) in [1, 2, 3, 5, 8, 13, 21, 34].into_iter().enumerate() {
        let mut other = Other::start("write for ever", &home.path());
        other.begin(round as u64 * 1_000_000);
        kept.extend((0..runs).map(|_| other.said().expect("it writes")));
        kept.extend(other.kill());
        let store = home.reader();
        assert_sound(&store);
        for id in &kept {
            let entry = store.get(id).unwrap();
            let n = (entry.run.started_ms - AUGUST_MS) / 60_000;
            assert_eq!(entry.run, run(n));
            assert_eq!(store.document(&entry.id).unwrap(), document(n));
        }
        // At most the one that was being written is there without having been told.
        let there = store.count(&Filter::default()).unwrap() as usize;
        assert!((kept.len()..=kept.len() + round + 1).contains(&there), "{there}");
    }
}
