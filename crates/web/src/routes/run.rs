//! The report of a run, as a page and as files.

use super::answer;
use crate::app::App;
use crate::failure::PageFailure;
use crate::reports::{self, Breadcrumbs, ReportForm};
use crate::request::PageRequest;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use fathom_store::{HistoryEntry, has_result};
use std::sync::Arc;

/// `/run/ID`; the beginning of a name redirects to the whole one, which stays valid when other runs
/// are added.
pub(super) async fn page(
    State(app): State<Arc<App>>,
    asked: PageRequest,
    Path(name): Path<String>,
) -> Response {
    let made = report(&app, &asked, &name).await;
    answer(&app, &asked, made)
}

async fn report(app: &App, asked: &PageRequest, name: &str) -> Result<Response, PageFailure> {
    let kept = kept(app, name).await?;
    let id = kept.0.id.to_string();
    if id != name {
        let address = asked.parameters.address(&format!("/run/{id}"), "lang", None);
        return Ok(Redirect::to(&address).into_response());
    }
    let live = app.archive.running_one(&kept.0.id).await.ok().flatten().is_some();
    if !has_result(&kept.1) && live {
        return Ok(Redirect::to(&format!("/live/{id}")).into_response());
    }
    let place = Breadcrumbs::of_run(&id, live.then(|| format!("/live/{id}")), asked.lang);
    reports::made(vec![kept], asked.lang, ReportForm::Page(place)).await
}

/// `/run/ID/report.md`, `/run/ID/report.csv`, `/run/ID/report.json`, `/run/ID/document.json`
pub(super) async fn file(
    State(app): State<Arc<App>>,
    asked: PageRequest,
    Path((name, file)): Path<(String, String)>,
) -> Response {
    let made = in_form(&app, &asked, &name, &file).await;
    answer(&app, &asked, made)
}

async fn in_form(
    app: &App,
    asked: &PageRequest,
    name: &str,
    file: &str,
) -> Result<Response, PageFailure> {
    if file == "document.json" {
        let (entry, document) = kept(app, name).await?;
        let name = format!("attachment; filename=\"fathom-{}.json\"", entry.id);
        let headers = [
            (header::CONTENT_TYPE, "application/json".to_owned()),
            (header::CONTENT_DISPOSITION, name),
        ];
        return Ok((headers, document).into_response());
    }
    let form = ReportForm::of_file(file).ok_or(PageFailure::Nowhere)?;
    reports::made(vec![kept(app, name).await?], asked.lang, form).await
}

/// The run whose name begins with `name`, with its document.
async fn kept(app: &App, name: &str) -> Result<(HistoryEntry, String), PageFailure> {
    let wanted = name.to_owned();
    let found = app.archive.read(move |store| {
        let entry = store.get(&wanted)?;
        let document = store.document(&entry.id)?;
        Ok((entry, document))
    });
    found.await?.ok_or_else(|| PageFailure::NoRun(name.to_owned()))
}
