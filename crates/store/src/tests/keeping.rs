//! Stored runs are read back unchanged, are changed only on request, and are found by their short
//! name.

use super::{Home, assert_sound, document, run};
use crate::{Filter, HistoryFigure, HistoryOutcome, HistoryRun, Id, StoreError};

fn tags(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_run_comes_back_as_it_was_given() {
    let home = Home::new();
    let document = "{\n  \"odd\": \"ünïcode \\u0000\",  \"spaces\":[ 1 ]}\n";
    let id = home.store().record(&run(7), document).unwrap();
    let store = home.reader();
    let entry = store.get(id.as_str()).unwrap();
    assert_eq!(entry.run, run(7));
    assert_eq!(store.document(&id).unwrap(), document);
    assert_eq!(store.list(&Filter::default()).unwrap(), [entry]);
}

#[test]
fn what_cannot_be_kept_is_settled_first() {
    let home = Home::new();
    let mut store = home.store();
    let odd = HistoryRun {
        tags: tags(&["b", "a", "b"]),
        started_ms: u64::MAX,
        headline: vec![HistoryFigure { iops: Some(f64::NAN), ..HistoryFigure::default() }],
        ..HistoryRun::default()
    };
    let id = store.record(&odd, "").unwrap();
    let kept = store.get(id.as_str()).unwrap().run;
    assert_eq!(kept.tags, ["a", "b"]);
    assert_eq!(kept.started_ms, i64::MAX as u64);
    assert_eq!(kept.headline, [HistoryFigure::default()]);
}

#[test]
fn a_campaign_saves_after_each_case_and_keeps_its_labels() {
    let home = Home::new();
    let mut store = home.store();
    let mut sweep = HistoryRun { outcome: HistoryOutcome::Running, headline: Vec::new(), ..run(1) };
    let id = store.record(&sweep, "{\"cases\":[]}").unwrap();
    home.store().tag(&id, &tags(&["mine"])).unwrap();
    for case in 1..=3u64 {
        sweep.duration_ms = case * 1000;
        sweep.headline.push(run(case).headline[0].clone());
        sweep.targets = vec![format!("/mnt/case{case}")];
        store.update(&id, &sweep, &document(case)).unwrap();
        let entry = home.reader().get(id.as_str()).unwrap();
        let expected = HistoryRun { tags: tags(&["mine", "series-1"]), ..sweep.clone() };
        assert_eq!(entry.run, expected);
        assert_eq!(home.reader().document(&id).unwrap(), document(case));
    }
    let found = |text: &str| {
        let filter = Filter { text: Some(text.to_owned()), ..Filter::default() };
        home.reader().count(&filter).unwrap()
    };
    assert_eq!((found("case3"), found("case2"), found("mine")), (1, 0, 1));
    assert_sound(&store);
}

#[test]
fn labels_come_and_go_and_can_be_searched() {
    let home = Home::new();
    let mut store = home.store();
    let id = store.record(&run(3), "{}").unwrap();
    store.tag(&id, &tags(&["before upgrade", "series-3"])).unwrap();
    assert_eq!(store.get(id.as_str()).unwrap().run.tags, ["before upgrade", "series-3"]);
    let upgrade = Filter { text: Some("UPGRADE".to_owned()), ..Filter::default() };
    assert_eq!(store.count(&upgrade).unwrap(), 1);
    store.untag(&id, &tags(&["before upgrade", "never given"])).unwrap();
    assert_eq!(store.get(id.as_str()).unwrap().run.tags, ["series-3"]);
    assert_eq!(store.count(&upgrade).unwrap(), 0);
    assert_sound(&store);
}

#[test]
fn what_is_removed_is_gone_with_all_its_parts() {
    let home = Home::new();
    let mut store = home.store();
    let ids: Vec<Id> = (0..4).map(|n| store.record(&run(n), &document(n)).unwrap()).collect();
    store.remove(&ids[..2]).unwrap();
    for table in ["run", "document", "target", "tag", "run_text"] {
        let sql = format!("SELECT count(DISTINCT rowid) FROM {table}");
        // Tables without rowid are counted by run.
        let sql =
            if ["target", "tag"].contains(&table) { sql.replace("rowid", "run") } else { sql };
        let left: i64 = store.connection.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(left, 2, "{table}");
    }
    // One that is not there: none is removed.
    let why = store.remove(&[ids[2].clone(), ids[0].clone()]).unwrap_err();
    assert!(matches!(&why, StoreError::NoRun { prefix } if *prefix == ids[0].to_string()), "{why}");
    assert_eq!(store.count(&Filter::default()).unwrap(), 2);
    for gone in [
        store.update(&ids[0], &run(0), "{}").unwrap_err(),
        store.tag(&ids[0], &tags(&["x"])).unwrap_err(),
        store.document(&ids[0]).map(drop).unwrap_err(),
    ] {
        assert!(matches!(gone, StoreError::NoRun { .. }), "{gone}");
    }
    assert_sound(&store);
}

#[test]
fn the_beginning_of_a_name_is_enough_where_it_means_one_run() {
    let home = Home::new();
    let mut store = home.store();
    for n in 0..300 {
        // So close that eight digits are those of several.
        store
            .record(&HistoryRun { started_ms: run(0).started_ms + n * 5, ..run(n) }, "{}")
            .unwrap();
    }
    let entries = store.list(&Filter::default()).unwrap();
    for entry in &entries {
        let (short, id) = (&entry.short_id, entry.id.as_str());
        assert!(id.starts_with(short.as_str()) && short.len() >= 8, "{short} {id}");
        assert_eq!(store.get(short).unwrap().id, entry.id);
        assert_eq!(store.get(&short.to_uppercase()).unwrap().id, entry.id);
        // A digit less would mean others as well, but where eight are the least.
        let less = &short[..short.len() - 1];
        let alike = entries.iter().filter(|other| other.id.as_str().starts_with(less)).count();
        assert!(alike > 1 || short.len() == 8, "{short}");
    }
    let why = store.get(&entries[0].id.as_str()[..8]).unwrap_err();
    assert!(why.to_string().contains("give more digits"), "{why}");
    for none in ["", "~", "zzzz", "%", "1%"] {
        assert!(matches!(store.get(none), Err(StoreError::NoRun { .. })), "{none}");
    }
}

#[test]
fn a_single_run_has_a_name_of_eight_digits_which_stay_its_own() {
    let home = Home::new();
    let mut store = home.store();
    let id = store.record(&run(0), "{}").unwrap();
    let short = store.get(id.as_str()).unwrap().short_id;
    assert_eq!(short, id.as_str()[..8]);
    store
        .record(&HistoryRun { started_ms: run(0).started_ms + 3_600_000, ..run(1) }, "{}")
        .unwrap();
    assert_eq!(store.get(&short).unwrap().id, id);
}

#[test]
fn runs_are_named_by_how_long_ago_they_were_and_by_their_labels() {
    let home = Home::new();
    let mut store = home.store();
    let tagged = |n: u64, tag: &str| HistoryRun { tags: vec![tag.to_owned()], ..run(n) };
    let first = store.record(&tagged(0, "base v1.2"), "{}").unwrap();
    let second = store.record(&tagged(1, "after"), "{}").unwrap();
    let third = store.record(&tagged(2, "after"), "{}").unwrap();
    let going = HistoryRun { outcome: HistoryOutcome::Running, ..tagged(3, "after") };
    store.record(&going, "{}").unwrap();
    for (name, id) in [
        ("latest", &third),
        ("latest~0", &third),
        ("latest~", &second),
        ("latest~1", &second),
        ("Previous", &second),
        ("latest~2", &first),
        ("base v1.2", &first),
        ("after", &third),
        ("tag:after", &third),
        ("tag:base v1.2", &first),
    ] {
        assert_eq!(&store.get(name).unwrap().id, id, "{name}");
    }
    for none in ["latest~3", "latest~-1", "latest~x", "previous~1", "bas", "After", "tag:bas"] {
        assert!(matches!(store.get(none), Err(StoreError::NoRun { .. })), "{none}");
    }
}

#[test]
fn a_damaged_document_is_told_and_costs_no_other() {
    let home = Home::new();
    let mut store = home.store();
    let bad = store.record(&run(0), &document(0)).unwrap();
    let good = store.record(&run(1), &document(1)).unwrap();
    store.connection.execute("UPDATE document SET zstd = x'00' WHERE run = 1", []).unwrap();
    let why = store.document(&bad).unwrap_err().to_string();
    assert!(why.contains(&format!("run {bad}")) && why.contains("history.sqlite3"), "{why}");
    assert_eq!(store.document(&good).unwrap(), document(1));
}
