//! Several runs side by side: which is better, and with what confidence.

use super::answer;
use crate::app::App;
use crate::failure::PageFailure;
use crate::reports::{self, Breadcrumbs, ReportForm};
use crate::request::PageRequest;
use axum::extract::{Path, State};
use axum::response::Response;
use fathom_store::HistoryEntry;
use std::sync::Arc;

/// The number of runs in a comparison: a chart cannot distinguish more.
const RUNS: std::ops::RangeInclusive<usize> = 2..=12;

/// `/compare?run=ID&run=ID`
pub(super) async fn page(State(app): State<Arc<App>>, asked: PageRequest) -> Response {
    let query = asked.parameters.address("", "lang", None);
    let form =
        ReportForm::Page(Breadcrumbs::of_comparison(query.trim_start_matches('/'), asked.lang));
    let made = report(&app, &asked, form).await;
    answer(&app, &asked, made)
}

/// `/compare/report.md?…`, `/compare/report.csv?…`, `/compare/report.json?…`
pub(super) async fn file(
    State(app): State<Arc<App>>,
    asked: PageRequest,
    Path(file): Path<String>,
) -> Response {
    let made = match ReportForm::of_file(&file) {
        Some(form) => report(&app, &asked, form).await,
        None => Err(PageFailure::Nowhere),
    };
    answer(&app, &asked, made)
}

async fn report(app: &App, asked: &PageRequest, form: ReportForm) -> Result<Response, PageFailure> {
    let mut names: Vec<String> = Vec::new();
    for name in asked.parameters.all("run") {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    if !RUNS.contains(&names.len()) {
        return Err(PageFailure::Number(names.len()));
    }
    let first = names[0].clone();
    let kept = app.archive.read(move |store| {
        let mut kept: Vec<(HistoryEntry, String)> = Vec::new();
        for name in &names {
            let entry = store.get(name)?;
            let document = store.document(&entry.id)?;
            kept.push((entry, document));
        }
        Ok(kept)
    });
    let kept = kept.await?.ok_or(PageFailure::NoRun(first))?;
    reports::made(kept, asked.lang, form).await
}
