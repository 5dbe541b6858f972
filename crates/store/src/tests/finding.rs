//! Filters find the right runs, along an index.

use super::{AUGUST_MS, Home, document, run};
use crate::query::Query;
use crate::{Filter, HistoryOutcome, HistoryRun, Store, StoreError};
use proptest::prelude::*;
use rusqlite::params_from_iter;

/// The numbers of the runs that `filter` means, in their order.
fn found(store: &Store, filter: &Filter) -> Vec<u64> {
    let entries = store.list(filter).unwrap();
    entries.iter().map(|entry| (entry.run.started_ms - AUGUST_MS) / 60_000).collect()
}

fn filled(home: &Home, runs: u64) -> Store {
    let mut store = home.store();
    // Not in the order of time, as imports come.
    for n in (0..runs).rev() {
        store.record(&run(n), &document(n)).unwrap();
    }
    store
}

fn text(words: &str) -> Filter {
    Filter { text: Some(words.to_owned()), ..Filter::default() }
}

#[test]
fn each_filter_finds_its_own_newest_first() {
    let home = Home::new();
    let store = filled(&home, 60);
    let all: Vec<u64> = (0..60).rev().collect();
    assert_eq!(found(&store, &Filter::default()), all);
    let some = |text: &str| Some(text.to_owned());
    for (filter, expected) in [
        (
            Filter { kind: some("sweep"), ..Filter::default() },
            vec![56, 51, 46, 41, 36, 31, 26, 21, 16, 11, 6, 1],
        ),
        (Filter { tag: some("series-7"), ..Filter::default() }, vec![47, 27, 7]),
        (Filter { tag: some("series"), ..Filter::default() }, vec![]),
        (Filter { target: some("/mnt/volume12"), ..Filter::default() }, vec![12]),
        (Filter { target: some("/mnt/volume"), ..Filter::default() }, vec![]),
        (Filter { host: some("worker-3"), ..Filter::default() }, vec![53, 3]),
        (Filter { since_ms: Some(AUGUST_MS + 58 * 60_000), ..Filter::default() }, vec![59, 58]),
        (Filter { until_ms: Some(AUGUST_MS + 2 * 60_000), ..Filter::default() }, vec![1, 0]),
        (Filter { outcome: Some(HistoryOutcome::Failed), ..Filter::default() }, vec![]),
        (Filter { limit: Some(2), offset: 3, ..Filter::default() }, vec![56, 55]),
        (Filter { host: some("worker-3"), kind: some("check"), ..Filter::default() }, vec![53, 3]),
        (Filter { host: some("worker-3"), kind: some("sweep"), ..Filter::default() }, vec![]),
    ] {
        assert_eq!(found(&store, &filter), expected, "{filter:?}");
        if filter.limit.is_none() {
            assert_eq!(store.count(&filter).unwrap(), expected.len() as u64, "{filter:?}");
        }
    }
}

#[test]
fn any_number_of_words_is_searched() {
    let home = Home::new();
    let store = filled(&home, 20);
    // Long words and short ones, each of which only run 12 has all.
    for words in ["/mnt/volume12 ", "12 "] {
        let many = words.repeat(2000);
        let one = found(&store, &text(words));
        assert!(one.contains(&12) && one.len() < 20, "{one:?}");
        assert_eq!(found(&store, &text(&many)), one);
        assert_eq!(found(&store, &text(&format!("{many} nowhere"))), [0; 0]);
        assert_eq!(found(&store, &text(&format!("{many} zz"))), [0; 0]);
    }
}

#[test]
fn the_latest_run_is_the_newest_whatever_was_kept_last() {
    let home = Home::new();
    assert!(matches!(home.store().get("latest"), Err(StoreError::NoRun { .. })));
    let newest = filled(&home, 3).get("latest").unwrap();
    assert_eq!(newest.run.started_ms, AUGUST_MS + 2 * 60_000);
    // One that is under way has no result yet.
    let running = HistoryRun { outcome: HistoryOutcome::Running, ..run(9) };
    home.store().record(&running, "{}").unwrap();
    assert_eq!(home.reader().get("latest").unwrap().id, newest.id);
}

#[test]
fn the_latest_run_is_none_that_was_stopped_or_has_no_figures() {
    let home = Home::new();
    let mut store = filled(&home, 3);
    let [first, newest] = ["latest~1", "latest"].map(|name| store.get(name).unwrap().id);
    let stopped = HistoryRun { outcome: HistoryOutcome::Interrupted, ..run(8) };
    let empty = HistoryRun { headline: Vec::new(), ..run(9) };
    for other in [stopped, empty] {
        let id = store.record(&other, "{}").unwrap();
        assert_eq!(store.get("latest").unwrap().id, newest);
        for before in ["latest~1", "previous"] {
            assert_eq!(store.get(before).unwrap().id, first);
        }
        assert_eq!(store.get(id.as_str()).unwrap().id, id);
        assert_eq!(store.get(&other.tags[0]).unwrap().id, id);
    }
    // A search that no rate ends has no figure, and an answer all the same.
    for (n, outcome) in [(10, HistoryOutcome::PromiseMissed), (11, HistoryOutcome::Undecided)] {
        let answered = HistoryRun { headline: Vec::new(), outcome, ..run(n) };
        let id = store.record(&answered, "{}").unwrap();
        assert_eq!(store.get("latest").unwrap().id, id);
    }
}

