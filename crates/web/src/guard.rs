//! Middleware of every request: the gate, and headers that tell the browser what a page may not do.

use crate::app::App;
use crate::failure::PageFailure;
use crate::gate::{AccessGate, Pass};
use crate::request::{LANG_COOKIE, PageRequest};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Scripts and styles come only from the binary; nothing is sent elsewhere or framed. The chart
/// library writes style attributes, never a text of a run, into its drawing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Allows or refuses requests, and adds the headers to every answer.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let passed = app.gate.pass(request.method(), request.uri(), request.headers());
    let (parts, body) = request.into_parts();
    let asked = PageRequest::of(&parts, app.lang);
    let mut response = match passed {
        Ok(Pass::Login) => login(&app.gate, &asked),
        Ok(Pass::In) => next.run(Request::from_parts(parts, body)).await,
        Err(refusal) => app.failed(&asked, &PageFailure::Refused(refusal)),
    };
    if let (Ok(_), Some(lang)) = (passed, asked.chosen_lang()) {
        let kept = format!("{LANG_COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", lang.tag());
        add(response.headers_mut(), "set-cookie", &kept);
    }
    for (name, value) in HEADERS {
        // A page with a stricter policy keeps it.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Removes the token from the address, so that nobody sees it there later.
fn login(gate: &AccessGate, asked: &PageRequest) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    add(headers, "location", &asked.parameters.address(&asked.path, "token", None));
    add(headers, "cache-control", "no-store");
    if let Some(cookie) = gate.session_cookie() {
        add(headers, "set-cookie", &cookie);
    }
    response
}

fn add(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.append(name, value);
    }
}
