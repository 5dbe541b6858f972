//! Current files, older and newer versions, foreign files, and missing files.

use super::{Home, assert_sound, document, run};
use crate::schema::{self, STEPS};
use crate::{Filter, Sharing, Store, StoreError};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// A history of version 1 as the first Fathom that had one made it: with SQL of its own, so that
/// a change to a step that was published is seen here.
const V1_FIXTURE: &str = include_str!("v1.sql");

fn v1(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    Connection::open(path).unwrap().execute_batch(V1_FIXTURE).unwrap();
}

fn schema_of(connection: &Connection) -> Vec<(String, Option<String>)> {
    let sql = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

fn without_space(schema: Vec<(String, Option<String>)>) -> Vec<(String, String)> {
    let words = |sql: String| sql.split_whitespace().collect::<Vec<_>>().join(" ");
    schema.into_iter().map(|(name, sql)| (name, words(sql.unwrap()))).collect()
}

#[test]
fn a_history_of_version_1_is_read_and_written() {
    let home = Home::new();
    v1(&home.path());
    let mut store = home.store();
    let entry = store.get("1kyx9xp00007").unwrap();
    assert_eq!(entry.run.targets, ["/mnt/data", "/dev/sdb"]);
    assert_eq!(entry.run.tags, ["before"]);
    assert_eq!(entry.run.headline[0].iops, Some(1234.5));
    assert_eq!(store.document(&entry.id).unwrap(), "{}");
    let text = Filter { text: Some("data bef".to_owned()), ..Filter::default() };
    assert_eq!(store.list(&text).unwrap(), [entry]);
    store.record(&run(1), &document(1)).unwrap();
    assert_sound(&store);
}

#[test]
fn the_first_step_is_as_it_was_published() {
    let (old, new) = (Home::new(), Home::new());
    v1(&old.path());
    let mut connection = Connection::open_in_memory().unwrap();
    schema::migrate(&mut connection, &STEPS[..1], Path::new("memory")).unwrap();
    let published = Connection::open(old.path()).unwrap();
    assert_eq!(without_space(schema_of(&connection)), without_space(schema_of(&published)));
    // And what is made anew today equals what is brought up to date.
    assert_eq!(
        without_space(schema_of(&new.store().connection)),
        without_space(schema_of(&old.store().connection))
    );
}

const STEP_A: &str = "CREATE TABLE thing (name TEXT); INSERT INTO thing VALUES ('a');";
const STEP_B: &str = "ALTER TABLE thing ADD COLUMN size INTEGER DEFAULT 7;";

fn things(connection: &Connection) -> Vec<(String, i64)> {
    let mut statement = connection.prepare("SELECT name, size FROM thing").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn steps_that_are_missing_are_taken_once_and_in_order() {
    let mut connection = Connection::open_in_memory().unwrap();
    let here = Path::new("memory");
    schema::migrate(&mut connection, &[STEP_A], here).unwrap();
    connection.execute("INSERT INTO thing VALUES ('b')", []).unwrap();
    for _ in 0..2 {
        schema::migrate(&mut connection, &[STEP_A, STEP_B], here).unwrap();
        assert_eq!(things(&connection), [("a".to_owned(), 7), ("b".to_owned(), 7)]);
        assert_eq!(schema::state(&connection).unwrap(), schema::SchemaState::Ours(2));
    }
}

#[test]
fn steps_are_taken_all_or_none() {
    let mut connection = Connection::open_in_memory().unwrap();
    let here = Path::new("memory");
    schema::migrate(&mut connection, &[STEP_A], here).unwrap();
    let before = schema_of(&connection);
    let steps = [STEP_A, STEP_B, "INSERT INTO nowhere VALUES (1)"];
    assert!(schema::migrate(&mut connection, &steps, here).is_err());
    assert_eq!(schema_of(&connection), before);
    assert_eq!(schema::state(&connection).unwrap(), schema::SchemaState::Ours(1));
    schema::migrate(&mut connection, &steps[..2], here).unwrap();
    assert_eq!(things(&connection), [("a".to_owned(), 7)]);
}

/// Opens it in both ways; the message of each, and that the file is as it was.
fn refused(path: &Path) -> Vec<String> {
    let before = fs::read(path).unwrap();
    let messages = [
        Store::open(path, Sharing::OneHost).unwrap_err(),
        Store::open(path, Sharing::ManyHosts).unwrap_err(),
        Store::open_to_read(path).unwrap_err(),
    ];
    assert!(fs::read(path).unwrap() == before, "was written to");
    let beside = fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(beside, 1, "something was left beside it");
    messages.iter().map(StoreError::to_string).collect()
}

#[test]
fn a_newer_history_is_refused_and_left_as_it_is() {
    let home = Home::new();
    home.store().record(&run(1), &document(1)).unwrap();
    let newer = STEPS.len() as i64 + 1;
    Connection::open(home.path()).unwrap().pragma_update(None, "user_version", newer).unwrap();
    for why in refused(&home.path()) {
        let words = format!("has schema {newer} and this Fathom knows up to {}", STEPS.len());
        assert!(why.contains(&words) && why.contains("history.sqlite3"), "{why}");
    }
}

#[test]
fn what_is_no_history_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for (number, content) in
        ["x", "my notes\n", &"SQLite format 4\0".repeat(500), &"a".repeat(100_000)]
            .iter()
            .enumerate()
    {
        let path = folder.path().join(format!("{number}/notes.txt"));
        fs::create_dir(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        for why in refused(&path) {
            assert!(why.contains("is not an SQLite database"), "{number}: {why}");
            assert!(why.contains("notes.txt") && why.contains("left as it is"), "{why}");
        }
    }
}

#[test]
fn a_database_of_another_program_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for sql in [
        "CREATE TABLE bookmarks (url TEXT)",
        "PRAGMA application_id = 5; CREATE TABLE run (id TEXT)",
        "PRAGMA user_version = 1; CREATE TABLE run (id TEXT)",
    ] {
        let path = folder.path().join("places.sqlite");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        for why in refused(&path) {
            assert!(why.contains("no history of Fathom's"), "{sql}: {why}");
        }
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_history_that_is_not_there_is_made_for_writing_only() {
    let home = Home::new();
    assert!(Store::open_to_read(&home.path()).unwrap().is_none());
    assert!(!home.path().parent().unwrap().exists());
    drop(home.store());
    assert_eq!(home.reader().count(&Filter::default()).unwrap(), 0);
    // An empty file, as a power cut may leave it, is a history that begins.
    fs::write(home.path(), "").unwrap();
    home.store().record(&run(1), &document(1)).unwrap();
    assert_eq!(home.reader().count(&Filter::default()).unwrap(), 1);
}

#[test]
fn a_place_that_cannot_be_is_told_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    for path in [file.join("fathom/history.sqlite3"), folder.path().to_owned()] {
        let why = Store::open(&path, Sharing::OneHost).unwrap_err().to_string();
        assert!(why.contains(&path.display().to_string()), "{why}");
        let why = Store::open_to_read(&path).unwrap_err().to_string();
        assert!(why.contains(&path.display().to_string()), "{why}");
    }
}

#[test]
fn many_hosts_get_a_journal_that_works_over_a_network() {
    let home = Home::new();
    let journal = |sharing| {
        let store = Store::open(&home.path(), sharing).unwrap();
        store
            .connection
            .query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0))
            .unwrap()
    };
    assert_eq!(journal(Sharing::OneHost), "wal");
    assert_eq!(journal(Sharing::ManyHosts), "delete");
    assert_eq!(journal(Sharing::OneHost), "wal");
    // Another that has it open keeps it from being changed, and no more than that.
    let other = home.store();
    other.list(&Filter::default()).unwrap();
    let mut store = Store::open(&home.path(), Sharing::ManyHosts).unwrap();
    store.record(&run(1), &document(1)).unwrap();
    assert_eq!(other.count(&Filter::default()).unwrap(), 1);
}
