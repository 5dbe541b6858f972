//! Running runs: their page, and its feed.

use super::answer;
use crate::app::App;
use crate::failure::PageFailure;
use crate::request::PageRequest;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use fathom_store::Id;
use serde_json::json;
use std::sync::Arc;

/// `/live.json`: the runs that go on, for a list that stays open.
pub(super) async fn all(State(app): State<Arc<App>>, asked: PageRequest) -> Response {
    let running = app.archive.running().await;
    let running: Vec<_> = running.iter().map(|run| app.running(run, &asked)).collect();
    let text = serde_json::to_string(&running).unwrap_or_default();
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (headers, text).into_response()
}

/// `/live/ID`: the page that draws the feed; the run's report if it has ended.
pub(super) async fn page(
    State(app): State<Arc<App>>,
    asked: PageRequest,
    Path(name): Path<String>,
) -> Response {
    let made = one(&app, &asked, &name).await;
    answer(&app, &asked, made)
}

async fn one(app: &App, asked: &PageRequest, name: &str) -> Result<Response, PageFailure> {
    let id = Id::parse(name).ok_or_else(|| PageFailure::NoRun(name.to_owned()))?;
    let Some(run) = app.archive.running_one(&id).await? else {
        return Ok(Redirect::to(&format!("/run/{id}")).into_response());
    };
    let words = serde_json::to_string(app.pages.words(asked.lang)).unwrap_or_default();
    let chart_words = fathom_report::page_words(asked.lang);
    let chart_words = serde_json::to_string(&chart_words).unwrap_or_default();
    let own =
        json!({ "run": app.running(&run, asked), "words": words, "chart_words": chart_words });
    Ok(app.pages.page("live.html", asked, own))
}

/// `/live/ID/feed`: its events.
pub(super) async fn feed(
    State(app): State<Arc<App>>,
    asked: PageRequest,
    Path(name): Path<String>,
) -> Response {
    let Some(id) = Id::parse(&name) else {
        return app.failed(&asked, &PageFailure::NoRun(name));
    };
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(app.hub.watch(&id))).into_response()
}
