//! Reports of stored runs, made on another thread, because a large document takes a while.

use crate::archive::aside;
use crate::failure::PageFailure;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use fathom_message::{Lang, words};
use fathom_report::{Input, Link};
use fathom_store::{HistoryEntry, has_result};

/// The format of a report.
pub(crate) enum ReportForm {
    /// A page with links to others.
    Page(Breadcrumbs),
    /// Markdown, as a file.
    Markdown,
    /// Comma-separated values, as a file.
    Csv,
    /// The report as data, as a file.
    Json,
}

/// The position of a page among the others.
pub(crate) struct Breadcrumbs(Vec<Link>);

impl ReportForm {
    /// The form of a file of that name.
    pub(crate) fn of_file(name: &str) -> Option<ReportForm> {
        match name {
            "report.md" => Some(ReportForm::Markdown),
            "report.csv" => Some(ReportForm::Csv),
            "report.json" => Some(ReportForm::Json),
            _ => None,
        }
    }
}

impl Breadcrumbs {
    /// The page of the run `id`, which may be watched at `live`.
    pub(crate) fn of_run(id: &str, live: Option<String>, lang: Lang) -> Breadcrumbs {
        let mut links = vec![link(words(lang, "web-history"), "/".to_owned())];
        links.extend(live.map(|live| link(words(lang, "web-go-live"), live)));
        links.push(link("Markdown".to_owned(), format!("/run/{id}/report.md")));
        links.push(link("CSV".to_owned(), format!("/run/{id}/report.csv")));
        links.push(link(words(lang, "web-download-json"), format!("/run/{id}/document.json")));
        Breadcrumbs(links)
    }

    /// The page of the comparison that `query` names.
    pub(crate) fn of_comparison(query: &str, lang: Lang) -> Breadcrumbs {
        Breadcrumbs(vec![
            link(words(lang, "web-history"), "/".to_owned()),
            link("Markdown".to_owned(), format!("/compare/report.md{query}")),
            link("CSV".to_owned(), format!("/compare/report.csv{query}")),
            link("JSON".to_owned(), format!("/compare/report.json{query}")),
        ])
    }
}

fn link(text: String, address: String) -> Link {
    Link { text, address }
}

/// The report of the runs, in a form.
pub(crate) async fn made(
    kept: Vec<(HistoryEntry, String)>,
    lang: Lang,
    form: ReportForm,
) -> Result<Response, PageFailure> {
    if let Some((entry, _)) = kept.iter().find(|(_, document)| !has_result(document)) {
        let id = &entry.short_id;
        return Err(PageFailure::Document(format!("the run {id} has no result (yet)")));
    }
    aside(move || {
        let name = kept.iter().map(|(entry, _)| entry.short_id.as_str()).collect::<Vec<_>>();
        let name = name.join("-");
        let inputs: Vec<Input> =
            kept.iter().map(|(entry, text)| Input::new(&entry.short_id, text.as_str())).collect();
        written(&inputs, lang, &form, &name)
    })
    .await
}

fn written(
    inputs: &[Input],
    lang: Lang,
    form: &ReportForm,
    name: &str,
) -> Result<Response, PageFailure> {
    match form {
        ReportForm::Page(Breadcrumbs(links)) => {
            let report = fathom_report::read(inputs, lang).map_err(unreadable)?;
            let page = fathom_report::html_among(&report, links).map_err(unreadable)?;
            let headers = [
                (header::CACHE_CONTROL, "no-store".to_owned()),
                (header::CONTENT_SECURITY_POLICY, policy()),
            ];
            Ok((headers, Html(page)).into_response())
        }
        ReportForm::Markdown => {
            let report = fathom_report::read(inputs, lang).map_err(unreadable)?;
            Ok(file("text/markdown", name, "md", fathom_report::markdown(&report)))
        }
        ReportForm::Json => {
            let report = fathom_report::read(inputs, lang).map_err(unreadable)?;
            let text = fathom_report::document(&report).map_err(unreadable)?;
            Ok(file("application/json", name, "json", text))
        }
        ReportForm::Csv => {
            let report = fathom_report::read_data(inputs, lang).map_err(unreadable)?;
            let text = fathom_report::csv(&report).map_err(unreadable)?;
            Ok(file("text/csv", name, "csv", text))
        }
    }
}

/// A report contains its scripts and its style, and allows only these, by their hashes.
fn policy() -> String {
    format!("{}; frame-ancestors 'none'", fathom_report::assets::policy())
}

fn file(kind: &str, name: &str, ending: &str, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, format!("{kind}; charset=utf-8")),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"fathom-{name}.{ending}\"")),
    ];
    (headers, text).into_response()
}

fn unreadable(why: impl std::fmt::Display) -> PageFailure {
    PageFailure::Document(why.to_string())
}
