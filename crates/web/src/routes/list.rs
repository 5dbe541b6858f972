//! The history as a list, with filters.

use super::answer;
use crate::app::App;
use crate::failure::PageFailure;
use crate::request::{PageRequest, Parameters};
use crate::view;
use axum::extract::State;
use axum::response::Response;
use fathom_store::{Choices, Filter, HistoryEntry, HistoryOutcome};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Runs on one page.
const PAGE: u64 = 100;

/// Filters of the list, as parameters.
const FILTERS: [&str; 6] = ["text", "kind", "tag", "host", "outcome", "since"];

/// `/`
pub(super) async fn page(State(app): State<Arc<App>>, asked: PageRequest) -> Response {
    let made = list(&app, &asked).await;
    answer(&app, &asked, made)
}

/// The runs found.
#[derive(Default)]
struct Found {
    /// Runs with what they found, and whether they were killed.
    entries: Vec<(HistoryEntry, Option<String>, bool)>,
    of: u64,
    choices: Choices,
}

async fn list(app: &App, asked: &PageRequest) -> Result<Response, PageFailure> {
    let filter = filter(&asked.parameters);
    let wanted = filter.clone();
    let (summaries, lang) = (app.summaries.clone(), asked.lang);
    let live = app.archive.live().clone();
    let found = app.archive.read(move |store| {
        let with_summary = |entry: HistoryEntry| {
            let summary = summaries.of(store, &entry, lang);
            let killed = live.is_killed(&entry);
            (entry, summary, killed)
        };
        Ok(Found {
            entries: store.list(&wanted)?.into_iter().map(with_summary).collect(),
            of: store.count(&wanted)?,
            choices: store.choices()?,
        })
    });
    let (found, running) = tokio::join!(found, app.archive.running());
    let found = found?.unwrap_or_default();
    let chosen = |name: &'static str| asked.parameters.get(name).unwrap_or_default();
    let row = |(entry, summary, killed): &(HistoryEntry, Option<String>, bool)| {
        app.row(entry, summary.as_deref(), *killed, asked)
    };
    let own = json!({
        "rows": found.entries.iter().map(row).collect::<Vec<_>>(),
        "running": running.iter().map(|run| app.running(run, asked)).collect::<Vec<_>>(),
        "extent": view::extent(asked.lang, filter.offset, found.entries.len() as u64, found.of),
        "filtered": FILTERS.iter().any(|name| asked.parameters.get(name).is_some()),
        "kinds": found.choices.kinds,
        "hosts": found.choices.hosts,
        "tags": found.choices.tags,
        "outcomes": HistoryOutcome::ALL.map(view::outcome_word),
        "asked": FILTERS.iter().map(|name| (*name, chosen(name))).collect::<BTreeMap<_, _>>(),
        "newer": newer(&asked.parameters, filter.offset),
        "older": older(&asked.parameters, filter.offset, found.of),
        "history": app.archive.path().display().to_string(),
    });
    Ok(app.pages.page("list.html", asked, own))
}

/// The filter. Invalid parameters are ignored.
fn filter(parameters: &Parameters) -> Filter {
    let text = |name| parameters.get(name).map(str::to_owned);
    Filter {
        kind: text("kind"),
        tag: text("tag"),
        text: text("text"),
        since_ms: parameters.get("since").and_then(view::day),
        host: text("host"),
        outcome: parameters.get("outcome").and_then(outcome_of),
        limit: Some(PAGE),
        offset: parameters.get("offset").and_then(|text| text.parse().ok()).unwrap_or(0),
        ..Filter::default()
    }
}

/// Outcomes in addresses have the names of templates: `promise_missed`.
fn outcome_of(name: &str) -> Option<HistoryOutcome> {
    HistoryOutcome::ALL.into_iter().find(|outcome| view::outcome_word(*outcome) == name)
}

fn newer(parameters: &Parameters, offset: u64) -> Option<String> {
    let to = offset.checked_sub(1)?.saturating_sub(PAGE - 1);
    let to = (to > 0).then(|| to.to_string());
    Some(parameters.address("/", "offset", to.as_deref()))
}

fn older(parameters: &Parameters, offset: u64, of: u64) -> Option<String> {
    let from = offset.saturating_add(PAGE);
    (from < of).then(|| parameters.address("/", "offset", Some(&from.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other_and_keep_the_filters() {
        let asked = Parameters::of(&"/?kind=sweep&offset=100".parse().unwrap());
        assert_eq!(newer(&asked, 100).as_deref(), Some("/?kind=sweep"));
        assert_eq!(newer(&asked, 250).as_deref(), Some("/?kind=sweep&offset=150"));
        assert_eq!(newer(&asked, 40).as_deref(), Some("/?kind=sweep"));
        assert_eq!(newer(&asked, 0), None);
        assert_eq!(older(&asked, 100, 201).as_deref(), Some("/?kind=sweep&offset=200"));
        assert_eq!(older(&asked, 100, 200), None);
        assert_eq!(older(&asked, u64::MAX, 200), None);
    }

    #[test]
    fn what_cannot_be_understood_asks_for_nothing() {
        let odd = Parameters::of(&"/?since=x&outcome=y&offset=-1".parse().unwrap());
        assert_eq!(filter(&odd), Filter { limit: Some(PAGE), ..Filter::default() });
        let known = Parameters::of(&"/?outcome=promise_missed&offset=5".parse().unwrap());
        let filter = filter(&known);
        assert_eq!((filter.outcome, filter.offset), (Some(HistoryOutcome::PromiseMissed), 5));
    }
}
