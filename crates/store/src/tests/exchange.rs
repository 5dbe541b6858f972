//! Export and import without loss or duplicates.

use super::{Home, assert_sound, document, run};
use crate::{
    Filter, HistoryEntry, HistoryFigure, HistoryOutcome, HistoryRun, Id, Store, StoreError,
};
use proptest::prelude::*;

fn exported(store: &Store, ids: &[Id]) -> String {
    let mut out = Vec::new();
    store.export(ids, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Every entry with its document.
fn everything(store: &Store) -> Vec<(HistoryEntry, String)> {
    let entries = store.list(&Filter::default()).unwrap().into_iter();
    entries.map(|entry| (entry.clone(), store.document(&entry.id).unwrap())).collect()
}

/// Documents that are JSON in a line, JSON over lines, and no JSON at all.
const DOCUMENTS: [&str; 6] =
    ["{\"a\":[1.10,2e30]}", "{\n \"a\":1\n}\n", "", "\"text\"", "not JSON", " {}"];

#[test]
fn runs_go_out_and_come_in_the_same() {
    let (here, there) = (Home::new(), Home::new());
    let mut store = here.store();
    for (n, document) in (0..).zip(DOCUMENTS) {
        store.record(&run(n), document).unwrap();
    }
    let text = exported(&store, &[]);
    assert_eq!(text.lines().count(), 1 + DOCUMENTS.len());
    let line: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert!(line["document"]["a"].is_array(), "jq can read it: {line}");
    let mut other = there.store();
    let imported = other.import(&mut text.as_bytes()).unwrap();
    assert_eq!((imported.added.len(), imported.renamed, imported.already_here), (6, 0, 0));
    assert_eq!(everything(&other), everything(&store));
    assert_eq!(exported(&other, &[]), text);
    assert_sound(&other);
}

#[test]
fn what_is_here_already_is_left_as_it_is() {
    let home = Home::new();
    let mut store = home.store();
    let id = store.record(&run(1), &document(1)).unwrap();
    let text = exported(&store, &[]);
    store.tag(&id, &["mine".to_owned()]).unwrap();
    let before = everything(&store);
    let imported = store.import(&mut text.as_bytes()).unwrap();
    assert_eq!((imported.added.len(), imported.already_here), (0, 1));
    assert_eq!(everything(&store), before);
}

#[test]
fn a_name_that_means_another_run_here_is_replaced() {
    let home = Home::new();
    let mut store = home.store();
    let id = store.record(&run(1), &document(1)).unwrap();
    let text = exported(&store, &[]);
    store.update(&id, &run(1), "{\"changed\":true}").unwrap();
    let imported = store.import(&mut text.as_bytes()).unwrap();
    assert_eq!((imported.added.len(), imported.renamed), (1, 1));
    assert_ne!(imported.added[0], id);
    assert_eq!(store.document(&imported.added[0]).unwrap(), document(1));
    assert_eq!(store.document(&id).unwrap(), "{\"changed\":true}");
}

#[test]
fn those_named_go_out_in_that_order() {
    let home = Home::new();
    let mut store = home.store();
    let ids: Vec<Id> = (0..4).map(|n| store.record(&run(n), &document(n)).unwrap()).collect();
    let text = exported(&store, &[ids[3].clone(), ids[1].clone()]);
    let named: Vec<&str> = text.lines().skip(1).map(|line| &line[7..19]).collect();
    assert_eq!(named, [ids[3].as_str(), ids[1].as_str()]);
    store.remove(&ids[..1]).unwrap();
    let why = store.export(&ids, &mut Vec::new()).unwrap_err();
    assert!(matches!(why, StoreError::NoRun { .. }), "{why}");
}

#[test]
fn what_is_no_export_is_refused_whole_and_by_its_line() {
    let home = Home::new();
    let mut store = home.store();
    store.record(&run(1), &document(1)).unwrap();
    let good = exported(&store, &[]);
    let head = good.lines().next().unwrap();
    let line = good.lines().nth(1).unwrap().replace("\"n\":1", "\"n\":2");
    for (text, words) in [
        (String::new(), "line 1: there is nothing"),
        ("{}".to_owned(), "line 1: this is not what `fathom history export` writes"),
        (line.clone(), "line 1: this is not"),
        (head.replace("history", "measure"), "\"fathom-measure\""),
        (head.replace(":1", ":99"), "schema is 99"),
        (format!("{head}\n{line}\n\n{{}}\n"), "line 4: no exported run"),
        (format!("{head}\n{line}\n{}", &line[..100]), "line 3: no exported run"),
        (format!("{head}\n{}", line.replace("\"id\":\"1", "\"id\":\"!")), "no run is called"),
        (format!("{head}\n{}", line.replace("\"document\"", "\"other\"")), "has one document"),
    ] {
        let why = store.import(&mut text.as_bytes()).unwrap_err().to_string();
        assert!(why.contains(words) && why.contains("Nothing was imported"), "{text}: {why}");
    }
    assert_eq!(store.count(&Filter::default()).unwrap(), 1);
}

fn any_run() -> impl Strategy<Value = HistoryRun> {
    let figure = (any::<String>(), any::<Option<f64>>(), any::<Option<f64>>());
    let texts = || proptest::collection::vec(any::<String>(), 0..3);
    let numbers = (any::<u64>(), any::<u64>(), 0..HistoryOutcome::ALL.len());
    (numbers, any::<[String; 3]>(), texts(), texts(), proptest::option::of(figure)).prop_map(
        |((started_ms, duration_ms, outcome), [kind, host, title], command, tags, figure)| {
            HistoryRun {
                kind,
                started_ms,
                duration_ms,
                host,
                title,
                targets: command.clone(),
                command,
                tags,
                headline: figure
                    .into_iter()
                    .map(|(label, iops, mean_ns)| HistoryFigure {
                        label,
                        iops,
                        mean_ns,
                        ..HistoryFigure::default()
                    })
                    .collect(),
                outcome: HistoryOutcome::ALL[outcome],
                ..HistoryRun::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever is kept survives the way out and in, and is known again.
    #[test]
    fn any_run_survives_the_journey(run in any_run(), document in any::<String>()) {
        let (here, there) = (Home::new(), Home::new());
        let mut store = here.store();
        store.record(&run, &document).unwrap();
        let text = exported(&store, &[]);
        let mut other = there.store();
        prop_assert_eq!(other.import(&mut text.as_bytes()).unwrap().added.len(), 1);
        prop_assert_eq!(everything(&other), everything(&store));
        prop_assert_eq!(store.import(&mut text.as_bytes()).unwrap().already_here, 1);
    }
}