#[test]
fn what_can_be_chosen_is_what_runs_have() {
    let home = Home::new();
    let store = filled(&home, 60);
    let choices = store.choices().unwrap();
    assert_eq!(choices.kinds, ["check", "compare", "limit", "measure", "sweep"]);
    assert_eq!((choices.hosts.len(), choices.tags.len()), (50, 20));
    assert_eq!(choices.hosts[..2], ["worker-0", "worker-1"]);
    for (kinds, outcome) in [(60, run(0).outcome), (0, HistoryOutcome::Interrupted)] {
        let filter = Filter { outcome: Some(outcome), ..Filter::default() };
        assert_eq!(store.count(&filter).unwrap(), kinds);
    }
}

#[test]
fn text_is_found_inside_of_words_and_however_it_is_written() {
    let home = Home::new();
    let store = filled(&home, 30);
    for (words, expected) in [
        ("OLUME12", vec![12]),
        ("volume 12 measure", vec![12]),
        ("nvme3n1 limit", vec![24]),
        ("er-5 series-5", vec![5]),
        // Too short for the index of text.
        ("-9 e9", vec![9]),
        // Found in none: the end of one part and the beginning of the next.
        ("30ssomething", vec![]),
        // Signs of the query language are letters here.
        ("\"", vec![]),
        ("volume12\" OR \"volume13", vec![]),
        ("volume*", vec![]),
        ("%", vec![]),
        ("volume_2", vec![]),
        ("NOT", vec![]),
        ("  ", (0..30).rev().collect()),
    ] {
        assert_eq!(found(&store, &text(words)), expected, "{words:?}");
    }
}

/// Steps of SQLite's plan for a statement about `filter`.
fn plan(
    store: &Store,
    filter: &Filter,
    statement: fn(&mut Query, &Filter) -> String,
) -> Vec<String> {
    let mut query = Query::of(filter);
    let sql = format!("EXPLAIN QUERY PLAN {}", statement(&mut query, filter));
    let mut statement = store.connection.prepare(&sql).unwrap();
    let rows = statement.query_map(params_from_iter(&query.values), |row| row.get(3)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn lists_and_searches_go_along_indexes() {
    let home = Home::new();
    let store = filled(&home, 30);
    let some = |text: &str| Some(text.to_owned());
    let short = Filter { limit: Some(20), ..Filter::default() };
    for (filter, along) in [
        (Filter { ..short.clone() }, "SCAN run USING COVERING INDEX run_by_start"),
        (Filter { since_ms: Some(1), ..short.clone() }, "INDEX run_by_start (started_ms>?)"),
        (Filter { kind: some("sweep"), ..short.clone() }, "INDEX run_by_kind (kind=?)"),
        (Filter { host: some("worker-3"), ..short.clone() }, "INDEX run_by_host (host=?)"),
        (Filter { tag: some("series-3"), ..short.clone() }, "INDEX tag_by_name (name=?)"),
        (Filter { target: some("/dev/sda"), ..short.clone() }, "INDEX target_by_path (path=?)"),
        (Filter { text: some("nvme3"), ..short.clone() }, "SCAN run_text VIRTUAL TABLE INDEX 0:M"),
    ] {
        let all = plan(&store, &filter, Query::entries);
        assert!(!all.iter().any(|step| step == "SCAN run"), "{all:#?}");
        let plan = plan(&store, &filter, Query::chosen);
        assert!(plan.iter().any(|step| step.contains(along)), "{along}: {plan:#?}");
        // Nothing is sorted unless a few were found first.
        let few = filter.tag.is_some() || filter.target.is_some() || filter.text.is_some();
        let sorted = plan.iter().any(|step| step == "USE TEMP B-TREE FOR ORDER BY");
        assert!(few || !sorted, "{plan:#?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What the index of text finds is what a plain look through the same text finds.
    #[test]
    fn the_index_of_text_agrees_with_a_plain_search(words in "[a-z0-9/\\-\"'%_ ]{0,9}") {
        thread_local! {
            static FILLED: (Home, Store) = {
                let home = Home::new();
                let store = filled(&home, 40);
                (home, store)
            };
        }
        FILLED.with(|(_home, store)| {
            let plain: Vec<u64> = (0..40u64)
                .rev()
                .filter(|n| {
                    let all = crate::content::searched(&run(*n));
                    words.split_whitespace().all(|word| all.contains(word))
                })
                .collect();
            prop_assert_eq!(found(store, &text(&words)), plain);
            Ok(())
        })?;
    }
}
